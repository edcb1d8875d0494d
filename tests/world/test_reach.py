"""Which ladder a grip means, and how near it must be."""

from __future__ import annotations

import math
import random

import pytest
from support.world_kit import grip, ladders, random_quat

from armoon.geometry import mat_from_pose, quat_from_axis_angle
from armoon.values.pieces import GripPhase, Ladder
from armoon.values.poses import IDENTITY_POSE, Pose, Vec3
from armoon.world.exact import PlacedBoxes
from armoon.world.grip import REACH_ACROSS_M, REACH_ALONG_M, Aim, aim_at, within_reach

STRAIGHT = ladders()["L01"]
AWAY: Vec3 = (0.0, 1.0, 0.0)
RAIL_FACE_X = 0.016


def aim(position: Vec3, axis: Vec3 = AWAY, ladder: Ladder = STRAIGHT, pose: Pose = IDENTITY_POSE) -> Aim:
    return aim_at(ladder, pose, grip(GripPhase.GRAB, position, view_axis=axis))


def reaches(position: Vec3, axis: Vec3 = AWAY) -> bool:
    return within_reach(STRAIGHT, IDENTITY_POSE, grip(GripPhase.GRAB, position, view_axis=axis))


def test_a_line_of_sight_through_a_rail_aims_into_it() -> None:
    found = aim((0.014, -0.05, 0.01))
    assert found.across_m < 1e-12
    assert found.point == pytest.approx((0.014, -0.00175, 0.01)), "the face nearest to the grip"
    assert found.along_m == pytest.approx(0.05 - 0.00175)


def test_beside_the_ladder_the_nearest_point_is_meant() -> None:
    found = aim((RAIL_FACE_X + 0.02, -0.05, 0.01))
    assert found.across_m == pytest.approx(0.02)
    assert found.point[0] == pytest.approx(RAIL_FACE_X)
    assert found.point[2] == pytest.approx(0.01)


def test_reach_across_and_along() -> None:
    assert reaches((RAIL_FACE_X + REACH_ACROSS_M - 1e-4, 0.0, 0.0))
    assert not reaches((RAIL_FACE_X + REACH_ACROSS_M + 1e-4, 0.0, 0.0))
    assert reaches((0.014, -REACH_ALONG_M, 0.01)), "too near to the eye by the whole reach"
    assert reaches((0.014, REACH_ALONG_M, 0.01)), "too far from the eye by the whole reach"
    assert not reaches((0.014, -REACH_ALONG_M - REACH_ACROSS_M - 0.01, 0.01))
    assert not reaches((0.014, REACH_ALONG_M + REACH_ACROSS_M + 0.01, 0.01))


def test_the_reach_turns_with_the_line_of_sight() -> None:
    offset = (0.014 + 0.08, 0.0, 0.01)
    assert not reaches(offset, AWAY)
    assert reaches(offset, (1.0, 0.0, 0.0))


def test_the_length_of_the_view_axis_does_not_matter() -> None:
    assert aim((0.014, -0.05, 0.01), (0.0, 3.0, 0.0)).along_m == pytest.approx(0.05 - 0.00175)


@pytest.mark.parametrize("seed", range(12))
def test_no_point_of_the_wood_is_nearer_to_the_line_than_the_aim(seed: int) -> None:
    """Against a dense sampling of line and wood; the aim itself lies in the wood."""
    dice = random.Random(seed)
    ladder = ladders().ladders[dice.randrange(30)]
    pose = Pose((0.1, 0.0, 0.1), random_quat(dice))
    axis = (dice.gauss(0.0, 1.0), dice.gauss(0.0, 1.0), dice.gauss(0.0, 1.0))
    x, y, z = (c + dice.uniform(-0.08, 0.08) for c in pose.position)
    position = (x, y, z)
    found = aim(position, axis, ladder, pose)
    length = math.hypot(*axis)
    line = [
        tuple(p + a / length * t / 400.0 * REACH_ALONG_M for p, a in zip(position, axis, strict=True))
        for t in range(-400, 401)
    ]
    best = math.inf
    for box in ladder.boxes:
        corners = PlacedBoxes([box], pose).corners()[0]
        centre = corners.mean(axis=0)
        axes = [(corners[4] - corners[0]) / 2, (corners[2] - corners[0]) / 2, (corners[1] - corners[0]) / 2]
        for point in line:
            d = [p - c for p, c in zip(point, centre, strict=True)]
            gap = 0.0
            for edge in axes:
                half = math.hypot(*edge)
                along = sum(x * y for x, y in zip(d, edge, strict=True)) / half
                gap += max(abs(along) - half, 0.0) ** 2
            best = min(best, math.sqrt(gap))
    assert found.across_m == pytest.approx(best, abs=4e-4)
    assert found.across_m <= best + 1e-9
    local = mat_from_pose(pose)[:3, :3].T @ [f - p for f, p in zip(found.point, pose.position, strict=True)]
    assert math.hypot(*local) < 0.08


def test_the_turned_ladder_is_found_where_it_is() -> None:
    turned = Pose((0.0, 0.0, 0.0), quat_from_axis_angle((0.0, 1.0, 0.0), math.pi / 2.0))
    assert aim((0.05, -0.05, -0.014), pose=turned).across_m < 1e-12
    assert aim((0.0, -0.05, 0.05), pose=turned).across_m > 0.03
