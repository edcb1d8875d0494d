"""From the title to every game and back with every device; every offered widget has an effect."""

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


def begin_game(driver: Driver, evening: Evening) -> None:
    evening.choose(*way_to(driver.name, evening.screens))
    evening.back_to_the_table()


EVERY_DEVICE = pytest.mark.parametrize("device", DEVICES, indirect=True)


@EVERY_DEVICE
def test_a_game_is_begun_paused_and_left(driver: Driver, evening: Evening) -> None:
    begin_game(driver, evening)
    assert evening.saved.game == driver.name
    driver.play_turn(evening)
    evening.back_to_the_table()
    moves = len(evening.saved.moves)
    player = evening.on_turn
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
    assert (len(evening.saved.moves), evening.on_turn) == (moves, player)


PAUSE_WIDGETS = ("verdict", "give_up", "score", "undo", "overrule")


@pytest.mark.parametrize("widget", PAUSE_WIDGETS)
def test_each_widget_of_the_pause_page_has_an_effect(driver: Driver, widget: str, evening: Evening) -> None:
    begin_game(driver, evening)
    driver.play_turn(evening)
    evening.back_to_the_table()
    driver.prepare_turn(evening)
    evening.rest(6.0)
    evening.choose("pause")
    if item_of(evening.screens, widget) is None:
        return  # not offered
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
    assert changed != (moves, glass, board), f"{widget} is offered and does nothing"


def test_tears_are_added_and_given_back_where_offered(driver: Driver, evening: Evening) -> None:
    begin_game(driver, evening)
    driver.play_turn(evening)
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


def test_the_end_leads_to_the_result_page(driver: Driver, evening: Evening) -> None:
    begin_game(driver, evening)
    while not evening.game.match.over:
        driver.play_turn(evening)
        evening.rest(0.5)
        if evening.screens.page is not PageName.RESULT and not evening.game.match.over:
            evening.back_to_the_table()
    evening.rest(3.0)
    assert evening.screens.page is PageName.RESULT
    result = evening.screens.result
    assert result is not None
    assert result.sentence
    assert [line.name for line in result.lines] == driver.players.split(",")
    assert any(line.winner for line in result.lines)
    assert [line.colours for line in result.lines] == [one.swatches for one in evening.scene.hud.players]
    reviewed = type(load_kind(driver.name)).review_match is not GameKind.review_match
    assert (item_of(evening.screens, "review") is not None) == reviewed, "a review is offered if there is one"
    if reviewed:
        evening.choose("review")
        assert item_of(evening.screens, "again") is None, "the review is another page"
        evening.choose("back")
    evening.choose("again")
    evening.back_to_the_table()
    assert not evening.game.match.over
    assert evening.saved.game == driver.name


def test_no_page_starts_a_party_of_the_wrong_size(driver: Driver) -> None:
    """The players' page refuses what the command line refuses."""
    for names in driver.wrong_players:
        party = names.split(",")[:6]
        if len(party) < len(names.split(",")):
            continue  # no page seats more than six
        screens = first_page(*party, games=tuple(GAMES))
        with pytest.raises(AssertionError, match="no page leads"):
            way_to(driver.name, screens, but=("add", "remove"))
