"""Helpers to test any game: the command line in this process, and a table operated with hand, mouse and keys.

They use only the interface that all games share. The positions of a game's pieces and the keys of its turns are in the
game's driver (`games/drivers`).
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from benchmarks.hand_script import SimulatedHand
from rich.console import Console

from armoon.app.setup import prepare_table
from armoon.app.table import Table
from armoon.camera.profiles import SEATS, CameraSeat
from armoon.engine.events import Output
from armoon.engine.logbook import LogWriter
from armoon.engine.setup import Intake
from armoon.games.contract import Game
from armoon.geometry import Array, mat_from_quat, pose_apply, pose_inverse, project_table_points
from armoon.hands.fingers import find_grip_point, find_palm_point
from armoon.hands.landmarks import Hand, Hands, make_hand
from armoon.inputs.controls import Controls
from armoon.inputs.grips import MouseGrip
from armoon.messages import set_language
from armoon.saves.game_file import GameFile, SavedGame
from armoon.settings.files import games_folder
from armoon.settings.preferences import PlayOptions
from armoon.sinks.files import create_game_sinks
from armoon.sinks.hub import Sinks
from armoon.sinks.sink import Moment
from armoon.values.acts import Act
from armoon.values.pieces import Command, GripPhase
from armoon.values.poses import Vec2, Vec3
from armoon.values.scene import Scene
from armoon.view.window import MousePointer
from support.app_kit import FRAME_S, FRAME_TICKS, HEIGHT, WIDTH
from support.command_line import CommandOutput, run
from support.hands_kit import FACING, OPEN, PINCHED, bent_joints
from support.sink_kit import Listener

#: Maximum distance from the goal, across the line of sight, of a hand that has arrived: a quarter of a dome's radius.
ARRIVAL_M = 0.003
#: Options for a webcam with small frames and a repeatable game; later options override them.
USUAL = ("--camera", "0", "--size", f"{WIDTH}x{HEIGHT}", "--seed", "3")
#: Maximum time for a movement of the hand, in seconds.
PATIENCE_S = 20.0


def make_home(folder: Path, patch: pytest.MonkeyPatch) -> Path:
    for name in ("DATA", "CONFIG", "CACHE"):
        patch.setenv(f"XDG_{name}_HOME", str(folder / name.lower()))
    patch.setenv("COLUMNS", "200")
    set_language("en")
    return games_folder()


def command(*arguments: str) -> CommandOutput:
    result = run(*arguments)
    assert result.exception is None, result.exception
    return result


def one_sentence(result: CommandOutput) -> str:
    assert result.exit_code == 2, result.output
    assert "Traceback" not in result.output
    return " ".join(result.output.split())


def request_play(*arguments: str) -> tuple[CommandOutput, list[PlayOptions]]:
    calls: list[PlayOptions] = []

    def record(options: PlayOptions) -> int:
        calls.append(options)
        return 0

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("armoon.app.play", record)
        return command("play", "--headless", *arguments), calls


def parse_options(*arguments: str) -> PlayOptions:
    result, calls = request_play(*arguments)
    assert result.exit_code == 0, result.output
    return calls[0]


def screen_place(seat: CameraSeat, point: Vec3) -> Vec2:
    """Return a table point's position in the window, as fractions of the window's width and height."""
    ((x, y),) = project_table_points(seat.camera, seat.table_from_camera, [point])
    across = (float(x) + 0.5) / WIDTH
    return (1.0 - across if seat.mirrored else across, (float(y) + 0.5) / HEIGHT)


class AnyTable(ABC):
    """A running game: presses keys, waits, and reads the visible state."""

    @property
    @abstractmethod
    def game(self) -> Game[Any]: ...

    @property
    @abstractmethod
    def controls(self) -> Controls: ...

    @property
    @abstractmethod
    def now_s(self) -> float: ...

    @property
    @abstractmethod
    def path(self) -> Path: ...

    @abstractmethod
    def frame(self) -> None:
        """Play one frame without a hand in view."""

    @property
    def saved(self) -> SavedGame:
        return GameFile.read_saved(self.path)

    @property
    def scene(self) -> Scene:
        return self.game.build_turned_scene(1.0, "")

    def home_point(self, point: Vec3) -> Vec3:
        return pose_apply(self.game.match.home_from_table(), point)

    @property
    def hud_text(self) -> str:
        hud = self.scene.hud
        words = (hud.title, hud.hint, hud.banner, hud.verdict_text, hud.die_text, hud.contact_text)
        return " | ".join(word for word in words if word)

    @property
    def on_turn(self) -> int | None:
        players = self.scene.hud.players
        return next((seat for seat, player in enumerate(players) if player.on_turn), None)

    def rest(self, seconds: float) -> None:
        for _ in range(round(seconds / FRAME_S)):
            self.frame()

    def until(self, condition: Callable[[], bool], what: str, seconds: float = PATIENCE_S) -> None:
        end_s = self.now_s + seconds
        while not condition():
            assert self.now_s < end_s, f"timed out waiting for {what}"
            self.frame()

    def press(self, *keys: str) -> None:
        for key in keys:
            self.controls.handle_key(key, True)
            self.frame()
            self.controls.handle_key(key, False)
            self.frame()


class SceneListener(Listener):
    """Receives the scene only in every tenth frame, because composing it takes as long as playing a frame."""

    def select(self, moment: Moment) -> Moment:
        return moment if round(moment.now_s / FRAME_S) % 10 == 0 else replace(moment, scene=None)


class IdealTable(AnyTable):
    """A game with an ideal tracker, set up from command-line options as in the app; records all output."""

    def __init__(self, game: str, *arguments: str, cropped: bool = False, **changes: Any) -> None:
        usual = USUAL[:-2] if "--resume" in arguments else USUAL  # a saved game has its own seed
        self.options = replace(parse_options("--game", game, *usual, *arguments), **changes)
        self.seat = SEATS[self.options.seat](WIDTH, HEIGHT)
        listener = SceneListener()
        self.sentences = listener.sentences
        self.outs: list[Output] = []
        set_language(self.options.language)
        self.log = find_free_path(games_folder() / f"{game}.jsonl")
        quiet = Console(quiet=True)
        prepared = prepare_table(
            self.options, self.seat, games_folder(), quiet, cropped=cropped, real_time=False
        )
        self._saved = None if prepared.writer is None else prepared.writer.path
        sinks = Sinks()
        sinks.add(listener)
        self.table = Table(prepared.game, sinks, create_game_sinks(LogWriter(self.log), prepared.writer))
        camera = (self.seat.camera, self.seat.table_from_camera, self.seat.mirrored)
        self._controls = Controls(MouseGrip(*camera))
        self.hand = TableHand(self)
        self.frames = 0
        self.closed = False
        self.step()

    @property
    def game(self) -> Game[Any]:
        return self.table.game

    @property
    def now_s(self) -> float:
        return self.frames * FRAME_S

    @property
    def controls(self) -> Controls:
        return self._controls

    @property
    def path(self) -> Path:
        assert self._saved is not None
        return self._saved

    def frame(self) -> None:
        self.step()

    def step(self, *hands: Hand, commands: Sequence[Command] = ()) -> Output:
        self.frames += 1
        tracked = Hands(self.now_s, self.frames, WIDTH, HEIGHT, hands)
        grips = self.controls.collect_grips(self.now_s, self.game)
        all_commands = (*self.controls.drain_commands(), *commands)
        output = self.table.play_step(Intake(self.now_s, FRAME_TICKS, tracked, all_commands, grips)).output
        assert output is not None
        self.outs.append(output)
        return output

    def ask(self, kind: Act, value: int = 0) -> Output:
        return self.step(commands=(Command(kind, "screen", value),))

    def mouse(self, point: Vec3, pressed: bool, seconds: float = 0.1) -> None:
        place = screen_place(self.seat, point)
        for _ in range(max(1, round(seconds / FRAME_S))):
            self.controls.handle_pointer(MousePointer(place, pressed, over=place))
            self.step()

    def close(self) -> None:
        if not self.closed:
            self.closed = True
            self.table.close()


@dataclass
class Seats:
    tables: list[IdealTable]

    def __call__(self, game: str, *arguments: str, **changes: Any) -> IdealTable:
        table = IdealTable(game, *arguments, **changes)
        self.tables.append(table)
        return table


def seats() -> Iterator[Seats]:
    seated = Seats([])
    yield seated
    for table in seated.tables:
        table.close()


def find_free_path(path: Path) -> Path:
    number = 1
    while path.exists():
        path = path.with_name(f"{path.stem.rstrip('0123456789')}{number}{path.suffix}")
        number += 1
    return path


class TableHand(SimulatedHand[Output]):
    """A simulated hand, palm to the camera, that corrects its position by means of the grip shown on the screen."""

    kind = "pinch"
    """How the hand closes: ``"pinch"``, ``"fist"`` or ``"dwell"``."""
    closing = 0.0
    """0 open to 1 closed."""
    size = 1.0
    """Size relative to an average hand."""

    def __init__(self, table: IdealTable) -> None:
        super().__init__(lambda _: table.step(self.view), (0.22, -0.05, 0.12))
        self._table = table
        self._correction: Vec3 = (0.0, 0.0, 0.0)

    @property
    def view(self) -> Hand:
        x, y, z = (p + o for p, o in zip(self.position, self._correction, strict=True))
        return self.at((x, y, z), self.closing)

    def at(self, point: Vec3, closing: float, side: str = "right") -> Hand:
        shape = self._shape(closing)
        seat = self._table.seat
        in_camera = pose_apply(pose_inverse(seat.table_from_camera), point)
        joints = (shape - self._anchor()) * self.size @ mat_from_quat(FACING).T + np.array(in_camera)
        world = (joints - joints.mean(axis=0)) / self.size
        pixels = seat.camera.project(joints).tolist()
        return make_hand(pixels, world.tolist(), "left" if side == "left" else "right", 0.97)

    def rest(self, seconds: float) -> Output:
        return self.hold(round(seconds / FRAME_S))

    def move(self, point: Vec3, seconds: float = 0.5) -> None:
        x, y, z = (b - a for a, b in zip(self.position, point, strict=True))
        self.move_by((x, y, z), round(seconds / FRAME_S))

    def reach(self, point: Vec3, gripped: Callable[[], Vec3] | None = None) -> None:
        """Move until the grip on the screen, or ``gripped``, covers the point as seen from the camera."""
        self.move(point)
        end_s = self._table.now_s + PATIENCE_S
        near = 0
        while near < 4:
            assert self._table.now_s < end_s, f"the hand never reached {point}"
            offset = self._compute_offset(point, self._find_grip() if gripped is None else gripped())
            near = near + 1 if math.hypot(*offset) < ARRIVAL_M else 0
            x, y, z = (o + 0.25 * m for o, m in zip(self._correction, offset, strict=True))
            self._correction = (x, y, z)
            self.hold(1)

    def grab(self) -> Output:
        return self._close_to(1.0)

    def release(self) -> Output:
        return self._close_to(0.0)

    def _close_to(self, closing: float) -> Output:
        if self.kind == "dwell":
            return self.rest(1.6)
        for step in np.linspace(self.closing, closing, 7)[1:].tolist():
            self.closing = step
            self.hold(1)
        return self.rest(0.2)

    def wave(self) -> None:
        self._swing(0.05)

    def shake(self) -> None:
        kind, closing = self.kind, self.closing
        self.kind, self.closing = "fist", 1.0
        self._swing(0.035)
        self.kind, self.closing = kind, closing
        self.rest(0.5)

    def _swing(self, way_m: float) -> None:
        x, y, z = self.position
        for k in range(48):
            self.do(GripPhase.HOLD, (x + way_m * math.sin(math.tau * k / 12.0), y, z))
        self.position = (x, y, z)

    def _shape(self, closing: float) -> Array:
        if self.kind == "fist":
            return bent_joints(closing)
        return OPEN if self.kind == "dwell" else (1.0 - closing) * OPEN + closing * PINCHED

    def _anchor(self) -> Array:
        if self.kind == "fist":
            return find_palm_point(OPEN)
        return find_grip_point(OPEN, 0.0) if self.kind == "dwell" else find_grip_point(PINCHED, 1.0)

    def _find_grip(self) -> Vec3:
        point = next((hand.grip_point for hand in self._table.scene.hands if hand.grip_point), None)
        return self.position if point is None else point

    def _compute_offset(self, wanted: Vec3, observed: Vec3) -> Vec3:
        """Return the offset from observed to wanted grip, across the line of sight, at the wanted point's distance."""
        eye = np.array(self._table.seat.table_from_camera.position)
        to_wanted, to_seen = np.array(wanted) - eye, np.array(observed) - eye
        ray = to_wanted / np.linalg.norm(to_wanted)
        x, y, z = (to_wanted - to_seen * (float(to_wanted @ ray) / float(to_seen @ ray))).tolist()
        return (x, y, z)
