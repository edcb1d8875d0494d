"""Real games played by a fast demo hand, in processes that report their writes and activities.

An ideal tracker replaces the camera and the hand tracker. The player plans less than the demo player, so that a turn
takes about a second. Starting Python and the engines takes longer than a player's run. Therefore this process starts
once and forks a player for each line of its input, a JSON object with ``folder``, ``seed``, ``run_number``, ``resume``
and ``own_process``. For each player it prints a JSON line with ``pid``, the player's own lines, and a line with the
exit status ``ended``.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.towers import CONFIGURATION, Structure, load_tower
from rich.console import Console

import armoon.games.moon.kind as kind_module
from armoon.app import setup
from armoon.app.table import Table
from armoon.camera.profiles import SEATS
from armoon.engine.events import Output
from armoon.engine.logbook import SavedGameWriter, WriteJob
from armoon.engine.setup import make_setup
from armoon.games.moon import plan_search
from armoon.games.moon.demo_player import DemoPlayer, PlayStyle
from armoon.games.moon.editions import EDITIONS, Options, Phase, list_supply_ladders
from armoon.games.moon.match import MoonMatch
from armoon.games.moon.options import MoonOptions
from armoon.games.moon.play import MoonGame
from armoon.games.moon.saving import GAME, MOVES, MoonRecorder, MoonSetup
from armoon.games.moon.turn import Draw, LetGo, Move, Roll, Settle, State, Take, get_contact_limits
from armoon.players.demo import make_habits
from armoon.saves.game_file import GameFile
from armoon.settings.preferences import PlayOptions
from armoon.sinks.files import SaveSink
from armoon.sinks.hub import Sinks
from armoon.values.acts import Act
from armoon.values.choices import AirRelease, SeatName, Slots
from armoon.values.pieces import Command, PieceId
from armoon.values.poses import Pose
from armoon.world.ladders import BOX_SEED, make_ladder_set
from armoon.world.local import LocalWorld
from support.app_kit import FRAME_S, HEIGHT, WIDTH, make_intake, observe_match

#: Sends a line to the parent process.
Send = Callable[[dict[str, Any]], None]

LADDERS = 6
#: Probability per camera frame that the host interferes: about once in two turns.
HOST_PER_FRAME = 0.002
_HOST = (Act.GIVE_TEAR_BACK, Act.ADD_TEAR, Act.UNDO)


def speed_up_games(set_value: Callable[[object, str, object], None] = setattr) -> None:
    make_ladder_set(BOX_SEED)
    set_value(plan_search, "STAGES", 4 * ((0.15, 100),))
    set_value(DemoPlayer, "_refine_plan", lambda *_: None)
    set_value(kind_module, "DEMO_AUTO_ROLL_S", 0.5)


def make_options(folder: Path, seed: int, resume: Path | None) -> PlayOptions:
    return PlayOptions(
        camera="demo",
        size=(WIDTH, HEIGHT),
        rate_hz=1.0 / FRAME_S,
        seat=SeatName.TABLE,
        headless=True,
        log=folder / "game.jsonl",
        seed=seed,
        players=("Ana", "Ben", "Cleo"),
        turns=None,
        game="moon",
        palm_length_m=0.0955,
        game_options=MoonOptions(house=Options(supply_size=LADDERS)),
        resume=None if resume is None else str(resume),
    )


def score_of(state: State) -> dict[str, Any]:
    return {
        "turn": state.turn,
        "phase": state.phase.value,
        "player": state.player,
        "tears": list(state.tears),
        "tears_left": state.tears_left,
        "out": [None if reason is None else reason.value for reason in state.out],
        "supply": list(state.supply),
        "placed": list(state.placed),
        "removed": list(state.removed),
        "final": state.is_final,
        "ending": None if state.ending is None else state.ending.value,
        "die": None if state.over or state.fixed_face is None else state.fixed_face.value,
    }


@cache
def _settle_tower(size: int, placed: int) -> tuple[Structure, dict[PieceId, Pose]]:
    tower = load_tower(size)
    fixed = sum(fixed for _, _, fixed in tower.standing)
    tower = replace(tower, standing=tower.standing[: fixed + placed])
    world = LocalWorld(tower.ladders, tower.base)
    world.rebuild(tower.standing)
    while not world.tick(None).at_rest:
        pass
    rested = world.poses()
    world.close()
    return tower, {piece: rested[piece] for piece, _, fixed in tower.standing if not fixed}


def save_tower(folder: Path, size: int, seed: int, *, placed: int = 99) -> Path:
    """Save a game between turns: a tall tower at rest, and at most ``LADDERS`` ladders left in the supply.

    Only the first ``placed`` of the tower's placed ladders are used.
    """
    tower, poses = _settle_tower(size, placed)
    options = make_options(folder, seed, None)
    starting = tuple(piece for piece, _, fixed in tower.standing if fixed)
    box = list_supply_ladders(EDITIONS[MoonOptions().edition], Options())
    others = [piece for piece in box if piece not in poses]
    table = make_setup(
        SEATS["table"](WIDTH, HEIGHT), "0", air=AirRelease.FALLS, palm_length_m=options.palm_length_m
    )
    setup = MoonSetup(
        options.seed,
        MoonOptions().edition,
        options.players,
        kind_module.DEMO_AUTO_ROLL_S,
        Slots(CONFIGURATION),
        starting=starting,
        supply=(*poses, *others[:LADDERS]),
    )
    path = folder / "tower.armoon"
    header = {**table.to_record(), **setup.to_record()}
    file = GameFile.create(path, header, game=GAME, begun="2026-05-04T20:15:30", program="0")
    recorder = MoonRecorder(file, setup)
    standing: list[tuple[str, Pose]] = []
    for piece, pose in poses.items():
        face = recorder.state.fixed_face
        assert face is not None
        touched = recorder.state.structure[: get_contact_limits(face)[0]]
        settle = Settle(touched, 1.0, touched[0], 0.5)
        standing.append((piece, pose))
        recorder.write_moves((Roll(face), Draw(piece)), tuple(standing[:-1]), at_rest=True)
        recorder.write_moves((Take(), LetGo(), settle), tuple(standing), at_rest=True)
    file.close()
    return path


class ReportingWriter(SavedGameWriter):
    """Reports moves before and after writing them."""

    def __init__(self, writer: SavedGameWriter, match: MoonMatch, send: Send) -> None:
        self.file = writer.file
        self._writer = writer
        self._match = match
        self._send = send

    def prepare_write(self, output: Output) -> WriteJob | None:
        writing = self._writer.prepare_write(output)
        moves = output.events_of(Move)
        if not moves:
            return writing
        facts, state = self._match.facts, self._match.state
        poses = {p.piece: [*p.pose.position, *p.pose.rotation] for p in facts.pieces}
        report = {
            "writing": [MOVES.encode(move) for move in moves],
            "score": score_of(state),
            "poses": {piece: poses[piece] for piece in state.placed if piece in poses},
            "at_rest": facts.at_rest,
        }
        assert writing is not None, "moves were made, but nothing is to be written"

        def write_and_report() -> None:
            self._send(report)
            writing()
            self._send({"written": len(moves)})

        return write_and_report


class PlayedGame:
    def __init__(
        self,
        folder: Path,
        seed: int,
        *,
        resume: Path | None = None,
        send: Send | None = None,
        run_number: int = 0,
        own_process: bool = False,
        host: bool = True,
    ) -> None:
        options = make_options(folder, seed, resume)
        seat = SEATS[options.seat](WIDTH, HEIGHT)
        console = Console(quiet=True)
        prepared = setup.prepare_table(options, seat, folder, console, cropped=False, real_time=own_process)
        assert isinstance(prepared.game, MoonGame)
        assert prepared.writer is not None
        self.match = prepared.game.match
        self.moves: list[Move] = list(self.match.opening.events_of(Move))
        writer = prepared.writer if send is None else ReportingWriter(prepared.writer, self.match, send)
        self.sinks = Sinks()
        self.table = Table(prepared.game, self.sinks, (SaveSink(writer),))
        self._seat, self._frames = seat, 0
        self._player = DemoPlayer(
            self.match.ladders,
            self.match.base,
            make_habits(seat),
            seed + 100 * run_number,
            PlayStyle(reach_m_s=1.5),
        )
        self._chance = random.Random(f"{seed}:{run_number}")
        self._host = host

    @property
    def activity(self) -> str:
        facts, phase = self.match.facts, self.match.state.phase
        if facts.held is not None:
            return "held"
        if phase is Phase.SETTLE:
            return "settling"
        if phase is Phase.DRAW:
            return "offered"
        return "between turns" if facts.at_rest else "falling"

    def frame(self, *commands: Command) -> Output:
        sight = observe_match(self.match, self._frames * FRAME_S)
        self._frames += 1
        intake = make_intake(self._seat, self._player, sight, *commands, *self._choose_interference())
        output = self.table.play_step(intake).output
        assert output is not None
        self.moves += output.events_of(Move)
        return output

    def close(self) -> None:
        self._player.close()
        self.table.close()

    def _choose_interference(self) -> tuple[Command, ...]:
        if not self._host or self._chance.random() >= HOST_PER_FRAME:
            return ()
        kind = self._chance.choice(_HOST)
        number = 1 if kind is Act.UNDO else self._chance.randrange(3)
        return (Command(kind, "host", number),)


def send_line(line: dict[str, Any]) -> None:
    os.write(1, json.dumps(line).encode() + b"\n")


def play(order: dict[str, Any]) -> None:
    resume = order["resume"]
    game = PlayedGame(
        Path(order["folder"]),
        order["seed"],
        resume=None if resume is None else Path(resume),
        send=send_line,
        run_number=order["run_number"],
        own_process=order["own_process"],
    )
    helpers = [process.pid for process in multiprocessing.active_children()]
    send_line({"resumed": score_of(game.match.setup.state), "helpers": helpers})
    activity = ""
    while not game.table.is_over:
        if game.activity != activity:
            activity = game.activity
            send_line({"activity": activity})
        game.frame()
    game.close()
    send_line({"activity": "over"})


def serve() -> None:
    speed_up_games()
    for line in sys.stdin:
        player = os.fork()
        if player == 0:
            code = 1
            try:
                play(json.loads(line))
                code = 0
            finally:
                sys.stderr.flush()
                os._exit(code)
        send_line({"pid": player})
        _, status = os.waitpid(player, 0)
        send_line({"ended": os.waitstatus_to_exitcode(status)})


if __name__ == "__main__":
    serve()
