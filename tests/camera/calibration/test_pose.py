"""The table's pose from board corners, a blank sheet or four corners."""

from __future__ import annotations

import math

import numpy as np
import pytest
from benchmarks.sheets import CAMERA, SEAT, SheetStage, make_blank_sheet, make_board_sheet, measure_pose_error

from armoon import geometry
from armoon.camera import plane_pose
from armoon.camera.board import list_corners, load_board
from armoon.camera.board_finder import BoardFinder
from armoon.camera.profiles import make_webcam_model
from armoon.camera.sheet import locate_sheet, solve_rectangle
from armoon.values.poses import Pose

STRAIGHT = geometry.CameraModel(640, 480, 520.0, 520.0, 319.5, 239.5)
EYES = [(0.0, -0.5, 0.35), (0.3, -0.3, 0.45), (-0.2, -0.55, 0.2), (0.02, -0.05, 0.6)]


@pytest.fixture(scope="module")
def stage() -> SheetStage:
    return SheetStage(CAMERA)


@pytest.mark.parametrize("eye", EYES)
def test_exact_points_give_the_exact_table(eye: tuple[float, float, float]) -> None:
    seat = geometry.pose_looking_at(eye, (0.0, 0.0, 0.0))
    places = list_corners(load_board())
    pixels = plane_pose.project_sheet(CAMERA, geometry.pose_inverse(seat), places)
    pose = plane_pose.solve_plane(CAMERA, places, pixels)
    assert pose is not None
    mm, radians = measure_pose_error(plane_pose.table_from_sheet(pose.camera_from_sheet), seat)
    assert mm < 1e-3
    assert radians < 1e-5
    assert pose.error_px < 1e-4


def test_the_stated_error_matches_the_error_caused_by_noise() -> None:
    random = np.random.default_rng(2)
    places = list_corners(load_board())
    exact = plane_pose.project_sheet(CAMERA, geometry.pose_inverse(SEAT), places)
    errors, stated = [], []
    for _ in range(40):
        pose = plane_pose.solve_plane(CAMERA, places, exact + random.normal(0.0, 0.3, exact.shape))
        assert pose is not None
        errors.append(measure_pose_error(plane_pose.table_from_sheet(pose.camera_from_sheet), SEAT)[0])
        stated.append(pose.error_mm)
    assert np.sqrt(np.mean(np.square(errors))) == pytest.approx(np.mean(stated), rel=0.35)


@pytest.mark.parametrize(("paper", "turn"), [("a4", 0.0), ("letter", 0.25)])
def test_a_blank_sheet_gives_table_and_paper(stage: SheetStage, paper: str, turn: float) -> None:
    image = stage.render(SEAT, [make_blank_sheet(paper, turn=turn)])
    sheet = locate_sheet(CAMERA, image, ("a4", "letter"))
    assert not isinstance(sheet, plane_pose.PlaneFault)
    assert sheet.method == paper
    true = geometry.pose_compose(Pose((0.0, 0.0, 0.0), geometry.quat_from_axis_angle((0, 0, 1), -turn)), SEAT)
    mm, radians = measure_pose_error(plane_pose.table_from_sheet(sheet.pose.camera_from_sheet), true)
    assert mm < 3.0
    assert radians < math.radians(1.0)


def test_a_blank_sheet_gives_the_focal_length_as_well() -> None:
    image = SheetStage(STRAIGHT).render(SEAT, [make_blank_sheet("a4", turn=0.2)])
    sheet = locate_sheet(make_webcam_model(640, 480), image, calibrated=False)
    assert not isinstance(sheet, plane_pose.PlaneFault)
    assert sheet.camera.fx == pytest.approx(520.0, rel=0.02)
    true = geometry.pose_compose(Pose((0.0, 0.0, 0.0), geometry.quat_from_axis_angle((0, 0, 1), -0.2)), SEAT)
    mm, radians = measure_pose_error(plane_pose.table_from_sheet(sheet.pose.camera_from_sheet), true)
    assert mm < 10.0
    assert radians < math.radians(1.0)


def test_a_sheet_seen_from_straight_above_gives_no_focal_length() -> None:
    above = geometry.pose_looking_at((0.0, 0.0, 0.6), (0.0, 0.0, 0.0), up=(0.0, 1.0, 0.0))
    image = SheetStage(STRAIGHT).render(above, [make_blank_sheet("a4", turn=math.pi / 2)])
    guess = make_webcam_model(640, 480)
    sheet = locate_sheet(guess, image, calibrated=False)
    assert not isinstance(sheet, plane_pose.PlaneFault)
    assert sheet.camera == guess


@pytest.mark.parametrize("eye", EYES[:3])
def test_four_corners_and_one_length_give_a_table(eye: tuple[float, float, float]) -> None:
    seat = geometry.pose_looking_at(eye, (0.0, 0.0, 0.0))
    corners = np.column_stack([plane_pose.list_sheet_corners(0.36, 0.22), np.zeros(4)])
    solved = solve_rectangle(STRAIGHT, geometry.project_table_points(STRAIGHT, seat, corners), 0.36)
    assert not isinstance(solved, plane_pose.PlaneFault)
    pose, depth_m = solved
    assert depth_m == pytest.approx(0.22, abs=1e-4)
    assert measure_pose_error(plane_pose.table_from_sheet(pose.camera_from_sheet), seat)[0] < 0.1
    assert pose.error_mm > 1.0, "fingers can't point more precisely"


def test_four_points_that_cannot_be_a_table_are_refused() -> None:
    crossed = np.array([[100.0, 100.0], [300.0, 100.0], [100.0, 300.0], [300.0, 300.0]])
    for points, length in ((crossed, 0.5), (np.zeros((4, 2)), 0.5), (crossed[[0, 1, 3, 2]], 0.0)):
        assert solve_rectangle(STRAIGHT, points, length) is plane_pose.PlaneFault.SHAPE


def test_a_mirrored_board_is_reported_as_mirrored(stage: SheetStage) -> None:
    picture = stage.render(SEAT, [make_board_sheet(load_board())])
    mirrored = np.ascontiguousarray(picture[:, ::-1])
    assert BoardFinder(load_board()).find_board(mirrored) is plane_pose.PlaneFault.MIRRORED
