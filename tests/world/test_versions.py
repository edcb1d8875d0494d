"""A version of the physics never changes: its settings, and what it does with a ladder over a sleeping tower."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest
from benchmarks.towers import load_tower
from support.world_kit import Hand, base, ladders

from armoon.values.pieces import Facts, GripPhase, Offer, PieceStatus, Place, Remove
from armoon.values.poses import Pose, Quat
from armoon.world.local import LocalWorld
from armoon.world.physics import PHYSICS, VERSIONS, Solving
from armoon.world.piece import way_m
from armoon.world.process import ProcessWorld
from armoon.world.rest import STAYS_M

FREE_LADDERS = (1, 12, 13, 20, 21, 26, 28, 40)


def test_the_settings_of_a_version_stay_as_games_were_played_with_them() -> None:
    assert [VERSIONS[3].moving(free).iterations for free in FREE_LADDERS] == [*(100,) * 4, 95, 70, 60, 60]
    assert all(VERSIONS[3].moving(free).cone for free in FREE_LADDERS)
    assert [VERSIONS[4].moving(free).iterations for free in FREE_LADDERS] == [60, 60, 65, *(100,) * 5]
    assert [VERSIONS[4].moving(free).cone for free in FREE_LADDERS] == [*(True,) * 4, *(False,) * 4]
    assert VERSIONS[5] == replace(VERSIONS[4], hand_pushes=True)
    assert VERSIONS[6] == replace(VERSIONS[5], hand_complies=True)
    assert VERSIONS[7] == replace(VERSIONS[6], lid_wakes=False)
    assert VERSIONS[8] == replace(VERSIONS[7], trembling_rests=True)
    assert VERSIONS[9] == replace(VERSIONS[8], reseats=True)
    assert [VERSIONS[version].hand_pushes for version in (3, 4)] == [False, False]
    assert not any(VERSIONS[version].hand_complies for version in (3, 4, 5))
    assert all(VERSIONS[version].lid_wakes for version in (3, 4, 5, 6))
    assert not any(VERSIONS[version].trembling_rests for version in (3, 4, 5, 6))
    assert VERSIONS[4].moving(12).in_parts(10, cone=VERSIONS[4].cone_in_parts) == Solving(
        8, 0.06, 10, cone=False
    )


@pytest.mark.parametrize(("version", "sleeps"), [(3, False), (4, True)])
def test_a_ladder_that_falls_wakes_a_tower_by_its_touch_or_at_once(version: int, sleeps: bool) -> None:
    tower = load_tower(12)
    there = {name for name, _, _ in tower.standing}
    spare = next(one.piece for one in tower.ladders.ladders if one.piece not in there)
    world = LocalWorld(tower.ladders, tower.base, version)
    world.rebuild(tower.standing, asleep=True)
    top_m = max(piece.highest_m for piece in world.tick(None).pieces)
    world.apply(Place(spare, Pose((0.0, 0.0, top_m + 0.15)), fixed=False))
    facts = world.tick(None)
    assert all(facts[name].speed_m_s == 0.0 for name in there) is sleeps
    for _ in range(60):
        facts = world.tick(None)
        if facts.touching(spare):
            break
    facts = world.tick(None)
    assert any(facts[name].speed_m_s > 0.0 for name in there)
    world.close()


@pytest.mark.parametrize(("version", "sleeps"), [(6, False), (7, True)])
@pytest.mark.parametrize("order", [False, True], ids=["let go of", "taken from the hand"])
def test_a_ladder_that_goes_back_into_the_lid_wakes_nobody(version: int, sleeps: bool, order: bool) -> None:
    """It has touched nothing, so nothing rested on it; by earlier versions all woke and came to rest anew."""
    tower = load_tower(12)
    there = {name for name, _, _ in tower.standing}
    spare = next(one.piece for one in tower.ladders.ladders if one.piece not in there)
    world = LocalWorld(tower.ladders, tower.base, version)
    world.rebuild(tower.standing, asleep=True)
    world.apply(Offer(spare))
    hand = Hand(world, world.poses()[spare].position)
    hand.grab()
    assert hand.do(GripPhase.HOLD).held == spare
    before = world.poses()
    if order:
        world.apply(Offer(spare))
    facts = hand.do(GripPhase.HOVER if order else GripPhase.RELEASE)
    assert facts[spare].status is PieceStatus.OFFERED
    assert facts.held is None
    assert facts.at_rest is sleeps
    for _ in range(3):
        assert all(facts[name].speed_m_s == 0.0 for name in there) is sleeps
        facts = world.tick(None)
    assert ({name: world.poses()[name] for name in there} == {n: before[n] for n in there}) is sleeps
    world.close()


@pytest.mark.parametrize("version", [6, 7])
def test_a_ladder_taken_from_a_hand_that_leans_on_others_wakes_them(version: int) -> None:
    tower = load_tower(12)
    there = {name for name, _, _ in tower.standing}
    spare = next(one.piece for one in tower.ladders.ladders if one.piece not in there)
    world = LocalWorld(tower.ladders, tower.base, version)
    world.rebuild(tower.standing, asleep=True)
    top_m = max(piece.highest_m for piece in world.tick(None).pieces)
    world.apply(Offer(spare))
    hand = Hand(world, world.poses()[spare].position)
    hand.grab()
    x, y, _ = hand.position
    for k in range(120):
        # Over the tower, then down onto it.
        part, low_m = min(1.0, k / 60.0), max(0.0, k - 60) * 0.002
        facts = hand.do(GripPhase.HOLD, (x * (1.0 - part), y * (1.0 - part), top_m + 0.10 - low_m))
        if facts.touching(spare):
            break
    assert facts.touching(spare)
    world.apply(Remove(spare))
    assert not world.tick(None).at_rest
    world.close()


def _pose(numbers: list[float]) -> Pose:
    x, y, z, *rotation = numbers
    return Pose((x, y, z), cast(Quat, tuple(rotation)))


@pytest.mark.parametrize(("version", "rests"), [(7, False), (8, True)])
def test_a_tower_that_trembles_where_it_is_comes_to_rest(version: int, rests: bool) -> None:
    """Laid on eight, this ladder makes the solver go to and fro by hundredths of a millimetre, at 6 mm/s and more."""
    kept = json.loads((Path(__file__).parent / "trembling.json").read_text(encoding="utf-8"))
    piece, release = kept["laid"]
    stood = ((name, _pose(numbers), fixed) for name, numbers, fixed in kept["standing"])
    world = LocalWorld(ladders(), base("parallel"), version)
    world.rebuild(tuple(stood), asleep=True)
    world.apply(Place(piece, _pose(release), fixed=False))
    seen = [world.tick(None) for _ in range(150)]
    assert any(facts.at_rest for facts in seen) is rests
    if rests:
        assert seen[-1].at_rest
        first = next(facts for facts in seen if facts.at_rest)
        assert max(way_m(first[p.piece].pose, p.pose) for p in seen[-1].pieces) < STAYS_M
    world.close()


def test_a_world_of_another_process_has_the_version_that_was_asked_for() -> None:
    ways: dict[int, list[Facts]] = {}
    for version in VERSIONS:
        here, there = LocalWorld(ladders(), base(), version), ProcessWorld(ladders(), base(), version)
        for world in (here, there):
            world.apply(Place("L05", Pose((0.0, 0.0, 0.2)), fixed=False))
            for _ in range(40):
                facts = world.tick(None)
            ways.setdefault(version, []).append(facts)
            world.close()
    assert all(one == other for one, other in ways.values())
    assert ways[3] != ways[PHYSICS]
