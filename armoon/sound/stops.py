"""Position by ear: a tone for every two centimetres of a carried ladder's way, and for each considered place.

The stereo side is its horizontal position in the picture, the pitch its height.
"""

from __future__ import annotations

from armoon.sound.cues import CueKind, SoundCue
from armoon.values.poses import Vec3
from armoon.values.scene import Scene

#: From one tone to the next; a hand that trembles on the border makes none.
STEP_M, TREMBLING_M = 0.02, 0.004
#: Distance from the middle of a sound wholly from one side.
HALF_WIDTH_M = 0.30
_CARRIED = ("held", "waiting")


class Stops:
    """Remembers where the last tone was."""

    def __init__(self) -> None:
        self._at: Vec3 | None = None
        self._name = ""

    def hear(self, scene: Scene, *, mirrored: bool = False) -> tuple[SoundCue, ...]:
        """Return the tone of this moment, if there is one.

        ``mirrored``: the picture shows left and right exchanged.
        """
        name, place = _followed(scene)
        if place is None:
            self._at, self._name = None, ""
            return ()
        if name == self._name and self._at is not None:
            far = max(abs(place[0] - self._at[0]), abs(place[2] - self._at[2]))
            if far < STEP_M + TREMBLING_M:
                return ()
        self._at, self._name = place, name
        across = max(-1.0, min(1.0, place[0] / HALF_WIDTH_M))
        return (SoundCue(CueKind.STOP, 0.6, across=-across if mirrored else across, height_m=place[2]),)


def _followed(scene: Scene) -> tuple[str, Vec3 | None]:
    """Return the carried thing or else the considered place, and its middle."""
    for piece in scene.pieces:
        if piece.look in _CARRIED:
            return piece.piece, piece.pose.position
    for ghost in scene.ghosts:
        if not ghost.landing and ghost.label:
            return f"{ghost.piece} {ghost.label} {ghost.pose.position}", ghost.pose.position
    return "", None
