"""The layout of the lake on the table, in the table frame, in metres; marks for the ways round it."""

from __future__ import annotations

import math

from armoon.games.lake.rules.aids import Landing
from armoon.games.lake.rules.values import STARS, TOWER_FLOORS
from armoon.games.lake.table.scene import DOME_RADIUS_M, FLOOR_M, SceneMark
from armoon.values.poses import Vec3

#: The lake's middle. It lies as far back as a hand in the picture needs: in both seats the nearest star then
#: stands above the hints at the lower edge, 640 pixels wide and more.
CENTRE_X_M, CENTRE_Y_M = 0.05, 0.10
#: Half of the ring's width and depth. Stars are set out along x, not along the shore: seen nearly level, stars at
#: equal ways round an ellipse would stand 7 px apart at its ends (640 px wide), less than a grip's noise.
HALF_WIDTH_M, HALF_DEPTH_M = 0.224, 0.165
#: How blunt the ring's ends are: 2 is an ellipse.
BLUNTNESS = 2.6
#: The water keeps clear of the domes by this.
SHORE_M = DOME_RADIUS_M + 0.006
SHORE_POINTS = 64
#: A tower that is to be split hovers over the middle of the lake.
TOWER_FOOT: Vec3 = (CENTRE_X_M, CENTRE_Y_M, 0.085)
#: The two halves float this far apart, so that either can be gripped.
HALVES_GAP_M = 0.010
#: The signs of those who may get a half lie on the water.
SIGN_STEP_M, SIGN_Y_M, SIGN_SCALE = 0.10, CENTRE_Y_M - 0.045, 0.8
#: What players hold stands behind the lake, smaller.
HELD_Y_M, HELD_SCALE, HELD_STEP_M, HELD_ROW_M = CENTRE_Y_M + HALF_DEPTH_M + 0.045, 0.75, 0.0205, 0.026
HELD_A_ROW = 5

#: Floors of a half of a tower.
HALF_FLOORS = TOWER_FLOORS // 2

_ROW = STARS // 2


def star_place(star: int) -> Vec3:
    """Return a star on the table.

    They are numbered clockwise from above: along the far shore from left to right, and back along the near one.
    """
    far = star < _ROW
    step = star if far else STARS - 1 - star
    across = (step + 0.5) / _ROW * 2.0 - 1.0
    depth = (1.0 - abs(across) ** BLUNTNESS) ** (1.0 / BLUNTNESS)
    y = HALF_DEPTH_M * depth * (1.0 if far else -1.0)
    return (CENTRE_X_M + HALF_WIDTH_M * across, CENTRE_Y_M + y, 0.0)


#: All stars, by their number.
STAR_PLACES = tuple(star_place(star) for star in range(STARS))


def stack_top(star: int, floors: int) -> Vec3:
    """Height of the next dome's rim above a star, by the floors below it."""
    x, y, _ = STAR_PLACES[star]
    return (x, y, floors * FLOOR_M)


def shore() -> tuple[Vec3, ...]:
    """Return the water's outline, counter-clockwise from above."""
    points = []
    for k in range(SHORE_POINTS):
        turn = 2.0 * math.pi * k / SHORE_POINTS
        c, s = math.cos(turn), math.sin(turn)
        x = math.copysign(abs(c) ** (2.0 / BLUNTNESS), c) * (HALF_WIDTH_M - SHORE_M)
        y = math.copysign(abs(s) ** (2.0 / BLUNTNESS), s) * (HALF_DEPTH_M - SHORE_M)
        points.append((CENTRE_X_M + x, CENTRE_Y_M + y, 0.0))
    return tuple(points)


def tower_floor(floor: int) -> Vec3:
    """Return the rim of a floor of the tower that is to be split; its halves float apart."""
    x, y, z = TOWER_FOOT
    gap = HALVES_GAP_M if floor >= HALF_FLOORS else 0.0
    return (x, y, z + floor * FLOOR_M + gap)


def sign_place(number: int, count: int) -> Vec3:
    """Return the place of the n-th sign, from the left, of the players who may get a half."""
    return (CENTRE_X_M + (number - (count - 1) / 2.0) * SIGN_STEP_M, SIGN_Y_M, 0.0)


def held_place(seat: int, seats: int, number: int) -> Vec3:
    """Return the rim of the lowest floor of a player's tower or half of one, behind the lake."""
    width = 2.0 * HALF_WIDTH_M / seats
    left = CENTRE_X_M - HALF_WIDTH_M + width * (seat + 0.5) - HELD_STEP_M * (HELD_A_ROW - 1) / 2.0
    row, column = divmod(number, HELD_A_ROW)
    return (left + column * HELD_STEP_M, HELD_Y_M + row * HELD_ROW_M, 0.0)


#: Chevrons lie on the water, this far from the ring.
INLAND_M = 0.029
STAR_M = DOME_RADIUS_M + 0.003
TARGET_M = DOME_RADIUS_M + 0.013
CHEVRON_M = 0.012

#: A star under every place.
STAR_MARKS = tuple(SceneMark("star", place, STAR_M) for place in STAR_PLACES)


def way_marks(found: Landing) -> tuple[SceneMark, ...]:
    """Chevrons from the star that is left to the landing, rings round what is counted."""
    way = found.carry.direction.value
    marks = [SceneMark("counted", STAR_PLACES[star], STAR_M, 0.0, way) for star in found.way[:-1]]
    marks.append(SceneMark("target", STAR_PLACES[found.star], TARGET_M, 0.0, way))
    star = found.carry.star
    while star != found.star:
        after = (star + way) % STARS
        marks.append(_chevron(STAR_PLACES[star], STAR_PLACES[after], way))
        star = after
    return tuple(marks)


def _chevron(a: Vec3, b: Vec3, way: int) -> SceneMark:
    """Between two neighbouring stars, on the lake's side: going clockwise, that is on the right."""
    x, y = b[0] - a[0], b[1] - a[1]
    length = math.hypot(x, y)
    aside = way * INLAND_M / length
    place = ((a[0] + b[0]) / 2.0 + y * aside, (a[1] + b[1]) / 2.0 - x * aside, 0.0)
    return SceneMark("chevron", place, CHEVRON_M, math.atan2(y, x), way)
