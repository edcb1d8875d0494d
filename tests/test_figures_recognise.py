"""The eight figures are recognised in the canonical scenes and in kept instances, and rarely where they aren't."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import pytest
from world_kit import wait_for_rest

from armoon.bench.figures import WANTED_FALSE, is_recognised, measure_false, name_all
from armoon.bench.figures_kept import kept_count, load_kept
from armoon.bench.figures_makers import passes
from armoon.bench.figures_random import random_placements
from armoon.facts import Facts
from armoon.figures.figure import PRINTED, Figure, FigureKind
from armoon.figures.recognise import recognise
from armoon.figures.shape import Shape
from armoon.figures.touch import Part, touches_of
from armoon.geometry import quat_from_axis_angle, quat_multiply, vec3
from armoon.pieces import LadderSet
from armoon.values import Pose
from armoon.world.scenes import SCENES
from armoon.world.structure import Structure, build_world

#: Of each figure so many are wanted, and so many are looked at in the ordinary run.
WANTED, QUICK = 20, 2
LADDERS_BEFORE = {FigureKind.BOLT: 2, FigureKind.SIN_OF_PRIDE: 3}


def settle(structure: Structure) -> Facts:
    world = build_world(structure)
    try:
        return wait_for_rest(world)
    finally:
        world.close()


def kinds(
    ladders: LadderSet, facts: Facts, piece: str, earlier: tuple[tuple[Figure, ...], ...] = ()
) -> set[FigureKind]:
    return {figure.kind for figure in recognise(ladders, facts, piece, earlier)}


@contextmanager
def canonical(name: str) -> Iterator[tuple[LadderSet, Facts, str]]:
    structure = SCENES[name]()
    yield structure.ladders, settle(structure), structure.standing[-1][0]


@pytest.mark.parametrize("name", SCENES)
def test_a_canonical_scene_is_its_figure_and_no_other(name: str) -> None:
    with canonical(name) as (ladders, facts, piece):
        (figure,) = recognise(ladders, facts, piece)
        assert figure.kind is FigureKind(name)
        assert figure.piece == piece
        assert set(figure.others) == {p.piece for p in facts.pieces} - {piece}


@pytest.mark.parametrize("name", SCENES)
def test_a_turned_scene_is_the_same_figure(name: str) -> None:
    """Seen from elsewhere on the table nothing changes."""
    with canonical(name) as (ladders, facts, piece):
        spin = quat_from_axis_angle((0.0, 0.0, 1.0), 2.0)
        moved = replace(facts, pieces=tuple(replace(p, pose=turned(p.pose, spin)) for p in facts.pieces))
        assert recognise(ladders, moved, piece) == recognise(ladders, facts, piece)


def turned(pose: Pose, spin: tuple[float, float, float, float]) -> Pose:
    x, y, z = Shape(_anything(), Pose((0.0, 0.0, 0.0), spin)).turn @ np.asarray(pose.position)
    return Pose((float(x) + 0.03, float(y) - 0.02, float(z)), quat_multiply(spin, pose.rotation))


def _anything():  # type: ignore[no-untyped-def]
    return SCENES["swing"]().ladders.ladders[0]


def test_a_ladder_that_lies_on_the_base_makes_no_figure() -> None:
    with canonical("candle") as (ladders, facts, piece):
        (contact,) = facts.contacts
        fallen = replace(facts, contacts=(contact, replace(contact, a="base", b=piece)))
        assert recognise(ladders, fallen, piece) == ()


def test_a_ladder_that_touches_nothing_makes_no_figure() -> None:
    with canonical("candle") as (ladders, facts, piece):
        assert recognise(ladders, replace(facts, contacts=()), piece) == ()


def test_a_candle_below_another_top_is_none() -> None:
    with canonical("candle") as (ladders, facts, piece):
        x, y, z = facts["L01"].pose.position
        raised = tuple(
            replace(p, pose=Pose((x, y, z + 0.2))) if p.piece == "L01" else p for p in facts.pieces
        )
        assert FigureKind.CANDLE not in kinds(ladders, replace(facts, pieces=raised), piece)


def test_a_swing_lifted_off_the_rails_end_is_none() -> None:
    """Hung from a rung over the rail between two rungs it couldn't have been hooked over the end."""
    with canonical("swing") as (ladders, facts, piece):
        along = Shape(ladders["L01"], facts["L01"].pose).along
        slid = vec3(np.asarray(facts[piece].pose.position) - along * 0.02)
        moved = tuple(
            replace(p, pose=Pose(slid, p.pose.rotation)) if p.piece == piece else p for p in facts.pieces
        )
        assert FigureKind.SWING not in kinds(ladders, replace(facts, pieces=moved), piece)


def test_touches_name_the_parts() -> None:
    with canonical("candle") as (ladders, facts, piece):
        touches = touches_of(ladders, facts, piece)
        assert {(t.own, t.others) for t in touches} == {
            (Part("rung", 0), Part("rail", 0)),
            (Part("rung", 0), Part("rail", 1)),
        }
        assert all(t.lift == pytest.approx(1.0) and t.bears for t in touches)
        top = facts["L01"].highest_m
        assert all(np.abs(t.points[:, 2] - top).max() < 3e-4 for t in touches)


def test_touches_are_told_the_other_way_round_as_well() -> None:
    with canonical("foot_hook") as (ladders, facts, piece):
        ours, theirs = touches_of(ladders, facts, piece), touches_of(ladders, facts, "L01")
        assert {(t.own, t.others) for t in ours} == {(t.others, t.own) for t in theirs}
        lifts = {(t.own, t.others): t.lift for t in ours}
        assert all(lifts[t.others, t.own] == pytest.approx(-t.lift, abs=1e-6) for t in theirs)


def test_a_row_is_counted_by_turns() -> None:
    with canonical("crazy_diagonal") as (ladders, facts, piece):
        diagonal = (Figure(FigureKind.CRAZY_DIAGONAL, "L09", ("L08",)),)
        one = {FigureKind.CRAZY_DIAGONAL}
        assert kinds(ladders, facts, piece, (diagonal,)) == one
        assert kinds(ladders, facts, piece, (diagonal, (), diagonal)) == one
        assert kinds(ladders, facts, piece, (diagonal, diagonal)) == one | {FigureKind.SIN_OF_PRIDE}
        assert kinds(ladders, facts, piece, (diagonal,) * 3) == one | {FigureKind.FOURTH_DIAGONAL}


def test_a_bolt_needs_a_swing() -> None:
    with canonical("bolt") as (ladders, facts, piece):
        apart = tuple(c for c in facts.contacts if {c.a, c.b} != {"L01", "L02"})
        assert FigureKind.BOLT not in kinds(ladders, replace(facts, contacts=apart), piece)
        alone = tuple(c for c in facts.contacts if {c.a, c.b} != {"L01", "L03"})
        assert FigureKind.BOLT not in kinds(ladders, replace(facts, contacts=alone), piece), (
            "it would swing along"
        )


@pytest.mark.parametrize("kind", PRINTED)
def test_enough_instances_are_kept(kind: FigureKind) -> None:
    assert kept_count(kind) >= WANTED


@pytest.mark.parametrize("number", range(QUICK))
@pytest.mark.parametrize("kind", PRINTED)
def test_some_kept_instances_are_recognised(kind: FigureKind, number: int) -> None:
    instance = load_kept(kind, number)
    named = name_all(instance.placements)
    assert kind in {figure.kind for figure in named[-1]}
    assert len(named) == LADDERS_BEFORE.get(kind, 1)


@pytest.mark.slow
@pytest.mark.parametrize("kind", PRINTED)
def test_kept_instances_are_recognised(kind: FigureKind) -> None:
    """At least 20 of each, and no more than one in eight missed."""
    total = kept_count(kind)
    found = sum(is_recognised(load_kept(kind, number)) for number in range(total))
    assert found >= WANTED
    assert found >= 7 / 8 * total


@pytest.mark.slow
@pytest.mark.parametrize("kind", PRINTED)
def test_kept_instances_pass_the_check_that_made_them(kind: FigureKind) -> None:
    assert all(passes(load_kept(kind, number)) for number in range(QUICK))


def test_random_placements_are_the_same_for_the_same_seed() -> None:
    ((a,), (b,)) = (itertools.islice(random_placements(8), 1) for _ in range(2))
    assert a == b


@pytest.mark.slow
@pytest.mark.xfail(strict=True, reason="5 of 60 are named falsely where 1 in 50 is wanted: not reached yet")
def test_random_placements_are_rarely_named_falsely() -> None:
    rate = measure_false(seed=77, count=60)
    assert sum(rate.false.values()) <= WANTED_FALSE * rate.placements
