"""A player's profile on its pages: colour, hand, order and dates; a known player's profile is loaded."""

from __future__ import annotations

import datetime
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.screens_kit import LAST_GAME, TODAY, fresh, saved_players
from support.screens_kit import press_widget as press

from armoon import messages
from armoon.screens import events
from armoon.screens.form import make_form
from armoon.screens.layout import begin_turn, set_preference
from armoon.screens.machine import build_page, is_running
from armoon.screens.measuring import ReactionMeasurement
from armoon.screens.pages.players import find_last_full_moon
from armoon.screens.state import PageName, Screens
from armoon.settings.preferences import PERIODS_S, Preferences
from armoon.values.choices import HandPreference, Palette, SeatName, Way
from armoon.values.player_settings import Handicap, PlayerSettings, VisualAids

EVA = events.FormPlayer("Eva", 1, HandPreference.LEFT, datetime.date(2012, 2, 29), datetime.date(2026, 9, 26))


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "_language", "en")


def open_profile(seat: int = 0) -> Screens:
    screens, _ = press(fresh(3).go_to(PageName.PLAYERS), f"profile {seat}")
    assert screens.page is PageName.PROFILE
    return screens


def test_colour_and_hand_are_saved_as_chosen() -> None:
    screens, actions = press(open_profile(2), "colour")
    assert saved_players(actions) == [events.FormPlayer("Cleo", 3)]
    assert build_page(screens)["colour"].swatches == (events.COLOURS[3],)
    screens, actions = press(screens, "hand", less=True)
    assert saved_players(actions) == [events.FormPlayer("Cleo", 3, HandPreference.LEFT)]
    assert build_page(screens)["hand"].value == "left"
    start = screens.form.start_game()
    assert start.party.hands == ("either", "either", "left")
    assert start.party.colours[2] == events.COLOURS[3]


def test_the_page_stays_with_a_player_whose_seat_changes() -> None:
    screens, _ = press(open_profile(0), "order")
    assert [player.name for player in screens.form.players][1] == "Ann"
    assert build_page(screens)["name"].text == "Ann"
    assert build_page(screens)["order"].value == "2 of 3"
    for _ in range(2):
        screens, _ = press(screens, "order", less=True)
    assert [player.name for player in screens.form.players][2] == "Ann"


def test_a_birthday_is_set_by_steps_and_can_be_removed() -> None:
    screens, _ = press(open_profile(1), "born")
    assert screens.page is PageName.DATE
    first = screens.date
    screens, _ = press(screens, "year")
    screens, _ = press(screens, "month", less=True)
    screens, _ = press(screens, "day", less=True)
    birthday = datetime.date(first.year + 1, 12, 31)
    assert screens.date == birthday
    screens, actions = press(screens, "done")
    assert screens.page is PageName.PROFILE
    (saved,) = saved_players(actions)
    assert saved.born == birthday
    assert build_page(screens)["born"].text == f"Birthday: 31 December {birthday.year}"
    reopened, _ = press(screens, "born")
    assert reopened.date == birthday
    screens, _ = press(reopened, "unknown")
    assert screens.form.players[1].born is None


def test_the_latest_full_moon_is_one_press_away() -> None:
    screens, _ = press(open_profile(0), "full_moon")
    screens, actions = press(screens, "latest")
    (saved,) = saved_players(actions)
    assert saved.full_moon == datetime.date(2026, 10, 25)


@given(st.lists(st.tuples(st.sampled_from(["year", "month", "day"]), st.booleans()), max_size=40))
def test_every_step_leads_to_a_date_in_range(steps: list[tuple[str, bool]]) -> None:
    screens = replace(open_profile(0).go_to(PageName.DATE), date=datetime.date(2024, 2, 29))
    for name, less in steps:
        screens, _ = press(screens, name, less=less)
        assert 1900 <= screens.date.year <= TODAY.year


@pytest.mark.parametrize(
    "day", [(2011, 3, 19), (2023, 8, 31), (2024, 1, 25), (2024, 2, 24), (2025, 11, 5), (2026, 11, 24)]
)
def test_full_moons_match_the_almanac_to_a_day(day: tuple[int, int, int]) -> None:
    moon = datetime.date(*day)
    assert abs(find_last_full_moon(moon + datetime.timedelta(days=3)) - moon) <= datetime.timedelta(days=1)


# Known players -------------------------------------------------------------------------------------------------


def test_a_known_players_hand_and_dates_are_loaded() -> None:
    form = make_form(("Ann", "Eva"), "moon", {}, SeatName.MIRROR, (EVA,))
    assert form.players[1] == EVA
    assert form.players[0].colour != EVA.colour
    renamed = make_form(("Ann", "Ben"), "moon", {}, SeatName.MIRROR, (EVA,)).rename_player(1, "Eva")
    assert renamed.players[1].hand == "left"
    rival = replace(EVA, colour=renamed.players[0].colour)
    recoloured = make_form(("Ann", "Ben"), "moon", {}, SeatName.MIRROR, (rival,)).rename_player(1, "Eva")
    assert recoloured.players[0].colour != recoloured.players[1].colour
    added = make_form(("Ann", "Ben"), "moon", {}, SeatName.MIRROR, (EVA,)).add_player()
    assert added.players[2].name == "Eva"


@given(st.lists(st.sampled_from("ABCDEF"), unique=True, min_size=1), st.lists(st.integers(0, 5), max_size=6))
def test_everybody_at_the_table_has_a_colour_of_their_own(names: list[str], colours: list[int]) -> None:
    known = tuple(events.FormPlayer(name, colour) for name, colour in zip("ABCDEF", colours, strict=False))
    players = events.seat_players(names, known)
    assert len({player.colour for player in players}) == len(names)
    assert [player.name for player in players] == names
    first_colour = {player.colour for player in known if player.name == names[0]}
    assert not first_colour or players[0].colour in first_colour


# Resuming the last game ----------------------------------------------------------------------------------------


def test_an_unfinished_game_can_be_resumed_from_the_title() -> None:
    assert "resume" not in {widget.name for widget in build_page(fresh()).widgets}
    title = replace(fresh(2), unfinished=(LAST_GAME,))
    assert build_page(title)["resume"].value == "The moon, turn 12 · Ann + 2"
    at_table, actions = press(title, "resume")
    assert actions == (events.Ask(events.Request.RESUME_GAME, LAST_GAME),)
    assert is_running(at_table)
    assert at_table.party == LAST_GAME.players
    assert at_table.form.options == LAST_GAME.options
    start = at_table.form.tidy().start_game()
    assert (start.party.names, start.options) == (LAST_GAME.players, LAST_GAME.options), "the same game"


def test_a_handicap_is_saved_as_chosen_and_stays_with_the_player() -> None:
    screens, actions = press(open_profile(2), "handicap")
    assert (screens.page, actions) == (PageName.HANDICAP, ())
    screens, _ = press(screens, "spared")
    screens, _ = press(screens, "hints", less=True)
    screens, actions = press(screens, "helps")
    chosen = Handicap(spared=1, hints=10, helps=VisualAids.ALL)
    assert saved_players(actions) == [events.FormPlayer("Cleo", 2, handicap=chosen)]
    assert build_page(screens)["spared"].value == "1"
    assert build_page(screens)["hints"].value == "10"
    screens, _ = press(screens, "back")
    assert screens.page is PageName.PROFILE
    assert "1 mistake free, 10 hints, all visual aids" in build_page(screens)["handicap"].text
    moved = screens.form.move_player(2, 1)
    assert moved.players[0].handicap == chosen


def test_a_players_way_is_saved_in_the_profile_and_applies_in_their_turns() -> None:
    screens, _ = press(open_profile(1), "habits")
    for name, times in (("way", 5), ("scan_s", 1), ("palette", 2)):
        for _ in range(times):
            screens, actions = press(screens, name)
    ben = events.FormPlayer(
        screens.form.players[1].name, 1, habits=PlayerSettings(Way.SWITCH, PERIODS_S[0], None, Palette.PROTAN)
    )
    assert saved_players(actions) == [ben]
    shared = screens.preferences
    assert shared == Preferences(), "outside their turns the preferences are unchanged"
    screens = replace(screens.reset_to(PageName.TABLE), in_game=True)
    screens, _ = begin_turn(screens, ben.name)
    assert screens.preferences == shared.for_player(ben.habits)
    assert screens.preferences.uses_switch
    screens, actions = set_preference(screens, "palette", Palette.TRITAN)
    assert saved_players(actions) == [replace(ben, habits=replace(ben.habits, palette=Palette.TRITAN))]
    screens, actions = set_preference(screens, "volume", 3)
    assert actions == (events.ChangeSetting("volume", 3),)
    screens, _ = begin_turn(screens, "Ann")
    assert screens.preferences == replace(shared, volume=3)
    screens, _ = begin_turn(screens, ben.name)
    assert (screens.preferences.palette, screens.preferences.volume) == (Palette.TRITAN, 3)
    assert screens.cleared_for(PageName.TITLE).preferences == replace(shared, volume=3)


def test_a_players_reaction_is_measured_for_their_profile() -> None:
    screens, _ = press(open_profile(1), "habits")
    screens, _ = press(screens, "measure")
    screens, actions = press(replace(screens, measuring=ReactionMeasurement((1.0,) * 10)), "take")
    assert screens.page is PageName.HABITS
    player = events.FormPlayer(screens.form.players[1].name, 1, habits=PlayerSettings(scan_s=1.2))
    assert saved_players(actions) == [player]
