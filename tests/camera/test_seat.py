"""Both uncalibrated seats show the whole playing space."""

from __future__ import annotations

import numpy as np
import pytest

from armoon.camera.profiles import SEATS, make_webcam_model
from armoon.geometry import project_table_points

#: Corners of the space that must be visible (table frame, metres): a tower of 25 cm, and a ladder of 13 cm in the lid.
BASE_AND_TOWER = [(x, y, z) for x in (-0.06, 0.06) for y in (-0.06, 0.06) for z in (0.0, 0.25)]
LID = [(x, y, z) for x in (0.15, 0.19) for y in (-0.02, 0.02) for z in (0.0, 0.15)]
SIZES = [(1280, 720), (640, 360), (640, 480)]


@pytest.mark.parametrize("name", sorted(SEATS))
@pytest.mark.parametrize(("width", "height"), SIZES)
def test_the_playing_space_is_in_the_picture(name: str, width: int, height: int) -> None:
    seat = SEATS[name](width, height)
    pixels = project_table_points(seat.camera, seat.table_from_camera, BASE_AND_TOWER + LID)
    margin = 0.05 * np.array([width, height])
    assert np.all(pixels > margin)
    assert np.all(pixels < np.array([width, height]) - margin)


@pytest.mark.parametrize("name", sorted(SEATS))
def test_x_points_right_z_up_and_y_away(name: str) -> None:
    seat = SEATS[name](640, 360)
    origin, right, up, far = project_table_points(
        seat.camera, seat.table_from_camera, [(0, 0, 0), (0.1, 0, 0), (0, 0, 0.1), (0, 0.1, 0)]
    )
    assert right[0] > origin[0] + 50
    assert up[1] < origin[1] - 50
    assert far[1] < origin[1]  # the table rises towards its horizon


def test_a_taller_picture_keeps_the_middle_and_shows_more() -> None:
    wide, tall = make_webcam_model(640, 360), make_webcam_model(640, 480)
    assert wide.fx == tall.fx == 482.5
    assert (wide.cx, wide.cy) == (319.5, 179.5)
    assert (tall.cx, tall.cy) == (319.5, 239.5)
