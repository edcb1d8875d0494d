"""Pages as files and as pixels.

The PDF is written by hand because its pages are rectangles, lines and a few words: PDF 1.4 (ISO 32000-1), one content
stream a page, one built-in font. A picture in a PDF would be blurred by some printers at marker edges; rectangles
are not.
"""

from __future__ import annotations

from collections.abc import Sequence
from xml.sax.saxutils import escape

import cv2
import numpy as np
import numpy.typing as npt

from armoon.printing.page import POINTS_PER_M, Box, Page, Path, Shape, Words, width_of

#: Touching rectangles show hairlines on screens; this overlap (metres) hides them, below a print dot.
_OVERLAP_M = 5e-6
#: Fixed-point bits of the places of painted lines.
_SHIFT = 4


def pdf_of(pages: Sequence[Page]) -> bytes:
    """Return the pages as a PDF that asks viewers not to shrink it."""
    first = 4
    kids = " ".join(f"{first + 2 * k} 0 R" for k in range(len(pages)))
    bodies = [
        # Some viewers shrink a page to the printer's margins unless the file says otherwise.
        b"<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode("ascii"),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    for number, page in zip(range(first, first + 2 * len(pages), 2), pages, strict=True):
        content = "\n".join(["0 g", *(_pdf_shape(shape) for shape in page.shapes)]).encode("cp1252")
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
    return document + b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (
        len(bodies) + 1,
        start,
    )


def _pdf_shape(shape: Shape) -> str:
    match shape:
        case Box(x, y, width, height):
            grown = (x - _OVERLAP_M, y - _OVERLAP_M, width + 2 * _OVERLAP_M, height + 2 * _OVERLAP_M)
            return " ".join(f"{v * POINTS_PER_M:.4f}" for v in grown) + " re f"
        case Words(text, x, y, points, centred):
            left = x - width_of(text, points) / 2.0 if centred else x
            escaped = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
            place = f"{left * POINTS_PER_M:.3f} {y * POINTS_PER_M:.3f}"
            return f"BT /F1 {points:g} Tf {place} Td ({escaped}) Tj ET"
        case Path(points, closed, width_m, grey, dash_m, fill):
            steps = [
                f"{x * POINTS_PER_M:.4f} {y * POINTS_PER_M:.4f} {'l' if k else 'm'}"
                for k, (x, y) in enumerate(points)
            ]
            dash = f"[{dash_m * POINTS_PER_M:.3f}]" if dash_m else "[]"
            filled, stroked = fill is not None, width_m > 0.0
            paint = "B" if filled and stroked else "f" if filled else "S"
            paint = f"h {paint}" if closed else paint
            colours = f"{grey:g} G" if fill is None else f"{grey:g} G {fill:g} g"
            pen = f"1 J 1 j {dash} 0 d {width_m * POINTS_PER_M:.4f} w {colours}"
            return f"q {pen} {' '.join(steps)} {paint} Q"


def svg_of(page: Page) -> str:
    """Return the page as an SVG whose lengths are millimetres."""
    width, height = 1000.0 * page.width_m, 1000.0 * page.height_m
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}mm" height="{height:g}mm" '
        f'viewBox="0 0 {width:g} {height:g}">',
        f'<rect width="{width:g}" height="{height:g}" fill="#fff"/>',
        *(_svg_shape(shape, page.height_m) for shape in page.shapes),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _svg_shape(shape: Shape, top: float) -> str:
    match shape:
        case Box(x, y, width, height):
            sides = (x, top - y - height, width, height)
            names = ("x", "y", "width", "height")
            placed = " ".join(f'{name}="{1000 * v:.4f}"' for name, v in zip(names, sides, strict=True))
            return f'<rect {placed} shape-rendering="crispEdges"/>'
        case Words(text, x, y, points, centred):
            anchor = ' text-anchor="middle"' if centred else ""
            return (
                f'<text x="{1000 * x:.3f}" y="{1000 * (top - y):.3f}" '
                f'font-size="{1000 * points / POINTS_PER_M:.3f}" '
                # As wide as it was measured, whatever letters stand in for Helvetica.
                f'textLength="{1000 * width_of(text, points):.3f}" lengthAdjust="spacingAndGlyphs" '
                f'font-family="Helvetica, Arial, sans-serif"{anchor}>{escape(text)}</text>'
            )
        case Path(points, closed, width_m, grey, dash_m, fill):
            steps = " L".join(f"{1000 * x:.4f} {1000 * (top - y):.4f}" for x, y in points)
            area = "none" if fill is None else _svg_grey(fill)
            dash = f' stroke-dasharray="{1000 * dash_m:g}"' if dash_m else ""
            stroke = (
                f' stroke="{_svg_grey(grey)}" stroke-width="{1000 * width_m:g}" stroke-linejoin="round" '
                f'stroke-linecap="round"{dash}'
                if width_m
                else ""
            )
            return f'<path d="M{steps}{" Z" if closed else ""}" fill="{area}"{stroke}/>'


def _svg_grey(grey: float) -> str:
    return "#" + f"{round(255 * grey):02x}" * 3


def painted(page: Page, pixels_per_m: float) -> npt.NDArray[np.uint8]:
    """Return the page as a grey picture (h, w), words left out: black boxes cover pixels exactly by their share."""
    width, height = round(page.width_m * pixels_per_m), round(page.height_m * pixels_per_m)
    picture = np.full((height, width), 255, np.uint8)
    for path in page.of(Path):
        _paint(picture, path, pixels_per_m)
    ink = np.zeros((height, width), np.float32)
    for box in page.of(Box):
        across = _covered(box.x * pixels_per_m, box.width * pixels_per_m, width)
        down = _covered(height - (box.y + box.height) * pixels_per_m, box.height * pixels_per_m, height)
        if len(across[1]) and len(down[1]):
            rows, columns = (
                slice(down[0], down[0] + len(down[1])),
                slice(across[0], across[0] + len(across[1])),
            )
            ink[rows, columns] += down[1][:, np.newaxis] * across[1]
    return np.asarray(np.rint(picture * (1.0 - np.minimum(ink, 1.0))), dtype=np.uint8)


def _covered(start: float, length: float, size: int) -> tuple[int, npt.NDArray[np.float32]]:
    """Return the first pixel of a stretch, and which share of it and of each further one is covered."""
    first, last = max(0, int(np.floor(start))), min(size, int(np.ceil(start + length)))
    edges = np.clip(np.arange(first, max(first, last) + 1), start, start + length)
    return first, np.diff(edges).astype(np.float32)


def _paint(picture: npt.NDArray[np.uint8], path: Path, pixels_per_m: float) -> None:
    places = np.array(path.points) * pixels_per_m
    places[:, 1] = len(picture) - places[:, 1]
    fixed = np.rint((places - 0.5) * (1 << _SHIFT)).astype(np.int32)
    if path.fill is not None:
        cv2.fillPoly(picture, [fixed], (255.0 * path.fill,), cv2.LINE_AA, _SHIFT)
    if path.width_m:
        thick = max(1, round(path.width_m * pixels_per_m))
        cv2.polylines(picture, [fixed], path.closed, (255.0 * path.grey,), thick, cv2.LINE_AA, _SHIFT)
