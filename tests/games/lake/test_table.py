"""The lake on the table: positions, targets of grips, and moves made by hands and bots."""

from __future__ import annotations

import itertools
import json
import math
import random
from dataclasses import replace

import numpy as np
import pytest
from support.lake_games import check
from support.lake_table_kit import IdealLake, PointedLake, floor_point, grip_at, lake_setup, read_start
from support.log_kit import records_of

from armoon.app.instant_replay import FINALE_FROM_TICKS, circle_winner
from armoon.camera.profiles import SEATS
from armoon.engine.logbook import intake_from_record
from armoon.games.lake import layout, rules
from armoon.games.lake.bot import choose_move
from armoon.games.lake.layout import Floor, LakeScene, find_floor, find_star_below
from armoon.games.lake.match import TABLE_EVENTS, LakeMoveRefused, StackLifted, StackReturned
from armoon.games.lake.presenters import build_lake_scene
from armoon.games.lake.rules import (
    apply_move,
    create_state,
    find_landing,
    legal_moves,
    replay_moves,
)
from armoon.geometry import project_table_points
from armoon.hands.tracker import find_play_region
from armoon.values.acts import Act
from armoon.values.pieces import Command, GripPhase
from armoon.values.poses import Vec3

BOTH_SEATS = pytest.mark.parametrize("seat", sorted(SEATS))
#: Number of moves after which some players have towers but the game isn't over.
MIDGAME = 20
ON_THE_LAKE: Vec3 = (layout.CENTRE_X_M, layout.CENTRE_Y_M, 0.0)


def play_weak_moves(
    players: int, plies: int, seed: int = 3, until: rules.LakePhase | None = None
) -> tuple[rules.Move, ...]:
    state = create_state(("Ann", "Ben", "Cleo", "Dan")[:players], seed)
    moves: list[rules.Move] = []
    while len(moves) < plies or (until is not None and state.phase is not until):
        moves.append(choose_move(state, rules.Strength.WEAK))
        state = apply_move(state, moves[-1])
    return tuple(moves)


def start_in_carry_phase(players: int = 2, plies: int = 14, seat: str = "table") -> PointedLake:
    return PointedLake(lake_setup(players, seat=seat, moves=play_weak_moves(players, plies)))


def find_carry(state: rules.LakeState, floors: int = 1) -> rules.Carry:
    return next(m for m in legal_moves(state) if isinstance(m, rules.Carry) and m.floors == floors)


def find_grab_point(state: rules.LakeState, move: rules.Carry) -> Vec3:
    return floor_point(move.star, len(state.stars[move.star]) - move.floors)


def find_drop_point(state: rules.LakeState, star: int) -> Vec3:
    return floor_point(star, len(state.stars[star]))


def find_last_return(game: PointedLake) -> StackReturned:
    return next(h for output in reversed(game.outs) for h in output.events_of(StackReturned))


# Layout ------------------------------------------------------------------------------------------------------


@BOTH_SEATS
def test_all_stars_are_in_the_picture_and_well_separated(seat: str) -> None:
    profile = SEATS[seat](640, 360)
    pixels = project_table_points(profile.camera, profile.table_from_camera, layout.STAR_PLACES)
    assert (pixels > 20.0).all()
    assert (pixels < (620.0, 335.0)).all()
    gaps = [math.dist(a, b) for a, b in itertools.combinations(pixels, 2)]
    assert min(gaps) > 12.0
    region = find_play_region(profile.camera, profile.table_from_camera)
    assert region is not None
    assert (pixels[:, 0] > region.x).all(), "the tracker's region contains every star"
    assert (pixels[:, 0] < region.x + region.width).all()


# Targets of grips --------------------------------------------------------------------------------------------


@BOTH_SEATS
@pytest.mark.parametrize("nearer", [0.7, 1.0, 1.1])
def test_a_grip_takes_the_dome_on_its_line_of_sight_at_any_distance(seat: str, nearer: float) -> None:
    match = lake_setup(seat=seat).match()
    for star in range(len(layout.STAR_PLACES)):
        grip = grip_at(match, floor_point(star, 0), GripPhase.HOVER, nearer)
        assert find_floor(grip, match.state.stars) == Floor(star, 0)


@BOTH_SEATS
def test_the_height_of_a_grip_chooses_the_floor(seat: str) -> None:
    match = lake_setup(seat=seat).match()
    for star in range(len(layout.STAR_PLACES)):
        # A stack of three among empty stars.
        stars = [match.state.stars[0] * 3 if s == star else () for s in range(len(layout.STAR_PLACES))]
        for floor in range(3):
            grip = grip_at(match, floor_point(star, floor), GripPhase.HOVER)
            assert find_floor(grip, stars) == Floor(star, floor)


def test_a_release_reaches_a_legal_star_from_farther_away_than_others() -> None:
    match = lake_setup().match()
    heights = [layout.FLOOR_M] * len(layout.STAR_PLACES)
    x, y, z = floor_point(24, 1)
    moved = grip_at(match, (x + 0.017, y, z), GripPhase.HOLD)
    assert find_star_below(moved, heights, (24,), any_star=True) == 24
    assert find_star_below(moved, heights, (), any_star=True) == 23, "star 23 is nearer"
    assert find_star_below(moved, heights, (), any_star=False) is None


def test_a_closing_hand_keeps_its_dome_highlighted() -> None:
    game = start_in_carry_phase()
    move = find_carry(game.match.state)
    point = find_grab_point(game.match.state, move)
    for closing in (0.0, 0.0, 0.3, 0.6):
        # A closing hand seems to move sideways by up to 24 mm.
        x, y, z = point
        grip = grip_at(game.match, (x + 0.04 * closing, y, z), GripPhase.HOVER)
        game.step([replace(grip, source="hand:1", closing=closing)])
        assert game.match.hover is not None
        assert game.match.hover.star == move.star


# Moves by hand -----------------------------------------------------------------------------------------------


@BOTH_SEATS
@pytest.mark.parametrize("floors", [1, 2])
def test_floors_are_carried_to_a_highlighted_star(seat: str, floors: int) -> None:
    game = start_in_carry_phase(seat=seat)
    state = game.match.state
    move = find_carry(state, floors)
    game.at(find_grab_point(state, move), GripPhase.HOVER)
    game.at(find_grab_point(state, move), GripPhase.GRAB)
    assert game.outs[-1].events_of(*TABLE_EVENTS) == (StackLifted(move.star, floors),)
    target = find_landing(state.stars, move.star, move.direction)
    assert target is not None
    assert target in game.match.list_landing_stars()
    game.at(find_drop_point(state, target), GripPhase.HOLD, 25)
    assert game.match.aimed_star == target
    output = game.at(find_drop_point(state, target), GripPhase.RELEASE)
    assert output.events_of(*rules.MOVE_KINDS) == (move,)
    assert game.match.state == apply_move(state, move)
    assert not game.match.at_rest, "the released floors fly to the star"
    game.step(ticks=70)
    assert game.match.at_rest


def test_colours_are_chosen_by_gripping_a_dome() -> None:
    game = PointedLake(lake_setup())
    colour = game.match.state.stars[7][0].colour
    output = game.at(floor_point(7, 0), GripPhase.GRAB)
    assert output.events_of(*rules.MOVE_KINDS) == (rules.Choose(colour),)
    other = next(s for s, stack in enumerate(game.match.state.stars) if stack[0].colour is colour)
    game.at(floor_point(other, 0), GripPhase.RELEASE)
    output = game.at(floor_point(other, 0), GripPhase.GRAB)
    assert output.events_of(*TABLE_EVENTS) == (LakeMoveRefused(rules.LakeRefusal.COLOUR_TAKEN, other),)


def test_another_players_stack_cannot_be_lifted() -> None:
    game = start_in_carry_phase()
    state = game.match.state
    star = next(s for s, k in enumerate(state.stars) if k and k[-1].colour not in state.movable_colours)
    output = game.at(floor_point(star, len(state.stars[star]) - 1), GripPhase.GRAB)
    assert output.events_of(*TABLE_EVENTS) == (LakeMoveRefused(rules.LakeRefusal.NOT_YOURS, star),)
    assert game.match.carried is None


def test_a_stack_dropped_on_a_wrong_star_returns_with_a_reason() -> None:
    game = start_in_carry_phase()
    state = game.match.state
    move = find_carry(state)
    reached = {find_landing(state.stars, move.star, direction) for direction in rules.Direction}
    empty = next(s for s, stack in enumerate(state.stars) if not stack)
    far = next(s for s, stack in enumerate(state.stars) if stack and s not in {move.star, *reached})
    for target, refusal in (
        (move.star, rules.LakeRefusal.LEFT_HERE),
        (empty, rules.LakeRefusal.LANDS_ON_EMPTY),
        (far, rules.LakeRefusal.WRONG_DISTANCE),
    ):
        game.drag(find_grab_point(state, move), floor_point(target, 0))
        returned = find_last_return(game)
        assert (returned.star, returned.refusal) == (move.star, refusal)
        assert game.match.state == state
        assert game.match.at_rest
    game.drag(find_grab_point(state, move), ON_THE_LAKE)
    assert find_last_return(game).refusal is None


# Towers ------------------------------------------------------------------------------------------------------


def start_in_split_phase(players: int) -> PointedLake:
    return PointedLake(lake_setup(players, moves=play_weak_moves(players, 1, until=rules.LakePhase.SPLIT)))


@pytest.mark.parametrize(("half", "floor"), [(rules.Half.BOTTOM, 0), (rules.Half.TOP, 3)])
@pytest.mark.parametrize("heir", [1, 2])
def test_with_three_players_a_half_goes_to_the_chosen_heir(half: rules.Half, floor: int, heir: int) -> None:
    game = start_in_split_phase(3)
    state = game.match.state
    x, y, z = layout.locate_tower_floor(floor)
    game.at((x, y, z + layout.FLOOR_M / 2.0), GripPhase.GRAB)
    assert game.match.carried is not None
    assert game.match.carried.half is half
    sign = layout.locate_sign(heir, 3)
    game.at(sign, GripPhase.HOLD, 20)
    output = game.at(sign, GripPhase.RELEASE)
    assert output.events_of(*rules.MOVE_KINDS) == (rules.Split(half.other, state.heirs[heir - 1]),)


def test_with_three_players_a_players_own_sign_chooses_no_heir() -> None:
    game = start_in_split_phase(3)
    game.drag(layout.locate_tower_floor(3), layout.locate_sign(0, 3))
    assert find_last_return(game).refusal is rules.LakeRefusal.NO_SUCH_HEIR
    assert game.match.state.phase is rules.LakePhase.SPLIT


def test_with_four_players_a_players_own_sign_keeps_a_half() -> None:
    game = start_in_split_phase(4)
    state = game.match.state
    output = game.drag(layout.locate_tower_floor(3), layout.locate_sign(0, 2))
    assert output.events_of(*rules.MOVE_KINDS) == (rules.Split(rules.Half.TOP, state.heirs[0]),)
    assert len(game.match.state.held[state.player]) == 1


# Commands, bots and logs -------------------------------------------------------------------------------------


def replay_records(records: list[dict[str, object]]) -> list[dict[str, object]]:
    written = [json.loads(json.dumps(record)) for record in records]
    match = read_start(written[0]).match()
    logged = records_of(match, match.opening)
    for record in written:
        if record["kind"] == "hands":
            logged += records_of(match, match.advance(intake_from_record(record)))
    return [json.loads(json.dumps(record)) for record in (*logged, *records_of(match, match.finish()))]


def test_bots_play_a_whole_game_and_its_log_replays() -> None:
    demo = IdealLake(lake_setup(2, bots=("weak", "weak")))
    game = demo.game
    records = records_of(game.match, game.match.opening)
    sentences: list[str] = []
    while not game.match.over:
        output = demo.pass_time(ticks=40)
        records += records_of(game.match, output)
        sentences += game.list_sentences(output)
        lake = game.build_scene(0.5, "").board
        assert isinstance(lake, LakeScene)
        assert len(lake.domes) + len(lake.moving) == 32, "no dome is missing or shown twice"
    records += records_of(game.match, game.finish())
    assert game.turns_played > 10
    assert any("wins" in sentence or "share" in sentence for sentence in sentences)
    assert replay_records(records) == json.loads(json.dumps(records))
    over = game.build_scene(1.0, "")
    assert "wins" in over.hud.winner_text or "share" in over.hud.winner_text
    assert over.hud.verdict_text.endswith("points"), "the card shows the winner"
    finale_scene = circle_winner(over, FINALE_FROM_TICKS)
    assert finale_scene.hud.winner_text == over.hud.winner_text
    assert finale_scene.seen_from is not None
    away_m = math.hypot(*finale_scene.seen_from.position[:2])
    widest_m = max(math.hypot(x, y) for x, y, _ in layout.STAR_PLACES)
    assert math.degrees(math.asin(widest_m / away_m)) < 33.0, "the whole lake is visible from every side"


@pytest.mark.parametrize("seat", [pytest.param("table", marks=pytest.mark.long), "mirror"])
def test_the_demo_player_plays_with_an_ideal_tracker_and_the_log_replays(seat: str) -> None:
    demo = IdealLake(lake_setup(2, seat=seat))
    records = records_of(demo.game.match, demo.game.match.opening)
    moves: list[rules.Move] = []
    while len(moves) < 6 and demo.frame < 1200:
        output = demo.step()
        records += records_of(demo.game.match, output)
        moves += output.events_of(*rules.MOVE_KINDS)
        assert not output.events_of(StackReturned, LakeMoveRefused)
    assert len(moves) == 6
    records += records_of(demo.game.match, demo.game.finish())
    assert replay_records(records) == json.loads(json.dumps(records))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seat", "players"), [pytest.param("table", 3, marks=pytest.mark.long), ("mirror", 4)]
)
def test_the_demo_player_plays_games_to_their_end_with_an_ideal_tracker(seat: str, players: int) -> None:
    demo = IdealLake(lake_setup(players, seat=seat, moves=play_weak_moves(players, MIDGAME)))
    wrong = 0
    while not demo.game.match.over and demo.frame < 8000:
        wrong += len(demo.step().events_of(StackReturned, LakeMoveRefused))
    assert demo.game.match.over
    assert wrong <= 2
    assert any(parts for parts in demo.game.match.state.held)


def test_held_floors_are_interpolated_between_two_ticks() -> None:
    game = start_in_carry_phase()
    move = find_carry(game.match.state)
    game.at(find_grab_point(game.match.state, move), GripPhase.GRAB)
    game.at((0.0, 0.0, 0.15), GripPhase.HOLD, 2)
    feet = [
        np.array(next(d.foot for d in build_lake_scene(game.match, fraction).moving if d.look == "held"))
        for fraction in (0.0, 0.5, 1.0)
    ]
    assert np.allclose(feet[1], (feet[0] + feet[2]) / 2.0)
    assert np.linalg.norm(feet[2] - feet[0]) > 0.005


def test_a_hand_can_grip_another_stack_while_floors_are_still_flying() -> None:
    game = start_in_carry_phase()
    state = game.match.state
    game.step(commands=[Command(Act.CHOOSE, "keys", 0)])
    (move,) = game.outs[-1].match_events(*rules.MOVE_KINDS)
    assert isinstance(move.event, rules.Carry)
    target = find_landing(state.stars, move.event.star, move.event.direction)
    assert target is not None
    assert not game.match.at_rest
    after = game.match.state
    game.at(floor_point(target, len(after.stars[target]) - 1), GripPhase.GRAB)
    assert game.match.carried is None, "a flying floor can't be gripped"
    game.at(floor_point(target, 0), GripPhase.RELEASE)
    other = next(
        m for m in legal_moves(after) if isinstance(m, rules.Carry) and m.star != target and m.floors == 1
    )
    game.at(find_grab_point(after, other), GripPhase.GRAB)
    assert game.match.carried is not None


@pytest.mark.parametrize("players", [2, 4])
def test_random_grips_and_commands_keep_the_invariants(players: int) -> None:
    rng = random.Random(players)
    game = PointedLake(lake_setup(players))
    moves: list[rules.Move] = []
    phases = [*GripPhase, GripPhase.HOLD]
    places = [floor_point(star, floor) for star in range(0, 32, 3) for floor in range(3)]
    places += [
        layout.locate_tower_floor(0),
        layout.locate_tower_floor(3),
        ON_THE_LAKE,
        *(layout.locate_sign(n, 3) for n in range(3)),
    ]
    kinds = [Act.CHOOSE] * 6 + [Act.UNDO, Act.PUT_BACK, Act.ROLL]
    for _ in range(1200):
        grips = [grip_at(game.match, rng.choice(places), rng.choice(phases), rng.uniform(0.3, 1.5))]
        command = Command(rng.choice(kinds), "keys", rng.randrange(-1, 12))
        output = game.step(grips, [command] if rng.random() < 0.1 else [], rng.randrange(0, 12))
        moves += output.events_of(*rules.MOVE_KINDS)
        check(game.match.state)
        scene = build_lake_scene(game.match, rng.random())
        assert len(scene.domes) + len(scene.moving) == 32 + len(scene.signs)
        json.dumps(records_of(game.match, output), allow_nan=False)
    assert len(moves) > 40
    assert replay_moves(game.match.setup.first_state, moves) == game.match.state
