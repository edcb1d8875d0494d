"""A board on paper or screen in its exact size: a one-page vector PDF with a ruler, or a picture in whole pixels.

The PDF is written by hand because it is a page of rectangles: PDF 1.4 (ISO 32000-1), one content stream, one built-in
font. A picture in a PDF would be blurred by some printers at marker edges; rectangles are not.
"""

from __future__ import annotations

import math
from dataclasses import replace

import cv2
import numpy as np

from armoon.camera.calibration.board.board import PAPERS, Board, black_cells, board_picture, opencv_board
from armoon.camera.frame import Image
from armoon.errors import SettingsError

_POINTS_PER_M = 72.0 / 0.0254
#: Printers leave about 6 mm white all around; the board itself must stay clear of that.
_MARGIN_M = 0.008
#: The ruler and its line of text stand below the board.
_RULER_M = 0.100
_RULER_GAP_M = 0.009
_TEXT_POINTS = 8
#: Touching rectangles show hairlines on screens; this overlap (metres) hides them, below a print dot.
_OVERLAP_M = 5e-6


def board_pdf(board: Board, paper: str) -> bytes:
    """Return the board centred across ``paper`` (a key of ``PAPERS``), its ruler below. Raises SettingsError."""
    width, height = PAPERS[paper]
    left = (width - board.width_m) / 2.0
    bottom_room = 0.021
    bottom = max(bottom_room, (height - board.height_m) / 2.0)
    top = bottom + board.height_m
    if left < _MARGIN_M or top > height - _MARGIN_M:
        raise SettingsError(
            f"The board {board.name} ({1000 * board.width_m:g}×{1000 * board.height_m:g} mm) "
            f"is too large for {paper} paper.",
            remedy="Take another --paper, or a board with smaller squares.",
        )
    lines = ["0 g"]
    for cell_left, cell_top, cell_right, cell_bottom in black_cells(board):
        lines.append(
            _rectangle(left + cell_left, top - cell_bottom, cell_right - cell_left, cell_bottom - cell_top)
        )
    lines += _ruler((width - _RULER_M) / 2.0, bottom - _RULER_GAP_M)
    note = (
        f"Print at 100 % (actual size). From 0 to 100 is 100 mm; a square is {1000 * board.square_m:g} mm. "
        "Lay it flat; don't bend it."
    )
    lines.append(_text(note, width / 2.0 - 0.079, bottom - _RULER_GAP_M - 0.008))
    return _document("\n".join(lines).encode("ascii"), width, height)


def _rectangle(x: float, y: float, width: float, height: float) -> str:
    x, y, width, height = x - _OVERLAP_M, y - _OVERLAP_M, width + 2 * _OVERLAP_M, height + 2 * _OVERLAP_M
    return " ".join(f"{v * _POINTS_PER_M:.4f}" for v in (x, y, width, height)) + " re f"


def _text(text: str, x: float, y: float) -> str:
    escaped = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
    place = f"{x * _POINTS_PER_M:.3f} {y * _POINTS_PER_M:.3f}"
    return f"BT /F1 {_TEXT_POINTS} Tf {place} Td ({escaped}) Tj ET"


def _ruler(x: float, y: float) -> list[str]:
    """Millimetre strokes from 0 to 100; the strokes' middles are exact, and the end strokes are longest."""
    thin = 0.0002
    lines = [_rectangle(x, y - thin / 2, _RULER_M, thin)]
    for millimetre in range(101):
        tall = 0.005 if millimetre % 10 == 0 else 0.0035 if millimetre % 5 == 0 else 0.002
        lines.append(_rectangle(x + millimetre / 1000.0 - thin / 2, y, thin, tall))
        if millimetre % 10 == 0:
            lines.append(_text(str(millimetre), x + millimetre / 1000.0 - 0.0012, y - 0.0035))
    return lines


def _document(content: bytes, width_m: float, height_m: float) -> bytes:
    box = f"[0 0 {width_m * _POINTS_PER_M:.4f} {height_m * _POINTS_PER_M:.4f}]"
    bodies = [
        # Some viewers shrink a page to the printer's margins unless the file says otherwise.
        b"<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox {box} /Contents 4 0 R "
        "/Resources << /Font << /F1 5 0 R >> >> >>".encode("ascii"),
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
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


#: Half a square of white all around, as OpenCV's detector needs around the outer squares.
_MARGIN_SQUARES = 0.5


def screen_board(board: Board, width_px: int, height_px: int, diagonal_inch: float) -> tuple[Board, Image]:
    """``board`` as large as the screen allows, and its picture (height_px, width_px), grey.

    Shown full-screen at 100 % its squares have the returned board's exact size. Raises SettingsError.
    """
    if not (width_px > 0 and height_px > 0 and math.isfinite(diagonal_inch) and 3.0 <= diagonal_inch <= 40.0):
        raise SettingsError(
            f"A screen of {width_px}x{height_px} pixels and {diagonal_inch:g} inches can't be.",
            remedy="Give its diagonal in inches and its upright size: --screen 6.1 --pixels 1170x2532",
        )
    pixel_m = diagonal_inch * 0.0254 / math.hypot(width_px, height_px)
    fitting = (
        width_px / (board.columns + 2 * _MARGIN_SQUARES),
        height_px / (board.rows + 2 * _MARGIN_SQUARES),
    )
    square_px = int(min(fitting))
    cells = opencv_board(board).getDictionary().markerSize + 2
    cell_px = int(board.marker_m / board.square_m * square_px / cells)
    # A marker stands in the middle of its square only if the two differ by an even number of pixels.
    while cell_px > 0 and (square_px - cell_px * cells) % 2:
        square_px -= 1
    if cell_px < 2:
        raise SettingsError(
            f"The board {board.name} has too many squares for {width_px}x{height_px} pixels.",
            remedy="Use a screen with more pixels, or print the board.",
        )
    shown = replace(
        board,
        name=f"{board.name}, on a screen of {diagonal_inch:g} inches",
        square_m=square_px * pixel_m,
        marker_m=cell_px * cells * pixel_m,
    )
    picture = board_picture(shown, square_px)
    top, left = (height_px - picture.shape[0]) // 2, (width_px - picture.shape[1]) // 2
    screen = cv2.copyMakeBorder(
        picture,
        top,
        height_px - picture.shape[0] - top,
        left,
        width_px - picture.shape[1] - left,
        cv2.BORDER_CONSTANT,
        value=(255,),
    )
    return shown, np.asarray(screen, dtype=np.uint8)
