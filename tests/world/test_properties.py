"""Invariants for ladders dropped anywhere: random plans, random sets, random placements."""

from __future__ import annotations

import math
import random
from contextlib import closing

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from support.world_kit import base, random_quat

from armoon.errors import WorldError
from armoon.values.pieces import BASE, TABLE, Facts, Ladder, LadderSet, Place
from armoon.values.poses import Pose
from armoon.world.base import make_table_boxes
from armoon.world.contact import TOUCH_M
from armoon.world.exact import find_distance_m, find_highest_m, find_lowest_m
from armoon.world.ladders import LadderPlan, build_ladder, make_ladder_set
from armoon.world.local import LocalWorld
from armoon.world.piece import QUIET_TICKS, STOP_TICKS

seeds = st.integers(min_value=0, max_value=2**32)
POURED = 4


def random_plan(rng: random.Random) -> LadderPlan:
    """Return two rails of one to three segments and some rungs, which may make a valid ladder or not."""
    length, half = rng.uniform(0.06, 0.15), rng.uniform(0.004, 0.02)

    def rail(side: float) -> tuple[tuple[float, float], ...]:
        inner = sorted(rng.uniform(0.0, length) for _ in range(rng.randrange(3)))
        return tuple((side * half + rng.gauss(0.0, 0.003), z) for z in (0.0, *inner, length))

    rungs = sorted(rng.uniform(0.0, length) for _ in range(rng.randrange(1, 7)))
    tilts = [rng.gauss(0.0, 0.002) for _ in rungs]
    return LadderPlan(rail(-1.0), rail(1.0), tuple((z - t, z + t) for z, t in zip(rungs, tilts, strict=True)))


@given(seeds)
@settings(max_examples=50)
def test_a_random_plan_gives_a_valid_ladder_or_is_refused_with_a_reason(seed: int) -> None:
    plan = random_plan(random.Random(seed))
    try:
        ladder = build_ladder("L50", plan, straight=False, tone=0.5)
    except WorldError:
        with pytest.raises(WorldError, match=r"Ladder L50 \w+ .*\. \w+"):
            build_ladder("L50", plan, straight=False, tone=0.5)
        return
    x, y, z = ladder.inertia_kg_m2
    assert min(ladder.mass_kg, x, y, z) > 0.0
    assert x <= y + z
    assert y <= x + z
    assert z <= x + y


def drop_ladders(seed: int) -> tuple[dict[str, Ladder], list[Facts]]:
    """Drop ladders of a random set on the base one after another; return them and the facts until they rest."""
    rng = random.Random(seed)
    ladders: LadderSet = make_ladder_set(seed % 50)
    chosen = {ladder.piece: ladder for ladder in rng.sample(ladders.ladders, POURED)}
    with closing(LocalWorld(ladders, base())) as world:
        facts = []
        for name in chosen:
            position = (rng.uniform(-0.05, 0.05), rng.uniform(-0.05, 0.05), 0.16)
            world.apply(Place(name, Pose(position, random_quat(rng)), fixed=False))
            facts += [world.tick(None) for _ in range(40)]
        while not facts[-1].at_rest and len(facts) < 40 * POURED + STOP_TICKS + QUIET_TICKS + 1:
            facts.append(world.tick(None))
        return chosen, facts


@given(seeds)
@example(1300)  # a ladder strikes the base with its end and is thrown off
@settings(max_examples=3)
def test_dropped_ladders_come_to_rest_with_correct_facts_and_contacts(seed: int) -> None:
    ladders, history = drop_ladders(seed)
    facts = history[-1]
    assert facts.at_rest
    for piece in facts.pieces:
        boxes = ladders[piece.piece].boxes
        assert all(math.isfinite(number) for number in (*piece.pose.position, *piece.pose.rotation))
        assert piece.highest_m == pytest.approx(find_highest_m(boxes, piece.pose), abs=1e-12)
        assert piece.lowest_m == pytest.approx(find_lowest_m(boxes, piece.pose), abs=1e-12)
        assert piece.lowest_m > -2e-4
        assert facts.touching(piece.piece), "a ladder rests in the air"
    for moment in history:
        assert len({(contact.a, contact.b) for contact in moment.contacts}) == len(moment.contacts)
        assert all(contact.a < contact.b for contact in moment.contacts)
    solids = {name: (ladders[name].boxes, facts[name].pose) for name in ladders}
    solids[TABLE] = (tuple(make_table_boxes()), Pose((0.0, 0.0, 0.0)))
    solids[BASE] = (base().boxes, Pose((0.0, 0.0, 0.0)))
    touching = {(contact.a, contact.b) for contact in facts.contacts}
    for a in sorted(solids):
        for b in sorted(solids):
            if a < b and not {a, b} <= {BASE, TABLE}:
                distance = find_distance_m(*solids[a], *solids[b], 3.0 * TOUCH_M)
                # In between, debouncing may still keep a touch that has just ended.
                if distance <= TOUCH_M - 1e-9:
                    assert (a, b) in touching
                if distance > TOUCH_M + 1e-5:
                    assert (a, b) not in touching
