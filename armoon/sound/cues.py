"""What makes a sound: every cue by its kind, and the cues of using the screens. Games make their own from what happens.

Every sound has a visible counterpart, so that the game can be played without hearing; ``COUNTERPARTS`` is the list.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass

from armoon.values.page import Page


class CueKind(enum.Enum):
    """Every sound."""

    KNOCK = "knock"
    """Two ladders touch."""
    THUD = "thud"
    """A ladder comes down on the table."""
    SOFT = "soft"
    """A ladder comes down on the cloud."""
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
    """The table turned past an eighth."""
    STOP = "stop"
    """What is carried came past two more centimetres, or a place is considered: where it is."""
    FOCUS = "focus"
    """The focus of a page moved."""
    PRESS = "press"
    """A page changed, or one of its values."""


#: Sound: what is seen at the same moment, and which part of the picture shows it.
COUNTERPARTS: dict[CueKind, str] = {
    CueKind.KNOCK: "contact points light up, and the touched ladder glows (marks, ladder look 'touched')",
    CueKind.THUD: "the verdict's card, and the ladder turns red (HUD, ladder look 'fault')",
    CueKind.SOFT: "the verdict's card, and the ladder turns red on the cloud (HUD, ladder look 'fault')",
    CueKind.CLATTER: "the fallen ladders turn red, and the verdict's card names them (HUD, look 'fault')",
    CueKind.DIE: "the die's face and what it asks for (HUD, upper right)",
    CueKind.OFFER: "a ladder stands in the lid with a glow, and the hint says to take it (look 'offered')",
    CueKind.GRAB: "the ring round the finger tips has closed, and the ladder is tinted (look 'held')",
    CueKind.RELEASE: "the tint goes, and the hint says that the table settles (HUD, hint)",
    CueKind.PLACED: "the verdict's card with a green tick (HUD)",
    CueKind.TEAR: "a drop leaves the moon for the player's line (moon, HUD)",
    CueKind.WARNING: "the warning's sentence on the card (HUD)",
    CueKind.OUT: "the player's line is dimmed (HUD)",
    CueKind.FINAL: "the page of the final (screens)",
    CueKind.FANFARE: "the page of the result (screens)",
    CueKind.CLICK: "base and structure turn (scene)",
    CueKind.STOP: "the ladder or the ghost of a place is seen where it is (scene)",
    CueKind.FOCUS: "the gold line moves to another widget (pages)",
    CueKind.PRESS: "the page or the value changes (pages)",
}


@dataclass(frozen=True)
class SoundCue:
    """One sound to be made now."""

    kind: CueKind
    strength: float = 1.0
    """0 to 1; for contacts it follows the impulse."""
    length_m: float = 0.10
    """Of the ladder that sounds; longer wood sounds lower."""
    across: float = 0.0
    """-1 left to 1 right."""
    count: int = 1
    """How many things sound together."""
    height_m: float = 0.0
    """Of a stop, above the table: higher sounds higher."""


#: Ladders that fall sound like ones of this length; each a little different.
FALL_LENGTH_M = 0.11
#: They are heard from the left, the middle or the right, so that few sounds have to be kept ready; each is its own.
FALL_SIDE = 0.5
#: Number of simultaneous falls from which they sound everywhere.
MANY = 3


def page_sounds(before: Page | None, now: Page | None) -> tuple[SoundCue, ...]:
    """Return the sounds of using the screens: a page or value changed, or the focus moved."""
    if before is None or now is None or before == now:
        return ()
    if before.name != now.name or _values(before) != _values(now):
        return (SoundCue(CueKind.PRESS, 0.6),)
    return (SoundCue(CueKind.FOCUS, 0.3),) if _focus(before) != _focus(now) and _focus(now) else ()


def _values(page: Page) -> tuple[tuple[str, str, str, bool], ...]:
    return tuple((w.name, w.text, w.value, w.chosen) for w in page.widgets)


def _focus(page: Page) -> str:
    return next((w.name for w in page.widgets if w.focused), "")
