"""Pages on the glass: titles, buttons, choices and letters over the live picture, in night blue and moon gold."""

from __future__ import annotations

import math

from armoon.gl.memory import open_target
from armoon.values.page import (
    IN_PLACE,
    REFERENCE_PX,
    ROW_PX,
    TEXT_PX,
    Page,
    Rect,
    Widget,
    WidgetKind,
    letter_px,
)
from armoon.view.pages.boxes import Box, choice_boxes
from armoon.view.pages.captions import caption_boxes
from armoon.view.pages.drawings import Drawings
from armoon.view.pages.fitting import LINE_STEP, Fitter
from armoon.view.pages.glass import GlassView
from armoon.view.pages.lettering import Lettering, Line, Rgba8
from armoon.view.pages.panels import CROSS, DISC, PANEL, TEAR, TICK, Panels
from armoon.view.pages.sky import Sky
from armoon.view.scene.light import FAULT, GOLD, GOOD, Rgba

_NIGHT: Rgba = (0.070, 0.090, 0.225, 0.86)
_NIGHT_RAISED: Rgba = (0.150, 0.150, 0.290, 0.94)
_NIGHT_OFF: Rgba = (0.062, 0.078, 0.180, 0.80)
_GLOW: Rgba = (*GOLD, 0.16)
_FILLING: Rgba = (*GOLD, 0.42)
_GOLD_LINE: Rgba = (*GOLD, 0.95)
_SOFT_GOLD_LINE: Rgba = (*GOLD, 0.45)
_FAINT_LINE: Rgba = (0.62, 0.70, 1.0, 0.34)
_OFF_LINE: Rgba = (0.62, 0.70, 1.0, 0.14)
_WHITE: Rgba8 = (242, 245, 255, 255)
_MIST: Rgba8 = (206, 216, 244, 255)
_OFF_TEXT: Rgba8 = (132, 142, 176, 255)
_GOLD_TEXT: Rgba8 = (255, 222, 150, 255)
_INK: Rgba = (0.12, 0.14, 0.30, 1.0)
_TEAR_LOW: Rgba = (0.22, 0.42, 0.92, 1.0)
_TEAR_TOP: Rgba = (0.66, 0.84, 1.0, 1.0)

_HEADING_PX = 46.0
#: Words in one line are at most so high, in parts of their widget's height; in very large letters.
_ROW_PART, _LARGE_PART = 0.52, 0.64
#: Beside very large letters the padding is at most this part of their height.
_LARGE_PADDING = 0.6
#: From this veil on a page hides what is behind it.
_HIDES = 0.5
#: Dots around the pointer that light up one after the other while it rests.
_DOTS = 16


class PageView:
    """Draws pages over a whole window; laid out anew only when the page changes."""

    def __init__(self, width: int, height: int) -> None:
        """Needs a current OpenGL context; raises DisplayError as ``Panels`` and ``Lettering`` do."""
        self._view = GlassView()
        self._panels = Panels()
        self._drawings = Drawings()
        self._letters = Lettering()
        self._fitter = Fitter(lambda words, size, bold: self._letters.width(words, size, bold=bold))
        self._lines: dict[str, Line] = {}
        self.resize(width, height)
        self._view.upload()
        self._sky = Sky(width, height)

    def resize(self, width: int, height: int) -> None:
        """Fit to a window of ``width`` x ``height`` framebuffer pixels."""
        self.width, self.height = width, height
        self._shown: Page | None = None
        self._letters.resize(width, height)
        self._view.resize(width, height)

    @property
    def texts(self) -> dict[str, Line]:
        """The lines of the last page, by "widget", "widget.value" or either with a line's number."""
        return dict(self._lines)

    def width_of(self, line: Line) -> float:
        """How wide a line is when drawn, pixels."""
        return self._letters.width(line.text, line.size, bold=line.bold)

    def draw(self, page: Page, origin: tuple[int, int] = (0, 0)) -> None:
        """Draw into the bound framebuffer, with the window's lower left corner at ``origin``."""
        if page != self._shown:
            self._panels.look = self._drawings.look = self._letters.look = page.look
            self.lay_out(page)
            self._panels.upload()
            self._letters.show(self._lines)
            self._shown = page
        self._view.upload()
        if page.veil > 0.0 and not (page.look.contrast and page.veil >= _HIDES):
            self._sky.draw(page.name, page.veil, page.moon, self.width, self.height, origin)
        open_target().viewport = (*origin, self.width, self.height)
        self._panels.draw()
        self._drawings.draw(origin)
        self._letters.draw()

    # Layout -------------------------------------------------------------------------------------------------

    def lay_out(self, page: Page) -> None:
        """Everything of a page in its place, as ``texts`` then tells; nothing is drawn."""
        self._lines = {}
        self._panels.clear()
        self._drawings.clear()
        self._scale = page.text_scale
        self._large = page.text_scale > IN_PLACE
        # Where the camera's picture is seen behind a page, words that stand on no card get a plate of their own.
        seen = page.veil < _HIDES
        cards = [w.rect for w in page.widgets if w.kind in (WidgetKind.CARD, WidgetKind.PICTURE)]
        self._plated = {
            widget.name
            for widget in page.widgets
            if seen
            and widget.kind in (WidgetKind.HEADING, WidgetKind.TEXT)
            and not any(card.holds(widget.rect.centre) for card in cards)
        }
        draw = {
            WidgetKind.HEADING: self._heading,
            WidgetKind.TEXT: self._running_text,
            WidgetKind.BUTTON: self._button,
            WidgetKind.CHOICE: self._choice,
            WidgetKind.KEY: self._button,
            WidgetKind.FIELD: self._field,
            WidgetKind.CARD: self._card,
            WidgetKind.SCORE: self._score,
            WidgetKind.PICTURE: self._picture,
        }
        if page.veil >= _HIDES and page.look.contrast:
            whole = Box(0.0, 0.0, self.width, self.height)
            self._panels.add(PANEL, whole.middle, (self.width / 2.0, self.height / 2.0), _NIGHT)
        for widget in page.widgets:
            draw[widget.kind](widget, self._box(widget.rect))
        for k, (words, size, box) in enumerate(
            caption_boxes(page, self.width, self.height, self._letters.width)
        ):
            self._panel(box, _NIGHT, _FAINT_LINE, stars=0.0)
            self._words(f"caption {k}", words, box, size, _WHITE)
        if page.pointer is not None:
            self._pointer(page)

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

    # Widgets ------------------------------------------------------------------------------------------------

    def _heading(self, widget: Widget, box: Box) -> None:
        if self._large:
            size = self._size(ROW_PX)
            self._words(widget.name, widget.text, box, size, _GOLD_TEXT, bold=True, anchor="left", wrap=True)
            return
        size = min(self._size(_HEADING_PX) * (box.height / self.height / 0.115) ** 0.75, box.height * 0.8)
        self._words(widget.name, widget.text, box, size, _GOLD_TEXT, bold=True, anchor="left")

    def _running_text(self, widget: Widget, box: Box) -> None:
        strong = widget.chosen
        if widget.good is not None:
            mark = min(box.height * 0.24, box.width * 0.04)
            colour: Rgba = (*(GOOD if widget.good else FAULT), 1.0)
            kind = TICK if widget.good else CROSS
            self._panels.add(kind, (box.x + mark, box.y + box.height / 2.0), (mark, mark), colour, _INK)
            box = Box(box.x + 3.0 * mark, box.y, box.width - 3.0 * mark, box.height)
        size = self._size(TEXT_PX * (1.15 if strong else 1.0))
        colour8 = _WHITE if strong else _MIST
        self._words(widget.name, widget.text, box, size, colour8, bold=strong, anchor="left", wrap=True)

    def _button(self, widget: Widget, box: Box) -> None:
        self._plate(widget, box)
        if widget.drawing is not None:
            self._drawings.add(widget.drawing, (box.x, box.y, box.width, box.height))
            return
        inner = self._inside(box)
        if widget.swatch is not None:
            radius = box.height * 0.26
            colour: Rgba = (*widget.swatch, 1.0 if widget.enabled else 0.4)
            place = box.middle
            if widget.text:
                radius = box.height * 0.18
                place = (box.x + box.width - box.height * 0.42, place[1])
                inner = Box(inner.x, inner.y, inner.width - box.height * 0.36, inner.height)
            self._panels.add(DISC, place, (radius, radius), colour)
            if widget.text and widget.chosen:
                self._panels.add(TICK, place, (radius * 0.7, radius * 0.7), _INK, _INK)
        elif widget.chosen and widget.kind is not WidgetKind.KEY:
            mark = box.height * 0.16
            place = (box.x + box.height * 0.42, box.y + box.height / 2.0)
            self._panels.add(TICK, place, (mark, mark), _GOLD_LINE, _INK)
            inner = Box(inner.x + box.height * 0.36, inner.y, inner.width - box.height * 0.36, inner.height)
        bold = widget.chosen or widget.focused
        self._words(
            widget.name, widget.text, inner, self._row_size(box), _colour(widget), bold=bold, wrap=True
        )

    def _choice(self, widget: Widget, box: Box) -> None:
        self._plate(widget, box, filling=False)
        size, colour8 = self._row_size(box), _colour(widget)
        words = self._fitter.fit(widget.text, box.width * 0.94, box.height, size, wrap=True)
        parts = choice_boxes(widget, box, words.height)
        self._words(widget.name, widget.text, parts.label, size, colour8, anchor="left", wrap=True)
        radius, value = parts.radius, parts.value
        for place, side, sign in ((parts.less, -1, "‹"), (parts.more, 1, "›")):
            resting = widget.dwell if widget.dwell_side == side else 0.0
            line = _OFF_LINE if not widget.enabled else _SOFT_GOLD_LINE
            self._disc(place, radius, line, resting)
            if widget.enabled:
                arrow = Line(
                    sign, place[0], place[1] + radius * 0.06, radius * 1.35, _GOLD_TEXT, True, "center"
                )
                self._lines[f"{widget.name}.{sign}"] = arrow
        if widget.level is not None:
            value = self._level(widget, value)
        if widget.swatch is not None:
            radius = box.height * 0.17
            place = (value.x + radius, box.y + box.height / 2.0)
            self._panels.add(DISC, place, (radius, radius), (*widget.swatch, 1.0 if widget.enabled else 0.4))
            value = Box(value.x + 2.4 * radius, value.y, value.width - 2.4 * radius, value.height)
        colour = _GOLD_TEXT if widget.enabled else _OFF_TEXT
        self._words(f"{widget.name}.value", widget.value, value, self._row_size(box), colour, wrap=True)

    def _level(self, widget: Widget, box: Box) -> Box:
        """Return a bar under the value; gives the room that is left above it."""
        assert widget.level is not None
        self._bar(box.x, box.y + box.height * 0.20, box.width, box.height * 0.10, widget.level)
        return Box(box.x, box.y + box.height * 0.28, box.width, box.height * 0.66)

    def _bar(self, x: float, y: float, width: float, height: float, level: float) -> None:
        half = (width / 2.0, height / 2.0)
        self._panels.add(PANEL, (x + half[0], y), half, (0.2, 0.24, 0.45, 0.9), radius=half[1])
        if level > 0.0:
            full = max(width * level, height)
            self._panels.add(PANEL, (x + full / 2.0, y), (full / 2.0, half[1]), _GOLD_LINE, radius=half[1])

    def _field(self, widget: Widget, box: Box) -> None:
        self._panel(box, _NIGHT_RAISED, _GOLD_LINE, bold=True)
        inner = self._inside(box)
        if widget.swatch is not None:
            radius = box.height * 0.2
            place = (box.x + box.height * 0.5, box.y + box.height / 2.0)
            self._panels.add(DISC, place, (radius, radius), (*widget.swatch, 1.0))
            inner = Box(box.x + box.height * 0.8, box.y, box.width - box.height * 1.1, box.height)
        size = min(self._size(_HEADING_PX * 0.8), box.height * 0.62)
        self._words(widget.name, widget.text + "_", inner, size, _WHITE, bold=True)

    def _card(self, widget: Widget, box: Box) -> None:
        if widget.text:
            self._named_card(widget, box)
            return
        line = _SOFT_GOLD_LINE if widget.good is None else (*(GOOD if widget.good else FAULT), 0.95)
        self._panel(box, _NIGHT, line, bold=widget.good is not None, stars=1.0)
        if widget.level is not None:
            edge = min(box.width, box.height) * 0.05
            self._bar(
                box.x + 4 * edge, box.y + box.height - 1.4 * edge, box.width - 8 * edge, edge, widget.level
            )

    def _named_card(self, widget: Widget, box: Box) -> None:
        """Draw a card that can be pressed anywhere: its name above, its description below."""
        self._plate(widget, box)
        pad = min(box.height * 0.12, box.width * 0.06)
        wide = box.width - 2.0 * pad
        head = Box(box.x + pad, box.y + box.height * 0.58, wide, box.height * 0.34)
        if widget.chosen:
            mark = head.height * 0.22
            self._panels.add(TICK, (head.x + mark, head.middle[1]), (mark, mark), _GOLD_LINE, _INK)
            head = Box(head.x + 3.0 * mark, head.y, head.width - 6.0 * mark, head.height)
        bold = widget.chosen or widget.focused
        size = self._size(ROW_PX * 1.15)
        self._words(widget.name, widget.text, head, size, _colour(widget), bold=bold, wrap=True)
        about = Box(box.x + pad, box.y + box.height * 0.08, wide, box.height * 0.50)
        colour8 = _MIST if widget.enabled else _OFF_TEXT
        self._words(f"{widget.name}.value", widget.value, about, self._size(TEXT_PX), colour8, wrap=True)

    def _score(self, widget: Widget, box: Box) -> None:
        self._panel(box, _NIGHT, _GOLD_LINE if widget.chosen else _FAINT_LINE, bold=widget.chosen)
        pad = self._inside(box).x - box.x
        left = box.x + pad
        middle = box.y + box.height / 2.0
        if widget.swatch is not None:
            radius = box.height * 0.2
            colour: Rgba = (*widget.swatch, 1.0 if widget.enabled else 0.4)
            self._panels.add(DISC, (left + radius, middle), (radius, radius), colour)
            left += 2.0 * radius + pad * 0.7
        drop = min(box.height * 0.26, self._size(ROW_PX) * 0.4) if self._large else box.height * 0.26
        step = min(drop * 1.45, box.width * 0.5 / max(widget.tears, 1))
        for k in range(widget.tears):
            place = (box.x + box.width - pad - drop * 0.5 - k * step, middle)
            self._panels.add(TEAR, place, (drop, drop), _TEAR_LOW, _TEAR_TOP)
        right = box.x + box.width - pad - widget.tears * step
        name = Box(left, box.y, right - left, box.height)
        if widget.value:
            below = Box(left, box.y + box.height * 0.08, right - left, box.height * 0.36)
            note = f"{widget.name}.value"
            self._words(note, widget.value, below, self._size(TEXT_PX) * 0.8, _MIST, anchor="left")
            name = Box(left, box.y + box.height * 0.40, right - left, box.height * 0.54)
        colour8 = _GOLD_TEXT if widget.chosen else _WHITE if widget.enabled else _OFF_TEXT
        self._words(
            widget.name,
            widget.text,
            name,
            self._row_size(box),
            colour8,
            bold=widget.chosen,
            anchor="left",
            wrap=self._large,
        )

    def _picture(self, widget: Widget, box: Box) -> None:
        self._panel(box, _NIGHT, _FAINT_LINE, stars=1.0)
        if widget.drawing is not None:
            words = self._drawings.add(widget.drawing, (box.x, box.y, box.width, box.height))
            self._lines |= {f"{widget.name}.{number}": line for number, line in enumerate(words)}

    def _pointer(self, page: Page) -> None:
        """Draw a dot where the hand points, and dots around it that light up while it rests."""
        assert page.pointer is not None
        x, y = page.pointer[0] * self.width, (1.0 - page.pointer[1]) * self.height
        ring = 0.032 * min(self.width, self.height) + 6.0
        dot = ring * 0.13
        resting = max((widget.dwell for widget in page.widgets), default=0.0)
        glowing = math.ceil(resting * _DOTS) if resting > 0.0 else 0
        for k in range(_DOTS):
            angle = k * 2.0 * math.pi / _DOTS
            place = (x + ring * math.sin(angle), y + ring * math.cos(angle))
            colour: Rgba = (1.0, 0.93, 0.74, 1.0) if k < glowing else (0.75, 0.82, 1.0, 0.45)
            size = dot * (1.5 if k < glowing else 1.0)
            self._panels.add(DISC, place, (size, size), colour)
        self._panels.add(DISC, (x, y), (2.6 * dot, 2.6 * dot), (0.05, 0.07, 0.18, 0.7))
        self._panels.add(DISC, (x, y), (1.9 * dot, 1.9 * dot), (1.0, 0.93, 0.74, 1.0))

    # Shapes and words ---------------------------------------------------------------------------------------

    def _inside(self, box: Box) -> Box:
        return box.inside(_LARGE_PADDING * self._size(ROW_PX)) if self._large else box.inside()

    def _row_size(self, box: Box) -> float:
        return min(self._size(ROW_PX), box.height * (_LARGE_PART if self._large else _ROW_PART))

    def _plate(self, widget: Widget, box: Box, *, filling: bool = True) -> None:
        """Draw the plate of a widget that can be pressed."""
        if widget.focused and widget.enabled:
            grown = min(0.10 * box.height, 0.012 * self.height)
            halo = Box(box.x - grown, box.y - grown, box.width + 2 * grown, box.height + 2 * grown)
            self._panel(halo, _GLOW, (0.0, 0.0, 0.0, 0.0), stars=0.0)
        raised = widget.chosen or widget.focused
        line = _GOLD_LINE if raised else _SOFT_GOLD_LINE if widget.kind is WidgetKind.BUTTON else _FAINT_LINE
        fill = _NIGHT_RAISED if raised else _NIGHT
        if not widget.enabled:
            fill, line = _NIGHT_OFF, _OFF_LINE
        self._panel(box, fill, line, bold=raised and widget.enabled)
        if filling and widget.dwell > 0.0:
            width = max(box.width * widget.dwell, min(box.height, box.width))
            self._panel(Box(box.x, box.y, width, box.height), _FILLING, (0.0, 0.0, 0.0, 0.0), stars=0.0)

    def _panel(self, box: Box, fill: Rgba, line: Rgba, *, bold: bool = False, stars: float = 0.5) -> None:
        unit = min(self.width, self.height) / REFERENCE_PX
        half = (box.width / 2.0, box.height / 2.0)
        radius = min(half[0], half[1], max(18.0 * unit, 8.0))
        thick = max(1.0, (2.6 if bold else 1.4) * unit)
        self._panels.add(PANEL, box.middle, half, fill, line, radius=radius, line=thick, number=stars)

    def _disc(self, place: tuple[float, float], radius: float, line: Rgba, resting: float) -> None:
        half = (radius, radius)
        self._panels.add(PANEL, place, half, _NIGHT_RAISED, line, radius=radius, line=max(1.0, radius * 0.08))
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
        fitted = self._fitter.fit(words, box.width, box.height * 0.94, size, bold=bold, wrap=wrap)
        x = box.x if anchor == "left" else box.x + box.width / 2.0
        top = box.y + box.height / 2.0 + (len(fitted.lines) - 1) * fitted.size * LINE_STEP / 2.0
        if name in self._plated:
            wide = max(self._fitter.measure(line, fitted.size, bold) for line in fitted.lines)
            pad = min(0.35 * fitted.size, (box.height - fitted.height) / 2.0 + 0.2 * fitted.size)
            left = box.x if anchor == "left" else x - wide / 2.0
            low = box.y + box.height / 2.0 - fitted.height / 2.0
            plate = Box(left - 2 * pad, low - pad, wide + 4 * pad, fitted.height + 2 * pad)
            self._panel(plate, _NIGHT, (0.0, 0.0, 0.0, 0.0), stars=0.0)
        for k, line in enumerate(fitted.lines):
            key = name if k == 0 else f"{name}.{k}"
            y = top - k * fitted.size * LINE_STEP
            self._lines[key] = Line(line, x, y, fitted.size, colour, bold, anchor)


def _colour(widget: Widget) -> Rgba8:
    if not widget.enabled:
        return _OFF_TEXT
    return _GOLD_TEXT if widget.chosen or widget.focused else _WHITE
