"""Shows scenery where no camera looks; drawn when the view of it changes, and copied into every picture."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from armoon.gl.context import begin_pass
from armoon.gl.memory import (
    Target,
    Texture,
    bind_textures,
    copy_colour,
    open_target,
    read_bgr,
    target,
    texture,
    whole_picture,
    write_bgra,
)
from armoon.gl.program import Program
from armoon.view.scene.light_estimate import SMALL_HEIGHT, SMALL_WIDTH
from armoon.view.scene.scenery import ELEVATIONS, Scenery

#: Smaller copies of a scenery's pictures, which soften what is far.
_LEVELS = 6


class Surroundings:
    """Scenery on the graphics side, and the picture of it that was drawn last."""

    def __init__(self, scenery: Scenery) -> None:
        """Needs a current context, whose View block tells where it is seen from."""
        self.scenery = scenery
        self._program = Program("page.vert", "scenery.frag", samplers=("ground", "around", "prop"))
        left, near, wide, deep = scenery.area
        low, high = ELEVATIONS
        self._program.set("area", left, near, 1.0 / wide, 1.0 / deep)
        self._program.set("elevations", low, 1.0 / (high - low))
        self._program.set("sheen", scenery.sheen)
        self._program.set("prop_at", *scenery.prop_at)
        self._ground, self._around = _sent(scenery.ground), _sent(scenery.around)
        self._prop = None if scenery.prop is None else _sent(scenery.prop)
        self._around.repeat_x = True
        self._whole = whole_picture()
        self._target: Target | None = None
        self._shown: object = None
        self.small()  # drivers compile for good only when it is drawn

    def draw(self, into: Target, size: tuple[int, int], seen: object) -> bool:
        """Show it in the lower left part (width, height) of a target, which is open then; whether it looks different.

        ``seen``: all that its look hangs on.
        """
        if self._target is None or self._target.size != size:
            picture = texture(*size, 4)
            # In a window's order of bytes and upside down, as windows are: a copy takes a fiftieth of the time.
            write_bgra(picture, np.zeros((size[1], size[0], 4), np.uint8))
            self._target, self._shown = target(colour=picture), None
        anew = seen != self._shown
        if anew:
            self._shown = seen
            self._paint(self._target)
        copy_colour(self._target, into, upside_down=True)
        return anew

    def small(self) -> npt.NDArray[np.uint8]:
        """Return a small picture of it as a camera would see it, BGR, its top row first."""
        before, into = open_target(), target(colour=texture(SMALL_WIDTH, SMALL_HEIGHT, 4))
        self._paint(into)
        found = read_bgr(SMALL_WIDTH, SMALL_HEIGHT, upright=True)
        before.use()
        return found

    def _paint(self, into: Target) -> None:
        """Draw it upside down."""
        into.use()
        begin_pass()
        bind_textures(self._ground, self._around, self._prop)
        self._whole.draw(self._program)


def _sent(picture: npt.NDArray[np.uint8]) -> Texture:
    height, width, channels = picture.shape
    sent = texture(width, height, channels, picture, mipmaps=_LEVELS)
    if channels == 3:
        sent.swizzle = "RGB1"
    return sent
