"""Ended from outside: by the system in order, or killed; what was played is there, and nobody stays behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import av
import pytest

from armoon.app import stopping
from armoon.cli.common import ends_plainly
from armoon.engine.logbook import LogReader
from armoon.saves.game_file import GameFile

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="reads Linux's list of processes"
)

START_PATIENCE_S = 300.0
END_PATIENCE_S = 60.0
#: After the parent's end.
CHILDREN_PATIENCE_S = 1.0


def children_of(pid: int) -> list[int]:
    """The processes that this one has started and that still run."""
    return [int(path.name) for path in Path("/proc").glob("[0-9]*") if _fields(path)[:2] == ["R", str(pid)]]


def runs(pid: int) -> bool:
    return bool(_fields(Path(f"/proc/{pid}")))


def _fields(path: Path) -> list[str]:
    """``R``, whatever it does unless it has ended, and its parent's number; nothing of one that has ended."""
    try:
        state, parent = (path / "stat").read_text().rpartition(")")[2].split()[:2]
    except OSError:
        return []
    return [] if state in "ZX" else ["R", parent]


class Program:
    """``armoon play`` of the demo, filmed, with a world in a process of its own where there is a window."""

    def __init__(self, folder: Path, hand_folder: Path) -> None:
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("XDG_", "DISPLAY", "WAYLAND"))}
        env = {**kept, "HOME": str(folder), "XDG_CACHE_HOME": str(hand_folder)}
        arguments = ("--headless", "--record", "film.mp4", "--size", "320x180")
        self.folder = folder
        self.process = subprocess.Popen(
            [sys.executable, "-m", "armoon", "play", "--camera", "demo", *arguments],
            cwd=folder,
            env=env,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            # Tests that run in a shell's background ignore it, and who is started with it ignored goes on doing so.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        end_s = time.monotonic() + START_PATIENCE_S
        while not (self.logs and self.logs[0].stat().st_size > 100_000):
            assert self.process.poll() is None, self.process.communicate()[1]
            assert time.monotonic() < end_s
            time.sleep(0.1)

    @property
    def logs(self) -> list[Path]:
        return list(self.folder.rglob("*.jsonl"))

    @property
    def save(self) -> Path:
        (save,) = self.folder.rglob("*.armoon")
        return save

    def film_frames(self) -> int:
        with av.open(str(self.folder / "film.mp4")) as film:
            return sum(1 for _ in film.decode(video=0))


@pytest.mark.slow
@pytest.mark.gl
@pytest.mark.tracker
@pytest.mark.parametrize("everybody", [False, True], ids=["alone", "everybody"])
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT"])
def test_the_system_ends_the_game_as_leaving_does(
    tmp_path: Path, hand_folder: Path, name: str, everybody: bool
) -> None:
    """A shutdown tells all processes at once, ``kill`` only one."""
    number = getattr(signal, name)
    program = Program(tmp_path, hand_folder)
    children = children_of(program.process.pid)
    assert children
    if everybody:
        os.killpg(program.process.pid, number)
    else:
        program.process.send_signal(number)
    _, complained = program.process.communicate(timeout=END_PATIENCE_S)
    assert (program.process.returncode, complained) == (128 + number, "")
    reader = LogReader(program.logs[0])
    assert reader.damage is None
    saved = GameFile.open(program.save)
    assert (saved.closed, saved.damage) == (True, "")
    assert program.film_frames() > 0
    time.sleep(CHILDREN_PATIENCE_S)
    assert [child for child in children if runs(child)] == []


@pytest.mark.slow
@pytest.mark.gl
@pytest.mark.tracker
def test_children_of_a_killed_game_end_with_it(tmp_path: Path, hand_folder: Path) -> None:
    program = Program(tmp_path, hand_folder)
    children = children_of(program.process.pid)
    assert children
    program.process.kill()
    _, complained = program.process.communicate(timeout=END_PATIENCE_S)
    assert "Traceback" not in complained
    time.sleep(CHILDREN_PATIENCE_S)
    assert [child for child in children if runs(child)] == []
    assert LogReader(program.logs[0]).header["game"] == "moon"
    assert GameFile.open(program.save).damage == ""
    assert program.film_frames() > 0


# What a signal does to a command ------------------------------------------------------------------------------


def code_of(command: object) -> int:
    with pytest.raises(Exception) as ended:  # noqa: PT011 - typer's own
        ends_plainly(command)()  # type: ignore[arg-type]
    return int(ended.value.exit_code)  # type: ignore[attr-defined]


@pytest.mark.parametrize("number", stopping.SIGNALS)
def test_a_loop_hears_it_and_ends_by_itself(number: int) -> None:
    frames = []

    def command() -> int:
        with stopping.in_order():
            while not stopping.asked():
                signal.raise_signal(number)
                frames.append("whole")
        frames.append("closed")
        return 0

    assert code_of(command) == 128 + number
    assert frames == ["whole", "closed"]


@pytest.mark.parametrize("number", stopping.SIGNALS)
def test_where_no_loop_runs_everything_is_closed_on_the_way_out(number: int) -> None:
    closed = []

    def command() -> int:
        try:
            signal.raise_signal(number)
        finally:
            signal.raise_signal(number)  # an impatient second one
            closed.append("all of it")
        return 0

    assert code_of(command) == 128 + number
    assert closed == ["all of it"]


def test_a_frame_without_end_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stopping, "FRAME_PATIENCE_S", 0.05)

    def command() -> int:
        with stopping.in_order():
            signal.raise_signal(signal.SIGTERM)
            time.sleep(END_PATIENCE_S)
        return 0

    assert code_of(command) == 128 + signal.SIGTERM


def test_what_was_ignored_stays_ignored() -> None:
    """As ``nohup`` wants it."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:

        def command() -> int:
            signal.raise_signal(signal.SIGHUP)
            return 0

        assert code_of(command) == 0
    finally:
        signal.signal(signal.SIGHUP, before)


def test_after_a_command_signals_are_as_before() -> None:
    before = [signal.getsignal(number) for number in stopping.SIGNALS]
    assert code_of(lambda: 0) == 0
    assert [signal.getsignal(number) for number in stopping.SIGNALS] == before
