"""Helpers to test the lake at the table: set-ups, grips made by tests, and the demo player with an ideal tracker."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from armoon import __version__
from armoon.camera.profiles import SEATS
from armoon.engine.events import Output
from armoon.engine.setup import Intake, TableSetup, make_setup
from armoon.games.lake.kind import KIND
from armoon.games.lake.layout import FLOOR_M, locate_stack_top
from armoon.games.lake.match import MOVES, LakeMatch, LakeSetup
from armoon.games.lake.play import LakeBots, LakeGame, LakePlayer
from armoon.games.lake.rules import Move, Strength
from armoon.geometry import unit, vec3
from armoon.players.demo import make_habits
from armoon.values.choices import AirRelease
from armoon.values.pieces import Command, GripIntent, GripPhase
from armoon.values.poses import Pose, Vec3
from support.app_kit import FRAME_S, HEIGHT, WIDTH, make_intake
from support.log_kit import header_of

NAMES = ("Ann", "Ben", "Cleo", "Dan")


@dataclass(frozen=True)
class LakeStart:
    table: TableSetup
    game: LakeSetup

    def match(self) -> LakeMatch:
        return LakeMatch(self.table, self.game)

    def header(self) -> dict[str, Any]:
        return header_of("lake", self.table, self.game)


def lake_setup(
    players: int = 2,
    seed: int = 3,
    seat: str = "table",
    bots: Sequence[str | None] = (),
    moves: Sequence[Move] = (),
    **table: Any,
) -> LakeStart:
    profile = SEATS[seat](WIDTH, HEIGHT)
    table.setdefault("air", AirRelease.FALLS)  # most tests release over the board and wait for the fall
    return LakeStart(
        make_setup(profile, __version__, bots=tuple(bots), **table),
        LakeSetup(NAMES[:players], seed, 0, tuple(map(MOVES.encode, moves))),
    )


def read_start(record: dict[str, Any]) -> LakeStart:
    match = KIND.create_logged_match(record)
    assert isinstance(match, LakeMatch)
    return LakeStart(match.table, match.setup)


def grip_at(match: LakeMatch, point: Vec3, phase: GripPhase, nearer: float = 1.0) -> GripIntent:
    eye = match.table_from_camera.position
    axis = vec3(unit([p - e for p, e in zip(point, eye, strict=True)]))
    x, y, z = (e + (p - e) * nearer for p, e in zip(point, eye, strict=True))
    closing = 1.0 if phase in (GripPhase.GRAB, GripPhase.HOLD) else 0.0
    return GripIntent(0.0, "mouse", phase, Pose((x, y, z)), axis, closing=closing)


def floor_point(star: int, floor: int) -> Vec3:
    x, y, z = locate_stack_top(star, floor)
    return (x, y, z + FLOOR_M / 2.0)


class PointedLake:
    """A match played with grips and commands built by the test."""

    def __init__(self, setup: LakeStart) -> None:
        self.match = setup.match()
        self.outs: list[Output] = [self.match.opening]
        self.now_s = 0.0

    def step(
        self, grips: Sequence[GripIntent] = (), commands: Sequence[Command] = (), ticks: int = 1
    ) -> Output:
        self.now_s += ticks / 60.0
        output = self.match.advance(Intake(self.now_s, ticks, None, tuple(commands), tuple(grips)))
        self.outs.append(output)
        return output

    def at(self, point: Vec3, phase: GripPhase, ticks: int = 1) -> Output:
        return self.step([grip_at(self.match, point, phase)], ticks=ticks)

    def drag(self, start: Vec3, end: Vec3) -> Output:
        self.at(start, GripPhase.HOVER)
        self.at(start, GripPhase.GRAB)
        self.at(end, GripPhase.HOLD, 20)
        output = self.at(end, GripPhase.RELEASE)
        self.at(end, GripPhase.HOVER, 70)
        return output


class IdealLake:
    """A game of the lake played by the demo player, without rendering."""

    def __init__(self, setup: LakeStart) -> None:
        self._seat, self.frame = SEATS[setup.table.seat](WIDTH, HEIGHT), 0
        self.player = LakePlayer(make_habits(self._seat), (Strength.WEAK,))
        self.game = LakeGame(setup.match(), LakeBots(pause_ticks=0))

    def step(self) -> Output:
        sight = self.game.build_observation(self.frame * FRAME_S)
        self.frame += 1
        return self.game.advance(make_intake(self._seat, self.player, sight))

    def pass_time(self, ticks: int) -> Output:
        self.frame += 1
        return self.game.advance(Intake(self.frame * ticks / 60.0, ticks, None))
