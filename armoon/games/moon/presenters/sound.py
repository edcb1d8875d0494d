"""The sounds of the moon game: facts, events and verdicts of a tick in, cues out; a pure function."""

from __future__ import annotations

from collections.abc import Sequence

from armoon.games.moon.referee import events as referee
from armoon.games.moon.rules.values import Reason, Verdict
from armoon.games.moon.view.die import Roll
from armoon.sound.cues import FALL_LENGTH_M, FALL_SIDE, MANY, CueKind, SoundCue
from armoon.values.facts import Contact, Facts, PieceStatus
from armoon.values.pieces import BASE, TABLE, LadderSet, PieceId

#: Minimum speed of an audible touch: a ladder that settles creeps at a few millimetres a second.
SILENT_M_S = 0.02
#: The impulse that sounds at full strength: 4 g of wood at 1 m/s.
LOUDEST_N_S = 0.004
#: Maximum simultaneous knocks, the loudest ones; more would be one noise.
MOST_KNOCKS = 4
#: From the table's middle to where a sound comes wholly from one side, metres.
HALF_WIDTH_M = 0.30
_WARNINGS = (Reason.TWO_HANDS_WARNED, Reason.TWO_HANDS_NOTED, Reason.TIME_WARNED)
_EVENT_CUES: dict[type, SoundCue] = {
    referee.Rolled: SoundCue(CueKind.DIE),
    referee.Drawn: SoundCue(CueKind.OFFER, 0.6),
    referee.Taken: SoundCue(CueKind.GRAB, 0.8),
    referee.BackInLid: SoundCue(CueKind.RELEASE, 0.6),
    referee.Released: SoundCue(CueKind.RELEASE, 0.7),
    referee.Parked: SoundCue(CueKind.GRAB, 0.4),
    referee.StoodBack: SoundCue(CueKind.RELEASE, 0.8),
    referee.Refused: SoundCue(CueKind.WARNING, 0.5),
    referee.PlayerOut: SoundCue(CueKind.OUT),
    referee.FinalBegan: SoundCue(CueKind.FINAL),
    referee.GameOver: SoundCue(CueKind.FANFARE),
}


def sounds_for(
    before: Facts, now: Facts, ladders: LadderSet, events: Sequence[object] = (), roll: Roll | None = None
) -> tuple[SoundCue, ...]:
    """Return the sounds of one tick, contacts first, then events in order of happening; ``roll`` is the die's."""
    cues = list(_contact_sounds(before, now, ladders))
    for event in events:
        if isinstance(event, Verdict):
            cues += _verdict_sounds(event, before)
        elif isinstance(event, referee.Rolled) and roll is not None:
            cues.append(SoundCue(CueKind.DIE, blows=roll.blows))
        elif type(event) in _EVENT_CUES:
            cues.append(_EVENT_CUES[type(event)])
    return tuple(cues)


def impulse_n_s(contact: Contact, before: Facts, ladders: LadderSet) -> float:
    """About what two pieces gave each other: the lighter one's mass times the speed of the faster."""
    speeds = [p.speed_m_s for p in before.pieces if p.piece in (contact.a, contact.b)]
    masses = [ladder.mass_kg for ladder in ladders.ladders if ladder.piece in (contact.a, contact.b)]
    return min(masses, default=0.0) * max(speeds, default=0.0)


def _contact_sounds(before: Facts, now: Facts, ladders: LadderSet) -> list[SoundCue]:
    """Return a pair of pieces that touch now and didn't a tick ago."""
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
        kind = CueKind.THUD if TABLE in pair else CueKind.SOFT if BASE in pair else CueKind.KNOCK
        across = max(-1.0, min(1.0, contact.point[0] / HALF_WIDTH_M))
        fresh.append(SoundCue(kind, strength, _longest(pair, ladders), across))
    fresh.sort(key=lambda cue: -cue.strength)
    return fresh[:MOST_KNOCKS]


def _longest(pair: set[PieceId], ladders: LadderSet) -> float:
    return max((ladder.length_m for ladder in ladders.ladders if ladder.piece in pair), default=0.10)


def _verdict_sounds(verdict: Verdict, before: Facts) -> list[SoundCue]:
    cues: list[SoundCue] = []
    if verdict.fallen:
        count = len(verdict.fallen)
        side = _side(verdict.fallen[0][0], before) if count < MANY else 0.0
        cues.append(SoundCue(CueKind.CLATTER, 1.0, FALL_LENGTH_M, side, count))
    if verdict.reason is Reason.HONOURED:
        cues.append(SoundCue(CueKind.PLACED, 0.9))
    elif verdict.reason in _WARNINGS:
        cues.append(SoundCue(CueKind.WARNING, 0.8))
    if verdict.tears > 0:
        cues.append(SoundCue(CueKind.TEAR, 0.9))
    return cues


def _side(piece: PieceId, before: Facts) -> float:
    """Where a fall is heard: left, middle or right."""
    places = [one.pose.position[0] for one in before.pieces if one.piece == piece]
    across = places[0] / HALF_WIDTH_M if places else 0.0
    return FALL_SIDE * max(-1, min(1, round(across / FALL_SIDE)))
