"""Every game can be started from the title with a device, and left again; every offered widget has an effect."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle
from pathlib import Path

import pytest
from games.drivers import DRIVERS
from games.drivers.driver import Driver
from support.session_kit import DEVICES, AppSession, find_item, first_page, way_to

from armoon.games import GAMES
from armoon.games.contract import GameKind, load_kind
from armoon.screens.machine import pass_time
from armoon.screens.pages.result import ALONE_S
from armoon.screens.state import PageName


@pytest.fixture(params=["mouse"])
def device(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def session(driver: Driver, device: str, home: Path) -> Iterator[AppSession]:
    session = AppSession(driver.name, driver.players, games=tuple(GAMES), device=device)
    yield session
    session.host.close_table()


def begin_game(driver: Driver, session: AppSession) -> None:
    session.choose(*way_to(driver.name, session.screens))
    session.return_to_table()


@pytest.mark.parametrize(
    ("driver", "device"), list(zip(cycle(DRIVERS), DEVICES, strict=False)), indirect=True
)
def test_a_game_is_started_paused_left_and_resumed(driver: Driver, session: AppSession) -> None:
    begin_game(driver, session)
    assert session.saved.game == driver.name
    driver.play_turn(session)
    session.return_to_table()
    moves = len(session.saved.moves)
    player = session.on_turn
    session.pause()
    pages = [session.screens.page]
    tick = session.game.match.tick
    session.rest(1.0)
    assert session.game.match.tick == tick
    session.choose("leave", "leave")
    pages.append(session.screens.page)
    assert pages == [PageName.PAUSE, PageName.TITLE]
    assert session.host.table is None
    session.choose("resume")
    session.return_to_table()
    assert (len(session.saved.moves), session.on_turn) == (moves, player)


PAUSE_WIDGETS = ("verdict", "give_up", "score", "undo", "overrule")


@pytest.mark.parametrize("widget", PAUSE_WIDGETS)
def test_each_pause_widget_has_an_effect(driver: Driver, widget: str, session: AppSession) -> None:
    begin_game(driver, session)
    driver.play_turn(session)
    session.return_to_table()
    driver.prepare_turn(session)
    session.rest(6.0)
    session.choose("pause")
    if find_item(session.screens, widget) is None:
        return  # the game doesn't offer it
    moves, words, board = len(session.saved.moves), session.hud_text, session.scene.hud.players
    session.choose(widget)
    if session.screens.page is PageName.GIVE_UP:
        session.choose("give_up")
    if session.screens.page is PageName.OVERRULE:
        session.choose("add 0")
    if session.screens.page is PageName.GIVE_UP:
        session.choose("give_up")
    if session.screens.page is PageName.VERDICT:
        return
    session.rest(1.0)
    changed = (len(session.saved.moves), session.hud_text, session.scene.hud.players)
    assert changed != (moves, words, board), f"{widget} is offered but has no effect"


def test_tears_are_added_and_given_back_where_offered(driver: Driver, session: AppSession) -> None:
    begin_game(driver, session)
    driver.play_turn(session)
    session.return_to_table()
    session.choose("pause")
    if find_item(session.screens, "overrule") is None:
        return
    for widget in ("add 0", "give 0"):
        if session.screens.page is not PageName.PAUSE:
            session.choose("pause")
        board = session.scene.hud.players
        session.choose("overrule", widget)
        session.rest(1.0)
        assert session.scene.hud.players != board, widget


def test_the_end_of_the_game_leads_to_the_result_page(driver: Driver, session: AppSession) -> None:
    begin_game(driver, session)
    while not session.game.match.over:
        driver.play_turn(session)
        session.rest(0.5)
        if not session.game.match.over:
            session.return_to_table()
    session.rest(3.0)
    session.front.apply(pass_time, ALONE_S)
    assert session.screens.page is PageName.RESULT
    result = session.screens.result
    assert result is not None
    assert result.sentence
    assert [line.name for line in result.lines] == driver.players.split(",")
    assert any(line.winner for line in result.lines)
    assert [line.colours for line in result.lines] == [p.swatches for p in session.scene.hud.players]
    reviewed = type(load_kind(driver.name)).review_match is not GameKind.review_match
    assert (find_item(session.screens, "review") is not None) == reviewed, "a wrong offer of a review"
    if reviewed:
        session.choose("review")
        assert find_item(session.screens, "again") is None, "the review is another page"
        session.choose("back")
    session.choose("again")
    session.return_to_table()
    assert not session.game.match.over
    assert session.saved.game == driver.name


def test_no_page_starts_a_party_of_the_wrong_size(driver: Driver) -> None:
    for names in driver.wrong_players:
        party = names.split(",")[:6]
        if len(party) < len(names.split(",")):
            continue  # the pages offer at most six seats
        screens = first_page(*party, games=tuple(GAMES))
        with pytest.raises(AssertionError, match="no page leads"):
            way_to(driver.name, screens, but=("add", "remove"))
