"""Kills players' processes with SIGKILL, and compares each resumed game with the player's earlier reports."""

from __future__ import annotations

import contextlib
import json
import math
import os
import random
import selectors
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import Future, ProcessPoolExecutor
from copy import copy
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from armoon.games.moon.saving import MoonSetup, resume_setup
from armoon.games.moon.turn import Draw, Roll
from armoon.geometry import quat_angle
from armoon.saves.game_file import GameFile, SavedGame
from armoon.saves.profiles import load_results
from armoon.values.poses import Pose
from support.kill_table import PlayedGame, save_tower, score_of, speed_up_games
from support.real_program import await_end, cpu_time_s
from support.waiting import PATIENCE_S

TESTS = Path(__file__).parents[1]
Line = dict[str, Any]
#: Events to wait for before a kill, chosen uniformly; a random delay follows.
AIMS = ("any", "any", "any", "any", "writing", "writing", "held", "settling", "falling")
#: Maximum run time of a player that isn't killed at an event, in seconds of processor time: about a turn.
MAX_RUN_S = 1.2
#: Maximum delay of the kill after the start of the awaited event, in seconds.
AFTER_S = {"any": 0.0, "writing": 0.002, "held": 0.4, "settling": 0.15, "falling": 0.15}
#: Maximum time to wait for a ladder to be grabbed or to fall, in seconds of processor time.
MAX_AIM_S = 4.0
#: Interval between two checks of a player's processor time, in seconds.
POLL_S = 0.02
SILENCE_S = 120.0
#: Exit status of a process killed by SIGKILL.
KILLED = -9


@dataclass
class PlayerRun:
    lines: list[Line]
    status: int

    def find_lines(self, kind: str) -> list[Line]:
        return [line for line in self.lines if kind in line]

    @property
    def activity(self) -> str:
        activities = [line["activity"] for line in self.lines if "activity" in line]
        if self.lines and "writing" in self.lines[-1]:
            return "writing"
        return activities[-1] if activities else "preparing the table"


class Players:
    def __init__(self, home: Path) -> None:
        self._server = subprocess.Popen(
            [sys.executable, "-m", "support.kill_table"],
            cwd=TESTS,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            env={
                **os.environ,
                "XDG_DATA_HOME": str(home),
                "HOME": str(home),
                "PYTHONPATH": os.pathsep.join(sys.path),
            },
        )
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        self._orders, self._output = self._server.stdin, self._server.stdout
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._output, selectors.EVENT_READ)
        self._buffer = b""

    def run_player(self, order: Line, aim: str, rng: random.Random) -> PlayerRun:
        self._orders.write(json.dumps(order).encode() + b"\n")
        player = self._next(SILENCE_S)
        assert player is not None
        lines = self._until(player["pid"], aim, rng)
        time.sleep(rng.uniform(0.0, AFTER_S[aim]))
        if not (lines and "ended" in lines[-1]):
            with contextlib.suppress(ProcessLookupError):  # it has just ended
                os.kill(player["pid"], signal.SIGKILL)
        while not (lines and "ended" in lines[-1]):
            line = self._next(SILENCE_S)
            assert line is not None, "the server sent nothing"
            lines.append(line)
        status = lines.pop()["ended"]
        assert status in (0, KILLED), "the player failed before the kill"
        return PlayerRun(lines, status)

    def _until(self, player: int, aim: str, rng: random.Random) -> list[Line]:
        lines: list[Line] = []
        count = rng.randint(1, 12) if aim == "writing" else 1
        end_s = cpu_time_s(player) + (rng.uniform(0.0, MAX_RUN_S) if aim == "any" else MAX_AIM_S)
        while count and cpu_time_s(player) < end_s:
            line = self._next(POLL_S)
            if line is None:
                continue
            lines.append(line)
            if "ended" in line:
                break
            count -= aim in (line.get("activity"), *line)
        return lines

    def _next(self, patience_s: float) -> Line | None:
        while b"\n" not in self._buffer:
            if not self._selector.select(patience_s):
                return None
            more = os.read(self._output.fileno(), 65536)
            assert more, "the server has ended"
            self._buffer += more
        line, self._buffer = self._buffer.split(b"\n", 1)
        report: Line = json.loads(line)
        return report

    def close(self) -> None:
        self._orders.close()
        self._server.wait(timeout=PATIENCE_S)
        self._selector.close()
        self._output.close()


Poses = dict[str, Pose]
#: Tolerance for rounding errors; a rebuilt structure doesn't move at all.
SHIFT_M = 1e-9
#: Maximum number of camera frames from resuming until the next ladder is offered; the structure may swing for 12 s.
FRAMES_TO_ROLL = 30 * 15
#: Maximum number of camera frames without a move.
FRAMES_A_TURN = 30 * 120
#: One in this many copies of a killed game is played to its end, except games with a tower, which take minutes.
PLAY_ON_EVERY = 20
#: Maximum number of kills per game.
MAX_KILLS = 40
#: One in this many games begins with a tower.
TOWER_EVERY = 2
#: Number of ladders in the tower.
TOWER = 12


@dataclass
class Tally:
    kills: int = 0
    interrupted: Counter[str] = field(default_factory=Counter)
    """Activities of the killed players."""
    games: int = 0
    ended: int = 0
    """Games that reached their end despite the kills."""
    finished_copies: int = 0
    """Copies that were resumed and played to their end without another kill."""
    most_standing: int = 0
    """Maximum number of standing ladders."""


class ExpectedGame:
    """Reads the reports of one game's players, and computes the state that resuming the game must restore."""

    def __init__(self) -> None:
        self.moves: list[Line] = []
        """The saved moves."""
        self.score: Line | None = None
        """State from which the game resumes; None before the first event."""
        self.structure: Poses = {}
        """Expected poses after resuming."""
        self.at_rest = True
        """Whether the structure was at rest."""
        self.in_turn = False
        self._by_turn: dict[int, Poses] = {}

    def record_event(self, report: Line) -> None:
        """Record a saved event as the player reported it before writing."""
        moves, score = report["writing"], report["score"]
        self.moves += moves
        rolled = any(move["move"] == "roll" for move in moves)
        self.in_turn = score["phase"] not in ("roll", "over")
        if self.in_turn and self.score is not None:
            # Only the host's rulings of an interrupted turn are kept.
            self.score.update({name: score[name] for name in ("tears", "tears_left", "out")})
        else:
            self.score = score
        if rolled or not self.in_turn:
            back = any(move.get("kind") == "put_turn_back" for move in moves)
            self.at_rest = report["at_rest"] or back
            self.structure = self._by_turn[score["turn"]] if back else _poses(report["poses"])
            self._by_turn[score["turn"]] = self.structure

    def restore(self, setup: MoonSetup) -> None:
        self.moves = list(setup.moves)
        self.score, self.structure = score_of(setup.state), dict(setup.structure)
        self._by_turn = {turn: dict(places) for turn, places in setup.places.items()}

    def resume(self) -> None:
        if self.in_turn:
            first = max(index for index, move in enumerate(self.moves) if move["move"] == "roll")
            overrulings = [move for move in self.moves[first:] if move["move"] == "overrule"]
            self.moves = self.moves[:first] + overrulings
        self.in_turn = False


def _poses(rows: dict[str, list[float]]) -> Poses:
    return {piece: Pose((x, y, z), (a, b, c, d)) for piece, (x, y, z, a, b, c, d) in rows.items()}


def check_resumed(copy: Path, seed: int, expected: ExpectedGame, *, to_end: bool = False) -> bool:
    """Resume the game; check the score, the structure, and the next die and ladder; ``to_end``: play to the end.

    Return whether the game has ended.
    """
    game = PlayedGame(copy.parent, seed, resume=copy, host=False)
    score = expected.score or score_of(game.match.setup.state)
    try:
        assert score_of(game.match.state) == score
        if score["ending"] is not None:
            game.frame()
            return True
        frames = 0
        while not any(isinstance(move, Roll) for move in game.moves):
            stood = {piece.piece: piece.pose for piece in game.match.facts.pieces}
            game.frame()
            frames += 1
            assert frames < FRAMES_TO_ROLL, "the game doesn't continue"
        roll, draw = game.moves[-2:]
        assert isinstance(roll, Roll)
        assert isinstance(draw, Draw)
        assert roll.die.value == score["die"]
        assert draw.ladder == score["supply"][0]
        assert list(game.match.state.tears) == score["tears"], "resuming cost a player a tear"
        if expected.at_rest:
            assert list(game.match.state.placed) == score["placed"], "a ladder fell on resuming"
            shifts = [shift(stood[piece], pose) for piece, pose in expected.structure.items()]
            shift_m = max(shifts, default=0.0)
            assert shift_m < SHIFT_M, f"a ladder shifted by {1000.0 * shift_m:.6f} mm"
        still, moves = 0, len(game.moves)
        while to_end and not game.table.is_over:
            game.frame()
            still = 0 if len(game.moves) > moves else still + 1
            moves = len(game.moves)
            assert still < FRAMES_A_TURN, f"turn {game.match.state.turn} doesn't end: {game.activity}"
        return to_end
    finally:
        game.close()


def shift(a: Pose, b: Pose) -> float:
    return math.dist(a.position, b.position) + 0.07 * quat_angle(a.rotation, b.rotation)


def kill_and_check(folder: Path, kills: int, seed: int, *, own_process: bool = False) -> Tally:
    """Kill ``kills`` players, in as many games as necessary; after each kill, check the game and continue it."""
    tally = Tally()
    home = folder / "home"
    home.mkdir()
    rng = random.Random(seed)
    players = Players(home)
    # Copies are resumed in another process while the next player plays.
    context = get_context("spawn")
    with ProcessPoolExecutor(1, context, _begin_checks, (str(home),)) as pool:
        try:
            checks: list[Future[bool]] = []
            while tally.kills < kills:
                tally.games += 1
                play_killed_game(folder, tally, kills, players, rng, pool, checks, own_process)
        finally:
            players.close()
        tally.finished_copies += sum(check.result() for check in checks)
    return tally


def _begin_checks(home: str) -> None:
    os.environ["XDG_DATA_HOME"] = home
    speed_up_games()


def play_killed_game(
    folder: Path,
    tally: Tally,
    kills: int,
    players: Players,
    rng: random.Random,
    pool: ProcessPoolExecutor,
    checks: list[Future[bool]],
    own_process: bool,
) -> None:
    seed = tally.games
    game_folder = folder / f"game{seed}"
    game_folder.mkdir()
    expected = ExpectedGame()
    run_number = 0
    path = save_tower(game_folder, TOWER, seed) if seed % TOWER_EVERY == 0 else None
    if path is not None:
        expected.restore(resume_setup(GameFile.read_saved(path)))
    has_tower = path is not None
    while tally.kills < kills and run_number < MAX_KILLS:
        order = {
            "folder": str(game_folder),
            "seed": seed,
            "run_number": run_number,
            "resume": None if path is None else str(path),
            "own_process": own_process,
        }
        aim = rng.choice(AIMS)
        run = players.run_player(order, aim, rng)
        run_number += 1
        tally.kills += run.status == KILLED
        tally.interrupted[run.activity] += run.status == KILLED
        paths = list(game_folder.glob("*.armoon"))
        if not paths:
            assert not run.find_lines("written"), "a game reported as saved is missing"
            return
        (path,) = paths
        saved = GameFile.read_saved(path)
        assert saved.damage == "" or "is cut off" in saved.damage
        for report in run.find_lines("resumed"):
            assert len(report["helpers"]) == own_process
            await_end(report["helpers"])
            assert expected.score in (None, report["resumed"]), "the game wasn't resumed at its last state"
            expected.score = report["resumed"]
        file_moves = [dict(move) for move in saved.moves]
        if run.find_lines("resumed") or file_moves != expected.moves:
            expected.resume()
        announced = run.find_lines("writing")
        for report in announced[: len(run.find_lines("written"))]:
            expected.record_event(report)
        assert file_moves[: len(expected.moves)] == expected.moves, "a saved event is missing"
        if len(announced) > len(run.find_lines("written")) and len(file_moves) > len(expected.moves):
            expected.record_event(announced[-1])
        assert file_moves == expected.moves, "the file has unreported events"
        assert load_results(game_folder).trouble == ""
        _check_file(saved, expected)
        tally.most_standing = max(tally.most_standing, len(expected.structure))
        over = expected.score is not None and expected.score["ending"] is not None
        copied = game_folder / f"copy{run_number}" / path.name
        copied.parent.mkdir()
        shutil.copyfile(path, copied)
        to_end = len(checks) % PLAY_ON_EVERY == PLAY_ON_EVERY - 1 and not has_tower
        checks.append(pool.submit(check_resumed, copied, seed, copy(expected), to_end=to_end))
        if over:
            tally.ended += 1
            return


def _check_file(saved: SavedGame, expected: ExpectedGame) -> None:
    setup = resume_setup(saved)
    if expected.score is not None:
        score = score_of(setup.state)
        assert score == expected.score, f"{score} is not {expected.score}"
    assert dict(setup.structure) == expected.structure, "the last known poses aren't restored exactly"
    assert setup.last_snapshot.at_rest == expected.at_rest
