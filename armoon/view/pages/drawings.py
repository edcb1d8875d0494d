"""Draws a page's small pictures with the shapes of the glass."""

from __future__ import annotations

from collections.abc import Callable

from armoon.values.drawing import WIDE, Drawing, Mark, Sign, Stroke, Word
from armoon.values.poses import Vec2
from armoon.view.pages.panels import CRESCENT, CROSS, DIE, DISC, LADDER, PANEL, TEAR, TICK, Panels
from armoon.view.scene.light import Rgba

#: What the shapes of the glass call each sign, and the number that goes with it.
_KINDS: dict[Sign, tuple[int, float]] = {
    Sign.DISC: (DISC, 0.0),
    Sign.PLATE: (PANEL, 0.0),
    Sign.TEAR: (TEAR, 0.0),
    Sign.CRESCENT: (CRESCENT, 0.0),
    Sign.LADDER: (LADDER, 0.0),
    Sign.TICK: (TICK, 0.0),
    Sign.CROSS: (CROSS, 0.0),
    Sign.DIE_ONE: (DIE, 1.0),
    Sign.DIE_TWO: (DIE, 2.0),
    Sign.DIE_MOON: (DIE, 3.0),
    Sign.DIE: (DIE, 4.0),
}
#: A stroke's border, in parts of its width; a plate's, in parts of its height.
_EDGE, _PLATE_EDGE = 0.16, 0.06


def draw_shapes(
    panels: Panels,
    drawing: Drawing,
    place: tuple[float, float, float, float],
    write: Callable[[int, Word, Vec2, float], None],
) -> None:
    """Add a drawing to the panels, as large as fits into ``place`` (x, y, width, height; pixels from the lower left).

    ``write`` is called for every word with its number, its middle and the height of its letters, in pixels.
    """
    x, y, width, height = place
    unit = min(width / WIDE, height)
    left, top = x + (width - WIDE * unit) / 2.0, y + (height + unit) / 2.0

    def at(spot: Vec2) -> Vec2:
        return (left + spot[0] * unit, top - spot[1] * unit)

    for number, shape in enumerate(drawing.shapes):
        if isinstance(shape, Stroke):
            thick = shape.width * unit
            edge = _EDGE * thick if shape.edge[3] > 0.0 else 0.0
            panels.stroke(at(shape.a), at(shape.b), thick / 2.0, shape.colour, shape.edge, edge)
        elif isinstance(shape, Mark):
            _mark(panels, shape, at(shape.centre), unit)
        else:
            write(number, shape, at(shape.centre), shape.size * unit)


def _mark(panels: Panels, mark: Mark, centre: Vec2, unit: float) -> None:
    kind, number = _KINDS[mark.sign]
    half = (mark.half[0] * unit, mark.half[1] * unit)
    least = min(half)
    plate = mark.sign is Sign.PLATE
    edge: Rgba = mark.edge
    panels.add(
        kind,
        centre,
        half,
        mark.colour,
        edge,
        radius=0.35 * least if plate else 0.0,
        line=_PLATE_EDGE * 2.0 * least if plate else 0.0,
        number=number,
    )
