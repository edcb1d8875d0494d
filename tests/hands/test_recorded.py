"""With the real tracker, the size and the gestures of rendered hands are recognised."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest

from armoon.camera.profiles import SEATS
from armoon.geometry import project_table_points, quat_from_matrix
from armoon.hands.gestures import GestureReader
from armoon.hands.hand_size import CARD_LONG_M, CARD_SHORT_M, HandSizeMeter, SizeProblem, find_card
from armoon.hands.tracker import HandTracker
from armoon.synthetic_camera import anatomy
from armoon.synthetic_camera.anatomy import (
    MIRROR_ROTATION,
    HandState,
    compute_hand_landmarks,
    find_grip_angles,
    rotate,
)
from armoon.synthetic_camera.look import StageLook
from armoon.synthetic_camera.rendered_camera import RenderedCamera
from armoon.values.acts import Gesture
from armoon.values.poses import Pose

pytestmark = [pytest.mark.slow, pytest.mark.gl, pytest.mark.tracker]

WIDTH, HEIGHT, RATE_HZ = 640, 360, 30.0
FLAT = quat_from_matrix([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
"""Back of the hand up, fingers away."""


def measure_size(name: str, scale: float, *, card: bool) -> tuple[float, float] | SizeProblem:
    seat = SEATS[name](WIDTH, HEIGHT)
    camera = RenderedCamera(seat.camera, seat.table_from_camera, StageLook(skin="tan", hand_scale=scale))
    palm = (
        Pose((0.05, -0.05, 0.03), MIRROR_ROTATION)
        if card
        else Pose((0.12, -0.12, 0.011 * scale), rotate(FLAT, (0.0, 0.0, 1.0), 1.5))
    )
    corners = np.array([(0, 0, 0), (CARD_LONG_M, 0, 0), (CARD_LONG_M, 0, CARD_SHORT_M), (0, 0, CARD_SHORT_M)])
    pixels = project_table_points(
        seat.camera, seat.table_from_camera, corners + np.array([-0.10, -0.05, 0.10])
    )
    meter = HandSizeMeter(seat.camera, seat.table_from_camera)
    with HandTracker(watch_second_hand=False) as tracker:
        for index in range(90):
            picture = camera.render([HandState(palm)]).copy()
            if card:
                cv2.fillConvexPoly(
                    picture, np.round(pixels * 16).astype(np.int32), (210, 225, 230), cv2.LINE_AA, 4
                )
            hands = tracker.track(picture, index / RATE_HZ, index)
            if card:
                meter.add_frame_with_card(hands, find_card(seat.camera, picture))
            else:
                meter.add_frame_on_table(hands)
            if meter.is_done:
                break
    camera.close()
    return meter.get_result()


@pytest.mark.parametrize(
    ("name", "card", "limit", "scale"), [("mirror", True, 0.03, 0.88), ("table", False, 0.06, 1.12)]
)
def test_a_hand_is_measured_with_a_card_or_on_the_table(
    name: str, card: bool, limit: float, scale: float
) -> None:
    size = measure_size(name, scale, card=card)
    assert isinstance(size, tuple)
    palm_length_m, sigma_m = size
    points = compute_hand_landmarks(0.0)
    true_m = scale * float(np.linalg.norm(points[9] - points[0]))
    assert palm_length_m == pytest.approx(true_m, rel=limit)
    assert abs(palm_length_m - true_m) < 2.0 * sigma_m


FIST = find_grip_angles(1.0).copy()
FIST[5:21] = np.radians([0.0, 75.0, 95.0, 55.0] * 4)
FIST[0:3] = (0.2, 0.35, -0.5)
FIST[3:5] = np.radians([35.0, 45.0])


def test_a_rendered_hand_rolls_only_by_shaking_and_opening(monkeypatch: pytest.MonkeyPatch) -> None:
    open_angles = find_grip_angles(0.0)
    # The stage's hand can only pinch; here its grip closes it to a fist.
    monkeypatch.setattr(anatomy, "find_grip_angles", lambda grip, _: (1.0 - grip) * open_angles + grip * FIST)
    seat = SEATS["mirror"](WIDTH, HEIGHT)
    camera = RenderedCamera(seat.camera, seat.table_from_camera, StageLook(skin="tan"))
    reader, gestures = GestureReader(), []
    with HandTracker(watch_second_hand=False) as tracker:
        for index in range(90):
            time_s = index / RATE_HZ
            closed = min(1.0, max(0.0, (time_s - 0.4) / 0.3)) - min(1.0, max(0.0, (time_s - 2.3) / 0.2))
            shaking = 0.8 < time_s < 2.3
            x = 0.03 * math.sin(2.0 * math.pi * 2.5 * (time_s - 0.8)) if shaking else 0.0
            hand = HandState(Pose((0.03 + x, -0.05, 0.05), MIRROR_ROTATION), closed)
            gestures.append(reader.read_gesture(tracker.track(camera.render([hand]), time_s, index)))
    camera.close()
    assert [gesture for gesture in gestures if gesture] == [Gesture.SHAKE]
    assert gestures.index(Gesture.SHAKE) > 2.3 * RATE_HZ
