"""The printed size of a paper ladder is measured while it lies on the table, but not while it is held."""

from __future__ import annotations

import math

import pytest
from benchmarks.card_stage import CardStage, Conditions

from armoon.camera.profiles import SEATS
from armoon.geometry import pose_compose, pose_inverse, quat, quat_from_axis_angle, quat_multiply
from armoon.hands.card_tracker import CardTracker
from armoon.hands.paper_pieces import PrintMeter
from armoon.values.paper import RIGHT_LADDER
from armoon.values.poses import Pose, Vec3

SEAT = SEATS["table"](1280, 720)
PLACES: tuple[Vec3, Vec3] = (-0.02, -0.06, 0.0), (0.10, -0.05, 0.0)


def measure_print(
    *places: Vec3, printed: float = 1.0, nominal: float = 1.0, tilt_deg: float = 0.0, shake_m: float = 0.0
) -> float | None:
    meter, time_s = PrintMeter(nominal), 1.0
    for k, place in enumerate(places):
        turn = quat_from_axis_angle((0.0, 0.0, 1.0), 0.4 + k)
        tilt = quat_from_axis_angle((1.0, 0.0, 0.0), math.radians(tilt_deg))
        rotation = quat(quat_multiply(tilt, turn))
        stage = CardStage(SEAT.camera, RIGHT_LADDER, Conditions(printed=printed, hand=False), seed=k)
        tracker = CardTracker(SEAT.camera, [RIGHT_LADDER.scale_by(nominal)])
        poses = Pose(place, rotation), Pose((place[0] + shake_m, *place[1:]), rotation)
        camera_from_table = pose_inverse(SEAT.table_from_camera)
        pictures = [stage.frame(pose_compose(camera_from_table, pose)) for pose in poses]
        for frame in range(66):
            time_s += 1.0 / 30.0
            sighting = tracker.find_paper_ladder(pictures[frame // 8 % 2], time_s)
            if sighting is not None:
                meter.add_sighting(sighting, SEAT.table_from_camera)
    return meter.line_mm


@pytest.mark.parametrize(("printed", "nominal"), [(0.97, 1.0), (1.0, 1.0), (1.0, 0.96)])
def test_a_card_laid_in_two_places_gives_its_size(printed: float, nominal: float) -> None:
    assert measure_print(*PLACES, printed=printed, nominal=nominal) == pytest.approx(100.0 * printed, abs=0.7)


def test_a_card_that_is_tilted_held_or_laid_in_one_place_gives_no_size() -> None:
    assert measure_print(PLACES[0], printed=0.97) is None
    assert measure_print(*PLACES, printed=0.97, tilt_deg=12.0) is None
    assert measure_print(*PLACES, printed=0.97, shake_m=0.004) is None
