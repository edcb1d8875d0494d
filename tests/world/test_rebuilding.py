"""The standing structure, and worlds rebuilt from it."""

from __future__ import annotations

import math

import pytest
from benchmarks.towers import load_tower
from support.world_kit import angle_deg, base, ladders, offer_and_grab, wait, world_of

from armoon.errors import WorldError
from armoon.geometry import quat_from_axis_angle
from armoon.values.pieces import LockGrips, Place
from armoon.values.poses import Pose
from armoon.world.checks import StructurePoses
from armoon.world.ladders import list_standing
from armoon.world.local import LocalWorld

ACROSS = quat_from_axis_angle((1.0, 0.0, 0.0), -math.pi / 2.0)
LYING = Place("L03", Pose((0.0, 0.0, 0.128), ACROSS), fixed=False)


def make_standing() -> StructurePoses:
    with world_of("parallel") as world:
        world.apply(LYING)
        return list_standing(wait(world, lambda facts: facts.at_rest))


def test_the_structure_excludes_the_held_ladder() -> None:
    with world_of("parallel") as world:
        facts = offer_and_grab(world).played[-1]
        assert list_standing(facts) == [("L01", facts["L01"].pose, True), ("L02", facts["L02"].pose, True)]


def test_a_rebuilt_world_equals_a_fresh_one_bit_for_bit() -> None:
    structure = make_standing()
    with world_of("parallel") as world:
        offer_and_grab(world).move_to((0.0, 0.0, 0.2))
        world.apply(LockGrips(True))
        world.apply(Place("L04", Pose((0.0, 0.3, 0.3)), fixed=False))
        ticks = world.tick(None).tick
        world.rebuild(structure)
        other = LocalWorld(ladders(), base("parallel"))
        other.rebuild(structure)
        for k in range(120):
            rebuilt, new = world.tick(None), other.tick(None)
            assert rebuilt.tick == ticks + 1 + k
            assert (rebuilt.pieces, rebuilt.contacts, rebuilt.at_rest) == (
                new.pieces,
                new.contacts,
                new.at_rest,
            )
        other.close()
        assert offer_and_grab(world).played[-1].held, "the grips are still locked"


def test_a_rebuilt_structure_keeps_its_place() -> None:
    structure = make_standing()
    with world_of("parallel") as world:
        world.rebuild(structure)
        facts = wait(world, lambda facts: facts.at_rest)
        for name, pose, _ in structure:
            assert math.dist(facts[name].pose.position, pose.position) < 1e-4
            assert angle_deg(facts[name].pose.rotation, pose.rotation) < 0.1


@pytest.mark.parametrize("size", [2, 12, 24])
def test_ladders_set_up_asleep_keep_their_exact_poses(size: int) -> None:
    tower = load_tower(size)
    world = LocalWorld(tower.ladders, tower.base)
    world.rebuild(tower.standing, asleep=True)
    for _ in range(40):
        facts = world.tick(None)
        assert facts.at_rest
        for name, pose, _ in tower.standing:
            assert facts[name].speed_m_s == 0.0
            assert math.dist(facts[name].pose.position, pose.position) == 0.0
            assert angle_deg(facts[name].pose.rotation, pose.rotation) < 1e-5
    world.close()


def test_a_refused_rebuild_leaves_the_world_unchanged() -> None:
    with world_of("parallel") as world:
        world.apply(LYING)
        before = wait(world, lambda facts: facts.at_rest and facts["L03"].speed_m_s == 0.0)
        good = list_standing(before)[0]
        for bad in (
            ("L02", Pose((0.0, math.nan, 0.1)), False),
            ("L02", Pose((0.0, 0.0, 0.1), (0.0, 0.0, 0.0, 0.5)), False),
            ("L99", Pose((0.0, 0.0, 0.1)), False),
            good,
        ):
            with pytest.raises(WorldError, match="Nothing was moved"):
                world.rebuild([good, bad])
        assert world.tick(None).pieces == before.pieces
