"""The signs of the table's buttons, whose words are shown while something rests on them."""

from __future__ import annotations

import itertools
import math

from armoon.values.drawing import WIDE, Drawing, Mark, Shape, Sign, Stroke
from armoon.values.poses import Vec2

_GOLD = (1.0, 0.87, 0.59, 1.0)
_WOOD, _INK = (0.92, 0.74, 0.45, 1.0), (0.12, 0.14, 0.30, 1.0)
_MIDDLE: Vec2 = (WIDE / 2.0, 0.5)
#: Width of strokes; radius and number of parts of an arrow's bow.
_THICK, _RADIUS, _PARTS = 0.085, 0.27, 12


def _line(*places: Vec2) -> tuple[Stroke, ...]:
    """Return strokes from each place to the next, given from the drawing's middle."""
    x, y = _MIDDLE
    shifted = [(x + across, y + down) for across, down in places]
    return tuple(Stroke(a, b, _THICK, _GOLD) for a, b in itertools.pairwise(shifted))


def _turning(side: float) -> tuple[Shape, ...]:
    """Return a bow over the top with an arrow's head at its end; ``side``: -1 to the left, 1 to the right."""
    turns = [side * math.radians(-150.0 + 240.0 * k / _PARTS) for k in range(_PARTS + 1)]
    bow = [(_RADIUS * math.sin(turn), 0.04 - _RADIUS * math.cos(turn)) for turn in turns]
    x, y = bow[-1]
    return (*_line(*bow), *_line((x - 0.15 * side, y - 0.10), (x, y + 0.02), (x + 0.13 * side, y - 0.13)))


def _ladder(x: float) -> Mark:
    return Mark(Sign.LADDER, (WIDE / 2.0 + x, 0.5), (0.15, 0.27), _WOOD, _INK)


_SHAPES: dict[str, tuple[Shape, ...]] = {
    "pause": (*_line((-0.12, -0.22), (-0.12, 0.22)), *_line((0.12, -0.22), (0.12, 0.22))),
    "turn_left": _turning(-1.0),
    "turn_right": _turning(1.0),
    "attitude": (
        _ladder(-0.18),
        *_line((0.10, 0.0), (0.42, 0.0)),
        *_line((0.29, -0.13), (0.42, 0.0), (0.29, 0.13)),
    ),
    "again": (
        *_line((0.26, -0.22), (0.02, 0.0), (0.26, 0.22)),
        *_line((-0.02, -0.22), (-0.26, 0.0), (-0.02, 0.22)),
    ),
    "ladder": (_ladder(-0.18), *_line((0.12, 0.0), (0.40, 0.0)), *_line((0.26, -0.14), (0.26, 0.14))),
}
#: The icons by the name of the act or choice that a button asks for.
ICONS = {name: Drawing(shapes, framed=False) for name, shapes in _SHAPES.items()}
