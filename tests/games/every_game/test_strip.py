"""The strip of key hints for every game, device and phase of a turn."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial

from games.drivers import DRIVERS
from games.drivers.driver import Driver
from games.every_game.steps import grab_piece
from support.screens_kit import fresh, in_game
from support.table_kit import IdealTable, Seats

from armoon.app.front import Front
from armoon.games.contract import format_keys, remove_hinted_keys
from armoon.messages import LANGUAGES, set_language, text
from armoon.screens.state import OpenChoices, PageName
from armoon.settings.preferences import Preferences
from armoon.values.choices import Device, Way
from armoon.values.places import TableChoice


def test_each_device_has_key_hints_of_its_own(driver: Driver, seat: Seats) -> None:
    table = seat(driver.name, "--players", driver.players)
    hints: list[dict[Device, str]] = []

    def record_hints() -> None:
        hints.append({device: format_keys(table.game, device) for device in Device})

    table.rest(0.1)
    record_hints()
    driver.prepare_turn(table)
    record_hints()
    grab_piece(driver, table)
    record_hints()
    for moment in hints:
        assert all(moment.values())
        assert len(set(moment.values())) == len(Device), "no two devices have the same hints"
    assert hints[1][Device.HAND] != hints[2][Device.HAND], "the hints for taking and carrying a piece differ"
    for language in LANGUAGES:
        set_language(language)
        assert all(format_keys(table.game, device) for device in Device)


def test_the_strip_names_no_key_that_the_hint_names(driver: Driver, seat: Seats) -> None:
    for language in LANGUAGES:
        set_language(language)
        table = seat(driver.name, "--players", driver.players)
        for step in (
            partial(table.rest, 0.1),
            partial(driver.prepare_turn, table),
            partial(grab_piece, driver, table),
        ):
            step()
            hint = table.game.build_scene(1.0, "").hud.hint
            for device in Device:
                strip = remove_hinted_keys(hint, format_keys(table.game, device))
                for part in strip.split(" · "):
                    key = re.split(r"\s?: ", part)[0].lower()
                    assert not key or not re.search(rf"(?<!\w){re.escape(key)}(?!\w)", hint.lower()), (
                        hint,
                        strip,
                    )


def test_keys_named_by_the_hint_are_left_out_of_the_strip() -> None:
    assert remove_hinted_keys("Roll the die: a click anywhere", "Click: roll the die · U back") == "U back"
    assert remove_hinted_keys("Lance le dé : Espace", "Espace : lancer le dé · Échap menu") == "Échap menu"
    assert remove_hinted_keys("Hands off: let it settle", "Hands off: let it settle") == ""
    assert remove_hinted_keys("Bring it back", "B: put back · Esc menu") == "B: put back · Esc menu", (
        "a word that begins with a key's letter doesn't mention the key"
    )


def test_the_strip_offers_to_take_a_parked_piece(driver: Driver, table: IdealTable) -> None:
    grab_piece(driver, table)
    x, y, z = driver.held_point(table)
    table.hand.reach((x, y, z + 0.12), lambda: driver.held_point(table))
    table.hand.release()
    table.rest(0.5)
    assert table.game.match.is_parked
    for device in (Device.HAND, Device.MOUSE):
        assert format_keys(table.game, device) == text(f"strip.{device}.take_plain")


def test_the_strip_names_another_ladder_only_if_one_can_be_drawn(seat: Seats) -> None:
    table = seat("moon", "--players", "Ann,Ben", "--draw-any")
    DRIVERS["moon"].prepare_turn(table)
    assert text("strip.another") in format_keys(table.game, Device.KEYS, draws_any=True)
    assert text("strip.another") not in format_keys(table.game, Device.KEYS)


def test_the_strip_names_undo_only_after_a_turn(seat: Seats) -> None:
    table = seat("moon", "--players", "Ann,Ben")
    table.rest(0.1)
    for device in (Device.KEYS, Device.MOUSE):
        assert text("strip.undo") in format_keys(table.game, device, can_undo=True)
        assert text("strip.undo") not in format_keys(table.game, device)


def test_the_strip_appears_at_the_table_and_can_be_switched_off(driver: Driver, table: IdealTable) -> None:
    driver.prepare_turn(table)
    front = Front(replace(in_game(fresh(2)), device=Device.MOUSE))
    assert front.describe_keys(table.game) == format_keys(table.game, Device.MOUSE) != ""
    front.set_device(Device.PAD)
    assert front.describe_keys(table.game) == format_keys(table.game, Device.PAD)
    front.screens = replace(front.screens, choices=OpenChoices((TableChoice("place 1", "Place 1"),)))
    assert front.describe_keys(table.game).startswith(text("strip.pad.places"))
    preferences = replace(front.screens.preferences, show_keys=False)
    assert Front(replace(front.screens, preferences=preferences)).describe_keys(table.game) == ""
    assert Front(front.screens.go_to(PageName.PAUSE)).describe_keys(table.game) == "", (
        "key hints are shown only at the table"
    )


def test_the_strip_explains_how_to_choose_before_a_device_is_used(driver: Driver, table: IdealTable) -> None:
    driver.prepare_turn(table)
    table.rest(0.5)
    preferences = replace(Preferences(), choosing=True)
    screens = replace(in_game(fresh(2)), preferences=preferences, device=Device.HAND)
    with_choices = replace(screens, choices=OpenChoices((TableChoice("roll", text("choose.roll")),)))
    for device in (Device.HAND, Device.MOUSE):
        assert Front(replace(with_choices, device=device)).describe_keys(table.game) == text(
            f"strip.{device}.pick"
        )
        assert Front(replace(screens, device=device)).describe_keys(table.game) == format_keys(
            table.game, device
        )
    for way, key in (
        (Way.SWITCH, "switch"),
        (Way.SWITCHES, "switches"),
        (Way.VOICE, "voice"),
        (Way.HEAD, "head"),
    ):
        hints = Front(replace(with_choices, preferences=replace(preferences, way=way))).describe_keys(
            table.game
        )
        assert hints == text(f"strip.{key}"), "the hint of the player's way to play replaces the device's"


def test_the_lake_shows_no_waiting_hint_before_the_first_choice(seat: Seats) -> None:
    table = seat("lake", "--players", "Ann,Ben")
    table.rest(1.0)
    assert table.game.match.at_rest
    for device in (Device.HAND, Device.MOUSE):
        assert format_keys(table.game, device) == text(f"strip.{device}.take_plain")


def test_a_finished_game_has_no_key_hints(seat: Seats) -> None:
    table = seat("moon", "--players", "Ann,Ben", "--supply", "1")
    DRIVERS["moon"].finish_game(table)
    assert {format_keys(table.game, device) for device in Device} == {""}
