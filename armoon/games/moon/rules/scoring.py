"""Scoring of the co-operative and solo game: points above the line, the achievement chart (C2, C3, C6)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

#: Ruling C2.
POINTS_PARTLY = 1
POINTS_WHOLLY = 3


@dataclass(frozen=True)
class Extent:
    """How far down and up a ladder reaches."""

    piece: str
    lowest_m: float
    highest_m: float


def points(extent: Extent, line_m: float) -> int:
    """3 for a ladder wholly above the line, 1 for one with a point above it, else 0; on it is not above."""
    if extent.lowest_m > line_m:
        return POINTS_WHOLLY
    return POINTS_PARTLY if extent.highest_m > line_m else 0


def score(extents: Iterable[Extent], line_m: float) -> tuple[tuple[str, int], ...]:
    """Return the points of each ladder, those with none left out."""
    scored = ((extent.piece, points(extent, line_m)) for extent in extents)
    return tuple((piece, worth) for piece, worth in scored if worth)


@dataclass(frozen=True)
class Rank:
    """One line of the achievement chart."""

    least: int
    key: str
    """Message key of its name."""


#: Our own chart (ruling C6); "touch the moon" at 4 points is the one entry known from the printed one.
CHART: tuple[Rank, ...] = (
    Rank(0, "rank.feet_on_the_ground"),
    Rank(1, "rank.head_in_the_clouds"),
    Rank(2, "rank.on_tiptoe"),
    Rank(4, "rank.touch_the_moon"),
    Rank(7, "rank.sit_on_the_moon"),
    Rank(11, "rank.dance_on_the_moon"),
    Rank(16, "rank.moon_gardener"),
    Rank(22, "rank.neighbour_of_the_stars"),
)


def rank(result: int) -> Rank:
    """Return the highest rank that a result reaches."""
    return max((line for line in CHART if line.least <= result), key=lambda line: line.least)
