"""The printable kit: two paper ladders, the die's net, the lid's label, a ruler, and instructions."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from importlib import resources

import cv2
import numpy as np
import numpy.typing as npt

from armoon import printing
from armoon.camera.board import list_marker_cells, load_board, make_board_page
from armoon.errors import SettingsError
from armoon.messages import text
from armoon.printing import PageBox, PageText, PaperPage, Path, Shape
from armoon.values import page
from armoon.values import paper as kit
from armoon.values.page import Drawing, Mark, Rgba, Sign, Stroke
from armoon.values.player_settings import MAX_KIT_MM, MIN_KIT_MM
from armoon.values.poses import Vec2

PICTURE_WIDTH, PICTURE_HEIGHT = 4.0, 3.0
#: Background of drawings on a screen: lighter than ink, darker than paper.
_BACKGROUND: Rgba = (0.55, 0.61, 0.76, 1.0)
#: Width of a thin line, width of a bone's edge, and length of a dash, in units of the drawings.
_THIN_LINE, _BONE_EDGE, _DASH = 0.03, 0.03, 0.1


@cache
def _load_paths(name: str) -> tuple[Path, ...]:
    """Return a drawing's paths in drawing order, in the file's units.

    ``pictures.json`` lists the parts of each drawing, the nearest last. A part has ``sheets`` (left, top, width,
    height, grey level inside), ``lines`` and ``dashes`` (x and y of each point), and ``bones``, which are thick lines
    with round ends and an edge (width, grey level, then the points).
    """
    table = json.loads((resources.files(__package__) / "pictures.json").read_text(encoding="utf-8"))
    paths: list[Path] = []
    for part in (table["parts"][part_name] for part_name in table["pictures"][name]):
        for left, top, width, height, grey in part.get("sheets", ()):
            right, bottom = left + width, top + height
            corners = ((left, top), (right, top), (right, bottom), (left, bottom))
            paths.append(Path(corners, closed=True, width_m=_THIN_LINE, fill=grey))
        paths += [Path(_pair_points(row), width_m=_THIN_LINE) for row in part.get("lines", ())]
        paths += [Path(_pair_points(row), width_m=_THIN_LINE, dash_m=_DASH) for row in part.get("dashes", ())]
        for width, grey, *row in part.get("bones", ()):
            paths.append(Path(_pair_points(row), width_m=width + 2 * _BONE_EDGE))
            paths.append(Path(_pair_points(row), width_m=width, grey=grey))
    return tuple(paths)


def _pair_points(row: Sequence[float]) -> tuple[Vec2, ...]:
    return tuple(zip(row[::2], row[1::2], strict=True))


def make_picture_shapes(name: str, x: float, y: float, width_m: float) -> list[Shape]:
    scale = width_m / PICTURE_WIDTH
    return [
        replace(
            path,
            points=tuple([(x + a * scale, y + (PICTURE_HEIGHT - b) * scale) for a, b in path.points]),
            width_m=path.width_m * scale,
            dash_m=path.dash_m * scale,
        )
        for path in _load_paths(name)
    ]


def draw_picture(name: str) -> Drawing:
    half = (PICTURE_WIDTH / PICTURE_HEIGHT / 2.0, 0.5)
    shapes: list[page.Shape] = [Mark(Sign.PANEL, half, half, _BACKGROUND)]
    for path in _load_paths(name):
        points = [(x / PICTURE_HEIGHT, y / PICTURE_HEIGHT) for x, y in path.points]
        if path.fill is not None:
            (left, top), (right, bottom) = points[0], points[2]
            middle = ((left + right) / 2.0, (top + bottom) / 2.0)
            half = ((right - left) / 2.0, (bottom - top) / 2.0)
            shapes.append(Mark(Sign.SHEET, middle, half, _mix_colour(path.fill)))
            continue
        width, colour = path.width_m / PICTURE_HEIGHT, _mix_colour(path.grey)
        for a, b in itertools.pairwise(points):
            dashes = _split_dashes(a, b, path.dash_m / PICTURE_HEIGHT)
            shapes += [Stroke(start, end, width, colour) for start, end in dashes]
    return Drawing(tuple(shapes))


def _split_dashes(a: Vec2, b: Vec2, dash: float) -> list[tuple[Vec2, Vec2]]:
    count = max(1, round(math.dist(a, b) / dash)) if dash else 1
    edges = [(a[0] + (b[0] - a[0]) * k / count, a[1] + (b[1] - a[1]) * k / count) for k in range(count + 1)]
    return list(zip(edges[::2], edges[1::2], strict=False))


def _mix_colour(grey: float) -> Rgba:
    ink, paper = (0.08, 0.09, 0.17), (0.95, 0.93, 0.88)
    red, green, blue = (dark + (light - dark) * grey for dark, light in zip(ink, paper, strict=True))
    return (red, green, blue, 1.0)


LENGTH_M = kit.FAR_END_M - kit.HANDLE_END_M
#: Gap between the kit's parts, and height of the title, in metres.
_GAP_M, _TITLE_M = 0.004, 0.010
#: Width of the die's glue flaps, in metres.
_FLAP_M = 0.006
#: Position of each face on the net, in edge lengths from the lower left corner: four faces in a row, opposite ones two
#: places apart, and one face above and one below the second.
_FACE_POSITIONS: tuple[Vec2, ...] = ((0, 1), (2, 1), (1, 1), (3, 1), (1, 2), (1, 0))
#: Face and side of each flap; 0 right, 1 above, 2 left, 3 below.
_FLAPS = ((4, 0), (4, 1), (4, 2), (5, 0), (5, 2), (5, 3), (3, 0))
#: The net's outlines except at flaps, and its folds, in edge lengths.
_CUTS: tuple[tuple[Vec2, ...], ...] = (((1, 2), (0, 2), (0, 1), (1, 1)), ((2, 1), (4, 1)), ((2, 2), (4, 2)))
_FOLDS: tuple[tuple[Vec2, ...], ...] = (
    *(((x, 1), (x, 2)) for x in (1, 2, 3, 4)),
    ((1, 2), (1, 3), (2, 3), (2, 2), (1, 2)),
    ((1, 1), (1, 0), (2, 0), (2, 1), (1, 1)),
)
_PICTURE_M, _PICTURE_PITCH_M = 0.028, 0.0305


def make_kit_page(paper: str) -> PaperPage:
    """Return the kit's page for ``paper`` (a key of ``printing.PAPERS``), in the current language."""
    width, height = printing.PAPERS[paper]
    left, top = (width - LENGTH_M) / 2.0, height - printing.MARGIN_M
    shapes: list[Shape] = [
        PageText(text("kit.title"), left, top - 0.004, 11.0),
        *printing.break_lines(text("kit.print"), left + 0.045, top - 0.0005, LENGTH_M - 0.045, 7.0),
    ]
    top -= _TITLE_M
    for ladder in kit.PAPER_LADDERS:
        shapes += printing.move_shapes(make_strip(ladder), left, top - 2 * kit.HEIGHT_M)
        top -= 2 * kit.HEIGHT_M + _GAP_M
    net_height = 3 * kit.DIE_EDGE_M + 2 * _FLAP_M
    shapes += printing.move_shapes(_make_net(), left, top - net_height)
    pictures_left, pictures = left + 2 * kit.DIE_EDGE_M + _FLAP_M + 0.002, ("cut", "fold", "hold", "let_go")
    shapes += _make_pictures(pictures, pictures_left, top)
    shapes += _make_pictures(("die", "lid"), pictures_left, top - 2 * kit.DIE_EDGE_M - _FLAP_M - _GAP_M)
    shapes += printing.move_shapes(_make_lid_label(), left + LENGTH_M - kit.LID_LABEL_M, top - net_height)
    bottom = printing.MARGIN_M + 0.005
    shapes += printing.make_ruler(left, bottom)
    beside_ruler = printing.RULER_M + 0.008
    shapes += printing.break_lines(
        text("kit.measure"), left + beside_ruler, bottom + 0.006, LENGTH_M - beside_ruler, 7.0
    )
    return PaperPage(width, height, tuple(shapes))


def make_kit_pages(paper: str) -> tuple[PaperPage, PaperPage]:
    return make_kit_page(paper), make_board_page(load_board(), paper)


def make_tag(number: int, x: float, y: float, side_m: float) -> list[Shape]:
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, kit.DICTIONARY))
    left, top = x - side_m / 2.0, y + side_m / 2.0
    return [
        PageBox(left + right, top - down - cell, cell, cell)
        for right, down, cell in list_marker_cells(dictionary, number, side_m)
    ]


def _list_front_tags(ladder: kit.PaperLadder) -> list[kit.Tag]:
    return [*(tag for tag in ladder.tags if tag.front), ladder.thumb]


def make_front(ladder: kit.PaperLadder) -> list[Shape]:
    """Return the tags of a ladder's front, with the handle's end at x = 0 and the lower edge at y = 0."""
    return [
        shape
        for tag in _list_front_tags(ladder)
        for shape in make_tag(
            tag.number, tag.centre[0] - kit.HANDLE_END_M, kit.HEIGHT_M / 2.0 + tag.centre[1], tag.side_m
        )
    ]


def make_strip(ladder: kit.PaperLadder) -> list[Shape]:
    """Return a paper ladder to cut out: its front, and above the fold its back, both upright."""
    shapes: list[Shape] = [printing.make_outline(0.0, 0.0, LENGTH_M, 2 * kit.HEIGHT_M), *make_front(ladder)]
    shapes.append(Path(((0.0, kit.HEIGHT_M), (LENGTH_M, kit.HEIGHT_M)), dash_m=0.002))
    for tag in ladder.tags:
        if not tag.front:
            x, y = tag.centre
            shapes += make_tag(tag.number, x - kit.HANDLE_END_M, 1.5 * kit.HEIGHT_M - y, tag.side_m)
    hand, text_width_m = text(f"kit.{ladder.hand}"), 0.040
    for bottom, text_key in ((0.0, "kit.front"), (kit.HEIGHT_M, "kit.back")):
        shapes.append(PageText(hand, 0.005, bottom + 0.019, 11.0))
        shapes += printing.break_lines(text(text_key), 0.005, bottom + 0.016, text_width_m, 6.5)
    thumb_x, _ = ladder.thumb.centre
    shapes.append(PageText(text("kit.thumb"), thumb_x - kit.HANDLE_END_M, 0.0025, 6.5, centred=True))
    return shapes


def _make_disc(x: float, y: float, radius_m: float) -> Path:
    angles = [2.0 * math.pi * k / 32 for k in range(32)]
    points = tuple([(x + radius_m * math.cos(t), y + radius_m * math.sin(t)) for t in angles])
    return Path(points, closed=True, width_m=0.0, fill=0.0)


def _make_face_sign(value: int, x: float, y: float) -> list[Shape]:
    """Return one or two dots, or a crescent for 3."""
    if value < 3:
        return [_make_disc(x, y + 0.006 * k, 0.0018) for k in range(value)]
    outer = [math.radians(40 + 280 * k / 24) for k in range(25)]
    points = [(x + 0.0024 * math.cos(t), y + 0.0024 * math.sin(t)) for t in outer]
    # The inner edge returns from tip to tip around a point closer to them.
    tip_x, tip_y = 0.0024 * math.cos(outer[0]), 0.0024 * math.sin(outer[0])
    radius, inner_x = math.hypot(tip_x - 0.0010, tip_y), 0.0010
    start_angle = math.atan2(tip_y, tip_x - inner_x)
    inner = [2 * math.pi - start_angle - (2 * math.pi - 2 * start_angle) * k / 24 for k in range(25)]
    points += [(x + inner_x + radius * math.cos(t), y + radius * math.sin(t)) for t in inner]
    return [Path(tuple(points), closed=True, width_m=0.0, fill=0.0)]


def _make_net() -> list[Shape]:
    edge, shapes = kit.DIE_EDGE_M, list[Shape]()
    for face, (column, row) in enumerate(_FACE_POSITIONS):
        x, y = column * edge, row * edge + _FLAP_M
        middle = kit.DIE_TAG_MARGIN_M + kit.DIE_TAG_M / 2.0
        shapes += make_tag(kit.DIE_TAGS[face], x + middle, y + edge - middle, kit.DIE_TAG_M)
        shapes += _make_face_sign(face // 2 + 1, x + edge - 0.003, y + 0.0035)
    for face, side in _FLAPS:
        column, row = _FACE_POSITIONS[face]
        shapes.append(_make_flap(column * edge, row * edge + _FLAP_M, side))
    lines = [(row, 0.0) for row in _CUTS] + [(row, 0.0015) for row in _FOLDS]
    return shapes + [
        Path(tuple([(x * edge, y * edge + _FLAP_M) for x, y in row]), dash_m=dash_m) for row, dash_m in lines
    ]


def _make_flap(x: float, y: float, side: int) -> Path:
    half, outer = kit.DIE_EDGE_M / 2.0, kit.DIE_EDGE_M / 2.0 + _FLAP_M
    corners = ((half, -half), (outer, -half + _FLAP_M), (outer, half - _FLAP_M), (half, half))
    cos, sin = ((1, 0), (0, 1), (-1, 0), (0, -1))[side]
    return Path(tuple([(x + half + a * cos - b * sin, y + half + a * sin + b * cos) for a, b in corners]))


def _make_lid_label() -> list[Shape]:
    half = kit.LID_LABEL_M / 2.0
    return [
        printing.make_outline(0.0, 0.0, kit.LID_LABEL_M, kit.LID_LABEL_M),
        *make_tag(kit.LID_TAG, half, half, kit.LID_TAG_M),
        PageText(text("kit.lid"), half, 0.0012, 6.5, centred=True),
    ]


def _make_pictures(names: tuple[str, ...], left: float, top: float) -> list[Shape]:
    shapes, height = list[Shape](), _PICTURE_M * PICTURE_HEIGHT / PICTURE_WIDTH
    for k, name in enumerate(names):
        x = left + k * _PICTURE_PITCH_M
        shapes += make_picture_shapes(name, x, top - height, _PICTURE_M)
        shapes += printing.break_lines(
            text(f"kit.how.{name}"), x, top - height, _PICTURE_M, 6.5, centred=True
        )
    return shapes


#: Length of a bank card's long edge, in millimetres (ISO/IEC 7810, ID-1), accurate to a quarter of a percent.
BANK_CARD_MM = 85.6


def resolve_line_mm(line_mm: float | None, bank_card_at: float | None) -> float:
    """Return the 100 mm line's printed length: measured, or from a bank card's end on it. Raises SettingsError."""
    if (line_mm is None) == (bank_card_at is None):
        raise SettingsError("fault.board.measured_twice")
    if line_mm is None:
        assert bank_card_at is not None
        line_mm = 100.0 * BANK_CARD_MM / bank_card_at if bank_card_at > 0.0 else math.nan
    if not MIN_KIT_MM <= line_mm <= MAX_KIT_MM:
        raise SettingsError("fault.board.line", remedy="fault.board.actual_size", line=round(line_mm, 1))
    return line_mm


#: White margin that a tag needs for its detection, in metres.
_TAG_MARGIN_M = 0.003
#: Minimum scale of a tag that a camera can read at arm's length.
MIN_SCALE = 0.6


def draw_screen_picture(
    ladder: kit.PaperLadder, pixels: tuple[int, int], diagonal_inch: float
) -> tuple[npt.NDArray[np.uint8], float]:
    """Return a grey picture of a ladder's front along the screen's longer side, and its scale.

    On an upright screen the far end is at the top. The scale is 1 (as printed at 100 %) if the ladder fits, else
    smaller. Raises SettingsError if the screen's size is impossible or too small.
    """
    width_px, height_px = pixels
    if not (width_px > 0 and height_px > 0 and 3.0 <= diagonal_inch <= 40.0):
        raise SettingsError(
            "fault.board.impossible_screen",
            remedy="fault.remedy.screen",
            size=f"{width_px}x{height_px}",
            diagonal=diagonal_inch,
        )
    pixels_per_m = math.hypot(width_px, height_px) / (diagonal_inch * 0.0254)
    long_m, short_m = max(pixels) / pixels_per_m, min(pixels) / pixels_per_m
    tags = _list_front_tags(ladder)
    start = min(tag.centre[0] - tag.side_m / 2.0 for tag in tags) - kit.HANDLE_END_M - _TAG_MARGIN_M
    end = max(tag.centre[0] + tag.side_m / 2.0 for tag in tags) - kit.HANDLE_END_M + _TAG_MARGIN_M
    scale = min(1.0, long_m / (end - start), short_m / kit.HEIGHT_M)
    if scale < MIN_SCALE:
        raise SettingsError("fault.board.small_screen", scale=round(100 * scale), diagonal=diagonal_inch)
    shapes = []
    for box in make_front(ladder):
        assert isinstance(box, PageBox)
        x, y = (box.x - start) * scale, (box.y - kit.HEIGHT_M / 2.0) * scale
        shapes.append(PageBox(x, short_m / 2.0 + y, box.width * scale, box.height * scale))
    picture = printing.paint_page(PaperPage(long_m, short_m, tuple(shapes)), pixels_per_m)
    return (np.ascontiguousarray(np.rot90(picture)) if height_px > width_px else picture), scale
