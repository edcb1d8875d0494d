"""The frozen tables of the placement benchmark, version 1.2: towers, and on each the places that are known to hold."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from armoon.codec import decode_json
from armoon.errors import SettingsError
from armoon.geometry import quat_rotate
from armoon.synthetic_camera.look import HANDS
from armoon.values.pieces import PieceId
from armoon.values.places import PlaceKind
from armoon.values.poses import Pose
from benchmarks.placement_parts.cases import FLAT_RAD, Case

BuilderKind = Literal["flat", "climbing", "wild"]
SeatName = Literal["table", "mirror"]
GoalKind = Literal["flat", "edge", "leaning", "hooked"]
SEATS: tuple[SeatName, ...] = ("table", "mirror")
BUILDER_KINDS: tuple[BuilderKind, ...] = ("flat", "climbing", "wild")
GOAL_KINDS: tuple[GoalKind, ...] = ("flat", "leaning", "hooked", "edge")

#: From here on, in their millions, seeds are of goals that a later version added to an earlier one's.
ADDED = 200_000

TABLES_V1 = Path(__file__).with_name("tables_v1.2.json")
#: Of 1.1's bytes: all of its goals are in this one too, first and unchanged, so trials of them count for both.
SHA256_FIRST = "57ae5712ced0df588687e294f93066aa0ac39e42d36831b242d1159211cd57a9"
#: Of the file's bytes: another file is another benchmark, and gets another version.
SHA256_V1 = "d67746031ceecf237520da116282e3e482b29489bdb08e9f54ecb2a73f392cc0"
#: Of whose tables trials count.
COUNTING = (SHA256_FIRST, SHA256_V1)


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


def read_tables(path: Path = TABLES_V1) -> Tables:
    """Return the tables of a file. SettingsError where it isn't one."""
    return decode_json(
        Tables,
        path.read_bytes(),
        f"The tables in {path.name} can't be read",
        "Take the file as it was published.",
        error=SettingsError,
    )


def digest(path: Path = TABLES_V1) -> str:
    """Return the SHA-256 of a file, in hexadecimal."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def goals_of(tables: Iterable[Table]) -> list[tuple[Table, Goal]]:
    """Return all goals: one of every tower before the second of any, and what was added later after all others."""
    found = [(table, goal) for table in tables for goal in table.goals]
    return sorted(found, key=lambda one: (_is_added(one[1]), one[0].goals.index(one[1]), one[0].tower))


def _is_added(goal: Goal) -> bool:
    return goal.seed % 1_000_000 >= ADDED


def cases_of(tables: Tables, standing: int) -> tuple[Case, ...]:
    """Return all goals on towers of this size, in their order."""
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
        for table, goal in goals_of(t for t in tables.tables if t.standing == standing)
    )


def goal_kind(kind: PlaceKind, release: Pose) -> GoalKind:
    """Return a goal's kind: of ladders that lie, whether flat or on an edge."""
    if kind is PlaceKind.HOOK:
        return "hooked"
    if kind is PlaceKind.LEAN:
        return "leaning"
    through = quat_rotate(release.rotation, (0.0, 1.0, 0.0))
    return "flat" if abs(through[2]) >= math.cos(FLAT_RAD) else "edge"
