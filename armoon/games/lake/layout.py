"""Positions of the lake's stars, domes and marks on the table, and the targets of grips and keys."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cache

from armoon.games.lake import rules
from armoon.geometry import pose_apply, smooth_step
from armoon.messages import text
from armoon.values.acts import Act
from armoon.values.choices import Palette
from armoon.values.look import PALETTES, rgb
from armoon.values.pieces import Command, GripIntent
from armoon.values.poses import Pose, Vec3
from armoon.values.scene import BoardBody, BoardScene

#: Radius of a dome-pawn, and height of a floor of a stack: small enough that 16 domes stand side by side on each shore
#: of a lake within arm's reach.
DOME_RADIUS_M = 0.0125
FLOOR_M = 0.014
#: The pawns' colours on screen (display colours).
SWATCHES: dict[str, Vec3] = {
    name: rgb(code)
    for name, code in zip(
        ("amber", "jade", "ruby", "sapphire"), PALETTES[Palette.USUAL]["pieces"], strict=True
    )
}


@dataclass(frozen=True)
class SceneDome:
    """A dome-pawn in the picture."""

    foot: Vec3
    """Centre of the rim, metres in the table frame."""
    colour: str
    """``"amber"``, ``"jade"``, ``"ruby"`` or ``"sapphire"``."""
    strength: int
    """1 to 4: number of lobes, points and knobs."""
    star: int | None = None
    """The star below it, 0 to 31; None in the air, in a player's towers and on a sign."""
    floor: int = 0
    """Its floor in the stack, from 0."""
    look: str = "plain"
    """``"plain"``, ``"liftable"``, ``"hover"``, ``"held"``, ``"target"`` or ``"refused"``."""
    scale: float = 1.0


@dataclass(frozen=True)
class SceneMark:
    """A flat mark on the table."""

    kind: str
    """``"star"``, ``"target"``, ``"counted"``, ``"chevron"`` or ``"sign"``."""
    place: Vec3
    size_m: float
    """Half of the mark's width."""
    heading: float = 0.0
    """Rotation about z, radians."""
    direction: int = 0
    """1 for clockwise, -1 for counter-clockwise, 0 for neither."""


@dataclass(frozen=True)
class LakeScene(BoardScene):
    """The lake and everything on and around it."""

    shore: tuple[Vec3, ...]
    """Outline of the water, counter-clockwise seen from above."""
    stars: tuple[Vec3, ...]
    domes: tuple[SceneDome, ...]
    """Domes on stars, in players' towers and on signs."""
    moving: tuple[SceneDome, ...] = ()
    """Domes in the air: held, flying, or in a tower to be split."""
    marks: tuple[SceneMark, ...] = ()
    signs: tuple[tuple[int, Vec3], ...] = ()
    """Seats that a half can be given to, with the positions of their signs; empty unless a tower is being split."""

    def list_bodies(self) -> tuple[BoardBody, ...]:
        stacks = {star: [dome for dome in self.domes if dome.star == star] for star in range(len(self.stars))}
        bodies = [
            BoardBody(
                f"star {star}",
                text("reader.stack", star=star + 1, pawns=_describe_stack(stack)),
                _list_corners(stack),
            )
            for star, stack in stacks.items()
            if stack
        ]
        if self.moving:
            pawns = text("reader.lifted", pawns=_describe_stack(self.moving))
            bodies.append(BoardBody("lifted", pawns, _list_corners(self.moving)))
        return tuple(bodies)

    def turn_board(self, home_from_table: Pose) -> LakeScene:
        def rotate(place: Vec3) -> Vec3:
            return pose_apply(home_from_table, place)

        def turn_domes(domes: tuple[SceneDome, ...]) -> tuple[SceneDome, ...]:
            return tuple(replace(dome, foot=rotate(dome.foot)) for dome in domes)

        _, _, z, w = home_from_table.rotation
        turn_rad = 2.0 * math.atan2(z, w)
        return replace(
            self,
            shore=tuple(map(rotate, self.shore)),
            stars=tuple(map(rotate, self.stars)),
            domes=turn_domes(self.domes),
            moving=turn_domes(self.moving),
            marks=tuple(
                replace(mark, place=rotate(mark.place), heading=mark.heading + turn_rad)
                for mark in self.marks
            ),
            signs=tuple((seat, rotate(place)) for seat, place in self.signs),
        )


def _describe_stack(stack: Sequence[SceneDome]) -> str:
    return ", ".join(
        text("lake.pawn", colour=text(f"lake.colour.{dome.colour}"), strength=dome.strength)
        for dome in sorted(stack, key=lambda dome: -dome.foot[2])
    )


def _list_corners(stack: Sequence[SceneDome]) -> tuple[Vec3, ...]:
    return tuple(
        (x + DOME_RADIUS_M * right, y + DOME_RADIUS_M * back, z + FLOOR_M * up)
        for x, y, z in (dome.foot for dome in stack)
        for right in (-1.0, 1.0)
        for back in (-1.0, 1.0)
        for up in (0.0, 1.0)
    )


#: The lake's centre: far enough back for the nearest star to appear above the hints at the bottom of the picture, with
#: both camera seats and in pictures at least 640 pixels wide.
CENTRE_X_M, CENTRE_Y_M = 0.05, 0.10
#: Half of the ring's width and depth. Stars are spaced evenly in x: with equal distances along the shore, those at the
#: left and right ends would be only 7 px apart in a picture 640 px wide, less than a grip's noise.
HALF_WIDTH_M, HALF_DEPTH_M = 0.224, 0.165
#: Superellipse exponent of the ring: 2 is an ellipse.
BLUNTNESS = 2.6
#: Distance from the ring of stars inwards to the water's edge.
SHORE_M = DOME_RADIUS_M + 0.006
SHORE_POINTS = 64
#: Foot of a tower that must be split, over the centre of the lake.
TOWER_FOOT: Vec3 = (CENTRE_X_M, CENTRE_Y_M, 0.085)
#: Gap between the tower's halves, which lets a hand grip either.
HALVES_GAP_M = 0.010
#: Signs on the water for the players who can get a half: their spacing, y and scale.
SIGN_STEP_M, SIGN_Y_M, SIGN_SCALE = 0.10, CENTRE_Y_M - 0.045, 0.8
#: Players' towers, behind the lake: y of the first row, scale, spacing within a row, and spacing of rows.
HELD_Y_M, HELD_SCALE, HELD_STEP_M, HELD_ROW_M = CENTRE_Y_M + HALF_DEPTH_M + 0.045, 0.75, 0.0205, 0.026
HELD_PER_ROW = 5

#: Floors in half a tower.
HALF_FLOORS = rules.TOWER_FLOORS // 2

_STARS_PER_SHORE = rules.STARS // 2


def locate_star(star: int) -> Vec3:
    """Return a star's position. Numbers run clockwise seen from above, starting at the left end of the far shore."""
    is_far = star < _STARS_PER_SHORE
    step = star if is_far else rules.STARS - 1 - star
    across = (step + 0.5) / _STARS_PER_SHORE * 2.0 - 1.0
    depth = (1.0 - abs(across) ** BLUNTNESS) ** (1.0 / BLUNTNESS)
    y = HALF_DEPTH_M * depth * (1.0 if is_far else -1.0)
    return (CENTRE_X_M + HALF_WIDTH_M * across, CENTRE_Y_M + y, 0.0)


#: All star positions, by number.
STAR_PLACES = tuple(locate_star(star) for star in range(rules.STARS))


@cache
def locate_stack_top(star: int, floors: int) -> Vec3:
    x, y, _ = STAR_PLACES[star]
    return (x, y, floors * FLOOR_M)


def build_shore() -> tuple[Vec3, ...]:
    points = []
    for k in range(SHORE_POINTS):
        angle = 2.0 * math.pi * k / SHORE_POINTS
        c, s = math.cos(angle), math.sin(angle)
        x = math.copysign(abs(c) ** (2.0 / BLUNTNESS), c) * (HALF_WIDTH_M - SHORE_M)
        y = math.copysign(abs(s) ** (2.0 / BLUNTNESS), s) * (HALF_DEPTH_M - SHORE_M)
        points.append((CENTRE_X_M + x, CENTRE_Y_M + y, 0.0))
    return tuple(points)


def locate_tower_floor(floor: int) -> Vec3:
    """Return the rim's centre for a floor of the tower to be split, with the gap between the halves."""
    x, y, z = TOWER_FOOT
    gap = HALVES_GAP_M if floor >= HALF_FLOORS else 0.0
    return (x, y, z + floor * FLOOR_M + gap)


def locate_sign(number: int, count: int) -> Vec3:
    return (CENTRE_X_M + (number - (count - 1) / 2.0) * SIGN_STEP_M, SIGN_Y_M, 0.0)


def locate_held_tower(seat: int, seats: int, number: int) -> Vec3:
    width = 2.0 * HALF_WIDTH_M / seats
    left = CENTRE_X_M - HALF_WIDTH_M + width * (seat + 0.5) - HELD_STEP_M * (HELD_PER_ROW - 1) / 2.0
    row, column = divmod(number, HELD_PER_ROW)
    return (left + column * HELD_STEP_M, HELD_Y_M + row * HELD_ROW_M, 0.0)


#: Distance from the ring inwards to the chevrons, and half-widths of the marks.
INLAND_M = 0.029
STAR_M = DOME_RADIUS_M + 0.003
TARGET_M = DOME_RADIUS_M + 0.013
CHEVRON_M = 0.012

STAR_MARKS = tuple(SceneMark("star", place, STAR_M) for place in STAR_PLACES)


def mark_path(carry: rules.Carry, counted: Sequence[int]) -> tuple[SceneMark, ...]:
    """Return the marks from a carry's star to its target, the last of the ``counted`` stars."""
    step, target = carry.direction.step, counted[-1]
    marks = [SceneMark("counted", STAR_PLACES[star], STAR_M, 0.0, step) for star in counted[:-1]]
    marks.append(SceneMark("target", STAR_PLACES[target], TARGET_M, 0.0, step))
    star = carry.star
    while star != target:
        next_star = (star + step) % rules.STARS
        marks.append(_build_chevron(STAR_PLACES[star], STAR_PLACES[next_star], step))
        star = next_star
    return tuple(marks)


def _build_chevron(start: Vec3, end: Vec3, direction: int) -> SceneMark:
    x, y = end[0] - start[0], end[1] - start[1]
    inland = direction * INLAND_M / math.hypot(x, y)
    place = ((start[0] + end[0]) / 2.0 + y * inland, (start[1] + end[1]) / 2.0 - x * inland, 0.0)
    return SceneMark("chevron", place, CHEVRON_M, math.atan2(y, x), direction)


#: Duration of a flight, in ticks of 1/60 s: long enough to follow with the eyes, and short enough to wait for.
FLIGHT_TICKS = 30
#: Height of a flight's arc above the straight line, relative to the line's length.
ARC_HEIGHT = 0.22


@dataclass(frozen=True)
class Flight:
    """A flying stack; its domes are hidden at the destination (a star, the tower or a player) until it arrives."""

    stack: rules.Stack
    start: Vec3
    """Centre of the lowest rim."""
    end: Vec3
    begin_tick: int
    waiting: int = -1
    """Number of floors visible before the flight begins, from the lowest; -1: all."""
    end_scale: float = 1.0
    to_star: tuple[int, int] | None = None
    """Star, and number of floors that the flight adds to its stack."""
    to_tower: tuple[int, int] | None = None
    """Lowest floor in the tower to be split, and number of floors."""
    to_seat: tuple[int, int] | None = None
    """Player who gets the stack, and its index among that player's stacks."""

    @property
    def end_tick(self) -> int:
        return self.begin_tick + FLIGHT_TICKS

    def sample(self, tick: int, fraction: float) -> tuple[Vec3, float, int]:
        """Return the lowest rim's centre, scale and visible floors, interpolated between the last tick and ``tick``."""
        progress = smooth_step((tick - 1 + fraction - self.begin_tick) / FLIGHT_TICKS)
        x, y, z = (a + (b - a) * progress for a, b in zip(self.start, self.end, strict=True))
        rise = ARC_HEIGHT * math.dist(self.start, self.end) * 4.0 * progress * (1.0 - progress)
        visible = len(self.stack) if tick >= self.begin_tick or self.waiting < 0 else self.waiting
        return (x, y, z + rise), 1.0 + (self.end_scale - 1.0) * progress, visible


def plan_carry_flights(
    before: rules.LakeState, move: rules.Carry, after: rules.LakeState, start: Vec3, tick: int
) -> tuple[Flight, ...]:
    target = rules.find_landing(before.stars, move.star, move.direction)
    assert target is not None  # the move was legal
    lifted, below = before.stars[move.star][-move.floors :], before.stars[target]
    top = locate_stack_top(target, len(below))
    if after.stars[target]:
        return (Flight(lifted, start, top, tick, to_star=(target, move.floors)),)
    tower = below + lifted
    rise = Flight(tower, locate_stack_top(target, 0), TOWER_FOOT, tick + FLIGHT_TICKS, waiting=len(below))
    if after.phase is rules.LakePhase.SPLIT:
        rise = replace(rise, to_tower=(0, rules.TOWER_FLOORS))
    else:
        seat, seats = before.player, len(before.players)
        number = len(after.held[seat]) - 1
        end = locate_held_tower(seat, seats, number)
        rise = replace(rise, end=end, to_seat=(seat, number), end_scale=HELD_SCALE)
    return (Flight(lifted, start, top, tick, to_star=(target, 0)), rise)


def plan_split_flights(
    before: rules.LakeState, move: rules.Split, starts: tuple[Vec3, Vec3], tick: int
) -> tuple[Flight, ...]:
    """Return the flights of both halves; ``starts`` are the lowest rims of the bottom half and the top half."""
    flights = []
    for half, seat in ((move.keep, before.player), (move.keep.other, move.heir)):
        number = len(before.held[seat])
        end = locate_held_tower(seat, len(before.players), number)
        flight = Flight(half.cut(before.tower), starts[half is rules.Half.TOP], end, tick)
        flights.append(replace(flight, end_scale=HELD_SCALE, to_seat=(seat, number)))
    return tuple(flights)


def find_floor_middle(foot: Vec3) -> Vec3:
    return (foot[0], foot[1], foot[2] + FLOOR_M / 2.0)


#: Maximum distance between a stack's axis and the line of sight of a grip that takes it. Stacks stand 28 mm apart; a
#: grip is measured to within 2 or 3 mm, and people aim a pinch a few millimetres less precisely.
GRAB_REACH_M = 0.020
#: Maximum distance between a line of sight and a stack's axis at which the stack hides those behind it.
HIDING_RADIUS_M = DOME_RADIUS_M / 2.0
#: Maximum distances from a release to one of the two legal landings, to another star (which refuses it with a reason),
#: and to a player's sign.
LANDING_REACH_M = 0.030
OTHER_REACH_M = 0.018
SIGN_REACH_M = 0.045
#: Maximum height of a release above a stack: the lowered domes, and some room for inaccurate aim.
DROP_ROOM_M = 2.0 * FLOOR_M
#: Height of the top dome's crown above its floor.
CROWN_M = 0.004
_MIN_HORIZONTAL = 1e-9


@dataclass(frozen=True)
class Floor:
    """A floor of a stack on a star, both from 0."""

    star: int
    floor: int


#: Nearest approach of a grip's line of sight to a vertical axis, in metres: distance from a section of the axis; height
#: at which the line is nearest to the whole axis; distance from the grip to that point, away from the eye.
Approach = tuple[float, float, float]


def measure_approach(grip: GripIntent, foot: Vec3, low_m: float, high_m: float) -> Approach:
    x, y, z = grip.pose.position
    u, v, w = grip.view_axis
    horizontal = u * u + v * v
    if horizontal < _MIN_HORIZONTAL:  # seen straight from above, every height is equally near
        return math.hypot(x - foot[0], y - foot[1]), high_m, 0.0
    along_m = ((foot[0] - x) * u + (foot[1] - y) * v) / horizontal
    height_m = z + along_m * w
    if low_m <= height_m <= high_m:
        distance_m = math.hypot(x + along_m * u - foot[0], y + along_m * v - foot[1])
    else:
        end = low_m if height_m < low_m else high_m
        dx, dy, dz = foot[0] - x, foot[1] - y, end - z
        depth_m = dx * u + dy * v + dz * w
        distance_m = math.dist((x + depth_m * u, y + depth_m * v, z + depth_m * w), (foot[0], foot[1], end))
    return distance_m, height_m, along_m


def measure_floor_approach(grip: GripIntent, floor: Floor) -> Approach:
    return measure_approach(grip, STAR_PLACES[floor.star], 0.0, (floor.floor + 1) * FLOOR_M)


def measure_tower_approach(grip: GripIntent, half: rules.Half | None = None) -> Approach:
    return measure_approach(grip, TOWER_FOOT, TOWER_FOOT[2], locate_tower_floor(rules.TOWER_FLOORS)[2])


def move_along_view(grip: GripIntent, along_m: float) -> Vec3:
    (x, y, z), (u, v, w) = grip.pose.position, grip.view_axis
    return (x + along_m * u, y + along_m * v, z + along_m * w)


def find_floor(grip: GripIntent, stars: Sequence[rules.Stack]) -> Floor | None:
    """Return the floor that the grip would take, from the first stack on its line of sight or the nearest beside it."""
    candidates: list[tuple[int, float, Floor]] = []
    for star, stack in enumerate(stars):
        if not stack:
            continue
        top_m = len(stack) * FLOOR_M
        away_m, height_m, along_m = measure_approach(grip, STAR_PLACES[star], 0.0, top_m)
        if away_m > GRAB_REACH_M:
            continue
        floor = Floor(star, min(len(stack) - 1, max(0, int(height_m / FLOOR_M))))
        is_hit = away_m <= HIDING_RADIUS_M and 0.0 <= height_m <= top_m + CROWN_M
        candidates.append((0, along_m, floor) if is_hit else (1, away_m, floor))
    return min(candidates, key=lambda row: row[:2])[2] if candidates else None


def find_star_below(
    grip: GripIntent, heights_m: Sequence[float], landings: Collection[int], *, any_star: bool
) -> int | None:
    """Return the star below a release: a legal landing in reach; failing that, with ``any_star``, any star in reach."""

    def find_nearest(stars: Collection[int], reach_m: float) -> int | None:
        distances_m = {
            star: measure_approach(grip, STAR_PLACES[star], 0.0, heights_m[star] + DROP_ROOM_M)[0]
            for star in stars
        }
        star = min(distances_m, key=lambda s: (distances_m[s], s), default=None)
        return star if star is not None and distances_m[star] <= reach_m else None

    landing = find_nearest(sorted(landings), LANDING_REACH_M)
    if landing is not None or not any_star:
        return landing
    return find_nearest(range(len(STAR_PLACES)), OTHER_REACH_M)


def find_half(grip: GripIntent) -> rules.Half | None:
    low_m, high_m = TOWER_FOOT[2], locate_tower_floor(rules.TOWER_FLOORS)[2]
    away_m, height_m, _ = measure_tower_approach(grip)
    if away_m > GRAB_REACH_M:
        return None
    return rules.Half.TOP if height_m >= (low_m + high_m) / 2.0 else rules.Half.BOTTOM


def find_sign_below(grip: GripIntent, count: int) -> int | None:
    distances_m = [measure_approach(grip, locate_sign(k, count), 0.0, DROP_ROOM_M)[0] for k in range(count)]
    number = min(range(count), key=lambda k: distances_m[k])
    return number if distances_m[number] <= SIGN_REACH_M else None


#: Moves and stars by which each act advances the cursor.
STEPS = {Act.RIGHT: (1, 0), Act.LEFT: (-1, 0), Act.AWAY: (0, 1), Act.NEAR: (0, -1)}
SOURCE = "keys"


class MoveCursor:
    """A cursor in the list of legal moves; it points at no move until the first key press."""

    def __init__(self) -> None:
        self._state: rules.LakeState | None = None
        self._index: int | None = None

    def find_move(self, state: rules.LakeState) -> rules.Move | None:
        self._reset_on_change(state)
        return None if self._index is None else rules.legal_moves(state)[self._index]

    def reset(self) -> None:
        self._index = None

    def handle_act(self, act: Act, state: rules.LakeState) -> Command | None:
        self._reset_on_change(state)
        moves = rules.legal_moves(state)
        if not moves:
            return None
        if act is Act.TAKE and self._index is not None:
            return Command(Act.CHOOSE, SOURCE, self._index)
        if act is Act.TAKE:
            self._index = 0
        if act in STEPS:
            step, stars = STEPS[act]
            if self._index is None:
                self._index = 0 if step + stars > 0 else len(moves) - 1
            elif step:
                self._index = (self._index + step) % len(moves)
            else:
                self._index = _find_other_star(moves, self._index, stars)
        return None

    def _reset_on_change(self, state: rules.LakeState) -> None:
        if state != self._state:
            self._state, self._index = state, None


def _find_other_star(moves: tuple[rules.Move, ...], index: int, step: int) -> int:
    """Return the index of the first carry from the next star in this direction; for other moves, of the next move."""
    current = moves[index]
    if not isinstance(current, rules.Carry):
        return (index + step) % len(moves)
    stars = list(dict.fromkeys(move.star for move in moves if isinstance(move, rules.Carry)))
    star = stars[(stars.index(current.star) + step) % len(stars)]
    return next(k for k, move in enumerate(moves) if isinstance(move, rules.Carry) and move.star == star)
