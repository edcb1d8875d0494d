"""Dome-pawns on their way through the air: animation only, since the rules are done by then."""

from __future__ import annotations

import math
from dataclasses import dataclass

from armoon.games.lake.rules.moves import Carry, Split
from armoon.games.lake.rules.ring import landing
from armoon.games.lake.rules.state import State
from armoon.games.lake.rules.values import TOWER_FLOORS, Half, Phase, Stack
from armoon.games.lake.table.layout import (
    HALF_FLOORS,
    HELD_SCALE,
    TOWER_FOOT,
    held_place,
    stack_top,
    tower_floor,
)
from armoon.games.lake.table.scene import FLOOR_M
from armoon.values.poses import Vec3

#: Half a second: long enough for eyes to follow, too short to wait for.
FLIGHT_TICKS = 30
#: Flights rise over the straight line by this share of its length.
ARC = 0.22


@dataclass(frozen=True)
class OnStar:
    """The upper floors of the stack on a star."""

    star: int
    floors: int


@dataclass(frozen=True)
class InTower:
    """Floors of the tower that is to be split, from ``low`` on."""

    low: int
    floors: int


@dataclass(frozen=True)
class Owned:
    """Something that a player holds, by its number."""

    seat: int
    number: int


Goal = OnStar | InTower | Owned


@dataclass(frozen=True)
class Flight:
    """A stack in the air; where it is going to, it isn't shown before."""

    stack: Stack
    start: Vec3
    """The rim of its lowest floor."""
    end: Vec3
    goal: Goal
    begin_tick: int
    waiting: int = -1
    """How many of its floors are shown until it begins, from the lowest; -1 for all."""
    end_scale: float = 1.0

    @property
    def end_tick(self) -> int:
        """When it is over."""
        return self.begin_tick + FLIGHT_TICKS

    def at(self, tick: int, fraction: float) -> tuple[Vec3, float, int]:
        """Its lowest rim, its scale and how many floors are to be seen, this far from the tick before."""
        part = min(1.0, max(0.0, (tick - 1 + fraction - self.begin_tick) / FLIGHT_TICKS))
        part = part * part * (3.0 - 2.0 * part)
        x, y, z = (a + (b - a) * part for a, b in zip(self.start, self.end, strict=True))
        rise = ARC * math.dist(self.start, self.end) * 4.0 * part * (1.0 - part)
        seen = len(self.stack) if tick >= self.begin_tick or self.waiting < 0 else self.waiting
        return (x, y, z + rise), 1.0 + (self.end_scale - 1.0) * part, seen


def flights_of_carry(before: State, move: Carry, after: State, start: Vec3, tick: int) -> tuple[Flight, ...]:
    """Return a carry's flights: the lifted floors from ``start``, then a tower that they complete."""
    target = landing(before.stars, move.star, move.direction)
    assert target is not None  # the move was legal
    lifted, below = before.stars[move.star][-move.floors :], before.stars[target]
    top = stack_top(target, len(below))
    if after.stars[target]:
        return (Flight(lifted, start, top, OnStar(target, move.floors), tick),)
    tower = below + lifted
    goal: Goal = InTower(0, TOWER_FLOORS)
    end, scale = TOWER_FOOT, 1.0
    if after.phase is not Phase.SPLIT:
        seat, seats = before.player, len(before.players)
        number = len(after.held[seat]) - 1
        goal, end, scale = Owned(seat, number), held_place(seat, seats, number), HELD_SCALE
    rises = tick + FLIGHT_TICKS
    return (
        Flight(lifted, start, top, OnStar(target, 0), tick),
        Flight(tower, stack_top(target, 0), end, goal, rises, waiting=len(below), end_scale=scale),
    )


def flights_of_split(before: State, move: Split, starts: tuple[Vec3, Vec3], tick: int) -> tuple[Flight, ...]:
    """Both halves to those who get them; ``starts`` are the bottom half's rim and the top half's."""
    flights = []
    for half, seat in ((move.keep, before.player), (move.keep.other, move.heir)):
        low = HALF_FLOORS if half is Half.TOP else 0
        number = len(before.held[seat])
        end = held_place(seat, len(before.players), number)
        start = starts[1 if low else 0]
        goal = Owned(seat, number)
        flights.append(Flight(half.of(before.tower), start, end, goal, tick, end_scale=HELD_SCALE))
    return tuple(flights)


def half_foot(low: int) -> Vec3:
    """Return the rim of the half of the hovering tower that begins with this floor."""
    return tower_floor(low)


def floor_middle(foot: Vec3) -> Vec3:
    """Where a grip takes the floor whose rim this is."""
    return (foot[0], foot[1], foot[2] + FLOOR_M / 2.0)
