"""Pages over the live picture: titles, buttons, choices and text, in night blue and moon gold."""

from __future__ import annotations

import string
from collections.abc import Iterable
from functools import partial

from armoon import gl
from armoon.values.page import ROW_PX, TEXT_PX, Page, Rect, Widget, WidgetKind, letter_px
from armoon.view import page_shapes
from armoon.view import panels as flat
from armoon.view.lettering import Rgba8, TextLayer, TextLine, measure_text
from armoon.view.panels import GOLD_TEXT, INK, PANEL, SOFT_GOLD_LINE, WHITE, FlatView, Panels
from armoon.view.scene.light import FAULT, GOOD, Rgba
from armoon.view.scene.scenery import MOON_DISC, MOON_LEVELS, load_moon_picture

_DOT_COLOUR: Rgba = (1.0, 0.16, 0.13, 1.0)
_BACKGROUND: Rgba = (0.05, 0.06, 0.15, 0.86)
_INDICATOR_PX = 17.0


class SharingIndicator:
    """The red dot and text at the upper edge, shown while this device sends out pictures."""

    def __init__(self) -> None:
        self._view = FlatView()
        self._panels = Panels()
        self._letters = TextLayer()
        self._shown: tuple[str, int, int] | None = None

    def draw_indicator(self, text: str, width: int, height: int) -> None:
        if self._shown != (text, width, height):
            self._shown = (text, width, height)
            self._lay_out(text, width, height)
        self._view.upload()
        gl.get_bound_target().viewport = (0, 0, width, height)
        self._panels.draw()
        self._letters.draw()

    def _lay_out(self, text: str, width: int, height: int) -> None:
        self._view.resize(width, height)
        self._letters.resize(width, height)
        size = max(letter_px(_INDICATOR_PX, width, height), 11.0)
        wide = measure_text(text, size, bold=True)
        radius = 0.42 * size
        half = (wide / 2.0 + 2.2 * radius, 0.78 * size)
        x, y = width / 2.0, height - half[1] - 2.0
        self._panels.clear()
        self._panels.add(PANEL, (x, y), half, _BACKGROUND, radius=half[1])
        left = x - half[0] + 2.0 * radius
        self._panels.add(flat.DISC, (left, y), (radius, radius), _DOT_COLOUR)
        self._panels.upload()
        line = TextLine(text, left + 1.7 * radius, y, size, (255, 255, 255, 255), True)
        self._letters.set_lines({"leaving": line})


TITLE = "title"
#: Skies to paint in advance: whether for the title page, and whether with the moon.
_SKY_KINDS = ((True, True), (False, True), (False, False))


class PageSky:
    """Translucent skies behind pages, cached at the window's size."""

    def __init__(self, width: int, height: int) -> None:
        """Paint all skies in advance, because one takes 65 ms at 1280x720 without a graphics card."""
        self._paint_program = gl.ShaderProgram("page.vert", "page_sky.frag", samplers=("moon",))
        self._show_program = gl.ShaderProgram("page.vert", "page_show.frag", samplers=("painted",))
        picture = load_moon_picture()
        self._moon = gl.make_texture(picture.shape[1], picture.shape[0], 4, picture, mipmaps=MOON_LEVELS)
        self._full_quad = gl.make_full_quad()
        self._size = (width, height)
        self._skies = {kind: self._paint_sky(*kind) for kind in _SKY_KINDS}

    def draw_sky(
        self, page: str, veil: float, moon: bool, width: int, height: int, viewport: tuple[int, int]
    ) -> None:
        if self._size != (width, height):
            self._size = (width, height)
            self._skies = {}
        kind = (page == TITLE, moon)
        if kind not in self._skies:
            self._skies[kind] = self._paint_sky(*kind)
        gl.get_bound_target().viewport = (*viewport, width, height)
        gl.begin_pass(gl.Blend.OVER)
        gl.bind_textures(self._skies[kind])
        self._show_program.set("veil", veil)
        self._full_quad.draw(self._show_program)

    def _paint_sky(self, title: bool, moon: bool) -> gl.Texture:
        picture = gl.make_texture(*self._size, 4)
        before, into = gl.get_bound_target(), gl.make_target(colour=picture)
        into.use()
        gl.begin_pass()
        gl.bind_textures(self._moon)
        self._paint_program.set("sky_style", float(moon), float(title))
        self._paint_program.set("moon_place", *_place_moon(title, *self._size), 0.0)
        self._full_quad.draw(self._paint_program)
        before.use()
        return picture


def _place_moon(title: bool, width: int, height: int) -> tuple[float, float, float]:
    if width < height:
        radius = 0.085 * height if title else 0.035 * height
        centre = (0.78 * width, 0.93 * height)
    else:
        radius = 0.165 * height if title else 0.075 * height
        centre = (width - 0.42 * height, 0.70 * height) if title else (width - 0.20 * height, 0.885 * height)
    return (*centre, radius / MOON_DISC)


_MIST: Rgba8 = (206, 216, 244, 255)
_HEADING_PX = 46.0
#: Ratio of width to height below which a player's card is narrow.
_NARROW_RATIO = 6.0
#: Margin of a button's photograph and maximum height of the text below, relative to the button's height; usual height
#: of that text, in text sizes.
_PHOTO_EDGE, _PHOTO_TEXT_PART, _PHOTO_TEXT_HEIGHT = 0.035, 0.40, 1.45
#: Height of the text below a button's icon, relative to the button's height; its margin, relative to the width.
_ICON_TEXT_PART, _CAPTION_EDGE = 0.46, 0.04
#: Minimum text size shared by all buttons of a page, relative to a row's text, in a wide and in a tall window. Texts
#: that don't fit in it are smaller than the others.
_MIN_SHARED_SIZE = {False: 0.85, True: 0.75}
#: Minimum veil opacity at which texts need no background, and at which a page in high contrast is opaque.
_DENSE_VEIL = 0.5


class PageView(page_shapes.PageShapes):
    """Draws pages over a whole window; lays them out only when they change."""

    def __init__(self, width: int, height: int) -> None:
        super().__init__(width, height)
        self._view.upload()
        self._sky = PageSky(width, height)

    def draw_page(self, page: Page, origin: tuple[int, int] = (0, 0)) -> None:
        if page != self._shown:
            self._panels.look = self._drawings.look = self._letters.look = page.look
            self.lay_out(page)
            self._panels.upload()
            self._letters.set_lines(self._lines)
            self._shown = page
        self._view.upload()
        if page.veil > 0.0 and not (page.look.contrast and page.veil >= _DENSE_VEIL):
            self._sky.draw_sky(page.name, page.veil, page.moon, self.width, self.height, origin)
        gl.get_bound_target().viewport = (*origin, self.width, self.height)
        self._panels.draw()
        self._photos.draw(origin)
        self._drawings.draw(origin)
        self._letters.draw()

    def lay_out(self, page: Page) -> None:
        self._clear(page.text_scale)
        # Over the camera's picture, text outside cards gets its own background.
        see_through = page.veil < _DENSE_VEIL
        cards = [w.rect for w in page.widgets if w.kind in (WidgetKind.CARD, WidgetKind.PICTURE)]
        self._names_with_background = frozenset(
            widget.name
            for widget in page.widgets
            if see_through
            and widget.kind in (WidgetKind.HEADING, WidgetKind.TEXT)
            and not any(card.contains(widget.rect.centre) for card in cards)
        )
        draw = {
            WidgetKind.HEADING: self._add_heading,
            WidgetKind.TEXT: self._add_running_text,
            WidgetKind.BUTTON: self._add_button,
            WidgetKind.CHOICE: self._add_choice,
            WidgetKind.KEY: self._add_button,
            WidgetKind.FIELD: self._add_field,
            WidgetKind.CARD: self._add_card,
            WidgetKind.SCORE: self._add_score,
            WidgetKind.PICTURE: self._add_picture,
            WidgetKind.NUMBER: self._add_button,
        }
        if page.veil >= _DENSE_VEIL and page.look.contrast:
            middle = (self.width / 2.0, self.height / 2.0)
            self._panels.add(PANEL, middle, middle, page_shapes.NIGHT_FILL)
        self._group_px = self._fit_groups(page.widgets)
        self._button_px = self._fit_buttons(page)
        for widget in page.widgets:
            draw[widget.kind](widget, self._to_pixels(widget.rect))
        captions = page_shapes.lay_out_captions(page, self.width, self.height)
        for k, (caption, size, box) in enumerate(captions):
            self._add_panel(box, page_shapes.NIGHT_FILL, page_shapes.FAINT_LINE, stars=0.0)
            self._add_text(f"caption {k}", caption, box, size, WHITE)
        if page.pointer is not None:
            dwell = max((widget.dwell for widget in page.widgets), default=0.0)
            self._add_pointer(page.pointer, dwell or page.rested)

    def _fit_groups(self, widgets: Iterable[Widget]) -> dict[str, float]:
        """Return the largest text size in which all sentences of a group fit, by the group's name."""
        sizes: dict[str, float] = {}
        for widget in widgets:
            if widget.kind is WidgetKind.TEXT and not widget.chosen:
                group, box = self._find_group(widget), self._to_pixels(widget.rect)
                most = sizes.get(group, self._scale_px(TEXT_PX))
                fitted = self._fitter.fit(widget.text, box.width, 0.94 * box.height, most, wrap=True)
                sizes[group] = fitted.size
        return sizes

    def _find_group(self, widget: Widget) -> str:
        """Return ``note`` for ``note 0``; over the camera's picture, each sentence is its own group."""
        alone = widget.name in self._names_with_background or " " not in widget.name
        return widget.name if alone else widget.name.rpartition(" ")[0]

    def _add_heading(self, widget: Widget, box: Rect) -> None:
        size = min(self._scale_px(_HEADING_PX) * (box.height / self.height / 0.115) ** 0.75, box.height * 0.8)
        wrap, anchor = self.height > self.width, "center" if widget.centred else "left"
        if self._is_large:
            size, wrap, anchor = self._scale_px(ROW_PX), True, "left"
        self._add_text(widget.name, widget.text, box, size, GOLD_TEXT, bold=True, anchor=anchor, wrap=wrap)

    def _add_running_text(self, widget: Widget, box: Rect) -> None:
        strong = bool(widget.chosen)
        if widget.good is not None:
            mark = min(box.height * 0.24, box.width * 0.04)
            colour: Rgba = (*(GOOD if widget.good else FAULT), 1.0)
            kind = flat.TICK if widget.good else flat.CROSS
            self._panels.add(kind, (box.x + mark, box.centre[1]), (mark, mark), colour, INK)
            box = page_shapes.trim_left(box, 3.0 * mark)
        size = self._scale_px(TEXT_PX * 1.15) if strong else self._group_px[self._find_group(widget)]
        ink = WHITE if strong else _MIST
        self._add_text(widget.name, widget.text, box, size, ink, bold=strong, anchor="left", wrap=True)

    def _add_button(self, widget: Widget, box: Rect) -> None:
        if widget.drawing is not None and not widget.drawing.shapes:
            return  # the button is over the structure and must not hide it
        self._add_background(widget, box)
        inner = self._find_text_room(widget, box)
        if widget.drawing is not None and not (widget.text and self._is_large):
            low = inner.height if widget.text else 0.0
            height = (box.height - low) * (0.86 if low else 1.0)
            page_shapes.add_drawing(self._panels, widget.drawing, (box.x, box.y + low, box.width, height))
        elif widget.photo and not self._is_large:
            edge, low = _PHOTO_EDGE * box.height, inner.height
            place = (box.x + edge, box.y + low, box.width - 2.0 * edge, box.height - low - edge)
            self._photos.add(widget.photo, place)
        if widget.swatches:
            radius = box.height * (0.18 if widget.text else 0.26)
            middle = (box.x + box.width - box.height * 0.42, box.centre[1]) if widget.text else box.centre
            self._add_swatches(widget, middle, radius)
            if widget.text and widget.chosen:
                self._panels.add(flat.TICK, middle, (radius * 0.7, radius * 0.7), INK, INK)
        elif widget.chosen and widget.kind is not WidgetKind.KEY:
            mark = box.height * 0.16
            middle = (box.x + box.height * 0.42, box.centre[1])
            self._panels.add(flat.TICK, middle, (mark, mark), page_shapes.GOLD_LINE, INK)
        size = self._find_row_px(box)
        size = size if widget.kind is WidgetKind.KEY else min(size, self._button_px)
        bold = widget.main or widget.chosen or widget.focused
        text_colour = page_shapes.choose_text_colour(widget)
        self._add_text(widget.name, widget.text, inner, size, text_colour, bold=bold, wrap=True)

    def _find_text_room(self, widget: Widget, box: Rect) -> Rect:
        """Return the room for a card's name, or for a button's text beside its colours or tick or below its icon."""
        if widget.kind is WidgetKind.CARD:
            room = self._find_card_room(widget, box)
            high, pad = room.height * 0.34, min(room.height * 0.12, room.width * 0.06)
            pad += 0.66 * high if widget.chosen else 0.0
            low = room.y + room.height * 0.58
            return Rect(room.x + pad, low, room.width - 2.0 * pad, high)
        if widget.text and not self._is_large and (widget.drawing is not None or widget.photo):
            low = _ICON_TEXT_PART * box.height
            if widget.photo:
                low = min(_PHOTO_TEXT_PART * box.height, _PHOTO_TEXT_HEIGHT * self._scale_px(ROW_PX))
            edge = _CAPTION_EDGE * box.width
            return Rect(box.x + edge, box.y, box.width - 2.0 * edge, low)
        inner = self._pad_box(box)
        ticked = widget.chosen and widget.kind is not WidgetKind.KEY
        mark = box.height * 0.44 if widget.text and (widget.swatches or ticked) else 0.0
        left = inner.x if widget.swatches else inner.x + mark
        return Rect(left, inner.y, inner.width - mark, inner.height)

    def _fit_buttons(self, page: Page) -> float:
        """Return a size for the texts of buttons and the names of cards that fits all but very long ones."""
        size = row = self._scale_px(ROW_PX)
        if self._is_large or page.name in page_shapes.OVER_TABLE:
            return row
        least = _MIN_SHARED_SIZE[self.height > self.width] * row
        # Fit twice, because a text that wraps differently in a smaller size may need a still smaller one.
        for widget in 2 * page.widgets:
            if widget.kind in (WidgetKind.BUTTON, WidgetKind.CARD):
                box = self._to_pixels(widget.rect)
                room, most = self._find_text_room(widget, box), min(size, self._find_row_px(box))
                # Fit it in bold, because the focus makes it bold.
                fitted = self._fit_text(widget.text, room, most, bold=True, wrap=True)
                size = fitted.size if fitted.size >= least else size
        return size

    def _add_choice(self, widget: Widget, box: Rect) -> None:
        self._add_background(widget, box, show_dwell=False)
        size, text_colour = self._find_row_px(box), page_shapes.choose_text_colour(widget)
        most = box.height * (1.0 if self._is_large else 0.4)
        label_text = self._fitter.fit(widget.text, box.width * 0.94, most, size, wrap=self._is_large)
        label, value, less, more, radius = page_shapes.lay_out_choice(widget, box, label_text.height)
        self._add_text(widget.name, widget.text, label, size, text_colour, anchor="left", wrap=True)
        for place, side, sign in ((less, -1, "‹"), (more, 1, "›")):
            resting = widget.dwell if widget.dwell_side == side else 0.0
            line = page_shapes.DISABLED_LINE if not widget.enabled else SOFT_GOLD_LINE
            self._add_disc(place, radius, line, resting)
            if widget.enabled:
                x, y = place[0], place[1] + radius * 0.06
                arrow = TextLine(sign, x, y, radius * 1.35, GOLD_TEXT, True, "center")
                self._lines[f"{widget.name}.{sign}"] = arrow
        if widget.level is not None:
            bar = value.y + value.height * 0.20
            self._add_bar(value.x, bar, value.width, value.height * 0.10, widget.level)
            value = page_shapes.slice_box(value, 0.28, 0.94)
        if widget.swatches:
            radius = box.height * 0.17
            self._add_swatches(widget, (value.x + radius, box.centre[1]), radius)
            value = page_shapes.trim_left(value, 2.4 * radius)
        colour = GOLD_TEXT if widget.enabled else page_shapes.DISABLED_TEXT
        self._add_text(f"{widget.name}.value", widget.value, value, self._find_row_px(box), colour, wrap=True)

    def _add_field(self, widget: Widget, box: Rect) -> None:
        self._add_panel(box, page_shapes.RAISED_FILL, page_shapes.GOLD_LINE, bold=True)
        inner = self._pad_box(box)
        if widget.swatches:
            place = (box.x + box.height * 0.5, box.centre[1])
            self._add_swatches(widget, place, box.height * 0.2)
            inner = Rect(box.x + box.height * 0.8, box.y, box.width - box.height * 1.1, box.height)
        size = min(self._scale_px(_HEADING_PX * 0.8), box.height * 0.62)
        self._add_text(widget.name, widget.text + "_", inner, size, WHITE, bold=True)

    def _add_card(self, widget: Widget, box: Rect) -> None:
        if widget.text:
            self._add_named_card(widget, box)
            return
        line = SOFT_GOLD_LINE if widget.good is None else (*(GOOD if widget.good else FAULT), 0.95)
        self._add_panel(box, page_shapes.NIGHT_FILL, line, bold=widget.good is not None, stars=1.0)
        if widget.level is not None:
            edge = min(box.width, box.height) * 0.05
            top = box.y + box.height
            self._add_bar(box.x + 4 * edge, top - 1.4 * edge, box.width - 8 * edge, edge, widget.level)

    def _add_named_card(self, widget: Widget, box: Rect) -> None:
        """Add a card that is a button, with its name above its description."""
        self._add_background(widget, box)
        room, name = self._find_card_room(widget, box), self._find_text_room(widget, box)
        if room is not box:
            edge = _PHOTO_EDGE * box.height
            width, height = room.x - box.x - edge, box.height - 2.0 * edge
            self._photos.add(widget.photo, (box.x + edge, box.y + edge, width, height))
        if widget.chosen:
            mark = name.height * 0.22
            tick = (name.x - 2.0 * mark, name.centre[1])
            self._panels.add(flat.TICK, tick, (mark, mark), page_shapes.GOLD_LINE, INK)
        text_colour = page_shapes.choose_text_colour(widget)
        bold = widget.main or widget.chosen or widget.focused
        self._add_text(widget.name, widget.text, name, self._button_px, text_colour, bold=bold, wrap=True)
        pad = min(room.height * 0.12, room.width * 0.06)
        low, height = room.y + room.height * 0.08, room.height * 0.50
        description = Rect(room.x + pad, low, room.width - 2.0 * pad, height)
        text_colour = _MIST if widget.enabled and not widget.main else text_colour
        size = min(self._scale_px(TEXT_PX), self._lines[widget.name].size)
        self._add_text(f"{widget.name}.value", widget.value, description, size, text_colour, wrap=True)

    def _find_card_room(self, widget: Widget, box: Rect) -> Rect:
        """Return the part of a card beside its photograph."""
        if not widget.photo or self._is_large:
            return box
        edge = _PHOTO_EDGE * box.height
        width = edge + min(0.45 * box.width, 16.0 / 9.0 * (box.height - 2.0 * edge))
        return page_shapes.trim_left(box, width)

    def _add_score(self, widget: Widget, box: Rect) -> None:
        line = page_shapes.GOLD_LINE if widget.chosen else page_shapes.FAINT_LINE
        self._add_panel(box, page_shapes.NIGHT_FILL, line, bold=bool(widget.chosen))
        # A narrow card has colours and tears above its name, because the name needs the whole width.
        narrow = bool(widget.value) and box.width < _NARROW_RATIO * box.height
        inner = page_shapes.pad_box(box, 0.14 * box.height) if narrow else self._pad_box(box)
        head = page_shapes.slice_box(inner, 0.68, 0.94) if narrow else inner
        radius = head.height * (0.36 if narrow else 0.2)
        left = head.x
        if widget.swatches:
            self._add_swatches(widget, (left + radius, head.centre[1]), radius)
            left += 2.0 * radius + 0.2 * box.height
        step = min(2.2 * radius, (head.x + head.width - left) / max(widget.tears, 1))
        for k in range(widget.tears if narrow else 0):
            place = (head.x + head.width - 0.7 * radius - k * step, head.centre[1])
            self._panels.add(flat.TEAR, place, (radius, radius), flat.TEAR_LOW, flat.TEAR_TOP)
        name = note = Rect(left, box.y, inner.x + inner.width - left, box.height)
        if narrow:
            name, note = page_shapes.slice_box(inner, 0.24, 0.67), page_shapes.slice_box(inner, 0.03, 0.24)
        elif widget.value:
            name, note = page_shapes.slice_box(name, 0.40, 0.94), page_shapes.slice_box(name, 0.08, 0.44)
        text_colour = GOLD_TEXT if widget.chosen else WHITE if widget.enabled else page_shapes.DISABLED_TEXT
        add, wrap = partial(self._add_text, anchor="left"), narrow or self._is_large
        size, bold = self._find_row_px(box), bool(widget.chosen)
        add(widget.name, widget.text, name, size, text_colour, bold=bold, wrap=wrap)
        add(f"{widget.name}.value", widget.value, note, self._scale_px(TEXT_PX) * 0.8, _MIST)

    def _add_picture(self, widget: Widget, box: Rect) -> None:
        if widget.drawing is None or widget.drawing.framed:
            self._add_panel(box, page_shapes.NIGHT_FILL, page_shapes.FAINT_LINE, stars=1.0)
        if widget.drawing is not None:
            lines = self._drawings.add(widget.drawing, (box.x, box.y, box.width, box.height))
            self._lines |= {f"{widget.name}.{number}": line for number, line in enumerate(lines)}


#: Side of the picture for drawing a warm-up page, in pixels.
_WARM_UP_PX = 64
#: Common letters in the common sizes: of a row, a bold row, and running text.
_COMMON_LETTERS = string.ascii_letters + " éèêà.,:’"
_WARM_UP_WIDGETS = (
    Widget("row", WidgetKind.BUTTON, Rect(0.01, 0.1, 0.98, 0.1), _COMMON_LETTERS),
    Widget("bold", WidgetKind.BUTTON, Rect(0.01, 0.3, 0.98, 0.1), _COMMON_LETTERS, focused=True),
    Widget("text", WidgetKind.TEXT, Rect(0.01, 0.5, 0.98, 0.2), _COMMON_LETTERS),
)


def make_page_view(width: int, height: int) -> PageView:
    """Return a view that has already drawn a page, because drivers finish compiling at the first draw."""
    view = PageView(width, height)
    before, into = gl.get_bound_target(), gl.make_target(colour=gl.make_texture(_WARM_UP_PX, _WARM_UP_PX, 4))
    into.use()
    view.draw_page(Page("once", _WARM_UP_WIDGETS, 0.5, moon=True))
    before.use()
    return view
