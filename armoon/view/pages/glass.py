"""The glass before a picture: its shaders' view of the window, and what is drawn once and shown until it changes."""

from __future__ import annotations

from collections.abc import Iterable

from armoon.gl.context import Blend, begin_pass
from armoon.gl.memory import Mesh, Target, UniformBlock, bind_textures, open_target, target, texture
from armoon.gl.program import BLOCKS, Program
from armoon.view.scene.layer import quads_of
from armoon.view.scene.parts import as_parts, tiles_in

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


class KeptGlass:
    """A picture of panels and letters that lies over others, transparent where there are none."""

    def __init__(self) -> None:
        """Needs a current OpenGL context."""
        self._program = Program("feed.vert", "layer.frag", samplers=("layer",))
        self._mesh = Mesh((2,))

    def begin(self, width: int, height: int) -> Target:
        """Draw into it from now on, empty; gives the target that was open, for ``end``."""
        before = open_target()
        self._texture = texture(width, height, 4)
        target(colour=self._texture).use()
        return before

    def end(self, before: Target, boxes: Iterable[tuple[float, float, float, float]]) -> None:
        """Open ``before`` again. All that was drawn lies in ``boxes``: left, lower, right, upper edge in pixels."""
        before.use()
        size = self._texture.size
        covered = tiles_in((0.0, 0.0, -1.0, -1.0), *size)
        for left, low, right, top in boxes:
            covered |= tiles_in((left / size[0], low / size[1], right / size[0], top / size[1]), *size)
        self._mesh.upload(*quads_of(as_parts(covered, *size), size))

    def lay_over(self) -> None:
        """Draw it over what is in the viewport of the open target."""
        begin_pass(Blend.PREMULTIPLIED)
        bind_textures(self._texture)
        self._program.set("corner", *open_target().viewport[:2])
        self._mesh.draw(self._program)
