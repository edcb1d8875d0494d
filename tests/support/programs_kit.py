"""Runs programs that play a game together, each in its own home, without window or camera."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

from armoon.codec.files import write_whole
from support.programs import make_environment
from support.waiting import PATIENCE_S, until

LINK = re.compile(r"(?:ws|mqtt)://[^']+")
#: Runs armoon with a clock offset by the seconds in a file, if any.
_CLOCK = """
import pathlib, runpy, time
real_time, error_file = time.time, pathlib.Path("../clock")
time.time = lambda: real_time() + (float(error_file.read_text()) if error_file.exists() else 0.0)
runpy.run_module("armoon", run_name="__main__", alter_sys=True)
"""


class Programs:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._running: list[subprocess.Popen[bytes]] = []

    def start(self, home: str, command: str, *arguments: str) -> subprocess.Popen[bytes]:
        place = self.folder / home
        place.mkdir(exist_ok=True)
        process = subprocess.Popen(
            [sys.executable, "-c", _CLOCK, command, "--headless", "--camera", "none", *arguments],
            cwd=place,
            env=make_environment(place, PYTHONUNBUFFERED="1"),
            stdout=(place / "output").open("ab"),
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        self._running.append(process)
        return process

    def set_clock(self, error_s: float) -> None:
        """Set the clock error of all programs, including running ones."""
        write_whole(self.folder / "clock", f"{error_s}".encode())

    def read_output(self, home: str) -> str:
        return (self.folder / home / "output").read_text()

    def wait_for_output(self, home: str, words: str) -> None:
        until(lambda: words in self.read_output(home), words)

    def close(self) -> None:
        for process in self._running:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.wait(PATIENCE_S)


def parse_link(output: str) -> str:
    match = LINK.search(output)
    assert match is not None, output
    return re.sub("^ws://[^:]+:", "ws://127.0.0.1:", match[0])


def invitation(programs: Programs, home: str) -> str:
    until(lambda: LINK.search(programs.read_output(home)) is not None, "the invitation")
    return parse_link(programs.read_output(home))
