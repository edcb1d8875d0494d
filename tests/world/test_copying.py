"""Copies of a world from its facts."""

from __future__ import annotations

import math

from support.world_kit import base, ladders, offer_and_grab, wait, wait_for_rest, world_of

from armoon.geometry import quat_from_axis_angle
from armoon.values.facts import PieceStatus
from armoon.values.orders import Place
from armoon.values.poses import Pose
from armoon.world.structures.copying import copy_world, standing_of

ACROSS = quat_from_axis_angle((1.0, 0.0, 0.0), -math.pi / 2.0)


def test_a_copy_stands_where_the_original_stands_and_leaves_it_alone() -> None:
    with world_of("parallel") as world:
        world.apply(Place("L03", Pose((0.0, 0.0, 0.128), ACROSS), fixed=False))
        wait(world, lambda facts: facts.at_rest and facts["L03"].speed_m_s == 0.0)
        hand = offer_and_grab(world)
        facts = hand.hold(1)
        copy = copy_world(ladders(), base("parallel"), facts)
        try:
            copied = wait_for_rest(copy)
            for piece in copied.pieces:
                assert math.dist(piece.pose.position, facts[piece.piece].pose.position) < 1e-4
            assert copied.touching("L03") == facts.touching("L03") == ("L01", "L02")
            assert copied["L05"].status is PieceStatus.OFFERED
            assert facts["L05"].status is PieceStatus.HELD
            after = hand.hold(1)
            assert after["L03"].pose == facts["L03"].pose, "the original sleeps on"
        finally:
            copy.close()


def test_what_stands_excludes_what_is_held() -> None:
    with world_of("parallel") as world:
        facts = offer_and_grab(world).facts[-1]
        assert standing_of(facts) == [("L01", facts["L01"].pose, True), ("L02", facts["L02"].pose, True)]
