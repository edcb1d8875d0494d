"""Flex layout: areas divided into rows and columns by their parts' sizes, after CSS's flexible boxes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from armoon.values.page import Rect


@dataclass(frozen=True)
class Part:
    """A part of an area along its main axis."""

    basis: float
    """Its length, in the area's own units, before what is left over is shared out."""
    grow: float = 0.0
    """Its share of the remaining space."""
    most: float = math.inf
    """Maximum length."""
    least: float = 0.0
    """Minimum length, where there is too little room."""
    waits: int = 0
    """Order in which parts are dropped where their minimum lengths don't fit, the highest number first; 0: never."""


#: Room between neighbours, in parts of the window's width and height.
GAP = (0.018, 0.022)
#: A part that takes what the others leave.
REST = Part(0.0, grow=1.0)
#: A part, or a share of the area's length from 0 to 1.
Size = Part | float


def lengths(room: float, sizes: Sequence[Size], gap: float = 0.0) -> list[float]:
    """Return how long each part is; what is left over stays free where none may grow into it."""
    parts = [size if isinstance(size, Part) else Part(size * room) for size in sizes]
    found = [part.basis for part in parts]
    left = room - gap * (len(parts) - 1) - sum(found)
    weights = {k: part.grow if left > 0.0 else part.basis for k, part in enumerate(parts)}
    flexible = {k for k, weight in weights.items() if weight > 0.0}
    while flexible and abs(left) > 1e-12:
        share = left / sum(weights[k] for k in flexible)
        wanted = {k: found[k] + share * weights[k] for k in flexible}
        limits = {k: min(parts[k].most, max(parts[k].least, length)) for k, length in wanted.items()}
        held = {k: limits[k] for k in flexible if limits[k] != wanted[k]} or wanted
        left -= sum(length - found[k] for k, length in held.items())
        for k, length in held.items():
            found[k] = length
        flexible -= held.keys()
    return found


def staying(parts: Mapping[str, Part], room: float, gap: float = 0.0) -> dict[str, Part]:
    """Return the parts that stay where not all have room for their least lengths."""
    found = dict(parts)
    for name in sorted(parts, key=lambda name: -parts[name].waits):
        if parts[name].waits and sum(part.least for part in found.values()) + gap * (len(found) - 1) > room:
            del found[name]
    return found


def wrap(sizes: Sequence[float], room: float, gap: float = 0.0) -> list[list[int]]:
    """Return which things go together where only so much goes into one line: each as full as it can be."""
    found: list[list[int]] = [[]]
    used = 0.0
    for k, size in enumerate(sizes):
        if found[-1] and used + size > room:
            found.append([])
            used = 0.0
        found[-1].append(k)
        used += size + gap
    return found


def rows(area: Rect, *sizes: Size, gap: float = 0.0, to: float = 0.0) -> list[Rect]:
    """Divide an area into rows from its top; ``to``: where they don't fill it, 0.5 is its middle and 1 its bottom."""
    heights = lengths(area.height, sizes, gap)
    found: list[Rect] = []
    y = area.y + to * (area.height - sum(heights) - gap * (len(heights) - 1))
    for height in heights:
        found.append(Rect(area.x, y, area.width, height))
        y += height + gap
    return found


def columns(area: Rect, *sizes: Size, gap: float = 0.0) -> list[Rect]:
    """Divide an area into columns from its left."""
    x, found = area.x, []
    for width in lengths(area.width, sizes, gap):
        found.append(Rect(x, area.y, width, area.height))
        x += width + gap
    return found


def grid(
    area: Rect, count: int, across: int, highest: float = 1.0, gap: tuple[float, float] = GAP
) -> list[Rect]:
    """Divide an area into ``count`` equal cells, row by row; rows aren't higher than ``highest``.

    A block that is lower than its area stands in the middle of it.
    """
    row = Part(0.0, grow=1.0, most=highest)
    wrapped = rows(area, *[row] * max(1, -(-count // across)), gap=gap[1], to=0.5)
    return [cell for one in wrapped for cell in columns(one, *[REST] * across, gap=gap[0])][:count]
