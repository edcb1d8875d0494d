"""A game with physics and grips is killed at random moments and continues without losing anything."""

from __future__ import annotations

import os
from contextlib import closing
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest
from support.app_kit import FRAME_S, FRAME_TICKS, MoonStart, setup_for
from support.kill_kit import SHIFT_M, ExpectedGame, check_resumed, kill_and_check, shift
from support.kill_table import LADDERS, PlayedGame, save_tower, score_of, speed_up_games

from armoon.engine.events import Output
from armoon.engine.setup import Intake
from armoon.games.moon.editions import Phase, Reason, Verdict
from armoon.games.moon.saving import resume_setup
from armoon.saves.game_file import GameFile
from armoon.values.acts import Act
from armoon.values.pieces import Command
from armoon.world import slots

#: Maximum number of camera frames until the next turn begins.
MAX_FRAMES = 3000
pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="players are forked")


@pytest.mark.long
def test_a_game_killed_200_times_loses_nothing(tmp_path: Path) -> None:
    """X4 E1: it is killed with a ladder in the lid, in the hand or falling, between turns, and while writing."""
    tally = kill_and_check(tmp_path, 200, seed=1)
    assert tally.kills == 200
    for doing in ("offered", "held", "writing"):
        assert tally.interrupted[doing], doing
    assert tally.interrupted["settling"] + tally.interrupted["falling"] >= 5
    assert tally.most_standing >= 10, "some kills interrupted the building of a tower"
    assert tally.ended, "some games ended despite the kills"
    assert tally.finished_copies >= 3


@pytest.mark.slow
def test_a_game_with_the_world_in_its_own_process_survives_kills(tmp_path: Path) -> None:
    """X4 E1: nothing is lost, and no process is left behind."""
    tally = kill_and_check(tmp_path, 5, seed=4, own_process=True)
    assert tally.kills == 5
    assert tally.interrupted["falling"] + tally.interrupted["settling"] > 0


@pytest.mark.parametrize("size", [28, *(pytest.param(size, marks=pytest.mark.long) for size in (12, 20))])
def test_a_resumed_tower_keeps_its_poses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    """X4: nothing falls, and the next die and ladder are the same."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    path = save_tower(tmp_path, size, seed=3)
    point = resume_setup(GameFile.read_saved(path))
    assert len(point.structure) == size - 2
    assert len(point.state.supply) == min(LADDERS, 30 - size)
    witness = ExpectedGame()
    witness.restore(point)
    assert witness.score == score_of(point.state)
    check_resumed(path, 3, witness)


def test_undoing_a_turn_restores_the_tower(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """X4: the ladders come to rest in their earlier poses."""
    speed_up_games(monkeypatch.setattr)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    game = PlayedGame(tmp_path, 3, resume=save_tower(tmp_path, 28, seed=3), host=False)
    frames = count()

    def frame(*commands: Command) -> Output:
        """Play a frame without a hand; the die is rolled automatically."""
        output = game.table.play_step(Intake(next(frames) * FRAME_S, FRAME_TICKS, None, commands)).output
        assert output is not None
        return output

    with closing(game):
        while game.match.state.phase is Phase.ROLL:
            frame()
        stood = {piece.piece: piece.pose for piece in game.match.facts.pieces}
        frame_output = frame(Command(Act.UNDO, "host", 1))
        assert [verdict.reason for verdict in frame_output.events_of(Verdict)] == [Reason.TURN_PUT_BACK]
        for _ in range(20):
            frame()
        now = {piece.piece: piece.pose for piece in game.match.facts.pieces}
        assert all(shift(stood[piece], now[piece]) < SHIFT_M for piece in game.match.state.placed)
        assert not game.match.state.incident, "the structure came to rest"


def test_a_ladder_saved_in_mid_fall_keeps_falling(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """X4 F5: the ladder doesn't stay in the air, and its fall costs no tears."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    point = resume_setup(GameFile.read_saved(save_tower(tmp_path, 12, seed=3)))
    *others, (falling, pose) = point.structure
    x, y, z = pose.position
    places = {piece: stood.row for piece, stood in others} | {falling: (x, y - 0.3, z, *pose.rotation)}
    last = replace(point.snapshots[-1], at_rest=False, places=places)
    match = MoonStart(setup_for().table, replace(point, snapshots=(*point.snapshots[:-1], last))).match()
    with closing(match):
        for k in range(90):
            match.advance(Intake(k * FRAME_S, FRAME_TICKS, None))
        assert falling not in match.state.placed
        assert match.state.tears == point.state.tears
        assert match.state.turn == point.state.turn


@pytest.mark.slow
def test_a_leaning_ladder_leans_again_after_undoing_and_resuming(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """X4: all ladders keep their poses."""
    speed_up_games(monkeypatch.setattr)
    monkeypatch.setattr(slots, "FRICTION_N_M", 0.0)
    monkeypatch.setattr(slots, "MAX_HOLD_N_M", 0.05)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    path = save_tower(tmp_path, 12, seed=3)
    with closing(PlayedGame(tmp_path, 3, resume=path, host=False)) as game:
        for _ in range(MAX_FRAMES):
            game.frame()
            if game.match.state.phase is Phase.ROLL and game.match.state.turn > game.match.setup.state.turn:
                break
        while game.match.state.phase is Phase.ROLL:
            game.frame()
        stood = {piece.piece: piece.pose for piece in game.match.facts.pieces}
        leaning = set(game.match.base.slots) - set(stood.values())
        assert leaning, "some starting ladders lean"
        game.frame(Command(Act.UNDO, "host", 1))
        game.frame()
    with closing(PlayedGame(tmp_path, 3, resume=path, host=False)) as resumed:
        resumed.frame()
    for match in (game, resumed):
        now = {piece.piece: piece.pose for piece in match.match.facts.pieces}
        for piece in (*match.match.state.starting, *match.match.state.placed):
            assert shift(stood[piece], now[piece]) < SHIFT_M
