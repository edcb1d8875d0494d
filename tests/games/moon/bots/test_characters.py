"""Preferences of the built-in bots: among given places, and in towers built with the same dice."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from typing import cast

import pytest
from benchmarks.towers import LiveTable, make_structure

from armoon.games.moon.bot_protocol import CHARACTERS, BotLevel, BotTurn
from armoon.games.moon.built_in_bot import find_best_place, search_places
from armoon.games.moon.editions import Die
from armoon.games.moon.offers import AboveFinder
from armoon.geometry import rise_deg
from armoon.placement.search import FoundPlace, PlaceFinder
from armoon.placement.values import Question
from armoon.values.places import LadderPlace, PlaceKind
from armoon.values.poses import Pose
from armoon.world.exact import find_highest_m

START = make_structure(2)
POSE = Pose((0.0, 0.0, 0.13))
PLATE = LadderPlace(POSE, POSE, ("L01",), True, 0.13, 1.0, 12, reach_m=0.004)
LEAN = replace(
    PLATE, safety=0.9, kind=PlaceKind.LEAN, height_m=0.15, reach_m=0.02, rise_deg=60.0, poise_m=0.09
)
HIGH = replace(
    PLATE, safety=0.8, kind=PlaceKind.HOOK, height_m=0.18, reach_m=0.05, rise_deg=35.0, poise_m=0.03
)


class FixedFinder:
    work = 0

    def search(self, question: Question, seed: int) -> Iterator[FoundPlace | None]:
        for number, place in enumerate((PLATE, LEAN, HIGH)):
            self.work += 10
            yield FoundPlace(number, place)


@pytest.mark.parametrize(
    ("level", "preferred"),
    [(BotLevel.PIP, PLATE), (BotLevel.NOVA, HIGH), (BotLevel.SYLVA, LEAN), (BotLevel.LUNA, PLATE)],
)
def test_each_bot_prefers_the_place_that_suits_its_character(level: BotLevel, preferred: LadderPlace) -> None:
    turn = BotTurn(1, START.standing, (0,), 0, "ONE", "L04", POSE, 20.0)
    finder, character = cast(PlaceFinder, FixedFinder()), CHARACTERS[level]
    *_, places = search_places(finder, turn, character, 1, lambda: False, lambda: 0.0)
    assert find_best_place(places, character) == preferred


@pytest.mark.long
def test_with_the_same_dice_nova_builds_higher_than_pip() -> None:
    tops, rises = [], []
    for level in (BotLevel.PIP, BotLevel.NOVA):
        character = CHARACTERS[level]
        with closing(AboveFinder(START.ladders, START.base)) as finder, closing(LiveTable(START)) as live:
            for number, (piece, die) in enumerate((("L24", "ONE"), ("L30", "TWO"), ("L06", "ONE"))):
                turn = BotTurn(number, live.structure.standing, (0,), 0, die, piece, POSE, 20.0)
                *_, places = search_places(finder, turn, character, number, lambda: False, lambda: 0.0)
                best = find_best_place(places, character)
                if best is not None and live.honours(piece, best.release, Die(die)):
                    live.drop(piece, best.release, Die(die))
            standing = live.structure.standing
        tops.append(max(find_highest_m(START.ladders[name].boxes, pose) for name, pose, _ in standing))
        rises.append([rise_deg(pose) for _, pose, fixed in standing if not fixed])
    pip_top_m, nova_top_m = tops
    assert nova_top_m > pip_top_m + 0.01
    assert sum(rises[0]) / len(rises[0]) < sum(rises[1]) / len(rises[1])
