"""Structures on which bots once found no place: they stand only with accurately solved contacts."""

from __future__ import annotations

import json
import math
from contextlib import closing
from pathlib import Path

import pytest
from benchmarks.towers import LiveTable, Structure, list_spares

from armoon.games.moon.editions import Die
from armoon.games.moon.turn import get_requirement
from armoon.placement import rehearsal
from armoon.placement.rehearsal import FINE_SOLVINGS, STANDS_M, Rehearsal
from armoon.placement.search import PlaceFinder
from armoon.placement.values import Question, estimate_safety
from armoon.values.choices import Slots
from armoon.values.places import LadderPlace
from armoon.values.poses import Pose
from armoon.world.base import make_base
from armoon.world.ladders import make_ladder_set
from armoon.world.physics import SolverSettings


@pytest.fixture
def structure(request: pytest.FixtureRequest) -> Structure:
    """``stands_once``: with few iterations it stands, but not when it is rebuilt from the poses at which it rests."""
    recorded = json.loads(Path(__file__).with_name(f"{request.param}.json").read_text(encoding="utf-8"))
    ladders = make_ladder_set(recorded["ladder_seed"])
    base = make_base(tuple(ladders[piece] for piece in recorded["starting"]), Slots(recorded["slots"]))
    standing = tuple(
        (name, Pose(tuple(p), tuple(turned)), fixed) for name, p, turned, fixed in recorded["standing"]
    )
    return Structure(ladders, base, standing)


@pytest.mark.parametrize(
    ("structure", "fine", "full", "is_steady"),
    [
        ("marginal", FINE_SOLVINGS, 1, True),
        ("marginal", FINE_SOLVINGS[:1], 200, True),
        ("marginal", FINE_SOLVINGS[:1], 1, False),
        ("stands_once", FINE_SOLVINGS, 1, False),
        ("stands_once", FINE_SOLVINGS, 100, True),
    ],
    indirect=["structure"],
)
def test_the_structure_stands_with_enough_solver_iterations(
    structure: Structure, monkeypatch: pytest.MonkeyPatch, fine: object, full: int, is_steady: bool
) -> None:
    """A structure that falls in every rehearsal keeps its recorded poses."""
    monkeypatch.setattr(rehearsal, "FINE_SOLVINGS", fine)
    monkeypatch.setattr(rehearsal, "FULL_SOLVINGS", (SolverSettings(full),))
    ladders = {ladder.piece: ladder for ladder in structure.ladders.ladders}
    with closing(Rehearsal(ladders, structure.base, structure.standing, frozen=False)) as free:
        assert free.stands == is_steady
        for (_, stood, _), (_, stands_now, _) in zip(structure.standing, free.standing, strict=True):
            assert math.dist(stood.position, stands_now.position) < STANDS_M


@pytest.mark.parametrize("structure", ["marginal", "stands_once"], indirect=True)
def test_the_safest_place_found_on_the_structure_holds(structure: Structure) -> None:
    die = Die.TWO
    piece = list_spares(structure)[0]
    places: dict[int, LadderPlace] = {}
    question = Question(tuple(structure.standing), piece, get_requirement(die), drops=50)
    with (
        closing(PlaceFinder(structure.ladders, structure.base)) as finder,
        closing(LiveTable(structure)) as live,
    ):
        for finding in finder.search(question, 3):
            if finding is not None:
                places[finding.number] = finding.place
        assert places
        best = max(places.values(), key=estimate_safety)
        assert live.honours(piece, best.release, die)
