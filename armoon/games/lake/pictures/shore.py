"""A small picture of the lake: a ring of stars with stacks of domes, seen from the side, a little from above."""

from __future__ import annotations

import math
from collections.abc import Mapping

from armoon.games.lake.table.scene import SWATCHES
from armoon.games.shared.glyphs import GOLD, INK, IVORY, faded
from armoon.values.drawing import Mark, Rgba, Shape, Sign, Stroke
from armoon.values.poses import Vec2

#: Number of stars that are enough to show what the thirty-two are for.
STARS = 10
MIDDLE: Vec2 = (0.667, 0.60)
RADIUS: Vec2 = (0.53, 0.27)
_WATER: Rgba = (0.13, 0.27, 0.50, 1.0)
_SHORE: Rgba = (0.40, 0.40, 0.55, 1.0)
_STAR: Rgba = (0.62, 0.70, 1.0, 0.85)
#: Factor on the usual number of stars beyond which they and everything on them are drawn smaller.
_CLOSE = 1.6
#: A dome's width and height, and from one floor to the next.
WIDTH, HEIGHT, FLOOR = 0.135, 0.072, 0.062

#: A dome in short: its colour's first letter and its strength, as the rules write them.
Domes = tuple[str, ...]
COLOURS: dict[str, Rgba] = {name[0].upper(): (*rgb, 1.0) for name, rgb in SWATCHES.items()}


def star(number: float, of: int = STARS) -> Vec2:
    """Where a star is; numbered clockwise seen from above, the first at the left. Between two stars, too."""
    angle = math.pi + 2.0 * math.pi * number / of
    return (MIDDLE[0] + RADIUS[0] * math.cos(angle), MIDDLE[1] + RADIUS[1] * math.sin(angle))


def dome(foot: Vec2, name: str, left: float = 1.0, size: float = 1.0) -> tuple[Shape, ...]:
    """Return a dome whose lower edge is at ``foot``, with as many knobs as it is strong."""
    colour, strength = COLOURS[name[0]], int(name[1])
    half = (WIDTH - HEIGHT) / 2.0 * size
    y = foot[1] - HEIGHT / 2.0 * size
    body = Stroke(
        (foot[0] - half, y), (foot[0] + half, y), HEIGHT * size, faded(colour, left), faded(INK, left)
    )
    step = 0.028 * size
    knobs = (
        Mark(
            Sign.DISC,
            (foot[0] + (k - (strength - 1) / 2.0) * step, y),
            (0.0115 * size, 0.0115 * size),
            faded(IVORY, left),
        )
        for k in range(strength)
    )
    return (body, *knobs)


def stack(foot: Vec2, names: Domes, left: float = 1.0, size: float = 1.0) -> tuple[Shape, ...]:
    """Domes on each other, the lowest first."""
    return tuple(
        shape
        for floor, name in enumerate(names)
        for shape in dome((foot[0], foot[1] - floor * FLOOR * size), name, left, size)
    )


def lake(
    standing: Mapping[int, Domes],
    *,
    lit: tuple[int, ...] = (),
    hidden: tuple[int, ...] = (),
    stars: int = STARS,
) -> tuple[Shape, ...]:
    """Return the water, its stars, and what stands on them, the farthest first; ``lit`` stars shine."""
    part = min(1.0, _CLOSE * STARS / stars)
    shore = [Stroke(star(k / 4.0), star((k + 1) / 4.0), 0.06, _SHORE) for k in range(4 * STARS)]
    # The water's rows end under the shore, which hides that their ends are steps.
    ends = ((star(STARS * turn / 36.0), star(STARS * (0.5 - turn / 36.0))) for turn in range(-7, 8))
    shapes: list[Shape] = [*(Stroke(left, right, 0.055, _WATER) for left, right in ends), *shore]
    for number in sorted(range(stars), key=lambda k: star(k, stars)[1]):
        spot = star(number, stars)
        bright = number in lit
        size = part * (0.038 if bright else 0.026)
        shapes.append(Mark(Sign.DISC, spot, (size * 1.5, size), GOLD if bright else _STAR))
        if number not in hidden:
            shapes += stack((spot[0], spot[1] + 0.02 * part), standing.get(number, ()), size=part)
    return tuple(shapes)


def hop(begin: float, end: float, part: float) -> Vec2:
    """On the way along the shore from one star to another, in a bow above it."""
    x, y = star(begin + (end - begin) * part)
    return (x, y + 0.02 - 0.16 * math.sin(math.pi * part))
