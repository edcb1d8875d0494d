"""Figures and towers don't move by themselves, and a trembling hand brings down hardly more than a calm one."""

from __future__ import annotations

import itertools
import math
import random
from collections import deque
from collections.abc import Callable
from contextlib import closing

import pytest
from benchmarks.hand_script import SimulatedHand
from benchmarks.towers import Structure, build_world, load_tower
from support.figure_scenes import SCENES, swing
from support.world_kit import angle_deg, random_quat, wait

from armoon.geometry import quat_from_axis_angle, quat_rotate
from armoon.values.pieces import BASE, TABLE, Facts, GripPhase, Offer
from armoon.values.poses import IDENTITY_POSE, Pose
from armoon.world.exact import find_distance_m
from armoon.world.local import LocalWorld

MINUTE = 3600
#: Numbers of ladders in the towers.
TOWERS = [
    2,
    pytest.param(12, marks=pytest.mark.slow),
    *(pytest.param(size, marks=pytest.mark.long) for size in (20, 28)),
]
#: A hand seen by a cheap webcam: 3 mm and 3 degrees of noise, a picture every other tick, 80 ms late.
NOISE_M, NOISE_RAD = 0.003, math.radians(3.0)
EVERY_TICKS, LATE_TICKS = 2, 5

#: Contacts in each scene, which is named after its figure.
FIGURES = {
    "foot_hook": {("L01", "L02")},
    "crazy_diagonal": {("L01", "L02")},
    "swing": {("L01", "L02")},
    "bolt": {("L01", "L02"), ("L01", "L03"), ("L02", "L03")},
    "candle": {("L01", "L02")},
    "tightrope_walker": {("L01", "L02")},
    "shameful_support": {("L01", "L02")},
}


def is_asleep(facts: Facts) -> bool:
    return facts.at_rest and all(piece.speed_m_s == 0.0 for piece in facts.pieces)


def measure_overlap_m(structure: Structure, facts: Facts) -> float:
    """Return the deepest overlap of two ladders, at least one of them free."""
    fixed = {name for name, _, is_fixed in structure.standing if is_fixed}
    deepest = 0.0
    for a, b in itertools.combinations(facts.pieces, 2):
        if math.dist(a.pose.position, b.pose.position) < 0.16 and not {a.piece, b.piece} <= fixed:
            boxes = structure.ladders[a.piece].boxes, structure.ladders[b.piece].boxes
            deepest = max(deepest, -find_distance_m(boxes[0], a.pose, boxes[1], b.pose, 1e-4))
    return deepest


def check_stillness(structure: Structure) -> None:
    with closing(build_world(structure)) as world:
        before = wait(world, is_asleep)
        for _ in range(MINUTE):
            facts = world.tick(None)
            assert facts.at_rest
        for piece in facts.pieces:
            was = before[piece.piece].pose
            assert math.dist(piece.pose.position, was.position) < 1e-4
            assert angle_deg(piece.pose.rotation, was.rotation) < 0.1
        assert measure_overlap_m(structure, facts) < 1e-4
        assert not facts.touching(BASE)
        assert not facts.touching(TABLE)


@pytest.mark.parametrize("name", SCENES)
def test_a_figure_comes_to_rest_and_stays(name: str) -> None:
    structure = SCENES[name]()
    with closing(build_world(structure)) as world:
        facts = wait(world, is_asleep)
        assert {(contact.a, contact.b) for contact in facts.contacts} == FIGURES[name]
    check_stillness(structure)


def test_the_shameful_support_is_parallel_to_the_other_ladder() -> None:
    structure = SCENES["shameful_support"]()
    with closing(build_world(structure)) as world:
        facts = wait(world, is_asleep)
        assert angle_deg(facts["L01"].pose.rotation, facts["L02"].pose.rotation) < 0.5


def test_the_crazy_diagonal_is_threaded_and_slants() -> None:
    structure = SCENES["crazy_diagonal"]()
    with closing(build_world(structure)) as world:
        facts = wait(world, is_asleep)
    post, diagonal = facts["L01"].pose, facts["L02"].pose
    along = quat_rotate(diagonal.rotation, (0.0, 0.0, 1.0))
    assert math.radians(20.0) < math.asin(abs(along[2])) < math.radians(70.0)
    # The diagonal's axis crosses the post's plane between two rungs and between the rails.
    share = (post.position[1] - diagonal.position[1]) / along[1]
    x, _, z = (p + share * a for p, a in zip(diagonal.position, along, strict=True))
    rungs = [a[2] + post.position[2] for a, _ in structure.ladders["L01"].rungs]
    assert abs(x - post.position[0]) < 0.014
    assert any(low < z < high for low, high in itertools.pairwise(rungs) if high - low > 0.03)
    assert abs(share) < 0.05


@pytest.mark.parametrize("tilt_deg", [10.0, 20.0])
def test_a_swing_swings_and_comes_to_rest(tilt_deg: float) -> None:
    with closing(build_world(swing(math.radians(tilt_deg)))) as world:
        lean: list[float] = []
        facts = world.tick(None)
        while not is_asleep(facts) and len(lean) < 900:
            facts = world.tick(None)
            lean.append(quat_rotate(facts["L02"].pose.rotation, (0.0, 0.0, 1.0))[0])
        assert is_asleep(facts)
        assert facts.touching("L02") == ("L01",)
        crossings = [
            k for k, (a, b) in enumerate(itertools.pairwise(lean)) if (a - lean[-1]) * (b - lean[-1]) < 0.0
        ]
        assert len(crossings) >= 4
        # A pendulum of this size has a period of about half a second.
        assert 0.3 < (crossings[2] - crossings[0]) / 60.0 < 0.7


@pytest.mark.parametrize("size", [2, 12])  # 28 in test_seating.py
def test_a_tower_does_not_move(size: int) -> None:
    structure = load_tower(size)
    assert len(structure.standing) == size
    check_stillness(structure)


def tremble_late(rng: random.Random) -> Callable[[Pose], Pose]:
    """Return a function that gives the pose seen by the camera: updated every other tick, noisy, LATE_TICKS old."""
    shown: deque[Pose] = deque(maxlen=LATE_TICKS + 1)
    ticks, seen = itertools.count(), IDENTITY_POSE

    def tremble(pose: Pose) -> Pose:
        nonlocal seen
        shown.append(pose)
        if next(ticks) % EVERY_TICKS == 0:
            x, y, z = (p + rng.gauss(0.0, NOISE_M) for p in shown[0].position)
            seen = Pose((x, y, z), quat_from_axis_angle(random_quat(rng)[:3], rng.gauss(0.0, NOISE_RAD)))
        return seen

    return tremble


def find_spare(structure: Structure) -> str:
    in_structure = {name for name, _, _ in structure.standing}
    return next(ladder.piece for ladder in structure.ladders.ladders if ladder.piece not in in_structure)


def bring_over(
    world: LocalWorld, piece: str, rng: random.Random | None, above_m: float
) -> SimulatedHand[Facts]:
    """Take a ladder out of the lid and move it over the highest ladder, its foot ``above_m`` above the top."""
    highest = max(world.tick(None).pieces, key=lambda p: p.highest_m)
    top = highest.highest_m
    world.apply(Offer(piece))
    hand = SimulatedHand(world.tick, world.poses()[piece].position)
    if rng is not None:
        hand.tremble = tremble_late(rng)
    foot = hand.grab()[piece].lowest_m
    rise = top + above_m - foot
    x, y, z = hand.position
    hand.move_to((x, y, z + rise))
    over_x, over_y, _ = highest.pose.position
    hand.move_to((over_x, over_y + y - world.poses()[piece].position[1], z + rise))
    return hand


def find_fallen_ladders(structure: Structure, facts: Facts) -> set[str]:
    names = {name for name, _, is_fixed in structure.standing if not is_fixed}
    return names & {*facts.touching(BASE), *facts.touching(TABLE)}


def press_top(structure: Structure, aside_m: float, rng: random.Random | None) -> tuple[set[str], float]:
    """Press a ladder 15 mm into the top for two seconds; return the ladders that fell and the maximum force (N)."""
    piece = find_spare(structure)
    with closing(build_world(structure)) as world:
        wait(world, is_asleep)
        hand = bring_over(world, piece, rng, 0.03)
        x, y, z = hand.position
        hand.move_to((x + aside_m, y, z))
        for _ in range(400):
            facts = hand.do(GripPhase.HOLD, (x + aside_m, y, hand.position[2] - 0.001))
            if facts.touching(piece):
                break
        assert facts.touching(piece)
        low = hand.position[2]
        hand.move_to((x + aside_m, y, low - 0.015), speed_m_s=0.1)
        hand.hold(120)
        force = max(facts.held_force_n for facts in hand.played)
        hand.move_to((x + aside_m, y, z + 0.02))
        hand.move_to((0.25, 0.0, z + 0.02))
        hand.hold(120)
        return find_fallen_ladders(structure, hand.played[-1]), force


def sweep_tower(structure: Structure, rng: random.Random | None, speed_m_s: float) -> tuple[set[str], float]:
    """Sweep a ladder through the tower's top; return the fallen ladders and the maximum speed of a ladder."""
    piece = find_spare(structure)
    with closing(build_world(structure)) as world:
        wait(world, is_asleep)
        hand = bring_over(world, piece, rng, 0.03)
        _, y, z = hand.position
        hand.move_to((0.17, y, z))
        hand.move_to((0.17, y, z - 0.06))
        hand.hold(20)
        hand.move_to((-0.17, y, z - 0.06), speed_m_s=speed_m_s)
        hand.hold(90)
        fastest = max(
            other.speed_m_s for facts in hand.played for other in facts.pieces if other.piece != piece
        )
        assert max(measure_overlap_m(structure, facts) for facts in hand.played[-200::20]) < 1e-3
        return find_fallen_ladders(structure, hand.played[-1]), fastest


@pytest.mark.parametrize("size", TOWERS)
@pytest.mark.parametrize("aside_m", [pytest.param(0.0, marks=pytest.mark.long), 0.03])
def test_a_trembling_hand_brings_down_no_more_than_a_calm_one(size: int, aside_m: float) -> None:
    structure = load_tower(size)
    calm, _ = press_top(structure, aside_m, None)
    trembling, force = press_top(structure, aside_m, random.Random(size))
    assert trembling <= calm
    assert force < 1.0


@pytest.mark.parametrize("size", TOWERS)
def test_a_sweep_at_a_metre_a_second_throws_no_ladder_away(size: int) -> None:
    structure = load_tower(size)
    calm, fastest = sweep_tower(structure, None, 1.0)
    trembling, fastest_trembling = sweep_tower(structure, random.Random(size), 1.0)
    assert max(fastest, fastest_trembling) < 2.0, "no ladder is faster than after a fall of 20 cm"
    assert len(trembling) <= len(calm) + 1
