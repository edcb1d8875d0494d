"""Draws a page's small pictures with the shapes of the glass."""

from __future__ import annotations

from armoon.gl.memory import limit_to, open_target
from armoon.values.drawing import WIDE, Drawing, Mark, Sign, Stroke
from armoon.values.look import USUAL_LOOK
from armoon.values.poses import Vec2
from armoon.view.pages.lettering import Line
from armoon.view.pages.panels import CRESCENT, CROSS, DIE, DISC, LADDER, PANEL, TEAR, TICK, Panels
from armoon.view.scene.light import Rgba

#: What the shapes of the glass call each sign, and the number that goes with it.
_KINDS: dict[Sign, tuple[int, float]] = {
    Sign.DISC: (DISC, 0.0),
    Sign.PLATE: (PANEL, 0.0),
    Sign.SHEET: (PANEL, 0.0),
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


class Drawings:
    """The pictures of a page; what moves in one may come from outside it, and is cut off there."""

    def __init__(self) -> None:
        self._shown: list[tuple[tuple[int, int, int, int], Panels]] = []
        self._spare: list[Panels] = []
        self.look = USUAL_LOOK
        """How things that mean something look, from the next picture on."""

    def clear(self) -> None:
        """Forget all pictures."""
        self._spare += (panels for _, panels in self._shown)
        self._shown = []

    def add(self, drawing: Drawing, place: tuple[float, float, float, float]) -> tuple[Line, ...]:
        """Add one, as large as fits into ``place`` (x, y, width, height; pixels from the lower left).

        Gives its words as lines of text.
        """
        panels = self._spare.pop() if self._spare else Panels()
        panels.clear()
        panels.look = self.look
        words = fill(panels, drawing, place)
        panels.upload()
        x, y, width, height = place
        self._shown.append(((round(x) + 1, round(y) + 1, round(width) - 2, round(height) - 2), panels))
        return words

    def draw(self, origin: tuple[int, int]) -> None:
        """Draw all into the open target, whose page has its lower left corner at ``origin``."""
        for (x, y, width, height), panels in self._shown:
            limit_to((origin[0] + x, origin[1] + y, width, height), open_target())
            panels.draw()
        if self._shown:
            limit_to(None, open_target())


def fill(panels: Panels, drawing: Drawing, place: tuple[float, float, float, float]) -> tuple[Line, ...]:
    """Add a picture's shapes to a page's, as large as fits into ``place``; gives its words as lines of text."""
    x, y, width, height = place
    unit = min(width / WIDE, height)
    left, top = x + (width - WIDE * unit) / 2.0, y + (height + unit) / 2.0
    words: list[Line] = []

    def at(spot: Vec2) -> Vec2:
        return (left + spot[0] * unit, top - spot[1] * unit)

    for shape in drawing.shapes:
        if isinstance(shape, Stroke):
            thick = shape.width * unit
            edge = _EDGE * thick if shape.edge[3] > 0.0 else 0.0
            panels.stroke(at(shape.a), at(shape.b), thick / 2.0, shape.colour, shape.edge, edge)
        elif isinstance(shape, Mark):
            _mark(panels, shape, at(shape.centre), unit)
        else:
            red, green, blue, clear = (round(255 * part) for part in shape.colour)
            colour = (red, green, blue, clear)
            size = shape.size * unit
            words.append(Line(shape.text, *at(shape.centre), size, colour, bold=True, anchor="center"))
    return tuple(words)


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
