"""A standing lid is located by its rendered label on a known table."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest
from support.hands_kit import photograph_faces

from armoon.camera.profiles import make_table_seat
from armoon.camera.sources import Image
from armoon.geometry import Array, pose_inverse, quat_from_axis_angle, quat_rotate
from armoon.hands.card_finder import get_dictionary
from armoon.hands.paper_pieces import LidReader
from armoon.values.paper import LID_LABEL_M, LID_TAG, LID_TAG_M

SEAT = make_table_seat(1280, 720)


def place_label(x: float, y: float, top_m: float, turned: float, lean: float = 0.0) -> Array:
    """Return the label's corners (4, 3), table frame; its front points towards -y before the rotation."""
    half, middle = LID_LABEL_M / 2.0, top_m - LID_LABEL_M / 2.0
    corners = np.array([(-half, 0.0, half), (half, 0.0, half), (half, 0.0, -half), (-half, 0.0, -half)])
    turns = (quat_from_axis_angle((1.0, 0.0, 0.0), lean), quat_from_axis_angle((0.0, 0.0, 1.0), turned))
    for turn in turns:
        corners = np.array([quat_rotate(turn, (float(a), float(b), float(c))) for a, b, c in corners])
    return np.asarray(corners + np.array([x, y, middle]))


def render(corners: Array, seed: int) -> Image:
    dots = 250
    side = round(dots * LID_TAG_M / LID_LABEL_M)
    texture = np.full((dots, dots), 235, np.uint8)
    rim = (dots - side) // 2
    texture[rim : rim + side, rim : rim + side] = np.where(
        cv2.aruco.generateImageMarker(get_dictionary(), LID_TAG, side) > 0, 235, 30
    )
    return photograph_faces([(texture, corners)], SEAT.camera, pose_inverse(SEAT.table_from_camera), seed)


@pytest.mark.parametrize("turned", [-0.6, 0.0, 0.5])
@pytest.mark.parametrize(("x", "y", "top_m"), [(-0.165, 0.0, 0.20), (0.15, 0.05, 0.25), (-0.1, -0.05, 0.12)])
def test_a_standing_lid_is_located(x: float, y: float, top_m: float, turned: float) -> None:
    lid = LidReader().read_lid(
        render(place_label(x, y, top_m, turned), 1), SEAT.camera, SEAT.table_from_camera
    )
    assert lid is not None
    assert lid.top_m == pytest.approx(top_m, abs=0.004)
    assert lid.foot.position == pytest.approx((x, y, 0.0), abs=0.012)
    axis = quat_rotate(lid.foot.rotation, (1.0, 0.0, 0.0))
    assert abs(math.atan2(axis[1], axis[0]) - turned) < math.radians(6.0)


def test_a_lying_or_missing_lid_is_not_found() -> None:
    reader = LidReader()
    lying = place_label(0.0, 0.0, 0.08, 0.0, lean=-math.radians(60.0))
    for grey in (render(lying, 2), np.full((720, 1280), 110, np.uint8)):
        assert reader.read_lid(grey, SEAT.camera, SEAT.table_from_camera) is None
