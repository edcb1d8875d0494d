"""In real photographs, whole prints give better poses than corners, and foreign tags aren't taken for paper ladders.

The photographs are from OpenCV's tutorials: a board of 40 mm squares with tags of 20 mm, taken by a webcam of 640x480
from about 40 cm. That camera's calibration is published. The squares' corners, which blur doesn't shift, locate the
board.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
import pytest
from support.hands_kit import media_folder

from armoon.camera.sources import Image
from armoon.geometry import Array, CameraModel
from armoon.hands.card_finder import MARGIN_PX, CardFinder, PrintedTags, crop_picture, fit_pose, make_prints
from armoon.values.paper import PAPER_LADDERS, Tag

pytestmark = pytest.mark.media

PICTURES = ("img_00", "img_01", "img_02", "img_03", "chocclusion_original")
DICTIONARY = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_6X6_250)
CELLS, TAG_M, SQUARE_M = 8, 0.02, 0.04
BLUR_PX = 0.6
#: Position of a ladder's end relative to the centre of the tags, metres.
TIP = np.array([0.1, 0.0, 0.0])
#: Rotation from the board's frame, which points into the paper, to a card's, which points out of it.
CARD_FROM_BOARD = np.diag([1.0, -1.0, -1.0])


@dataclass(frozen=True, eq=False)
class TagRow:
    """Three tags in a row in one photograph, as far apart as a paper ladder's."""

    grey: Image
    prints: PrintedTags
    pixels: Array
    """(3, 4, 2) corners as detected, without refinement."""
    turn: Array
    place: Array
    """Pose from the corners of all squares."""


def load_tutorial_camera() -> CameraModel:
    file = cv2.FileStorage(
        str(media_folder() / "calibration/tutorial_camera_charuco.yml"), cv2.FILE_STORAGE_READ
    )
    (fx, _, cx), (_, fy, cy), _ = np.array(file.getNode("camera_matrix").mat()).tolist()
    k1, k2, p1, p2, k3 = np.ravel(file.getNode("distortion_coefficients").mat()).tolist()
    return CameraModel(640, 480, fx, fy, cx, cy, (k1, k2, p1, p2, k3))


def read_photograph(name: str) -> Image:
    picture = cv2.imread(str(media_folder() / f"calibration/{name}.jpg"), cv2.IMREAD_GRAYSCALE)
    assert picture is not None
    return np.asarray(picture, dtype=np.uint8)


def find_rows(camera: CameraModel) -> Iterator[TagRow]:
    board, lens = cv2.aruco.CharucoBoard((5, 7), SQUARE_M, TAG_M, DICTIONARY), np.array(camera.distortion)
    corners = {
        int(n): np.array(four) for n, four in zip(np.ravel(board.getIds()), board.getObjPoints(), strict=True)
    }
    squares = np.array(board.getChessboardCorners())
    for name in PICTURES:
        grey = read_photograph(name)
        inner, numbers, _, _ = cv2.aruco.CharucoDetector(board).detectBoard(grey)
        _, turn, shift = cv2.solvePnP(squares[np.ravel(numbers)], np.asarray(inner), camera.matrix(), lens)
        boxes, marker_ids, _ = cv2.aruco.ArucoDetector(DICTIONARY).detectMarkers(grey)
        quads = {
            int(n): np.reshape(four, (4, 2)) for n, four in zip(np.ravel(marker_ids), boxes, strict=True)
        }
        heights = sorted({round(float(four[:, 1].mean()), 3) for four in corners.values()})
        for height in heights:
            row = [n for n in quads if abs(corners[n][:, 1].mean() - height) < 1e-3]
            if len(row) != 3:
                continue
            middle = np.mean([corners[n].mean(axis=0) for n in row], axis=0)
            centres = [((corners[n].mean(axis=0) - middle) @ CARD_FROM_BOARD).tolist() for n in row]
            tags = [Tag(n, (x, y), TAG_M, front=True) for n, (x, y, _) in zip(row, centres, strict=True)]
            matrix: Array = np.asarray(cv2.Rodrigues(turn)[0], dtype=np.float64)
            pixels = np.array([quads[n] for n in row], dtype=np.float64)
            yield TagRow(
                grey,
                make_prints(tags, DICTIONARY),
                pixels,
                matrix @ CARD_FROM_BOARD,
                matrix @ middle + np.ravel(shift),
            )


def measure_pose_errors(turn: Array, place: Array, row: TagRow) -> tuple[float, float]:
    offset = turn @ TIP + place - (row.turn @ TIP + row.place)
    cosine = (np.trace(turn.T @ row.turn) - 1.0) / 2.0
    return 1000.0 * float(np.linalg.norm(offset)), math.degrees(math.acos(min(1.0, cosine)))


def test_the_whole_print_gives_a_better_pose_than_its_corners() -> None:
    camera = load_tutorial_camera()
    by_corners, by_print = [], []
    for row in find_rows(camera):
        points, lens = row.prints.corners.reshape(-1, 3), np.array(camera.distortion)
        _, turns, shifts, _ = cv2.solvePnPGeneric(
            points, row.pixels.reshape(-1, 1, 2), camera.matrix(), lens, flags=cv2.SOLVEPNP_IPPE
        )
        turn = np.asarray(cv2.Rodrigues(turns[0])[0], dtype=np.float64)
        place = np.ravel(shifts[0]).astype(np.float64)
        by_corners.append(measure_pose_errors(turn, place, row))
        left, top = (row.pixels.min(axis=(0, 1)) - MARGIN_PX).astype(int).tolist()
        right, bottom = (row.pixels.max(axis=(0, 1)) + MARGIN_PX).astype(int).tolist()
        cell_px = float(np.linalg.norm(row.pixels[0, 1] - row.pixels[0, 0])) / CELLS
        crop = crop_picture(row.grey, (left, top, right, bottom), cell_px)
        assert crop is not None
        fit = fit_pose(camera, crop, row.prints, turn, place, np.eye(2) * BLUR_PX**2)
        assert fit is not None
        assert (fit.scores > 0.85).all()
        by_print.append(measure_pose_errors(fit.rotation, fit.origin, row))
    assert len(by_print) >= 12
    (corner_mm, corner_deg), (print_mm, print_deg) = (
        np.median(measured, axis=0).tolist() for measured in (by_corners, by_print)
    )
    assert print_mm < 1.2
    assert print_deg < 0.5
    assert max(mm for mm, _ in by_print) < 3.0
    assert max(deg for _, deg in by_print) < 1.0
    assert corner_mm > 1.5 * print_mm
    assert corner_deg > 4.0 * print_deg


def test_foreign_printed_tags_are_not_taken_for_a_paper_ladder() -> None:
    finder = CardFinder(load_tutorial_camera(), PAPER_LADDERS)
    assert [name for name in PICTURES if finder.find_card(read_photograph(name), 0, 0) is not None] == []
