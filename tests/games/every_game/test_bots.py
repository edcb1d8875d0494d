"""Every game's bots: their turns can be undone, logged and resumed, and pages offer them."""

from __future__ import annotations

from pathlib import Path

import pytest
from games.drivers import DRIVERS
from games.drivers.driver import Driver
from support.table_kit import IdealTable, Seats, command, one_sentence, parse_options

from armoon.app.host import make_front, read_last_choices
from armoon.games import game_options
from armoon.saves.profiles import Profiles
from armoon.screens.machine import build_page, first_screens, press_pointer
from armoon.screens.state import PageName, Screens
from armoon.settings.files import save_last_choices
from armoon.settings.preferences import Preferences, Settings

WITH_BOTS = [d.name for d in DRIVERS.values() if d.bots]
BOTS = pytest.mark.parametrize("name", WITH_BOTS)


def find_weakest_bot(name: str) -> str:
    return game_options(name).bot_kinds().words[0]


def wait_for_hands_turn(table: IdealTable) -> None:
    table.until(lambda: table.on_turn in (0, None) and table.game.match.at_rest, "the hand's turn", 60.0)


def begin_with_bot(name: str, seat: Seats) -> tuple[Driver, IdealTable]:
    driver = DRIVERS[name]
    table = seat(name, "--players", driver.players, "--bots", f"hand,{find_weakest_bot(name)}")
    wait_for_hands_turn(table)
    return driver, table


@BOTS
def test_undo_also_takes_back_the_bots_move_and_the_log_verifies_without_bots(name: str, seat: Seats) -> None:
    driver, table = begin_with_bot(name, seat)
    driver.prepare_turn(table)
    wait_for_hands_turn(table)
    turn = table.game.match.on_turn
    driver.play_turn(table)
    wait_for_hands_turn(table)
    assert table.game.match.on_turn != turn
    table.press("u")
    assert table.game.match.on_turn == turn, "the person's turn is undone, not only the bot's"
    table.close()
    result = command("replay", str(table.log), "--verify")
    assert result.exit_code == 0, result.output


@BOTS
def test_a_game_left_during_a_bots_turn_resumes_with_it(name: str, seat: Seats) -> None:
    driver, table = begin_with_bot(name, seat)
    driver.prepare_turn(table)
    wait_for_hands_turn(table)
    driver.play_turn(table)
    table.until(lambda: table.on_turn == 1, "the bot's turn")
    table.close()
    resumed = seat(name, "--resume", str(table.path))
    assert resumed.on_turn == 1
    moves = len(resumed.saved.moves)
    wait_for_hands_turn(resumed)
    assert len(resumed.saved.moves) > moves


@BOTS
def test_the_mouse_grabs_nothing_during_a_bots_turn(name: str, seat: Seats) -> None:
    """The mouse button stays pressed on the bot's piece throughout the turn."""
    driver, table = begin_with_bot(name, seat)
    driver.prepare_turn(table)
    place = driver.grab_point(table)
    driver.play_turn(table)
    while table.on_turn == 1:
        table.mouse(place, True, 0.2)
        grip = table.game.match.grip
        assert not table.game.match.holding or grip is None or grip.source == "bot"
    assert table.on_turn in (0, None)


@BOTS
def test_bots_are_chosen_on_the_players_page(name: str) -> None:
    screens = first_screens(Settings(), Preferences(), games=(name,)).go_to(PageName.PLAYERS)
    screens = press_widget(screens, "add_bot")
    seat = len(screens.form.players) - 1
    assert screens.form.players[seat].bot == find_weakest_bot(name)
    screens = press_widget(screens, f"profile {seat}")
    screens = press_widget(screens, "who")
    second = game_options(name).bot_kinds().words[1]
    assert screens.form.players[seat].bot == second
    start = screens.form.start_game()
    assert start.options.bots_by_seat == (*(None,) * seat, second)
    assert start.party.names[seat] == game_options(name).bot_kinds().get_name(second)
    for _ in game_options(name).bot_kinds().words[1:]:
        screens = press_widget(screens, "who")
    assert not screens.form.players[seat].bot, "the seat is a person's again"
    assert screens.form.start_game().options.bots_by_seat == ()


def press_widget(screens: Screens, name: str) -> Screens:
    rect = next(widget for widget in build_page(screens).widgets if widget.name == name).rect
    # Press the right arrow of a choice, but the middle of any other widget.
    place = (rect.x + rect.width * (0.97 if name == "who" else 0.5), rect.y + rect.height * 0.5)
    return press_pointer(screens, place)[0]


@BOTS
def test_bots_alone_need_neither_camera_nor_window(name: str, home: Path) -> None:
    bots = ",".join([find_weakest_bot(name)] * 2)
    log = home / "alone.jsonl"
    arguments = ("play", "--game", name, "--camera", "none", "--headless", "--bots", bots, "--turns", "1")
    result = command(*arguments, "--seed", "2", "--log", str(log))
    assert result.exit_code == 0, result.output
    assert command("replay", str(log), "--verify").exit_code == 0


@BOTS
def test_a_hand_among_bots_needs_a_camera(name: str, home: Path) -> None:
    arguments = ("play", "--game", name, "--camera", "none", "--headless")
    one_sentence(
        command(*arguments, "--bots", f"hand,{find_weakest_bot(name)}", "--players", DRIVERS[name].players)
    )


@BOTS
def test_the_menu_starts_with_the_bots_of_the_command_line_or_the_last_game(name: str, home: Path) -> None:
    bots = (None, find_weakest_bot(name))
    typed = parse_options("--game", name, "--camera", "0", "--bots", f"hand,{find_weakest_bot(name)}")
    form = make_front(typed, Profiles()).screens.form
    start = form.start_game()
    assert (start.game, start.options.bots_by_seat, len(start.party.names)) == (name, bots, 2)
    save_last_choices(read_last_choices(form))
    untyped = parse_options("--camera", "0")
    again = make_front(untyped, Profiles()).screens.form.start_game()
    assert (again.game, again.options.bots_by_seat, again.party.names) == (name, bots, start.party.names)
