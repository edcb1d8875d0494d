"""Re-seating: a world at rest and a world rebuilt from its poses continue identically, bit for bit."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager

import pytest
from benchmarks.hand_script import SimulatedHand
from benchmarks.towers import load_tower
from support.world_kit import wait_for_rest

from armoon.values.pieces import Contact, Facts, LockGrips, Offer, Order, PieceFacts, PieceStatus, Place
from armoon.values.poses import Pose
from armoon.world import bullet
from armoon.world.base import make_base
from armoon.world.ladders import BOX_SEED, list_standing, make_ladder_set
from armoon.world.local import LocalWorld
from armoon.world.piece import MAX_SOLVING_TICKS, STOP_TICKS
from armoon.world.process import ProcessWorld, SteppedWorld, World
from armoon.world.seating import MAX_PASS_TICKS, SEATED_M, STOP_TICKS_HIGH

LADDERS = make_ladder_set(BOX_SEED)
BASE = make_base(LADDERS.ladders[:2])
#: A ladder that is wedged between a rail and a rung if it is released here, and slides by 15 mm once it is rebuilt.
WEDGED = Place(
    "L14",
    Pose(
        (0.004400903742018111, 0.008199977123287756, 0.09353516455258526),
        (0.6401474862726043, 0.7569742443547244, -0.06891242926647191, -0.11158972307095993),
    ),
    fixed=False,
)
TICKS = 200
MINUTE = 3600


@contextmanager
def open_world(*orders: Order) -> Iterator[LocalWorld]:
    with closing(LocalWorld(LADDERS, BASE)) as world:
        for ladder, slot in zip(LADDERS.ladders, BASE.slots, strict=False):
            world.apply(Place(ladder.piece, slot, fixed=True))
        wait_for_rest(world)
        for order in orders:
            world.apply(order)
        yield world


def drop_onto(world: World | SteppedWorld) -> list[tuple[tuple[PieceFacts, ...], tuple[Contact, ...], bool]]:
    """Drop another ladder onto the structure; return the facts of each tick, without offered ladders."""
    world.apply(Place("L07", Pose((0.01, 0.0, 0.2)), fixed=False))
    states = [world.tick(None) for _ in range(TICKS)]
    assert any(facts["L14"].speed_m_s > 0.0 for facts in states), "the ladder missed the structure"
    return [
        (
            tuple(piece for piece in facts.pieces if piece.status is not PieceStatus.OFFERED),
            facts.contacts,
            facts.at_rest,
        )
        for facts in states
    ]


def stop_motion(world: LocalWorld) -> Facts:
    for _ in range(STOP_TICKS - 1):
        body = world._pieces["L14"].body
        assert body is not None
        world._engine.wake(body)
        world._engine.set_velocity(body, (0.0, 0.0, 0.1), (0.0, 0.0, 0.3))
        world.tick(None)
    return wait_for_rest(world, max_ticks=60)


def rebuild_world(facts: Facts) -> SteppedWorld:
    world = SteppedWorld(LocalWorld(LADDERS, BASE))
    world.apply_orders([Place(*row[:2], fixed=row[2]) for row in reversed(list_standing(facts))])
    return world


def rebuild_in_a_process(facts: Facts) -> SteppedWorld:
    world = ProcessWorld(LADDERS, BASE)
    world.rebuild(list_standing(facts), asleep=True)
    return SteppedWorld(world)


def undo_turn(facts: Facts) -> SteppedWorld:
    world = SteppedWorld(LocalWorld(LADDERS, BASE))
    world.apply(Place("L09", Pose((0.0, 0.3, 0.1)), fixed=False))
    while not world.tick(None).at_rest:
        pass
    world.apply(LockGrips(True))
    world.apply_orders([Place(*row[:2], fixed=row[2]) for row in list_standing(facts)])
    return world


@pytest.mark.parametrize(
    ("come_to_rest", "rebuild"),
    [(wait_for_rest, rebuild_in_a_process), (stop_motion, rebuild_world), (wait_for_rest, undo_turn)],
)
def test_a_live_structure_continues_like_its_rebuilt_twin(
    come_to_rest: Callable[[LocalWorld], Facts], rebuild: Callable[[Facts], SteppedWorld]
) -> None:
    with open_world(WEDGED) as live:
        facts = come_to_rest(live)
        with closing(rebuild(facts)) as twin:
            first = twin.tick(None)
            assert (first.pieces, first.contacts, first.at_rest) == (facts.pieces, facts.contacts, True)
            assert drop_onto(twin) == drop_onto(live)


@pytest.mark.parametrize("still", [bullet.FRICTION, bullet.STILL_FRICTION])
def test_a_wedged_ladder_slips_before_rest_is_reported(monkeypatch: pytest.MonkeyPatch, still: float) -> None:
    monkeypatch.setattr(bullet, "BODY_STILL_FRICTION", math.sqrt(still))
    with open_world(WEDGED) as world:
        states = [world.tick(None) for _ in range(60)]
        assert not any(facts.at_rest for facts in states)
        wedged = states[-1]["L14"].pose
        while not states[-1].at_rest:
            states.append(world.tick(None))
        assert len(states) < 60 + MAX_PASS_TICKS
        slipped = states[-1]["L14"].pose
        slip_m = math.dist(slipped.position, wedged.position)
        assert slip_m > 0.01 if still == bullet.FRICTION else slip_m < SEATED_M
        positions = [facts["L14"].pose.position for facts in states[59:]]
        assert max(math.dist(a, b) for a, b in itertools.pairwise(positions)) < 0.008, "the ladder jumps"
        world.disturb()
        settled = wait_for_rest(world)
        assert math.dist(settled["L14"].pose.position, slipped.position) < SEATED_M


@pytest.mark.slow
@pytest.mark.parametrize("size", [pytest.param(24, marks=pytest.mark.long), 28])
def test_a_high_structure_that_creeps_is_stopped_in_time(size: int) -> None:
    tower = load_tower(size)
    world = LocalWorld(tower.ladders, tower.base)
    world.rebuild(tower.standing, asleep=True)
    world.disturb()
    ticks = 0
    while not (facts := world.tick(None)).at_rest:
        ticks = max(ticks, world.seating_ticks)
    assert 0 < ticks <= STOP_TICKS_HIGH + MAX_SOLVING_TICKS
    assert all(facts[name].pose.position[2] > pose.position[2] - 0.01 for name, pose, _ in tower.standing)
    assert len(tower.standing) == len(facts.pieces) == size
    assert not facts.touching("base") + facts.touching("table")
    stood = [piece.pose for piece in facts.pieces]
    for _ in range(MINUTE):
        facts = world.tick(None)
        assert facts.at_rest
    assert [piece.pose for piece in facts.pieces] == stood
    world.close()


def test_an_offered_ladder_survives_the_seating_and_can_be_grabbed_during_it() -> None:
    with open_world(WEDGED, Offer("L05")) as world:
        for _ in range(70):
            facts = world.tick(None)
        assert facts["L05"].status is PieceStatus.OFFERED
        hand = SimulatedHand(world.tick, facts["L05"].pose.position)
        assert hand.grab().held == "L05"
        assert hand.hold(120).held == "L05"
        world.apply(Offer("L05"))
        rest = wait_for_rest(world)
        twin = rebuild_world(rest)
        assert rest["L05"].status is PieceStatus.OFFERED
        assert drop_onto(twin) == drop_onto(world)
        twin.close()
