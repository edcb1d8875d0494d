"""Fits a rough mask to the edges in the camera frame: a guided filter in small textures."""

from __future__ import annotations

import numpy as np
from pyglet import gl

from armoon.gl.drawing import Framebuffer, Mesh, Program, Texture, bind_textures

#: Lines are fitted at this part of the mask's size; a window is then 16 mask pixels wide.
_SCALE = 0.5
#: Around the hands, in parts of the picture: nothing beyond can become a hand.
_ROOM = 0.05

#: Left, bottom, right and top in parts of the picture.
Limits = tuple[float, float, float, float]


class MaskGuide:
    """The filter's programs and its textures in between."""

    def __init__(self) -> None:
        self._fit_lines = Program("feed.vert", "mask_fit.frag", samplers=("feed", "mask"))
        self._mean_lines = Program("feed.vert", "mask_mean.frag", samplers=("lines",))
        self._apply_lines = Program("feed.vert", "mask_apply.frag", samplers=("feed", "mask", "lines"))
        self._whole = Mesh((2,))
        corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], dtype=np.float32)
        self._whole.upload(corners, np.array([[0, 1, 2], [0, 2, 3]], dtype=np.uint32))
        self._lines: list[tuple[Texture, Framebuffer]] = []

    def resize(self, mask_size: tuple[int, int]) -> None:
        """Fit to masks of so many pixels."""
        for texture, target in self._lines:
            target.delete()
            texture.delete()
        width, height = (max(1, int(side * _SCALE)) for side in mask_size)
        textures = [Texture(width, height, 4, half_floats=True) for _ in range(2)]
        self._lines = [(texture, Framebuffer(width, height, texture=texture)) for texture in textures]

    def fit(self, target: Framebuffer, mask: Texture, feed: Texture, limits: Limits | None) -> None:
        """Draw ``mask`` into ``target``, fitted to ``feed`` within ``limits``; nothing outside of them.

        Where drawn pixels lie in the feed is in the view block that is bound.
        """
        gl.glClearColor(0.0, 0.0, 0.0, 0.0)
        (fitted, fitted_target), (mean, mean_target) = self._lines
        steps = (
            (self._fit_lines, fitted_target, (feed.id, mask.id)),
            (self._mean_lines, mean_target, (fitted.id,)),
            (self._apply_lines, target, (feed.id, mask.id, mean.id)),
        )
        for program, into, textures in steps:
            into.bind()
            gl.glClear(gl.GL_COLOR_BUFFER_BIT)
            if limits is None:
                continue
            gl.glEnable(gl.GL_SCISSOR_TEST)
            gl.glScissor(*_box(limits, into.width, into.height))
            bind_textures(*textures)
            program.use()
            program.set("area", into.width, into.height)
            self._whole.draw()
            gl.glDisable(gl.GL_SCISSOR_TEST)


def _box(limits: Limits, width: int, height: int) -> tuple[int, int, int, int]:
    """The limits with their room as pixels of a target: left, bottom, width, height."""
    left, bottom = (
        int(max(0.0, part - _ROOM) * side) for part, side in zip(limits[:2], (width, height), strict=True)
    )
    right, top = (
        int(min(1.0, part + _ROOM) * side) + 1 for part, side in zip(limits[2:], (width, height), strict=True)
    )
    return left, bottom, max(1, right - left), max(1, top - bottom)
