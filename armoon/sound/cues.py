"""Sound cues of the table and the screens. Every sound has a visible counterpart."""

from __future__ import annotations

import enum
from collections.abc import Iterable
from dataclasses import dataclass

from armoon.values.page import Page
from armoon.values.poses import Vec3
from armoon.values.scene import Scene


class CueKind(enum.Enum):
    """The kinds of sounds."""

    KNOCK = "knock"
    """Two ladders touch."""
    THUD = "thud"
    """A ladder comes down on the table."""
    SOFT = "soft"
    """A ladder comes down on the cloud."""
    CLATTER = "clatter"
    """Ladders fall."""
    DIE = "die"
    """The die is shaken, and rolls until it is at rest."""
    OFFER = "offer"
    GRAB = "grab"
    RELEASE = "release"
    PLACED = "placed"
    """The die is honoured."""
    TEAR = "tear"
    WARNING = "warning"
    OUT = "out"
    FINAL = "final"
    FANFARE = "fanfare"
    CLICK = "click"
    """The table turned past an eighth of a full turn."""
    STOP = "stop"
    """A tone for a position: a carried ladder has moved by two centimetres, or another offered place is shown."""
    FOCUS = "focus"
    PRESS = "press"
    """A page changed, or one of its values."""


@dataclass(frozen=True)
class SoundCue:
    """One sound to play now."""

    kind: CueKind
    strength: float = 1.0
    """0 to 1; for contacts it follows the impulse."""
    length_m: float = 0.10
    """Length of the sounding ladder; longer wood sounds lower."""
    across: float = 0.0
    """-1 left to 1 right."""
    count: int = 1
    """Number of pieces that sound together."""
    height_m: float = 0.0
    """Height above the table, which raises a tone's pitch and varies the sound of wood."""
    impacts: tuple[tuple[float, float], ...] = ()
    """Times in seconds and strengths from 0 to 1 of a die's impacts; empty: a typical roll."""


#: The impulse that sounds at full strength: 4 g of wood at 1 m/s.
LOUDEST_N_S = 0.004
#: Maximum number of simultaneous knocks; more would be heard as noise.
MAX_KNOCKS = 4
#: Distance from the middle at which a sound comes entirely from one side.
HALF_WIDTH_M = 0.30


def measure_side(place: Vec3) -> float:
    return max(-1.0, min(1.0, place[0] / HALF_WIDTH_M))


def build_impact_cue(kind: CueKind, impulse_n_s: float, length_m: float, place: Vec3) -> SoundCue:
    """Return the sound of wood of this length struck at a position."""
    strength = min(1.0, impulse_n_s / LOUDEST_N_S)
    return SoundCue(kind, strength, length_m, measure_side(place), height_m=place[2])


def select_loudest(impacts: Iterable[SoundCue]) -> list[SoundCue]:
    return sorted(impacts, key=lambda cue: -cue.strength)[:MAX_KNOCKS]


def find_page_cues(before: Page | None, now: Page | None) -> tuple[SoundCue, ...]:
    """Return the sounds of using the screens: a page or value changed, or the focus moved."""
    if before is None or now is None or before == now:
        return ()
    if before.name != now.name or _values(before) != _values(now):
        return (SoundCue(CueKind.PRESS, 0.6),)
    return (SoundCue(CueKind.FOCUS, 0.3),) if _focus(before) != _focus(now) and _focus(now) else ()


def _values(page: Page) -> tuple[tuple[str, str, str, bool | None], ...]:
    return tuple((w.name, w.text, w.value, w.chosen) for w in page.widgets)


def _focus(page: Page) -> str:
    return next((w.name for w in page.widgets if w.focused), "")


#: Movement from tone to tone, and an additional movement so that a trembling hand causes no tones.
STEP_M, TREMBLING_M = 0.02, 0.004
_CARRIED = ("held", "waiting")


class PositionTones:
    """Emits a tone whenever a carried ladder has moved far enough or another offered place is shown."""

    def __init__(self) -> None:
        self._at: Vec3 | None = None
        self._name = ""

    def find_tones(self, scene: Scene, *, mirrored: bool = False) -> tuple[SoundCue, ...]:
        """Return the tone for this scene, if any. ``mirrored``: the picture's left and right are exchanged."""
        name, place = _find_followed(scene)
        if place is None:
            self._at, self._name = None, ""
            return ()
        if name == self._name and self._at is not None:
            far = max(abs(place[0] - self._at[0]), abs(place[2] - self._at[2]))
            if far < STEP_M + TREMBLING_M:
                return ()
        self._at, self._name = place, name
        across = measure_side(place)
        return (SoundCue(CueKind.STOP, 0.6, across=-across if mirrored else across, height_m=place[2]),)


def _find_followed(scene: Scene) -> tuple[str, Vec3 | None]:
    for piece in scene.pieces:
        if piece.look in _CARRIED:
            return piece.piece, piece.pose.position
    for ghost in scene.ghosts:
        if not ghost.landing and ghost.label:
            return f"{ghost.piece} {ghost.label} {ghost.pose.position}", ghost.pose.position
    return "", None
