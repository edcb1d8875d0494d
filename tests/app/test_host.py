"""The host of an evening, without window and camera: lays tables, changes seats, clears up."""

from __future__ import annotations

import gc
import tempfile
import weakref
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import platformdirs
import pytest
from support.host_kit import Evening, live_in, moon, start

from armoon.app.setup import trials_told
from armoon.games.lake.play import LakeGame
from armoon.games.moon.trials.tasks import task_named
from armoon.messages import text
from armoon.screens.events import Ask, Party, Request, ResumeGame, StartPractice, StartTrial
from armoon.screens.page import page_of
from armoon.values.acts import Act
from armoon.values.choices import SeatName
from armoon.values.pieces import Command


@pytest.fixture
def evening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Evening]:
    live_in(tmp_path, monkeypatch)
    evening = Evening(tmp_path)
    yield evening
    evening.host.clear_table()


def test_the_seat_is_changed_in_the_middle_of_a_game(evening: Evening, tmp_path: Path) -> None:
    evening.host.do(start("moon"))
    evening.turns(60)
    assert evening.host.table is not None
    evening.host.table.controls.ask(Command(Act.ROLL))
    evening.turns(5)
    evening.host.table.controls.ask(Command(Act.GIVE_UP))
    evening.turns(5)
    before = moon(evening).match.state
    assert before.tears == (1, 0)
    evening.host.change_seat()
    after = moon(evening).match
    assert after.table.seat == "table"
    assert not after.table.mirrored
    assert after.state.tears == (1, 0)
    assert after.state.turn == before.turn
    assert after.state.next_face == before.next_face
    assert len(list(tmp_path.glob("*.armoon"))) == 1
    assert len(list(tmp_path.glob("*.jsonl"))) == 2


def test_both_games_are_laid_and_cleared(evening: Evening) -> None:
    evening.host.do(start("lake"))
    assert evening.host.table is not None
    assert isinstance(evening.host.table.game, LakeGame)
    assert evening.shown[-1].bodies is not None
    evening.host.do(StartPractice(SeatName.TABLE))
    assert moon(evening).match.setup.options.practice
    evening.host.do(Request.LEAVE_GAME)
    assert evening.host.table is None
    assert evening.shown[-1] == "title"


class _Circle:
    """What refers to itself, so that only Python's look for circles ends it."""

    def __init__(self) -> None:
        self.itself = self


def test_a_game_begins_with_all_that_is_loaded_passed_over_by_pythons_looks(evening: Evening) -> None:
    loaded = len(gc.get_objects())
    first = _Circle()
    evening.host.do(start("moon"))
    assert len(gc.get_objects()) < loaded // 10 < gc.get_freeze_count()
    gone = weakref.ref(first)
    del first
    evening.host.do(start("lake"))
    assert gone() is None, "what was left of the first game isn't found when the second begins"
    gc.unfreeze()


def test_a_trial_is_laid_kept_and_goes_on(evening: Evening, tmp_path: Path) -> None:
    asked = StartTrial("moon", "place-three", Party(("Zoé",), ((1.0, 0.5, 0.2),)), SeatName.MIRROR)
    evening.host.do(asked)
    evening.turns(60)
    assert moon(evening).match.players == ("Zoé",)
    assert moon(evening).match.state.options.trial == task_named("place-three")
    assert evening.host.table is not None
    evening.host.table.controls.ask(Command(Act.ROLL))
    evening.turns(5)
    evening.host.table.controls.ask(Command(Act.GIVE_UP))
    evening.turns(5)
    assert moon(evening).match.state.tears == (1,)
    evening.host.do(Ask(Act.GIVE_TEAR_BACK, 0))
    evening.turns(2)
    assert moon(evening).match.state.tears == (1,)
    evening.host.do(Request.LEAVE_GAME)
    (game,) = evening.host._front.screens.unfinished
    evening.host.do(ResumeGame(game, SeatName.TABLE))
    again = moon(evening).match.state
    assert (again.players, again.tears, again.supply) == (("Zoé",), (1,), task_named("place-three").deal[1:])
    told = trials_told(tmp_path)
    assert not told.troubles
    assert "place-three" in {line.trial.name for line in told.lines}


def test_a_host_adds_a_tear_and_gives_one_back(evening: Evening) -> None:
    """X4: from the page's action to the tears of the player who is meant."""
    evening.host.do(start("moon"))
    evening.turns(60)
    tears = []
    for player, give_back in ((1, False), (0, False), (1, True)):
        evening.host.do(Ask(Act.GIVE_TEAR_BACK if give_back else Act.ADD_TEAR, player))
        evening.turns(2)
        tears.append(moon(evening).match.state.tears)
    assert tears == [(0, 1), (1, 1), (1, 0)]


def test_the_last_verdict_is_looked_back_at(evening: Evening) -> None:
    evening.host.do(start("moon"))
    table = evening.host.table
    assert table is not None
    evening.turns(1)
    now_s = evening.clock.now_s()
    table.again.remember(now_s, table.scene("before"), np.zeros((9, 16, 3), np.uint8))
    assert table.again.picture(now_s) is None
    evening.host.do(Ask(Act.LOOK_BACK))
    shown = table.again.picture(now_s)
    assert shown is not None
    assert shown[0].hud.banner == "before"


def test_a_click_means_the_pixel_under_it(evening: Evening) -> None:
    """Pixels are squares around whole numbers, so the picture's upper left corner is half a pixel off (0, 0)."""
    clicked: list[tuple[float, float]] = []
    evening.host.watch = SimpleNamespace(corners=SimpleNamespace(click=clicked.append))  # type: ignore[assignment]
    for column, row in ((0, 0), (320, 180), (639, 359)):
        evening.host.click(((column + 0.5) / 640, (row + 0.5) / 360))
    evening.host.watch = None
    assert clicked == [pytest.approx((0, 0)), pytest.approx((320, 180)), pytest.approx((639, 359))]


def test_the_title_says_before_a_game_where_it_goes_if_the_home_can_not_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    monkeypatch.setattr(platformdirs, "user_data_dir", lambda *_, **__: str(blocked / "data"))
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(temporary))
    said = page_of(Evening(tmp_path).front.screens)["motto"].text
    assert said.startswith("Your home can't be written")
    assert str(temporary / "armoon-games")[-20:] in said
    monkeypatch.setattr(platformdirs, "user_data_dir", lambda *_, **__: str(tmp_path / "home"))
    assert page_of(Evening(tmp_path).front.screens)["motto"].text == text("screens.title.motto")
