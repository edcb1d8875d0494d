"""The real window on a virtual screen: it opens, shows the game, and keys and sizes work."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import av
import numpy as np
import numpy.typing as npt
import pytest
from app_kit import lines_of

pytestmark = [
    pytest.mark.slow,
    pytest.mark.gl,
    pytest.mark.tracker,
    pytest.mark.skipif(
        not (shutil.which("Xvfb") and shutil.which("xdotool")),
        reason="needs Xvfb and xdotool (Debian: apt-get install xvfb xdotool)",
    ),
]
SCREEN = (1366, 768)
#: Starting takes seconds, on a busy machine many; a program that works never waits this long.
PATIENCE_S = 120.0


def until(true: Callable[[], bool], what: str) -> None:
    end_s = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < end_s, f"waited in vain for {what}"
        time.sleep(0.2)


class Screen:
    """A virtual screen with an eye and fingers."""

    def __init__(self, folder: Path) -> None:
        read, write = os.pipe()
        self._server = subprocess.Popen(
            [
                "Xvfb",
                "-displayfd",
                str(write),
                "-screen",
                "0",
                f"{SCREEN[0]}x{SCREEN[1]}x24",
                "-nolisten",
                "tcp",
            ],
            pass_fds=[write],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(write)
        with os.fdopen(read) as answer:
            self.display = f":{answer.readline().strip()}"
        self.env = {**os.environ, "DISPLAY": self.display, "HOME": str(folder)}

    def fingers(self, *arguments: str) -> str:
        run = subprocess.run(
            ["xdotool", *arguments], env=self.env, capture_output=True, text=True, timeout=60
        )
        return run.stdout.strip()

    def picture(self) -> npt.NDArray[np.uint8]:
        """The whole screen (h, w, 3), RGB."""
        size = f"{SCREEN[0]}x{SCREEN[1]}"
        options = {"video_size": size, "framerate": "5", "draw_mouse": "0"}
        try:
            grab = av.open(self.display, format="x11grab", options=options)
        except ValueError:
            pytest.skip("this PyAV can't grab a screen")
        with grab:
            return next(grab.decode(video=0)).to_ndarray(format="rgb24")

    def lit(self) -> tuple[int, int]:
        """Width and height of what isn't black on the screen."""
        bright = self.picture().max(axis=2) > 24
        rows, columns = np.flatnonzero(bright.any(axis=1)), np.flatnonzero(bright.any(axis=0))
        if not len(rows):
            return 0, 0
        return int(np.ptp(columns)) + 1, int(np.ptp(rows)) + 1

    def close(self) -> None:
        self._server.terminate()
        self._server.wait()


@pytest.fixture
def screen(tmp_path: Path) -> Iterator[Screen]:
    screen = Screen(tmp_path)
    yield screen
    screen.close()


def test_the_demo_in_a_window_is_seen_and_obeys(screen: Screen, tmp_path: Path) -> None:
    log = tmp_path / "game.jsonl"
    arguments = ["play", "--camera", "demo", "--seed", "3", "--turns", "1", "--log", str(log)]
    program = subprocess.Popen(
        [sys.executable, "-m", "armoon", *arguments],
        cwd=tmp_path,
        env=screen.env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        until(lambda: bool(screen.fingers("search", "--name", "^armoon$")), "the window")
        window = screen.fingers("search", "--name", "^armoon$").splitlines()[0]
        until(lambda: screen.lit() >= (1000, 600), "a picture")
        until(lambda: screen.picture().std() > 30.0, "table and hand")

        screen.fingers("windowsize", "--sync", window, "800", "600")
        # 16:9 in 4:3: as wide as the window, with bars above and below.
        until(
            lambda: abs(screen.lit()[0] - 800) <= 3 and abs(screen.lit()[1] - 450) <= 3, "the smaller picture"
        )

        # There and not back: without a window manager nobody gives a window its old size again.
        screen.fingers("key", "F11")
        until(lambda: screen.lit() >= (SCREEN[0] - 3, SCREEN[1] - 3), "the full screen")
        screen.fingers("key", "p")
        until(lambda: any(r.get("commands") == [["pause", "pause.asked"]] for r in so_far(log)), "the pause")
        screen.fingers("key", "Escape")
        said, complained = program.communicate(timeout=PATIENCE_S)
    finally:
        program.kill()
    assert program.returncode == 0, complained
    assert complained == ""
    assert "turns were played" in said
    assert lines_of(log)[-1]["kind"] == "end"


def so_far(log: Path) -> list[dict[str, object]]:
    """The whole lines of a log that is being written."""
    return [json.loads(line) for line in log.read_text(encoding="utf-8").split("\n")[:-1]]
