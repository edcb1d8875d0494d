"""A layer of virtual objects over the frame; in the high tier with the camera's blur and noise."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from armoon.errors import DisplayError
from armoon.gl.context import Blend, begin_pass
from armoon.gl.memory import (
    Mesh,
    Target,
    bind_textures,
    copy_colour,
    copy_depths,
    limit_to,
    quad_triangles,
    sampled_target,
    target,
    texture,
)
from armoon.gl.program import Program
from armoon.view.scene.parts import Part

#: A webcam's own softness, one standard deviation in its pixels (measured of common webcams: 0.5 to 0.8).
CAMERA_BLUR_PX = 0.6
#: What four samples a pixel already blur: a box of one pixel.
_SAMPLING_BLUR_PX = 0.29


class Layer:
    """A picture of bodies with transparency, multisampled while it is drawn."""

    def __init__(
        self, width: int, height: int, samples: int, level: int = 0, *, beside: Layer | None = None
    ) -> None:
        """Make the layer; drawn in turn with one ``beside`` it, it shares that one's samples of colour.

        Raises DisplayError if the driver refuses it.
        """
        self._program = Program("feed.vert", "layer.frag", samplers=("layer",), level=level)
        self._mesh = Mesh((2,))
        self._samples = samples
        self._beside = beside
        self._parts: list[Part] = []
        self.resize(width, height)

    def resize(self, width: int, height: int) -> None:
        """Fit to a picture of ``width`` x ``height`` pixels; the layer ``beside`` has been fitted."""
        colours = None if self._beside is None else self._beside.sampled
        try:
            self.sampled: Target = sampled_target(width, height, self._samples, colours)
        except DisplayError:  # a driver without multisampling still plays, with jagged edges
            self.sampled = sampled_target(width, height)
        self.texture = texture(width, height, 4)
        self._resolved = target(colour=self.texture)

    def begin(self, parts: Sequence[Part], behind: Target | None = None) -> None:
        """Draw into these parts of the layer from now on, empty but for the depths of what it is laid over."""
        self._parts = [part for part in parts if part[2] > 0 and part[3] > 0]
        self.sampled.use()
        limit_to(_around_all(self._parts), self.sampled)
        begin_pass(depth=True)
        self.sampled.clear()
        if behind is not None:
            limit_to(None, self.sampled)
            for part in self._parts:
                copy_depths(behind, self.sampled, part)
            limit_to(_around_all(self._parts), self.sampled)

    def end(self, into: Target | None = None) -> None:
        """Average the samples, into the layer's texture or another target of its size."""
        limit_to(None, self.sampled)
        for part in self._parts:
            copy_colour(self.sampled, into or self._resolved, part=part)

    def lay_over(
        self, into: Target, drawn_per_camera_px: float = 1.0, *, corner: tuple[int, int] = (0, 0)
    ) -> None:
        """Blend the parts that were drawn over ``into``, which is open then; its lower left ``corner`` comes there."""
        into.use()
        camera_blur = CAMERA_BLUR_PX * drawn_per_camera_px
        self._program.set("blur", max(camera_blur**2 - _SAMPLING_BLUR_PX**2, 0.0) ** 0.5)
        begin_pass(Blend.PREMULTIPLIED)
        bind_textures(self.texture)
        self._program.set("corner", *corner)
        x, y = corner
        parts = [(left + x, low + y, width, height) for left, low, width, height in self._parts]
        draw_parts(self._mesh, self._program, parts, into)


def draw_parts(mesh: Mesh, program: Program, parts: Sequence[Part], into: Target) -> None:
    """Draw these parts of the picture that is in a target, with a vertex shader that takes corners in clip space."""
    if parts:
        mesh.upload(*quads_of(parts, into.viewport[2:]))
        mesh.draw(program)


def quads_of(
    parts: Sequence[Part], size: tuple[int, int]
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.uint32]]:
    """Corners in clip space (4 * parts, 2) and triangles of parts of a picture of this size."""
    left, low, width, height = np.array(parts, np.float64).reshape(-1, 4).T
    across, up = [left, left + width, left + width, left], [low, low, low + height, low + height]
    corners = np.stack([np.stack(across, axis=-1), np.stack(up, axis=-1)], axis=-1)
    places = corners.reshape(-1, 2) * 2.0 / np.array(size) - 1.0
    return places.astype(np.float32), quad_triangles(len(parts))


def _around_all(parts: Sequence[Part]) -> Part:
    if not parts:
        return (0, 0, 1, 1)
    left, low, width, height = np.array(parts).T
    x, y = int(left.min()), int(low.min())
    return (x, y, int((left + width).max()) - x, int((low + height).max()) - y)
