"""A player's hand in every game: grip, palm and help settings, gestures, parking, and warnings about a second hand."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from games.drivers import DRIVERS
from games.drivers.driver import Driver
from games.every_game.steps import grab_piece, play_by_hand, write_settings
from support.app_kit import WIDTH
from support.table_kit import IdealTable, Seats

from armoon.hands.grip_settings import GripSettings
from armoon.hands.interpret import Interpreter
from armoon.hands.tracker import HAND_PALMS, MIN_SHARE, find_play_region
from armoon.messages import text
from armoon.saves.profiles import Profile, Profiles, save_profiles
from armoon.values.choices import HandPreference

PALM_M = 0.0955
#: Palm of a large hand, a quarter longer than ``PALM_M``.
LARGE_PALM_M = 0.12
#: Apparent size of a child's hand relative to an average one.
CHILD_SIZE = 0.4


@pytest.fixture
def grip_settings(monkeypatch: pytest.MonkeyPatch) -> list[GripSettings]:
    created: list[GripSettings] = []
    original = Interpreter.__init__

    def create_and_record(self: Interpreter, *arguments: Any, **named: Any) -> None:
        original(self, *arguments, **named)
        created.append(self.tracks.settings)

    monkeypatch.setattr(Interpreter, "__init__", create_and_record)
    return created


# The grip ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("driver", "kind"), [("moon", "dwell"), ("lake", "fist"), ("toy", "pinch")], indirect=["driver"]
)
def test_every_kind_of_grip_grabs_and_releases(driver: Driver, kind: str, seat: Seats) -> None:
    table = seat(driver.name, "--players", driver.players, "--grip", kind)
    table.hand.kind = kind
    play_by_hand(driver, table)


# The palm ----------------------------------------------------------------------------------------------------


def test_a_hands_distance_follows_from_its_measured_palm(driver: Driver, home: Path, seat: Seats) -> None:
    """A larger hand is farther away than it seems; each turn uses the palm length in the player's profile."""
    measured, *_ = driver.players.split(",")
    save_profiles(home, Profiles((Profile(measured, palm_length_m=LARGE_PALM_M),)))
    table = seat(driver.name, "--players", driver.players)
    away_m = [hand_distance_m(table)]
    while table.on_turn == 0:
        driver.play_turn(table)
    away_m.append(hand_distance_m(table))
    assert away_m[0] / away_m[1] == pytest.approx(LARGE_PALM_M / PALM_M, abs=0.03), (
        "only the first player has a measured palm"
    )


def hand_distance_m(table: IdealTable) -> float:
    table.rest(1.0)
    table.hand.position = (0.0, -0.1, 0.15)
    table.hand.rest(1.0)
    (hand,) = table.scene.hands
    assert hand.grip_point is not None
    return math.dist(hand.grip_point, table.seat.table_from_camera.position)


def test_only_the_preferred_hand_grips(driver: Driver, home: Path, seat: Seats) -> None:
    names = driver.players.split(",")
    save_profiles(home, Profiles(tuple(Profile(name, hand=HandPreference.LEFT) for name in names)))
    table = seat(driver.name, "--players", driver.players)
    driver.prepare_turn(table)
    table.hand.reach(driver.grab_point(table))
    other = table.hand.at((-0.18, -0.05, 0.15), 0.0, "left")
    for closing in (0.0,) * 20 + (1.0,) * 10:
        table.hand.closing = closing
        table.step(table.hand.view, other)
    assert not table.game.match.holding, "the right hand's grip is ignored"
    assert table.on_turn is not None
    assert text("watch.other_hand.left", player=names[table.on_turn]) in table.hud_text


# Depth help and distant hands --------------------------------------------------------------------------------


@pytest.mark.parametrize("resumed", [False, True], ids=["new", "resumed"])
def test_depth_help_and_fine_gain_reach_the_interpreter(
    driver: Driver, resumed: bool, seat: Seats, grip_settings: list[GripSettings]
) -> None:
    arguments: tuple[str, ...] = ("--players", driver.players)
    if resumed:
        table = seat(driver.name, *arguments)
        driver.play_turn(table)
        table.close()
        arguments = ("--resume", "1")
    write_settings(depth_help="lock", fine_gain=0.5)
    seat(driver.name, *arguments)
    assert (grip_settings[-1].depth_gain, grip_settings[-1].fine_gain) == (0.0, 0.5)


@pytest.mark.parametrize("cropped", [False, True])
def test_a_small_hand_is_asked_to_come_closer(driver: Driver, cropped: bool, seat: Seats) -> None:
    """If the tracker crops the picture, hands can be smaller in proportion."""
    table = seat(driver.name, "--players", driver.players, cropped=cropped)
    driver.prepare_turn(table)
    region = find_play_region(table.seat.camera, table.seat.table_from_camera)
    assert region is not None
    full, part = (MIN_SHARE * width / HAND_PALMS for width in (WIDTH, region.width))
    table.hand.position = (0.0, 0.0, 0.15)
    distance_m = table.seat.table_from_camera.position[1] * -1.0
    wanted_px = (full + part) / 2.0
    table.hand.size = wanted_px * distance_m / table.seat.camera.fx / PALM_M
    table.hand.rest(2.0)
    assert (text("watch.too_far") in table.hud_text) is not cropped


def test_a_small_holding_hand_is_asked_to_come_closer_briefly_and_when_lost(
    driver: Driver, table: IdealTable
) -> None:
    """In between, the game's hint is shown, because a child's hand looks small throughout the game."""
    driver.prepare_turn(table)
    table.hand.size = CHILD_SIZE
    table.hand.rest(1.5)
    grab_piece(driver, table)
    assert table.scene.hud.hint == text("watch.too_far")
    table.hand.rest(3.0)
    hint = table.scene.hud.hint
    assert hint not in ("", text("watch.too_far"))
    x, y, z = table.hand.position
    table.hand.position, table.hand.closing = (x - 0.3, y, z), 0.0
    table.hand.rest(1.5)
    assert table.game.match.holding
    assert table.scene.hud.hint == text("watch.too_far")


# Parking and gestures ----------------------------------------------------------------------------------------


def park_piece(driver: Driver, table: IdealTable) -> None:
    grab_piece(driver, table)
    table.hand.rest(0.3)
    table.controls.handle_key("c", True)
    table.hand.rest(0.2)
    table.hand.release()
    assert table.game.match.holding, "parked in the air"


def test_a_parked_piece_stays_in_place(driver: Driver, table: IdealTable) -> None:
    park_piece(driver, table)
    parked = driver.held_point(table)
    x, y, z = table.hand.position
    table.hand.move((x + 0.08, y, z), 0.5)
    assert driver.held_point(table) == pytest.approx(parked, abs=0.003)
    table.hand.grab()
    table.hand.move((x + 0.03, y, z + 0.04), 0.5)
    assert table.game.match.holding
    assert driver.held_point(table) != pytest.approx(parked, abs=0.01), "the hand moves the piece again"


@pytest.mark.parametrize(
    ("driver", "kind"), [("moon", "dwell"), ("lake", "pinch"), ("toy", "pinch")], indirect=["driver"]
)
def test_waving_an_open_hand_puts_the_piece_back(driver: Driver, kind: str, seat: Seats) -> None:
    """A hand that holds by dwelling is open and needn't park the piece first."""
    table = seat(driver.name, "--players", driver.players, "--grip", kind)
    table.hand.kind = kind
    (park_piece if kind == "pinch" else grab_piece)(driver, table)
    player, turn = table.on_turn, table.game.turns_played
    table.hand.wave()
    table.hand.move((0.30, -0.05, 0.15), 0.3)
    table.hand.rest(0.7)
    assert not table.game.match.holding
    assert (table.on_turn, table.game.turns_played) == (player, turn)


def test_shaking_a_hand_rolls_the_die_if_there_is_one(driver: Driver, table: IdealTable) -> None:
    table.until(lambda: table.game.match.at_rest, "rest")
    is_awaiting, moves = table.game.is_awaiting_roll, len(table.saved.moves)
    table.hand.rest(0.5)
    table.hand.shake()
    table.hand.rest(0.5)
    assert not table.game.is_awaiting_roll
    assert (len(table.saved.moves) > moves) is is_awaiting, "in a game without a die, nothing happens"


# One hand ----------------------------------------------------------------------------------------------------


def test_a_second_hand_causes_a_warning(driver: Driver, table: IdealTable) -> None:
    show_second_hand(driver, table)
    assert text("watch.second_hand") in table.hud_text
    assert any(hand.is_unwanted for hand in table.scene.hands)


@pytest.mark.parametrize(
    "name", [d.name for d in DRIVERS.values() if ("--one-hand", "off") not in d.lacks_options]
)
def test_the_second_hand_watch_can_be_switched_off(name: str, seat: Seats) -> None:
    table = seat(name, "--players", DRIVERS[name].players, "--one-hand", "off")
    show_second_hand(DRIVERS[name], table)
    assert text("watch.second_hand") not in table.hud_text
    assert not any(hand.is_unwanted for hand in table.scene.hands)


def show_second_hand(driver: Driver, table: IdealTable) -> None:
    grab_piece(driver, table)
    x, y, z = table.hand.position
    for _ in range(45):
        table.step(table.hand.view, table.hand.at((x - 0.06, y, z + 0.02), 0.0, "left"))
    assert table.game.match.holding
