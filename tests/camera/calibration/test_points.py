"""Four clicked or touched corners locate a table; wrong ones are refused with a reason, and tables are saved."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from benchmarks.sheets import CAMERA, measure_pose_error

from armoon.camera import four_points
from armoon.camera.plane_pose import distort_pixels, list_sheet_corners, normalise_pixels, project_sheet
from armoon.errors import CameraError
from armoon.geometry import pose_inverse, pose_looking_at
from armoon.messages import catalogue
from armoon.values.poses import Vec2

SEAT = pose_looking_at((0.05, -0.50, 0.40), (0.0, 0.0, 0.0))
NEAR_SIDE_M, DEPTH_M = 0.34, 0.24
FPS = 30.0


def list_seen_corners() -> list[Vec2]:
    pixels = project_sheet(CAMERA, pose_inverse(SEAT), list_sheet_corners(NEAR_SIDE_M, DEPTH_M))
    return [(float(x), float(y)) for x, y in pixels]


def list_drawn_corners() -> list[Vec2]:
    flat = normalise_pixels(CAMERA, np.array(list_seen_corners()))
    return [(float(x * CAMERA.fx + CAMERA.cx), float(y * CAMERA.fy + CAMERA.cy)) for x, y in flat]


def click_corners(*points: Vec2) -> four_points.CornerPicker:
    picker = four_points.CornerPicker(CAMERA, NEAR_SIDE_M)
    for point in points:
        picker.add_click(point)
    return picker


def test_four_clicks_locate_the_table() -> None:
    picker = four_points.CornerPicker(CAMERA, NEAR_SIDE_M)
    for corner, point in zip(four_points.Corner, list_drawn_corners(), strict=True):
        assert picker.next_corner is corner
        assert picker.hint_key == f"points.{corner.value}"
        picker.add_click(point)
    assert (picker.next_corner, picker.fault, picker.hint_key) == (None, None, "points.done")
    table = picker.table
    assert table is not None
    mm, radians = measure_pose_error(table.table_from_camera, SEAT)
    assert mm < 0.5
    assert radians < 1e-3
    assert 1.0 < table.pose.error_mm < 30.0, "nobody clicks more precisely than that"
    picker.add_click((5.0, 5.0))  # a fifth click changes nothing
    assert (picker.table, picker.fault, len(picker.points_px)) == (table, None, 4)


def test_clicks_on_the_drawn_picture_are_converted_to_camera_pixels() -> None:
    drawn, distorted = np.array(list_drawn_corners()), np.array(list_seen_corners())
    assert np.abs(drawn - distorted).max() > 0.3, "the lens makes a difference here"
    assert distort_pixels(CAMERA, drawn) == pytest.approx(distorted, abs=1e-4)
    assert np.array(click_corners(*list_drawn_corners()).points_px) == pytest.approx(distorted, abs=1e-3)


def rest_finger(
    picker: four_points.CornerPicker, tip: Vec2 | None, start_s: float, seconds: float, jitter: float = 0.0
) -> float:
    random = np.random.default_rng(3)
    time_s = start_s
    for k in range(round(seconds * FPS) + 1):
        time_s = start_s + k / FPS
        x, y = (0.0, 0.0) if tip is None else tip + random.normal(0.0, jitter, 2)
        picker.add_fingertip(None if tip is None else (float(x), float(y)), time_s)
    return time_s + 1.0 / FPS


def test_a_resting_fingertip_sets_a_corner_and_a_moving_one_does_not() -> None:
    picker = four_points.CornerPicker(CAMERA, NEAR_SIDE_M)
    time_s = 0.0
    for k, corner in enumerate(list_seen_corners()):
        time_s = rest_finger(picker, corner, time_s, 0.5 * four_points.DWELL_S, jitter=0.7)
        assert len(picker.points_px) == k
        time_s = rest_finger(picker, corner, time_s, 0.7 * four_points.DWELL_S, jitter=0.7)
        assert len(picker.points_px) == k + 1
        time_s = rest_finger(picker, corner, time_s, 2.0 * four_points.DWELL_S)
        assert len(picker.points_px) == k + 1, "it must move away before it can set another corner"
        for step in range(10):
            time_s += 1.0 / FPS
            picker.add_fingertip((20.0 + 12.0 * step, 340.0), time_s)
    table = picker.table
    assert table is not None
    assert measure_pose_error(table.table_from_camera, SEAT)[0] < 5.0


def test_the_last_corner_can_be_undone() -> None:
    picker = click_corners(*list_drawn_corners())
    picker.undo_corner()
    assert (picker.next_corner, picker.table, len(picker.points_px)) == (
        four_points.Corner.NEAR_LEFT,
        None,
        3,
    )
    picker.add_click(list_drawn_corners()[3])
    assert picker.table is not None
    for _ in range(6):
        picker.undo_corner()
    assert picker.points_px == []


def test_wrong_corners_are_refused_with_a_reason_and_can_be_given_again() -> None:
    a, b, c, d = list_drawn_corners()
    cases: list[tuple[tuple[Vec2, ...], four_points.CornerFault]] = [
        (((-50.0, 10.0),), four_points.CornerFault.OUTSIDE),
        ((a, (a[0] + 3.0, a[1])), four_points.CornerFault.TOO_NEAR),
        ((b, a), four_points.CornerFault.ORDER),
        ((a, b, (b[0] - 60.0, b[1] - 60.0)), four_points.CornerFault.ORDER),
        ((a, b, (1.5 * b[0] - 0.5 * a[0], 1.5 * b[1] - 0.5 * a[1] + 2.0)), four_points.CornerFault.ON_A_LINE),
        ((a, b, c, (0.5 * (a[0] + c[0]) + 20.0, 0.5 * (a[1] + c[1]) - 10.0)), four_points.CornerFault.ORDER),
        ((a, b, c, (0.5 * (a[0] + c[0]), 0.5 * (a[1] + c[1]))), four_points.CornerFault.ON_A_LINE),
    ]
    for points, fault in cases:
        picker = click_corners(*points)
        assert picker.fault is fault, points
        assert picker.hint_key == f"points.fault.{fault.value}"
        assert picker.hint_key in catalogue("en")
        assert len(picker.points_px) == len(points) - 1
    picker = click_corners(a, b, c, a, d)
    assert picker.table is not None, "the next good corner clears a fault"
    assert picker.fault is None


def make_pointed_table() -> four_points.FourPointTable:
    table = click_corners(*list_drawn_corners()).table
    assert table is not None
    return table


def test_a_pointed_table_is_saved_for_the_next_game(tmp_path: Path) -> None:
    assert four_points.load_table(tmp_path, "Cam", CAMERA) is None
    path = four_points.save_table(tmp_path / "cameras", "Cam", CAMERA, make_pointed_table())
    assert path == four_points.get_table_path(tmp_path / "cameras", "Cam", CAMERA.width, CAMERA.height)
    assert four_points.load_table(tmp_path / "cameras", "Cam", CAMERA) == make_pointed_table()
    assert four_points.load_table(tmp_path / "cameras", "Other", CAMERA) is None


@pytest.mark.parametrize(
    "change",
    [
        {"points_px": [[1, 2]]},
        {"points_px": "no"},
        {"near_side_m": "long"},
        {"near_side_m": -1.0},
        {"near_side_m": 1e308},
        {"near_side_m": 5e-324},
        {"camera": "another"},
        {"points_px": [[1, 2], [3, 4], [5, 6], [7, 8]]},
        {"points_px": [[210, 180], [450, 1e308], [473, 322], [151, 299]]},
        {"points_px": [[210, 180], [450, 194], [473, 7.5e305], [151, 299]]},
        {"points_px": [[210, 180], [450, 194], [473, 322], [-2000, 299]]},
    ],
)
@pytest.mark.filterwarnings("error")
def test_a_broken_table_file_names_the_remedy(tmp_path: Path, change: dict[str, object]) -> None:
    path = four_points.save_table(tmp_path, "Cam", CAMERA, make_pointed_table())
    path.write_text(json.dumps({**json.loads(path.read_text(encoding="utf-8")), **change}), encoding="utf-8")
    with pytest.raises(CameraError) as caught:
        four_points.load_table(tmp_path, "Cam", CAMERA)
    assert "corners again" in caught.value.remedy


def test_a_truncated_table_file_names_the_remedy(tmp_path: Path) -> None:
    path = four_points.save_table(tmp_path, "Cam", CAMERA, make_pointed_table())
    path.write_text(path.read_text(encoding="utf-8")[:40], encoding="utf-8")
    with pytest.raises(CameraError, match="broken"):
        four_points.load_table(tmp_path, "Cam", CAMERA)
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(CameraError, match="can't be written"):
        four_points.save_table(tmp_path / "file", "Cam", CAMERA, make_pointed_table())
