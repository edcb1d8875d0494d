"""At the table: a team's score and when it is accepted, the height line, a real die, and the result."""

from __future__ import annotations

import pytest
from games.drivers.moon import MoonDriver
from support.table_kit import IdealTable, Seats

from armoon.games.moon.editions import Die, DieSource, EditionName, Mode, Options
from armoon.games.moon.options import MoonOptions
from armoon.games.moon.presenters import make_result
from armoon.games.news import ResultNews
from armoon.messages import text
from armoon.values.acts import Act

MOON = MoonDriver()
#: Below the tops of the starting ladders, so that a scoring counts points.
LOW_M = 0.08


def open_team_table(seat: Seats, players: str = "Ann,Ben", **house: object) -> IdealTable:
    own = Options(mode=Mode.COOPERATIVE, **house)  # type: ignore[arg-type]
    return seat("moon", "--players", players, game_options=MoonOptions(EditionName.KOSMOS_2022, house=own))


def test_a_scoring_is_offered_only_while_it_is_accepted(seat: Seats) -> None:
    """Ruling C2: the hint, the key and the screens agree, before and after the roll."""
    table = open_team_table(seat, line_m=LOW_M)
    MOON.await_rest(table)
    status = table.game.match.status
    assert status.score is not None
    assert status.score > 0
    assert f"score {status.score} point" in table.scene.hud.hint
    assert table.game.compute_score() == (status.score, 0)
    MOON.prepare_turn(table)
    assert table.game.match.status.score is None
    assert "score" not in table.scene.hud.hint
    assert table.game.compute_score() == (None, 0)
    tears = table.game.match.state.tears_left
    table.press("t")
    assert table.game.match.state.tears_left == tears
    assert table.scene.hud.banner == text("refusal.score_later", tear=text("word.raindrop"))


def test_the_running_score_and_scorings_are_shown(seat: Seats) -> None:
    """Rulings C2, C3: the points above the line are always visible; the best scoring counts."""
    table = open_team_table(seat, line_m=LOW_M)
    MOON.await_rest(table)
    points = table.game.match.running_score
    assert text("hud.above_line", count=points, line="8 cm") in table.scene.hud.score_texts
    assert len(table.scene.hud.score_texts) == 1
    table.press("t")
    table.rest(0.5)
    assert table.game.match.state.scorings == (points,)
    assert text("hud.scored", count=points, scorings=str(points)) in table.scene.hud.score_texts
    assert table.scene.lid_height_m == pytest.approx(LOW_M)


@pytest.mark.parametrize(("line_m", "scorings"), [(0.20, 0), (LOW_M, 1)], ids=["nothing above", "twice"])
def test_a_scoring_that_gains_nothing_is_neither_offered_nor_accepted(
    seat: Seats, line_m: float, scorings: int
) -> None:
    """Ruling C3: only the best scoring counts, so one that isn't better would cost a tear for nothing."""
    table = open_team_table(seat, line_m=line_m)
    MOON.await_rest(table)
    match = table.game.match
    for _ in range(scorings):
        table.press("t")
        MOON.await_rest(table)
    before = match.state
    assert len(before.scorings) == scorings
    assert match.status.score is None
    assert "score" not in table.scene.hud.hint
    table.press("t")
    table.rest(0.2)
    assert match.state == before
    assert table.scene.hud.banner == text("refusal.not_better")


def test_a_competitive_game_shows_no_score(seat: Seats) -> None:
    table = seat("moon", "--players", "Ann,Ben")
    MOON.await_rest(table)
    assert table.scene.hud.score_texts == ()
    assert table.game.match.status.score is None


def test_a_teams_result_names_its_rank(seat: Seats) -> None:
    """Rulings C3, C4 and C6."""
    table = open_team_table(seat, line_m=LOW_M, tears=1)
    MOON.await_rest(table)
    points = table.game.match.running_score
    table.press("t")
    table.rest(1.0)
    assert table.game.match.over
    result = make_result(table.game.match)
    assert result.score == points
    assert text("ending.last_tear") in result.why
    assert text("outcome.team", count=points) == result.sentence
    assert "Touch the moon" in result.why or points < 4
    assert all(line.place == 0 for line in result.lines)


def test_the_result_lists_places_and_tears(seat: Seats) -> None:
    """Ruling E2: everybody's place and tears."""
    house = Options(supply_size=2)
    table = seat("moon", "--players", "Ann,Ben,Cleo", game_options=MoonOptions(house=house))
    MOON.await_rest(table)
    for _ in range(2):
        MOON.play_turn(table)
    table.rest(3.0)
    assert table.game.match.over
    result: ResultNews = make_result(table.game.match)
    assert [line.place for line in result.lines] == [2, 2, 1]
    assert [line.winner for line in result.lines] == [False, False, True]
    assert result.lines[0].tears == 1
    assert text("ending.last_ladder") in result.why


def add_tears(table: IdealTable, *players: int) -> None:
    for player in players:
        table.ask(Act.ADD_TEAR, player)
        table.rest(0.2)


def test_the_result_explains_that_the_last_tear_loses_a_tie(seat: Seats) -> None:
    """Ruling E2: Ann and Cleo have one tear each, but Cleo's was the last."""
    table = seat("moon", "--players", "Ann,Ben,Cleo", game_options=MoonOptions(house=Options(tears=4)))
    MOON.await_rest(table)
    add_tears(table, 0, 1, 1, 2)
    result = make_result(table.game.match)
    assert result.sentence == "Ann wins"
    assert result.more[0].startswith("Cleo has no more tears than the winner, but took the last one")


@pytest.mark.parametrize("shared", [False, True])
def test_the_result_names_the_final_that_decided_a_tie(seat: Seats, shared: bool) -> None:
    """Ruling E4: the final, in which Ann gives up; nothing if the victory is shared instead."""
    table = seat("moon", "--players", "Ann,Ben,Cleo", game_options=MoonOptions(house=Options(tears=3)))
    MOON.await_rest(table)
    add_tears(table, 0, 1, 2)
    assert table.game.match.state.is_final
    if shared:
        table.ask(Act.SHARE)
    else:
        MOON.prepare_turn(table)
        table.press("g")
    table.rest(0.5)
    result = make_result(table.game.match)
    assert result.sentence.endswith(" share the victory" if shared else " wins")
    decided = text("result.final", players="Ann and Ben")
    assert [line for line in (result.why, *result.more) if "final" in line] == ([] if shared else [decided])


def open_real_die_table(seat: Seats) -> IdealTable:
    house = Options(die=DieSource.REAL)
    return seat("moon", "--players", "Ann,Ben", game_options=MoonOptions(house=house))


@pytest.mark.parametrize(("key", "face"), [("1", Die.ONE), ("2", Die.TWO), ("m", Die.MOON)])
def test_a_key_enters_the_face_of_a_real_die(key: str, face: Die, seat: Seats) -> None:
    table = open_real_die_table(seat)
    MOON.await_rest(table)
    assert table.game.is_awaiting_face()
    assert table.scene.hud.hint == text("hint.roll_real", player="Ann")
    table.press(key)
    table.rest(0.5)
    assert table.game.match.state.die is face
    assert not table.game.is_awaiting_face()


def test_a_button_enters_the_face_of_a_real_die_and_the_save_keeps_it(seat: Seats) -> None:
    table = open_real_die_table(seat)
    MOON.await_rest(table)
    table.ask(Act.ROLL, 3)
    table.rest(0.5)
    assert table.game.match.state.die is Die.MOON
    rolls = [move for move in table.saved.moves if move["move"] == "roll"]
    assert [move["die"] for move in rolls] == ["MOON"]


def test_the_programs_die_ignores_an_entered_face(seat: Seats) -> None:
    table = seat("moon", "--players", "Ann,Ben", "--seed", "3")
    MOON.await_rest(table)
    table.press("m")
    table.rest(0.5)
    assert table.game.match.state.die is None
    table.ask(Act.ROLL, 3)
    table.rest(0.5)
    assert table.game.match.state.die is Die.ONE
