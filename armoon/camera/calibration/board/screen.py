"""A board for a phone's or tablet's screen of known size, in whole screen pixels."""

from __future__ import annotations

import math
from dataclasses import replace

import cv2
import numpy as np

from armoon.camera.calibration.board.board import Board, board_picture, opencv_board
from armoon.camera.frame import Image
from armoon.errors import SettingsError

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
