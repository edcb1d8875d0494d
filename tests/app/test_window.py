"""The real window on a virtual screen: it opens, shows the game, and keys and sizes work."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.app_kit import lines_of
from support.waiting import PATIENCE_S, until
from support.window_kit import MISSING, REASON, SCREEN, Screen, so_far, start

pytestmark = [
    pytest.mark.slow,
    pytest.mark.gl,
    pytest.mark.tracker,
    pytest.mark.skipif(MISSING, reason=REASON),
]


@pytest.fixture
def screen(tmp_path: Path) -> Iterator[Screen]:
    screen = Screen(tmp_path)
    yield screen
    screen.close()


def test_the_demo_in_a_window_is_seen_and_obeys(screen: Screen, tmp_path: Path) -> None:
    log = tmp_path / "game.jsonl"
    arguments = ["play", "--now", "--camera", "demo", "--seed", "3", "--turns", "1", "--log", str(log)]
    program = start(screen, tmp_path, *arguments)
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
        until(
            lambda: any(r.get("commands") == [["pause", "pause.asked", 0]] for r in so_far(log)), "the pause"
        )
        screen.fingers("key", "Escape")
        said, complained = program.communicate(timeout=PATIENCE_S)
    finally:
        program.kill()
    assert program.returncode == 0, complained
    assert complained == ""
    assert "turns were played" in said
    assert lines_of(log)[-1]["kind"] == "end"


#: Two monitors side by side on the virtual screen; the window is put somewhere, made full and a window again.
TWO_MONITORS = """
import copy, json, sys
from armoon.view.window import GameWindow
window = GameWindow(400, 300, "armoon")
shown = window._window
(whole,) = shown.display.get_screens()
left, right = copy.copy(whole), copy.copy(whole)
left.width, right.x, right.width = 600, 600, whole.width - 600
shown.display.get_screens = lambda: [left, right]
shown.set_location(int(sys.argv[1]), 60)
for _ in range(3):
    for _ in range(10):
        window.pump()
        window.begin()
        window.show()
    print(json.dumps([*shown.get_location(), *shown.get_size()]), flush=True)
    window.toggle_full_screen()
"""


@pytest.mark.parametrize(
    ("x", "full"), [(40, (0, 600)), (350, (0, 600)), (450, (600, 766)), (900, (600, 766))]
)
def test_full_screen_is_on_the_monitor_that_shows_most_of_the_window(
    screen: Screen, x: int, full: tuple[int, int]
) -> None:
    command = [sys.executable, "-c", TWO_MONITORS, str(x)]
    run = subprocess.run(command, env=screen.env, capture_output=True, text=True, timeout=PATIENCE_S)
    before, there, after = map(json.loads, run.stdout.splitlines())
    assert before == after == [x, 60, 400, 300]
    assert there == [full[0], 0, full[1], SCREEN[1]]
