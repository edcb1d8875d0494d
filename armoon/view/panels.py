"""Flat graphics over the picture: shapes from distance functions, cached panels, and panels with text."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from armoon import gl
from armoon.values.look import USUAL_LOOK
from armoon.values.page import FlexPart, Rect
from armoon.values.poses import Vec3
from armoon.values.scene import DieFace
from armoon.view.lettering import (
    LINE_STEP,
    SIZE_STEP,
    FittedText,
    Rgba8,
    TextFitter,
    TextLine,
    measure_text,
    to_lines,
)
from armoon.view.scene.layer import cover_box, make_part_quads, to_parts
from armoon.view.scene.light import GOLD, NIGHT, Rgba

PANEL, TEAR, CRESCENT, LADDER, DIE, DISC, TICK, CROSS, _STROKE, _BADGE = range(10)
#: Face numbers in panel.frag; before the roll, a die shows a dot.
DIE_FACES = {DieFace.LADDER: 1.0, DieFace.TWO_LADDERS: 2.0, DieFace.CRESCENT: 3.0, None: 4.0}
#: Colours of patterns on light and on dark discs, and the luma above which a disc counts as light.
_INK: Rgba = (0.02, 0.02, 0.06, 1.0)
_CHALK: Rgba = (1.0, 1.0, 1.0, 1.0)
_LIGHT_LUMA = 0.40
#: Colours of panels, raised panels and lines in high contrast.
_DARK_FILL: Rgba = (0.0, 0.0, 0.02, 1.0)
_RAISED_FILL: Rgba = (0.10, 0.10, 0.20, 1.0)
_BRIGHT_BORDER: Rgba = (0.86, 0.90, 1.0, 1.0)
#: Maximum brightness of fills that count as dark backgrounds.
_MAX_DARK = 0.30
#: Margin around a shape for its soft edge, in pixels.
_MARGIN_PX = 2.0


class Panels:
    """A list of shapes drawn in one call."""

    def __init__(self, *, hands: bool = False) -> None:
        """With ``hands``, hands hide the shapes; the bound texture must then be the hand mask."""
        self._program = gl.ShaderProgram("panel.vert", "panel.frag", samplers=("hand_mask",), hands=hands)
        self._mesh = gl.Mesh((2, 4, 4, 4, 4))
        self._rows: list[list[float]] = []
        self.look = USUAL_LOOK
        self.mirror_width_px: float | None = None
        """Width of the picture in which to mirror shapes; None: no mirroring."""

    def clear(self) -> None:
        self._rows = []

    def add(
        self,
        kind: int,
        centre: tuple[float, float],
        half_size: tuple[float, float],
        fill: Rgba,
        border: Rgba = (0.0, 0.0, 0.0, 0.0),
        *,
        radius: float = 0.0,
        line: float = 0.0,
        number: float = 0.0,
    ) -> None:
        """Add a shape. Lengths and positions are in pixels, from the picture's lower left corner."""
        x, y = centre
        if self.mirror_width_px is not None:
            x = self.mirror_width_px - x
            number = -number if kind == _STROKE else number
        pattern = self.look.get_pattern(fill[:3]) if kind == DISC else 0
        fill, border = self.look.adapt_rgba(fill), self.look.adapt_rgba(border)
        if pattern:
            luma = 0.30 * fill[0] + 0.59 * fill[1] + 0.11 * fill[2]
            border = _INK if luma > _LIGHT_LUMA else _CHALK
            kind, number = _BADGE, float(pattern)
        if kind == PANEL and self.look.contrast:
            fill, border, number = _adapt_fill(fill), _adapt_border(border), 0.0
            line = 1.4 * line
        margin = _MARGIN_PX + (radius if kind == _STROKE else 0.0)
        w, h = half_size[0] + margin, half_size[1] + margin
        for u, v in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
            self._rows.append(
                [x + u * w, y + v * h, x, y, *half_size, kind, radius, line, number, *fill, *border]
            )

    def add_stroke(
        self,
        a: tuple[float, float],
        b: tuple[float, float],
        radius: float,
        fill: Rgba,
        border: Rgba,
        line: float,
    ) -> None:
        """Add a stroke with round ends from a to b, with an inner ``border`` of width ``line``; pixels."""
        half = (max(abs(b[0] - a[0]) / 2.0, 0.01), abs(b[1] - a[1]) / 2.0)
        direction = 1.0 if (b[0] - a[0]) * (b[1] - a[1]) >= 0.0 else -1.0
        centre = ((a[0] + b[0]) / 2.0, (a[1] + b[1]) / 2.0)
        self.add(_STROKE, centre, half, fill, border, radius=radius, line=line, number=direction)

    @property
    def boxes(self) -> list[tuple[float, float, float, float]]:
        """Left, lower, right and upper edge of every shape, including its soft edge."""
        corners = zip(self._rows[::4], self._rows[2::4], strict=True)
        return [(low[0], low[1], high[0], high[1]) for low, high in corners]

    def upload(self) -> None:
        vertices = np.array(self._rows, dtype=np.float32).reshape(-1, 18)
        self._mesh.upload(vertices, gl.quad_triangles(len(vertices) // 4))

    def draw(self) -> None:
        gl.begin_pass(gl.Blend.LAYERED)
        self._mesh.draw(self._program)


def _adapt_fill(fill: Rgba) -> Rgba:
    """Return a panel's colour in high contrast: black, or dark blue if raised; bright bars keep theirs."""
    if max(fill[:3]) > _MAX_DARK:
        return fill
    return _RAISED_FILL if fill[3] > 0.9 else _DARK_FILL


def _adapt_border(line: Rgba) -> Rgba:
    """Return a border's colour in high contrast: bright instead of bluish. A transparent one stays transparent."""
    if line[3] <= 0.0:
        return line
    bluish = line[2] > line[0] and line[2] > line[1]
    return _BRIGHT_BORDER if bluish else (*line[:3], 1.0)


#: Number of floats in the View block, and index of the picture's width and height in it (shaders/prelude.glsl).
VIEW_FLOATS, _SIZE_INDEX = 72, 38


class FlatView(gl.UniformBlock):
    """The View block for shaders of flat graphics, which need only the window's size."""

    def __init__(self) -> None:
        super().__init__(gl.BLOCKS["View"], VIEW_FLOATS)

    def resize(self, width: int, height: int) -> None:
        self.values[_SIZE_INDEX : _SIZE_INDEX + 2] = (width, height)


class CachedPanels:
    """A transparent picture of panels and text, redrawn only when they change."""

    def __init__(self) -> None:
        self._program = gl.ShaderProgram("feed.vert", "layer.frag", samplers=("layer",))
        self._mesh = gl.Mesh((2,))

    def begin_drawing(self, width: int, height: int) -> gl.Target:
        """Start drawing into a cleared picture; return the previously bound target, for ``end_drawing``."""
        before = gl.get_bound_target()
        self._texture = gl.make_texture(width, height, 4)
        gl.make_target(colour=self._texture).use()
        return before

    def end_drawing(self, before: gl.Target, boxes: Iterable[tuple[float, float, float, float]]) -> None:
        """Bind the target ``before`` again. ``boxes`` (left, lower, right, upper edge; pixels) cover all shapes."""
        before.use()
        size = self._texture.size
        covered = cover_box((0.0, 0.0, -1.0, -1.0), *size)
        for left, low, right, top in boxes:
            covered |= cover_box((left / size[0], low / size[1], right / size[0], top / size[1]), *size)
        self._mesh.upload(*make_part_quads(to_parts(covered, *size), size))

    def blend_over(self) -> None:
        gl.begin_pass(gl.Blend.PREMULTIPLIED)
        gl.bind_textures(self._texture)
        self._program.set("corner", *gl.get_bound_target().viewport[:2])
        self._mesh.draw(self._program)


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

#: Layouts use units of 1 px in a picture 720 px high. The exponent gives small pictures larger units, so that
#: text stays readable: 0.66 px at 360 instead of 0.5.
REFERENCE_HEIGHT, UNIT_EXPONENT = 720.0, 0.6
#: Minimum width of a picture, in units; minimum unit, in pixels, which takes precedence.
MIN_WIDTH, MIN_UNIT = 560.0, 0.5
#: Margin to the edges, gap between panels, and usual text size, in units.
MARGIN, GAP, TEXT = 24.0, 8.0, 17.0
#: Lower edges of the die's panel and of the players' lines, relative to the height, for a wide and a tall picture.
DIE_END, PLAYERS_END = {False: 0.17, True: 0.185}, {False: 0.53, True: 0.47}
#: Lower edge of the players' lines over a board, which reaches higher in the picture than a base.
BOARD_END = {False: 0.43, True: 0.30}
#: Width of a player's colour disc (17 units) with the gap to the name, in text sizes.
SWATCH_STEP = 23.0 / TEXT
#: Maximum size of enlarged text, relative to the picture's height; it keeps the middle free for the structure.
_MAX_TEXT_PART = 0.045
#: Minimum share of the width beside a button that is enough for panels; with less they are placed below it.
_MIN_SIDE_PART = 0.65
#: Tolerance, in pixels, that lets a text fit into its own measured size despite rounding.
_SLACK_PX = 0.01

#: Left and lower edge, width and height, pixels.
Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class TextPanel:
    """Text on a panel; lengths are in text sizes unless stated otherwise."""

    name: str
    text: str
    size: float
    """Usual text size, in units."""
    height: float
    """The panel's height for one line."""
    left_padding: float
    right_padding: float
    border: Rgba = FAINT_LINE
    colour: Rgba8 = MIST
    bold: bool = False
    strong: bool = False
    stars: float = 0.5
    lines: int = 1
    anchor: str = "left"
    fades: bool = False
    """Whether the panel becomes transparent some time after its last change."""

    @property
    def padding(self) -> tuple[float, float]:
        return self.left_padding + self.right_padding, self.height - 1.0


@dataclass(frozen=True)
class PanelPainter:
    """Draws panels onto a picture, in pixels from its upper left corner."""

    width: float
    height: float
    unit: float
    """Pixels per unit."""
    panels: Panels
    lines: dict[str, TextLine]
    fitter: TextFitter
    boxes: list[Box]
    """Boxes of all drawn panels."""
    button_boxes: tuple[Rect, ...] = ()
    wanted_scale: float = 1.0
    """Requested text size factor."""
    fade_opacity: float = 1.0
    """Opacity of panels that fade, 0 to 1."""
    is_board: bool = False
    """Whether the game is played on a board, which uses the table's whole width."""

    @property
    def is_tall(self) -> bool:
        return self.width < self.height

    @property
    def growth(self) -> float:
        """Text size factor if there is room: a power of ``SIZE_STEP``, so that shrinking can reach exactly 1."""
        limit = max(1.0, min(self.wanted_scale, _MAX_TEXT_PART * self.height / (TEXT * self.unit)))
        return float(SIZE_STEP ** math.ceil(math.log(limit, SIZE_STEP)))

    def find_free_area(self, area: Rect) -> Rect:
        """Return the part of an area beside the page's buttons, or below buttons that leave too little width."""
        left, top, right = area.x, area.y, area.x + area.width
        gap = GAP * self.unit
        for button in sorted(self.button_boxes, key=lambda button: -button.y - button.height):
            button_right, button_bottom = button.x + button.width, button.y + button.height
            if button_bottom <= top or button.y >= area.y + area.height:
                continue
            if max(button.x, self.width - button_right) < _MIN_SIDE_PART * self.width:
                top = button_bottom + gap
            elif button.x + button_right < self.width:
                left = max(left, button_right + gap)
            else:
                right = min(right, button.x - gap)
        return Rect(left, top, right - left, area.y + area.height - top)

    def fit(self, panel: TextPanel, width: float, height: float, scale: float) -> FittedText:
        """Return a panel's text fitted into an area (pixels), at most ``scale`` times the usual size."""
        size = panel.size * self.unit * scale
        limit = size * (LINE_STEP * (panel.lines - 1) + panel.height)
        room = width + _SLACK_PX, min(height, limit) + _SLACK_PX
        wrap, padding = panel.lines > 1, panel.padding
        return self.fitter.fit(panel.text, *room, size, bold=panel.bold, wrap=wrap, padding=padding)

    def measure_panel(self, panel: TextPanel, fitted: FittedText) -> float:
        widest = max(measure_text(line, fitted.size, panel.bold) for line in fitted.lines)
        return widest + panel.padding[0] * fitted.size

    def get_width(self, panel: TextPanel | None) -> FlexPart:
        """Return a panel's share of a row: its width for one line of text, at least in the usual text size."""
        if panel is None or not panel.text:
            return FlexPart(0.0)
        size = panel.size * self.unit
        usual = self.measure_panel(panel, FittedText(size, (panel.text,)))
        return FlexPart(usual * self.growth, least=usual)

    def get_height(self, panel: TextPanel, area: Rect, least: float) -> FlexPart:
        """Return a panel's share of a column: its height, at least for text ``least`` times the usual size."""
        fits = [self.fit(panel, area.width, math.inf, size) for size in (self.growth, least)]
        grown, lowest = (min(area.height, fit.height + panel.padding[1] * fit.size) for fit in fits)
        return FlexPart(grown, least=min(grown, lowest))

    def find_place(self, panel: TextPanel, area: Rect, alignment: float = 0.5) -> tuple[Rect, FittedText]:
        """Return a panel's place, vertically centred in an area, and its fitted text.

        ``alignment``: 0 left, 1 right, 0.5 as near to the picture's middle as the area allows.
        """
        fitted = self.fit(panel, area.width, area.height, self.growth)
        w, h = self.measure_panel(panel, fitted), fitted.height + panel.padding[1] * fitted.size
        x = alignment * (self.width - w) if alignment == 0.5 else area.x + alignment * (area.width - w)
        x = min(max(x, area.x), area.x + area.width - w)
        return Rect(x, area.y + (area.height - h) / 2.0, w, h), fitted

    def draw_text_panel(
        self, panel: TextPanel, area: Rect, alignment: float = 0.5, *, bare: bool = False
    ) -> tuple[Rect, float]:
        """Draw a panel and its text, or only its text if ``bare``; return its place and text size, pixels."""
        place, fitted = self.find_place(panel, area, alignment)
        opacity = self.fade_opacity if panel.fades else 1.0
        if opacity <= 0.0:
            return place, fitted.size
        if not bare:
            self.draw_panel(place, panel.border, strong=panel.strong, stars=panel.stars, opacity=opacity)
        left = place.x + panel.left_padding * fitted.size
        right = place.x + place.width - panel.right_padding * fitted.size
        anchor_x = (left + right) / 2.0 if panel.anchor == "center" else left
        colour = (*panel.colour[:3], round(255 * opacity))
        self.draw_text(replace(panel, colour=colour), fitted, anchor_x, place.centre[1])
        return place, fitted.size

    def draw_panel(
        self, place: Rect, line: Rgba, *, strong: bool = False, stars: float = 0.5, opacity: float = 1.0
    ) -> None:
        u, w, h = self.unit, place.width, place.height
        x, y = place.centre
        self.boxes.append((place.x, self.height - place.y - h, w, h))
        radius, thick = min(h / 2, 18.0 * u), max(1.0, (2.0 if strong else 1.2) * u)
        half = (w / 2, h / 2)
        fill, border = ((*colour[:3], opacity * colour[3]) for colour in (NIGHT, line))
        self.panels.add(
            PANEL, (x, self.height - y), half, fill, border, radius=radius, line=thick, number=stars
        )

    def draw_icon(
        self, kind: int, x: float, y: float, w: float, h: float, fill: Rgba, border: Rgba, number: float = 0.0
    ) -> None:
        """Draw an icon; ``w``, ``h``: half its width and height."""
        self.panels.add(kind, (x, self.height - y), (w, h), fill, border, number=number)

    def draw_text(self, panel: TextPanel, fitted: FittedText, x: float, y: float) -> None:
        name, colour, middle = panel.name, panel.colour, self.height - y
        self.lines.update(to_lines(name, fitted, x, middle, colour, panel.bold, panel.anchor))

    def draw_swatch(self, x: float, y: float, size: float, colour: Vec3, opacity: float = 1.0) -> None:
        """Draw a player's colour with a pale rim, which makes dark colours stand out."""
        for part, fill in ((0.5, (*MIST_LINE[:3], 0.9 * opacity)), (7.0 / TEXT, (*colour, opacity))):
            self.draw_icon(DISC, x, y, part * size, part * size, fill, (0.0, 0.0, 0.0, 0.0))
