"""A program that is terminated or killed from outside has saved its game and leaves no processes behind."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.real_program import ProgramStarter, await_end, list_children
from support.waiting import PATIENCE_S

from armoon.app import stopping
from armoon.cli.common import with_exit_code
from armoon.engine.logbook import LogReader
from armoon.saves.game_file import GameFile

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="reads Linux's list of processes"
)


@pytest.mark.slow
@pytest.mark.gl
@pytest.mark.tracker
def test_a_shutdown_ends_two_games_in_one_folder_as_if_players_left_them(
    tmp_path: Path, start_program: ProgramStarter
) -> None:
    """A shutdown signals all processes at once; ``kill`` signals only one."""
    ends = {signal.SIGTERM: os.kill, signal.SIGINT: os.killpg}
    small = ("--size", "320x180", "--record")
    programs = {number: start_program(*small, f"{number}.mp4") for number in ends}
    for program in programs.values():
        program.wait_for_games(len(programs))
    for number, program in programs.items():
        children = list_children(program.process.pid)
        assert children
        ends[number](program.process.pid, number)
        _, errors = program.process.communicate(timeout=PATIENCE_S)
        assert (program.process.returncode, errors) == (128 + number, "")
        assert program.film_frames(f"{number}.mp4") > 0
        await_end(children)
    saves = [GameFile.read_saved(path) for path in tmp_path.rglob("*.armoon")]
    assert [(saved.closed, saved.damage) for saved in saves] == [(True, "")] * len(programs)
    assert [LogReader(log).damage for log in tmp_path.rglob("*.jsonl")] == [None] * len(programs)


# Effects of a signal on a command --------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def _restore_signals() -> Iterator[None]:
    """Tests that run as a background job of a shell start with SIGINT ignored."""
    before = [(number, signal.getsignal(number)) for number in stopping.SIGNALS]
    for number, _ in before:
        signal.signal(number, signal.SIG_DFL)
    yield
    for number, handler in before:
        signal.signal(number, handler)


def exit_code_of(command: object) -> int:
    with pytest.raises(SystemExit) as ended:
        with_exit_code(command)()  # type: ignore[arg-type]
    return int(ended.value.code or 0)


@pytest.mark.parametrize("number", stopping.SIGNALS)
def test_a_loop_receives_a_signal_and_ends_by_itself(number: int) -> None:
    frames = []

    def command() -> int:
        with stopping.deferring_stop():
            while not stopping.is_stop_requested():
                signal.raise_signal(number)
                frames.append("whole")
        frames.append("closed")
        return 0

    assert exit_code_of(command) == 128 + number
    assert frames == ["whole", "closed"]


@pytest.mark.parametrize("number", stopping.SIGNALS)
def test_without_a_loop_a_signal_closes_everything(number: int) -> None:
    closed = []

    def command() -> int:
        try:
            signal.raise_signal(number)
        finally:
            signal.raise_signal(number)  # a second signal
            closed.append("all of it")
        return 0

    assert exit_code_of(command) == 128 + number
    assert closed == ["all of it"]


def test_a_signal_interrupts_an_endless_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stopping, "FRAME_PATIENCE_S", 0.05)

    def command() -> int:
        with stopping.deferring_stop():
            signal.raise_signal(signal.SIGTERM)
            time.sleep(PATIENCE_S)
        return 0

    assert exit_code_of(command) == 128 + signal.SIGTERM


def test_an_ignored_signal_stays_ignored() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:

        def command() -> int:
            signal.raise_signal(signal.SIGHUP)
            return 0

        assert exit_code_of(command) == 0
    finally:
        signal.signal(signal.SIGHUP, before)


def test_after_a_command_signals_are_as_before() -> None:
    before = [signal.getsignal(number) for number in stopping.SIGNALS]
    assert exit_code_of(lambda: 0) == 0
    assert [signal.getsignal(number) for number in stopping.SIGNALS] == before
