"""What the demo's player thinks in one frame, and what it knows of a ladder that it has at hand."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from support.app_kit import setup_for, sight_of

from armoon.games.moon.player.demo_player import LEAST_EFFORT, THINKS, THINKS_BESIDE, Thinking
from armoon.games.moon.player.placer import Placer, Plan
from armoon.games.moon.player.ways import UNHURRIED, MoonSight, Wish
from armoon.geometry import quat_from_axis_angle
from armoon.placement.seeker import Finding, Seeker
from armoon.values.pieces import Facts
from armoon.values.places import Place
from armoon.values.poses import IDENTITY_QUAT, Pose
from armoon.world.base import make_base
from armoon.world.ladders import BOX_SEED, make_ladder_set

EAGER = replace(UNHURRIED, eager=True)
LADDERS = make_ladder_set(BOX_SEED)
PIECE = LADDERS.ladders[4].piece
FACTS = Facts(0, (), (), None, False, None, True)
SIGHT = MoonSight(0.0, 1, "DRAW", "ONE", FACTS)
VIEW = (0.0, 1.0, 0.0)
ON_ITS_SIDE = quat_from_axis_angle(VIEW, 1.5)


class Slow:
    """A mind each of whose steps takes the same effort."""

    stage, drops, knows, given_up = 0, 0, False, False

    def __init__(self, step: int) -> None:
        self.step, self.effort, self.steps = step, 0, 0

    def think(self, *question: object, hurried: bool) -> None:
        self.effort += self.step
        self.steps += 1

    def go_on(self, *question: object) -> None:
        self.think(hurried=False)


@pytest.mark.parametrize("step", [0, 5, 40, 100, 700, 5000])
@pytest.mark.parametrize("beside", [False, True])
def test_a_frames_thought_has_its_effort_however_long_a_step_takes(step: int, beside: bool) -> None:
    mind: Any = Slow(step)
    thinking, most, frames = Thinking(mind, EAGER, 2), THINKS_BESIDE if beside else THINKS, 600
    for _ in range(frames):
        if beside:
            thinking.go_on(SIGHT, PIECE, Plan(Pose((0.0, 0.0, 0.2)), ()))
        else:
            assert thinking.think(SIGHT, PIECE, (IDENTITY_QUAT,), Wish.HONOUR, 0.0) == (False, None)
    assert mind.effort <= frames * most + step
    assert mind.steps <= frames * (1 + most // max(step, LEAST_EFFORT))
    assert mind.steps >= frames * most // max(step, LEAST_EFFORT, most), "and it isn't idle"


def test_an_unhurried_one_takes_its_steps_whatever_they_cost() -> None:
    mind: Any = Slow(5000)
    thinking = Thinking(mind, UNHURRIED, 3)
    for _ in range(10):
        thinking.think(SIGHT, PIECE, (IDENTITY_QUAT,), Wish.HONOUR, 0.0)
    assert mind.steps == 30


@pytest.fixture
def placer(monkeypatch: pytest.MonkeyPatch) -> Iterator[Placer]:
    """One that finds a good place for an upright ladder, and a better one for a ladder on its side."""
    places = [
        Place(
            Pose((0.0, 0.0, 0.2), IDENTITY_QUAT), Pose((0.0, 0.0, 0.2)), ("L01",), True, 0.2, 0.8, slips=10
        ),
        Place(Pose((0.0, 0.1, 0.2), ON_ITS_SIDE), Pose((0.0, 0.1, 0.2)), ("L02",), True, 0.2, 1.0, slips=10),
    ]
    monkeypatch.setattr(Seeker, "seek", lambda *_: map(Finding, (0, 1), places) if places else iter(()))
    placer = Placer(LADDERS, make_base(LADDERS.ladders[:2]), 1, VIEW)
    sides = (IDENTITY_QUAT, ON_ITS_SIDE)
    for hurried in (False, True):
        placer.think(FACTS, PIECE, sides, "TWO", Wish.HONOUR, hurried=hurried)
    places.clear()
    yield placer
    placer.close()


@pytest.mark.parametrize(("taken", "touched"), [(IDENTITY_QUAT, ("L01",)), (ON_ITS_SIDE, ("L02",))])
def test_of_a_ladder_at_hand_only_what_can_be_reached_is_still_known(
    placer: Placer, taken: tuple[float, float, float, float], touched: tuple[str, ...]
) -> None:
    assert placer.best_at_hand(taken) is None, "it isn't at hand yet"
    placer.go_on(FACTS, PIECE, taken, "TWO")
    plan = placer.best_at_hand(taken)
    assert plan is not None
    assert plan.touched == touched
    placer.doubt(plan.release)
    assert placer.best_at_hand(taken) is None


def test_a_better_place_changes_an_eager_players_plan_and_no_others(placer: Placer) -> None:
    placer.go_on(FACTS, PIECE, ON_ITS_SIDE, "TWO")
    before = Plan(Pose((0.0, 0.0, 0.3)), (), ON_ITS_SIDE)
    better = Thinking(placer, EAGER, 2).better_than(before)
    assert better is not None
    assert better.touched == ("L02",)
    assert Thinking(placer, EAGER, 2).better_than(better) is None
    assert Thinking(placer, UNHURRIED, 2).better_than(before) is None


def test_the_mind_knows_its_effort_on_a_real_structure() -> None:
    match = setup_for().match()
    placer = Placer(match.ladders, match.base, 1, VIEW)
    try:
        assert placer.effort == 0
        sight = sight_of(match, 0.0)
        for _ in itertools.repeat(None, 20):
            placer.think(sight.facts, PIECE, (IDENTITY_QUAT,), "TWO", Wish.HONOUR)
        assert placer.effort > 0
    finally:
        placer.close()
        match.close()
