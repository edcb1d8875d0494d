"""The cloud, its slots and the lid."""

from __future__ import annotations

import itertools
import math

import pytest
from support.world_kit import base, ladders, wait_for_rest, world_of

from armoon.errors import WorldError
from armoon.geometry import pose_apply, quat_rotate
from armoon.values.pieces import PieceStatus
from armoon.values.poses import IDENTITY_POSE, Pose
from armoon.world.base import (
    BASE_HEIGHT_M,
    CONFIGURATIONS,
    LID_FLOOR_M,
    LID_X_M,
    in_lid,
    make_base,
    offered_pose,
)
from armoon.world.exact import highest_point, lowest_point, pieces_distance
from armoon.world.ladders import foot_of

STRAIGHT = ladders().ladders[:3]


def test_the_cloud_is_as_high_as_it_says_and_lies_on_the_table() -> None:
    cloud = base()
    assert highest_point(cloud.boxes, IDENTITY_POSE) == pytest.approx(BASE_HEIGHT_M)
    assert cloud.height_m == BASE_HEIGHT_M
    assert lowest_point(cloud.boxes, IDENTITY_POSE) == pytest.approx(0.0)


@pytest.mark.parametrize("configuration", sorted(CONFIGURATIONS))
@pytest.mark.parametrize("count", [2, 3])
def test_starting_ladders_stand_in_the_cloud_and_clear_of_each_other(configuration: str, count: int) -> None:
    cloud = make_base(STRAIGHT[:count], configuration)
    assert len(cloud.slots) == count
    for ladder, pose in zip(STRAIGHT, cloud.slots, strict=False):
        foot = pose_apply(pose, foot_of(ladder))
        assert 0.0 < foot[2] < BASE_HEIGHT_M
        assert lowest_point(ladder.boxes, pose) > 0.0
        up = quat_rotate(pose.rotation, (0.0, 0.0, 1.0))
        assert up[2] > math.cos(math.radians(15.0))
        assert pieces_distance(ladder.boxes, pose, cloud.boxes, IDENTITY_POSE) < 0.0, "stands in the cloud"
    for (a, pose_a), (b, pose_b) in itertools.combinations(zip(STRAIGHT, cloud.slots, strict=False), 2):
        assert pieces_distance(a.boxes, pose_a, b.boxes, pose_b, 0.05) > 0.002


def test_configurations_differ() -> None:
    slots = {make_base(STRAIGHT[:2], name).slots for name in CONFIGURATIONS}
    assert len(slots) == len(CONFIGURATIONS) >= 4


def test_an_unknown_configuration_or_a_fourth_ladder_is_refused() -> None:
    with pytest.raises(WorldError, match="configuration"):
        make_base(STRAIGHT[:2], "spiral")
    with pytest.raises(WorldError, match="slots"):
        make_base((*STRAIGHT, ladders().ladders[3]))


def test_starting_ladders_stand_still_and_fixed() -> None:
    with world_of() as world:
        facts = wait_for_rest(world)
        assert {piece.status for piece in facts.pieces} == {PieceStatus.FIXED}
        assert facts.contacts == ()
        assert world.poses() == {"L01": base().slots[0], "L02": base().slots[1]}


def test_offered_ladders_stand_in_the_lid_clear_of_the_cloud() -> None:
    for ladder in ladders().ladders:
        pose = offered_pose(ladder)
        assert in_lid(pose.position)
        assert lowest_point(ladder.boxes, pose) == pytest.approx(LID_FLOOR_M)
        assert pieces_distance(ladder.boxes, pose, base().boxes, IDENTITY_POSE, 0.05) > 0.02
    assert not in_lid((0.0, 0.0, 0.1))
    assert not in_lid((LID_X_M, 0.0, 0.4))
    assert Pose((LID_X_M, 0.0, 0.1)).position[0] == 0.17
