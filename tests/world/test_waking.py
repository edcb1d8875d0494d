"""Events that wake a sleeping tower, and structures that tremble or creep until they are stopped."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from benchmarks.hand_script import SimulatedHand
from benchmarks.towers import load_tower
from support.world_kit import base, ladders, offer_and_grab

from armoon.values.pieces import GripPhase, Offer, PieceStatus, Place, Remove
from armoon.values.poses import Pose
from armoon.world.local import LocalWorld
from armoon.world.piece import TREMBLE_M, measure_motion_m


def sleeping_tower(size: int = 12) -> tuple[LocalWorld, str, set[str]]:
    """Return a world with a tower, a ladder that isn't in the tower, and the names of the tower's ladders."""
    tower = load_tower(size)
    in_tower = {name for name, _, _ in tower.standing}
    spare = next(ladder.piece for ladder in tower.ladders.ladders if ladder.piece not in in_tower)
    world = LocalWorld(tower.ladders, tower.base)
    world.rebuild(tower.standing, asleep=True)
    return world, spare, in_tower


def test_a_falling_ladder_wakes_a_tower_by_its_touch() -> None:
    world, spare, names = sleeping_tower()
    top_m = max(piece.highest_m for piece in world.tick(None).pieces)
    world.apply(Place(spare, Pose((0.0, 0.0, top_m + 0.15)), fixed=False))
    facts = world.tick(None)
    assert all(facts[name].speed_m_s == 0.0 for name in names)
    for _ in range(60):
        facts = world.tick(None)
        if facts.touching(spare):
            break
    facts = world.tick(None)
    assert any(facts[name].speed_m_s > 0.0 for name in names)
    world.close()


@pytest.mark.parametrize("size", [12, 20, 24, 28])
def test_a_ladder_that_falls_beside_a_sleeping_tower_leaves_it_alone(size: int) -> None:
    world, spare, names = sleeping_tower(size)
    before = world.poses()
    world.apply(Place(spare, Pose((0.35, 0.3, 0.5)), fixed=False))
    while not (facts := world.tick(None)).at_rest:
        assert all(facts[name].status is not PieceStatus.FREE for name in ("L01", "L02"))
    assert facts[spare].lowest_m < 0.001
    assert max(measure_motion_m(before[name], facts[name].pose) for name in names) < 0.001
    world.close()


@pytest.mark.parametrize("order", [False, True], ids=["released", "taken from the hand"])
def test_a_ladder_returned_to_the_lid_wakes_no_other(order: bool) -> None:
    """The ladder touched no other, so none rested on it."""
    world, spare, names = sleeping_tower()
    world.apply(Offer(spare))
    hand = SimulatedHand(world.tick, world.poses()[spare].position)
    hand.grab()
    assert hand.do(GripPhase.HOLD).held == spare
    before = world.poses()
    if order:
        world.apply(Offer(spare))
    facts = hand.do(GripPhase.HOVER if order else GripPhase.RELEASE)
    assert facts[spare].status is PieceStatus.OFFERED
    assert facts.held is None
    assert facts.at_rest
    for _ in range(3):
        assert all(facts[name].speed_m_s == 0.0 for name in names)
        facts = world.tick(None)
    assert {name: world.poses()[name] for name in names} == {name: before[name] for name in names}
    world.close()


def test_removing_a_held_ladder_that_touches_others_wakes_them() -> None:
    world, spare, _names = sleeping_tower()
    top_m = max(piece.highest_m for piece in world.tick(None).pieces)
    world.apply(Offer(spare))
    hand = SimulatedHand(world.tick, world.poses()[spare].position)
    hand.grab()
    x, y, _ = hand.position
    for k in range(120):
        # Over the tower, then down onto it.
        share, low_m = min(1.0, k / 60.0), max(0.0, k - 60) * 0.002
        facts = hand.do(GripPhase.HOLD, (x * (1.0 - share), y * (1.0 - share), top_m + 0.10 - low_m))
        if facts.touching(spare):
            break
    assert facts.touching(spare)
    world.apply(Remove(spare))
    assert not world.tick(None).at_rest
    world.close()


def test_a_tower_that_trembles_in_place_comes_to_rest() -> None:
    """This ladder, on eight others, makes the solver alternate by hundredths of a millimetre, at 6 mm/s or more."""
    saved = json.loads((Path(__file__).parent / "trembling.json").read_text(encoding="utf-8"))
    piece, release = saved["laid"]
    stood = ((name, Pose.from_row(numbers), fixed) for name, numbers, fixed in saved["standing"])
    world = LocalWorld(ladders(), base("parallel"))
    world.rebuild(tuple(stood), asleep=True)
    world.apply(Place(piece, Pose.from_row(release), fixed=False))
    states = [world.tick(None) for _ in range(150)]
    first = next(facts for facts in states if facts.at_rest)
    assert states[-1].at_rest
    assert max(measure_motion_m(first[p.piece].pose, p.pose) for p in states[-1].pieces) < TREMBLE_M
    world.close()


@pytest.mark.parametrize(("file", "hand"), [("creeping", False), ("creeping", True), ("collapsing", False)])
def test_a_structure_that_would_creep_until_it_falls_survives_waking(file: str, hand: bool) -> None:
    """With fewer solver iterations one of eleven ladders slides until it falls, and thirteen collapse when woken twice.

    ``hand``: a held ladder hovers a millimetre over the structure for four seconds; otherwise changes wake it.
    """
    saved = json.loads((Path(__file__).parent / f"{file}.json").read_text(encoding="utf-8"))
    stood = tuple((name, Pose.from_row(numbers), fixed) for name, numbers, fixed in saved["standing"])
    world = LocalWorld(ladders(), base("parallel"))
    world.rebuild(stood, asleep=True)
    if hand:
        spare = next(ladder.piece for ladder in ladders().ladders if ladder.piece not in world.poses())
        top_m = max(piece.highest_m for piece in world.tick(None).pieces)
        held = offer_and_grab(world, spare)
        held.move_to((0.0, 0.0, top_m + 0.10))
        facts = held.hold(30)
        while (gap_m := facts.grip_gap_m) is None or gap_m > 0.001:
            x, y, z = held.position
            facts = held.do(GripPhase.HOLD, (x, y, z - 0.0005))
        facts = held.hold(240)
    else:
        for _ in range(2):
            world.disturb()
            while not (facts := world.tick(None)).at_rest:
                pass
    assert max(measure_motion_m(pose, facts[name].pose) for name, pose, _ in stood) < 0.005
    world.close()
