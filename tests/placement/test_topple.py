"""Drops that topple a structure: a predicted fall happens in the game."""

from __future__ import annotations

import math
from contextlib import closing
from itertools import islice

from benchmarks.towers import FALLEN_M, LiveTable, make_structure

from armoon.games.moon.editions import Die
from armoon.games.moon.match import ATTITUDES
from armoon.placement.forecast import FALL_M, drop_randomly
from armoon.placement.search import PlaceFinder
from armoon.placement.values import Question, is_good
from armoon.values.places import STEADY, PlaceKind, Reach, Requirement, Slip

START = make_structure(2)
REACH = Reach(ATTITUDES, (0.0, 1.0, 0.0), math.radians(30.0))


def test_the_most_destructive_drop_brings_a_plate_down() -> None:
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
        worst = max(tried, key=lambda d: d.fallen)
        assert worst.fallen == 1.0, "the plate is the only ladder that can fall"
        assert min(drop.fallen for drop in tried) == 0.0
        table.drop(dropped, worst.release, Die.ONE)
        before, after = (
            next(pose.position[2] for name, pose, _ in structure if name == plate)
            for structure in (standing, table.structure.standing)
        )
        assert before - after > FALLEN_M
        assert not list(drop_randomly(finder, (), ladder, REACH, slip, 2)), (
            "without a structure nothing can fall"
        )
