"""Every game is played by hand, by mouse and by keys, from both seats; paused, undone, left, in both languages."""

from __future__ import annotations

import math

import pytest
from games.doors.steps import carry, take
from games.drivers import DRIVERS
from games.drivers.driver import Driver
from support.doors_kit import Seated, Seats, command
from support.log_kit import records_of

from armoon.camera.profiles import SEATS
from armoon.messages import LANGUAGES, catalogue, text
from armoon.values.acts import Act, Feature

BOTH_SEATS = pytest.mark.parametrize("where", sorted(SEATS))


# Devices at the table ----------------------------------------------------------------------------------------


@BOTH_SEATS
def test_the_mouse_plays(driver: Driver, where: str, seat: Seats) -> None:
    table = seat(driver.name, "--players", driver.players, "--seat", where)
    driver.ready(table)
    before, turn = len(table.saved.moves), table.game.turns_played
    start, way = driver.taken_at(table), driver.way(table)
    table.mouse(start, False)
    table.mouse(start, True, 0.3)
    assert table.game.match.holding
    for place in way:
        table.mouse(place, True, 1.0)
    table.mouse(way[-1], False)
    table.until(lambda: table.game.turns_played > turn and table.game.match.at_rest, "the turn's end")
    assert len(table.saved.moves) > before


@pytest.mark.parametrize(("name", "key"), [(d.name, key) for d in DRIVERS.values() for key in d.lacks_keys])
def test_a_key_that_means_nothing_here_says_so(name: str, key: str, seat: Seats) -> None:
    driver = DRIVERS[name]
    table = seat(name, "--players", driver.players)
    driver.ready(table)
    table.rest(4.0)
    before, moves, said = table.glass, len(table.saved.moves), len(table.said)
    table.press(key)
    assert len(table.saved.moves) == moves
    assert table.glass != before or len(table.said) > said, f"{key!r} does nothing, and nobody says so"


def test_a_hint_is_counted_where_there_are_hints(driver: Driver, seat: Seats) -> None:
    table = seat(driver.name, "--players", driver.players)
    driver.ready(table)
    before = len(table.outs)
    table.press("h")
    lines = records_of(table.game.match, *table.outs[before:])
    told = [line for line in lines if line["kind"] == "hint"]
    has = Feature.HINT in table.game.match.has
    assert bool(told) is has
    assert has or text("game.has_not.hint") in (table.glass, *table.said)


# What is held ------------------------------------------------------------------------------------------------


def test_what_is_held_is_put_back_at_no_cost(driver: Driver, seat: Seats) -> None:
    table = seat(driver.name, "--players", driver.players)
    take(driver, table)
    who, turn = table.on_turn, table.game.turns_played
    table.hand.rest(0.3)
    table.controls.handle_key("b", True)
    table.hand.rest(1.0)
    assert not table.game.match.holding
    assert (table.on_turn, table.game.turns_played) == (who, turn)
    table.hand.open()
    table.until(lambda: table.game.match.at_rest, "rest")
    take(driver, table)


def test_what_a_lost_hand_held_is_back_after_the_grace_time(driver: Driver, seat: Seats) -> None:
    table = seat(driver.name, "--players", driver.players)
    take(driver, table)
    who, turn = table.on_turn, table.game.turns_played
    table.rest(1.0)
    assert table.game.match.holding, "it waits"
    table.rest(2.5)
    assert not table.game.match.holding
    assert (table.on_turn, table.game.turns_played) == (who, turn)


@BOTH_SEATS
def test_what_is_let_go_of_in_the_air_waits_to_be_taken_again(
    driver: Driver, where: str, seat: Seats
) -> None:
    table = seat(driver.name, "--players", driver.players, "--seat", where)
    take(driver, table)
    who, turn = table.on_turn, table.game.turns_played
    table.hand.reach((0.06, -0.02, 0.26), lambda: driver.held_at(table))
    table.hand.open()
    table.hand.rest(3.0)
    assert table.game.match.holding, "it hangs there, for longer than the grace time"
    there = driver.held_at(table)
    table.hand.close()
    table.hand.move((0.10, -0.02, 0.26), 1.0)
    assert driver.held_at(table)[0] > there[0] + 0.01, "the hand moves it again"
    assert (table.on_turn, table.game.turns_played) == (who, turn)
    table.close()
    assert command("replay", str(table.log), "--verify").exit_code == 0


def test_where_the_air_is_strict_it_falls(driver: Driver, seat: Seats) -> None:
    table = seat(driver.name, "--players", driver.players, "--air", "falls")
    take(driver, table)
    table.hand.reach((0.06, -0.02, 0.26), lambda: driver.held_at(table))
    table.hand.open()
    table.hand.rest(0.5)
    assert not table.game.match.holding


# The lazy Susan ----------------------------------------------------------------------------------------------


def turned_by_keys(table: Seated, key: str = "comma", presses: int = 6) -> None:
    for _ in range(presses):
        table.controls.handle_key(key, True)
    table.hand.rest(1.6)


@BOTH_SEATS
def test_the_table_turns_below_what_is_held(driver: Driver, where: str, seat: Seats) -> None:
    table = seat(driver.name, "--players", driver.players, "--seat", where)
    take(driver, table)
    table.hand.reach((0.06, -0.02, 0.26), lambda: driver.held_at(table))
    table.hand.rest(1.5)
    held = driver.held_at(table)
    turned_by_keys(table)
    assert table.game.match.turned_rad == pytest.approx(math.radians(90.0))
    assert driver.held_at(table) == pytest.approx(held, abs=0.01), "it stays in the hand"
    table.hand.open()
    table.hand.rest(0.3)
    assert table.game.match.holding, "it waits in the air"
    x, y, z = driver.held_at(table)
    turned_by_keys(table)
    mx, my = table.game.match.middle
    over = (mx - (y - my), my + (x - mx), z)
    assert driver.held_at(table) == pytest.approx(over, abs=0.004), "and goes round with the structure"
    table.controls.handle_key("home", True)
    table.hand.rest(2.5)
    assert table.game.match.turned_rad == 0.0
    table.close()
    assert command("replay", str(table.log), "--verify").exit_code == 0


def test_a_turned_table_is_kept(driver: Driver, seat: Seats) -> None:
    table = seat(driver.name, "--players", driver.players)
    driver.ready(table)
    table.controls.handle_key("comma", True)
    table.rest(1.5)
    driver.turn_by_keys(table)
    table.close()
    again = seat(driver.name, "--resume", "1")
    assert again.game.match.turned_rad == pytest.approx(math.radians(15.0))


@BOTH_SEATS
def test_a_turned_table_is_played_on(driver: Driver, where: str, seat: Seats) -> None:
    table = seat(driver.name, "--players", driver.players, "--seat", where)
    driver.ready(table)
    turned_by_keys(table, "period", 2)
    turn = table.game.turns_played
    carry(driver, table)
    table.hand.open()
    table.until(lambda: table.game.turns_played > turn and table.game.match.at_rest, "the turn's end")


# The host's doors --------------------------------------------------------------------------------------------


def test_a_pause_holds_everything(driver: Driver, seat: Seats) -> None:
    table = seat(driver.name, "--players", driver.players)
    take(driver, table)
    table.hand.rest(0.2)
    table.ask(Act.PAUSE)
    tick, held = table.game.match.tick, driver.held_at(table)
    x, y, z = table.hand.place
    table.hand.move((x - 0.05, y, z + 0.05), 1.0)
    assert table.game.match.tick == tick
    assert driver.held_at(table) == held
    table.hand.move((x, y, z), 1.0)
    table.ask(Act.RESUME)
    table.hand.rest(0.5)
    assert table.game.match.tick > tick
    assert table.game.match.holding


@pytest.mark.parametrize("by", ["key", "screen"])
def test_a_turn_is_put_back(driver: Driver, by: str, seat: Seats) -> None:
    table = seat(driver.name, "--players", driver.players)
    driver.ready(table)
    who = table.on_turn
    driver.turn_by_keys(table)
    assert table.on_turn != who
    if by == "key":
        table.press("u")
    else:
        table.ask(Act.UNDO, 1)
    table.until(lambda: table.game.match.at_rest and table.on_turn == who, "the turn to be back")
    driver.turn_by_keys(table)
    assert table.on_turn != who, "and it is played again"


# Words -------------------------------------------------------------------------------------------------------


def test_both_languages_are_spoken(driver: Driver, seat: Seats) -> None:
    told: dict[str, list[str]] = {}
    for language in LANGUAGES:
        table = seat(driver.name, "--players", driver.players, "--language", language)
        words = [table.glass]
        driver.ready(table)
        words.append(table.glass)
        take(driver, table)
        words.append(table.glass)
        table.hand.open()
        driver.turn_by_keys(table)
        words.append(table.glass)
        told[language] = words
        assert all(words)
        spoken = "\n".join((*words, *table.said))
        assert "{" not in spoken
        assert not any(key in spoken for key in catalogue(language) if "." in key), "a key isn't a text"
        table.close()
    for english, french in zip(told["en"], told["fr"], strict=True):
        assert english != french
