"""A paper ladder's front on a phone or tablet instead of paper."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from armoon.errors import SettingsError
from armoon.kit.sheet import front
from armoon.printing.page import Box, Page
from armoon.printing.writing import painted
from armoon.values.paper import HANDLE_END_M, HEIGHT_M, PaperLadder

#: White around the tags that every detector needs.
_QUIET_M = 0.003
#: Minimum size of a tag to be read at arm's length.
LEAST_SCALE = 0.6


def screen_ladder(
    ladder: PaperLadder, pixels: tuple[int, int], diagonal_inch: float
) -> tuple[npt.NDArray[np.uint8], float]:
    """Return the front as a grey picture of the upright screen, the far end at its top, and its scale.

    It is as large as printed at 100 % where that fits, else smaller: ``scale`` below 1. Raises SettingsError for
    a screen that can't be, or is too small.
    """
    width_px, height_px = pixels
    if not (width_px > 0 and height_px > 0 and 3.0 <= diagonal_inch <= 40.0):
        raise SettingsError(
            f"A screen of {width_px}x{height_px} pixels and {diagonal_inch:g} inches can't be.",
            remedy="Give its diagonal in inches and its upright size: --screen 6.1 --pixels 1170x2532",
        )
    pixels_per_m = math.hypot(width_px, height_px) / (diagonal_inch * 0.0254)
    long_m, short_m = max(pixels) / pixels_per_m, min(pixels) / pixels_per_m
    tags = [*(tag for tag in ladder.tags if tag.front), ladder.thumb]
    begin = min(tag.centre[0] - tag.side_m / 2.0 for tag in tags) - HANDLE_END_M - _QUIET_M
    end = max(tag.centre[0] + tag.side_m / 2.0 for tag in tags) - HANDLE_END_M + _QUIET_M
    scale = min(1.0, long_m / (end - begin), short_m / HEIGHT_M)
    if scale < LEAST_SCALE:
        raise SettingsError(
            f"The paper ladder would be only {scale:.0%} as large on a screen of {diagonal_inch:g} inches.",
            remedy="Take a larger screen, or print the kit.",
        )
    shapes = []
    for box in front(ladder):
        assert isinstance(box, Box)
        x, y = (box.x - begin) * scale, (box.y - HEIGHT_M / 2.0) * scale
        shapes.append(Box(x, short_m / 2.0 + y, box.width * scale, box.height * scale))
    lying = painted(Page(long_m, short_m, tuple(shapes)), pixels_per_m)
    return (np.ascontiguousarray(np.rot90(lying)) if height_px > width_px else lying), scale
