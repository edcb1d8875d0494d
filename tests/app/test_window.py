"""The real window on a virtual screen: start, monitors and clipboard; test_session.py plays a game in it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.waiting import PATIENCE_S
from support.window_kit import MISSING, REASON, SCREEN, Screen, start_program

pytestmark = [pytest.mark.slow, pytest.mark.gl, pytest.mark.skipif(MISSING, reason=REASON)]


@pytest.fixture
def screen(tmp_path: Path) -> Iterator[Screen]:
    screen = Screen(tmp_path)
    yield screen
    screen.close()


#: Stops the program before it loads the session; prints the number of loaded armoon modules, and all modules' names.
STOPPING_SCRIPT = """
import signal, sys
class Stop:
    def find_spec(name, *rest):
        if name == "armoon.app.session":
            print(sum(loaded.startswith("armoon") for loaded in sys.modules), *sys.modules, flush=True)
            signal.pause()
sys.meta_path.insert(0, Stop)
"""
MAX_BEFORE_WINDOW = 80
SLOW_PACKAGES = {"mediapipe", "pybullet", "av", "rich", "asyncio", "armoon.camera.sources"}


def test_the_window_shows_the_moon_before_cameras_and_most_modules_are_loaded(
    screen: Screen, tmp_path: Path
) -> None:
    program = start_program(screen, tmp_path, "play", prelude=STOPPING_SCRIPT)
    assert program.stdout is not None
    own, *loaded = program.stdout.readline().split()
    picture = screen.picture()
    program.kill()
    _, errors = program.communicate()
    assert 0 < int(own) <= MAX_BEFORE_WINDOW, errors
    assert not SLOW_PACKAGES & {*loaded}
    height, width = picture.shape[:2]
    assert picture[height // 2, width // 2].max() > 100


#: Two monitors side by side on the virtual screen; the window is moved, made full-screen and restored.
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
        window.poll()
        window.begin_frame()
        window.end_frame()
    print(json.dumps([*shown.get_location(), *shown.get_size()]), flush=True)
    window.toggle_full_screen()
"""


@pytest.mark.parametrize(("x", "full"), [(350, (0, 600)), (450, (600, 766))])
def test_full_screen_uses_the_monitor_that_shows_most_of_the_window(
    screen: Screen, x: int, full: tuple[int, int]
) -> None:
    command = [sys.executable, "-c", TWO_MONITORS, str(x)]
    run = subprocess.run(command, env=screen.env, capture_output=True, text=True, timeout=PATIENCE_S)
    before, fullscreen, after = map(json.loads, run.stdout.splitlines())
    assert before == after == [x, 60, 400, 300]
    assert fullscreen == [full[0], 0, full[1], SCREEN[1]]


WORDS = "ws://192.0.2.2:8741#a-secret"
COPYING_SCRIPT = f"""
from armoon.view.window import GameWindow
window = GameWindow(320, 180, "copies")
window.copy_text({WORDS!r})
print("copied", flush=True)
while window.clipboard_text == {WORDS!r}:
    window.poll()
print(window.clipboard_text, flush=True)
"""
PASTING_SCRIPT = """
import pyglet
window = pyglet.window.Window(50, 50)
print(window.get_clipboard_text(), flush=True)
window.set_clipboard_text("another text")
while True:
    pyglet.app.platform_event_loop.step(0.1)
"""


def test_text_is_copied_to_and_pasted_from_another_program(screen: Screen) -> None:
    running: list[subprocess.Popen[str]] = []

    def begin(script: str) -> subprocess.Popen[str]:
        running.append(
            subprocess.Popen(
                [sys.executable, "-c", script], env=screen.env, stdout=subprocess.PIPE, text=True
            )
        )
        return running[-1]

    try:
        copying_process = begin(COPYING_SCRIPT)
        assert copying_process.stdout is not None
        assert copying_process.stdout.readline().strip() == "copied"
        pasting_process = begin(PASTING_SCRIPT)
        assert pasting_process.stdout is not None
        assert pasting_process.stdout.readline().strip() == WORDS
        output, _ = copying_process.communicate(timeout=PATIENCE_S)
        assert output.strip() == "another text"
    finally:
        for process in running:
            process.kill()
            process.wait()
