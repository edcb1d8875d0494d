"""What is settled of a player's hand reaches every game: its grip, its palm, its helps; gestures, parking and watch."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from games.doors.steps import carry, settings, take
from games.drivers import DRIVERS
from games.drivers.driver import Driver
from support.app_kit import WIDTH
from support.doors_kit import Seated, Seats

from armoon.hands.grip_settings import GripSettings
from armoon.hands.interpret import Interpreter
from armoon.hands.tracker import HAND_PALMS, SMALLEST_SHARE, play_region
from armoon.messages import text
from armoon.saves.profiles import Profile, Profiles, save_profiles
from armoon.values.choices import HandPreference

PALM_M = 0.0955
#: A large hand, a quarter larger than what is taken for usual.
LARGE_PALM_M = 0.12
#: A hand as small in the picture, in parts of an average one.
CHILD = 0.4


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[GripSettings]:
    made: list[GripSettings] = []
    real = Interpreter.__init__

    def make(self: Interpreter, *arguments: Any, **named: Any) -> None:
        real(self, *arguments, **named)
        made.append(self._tracks.settings)

    monkeypatch.setattr(Interpreter, "__init__", make)
    return made


# The grip ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["pinch", "fist", "dwell"])
def test_every_kind_of_grip_takes_and_lets_go(driver: Driver, kind: str, seat: Seats) -> None:
    table = seat(driver.name, "--players", driver.players, "--grip", kind)
    table.hand.kind = kind
    turn = table.game.turns_played
    carry(driver, table)
    table.hand.open()
    table.until(lambda: table.game.turns_played > turn and table.game.match.at_rest, "the turn's end")


def test_the_grip_of_the_settings_file_holds(driver: Driver, seat: Seats) -> None:
    settings(grip="fist")
    table = seat(driver.name, "--players", driver.players)
    table.hand.kind = "fist"
    take(driver, table)


# The palm ----------------------------------------------------------------------------------------------------


def test_a_measured_palm_tells_where_the_hand_is(driver: Driver, home: Path, seat: Seats) -> None:
    """A larger hand is farther away than it looks: the profile says so, turn by turn."""
    measured, *_ = driver.players.split(",")
    save_profiles(home, Profiles((Profile(measured, palm_length_m=LARGE_PALM_M),)))
    table = seat(driver.name, "--players", driver.players)
    seen = [seen_at_m(table)]
    while table.on_turn == 0:
        driver.turn_by_keys(table)
    seen.append(seen_at_m(table))
    assert seen[0] / seen[1] == pytest.approx(LARGE_PALM_M / PALM_M, abs=0.03), "the others measured nothing"


def seen_at_m(table: Seated) -> float:
    table.rest(1.0)
    table.hand.place = (0.0, -0.1, 0.15)
    table.hand.rest(1.0)
    (hand,) = table.scene.hands
    assert hand.grip_point is not None
    return math.dist(hand.grip_point, table.seat.table_from_camera.position)


def test_the_palm_of_the_settings_file_holds_for_who_has_none(driver: Driver, seat: Seats) -> None:
    seen = [seen_at_m(seat(driver.name, "--players", driver.players))]
    settings(palm_length_m=LARGE_PALM_M)
    seen.append(seen_at_m(seat(driver.name, "--players", driver.players)))
    assert seen[1] / seen[0] == pytest.approx(LARGE_PALM_M / PALM_M, abs=0.03)


def test_the_preferred_hand_grips(driver: Driver, home: Path, seat: Seats) -> None:
    names = driver.players.split(",")
    save_profiles(home, Profiles(tuple(Profile(name, hand=HandPreference.LEFT) for name in names)))
    table = seat(driver.name, "--players", driver.players)
    driver.ready(table)
    table.hand.reach(driver.taken_at(table))
    other = table.hand.at((-0.18, -0.05, 0.15), 0.0, "left")
    for shut in (0.0,) * 20 + (1.0,) * 10:
        table.hand.shut = shut
        table.step(table.hand.seen, other)
    assert not table.game.match.holding, "the right hand closes in vain"
    assert table.on_turn is not None
    assert text("watch.other_hand.left", player=names[table.on_turn]) in table.glass


# Helps for depth and for slow hands --------------------------------------------------------------------------


@pytest.mark.parametrize("resumed", [False, True], ids=["new", "resumed"])
def test_depth_help_and_fine_gain_reach_the_interpreter(
    driver: Driver, resumed: bool, seat: Seats, read: list[GripSettings]
) -> None:
    arguments: tuple[str, ...] = ("--players", driver.players)
    if resumed:
        table = seat(driver.name, *arguments)
        driver.turn_by_keys(table)
        table.close()
        arguments = ("--resume", "1")
    settings(depth_help="lock", fine_gain=0.5)
    seat(driver.name, *arguments)
    assert (read[-1].depth_gain, read[-1].fine_gain) == (0.0, 0.5)


@pytest.mark.parametrize("cropped", [False, True])
def test_a_small_hand_is_told_to_come_closer(driver: Driver, cropped: bool, seat: Seats) -> None:
    """Where the tracker looks at a part of the picture, a hand may be as much smaller."""
    table = seat(driver.name, "--players", driver.players, cropped=cropped)
    driver.ready(table)
    region = play_region(table.seat.camera, table.seat.table_from_camera)
    assert region is not None
    whole, part = (SMALLEST_SHARE * width / HAND_PALMS for width in (WIDTH, region.width))
    table.hand.place = (0.0, 0.0, 0.15)
    distance_m = table.seat.table_from_camera.position[1] * -1.0
    wanted_px = (whole + part) / 2.0
    table.hand.size = wanted_px * distance_m / table.seat.camera.fx / PALM_M
    table.hand.rest(2.0)
    assert (text("watch.too_far") in table.glass) is not cropped


@pytest.mark.parametrize("lost", [False, True], ids=["in sight", "lost"])
def test_a_small_hand_that_holds_is_told_to_come_closer_for_a_while_and_when_it_is_lost(
    driver: Driver, lost: bool, seat: Seats
) -> None:
    """Then what is asked of its player counts more: a child's hand is small all the game."""
    table = seat(driver.name, "--players", driver.players)
    driver.ready(table)
    table.hand.size = CHILD
    table.hand.rest(1.5)
    take(driver, table)
    assert table.scene.hud.hint == text("watch.too_far")
    table.hand.rest(3.0)
    asked = table.scene.hud.hint
    assert asked not in ("", text("watch.too_far"))
    if lost:
        x, y, z = table.hand.place
        table.hand.place, table.hand.shut = (x - 0.3, y, z), 0.0
    table.hand.rest(1.5)
    assert table.game.match.holding
    assert table.scene.hud.hint == (text("watch.too_far") if lost else asked)


# Clutch and gestures -----------------------------------------------------------------------------------------


def park(driver: Driver, table: Seated) -> None:
    take(driver, table)
    table.hand.rest(0.3)
    table.controls.handle_key("c", True)
    table.hand.rest(0.2)
    table.hand.open()
    assert table.game.match.holding, "parked in the air"


def test_parking_keeps_what_is_held(driver: Driver, seat: Seats) -> None:
    table = seat(driver.name, "--players", driver.players)
    park(driver, table)
    there = driver.held_at(table)
    x, y, z = table.hand.place
    table.hand.move((x + 0.08, y, z), 0.5)
    assert driver.held_at(table) == pytest.approx(there, abs=0.003)
    table.hand.close()
    table.hand.move((x + 0.03, y, z + 0.04), 0.5)
    assert table.game.match.holding
    assert driver.held_at(table) != pytest.approx(there, abs=0.01), "it moves again, from where it hung"


@pytest.mark.parametrize("kind", ["pinch", "dwell"])
def test_waving_puts_back_what_is_parked_or_held_by_an_open_hand(
    driver: Driver, kind: str, seat: Seats
) -> None:
    """A dwelling hand is open while it carries: it can wave at once."""
    table = seat(driver.name, "--players", driver.players, "--grip", kind)
    table.hand.kind = kind
    (park if kind == "pinch" else take)(driver, table)
    who, turn = table.on_turn, table.game.turns_played
    table.hand.wave()
    table.hand.move((0.30, -0.05, 0.15), 0.3)
    table.hand.rest(0.7)
    assert not table.game.match.holding
    assert (table.on_turn, table.game.turns_played) == (who, turn)


def test_shaking_rolls_where_there_is_a_die(driver: Driver, seat: Seats) -> None:
    table = seat(driver.name, "--players", driver.players)
    table.until(lambda: table.game.match.at_rest, "rest")
    asked, moves = table.game.is_awaiting_roll, len(table.saved.moves)
    table.hand.rest(0.5)
    table.hand.shake()
    table.hand.rest(0.5)
    assert not table.game.is_awaiting_roll
    assert (len(table.saved.moves) > moves) is asked, "where there is no die, nothing comes of it"


# One hand ----------------------------------------------------------------------------------------------------


def test_a_second_hand_is_warned(driver: Driver, seat: Seats) -> None:
    table = seat(driver.name, "--players", driver.players)
    bring_another_hand(driver, table)
    assert text("watch.second_hand") in table.glass
    assert any(hand.unwanted for hand in table.scene.hands)


@pytest.mark.parametrize(
    "name", [d.name for d in DRIVERS.values() if ("--one-hand", "off") not in d.lacks_options]
)
def test_the_watch_can_be_switched_off(name: str, seat: Seats) -> None:
    table = seat(name, "--players", DRIVERS[name].players, "--one-hand", "off")
    bring_another_hand(DRIVERS[name], table)
    assert text("watch.second_hand") not in table.glass
    assert not any(hand.unwanted for hand in table.scene.hands)


def bring_another_hand(driver: Driver, table: Seated) -> None:
    take(driver, table)
    x, y, z = table.hand.place
    for _ in range(45):
        table.step(table.hand.seen, table.hand.at((x - 0.06, y, z + 0.02), 0.0, "left"))
    assert table.game.match.holding
