"""The part of the picture that the tracker searches, and hints for hands that are too small in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from support.hands_kit import CAMERA, PALM_M, TABLE_FROM_CAMERA, frame_of, stick_hand

from armoon.camera.profiles import make_webcam_model
from armoon.errors import DisplayError
from armoon.geometry import Array, CameraModel, pose_looking_at, project_table_points
from armoon.hands.grip_settings import GripSettings
from armoon.hands.interpret import Interpreter
from armoon.hands.tracked_hand import HandView
from armoon.hands.tracker import HandTracker, Region, find_play_region, should_come_closer
from armoon.synthetic_camera.anatomy import TABLE_ROTATION, HandState, get_landmarks, place_palm
from armoon.synthetic_camera.rendered_camera import RenderedCamera
from armoon.values.poses import Vec3

#: Pose of a distant camera; the play volume is small in its picture.
FAR_CAMERA = pose_looking_at((0.05, -1.2, 0.4), (0.05, 0.0, 0.18))


@pytest.mark.parametrize("camera", [CAMERA, CameraModel(1280, 720, 965.0, 965.0, 639.5, 359.5)])
def test_a_distant_cameras_region_is_small_four_by_three_and_shows_the_lid(camera: CameraModel) -> None:
    region = find_play_region(camera, FAR_CAMERA)
    assert region is not None
    assert region.width / region.height == pytest.approx(4.0 / 3.0, rel=0.02)
    assert region.width < 0.7 * camera.width
    for point in [(0.17, 0.0, 0.02), (0.17, 0.0, 0.3), (-0.08, 0.0, 0.2)]:
        x, y = project_table_points(camera, FAR_CAMERA, [point])[0]
        assert region.x <= x <= region.x + region.width
        assert region.y <= y <= region.y + region.height


def test_the_region_lies_in_the_picture() -> None:
    for distance in (0.3, 0.5, 0.8, 1.5, 3.0):
        region = find_play_region(CAMERA, pose_looking_at((0.3, -distance, 0.3), (0.0, 0.0, 0.1)))
        if region is not None:
            assert min(region.x, region.y) >= 0
            assert region.x + region.width <= CAMERA.width
            assert region.y + region.height <= CAMERA.height


def view_at(distance_m: float) -> HandView:
    interpreter = Interpreter(CAMERA, TABLE_FROM_CAMERA, GripSettings(palm_m=PALM_M))
    interpreter.add_hands(frame_of(stick_hand((0.0, 0.06, distance_m)), time_s=1.0))
    return interpreter.list_views()[0]


def test_a_distant_hand_should_come_closer_unless_the_picture_is_cropped() -> None:
    full = Region(0, 0, CAMERA.width, CAMERA.height)
    assert not should_come_closer(view_at(0.5).points_px, full)
    assert should_come_closer(view_at(1.2).points_px, full)
    assert not should_come_closer(view_at(1.2).points_px, replace(full, width=320, height=240))


PLACES: Sequence[Vec3] = (
    (-0.08, 0.0, 0.20),
    (-0.02, 0.04, 0.12),
    (0.05, 0.0, 0.15),
    (0.10, -0.04, 0.22),
    (0.16, 0.0, 0.10),
    (0.19, 0.03, 0.17),
)


@pytest.mark.slow
@pytest.mark.gl
@pytest.mark.tracker
def test_the_crop_finds_a_hand_at_two_metres_that_is_lost_without_it() -> None:
    camera, pose = make_webcam_model(640, 360), pose_looking_at((0.03, -1.8, 0.9), (0.03, 0.0, 0.15))
    region = find_play_region(camera, pose)
    assert region is not None
    try:
        stage = RenderedCamera(camera, pose)
    except DisplayError as error:
        pytest.skip(str(error))
    empty = stage.render([])
    counts = {"whole": 0, "crop": 0}
    looks = {"whole": None, "crop": region}
    with_hand = []
    for place in PLACES:
        state = HandState(place_palm(place, TABLE_ROTATION, 0.0))
        with_hand.append((stage.render([state]), project_table_points(camera, pose, get_landmarks(state))))
    stage.close()
    for name, looked_at in looks.items():
        with HandTracker(watch_second_hand=False, region=looked_at) as tracker:
            for k, (picture, truth) in enumerate(with_hand):
                tracker.track(empty, k / 10.0, 2 * k)  # the hand has to be found again
                hands = tracker.track(picture, k / 10.0 + 0.03, 2 * k + 1).hands
                counts[name] += any(_is_same_hand(np.array(hand.points_px), truth) for hand in hands)
    assert counts["crop"] == len(PLACES)
    assert counts["whole"] < len(PLACES) // 2


def _is_same_hand(points: Array, truth: Array) -> bool:
    return bool(np.linalg.norm(points - truth, axis=1).mean() < 0.25 * np.linalg.norm(truth[0] - truth[9]))
