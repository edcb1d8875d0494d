"""The picture book: one structure for each printed figure, as physics left it, drawn beside name and sentence.

The scenes are poses in a data file beside this module, so showing them needs no physics. They were made and checked
by ``benchmarks.figure_parts.kept``, which can rebuild the file from the seeds stored in it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from armoon.games.moon.figures.figure import FigureKind
from armoon.geometry import vec3
from armoon.values.pieces import PieceId
from armoon.values.poses import Pose, Quat

DATA = Path(__file__).with_name("book.json")


@dataclass(frozen=True)
class BookPage:
    """One figure's picture."""

    kind: FigureKind
    ladder_seed: int
    """Of the set that the ladders belong to."""
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
