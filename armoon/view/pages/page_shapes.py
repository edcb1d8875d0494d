"""The shapes and words that a page's widgets consist of: plates, panels, discs, bars, words that fit, the pointer."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial

from armoon.values.page import IN_PLACE, REFERENCE_PX, ROW_PX, Page, Rect, Widget, WidgetKind, letter_px
from armoon.values.poses import Vec2
from armoon.view.pages.drawings import Drawings
from armoon.view.pages.fitting import Fitter
from armoon.view.pages.glass import GlassView
from armoon.view.pages.hud_glass import GOLD_TEXT, SOFT_GOLD_LINE, WHITE
from armoon.view.pages.lettering import Lettering, Line, Rgba8, stacked
from armoon.view.pages.panels import DISC, PANEL, Panels
from armoon.view.pages.photos import Photos
from armoon.view.scene.light import GOLD, Rgba

#: Padding inside a widget, in parts of its height.
PADDING = 0.32
#: Words stand in one line rather than in several where their letters are at least this part as large there.
_ONE_LINE = 0.85


@dataclass(frozen=True)
class Box:
    """A rectangle in pixels from the lower left of the page."""

    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> tuple[float, float]:
        """Its centre."""
        return (self.x + self.width / 2.0, self.y + self.height / 2.0)

    def inside(self, most: float = float("inf")) -> Box:
        """Return the room for words, with at most this much left free at either side."""
        pad = min(self.height * PADDING, self.width * 0.12, most)
        return Box(self.x + pad, self.y, self.width - 2.0 * pad, self.height)


@dataclass(frozen=True)
class ChoiceBoxes:
    """The label, the value, and the arrows' middles and radius."""

    label: Box
    value: Box
    less: tuple[float, float]
    more: tuple[float, float]
    radius: float


def choice_boxes(widget: Widget, box: Box, label_height: float) -> ChoiceBoxes:
    """Label, less, value and more in a row; or the label, so high where it stands alone, above the other three."""
    less_from, less_to, more_from = widget.arrows
    pad, low = box.height * PADDING, box
    label = Box(box.x + pad, box.y, box.width * less_from - 1.4 * pad, box.height)
    if widget.stacked:
        above = min(label_height * 1.25, box.height * 0.7)
        pad = box.width * 0.03
        label = Box(box.x + pad, box.y + box.height - above, box.width - 2.0 * pad, above)
        low = Box(box.x, box.y, box.width, box.height - above)
    radius = min(low.height * 0.36, box.width * (less_to - less_from) * 0.5)
    left, right = box.x + box.width * less_to, box.x + box.width * more_from
    room = 0.0 if widget.stacked else 0.2 * pad
    value = Box(left + room, low.y, right - left - 2.0 * room, low.height)
    y = low.middle[1]
    less = (box.x + box.width * (less_from + less_to) / 2.0, y)
    more = (box.x + box.width * ((more_from + 1.0) / 2.0 - 0.004), y)
    return ChoiceBoxes(label, value, less, more, radius)


NIGHT: Rgba = (0.070, 0.090, 0.225, 0.86)
RAISED: Rgba = (0.150, 0.150, 0.290, 0.94)
_OFF: Rgba = (0.062, 0.078, 0.180, 0.80)
_GLOW: Rgba = (*GOLD, 0.16)
_FILLING: Rgba = (*GOLD, 0.42)
_NONE: Rgba = (0.0, 0.0, 0.0, 0.0)
GOLD_LINE: Rgba = (*GOLD, 0.95)
FAINT_LINE: Rgba = (0.62, 0.70, 1.0, 0.34)
OFF_LINE: Rgba = (0.62, 0.70, 1.0, 0.14)
OFF_TEXT: Rgba8 = (132, 142, 176, 255)

#: Maximum height of words in one line, in parts of their widget's height: usual and very large letters.
_ROW_PART, _LARGE_PART = 0.52, 0.64
#: Beside very large letters the padding is at most this part of their height.
_LARGE_PADDING = 0.6
#: Dots around the pointer that light up one after the other while it rests.
_DOTS = 16


class PageShapes:
    """The shapes and words of one page in a window, pixels from its lower left corner."""

    def __init__(self, width: int, height: int) -> None:
        """Needs a current OpenGL context; raises DisplayError as ``Panels`` and ``Lettering`` do."""
        self._view = GlassView()
        self._panels = Panels()
        self._drawings = Drawings()
        self._photos = Photos()
        self._letters = Lettering()
        self._fitter = Fitter(lambda words, size, bold: self._letters.width(words, size, bold=bold))
        self._lines: dict[str, Line] = {}
        self._scale = 1.0
        self._plated: frozenset[str] = frozenset()
        """Texts with a plate of their own."""
        self.resize(width, height)

    def resize(self, width: int, height: int) -> None:
        """Fit to a window of ``width`` x ``height`` framebuffer pixels."""
        self.width, self.height = width, height
        self._shown: Page | None = None
        self._photos.forget()
        self._letters.resize(width, height)
        self._view.resize(width, height)

    @property
    def texts(self) -> dict[str, Line]:
        """The lines of the last page, by "widget", "widget.value" or either with a line's number."""
        return dict(self._lines)

    def width_of(self, line: Line) -> float:
        """How wide a line is when drawn, pixels."""
        return self._letters.width(line.text, line.size, bold=line.bold)

    def _clear(self, text_scale: float) -> None:
        """Forget the page before; the next has letters by this factor larger than usual."""
        self._shown = None
        self._lines = {}
        self._panels.clear()
        self._drawings.clear()
        self._photos.clear()
        self._scale = text_scale

    @property
    def _large(self) -> bool:
        """Letters are too large for a page's usual places."""
        return self._scale > IN_PLACE

    def _box(self, rect: Rect) -> Box:
        return Box(
            rect.x * self.width,
            (1.0 - rect.y - rect.height) * self.height,
            rect.width * self.width,
            rect.height * self.height,
        )

    def _size(self, pixels: float) -> float:
        """Return a size given for a window 720 high, in this window's pixels, as large as the players want it."""
        return letter_px(pixels, self.width, self.height) * self._scale

    def _inside(self, box: Box) -> Box:
        return box.inside(_LARGE_PADDING * self._size(ROW_PX)) if self._large else box.inside()

    def _row_size(self, box: Box) -> float:
        return min(self._size(ROW_PX), box.height * (_LARGE_PART if self._large else _ROW_PART))

    def _plate(self, widget: Widget, box: Box, *, filling: bool = True) -> None:
        """Draw the plate of a widget that can be pressed."""
        if widget.focused and widget.enabled:
            grown = min(0.10 * box.height, 0.012 * self.height)
            halo = Box(box.x - grown, box.y - grown, box.width + 2 * grown, box.height + 2 * grown)
            self._panel(halo, _GLOW, _NONE, stars=0.0)
        raised = widget.chosen or widget.focused
        line = GOLD_LINE if raised else SOFT_GOLD_LINE if widget.kind is WidgetKind.BUTTON else FAINT_LINE
        fill = RAISED if raised else NIGHT
        if not widget.enabled:
            fill, line = _OFF, OFF_LINE
        self._panel(box, fill, line, bold=raised and widget.enabled)
        if filling and widget.dwell > 0.0:
            width = max(box.width * widget.dwell, min(box.height, box.width))
            self._panel(Box(box.x, box.y, width, box.height), _FILLING, _NONE, stars=0.0)

    def _panel(self, box: Box, fill: Rgba, line: Rgba, *, bold: bool = False, stars: float = 0.5) -> None:
        unit = min(self.width, self.height) / REFERENCE_PX
        half = (box.width / 2.0, box.height / 2.0)
        radius = min(half[0], half[1], max(18.0 * unit, 8.0))
        thick = max(1.0, (2.6 if bold else 1.4) * unit)
        self._panels.add(PANEL, box.middle, half, fill, line, radius=radius, line=thick, number=stars)

    def _disc(self, place: tuple[float, float], radius: float, line: Rgba, resting: float) -> None:
        half = (radius, radius)
        self._panels.add(PANEL, place, half, RAISED, line, radius=radius, line=max(1.0, radius * 0.08))
        if resting > 0.0:
            grown = radius * resting
            self._panels.add(DISC, place, (grown, grown), _FILLING)

    def _words(
        self,
        name: str,
        words: str,
        box: Box,
        size: float,
        colour: Rgba8,
        *,
        bold: bool = False,
        anchor: str = "center",
        wrap: bool = False,
    ) -> None:
        """Words in the middle of a box's height, as large as fits."""
        if not words:
            return
        fit = partial(self._fitter.fit, words, box.width, box.height * 0.94, size)
        # Bold letters decide for both, so that no line breaks when a button is looked at.
        wrap = wrap and fit(bold=True).size < _ONE_LINE * fit(bold=True, wrap=True).size
        fitted = fit(bold=bold, wrap=wrap)
        x = box.x if anchor == "left" else box.x + box.width / 2.0
        if name in self._plated:
            wide = max(self._fitter.measure(line, fitted.size, bold) for line in fitted.lines)
            pad = min(0.35 * fitted.size, (box.height - fitted.height) / 2.0 + 0.2 * fitted.size)
            if anchor == "left":  # the plate, not its words, stands in line with what is below it
                x += min(2.0 * pad, max(0.0, box.width - wide - 2.0 * pad))
            left = x if anchor == "left" else x - wide / 2.0
            low = box.y + box.height / 2.0 - fitted.height / 2.0
            plate = Box(left - 2 * pad, low - pad, wide + 4 * pad, fitted.height + 2 * pad)
            self._panel(plate, NIGHT, _NONE, stars=0.0)
        self._lines |= stacked(name, fitted, x, box.y + box.height / 2.0, colour, bold, anchor)

    def _bar(self, x: float, y: float, width: float, height: float, level: float) -> None:
        half = (width / 2.0, height / 2.0)
        self._panels.add(PANEL, (x + half[0], y), half, (0.2, 0.24, 0.45, 0.9), radius=half[1])
        if level > 0.0:
            full = max(width * level, height)
            self._panels.add(PANEL, (x + full / 2.0, y), (full / 2.0, half[1]), GOLD_LINE, radius=half[1])

    def _swatch(self, widget: Widget, place: Vec2, radius: float) -> None:
        """Draw the player's colour that a widget shows."""
        if widget.swatch is not None:
            colour: Rgba = (*widget.swatch, 1.0 if widget.enabled else 0.4)
            self._panels.add(DISC, place, (radius, radius), colour)

    def _pointer(self, place: Vec2, resting: float) -> None:
        """Draw a dot where the hand points (parts of the window), and dots around it that light up while it rests."""
        x, y = place[0] * self.width, (1.0 - place[1]) * self.height
        ring = 0.032 * min(self.width, self.height) + 6.0
        dot = ring * 0.13
        glowing = math.ceil(resting * _DOTS) if resting > 0.0 else 0
        for k in range(_DOTS):
            angle = k * 2.0 * math.pi / _DOTS
            spot = (x + ring * math.sin(angle), y + ring * math.cos(angle))
            colour: Rgba = (1.0, 0.93, 0.74, 1.0) if k < glowing else (0.75, 0.82, 1.0, 0.45)
            size = dot * (1.5 if k < glowing else 1.0)
            self._panels.add(DISC, spot, (size, size), colour)
        self._panels.add(DISC, (x, y), (2.6 * dot, 2.6 * dot), (0.05, 0.07, 0.18, 0.7))
        self._panels.add(DISC, (x, y), (1.9 * dot, 1.9 * dot), (1.0, 0.93, 0.74, 1.0))


def colour_of(widget: Widget) -> Rgba8:
    """Return the colour of a widget's words."""
    if not widget.enabled:
        return OFF_TEXT
    return GOLD_TEXT if widget.chosen or widget.focused else WHITE
