"""The eight figures are recognised in canonical scenes; each has a page in the book, from which it can be tried."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from benchmarks.towers import build_world
from support.figure_scenes import SCENES
from support.world_kit import wait_for_rest

from armoon.app.setup import make_practice_options
from armoon.camera.profiles import make_table_seat
from armoon.engine.events import MatchEvent
from armoon.engine.setup import make_setup
from armoon.games.contract import find_picture_book_kind, load_kind
from armoon.games.moon import figures
from armoon.games.moon.editions import Reason, Verdict
from armoon.games.moon.figures import FigureKind
from armoon.games.moon.kind import MoonKind
from armoon.games.moon.match import FigureHistory, MoonMatch
from armoon.games.moon.recognise import find_shameful_support, is_swing, recognise_figures
from armoon.games.moon.records import encode_event
from armoon.games.moon.rulebook import find_page, make_picture_book_page
from armoon.games.moon.rules import create_state
from armoon.games.moon.saving import MoonSetup
from armoon.games.moon.turn import State
from armoon.games.shared import FirstPlayer
from armoon.geometry import quat_from_axis_angle, quat_multiply, quat_rotate, vec3
from armoon.settings.preferences import PlayOptions
from armoon.values.choices import AirRelease, SeatName
from armoon.values.pieces import Facts, LadderSet
from armoon.values.poses import Pose
from armoon.world.base import make_base
from armoon.world.ladders import make_ladder_set
from armoon.world.local import LocalWorld


def find_kinds(
    ladders: LadderSet, facts: Facts, piece: str, earlier: tuple[tuple[figures.Figure, ...], ...] = ()
) -> set[FigureKind]:
    return {figure.kind for figure in recognise_figures(ladders, facts, piece, earlier)}


@cache
def settle_scene(name: str) -> tuple[LadderSet, Facts, str]:
    structure = SCENES[name]()
    with closing(build_world(structure)) as world:
        return structure.ladders, wait_for_rest(world), structure.standing[-1][0]


@pytest.mark.parametrize("name", SCENES)
def test_a_canonical_scene_is_its_figure_and_no_other(name: str) -> None:
    ladders, facts, piece = settle_scene(name)
    (figure,) = recognise_figures(ladders, facts, piece)
    assert figure.kind is FigureKind(name)
    assert figure.piece == piece
    assert set(figure.others) == {p.piece for p in facts.pieces} - {piece}


@pytest.mark.parametrize("name", SCENES)
def test_a_turned_scene_is_the_same_figure(name: str) -> None:
    ladders, facts, piece = settle_scene(name)
    spin = quat_from_axis_angle((0.0, 0.0, 1.0), 2.0)
    moved = replace(facts, pieces=tuple(replace(p, pose=turn_pose(p.pose, spin)) for p in facts.pieces))
    assert recognise_figures(ladders, moved, piece) == recognise_figures(ladders, facts, piece)


def turn_pose(pose: Pose, spin: tuple[float, float, float, float]) -> Pose:
    x, y, z = quat_rotate(spin, pose.position)
    return Pose((x + 0.03, y - 0.02, z), quat_multiply(spin, pose.rotation))


def test_a_ladder_that_lies_on_the_base_or_touches_nothing_makes_no_figure() -> None:
    ladders, facts, piece = settle_scene("candle")
    (contact,) = facts.contacts
    for contacts in ((contact, replace(contact, a="base", b=piece)), ()):
        assert recognise_figures(ladders, replace(facts, contacts=contacts), piece) == ()


def test_a_ladder_between_the_rungs_of_a_rail_is_not_a_swing() -> None:
    """If it hangs between two of the rail's rungs, it can't have been hooked over the rail's end."""
    ladders, facts, piece = settle_scene("swing")
    along = figures.LadderShape(ladders["L01"], facts["L01"].pose).along
    slid = vec3(np.asarray(facts[piece].pose.position) - along * 0.02)
    moved = tuple(
        replace(p, pose=Pose(slid, p.pose.rotation)) if p.piece == piece else p for p in facts.pieces
    )
    assert FigureKind.SWING not in find_kinds(ladders, replace(facts, pieces=moved), piece)


def test_a_wedged_ladder_is_not_a_swing() -> None:
    """Its rung hangs over the rail, but another touch holds it down."""
    ladders, facts, piece = settle_scene("swing")
    settled = figures.SettledShapes(ladders, facts, piece)
    assert is_swing(settled.shape, settled.touches, settled.shapes)
    bearing = next(touch for touch in settled.touches if touch.bears)
    holding = replace(bearing, normals=np.tile([0.0, 0.0, -1.0], (len(bearing.points), 1)))
    assert not is_swing(settled.shape, (*settled.touches, holding), settled.shapes)


@pytest.mark.parametrize(("tilt_deg", "supports"), [(0.0, True), (5.0, True), (12.0, False), (-12.0, False)])
def test_only_a_ladder_hardly_tilted_against_another_is_a_support(tilt_deg: float, supports: bool) -> None:
    """Only the placed ladder's pose changes; the contacts remain as they were."""
    ladders, facts, piece = settle_scene("shameful_support")
    pose = facts[piece].pose
    along = vec3(figures.LadderShape(ladders[piece], pose).along)
    tilt = quat_from_axis_angle(along, math.radians(tilt_deg))
    tilted = figures.LadderShape(ladders[piece], Pose(pose.position, quat_multiply(tilt, pose.rotation)))
    settled = figures.SettledShapes(ladders, facts, piece)
    settled.shape = tilted
    assert bool(find_shameful_support(settled)) == supports


def test_a_ladder_beside_a_taller_one_is_not_a_candle() -> None:
    ladders, facts, piece = settle_scene("candle")
    low, high = (add_copy(ladders, facts, piece, (0.06, 0.0, up)) for up in (-0.06, 0.03))
    assert FigureKind.CANDLE not in find_kinds(*high, piece)
    assert FigureKind.CANDLE in find_kinds(*low, piece)


def add_copy(ladders: LadderSet, facts: Facts, piece: str, shift: Sequence[float]) -> tuple[LadderSet, Facts]:
    ladder = facts[piece]
    x, y, z = (a + b for a, b in zip(ladder.pose.position, shift, strict=True))
    another = replace(ladder, piece="L99", pose=Pose((x, y, z), ladder.pose.rotation))
    more = replace(ladders, ladders=(*ladders.ladders, replace(ladders[piece], piece="L99")))
    return more, replace(facts, pieces=(*facts.pieces, another))


def test_a_ladder_without_room_to_swing_is_not_a_swing() -> None:
    ladders, facts, piece = settle_scene("swing")
    normal = figures.LadderShape(ladders[piece], facts[piece].pose).normal
    for gap_m, swings in ((0.008, False), (0.03, True)):
        one, two = (add_copy(ladders, facts, piece, tuple(normal * gap)) for gap in (gap_m, -gap_m))
        assert FigureKind.SWING in find_kinds(*one, piece), "it swings to the other side"
        between = replace(two[1], pieces=(*two[1].pieces, replace(one[1]["L99"], piece="L98")))
        ladders_of_both = replace(two[0], ladders=(*two[0].ladders, replace(ladders[piece], piece="L98")))
        assert (FigureKind.SWING in find_kinds(ladders_of_both, between, piece)) == swings


def test_a_balanced_ladder_that_would_be_caught_is_not_a_walker() -> None:
    ladders, facts, piece = settle_scene("tightrope_walker")
    near, far = (add_copy(ladders, facts, piece, (0.0, 0.0, -drop)) for drop in (0.006, 0.03))
    assert FigureKind.TIGHTROPE_WALKER not in find_kinds(*near, piece)
    assert FigureKind.TIGHTROPE_WALKER in find_kinds(*far, piece)


def test_diagonals_in_a_row_must_be_made_in_consecutive_turns() -> None:
    ladders, facts, piece = settle_scene("crazy_diagonal")
    diagonal = (figures.Figure(FigureKind.CRAZY_DIAGONAL, "L09", ("L08",)),)
    usual = {FigureKind.CRAZY_DIAGONAL}
    assert find_kinds(ladders, facts, piece, (diagonal,)) == usual
    assert find_kinds(ladders, facts, piece, (diagonal, (), diagonal)) == usual
    assert find_kinds(ladders, facts, piece, (diagonal, diagonal)) == usual | {FigureKind.SIN_OF_PRIDE}
    assert find_kinds(ladders, facts, piece, (diagonal,) * 3) == usual | {FigureKind.FOURTH_DIAGONAL}


def test_a_bolt_needs_a_swing() -> None:
    ladders, facts, piece = settle_scene("bolt")
    apart = tuple(c for c in facts.contacts if {c.a, c.b} != {"L01", "L02"})
    assert FigureKind.BOLT not in find_kinds(ladders, replace(facts, contacts=apart), piece)
    alone = tuple(c for c in facts.contacts if {c.a, c.b} != {"L01", "L03"})
    kinds = find_kinds(ladders, replace(facts, contacts=alone), piece)
    assert FigureKind.BOLT not in kinds, "the other ladder would swing too"


@cache
def settle_page(page: figures.BookPage) -> tuple[LadderSet, Facts]:
    ladders = make_ladder_set(page.ladder_seed)
    base = make_base(tuple(ladders[name] for name in page.fixed))
    with closing(LocalWorld(ladders, base)) as world:
        world.rebuild(page.standing)
        while not (facts := world.tick(None)).at_rest:
            assert facts.tick < 1200
        return ladders, facts


@pytest.mark.parametrize("page", figures.load_pages(), ids=lambda page: page.kind.value)
def test_a_page_is_at_rest_and_shows_its_figure(page: figures.BookPage) -> None:
    ladders, facts = settle_page(page)
    for name, pose in page.poses.items():
        moved = [abs(a - b) for a, b in zip(facts[name].pose.position, pose.position, strict=True)]
        assert max(moved) < 2e-3
    named = {figure.kind for figure in recognise_figures(ladders, facts, page.makers[-1])}
    assert page.kind in named, "without any history"
    assert page.poses.keys() >= set(page.makers)


def make_page_state(page: figures.BookPage) -> State:
    placed = tuple(name for name in page.poses if name not in page.fixed)
    return replace(create_state(("Ann", "Ben"), "bombyx-2017", 1), placed=placed, turn=5)


def make_verdict(page: figures.BookPage) -> Verdict:
    return Verdict(4, 1, True, Reason.HONOURED, ("T4",), ladder=page.makers[-1])


@pytest.mark.parametrize("kind", [FigureKind.CANDLE, FigureKind.SWING])
def test_a_figure_is_named_once_and_counted_for_its_player(kind: FigureKind) -> None:
    page = find_page(kind.value)
    ladders, facts = settle_page(page)
    state, history = make_page_state(page), FigureHistory(ladders)
    assert history.add_verdict(make_verdict(page), replace(state, placed=()), facts) is None, "it was removed"
    event = history.add_verdict(make_verdict(page), state, facts)
    assert event is not None
    assert kind in [figure.kind for figure in event.figures]
    assert history.add_verdict(make_verdict(page), state, facts) is None
    assert figures.count_figures(history.records, 2)[1][kind] == 1
    assert figures.count_figures(history.records, 2)[0].total() == 0
    (line,) = encode_event(MatchEvent(7, event, state, state))
    assert line["player"] == 1


def create_practice_match(figure: str) -> MoonMatch:
    options = make_practice_options(PlayOptions(seed=5), SeatName.TABLE, figure)
    kind = load_kind(options.game)
    assert isinstance(kind, MoonKind)
    table = make_setup(make_table_seat(640, 360), "test", air=AirRelease.FALLS)
    return kind.create_match(table, options, FirstPlayer(0), real_time=False)


@pytest.mark.parametrize("figure", find_picture_book_kind().figures)
def test_trying_a_figure_leaves_out_only_the_ladder_that_makes_it(figure: str) -> None:
    page = find_page(figure)
    with closing(create_practice_match(figure)) as match:
        state = match.state
        standing = {piece.piece: piece.pose for piece in match.facts.pieces}
        assert state.options.practice
        assert state.supply[0] == page.makers[-1]
        assert {*state.starting, *state.placed} == page.poses.keys() - {page.makers[-1]}
        assert set(standing) >= {*state.starting, *state.placed}
        for made in match.figures.records:
            assert recognise_figures(match.ladders, match.facts, made.piece, ()) == made.figures
        assert len(set(state.supply)) == len(state.supply) == 30 - len(page.standing) + 1
        for name, pose in page.poses.items():
            if name in standing and name != page.makers[-1]:
                assert standing[name].position == pytest.approx(pose.position, abs=1e-3)
        assert MoonSetup.from_record(match.setup.to_record()) == match.setup


@pytest.mark.parametrize("index", range(len(find_picture_book_kind().figures)))
def test_a_page_shows_where_its_ladders_touch(index: int) -> None:
    page = make_picture_book_page(index)
    assert page.contacts
    assert all(0.0 < z < 0.4 for _, _, z in page.contacts)
    touched = {piece.piece for piece in page.pieces if piece.look == "touched"}
    assert touched == set(find_page(find_picture_book_kind().figures[index]).makers)


@pytest.mark.parametrize("page", figures.load_pages(), ids=lambda page: page.kind.value)
def test_a_page_stores_its_slots_and_where_its_ladders_touch(page: figures.BookPage) -> None:
    ladders = make_ladder_set(page.ladder_seed)
    slots = make_base(tuple(ladders[name] for name in page.fixed), page.slots).slots
    for name, slot in zip(page.fixed, slots, strict=True):
        assert page.poses[name].position == pytest.approx(slot.position, abs=1e-4)
    assert {piece for piece, _, _ in page.touches} >= set(page.makers)
    for piece, other, spot in page.touches:
        for name in (piece, other):
            spots = figures.sample_spots(ladders[name], page.poses[name])
            assert figures.find_closest_approach(np.array([spot]), spots)[1] < 0.004
