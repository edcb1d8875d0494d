"""A ladder that holds only because it is wedged: its place isn't good, and a structure with it is unsteady."""

from __future__ import annotations

import math
from contextlib import closing

from armoon.games.moon.editions import Die
from armoon.games.moon.turn import get_requirement
from armoon.placement.forecast import DropRequest, Forecaster, Nearby
from armoon.placement.search import PlaceSearch
from armoon.placement.structure import StructureModel
from armoon.placement.values import Question
from armoon.values.places import LadderPlace
from armoon.values.poses import Pose
from armoon.world.base import make_base
from armoon.world.ladders import BOX_SEED, make_ladder_set

LADDERS = make_ladder_set(BOX_SEED)
BASE = make_base(LADDERS.ladders[:2])
START = tuple((ladder.piece, slot, True) for ladder, slot in zip(LADDERS.ladders, BASE.slots, strict=False))
RELEASE = Pose(
    (0.02181610631252178, -0.00686261943922838, 0.15166681525270193),
    (0.3465030796415306, 0.9191407421914874, 0.17602023652803336, -0.0642867651638486),
)


def test_a_structure_with_a_wedged_ladder_is_unsteady() -> None:
    model = StructureModel({ladder.piece: ladder for ladder in LADDERS.ladders}, BASE, START)
    model.free.load_ladder("L14")
    dropped = model.free.drop(RELEASE)
    assert dropped.meets(get_requirement(Die.MOON))
    assert not model.free.rebuild(model.free.rested).stands
    model.close()
    with closing(PlaceSearch(LADDERS, BASE, processes=1)) as search:
        results = []
        for standing in (START, (*START, ("L14", dropped.pose, False))):
            search.ask(Question(standing, "L07", get_requirement(Die.ONE), drops=1))
            results.append(search.wait().is_unsteady)
        assert results == [False, True]


def test_places_near_the_hand_hold_without_wedging() -> None:
    ladders = {ladder.piece: ladder for ladder in LADDERS.ladders}
    nearby = Nearby(get_requirement(Die.MOON), (0.0, 0.8, -0.6), 0.018, math.radians(18.0))
    with (
        closing(StructureModel(ladders, BASE, START)) as model,
        closing(Forecaster(LADDERS, BASE)) as forecaster,
    ):
        answers = forecaster.forecast(DropRequest(START, "L14", RELEASE, nearby=nearby))
        places = [answer for answer in answers if isinstance(answer, LadderPlace)]
        assert places
        model.free.load_ladder("L14")
        for place in places:
            assert model.free.drop(place.release).held
            assert model.free.rebuild(model.free.rested).stands
