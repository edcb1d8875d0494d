"""The host of a session, without window and camera: sets tables up, changes seats, cleans up."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import platformdirs
import pytest
from support.evening_kit import Evening, NearHost, evening_in, moon, start

from armoon.app.setup import trial_list
from armoon.games.moon.trials import find_task
from armoon.messages import text
from armoon.screens.events import Request, ResumeGame, SeatedPlayers, StartTrial, TableAct
from armoon.screens.machine import page_of
from armoon.values.acts import Act
from armoon.values.choices import SeatName
from armoon.values.pieces import Command


@pytest.fixture
def evening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Evening]:
    evening = evening_in(tmp_path, monkeypatch)
    yield evening
    evening.host.clear_table()


class _Circle:
    def __init__(self) -> None:
        self.itself = self


def test_garbage_collection_skips_loaded_objects_after_a_game_begins(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(NearHost, "clears_up", True)
    loaded = len(gc.get_objects())
    first = _Circle()
    evening.host.carry_out(start("moon"))
    assert len(gc.get_objects()) < loaded // 10 < gc.get_freeze_count()
    gone = weakref.ref(first)
    del first
    evening.host.carry_out(start("lake"))
    assert gone() is None, "garbage of the first game isn't collected when the second begins"
    gc.unfreeze()


def test_a_trial_is_set_up_saved_and_continued(evening: Evening, tmp_path: Path) -> None:
    asked = StartTrial("moon", "place-three", SeatedPlayers(("Zoé",), ((1.0, 0.5, 0.2),)), SeatName.MIRROR)
    evening.host.carry_out(asked)
    evening.turns(60)
    assert moon(evening).match.players == ("Zoé",)
    assert moon(evening).match.state.options.trial == find_task("place-three")
    assert evening.host.table is not None
    evening.host.table.controls.add_command(Command(Act.ROLL))
    evening.turns(5)
    evening.host.table.controls.add_command(Command(Act.GIVE_UP))
    evening.turns(5)
    assert moon(evening).match.state.tears == (1,)
    evening.host.carry_out(TableAct(Act.GIVE_TEAR_BACK, 0))
    evening.turns(2)
    assert moon(evening).match.state.tears == (1,)
    evening.host.carry_out(Request.LEAVE_GAME)
    (game,) = evening.host._front.screens.unfinished
    evening.host.carry_out(ResumeGame(game, SeatName.TABLE))
    again = moon(evening).match.state
    assert (again.players, again.tears, again.supply) == (("Zoé",), (1,), find_task("place-three").deal[1:])
    trials = trial_list(tmp_path)
    assert not trials.troubles
    assert "place-three" in {line.trial.name for line in trials.lines}


def test_the_last_verdict_can_be_replayed(evening: Evening) -> None:
    evening.host.carry_out(start("moon"))
    table = evening.host.table
    assert table is not None
    evening.turns(1)
    now_s = evening.clock.now_s()
    table.replay.add_frame(now_s, table.compose_scene("before"), np.zeros((9, 16, 3), np.uint8))
    assert table.replay.replayed_picture(now_s) is None
    evening.host.carry_out(TableAct(Act.LOOK_BACK))
    shown = table.replay.replayed_picture(now_s)
    assert shown is not None
    assert shown[0].hud.banner == "before"


def test_the_title_warns_before_a_game_if_the_home_is_not_writable(
    tmp_path: Path, blocked_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = page_of(Evening().front.screens)["motto"].text
    assert said.startswith("Your home can't be written")
    assert str(blocked_home / "armoon-games")[-20:] in said
    monkeypatch.setattr(platformdirs, "user_data_dir", lambda *_, **__: str(tmp_path / "home"))
    assert page_of(Evening().front.screens)["motto"].text == text("screens.title.motto")
