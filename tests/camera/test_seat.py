"""Both uncalibrated seats have the whole playing space in the picture, the right way round."""

from __future__ import annotations

import numpy as np
import pytest

from armoon.camera.seat import SEATS
from armoon.geometry import project_table_points

#: Corners of what must be seen (metres, table frame): a 25 cm tower over the base, a 13 cm ladder in the lid.
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
def test_x_goes_right_z_goes_up_and_y_goes_away(name: str) -> None:
    seat = SEATS[name](640, 360)
    origin, right, up, far = project_table_points(
        seat.camera, seat.table_from_camera, [(0, 0, 0), (0.1, 0, 0), (0, 0, 0.1), (0, 0.1, 0)]
    )
    assert right[0] > origin[0] + 50
    assert up[1] < origin[1] - 50
    assert far[1] < origin[1]  # the table rises towards its horizon


def test_only_the_mirror_seat_flips_the_finished_picture() -> None:
    assert {name: seat(640, 360).mirrored for name, seat in SEATS.items()} == {"table": False, "mirror": True}


def test_the_picture_size_scales_the_camera_and_moves_nothing() -> None:
    small, large = (SEATS["table"](*size) for size in ((640, 360), (1280, 720)))
    assert small.table_from_camera == large.table_from_camera
    assert large.camera.fx == pytest.approx(2 * small.camera.fx)
    assert 2 * np.degrees(np.arctan(640 / large.camera.fx)) == pytest.approx(67.1, abs=0.1)
