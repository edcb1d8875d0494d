"""The frozen tables of the placement benchmark, towers, and on each the places that are known to hold."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from armoon.codec import decode_json
from armoon.errors import SettingsError
from armoon.synthetic_camera.look import HANDS
from armoon.values.pieces import PieceId
from armoon.values.poses import Pose
from benchmarks.placement_parts.cases import Case

BuilderKind = Literal["flat", "climbing", "wild"]
SeatName = Literal["table", "mirror"]
GoalKind = Literal["flat", "edge", "leaning", "hooked"]
SEATS: tuple[SeatName, ...] = ("table", "mirror")
BUILDER_KINDS: tuple[BuilderKind, ...] = ("flat", "climbing", "wild")
GOAL_KINDS: tuple[GoalKind, ...] = ("flat", "leaning", "hooked", "edge")

TABLES = Path(__file__).parents[1] / "placement_tables.json"


@dataclass(frozen=True)
class Goal:
    """A ladder, a die, and a place where that ladder honours it; poses in the table frame."""

    seed: int
    """Of the game in which this ladder is drawn and this die falls."""
    piece: PieceId
    die: str
    """The face that is thrown."""
    kind: GoalKind
    release: Pose
    """Where the ladder is let go of,"""
    rest: Pose
    """and where it then comes to rest."""
    touched: tuple[PieceId, ...]
    """What it touches there, sorted: this alone counts as placed."""
    safety: float
    """The share of slips of 2 mm and 2 degrees that it forgives."""
    turned_rad: float
    """How far the table is turned when the ladder is taken."""
    seat: SeatName = "table"
    """Where the camera is: a goal is played in one seat only,"""
    hand: str = HANDS[0].name
    """and by one hand (``armoon.synthetic_camera.look.HANDS``)."""


@dataclass(frozen=True)
class Table:
    """A tower at one size."""

    tower: int
    builder: BuilderKind
    standing: int
    """How many ladders stand, the two starting ladders included."""
    placed: tuple[tuple[PieceId, Pose], ...]
    """Those besides the starting ladders, in the order in which they were laid."""
    goals: tuple[Goal, ...] = ()


@dataclass(frozen=True)
class Tables:
    """The file."""

    schema: str = "armoon-placement-tables/1"
    build: str = ""
    """Of the physics that made it: the same build makes the same bytes."""
    passed_over: int = 0
    """Goals wanted, 26 at each size, that the file lacks."""
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
    return tuple(
        Case(
            goal.seed,
            table.standing,
            table.placed,
            goal.release,
            goal.touched,
            goal.safety,
            goal.turned_rad,
            goal.seat,
            goal.hand,
            goal.kind,
            table.builder,
            table.tower,
            goal.die,
        )
        for table, goal in sorted(goals, key=lambda one: (one[0].goals.index(one[1]), one[0].tower))
    )
