"""What the tracker looks at, and hands that are too small in it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hands_help import CAMERA, PALM_M, TABLE_FROM_CAMERA, frame_of, stick_hand

from armoon.geometry import CameraModel, pose_looking_at, project_table_points
from armoon.hands.interpret import HandView, Interpreter
from armoon.hands.region import play_region, should_come_closer
from armoon.hands.settings import GripSettings
from armoon.hands.tracker import Region

#: What a wide and distant camera leaves of the volume is small in its picture.
FAR_CAMERA = pose_looking_at((0.05, -1.2, 0.4), (0.05, 0.0, 0.18))


@pytest.mark.parametrize("camera", [CAMERA, CameraModel(1280, 720, 965.0, 965.0, 639.5, 359.5)])
def test_a_distant_cameras_region_is_smaller_has_four_to_three_and_shows_the_lid(camera: CameraModel) -> None:
    region = play_region(camera, FAR_CAMERA)
    assert region is not None
    assert region.width / region.height == pytest.approx(4.0 / 3.0, rel=0.02)
    assert region.width < 0.7 * camera.width
    for point in [(0.17, 0.0, 0.02), (0.17, 0.0, 0.3), (-0.08, 0.0, 0.2)]:
        x, y = project_table_points(camera, FAR_CAMERA, [point])[0]
        assert region.x <= x <= region.x + region.width
        assert region.y <= y <= region.y + region.height


def test_the_region_lies_in_the_picture() -> None:
    for distance in (0.3, 0.5, 0.8, 1.5, 3.0):
        region = play_region(CAMERA, pose_looking_at((0.3, -distance, 0.3), (0.0, 0.0, 0.1)))
        if region is not None:
            assert region.x >= 0
            assert region.y >= 0
            assert region.x + region.width <= CAMERA.width
            assert region.y + region.height <= CAMERA.height


def test_a_camera_that_looks_away_keeps_its_whole_picture() -> None:
    assert play_region(CAMERA, pose_looking_at((0.0, -0.5, 0.3), (0.0, -2.0, 0.3))) is None
    assert play_region(CAMERA, pose_looking_at((0.0, 0.0, 0.1), (0.0, 1.0, 0.1))) is None, "inside the volume"


def view_at(distance_m: float) -> HandView:
    interpreter = Interpreter(CAMERA, TABLE_FROM_CAMERA, GripSettings(palm_m=PALM_M))
    interpreter.see(frame_of(stick_hand((0.0, 0.06, distance_m)), time_s=1.0))
    return interpreter.views()[0]


def test_a_hand_far_off_should_come_closer_and_a_crop_brings_it_nearer() -> None:
    whole = Region(0, 0, CAMERA.width, CAMERA.height)
    assert not should_come_closer(view_at(0.5), whole)
    assert should_come_closer(view_at(1.2), whole)
    assert not should_come_closer(view_at(1.2), replace(whole, width=320, height=240))
