"""The glass before a picture: its shaders' view of the window, and what is drawn once and shown until it changes."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

from armoon import gl
from armoon.values.page import FlexPart, Rect
from armoon.values.poses import Vec3
from armoon.view.fitting import LINE_STEP, SMALLER, Fitted, Fitter
from armoon.view.lettering import Rgba8, TextLine, stacked
from armoon.view.panels import DISC, PANEL, Panels
from armoon.view.scene.layer import as_parts, quads_of, tiles_in
from armoon.view.scene.light import GOLD, Rgba

#: Floats of the View block, and the place of the drawn width and height in it (shaders/prelude.glsl).
VIEW_FLOATS, _DRAWN_SIZE = 72, 38


class GlassView:
    """The window's size for the shaders of the glass."""

    def __init__(self) -> None:
        self._block = gl.UniformBlock(gl.BLOCKS["View"], VIEW_FLOATS)

    def resize(self, width: int, height: int) -> None:
        self._block.values[_DRAWN_SIZE : _DRAWN_SIZE + 2] = (width, height)

    def upload(self) -> None:
        self._block.upload()


class KeptGlass:
    """A picture of panels and letters that lies over others, transparent where there are none."""

    def __init__(self) -> None:
        self._program = gl.ShaderProgram("feed.vert", "layer.frag", samplers=("layer",))
        self._mesh = gl.Mesh((2,))

    def begin(self, width: int, height: int) -> gl.Target:
        """Clear it and draw into it; return the target that was open, for ``end``."""
        before = gl.open_target()
        self._texture = gl.texture(width, height, 4)
        gl.target(colour=self._texture).use()
        return before

    def end(self, before: gl.Target, boxes: Iterable[tuple[float, float, float, float]]) -> None:
        """Open ``before`` again. ``boxes`` hold all that was drawn: left, lower, right, upper edge in pixels."""
        before.use()
        size = self._texture.size
        covered = tiles_in((0.0, 0.0, -1.0, -1.0), *size)
        for left, low, right, top in boxes:
            covered |= tiles_in((left / size[0], low / size[1], right / size[0], top / size[1]), *size)
        self._mesh.upload(*quads_of(as_parts(covered, *size), size))

    def lay_over(self) -> None:
        gl.begin_pass(gl.Blend.PREMULTIPLIED)
        gl.bind_textures(self._texture)
        self._program.set("corner", *gl.open_target().viewport[:2])
        self._mesh.draw(self._program)


NIGHT: Rgba = (0.062, 0.080, 0.200, 0.80)
FAINT_LINE: Rgba = (0.62, 0.70, 1.0, 0.30)
GOLD_LINE: Rgba = (*GOLD, 0.85)
SOFT_GOLD_LINE: Rgba = (*GOLD, 0.45)
WHITE: Rgba8 = (242, 245, 255, 255)
MIST: Rgba8 = (196, 207, 238, 255)
DIM: Rgba8 = (140, 150, 185, 255)
GOLD_TEXT: Rgba8 = (255, 222, 150, 255)
GOOD_TEXT: Rgba8 = (150, 240, 180, 255)
WARN_TEXT: Rgba8 = (255, 196, 120, 255)
TEAR_LOW: Rgba = (0.22, 0.42, 0.92, 1.0)
TEAR_TOP: Rgba = (0.66, 0.84, 1.0, 1.0)
IVORY: Rgba = (0.95, 0.91, 0.82, 1.0)
INK: Rgba = (0.12, 0.14, 0.30, 1.0)
MIST_LINE: Rgba = (0.77, 0.81, 0.93, 1.0)

#: Everything is laid out in units: 1 px in a picture 720 high. Small pictures get larger units, so that
#: text stays readable: 0.66 px at 360 instead of 0.5.
REFERENCE_HEIGHT, SHRINK = 720.0, 0.6
#: Minimum width of a picture in units, unless a unit would be smaller than this (pixels).
LEAST_WIDTH, SMALLEST_UNIT = 560.0, 0.5
#: From the edges, between panels, and the usual size of letters, units.
MARGIN, GAP, TEXT = 24.0, 8.0, 17.0
#: Above these parts of the height the die ends and the players' lines end, in a wide picture and in a tall one;
#: buttons may stand below them.
DIE_END, PLAYERS_END = {False: 0.17, True: 0.185}, {False: 0.53, True: 0.47}
#: The same over a board, whose far side is higher than a base.
BOARD_END = {False: 0.43, True: 0.30}
#: A player's colour, a disc 17 wide, and the gap to the name; in letters' heights.
SWATCH_STEP = 23.0 / TEXT
#: Larger letters than usual are at most this part of the picture's height, whose middle belongs to the structure.
_HIGHEST = 0.045
#: A button that leaves no more of the width free beside it than this has the panels below it.
_BESIDE = 0.65
#: Room for measuring, pixels: what was measured fits into its own size.
_SLACK = 0.01

#: Left and lower edge, width and height, pixels.
Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class Plate:
    """Words on a panel; its lengths are in letters' heights, so that all of it scales together."""

    name: str
    words: str
    size: float
    """Height of the usual letters, units."""
    high: float
    """The panel's height around one line."""
    before: float
    """Room at the left of the words."""
    after: float
    line: Rgba = FAINT_LINE
    colour: Rgba8 = MIST
    bold: bool = False
    strong: bool = False
    stars: float = 0.5
    lines: int = 1
    anchor: str = "left"
    passes: bool = False
    """It is shown for a while after it has changed; its room stays."""

    @property
    def around(self) -> tuple[float, float]:
        return self.before + self.after, self.high - 1.0


@dataclass(frozen=True)
class Glass:
    """The picture and the panels on it; pixels from its upper left corner."""

    width: float
    height: float
    unit: float
    """1 in a picture 720 high."""
    panels: Panels
    lines: dict[str, TextLine]
    fitter: Fitter
    boxes: list[Box]
    """Boxes of all panels."""
    taken: tuple[Rect, ...] = ()
    wanted: float = 1.0
    """Wanted factor of the letters' size."""
    passing: float = 1.0
    """Opacity of passing panels, 0 to 1."""
    board: bool = False
    """The table's whole width is played on."""

    @property
    def tall(self) -> bool:
        return self.width < self.height

    @property
    def growth(self) -> float:
        """Factor of the letters' size where there is room, in steps that lead to the usual size."""
        most = max(1.0, min(self.wanted, _HIGHEST * self.height / (TEXT * self.unit)))
        return float(SMALLER ** math.ceil(math.log(most, SMALLER)))

    def free(self, area: Rect) -> Rect:
        """Return the part of an area beside the page's buttons, or below those that leave too little beside them."""
        left, top, right = area.x, area.y, area.x + area.width
        gap = GAP * self.unit
        for button in sorted(self.taken, key=lambda button: -button.y - button.height):
            ends, low = button.x + button.width, button.y + button.height
            if low <= top or button.y >= area.y + area.height:
                continue
            if max(button.x, self.width - ends) < _BESIDE * self.width:
                top = low + gap
            elif button.x + ends < self.width:
                left = max(left, ends + gap)
            else:
                right = min(right, button.x - gap)
        return Rect(left, top, right - left, area.y + area.height - top)

    def fit(self, plate: Plate, width: float, height: float, by: float) -> Fitted:
        """Return a panel's words for an area, in usual letters times ``by`` at most."""
        size = plate.size * self.unit * by
        most = size * (LINE_STEP * (plate.lines - 1) + plate.high)
        room = width + _SLACK, min(height, most) + _SLACK
        wrap, around = plate.lines > 1, plate.around
        return self.fitter.fit(plate.words, *room, size, bold=plate.bold, wrap=wrap, around=around)

    def width_of(self, plate: Plate, fitted: Fitted) -> float:
        widest = max(self.fitter.measure(line, fitted.size, plate.bold) for line in fitted.lines)
        return widest + plate.around[0] * fitted.size

    def column(self, plate: Plate | None) -> FlexPart:
        """Return a panel's share of a row: as wide as its words in one line, at least in usual letters."""
        if plate is None or not plate.words:
            return FlexPart(0.0)
        size = plate.size * self.unit
        usual = self.width_of(plate, Fitted(size, (plate.words,)))
        return FlexPart(usual * self.growth, least=usual)

    def row(self, plate: Plate, area: Rect, least: float) -> FlexPart:
        """Return a panel's share of a column: its words' height there, at least that of letters times ``least``."""
        fits = [self.fit(plate, area.width, math.inf, by) for by in (self.growth, least)]
        grown, lowest = (min(area.height, one.height + plate.around[1] * one.size) for one in fits)
        return FlexPart(grown, least=min(grown, lowest))

    def place(self, plate: Plate, area: Rect, to: float = 0.5) -> tuple[Rect, Fitted]:
        """Return a panel's place in the middle of an area's height, and its words.

        ``to``: 0 at the left, 1 at the right, 0.5 as near to the picture's middle as the area lets it.
        """
        fitted = self.fit(plate, area.width, area.height, self.growth)
        w, h = self.width_of(plate, fitted), fitted.height + plate.around[1] * fitted.size
        x = to * (self.width - w) if to == 0.5 else area.x + to * (area.width - w)
        x = min(max(x, area.x), area.x + area.width - w)
        return Rect(x, area.y + (area.height - h) / 2.0, w, h), fitted

    def put(self, plate: Plate, area: Rect, to: float = 0.5, *, bare: bool = False) -> tuple[Rect, float]:
        """Draw a panel at ``place``; return its place and its letters' height. ``bare``: its words alone."""
        place, fitted = self.place(plate, area, to)
        shown = self.passing if plate.passes else 1.0
        if shown <= 0.0:
            return place, fitted.size
        if not bare:
            self.panel(place, plate.line, strong=plate.strong, stars=plate.stars, shown=shown)
        left = place.x + plate.before * fitted.size
        right = place.x + place.width - plate.after * fitted.size
        at = (left + right) / 2.0 if plate.anchor == "center" else left
        colour = (*plate.colour[:3], round(255 * shown))
        self.write(replace(plate, colour=colour), fitted, at, place.centre[1])
        return place, fitted.size

    def panel(
        self, place: Rect, line: Rgba, *, strong: bool = False, stars: float = 0.5, shown: float = 1.0
    ) -> None:
        u, w, h = self.unit, place.width, place.height
        x, y = place.centre
        self.boxes.append((place.x, self.height - place.y - h, w, h))
        radius, thick = min(h / 2, 18.0 * u), max(1.0, (2.0 if strong else 1.2) * u)
        half = (w / 2, h / 2)
        fill, border = ((*colour[:3], shown * colour[3]) for colour in (NIGHT, line))
        self.panels.add(
            PANEL, (x, self.height - y), half, fill, border, radius=radius, line=thick, number=stars
        )

    def icon(
        self, kind: int, x: float, y: float, w: float, h: float, fill: Rgba, border: Rgba, number: float = 0.0
    ) -> None:
        """Draw a shape with its centre at (x, y) and half its size, ``w`` x ``h``."""
        self.panels.add(kind, (x, self.height - y), (w, h), fill, border, number=number)

    def write(self, plate: Plate, fitted: Fitted, x: float, y: float) -> None:
        name, colour, middle = plate.name, plate.colour, self.height - y
        self.lines.update(stacked(name, fitted, x, middle, colour, plate.bold, plate.anchor))

    def swatch(self, x: float, y: float, size: float, colour: Vec3, opacity: float = 1.0) -> None:
        """Draw a player's colour beside letters; its pale rim sets dark ones off from the night."""
        for part, shown in ((0.5, (*MIST_LINE[:3], 0.9 * opacity)), (7.0 / TEXT, (*colour, opacity))):
            self.icon(DISC, x, y, part * size, part * size, shown, (0.0, 0.0, 0.0, 0.0))
