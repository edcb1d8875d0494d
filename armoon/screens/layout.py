"""Layout of pages, in fractions of the window, for wide and for tall windows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from armoon.games.sketches import draw_icon
from armoon.messages import text
from armoon.screens.events import Action, Ask, ChangeSetting, Request
from armoon.screens.form import Form
from armoon.screens.state import PageName, Screens
from armoon.values import page as ui
from armoon.values import replace
from armoon.values.acts import KeyMap
from armoon.values.choices import CameraWay, Way
from armoon.values.player_settings import NO_OVERRIDES, PlayerSettings
from armoon.values.poses import Vec2

#: The next state and the actions for the app.
Reply = tuple[Screens, tuple[Action, ...]]


@dataclass(frozen=True)
class Item:
    """A widget, and the effects of pressing or changing it."""

    widget: ui.Widget
    press: Callable[[Screens], Reply] | None = None
    adjust: Callable[[Screens, int], Reply] | None = None
    at_foot: bool = False
    """Whether the item is a button at the window's lower edge."""
    group: str = ""
    """Group that scanning highlights as a whole before its single items; empty: none."""
    slow_scan: bool = False
    """Whether scanning highlights the item for longer in the first round, so that the player has time to think."""
    is_irreversible: bool = False
    """Whether the action can't be undone; scanning pauses for one step before it, so a late press can't select it."""
    stands_for: str = ""
    """Name of the widget that a press on this one activates; empty: this one."""
    words: str = ""
    """Text shown in ``words_area`` instead of the icon while the widget has the focus or the pointer."""
    words_area: ui.Rect | None = None

    @property
    def is_live(self) -> bool:
        return self.widget.enabled and (self.press is not None or self.adjust is not None)

    def with_words(self, widget: ui.Widget, points: Iterable[Vec2 | None]) -> ui.Widget:
        """Return the widget; if it has the focus or contains one of the points, with its text instead of the icon."""
        if self.words_area is None or not (
            widget.focused or any(point is not None and widget.rect.contains(point) for point in points)
        ):
            return widget
        rect = self.words_area if self.words_area.contains(widget.rect.centre) else self.words_area.mirrored
        return replace(widget, text=self.words, drawing=None, rect=rect)

    def change(self, **changes: Any) -> Item:
        return replace(self, widget=replace(self.widget, **changes))


@dataclass(frozen=True)
class Plan:
    """A page before it is drawn: its items, and the action that leaves it."""

    items: tuple[Item, ...]
    veil: float
    leave: Callable[[Screens], Reply]
    """Called for Escape and for a gamepad's B."""
    first: str = ""
    """Name of the widget with the initial focus; empty: the first live one."""
    moon: bool = False
    is_private: bool = False
    """Whether films and streams omit the page."""

    def item(self, name: str | None) -> Item | None:
        return next((item for item in self.items if item.widget.name == name), None)


def go_back(screens: Screens) -> Reply:
    return screens.go_back(), ()


def go_to(page: PageName, *actions: Action, **changes: Any) -> Callable[[Screens], Reply]:
    """Return a press handler that opens a page, changes these fields of the state, and sends actions to the app."""
    return lambda screens: (replace(screens.go_to(page), **changes), actions)


def change(**changes: Any) -> Callable[[Screens], Reply]:
    """Return a press handler that changes these fields of the state."""
    return lambda screens: (replace(screens, **changes), ())


def emit(action: Action) -> Callable[[Screens], Reply]:
    """Return a press handler that sends this action to the app and stays on the page."""
    return lambda screens: (screens, (action,))


def step_number(field: str, count: int) -> Callable[[Screens, int], Reply]:
    """Return a handler for a choice's arrows that steps this field of the state through 0 to ``count`` - 1."""

    def adjust(screens: Screens, step: int) -> Reply:
        changes: dict[str, Any] = {field: (getattr(screens, field) + step) % count}
        return replace(screens, **changes), ()

    return adjust


#: Number of foot buttons from which the gaps between them are halved.
_MANY_BUTTONS = 5
#: Name of the item whose area shows only the structure.
TOWER = "tower"
#: Placeholder area of an item that hasn't been arranged yet.
NOWHERE = ui.Rect(0.0, 0.0, 0.0, 0.0)
#: Maximum height of a row, in a wide and in a tall window.
MAX_ROW_HEIGHT = {False: 0.112, True: 0.070}
#: Minimum share of a page's body for the text above a list; gap between sentences, in multiples of the text size.
_MIN_TEXT_SHARE, _SENTENCE_GAP = 0.20, 0.6
#: Maximum number of rows in one column of a wide window; more rows use two columns.
MAX_ROWS = 5


def body_area(tall: bool) -> ui.Rect:
    return ui.Rect(0.05, 0.125, 0.90, 0.755) if tall else ui.Rect(0.08, 0.195, 0.84, 0.61)


def foot_area(tall: bool) -> ui.Rect:
    return ui.Rect(0.05, 0.905, 0.90, 0.065) if tall else ui.Rect(0.08, 0.845, 0.84, 0.105)


def list_areas(tall: bool, count: int, area: ui.Rect | None = None) -> list[ui.Rect]:
    """Return areas for a list of rows: in one column if the list is short or the window tall, else in two."""
    body = area or body_area(tall)
    if tall:
        return ui.grid(body, count, 1, MAX_ROW_HEIGHT[True], (0.0, 0.014))
    if count <= MAX_ROWS:
        return ui.grid(ui.columns(body, 0.16, 0.68)[1], count, 1, MAX_ROW_HEIGHT[False])
    return ui.grid(body, count, 2, MAX_ROW_HEIGHT[False])


def heading(screens: Screens, words: str) -> Item:
    area = ui.Rect(0.05, 0.035, 0.90, 0.07) if screens.is_tall else ui.Rect(0.08, 0.05, 0.84, 0.115)
    return label("heading", ui.WidgetKind.HEADING, area, words)


def label(name: str, kind: ui.WidgetKind, rect: ui.Rect, words: str = "", **fields: Any) -> Item:
    """Return a text, picture or other widget that can't be pressed."""
    return Item(ui.Widget(name, kind, rect, words, **fields))


def button(
    name: str,
    words: str,
    press: Callable[[Screens], Reply],
    *,
    rect: ui.Rect = NOWHERE,
    enabled: bool = True,
    chosen: bool | None = None,
) -> Item:
    return Item(ui.Widget(name, ui.WidgetKind.BUTTON, rect, words, enabled=enabled, chosen=chosen), press)


def choice(
    name: str,
    label: str,
    value: str,
    adjust: Callable[[Screens, int], Reply],
    *,
    enabled: bool = True,
    level: float | None = None,
    now: object = None,
    offers: Sequence[object] = (),
) -> Item:
    """Return a labelled value with arrows that change it; pressing the widget steps forward.

    ``level``: a bar's length, 0 to 1. ``now`` and ``offers``: the value and all possible values, for screen readers.
    """
    span = None
    numbers = [float(item) for item in (now, *offers) if isinstance(item, int | float)]
    if len(offers) > 1 and len(numbers) == len(offers) + 1 and not isinstance(now, bool):
        span = (numbers[0], min(numbers[1:]), max(numbers[1:]))
    widget = ui.Widget(
        name,
        ui.WidgetKind.CHOICE,
        NOWHERE,
        label,
        value,
        enabled=enabled,
        level=level,
        on=now if isinstance(now, bool) else None,
        span=span,
    )
    return Item(widget, lambda screens: adjust(screens, 1), adjust)


def card(
    name: str, words: str, about: str, press: Callable[[Screens], Reply], *, chosen: bool | None = None
) -> Item:
    """Return a button with a name and a description."""
    return Item(ui.Widget(name, ui.WidgetKind.CARD, NOWHERE, words, about, chosen=chosen), press)


def arrange_compactly(screens: Screens, items: Sequence[Item], area: ui.Rect) -> tuple[Item, ...]:
    """Arrange rows with small gaps, so that many of them fit a small window with readable text."""
    tall = screens.is_tall
    areas = ui.grid(area, len(items), 1 if tall else 2, MAX_ROW_HEIGHT[tall], (ui.GAP[0], 0.007))
    return arrange(items, areas)


def arrange_cards(
    screens: Screens, cards: Sequence[Item], max_heights: tuple[float, float], area: ui.Rect | None = None
) -> tuple[Item, ...]:
    """Arrange cards in two columns, or one in a tall window; ``max_heights``: in a wide and in a tall window."""
    tall = screens.is_tall
    areas = ui.grid(area or body_area(tall), len(cards), 1 if tall else 2, max_heights[tall], (0.03, 0.03))
    return arrange(cards, areas)


def seat_areas(screens: Screens) -> tuple[ui.Rect, list[ui.Rect]]:
    """Return the area of a note, and the areas of up to six players below it."""
    tall = screens.is_tall
    note, _, rest = ui.rows(body_area(tall), 0.14, 0.02, ui.REST)
    return note, ui.grid(rest, 6, 1 if tall else 2, 0.095 if tall else 0.135, (0.03, 0.022))


def tower(area: ui.Rect) -> Item:
    """Return an item whose area shows only the structure."""
    return label(TOWER, ui.WidgetKind.PICTURE, area, drawing=ui.Drawing(framed=False))


def arrange(items: Iterable[Item], areas: Iterable[ui.Rect]) -> tuple[Item, ...]:
    """Return the items with these areas, in order; omit surplus items."""
    return tuple(item.change(rect=area) for item, area in zip(items, areas, strict=False))


def foot_buttons(screens: Screens, *buttons: Item, main: str = "") -> tuple[Item, ...]:
    """Arrange buttons side by side at the lower edge; ``main``: name of the main button."""
    gap = ui.GAP[0] if len(buttons) < _MANY_BUTTONS else 0.5 * ui.GAP[0]
    areas = ui.columns(foot_area(screens.is_tall), *[ui.REST] * len(buttons), gap=gap)
    if len(buttons) == 1:
        areas = ui.columns(foot_area(screens.is_tall), 0.3, 0.4)[1:]
    return tuple(
        replace(item.change(rect=area, main=item.widget.name == main), at_foot=True)
        for area, item in zip(areas, buttons, strict=True)
    )


def page(
    screens: Screens,
    title: str,
    items: Iterable[Item],
    *buttons: Item,
    veil: float = 0.78,
    leave: Callable[[Screens], Reply] = go_back,
    first: str = "",
    main: str = "",
    moon: bool = False,
    is_private: bool = False,
) -> Plan:
    """Return a page with a heading; ``main``: name of its main button, if that isn't the ``first`` one."""
    foot = foot_buttons(screens, *buttons, main=main or first)
    return Plan((heading(screens, title), *items, *foot), veil, leave, first, moon, is_private)


def list_page(
    screens: Screens,
    title: str,
    about: Sequence[str],
    items: Sequence[Item],
    *buttons: Item,
    words: str = "about",
    veil: float = 0.78,
    first: str = "",
) -> Plan:
    """Return a page with a text and a list of items below it; the text shrinks if both don't fit the body."""
    tall = screens.is_tall
    body = body_area(tall)
    row_count = len(items) if tall or len(items) <= MAX_ROWS else -(-len(items) // 2)
    spare = body.height - row_count * (MAX_ROW_HEIGHT[tall] + ui.GAP[1])
    height = min(_measure_height(screens, about, body.width), max(spare, _MIN_TEXT_SHARE * body.height))
    above, _, rest = ui.rows(body, ui.FlexPart(height), 0.02, ui.REST)
    listed = arrange(items, list_areas(tall, len(items), rest))
    return page(screens, title, (*texts(above, about, words, 1.0), *listed), *buttons, veil=veil, first=first)


#: A group of rows: its heading, the rows, each of one or more items, and the sentences below them.
Group = tuple[str, Sequence[Item | tuple[Item, ...]], Sequence[str]]
#: Height of a group's heading and minimum height of its rows, in a wide and a tall window; gap between groups.
_GROUP_HEADING = {False: ui.FlexPart(0.056, least=0.056), True: ui.FlexPart(0.036, least=0.036)}
_GROUP_ROW = {False: 0.085, True: 0.034}
_GROUP_GAP = (0.03, 0.012)
#: Maximum height of the sentences above the groups.
_MAX_LEAD_HEIGHT = 0.14


def arrange_groups(
    screens: Screens, area: ui.Rect, groups: Sequence[Group], lead: Sequence[str] = (), *, beside: bool = True
) -> Iterator[Item]:
    """Yield the sentences of ``lead`` and the groups below them; ``beside``: in a wide window, side by side."""
    tall = screens.is_tall
    if lead:
        height = min(_measure_height(screens, lead, area.width), _MAX_LEAD_HEIGHT)
        above, area = ui.rows(area, ui.FlexPart(height), ui.REST, gap=0.02)
        yield from texts(above, lead, "note", 1.0)
    beside = beside and not tall and len(groups) > 1
    narrow = beside and len(groups) > 2
    width = (area.width - _GROUP_GAP[0] * (len(groups) - 1)) / len(groups) if beside else area.width
    row = ui.FlexPart(MAX_ROW_HEIGHT[tall], least=_GROUP_ROW[tall])
    parts = [
        [_GROUP_HEADING[tall], *[row] * len(items), ui.FlexPart(_measure_height(screens, words, width))]
        for _, items, words in groups
    ]
    if beside:
        areas = ui.columns(area, *[ui.REST] * len(groups), gap=_GROUP_GAP[0])
    else:
        heights = [ui.FlexPart(sum(block.basis + 0.008 for block in part)) for part in parts]
        areas = ui.rows(area, *heights, gap=_GROUP_GAP[1])
    count = len(lead)
    for k, ((title, items, words), part, block) in enumerate(zip(groups, parts, areas, strict=True)):
        above, *row_areas, below = ui.rows(block, *part, gap=0.008 if tall else 0.014)
        yield label(f"group {k}", ui.WidgetKind.HEADING, above, title)
        for row_items, row_area in zip(items, row_areas, strict=True):
            cells = row_items if isinstance(row_items, tuple) else (row_items,)
            for item in arrange(cells, ui.columns(row_area, *[ui.REST] * len(cells), gap=ui.GAP[0])):
                yield item.change(stacked=narrow and item.widget.kind is ui.WidgetKind.CHOICE)
        yield from texts(below, words, "note", 1.0, first=count)
        count += len(words)


def _measure_height(screens: Screens, words: Sequence[str], width: float) -> float:
    """Return the height of a text of this width, both in fractions of the window."""
    width_px, height_px = screens.aspect * screens.height_px, float(screens.height_px)
    size_px = ui.letter_px(ui.TEXT_PX, width_px, height_px) * min(screens.preferences.text_scale, ui.IN_PLACE)
    lines = sum(len(_wrap(line, width * width_px / size_px)) for line in words)
    return (_LINE_STEP * lines + _SENTENCE_GAP * len(words)) * size_px / height_px


def confirmation_page(
    screens: Screens,
    name: str,
    about: str,
    go: Callable[[Screens], Reply],
    stay: Callable[[Screens], Reply] = go_back,
) -> Plan:
    """Return a page that asks before ``go``; ``name``: its message key; ``about``: key of an explanation or empty."""
    words, (area,) = f"screens.{name}", ui.rows(body_area(screens.is_tall), 0.3)
    return page(
        screens,
        text(f"{words}.heading"),
        texts(area, (text(f"{words}.{about}"),) if about else (), "about", 0.16),
        button("stay", text(f"{words}.stay"), stay),
        button(name, text(f"{words}.{name}"), go),
        veil=0.66,
        leave=stay,
        first="stay",
    )


def choose_leaving_text(screens: Screens) -> str:
    return "about_practice" if screens.practice else "about" if screens.is_saved else "about_lost"


def back_button() -> Item:
    return button("back", text("screens.back"), go_back)


def done_button() -> Item:
    return button("done", text("screens.done"), go_back)


def accept_buttons(take: Callable[[Screens], Reply], repeat: Callable[[Screens], Reply]) -> tuple[Item, ...]:
    """Return the buttons that accept the result of a measurement or repeat it."""
    return (
        button("take", text("screens.measure.take"), take),
        button("again", text("screens.measure.again"), repeat),
    )


def texts(
    area: ui.Rect, words: Sequence[str], prefix: str, max_height: float, first: int = 0
) -> tuple[Item, ...]:
    # The longer a sentence, the more room it gets, so all have letters of about the same size.
    sizes = [ui.FlexPart(0.0, grow=20.0 + _measure_width(line), most=max_height) for line in words]
    line_areas = ui.rows(area, *sizes, gap=0.012)
    return tuple(
        label(f"{prefix} {k}", ui.WidgetKind.TEXT, line_area, line)
        for k, (line_area, line) in enumerate(zip(line_areas, words, strict=True), first)
    )


def current_habits(screens: Screens) -> PlayerSettings:
    return next((p.habits for p in screens.form.players if p.name == screens.on_turn), NO_OVERRIDES)


def others_use_way(screens: Screens, way: Way) -> bool:
    """Return whether a player other than the current one uses this way."""
    others = (player for player in screens.form.players if screens.on_turn not in ("", player.name))
    return any(other.habits.way is way for other in others)


def set_preference(screens: Screens, name: str, value: str | float | bool | KeyMap) -> Reply:
    """Change the current player's own preference, or else everyone's, and report the change to the app."""
    change: Action = ChangeSetting(name, value)
    changed = replace(screens.preferences, **{name: value})  # type: ignore[arg-type]
    if getattr(current_habits(screens), name, None) is None:
        common = screens.common_preferences and replace(screens.common_preferences, **{name: value})  # type: ignore[arg-type]
        return replace(screens, preferences=changed, common_preferences=common), (change,)
    seat = next(n for n, player in enumerate(screens.form.players) if player.name == screens.on_turn)
    form = screens.form.with_player_changes(seat, habits=replace(current_habits(screens), **{name: value}))  # type: ignore[arg-type]
    saved, actions = save_player(screens, seat, form)
    return replace(saved, preferences=changed), (*actions, change)


def save_player(screens: Screens, seat: int, form: Form) -> Reply:
    if form == screens.form:
        return screens, ()
    if form.players[seat].bot:
        return replace(screens, form=form), ()  # a bot has no profile
    return replace(screens, form=form.with_known(seat)), (Ask(Request.SAVE_PLAYER, form.players[seat]),)


def begin_turn(screens: Screens, player: str) -> Reply:
    """Apply the player's own settings for their turn, except in practice and in the demo."""
    if screens.practice or screens.camera.way is CameraWay.DEMO:
        return screens, ()
    common, now = screens.common_preferences or screens.preferences, replace(screens, on_turn=player)
    own = common.for_player(current_habits(now))
    return replace(now, preferences=own, common_preferences=None if own == common else common), ()


#: Pages with a layout of their own for very large text, which leaves the table visible.
_OVER_THE_TABLE = (PageName.TABLE, PageName.GUIDE, PageName.TOWER)
#: Veil opacity above which a page may use the full height; share of the height for other pages.
_FULL_HEIGHT_VEIL, _UPPER_SHARE = 0.3, 0.45
#: Margin, gap, and sum of a widget's padding above and below its text, in multiples of the text size.
_MARGIN, _GAP, _PADDING = 0.5, 0.22, 0.62
#: Line height relative to the text size; share of a widget's height that lines may fill; scale of chosen text.
_LINE_STEP, _FILL_SHARE, _CHOSEN_SCALE = 1.32, 0.94, 1.15
#: Upper estimates of letter widths relative to the text size: of the listed letters, of capitals, of all others.
_LETTERS = {0.31: "ijlI .,;:!'’·|", 0.44: "frtJ-()", 1.02: "mwMWœ%—"}
_CAPITAL, _OTHER = 0.76, 0.61
_WIDTHS = {letter: width for width, letters in _LETTERS.items() for letter in letters}
#: Share of the foot's width for both arrows.
_ARROWS_SHARE = 0.36
_ARROW = {
    "earlier": draw_icon("path .367,.64 .667,.34 .967,.64"),
    "later": draw_icon("path .367,.36 .667,.66 .967,.36"),
}

#: A row of a page with very large text: its widgets, its height relative to the text size, and its capacity.
_Row = tuple[tuple[Item, ...], float, int]


def lay_out(plan: Plan, screens: Screens) -> Plan:
    """Return the plan; with very large text, only the part of it on the open screen."""
    if not screens.has_large_text or screens.page in _OVER_THE_TABLE:
        return plan
    width, height = screens.aspect * screens.height_px, float(screens.height_px)
    letters = ui.letter_px(ui.ROW_PX, width, height) * screens.preferences.text_scale
    # From here on, all lengths are in multiples of the text size.
    window = ui.Rect(0.0, 0.0, width / letters, height / letters)
    width = window.width - 2.0 * _MARGIN
    buttons = [item for item in plan.items if item.at_foot]
    main = next((item for item in buttons if item.widget.main), buttons[-1] if buttons else None)
    fits = main is None or _fits_one_line(main, width * (1.0 - _ARROWS_SHARE))
    foot = _lines_height(1) if main is None or fits else _button_height(main, width) + _lines_height(1)
    free = window.height - foot - 3.0 * _MARGIN
    max_height = free if plan.veil > _FULL_HEIGHT_VEIL else min(_UPPER_SHARE * window.height, free)
    rows = _list_rows(plan, main, width, max_height)
    parts = [[rows[k] for k in numbers] for numbers in ui.wrap([row[1] for row in rows], max_height, _GAP)]
    names = [{item.widget.name for row in part for item in row[0]} for part in parts]
    # Open the screen that was scrolled to, else the one with the focus, else the first.
    number = next((k for k, part_names in enumerate(names) if screens.focus in part_names), 0)
    number = number if screens.scrolled is None else min(screens.scrolled, len(parts) - 1)
    area = ui.Rect(_MARGIN, _MARGIN, width, window.height)
    items = [*_arrange_rows(parts[number], area, on_cards=plan.veil <= _FULL_HEIGHT_VEIL or plan.moon)]
    if plan.item(TOWER):
        items.append(tower(replace(area, y=_MARGIN + max_height, height=free - max_height)))
    items += _foot_items(
        main, replace(area, y=window.height - _MARGIN - foot, height=foot), number, len(parts), beside=fits
    )
    is_shown = plan.first in names[number] or (main is not None and plan.first == main.widget.name)
    scale = (1.0 / window.width, 1.0 / window.height)
    arranged = tuple(item.change(rect=item.widget.rect.scaled(*scale)) for item in items)
    return replace(plan, items=arranged, first=plan.first if is_shown else "")


def _foot_items(main: Item | None, area: ui.Rect, number: int, count: int, *, beside: bool) -> Iterator[Item]:
    """Yield the main button, and the arrows to the other screens, ``beside`` it or above it."""
    half = ui.FlexPart((_ARROWS_SHARE * area.width - _GAP) / 2.0)
    bar, *arrows = ui.columns(area, ui.REST, half, half, gap=_GAP)
    if not beside:
        above, bar = ui.rows(area, ui.FlexPart(_lines_height(1) - _GAP), ui.REST, gap=_GAP)
        arrows = ui.columns(above, ui.REST, ui.REST, gap=_GAP)
    if main is not None:
        yield main.change(rect=area if beside and count == 1 else bar)
    if count == 1:
        return
    for name, arrow_area, target in zip(_ARROW, arrows, (number - 1, number + 1), strict=True):
        spoken = text(f"screens.large.{name}")
        arrow = ui.Widget(name, ui.WidgetKind.BUTTON, arrow_area, drawing=_ARROW[name], speech=spoken)
        yield Item(replace(arrow, enabled=0 <= target < count), change(scrolled=target))


def _arrange_rows(part: Sequence[_Row], area: ui.Rect, *, on_cards: bool) -> Iterator[Item]:
    """Yield the widgets with their areas; ``on_cards``: each text has a card behind it."""
    row_areas = ui.rows(area, *(ui.FlexPart(height) for _, height, _ in part), gap=_GAP)
    for (items, _, capacity), row_area in zip(part, row_areas, strict=True):
        across = 2 if capacity == 2 else len(items)
        for item, cell in zip(items, ui.columns(row_area, *[ui.REST] * across, gap=_GAP), strict=False):
            if on_cards and item.widget.kind in (ui.WidgetKind.TEXT, ui.WidgetKind.HEADING):
                yield label(f"{item.widget.name} card", ui.WidgetKind.CARD, cell)
            yield item.change(rect=cell)


def _list_rows(plan: Plan, main: Item | None, width: float, max_height: float) -> list[_Row]:
    """Return the page's rows without its main button, each as high as its text."""
    rows: list[_Row] = []
    for item in plan.items:
        kind = item.widget.kind
        if item is main or item.widget.name == TOWER or (kind is ui.WidgetKind.CARD and not item.widget.text):
            continue
        for items, height, capacity in _list_item_rows(item, width, max_height):
            before, _, capacity_before = rows[-1] if rows else ((), 0.0, 0)
            if capacity_before == capacity > len(before):
                rows[-1] = ((*before, *items), height, capacity)
            else:
                rows.append((items, height, capacity))
    return rows


def _list_item_rows(item: Item, width: float, max_height: float) -> Iterator[_Row]:
    widget = item.widget
    match widget.kind:
        case ui.WidgetKind.TEXT | ui.WidgetKind.HEADING:
            yield from _split_text(item, width, max_height)
        case ui.WidgetKind.CARD:
            named = item.change(kind=ui.WidgetKind.BUTTON, value="")
            yield (named,), _button_height(named, width), 1
            yield from _split_text(_make_value_text(widget, widget.value), width, max_height)
        case ui.WidgetKind.SCORE:
            yield (item.change(value="", tears=0),), _lines_height(len(_wrap(widget.text, width - 2.2))), 1
            tears = text("variant.tears", count=widget.tears) if widget.tears else ""
            words = ", ".join(word for word in (tears, widget.value) if word)
            if words:
                yield from _split_text(_make_value_text(widget, words), width, max_height)
        case ui.WidgetKind.CHOICE:
            lines = len(_wrap(widget.text, width - 1.2)) + len(_wrap(widget.value, 0.66 * width))
            yield (item.change(stacked=True),), min(_LINE_STEP * lines + _PADDING, max_height), 1
        case ui.WidgetKind.PICTURE:
            yield (item,), max_height, 1
        case ui.WidgetKind.FIELD:
            yield (item,), 1.2 * _lines_height(1), 1
        case ui.WidgetKind.KEY:
            yield (item,), _lines_height(1), max(1, int(width // 1.5))
        case _ if _fits_one_line(item, 0.5 * width):
            yield (item,), _lines_height(1), 2
        case _:
            yield (item,), min(_button_height(item, width), max_height), 1


def _make_value_text(widget: ui.Widget, words: str) -> Item:
    return label(f"{widget.name} note", ui.WidgetKind.TEXT, widget.rect, words)


def _split_text(item: Item, width: float, max_height: float) -> Iterator[_Row]:
    """Yield a text of the full width, in several rows if it is too high for one."""
    widget = item.widget
    size = 1.0 if widget.kind is ui.WidgetKind.HEADING else ui.TEXT_PX / ui.ROW_PX
    size *= _CHOSEN_SCALE if widget.chosen else 1.0
    mark_width = 0.0 if widget.good is None else 0.13 * width
    lines = _wrap(widget.text, (width - mark_width) / size)
    max_lines = max(1, int((max_height * _FILL_SHARE / size - 1.0) / _LINE_STEP + 1.0))
    for number, first in enumerate(range(0, len(lines), max_lines)):
        part = lines[first : first + max_lines]
        name = widget.name if number == 0 else f"{widget.name} +{number}"
        height = (_LINE_STEP * (len(part) - 1) + 1.05) * size / _FILL_SHARE
        yield (item.change(name=name, text=" ".join(part)),), height, 1


def _lines_height(lines: int) -> float:
    return (_LINE_STEP * (lines - 1) + 1.0) / _FILL_SHARE + _PADDING


def _text_room(item: Item, width: float) -> float:
    return width - 1.3 - (1.0 if item.widget.swatches or item.widget.chosen else 0.0)


def _fits_one_line(item: Item, width: float) -> bool:
    return _measure_width(item.widget.text) <= _text_room(item, width)


def _button_height(item: Item, width: float) -> float:
    return _lines_height(len(_wrap(item.widget.text, _text_room(item, width))))


def _wrap(words: str, width: float) -> list[str]:
    lines, used = list[str](), 0.0
    for word in words.split(" "):
        word_width = _measure_width(word)
        longer = used + _WIDTHS[" "] + word_width
        if lines and longer <= width:
            lines[-1], used = f"{lines[-1]} {word}", longer
        else:
            lines.append(word)
            used = word_width
    return lines


@lru_cache(maxsize=4096)
def _measure_width(words: str) -> float:
    return sum(_WIDTHS.get(letter, _CAPITAL if letter.isupper() else _OTHER) for letter in words)
