"""Random moves, table events and host corrections (X4) keep every game valid."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from games.drivers.moon import MoonDriver
from hypothesis import given, settings
from hypothesis import strategies as st
from support.fake_table import ROLL, FakeTable
from support.moon_invariants import check, list_sample_moves
from support.table_kit import Seats

from armoon.games.moon import editions, rules
from armoon.games.moon import turn as moves
from armoon.games.moon.editions import Die, FallPlace, IllegalMove, IllegalSetup, Phase, Reason
from armoon.games.moon.options import MoonOptions
from armoon.games.moon.rules import apply_move, create_state, find_resume_state, replay_moves
from armoon.games.moon.saving import MOVES
from armoon.games.moon.trials import find_task
from armoon.games.moon.turn import Overrule, State
from armoon.values.acts import Act
from armoon.values.choices import OneHand
from armoon.values.pieces import Command, PieceStatus

PIECES = [f"L{n:02d}" for n in range(1, 8)]
pieces = st.sampled_from(PIECES)
heights = st.floats(0.0, 0.5, allow_nan=False)


def list_up_to_3(items: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(items, max_size=3).map(tuple)


PLAIN_KINDS = (
    moves.Take,
    moves.PutBack,
    moves.LetGo,
    moves.Rest,
    moves.Rebuild,
    moves.TwoHands,
    moves.Timeout,
)
any_move: st.SearchStrategy[moves.Move] = st.one_of(
    st.sampled_from([kind() for kind in (*PLAIN_KINDS, moves.GiveUp)]),
    st.builds(moves.Roll, st.sampled_from(Die)),
    st.builds(moves.Draw, pieces),
    st.builds(moves.Settle, list_up_to_3(pieces), heights, pieces, heights),
    st.builds(moves.Fall, list_up_to_3(st.builds(moves.FallenPiece, pieces, st.sampled_from(FallPlace)))),
    st.builds(moves.Score, heights, list_up_to_3(st.builds(editions.Extent, pieces, heights, heights))),
    st.builds(
        moves.Overrule,
        st.sampled_from(moves.OVERRULINGS),
        st.integers(-1, 4),
        st.integers(-1, 3),
        st.just("-"),
    ),
)


@st.composite
def games(draw: st.DrawFn) -> State:
    cooperative = draw(st.booleans())
    count = draw(st.integers(1 if cooperative else 2, 4))
    options = editions.Options(
        mode=editions.Mode.COOPERATIVE if cooperative else editions.Mode.COMPETITIVE,
        one_hand=draw(st.sampled_from(OneHand)),
        turn_limit_s=draw(st.sampled_from([None, 30.0])),
        tears=draw(st.integers(1, 5)),
        supply_size=draw(st.integers(1, 5)),
        die=editions.DieSource.REAL,
    )
    edition = "kosmos-2022" if cooperative else draw(st.sampled_from(["bombyx-2017", "kosmos-2022"]))
    names = ("Ana", "Ben", "Cleo", "Dan")[:count]
    return create_state(names, edition, 5, options, starting=PIECES[:2], supply=PIECES[2:])


@settings(max_examples=60)
@given(games(), st.lists(st.one_of(st.integers(0, 5), any_move), max_size=80))
def test_any_sequence_of_moves_keeps_the_invariants(first: State, stream: list[int | moves.Move]) -> None:
    """Rulings E1, F4, X4: numbers choose a sensible move, to get far in a game; the other items are any moves."""
    state = first
    log: list[moves.Move] = []
    for item in stream:
        if not isinstance(item, int):
            move = item
        else:
            sensible = list(list_sample_moves(state))
            if not sensible:
                continue
            move = sensible[item % len(sensible)]
        allowed = rules.list_legal_kinds(state)
        try:
            after = apply_move(state, move)
        except IllegalMove:
            continue
        assert type(move) in allowed, "only legal kinds of moves can be applied"
        check(after, first)
        state = after
        log.append(move)
    written = json.loads(json.dumps([MOVES.encode(move) for move in log]))
    assert [MOVES.convert(plain) for plain in written] == log
    assert replay_moves(first, log) == state


@settings(max_examples=40)
@given(games(), st.lists(st.integers(0, 5), max_size=60))
def test_undoing_every_turn_leads_to_the_first_position(first: State, choices: list[int]) -> None:
    """Ruling X4: back to the state before any of the last turns."""
    state, starts = first, [first]
    for choice in choices:
        sensible = list(list_sample_moves(state))
        if not sensible:
            break
        move = sensible[choice % len(sensible)]
        if isinstance(move, moves.Roll):
            starts.append(state)
        state = apply_move(state, move)
    for turns, start in enumerate(reversed(starts[1:]), start=1):
        back = apply_move(state, moves.Overrule(Act.UNDO, turns=turns))
        for name in ("tears", "placed", "supply", "player", "turn", "out"):
            assert getattr(back, name) == getattr(start, name), name


@settings(max_examples=40)
@given(games(), st.lists(st.integers(0, 5), max_size=60))
def test_a_tear_given_back_during_a_turn_stays_when_the_turn_is_undone(
    first: State, choices: list[int]
) -> None:
    """Rulings X4, F4: a turn that is undone or resumed begins without that tear."""
    state = first
    for choice in choices:
        sensible = list(list_sample_moves(state))
        if not sensible:
            break
        state = apply_move(state, sensible[choice % len(sensible)])
        is_in_turn = find_resume_state(state) is not state
        for seat, tears in enumerate(state.tears):
            if not (is_in_turn and tears) or state.is_final:
                continue
            given_back = apply_move(state, moves.Overrule(Act.GIVE_TEAR_BACK, player=seat))
            back = apply_move(given_back, moves.Overrule(Act.UNDO))
            for restarted in (back, find_resume_state(given_back)):
                check(restarted, first)
                assert (restarted.tears, restarted.tears_left) == (given_back.tears, given_back.tears_left)
                assert restarted.tears[seat] == tears - 1
                assert restarted.verdict is None or restarted.verdict.reason is Reason.TURN_PUT_BACK


#: Whole turns are the most frequent, because games wouldn't get far otherwise.
TABLE_EVENTS = (
    *["turn"] * 12,
    *("roll", "take", "let go", "lid", "fall held", "fall base", "fall other", "fall start"),
    *("stir", "rest", "wait", "freeze", "second hand", "give up", "put back", "give tear"),
)


def play_turn(table: FakeTable, pick: int) -> None:
    table.frozen = False
    table.settle()
    for event in ("roll", "take", "let go"):
        apply_event(table, event, pick)
    table.settle()


def apply_event(table: FakeTable, event: str, pick: int) -> None:
    """Apply the event if possible; a hand can neither take a locked ladder nor release one that it doesn't hold."""
    state = table.state
    ladder = state.ladder or ""
    status = table.status.get(ladder)
    if event == "turn":
        play_turn(table, pick)
    elif event == "roll":
        table.tick(ROLL)
    elif event == "take" and status is PieceStatus.OFFERED and not table.locked:
        table.status[ladder] = PieceStatus.HELD
    elif event == "let go" and status is PieceStatus.HELD:
        table.touch(ladder, *state.structure[: pick % 4])
        table.height[ladder] = 0.1 + 0.05 * (pick % 5)
        table.status[ladder] = PieceStatus.FREE
        table.at_rest = False
    elif event == "lid" and status is PieceStatus.HELD:
        table.separate(ladder)
        table.status[ladder] = PieceStatus.OFFERED
    elif event in ("fall held", "fall base") and status in (PieceStatus.HELD, PieceStatus.FREE):
        table.touch(ladder, event.removeprefix("fall ").replace("held", "table"))
    elif event == "fall other" and state.placed:
        table.touch(state.placed[pick % len(state.placed)], ("table", "base")[pick % 2])
        table.at_rest = False
    elif event == "fall start":
        table.status["L01"] = PieceStatus.FREE
        table.touch("L01", "table")
    elif event in ("stir", "rest"):
        table.at_rest = event == "rest"
    elif event == "wait":
        table.ticks(20)
    elif event == "freeze":
        table.frozen = not table.frozen and status is PieceStatus.HELD
    elif event == "second hand":
        table.tick(second_hand=True)
    elif event == "give up":
        table.tick(Command(Act.GIVE_UP))
    elif event == "put back":
        table.tick(Command(Act.UNDO, value=1 + pick % 2))
    elif event == "give tear":
        table.tick(Command(Act.GIVE_TEAR_BACK, value=pick % 3))
    if table.frozen and all(s is not PieceStatus.HELD for s in table.status.values()):
        table.frozen = False
    table.tick()


@settings(max_examples=50)
@given(
    st.sampled_from(["bombyx-2017", "kosmos-2022"]),
    st.lists(st.tuples(st.sampled_from(TABLE_EVENTS), st.integers(0, 20)), max_size=40),
)
def test_referee_table_and_log_agree(edition: str, stream: list[tuple[str, int]]) -> None:
    """Rulings X2, X3, X4, F2 and F4."""
    options = editions.Options(one_hand=OneHand.MISTAKE, turn_limit_s=3.0, supply_size=6, tears=4)
    table = FakeTable(create_state(("Ana", "Ben", "Cleo"), edition, 2, options))
    for event, pick in stream:
        apply_event(table, event, pick)
        check(table.state, table.first)
        assert table.locked or table.state.phase in (Phase.DRAW, Phase.HOLD)
    table.frozen = False
    table.settle()
    expected = {*table.state.structure, table.state.ladder} - {None}
    assert set(table.status) == expected, "the table shows the game's ladders and no others"
    assert replay_moves(table.first, table.moves) == table.state
    charged = sum(v.tears for v in table.verdicts)
    if not any(isinstance(m, Overrule) and m.kind is Act.UNDO for m in table.moves):
        assert charged == sum(table.state.tears), "every tear has its verdict"


MODES = {
    "competitive": editions.Options(),
    "one tear": editions.Options(tears=1),
    "short": editions.Options(supply_size=2),
    "together": editions.Options(mode=editions.Mode.COOPERATIVE),
    "young climbers": editions.Options(young_climbers=True),
    "practice": editions.Options(practice=True),
    "trial": editions.make_trial_options(find_task("today")),
}
#: Steps of one game: more than its tears, so that each tear can be added and given back; and number of games.
STEPS = 40
STARTS = 30


@pytest.mark.parametrize(
    "requests",
    [
        ((Act.ADD_TEAR, 1),),
        ((Act.ADD_TEAR, 1), (Act.GIVE_TEAR_BACK, 1)),
        ((Act.ROLL, 0), (Act.UNDO, 1)),
        ((Act.SCORE, 0),),
    ],
    ids=lambda requests: requests[-1][0].word,
)
def test_events_between_turns_are_not_shown_as_the_last_turn(
    requests: tuple[tuple[Act, int], ...], seat: Seats
) -> None:
    own = MoonOptions(
        editions.EditionName.KOSMOS_2022, house=editions.Options(mode=editions.Mode.COOPERATIVE, line_m=0.08)
    )
    table = seat("moon", "--players", "Ann,Ben", game_options=own)
    MoonDriver().await_rest(table)
    for act, value in requests:
        table.ask(act, value)
        table.rest(8.0)
    assert table.scene.hud.last_text
    assert "Last turn" not in table.scene.hud.last_text


def list_corrections(state: State) -> list[moves.Move]:
    seats = range(-1, len(state.players) + 1)
    tears = [moves.Overrule(act, seat) for act in (Act.GIVE_TEAR_BACK, Act.ADD_TEAR) for seat in seats]
    return [*tears, *(moves.Overrule(Act.UNDO, turns=turns) for turns in (0, 1, 3))]


@pytest.mark.parametrize("edition", editions.EDITIONS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("count", range(1, 7))
def test_corrections_never_break_a_game(edition: str, mode: str, count: int) -> None:
    names = ("Ann", "Ben", "Cleo", "Dan", "Eva", "Finn")[:count]
    try:
        first = create_state(names, edition, 1, MODES[mode])
    except IllegalSetup:
        return
    corrections = list_corrections(first)
    for start in range(STARTS):
        rng = random.Random(start)
        state = first
        # Either one correction repeatedly, or any of them between the players' moves.
        allowed = corrections[start : start + 1] if start < len(corrections) else corrections
        for _ in range(STEPS):
            move = rng.choice(allowed if rng.random() < 0.7 else list(list_sample_moves(state)) or allowed)
            try:
                state = apply_move(state, move)
            except IllegalMove:
                continue
            check(state, first)
