"""A context without a screen, and how what is drawn meets what was there.

Importing this module makes pyglet headless, so the rendered camera lives in a process without windows.
"""

from __future__ import annotations

from typing import Any

import pyglet

from armoon.errors import DisplayError

pyglet.options.headless = True
# The shadow window that pyglet would open on import isn't needed: each context brings its own.
pyglet.options.shadow_window = False

from pyglet import gl as gl  # noqa: E402  (the options above count at import)

#: What helps when OpenGL is missing or refuses its work.
REMEDY = "Update the graphics driver, or install Mesa's software OpenGL (libegl1, libgl1-mesa-dri)."


class Context:
    """An OpenGL 3.3 context of its own that draws into memory."""

    def __init__(self) -> None:
        try:
            from pyglet.window import Window

            config = gl.Config(
                double_buffer=False, depth_size=24, red_size=8, green_size=8, blue_size=8, alpha_size=8
            )
            self._window: Any = Window(width=16, height=16, config=config)
        except Exception as error:  # pyglet raises a different type for each thing that may be missing
            raise DisplayError(f"No OpenGL context without a screen: {error}.", remedy=REMEDY) from error
        self.make_current()

    def make_current(self) -> None:
        """Send this thread's OpenGL calls here."""
        self._window.switch_to()

    def close(self) -> None:
        """Free the context and all it holds."""
        if self._window is not None:
            self._window.close()
            self._window = None


def paint_over() -> None:
    """From now on each pixel drawn replaces what was there."""
    for test in (gl.GL_DEPTH_TEST, gl.GL_CULL_FACE, gl.GL_BLEND, gl.GL_POLYGON_OFFSET_FILL):
        gl.glDisable(test)
    gl.glColorMask(gl.GL_TRUE, gl.GL_TRUE, gl.GL_TRUE, gl.GL_TRUE)


def blend_over() -> None:
    """From now on premultiplied alpha mixes what is drawn with what was there."""
    paint_over()
    gl.glEnable(gl.GL_BLEND)
    gl.glBlendFunc(gl.GL_ONE, gl.GL_ONE_MINUS_SRC_ALPHA)


def clear() -> None:
    """Empty the target: nothing drawn, nothing near."""
    gl.glClearColor(0.0, 0.0, 0.0, 0.0)
    gl.glClear(gl.GL_COLOR_BUFFER_BIT | gl.GL_DEPTH_BUFFER_BIT)


def draw_solids() -> None:
    """From now on the nearest front face wins."""
    paint_over()
    gl.glEnable(gl.GL_DEPTH_TEST)
    gl.glEnable(gl.GL_CULL_FACE)


def draw_depth_only() -> None:
    """From now on shapes, seen from either side, leave no colour but hide what is drawn behind them later."""
    paint_over()
    gl.glEnable(gl.GL_DEPTH_TEST)
    gl.glColorMask(gl.GL_FALSE, gl.GL_FALSE, gl.GL_FALSE, gl.GL_FALSE)


def draw_shadow_casters() -> None:
    """As ``draw_solids``, pushed back a little so that a surface doesn't shadow itself."""
    draw_solids()
    gl.glEnable(gl.GL_POLYGON_OFFSET_FILL)
    gl.glPolygonOffset(2.0, 4.0)


def limit_to(box: tuple[int, int, int, int] | None) -> None:
    """Touch no pixel outside (left, first row, width, height) from now on; None lifts the limit."""
    if box is None:
        gl.glDisable(gl.GL_SCISSOR_TEST)
    else:
        gl.glEnable(gl.GL_SCISSOR_TEST)
        gl.glScissor(*box)


def front_faces(*, clockwise: bool) -> None:
    """Which winding, in clip space with y up, faces the eye."""
    gl.glFrontFace(gl.GL_CW if clockwise else gl.GL_CCW)
