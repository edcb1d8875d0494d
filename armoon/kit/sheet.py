"""The page to cut out: both paper ladders, the die's net, the lid's label, the ruler, and how to use them."""

from __future__ import annotations

import math
from collections.abc import Callable

import cv2

from armoon.camera.calibration.board.board import marker_cells, standard_board
from armoon.camera.calibration.board.printing import board_page
from armoon.kit.pictures import HIGH, WIDE, printed
from armoon.messages import text
from armoon.printing.page import (
    MARGIN_M,
    PAPERS,
    RULER_M,
    Box,
    Page,
    Path,
    Shape,
    Words,
    moved,
    outline,
    paragraph,
    ruler,
)
from armoon.values.paper import (
    DICTIONARY,
    DIE_EDGE_M,
    DIE_TAG_M,
    DIE_TAG_MARGIN_M,
    DIE_TAGS,
    FAR_END_M,
    HANDLE_END_M,
    HEIGHT_M,
    LID_LABEL_M,
    LID_TAG,
    LID_TAG_M,
    PAPER_LADDERS,
    PaperLadder,
)
from armoon.values.poses import Vec2

LENGTH_M = FAR_END_M - HANDLE_END_M
#: White between the parts, and the title's height.
_GAP_M, _TITLE_M = 0.004, 0.010
#: The die's glue flaps.
_FLAP_M = 0.006
#: Where each face lies on the net, in edges from its lower left corner: four in a row, of which opposite ones are two
#: apart, and one above and one below the second.
_NET: tuple[Vec2, ...] = ((0, 1), (2, 1), (1, 1), (3, 1), (1, 2), (1, 0))
#: Flaps: face of the net, and the side that it hangs on: 0 right, 1 above, 2 left, 3 below.
_FLAPS = ((4, 0), (4, 1), (4, 2), (5, 0), (5, 2), (5, 3), (3, 0))
#: The net's other outlines, and its folds: corners in edges.
_CUTS: tuple[tuple[Vec2, ...], ...] = (
    ((1, 2), (0, 2), (0, 1), (1, 1)),
    ((2, 1), (4, 1)),
    ((2, 2), (4, 2)),
)
_FOLDS: tuple[tuple[Vec2, ...], ...] = (
    *(((x, 1), (x, 2)) for x in (1, 2, 3, 4)),
    ((1, 2), (1, 3), (2, 3), (2, 2), (1, 2)),
    ((1, 1), (1, 0), (2, 0), (2, 1), (1, 1)),
)
_PICTURE_M, _PICTURE_PITCH_M = 0.028, 0.0305


def kit_page(paper: str) -> Page:
    """Return the page on ``paper`` (a key of ``PAPERS``), its words in the language spoken now."""
    width, height = PAPERS[paper]
    left, top = (width - LENGTH_M) / 2.0, height - MARGIN_M
    shapes: list[Shape] = [
        Words(text("kit.title"), left, top - 0.004, 11.0),
        *paragraph(text("kit.print"), left + 0.045, top - 0.0005, LENGTH_M - 0.045, 7.0),
    ]
    top -= _TITLE_M
    for ladder in PAPER_LADDERS:
        shapes += moved(strip(ladder), left, top - 2 * HEIGHT_M)
        top -= 2 * HEIGHT_M + _GAP_M
    net_high = 3 * DIE_EDGE_M + 2 * _FLAP_M
    shapes += moved(_net(), left, top - net_high)
    beside, pictures = left + 2 * DIE_EDGE_M + _FLAP_M + 0.002, ("cut", "fold", "hold", "let_go")
    shapes += _pictures(pictures, beside, top)
    shapes += _pictures(("die", "lid"), beside, top - 2 * DIE_EDGE_M - _FLAP_M - _GAP_M)
    shapes += moved(_label(), left + LENGTH_M - LID_LABEL_M, top - net_high)
    low = MARGIN_M + 0.005
    shapes += [*ruler(left, low), *_measuring(left + RULER_M + 0.008, low + 0.006)]
    return Page(width, height, tuple(shapes))


def kit_pages(paper: str) -> tuple[Page, Page]:
    """Return the page to cut out, and the calibration board's, which is too large to stand beside anything."""
    return kit_page(paper), board_page(standard_board(), paper)


def tag(number: int, x: float, y: float, side_m: float) -> list[Shape]:
    """Return a tag as black boxes, centred on ``x``, ``y``."""
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, DICTIONARY))
    left, top = x - side_m / 2.0, y + side_m / 2.0
    return [
        Box(left + right, top - down - cell, cell, cell)
        for right, down, cell in marker_cells(dictionary, number, side_m)
    ]


def front(ladder: PaperLadder) -> list[Shape]:
    """Return the tags of the front; the handle's end is at x = 0, the lower edge at y = 0."""
    faced = [*(one for one in ladder.tags if one.front), ladder.thumb]
    return [
        shape
        for one in faced
        for shape in tag(one.number, one.centre[0] - HANDLE_END_M, HEIGHT_M / 2.0 + one.centre[1], one.side_m)
    ]


def strip(ladder: PaperLadder) -> list[Shape]:
    """Return a paper ladder to cut out: the front, and above the fold the back, both upright."""
    shapes: list[Shape] = [outline(0.0, 0.0, LENGTH_M, 2 * HEIGHT_M), *front(ladder)]
    shapes.append(Path(((0.0, HEIGHT_M), (LENGTH_M, HEIGHT_M)), dash_m=0.002))
    for one in ladder.tags:
        if not one.front:
            x, y = one.centre
            shapes += tag(one.number, x - HANDLE_END_M, 1.5 * HEIGHT_M - y, one.side_m)
    hand, room = text(f"kit.{ladder.hand}"), 0.040
    for low, about in ((0.0, "kit.front"), (HEIGHT_M, "kit.back")):
        shapes.append(Words(hand, 0.005, low + 0.019, 11.0))
        shapes += paragraph(text(about), 0.005, low + 0.016, room, 6.5)
    thumb_x, _ = ladder.thumb.centre
    shapes.append(Words(text("kit.thumb"), thumb_x - HANDLE_END_M, 0.0025, 6.5, centred=True))
    return shapes


def disc(x: float, y: float, radius_m: float) -> Path:
    """Return a black disc."""
    turns = [2.0 * math.pi * k / 32 for k in range(32)]
    points = tuple([(x + radius_m * math.cos(t), y + radius_m * math.sin(t)) for t in turns])
    return Path(points, closed=True, width_m=0.0, fill=0.0)


def _one(x: float, y: float) -> list[Shape]:
    return [disc(x, y, 0.0018)]


def _two(x: float, y: float) -> list[Shape]:
    return [disc(x, y, 0.0018), disc(x, y + 0.006, 0.0018)]


def _crescent(x: float, y: float) -> list[Shape]:
    outer = [math.radians(40 + 280 * k / 24) for k in range(25)]
    points = [(x + 0.0024 * math.cos(t), y + 0.0024 * math.sin(t)) for t in outer]
    # The inner edge goes back from tip to tip, about a point nearer to them.
    tip_x, tip_y = 0.0024 * math.cos(outer[0]), 0.0024 * math.sin(outer[0])
    radius, middle = math.hypot(tip_x - 0.0010, tip_y), 0.0010
    begin = math.atan2(tip_y, tip_x - middle)
    inner = [2 * math.pi - begin - (2 * math.pi - 2 * begin) * k / 24 for k in range(25)]
    points += [(x + middle + radius * math.cos(t), y + radius * math.sin(t)) for t in inner]
    return [Path(tuple(points), closed=True, width_m=0.0, fill=0.0)]


#: What stands beside the tags of each pair of faces.
_SIGNS: tuple[Callable[[float, float], list[Shape]], ...] = (_one, _two, _crescent)


def _net() -> list[Shape]:
    """Return the die to fold, its flaps' lower left corner at the origin."""
    edge, shapes = DIE_EDGE_M, list[Shape]()
    for face, (column, row) in enumerate(_NET):
        x, y = column * edge, row * edge + _FLAP_M
        middle = DIE_TAG_MARGIN_M + DIE_TAG_M / 2.0
        shapes += tag(DIE_TAGS[face], x + middle, y + edge - middle, DIE_TAG_M)
        shapes += _SIGNS[face // 2](x + edge - 0.003, y + 0.0035)
    for face, side in _FLAPS:
        column, row = _NET[face]
        shapes.append(_flap(column * edge, row * edge + _FLAP_M, side))
    lines = [(row, 0.0) for row in _CUTS] + [(row, 0.0015) for row in _FOLDS]
    return shapes + [
        Path(tuple([(x * edge, y * edge + _FLAP_M) for x, y in row]), dash_m=dash_m) for row, dash_m in lines
    ]


def _flap(x: float, y: float, side: int) -> Path:
    """Return a glue flap on one side of the face whose lower left corner this is."""
    half, far = DIE_EDGE_M / 2.0, DIE_EDGE_M / 2.0 + _FLAP_M
    across = ((half, -half), (far, -half + _FLAP_M), (far, half - _FLAP_M), (half, half))
    cos, sin = ((1, 0), (0, 1), (-1, 0), (0, -1))[side]
    return Path(tuple([(x + half + a * cos - b * sin, y + half + a * sin + b * cos) for a, b in across]))


def _label() -> list[Shape]:
    """Return the lid's label to cut out."""
    half = LID_LABEL_M / 2.0
    return [
        outline(0.0, 0.0, LID_LABEL_M, LID_LABEL_M),
        *tag(LID_TAG, half, half, LID_TAG_M),
        Words(text("kit.lid"), half, 0.0012, 6.5, centred=True),
    ]


def _pictures(names: tuple[str, ...], left: float, top: float) -> list[Shape]:
    """Return pictures in a row with what they say."""
    shapes, high = list[Shape](), _PICTURE_M * HIGH / WIDE
    for k, name in enumerate(names):
        x = left + k * _PICTURE_PITCH_M
        shapes += printed(name, x, top - high, _PICTURE_M)
        shapes += paragraph(text(f"kit.how.{name}"), x, top - high, _PICTURE_M, 6.5, centred=True)
    return shapes


def _measuring(x: float, top: float) -> list[Words]:
    """Return what the ruler is for."""
    return paragraph(text("kit.measure"), x, top, LENGTH_M - RULER_M - 0.008, 7.0)
