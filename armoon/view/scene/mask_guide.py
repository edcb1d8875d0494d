"""Fits a rough mask to the edges in the camera frame: a guided filter in small textures."""

from __future__ import annotations

from armoon.gl.context import begin_pass
from armoon.gl.memory import Target, Texture, bind_textures, limit_to, target, texture, whole_picture
from armoon.gl.program import Program

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
        self._whole = whole_picture()
        self._lines: list[tuple[Texture, Target]] = []

    def resize(self, mask_size: tuple[int, int]) -> None:
        """Fit to masks of so many pixels."""
        width, height = (max(1, int(side * _SCALE)) for side in mask_size)
        textures = [texture(width, height, 4, half_floats=True) for _ in range(2)]
        self._lines = [(one, target(colour=one)) for one in textures]

    def fit(self, result: Target, mask: Texture, feed: Texture, limits: Limits | None) -> None:
        """Draw ``mask`` into ``result``, fitted to ``feed`` within ``limits``; nothing outside of them.

        Where drawn pixels lie in the feed is in the view block that is bound.
        """
        (fitted, fitted_target), (mean, mean_target) = self._lines
        steps = (
            (self._fit_lines, fitted_target, (feed, mask)),
            (self._mean_lines, mean_target, (fitted,)),
            (self._apply_lines, result, (feed, mask, mean)),
        )
        for program, into, textures in steps:
            into.use()
            into.clear()
            if limits is None:
                continue
            limit_to(_box(limits, into.width, into.height), into)
            begin_pass()
            bind_textures(*textures)
            program.set("area", into.width, into.height)
            self._whole.draw(program)
            limit_to(None, into)


def _box(limits: Limits, width: int, height: int) -> tuple[int, int, int, int]:
    """The limits with their room as pixels of a target: left, bottom, width, height."""
    left, bottom = (
        int(max(0.0, part - _ROOM) * side) for part, side in zip(limits[:2], (width, height), strict=True)
    )
    right, top = (
        int(min(1.0, part + _ROOM) * side) + 1 for part, side in zip(limits[2:], (width, height), strict=True)
    )
    return left, bottom, max(1, right - left), max(1, top - bottom)
