"""Random streams of moves, legal or not: positions keep the invariants, and logs replay."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st
from support.moon_invariants import check, representatives

from armoon.games.moon.rules import moves
from armoon.games.moon.rules.editions import DieSource, Mode, Options
from armoon.games.moon.rules.game import apply, initial, legal, replay, turn_start
from armoon.games.moon.rules.scoring import Extent
from armoon.games.moon.rules.state import State
from armoon.games.moon.rules.values import Die, IllegalMove, Onto, Reason
from armoon.games.moon.table.saved import MOVES
from armoon.values.choices import OneHand

PIECES = [f"L{n:02d}" for n in range(1, 8)]
pieces = st.sampled_from(PIECES)
heights = st.floats(0.0, 0.5, allow_nan=False)
any_move: st.SearchStrategy[moves.Move] = st.one_of(
    st.sampled_from(
        [
            moves.Take(),
            moves.PutBack(),
            moves.LetGo(),
            moves.Rest(),
            moves.Rebuild(),
            moves.TwoHands(),
            moves.Timeout(),
            moves.GiveUp(),
        ]
    ),
    st.builds(moves.Roll, st.sampled_from(Die)),
    st.builds(moves.Draw, pieces),
    st.builds(moves.Settle, st.lists(pieces, max_size=3).map(tuple), heights, pieces, heights),
    st.builds(
        moves.Fall,
        st.lists(st.builds(moves.Fallen, pieces, st.sampled_from(Onto)), min_size=0, max_size=3).map(tuple),
    ),
    st.builds(
        moves.Score, heights, st.lists(st.builds(Extent, pieces, heights, heights), max_size=3).map(tuple)
    ),
    st.builds(
        moves.Overrule,
        st.sampled_from(moves.OverruleKind),
        st.integers(-1, 4),
        st.integers(-1, 3),
        st.just("a word"),
    ),
)


@st.composite
def games(draw: st.DrawFn) -> State:
    cooperative = draw(st.booleans())
    count = draw(st.integers(1 if cooperative else 2, 4))
    options = Options(
        mode=Mode.COOPERATIVE if cooperative else Mode.COMPETITIVE,
        one_hand=draw(st.sampled_from(OneHand)),
        turn_limit_s=draw(st.sampled_from([None, 30.0])),
        tears=draw(st.integers(1, 5)),
        supply_size=draw(st.integers(1, 5)),
        die=DieSource.REAL,
    )
    edition = "kosmos-2022" if cooperative else draw(st.sampled_from(["bombyx-2017", "kosmos-2022"]))
    names = ("Ana", "Ben", "Cleo", "Dan")[:count]
    return initial(names, edition, 5, options, starting=PIECES[:2], supply=PIECES[2:])


@settings(max_examples=200, deadline=None)
@given(games(), st.lists(st.one_of(st.integers(0, 5), any_move), max_size=80))
def test_any_stream_keeps_the_invariants(first: State, stream: list[int | moves.Move]) -> None:
    """E1 F4 X4: numbers choose a sensible move, so that streams get far; the rest is anything at all."""
    state = first
    log: list[moves.Move] = []
    for item in stream:
        if not isinstance(item, int):
            move = item
        else:
            sensible = list(representatives(state))
            if not sensible:
                continue
            move = sensible[item % len(sensible)]
        allowed = legal(state)
        try:
            after = apply(state, move)
        except IllegalMove:
            continue
        assert type(move) in allowed, "apply takes no kind of move that legal doesn't name"
        check(after, first)
        state = after
        log.append(move)
    written = json.loads(json.dumps([MOVES.encode(move) for move in log]))
    assert [MOVES.convert(plain) for plain in written] == log
    assert replay(first, log) == state


@settings(max_examples=100, deadline=None)
@given(games(), st.lists(st.integers(0, 5), max_size=60))
def test_putting_every_turn_back_leads_to_the_first_position(first: State, choices: list[int]) -> None:
    """X4: back to before any of the last turns, as it was."""
    state, starts = first, [first]
    for choice in choices:
        sensible = list(representatives(state))
        if not sensible:
            break
        move = sensible[choice % len(sensible)]
        if isinstance(move, moves.Roll):
            starts.append(state)
        state = apply(state, move)
    for turns, start in enumerate(reversed(starts[1:]), start=1):
        back = apply(state, moves.Overrule(moves.OverruleKind.UNDO, turns=turns))
        assert (back.tears, back.placed, back.supply, back.player, back.turn, back.out) == (
            start.tears,
            start.placed,
            start.supply,
            start.player,
            start.turn,
            start.out,
        )


@settings(max_examples=100, deadline=None)
@given(games(), st.lists(st.integers(0, 5), max_size=60))
def test_a_tear_given_back_while_a_turn_is_under_way_outlives_that_turn(
    first: State, choices: list[int]
) -> None:
    """X4 F4: put back or resumed, it begins without that tear."""
    state = first
    for choice in choices:
        sensible = list(representatives(state))
        if not sensible:
            break
        state = apply(state, sensible[choice % len(sensible)])
        under_way = turn_start(state) is not state
        for seat, tears in enumerate(state.tears):
            if not (under_way and tears) or state.final:
                continue
            given_back = apply(state, moves.Overrule(moves.OverruleKind.GIVE_TEAR_BACK, player=seat))
            back = apply(given_back, moves.Overrule(moves.OverruleKind.UNDO))
            for begun in (back, turn_start(given_back)):
                check(begun, first)
                assert (begun.tears, begun.tears_left) == (given_back.tears, given_back.tears_left)
                assert begun.tears[seat] == tears - 1
                assert begun.verdict is None or begun.verdict.reason is Reason.TURN_PUT_BACK


def test_every_kind_of_move_is_tried() -> None:
    """X3"""
    assert len(moves.MOVE_KINDS) == 15
