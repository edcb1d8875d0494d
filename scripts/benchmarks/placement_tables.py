"""The stored goals of the placement benchmark, and a match with the goal's tower, ladder and die."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from pathlib import Path

from armoon import __version__
from armoon.camera.profiles import CameraSeat
from armoon.clock import TICK_S
from armoon.codec import decode_json
from armoon.engine.match import Stopwatch
from armoon.engine.setup import Intake, seat_setup
from armoon.errors import SettingsError
from armoon.games.moon import rules
from armoon.games.moon.editions import Options, Verdict, roll_seeded_face
from armoon.games.moon.ladder_forecast import LadderForecast, LadderForecaster
from armoon.games.moon.match import MoonMatch, MoonSetup
from armoon.games.moon.plan_search import PlacementPlan
from armoon.games.moon.saving import MoonStart, no_counts, setup_to_plain
from armoon.games.moon.turn import State
from armoon.hands.landmarks import Hands
from armoon.synthetic_camera.look import HANDS
from armoon.values.choices import AirRelease, Slots
from armoon.values.pieces import Command, Facts, GripIntent, PieceId, PieceStatus
from armoon.values.player_settings import Guidance, Handicap
from armoon.values.poses import Pose
from armoon.world.local import LocalWorld
from armoon.world.process import WorldFactory
from benchmarks.towers import CONFIGURATION, load_tower

EDITION = "bombyx-2017"
PLAYERS = ("Ann", "Ben")
#: How many ladders stand.
STANDING = (2, 8, 16, 24)


@dataclass(frozen=True)
class Case:
    """One table of the benchmark."""

    seed: int
    standing: int
    placed: tuple[tuple[PieceId, Pose], ...] = ()
    """What stands besides the starting ladders."""
    release: Pose | None = None
    """Where the ladder is to be let go of; None where only the tower is wanted."""
    touched: tuple[PieceId, ...] = ()
    turned_rad: float = 0.0
    """How far the table is turned before the ladder is taken."""
    seat: str = ""
    """In which seat alone it is played,"""
    hand: str = HANDS[0].name
    """and by which hand."""
    die: str = ""

    @property
    def plan(self) -> PlacementPlan:
        assert self.release is not None
        return PlacementPlan(self.release, self.touched)

    @property
    def game_seed(self) -> int:
        """Of a game in whose first turn this die falls: a log that begins on a tower knows of no earlier ones."""
        if not self.placed or not self.die:
            return self.seed
        seeds = itertools.count(self.seed, 1_000_000)
        return next(seed for seed in seeds if roll_seeded_face(seed, 1).value == self.die)

    def state(self) -> State:
        """Return the position by the rules: between turns, with this ladder drawn next."""
        names = tuple(name for name, _ in self.placed)
        drawn = rules.create_state(PLAYERS, EDITION, self.seed).supply
        left = tuple(piece for piece in drawn if piece not in names)
        return replace(rules.create_state(PLAYERS, EDITION, self.game_seed), placed=names, supply=left)


TABLES = Path(__file__).with_name("placement_tables.json")


@dataclass(frozen=True)
class Goal:
    """A ladder, a die, and a place where that ladder honours it; poses in the table frame."""

    seed: int
    """Of the game in which this ladder is drawn and this die falls."""
    piece: PieceId
    die: str
    release: Pose
    touched: tuple[PieceId, ...]
    """What it touches there, sorted: this alone counts as placed."""
    turned_rad: float
    """How far the table is turned when the ladder is taken."""
    seat: str
    """Where the camera is: a goal is played in one seat only,"""
    hand: str


@dataclass(frozen=True)
class Table:
    """A tower at one size."""

    tower: int
    standing: int
    """How many ladders stand, the two starting ladders included."""
    placed: tuple[tuple[PieceId, Pose], ...]
    """Those besides the starting ladders, in the order in which they were laid."""
    goals: tuple[Goal, ...] = ()


@dataclass(frozen=True)
class Tables:
    """The file."""

    tables: tuple[Table, ...] = ()


def read_tables(path: Path = TABLES) -> Tables:
    """Return the tables of a file. SettingsError where it isn't one."""
    return decode_json(
        Tables,
        path.read_bytes(),
        f"The tables in {path.name} can't be read",
        "Take the file as it was published.",
        error=SettingsError,
    )


def cases_of(tables: Tables, standing: int) -> tuple[Case, ...]:
    """Return all goals on towers of this size: one of every tower before the second of any."""
    goals = [(table, goal) for table in tables.tables if table.standing == standing for goal in table.goals]
    goals.sort(key=lambda one: (one[0].goals.index(one[1]), one[0].tower))
    return tuple(
        Case(
            goal.seed,
            table.standing,
            table.placed,
            goal.release,
            goal.touched,
            goal.turned_rad,
            goal.seat,
            goal.hand,
            goal.die,
        )
        for table, goal in goals
    )


#: The die rolls by itself when the table has been at rest this long.
ROLL_AFTER_S = 0.25
#: The ladder lies in the lid after less than this; a tower that is set up comes to rest first.
LAYING_PATIENCE_S = 30.0


class PlacementTable:
    """A match up to where its ladder waits to be taken, and on from there; close it."""

    def __init__(
        self,
        seed: int,
        seat: CameraSeat,
        case: Case | None = None,
        *,
        watches: bool = False,
        guidance: Guidance = Guidance.OFF,
    ) -> None:
        """Lay the table of ``seed``, or of a case, and roll its die; ``watches``: ask for a colour at every tick."""
        self.match = match_of(seed, seat, case, guidance=guidance)
        self._watches, self._guides = watches, guidance is not Guidance.OFF
        self.forecaster = LadderForecaster(self.match, on_time=False, guides=self._guides)
        """What the faint ladder's colour comes from; in lock step, whatever the machine."""
        self.forecast: LadderForecast | None = None
        """What the faint ladder shows of the held one, where it is watched."""
        self.grips: tuple[GripIntent, ...] = ()
        """Grips since the last tick, of a device that isn't a hand."""
        self.time_s = 0.0
        self.verdict: Verdict | None = None
        while not (waiting := self._offered()):
            self.tick(self.time_s + TICK_S, None)
            assert self.time_s < LAYING_PATIENCE_S, "the table is never laid"
        self.piece: PieceId = waiting[0]

    def close(self) -> None:
        self.forecaster.close()
        self.match.close()

    @property
    def facts(self) -> Facts:
        return self.match.facts

    def tick(self, time_s: float, hands: Hands | None, commands: tuple[Command, ...] = ()) -> None:
        self.time_s = time_s
        grips, self.grips = self.grips, ()
        places = self.forecaster.pop_new_places() if self._guides else None
        out = self.match.advance(Intake(time_s, 1, hands, commands, grips, places=places))
        self.verdict = self.verdict or next(iter(out.events_of(Verdict)), None)
        if self._watches:
            self.forecast = self.forecaster.update()

    def _offered(self) -> list[PieceId]:
        return [p.piece for p in self.facts.pieces if p.status is PieceStatus.OFFERED]


def match_of(
    seed: int,
    seat: CameraSeat,
    case: Case | None = None,
    *,
    air: AirRelease = AirRelease.WAITS,
    guidance: Guidance = Guidance.OFF,
    watch: Stopwatch | None = None,
    world: WorldFactory = LocalWorld,
) -> MoonMatch:
    start, turned_rad = None, 0.0
    if case is not None:
        turned_rad, seed = case.turned_rad, case.game_seed
        start = started(case) if case.placed else None
    options = Options(handicaps=(Handicap(guidance=guidance),) * len(PLAYERS))
    if start is not None:
        start = replace(start, state=replace(start.state, options=options))
    setup = MoonSetup(
        seed=seed,
        edition=EDITION,
        players=PLAYERS,
        auto_roll_s=ROLL_AFTER_S,
        slots=Slots.FACING if case is None else Slots(CONFIGURATION),
        start=start,
        options=options,
    )
    return MoonMatch(seat_setup(seat, __version__, air=air, turned_rad=turned_rad), setup, watch, world=world)


def tower_case(size: int, seed: int) -> Case:
    free = [(piece, pose) for piece, pose, fixed in load_tower(size).standing if not fixed]
    return Case(seed, size, tuple(free))


def started(case: Case) -> MoonStart:
    state = case.state()
    return MoonStart(
        state=state,
        structure=case.placed,
        at_rest=True,
        places={},
        rules=setup_to_plain(state),
        moves=(),
        figures=(),
        counted=no_counts(PLAYERS),
    )
