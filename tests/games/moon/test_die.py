"""The rolling die: its final face and its path, which concern only pictures and sounds."""

from __future__ import annotations

import itertools
from contextlib import closing
from dataclasses import replace
from functools import cache
from itertools import cycle

import numpy as np
import pytest
from support.app_kit import FRAME_TICKS, setup_for
from support.every_case import every_case

from armoon.engine.setup import Intake
from armoon.games.moon import scene
from armoon.games.moon.editions import EDITIONS, Die, DieSource, Options, Phase, find_face
from armoon.games.moon.editions import FACES as FACES_OF_THE_BOX
from armoon.games.moon.play import MoonGame
from armoon.games.moon.rules import create_state
from armoon.games.moon.scene import FACES, MAX_ROLL_TICKS, MIN_ROLL_TICKS, DieRoll
from armoon.games.moon.turn import Roll, State
from armoon.geometry import Array, mat_from_pose, quat_rotate
from armoon.sound.cues import CueKind
from armoon.values.paper import DIE_TAGS
from armoon.values.pieces import Base, Box
from armoon.values.scene import DieFace, SceneDie
from armoon.world.base import LID_HALF_DEPTH_M, LID_HALF_WIDTH_M, LID_X_M, make_base
from armoon.world.ladders import make_ladder_set

RIGHT, LEFT = LID_X_M, -LID_X_M
ROLLS = [
    DieRoll(die, number, side, (number % 2 == 0) is (side > 0.0))
    for die, number, side in itertools.product(Die, range(len(scene._load_rolls()[0])), (1.0, -1.0))
]


def make_state(die: Die | None, edition: str = "bombyx-2017", seed: int = 1, turn: int = 1) -> State:
    return replace(create_state(("Ann", "Ben"), edition, seed, Options()), turn=turn, die=die)


def find_upper_face(die: SceneDie) -> DieFace:
    heights = [abs(quat_rotate(die.pose.rotation, axis)[2]) for axis in ((1, 0, 0), (0, 1, 0), (0, 0, 1))]
    assert max(heights) == pytest.approx(1.0, abs=1e-5), "the die lies flat"
    return tuple(FACES.values())[heights.index(max(heights))]


def find_corners(die: SceneDie) -> Array:
    signs = np.array(list(itertools.product((-1.0, 1.0), repeat=3))) * die.edge_m / 2.0
    matrix = mat_from_pose(die.pose)
    return np.asarray(signs @ matrix[:3, :3].T + matrix[:3, 3])


def is_overlapping(box: Box, die: SceneDie) -> bool:
    apart = np.hypot(*(np.array(die.pose.position) - box.centre)[:2])
    return bool(apart < np.hypot(*box.half_extents[:2]) + die.edge_m / np.sqrt(2.0))


@pytest.mark.parametrize(("die", "edition"), list(zip(Die, cycle(EDITIONS), strict=False)))
def test_the_die_stops_with_the_rolled_face_up(die: Die, edition: str) -> None:
    numbers = set()
    for seed, turn, lid in itertools.product(range(20), range(1, 6), (RIGHT, LEFT)):
        roll = DieRoll.for_turn(make_state(die, edition, seed, turn), lid)
        assert roll is not None
        numbers.add(roll.number)
        last = roll.get_pose(MAX_ROLL_TICKS)
        assert not last.is_rolling
        assert find_upper_face(last) is FACES[die]
    assert len(numbers) == len(scene._load_rolls()[0]), "all recorded rolls occur"


@cache
def make_base_for(*, left_handed: bool) -> Base:
    return make_base(make_ladder_set(1).ladders[:2], left_handed=left_handed)


@every_case("roll", ROLLS)
def test_the_die_rolls_on_the_table_and_stops_beside_base_and_lid(roll: DieRoll) -> None:
    assert roll.get_pose(MIN_ROLL_TICKS - 4).is_rolling
    path = [roll.get_pose(tick) for tick in (*np.arange(0.0, MAX_ROLL_TICKS, 1.5), MAX_ROLL_TICKS)]
    assert not roll.get_pose(MAX_ROLL_TICKS - 0.5).is_rolling, "it stops at the end"
    low = [float(find_corners(die)[:, 2].min()) for die in path]
    assert min(low) > -0.0015, "never below the table's surface"
    assert low[-1] == pytest.approx(0.0, abs=1e-4)
    base = make_base_for(left_handed=roll.side < 0.0)
    for die in path:
        if roll.is_team and -0.22 < roll.side * die.pose.position[0] < -0.11:
            assert die.pose.position[1] < -0.05, "in front of a team's second lid"
        if die.pose.position[2] < 2.0 * die.edge_m:
            assert not any(is_overlapping(box, die) for box in base.boxes), "outside the base"
    x, y = find_corners(path[-1])[:, :2].T
    beyond = np.abs(x - base.lid_x_m) > LID_HALF_WIDTH_M
    assert (beyond | (np.abs(y) > LID_HALF_DEPTH_M)).all(), "outside the lid"
    assert (np.sign(x) == -np.sign(base.lid_x_m)).all(), "on the other side of the base"


def test_the_die_makes_a_sound_when_it_hits_the_table() -> None:
    roll = ROLLS[0]
    assert roll.impacts
    assert all(0.0 < when < MAX_ROLL_TICKS / 60.0 and 0.0 < force <= 1.0 for when, force in roll.impacts)
    first = round(roll.impacts[0][0] * 60.0)
    lowest = min(range(first - 4, first + 5), key=lambda tick: find_corners(roll.get_pose(tick))[:, 2].min())
    assert abs(lowest - first) <= 1, "the die is lowest at its first impact"


def test_the_paper_die_has_the_faces_of_the_box() -> None:
    """Pairs of its tags represent one dot, two dots and the crescent, in the order of a roll command's values."""
    faces = list(FACES_OF_THE_BOX)
    assert len(DIE_TAGS) == len(faces)
    assert [find_face(pair + 1) for pair in range(3)] == faces[::2] == faces[1::2]


def test_no_die_is_drawn_without_a_roll_by_the_program() -> None:
    rolled = make_state(Die.ONE)
    assert DieRoll.for_turn(rolled, RIGHT) is not None
    assert DieRoll.for_turn(make_state(None), RIGHT) is None, "before the roll"
    assert DieRoll.for_turn(replace(rolled, is_final=True), RIGHT) is None, "the final has no die"
    assert DieRoll.for_turn(replace(rolled, options=Options(die=DieSource.REAL)), RIGHT) is None


def test_the_roll_delays_nothing() -> None:
    with closing(MoonGame(setup_for().match())) as game:
        rolled = None
        for frame in range(80):
            output = game.advance(Intake(frame / 30.0, FRAME_TICKS, None))
            if output.events_of(Roll):
                rolled = game.match.tick
                cues = game.list_sound_cues(output)
                impacts = [cue.impacts for cue in cues if cue.kind is CueKind.DIE]
                assert len(impacts) == 1
                assert impacts[0], "the die is audible when it is visible"
                break
        assert rolled is not None
        assert game.match.state.phase is Phase.DRAW, "the ladder can be taken at once"
        die = game.build_turned_scene(1.0, "").die
        assert die is not None
        assert die.is_rolling
        while game.match.tick < rolled + MAX_ROLL_TICKS:
            game.advance(Intake(game.match.tick / 60.0, FRAME_TICKS, None))
        die = game.build_turned_scene(1.0, "").die
        assert die is not None
        assert not die.is_rolling
        assert game.match.state.die is not None
        assert find_upper_face(die) is FACES[game.match.state.die]
