"""The words beside height lines: at an end, clear of all wood and hands, and inside the picture."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from armoon.geometry import Array
from armoon.values.poses import Vec2
from armoon.values.scene import HeightLine
from armoon.view.marks.labels import clear_of, text_colour
from armoon.view.marks.mark_shapes import MarkShapes
from armoon.view.pages.lettering import Line
from armoon.view.scene.light import FAULT, GOOD, MOONLIGHT, Rgba

#: Height lines reach this far to both sides of the point that they go through, metres.
LEVEL_HALF_M = 0.095
#: How wide a letter is about, and how near to another line's words, and to its own line where they stand over it, words
#: may be; letters' heights. Pixels to the picture's edge.
_WIDE, _APART, _OVER, _EDGE_PX = 0.6, 22.0 / 17.0, 0.85, 6.0


def height_texts(
    heights: Sequence[HeightLine], covered: Sequence[bool], wood: Array, shapes: MarkShapes, size: float
) -> dict[str, Line]:
    """Return them beside the right end; where that is crowded or ``covered`` by a hand, at the left one.

    They are clear of all ``wood``. Where the picture ends before they do, they stand over the line.
    """
    lines: dict[str, Line] = {}
    taken: list[float] = []
    for i, height in enumerate(heights):
        (left, right), y = line_ends(height, shapes)
        crowded = any(abs(y - other) < _APART * size for other in taken)
        taken.append(y)
        room = width_of(height, size)
        beside = wood[np.abs(wood[:, 1] - y) < 0.8 * size, 0]
        if crowded or covered[i]:
            x, anchor = clear_of(left - 6.0, -room, beside), "right"
            inside = max(x, room + _EDGE_PX)
        else:
            x, anchor = clear_of(right + 6.0, room, beside), "left"
            inside = min(x, shapes.width - room - _EDGE_PX)
        if inside != x:
            y += _OVER * size
        if height.text:
            colour = text_colour(line_colour(height.good))
            lines[f"height {i}"] = Line(height.text, inside, y, size, colour, True, anchor)
    return lines


def width_of(height: HeightLine, size: float) -> float:
    """Return about how wide its words are, pixels."""
    return _WIDE * len(height.text) * size


def line_ends(height: HeightLine, shapes: MarkShapes) -> tuple[Vec2, float]:
    """Return left and right end of a height line and its place up the picture, in drawn pixels."""
    x, y, z = height.through
    ends = sorted(shapes.pixel((x + side * LEVEL_HALF_M, y, z)) for side in (-1.0, 1.0))
    return (ends[0][0], ends[1][0]), (ends[0][1] + ends[1][1]) / 2.0


def line_colour(good: bool | None) -> Rgba:
    """Return its colour: as the die wants it, or not, or of another ladder."""
    return (*(MOONLIGHT if good is None else GOOD if good else FAULT), 0.95)
