"""The meaning of a grip at the lake: which floors it takes, and over which star it lets go.

One camera hardly measures depth: a grip means the piece on its line of sight.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from armoon.games.lake.rules.game import legal
from armoon.games.lake.rules.values import TOWER_FLOORS, Carry, Half, LakeState, Move, Stack
from armoon.games.lake.table import layout
from armoon.values.acts import Act
from armoon.values.pieces import Command, GripIntent
from armoon.values.poses import Vec3

#: A grip takes a stack whose axis its line of sight passes within this. Neighbours stand 28 mm apart; a grip in
#: the picture is good to 2 or 3 mm, a pinching hand's aim to a few more.
GRAB_REACH_M = 0.020
#: Seen from the side, a stack stands before its neighbour's edge: only its middle hides everything behind it.
COVERED_M = layout.DOME_RADIUS_M / 2.0
#: Legal landings, two at most, draw wider than other stars, which only serve to say why not.
LANDING_REACH_M = 0.030
OTHER_REACH_M = 0.018
SIGN_REACH_M = 0.045
#: Room over a stack for domes lowered onto it, and for the hand's aim.
DROP_ROOM_M = 2.0 * layout.FLOOR_M
#: The top dome's crown stands above its floor.
CROWN_M = 0.004
_LEVEL = 1e-9


@dataclass(frozen=True)
class Floor:
    """A floor of a stack on a star, both from 0."""

    star: int
    floor: int


@dataclass(frozen=True)
class Passing:
    """How a line of sight passes the vertical axis over a place on the table."""

    away_m: float
    """From the part of the axis that counts."""
    height_m: float
    """Over the table, where it is nearest to the whole axis."""
    along_m: float
    """From the grip on, away from the eye."""


def passing(grip: GripIntent, foot: Vec3, low_m: float, high_m: float) -> Passing:
    x, y, z = grip.pose.position
    u, v, w = grip.view_axis
    level = u * u + v * v
    if level < _LEVEL:  # straight from above, all heights are the same
        return Passing(math.hypot(x - foot[0], y - foot[1]), high_m, 0.0)
    along = ((foot[0] - x) * u + (foot[1] - y) * v) / level
    height = z + along * w
    if low_m <= height <= high_m:
        away = math.hypot(x + along * u - foot[0], y + along * v - foot[1])
    else:
        end = low_m if height < low_m else high_m
        dx, dy, dz = foot[0] - x, foot[1] - y, end - z
        nearest = dx * u + dy * v + dz * w
        away = math.dist((x + nearest * u, y + nearest * v, z + nearest * w), (foot[0], foot[1], end))
    return Passing(away, height, along)


def passing_floor(grip: GripIntent, floor: Floor) -> Passing:
    return passing(grip, layout.STAR_PLACES[floor.star], 0.0, (floor.floor + 1) * layout.FLOOR_M)


def passing_tower(grip: GripIntent, half: Half | None = None) -> Passing:
    return passing(grip, layout.TOWER_FOOT, layout.TOWER_FOOT[2], layout.tower_floor(TOWER_FLOORS)[2])


def place_at(grip: GripIntent, along_m: float) -> Vec3:
    (x, y, z), (u, v, w) = grip.pose.position, grip.view_axis
    return (x + along_m * u, y + along_m * v, z + along_m * w)


def floor_at(grip: GripIntent, stars: Sequence[Stack]) -> Floor | None:
    """Return the floor that the grip would take: of the nearest stack in its line of sight, else the closest to it."""
    found: list[tuple[int, float, Floor]] = []
    for star, stack in enumerate(stars):
        if not stack:
            continue
        top_m = len(stack) * layout.FLOOR_M
        seen = passing(grip, layout.STAR_PLACES[star], 0.0, top_m)
        if seen.away_m > GRAB_REACH_M:
            continue
        floor = Floor(star, min(len(stack) - 1, max(0, int(seen.height_m / layout.FLOOR_M))))
        covers = seen.away_m <= COVERED_M and 0.0 <= seen.height_m <= top_m + CROWN_M
        found.append((0, seen.along_m, floor) if covers else (1, seen.away_m, floor))
    return min(found, key=lambda row: row[:2])[2] if found else None


def star_under(
    grip: GripIntent, heights_m: Sequence[float], landings: Collection[int], *, others: bool
) -> int | None:
    """Return the star that floors are let go over: a legal landing first; any other only if ``others`` count."""

    def nearest(stars: Collection[int], reach_m: float) -> int | None:
        ways = {
            star: passing(grip, layout.STAR_PLACES[star], 0.0, heights_m[star] + DROP_ROOM_M).away_m
            for star in stars
        }
        star = min(ways, key=lambda s: (ways[s], s), default=None)
        return star if star is not None and ways[star] <= reach_m else None

    landing = nearest(sorted(landings), LANDING_REACH_M)
    if landing is not None or not others:
        return landing
    return nearest(range(len(layout.STAR_PLACES)), OTHER_REACH_M)


def half_at(grip: GripIntent) -> Half | None:
    low_m, high_m = layout.TOWER_FOOT[2], layout.tower_floor(TOWER_FLOORS)[2]
    seen = passing_tower(grip)
    if seen.away_m > GRAB_REACH_M:
        return None
    return Half.TOP if seen.height_m >= (low_m + high_m) / 2.0 else Half.BOTTOM


def sign_under(grip: GripIntent, count: int) -> int | None:
    ways = [
        passing(grip, layout.sign_place(number, count), 0.0, DROP_ROOM_M).away_m for number in range(count)
    ]
    number = min(range(count), key=lambda n: ways[n])
    return number if ways[number] <= SIGN_REACH_M else None


#: Keys, and by how many moves and by how many stars they go on.
STEPS = {Act.RIGHT: (1, 0), Act.LEFT: (-1, 0), Act.AWAY: (0, 1), Act.NEAR: (0, -1)}
SOURCE = "keys"


class MoveCursor:
    """Points at one legal move of a position, or at none until the first key."""

    def __init__(self) -> None:
        self._state: LakeState | None = None
        self._at: int | None = None

    def pointed(self, state: LakeState) -> Move | None:
        moves = self._moves(state)
        return None if self._at is None or not moves else moves[self._at]

    def forget(self) -> None:
        self._at = None

    def act(self, act: Act, state: LakeState) -> Command | None:
        moves = self._moves(state)
        if not moves:
            return None
        if act is Act.TAKE and self._at is not None:
            return Command(Act.CHOOSE, SOURCE, self._at)
        if act is Act.TAKE:
            self._at = 0
        if act in STEPS:
            step, stars = STEPS[act]
            if self._at is None:
                self._at = 0 if step + stars > 0 else len(moves) - 1
            elif step:
                self._at = (self._at + step) % len(moves)
            else:
                self._at = _other_star(moves, self._at, stars)
        return None

    def _moves(self, state: LakeState) -> tuple[Move, ...]:
        if state != self._state:
            self._state, self._at = state, None
        return legal(state)


def _other_star(moves: tuple[Move, ...], at: int, way: int) -> int:
    """Return the first move from the next star that has one, either way; where no stars are chosen, the next move."""
    here = moves[at]
    if not isinstance(here, Carry):
        return (at + way) % len(moves)
    stars = list(dict.fromkeys(move.star for move in moves if isinstance(move, Carry)))
    star = stars[(stars.index(here.star) + way) % len(stars)]
    return next(k for k, move in enumerate(moves) if isinstance(move, Carry) and move.star == star)
