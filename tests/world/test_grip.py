"""The held ladder: grabbed, moved, lost, found and released."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from benchmarks.hand_script import SimulatedHand
from hypothesis import given, settings
from hypothesis import strategies as st
from support import world_kit

from armoon.geometry import pose_apply, quat_from_axis_angle, quat_multiply
from armoon.values import pieces
from armoon.values.poses import Pose, Vec3
from armoon.world.base import make_offered_pose
from armoon.world.exact import find_distance_m
from armoon.world.grip import APPROACH_M, FAR_SPEED_M_S, MAX_FORCE_N, REACH_ACROSS_M, REACH_ALONG_M, find_aim
from armoon.world.local import LocalWorld

PIECE = "L05"
HIGH: Vec3 = (0.17, 0.0, 0.30)


@contextmanager
def hold_high(*, starting: bool = True) -> Iterator[tuple[LocalWorld, SimulatedHand[pieces.Facts]]]:
    with world_kit.world_of(starting=starting) as world:
        hand = world_kit.offer_and_grab(world)
        hand.move_to(HIGH)
        hand.hold(30)
        yield world, hand


def get_position(facts: pieces.Facts, piece: str = PIECE) -> Vec3:
    return facts[piece].pose.position


def test_a_ladder_released_on_the_table_inside_the_lid_is_offered_again() -> None:
    with world_kit.world_of("parallel") as world:
        hand = world_kit.offer_and_grab(world)
        x, y, z = hand.position
        assert pieces.TABLE in hand.move_to((x, y, z - 0.05)).touching(PIECE)
        assert hand.release()[PIECE].status is pieces.PieceStatus.OFFERED


def test_a_ladder_moves_from_the_lid_to_rest_on_the_starting_ladders() -> None:
    """The usual move: out of the lid, over the starting ladders, down until they bear the ladder, release."""
    with world_kit.world_of("parallel") as world:
        world.apply(pieces.Offer(PIECE))
        facts = world.tick(None)
        assert facts[PIECE].status is pieces.PieceStatus.OFFERED
        assert facts[PIECE].pose == make_offered_pose(world_kit.ladders()[PIECE])
        hand = SimulatedHand(world.tick, get_position(facts))
        facts = hand.grab()
        assert (facts.held, facts[PIECE].status) == (PIECE, pieces.PieceStatus.HELD)
        hand.move_to((0.17, 0.0, 0.26))
        # Flat, along y, across the heads of the two parallel ladders.
        hand.move_by((0.0, 0.0, 0.0), 60, quat_from_axis_angle((1.0, 0.0, 0.0), -math.pi / 2.0))
        hand.move_to((0.0, 0.0, 0.26))
        hand.hold(30)
        hand.move_to((0.0, 0.0, 0.115), speed_m_s=0.06)
        facts = hand.hold(20)
        assert set(facts.touching(PIECE)) >= {"L01", "L02"}
        assert facts.held_force_n > 0.0
        assert facts.grip_gap_m is not None
        assert facts.grip_gap_m < 1e-4
        facts = hand.release()
        assert facts[PIECE].status is pieces.PieceStatus.FREE
        assert facts.held is None
        facts = world_kit.wait_for_rest(world)
        assert facts.touching(PIECE) == ("L01", "L02")
        assert facts[PIECE].highest_m > 0.12


def test_rotating_the_hand_rotates_the_ladder_about_the_point_that_it_holds() -> None:
    with world_kit.world_of(starting=False) as world:
        world.apply(pieces.Offer(PIECE))
        start = world.poses()[PIECE]
        rail_head = world_kit.ladders()[PIECE].rails[0][-1]
        held_point = pose_apply(start, rail_head)
        hand = SimulatedHand(world.tick, held_point)
        assert hand.grab().held == PIECE
        hand.move_to((held_point[0], held_point[1], held_point[2] + 0.1))
        turn = quat_from_axis_angle((0.0, 1.0, 0.0), 0.8)
        facts = hand.do(pieces.GripPhase.HOLD, rotation=turn)
        facts = hand.hold(60)
        pose = facts[PIECE].pose
        assert world_kit.angle_deg(pose.rotation, quat_multiply(turn, start.rotation)) < 0.5
        now = pose_apply(pose, rail_head)
        assert math.dist(now, (held_point[0], held_point[1], held_point[2] + 0.1)) < 1.5e-3


def test_rotations_about_two_axes_end_at_the_hands_attitude() -> None:
    """The drive pushes a rotated ladder in the table's frame, not in the ladder's."""
    with world_kit.world_of(starting=False) as world:
        hand = world_kit.offer_and_grab(world)
        start = world.poses()[PIECE].rotation
        hand.move_to(HIGH)
        sideways = quat_from_axis_angle((0.0, 1.0, 0.0), 1.4)
        hand.do(pieces.GripPhase.HOLD, rotation=sideways)
        facts = hand.hold(60)
        assert world_kit.angle_deg(facts[PIECE].pose.rotation, quat_multiply(sideways, start)) < 0.5
        both = quat_multiply(quat_from_axis_angle((1.0, 0.0, 0.0), 1.0), sideways)
        offs = []
        for _ in range(60):
            facts = hand.do(pieces.GripPhase.HOLD, rotation=both)
            offs.append(world_kit.angle_deg(facts[PIECE].pose.rotation, quat_multiply(both, start)))
        assert offs[-1] < 0.5
        assert max(b - a for a, b in itertools.pairwise(offs)) < 0.1, "the error shrinks with every tick"


@given(st.floats(min_value=-0.11, max_value=0.11))
@settings(max_examples=8)
def test_a_constant_error_in_depth_cancels(error_m: float) -> None:
    """The ladder moves the same wherever along the line of sight the hand was measured."""
    with world_kit.world_of(starting=False) as world:
        world.apply(pieces.Offer(PIECE))
        middle = world.poses()[PIECE].position
        rung_z = pose_apply(world.poses()[PIECE], world_kit.ladders()[PIECE].rungs[1][0])[2]
        axis = world_kit.grip(pieces.GripPhase.GRAB, middle).view_axis
        aim: Vec3 = (middle[0], middle[1], rung_z)
        x, y, z = (m + error_m * a for m, a in zip(aim, axis, strict=True))
        hand = SimulatedHand(world.tick, (x, y, z))
        assert hand.grab().held == PIECE
        hand.move_to((x - 0.05, y + 0.02, z + 0.06))
        turn = quat_from_axis_angle((0.0, 0.0, 1.0), 0.3)
        hand.do(pieces.GripPhase.HOLD, rotation=turn)
        facts = hand.hold(60)
        moved = [b - a for a, b in zip(middle, get_position(facts), strict=True)]
        assert moved == pytest.approx([-0.05, 0.02, 0.06], abs=2.5e-3)


def test_a_ladder_held_with_a_paper_ladder_approaches_its_end_only_while_that_moves() -> None:
    with world_kit.world_of(starting=False) as world:
        world.apply(pieces.Offer(PIECE))
        start = world.poses()[PIECE]
        aim = pose_apply(start, world_kit.ladders()[PIECE].rungs[1][0])
        axis = world_kit.grip(pieces.GripPhase.GRAB, aim).view_axis
        x, y, z = (m - 0.08 * a for m, a in zip(aim, axis, strict=True))
        held_at = find_aim(
            world_kit.ladders()[PIECE], start, world_kit.grip(pieces.GripPhase.GRAB, (x, y, z))
        )[0]
        card = SimulatedHand(world.tick, (x, y, z), source=pieces.CARD_SOURCE)
        assert card.grab().held == PIECE
        assert math.dist(get_position(card.hold(60)), start.position) < 1e-4, "a resting card moves nothing"
        card.move_to((x, y, z + 0.15))
        now = get_position(card.hold(60))
        end = [held + b - before for held, b, before in zip(held_at, now, start.position, strict=True)]
        apart_m = math.dist((x, y, z), held_at)
        assert math.dist(end, card.position) < apart_m * math.exp(-0.15 / APPROACH_M) + 1e-3


def test_a_ladder_out_of_reach_is_not_grabbed() -> None:
    with world_kit.world_of() as world:
        world.apply(pieces.Offer(PIECE))
        x, y, z = world.poses()[PIECE].position
        axis = world_kit.grip(pieces.GripPhase.GRAB, (x, y, z)).view_axis
        too_far = REACH_ALONG_M + REACH_ACROSS_M + 0.1
        nearer = (x - too_far * axis[0], y - too_far * axis[1], z - too_far * axis[2])
        for position in ((x - 0.08, y, z), (x, y, z + 0.15), (0.0, 0.0, 0.1), nearer):
            assert SimulatedHand(world.tick, position).grab().held is None
        assert SimulatedHand(world.tick, (x, y, z)).do(pieces.GripPhase.HOLD).held is None, (
            "only the start of a pinch grabs"
        )
        assert SimulatedHand(world.tick, (x, y, z)).do(pieces.GripPhase.HOVER).held is None


def test_a_hovering_ladder_leaves_the_structure_asleep_and_a_touch_wakes_it() -> None:
    with world_kit.world_of("parallel") as world:
        across = quat_from_axis_angle((1.0, 0.0, 0.0), -math.pi / 2.0)
        world.apply(pieces.Place("L03", Pose((0.0, 0.0, 0.13), across), fixed=False))
        world_kit.wait(world, lambda facts: facts.at_rest and facts["L03"].speed_m_s == 0.0)
        hand = world_kit.offer_and_grab(world)
        hand.move_to((0.17, 0.0, 0.30))
        hand.move_to((0.0, 0.0, 0.30))
        facts = hand.hold(30)
        while (facts.grip_gap_m or 1.0) > 0.002:
            x, y, z = hand.position
            facts = hand.do(pieces.GripPhase.HOLD, (x, y, z - 0.0001))
        for _ in range(60):
            facts = hand.do(pieces.GripPhase.HOLD)
            assert facts["L03"].speed_m_s == 0.0, "the structure sleeps under the hovering ladder"
        assert 0.0005 < (facts.grip_gap_m or 0.0) < 0.002
        speeds = []
        for _ in range(120):
            x, y, z = hand.position
            facts = hand.do(pieces.GripPhase.HOLD, (x, y + 0.0005, z - 0.0005))
            speeds.append(facts["L03"].speed_m_s)
        assert facts.touching(PIECE)
        assert max(speeds) > 0.0, "pressure wakes the structure"


def test_a_blocked_ladder_yields_and_presses_only_with_its_drive() -> None:
    with world_kit.world_of("parallel") as world:
        hand = world_kit.offer_and_grab(world)
        hand.move_to((0.0, 0.0, 0.30))
        x, y, _ = hand.position
        hand.move_to(
            (x, y, 0.0), speed_m_s=0.5
        )  # 12 cm below the starting ladders' heads, which stop the ladder
        for _ in range(60):
            facts = hand.do(pieces.GripPhase.HOLD)
            sunk = max(
                -find_distance_m(
                    world_kit.ladders()[PIECE].boxes,
                    facts[PIECE].pose,
                    world_kit.ladders()[name].boxes,
                    facts[name].pose,
                    0.001,
                )
                for name in ("L01", "L02")
            )
            assert sunk < 3e-4
        assert facts[PIECE].lowest_m > 0.02
        forces = [f.held_force_n for f in hand.played[-30:]]
        assert max(forces) < 3.0 * MAX_FORCE_N


def test_a_ladder_released_in_the_air_falls_on_the_table() -> None:
    with hold_high(starting=False) as (world, hand):
        hand.move_to((0.0, 0.35, 0.30))
        hand.release()
        facts = world_kit.wait_for_rest(world)
        assert facts.touching(PIECE) == (pieces.TABLE,)
        assert facts[PIECE].status is pieces.PieceStatus.FREE
        assert SimulatedHand(world.tick, get_position(facts)).grab().held is None, (
            "a ladder on the table can't be grabbed"
        )


def test_a_lost_hand_leaves_the_ladder_in_the_air_and_continues_without_a_jump() -> None:
    with hold_high() as (_world, hand):
        hand.move_to((0.05, 0.0, 0.30), speed_m_s=0.4)
        facts = hand.do(pieces.GripPhase.LOST)
        assert facts.held == PIECE
        assert facts.held_frozen
        where = get_position(facts)
        for _ in range(120):
            facts = hand.do(pieces.GripPhase.LOST)
        assert facts.held_frozen
        assert math.dist(get_position(facts), where) < 0.012, "the ladder stops within its braking distance"
        waiting = facts[PIECE].pose
        # The hand is found again 3 cm aside and rotated: the ladder stays, then follows from there.
        x, y, z = hand.position
        turned = quat_from_axis_angle((0.0, 0.0, 1.0), 0.4)
        facts = hand.do(pieces.GripPhase.HOLD, (x, y + 0.03, z), turned)
        assert not facts.held_frozen
        for _ in range(30):
            facts = hand.do(pieces.GripPhase.HOLD)
        assert math.dist(get_position(facts), waiting.position) < 2e-4
        assert world_kit.angle_deg(facts[PIECE].pose.rotation, waiting.rotation) < 0.1
        hand.move_to((x, y + 0.03, z + 0.02))
        facts = hand.hold(30)
        assert get_position(facts)[2] - waiting.position[2] == pytest.approx(0.02, abs=3e-4)


def test_without_input_from_any_device_the_grip_is_lost() -> None:
    with hold_high() as (world, hand):
        facts = world.tick(None)
        assert facts.held_frozen
        assert facts.held == PIECE
        assert not hand.do(pieces.GripPhase.HOLD).held_frozen


def test_a_hand_that_returns_open_does_not_release_the_ladder_and_can_pinch_it_again() -> None:
    with hold_high() as (world, hand):
        hand.do(pieces.GripPhase.LOST)
        facts = hand.do(pieces.GripPhase.HOVER)
        assert facts.held == PIECE
        assert facts.held_frozen
        far = SimulatedHand(world.tick, (-0.2, 0.0, 0.3))
        assert far.grab().held_frozen, "a pinch elsewhere doesn't take the ladder"
        near = SimulatedHand(world.tick, get_position(facts), source="hand:2")
        assert not near.grab().held_frozen
        assert near.release().held is None


def test_open_fingers_release_a_ladder_even_if_their_opening_was_missed() -> None:
    with hold_high(starting=False) as (_world, hand):
        assert hand.do(pieces.GripPhase.HOVER).held is None


def test_a_second_hand_neither_takes_nor_drops_the_held_ladder() -> None:
    with hold_high() as (world, hand):
        where = get_position(hand.played[-1])
        second = SimulatedHand(world.tick, (where[0], where[1] + 0.05, where[2]), source="hand:2")
        for phase in (pieces.GripPhase.GRAB, pieces.GripPhase.RELEASE, pieces.GripPhase.HOVER):
            facts = second.do(phase)
            assert facts.held == PIECE
        assert math.dist(get_position(facts), where) < 1e-4


@pytest.mark.parametrize(
    "bad",
    [
        Pose((math.nan, 0.0, 0.1)),
        Pose((0.0, math.inf, 0.1)),
        Pose((50.0, 0.0, 0.1)),
        Pose((0.0, 0.0, 0.1), (math.nan, 0.0, 0.0, 1.0)),
        Pose((0.0, 0.0, 0.1), (0.0, 0.0, 0.0, 0.0)),
    ],
)
def test_invalid_targets_are_ignored(bad: Pose) -> None:
    with world_kit.world_of() as world:
        world.apply(pieces.Offer(PIECE))
        far = SimulatedHand(world.tick, bad.position, bad.rotation)
        assert far.grab().held is None
        hand = world_kit.offer_and_grab(world)
        hand.move_to(HIGH)
        hand.hold(60)
        where = hand.played[-1][PIECE].pose
        facts = far.hold(30)
        assert facts.held == PIECE
        assert math.dist(get_position(facts), where.position) < 1e-4
        assert far.release().held is None, "a release is valid at any position"


def test_locked_grips_grab_no_ladder_and_drop_the_held_one() -> None:
    with world_kit.world_of() as world:
        world.apply(pieces.LockGrips(True))
        world.apply(pieces.Offer(PIECE))
        hand = SimulatedHand(world.tick, world.poses()[PIECE].position)
        assert hand.grab().held is None
        world.apply(pieces.LockGrips(False))
        assert hand.grab().held == PIECE
        hand.move_to(HIGH)
        world.apply(pieces.LockGrips(True))
        facts = hand.do(pieces.GripPhase.HOLD)
        assert facts.held is None
        assert facts[PIECE].status is pieces.PieceStatus.FREE


def test_removing_or_placing_the_held_ladder_ends_the_hold() -> None:
    with world_kit.world_of() as world:
        hand = world_kit.offer_and_grab(world)
        world.apply(pieces.Remove(PIECE))
        facts = hand.do(pieces.GripPhase.HOLD)
        assert facts.held is None
        assert PIECE not in [piece.piece for piece in facts.pieces]
        hand = world_kit.offer_and_grab(world)
        world.apply(pieces.Place(PIECE, Pose((0.0, 0.3, 0.1)), fixed=False))
        facts = hand.do(pieces.GripPhase.HOLD)
        assert facts.held is None
        assert facts[PIECE].status is pieces.PieceStatus.FREE


@pytest.mark.parametrize("speed_m_s", [0.3, 1.0, 2.0])
def test_a_sweep_does_not_tunnel(speed_m_s: float) -> None:
    """The hand sweeps through a starting ladder: the held ladder is stopped or moves round it, never through."""
    with world_kit.world_of("parallel", starting=False) as world:
        world.apply(pieces.Place("L01", Pose((0.0, 0.0, 0.10)), fixed=True))
        hand = world_kit.offer_and_grab(world, "L02")
        hand.move_to((0.17, 0.0, 0.11))
        hand.hold(30)
        hand.move_to((-0.17, 0.0, 0.11), speed_m_s=speed_m_s)
        hand.hold(60)
        wall, held = world_kit.ladders()["L01"].boxes, world_kit.ladders()["L02"].boxes
        overlaps = [
            -find_distance_m(held, facts["L02"].pose, wall, facts["L01"].pose, 0.001) for facts in hand.played
        ]
        assert max(overlaps) < 1.0e-3, "more than a third of a rung's width"
        assert max(facts["L02"].speed_m_s for facts in hand.played) < 2.5 * FAR_SPEED_M_S


def test_a_held_ladder_becomes_solid_near_the_structure_and_a_ghost_farther_away() -> None:
    """At 1 mm an approaching ladder is a ghost and a departing one still solid; at 3 mm it is a ghost."""
    with hold_high() as (world, hand):
        x, y, _ = get_position(hand.played[-1], "L01")

        def hover(gap_m: float) -> bool:
            """Hold the ladder ``gap_m`` from the starting ladders; return whether it is solid there."""
            off_m = 1.0
            while abs(off_m) > 1e-4:
                gap = measure_gap_m(hand.played[-1])
                off_m = gap_m - gap
                hand.move_to((x, y, hand.position[2] + off_m), speed_m_s=0.05)
                hand.hold(40)
            return bool(world._is_solid)

        hand.move_to((x, y, HIGH[2]))
        hand.hold(40)
        gaps_m = (0.003, 0.001, 0.0003, 0.001, 0.003)
        assert [hover(gap_m) for gap_m in gaps_m] == [False, False, True, True, False]


def measure_gap_m(facts: pieces.Facts) -> float:
    """Return the exact distance from the held ladder to the starting ladders."""
    held = (world_kit.ladders()[PIECE].boxes, facts[PIECE].pose)
    return min(
        find_distance_m(*held, world_kit.ladders()[name].boxes, facts[name].pose, within_m=1.0)
        for name in ("L01", "L02")
    )


def test_the_source_of_the_grip_can_change_without_a_jump() -> None:
    with hold_high() as (_world, hand):
        where = get_position(hand.played[-1])
        hand.position = (0.0, 0.1, 0.2)
        source, hand.source = hand.source, "mouse"
        assert math.dist(get_position(hand.hold(20)), where) < 1e-4
        hand.source = source
        assert hand.release().held == PIECE
        hand.source = "mouse"
        assert hand.release().held is None
