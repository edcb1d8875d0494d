"""Trying placements on copies."""

from __future__ import annotations

import math
from collections.abc import Iterator

import pytest
from benchmarks.towers import TrialTable
from support.world_kit import base, ladders, wait_for_rest, world_of

from armoon.errors import WorldError
from armoon.geometry import quat_from_axis_angle
from armoon.values.pieces import PieceStatus, Place
from armoon.values.poses import Pose

ACROSS = quat_from_axis_angle((1.0, 0.0, 0.0), -math.pi / 2.0)
START = [("L01", base("parallel").slots[0], True), ("L02", base("parallel").slots[1], True)]


@pytest.fixture
def table() -> Iterator[TrialTable]:
    made = TrialTable(ladders(), base("parallel"))
    yield made
    made.close()


def lowered(table: TrialTable, piece: str = "L03") -> Pose:
    """Lying across the two starting ladders, a tenth of a millimetre or two above them."""
    z = 0.16
    while (gap := table.clearance_m(START, piece, Pose((0.0, 0.0, z), ACROSS))) > 2e-4:
        z -= gap - 1.5e-4
    return Pose((0.0, 0.0, z), ACROSS)


def test_a_good_drop_settles_and_says_what_it_touches(table: TrialTable) -> None:
    result = table.try_drop(START, "L03", lowered(table))
    assert result.start_clear
    assert result.settled
    assert not result.fell
    assert result.contacts == ("L01", "L02")
    assert result.highest_m > result.others_highest_m > 0.12
    assert [name for name, _, _ in result.standing] == ["L01", "L02", "L03"]


def test_the_world_agrees_with_the_trial(table: TrialTable) -> None:
    pose = lowered(table)
    tried = table.try_drop(START, "L03", pose)
    with world_of("parallel") as world:
        world.apply(Place("L03", pose, fixed=False))
        facts = wait_for_rest(world)
    assert facts["L03"].status is PieceStatus.FREE
    assert facts.touching("L03") == tried.contacts
    assert math.dist(facts["L03"].pose.position, tried.pose.position) < 3e-4


def test_a_bad_drop_falls(table: TrialTable) -> None:
    result = table.try_drop(START, "L04", Pose((0.15, 0.0, 0.2)))
    assert result.fell
    assert not result.settled
    assert result.contacts == ()


def test_a_start_that_overlaps_is_not_simulated(table: TrialTable) -> None:
    result = table.try_drop(START, "L04", START[0][1])
    assert not result.start_clear
    assert not result.settled
    assert result.pose == START[0][1]


def test_the_same_question_gets_the_same_answer_whatever_was_asked_before(table: TrialTable) -> None:
    pose = lowered(table)
    first = table.try_drop(START, "L03", pose)
    table.try_drop(START, "L04", Pose((0.01, 0.0, 0.3)))
    table.clearance_m(START, "L07", Pose((0.0, 0.0, 0.2)))
    assert table.try_drop(START, "L03", pose) == first
    other = TrialTable(ladders(), base("parallel"))
    assert other.try_drop(START, "L03", pose) == first
    other.close()


def test_clearance_is_measured_to_everything(table: TrialTable) -> None:
    ladder = ladders()["L01"]
    foot = min(p[2] for rail in ladder.rails for p in rail)
    over_table = Pose((0.4, 0.0, 0.01 - foot))
    assert table.clearance_m(START, "L03", over_table) == pytest.approx(0.01, abs=3e-5)
    over_base = Pose((0.0, 0.0, 0.01 - foot + base().height_m))
    assert table.clearance_m([], "L03", over_base) == pytest.approx(0.01, abs=3e-5)
    assert table.clearance_m(START, "L03", Pose((0.4, 0.0, 0.5))) == 0.03
    assert table.clearance_m(START, "L03", START[0][1]) < 0.0


def test_senseless_questions_are_refused(table: TrialTable) -> None:
    for standing, piece, pose in (
        (START, "L99", Pose((0.0, 0.0, 0.2))),
        (START, "L01", Pose((0.0, 0.0, 0.2))),
        (START, "L03", Pose((math.nan, 0.0, 0.2))),
        ([("L04", Pose((0.0, math.inf, 0.2)), False)], "L03", Pose((0.0, 0.0, 0.2))),
    ):
        with pytest.raises(WorldError):
            table.try_drop(standing, piece, pose)
