"""The lake's bots at the table, texts on the screen, and flying points."""

from __future__ import annotations

from contextlib import closing
from typing import Any

import pytest
from support.lake_games import random_game
from support.lake_table_kit import PointedLake, lake_setup

from armoon import messages
from armoon.engine.events import MatchEvent
from armoon.engine.setup import Intake
from armoon.games.lake.bot import choose_move
from armoon.games.lake.layout import LakeScene
from armoon.games.lake.match import LakeMoveRefused, StackReturned
from armoon.games.lake.play import LakeBots, LakeGame
from armoon.games.lake.presenters import (
    NO_SCORING,
    SCORE_DELAY_TICKS,
    SCORE_FLIGHT_TICKS,
    Scoring,
    compose_scene,
    describe_event,
)
from armoon.games.lake.rules import (
    MOVE_KINDS,
    LakePhase,
    LakeRefusal,
    Move,
    Strength,
    apply_move,
    count_points,
    legal_moves,
)
from armoon.messages import text
from armoon.values.acts import Act
from armoon.values.pieces import Command


def start_bots_game(**bots: Any) -> LakeGame:
    return LakeGame(lake_setup(2, bots=("weak", "weak")).match(), LakeBots(**{"pause_ticks": 0, **bots}))


def test_a_background_bot_plays_the_same_moves() -> None:
    moves, now_s = list[Move](), 0.0
    with closing(start_bots_game(background=True)) as game:
        state = game.match.state
        while len(moves) < 3:
            now_s += 1.0
            output = game.advance(Intake(now_s, 60, None))
            moves += output.events_of(*MOVE_KINDS)
    for move in moves:
        assert move == choose_move(state, Strength.WEAK)
        state = apply_move(state, move)


def test_a_bot_waits_before_its_move_and_while_the_game_is_paused() -> None:
    game = start_bots_game(pause_ticks=60)
    game.advance(Intake(1.0, 59, None))
    game.advance(Intake(1.5, 0, None, (Command(Act.PAUSE, "screen"),)))
    for second in range(3):
        assert not game.advance(Intake(2.0 + second, 60, None)).events_of(*MOVE_KINDS)
    game.advance(Intake(6.0, 0, None, (Command(Act.RESUME, "screen"),)))
    outputs = [game.advance(Intake(7.0 + second, 60, None)) for second in range(3)]
    assert any(output.events_of(*MOVE_KINDS) for output in outputs)


@pytest.mark.parametrize("keyed", [False, True])
def test_with_two_players_the_hint_asks_for_a_second_colour(keyed: bool) -> None:
    game, second = PointedLake(lake_setup(2)), set[bool]()
    while (state := game.match.state).phase is LakePhase.CHOOSE:
        hud = compose_scene(game.match, 1.0, "", selected_move=legal_moves(state)[0] if keyed else None).hud
        assert {text("lake.table.goal"), text("lake.table.counted")} == set(hud.score_texts)
        second.add("second colour" in hud.hint)
        assert ("second colour" in hud.hint) == bool(state.colours[state.player])
        game.step(commands=[Command(Act.CHOOSE, "keys", 0)])
    assert second == {False, True}


def test_the_screen_shows_the_player_on_turn_and_their_colours() -> None:
    game = PointedLake(lake_setup(3))
    hud = compose_scene(game.match, 1.0, "").hud
    assert hud.hint.startswith("Ann, choose a colour")
    for _ in range(3):
        if game.match.state.turn == 0:
            game.step(commands=[Command(Act.CHOOSE, "keys", 0)])
    hud = compose_scene(game.match, 1.0, "").hud
    state = game.match.state
    on_turn = next(player for player in hud.players if player.on_turn)
    assert on_turn.name.startswith(state.players[state.player])
    assert state.colours[state.player][0].value in on_turn.name
    assert state.neutral is not None
    assert state.neutral.value in hud.height_text


def test_a_refusal_is_shown_for_a_while() -> None:
    game = LakeGame(lake_setup(2).match())
    for _ in range(2):
        game.advance(Intake(0.1, 1, None, (Command(Act.CHOOSE, "keys", 0),)))
    game.advance(Intake(0.2, 1, None, (Command(Act.UNDO, "keys", 99),)))
    assert game.build_scene(1.0, "").hud.banner == "There is no turn to undo"
    assert game.build_scene(1.0, "paused").hud.banner == "paused"
    game.advance(Intake(4.0, 200, None))
    assert game.build_scene(1.0, "").hud.banner == ""


@pytest.mark.parametrize("language", messages.LANGUAGES)
def test_every_lake_event_except_a_deliberate_return_has_a_sentence(language: str) -> None:
    messages.set_language(language)
    try:
        state = PointedLake(lake_setup(2)).match.state
        for refusal in LakeRefusal:
            assert describe_event(LakeMoveRefused(refusal, 3), state)
            is_deliberate = refusal is LakeRefusal.LEFT_HERE
            assert (describe_event(StackReturned(3, 1, refusal), state) == "") is is_deliberate
        for returned in (StackReturned(3, 1), StackReturned(3, 1, lost=True), StackReturned(None, 2)):
            assert describe_event(returned, state)
    finally:
        messages.set_language("en")


def test_keys_do_nothing_while_a_bot_is_on_turn() -> None:
    game = start_bots_game()
    assert game.handle_act(Act.RIGHT) == game.handle_act(Act.TAKE) == ()
    lake = game.build_scene(1.0, "").board
    assert isinstance(lake, LakeScene)
    assert not any(dome.look == "hover" for dome in lake.domes)


ARRIVAL_TICKS = SCORE_DELAY_TICKS + SCORE_FLIGHT_TICKS


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_point_is_counted_once_when_it_arrives(players: int) -> None:
    scoring: Scoring = NO_SCORING
    won = lost = 0
    for number, (before, move, after) in enumerate(random_game(players, 3)):
        tick = 400 * number
        scoring = scoring.add_move(MatchEvent(tick, move, before, after), tick)
        was, now = count_points(before), count_points(after)
        assert scoring.count_displayed_points(after, tick) == tuple(
            min(a, b) for a, b in zip(was, now, strict=True)
        )
        assert scoring.list_points_flights(after, tick) == ()
        flying = scoring.list_points_flights(after, tick + SCORE_DELAY_TICKS + SCORE_FLIGHT_TICKS // 2)
        changed = {seat: b - a for seat, (a, b) in enumerate(zip(was, now, strict=True)) if a != b}
        assert {points.seat: int(points.text.replace("−", "-")) for points in flying} == changed
        for points in flying:
            later = scoring.list_points_flights(after, tick + ARRIVAL_TICKS - 1)
            later_points = next(other for other in later if other.seat == points.seat)
            assert (later_points.progress > points.progress) == (changed[points.seat] > 0), (
                "won points fly to the player's line, lost points away from it"
            )
            won, lost = won + (changed[points.seat] > 0), lost + (changed[points.seat] < 0)
        assert scoring.list_points_flights(after, tick + ARRIVAL_TICKS) == ()
        assert scoring.count_displayed_points(after, tick + ARRIVAL_TICKS) == now
    assert won > 0
    assert lost > 0


def test_points_of_an_undone_turn_stop_flying() -> None:
    before, move, after = next(
        step for step in random_game(2, 3) if count_points(step[0]) != count_points(step[2])
    )
    scoring = NO_SCORING.add_move(MatchEvent(0, move, before, after), 0)
    middle = SCORE_DELAY_TICKS + SCORE_FLIGHT_TICKS // 2
    assert scoring.list_points_flights(after, middle)
    assert scoring.list_points_flights(before, middle) == ()
    assert scoring.count_displayed_points(before, middle) == count_points(before)
