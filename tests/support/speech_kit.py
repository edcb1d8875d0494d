"""A voice for tests: a program that is started, told and ended as espeak-ng is, and writes down what it said."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

_PROGRAM = """#!{python}
import os, sys, time
from pathlib import Path
folder = Path({folder!r})
def note(name, line):
    with open(folder / name, "a", encoding="utf-8") as file:
        file.write(line + "\\n")
talking = folder / "talking"
note("begun", " ".join(sys.argv[1:]))
note("pids", str(os.getpid()))
if (folder / "broken").exists():
    sys.exit("no sound card")
words = sys.stdin.buffer.read().decode().strip()
while (folder / "slow").exists():
    time.sleep(0.01)
try:
    talking.mkdir()
    note("said", words)
    talking.rmdir()
except FileExistsError:
    note("overlaps", words)
"""


class FakeEngine:
    """What stands on the path as espeak-ng."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._folder = folder / "voice"
        self._folder.mkdir()
        programs = folder / "bin"
        programs.mkdir()
        program = programs / "espeak-ng"
        program.write_text(_PROGRAM.format(python=sys.executable, folder=str(self._folder)))
        program.chmod(0o755)
        monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")

    @property
    def said(self) -> list[str]:
        """What was said to its end."""
        return self._lines("said")

    @property
    def begun(self) -> list[str]:
        """The arguments of each start."""
        return self._lines("begun")

    @property
    def pids(self) -> list[int]:
        """Of each start."""
        return [int(line) for line in self._lines("pids")]

    @property
    def overlaps(self) -> int:
        """How often two spoke at once."""
        return len(self._lines("overlaps"))

    def alive(self) -> list[int]:
        """Those that still speak."""
        return [pid for pid in self.pids if runs(pid)]

    def slow(self) -> None:
        """What is begun from now on doesn't end by itself."""
        (self._folder / "slow").touch()

    def quick(self) -> None:
        """... and again does."""
        (self._folder / "slow").unlink()

    def broken(self) -> None:
        """It fails."""
        (self._folder / "broken").touch()

    def _lines(self, name: str) -> list[str]:
        path = self._folder / name
        return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def runs(pid: int) -> bool:
    """Whether that process is there and does something."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
    return state != "Z"
