"""A board on paper or screen in its exact size: a page with a ruler, or a picture in whole pixels."""

from __future__ import annotations

import math
from dataclasses import replace

import cv2
import numpy as np

from armoon.camera.calibration.board.board import Board, black_cells, board_picture, opencv_board
from armoon.camera.frame import Image
from armoon.errors import SettingsError
from armoon.messages import text
from armoon.messages.numbers import brief
from armoon.printing.page import MARGIN_M, PAPERS, RULER_M, Box, Page, Shape, Words, ruler

#: The ruler and its line of text stand below the board.
_RULER_GAP_M = 0.009


def board_page(board: Board, paper: str) -> Page:
    """Return the board centred across ``paper`` (a key of ``PAPERS``), its ruler below. Raises SettingsError."""
    width, height = PAPERS[paper]
    left = (width - board.width_m) / 2.0
    bottom_room = 0.026  # the words below the ruler stay clear of what printers leave white
    bottom = max(bottom_room, (height - board.height_m) / 2.0)
    top = bottom + board.height_m
    if left < MARGIN_M or top > height - MARGIN_M:
        raise SettingsError(
            f"The board {board.name} ({1000 * board.width_m:g}×{1000 * board.height_m:g} mm) "
            f"is too large for {paper} paper.",
            remedy="Take another --paper, or a board with smaller squares.",
        )
    cells = [Box(left + x, top - low, right - x, low - high) for x, high, right, low in black_cells(board)]
    below = bottom - _RULER_GAP_M
    note = text("kit.board", square=brief(1000 * board.square_m))
    words = Words(note, width / 2.0, below - 0.008, centred=True)
    shapes: tuple[Shape, ...] = (*cells, *ruler((width - RULER_M) / 2.0, below), words)
    return Page(width, height, shapes)


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
