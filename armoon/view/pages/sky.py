"""The night sky behind a page: painted once for each size, then laid over the live picture."""

from __future__ import annotations

from armoon.gl.context import Blend, begin_pass
from armoon.gl.memory import Texture, bind_textures, open_target, target, texture, whole_picture
from armoon.gl.program import Program
from armoon.view.scene.painted import MOON_DISC, MOON_LEVELS, moon_picture

#: Page with ladders, clouds and the large moon.
TITLE = "title"
#: The skies that pages have: whether it is the title's, and whether the moon shines.
KINDS = ((True, True), (False, True), (False, False))


class Sky:
    """Translucent pictures of the size of the window."""

    def __init__(self, width: int, height: int) -> None:
        """Paints all skies, so that no page has to wait for its own (65 ms at 1280x720 without a graphics card)."""
        self._paint = Program("page.vert", "page_sky.frag", samplers=("moon",))
        self._show = Program("page.vert", "page_show.frag", samplers=("painted",))
        picture = moon_picture()
        self._moon = texture(picture.shape[1], picture.shape[0], 4, picture, mipmaps=MOON_LEVELS)
        self._whole = whole_picture()
        self._size = (width, height)
        self._painted = {kind: self._painting(*kind) for kind in KINDS}

    def draw(
        self, page: str, veil: float, moon: bool, width: int, height: int, viewport: tuple[int, int]
    ) -> None:
        """Draw over the bound framebuffer with the lower left corner at ``viewport``."""
        if self._size != (width, height):
            self._size = (width, height)
            self._painted = {}
        kind = (page == TITLE, moon)
        if kind not in self._painted:
            self._painted[kind] = self._painting(*kind)
        open_target().viewport = (*viewport, width, height)
        begin_pass(Blend.OVER)
        bind_textures(self._painted[kind])
        self._show.set("veil", veil)
        self._whole.draw(self._show)

    def _painting(self, title: bool, moon: bool) -> Texture:
        picture = texture(*self._size, 4)
        before, into = open_target(), target(colour=picture)
        into.use()
        begin_pass()
        bind_textures(self._moon)
        self._paint.set("sky_style", float(moon), float(title))
        self._paint.set("moon_place", *_moon_place(title, *self._size), 0.0)
        self._whole.draw(self._paint)
        before.use()
        return picture


def _moon_place(title: bool, width: int, height: int) -> tuple[float, float, float]:
    """Centre and half side of the moon's quad, pixels; large on the title, in the corner elsewhere."""
    if width < height:
        radius = 0.085 * height if title else 0.035 * height
        centre = (0.78 * width, 0.93 * height)
    else:
        radius = 0.165 * height if title else 0.075 * height
        centre = (width - 0.42 * height, 0.70 * height) if title else (width - 0.20 * height, 0.885 * height)
    return (*centre, radius / MOON_DISC)
