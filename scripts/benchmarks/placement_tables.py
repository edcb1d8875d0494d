"""The stored goals of the placement benchmark, and a match with the goal's tower, ladder and die."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from pathlib import Path

from armoon import __version__
from armoon.camera.profiles import CameraSeat
from armoon.clock import TICK_S
from armoon.codec import decode_json
from armoon.engine.setup import Intake, make_setup
from armoon.errors import SettingsError
from armoon.games.moon import rules
from armoon.games.moon.editions import Options, Verdict, roll_seeded_face
from armoon.games.moon.ladder_forecast import LadderForecast, LadderForecaster
from armoon.games.moon.match import MoonMatch
from armoon.games.moon.plan_search import PlacementPlan
from armoon.games.moon.saving import MoonSetup, Snapshot, make_zero_counts
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
#: Numbers of standing ladders.
STANDING = (2, 8, 16, 24)


@dataclass(frozen=True)
class Case:
    """One table of the benchmark."""

    seed: int
    standing: int
    placed: tuple[tuple[PieceId, Pose], ...] = ()
    """The standing ladders, without the starting ladders."""
    release: Pose | None = None
    """The wanted release pose; None if only the tower is needed."""
    touched: tuple[PieceId, ...] = ()
    turned_rad: float = 0.0
    """The table's rotation before the ladder is taken."""
    seat: str = ""
    """The only seat in which the table is played."""
    hand: str = HANDS[0].name
    """Name of the hand that plays the table."""
    die: str = ""

    @property
    def plan(self) -> PlacementPlan:
        assert self.release is not None
        return PlacementPlan(self.release, self.touched)

    @property
    def game_seed(self) -> int:
        """Seed of a game whose first roll is ``die``; a log that begins with a tower has no earlier rolls."""
        if not self.placed or not self.die:
            return self.seed
        seeds = itertools.count(self.seed, 1_000_000)
        return next(seed for seed in seeds if roll_seeded_face(seed, 1).value == self.die)

    def state(self) -> State:
        """Return the state of the rules between turns, with the tower's ladders placed and the others in the supply."""
        names = tuple(name for name, _ in self.placed)
        drawn = rules.create_state(PLAYERS, EDITION, self.seed).supply
        left = tuple(piece for piece in drawn if piece not in names)
        return replace(rules.create_state(PLAYERS, EDITION, self.game_seed), placed=names, supply=left)


TABLES = Path(__file__).with_name("placement_tables.json")


@dataclass(frozen=True)
class Goal:
    """A ladder, a face of the die, and a place where the ladder honours that face; poses in the table frame."""

    seed: int
    """Seed of the game in which this ladder is drawn and this face rolled."""
    piece: PieceId
    die: str
    release: Pose
    touched: tuple[PieceId, ...]
    """Exactly the ladders that the ladder must touch, sorted."""
    turned_rad: float
    """The table's rotation when the ladder is taken."""
    seat: str
    """The camera's seat; a goal is played in one seat only."""
    hand: str


@dataclass(frozen=True)
class Table:
    """A tower at one size."""

    tower: int
    standing: int
    """The number of standing ladders, including the two starting ladders."""
    placed: tuple[tuple[PieceId, Pose], ...]
    """All but the starting ladders, in the order in which they were placed."""
    goals: tuple[Goal, ...] = ()


@dataclass(frozen=True)
class Tables:
    tables: tuple[Table, ...] = ()


def read_tables(path: Path = TABLES) -> Tables:
    """Return the tables in a file. Raises SettingsError if the file isn't valid."""
    return decode_json(
        Tables,
        path.read_bytes(),
        "fault.file.unreadable",
        remedy="Use the published file.",
        error=SettingsError,
        path=path.name,
    )


def list_cases(tables: Tables, standing: int) -> tuple[Case, ...]:
    """Return all goals on towers of this size, alternating between towers."""
    goals = [(table, goal) for table in tables.tables if table.standing == standing for goal in table.goals]
    goals.sort(key=lambda goal: (goal[0].goals.index(goal[1]), goal[0].tower))
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


#: Time at rest after which the die rolls automatically.
ROLL_AFTER_S = 0.25
#: Maximum time until a ladder lies in the lid, after the tower has come to rest.
LAYING_PATIENCE_S = 30.0


class PlacementTable:
    """A match, from the moment at which a ladder can be taken from the lid; must be closed."""

    def __init__(
        self,
        seed: int,
        seat: CameraSeat,
        case: Case | None = None,
        *,
        watches: bool = False,
        guidance: Guidance = Guidance.OFF,
    ) -> None:
        """Set up the table of ``seed`` or of a case, and roll its die; ``watches``: request a colour at every tick."""
        self.match = make_match(seed, seat, case, guidance=guidance)
        self._watches, self._guides = watches, guidance is not Guidance.OFF
        self.forecaster = LadderForecaster(self.match, real_time=False, guides=self._guides)
        """The source of the faint ladder's colour, in lock step because every machine must give the same result."""
        self.forecast: LadderForecast | None = None
        """The forecast for the held ladder; None unless ``watches``."""
        self.grips: tuple[GripIntent, ...] = ()
        """Grips of a device other than a hand, since the last tick."""
        self.time_s = 0.0
        self.verdict: Verdict | None = None
        while not (waiting := self._offered_pieces()):
            self.tick(self.time_s + TICK_S, None)
            assert self.time_s < LAYING_PATIENCE_S, "no ladder is offered"
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
        output = self.match.advance(Intake(time_s, 1, hands, commands, grips, places=places))
        self.verdict = self.verdict or next(iter(output.events_of(Verdict)), None)
        if self._watches:
            self.forecast = self.forecaster.update()

    def _offered_pieces(self) -> list[PieceId]:
        return [p.piece for p in self.facts.pieces if p.status is PieceStatus.OFFERED]


def make_match(
    seed: int,
    seat: CameraSeat,
    case: Case | None = None,
    *,
    air: AirRelease = AirRelease.WAITS,
    guidance: Guidance = Guidance.OFF,
    world: WorldFactory = LocalWorld,
) -> MoonMatch:
    setup = MoonSetup(
        seed=seed,
        edition=EDITION,
        players=PLAYERS,
        auto_roll_s=ROLL_AFTER_S,
        options=Options(handicaps=(Handicap(guidance=guidance),) * len(PLAYERS)),
    )
    turned_rad = 0.0
    if case is not None:
        turned_rad = case.turned_rad
        setup = replace(setup, seed=case.game_seed, slots=Slots(CONFIGURATION))
        if case.placed:
            state = case.state()
            places = {piece: pose.row for piece, pose in case.placed}
            start = Snapshot(state.turn, True, places, (), make_zero_counts(PLAYERS))
            setup = replace(setup, supply=state.supply, placed=state.placed, snapshots=(start,))
    return MoonMatch(make_setup(seat, __version__, air=air, turned_rad=turned_rad), setup, world)


def make_tower_case(size: int, seed: int) -> Case:
    free = [(piece, pose) for piece, pose, fixed in load_tower(size).standing if not fixed]
    return Case(seed, size, tuple(free))
