"""The eight figures are recognised in the canonical scenes, and not in scenes that miss them by little."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import pytest
from benchmarks.towers import Structure, build_world
from support.figure_scenes import SCENES
from support.world_kit import wait_for_rest

from armoon.games.moon.figures.recognise import recognise, support, swing
from armoon.games.moon.figures.shape import Figure, FigureKind, Scene, Shape
from armoon.geometry import quat_from_axis_angle, quat_multiply, vec3
from armoon.values.pieces import Facts, Ladder, LadderSet
from armoon.values.poses import Pose


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
        moved = replace(facts, pieces=tuple(replace(p, pose=spun(p.pose, spin)) for p in facts.pieces))
        assert recognise(ladders, moved, piece) == recognise(ladders, facts, piece)


def spun(pose: Pose, spin: tuple[float, float, float, float]) -> Pose:
    x, y, z = Shape(_anything(), Pose((0.0, 0.0, 0.0), spin)).turn @ np.asarray(pose.position)
    return Pose((float(x) + 0.03, float(y) - 0.02, float(z)), quat_multiply(spin, pose.rotation))


def _anything() -> Ladder:
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


def test_a_swing_held_down_from_above_is_none() -> None:
    """Its rung hangs over the rail, but the same ladder's wood also lies upon it: it is wedged, not hung."""
    with canonical("swing") as (ladders, facts, piece):
        scene = Scene(ladders, facts, piece)
        assert swing(scene)
        hung = next(touch for touch in scene.touches if touch.bears)
        upon = replace(hung, normals=np.tile([0.0, 0.0, -1.0], (len(hung.points), 1)))
        scene.touches = (*scene.touches, upon)
        assert not swing(scene)


@pytest.mark.parametrize(("tilt_deg", "supports"), [(0.0, True), (5.0, True), (12.0, False), (-12.0, False)])
def test_a_ladder_tilted_along_another_is_no_support(tilt_deg: float, supports: bool) -> None:
    """Only the placed ladder's pose changes: where they touch stays as the world said it."""
    with canonical("shameful_support") as (ladders, facts, piece):
        there = facts[piece].pose
        along = vec3(Shape(ladders[piece], there).along)
        tilt = quat_from_axis_angle(along, math.radians(tilt_deg))
        tilted = Shape(ladders[piece], Pose(there.position, quat_multiply(tilt, there.rotation)))
        scene = Scene(ladders, facts, piece)
        scene.shape = tilted
        assert bool(support(scene)) == supports


def test_a_candle_beside_a_taller_ladder_that_it_does_not_touch_is_none() -> None:
    with canonical("candle") as (ladders, facts, piece):
        low, high = (beside_a_copy(ladders, facts, piece, (0.06, 0.0, up)) for up in (-0.06, 0.03))
        assert FigureKind.CANDLE not in kinds(*high, piece)
        assert FigureKind.CANDLE in kinds(*low, piece)


def beside_a_copy(
    ladders: LadderSet, facts: Facts, piece: str, shift: Sequence[float]
) -> tuple[LadderSet, Facts]:
    """With another ladder like ``piece`` that touches nothing, moved from it by ``shift`` metres."""
    there = facts[piece]
    x, y, z = (a + b for a, b in zip(there.pose.position, shift, strict=True))
    another = replace(there, piece="L99", pose=Pose((x, y, z), there.pose.rotation))
    more = replace(ladders, ladders=(*ladders.ladders, replace(ladders[piece], piece="L99")))
    return more, replace(facts, pieces=(*facts.pieces, another))


def test_a_ladder_that_cannot_swing_for_want_of_room_is_no_swing() -> None:
    with canonical("swing") as (ladders, facts, piece):
        normal = Shape(ladders[piece], facts[piece].pose).normal
        for gap_m, swings in ((0.008, False), (0.03, True)):
            one, two = (beside_a_copy(ladders, facts, piece, tuple(normal * way)) for way in (gap_m, -gap_m))
            assert FigureKind.SWING in kinds(*one, piece), "it swings to the other side"
            between = replace(two[1], pieces=(*two[1].pieces, replace(one[1]["L99"], piece="L98")))
            ladders_of_both = replace(two[0], ladders=(*two[0].ladders, replace(ladders[piece], piece="L98")))
            assert (FigureKind.SWING in kinds(ladders_of_both, between, piece)) == swings


def test_a_balanced_ladder_that_would_be_caught_is_no_walker() -> None:
    with canonical("tightrope_walker") as (ladders, facts, piece):
        near, far = (beside_a_copy(ladders, facts, piece, (0.0, 0.0, -way)) for way in (0.006, 0.03))
        assert FigureKind.TIGHTROPE_WALKER not in kinds(*near, piece)
        assert FigureKind.TIGHTROPE_WALKER in kinds(*far, piece)


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
