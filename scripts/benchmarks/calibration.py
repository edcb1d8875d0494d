"""Measures the accuracy of camera and table calibration in rendered pictures and photographs.

Targets: from 15 noisy and blurred views, focal length within 0.5 % and centre within 1 px; the table's pose at 0.6 m
within 1 mm and 0.3 degrees from the board, 3 mm and 1 degree from a blank sheet; drawn points within 0.5 px of the
projection; from OpenCV's tutorial photographs, focal length within 2 % of the published one, error at most 0.2 px.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path

import cv2
import numpy as np
from rich.console import Console
from rich.table import Table

from armoon.camera.board import Board, load_board
from armoon.camera.board_finder import BoardFinder, BoardView
from armoon.camera.capture import Orientation
from armoon.camera.plane_pose import PlaneFault, PlanePose, table_from_sheet
from armoon.camera.profiles import MIN_VIEWS, Calibration, calibrate, make_webcam_model
from armoon.camera.sheet import LocatedTable, locate_sheet
from armoon.camera.sources import Image
from armoon.geometry import CameraModel, pose_looking_at
from benchmarks import Save
from benchmarks.hand_clips import find_media_folder
from benchmarks.sheets import (
    TURNED,
    Conditions,
    LocatorScenes,
    Scenes,
    SheetStage,
    describe_outcome,
    make_blank_sheet,
    make_board_sheet,
    measure_pose_error,
    measure_registration_px,
    measure_turned_px,
    place_seats_before,
)

#: A typical webcam: a few pixels of barrel distortion, and an optical axis a few pixels off the picture's centre.
WEBCAM = CameraModel(640, 480, 520.0, 521.0, 317.0, 244.0, (0.10, -0.25, 0.001, -0.0007, 0.05))
VIEWS, POSES = 15, 8
#: The board in the photographs of opencv_contrib's aruco tutorial.
PHOTO_BOARD = Board("OpenCV's tutorial board", "DICT_6X6_250", 5, 7, 0.04, 0.02)
#: The file with the published calibration.
PUBLISHED = "tutorial_camera_charuco.yml"
PHOTOS, COVERED_PHOTO = "img_*.jpg", "chocclusion_original.jpg"


def run(save: Save) -> None:
    console = Console()
    figures = measure()
    photographs = measure_photographs(find_media_folder() / "calibration")
    console.print(_table(figures, photographs))
    scenes: dict[str, str] = {}
    still = Scenes()
    for name in still.scenes:
        scenes[name] = still.play(name).text()
        console.print(f"{name}: {scenes[name]}", highlight=False)
    locator = LocatorScenes()
    for name in locator.scripts:
        scenes[f"locator: {name}"] = describe_outcome(locator.play(name))
        console.print(f"locator: {name}: {scenes[f'locator: {name}']}", highlight=False)
    save({**figures, "photographs": photographs, "scenes": scenes})


def measure(
    views: int = VIEWS, poses: int = POSES, turned: Sequence[Orientation] = TURNED
) -> dict[str, float | int | None]:
    """Return the figures from rendered pictures."""
    stage, finder = SheetStage(WEBCAM, seed=5), BoardFinder(load_board())
    calibration = calibrate(_render_views(stage, finder, views), WEBCAM.width, WEBCAM.height)
    camera = calibration.camera
    board = _find_errors(stage, poses, lambda image: finder.find_pose(WEBCAM, image), blank=False)
    sheet = _find_errors(stage, poses, lambda image: _pose(locate_sheet(WEBCAM, image, ("a4",))), blank=True)
    centred = CameraModel(640, 480, 520.0, 520.0, 319.5, 239.5)
    guessed = make_webcam_model(640, 480)
    unknown = _find_errors(
        SheetStage(centred, seed=6),
        max(2, poses // 2),
        lambda image: _pose(locate_sheet(guessed, image, ("a4",), calibrated=False)),
        blank=True,
    )
    return {
        "views": calibration.views,
        "focal_error": max(abs(camera.fx / WEBCAM.fx - 1.0), abs(camera.fy / WEBCAM.fy - 1.0)),
        "centre_error_px": math.hypot(camera.cx - WEBCAM.cx, camera.cy - WEBCAM.cy),
        "reprojection_px": calibration.error_px,
        "held_out_px": calibration.held_out_px,
        "pose_error_mm_board": board[0],
        "pose_error_mm_board_mean": board[1],
        "pose_error_deg_board": board[2],
        "pose_error_mm_sheet": sheet[0],
        "pose_error_mm_sheet_mean": sheet[1],
        "pose_error_deg_sheet": sheet[2],
        "pose_error_mm_sheet_focal_unknown": unknown[0],
        "pose_error_deg_sheet_focal_unknown": unknown[2],
        "registration_px": measure_registration_px(stage, finder, camera),
        "registration_px_turned": measure_turned_px(stage, finder, camera, turned),
    }


def measure_photographs(folder: Path) -> dict[str, float | int | str | None]:
    """Return the figures from the published photographs; None for each figure that can't be measured.

    ``pose_error_mm_board``: distance between positions from two halves of the covered board's corners.
    """
    keys = ("focal_error", "centre_error_px", "pose_error_mm_board", "pose_error_mm_sheet", "registration_px")
    answer: dict[str, float | int | str | None] = dict.fromkeys(keys)
    finder = BoardFinder(PHOTO_BOARD)
    sights = [finder.find_board(_load(path)) for path in sorted(folder.glob(PHOTOS))]
    views = [sight for sight in sights if not isinstance(sight, PlaneFault)]
    answer["views"] = len(views)
    if len(views) < MIN_VIEWS:
        return answer
    size = _load(sorted(folder.glob(PHOTOS))[0]).shape
    calibration = calibrate(views, size[1], size[0])
    # With few views, the focal length's uncertainty is larger than its difference from the published value.
    answer["focal_sigma"] = calibration.focal_sigma
    answer["registration_px"] = answer["reprojection_px"] = calibration.error_px
    if (folder / PUBLISHED).is_file():
        storage = cv2.FileStorage(str(folder / PUBLISHED), cv2.FILE_STORAGE_READ)
        matrix = storage.getNode("camera_matrix").mat()
        model = calibration.camera
        answer["focal_error"] = max(abs(model.fx / matrix[0, 0] - 1.0), abs(model.fy / matrix[1, 1] - 1.0))
        # The published corners are half a pixel too far right and down, as OpenCV's detector reported them.
        centre = (matrix[0, 2] - 0.5, matrix[1, 2] - 0.5)
        answer["centre_error_px"] = math.hypot(model.cx - centre[0], model.cy - centre[1])
    answer.update(_measure_covered(finder, calibration, folder / COVERED_PHOTO))
    return answer


def _render_views(stage: SheetStage, finder: BoardFinder, count: int) -> list[BoardView]:
    """Return views of a board held in front of the camera at varying tilts, noisy and slightly out of focus."""
    random = np.random.default_rng(4)
    sights: list[BoardView] = []
    while len(sights) < count:
        around, above = random.uniform(-math.pi, math.pi), random.uniform(0.7, 1.4)
        towards = np.array(
            [math.sin(around) * math.cos(above), -math.cos(around) * math.cos(above), math.sin(above)]
        )
        target = np.array([*random.uniform(-0.12, 0.12, 2), 0.0])
        eye = target + random.uniform(0.28, 0.5) * towards
        up = (math.sin(around + random.normal(0.0, 0.4)), math.cos(around), 0.5)
        image = stage.render(
            pose_looking_at(eye, target, up),
            [make_board_sheet(finder.board)],
            Conditions(noise=3.0, blur_px=0.8),
        )
        sight = finder.find_board(image)
        if not isinstance(sight, PlaneFault):
            sights.append(sight)
    return sights


def _find_errors(
    stage: SheetStage, count: int, find: Callable[[Image], PlanePose | PlaneFault], blank: bool
) -> tuple[float, float, float]:
    """Return the worst and the mean error in millimetres, and the worst error in degrees, over all poses."""
    sheet = make_blank_sheet("a4") if blank else make_board_sheet(load_board())
    errors = []
    for seat in place_seats_before(count):
        pose = find(stage.render(seat, [sheet], Conditions(noise=2.5, blur_px=0.7)))
        if isinstance(pose, PlaneFault):
            errors.append((math.inf, math.inf))
        else:
            errors.append(measure_pose_error(table_from_sheet(pose.camera_from_sheet), seat))
    mm, radians = np.array(errors).T
    return float(mm.max()), float(mm.mean()), math.degrees(float(radians.max()))


def _pose(sheet: LocatedTable | PlaneFault) -> PlanePose | PlaneFault:
    return sheet if isinstance(sheet, PlaneFault) else sheet.pose


def _measure_covered(
    finder: BoardFinder, calibration: Calibration, path: Path
) -> dict[str, float | int | str | None]:
    if not path.is_file():
        return {}
    sight = finder.find_board(_load(path))
    if isinstance(sight, PlaneFault):
        return {"covered": str(sight)}
    halves = []
    for part in (slice(0, None, 2), slice(1, None, 2)):
        half = BoardView(sight.ids[part], sight.pixels[part], sight.places[part])
        pose = finder.solve_pose(calibration.camera, half)
        if not isinstance(pose, PlaneFault):
            halves.append(np.array(pose.camera_from_sheet.position))
    apart = 1000.0 * float(np.linalg.norm(halves[0] - halves[1])) if len(halves) == 2 else None
    return {"covered": "found", "covered_corners": len(sight.ids), "pose_error_mm_board": apart}


def _load(path: Path) -> Image:
    image = cv2.imread(str(path))
    assert image is not None, path
    return np.asarray(image, dtype=np.uint8)


def _table(figures: dict[str, float | int | None], photographs: dict[str, float | int | str | None]) -> Table:
    table = Table("figure", "rendered", "target", "photographs", "target", title="Calibration")
    targets = {
        "focal_error": ("0.005", "0.02"),
        "centre_error_px": ("1", ""),
        "reprojection_px": ("", "0.2"),
        "pose_error_mm_board": ("1", ""),
        "pose_error_deg_board": ("0.3", ""),
        "pose_error_mm_sheet": ("3", ""),
        "pose_error_deg_sheet": ("1", ""),
        "registration_px": ("0.5", ""),
        "registration_px_turned": ("0.5", ""),
    }
    for key in {**figures, **photographs}:
        first, second = targets.get(key, ("", ""))
        table.add_row(key, _format(figures.get(key)), first, _format(photographs.get(key)), second)
    return table


def _format(value: object) -> str:
    return "" if value is None else f"{value:.4g}" if isinstance(value, float) else str(value)
