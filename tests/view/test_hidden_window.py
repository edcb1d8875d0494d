"""Without EGL, offscreen pictures are drawn in a hidden window and look the same."""

from __future__ import annotations

import shutil
import subprocess
import sys

import pytest
from support.waiting import PATIENCE_S

pytestmark = [
    pytest.mark.gl,
    pytest.mark.skipif(shutil.which("xvfb-run") is None, reason="no virtual screen (xvfb)"),
]

SCRIPT = """
import sys, types
from armoon import gl as armoon_gl
other_system = types.ModuleType("sys")
other_system.__dict__.update(vars(sys), platform=sys.argv[1])
armoon_gl.sys = other_system
surface = armoon_gl.HeadlessSurface(64, 48)
import pyglet
from pyglet import gl
gl.glClearColor(0.2, 0.5, 0.9, 1.0)
gl.glClear(gl.GL_COLOR_BUFFER_BIT)
gl.glEnable(gl.GL_SCISSOR_TEST)
gl.glScissor(10, 5, 20, 12)
gl.glClearColor(1.0, 0.0, 0.0, 1.0)
gl.glClear(gl.GL_COLOR_BUFFER_BIT)
picture = surface.read_bgr()
print(pyglet.options.headless, picture.shape, picture.tobytes().hex())
surface.close()
"""


def draw_in_process(*prefix: str, platform: str) -> list[str]:
    result = subprocess.run(
        [*prefix, sys.executable, "-c", SCRIPT, platform], capture_output=True, text=True, timeout=PATIENCE_S
    )
    assert result.returncode == 0, result.stderr
    return result.stdout.split(" ", 1)


def test_a_hidden_window_draws_the_same_picture() -> None:
    offscreen, picture = draw_in_process(platform="linux")
    hidden, second = draw_in_process("xvfb-run", "--auto-servernum", platform="win32")
    assert (offscreen, hidden) == ("True", "False")
    assert picture == second
    assert "0000ff" in picture
