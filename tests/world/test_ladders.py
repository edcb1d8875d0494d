"""Thirty different ladders: their form, their mass, and the plans that are refused."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.arrays import Mask
from support.every_case import every_case
from support.world_kit import ladders

from armoon.errors import WorldError
from armoon.geometry import Array, mat_from_quat
from armoon.values.pieces import Ladder
from armoon.values.poses import IDENTITY_POSE
from armoon.world.checks import MAX_BOXES
from armoon.world.exact import PlacedBoxes
from armoon.world.ladders import (
    RAIL_WIDTH_M,
    THICKNESS_M,
    WOOD_DENSITY_KG_M3,
    LadderPlan,
    build_ladder,
    find_foot,
    make_ladder_set,
    make_straight_plan,
)

ALL = ladders().ladders
PLAN = make_straight_plan()


def is_inside(ladder: Ladder, points: Array) -> Mask:
    """Return which of the points (n, 3), in the ladder's frame, are inside its boxes."""
    inside = np.zeros(len(points), bool)
    for box in ladder.boxes:
        local = (points - np.asarray(box.centre)) @ mat_from_quat(box.rotation)
        inside |= (np.abs(local) <= np.asarray(box.half_extents)).all(axis=1)
    return inside


def test_equal_seeds_give_equal_ladders_and_different_seeds_different_ones() -> None:
    assert make_ladder_set.__wrapped__(ladders().seed) == ladders()
    assert make_ladder_set(8).ladders[5] != ladders().ladders[5]


@given(st.integers(min_value=0, max_value=2**63))
@settings(max_examples=5)
def test_every_seed_gives_a_valid_set(seed: int) -> None:
    for ladder in make_ladder_set(seed).ladders:
        assert 1 <= len(ladder.boxes) <= MAX_BOXES
        assert min(ladder.mass_kg, *ladder.inertia_kg_m2) > 0.0


@every_case("ladder", ALL)
def test_every_ladder_has_the_documented_form(ladder: Ladder) -> None:
    assert 3 <= len(ladder.rungs) <= 6
    assert 0.08 <= ladder.length_m <= 0.14
    assert len(ladder.boxes) <= MAX_BOXES
    assert 0.0 <= ladder.tone <= 1.0
    assert 0.0015 <= ladder.mass_kg <= 0.0045
    assert {box.role for box in ladder.boxes} == {"rail", "rung"}
    assert find_foot(ladder)[2] < 0.0


@pytest.mark.parametrize(
    "ladder", [ALL[0], ALL[4], ALL[9], ALL[20], ALL[29]], ids=lambda ladder: ladder.piece
)
def test_mass_and_inertia_are_those_of_the_wood(ladder: Ladder) -> None:
    """Random points, evenly distributed over the bounding box, give the mass and inertia of the boxes."""
    corners = PlacedBoxes(ladder.boxes, IDENTITY_POSE).corners().reshape(-1, 3)
    low, high = corners.min(axis=0), corners.max(axis=0)
    points = np.random.default_rng(1).uniform(low, high, (400_000, 3))
    wood = points[is_inside(ladder, points)]
    weight = WOOD_DENSITY_KG_M3 * float(np.prod(high - low)) * len(wood) / len(points)
    assert weight == pytest.approx(ladder.mass_kg, rel=0.015)
    assert np.abs(wood.mean(axis=0)).max() < 5e-4
    second = wood.T @ wood / len(wood) * ladder.mass_kg
    inertia = np.eye(3) * np.trace(second) - second
    assert np.diag(inertia) == pytest.approx(np.array(ladder.inertia_kg_m2), rel=0.02)
    off_diagonal = np.abs(inertia - np.diag(np.diag(inertia))).max()
    assert off_diagonal < 0.01 * max(ladder.inertia_kg_m2)


@every_case("ladder", ALL)
def test_boxes_and_drawn_lines_agree_within_a_fifth_of_a_millimetre(ladder: Ladder) -> None:
    """A rail drawn as a mitred strip along its centre line has its corners on the boxes."""
    half = RAIL_WIDTH_M / 2.0
    for rail in ladder.rails:
        line = np.array([(p[0], p[2]) for p in rail])
        steps = np.diff(line, axis=0)
        steps /= np.linalg.norm(steps, axis=1)[:, None]
        for k, point in enumerate(line):
            a, b = steps[max(k - 1, 0)], steps[min(k, len(steps) - 1)]
            middle = (a + b) / np.linalg.norm(a + b)
            normal = np.array([middle[1], -middle[0]]) * half / (middle @ b)
            for sign in (-1.0, 1.0):
                x, z = point + sign * normal
                corner = np.array([[x, THICKNESS_M / 2.0, z]])
                assert _measure_distance_to_wood(ladder, corner) < 2e-4
    ends = [np.array([p]) for rung in ladder.rungs for p in rung]
    assert all(is_inside(ladder, end).all() for end in ends)
    middles = [np.array([(np.array(a) + np.array(b)) / 2.0]) for a, b in ladder.rungs]
    assert all(is_inside(ladder, middle).all() for middle in middles)


def _measure_distance_to_wood(ladder: Ladder, points: Array) -> float:
    gaps = []
    for box in ladder.boxes:
        local = np.abs((points - np.asarray(box.centre)) @ mat_from_quat(box.rotation))
        gaps.append(np.linalg.norm(np.maximum(local - np.asarray(box.half_extents), 0.0), axis=1).max())
    return float(min(gaps))


def test_no_rung_pokes_through_its_rail() -> None:
    """Rungs end inside the rails, so that a rail's outer face is smooth."""
    for ladder in ALL:
        rails = [box for box in ladder.boxes if box.role == "rail"]
        for rung in (box for box in ladder.boxes if box.role == "rung"):
            corners = PlacedBoxes([rung], IDENTITY_POSE).corners()[0]
            for end in (corners[corners[:, 0] < 0], corners[corners[:, 0] > 0]):
                side = end[np.abs(end[:, 0]).argsort()[-4:]]
                wood = replace(ladder, boxes=tuple(rails))
                assert is_inside(wood, side * [1.0, 0.999, 1.0]).all(), ladder.piece
        assert len(rails) >= 2


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        (replace(PLAN, left=((-0.014, 0.0), (-0.014, 0.06), (-0.014, 0.05), (-0.014, 0.115))), "folds back"),
        (replace(PLAN, left=((-0.014, 0.0), (-0.014, 0.003), (-0.014, 0.115))), "short"),
        (replace(PLAN, left=((-0.03, 0.0), (-0.014, 0.009), (-0.03, 0.018), (-0.014, 0.115))), "sharply"),
        (replace(PLAN, left=((-0.014, 0.0), (0.018, 0.115))), "meet or cross"),
        (LadderPlan(PLAN.right, PLAN.left, PLAN.rungs), "meet or cross"),
        (replace(PLAN, rungs=((0.02, 0.2),)), "misses"),
        (replace(PLAN, rungs=((0.02, 0.06), (0.05, 0.03))), "cross"),
        (replace(PLAN, rungs=((0.02, 0.02), (0.021, 0.021))), "cross or touch"),
        (replace(PLAN, rungs=tuple((0.010 + 0.0065 * k, 0.010 + 0.0065 * k) for k in range(15))), "parts"),
        # The left rail bulges into the path of a steep rung that ends above the bulge.
        (
            LadderPlan(
                ((-0.02, 0.0), (-0.02, 0.03), (-0.01, 0.06), (-0.02, 0.09), (-0.02, 0.115)),
                ((0.003, 0.0), (0.003, 0.115)),
                ((0.088, 0.030),),
            ),
            "intersects itself",
        ),
    ],
)
def test_a_malformed_plan_is_refused_with_a_reason(plan: LadderPlan, words: str) -> None:
    with pytest.raises(WorldError, match=words):
        build_ladder("L99", plan, straight=False, tone=0.5)
