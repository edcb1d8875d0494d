"""Predicted landings: the fall to the first touch agrees with moving a ladder down until it touches."""

from __future__ import annotations

import math

import numpy as np
import pytest

from armoon.geometry import quat_from_axis_angle, quat_multiply
from armoon.values.pieces import BASE, TABLE
from armoon.values.poses import Pose
from armoon.world.base import make_base
from armoon.world.exact import Ground, find_distance_m
from armoon.world.ladders import make_ladder_set

LADDERS = make_ladder_set(3)
STARTING = (LADDERS["L01"], LADDERS["L02"])
BASE_SHAPE = make_base(STARTING)
BODIES = [
    (BASE, BASE_SHAPE.boxes, Pose((0.0, 0.0, 0.0))),
    *((ladder.piece, ladder.boxes, slot) for ladder, slot in zip(STARTING, BASE_SHAPE.slots, strict=True)),
]


def draw_poses(count: int) -> list[Pose]:
    rng = np.random.default_rng(5)
    poses = []
    for _ in range(count):
        x, y = rng.uniform(-0.06, 0.06, 2)
        axis = rng.normal(size=3)
        about = quat_from_axis_angle(axis / np.linalg.norm(axis), float(rng.uniform(0.0, math.pi)))
        upright = quat_from_axis_angle((0.0, 0.0, 1.0), float(rng.uniform(0.0, math.pi)))
        poses.append(Pose((float(x), float(y), 0.30), quat_multiply(about, upright)))
    return poses


def lower_pose(pose: Pose, by_m: float) -> Pose:
    x, y, z = pose.position
    return Pose((x, y, z - by_m), pose.rotation)


def measure_clearance_m(piece: str, pose: Pose) -> float:
    boxes = LADDERS[piece].boxes
    return min(find_distance_m(boxes, pose, other, place, 0.05) for _, other, place in BODIES)


@pytest.mark.parametrize("pose", draw_poses(12))
def test_a_predicted_fall_ends_at_the_first_touch(pose: Pose) -> None:
    landing = Ground(BODIES).find_landing(LADDERS["L09"], pose)
    assert landing.touched
    assert measure_clearance_m("L09", lower_pose(pose, landing.fall_m - 1e-4)) > 0.0
    if TABLE not in landing.touched:
        assert measure_clearance_m("L09", lower_pose(pose, landing.fall_m + 1e-4)) < 0.0
    else:
        assert len(landing.points) == len(landing.touched)


def test_a_landing_is_reused_for_small_motions() -> None:
    ground, ladder = Ground(BODIES), LADDERS["L09"]
    for pose in draw_poses(6):
        first = ground.find_landing(ladder, pose)
        assert ground.find_landing_cached(ladder, pose) == first
        x, y, z = pose.position
        near_landing = ground.find_landing_cached(ladder, Pose((x + 0.0003, y, z - 0.0004), pose.rotation))
        assert near_landing.touched == first.touched
        assert near_landing.fall_m == pytest.approx(first.fall_m - 0.0004, abs=1e-12)
        far_pose = Pose((x + 0.002, y, z), pose.rotation)
        assert ground.find_landing_cached(ladder, far_pose) == ground.find_landing(ladder, far_pose)
