"""Helpers to test the real window: a virtual screen with screenshots and input."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import av
import numpy as np
import numpy.typing as npt
import pytest

from support.waiting import PATIENCE_S, until

MISSING = not (shutil.which("Xvfb") and shutil.which("xdotool"))
REASON = "needs Xvfb and xdotool (Debian: apt-get install xvfb xdotool)"
SCREEN = (1366, 768)


class Screen:
    def __init__(self, folder: Path) -> None:
        read, write = os.pipe()
        self._server = subprocess.Popen(
            # Without -noreset the server resets when its last client leaves, and may drop a client that is connecting.
            f"Xvfb -displayfd {write} -screen 0 {SCREEN[0]}x{SCREEN[1]}x24 -nolisten tcp -noreset".split(),
            pass_fds=[write],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(write)
        with os.fdopen(read) as answer:
            self.display = f":{answer.readline().strip()}"
        inherited = {k: v for k, v in os.environ.items() if not k.startswith("XDG_")}
        self.env = {**inherited, "DISPLAY": self.display, "HOME": str(folder)}

    def xdotool(self, *arguments: str) -> str:
        run = subprocess.run(
            ["xdotool", *arguments], env=self.env, capture_output=True, text=True, timeout=PATIENCE_S
        )
        return run.stdout.strip()

    def picture(self) -> npt.NDArray[np.uint8]:
        size = f"{SCREEN[0]}x{SCREEN[1]}"
        options = {"video_size": size, "framerate": "5", "draw_mouse": "0"}
        try:
            grab = av.open(self.display, format="x11grab", options=options)
        except ValueError:
            pytest.skip("this PyAV can't grab a screen")
        with grab:
            picture: npt.NDArray[np.uint8] = next(grab.decode(video=0)).to_ndarray(format="rgb24")
            return picture

    def lit_size(self) -> tuple[int, int]:
        bright = self.picture().max(axis=2) > 24
        rows, columns = np.flatnonzero(bright.any(axis=1)), np.flatnonzero(bright.any(axis=0))
        if not len(rows):
            return 0, 0
        return int(np.ptp(columns)) + 1, int(np.ptp(rows)) + 1

    def close(self) -> None:
        self._server.terminate()
        self._server.wait()


def start_program(
    screen: Screen, folder: Path, *arguments: str, prelude: str = "", env: Mapping[str, str] | None = None
) -> subprocess.Popen[str]:
    """Start the program on that screen; ``prelude`` is Python code that runs before the program starts."""
    program = ["-c", f"{prelude}\nfrom armoon.cli import main\nmain()"] if prelude else ["-m", "armoon"]
    return subprocess.Popen(
        [sys.executable, *program, *arguments],
        cwd=folder,
        env={**screen.env, **(env or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def await_window(screen: Screen, program: subprocess.Popen[str]) -> None:
    """Wait for the program's window; fail with the program's output if the program ends first."""

    def is_open() -> bool:
        assert program.poll() is None, program.communicate()
        return bool(screen.xdotool("search", "--name", "^armoon$"))

    until(is_open, "the window")
