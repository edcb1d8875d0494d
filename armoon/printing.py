"""Printed pages of black boxes, lines, areas and text, in metres from the lower left corner, x right, y up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar
from xml.sax.saxutils import escape

import cv2
import numpy as np
import numpy.typing as npt

from armoon.values.poses import Vec2

POINTS_PER_M = 72.0 / 0.0254
#: Width and height of paper sizes, in metres (ISO 216; ANSI/ASME Y14.1).
PAPERS: dict[str, Vec2] = {"a4": (0.210, 0.297), "letter": (0.2159, 0.2794)}
#: Margin of all pages, in metres; printers leave about 6 mm blank on each side.
MARGIN_M = 0.008
#: Length of the printed ruler, in metres.
RULER_M = 0.100
#: Helvetica's letters by width, in thousandths of the text size (Adobe's metrics); others have ``_DEFAULT_WIDTH``.
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
_DEFAULT_WIDTH = 556
_WIDTH_OF = {letter: width for width, letters in _WIDTHS.items() for letter in letters}


@dataclass(frozen=True)
class PageBox:
    """A black rectangle, with its lower left corner at (x, y): part of a tag, a chessboard or a ruler."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Path:
    """A line through points, or the area inside it."""

    points: tuple[Vec2, ...]
    closed: bool = False
    width_m: float = 0.0002
    """Width of the line; 0 for no line."""
    grey: float = 0.0
    """Grey of the line; 0 is black."""
    dash_m: float = 0.0
    """Length of dashes and gaps; 0 for a solid line."""
    fill: float | None = None
    """Grey of the area, 0 is black; None if it isn't filled."""


@dataclass(frozen=True)
class PageText:
    text: str
    x: float
    y: float
    points: float = 8.0
    centred: bool = False
    """Whether the text is centred on ``x``; otherwise it begins there."""


Shape = PageBox | Path | PageText
_Shape = TypeVar("_Shape", PageBox, Path, PageText)


@dataclass(frozen=True)
class PaperPage:
    """One side of a sheet of paper."""

    width_m: float
    height_m: float
    shapes: tuple[Shape, ...]

    def list_shapes(self, kind: type[_Shape]) -> tuple[_Shape, ...]:
        return tuple([shape for shape in self.shapes if isinstance(shape, kind)])


def move_shapes(shapes: Iterable[Shape], x: float, y: float) -> list[Shape]:
    return [
        replace(shape, points=tuple([(a + x, b + y) for a, b in shape.points]))
        if isinstance(shape, Path)
        else replace(shape, x=shape.x + x, y=shape.y + y)
        for shape in shapes
    ]


def measure_width(text: str, points: float) -> float:
    return sum(_WIDTH_OF.get(letter, _DEFAULT_WIDTH) for letter in text) / 1000.0 * points / POINTS_PER_M


def break_lines(
    text: str, x: float, top: float, width_m: float, points: float, *, centred: bool = False
) -> list[PageText]:
    """Break a text into lines no wider than ``width_m``, starting below ``top``."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and measure_width(longer, points) > width_m:
            lines.append(word)
        else:
            lines[-1] = longer
    step = 1.2 * points / POINTS_PER_M
    left = x + width_m / 2.0 if centred else x
    return [PageText(line, left, top - (k + 0.8) * step, points, centred) for k, line in enumerate(lines)]


def make_outline(x: float, y: float, width: float, height: float) -> Path:
    corners = ((x, y), (x + width, y), (x + width, y + height), (x, y + height))
    return Path(corners, closed=True)


def make_ruler(x: float, y: float) -> list[Shape]:
    """Make a ruler from 0 to 100 mm, with strokes centred on exact millimetres and longer ones at centimetres."""
    thin = 0.0002
    shapes: list[Shape] = [PageBox(x, y - thin / 2, RULER_M, thin)]
    for millimetre in range(101):
        height = 0.005 if millimetre % 10 == 0 else 0.0035 if millimetre % 5 == 0 else 0.002
        shapes.append(PageBox(x + millimetre / 1000.0 - thin / 2, y, thin, height))
        if millimetre % 10 == 0:
            shapes.append(PageText(str(millimetre), x + millimetre / 1000.0, y - 0.0035, centred=True))
    return shapes


#: Overlap of adjacent rectangles, in metres; it hides hairlines on screens and is smaller than a printed dot.
_OVERLAP_M = 5e-6
#: Fractional bits of coordinates for OpenCV.
_SHIFT = 4


def write_pdf(pages: Sequence[PaperPage]) -> bytes:
    """Write the pages as a PDF that asks viewers not to shrink it."""
    first = 4
    kids = " ".join(f"{first + 2 * k} 0 R" for k in range(len(pages)))
    bodies = [
        # Some viewers shrink a page to the printer's margins unless the file says otherwise.
        b"<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode("ascii"),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    for number, page in zip(range(first, first + 2 * len(pages), 2), pages, strict=True):
        content = "\n".join(["0 g", *(_write_pdf_shape(shape) for shape in page.shapes)]).encode("cp1252")
        box = f"[0 0 {page.width_m * POINTS_PER_M:.4f} {page.height_m * POINTS_PER_M:.4f}]"
        bodies += [
            f"<< /Type /Page /Parent 2 0 R /MediaBox {box} /Contents {number + 1} 0 R "
            "/Resources << /Font << /F1 3 0 R >> >> >>".encode("ascii"),
            b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
        ]
    document = b"%PDF-1.4\n"
    offsets = []
    for number, body in enumerate(bodies, start=1):
        offsets.append(len(document))
        document += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(document)
    document += b"xref\n0 %d\n0000000000 65535 f \n" % (len(bodies) + 1)
    document += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    numbers = (len(bodies) + 1, start)
    return document + b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % numbers


def _write_pdf_shape(shape: Shape) -> str:
    match shape:
        case PageBox(x, y, width, height):
            grown = (x - _OVERLAP_M, y - _OVERLAP_M, width + 2 * _OVERLAP_M, height + 2 * _OVERLAP_M)
            return " ".join(f"{v * POINTS_PER_M:.4f}" for v in grown) + " re f"
        case PageText(text, x, y, points, centred):
            left = x - measure_width(text, points) / 2.0 if centred else x
            escaped = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
            place = f"{left * POINTS_PER_M:.3f} {y * POINTS_PER_M:.3f}"
            return f"BT /F1 {points:g} Tf {place} Td ({escaped}) Tj ET"
        case Path(points, closed, width_m, grey, dash_m, fill):
            steps = [
                f"{x * POINTS_PER_M:.4f} {y * POINTS_PER_M:.4f} {'l' if k else 'm'}"
                for k, (x, y) in enumerate(points)
            ]
            dash = f"[{dash_m * POINTS_PER_M:.3f}]" if dash_m else "[]"
            is_filled, is_stroked = fill is not None, width_m > 0.0
            paint = "B" if is_filled and is_stroked else "f" if is_filled else "S"
            paint = f"h {paint}" if closed else paint
            colours = f"{grey:g} G" if fill is None else f"{grey:g} G {fill:g} g"
            pen = f"1 J 1 j {dash} 0 d {width_m * POINTS_PER_M:.4f} w {colours}"
            return f"q {pen} {' '.join(steps)} {paint} Q"


def write_svg(page: PaperPage) -> str:
    width, height = 1000.0 * page.width_m, 1000.0 * page.height_m
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}mm" height="{height:g}mm" '
        f'viewBox="0 0 {width:g} {height:g}">',
        f'<rect width="{width:g}" height="{height:g}" fill="#fff"/>',
        *(_write_svg_shape(shape, page.height_m) for shape in page.shapes),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _write_svg_shape(shape: Shape, top: float) -> str:
    match shape:
        case PageBox(x, y, width, height):
            sides = (x, top - y - height, width, height)
            names = ("x", "y", "width", "height")
            placed = " ".join(f'{name}="{1000 * v:.4f}"' for name, v in zip(names, sides, strict=True))
            return f'<rect {placed} shape-rendering="crispEdges"/>'
        case PageText(text, x, y, points, centred):
            anchor = ' text-anchor="middle"' if centred else ""
            return (
                f'<text x="{1000 * x:.3f}" y="{1000 * (top - y):.3f}" '
                f'font-size="{1000 * points / POINTS_PER_M:.3f}" '
                # Keep the measured width in fonts that replace Helvetica.
                f'textLength="{1000 * measure_width(text, points):.3f}" lengthAdjust="spacingAndGlyphs" '
                f'font-family="Helvetica, Arial, sans-serif"{anchor}>{escape(text)}</text>'
            )
        case Path(points, closed, width_m, grey, dash_m, fill):
            steps = " L".join(f"{1000 * x:.4f} {1000 * (top - y):.4f}" for x, y in points)
            area = "none" if fill is None else _format_grey(fill)
            dash = f' stroke-dasharray="{1000 * dash_m:g}"' if dash_m else ""
            stroke = (
                f' stroke="{_format_grey(grey)}" stroke-width="{1000 * width_m:g}" stroke-linejoin="round" '
                f'stroke-linecap="round"{dash}'
                if width_m
                else ""
            )
            return f'<path d="M{steps}{" Z" if closed else ""}" fill="{area}"{stroke}/>'


def _format_grey(grey: float) -> str:
    return "#" + f"{round(255 * grey):02x}" * 3


def paint_page(page: PaperPage, pixels_per_m: float) -> npt.NDArray[np.uint8]:
    """Paint the page without text as a grey picture (h, w); boxes darken pixels by the exact area that they cover."""
    width, height = round(page.width_m * pixels_per_m), round(page.height_m * pixels_per_m)
    picture = np.full((height, width), 255, np.uint8)
    for path in page.list_shapes(Path):
        _paint_path(picture, path, pixels_per_m)
    ink = np.zeros((height, width), np.float32)
    for box in page.list_shapes(PageBox):
        across = _measure_cover(box.x * pixels_per_m, box.width * pixels_per_m, width)
        down = _measure_cover(height - (box.y + box.height) * pixels_per_m, box.height * pixels_per_m, height)
        if len(across[1]) and len(down[1]):
            rows = slice(down[0], down[0] + len(down[1]))
            columns = slice(across[0], across[0] + len(across[1]))
            ink[rows, columns] += down[1][:, np.newaxis] * across[1]
    return np.asarray(np.rint(picture * (1.0 - np.minimum(ink, 1.0))), dtype=np.uint8)


def _measure_cover(start: float, length: float, size: int) -> tuple[int, npt.NDArray[np.float32]]:
    """Return an interval's first pixel, and the covered fraction of each pixel from there on."""
    first, last = max(0, int(np.floor(start))), min(size, int(np.ceil(start + length)))
    edges = np.clip(np.arange(first, max(first, last) + 1), start, start + length)
    return first, np.diff(edges).astype(np.float32)


def _paint_path(picture: npt.NDArray[np.uint8], path: Path, pixels_per_m: float) -> None:
    points = np.array(path.points) * pixels_per_m
    points[:, 1] = len(picture) - points[:, 1]
    fixed = np.rint((points - 0.5) * (1 << _SHIFT)).astype(np.int32)
    if path.fill is not None:
        cv2.fillPoly(picture, [fixed], (255.0 * path.fill,), cv2.LINE_AA, _SHIFT)
    if path.width_m:
        thickness = max(1, round(path.width_m * pixels_per_m))
        cv2.polylines(picture, [fixed], path.closed, (255.0 * path.grey,), thickness, cv2.LINE_AA, _SHIFT)
