"""Describes, prints and draws ChArUco boards. Board frame: origin at the centre, x right, y up, z out; metres."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from armoon.camera.sources import Image
from armoon.codec import decode_json, encode_json
from armoon.errors import SettingsError
from armoon.geometry import Array
from armoon.messages import brief, text
from armoon.printing import MARGIN_M, PAPERS, RULER_M, PageBox, PageText, PaperPage, Shape, make_ruler
from armoon.resources import resource_text
from armoon.values.text import quote_text, short_repr

#: The packaged board that `armoon board` prints.
STANDARD_BOARD = "board.json"
#: Limits of a square's side: webcams can't resolve smaller ones at arm's length, and larger ones don't fit on paper.
SQUARE_RANGE_M = (0.003, 0.2)
#: Maximum relative error of the printed ruler; a page with a larger one was printed "to fit".
RULER_TOLERANCE = 0.10
_REMEDY = "fault.remedy.board"


@dataclass(frozen=True)
class Board:
    """A chessboard with ArUco markers in its white squares."""

    name: str
    dictionary: str
    """OpenCV's marker dictionary, such as ``DICT_5X5_50``."""
    columns: int
    rows: int
    square_m: float
    marker_m: float
    legacy: bool = False
    """Whether a board with an even number of rows has a marker in its first square, as in OpenCV before 4.6."""

    def __post_init__(self) -> None:
        """Raise SettingsError for an impossible board."""
        low, high = SQUARE_RANGE_M
        name = quote_text(self.name)
        if not (math.isfinite(self.square_m) and low <= self.square_m <= high):
            raise SettingsError(
                "fault.board.squares",
                board=name,
                square=1000 * self.square_m,
                low=1000 * low,
                high=1000 * high,
            )
        if not 0.3 * self.square_m <= self.marker_m < self.square_m:
            raise SettingsError(
                "fault.board.markers", board=name, marker=1000 * self.marker_m, square=1000 * self.square_m
            )
        if not (3 <= self.columns <= 30 and 3 <= self.rows <= 30):
            raise SettingsError(
                "fault.board.size", remedy=_REMEDY, board=name, size=f"{self.columns}×{self.rows}"
            )
        constant = getattr(cv2.aruco, self.dictionary, None)
        if not self.dictionary.startswith("DICT_") or constant is None:
            raise SettingsError("fault.board.dictionary", board=name, dictionary=short_repr(self.dictionary))
        if self.columns * self.rows // 2 > len(cv2.aruco.getPredefinedDictionary(constant).bytesList):
            raise SettingsError(
                "fault.board.few_markers", remedy=_REMEDY, dictionary=self.dictionary, board=name
            )

    @property
    def width_m(self) -> float:
        return self.columns * self.square_m

    @property
    def height_m(self) -> float:
        return self.rows * self.square_m

    def scale_by(self, factor: float) -> Board:
        return replace(self, square_m=self.square_m * factor, marker_m=self.marker_m * factor)

    def to_json(self) -> str:
        return encode_json(self, indent=2).decode() + "\n"


def parse_board(text: bytes | str, name: str) -> Board:
    """Parse a board's JSON description; ``name``: for error messages. Raises SettingsError."""
    return decode_json(Board, text, "fault.board.broken", error=SettingsError, remedy=_REMEDY, path=name)


def load_board() -> Board:
    return parse_board(resource_text("calibration", STANDARD_BOARD), STANDARD_BOARD)


def scale_by_ruler(board: Board, ruler_mm: float) -> Board:
    """Return the board as printed, if its 100 mm ruler measures ``ruler_mm``. Raises SettingsError if implausible."""
    factor = ruler_mm / 100.0
    if not (math.isfinite(factor) and abs(factor - 1.0) <= RULER_TOLERANCE):
        raise SettingsError("fault.board.ruler", remedy="fault.board.actual_size", ruler=ruler_mm)
    return board.scale_by(factor)


@functools.lru_cache(maxsize=8)
def make_opencv_board(board: Board) -> cv2.aruco.CharucoBoard:
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, board.dictionary))
    size = (board.columns, board.rows)
    opencv_board = cv2.aruco.CharucoBoard(size, board.square_m, board.marker_m, dictionary)
    opencv_board.setLegacyPattern(board.legacy)
    return opencv_board


def list_corners(board: Board, ids: Sequence[int] | None = None) -> Array:
    """Return the inner corners (n, 2) with these OpenCV ids (None: all) in the board frame."""
    corners = np.asarray(make_opencv_board(board).getChessboardCorners(), dtype=np.float64)
    selected = corners if ids is None else corners[np.asarray(ids, dtype=int)]
    # OpenCV's board has its origin at the top left corner and y down the page.
    return np.column_stack([selected[:, 0] - board.width_m / 2.0, board.height_m / 2.0 - selected[:, 1]])


def draw_board(board: Board, square_px: int) -> Image:
    """Return a grey picture (h, w) of the board without margin: black 0, white 255."""
    size = (board.columns * square_px, board.rows * square_px)
    # OpenCV's own drawing has edges inside markers that are off by up to a pixel.
    picture = np.full((size[1], size[0]), 255, np.uint8)
    for black in list_black_cells(board):
        left, top, right, bottom = (round(v / board.square_m * square_px) for v in black)
        picture[top:bottom, left:right] = 0
    return picture


def list_black_cells(board: Board) -> list[tuple[float, float, float, float]]:
    """Return black rectangles (left, top, right, bottom) in metres from the board's top left corner, y down."""
    opencv_board, side = make_opencv_board(board), board.square_m
    markers = [np.asarray(corners)[:, :2] for corners in opencv_board.getObjPoints()]
    marked_squares = {tuple((corners.mean(axis=0) // side).astype(int).tolist()) for corners in markers}
    black = (sum(next(iter(marked_squares))) + 1) % 2
    cells = [
        (column * side, row * side, (column + 1) * side, (row + 1) * side)
        for row in range(board.rows)
        for column in range(board.columns)
        if (column, row) not in marked_squares and (column + row) % 2 == black
    ]
    for corners, number in zip(markers, np.ravel(opencv_board.getIds()), strict=True):
        left, top = corners.min(axis=0)
        for x, y, cell in list_marker_cells(opencv_board.getDictionary(), int(number), board.marker_m):
            cells.append((left + x, top + y, left + x + cell, top + y + cell))
    return cells


def list_marker_cells(
    dictionary: cv2.aruco.Dictionary, number: int, side_m: float
) -> Iterator[tuple[float, float, float]]:
    """Yield (left, top, side) of a marker's black cells, row by row: metres from its upper left corner, y down."""
    count = dictionary.markerSize + 2
    bits = cv2.aruco.generateImageMarker(dictionary, number, count, borderBits=1)
    for y, x in zip(*np.nonzero(bits == 0), strict=True):
        yield x * side_m / count, y * side_m / count, side_m / count


#: Distance from the board down to the ruler.
_RULER_GAP_M = 0.009


def make_board_page(board: Board, paper: str) -> PaperPage:
    """Return a page with the board and a ruler on ``paper`` (key of ``PAPERS``). Raises SettingsError if too large."""
    width, height = PAPERS[paper]
    left = (width - board.width_m) / 2.0
    min_bottom = 0.026  # keeps the text below the ruler out of the printer's margin
    bottom = max(min_bottom, (height - board.height_m) / 2.0)
    top = bottom + board.height_m
    if left < MARGIN_M or top > height - MARGIN_M:
        raise SettingsError(
            "fault.board.paper",
            board=board.name,
            width=1000 * board.width_m,
            height=1000 * board.height_m,
            paper=paper,
        )
    cells = [
        PageBox(left + x, top - low, right - x, low - high) for x, high, right, low in list_black_cells(board)
    ]
    ruler_y = bottom - _RULER_GAP_M
    note = text("kit.board", square=brief(1000 * board.square_m))
    caption = PageText(note, width / 2.0, ruler_y - 0.008, centred=True)
    shapes: tuple[Shape, ...] = (*cells, *make_ruler((width - RULER_M) / 2.0, ruler_y), caption)
    return PaperPage(width, height, shapes)


#: White margin that OpenCV's detector needs around the outer squares.
_MARGIN_SQUARES = 0.5


def fit_to_screen(board: Board, width_px: int, height_px: int, diagonal_inch: float) -> tuple[Board, Image]:
    """Return ``board`` resized to fill a screen, and the screen's grey picture (h, w). Raises SettingsError."""
    if not (width_px > 0 and height_px > 0 and math.isfinite(diagonal_inch) and 3.0 <= diagonal_inch <= 40.0):
        raise SettingsError(
            "fault.board.screen",
            remedy="fault.remedy.screen",
            size=f"{width_px}x{height_px}",
            diagonal=diagonal_inch,
        )
    pixel_m = diagonal_inch * 0.0254 / math.hypot(width_px, height_px)
    columns, rows = board.columns + 2 * _MARGIN_SQUARES, board.rows + 2 * _MARGIN_SQUARES
    square_px = int(min(width_px / columns, height_px / rows))
    cells = make_opencv_board(board).getDictionary().markerSize + 2
    cell_px = int(board.marker_m / board.square_m * square_px / cells)
    # A marker is centred in its square only if their sizes differ by an even number of pixels.
    while cell_px > 0 and (square_px - cell_px * cells) % 2:
        square_px -= 1
    if cell_px < 2:
        raise SettingsError("fault.board.pixels", board=board.name, size=f"{width_px}x{height_px}")
    resized = replace(
        board,
        name=f"{board.name}, on a screen of {diagonal_inch:g} inches",
        square_m=square_px * pixel_m,
        marker_m=cell_px * cells * pixel_m,
    )
    picture = draw_board(resized, square_px)
    top, left = (height_px - picture.shape[0]) // 2, (width_px - picture.shape[1]) // 2
    screen = np.full((height_px, width_px), 255, np.uint8)
    screen[top : top + picture.shape[0], left : left + picture.shape[1]] = picture
    return resized, screen
