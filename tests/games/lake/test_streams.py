"""Invariants hold in random games with legal and illegal moves, and logs of these games replay."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.lake_games import NAMES, check, random_game, to_slow_game, to_slow_move

from armoon.games.lake import rules
from armoon.games.lake.match import MOVES, LakeSetup
from armoon.games.lake.rules import (
    apply_move,
    count_points,
    create_state,
    find_refusal,
    legal_moves,
)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_random_games_agree_with_the_slow_game_and_keep_the_invariants(players: int) -> None:
    """L1 to L9: the player, the moves and the points agree at every position."""
    for seed in range(12):
        slow = None
        for before, move, after in random_game(players, seed):
            slow = slow or to_slow_game(before)
            assert {to_slow_move(each) for each in legal_moves(before)} == slow.moves()
            slow.make_move(to_slow_move(move))
            check(after)
            assert (slow.over, slow.turn) == (after.over, after.player)
            if not slow.choosers:
                assert tuple(slow.points()) == count_points(after)


any_move: st.SearchStrategy[rules.Move] = st.one_of(
    st.builds(rules.Choose, st.sampled_from(rules.Colour)),
    st.builds(rules.Carry, st.integers(-1, rules.STARS), st.integers(0, 5), st.sampled_from(rules.Direction)),
    st.builds(rules.Split, st.sampled_from(rules.Half), st.integers(-1, 4)),
    st.builds(rules.TakeBack, st.integers(-1, 3)),
)


@settings(max_examples=50)
@given(
    st.integers(2, 4),
    st.integers(0, 10**6),
    st.lists(st.one_of(st.integers(0, 300), st.integers(0, 300), any_move), max_size=120),
)
def test_any_sequence_of_moves_keeps_the_invariants(
    players: int, seed: int, stream: list[int | rules.Move]
) -> None:
    """L1 L5 L6: numbers in the stream choose legal moves, which makes games progress; other moves may be illegal."""
    first = state = create_state(NAMES[:players], seed, first_chooser=seed % players)
    log: list[rules.Move] = []
    for item in stream:
        allowed = legal_moves(state)
        if isinstance(item, int) and not allowed:
            continue
        move = allowed[item % len(allowed)] if isinstance(item, int) else item
        refusal = find_refusal(state, move)
        if isinstance(move, rules.TakeBack):
            assert (refusal is None) == (1 <= move.turns <= len(turns_before(state)))
        else:
            assert (refusal is None) == (move in allowed)
        if refusal is not None:
            with pytest.raises(rules.IllegalLakeMove) as caught:
                apply_move(state, move)
            assert caught.value.refusal is refusal
            continue
        after = apply_move(state, move)
        check(after)
        state = after
        log.append(move)
    setup = LakeSetup(first.players, first.seed, first.player, tuple(map(MOVES.encode, log)))
    reloaded = LakeSetup.from_record(json.loads(json.dumps(setup.to_record())))
    assert list(map(MOVES.convert, reloaded.moves)) == log
    assert reloaded.state == state


def turns_before(state: rules.LakeState) -> list[rules.LakeState]:
    turns = []
    while state.before is not None:
        state = state.before
        turns.append(state)
    return turns


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_unlisted_carry_is_refused(players: int) -> None:
    """L3 L4 L5: at every tenth position, for all stars, numbers of floors and directions."""
    moves = [
        rules.Carry(star, floors, direction)
        for star in range(rules.STARS)
        for floors in range(1, rules.TOWER_FLOORS + 1)
        for direction in rules.Direction
    ]
    for seed in range(3):
        for before, _, _ in list(random_game(players, seed))[::10]:
            allowed = {move for move in legal_moves(before) if isinstance(move, rules.Carry)}
            assert {move for move in moves if find_refusal(before, move) is None} == allowed


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_turn_can_be_taken_back(players: int) -> None:
    """L2 L6: undo leads back to the position before any choice or carry."""
    after = None
    turns = []
    for before, move, after in random_game(players, 3):  # noqa: B007 - the last one is used below
        if not isinstance(move, rules.Split):
            turns.append(before)
    assert after is not None
    for back, wanted in enumerate(reversed(turns), start=1):
        assert apply_move(after, rules.TakeBack(back)) == wanted
    with pytest.raises(rules.IllegalLakeMove):
        apply_move(after, rules.TakeBack(len(turns) + 1))
