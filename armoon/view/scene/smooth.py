"""Smooth edges where there are any: only the parts of a picture in which bodies stand have several samples a pixel.

Without a graphics card every sample costs, and four of five pixels show nothing but the camera's frame.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from armoon.errors import DisplayError
from armoon.geometry import Array
from armoon.gl.context import begin_pass
from armoon.gl.memory import Mesh, Target, Texture, bind_textures, copy_colour, limit_to, sampled_target
from armoon.gl.program import Program

#: Left, lowest row, width and height of a part of the picture, drawn pixels.
Part = tuple[int, int, int, int]
#: Least and greatest coordinates of something upright that holds a body, table frame, metres.
Block = tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]
#: Pixels around what is projected: samples lie beside a pixel's middle.
_MARGIN_PX = 2
#: What comes nearer to the camera than this, metres, may be anywhere in the picture.
_NEAR_M = 0.06


class Smooth:
    """Draws parts of a picture with several samples a pixel, over what is there already."""

    def __init__(self, width: int, height: int, samples: int) -> None:
        """Needs a current context; without multisampling edges are jagged and everything else goes on."""
        self._program = Program("feed.vert", "ground.frag", samplers=("ground",))
        self._samples = samples
        self._parts: list[Part] = []
        self.resize(width, height)

    def resize(self, width: int, height: int) -> None:
        """Fit to a picture of ``width`` x ``height`` pixels."""
        try:
            self._sampled = sampled_target(width, height, self._samples)
        except DisplayError:  # a driver without multisampling still plays, with jagged edges
            self._sampled = sampled_target(width, height)

    def begin(self, ground: Texture, whole: Mesh, parts: Sequence[Part]) -> Target:
        """Draw into these parts of the given target from now on, over ``ground``; ``whole`` is a quad over all."""
        self._parts = [part for part in parts if part[2] > 0 and part[3] > 0]
        self._sampled.use()
        begin_pass(write_colour=False)
        for part in self._parts:
            self._sampled.clear(viewport=part)
        begin_pass()
        bind_textures(ground)
        for part in self._parts:
            limit_to(part, self._sampled)
            whole.draw(self._program)
        limit_to(self._parts[0] if self._parts else (0, 0, 1, 1), self._sampled)
        return self._sampled

    def end(self, into: Target) -> None:
        """Put the parts into the picture that ``ground`` is of; ``into`` is open then."""
        limit_to(None, self._sampled)
        for part in self._parts:
            copy_colour(self._sampled, into, part=part)
        into.use()


def part_of(blocks: Sequence[Block] | None, clip_from_table: Array, width: int, height: int) -> Part:
    """The part of a picture of this size that holds all blocks; None, or one at the lens: the whole picture."""
    if blocks is None:
        return (0, 0, width, height)
    if not blocks:
        return (0, 0, 0, 0)
    corners = corners_of(blocks)
    clip = corners @ clip_from_table[:, :3].T + clip_from_table[:, 3]
    if clip[:, 3].min() < _NEAR_M:
        return (0, 0, width, height)
    places = (clip[:, :2] / clip[:, 3:] * 0.5 + 0.5) * [width, height]
    left, low = (max(0, math.floor(v) - _MARGIN_PX) for v in places.min(axis=0))
    right, top = (math.ceil(v) + _MARGIN_PX for v in places.max(axis=0))
    return (left, low, max(0, min(right, width) - left), max(0, min(top, height) - low))


def corners_of(blocks: Sequence[Block]) -> Array:
    """All corners (8 * blocks, 3)."""
    ends = np.array(blocks)
    sides = [ends[:, (k >> np.arange(3)) & 1, np.arange(3)] for k in range(8)]
    return np.asarray(np.concatenate(sides))
