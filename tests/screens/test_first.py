"""The page that settles who begins: the edition's way first, profiles that don't tell, chance by the game's seed."""

from __future__ import annotations

import datetime
from dataclasses import replace

import pytest
from support.evening_kit import by_mouse as press
from support.screens_kit import fresh

from armoon import messages
from armoon.games.moon.editions import EditionName
from armoon.games.moon.options import MoonOptions
from armoon.games.shared import FirstPlayer, first_by_chance
from armoon.screens.events import StartGame
from armoon.screens.machine import page_of
from armoon.screens.state import PageName, Screens
from armoon.values.page import Page

WAYS = ("moon", "age", "chance", "chosen")


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "_language", "en")


def lit(page: Page, names: tuple[str, ...]) -> list[str]:
    return [name for name in names if page[name].chosen]


def plates(screens: Screens) -> tuple[str, ...]:
    return tuple(f"player {seat}" for seat in range(len(screens.form.players)))


def at_first(edition: str = "bombyx-2017", seats: int = 3) -> Screens:
    screens = fresh(seats)
    form = screens.form.with_options(MoonOptions(EditionName(edition)))
    return replace(screens, form=form).go_to(PageName.FIRST)


def started(screens: Screens) -> StartGame:
    (start,) = press(screens.go_to(PageName.MORE), "start")[1]
    assert isinstance(start, StartGame)
    return start


@pytest.mark.parametrize(("edition", "way"), [("bombyx-2017", "chosen"), ("kosmos-2022", "moon")])
def test_the_editions_own_way_is_chosen_to_begin_with(edition: str, way: str) -> None:
    """M3"""
    page = page_of(at_first(edition))
    assert lit(page, WAYS) == [way]
    assert ("(rulebook)" in page["moon"].text) is (way == "moon")


def test_nobody_alone_is_asked_who_begins() -> None:
    screens, _ = press(fresh(3).go_to(PageName.MORE), "first")
    assert screens.page is PageName.FIRST
    screens, _ = press(screens, "done")
    assert screens.page is PageName.MORE
    assert "first" not in {widget.name for widget in page_of(fresh(1).go_to(PageName.MORE)).widgets}


def test_dates_tell_who_begins_and_the_game_hears_of_it() -> None:
    """M3"""
    screens = at_first("kosmos-2022")
    form = screens.form.with_player_changes(2, full_moon=datetime.date(2026, 10, 26))
    form = form.with_player_changes(0, full_moon=datetime.date(2026, 9, 26))
    form = form.with_player_changes(1, born=datetime.date(2019, 1, 1))
    screens = replace(screens, form=form)
    page = page_of(screens)
    assert lit(page, plates(screens)) == ["player 2"]
    assert page["why 0"].text == "Cleo saw a full moon most recently and begins."
    assert started(screens).begins == FirstPlayer(2, "moon.full_moon")
    screens, _ = press(screens, "age")
    assert lit(page_of(screens), (*WAYS, *plates(screens))) == ["age", "player 1"]
    assert started(screens).begins == FirstPlayer(1, "age.youngest")


@pytest.mark.parametrize("way", ["moon", "age"])
def test_where_nothing_is_known_the_page_says_so_and_who_begins(way: str) -> None:
    screens, _ = press(at_first(), way)
    said = page_of(screens)["why 0"].text
    assert "birthdays" in said.lower()
    assert "Ann begins, first in the list" in said
    assert started(screens).begins == FirstPlayer(0, f"{way}.seat")


def test_chance_shows_whom_the_seed_of_the_next_game_picks() -> None:
    screens, _ = press(at_first(seats=6), "chance")
    picked = set()
    for seed in range(30):
        screens = replace(screens, seed=seed)
        (plate,) = lit(page_of(screens), plates(screens))
        assert plate == f"player {first_by_chance(6, seed)}"
        assert started(screens).begins == FirstPlayer(first_by_chance(6, seed), "chance")
        picked.add(plate)
    assert picked == set(plates(screens))


def test_the_players_name_somebody_by_pressing_the_name() -> None:
    screens, _ = press(at_first("kosmos-2022"), "player 1")
    assert lit(page_of(screens), (*WAYS, *plates(screens))) == ["chosen", "player 1"]
    assert started(screens).begins == FirstPlayer(1, "chosen")
    # Who leaves the party can't begin.
    fewer = replace(screens, form=screens.form.remove_player(2).remove_player(1))
    assert fewer.form.first_player(1).seat == 0


def test_at_the_lake_it_is_who_chooses_the_first_colour() -> None:
    """L2"""
    screens, _ = press(fresh(3).go_to(PageName.GAME), "lake")
    screens, _ = press(screens, "first")
    page = page_of(screens)
    assert screens.page is PageName.FIRST
    assert lit(page, WAYS) == ["chosen"]
    assert "chooses last plays first" in page["why 1"].text
    screens, _ = press(screens, "player 2")
    assert started(screens).begins == FirstPlayer(2, "chosen")


def test_a_chosen_player_stays_the_one_when_the_order_changes() -> None:
    screens, _ = press(at_first(), "player 2")
    moved = screens.form.move_player(2, -2)
    assert moved.players[moved.first_player(1).seat].name == "Cleo"
    assert screens.form.remove_player(2).move_player(0, 1).first_player(1).seat == 1, (
        "without Cleo, Ann is the one, and stays it"
    )
