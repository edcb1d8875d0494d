"""Refusals and eliminations are shown on the screen and in the terminal, with their reasons."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from games.drivers.moon import MoonDriver
from support.table_kit import IdealTable, Seats

from armoon.games.moon import editions
from armoon.games.moon.editions import DieSource, DrawFrom, EditionName, Elimination, MoonRefusal, Options
from armoon.games.moon.options import MoonOptions
from armoon.games.moon.trials import TODAY, find_task
from armoon.messages import LANGUAGES, set_language, speaking_of, text
from armoon.values.acts import Act

MOON = MoonDriver()
BOMBYX, KOSMOS = EditionName
USUAL = Options()
ANY, ONLY_ONE = (Options(draw_from=DrawFrom.ALL, supply_size=size) for size in (None, 1))
TEAM = Options(mode=editions.Mode.COOPERATIVE)

#: Refusals that no request at a table can cause: the referee makes those moves itself, from its observations.
UNREACHABLE = {
    MoonRefusal.WRONG_FACE: "the referee rolls the face of the seeded die",
    MoonRefusal.WRONG_LADDER: "the referee draws the ladder that is next",
    MoonRefusal.ALREADY_DRAWN: "the referee draws with the roll, once",
    MoonRefusal.NOTHING_TO_CLOSE: "the referee observes rest itself, and checks for falls",
    MoonRefusal.BAD_EVIDENCE: "the referee observes contacts, falls and heights itself",
    MoonRefusal.ALREADY_NOTED: "the second hand and the time are reported once",
}


def _make_play_turns(turns: int) -> Callable[[IdealTable], None]:
    def play_turns(table: IdealTable) -> None:
        for _ in range(turns):
            MOON.play_turn(table)
        table.rest(4.0)

    return play_turns


def _give_up(table: IdealTable) -> None:
    MOON.prepare_turn(table)
    table.press("g")


def _lose_hand(table: IdealTable) -> None:
    MOON.prepare_turn(table)
    table.hand.reach(MOON.grab_point(table))
    table.hand.grab()
    assert table.game.match.holding
    table.until(lambda: bool(table.game.match.frozen), "the loss of the hand")


def _pause(table: IdealTable) -> None:
    MOON.await_rest(table)
    table.ask(Act.PAUSE)


@dataclass(frozen=True)
class RefusedRequest:
    why: MoonRefusal
    before: Callable[[IdealTable], None]
    request: str | Act
    """A key, or the act of a button on the screen."""
    seat: int = 0
    house: Options = USUAL
    edition: EditionName = BOMBYX
    players: str = "Ann,Ben"


TWO_TEARS = Options(tears=2)
TRIAL = editions.make_trial_options(find_task(TODAY))
REFUSED_REQUESTS = (
    RefusedRequest(MoonRefusal.GAME_OVER, _make_play_turns(1), "space", house=Options(supply_size=1)),
    RefusedRequest(MoonRefusal.GAME_OVER, _make_play_turns(1), "g", house=Options(supply_size=1)),
    RefusedRequest(MoonRefusal.WRONG_PHASE, MOON.prepare_turn, "space"),
    RefusedRequest(MoonRefusal.WRONG_PHASE, MOON.prepare_turn, "b"),
    RefusedRequest(MoonRefusal.WRONG_PHASE, MOON.prepare_turn, "t"),
    RefusedRequest(MoonRefusal.WRONG_PHASE, MOON.await_rest, "g"),
    RefusedRequest(MoonRefusal.WRONG_PHASE, MOON.await_rest, "b"),
    RefusedRequest(MoonRefusal.OPTION_OFF, MOON.prepare_turn, "n"),
    RefusedRequest(MoonRefusal.NOT_DRAWN, MOON.await_rest, "n", house=ANY),
    RefusedRequest(MoonRefusal.NO_OTHER_LADDER, MOON.prepare_turn, "n", house=ONLY_ONE),
    RefusedRequest(MoonRefusal.STRUCTURE_MOVING, _give_up, "space"),
    RefusedRequest(MoonRefusal.NO_FACE, MOON.await_rest, "space", house=Options(die=DieSource.REAL)),
    RefusedRequest(MoonRefusal.PAUSED, _pause, "space"),
    RefusedRequest(MoonRefusal.HAND_LOST, _lose_hand, "g"),
    RefusedRequest(MoonRefusal.HAND_LOST, _lose_hand, "b"),
    RefusedRequest(MoonRefusal.NOT_COOPERATIVE, MOON.await_rest, "t"),
    RefusedRequest(MoonRefusal.NOT_BETTER, MOON.await_rest, "t", house=TEAM, edition=KOSMOS),
    RefusedRequest(MoonRefusal.NO_TURN_TO_PUT_BACK, MOON.await_rest, "u"),
    RefusedRequest(MoonRefusal.NO_TEAR_TO_GIVE, MOON.await_rest, Act.GIVE_TEAR_BACK),
    RefusedRequest(MoonRefusal.NO_SUCH_PLAYER, MOON.await_rest, Act.ADD_TEAR, seat=5),
    RefusedRequest(MoonRefusal.IN_A_TRIAL, MOON.await_rest, Act.ADD_TEAR, house=TRIAL, players="Ann"),
    RefusedRequest(MoonRefusal.IN_PRACTICE, MOON.await_rest, Act.ADD_TEAR, house=Options(practice=True)),
    RefusedRequest(
        MoonRefusal.IN_THE_FINAL, _make_play_turns(2), Act.ADD_TEAR, house=TWO_TEARS, edition=KOSMOS
    ),
)


def open_table(seat: Seats, house: Options, edition: EditionName, players: str = "Ann,Ben") -> IdealTable:
    trial = () if house.trial is None else ("--trial", house.trial.name)
    return seat("moon", "--players", players, *trial, game_options=MoonOptions(edition, house=house))


def test_every_refusal_is_requested_or_unreachable() -> None:
    reached = {case.why for case in REFUSED_REQUESTS}
    assert reached | set(UNREACHABLE) == set(MoonRefusal)
    assert not reached & set(UNREACHABLE)


@pytest.mark.parametrize(
    "case",
    REFUSED_REQUESTS,
    ids=lambda case: f"{case.why.value}-{getattr(case.request, 'value', case.request)}",
)
def test_a_refusal_is_shown_on_the_screen_and_in_the_terminal(case: RefusedRequest, seat: Seats) -> None:
    table = open_table(seat, case.house, case.edition, case.players)
    case.before(table)
    with speaking_of(MoonOptions(case.edition).terms):
        sentences = {language: get_refusal_text(language, case.why) for language in LANGUAGES}
    assert table.scene.hud.banner not in sentences.values()
    moves, count_before = len(table.saved.moves), len(table.sentences)
    if isinstance(case.request, str):
        table.press(case.request)
    else:
        table.ask(case.request, case.seat)
    assert len(table.saved.moves) == moves
    assert table.scene.hud.banner == sentences["en"]
    assert sentences["en"] in table.sentences[count_before:]


def test_the_reason_of_a_waiting_roll_disappears_with_the_roll(seat: Seats) -> None:
    table = open_table(seat, USUAL, BOMBYX)
    _give_up(table)
    turn = table.on_turn
    table.press("space")
    reason = text(f"refusal.{MoonRefusal.STRUCTURE_MOVING.value}")
    assert table.scene.hud.banner == reason
    while table.game.is_awaiting_roll or table.on_turn == turn:
        assert table.scene.hud.banner in (reason, "")
        table.frame()
    assert table.scene.hud.banner != reason


def get_refusal_text(language: str, refusal: MoonRefusal) -> str:
    set_language(language)
    sentence = text(f"refusal.{refusal.value}")
    set_language("en")
    return sentence


@pytest.mark.parametrize(
    ("house", "edition", "players", "turns", "reason"),
    [
        (Options(two_player_limit=1), KOSMOS, "Ann,Ben", 1, Elimination.TEAR_LIMIT),
        (Options(tears=1), BOMBYX, "Ann,Ben,Cleo", 1, Elimination.LAST_TEAR),
        (Options(tears=1), KOSMOS, "Ann,Ben,Cleo", 1, Elimination.NOT_TIED),
        (TWO_TEARS, KOSMOS, "Ann,Ben", 3, Elimination.FINAL_MISTAKE),
    ],
)
def test_an_elimination_is_reported_with_its_reason(
    house: Options, edition: EditionName, players: str, turns: int, reason: Elimination, seat: Seats
) -> None:
    table = open_table(seat, house, edition, players)
    for _ in range(turns - 1):
        MOON.play_turn(table)
    MOON.prepare_turn(table)
    count_before = len(table.sentences)
    table.press("g")
    with speaking_of(MoonOptions(edition).terms):
        sentence = text(f"out.{reason.value}", player="Ann", count=1)
    assert table.scene.hud.banner == sentence
    assert sentence in table.sentences[count_before:]
