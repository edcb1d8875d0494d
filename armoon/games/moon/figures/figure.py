"""Figures as plain values: the shapes, which ladders make one, and how many each player has made; and their book.

The picture book has one structure for each printed figure, as physics left it. Its scenes are poses in a data file
beside this module, so showing them needs no physics.
"""

from __future__ import annotations

import enum
import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from armoon.geometry import vec3
from armoon.values.pieces import PieceId
from armoon.values.poses import Pose, Quat


class FigureKind(enum.Enum):
    """The eight printed shapes, and the fourth diagonal that the printed book warns of.

    The value names the texts: ``figure.<value>.name`` and ``figure.<value>.what``.
    """

    FOOT_HOOK = "foot_hook"
    CRAZY_DIAGONAL = "crazy_diagonal"
    SWING = "swing"
    SIN_OF_PRIDE = "sin_of_pride"
    BOLT = "bolt"
    CANDLE = "candle"
    TIGHTROPE_WALKER = "tightrope_walker"
    SHAMEFUL_SUPPORT = "shameful_support"
    FOURTH_DIAGONAL = "fourth_diagonal"
    """Not a shape of its own: one Crazy Diagonal more than the Sin of Pride."""

    @property
    def name_key(self) -> str:
        """The catalogue's key of the figure's name, as the referee calls it out."""
        return f"figure.{self.value}.name"


#: The eight shapes of the printed book, in its order.
PRINTED: tuple[FigureKind, ...] = tuple(kind for kind in FigureKind if kind is not FigureKind.FOURTH_DIAGONAL)


@dataclass(frozen=True)
class Figure:
    """A shape that the placed ladder makes."""

    kind: FigureKind
    piece: PieceId
    others: tuple[PieceId, ...]
    """The other ladders that it is made with, sorted."""


@dataclass(frozen=True)
class Figures:
    """The figures formed by one placed ladder; without any it is remembered as looked at."""

    turn: int
    player: int
    """Seat of who placed it."""
    piece: PieceId
    figures: tuple[Figure, ...]


def tally_of(made: Iterable[Figures], players: int) -> tuple[Counter[FigureKind], ...]:
    """Return for each seat how often its player has made each shape."""
    tally = tuple(Counter[FigureKind]() for _ in range(players))
    for one in made:
        tally[one.player].update(figure.kind for figure in one.figures)
    return tally


DATA = Path(__file__).with_name("book.json")


@dataclass(frozen=True)
class BookPage:
    """One figure's picture."""

    kind: FigureKind
    ladder_seed: int
    """Seed of the set that the ladders belong to."""
    standing: tuple[tuple[PieceId, Pose, bool], ...]
    """Name, pose at rest, and whether it is a starting ladder in its slot."""
    makers: tuple[PieceId, ...]
    """The ladders that make the figure, in the order in which they were placed: to be drawn in colour."""

    @property
    def figure(self) -> str:
        """The figure's word: its texts' names, and what is typed."""
        return self.kind.value


@cache
def pages() -> tuple[BookPage, ...]:
    """All pages, in the order of the printed book."""
    return tuple(_page(row) for row in json.loads(DATA.read_text(encoding="utf-8"))["pages"])


def _page(row: dict[str, Any]) -> BookPage:
    return BookPage(
        FigureKind(row["kind"]),
        int(row["ladder_seed"]),
        tuple(standing_row(standing) for standing in row["standing"]),
        tuple(row["makers"]),
    )


def standing_row(row: list[Any]) -> tuple[PieceId, Pose, bool]:
    """Name, position, rotation and whether it is fixed, as the data files write them in one list."""
    name, *numbers, fixed = row
    x, y, z, w = (float(number) for number in numbers[3:])
    # Made unit once, a rotation must not be rounded again.
    rotation: Quat = (x, y, z, w)
    return str(name), Pose(vec3(numbers[:3]), rotation), bool(fixed)
