"""A printed page as an immutable value: black boxes, lines, areas and words, in metres.

Origin at the paper's lower left corner, x to the right, y up.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TypeVar

from armoon.values.poses import Vec2

POINTS_PER_M = 72.0 / 0.0254
#: Width and height in metres (ISO 216; ANSI/ASME Y14.1).
PAPERS: dict[str, Vec2] = {"a4": (0.210, 0.297), "letter": (0.2159, 0.2794)}
#: Printers leave about 6 mm white all around; what is printed stays clear of that.
MARGIN_M = 0.008
#: What is 100 mm long if the page was printed in its own size.
RULER_M = 0.100
#: Widths of Helvetica's letters in thousandths of its size, from Adobe's metrics; ``_USUAL`` for all others.
_WIDTHS = {
    222: "ijl'",
    260: "|",
    278: " !,./:;\\fIt[]ïî",
    333: '()-r`"',
    389: "*",
    500: "cJksvxyzç",
    584: "+<=>~×±",
    611: "FTZ",
    667: "ABEKPSVXYÉÈÊÀÂ&",
    722: "CDHNRUwÇ",
    778: "GOQÔ",
    833: "mM",
    889: "%",
    944: "W",
    1000: "—…œ",
}
_USUAL = 556
_WIDTH_OF = {letter: width for width, letters in _WIDTHS.items() for letter in letters}


@dataclass(frozen=True)
class Box:
    """A black rectangle by its lower left corner: tags, squares and rulers are made of these alone."""

    x: float
    y: float
    width: float
    height: float

    def moved(self, x: float, y: float) -> Box:
        """Return it further right and up."""
        return replace(self, x=self.x + x, y=self.y + y)


@dataclass(frozen=True)
class Path:
    """A line through points, or the area inside it."""

    points: tuple[Vec2, ...]
    closed: bool = False
    width_m: float = 0.0002
    """Width of its line; 0: none."""
    grey: float = 0.0
    """Grey of its line; 0 is black."""
    dash_m: float = 0.0
    """Length of dashes and of the gaps between them; 0: unbroken."""
    fill: float | None = None
    """Grey of its area, 0 is black; None: not filled."""

    def moved(self, x: float, y: float) -> Path:
        """Return it further right and up."""
        return replace(self, points=tuple([(a + x, b + y) for a, b in self.points]))


@dataclass(frozen=True)
class Words:
    """One line of text."""

    text: str
    x: float
    y: float
    """Where its letters stand."""
    points: float = 8.0
    """The letters' size."""
    centred: bool = False
    """On ``x``; else it begins there."""

    def moved(self, x: float, y: float) -> Words:
        """Return it further right and up."""
        return replace(self, x=self.x + x, y=self.y + y)


Shape = Box | Path | Words
_Shape = TypeVar("_Shape", Box, Path, Words)


@dataclass(frozen=True)
class Page:
    """One side of a sheet of paper."""

    width_m: float
    height_m: float
    shapes: tuple[Shape, ...]

    def of(self, kind: type[_Shape]) -> tuple[_Shape, ...]:
        """Return the shapes of a kind, in their order."""
        return tuple([shape for shape in self.shapes if isinstance(shape, kind)])


def moved(shapes: Iterable[Shape], x: float, y: float) -> list[Shape]:
    """Return shapes further right and up."""
    return [shape.moved(x, y) for shape in shapes]


def width_of(text: str, points: float) -> float:
    """Return how wide a line of text is printed, metres."""
    return sum(_WIDTH_OF.get(letter, _USUAL) for letter in text) / 1000.0 * points / POINTS_PER_M


def paragraph(
    text: str, x: float, top: float, width_m: float, points: float, *, centred: bool = False
) -> list[Words]:
    """Break a text into lines no wider than ``width_m``, the first line's letters below ``top``."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and width_of(longer, points) > width_m:
            lines.append(word)
        else:
            lines[-1] = longer
    step = 1.2 * points / POINTS_PER_M
    at = x + width_m / 2.0 if centred else x
    return [Words(line, at, top - (k + 0.8) * step, points, centred) for k, line in enumerate(lines)]


def outline(x: float, y: float, width: float, height: float, *, dash_m: float = 0.0) -> Path:
    """Return a rectangle's line, by its lower left corner."""
    corners = ((x, y), (x + width, y), (x + width, y + height), (x, y + height))
    return Path(corners, closed=True, dash_m=dash_m)


def ruler(x: float, y: float) -> list[Shape]:
    """Millimetre strokes from 0 to 100; the strokes' middles are exact, and those of whole centimetres longest."""
    thin = 0.0002
    shapes: list[Shape] = [Box(x, y - thin / 2, RULER_M, thin)]
    for millimetre in range(101):
        tall = 0.005 if millimetre % 10 == 0 else 0.0035 if millimetre % 5 == 0 else 0.002
        shapes.append(Box(x + millimetre / 1000.0 - thin / 2, y, thin, tall))
        if millimetre % 10 == 0:
            shapes.append(Words(str(millimetre), x + millimetre / 1000.0, y - 0.0035, centred=True))
    return shapes
