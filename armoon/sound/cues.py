"""Sound cues of the table and the pages. Every sound has a visible counterpart."""

from __future__ import annotations

import enum
from collections.abc import Iterable
from dataclasses import dataclass

from armoon.values.page import Page
from armoon.values.poses import Vec3
from armoon.values.scene import Scene


class CueKind(enum.Enum):
    KNOCK = "knock"
    """Two ladders touch."""
    THUD = "thud"
    """A ladder lands on the table."""
    SOFT = "soft"
    """A ladder lands on the cloud."""
    CLATTER = "clatter"
    """Ladders fall."""
    DIE = "die"
    """The die is shaken, and rolls to rest."""
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
    """The turning table has passed a multiple of an eighth of a turn."""
    STOP = "stop"
    """A tone for a position: a carried ladder has moved by two centimetres, or another place is offered."""
    FOCUS = "focus"
    PRESS = "press"
    """A page or one of its values changed."""


@dataclass(frozen=True)
class SoundCue:
    kind: CueKind
    strength: float = 1.0
    """0 to 1; proportional to the impulse of a contact."""
    length_m: float = 0.10
    """Length of the ladder; longer wood sounds lower."""
    across: float = 0.0
    """From -1 (left) to 1 (right)."""
    count: int = 1
    """Number of pieces that make this sound together."""
    height_m: float = 0.0
    """Height above the table, which raises a tone's pitch and varies the sound of wood."""
    impacts: tuple[tuple[float, float], ...] = ()
    """Times, in seconds, and strengths, from 0 to 1, of a die's impacts; empty for a typical roll."""


#: Impulse of a contact at full strength: 4 g of wood at 1 m/s.
LOUDEST_N_S = 0.004
#: Maximum number of simultaneous knocks; more would sound like noise.
MAX_KNOCKS = 4
#: Distance from the table's middle, in metres, at which a sound comes entirely from one side.
HALF_WIDTH_M = 0.30


def measure_side(place: Vec3) -> float:
    return max(-1.0, min(1.0, place[0] / HALF_WIDTH_M))


def build_impact_cue(kind: CueKind, impulse_n_s: float, length_m: float, place: Vec3) -> SoundCue:
    """Return the cue of a ladder of this length that is struck at ``place`` (table frame)."""
    strength = min(1.0, impulse_n_s / LOUDEST_N_S)
    return SoundCue(kind, strength, length_m, measure_side(place), height_m=place[2])


def select_loudest(impacts: Iterable[SoundCue]) -> list[SoundCue]:
    return sorted(impacts, key=lambda cue: -cue.strength)[:MAX_KNOCKS]


def find_page_cues(before: Page | None, now: Page | None) -> tuple[SoundCue, ...]:
    """Return the cue for another page, a changed value or a moved focus, if any."""
    if before is None or now is None or before == now:
        return ()
    if before.name != now.name or _list_values(before) != _list_values(now):
        return (SoundCue(CueKind.PRESS, 0.6),)
    return (SoundCue(CueKind.FOCUS, 0.3),) if _find_focus(now) not in ("", _find_focus(before)) else ()


def _list_values(page: Page) -> tuple[tuple[str, str, str, bool | None], ...]:
    return tuple((w.name, w.text, w.value, w.chosen) for w in page.widgets)


def _find_focus(page: Page) -> str:
    return next((w.name for w in page.widgets if w.focused), "")


#: Movement between two tones, and additional movement that keeps a trembling hand from causing tones, in metres.
STEP_M, TREMOR_M = 0.02, 0.004
_CARRIED_LOOKS = ("held", "waiting")


class PositionTones:
    """Emits a tone when a carried ladder has moved far enough or another place is offered."""

    def __init__(self) -> None:
        self._place: Vec3 | None = None
        self._name = ""

    def find_tones(self, scene: Scene, *, mirrored: bool = False) -> tuple[SoundCue, ...]:
        """Return the tone for this scene, if any; ``mirrored`` exchanges left and right."""
        name, place = _find_tone_place(scene)
        if place is None:
            self._place, self._name = None, ""
            return ()
        if name == self._name and self._place is not None:
            moved_m = max(abs(place[0] - self._place[0]), abs(place[2] - self._place[2]))
            if moved_m < STEP_M + TREMOR_M:
                return ()
        self._place, self._name = place, name
        across = measure_side(place)
        return (SoundCue(CueKind.STOP, 0.6, across=-across if mirrored else across, height_m=place[2]),)


def _find_tone_place(scene: Scene) -> tuple[str, Vec3 | None]:
    for piece in scene.pieces:
        if piece.look in _CARRIED_LOOKS:
            return piece.piece, piece.pose.position
    for ghost in scene.ghosts:
        if not ghost.is_landing and ghost.label:
            return f"{ghost.piece} {ghost.label} {ghost.pose.position}", ghost.pose.position
    return "", None
