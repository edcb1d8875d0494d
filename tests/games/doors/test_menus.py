"""From the title to every game and back by every device; what a page offers does something."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from games.drivers.driver import Driver
from support.evening_kit import DEVICES, Evening, first_page, item_of, way_to

from armoon.games import GAMES
from armoon.games.contract import GameKind, load_kind
from armoon.screens.state import PageName


@pytest.fixture(params=["mouse"])
def device(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def evening(driver: Driver, device: str, home: Path) -> Iterator[Evening]:
    evening = Evening(driver.name, driver.players, games=tuple(GAMES), device=device)
    yield evening
    evening.host.clear_table()


def begin(driver: Driver, evening: Evening) -> None:
    evening.choose(*way_to(driver.name, evening.screens))
    evening.back_to_the_table()


EVERY_DEVICE = pytest.mark.parametrize("device", DEVICES, indirect=True)


@EVERY_DEVICE
def test_a_game_is_begun_paused_and_left(driver: Driver, evening: Evening) -> None:
    begin(driver, evening)
    assert evening.saved.game == driver.name
    driver.turn_by_keys(evening)
    evening.back_to_the_table()
    moves = len(evening.saved.moves)
    who = evening.on_turn
    evening.pause()
    pages = [evening.screens.page]
    tick = evening.game.match.tick
    evening.rest(1.0)
    assert evening.game.match.tick == tick
    evening.choose("leave", "leave")
    pages.append(evening.screens.page)
    assert pages == [PageName.PAUSE, PageName.TITLE]
    assert evening.host.table is None
    evening.choose("resume")
    evening.back_to_the_table()
    assert (len(evening.saved.moves), evening.on_turn) == (moves, who)


PAUSE_WIDGETS = ("verdict", "give_up", "score", "undo", "overrule")


@pytest.mark.parametrize("widget", PAUSE_WIDGETS)
def test_what_the_pause_page_offers_does_something(driver: Driver, widget: str, evening: Evening) -> None:
    begin(driver, evening)
    driver.turn_by_keys(evening)
    evening.back_to_the_table()
    driver.ready(evening)
    evening.rest(6.0)
    evening.choose("pause")
    if item_of(evening.screens, widget) is None:
        return  # not offered: nothing is promised
    moves, glass, board = len(evening.saved.moves), evening.glass, evening.scene.hud.players
    evening.choose(widget)
    if evening.screens.page is PageName.GIVE_UP:
        evening.choose("give_up")
    if evening.screens.page is PageName.OVERRULE:
        evening.choose("add 0")
    if evening.screens.page is PageName.GIVE_UP:
        evening.choose("give_up")
    if evening.screens.page is PageName.VERDICT:
        return
    evening.rest(1.0)
    changed = (len(evening.saved.moves), evening.glass, evening.scene.hud.players)
    assert changed != (moves, glass, board), f"{widget} is offered, and nothing comes of it"


def test_tears_are_added_and_given_back_where_that_is_offered(driver: Driver, evening: Evening) -> None:
    begin(driver, evening)
    driver.turn_by_keys(evening)
    evening.back_to_the_table()
    evening.choose("pause")
    if item_of(evening.screens, "overrule") is None:
        return
    for widget in ("add 0", "give 0"):
        if evening.screens.page is not PageName.PAUSE:
            evening.choose("pause")
        board = evening.scene.hud.players
        evening.choose("overrule", widget)
        evening.rest(1.0)
        assert evening.scene.hud.players != board, widget


def test_the_end_is_told(driver: Driver, evening: Evening) -> None:
    begin(driver, evening)
    while not evening.game.match.over:
        driver.turn_by_keys(evening)
        evening.rest(0.5)
        if evening.screens.page is not PageName.RESULT and not evening.game.match.over:
            evening.back_to_the_table()
    evening.rest(3.0)
    assert evening.screens.page is PageName.RESULT
    told = evening.screens.result
    assert told is not None
    assert told.sentence
    assert [line.name for line in told.lines] == driver.players.split(",")
    assert any(line.winner for line in told.lines)
    assert [line.colours for line in told.lines] == [one.swatches for one in evening.scene.hud.players]
    reviewed = type(load_kind(driver.name)).review_match is not GameKind.review_match
    assert (item_of(evening.screens, "review") is not None) == reviewed, (
        "a review is offered where there is one"
    )
    if reviewed:
        evening.choose("review")
        assert item_of(evening.screens, "again") is None, "it is another page"
        evening.choose("back")
    evening.choose("again")
    evening.back_to_the_table()
    assert not evening.game.match.over
    assert evening.saved.game == driver.name


def test_no_party_of_the_wrong_size_comes_to_the_table(driver: Driver) -> None:
    """The players' page refuses what the command line refuses."""
    for names in driver.wrong_players:
        party = names.split(",")[:6]
        if len(party) < len(names.split(",")):
            continue  # no page seats more than six
        screens = first_page(*party, games=tuple(GAMES))
        with pytest.raises(AssertionError, match="no page leads"):
            way_to(driver.name, screens, but=("add", "remove"))
