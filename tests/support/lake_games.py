"""Random games of the lake, invariants of every position, and conversions to the slow implementation."""

from __future__ import annotations

import random
from collections.abc import Iterator

from armoon.games.lake.rules import (
    PAWNS,
    STARS,
    Carry,
    Choose,
    LakePhase,
    LakeState,
    Move,
    apply_move,
    create_state,
    find_outcome,
    legal_moves,
)
from support.lake_slow import Move as SlowMove
from support.lake_slow import SlowGame

NAMES = ("Ana", "Ben", "Cleo", "Dan")
ALL_PAWNS = sorted(map(str, PAWNS))


def random_game(players: int, seed: int) -> Iterator[tuple[LakeState, Move, LakeState]]:
    rng = random.Random(f"{players}:{seed}")
    state = create_state(NAMES[:players], seed, first_chooser=seed % players)
    while moves := legal_moves(state):
        move = moves[int(rng.random() * len(moves))]
        after = apply_move(state, move)
        yield state, move, after
        state = after


def after_plies(players: int, seed: int, plies: int) -> LakeState:
    state = create_state(NAMES[:players], seed, first_chooser=seed % players)
    for (_, _, after), _ in zip(random_game(players, seed), range(plies), strict=False):
        state = after
    return state


def check(state: LakeState) -> None:
    pawns = [pawn for stack in state.stars for pawn in stack] + list(state.tower)
    pawns += [pawn for parts in state.held for stack, _ in parts for pawn in stack]
    assert sorted(map(str, pawns)) == ALL_PAWNS, "L1: a pawn is missing or duplicated"
    assert len(state.stars) == STARS
    for stack in state.stars:
        assert len({pawn.colour for pawn in stack}) == len(stack), "L5: a stack has a colour twice"
        assert len(stack) <= 3, "L6: a finished tower is still on the board"
    whole = 4 if len(state.players) == 2 else 2
    assert all(len(stack) == whole for parts in state.held for stack, _ in parts)
    assert (len(state.tower) == 4) == (state.phase is LakePhase.SPLIT)
    assert state.over == (state.ending is not None) == (find_outcome(state) is not None)


def to_slow_game(state: LakeState) -> SlowGame:
    slow = SlowGame(len(state.players), [[str(pawn) for pawn in stack] for stack in state.stars])
    if state.phase is LakePhase.CHOOSE:
        assert not any(state.colours), "only set-ups and games whose colours are chosen can be copied"
        return SlowGame(len(state.players), slow.stars, state.player)
    slow.choosers = []
    slow.owner = {str(c.value)[0].upper(): seat for seat, own in enumerate(state.colours) for c in own}
    slow.turn = state.player
    slow.opened = [str(pawn) for pawn in state.tower] or None
    slow.prizes = [
        (seat, [str(pawn) for pawn in pawns], str(tower_top))
        for seat, parts in enumerate(state.held)
        for pawns, tower_top in parts
    ]
    slow.idle = state.quiet_carries
    slow.over = state.over
    return slow


def to_slow_move(move: Move) -> SlowMove:
    if isinstance(move, Choose):
        return ("choose", move.colour.value[0].upper())
    if isinstance(move, Carry):
        return ("carry", move.star, move.floors, move.direction.step)
    assert not hasattr(move, "turns"), "the slow game has no undo"
    return ("split", move.keep.value, move.heir)
