"""The host of a session opens games and trials, and warns of an unwritable home; without window and camera."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path

import platformdirs
import pytest
from support.session_kit import AppSession, LocalHost, moon, start, temporary_session

from armoon.app.setup import collect_trials
from armoon.games.moon.trials import find_task
from armoon.messages import text
from armoon.screens.events import Ask, Request, SeatedPlayers, StartTrial
from armoon.screens.machine import build_page
from armoon.values.acts import Act
from armoon.values.choices import SeatName
from armoon.values.pieces import Command

session = pytest.fixture(temporary_session)


class _ReferenceCycle:
    def __init__(self) -> None:
        self.itself = self


def test_garbage_collection_skips_loaded_objects_after_a_game_begins(
    session: AppSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LocalHost, "collects_garbage", True)
    gc.unfreeze()
    loaded = len(gc.get_objects())
    first = _ReferenceCycle()
    session.host.carry_out(start("moon"))
    assert len(gc.get_objects()) < loaded // 10 < gc.get_freeze_count()
    first_reference = weakref.ref(first)
    del first
    session.host.carry_out(start("lake"))
    assert first_reference() is None, "garbage of the first game isn't collected when the second begins"
    gc.unfreeze()


def test_a_trial_is_set_up_saved_and_continued(session: AppSession, tmp_path: Path) -> None:
    trial_start = StartTrial(
        "moon", "place-three", SeatedPlayers(("Zoé",), ((1.0, 0.5, 0.2),)), SeatName.MIRROR
    )
    session.host.carry_out(trial_start)
    session.run_ticks(60)
    assert moon(session).match.players == ("Zoé",)
    assert moon(session).match.state.options.trial == find_task("place-three")
    assert session.host.table is not None
    session.host.table.controls.add_command(Command(Act.ROLL))
    session.run_ticks(5)
    assert session.host.table.can_request(Act.GIVE_UP)
    assert not session.host.table.can_request(Act.HINT)
    session.host.table.controls.add_command(Command(Act.GIVE_UP))
    session.run_ticks(5)
    assert moon(session).match.state.tears == (1,)
    session.host.carry_out(Ask(Act.GIVE_TEAR_BACK, 0))
    session.run_ticks(2)
    assert moon(session).match.state.tears == (1,)
    session.host.carry_out(Request.LEAVE_GAME)
    (game,) = session.host._front.screens.unfinished
    session.host.carry_out(Ask(Request.RESUME_GAME, game))
    state = moon(session).match.state
    assert (state.players, state.tears, state.supply) == (("Zoé",), (1,), find_task("place-three").deal[1:])
    trials = collect_trials(tmp_path)
    assert not trials.troubles
    assert "place-three" in {line.name for line in trials.lines}


def test_the_last_verdict_can_be_replayed(session: AppSession) -> None:
    session.host.carry_out(start("moon"))
    table = session.host.table
    assert table is not None
    session.run_ticks(1)
    table.replay.add_scene(session.clock.now_s(), table.compose_scene(""))
    table.replay.mark_verdict(session.clock.now_s())
    table.replay.add_scene(session.clock.now_s() + 0.5, table.compose_scene(""))
    session.host.carry_out(Ask(Act.LOOK_BACK))
    assert table.replay.compose_scene(session.clock.now_s()) is not None


def test_the_title_warns_before_a_game_if_the_home_is_not_writable(
    tmp_path: Path, blocked_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    motto = build_page(AppSession().front.screens)["motto"].text
    assert motto.startswith("Your home folder can't be written to")
    assert str(blocked_home / "armoon-games")[-20:] in motto
    monkeypatch.setattr(platformdirs, "user_data_dir", lambda *_, **__: str(tmp_path / "home"))
    assert build_page(AppSession().front.screens)["motto"].text == text("screens.title.motto")
