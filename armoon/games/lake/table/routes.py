"""Marks for the ways round the lake: stars, counted ones, landings and chevrons between them."""

from __future__ import annotations

import math

from armoon.games.lake.rules.aids import Landing
from armoon.games.lake.rules.values import STARS
from armoon.games.lake.table.layout import STAR_PLACES
from armoon.games.lake.table.scene import DOME_RADIUS_M, SceneMark
from armoon.values.poses import Vec3

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
