"""Runs the demo with the real program, so that tests can interrupt or kill it (fixture ``start_program``)."""

from __future__ import annotations

import math
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from support.programs import make_environment
from support.waiting import PATIENCE_S, until

#: Options for a small film.
FILM_OPTIONS = ("--record", "film.mp4", "--size", "320x180")


def list_children(pid: int) -> list[int]:
    return [int(path.name) for path in Path("/proc").glob("[0-9]*") if _fields(path)[:2] == ["R", str(pid)]]


def is_running(pid: int) -> bool:
    return bool(_fields(Path(f"/proc/{pid}")))


def await_end(pids: Sequence[int]) -> None:
    """Wait until these processes have ended by themselves."""
    until(lambda: not any(map(is_running, pids)), f"the end of {pids}")


def _fields(path: Path) -> list[str]:
    """Return "R" and the parent's number of a running process; empty if the process has ended."""
    try:
        state, parent = (path / "stat").read_text().rpartition(")")[2].split()[:2]
    except OSError:
        return []
    return [] if state in "ZX" else ["R", parent]


def cpu_time_s(pid: int) -> float:
    """Return a process's processor time in seconds; infinite if it has ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return math.inf
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class ProgramStarter(Protocol):
    """Starts ``armoon play`` in the test's own folder; ``before``: a command that runs it, such as a tracer."""

    def __call__(self, *arguments: str, before: Sequence[str] = ()) -> Program: ...


class Program:
    """``armoon play`` of the demo without a window, in its own home; ``start_program`` ends it after the test."""

    def __init__(self, folder: Path, *arguments: str, before: Sequence[str] = ()) -> None:
        self.folder = folder
        self.process = subprocess.Popen(
            [*before, sys.executable, "-m", "armoon", "play", "--camera", "demo", "--headless", *arguments],
            cwd=folder,
            env=make_environment(folder),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            # A shell's background jobs ignore SIGINT, and child processes inherit this setting.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )

    def wait_for_games(self, games: int = 1) -> Program:
        """Wait until this many games in the folder are running."""
        self.until(lambda: sum(log.stat().st_size > 12_000 for log in self.logs) == games)
        return self

    def until(self, condition: Callable[[], bool]) -> None:
        def check_running() -> None:
            assert self.process.poll() is None, self.process.communicate()

        until(condition, meanwhile=check_running)

    def wait_for_progress(self) -> None:
        size = self.logs[0].stat().st_size
        self.until(lambda: bool(self.logs) and self.logs[0].stat().st_size > size + 12_000)

    def wait_running(self, seconds: float) -> None:
        start_s = cpu_time_s(self.process.pid)
        self.until(lambda: cpu_time_s(self.process.pid) > start_s + seconds)

    def terminate(self) -> tuple[str, str]:
        self.process.send_signal(signal.SIGTERM)
        output, errors = self.process.communicate(timeout=PATIENCE_S)
        assert self.process.returncode == 128 + signal.SIGTERM, errors
        return output, errors

    def kill(self) -> None:
        """Kill the whole process group, including any tracer."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.communicate(timeout=PATIENCE_S)

    @property
    def logs(self) -> list[Path]:
        return list(self.folder.rglob("*.jsonl"))

    @property
    def save(self) -> Path:
        (save,) = self.folder.rglob("*.armoon")
        return save

    def film_frames(self, name: str = "film.mp4") -> int:
        import av  # tests without a film don't load it

        with av.open(str(self.folder / name)) as film:
            return sum(1 for _ in film.decode(video=0))
