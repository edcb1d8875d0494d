"""A drawing surface without a screen, for tests, films, the rendered webcam and machines without a display."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import numpy.typing as npt
import pyglet

from armoon.errors import DisplayError
from armoon.gl.context import GL_MAJOR, GL_MINOR, current
from armoon.gl.memory import read_bgr
from armoon.processes.system import this_system


class HeadlessSurface:
    """A picture of ``width`` x ``height`` pixels in an EGL context, or without EGL in a hidden window.

    It is current after it was made.
    """

    def __init__(self, width: int, height: int) -> None:
        """Make a surface without a window.

        Raises DisplayError where EGL or OpenGL 3.3 is missing, or a real window was opened before.
        """
        egl = sys.platform == "linux"
        if egl and "pyglet.gl" in sys.modules and not pyglet.options.headless:
            raise DisplayError(
                "This process already draws to a real display, so it can't draw offscreen as well.",
                remedy="Start the program again for the offscreen picture.",
            )
        pyglet.options.headless = egl
        self.width, self.height = width, height
        try:
            from pyglet import gl, window

            # RGB888 has to be asked for: pyglet's default offscreen config may give 16-bit colour.
            config = gl.Config(
                double_buffer=False,
                red_size=8,
                green_size=8,
                blue_size=8,
                alpha_size=8,
                depth_size=24,
                major_version=GL_MAJOR,
                minor_version=GL_MINOR,
                forward_compatible=True,
            )
            self._window: Any = window.Window(width, height, config=config, vsync=False, visible=False)
            current()
        except Exception as error:  # pyglet raises whatever EGL, ctypes or the driver gave it
            raise DisplayError(
                f"No offscreen OpenGL {GL_MAJOR}.{GL_MINOR} can be opened ({error}).",
                remedy=this_system().gl_cure,
            ) from error

    def make_current(self) -> None:
        """Let OpenGL calls go to this surface."""
        self._window.switch_to()

    def read_bgr(self) -> npt.NDArray[np.uint8]:
        """Return the picture (height, width, 3), top row first."""
        return read_bgr(self.width, self.height)

    def close(self) -> None:
        """Give the context back; may be called twice."""
        if self._window is not None:
            self._window.close()
            self._window = None
