"""The camera's frame: on the graphics card, and graded under everything else in the picture."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from armoon.gl.context import begin_pass
from armoon.gl.memory import (
    LINEAR,
    NEAREST,
    Target,
    Texture,
    bind_textures,
    copy_colour,
    target,
    texture,
    whole_picture,
)
from armoon.gl.program import Program
from armoon.view.scene.light_estimate import SMALL_HEIGHT, SMALL_WIDTH, small_copy

#: Grid at whose corners the place of the frame's pixels and the evening's darkness are worked out: this many leave a
#: webcam's distortion (k1 from -0.3 to 0.12) within a quarter of a pixel at 1280x720.
_GRID = (48, 27)

Frame = npt.NDArray[np.uint8]


class Feed:
    """Show frames; a read-only one that comes again is neither sent nor graded a second time."""

    def __init__(self) -> None:
        """Needs a current context."""
        self._program = Program("feed_grid.vert", "feed.frag", samplers=("feed",))
        self._grid = whole_picture(*_GRID)
        self._before: Frame | None = None
        self._number = 0
        """Number of different frames."""
        self._shown: tuple[object, ...] = ()
        self._kept: tuple[object, ...] | None = None
        self._graded: Target | None = None
        self.texture: Texture
        """The frame, after the first ``upload``."""
        self.small = np.zeros((SMALL_HEIGHT, SMALL_WIDTH, 3), np.uint8)
        self.small_texture = texture(SMALL_WIDTH, SMALL_HEIGHT, 3)

    def upload(self, frame_bgr: Frame) -> Texture:
        """Send a frame (h, w, 3)."""
        before, self._before = self._before, frame_bgr
        if before is not None and _same(before, frame_bgr):
            return self.texture
        self._number += 1
        height, width = frame_bgr.shape[:2]
        frame = np.ascontiguousarray(frame_bgr)
        if before is None or self.texture.size != (width, height):
            self.texture = texture(width, height, 3, frame)
        else:
            self.texture.write(frame)
        self.small = small_copy(frame)
        self.small_texture.write(self.small)
        return self.texture

    def draw(self, into: Target, size: tuple[int, int], *, graded_by: bytes, one_to_one: bool) -> None:
        """Grade it into the lower left part of a target that is so large, which is open then.

        ``graded_by``: all that what it looks like hangs on besides the frame. ``one_to_one``: pixel for pixel it need
        not be blended from four.
        """
        into.use()
        now = (self._number, graded_by, size)
        if self._graded is not None and self._kept == now:
            copy_colour(self._graded, into)
            return
        begin_pass()
        bind_textures(self.texture)
        if one_to_one:
            self.texture.filter = NEAREST
        self._grid.draw(self._program)
        if one_to_one:
            self.texture.filter = LINEAR
        if self._shown == now:
            self._keep(into, size)
            into.use()
            self._kept = now
        self._shown = now

    def _keep(self, drawn: Target, size: tuple[int, int]) -> None:
        if self._graded is None or self._graded.size != size:
            self._graded = target(colour=texture(*size, 4))
        copy_colour(drawn, self._graded, part=(0, 0, *size))


def _same(before: Frame, frame: Frame) -> bool:
    """Whether two frames are of the same pixels of a picture that can't change."""
    owner = frame if frame.base is None else frame.base
    if not isinstance(owner, np.ndarray) or owner.base is not None or owner.flags.writeable:
        return False
    places = [one.__array_interface__["data"][0] for one in (before, frame)]
    return places[0] == places[1] and (before.shape, before.strides) == (frame.shape, frame.strides)
