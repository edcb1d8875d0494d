"""How the referee reads facts: contacts, falls, heights; and how the table stands, to be shown. Pure functions."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from armoon.games.moon.referee.sentences import Line, hint_line
from armoon.games.moon.rules.moves import Fallen, Settle
from armoon.games.moon.rules.scoring import Extent
from armoon.games.moon.rules.state import State
from armoon.games.moon.rules.task import TaskKind
from armoon.games.moon.rules.turn import judge_die
from armoon.games.moon.rules.values import Onto, Phase, Reason
from armoon.geometry import rise_deg
from armoon.values.facts import Facts, PieceFacts, PieceStatus
from armoon.values.pieces import BASE, TABLE, PieceId
from armoon.values.poses import Pose

#: A starting ladder that is not fixed counts as in its slot, where it may touch the base, while it is this
#: near to where it stood: more than a slot's play of 1 to 2 mm, far less than a ladder's width of 22 mm.
SLOT_REACH_M = 0.008
#: Evidence is written down to a thousandth of a millimetre; contacts are exact to 0.02 mm.
HEIGHT_DIGITS, RISE_DIGITS = 6, 3
_ONTO = {TABLE: Onto.TABLE, BASE: Onto.BASE}


def seen(facts: Facts, piece: PieceId | None) -> PieceFacts | None:
    """Return the facts of one ladder; None if it is not in the world."""
    return next((p for p in facts.pieces if p.piece == piece), None)


def top_m(state: State, facts: Facts) -> float:
    """Return the highest point of the structure in metres; 0 while nothing stands."""
    structure = set(state.structure)
    return max((p.highest_m for p in facts.pieces if p.piece in structure), default=0.0)


def placement(state: State, facts: Facts, piece: PieceId) -> Settle:
    """Return the evidence of a ladder at rest: the others that it touches, its height and the highest other's (X3)."""
    others = set(state.structure) - {piece}
    touched = tuple(other for other in facts.touching(piece) if other in others)
    rival_m, rival = min((-p.highest_m, p.piece) for p in facts.pieces if p.piece in others)
    height_m = round(facts[piece].highest_m, HEIGHT_DIGITS)
    trial = state.options.trial
    counts_rise = trial is not None and trial.kind is TaskKind.ASLANT
    rises = round(rise_deg(facts[piece].pose), RISE_DIGITS) if counts_rise else None
    return Settle(touched, height_m, rival, round(-rival_m, HEIGHT_DIGITS), rises)


def extents(state: State, facts: Facts) -> tuple[Extent, ...]:
    """How far every ladder of the structure reaches, in the structure's order (ruling C2)."""
    return tuple(
        Extent(
            piece,
            round(facts[piece].lowest_m, HEIGHT_DIGITS),
            round(facts[piece].highest_m, HEIGHT_DIGITS),
        )
        for piece in state.structure
    )


def fallen(state: State, facts: Facts, slots: Mapping[PieceId, Pose]) -> tuple[Fallen, ...]:
    """Return the ladders of the game that touch table or base, or have left the table (ruling F2), sorted.

    The offered ladder in the lid can't fall; a starting ladder in its slot touches the base by right.
    """
    in_play = set(state.structure)
    if state.phase in (Phase.HOLD, Phase.SETTLE) and state.ladder is not None:
        in_play.add(state.ladder)
    # In one pass over the contacts: this runs at every tick.
    on = {
        ground: {c.b if c.a == ground else c.a for c in facts.contacts if ground in (c.a, c.b)}
        for ground in _ONTO
    }
    found = []
    for piece in sorted(facts.pieces, key=lambda p: p.piece):
        if piece.piece not in in_play or piece.status in (PieceStatus.OFFERED, PieceStatus.FIXED):
            continue
        onto = next((_ONTO[ground] for ground in _ONTO if piece.piece in on[ground]), None)
        if onto is None and piece.highest_m < 0.0:
            onto = Onto.AWAY
        slot = slots.get(piece.piece)
        in_slot = slot is not None and math.dist(piece.pose.position, slot.position) <= SLOT_REACH_M
        if onto is not None and not (onto is Onto.BASE and in_slot):
            found.append(Fallen(piece.piece, onto))
    return tuple(found)


def leaning(facts: Facts, slots: Mapping[PieceId, Pose]) -> tuple[PieceId, ...]:
    """Return the starting ladders that are in their slots and don't stand there as they did at first."""
    return tuple(
        p.piece
        for p in facts.pieces
        if p.status is PieceStatus.FIXED and p.pose != slots.get(p.piece, p.pose)
    )


def loose(state: State, facts: Facts) -> tuple[PieceId, ...]:
    """Return the starting ladders that have come out of their slots, whether they have fallen or not, sorted."""
    free = (p.piece for p in facts.pieces if p.status is PieceStatus.FREE)
    return tuple(sorted(piece for piece in free if piece in state.starting))


@dataclass(frozen=True)
class TableStatus:
    """How the table stands. Before the first facts it is empty."""

    hint: Line
    """What to do now."""
    score: int | None
    """What the team would score now (C2); None while scoring would be refused."""
    asks_face: bool
    """A real die is to be thrown, and its face told."""
    roll_waits: bool
    structure_top_m: float = 0.0
    touching: tuple[PieceId, ...] = ()
    """The ladders that the held or settling ladder touches now."""
    height_m: float | None = None
    """Highest point of the held or settling ladder."""
    rival_m: float | None = None
    """Highest point of the others; MOON must beat it."""
    now: Reason | None = None
    """Why the held or settling ladder would honour the die as things stand, or wouldn't; None where there is none."""

    @property
    def would_honour(self) -> bool | None:
        """Whether it would."""
        return None if self.now is None else self.now is Reason.HONOURED


def table_status(
    state: State,
    facts: Facts | None,
    *,
    score: int | None,
    asks_face: bool,
    roll_waits: bool,
    share_waits: bool,
    paused: bool,
) -> TableStatus:
    """Return the status of a game as these facts show it."""
    frozen, parked = (False, False) if facts is None else (facts.held_frozen, facts.held_waits)
    hint = hint_line(
        state,
        score=score,
        roll_waits=roll_waits,
        share_waits=share_waits,
        paused=paused,
        frozen=frozen,
        parked=parked,
    )
    if facts is None:
        return TableStatus(hint, score, asks_face, roll_waits)
    structure_m, ladder = top_m(state, facts), seen(facts, state.ladder)
    if ladder is None or state.die is None or state.phase not in (Phase.HOLD, Phase.SETTLE):
        return TableStatus(hint, score, asks_face, roll_waits, structure_m)
    place = placement(state, facts, ladder.piece)
    now = judge_die(state.die, len(place.touched), place.height_m > place.rival_m)
    judged = (place.touched, place.height_m, place.rival_m, now)
    return TableStatus(hint, score, asks_face, roll_waits, structure_m, *judged)
