"""How the kit is cut, folded and held: drawings from a table, for a printed page and for pages of the game.

The table (``pictures.json``) has drawings 4 wide and 3 high, x to the right and y down, as lists of parts.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

from armoon.codec import decode_json
from armoon.printing.page import Path, Shape
from armoon.values import drawing
from armoon.values.drawing import Drawing, Mark, Rgba, Sign, Stroke
from armoon.values.poses import Vec2

#: Width and height of a drawing of the table.
WIDE, HIGH = 4.0, 3.0
#: Behind the drawings of the game's pages: lighter than ink, darker than paper.
_BEHIND: Rgba = (0.55, 0.61, 0.76, 1.0)
#: A thin line, the edge of a bone, and a dash.
_THIN, _EDGE, _DASH = 0.03, 0.03, 0.1


@dataclass(frozen=True)
class _Part:
    """Shapes of a drawing, drawn in this order."""

    sheets: tuple[tuple[float, float, float, float, float], ...] = ()
    """Left, top, width, height, and the grey inside."""
    lines: tuple[tuple[float, ...], ...] = ()
    """x and y of one point after the other."""
    dashes: tuple[tuple[float, ...], ...] = ()
    bones: tuple[tuple[float, ...], ...] = ()
    """Thick lines with round ends and an edge: width, grey, then the points."""


@dataclass(frozen=True)
class _Table:
    pictures: dict[str, tuple[str, ...]]
    """The parts of each drawing, the nearest last."""
    parts: dict[str, _Part]


@cache
def _table() -> _Table:
    name = "pictures.json"
    written = (resources.files(__package__) / name).read_text(encoding="utf-8")
    return decode_json(_Table, written, name, "")


@cache
def _lines(name: str) -> tuple[Path, ...]:
    """Return a drawing as lines and areas, the nearest last, in the table's units."""
    found: list[Path] = []
    for name_of_part in _table().pictures[name]:
        part = _table().parts[name_of_part]
        for left, top, width, height, grey in part.sheets:
            right, low = left + width, top + height
            corners = ((left, top), (right, top), (right, low), (left, low))
            found.append(Path(corners, closed=True, width_m=_THIN, fill=grey))
        found += [Path(_points(row), width_m=_THIN) for row in part.lines]
        found += [Path(_points(row), width_m=_THIN, dash_m=_DASH) for row in part.dashes]
        for width, grey, *row in part.bones:
            found.append(Path(_points(row), width_m=width + 2 * _EDGE))
            found.append(Path(_points(row), width_m=width, grey=grey))
    return tuple(found)


def _points(row: Sequence[float]) -> tuple[Vec2, ...]:
    return tuple(zip(row[::2], row[1::2], strict=True))


def printed(name: str, x: float, y: float, width_m: float) -> list[Shape]:
    """Return a drawing for a page, its lower left corner at ``x``, ``y``."""
    scale = width_m / WIDE
    return [
        Path(
            tuple([(x + a * scale, y + (HIGH - b) * scale) for a, b in path.points]),
            path.closed,
            path.width_m * scale,
            path.grey,
            path.dash_m * scale,
            path.fill,
        )
        for path in _lines(name)
    ]


def drawn(name: str) -> Drawing:
    """Return a drawing for a page of the game."""
    half = (WIDE / HIGH / 2.0, 0.5)
    shapes: list[drawing.Shape] = [Mark(Sign.PLATE, half, half, _BEHIND)]
    for path in _lines(name):
        points = [(x / HIGH, y / HIGH) for x, y in path.points]
        if path.fill is not None:
            (left, top), (right, low) = points[0], points[2]
            middle, half = (
                ((left + right) / 2.0, (top + low) / 2.0),
                ((right - left) / 2.0, (low - top) / 2.0),
            )
            shapes.append(Mark(Sign.SHEET, middle, half, _colour(path.fill)))
            continue
        width, colour = path.width_m / HIGH, _colour(path.grey)
        for a, b in itertools.pairwise(points):
            shapes += [Stroke(start, end, width, colour) for start, end in _dashes(a, b, path.dash_m / HIGH)]
    return Drawing(tuple(shapes))


def _dashes(a: Vec2, b: Vec2, dash: float) -> list[tuple[Vec2, Vec2]]:
    """Return the stretches of the line from a to b that are drawn."""
    count = max(1, round(math.dist(a, b) / dash)) if dash else 1
    edges = [(a[0] + (b[0] - a[0]) * k / count, a[1] + (b[1] - a[1]) * k / count) for k in range(count + 1)]
    return list(zip(edges[::2], edges[1::2], strict=False))


def _colour(grey: float) -> Rgba:
    """Return paper and ink on the plate of a page."""
    ink, paper = (0.08, 0.09, 0.17), (0.95, 0.93, 0.88)
    red, green, blue = (low + (high - low) * grey for low, high in zip(ink, paper, strict=True))
    return (red, green, blue, 1.0)
