"""The shaders' view of a whole window, with flat shapes in pixels."""

from __future__ import annotations

from armoon.gl.memory import UniformBlock
from armoon.gl.program import BLOCKS

VIEW_FLOATS = 72
"""How many floats the View block has."""
_DRAWN_SIZE = 38
"""Where the drawn width and height stand in the shaders' View block (shaders/prelude.glsl)."""


class GlassView:
    """What shapes on the glass need to know of the window."""

    def __init__(self) -> None:
        """Needs a current OpenGL context."""
        self._block = UniformBlock(BLOCKS["View"], VIEW_FLOATS)

    def resize(self, width: int, height: int) -> None:
        """Fit to a window of ``width`` x ``height`` framebuffer pixels."""
        self._block.values[_DRAWN_SIZE : _DRAWN_SIZE + 2] = (width, height)

    def upload(self) -> None:
        """From now on it is drawn for this window."""
        self._block.upload()
