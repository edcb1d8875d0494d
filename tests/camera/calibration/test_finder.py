"""The printed board is found from low cameras, half covered, and with any layout."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest
from benchmarks.sheets import CAMERA, SEAT, Conditions, SheetStage, make_board_sheet, measure_pose_error

from armoon.camera.board import Board, load_board, parse_board
from armoon.camera.board_finder import BoardFinder
from armoon.camera.plane_pose import PlaneFault, list_sheet_corners, project_sheet, table_from_sheet
from armoon.camera.profiles import resize_camera
from armoon.camera.sources import to_grey
from armoon.camera.table_tracker import TableBackground
from armoon.geometry import CameraModel, pose_inverse, pose_looking_at
from armoon.resources import resource_text

TUTORIAL = parse_board(resource_text("calibration", "board-opencv-tutorial.json"), "tutorial")
BOARDS = [
    Board("even rows", "DICT_4X4_50", 5, 8, 0.025, 0.019),
    Board("even rows, old pattern", "DICT_4X4_50", 5, 8, 0.025, 0.019, legacy=True),
    Board("many small squares", "DICT_4X4_250", 9, 13, 0.016, 0.012),
    TUTORIAL.scale_by(0.7),
]
#: A camera with enough pixels for markers of 6×6 cells.
FINE = resize_camera(CAMERA, 2 * CAMERA.width, 2 * CAMERA.height)


@pytest.fixture(scope="module")
def fine_stage() -> SheetStage:
    return SheetStage(FINE)


@pytest.mark.parametrize(
    ("eye", "worst_px"), [((0.03, -0.6, 0.30), 0.15), ((0.03, -0.6, 0.20), 0.25), ((0.0, -0.35, 0.40), 0.15)]
)
def test_the_board_is_found_from_usual_camera_positions(
    eye: tuple[float, float, float], worst_px: float
) -> None:
    # At 26 degrees above the table a square is ten pixels high; OpenCV's own board check refuses such views.
    camera = CameraModel(640, 360, 480.0, 480.0, 319.5, 179.5, (0.1, -0.25, 0.001, -0.0007, 0.05))
    seat = pose_looking_at(eye, (0.0, 0.0, 0.05))
    image = SheetStage(camera).render(seat, [make_board_sheet(load_board())])
    view = BoardFinder(load_board()).find_board(image)
    assert not isinstance(view, PlaneFault)
    assert len(view.ids) == 24
    offsets = view.pixels - project_sheet(camera, pose_inverse(seat), view.places)
    assert np.abs(offsets).max() < worst_px


def test_a_search_near_a_pose_finds_the_board_even_if_that_pose_is_wrong() -> None:
    finder = BoardFinder(load_board())
    image = SheetStage(CAMERA).render(SEAT, [make_board_sheet(load_board())])
    pose = finder.find_pose(CAMERA, image)
    assert not isinstance(pose, PlaneFault)
    elsewhere = pose_inverse(pose_looking_at((0.1, -0.5, 0.45), (0.05, 0.0, 0.0)))
    for near in (pose.camera_from_sheet, elsewhere):
        refined = finder.find_pose_near(CAMERA, image, near)
        assert not isinstance(refined, PlaneFault)
        assert refined.camera_from_sheet.position == pytest.approx(pose.camera_from_sheet.position, abs=2e-4)
    grey = np.full_like(image, 128)
    assert isinstance(finder.find_pose_near(CAMERA, grey, pose.camera_from_sheet), PlaneFault)


@pytest.mark.parametrize("board", BOARDS, ids=lambda b: b.name)
def test_any_described_board_is_found_even_if_partly_covered(fine_stage: SheetStage, board: Board) -> None:
    conditions = Conditions(covers=((-0.25, -0.25, 0.25, -0.03),))
    image = fine_stage.render(SEAT, [make_board_sheet(board)], conditions)
    pose = BoardFinder(board).find_pose(FINE, image)
    assert not isinstance(pose, PlaneFault)
    mm, radians = measure_pose_error(table_from_sheet(pose.camera_from_sheet), SEAT)
    assert mm < 1.0
    assert radians < math.radians(0.3)


def test_another_layout_of_the_same_markers_is_refused() -> None:
    image = SheetStage(CAMERA).render(SEAT, [make_board_sheet(BOARDS[0])])
    for other in (BOARDS[1], Board("other", "DICT_4X4_50", 6, 7, 0.025, 0.019)):
        # With few markers visible, another layout can look like parts of two boards.
        assert BoardFinder(other).find_pose(CAMERA, image) in (PlaneFault.WRONG_BOARD, PlaneFault.TWO)


def test_a_change_in_the_middle_of_the_picture_is_not_taken_for_camera_motion() -> None:
    stage = SheetStage(CAMERA)
    before = to_grey(stage.render(SEAT, [make_board_sheet(load_board())]))
    after = to_grey(stage.render(SEAT, []))
    sheet = project_sheet(CAMERA, pose_inverse(SEAT), list_sheet_corners(0.21, 0.28))
    reference = TableBackground(before, movable_px=sheet)
    unchanged = reference.compare_picture(after)
    assert unchanged is not None
    assert unchanged.is_still
    assert reference.is_still(before)
    assert reference.is_still(after)
    shift = np.array([[1.0, 0.0, 5.0], [0.0, 1.0, 2.0]])
    moved = np.asarray(cv2.warpAffine(after, shift, after.shape[1::-1]), dtype=np.uint8)
    assert not reference.is_still(moved)
    motion = reference.compare_picture(moved)
    assert motion is not None
    assert not motion.is_still
    assert motion.shift_px == pytest.approx(math.hypot(5, 2), abs=0.3)
    assert not reference.is_still(np.zeros_like(before))
