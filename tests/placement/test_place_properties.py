"""Properties of a place: kind, reach, rise, poise, free ends and faces; and searches that prefer some of them."""

from __future__ import annotations

import math
from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest
from benchmarks.towers import Structure, list_spares, load_tower, make_structure

from armoon.geometry import pose_apply, quat_angle, quat_from_axis_angle, quat_multiply
from armoon.placement.rehearsal import Rehearsal
from armoon.placement.search import PlaceFinder, PlaceSearch
from armoon.placement.structure import describe_place
from armoon.placement.values import GOOD_HELD, Attitudes, Question, ReleaseOutcome, get_rank, is_good
from armoon.values.places import HIGHEST, SAFEST, LadderPlace, PlaceKind, PlaceWeights, Reach, Requirement
from armoon.values.poses import IDENTITY_QUAT, Pose, Quat, Vec3
from armoon.world.exact import find_highest_m

START = make_structure(2)
LADDERS = {ladder.piece: ladder for ladder in START.ladders.ladders}
#: A straight ladder that isn't in the structure: 115 mm long, with rungs 21 mm apart.
PIECE = next(p.piece for p in START.ladders.ladders if p.piece not in {n for n, _, _ in START.standing})
OTHERS_M = max(find_highest_m(LADDERS[name].boxes, pose) for name, pose, _ in START.standing)


def rotate_about(axis: Vec3, degrees: float) -> Quat:
    return quat_from_axis_angle(axis, math.radians(degrees))


LEVEL = rotate_about((1.0, 0.0, 0.0), 90.0)


def make_place(pose: Pose, *supports: Vec3) -> LadderPlace:
    top = find_highest_m(LADDERS[PIECE].boxes, pose)
    load = tuple(("L01", np.array(point), 1.0 / len(supports)) for point in supports)
    outcome = ReleaseOutcome(True, ("L01",), pose, top, OTHERS_M, 0.0, load)
    return describe_place(LADDERS, START.standing, PIECE, pose, outcome)


def find_rail_end() -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    name, pose, _ = START.standing[0]
    ends = [pose_apply(pose, rail[k]) for rail in LADDERS[name].rails for k in (0, -1)]
    return np.array(max(ends, key=lambda end: end[2]))


def make_pose_over(point: Vec3, rotation: Quat, depth_m: float) -> Pose:
    """Return the pose of the rotated ladder whose second opening is ``depth_m`` below a point."""
    rungs = LADDERS[PIECE].rungs
    opening = np.mean([*rungs[1], *rungs[2]], axis=0)
    position = (
        np.array(point) - (0.0, 0.0, depth_m) - pose_apply(Pose((0.0, 0.0, 0.0), rotation), tuple(opening))
    )
    return Pose(tuple(position), rotation)


@pytest.mark.parametrize(
    ("rotation", "depth_m", "kind"),
    [
        (LEVEL, 0.006, PlaceKind.HOOK),
        (quat_multiply(rotate_about((1.0, 0.0, 0.0), 40.0), IDENTITY_QUAT), 0.006, PlaceKind.HOOK),
        (LEVEL, -0.004, PlaceKind.PLATE),
        (quat_multiply(rotate_about((1.0, 0.0, 0.0), 40.0), IDENTITY_QUAT), -0.05, PlaceKind.LEAN),
        (quat_multiply(rotate_about((0.0, 0.0, 1.0), 90.0), LEVEL), -0.004, PlaceKind.PLATE),
    ],
)
def test_the_kind_of_a_place_follows_from_openings_and_slope(
    rotation: Quat, depth_m: float, kind: PlaceKind
) -> None:
    end = find_rail_end()
    assert make_place(make_pose_over(tuple(end), rotation, depth_m), tuple(end)).kind is kind


@pytest.mark.parametrize("degrees", [0.0, 24.0, 26.0, 60.0, 90.0, 120.0])
def test_reach_rise_and_poise_follow_from_geometry(degrees: float) -> None:
    pose = Pose((0.1, 0.0, 0.2), rotate_about((1.0, 0.0, 0.0), 90.0 - degrees))
    low, high = pose_apply(pose, (0.0, 0.0, -0.03)), pose_apply(pose, (0.0, 0.0, 0.01))
    place = make_place(pose, low, high)
    rise = min(degrees, 180.0 - degrees)
    assert place.rise_deg == pytest.approx(rise)
    assert place.kind is (PlaceKind.LEAN if rise >= 25.0 else PlaceKind.PLATE)
    assert place.reach_m == pytest.approx(find_highest_m(LADDERS[PIECE].boxes, pose) - OTHERS_M)
    ends = [rail[k] for rail in LADDERS[PIECE].rails for k in (0, -1)]
    supports = ((0.0, 0.0, -0.03), (0.0, 0.0, 0.01))
    assert place.poise_m == pytest.approx(
        max(min(math.dist(end, support) for support in supports) for end in ends)
    )


def test_only_uncovered_ends_and_faces_are_counted() -> None:
    """Two starting ladders stand upright: four rail ends and two faces; a third beside them adds a face."""
    beside = make_place(Pose((0.3, 0.0, OTHERS_M - 0.2), LEVEL), (0.3, 0.0, 0.0))
    assert (beside.ends, beside.faces, beside.highest) == (4, 2, False)
    upright = make_place(Pose((0.3, 0.0, OTHERS_M - 0.06)), (0.3, 0.0, 0.0))
    assert (upright.ends, upright.faces) == (6, 3)
    end, rungs = tuple(find_rail_end()), LADDERS[PIECE].rungs
    opening = make_pose_over(end, LEVEL, 0.001)
    rung = pose_apply(opening, (0.0, 0.0, 0.5 * (rungs[2][0][2] - rungs[1][0][2])))
    assert make_place(opening, end).ends == 4, "the end protrudes far enough for another ladder"
    assert make_place(Pose(rung, LEVEL), end).ends == 3, "a rung covers the end"
    name, pose, _ = START.standing[0]
    for number, faces in ((0, 2), (-1, 1)):
        point = pose_apply(pose, tuple(np.mean(LADDERS[name].rungs[number], axis=0)))
        own = pose_apply(Pose((0.0, 0.0, 0.0), LEVEL), tuple(np.mean(rungs[1], axis=0)))
        rung_pose = Pose((point[0] - own[0], point[1] - own[1], point[2] - own[2]), LEVEL)
        assert make_place(rung_pose, point).faces == faces, "only the upper half has to be free"


def test_places_are_ranked_by_safety_or_good_ones_by_height() -> None:
    pose = Pose((0.0, 0.0, 0.1))
    flat = LadderPlace(pose, pose, ("L01",), False, 0.2, 1.0, 12)
    tall = replace(flat, safety=0.75, slips=8, kind=PlaceKind.LEAN, reach_m=0.04, rise_deg=60.0)
    taller_not_good = replace(tall, safety=0.5, reach_m=0.08)
    assert is_good(tall)
    assert not is_good(taller_not_good)

    def rank(weights: PlaceWeights) -> list[LadderPlace]:
        return sorted((taller_not_good, flat, tall), key=lambda place: get_rank(place, weights), reverse=True)

    assert rank(SAFEST) == [flat, tall, taller_not_good]
    assert rank(HIGHEST) == [tall, flat, taller_not_good]


def test_higher_good_places_come_first_if_height_counts() -> None:
    question = Question(
        START.standing, PIECE, Requirement(1, 2, highest=True), drops=60, weights=PlaceWeights(0.0, 1.0)
    )
    with closing(PlaceSearch(START.ladders, START.base, processes=1)) as search:
        search.ask(question)
        places = search.wait(120.0).places
    good = [place for place in places if is_good(place)]
    assert len(good) > 1
    assert places[: len(good)] == tuple(good)
    assert [place.reach_m for place in good] == sorted((place.reach_m for place in good), reverse=True)
    for place in places:
        assert place.held <= place.slips
        assert place.slips >= GOOD_HELD or not is_good(place)
        assert place.highest is (place.reach_m > 0.0)


def find_places(structure: Structure, question: Question) -> list[LadderPlace]:
    with closing(PlaceFinder(structure.ladders, structure.base)) as finder:
        places = {f.number: f.place for f in finder.search(question, 5) if f is not None}
    return [place for place in places.values() if is_good(place)]


@pytest.mark.parametrize(
    ("weights", "kinds"), [(SAFEST, {PlaceKind.PLATE, PlaceKind.HOOK}), (HIGHEST, set(PlaceKind))]
)
def test_plates_and_hooks_are_found_and_leans_too_if_height_counts(
    weights: PlaceWeights, kinds: set[PlaceKind]
) -> None:
    question = Question(START.standing, PIECE, Requirement(1, 2), drops=250, weights=weights)
    assert {place.kind for place in find_places(START, question)} >= kinds


@pytest.mark.parametrize(("size", "seed"), [(12, 1), (20, 2)])
def test_every_good_place_holds_in_the_games_engine(size: int, seed: int) -> None:
    structure, wanted = load_tower(size), Requirement(1, 1)
    piece, ladders = list_spares(structure)[0], {ladder.piece: ladder for ladder in structure.ladders.ladders}
    question = Question(structure.standing, piece, wanted, drops=40)
    with (
        closing(PlaceFinder(structure.ladders, structure.base)) as finder,
        closing(Rehearsal(ladders, structure.base, structure.standing, as_in_game=True)) as played,
    ):
        places = {f.number: f.place for f in finder.search(question, seed) if f is not None}
        played.load_ladder(piece)
        good = [place.release for place in places.values() if is_good(place)]
        assert len(good) >= 4
        assert all(played.drop(release).clearly_meets(wanted) for release in good)


def test_all_places_are_within_the_hands_reach() -> None:
    reach = Reach(
        tuple(rotate_about((1.0, 0.0, 0.0), rise) for rise in (30.0, 60.0)),
        (0.0, 1.0, 0.0),
        math.radians(30.0),
    )
    question = Question(START.standing, PIECE, Requirement(1, 2), reach=reach, drops=120)
    attitudes = Attitudes(reach)
    places = find_places(START, question)
    assert any(place.kind is not PlaceKind.PLATE for place in places)
    for place in places:
        assert quat_angle(attitudes.find_nearest(place.release.rotation), place.release.rotation) < 1e-6


@pytest.mark.slow
def test_hooks_or_leans_are_found_even_on_a_tower_of_flat_ladders() -> None:
    """Once a good plate is known, hooks and leans get a larger share of the search."""
    tower = load_tower(12)
    piece = next(p.piece for p in tower.ladders.ladders if p.piece not in {n for n, _, _ in tower.standing})
    kinds = {
        place.kind
        for place in find_places(tower, Question(tower.standing, piece, Requirement(1, 2), drops=80))
    }
    assert PlaceKind.PLATE in kinds
    assert kinds - {PlaceKind.PLATE}
