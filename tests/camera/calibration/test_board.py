"""The board's description, its print at exact size, and its picture for a screen."""

from __future__ import annotations

import re
from pathlib import Path

import cv2
import numpy as np
import pytest
from support.command_line import run

from armoon.camera.board import (
    Board,
    fit_to_screen,
    list_black_cells,
    load_board,
    make_board_page,
    make_opencv_board,
    scale_by_ruler,
)
from armoon.cli.calibration import read_board
from armoon.errors import SettingsError
from armoon.printing import PAPERS, write_pdf
from armoon.resources import resource_path

POINTS_PER_MM = 72.0 / 25.4


@pytest.mark.parametrize("paper", sorted(PAPERS))
def test_the_print_has_the_exact_size_and_stays_on_the_paper(paper: str) -> None:
    board = load_board()
    pdf = write_pdf([make_board_page(board, paper)])
    box = re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pdf)
    assert box is not None
    width, height = (float(v) / POINTS_PER_MM for v in box.groups())
    assert (width, height) == pytest.approx([1000 * v for v in PAPERS[paper]], abs=0.01)
    numbers = [float(v) for v in re.findall(rb"-?[\d.]+(?= )", b"\n".join(re.findall(rb"[^\n]+ re f", pdf)))]
    rectangles = np.array(numbers).reshape(-1, 4) / POINTS_PER_MM
    squares = rectangles[: len(list_black_cells(board))]
    left, bottom = squares[:, :2].min(axis=0)
    right, top = (squares[:, :2] + squares[:, 2:]).max(axis=0)
    assert right - left == pytest.approx(5 * 35.0, abs=0.03)
    assert top - bottom == pytest.approx(7 * 35.0, abs=0.03)
    assert min(left, bottom, width - right, height - top) > 6.0
    ruler = rectangles[len(squares)]
    assert ruler[2] == pytest.approx(100.0, abs=0.03)
    strokes = rectangles[len(squares) + 1 :, 0]
    assert strokes[-1] - strokes[0] == pytest.approx(100.0, abs=0.001)


@pytest.mark.parametrize("paper", sorted(PAPERS))
def test_the_packaged_pdf_equals_the_generated_one(paper: str) -> None:
    packaged = resource_path("calibration", f"board-{paper}.pdf").read_bytes()
    assert packaged == write_pdf([make_board_page(load_board(), paper)])


def test_a_screen_board_has_whole_pixels_and_is_found() -> None:
    board, picture = fit_to_screen(load_board(), 1170, 2532, 6.1)
    assert picture.shape == (2532, 1170)
    pixel_m = 6.1 * 0.0254 / np.hypot(1170, 2532)
    square_px = board.square_m / pixel_m
    assert square_px == pytest.approx(round(square_px), abs=1e-6)
    corners, ids, _, _ = cv2.aruco.CharucoDetector(make_opencv_board(board)).detectBoard(picture)
    assert len(ids) == 4 * 6
    assert np.ptp(np.asarray(corners)[..., 0]) == pytest.approx(3 * square_px, abs=0.2)
    with pytest.raises(SettingsError, match="--screen"):
        fit_to_screen(load_board(), 1170, 2532, float("nan"))
    with pytest.raises(SettingsError, match="too many squares"):
        fit_to_screen(load_board(), 60, 80, 6.1)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"square_m": 35.0}, "35000 mm"),
        ({"square_m": 0.0}, "0 mm"),
        ({"square_m": float("nan")}, "nan"),
        ({"marker_m": 0.05}, "markers of 50 mm"),
        ({"columns": 1}, "1×7"),
        ({"dictionary": "DICT_9X9_9"}, "DICT_9X9_9"),
        ({"columns": 20, "rows": 20}, "too few markers"),
    ],
)
def test_impossible_boards_are_refused_with_a_remedy(change: dict[str, object], expected: str) -> None:
    with pytest.raises(SettingsError, match=expected) as caught:
        Board(**{**load_board().__dict__, **change, "name": "my\nboard"})
    assert caught.value.remedy
    assert "\n" not in str(caught.value), "the message must be one line"


def test_the_ruler_corrects_the_scale_and_refuses_nonsense() -> None:
    assert scale_by_ruler(load_board(), 98.0).square_m == pytest.approx(0.0343)
    for wrong in (9.8, 130.0, float("nan")):
        with pytest.raises(SettingsError, match="100 %"):
            scale_by_ruler(load_board(), wrong)


def test_the_board_command_writes_files(tmp_path: Path) -> None:
    printed = run("board", "--out", str(tmp_path / "b.pdf"), "--paper", "Letter").output
    assert (tmp_path / "b.pdf").read_bytes().startswith(b"%PDF-1.4")
    assert str(tmp_path / "b.pdf") in printed
    assert "100 mm" in printed
    assert run("board", "--out", str(tmp_path / "b.png"), "--screen", "6.5").exit_code == 0
    assert read_board(tmp_path / "b.json").square_m < 0.02
