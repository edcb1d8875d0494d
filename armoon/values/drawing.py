"""A small drawing as an immutable value: strokes and signs that a page shows in a picture of any size.

Positions and sizes are in parts of the picture's height, from its upper left corner; it is ``WIDE`` wide, 1 high.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass

from armoon.values.poses import Vec2

Rgba = tuple[float, float, float, float]

#: A picture's width over its height.
WIDE = 4.0 / 3.0


class Sign(enum.Enum):
    """A shape that is drawn as one."""

    DISC = "disc"
    PLATE = "plate"
    """A rounded box."""
    SHEET = "sheet"
    """A box with sharp corners."""
    TEAR = "tear"
    CRESCENT = "crescent"
    LADDER = "ladder"
    TICK = "tick"
    CROSS = "cross"
    DIE = "die"
    """Before it is rolled."""
    DIE_ONE = "die one"
    DIE_TWO = "die two"
    DIE_MOON = "die moon"


@dataclass(frozen=True)
class Stroke:
    """A line with round ends."""

    a: Vec2
    b: Vec2
    width: float
    colour: Rgba
    edge: Rgba = (0.0, 0.0, 0.0, 0.0)
    """The colour along its border; clear: none."""


@dataclass(frozen=True)
class Mark:
    """A sign at a place."""

    sign: Sign
    centre: Vec2
    half: Vec2
    """Half its width and height."""
    colour: Rgba
    edge: Rgba = (0.0, 0.0, 0.0, 0.0)
    """Colour of its border, or the colour that it shades into."""


@dataclass(frozen=True)
class Word:
    """A number, or the name of a key."""

    text: str
    centre: Vec2
    size: float
    """Size of its letters."""
    colour: Rgba = (1.0, 1.0, 1.0, 1.0)


Shape = Stroke | Mark | Word


@dataclass(frozen=True)
class Drawing:
    """Shapes, the nearest last; words stand before all others."""

    shapes: tuple[Shape, ...] = ()
    framed: bool = True
    """On a plate of its own, not on the page itself."""
