"""Helpers to test a whole game with an ideal tracker and the demo player instead of a camera."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, fields
from typing import Any

from benchmarks.hand_script import NO_NOISE, SkeletonTracker

from armoon import __version__
from armoon.camera.profiles import SEATS, CameraSeat
from armoon.clock import TICKS_PER_SECOND
from armoon.engine.events import Output
from armoon.engine.setup import Intake, TableSetup, make_setup
from armoon.games.moon.demo_player import DemoPlayer, MoonObservation
from armoon.games.moon.editions import Options, Phase
from armoon.games.moon.kind import KIND
from armoon.games.moon.match import MoonMatch
from armoon.games.moon.saving import MoonSetup
from armoon.hands.landmarks import Hands
from armoon.players.demo import make_habits
from armoon.players.hand import Observation, SimulatedPlayer
from armoon.synthetic_camera.anatomy import HandState, place_palm
from armoon.values.choices import AirRelease
from armoon.values.pieces import Command
from armoon.values.poses import Pose
from support.log_kit import header_of

WIDTH, HEIGHT = 640, 360
#: Ticks of the game per frame of a 30 Hz camera.
FRAME_TICKS = 2
FRAME_S = FRAME_TICKS / TICKS_PER_SECOND


@dataclass(frozen=True)
class MoonStart:
    table: TableSetup
    game: MoonSetup

    def match(self, **more: Any) -> MoonMatch:
        return MoonMatch(self.table, self.game, **more)

    def header(self) -> dict[str, Any]:
        return header_of("moon", self.table, self.game)


def setup_for(seed: int = 3, seat: str = "table", **changes: Any) -> MoonStart:
    """Return the start of a demo game with a short auto-roll; ``changes`` set fields of its table or game."""
    values: dict[str, Any] = {
        "seed": seed,
        "edition": "bombyx-2017",
        "players": ("Ann", "Ben"),
        "auto_roll_s": 0.5,
    }
    game_fields = {field.name for field in fields(MoonSetup)}
    table = {name: value for name, value in changes.items() if name not in game_fields}
    game = {name: value for name, value in changes.items() if name in game_fields}
    table.setdefault("air", AirRelease.FALLS)  # most tests release near a support and wait for the fall
    table.setdefault("one_hand", game.get("options", Options()).one_hand.value)
    return MoonStart(
        make_setup(SEATS[seat](WIDTH, HEIGHT), __version__, **table), MoonSetup(**{**values, **game})
    )


def advance(match: MoonMatch, *commands: Command) -> Output:
    return match.advance(Intake(match.tick * FRAME_S / FRAME_TICKS, FRAME_TICKS, None, commands))


def play_to_draw(match: MoonMatch) -> MoonMatch:
    while match.state.phase is not Phase.DRAW or match.state.ladder is None:
        advance(match)
        assert match.tick < 2400, "no ladder is drawn"
    return match


def read_start(record: dict[str, Any]) -> MoonStart:
    with closing(KIND.create_logged_match(record)) as match:
        assert isinstance(match, MoonMatch)
        return MoonStart(match.table, match.setup)


def make_ideal_hands(seat: CameraSeat, grip: Pose, closing: float, time_s: float) -> Hands:
    """Return a perfect tracker's output for a hand whose grip frame is at ``grip``."""
    tracker = SkeletonTracker(seat, 0, 1.0 / FRAME_S, 1.0, NO_NOISE)
    return tracker.track(
        HandState(place_palm(grip.position, grip.rotation), closing), time_s, round(time_s / FRAME_S)
    )


def observe_match(match: MoonMatch, time_s: float) -> MoonObservation:
    state = match.state
    die = None if state.die is None else state.die.value
    return MoonObservation(time_s, state.turn, state.phase.name, die, match.facts, match.home_from_table())


def make_intake(seat: CameraSeat, player: SimulatedPlayer, sight: Observation, *commands: Command) -> Intake:
    """Return one frame's input: an ideal tracker's view of the demo player's hand, and ``commands``."""
    hands = make_ideal_hands(seat, *player.aim_hand(sight), sight.time_s)
    return Intake(sight.time_s, FRAME_TICKS, hands, commands)


class IdealDemo:
    """A match of the moon game played by the demo player, without rendering."""

    def __init__(self, match: MoonMatch, seed: int = 3) -> None:
        self.match, self.frame = match, 0
        self._seat = SEATS[match.table.seat](WIDTH, HEIGHT)
        self.player = DemoPlayer(match.ladders, match.base, make_habits(self._seat), seed)

    def step(self) -> Output:
        sight = observe_match(self.match, self.frame * FRAME_S)
        self.frame += 1
        return self.match.advance(make_intake(self._seat, self.player, sight))

    def close(self) -> None:
        self.player.close()
