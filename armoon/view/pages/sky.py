"""The night sky behind a page: painted once for each size and kind of page, then laid over the live picture."""

from __future__ import annotations

from armoon.gl.context import Blend, begin_pass
from armoon.gl.memory import Target, Texture, bind_textures, open_target, target, texture, whole_picture
from armoon.gl.program import Program
from armoon.view.scene.painted import MOON_DISC, moon_picture

#: Page with ladders, clouds and the large moon.
TITLE = "title"


class Sky:
    """A translucent picture of the size of the window."""

    def __init__(self) -> None:
        self._paint = Program("page.vert", "page_sky.frag", samplers=("moon",))
        self._show = Program("page.vert", "page_show.frag", samplers=("painted",))
        picture = moon_picture()
        self._moon = texture(picture.shape[1], picture.shape[0], 4, picture, mipmaps=3)
        self._whole = whole_picture()
        self._picture: Texture | None = None
        self._target: Target | None = None
        self._painted: object = None

    def draw(
        self, page: str, veil: float, moon: bool, width: int, height: int, viewport: tuple[int, int]
    ) -> None:
        """Draw over the bound framebuffer with the lower left corner at ``viewport``."""
        key = (page == TITLE, veil, moon, width, height)
        if key != self._painted:
            self._repaint(page == TITLE, veil, moon, width, height)
            self._painted = key
        assert self._picture is not None
        open_target().viewport = (*viewport, width, height)
        begin_pass(Blend.OVER)
        bind_textures(self._picture)
        self._whole.draw(self._show)

    def _repaint(self, title: bool, veil: float, moon: bool, width: int, height: int) -> None:
        if self._picture is None or self._picture.size != (width, height):
            self._picture = texture(width, height, 4)
            self._target = target(colour=self._picture)
        assert self._target is not None
        before = open_target()
        self._target.use()
        begin_pass()
        bind_textures(self._moon)
        self._paint.set("sky_style", veil, float(moon), float(title), 0.0)
        self._paint.set("moon_place", *_moon_place(title, width, height), 0.0)
        self._whole.draw(self._paint)
        before.use()


def _moon_place(title: bool, width: int, height: int) -> tuple[float, float, float]:
    """Centre and half side of the moon's quad, pixels; large on the title, in the corner elsewhere."""
    if width < height:
        radius = 0.085 * height if title else 0.035 * height
        centre = (0.78 * width, 0.93 * height)
    else:
        radius = 0.165 * height if title else 0.075 * height
        centre = (width - 0.42 * height, 0.70 * height) if title else (width - 0.20 * height, 0.885 * height)
    return (*centre, radius / MOON_DISC)
