"""Drops that topple a structure: a predicted fall happens in the game."""

from __future__ import annotations

import math
from contextlib import closing
from itertools import islice
from statistics import fmean

from benchmarks.towers import FALLEN_M, LiveTable, make_structure

from armoon.games.moon.editions import Die
from armoon.games.moon.match import ATTITUDES
from armoon.placement.forecast import FALL_M, drop_randomly
from armoon.placement.search import PlaceFinder
from armoon.placement.values import Question, is_good
from armoon.values.places import STEADY, PlaceKind, Reach, Requirement, Slip
from armoon.values.poses import Pose

START = make_structure(2)
REACH = Reach(ATTITUDES, (0.0, 1.0, 0.0), math.radians(30.0))


def test_drops_that_are_predicted_to_topple_a_plate_do_so_more_often_than_others() -> None:
    plate, dropped = "L03", "L30"
    with closing(PlaceFinder(START.ladders, START.base)) as finder, closing(LiveTable(START)) as table:
        question = Question(START.standing, plate, Requirement(2, 2), STEADY, drops=40)
        places = {
            finding.number: finding.place for finding in finder.search(question, 1) if finding is not None
        }
        place = next(place for place in places.values() if is_good(place) and place.kind is PlaceKind.PLATE)
        assert table.drop(plate, place.release, Die.TWO).honoured
        standing = table.structure.standing
        ladder, slip = START.ladders[dropped], Slip(0.001, 0.01)
        tried = list(islice(drop_randomly(finder, standing, ladder, REACH, slip, 2), 40))
        model = finder.prepare(standing)
        assert model is not None
        for drop in tried:
            touched = model.frozen.lower(drop.release, None)
            assert touched is not None
            assert drop.release.position[2] - touched.position[2] > 0.9 * FALL_M, (
                "the release is too near to another ladder"
            )
        assert max(drop.fallen for drop in tried) == 1.0, "the plate is the only ladder that can fall"
        assert min(drop.fallen for drop in tried) == 0.0
        likely = [drop.release for drop in tried if drop.fallen > 0.0]
        harmless = [drop.release for drop in tried if drop.fallen == 0.0]
        assert not list(drop_randomly(finder, (), ladder, REACH, slip, 2)), (
            "without a structure nothing can fall"
        )

    def topples(release: Pose) -> bool:
        with closing(LiveTable(START)) as played:
            played.drop(plate, place.release, Die.TWO)
            played.drop(dropped, release, Die.ONE)
            (after_m,) = (pose.position[2] for name, pose, _ in played.structure.standing if name == plate)
        return place.rest.position[2] - after_m > FALLEN_M

    assert fmean(map(topples, likely)) > 2.0 * fmean(map(topples, harmless))
