"""Every game at the table: mouse, keys and hands; putting back, turning the table, pausing and undoing."""

from __future__ import annotations

import math

import pytest
from games.drivers import DRIVERS
from games.drivers.driver import Driver
from games.every_game.steps import grab_piece, play_by_hand
from support.table_kit import IdealTable, Seats, command

from armoon.messages import LANGUAGES, catalogue, text
from armoon.values.acts import Act, Feature

#: Runs each game from one camera seat; together they use both.
EACH_SEAT = pytest.mark.parametrize(
    ("driver", "where"), [("moon", "mirror"), ("lake", "table"), ("toy", "mirror")], indirect=["driver"]
)


# Devices at the table ----------------------------------------------------------------------------------------


@EACH_SEAT
def test_the_mouse_plays_a_turn(driver: Driver, where: str, seat: Seats) -> None:
    table = seat(driver.name, "--players", driver.players, "--seat", where)
    driver.prepare_turn(table)
    before, turn = len(table.saved.moves), table.game.turns_played
    start, path = driver.grab_point(table), driver.carry_points(table)
    table.mouse(start, False)
    table.mouse(start, True, 0.3)
    assert table.game.match.holding
    for place in path:
        table.mouse(place, True, 1.0)
    table.mouse(path[-1], False)
    table.until(lambda: table.game.turns_played > turn and table.game.match.at_rest, "the turn's end")
    assert len(table.saved.moves) > before


@pytest.mark.parametrize(("name", "key"), [(d.name, key) for d in DRIVERS.values() for key in d.lacks_keys])
def test_an_unsupported_key_causes_a_message(name: str, key: str, seat: Seats) -> None:
    driver = DRIVERS[name]
    table = seat(name, "--players", driver.players)
    driver.prepare_turn(table)
    table.rest(4.0)
    before, moves, count = table.hud_text, len(table.saved.moves), len(table.sentences)
    table.press(key)
    assert len(table.saved.moves) == moves
    assert table.hud_text != before or len(table.sentences) > count, (
        f"{key!r} has no effect and causes no message"
    )


def test_a_hint_is_counted_in_games_with_hints(driver: Driver, table: IdealTable) -> None:
    driver.prepare_turn(table)
    table.press("h")
    has_hints = Feature.HINT in table.game.match.has
    assert bool(sum(getattr(table.game.match, "hints", ()))) is has_hints
    assert has_hints or text("game.has_not.hint") in (table.hud_text, *table.sentences)


# The held piece ----------------------------------------------------------------------------------------------


def test_a_held_piece_is_put_back_without_a_penalty(driver: Driver, table: IdealTable) -> None:
    grab_piece(driver, table)
    player, turn = table.on_turn, table.game.turns_played
    table.hand.rest(0.3)
    table.controls.handle_key("b", True)
    table.hand.rest(1.0)
    assert not table.game.match.holding
    assert (table.on_turn, table.game.turns_played) == (player, turn)
    table.hand.release()
    table.until(lambda: table.game.match.at_rest, "the piece to rest")
    grab_piece(driver, table)


def test_a_lost_hands_piece_returns_after_the_grace_time(driver: Driver, table: IdealTable) -> None:
    grab_piece(driver, table)
    player, turn = table.on_turn, table.game.turns_played
    table.rest(1.0)
    assert table.game.match.holding, "within the grace time"
    table.rest(2.5)
    assert not table.game.match.holding
    assert (table.on_turn, table.game.turns_played) == (player, turn)


def test_with_air_falls_a_released_piece_is_not_parked(driver: Driver, seat: Seats) -> None:
    table = seat(driver.name, "--players", driver.players, "--air", "falls")
    grab_piece(driver, table)
    table.hand.reach((0.06, -0.02, 0.26), lambda: driver.held_point(table))
    table.hand.release()
    table.hand.rest(0.5)
    assert not table.game.match.holding


# Turning the table -------------------------------------------------------------------------------------------


def turn_table(table: IdealTable, key: str = "comma", presses: int = 6) -> None:
    for _ in range(presses):
        table.controls.handle_key(key, True)
    table.hand.rest(1.6)


@EACH_SEAT
def test_the_table_turns_under_a_held_piece_and_with_a_parked_one(
    driver: Driver, where: str, seat: Seats
) -> None:
    table = seat(driver.name, "--players", driver.players, "--seat", where)
    grab_piece(driver, table)
    player, turn = table.on_turn, table.game.turns_played
    table.hand.reach((0.06, -0.02, 0.26), lambda: driver.held_point(table))
    table.hand.rest(1.5)
    held = driver.held_point(table)
    turn_table(table)
    assert table.game.match.turned_rad == pytest.approx(math.radians(90.0))
    assert driver.held_point(table) == pytest.approx(held, abs=0.01), "a held piece stays in the hand"
    table.hand.release()
    table.hand.rest(0.3)
    assert table.game.match.holding, "the piece is parked"
    x, y, z = parked = driver.held_point(table)
    turn_table(table)
    mx, my = table.game.match.middle
    rotated = (mx - (y - my), my + (x - mx), z)
    assert driver.held_point(table) == pytest.approx(rotated, abs=0.004), (
        "a parked piece rotates with the table"
    )
    turn_table(table, "period")
    assert table.game.match.holding, "a parked piece outlasts the grace time"
    assert driver.held_point(table) == pytest.approx(parked, abs=0.004)
    table.hand.grab()
    table.hand.move((0.10, -0.02, 0.26), 1.0)
    assert driver.held_point(table)[0] > parked[0] + 0.01, "the hand moves it again"
    table.controls.handle_key("home", True)
    table.hand.rest(1.7)
    assert table.game.match.turned_rad == 0.0
    assert (table.on_turn, table.game.turns_played) == (player, turn)
    table.close()
    assert command("replay", str(table.log), "--verify").exit_code == 0


def test_a_turned_table_is_saved(driver: Driver, seat: Seats, table: IdealTable) -> None:
    driver.prepare_turn(table)
    table.controls.handle_key("comma", True)
    table.rest(1.5)
    driver.play_turn(table)
    table.close()
    resumed = seat(driver.name, "--resume", "1")
    assert resumed.game.match.turned_rad == pytest.approx(math.radians(15.0))


@EACH_SEAT
def test_a_turned_table_can_be_played(driver: Driver, where: str, seat: Seats) -> None:
    table = seat(driver.name, "--players", driver.players, "--seat", where)
    driver.prepare_turn(table)
    turn_table(table, "period", 2)
    play_by_hand(driver, table)


# Commands of the host ----------------------------------------------------------------------------------------


def test_nothing_moves_during_a_pause(driver: Driver, table: IdealTable) -> None:
    grab_piece(driver, table)
    table.hand.rest(0.2)
    table.ask(Act.PAUSE)
    tick, held = table.game.match.tick, driver.held_point(table)
    x, y, z = table.hand.position
    table.hand.move((x - 0.05, y, z + 0.05), 1.0)
    assert table.game.match.tick == tick
    assert driver.held_point(table) == held
    table.hand.move((x, y, z), 1.0)
    table.ask(Act.RESUME)
    table.hand.rest(0.5)
    assert table.game.match.tick > tick
    assert table.game.match.holding


@pytest.mark.parametrize("source", ["key", "screen"])
def test_a_turn_is_undone(driver: Driver, source: str, table: IdealTable) -> None:
    driver.prepare_turn(table)
    player = table.on_turn
    driver.play_turn(table)
    assert table.on_turn != player
    if source == "key":
        table.press("u")
    else:
        table.ask(Act.UNDO, 1)
    table.until(lambda: table.game.match.at_rest and table.on_turn == player, "the undone turn")
    driver.play_turn(table)
    assert table.on_turn != player, "the turn is played again"


# Words -------------------------------------------------------------------------------------------------------


def test_every_text_exists_in_both_languages(driver: Driver, seat: Seats) -> None:
    texts: dict[str, list[str]] = {}
    for language in LANGUAGES:
        table = seat(driver.name, "--players", driver.players, "--language", language)
        words = [table.hud_text]
        driver.prepare_turn(table)
        words.append(table.hud_text)
        grab_piece(driver, table)
        words.append(table.hud_text)
        table.hand.release()
        driver.play_turn(table)
        words.append(table.hud_text)
        texts[language] = words
        assert all(words)
        output = "\n".join((*words, *table.sentences))
        assert "{" not in output
        assert not any(key in output for key in catalogue(language) if "." in key), "no message key is shown"
        table.close()
    for english, french in zip(texts["en"], texts["fr"], strict=True):
        assert english != french
