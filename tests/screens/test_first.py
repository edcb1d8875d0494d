"""The page that decides who begins: by the edition's rule, by profiles, by chance, or by choice."""

from __future__ import annotations

import datetime
from dataclasses import replace

import pytest
from support.screens_kit import fresh
from support.session_kit import by_mouse as press

from armoon import messages
from armoon.games.moon.editions import EditionName
from armoon.games.moon.options import MoonOptions
from armoon.games.shared import FirstPlayer, draw_first_player
from armoon.screens.events import StartGame
from armoon.screens.machine import build_page
from armoon.screens.state import PageName, Screens
from armoon.values.page import Page

WAYS = ("moon", "age", "chance", "chosen")


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "_language", "en")


def lit_names(page: Page, names: tuple[str, ...]) -> list[str]:
    return [name for name in names if page[name].chosen]


def player_buttons(screens: Screens) -> tuple[str, ...]:
    return tuple(f"player {seat}" for seat in range(len(screens.form.players)))


def first_page(edition: str = "bombyx-2017", seats: int = 3) -> Screens:
    screens = fresh(seats)
    form = screens.form.with_options(MoonOptions(EditionName(edition)))
    return replace(screens, form=form).go_to(PageName.FIRST)


def start_game(screens: Screens) -> StartGame:
    (start,) = press(screens.go_to(PageName.MORE), "start")[1]
    assert isinstance(start, StartGame)
    return start


@pytest.mark.parametrize(("edition", "way"), [("bombyx-2017", "chosen"), ("kosmos-2022", "moon")])
def test_the_editions_own_rule_is_preselected(edition: str, way: str) -> None:
    """M3"""
    page = build_page(first_page(edition))
    assert lit_names(page, WAYS) == [way]
    assert ("(rulebook)" in page["moon"].text) is (way == "moon")


def test_a_single_player_is_not_asked_who_begins() -> None:
    screens, _ = press(fresh(3).go_to(PageName.MORE), "first")
    assert screens.page is PageName.FIRST
    screens, _ = press(screens, "done")
    assert screens.page is PageName.MORE
    assert "first" not in {widget.name for widget in build_page(fresh(1).go_to(PageName.MORE)).widgets}


def test_dates_decide_who_begins_and_reach_the_game() -> None:
    """M3"""
    screens = first_page("kosmos-2022")
    form = screens.form.with_player_changes(2, full_moon=datetime.date(2026, 10, 26))
    form = form.with_player_changes(0, full_moon=datetime.date(2026, 9, 26))
    form = form.with_player_changes(1, born=datetime.date(2019, 1, 1))
    screens = replace(screens, form=form)
    page = build_page(screens)
    assert lit_names(page, player_buttons(screens)) == ["player 2"]
    assert page["why 0"].text == "Cleo saw a full moon most recently and begins."
    assert start_game(screens).begins == FirstPlayer(2, "moon.full_moon")
    screens, _ = press(screens, "age")
    assert lit_names(build_page(screens), (*WAYS, *player_buttons(screens))) == ["age", "player 1"]
    assert start_game(screens).begins == FirstPlayer(1, "age.youngest")


@pytest.mark.parametrize("way", ["moon", "age"])
def test_without_dates_the_page_says_so_and_who_begins(way: str) -> None:
    screens, _ = press(first_page(), way)
    reason = build_page(screens)["why 0"].text
    assert "birthdays" in reason.lower()
    assert "Ann begins, first in the list" in reason
    assert start_game(screens).begins == FirstPlayer(0, f"{way}.seat")


def test_chance_shows_the_player_that_the_next_games_seed_picks() -> None:
    screens, _ = press(first_page(seats=6), "chance")
    picked = set()
    for seed in range(30):
        screens = replace(screens, seed=seed)
        (button,) = lit_names(build_page(screens), player_buttons(screens))
        assert button == f"player {draw_first_player(6, seed)}"
        assert start_game(screens).begins == FirstPlayer(draw_first_player(6, seed), "chance")
        picked.add(button)
    assert picked == set(player_buttons(screens))


def test_pressing_a_name_chooses_who_begins() -> None:
    screens, _ = press(first_page("kosmos-2022"), "player 1")
    assert lit_names(build_page(screens), (*WAYS, *player_buttons(screens))) == ["chosen", "player 1"]
    assert start_game(screens).begins == FirstPlayer(1, "chosen")
    # A player who leaves the party can't begin.
    fewer = replace(screens, form=screens.form.remove_player(2).remove_player(1))
    assert fewer.form.first_player(1).seat == 0


def test_at_the_lake_the_first_player_chooses_the_first_colour() -> None:
    """L2"""
    screens, _ = press(fresh(3).go_to(PageName.GAME), "lake")
    screens, _ = press(screens, "first")
    page = build_page(screens)
    assert screens.page is PageName.FIRST
    assert lit_names(page, WAYS) == ["chosen"]
    assert "chooses last plays first" in page["why 1"].text
    screens, _ = press(screens, "player 2")
    assert start_game(screens).begins == FirstPlayer(2, "chosen")


def test_a_chosen_player_stays_when_the_order_changes() -> None:
    screens, _ = press(first_page(), "player 2")
    moved = screens.form.move_player(2, -2)
    assert moved.players[moved.first_player(1).seat].name == "Cleo"
    assert screens.form.remove_player(2).move_player(0, 1).first_player(1).seat == 1, (
        "without Cleo, Ann begins, also after a move"
    )
