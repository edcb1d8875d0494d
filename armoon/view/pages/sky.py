"""The night sky behind a page: painted once for each size and kind of page, then laid over the live picture."""

from __future__ import annotations

import numpy as np
from pyglet import gl

from armoon.gl.drawing import Framebuffer, Mesh, Program, Texture, bind_textures, bound_framebuffer
from armoon.view.scene.painted import MOON_DISC, moon_picture

#: Page with ladders, clouds and the large moon.
TITLE = "title"


class Sky:
    """A translucent picture of the size of the window."""

    def __init__(self) -> None:
        self._paint = Program("page.vert", "page_sky.frag", samplers=("moon",))
        self._show = Program("page.vert", "page_show.frag", samplers=("painted",))
        picture = moon_picture()
        self._moon = Texture(picture.shape[1], picture.shape[0], 4, picture, mipmaps=3)
        self._whole = Mesh((2,))
        corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], dtype=np.float32)
        self._whole.upload(corners, np.array([[0, 1, 2], [0, 2, 3]], dtype=np.uint32))
        self._picture: Texture | None = None
        self._target: Framebuffer | None = None
        self._painted: object = None

    def draw(
        self, page: str, veil: float, moon: bool, width: int, height: int, viewport: tuple[int, int]
    ) -> None:
        """Draw over the bound framebuffer with the lower left corner at ``viewport``; blending is left on."""
        key = (page == TITLE, veil, moon, width, height)
        if key != self._painted:
            self._repaint(page == TITLE, veil, moon, width, height)
            self._painted = key
        assert self._picture is not None
        gl.glViewport(*viewport, width, height)
        gl.glDisable(gl.GL_DEPTH_TEST)
        gl.glEnable(gl.GL_BLEND)
        gl.glBlendFunc(gl.GL_SRC_ALPHA, gl.GL_ONE_MINUS_SRC_ALPHA)
        bind_textures(self._picture.id)
        self._show.use()
        self._whole.draw()

    def _repaint(self, title: bool, veil: float, moon: bool, width: int, height: int) -> None:
        if self._picture is None or (self._picture.width, self._picture.height) != (width, height):
            self._forget()
            self._picture = Texture(width, height, 4)
            self._target = Framebuffer(width, height, texture=self._picture)
        assert self._target is not None
        before = bound_framebuffer()
        self._target.bind()
        gl.glDisable(gl.GL_BLEND)
        gl.glDisable(gl.GL_DEPTH_TEST)
        bind_textures(self._moon.id)
        self._paint.use()
        self._paint.set("sky_style", veil, float(moon), float(title), 0.0)
        self._paint.set("moon_place", *_moon_place(title, width, height), 0.0)
        self._whole.draw()
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, before)

    def _forget(self) -> None:
        if self._target is not None:
            self._target.delete()
        if self._picture is not None:
            self._picture.delete()


def _moon_place(title: bool, width: int, height: int) -> tuple[float, float, float]:
    """Centre and half side of the moon's quad, pixels; large on the title, in the corner elsewhere."""
    if width < height:
        radius = 0.085 * height if title else 0.035 * height
        centre = (0.78 * width, 0.93 * height)
    else:
        radius = 0.165 * height if title else 0.075 * height
        centre = (width - 0.42 * height, 0.70 * height) if title else (width - 0.20 * height, 0.885 * height)
    return (*centre, radius / MOON_DISC)
