"""How the referee reads facts: contacts, falls, heights. Pure functions."""

from __future__ import annotations

import math
from collections.abc import Mapping

from armoon.games.moon.rules.moves import Fallen, Settle
from armoon.games.moon.rules.scoring import Extent
from armoon.games.moon.rules.state import State
from armoon.games.moon.rules.values import Onto, Phase
from armoon.values.facts import Facts, PieceFacts, PieceStatus
from armoon.values.pieces import BASE, TABLE, PieceId
from armoon.values.poses import Pose

#: A starting ladder that is not fixed counts as in its slot, where it may touch the base, while it is this
#: near to where it stood: more than a slot's play of 1 to 2 mm, far less than a ladder's width of 22 mm.
SLOT_REACH_M = 0.008
#: Evidence is written down to a thousandth of a millimetre; contacts are exact to 0.02 mm.
HEIGHT_DIGITS = 6


def seen(facts: Facts, piece: PieceId | None) -> PieceFacts | None:
    """Return the facts of one ladder; None if it is not in the world."""
    return next((p for p in facts.pieces if p.piece == piece), None)


def touched_ladders(state: State, facts: Facts, piece: PieceId) -> tuple[PieceId, ...]:
    """Return the other ladders of the structure that a ladder touches, sorted (ruling T4)."""
    others = set(state.structure) - {piece}
    return tuple(other for other in facts.touching(piece) if other in others)


def highest_other(state: State, facts: Facts, piece: PieceId | None) -> tuple[PieceId, float]:
    """Return the highest ladder of the structure besides this one, and its highest point in metres."""
    others = set(state.structure) - {piece}
    heights = sorted((-p.highest_m, p.piece) for p in facts.pieces if p.piece in others)
    height, other = heights[0]
    return other, round(-height, HEIGHT_DIGITS)


def top_m(state: State, facts: Facts) -> float:
    """Return the highest point of the structure in metres; 0 while nothing stands."""
    structure = set(state.structure)
    return max((p.highest_m for p in facts.pieces if p.piece in structure), default=0.0)


def placement(state: State, facts: Facts, piece: PieceId) -> Settle:
    """Return the evidence of a ladder at rest (ruling X3)."""
    rival, rival_m = highest_other(state, facts, piece)
    height_m = round(facts[piece].highest_m, HEIGHT_DIGITS)
    return Settle(touched_ladders(state, facts, piece), height_m, rival, rival_m)


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
    on = {ground: _touching_ground(facts, ground) for ground in (TABLE, BASE)}
    found = []
    for piece in sorted(facts.pieces, key=lambda p: p.piece):
        if piece.piece not in in_play or piece.status in (PieceStatus.OFFERED, PieceStatus.FIXED):
            continue
        onto = _fallen_onto(piece, on)
        by_right = onto is Onto.BASE and piece.piece in slots and _in_slot(piece, slots[piece.piece])
        if onto is not None and not by_right:
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


def _touching_ground(facts: Facts, ground: PieceId) -> set[PieceId]:
    """Everything in touch with table or base, in one pass over the contacts: this runs at every tick."""
    return {c.b if c.a == ground else c.a for c in facts.contacts if ground in (c.a, c.b)}


def _fallen_onto(piece: PieceFacts, on: Mapping[PieceId, set[PieceId]]) -> Onto | None:
    if piece.piece in on[TABLE]:
        return Onto.TABLE
    if piece.piece in on[BASE]:
        return Onto.BASE
    return Onto.AWAY if piece.highest_m < 0.0 else None


def _in_slot(piece: PieceFacts, slot: Pose) -> bool:
    return math.dist(piece.pose.position, slot.position) <= SLOT_REACH_M
