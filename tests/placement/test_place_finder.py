"""Places found by the search hold in the game: for each face of the die, and on several towers."""

from __future__ import annotations

import math
from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest
from benchmarks.towers import LiveTable, Structure, list_spares, load_tower, make_structure

from armoon.games.moon.editions import Die
from armoon.games.moon.turn import get_requirement
from armoon.geometry import quat_angle
from armoon.placement.candidates import draw_plates
from armoon.placement.rehearsal import Rehearsal
from armoon.placement.search import PlaceFinder
from armoon.placement.structure import StaticBalance, Wood
from armoon.placement.values import Attitudes, Question, estimate_safety, is_good
from armoon.values.places import LadderPlace, Reach, Requirement, Slip
from armoon.values.poses import IDENTITY_QUAT, Pose


def find(structure: Structure, question: Question, steps: int = 400) -> list[LadderPlace]:
    places: dict[int, LadderPlace] = {}
    with closing(PlaceFinder(structure.ladders, structure.base)) as finder:
        for step, finding in enumerate(finder.search(question, 3)):
            assert step < steps, "the search continues after its budget of drops"
            if finding is not None:
                places[finding.number] = finding.place
    return sorted(places.values(), key=lambda place: -estimate_safety(place))


def make_question(
    structure: Structure, wanted: Requirement, drops: int, reach: Reach | None = None
) -> Question:
    piece = list_spares(structure)[0]
    return Question(tuple(structure.standing), piece, wanted, reach=reach, drops=drops)


@pytest.mark.parametrize("die", list(Die))
def test_the_first_place_satisfies_the_referee(die: Die) -> None:
    structure = make_structure(2)
    question = make_question(structure, get_requirement(die), drops=12)
    places = find(structure, question)
    assert places, "two starting ladders have places for any face of the die"
    for place in places:
        assert get_requirement(die).is_met_by(len(place.touched), place.highest)
        assert 0.0 <= place.safety <= 1.0
    with closing(LiveTable(structure)) as live:
        assert live.honours(question.piece, places[0].release, die)


@pytest.mark.parametrize(("hand", "good"), [(Slip(0.0, 0.0), True), (Slip(0.1, 1.0), False)])
def test_places_are_good_only_for_an_accurate_hand(hand: Slip, good: bool) -> None:
    question = replace(make_question(make_structure(2), get_requirement(Die.ONE), drops=16), slip=hand)
    assert any(is_good(place) for place in find(make_structure(2), question)) is good


@pytest.mark.slow
@pytest.mark.parametrize("size", [12, pytest.param(20, marks=pytest.mark.long)])
def test_places_on_towers_hold_too(size: int) -> None:
    structure = load_tower(size)
    question = make_question(structure, get_requirement(Die.ONE), drops=6)
    places = find(structure, question)
    assert places
    with closing(LiveTable(structure)) as live:
        assert live.honours(question.piece, places[0].release, Die.ONE)


@pytest.mark.slow
def test_a_tower_of_28_ladders_can_be_searched() -> None:
    structure = load_tower(28)
    assert all(
        place.touched for place in find(structure, make_question(structure, Requirement(1, 2), drops=1))
    )


def test_an_exhausted_search_ends_without_a_place() -> None:
    structure = make_structure(2)
    assert find(structure, make_question(structure, Requirement(9, 9), drops=2)) == []


def test_without_a_structure_no_place_is_found() -> None:
    structure = make_structure(2)
    finder = PlaceFinder(structure.ladders, structure.base)
    assert list(finder.search(Question((), "L05", Requirement(1, 1)), 1)) == []


def test_attitudes_stay_within_the_reach() -> None:
    view = (0.0, 1.0, 0.0)
    reach = Reach((IDENTITY_QUAT,), view, math.radians(30.0))
    attitudes = Attitudes(reach)
    rng = np.random.default_rng(1)
    for _ in range(50):
        drawn = attitudes.draw(rng)
        assert drawn is not None
        assert quat_angle(IDENTITY_QUAT, drawn) <= math.radians(30.0) + 1e-9
        assert quat_angle(attitudes.find_nearest(drawn), drawn) < 1e-6
    yaws = attitudes.find_plate_yaws()
    assert yaws is not None
    assert len(yaws) == 0, "a hand that holds a ladder upright can't lay it flat"
    assert Attitudes(None).draw(rng) is None


def test_plates_rest_on_the_predicted_ladders() -> None:
    """At least nine in ten plates that hold on the frozen structure touch the predicted ladders."""
    structure = load_tower(12)
    ladders = {ladder.piece: ladder for ladder in structure.ladders.ladders}
    piece = list_spares(structure)[0]
    wood = Wood(ladders, structure.standing)
    plates = draw_plates(wood, ladders[piece], Requirement(1, 2), np.random.default_rng(5), 400)[:20]
    assert len(plates) == 20
    with closing(Rehearsal(ladders, structure.base, structure.standing, frozen=True)) as frozen:
        frozen.load_ladder(piece)
        right = held = 0
        for plate in plates:
            release = frozen.lower(plate.pose)
            if release is None:
                continue
            outcome = frozen.drop(release)
            held += outcome.held
            right += outcome.held and set(outcome.touched) == {name for name, _, _ in plate.load}
        assert held >= 15
        assert right >= 0.9 * held


def test_a_structure_bears_a_load_at_a_ladders_middle_but_not_half_a_metre_away() -> None:
    structure = load_tower(2)
    ladders = {ladder.piece: ladder for ladder in structure.ladders.ladders}
    with closing(Rehearsal(ladders, structure.base, structure.standing, frozen=False)) as free:
        balance = StaticBalance(ladders, free.standing, free.find_contacts())
        name, pose, _ = next(row for row in free.standing if not row[2])
        middle = np.asarray(pose.position)
        away = np.add(middle, (0.5, 0.0, 0.0))
        near, far = balance.weigh([((name, middle, 1.0),), ((name, away, 1.0),)])
        assert near < 0.05
        assert far > 0.25


def test_a_load_adds_only_its_own_weight_to_an_unbalanced_structure() -> None:
    """Otherwise the search would reject every place on such a structure."""
    structure = load_tower(2)
    ladders = {ladder.piece: ladder for ladder in structure.ladders.ladders}
    balance = StaticBalance(ladders, structure.standing, [])  # without contacts nothing bears the structure
    name, pose, _ = next(row for row in structure.standing if not row[2])
    none, loaded = balance.weigh([(), ((name, np.asarray(pose.position), 1.0),)])
    assert none == pytest.approx(0.0, abs=1e-9)
    assert loaded == pytest.approx(1.0, abs=0.01), "the load adds its weight"


def test_equal_drops_have_equal_outcomes_and_the_structure_is_restored() -> None:
    structure = load_tower(12)
    ladders = {ladder.piece: ladder for ladder in structure.ladders.ladders}
    piece = list_spares(structure)[0]
    ends = []
    for _ in range(2):
        free = Rehearsal(ladders, structure.base, structure.standing, frozen=False)
        free.load_ladder(piece)
        before = free.standing
        release = free.lower(Pose((0.0, 0.0, 0.3)), None)
        assert release is not None
        ends.append(free.drop(release))
        assert free.standing == before
        free.close()
    assert (ends[0].pose, ends[0].touched) == (ends[1].pose, ends[1].touched)
