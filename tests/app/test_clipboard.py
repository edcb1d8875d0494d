"""The window's clipboard on a virtual screen: another program pastes its text, and copies another one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from support.waiting import PATIENCE_S
from support.window_kit import MISSING, REASON, Screen

pytestmark = [pytest.mark.slow, pytest.mark.gl, pytest.mark.skipif(MISSING, reason=REASON)]

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


def test_text_is_copied_to_and_pasted_from_another_program(tmp_path: Path) -> None:
    screen = Screen(tmp_path)
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
        screen.close()
