"""Shapes and texts of a page's widgets: backgrounds, discs, bars, fitted text, photographs, the pointer."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from pathlib import Path

import cv2
import numpy as np

from armoon import gl
from armoon.values import page as ui
from armoon.values.look import USUAL_LOOK
from armoon.values.poses import Vec2
from armoon.view import panels as flat
from armoon.view.lettering import FittedText, Rgba8, TextFitter, TextLayer, TextLine, measure_text, to_lines
from armoon.view.panels import DISC, GOLD_TEXT, PANEL, SOFT_GOLD_LINE, WHITE, FlatView, Panels
from armoon.view.scene.light import GOLD, Rgba

#: Shape and number of each sign.
_SIGN_SHAPES: dict[ui.Sign, tuple[int, float]] = {
    ui.Sign.DISC: (DISC, 0.0),
    ui.Sign.PANEL: (PANEL, 0.0),
    ui.Sign.SHEET: (PANEL, 0.0),
    ui.Sign.TEAR: (flat.TEAR, 0.0),
    ui.Sign.CRESCENT: (flat.CRESCENT, 0.0),
    ui.Sign.LADDER: (flat.LADDER, 0.0),
    ui.Sign.TICK: (flat.TICK, 0.0),
    ui.Sign.CROSS: (flat.CROSS, 0.0),
    ui.Sign.DIE_ONE: (flat.DIE, 1.0),
    ui.Sign.DIE_TWO: (flat.DIE, 2.0),
    ui.Sign.DIE_MOON: (flat.DIE, 3.0),
    ui.Sign.DIE: (flat.DIE, 4.0),
}
#: Border width of a stroke, relative to the stroke's width, and of a plate, relative to its shorter side.
_STROKE_BORDER, _PLATE_BORDER = 0.16, 0.06


class Drawings:
    """The drawings of a page, each clipped to its box."""

    def __init__(self) -> None:
        self._shown: list[tuple[tuple[int, int, int, int], Panels]] = []
        self._spare: list[Panels] = []
        self.look = USUAL_LOOK

    def clear(self) -> None:
        self._spare += (panels for _, panels in self._shown)
        self._shown = []

    def add(self, drawing: ui.Drawing, place: tuple[float, float, float, float]) -> tuple[TextLine, ...]:
        """Add a drawing, fitted into ``place`` (x, y, width, height; pixels); return its texts."""
        panels = self._spare.pop() if self._spare else Panels()
        panels.clear()
        panels.look = self.look
        lines = add_drawing(panels, drawing, place)
        panels.upload()
        x, y, width, height = place
        self._shown.append(((round(x) + 1, round(y) + 1, round(width) - 2, round(height) - 2), panels))
        return lines

    def draw(self, origin: tuple[int, int]) -> None:
        """Draw into the bound target, with the page's lower left corner at ``origin``."""
        for (x, y, width, height), panels in self._shown:
            gl.limit_drawing((origin[0] + x, origin[1] + y, width, height), gl.get_bound_target())
            panels.draw()
        if self._shown:
            gl.limit_drawing(None, gl.get_bound_target())


def add_drawing(
    panels: Panels, drawing: ui.Drawing, place: tuple[float, float, float, float]
) -> tuple[TextLine, ...]:
    """Add a drawing's shapes to ``panels``, fitted into ``place``; return its texts."""
    x, y, width, height = place
    unit = min(width / ui.ASPECT, height)
    left, top = x + (width - ui.ASPECT * unit) / 2.0, y + (height + unit) / 2.0
    lines: list[TextLine] = []

    def to_px(spot: Vec2) -> Vec2:
        return (left + spot[0] * unit, top - spot[1] * unit)

    for shape in drawing.shapes:
        if isinstance(shape, ui.Stroke):
            thick = shape.width * unit
            edge = _STROKE_BORDER * thick if shape.edge[3] > 0.0 else 0.0
            panels.add_stroke(to_px(shape.a), to_px(shape.b), thick / 2.0, shape.colour, shape.edge, edge)
        elif isinstance(shape, ui.Mark):
            _add_mark(panels, shape, to_px(shape.centre), unit)
        else:
            red, green, blue, opacity = (round(255 * part) for part in shape.colour)
            colour, size = (red, green, blue, opacity), shape.size * unit
            lines.append(TextLine(shape.text, *to_px(shape.centre), size, colour, bold=True, anchor="center"))
    return tuple(lines)


def _add_mark(panels: Panels, mark: ui.Mark, centre: Vec2, unit: float) -> None:
    kind, number = _SIGN_SHAPES[mark.sign]
    half = (mark.half[0] * unit, mark.half[1] * unit)
    shorter = min(half) if mark.sign is ui.Sign.PANEL else 0.0
    radius, line = 0.35 * shorter, _PLATE_BORDER * 2.0 * shorter
    panels.add(kind, centre, half, mark.colour, mark.edge, radius=radius, line=line, number=number)


_PHOTO_FOLDER = Path(__file__).with_name("photos")
#: Corner radius of a photograph, relative to its height.
_CORNER_PART = 0.09
#: Left and lower edge, width and height, whole pixels from the lower left corner of the page.
PixelRect = tuple[int, int, int, int]


class Photos:
    """The photographs of a page; ignores names without a file."""

    def __init__(self) -> None:
        self._program = gl.ShaderProgram("feed.vert", "layer.frag", samplers=("layer",))
        self._full_quad = gl.make_full_quad()
        self._textures: dict[tuple[str | bytes, int, int], gl.Texture] = {}
        self._shown: list[tuple[gl.Texture, PixelRect]] = []

    def clear(self) -> None:
        """Show no photographs, and keep only the cached textures of packaged ones."""
        self._shown = []
        self._textures = {key: picture for key, picture in self._textures.items() if isinstance(key[0], str)}

    def add(self, photo: str | bytes, place: tuple[float, float, float, float]) -> None:
        """Show a photograph, cropped to the shape of ``place`` (left, lower edge, width, height; pixels)."""
        x, y, width, height = (round(part) for part in place)
        key = (photo, width, height)
        if key not in self._textures:
            if isinstance(photo, str):
                path = _PHOTO_FOLDER / f"{photo}.jpg"
                photo = path.read_bytes() if path.is_file() else b""
            if min(width, height) < 1 or not photo:
                return
            self._textures[key] = gl.make_texture(width, height, 4, _crop_photo(photo, width, height))
        self._shown.append((self._textures[key], (x, y, width, height)))

    def drop_textures(self) -> None:
        self._textures = {}
        self.clear()

    def draw(self, origin: tuple[int, int]) -> None:
        into = gl.get_bound_target()
        viewport = into.viewport
        for picture, (x, y, width, height) in self._shown:
            corner = origin[0] + x, origin[1] + y
            into.viewport = (*corner, width, height)
            gl.begin_pass(gl.Blend.PREMULTIPLIED)
            gl.bind_textures(picture)
            self._program.set("corner", *corner)
            self._full_quad.draw(self._program)
        into.viewport = viewport


def _crop_photo(jpeg: bytes, width: int, height: int) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """Return a photograph's middle (height, width, 4), lowest row first, premultiplied RGBA, with rounded corners."""
    image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    scale = max(width / image.shape[1], height / image.shape[0])
    high, wide = (min(image.shape[k], round(part / scale)) for k, part in enumerate((height, width)))
    top, left = (image.shape[0] - high) // 2, (image.shape[1] - wide) // 2
    part = image[top : top + high, left : left + wide]
    interpolation = cv2.INTER_AREA if scale < 1.0 else cv2.INTER_CUBIC
    picture = cv2.cvtColor(cv2.resize(part, (width, height), interpolation=interpolation), cv2.COLOR_BGR2RGBA)
    radius = _CORNER_PART * height
    y, x = np.indices((height, width), dtype=np.float32) + 0.5
    beyond_px = [np.maximum(radius - np.minimum(v, side - v), 0.0) for v, side in ((x, width), (y, height))]
    opacity = np.clip(radius + 0.5 - np.hypot(*beyond_px), 0.0, 1.0)[..., None]
    return np.asarray(np.round(picture[::-1] * opacity), np.uint8)


#: Padding inside a widget, relative to its height.
PADDING = 0.32
#: Minimum size of a text on one line, relative to its wrapped size; a text that would be smaller is wrapped.
_ONE_LINE_PART = 0.85


def slice_box(box: ui.Rect, low: float, high: float) -> ui.Rect:
    """Return the part of a box between two heights, given as fractions of the box's height from its lower edge."""
    return replace(box, y=box.y + low * box.height, height=(high - low) * box.height)


def trim_left(box: ui.Rect, width: float) -> ui.Rect:
    return replace(box, x=box.x + width, width=box.width - width)


def pad_box(box: ui.Rect, most: float = math.inf) -> ui.Rect:
    """Return the room for text in a box, with at most ``most`` pixels of padding on either side."""
    pad = min(box.height * PADDING, box.width * 0.05, most)
    return replace(box, x=box.x + pad, width=box.width - 2.0 * pad)


def lay_out_choice(
    widget: ui.Widget, box: ui.Rect, label_height: float
) -> tuple[ui.Rect, ui.Rect, Vec2, Vec2, float]:
    """Return the boxes of label and value, the arrows' centres and their radius; a stacked label is above its value."""
    less_from, less_to, more_from = widget.arrows
    pad, low = box.height * PADDING, box
    label = ui.Rect(box.x + pad, box.y, box.width * less_from - 1.4 * pad, box.height)
    if widget.stacked:
        above = min(label_height * 1.25, box.height * 0.7)
        pad = box.width * 0.03
        label = ui.Rect(box.x + pad, box.y + box.height - above, box.width - 2.0 * pad, above)
        low = ui.Rect(box.x, box.y, box.width, box.height - above)
    radius = min(low.height * 0.36, box.width * (less_to - less_from) * 0.5)
    left, right = box.x + box.width * less_to, box.x + box.width * more_from
    room = 0.0 if widget.stacked else 0.2 * pad
    value = ui.Rect(left + room, low.y, right - left - 2.0 * room, low.height)
    less = (box.x + box.width * (less_from + less_to) / 2.0, low.centre[1])
    more = (box.x + box.width * ((more_from + 1.0) / 2.0 - 0.004), low.centre[1])
    return label, value, less, more, radius


NIGHT_FILL: Rgba = (0.070, 0.090, 0.225, 0.86)
RAISED_FILL: Rgba = (0.150, 0.150, 0.290, 0.94)
MAIN_FILL: Rgba = (0.93, 0.74, 0.40, 1.0)
WHITE_LINE: Rgba = (1.0, 1.0, 1.0, 0.95)
MAIN_TEXT: Rgba8 = (38, 26, 8, 255)
_DISABLED_FILL: Rgba = (0.062, 0.078, 0.180, 0.80)
_GLOW: Rgba = (*GOLD, 0.16)
_DWELL_FILL: Rgba = (*GOLD, 0.42)
_MAIN_DWELL_FILL: Rgba = (1.0, 0.98, 0.90, 0.70)
_NO_COLOUR: Rgba = (0.0, 0.0, 0.0, 0.0)
GOLD_LINE: Rgba = (*GOLD, 0.95)
FAINT_LINE: Rgba = (0.62, 0.70, 1.0, 0.34)
DISABLED_LINE: Rgba = (0.62, 0.70, 1.0, 0.14)
DISABLED_TEXT: Rgba8 = (132, 142, 176, 255)

#: Maximum text size on one line, relative to the widget's height, for usual and for very large text.
_ROW_PART, _LARGE_PART = 0.52, 0.64
#: Maximum padding beside very large text, in text sizes.
_LARGE_PADDING = 0.6
#: Number of dots around a pointer, which light up one by one while it rests.
_POINTER_DOTS = 16


class PageShapes:
    """The shapes and texts of one page in a window, in pixels from its lower left corner."""

    def __init__(self, width: int, height: int) -> None:
        """Compile shaders and open a font. Needs a current OpenGL context; raises DisplayError if either fails."""
        self._view = FlatView()
        self._panels = Panels()
        self._drawings = Drawings()
        self._photos = Photos()
        self._letters = TextLayer()
        self._fitter = TextFitter()
        self._lines: dict[str, TextLine] = {}
        self._scale = 1.0
        self._names_with_background: frozenset[str] = frozenset()
        self.resize(width, height)

    def resize(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self._shown: ui.Page | None = None
        self._photos.drop_textures()
        self._letters.resize(width, height)
        self._view.resize(width, height)

    @property
    def texts(self) -> dict[str, TextLine]:
        return dict(self._lines)

    def _clear(self, text_scale: float) -> None:
        """Remove all shapes and texts, and set the next page's factor of the text size."""
        self._shown = None
        self._lines = {}
        self._panels.clear()
        self._drawings.clear()
        self._photos.clear()
        self._scale = text_scale

    @property
    def _is_large(self) -> bool:
        return self._scale > ui.IN_PLACE

    def _to_pixels(self, rect: ui.Rect) -> ui.Rect:
        return replace(rect, y=1.0 - rect.y - rect.height).scaled(self.width, self.height)

    def _scale_px(self, pixels: float) -> float:
        """Convert a text size for a window 720 px high to this window and the page's text scale."""
        return ui.letter_px(pixels, self.width, self.height) * self._scale

    def _pad_box(self, box: ui.Rect) -> ui.Rect:
        return pad_box(box, _LARGE_PADDING * self._scale_px(ui.ROW_PX) if self._is_large else math.inf)

    def _find_row_px(self, box: ui.Rect) -> float:
        return min(self._scale_px(ui.ROW_PX), box.height * (_LARGE_PART if self._is_large else _ROW_PART))

    def _add_background(self, widget: ui.Widget, box: ui.Rect, *, show_dwell: bool = True) -> None:
        if widget.focused and widget.enabled:
            margin = min(0.10 * box.height, 0.012 * self.height)
            halo = ui.Rect(box.x - margin, box.y - margin, box.width + 2 * margin, box.height + 2 * margin)
            self._add_panel(halo, _GLOW, _NO_COLOUR, stars=0.0)
        raised = widget.chosen or widget.focused
        line = GOLD_LINE if raised else SOFT_GOLD_LINE if widget.kind is ui.WidgetKind.BUTTON else FAINT_LINE
        fill = RAISED_FILL if raised else NIGHT_FILL
        if not widget.enabled:
            fill, line = _DISABLED_FILL, DISABLED_LINE
        elif widget.main:
            fill, line = MAIN_FILL, WHITE_LINE if widget.focused else MAIN_FILL
        self._add_panel(box, fill, line, bold=raised and widget.enabled, stars=0.0 if widget.main else 0.5)
        if show_dwell and widget.dwell > 0.0:
            width = max(box.width * widget.dwell, min(box.height, box.width))
            dwell_fill = _MAIN_DWELL_FILL if widget.main else _DWELL_FILL
            self._add_panel(replace(box, width=width), dwell_fill, _NO_COLOUR, stars=0.0)

    def _add_panel(
        self, box: ui.Rect, fill: Rgba, line: Rgba, *, bold: bool = False, stars: float = 0.5
    ) -> None:
        unit = min(self.width, self.height) / ui.REFERENCE_PX
        half = (box.width / 2.0, box.height / 2.0)
        radius = min(half[0], half[1], max(18.0 * unit, 8.0))
        thick = max(1.0, (2.6 if bold else 1.4) * unit)
        self._panels.add(PANEL, box.centre, half, fill, line, radius=radius, line=thick, number=stars)

    def _add_disc(self, place: tuple[float, float], radius: float, line: Rgba, dwell: float) -> None:
        half = (radius, radius)
        self._panels.add(PANEL, place, half, RAISED_FILL, line, radius=radius, line=max(1.0, radius * 0.08))
        if dwell > 0.0:
            grown = radius * dwell
            self._panels.add(DISC, place, (grown, grown), _DWELL_FILL)

    def _fit_text(self, text: str, box: ui.Rect, size: float, *, bold: bool, wrap: bool) -> FittedText:
        fit = partial(self._fitter.fit, text, box.width, box.height * 0.94, size)
        # Decide by the bold text, because a button must not be rewrapped when the focus makes it bold.
        wrap = wrap and fit(bold=True).size < _ONE_LINE_PART * fit(bold=True, wrap=True).size
        return fit(bold=bold, wrap=wrap)

    def _add_text(
        self,
        name: str,
        text: str,
        box: ui.Rect,
        size: float,
        colour: Rgba8,
        *,
        bold: bool = False,
        anchor: str = "center",
        wrap: bool = False,
    ) -> None:
        if not text:
            return
        fitted = self._fit_text(text, box, size, bold=bold, wrap=wrap)
        x = box.x if anchor == "left" else box.x + box.width / 2.0
        if name in self._names_with_background:
            width = max(measure_text(line, fitted.size, bold) for line in fitted.lines)
            pad = min(0.35 * fitted.size, (box.height - fitted.height) / 2.0 + 0.2 * fitted.size)
            if anchor == "left":  # align the background, not the text, with the texts below
                x += min(2.0 * pad, max(0.0, box.width - width - 2.0 * pad))
            left = x if anchor == "left" else x - width / 2.0
            bottom = box.centre[1] - fitted.height / 2.0
            background = ui.Rect(left - 2 * pad, bottom - pad, width + 4 * pad, fitted.height + 2 * pad)
            self._add_panel(background, NIGHT_FILL, _NO_COLOUR, stars=0.0)
        self._lines |= to_lines(name, fitted, x, box.centre[1], colour, bold, anchor)

    def _add_bar(self, x: float, y: float, width: float, height: float, level: float) -> None:
        half = (width / 2.0, height / 2.0)
        self._panels.add(PANEL, (x + half[0], y), half, (0.2, 0.24, 0.45, 0.9), radius=half[1])
        if level > 0.0:
            full = max(width * level, height)
            self._panels.add(PANEL, (x + full / 2.0, y), (full / 2.0, half[1]), GOLD_LINE, radius=half[1])

    def _add_swatches(self, widget: ui.Widget, place: Vec2, radius: float) -> None:
        """Draw the widget's colours as discs side by side in the space of one."""
        count, opacity = max(len(widget.swatches), 1), 1.0 if widget.enabled else 0.4
        size = radius * (1.0 if count == 1 else 1.3 / count)
        for k, colour in enumerate(widget.swatches):
            x = place[0] + (2.0 * k + 1.0 - count) * radius / count
            self._panels.add(DISC, (x, place[1]), (size, size), (*colour, opacity))

    def _add_pointer(self, place: Vec2, dwell: float) -> None:
        """Draw the pointer, at a place in fractions of the window, with dots around it that light up while it rests."""
        x, y = place[0] * self.width, (1.0 - place[1]) * self.height
        ring = 0.032 * min(self.width, self.height) + 6.0
        dot = ring * 0.13
        glowing = math.ceil(dwell * _POINTER_DOTS) if dwell > 0.0 else 0
        for k in range(_POINTER_DOTS):
            angle = k * 2.0 * math.pi / _POINTER_DOTS
            spot = (x + ring * math.sin(angle), y + ring * math.cos(angle))
            colour: Rgba = (1.0, 0.93, 0.74, 1.0) if k < glowing else (0.75, 0.82, 1.0, 0.45)
            size = dot * (1.5 if k < glowing else 1.0)
            self._panels.add(DISC, spot, (size, size), colour)
        self._panels.add(DISC, (x, y), (2.6 * dot, 2.6 * dot), (0.05, 0.07, 0.18, 0.7))
        self._panels.add(DISC, (x, y), (1.9 * dot, 1.9 * dot), (1.0, 0.93, 0.74, 1.0))


def choose_text_colour(widget: ui.Widget) -> Rgba8:
    if not widget.enabled:
        return DISABLED_TEXT
    if widget.main:
        return MAIN_TEXT
    return GOLD_TEXT if widget.chosen or widget.focused else WHITE


#: Names of pages that leave the table visible. A game without pages has the empty name.
OVER_TABLE = ("", "table", "guide")
#: Captions over a table, for a wide and a tall window: the first one's distance from the upper edge, relative to the
#: height; their middle and maximum width, relative to the width. The players' lines are to their left.
_CAPTION_TOP = {False: 0.165, True: 0.245}
_CAPTION_WIDTH = {False: (0.515, 0.36), True: (0.70, 0.56)}
#: Height of the caption below the buttons at a page's lower edge, relative to the window's height.
_CAPTION_EDGE = {False: 0.044, True: 0.027}
#: Height and padding of a caption, in text sizes; maximum text size, relative to the window's height.
_LINE_HEIGHT, _CAPTION_PADDING, _MAX_CAPTION_PART = 1.5, 1.2, 0.045


def lay_out_captions(page: ui.Page, width: int, height: int) -> list[tuple[str, float, ui.Rect]]:
    """Return each caption with its text size and its box, in pixels from the window's lower left corner."""
    tall = width < height
    over_table = page.name in OVER_TABLE
    size = min(ui.letter_px(ui.TEXT_PX, width, height) * page.text_scale, _MAX_CAPTION_PART * height)
    captions = (*page.captions, page.notice) if page.notice else page.captions
    top, (middle, max_width) = _CAPTION_TOP[tall] * height, _CAPTION_WIDTH[tall]
    if not over_table:
        captions, size = captions[-1:], min(size, _CAPTION_EDGE[tall] * height / _LINE_HEIGHT)
        top, middle, max_width = height - _LINE_HEIGHT * size, 0.5, 0.96
    boxes = []
    for number, caption in enumerate(captions):
        room = (max_width * width - _CAPTION_PADDING * size) / max(1.0, measure_text(caption, size))
        fitted_size = size * min(1.0, room)
        box_width = measure_text(caption, fitted_size) + _CAPTION_PADDING * fitted_size
        bottom = height - top - (number + 1) * _LINE_HEIGHT * size
        box = ui.Rect(middle * width - box_width / 2.0, bottom, box_width, _LINE_HEIGHT * size * 0.94)
        boxes.append((caption, fitted_size, box))
    return boxes
