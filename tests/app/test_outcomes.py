"""What comes of a press at the table, whatever device it is asked for with: not that it was heard, but what it did."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from support.app_kit import FRAME_S
from support.doors_kit import a_home
from support.evening_kit import DEVICES, MOST_STEPS, Evening, item_of, way_to

from armoon.games.moon.play import MoonGame
from armoon.messages import set_language
from armoon.screens.state import PageName
from armoon.values.facts import PieceStatus

pytestmark = pytest.mark.slow
PATIENCE_S = 40.0
#: A ladder that nothing holds has fallen by then, and the turn is judged.
LONG_S = 4.0
#: At the table a gamepad's cross is the window's to hear, not the page's.
BY_PAGE = tuple(name for name in DEVICES if name != "gamepad")
#: Keys and buttons of the table itself, and the gamepad's cross.
BY_TABLE = ("key", "button", "cross")


class Chosen(Evening):
    """An evening of somebody who is offered places, with a ladder in the lid."""

    def __init__(self) -> None:
        super().__init__("moon", "Ann,Ben", games=("moon",))
        self.choose(*way_to("moon", self.screens))
        wishes = replace(self.screens.preferences, choosing=True)
        self.front.screens = replace(self.screens, preferences=wishes)
        self.wait_for(lambda: self.moon.asks_for_roll and self.moon.match.at_rest, "the die")
        self.controls.key("space", True)
        self.wait_for(lambda: item_of(self.screens, "choose free") is not None, "a ladder to place")

    @property
    def moon(self) -> MoonGame:
        game = self.game
        assert isinstance(game, MoonGame)
        return game

    def wait_for(self, true: Callable[[], bool], what: str) -> None:
        end_s = self.now_s + PATIENCE_S
        while not true():
            assert self.now_s < end_s, f"waited in vain for {what}: {self.glass}"
            self.live()
            told = self.screens.choices
            if (
                told.said and not told.choices
            ):  # the search has a clock of its own: the game's stands still for it
                time.sleep(0.02)
                end_s += FRAME_S

    def rest_s(self, seconds: float) -> None:
        end_s = self.now_s + seconds
        while self.now_s < end_s:
            self.live()
            if self.screens.page is PageName.VERDICT:
                self.back_to_the_table()

    def by(self, device: str, act: str, key: str, button: str) -> None:
        """Ask for it as this device does: what is offered for it, or its own key or button."""
        if device == "key":
            self.controls.key(key, True)
        elif device == "button":
            if not self.front.pad(button, True):
                self.controls.pad(button, True)
        elif device == "cross":
            for _ in range(MOST_STEPS):
                if self.front.looked_at == act:
                    break
                assert self.front.pad("down", True)
            assert self.front.looked_at == act, "the cross never comes to it"
            assert self.front.pad("a", True)
            self.frame()
        else:
            wishes, self._press = self.screens.preferences, DEVICES[device]
            self.choose(f"choose {act}")
            self.front.screens = replace(self.screens, preferences=wishes)

    def carried_freely(self) -> None:
        self.choose("choose free")
        self.wait_for(
            lambda: item_of(self.screens, "choose put_back") is not None, "a ladder over everything"
        )

    def carried_aside(self) -> None:
        self.carried_freely()
        self.choose("choose left")
        self.rest_s(2.0)
        self.choose("choose stop")
        self.rest_s(0.2)

    def carried_to_a_place(self) -> None:
        self.wait_for(lambda: item_of(self.screens, "choose place 1") is not None, "a place")
        self.choose("choose place 1")
        self.wait_for(lambda: item_of(self.screens, "choose put_back") is not None, "a ladder over its place")


STATES = {
    "freely": Chosen.carried_freely,
    "aside": Chosen.carried_aside,
    "a place": Chosen.carried_to_a_place,
}


@pytest.fixture
def chosen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Chosen]:
    a_home(tmp_path, monkeypatch)
    monkeypatch.setattr("armoon.games.moon.choosing.offers.SEARCH_S", 900.0)  # however busy the machine is
    evening = Chosen()
    yield evening
    evening.host.clear_table()
    set_language("en")


@pytest.mark.parametrize("device", [*BY_PAGE, *BY_TABLE])
@pytest.mark.parametrize("state", STATES)
def test_what_is_put_back_stands_in_the_lid_and_nobody_pays(chosen: Chosen, device: str, state: str) -> None:
    before = chosen.moon.match.state
    STATES[state](chosen)
    assert before.ladder is not None
    assert chosen.moon.match.facts.held == before.ladder
    chosen.by(device, "put_back", "b", "b")
    chosen.rest_s(LONG_S)
    after = chosen.moon.match.state
    assert after == before, "nobody paid, and it is the same turn"
    assert chosen.moon.match.facts[before.ladder].status is PieceStatus.OFFERED
    assert item_of(chosen.screens, "choose free") is not None, "it can be taken again"
