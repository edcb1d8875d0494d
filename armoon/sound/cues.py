"""What makes a sound: facts, events and verdicts of a tick in, cues out; a pure function.

Every sound has a counterpart that is seen, so that nobody needs to hear the game; ``COUNTERPARTS`` is the list.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass

from armoon.games.moon.referee.events import (
    BackInLid,
    Drawn,
    Event,
    FinalBegan,
    GameOver,
    PlayerOut,
    Refused,
    Released,
    Rolled,
    Taken,
)
from armoon.games.moon.rules.values import Reason, Verdict
from armoon.values.facts import Contact, Facts, PieceStatus
from armoon.values.page import Page
from armoon.values.pieces import BASE, TABLE, LadderSet, PieceId


class CueKind(enum.Enum):
    """Every sound."""

    KNOCK = "knock"
    """Two ladders touch."""
    THUD = "thud"
    """A ladder comes down on table or base."""
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
    FOCUS = "focus"
    """The focus of a page moved."""
    PRESS = "press"
    """A page changed, or one of its values."""


#: Sound: what is seen at the same moment, and which part of the picture shows it.
COUNTERPARTS: dict[CueKind, str] = {
    CueKind.KNOCK: "contact points light up, and the touched ladder glows (marks, ladder look 'touched')",
    CueKind.THUD: "the verdict's card, and the ladder turns red (HUD, ladder look 'fault')",
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


#: Slower than this a touch is not heard: a ladder that settles creeps at a few millimetres a second.
SILENT_M_S = 0.02
#: The impulse that sounds at full strength: 4 g of wood at 1 m/s.
LOUDEST_N_S = 0.004
#: More knocks at once than this are heard as one noise; the loudest are kept.
MOST_KNOCKS = 4
#: From the table's middle to where a sound comes wholly from one side, metres.
HALF_WIDTH_M = 0.30
#: Ladders that fall sound like ones of this length; each a little different.
FALL_LENGTH_M = 0.11
_WARNINGS = (Reason.TWO_HANDS_WARNED, Reason.TWO_HANDS_NOTED, Reason.TIME_WARNED)
_EVENT_CUES: dict[type, SoundCue] = {
    Rolled: SoundCue(CueKind.DIE),
    Drawn: SoundCue(CueKind.OFFER, 0.6),
    Taken: SoundCue(CueKind.GRAB, 0.8),
    BackInLid: SoundCue(CueKind.RELEASE, 0.6),
    Released: SoundCue(CueKind.RELEASE, 0.7),
    Refused: SoundCue(CueKind.WARNING, 0.5),
    PlayerOut: SoundCue(CueKind.OUT),
    FinalBegan: SoundCue(CueKind.FINAL),
    GameOver: SoundCue(CueKind.FANFARE),
}


def sounds_for(
    before: Facts,
    now: Facts,
    ladders: LadderSet,
    events: Sequence[Event] = (),
    verdicts: Sequence[Verdict] = (),
) -> tuple[SoundCue, ...]:
    """The sounds of one tick, contacts first, then events and verdicts in order of happening."""
    cues = list(_contact_sounds(before, now, ladders))
    cues += [_EVENT_CUES[type(event)] for event in events if type(event) in _EVENT_CUES]
    for verdict in verdicts:
        cues += _verdict_sounds(verdict, now)
    return tuple(cues)


def page_sounds(before: Page | None, now: Page | None) -> tuple[SoundCue, ...]:
    """The sounds of using the screens: a page or value changed, or the focus moved."""
    if before is None or now is None or before == now:
        return ()
    if before.name != now.name or _values(before) != _values(now):
        return (SoundCue(CueKind.PRESS, 0.6),)
    return (SoundCue(CueKind.FOCUS, 0.3),) if _focus(before) != _focus(now) and _focus(now) else ()


def impulse_n_s(contact: Contact, before: Facts, ladders: LadderSet) -> float:
    """About what two pieces gave each other: the lighter one's mass times the speed of the faster."""
    speeds = [p.speed_m_s for p in before.pieces if p.piece in (contact.a, contact.b)]
    masses = [ladder.mass_kg for ladder in ladders.ladders if ladder.piece in (contact.a, contact.b)]
    return min(masses, default=0.0) * max(speeds, default=0.0)


def _contact_sounds(before: Facts, now: Facts, ladders: LadderSet) -> list[SoundCue]:
    """A pair of pieces that touch now and didn't a tick ago."""
    known = {(contact.a, contact.b) for contact in before.contacts}
    standing = {p.piece for p in now.pieces if p.status is PieceStatus.FIXED}
    fresh: list[SoundCue] = []
    for contact in now.contacts:
        pair = {contact.a, contact.b}
        if (contact.a, contact.b) in known or pair <= standing | {BASE, TABLE}:
            continue
        speed = max((p.speed_m_s for p in before.pieces if p.piece in pair), default=0.0)
        if speed < SILENT_M_S:
            continue
        strength = min(1.0, impulse_n_s(contact, before, ladders) / LOUDEST_N_S)
        kind = CueKind.THUD if pair & {BASE, TABLE} else CueKind.KNOCK
        across = max(-1.0, min(1.0, contact.point[0] / HALF_WIDTH_M))
        fresh.append(SoundCue(kind, strength, _longest(pair, ladders), across))
    fresh.sort(key=lambda cue: -cue.strength)
    return fresh[:MOST_KNOCKS]


def _longest(pair: set[PieceId], ladders: LadderSet) -> float:
    return max((ladder.length_m for ladder in ladders.ladders if ladder.piece in pair), default=0.10)


def _verdict_sounds(verdict: Verdict, now: Facts) -> list[SoundCue]:
    cues: list[SoundCue] = []
    if verdict.fallen:
        cues.append(SoundCue(CueKind.CLATTER, 1.0, FALL_LENGTH_M, count=len(verdict.fallen)))
    if verdict.reason is Reason.HONOURED:
        cues.append(SoundCue(CueKind.PLACED, 0.9))
    elif verdict.reason in _WARNINGS:
        cues.append(SoundCue(CueKind.WARNING, 0.8))
    if verdict.tears > 0:
        cues.append(SoundCue(CueKind.TEAR, 0.9))
    return cues


def _values(page: Page) -> tuple[tuple[str, str, str, bool], ...]:
    return tuple((w.name, w.text, w.value, w.chosen) for w in page.widgets)


def _focus(page: Page) -> str:
    return next((w.name for w in page.widgets if w.focused), "")
