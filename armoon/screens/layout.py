"""Layout of pages, in fractions of the window: one skeleton for wide windows, one for tall ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from armoon.games.sketches import draw_icon
from armoon.messages import text
from armoon.screens.events import Action, ChangeSetting, SavePlayer
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
    turn: Callable[[Screens, int], Reply] | None = None
    foot_buttons: bool = False
    """Whether it is at the lower edge, with the buttons that leave the page."""
    group: str = ""
    """Name of its group, which scanning highlights as a whole first."""
    weighed: bool = False
    """Whether scanning highlights it longer in the first round, for thinking."""
    final: bool = False
    stands_for: str = ""
    """Name of the widget to press instead of this one."""
    words: str = ""
    """Text shown while the icon has focus or pointer."""
    spread: ui.Rect | None = None

    @property
    def is_live(self) -> bool:
        return self.widget.enabled and (self.press is not None or self.turn is not None)

    def with_words(self, widget: ui.Widget, places: Iterable[Vec2 | None]) -> ui.Widget:
        """Return the widget, with an icon's text if it has the focus or contains one of the places."""
        if self.spread is None or not (
            widget.focused or any(place is not None and widget.rect.contains(place) for place in places)
        ):
            return widget
        rect = self.spread if self.spread.contains(widget.rect.centre) else self.spread.mirrored
        return replace(widget, text=self.words, drawing=None, rect=rect)

    def change(self, **changes: Any) -> Item:
        return replace(self, widget=replace(self.widget, **changes))


@dataclass(frozen=True)
class Plan:
    """A page before it is drawn: its items, and the action that leaves it."""

    items: tuple[Item, ...]
    veil: float
    leave: Callable[[Screens], Reply]
    """Action of Escape and B."""
    first: str = ""
    """Name of the widget with the initial focus; empty: the first live one."""
    moon: bool = False
    is_private: bool = False
    """Whether it is left out of films and streams."""

    def item(self, name: str | None) -> Item | None:
        return next((item for item in self.items if item.widget.name == name), None)


def go_back(screens: Screens) -> Reply:
    return screens.go_back(), ()


def go_to(page: PageName, *actions: Action, **changes: Any) -> Callable[[Screens], Reply]:
    """Return a widget's effect that opens a page with these changes of the state, and sends requests to the app."""
    return lambda screens: (replace(screens.go_to(page), **changes), actions)


def change(**changes: Any) -> Callable[[Screens], Reply]:
    """Return a widget's effect that changes these fields of the state."""
    return lambda screens: (replace(screens, **changes), ())


def emit(action: Action) -> Callable[[Screens], Reply]:
    """Return a widget's effect that sends this request to the app and stays on the page."""
    return lambda screens: (screens, (action,))


#: A foot button: name, text, action, and whether it is enabled.
FootButton = tuple[str, str, Callable[[Screens], Reply], bool]

#: Minimum number of foot buttons with half the gap between them.
_MANY_BUTTONS = 5
#: Name of the area in which the structure is shown alone.
TOWER = "tower"
#: Placeholder area of an item that hasn't been arranged.
NOWHERE = ui.Rect(0.0, 0.0, 0.0, 0.0)
#: Maximum height of a row, in a wide and in a tall window.
MAX_ROW_HEIGHT = {False: 0.112, True: 0.070}
#: Part of a page's body for the text above a long list; room between two sentences, in text sizes.
_MIN_ABOUT, _BETWEEN = 0.20, 0.6
#: Maximum rows in one column of a wide window; more rows use two columns.
MAX_ROWS = 5


def body_place(tall: bool) -> ui.Rect:
    return ui.Rect(0.05, 0.125, 0.90, 0.755) if tall else ui.Rect(0.08, 0.195, 0.84, 0.61)


def split_body(tall: bool, high: float, gap: float = 0.02) -> tuple[ui.Rect, ui.Rect]:
    """Split the body into text, with this part of its height, and the rest below."""
    words, _, rest = ui.rows(body_place(tall), high, gap, ui.REST)
    return words, rest


def foot_place(tall: bool) -> ui.Rect:
    return ui.Rect(0.05, 0.905, 0.90, 0.065) if tall else ui.Rect(0.08, 0.845, 0.84, 0.105)


def list_places(tall: bool, count: int, area: ui.Rect | None = None) -> list[ui.Rect]:
    """Return areas for a list of rows: one column if it is short or the window tall, else two."""
    body = area or body_place(tall)
    if tall:
        return ui.grid(body, count, 1, MAX_ROW_HEIGHT[True], (0.0, 0.014))
    if count <= MAX_ROWS:
        return ui.grid(ui.columns(body, 0.16, 0.68)[1], count, 1, MAX_ROW_HEIGHT[False])
    return ui.grid(body, count, 2, MAX_ROW_HEIGHT[False])


def close_places(tall: bool, count: int, area: ui.Rect) -> list[ui.Rect]:
    """Return areas for many rows, close together, so that text stays readable in a small window."""
    return ui.grid(area, count, 1 if tall else 2, MAX_ROW_HEIGHT[tall], (ui.GAP[0], 0.007))


def heading(screens: Screens, words: str) -> Item:
    place = ui.Rect(0.05, 0.035, 0.90, 0.07) if screens.is_tall else ui.Rect(0.08, 0.05, 0.84, 0.115)
    return show("heading", ui.WidgetKind.HEADING, place, words)


def show(name: str, kind: ui.WidgetKind, rect: ui.Rect, words: str = "", **fields: Any) -> Item:
    """Return a widget that can't be pressed."""
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
    turn: Callable[[Screens, int], Reply],
    *,
    rect: ui.Rect = NOWHERE,
    enabled: bool = True,
    level: float | None = None,
    now: object = None,
    offers: Sequence[object] = (),
) -> Item:
    """Return a label with a value that arrows change; pressing it steps forward. ``offers`` contains ``now``."""
    span = None
    numbers = [float(item) for item in (now, *offers) if isinstance(item, int | float)]
    if len(offers) > 1 and len(numbers) == len(offers) + 1 and not isinstance(now, bool):
        span = (numbers[0], min(numbers[1:]), max(numbers[1:]))
    widget = ui.Widget(
        name,
        ui.WidgetKind.CHOICE,
        rect,
        label,
        value,
        enabled=enabled,
        level=level,
        on=now if isinstance(now, bool) else None,
        span=span,
    )
    return Item(widget, lambda screens: turn(screens, 1), turn)


def card(
    name: str, words: str, about: str, press: Callable[[Screens], Reply], *, chosen: bool | None = None
) -> Item:
    """Return a card that can be pressed anywhere, with name and description."""
    return Item(ui.Widget(name, ui.WidgetKind.CARD, NOWHERE, words, about, chosen=chosen), press)


def tower(room: ui.Rect) -> Item:
    """Return the area in which the structure is shown alone."""
    return show(TOWER, ui.WidgetKind.PICTURE, room, drawing=ui.Drawing(framed=False))


def arrange(items: Iterable[Item], places: Iterable[ui.Rect]) -> tuple[Item, ...]:
    """Return the items with these areas in order; surplus items are left out."""
    return tuple(item.change(rect=place) for item, place in zip(items, places, strict=False))


def foot_buttons(screens: Screens, *buttons: FootButton, main: str = "") -> tuple[Item, ...]:
    gap = ui.GAP[0] if len(buttons) < _MANY_BUTTONS else 0.5 * ui.GAP[0]
    places = ui.columns(foot_place(screens.is_tall), *[ui.REST] * len(buttons), gap=gap)
    if len(buttons) == 1:
        places = ui.columns(foot_place(screens.is_tall), 0.3, 0.4)[1:]
    return tuple(
        replace(button(name, words, press, rect=place, enabled=enabled), foot_buttons=True).change(
            main=name == main
        )
        for place, (name, words, press, enabled) in zip(places, buttons, strict=True)
    )


def page(
    screens: Screens,
    title: str,
    items: Iterable[Item],
    *buttons: FootButton,
    veil: float = 0.78,
    leave: Callable[[Screens], Reply] = go_back,
    first: str = "",
    main: str = "",
    moon: bool = False,
    stays: bool = False,
) -> Plan:
    """Return a page; ``main``: its main button, if that isn't the ``first`` one."""
    foot = foot_buttons(screens, *buttons, main=main or first)
    return Plan((heading(screens, title), *items, *foot), veil, leave, first, moon, stays)


def list_page(
    screens: Screens,
    title: str,
    about: Sequence[str],
    items: Sequence[Item],
    *buttons: FootButton,
    words: str = "about",
    veil: float = 0.78,
    first: str = "",
) -> Plan:
    """Return a page with a text and a list of items below; the text shrinks if both need more than the body."""
    body, tall = body_place(screens.is_tall), screens.is_tall
    down = len(items) if tall or len(items) <= MAX_ROWS else -(-len(items) // 2)
    spare = body.height - down * (MAX_ROW_HEIGHT[tall] + ui.GAP[1])
    high = min(_text_height(screens, about, body.width), max(spare, _MIN_ABOUT * body.height))
    above, _, rest = ui.rows(body, ui.FlexPart(high), 0.02, ui.REST)
    listed = arrange(items, list_places(screens.is_tall, len(items), rest))
    spoken = texts(above, about, words, 1.0)
    return page(screens, title, (*spoken, *listed), *buttons, veil=veil, first=first)


#: A group of rows: its heading, the rows of one or more items, and sentences below them.
Group = tuple[str, Sequence[Item | tuple[Item, ...]], Sequence[str]]
#: Height of a group's heading and minimum height of its rows, in a wide and a tall window; gap between groups.
_GROUP_HEADING = {False: ui.FlexPart(0.056, least=0.056), True: ui.FlexPart(0.036, least=0.036)}
_GROUP_ROW = {False: 0.085, True: 0.034}
_GROUP_GAP = (0.03, 0.012)
#: Maximum height of the sentences above groups.
_MAX_LEAD = 0.14


def arrange_groups(
    screens: Screens, area: ui.Rect, groups: Sequence[Group], lead: Sequence[str] = (), *, beside: bool = True
) -> Iterator[Item]:
    """Yield the sentences ``lead`` and groups under their headings, ``beside`` each other in a wide window."""
    tall = screens.is_tall
    if lead:
        high = min(_text_height(screens, lead, area.width), _MAX_LEAD)
        above, area = ui.rows(area, ui.FlexPart(high), ui.REST, gap=0.02)
        yield from texts(above, lead, "note", 1.0)
    beside = beside and not tall and len(groups) > 1
    narrow = beside and len(groups) > 2
    width = (area.width - _GROUP_GAP[0] * (len(groups) - 1)) / len(groups) if beside else area.width
    row = ui.FlexPart(MAX_ROW_HEIGHT[tall], least=_GROUP_ROW[tall])
    parts = [
        [_GROUP_HEADING[tall], *[row] * len(items), ui.FlexPart(_text_height(screens, words, width))]
        for _, items, words in groups
    ]
    if beside:
        areas = ui.columns(area, *[ui.REST] * len(groups), gap=_GROUP_GAP[0])
    else:
        heights = [ui.FlexPart(sum(block.basis + 0.008 for block in part)) for part in parts]
        areas = ui.rows(area, *heights, gap=_GROUP_GAP[1])
    count = len(lead)
    for number, ((title, items, words), part, place) in enumerate(zip(groups, parts, areas, strict=True)):
        above, *places, below = ui.rows(place, *part, gap=0.008 if tall else 0.014)
        yield show(f"group {number}", ui.WidgetKind.HEADING, above, title)
        for row_of, cell in zip(items, places, strict=True):
            cells = row_of if isinstance(row_of, tuple) else (row_of,)
            for item in arrange(cells, ui.columns(cell, *[ui.REST] * len(cells), gap=ui.GAP[0])):
                yield item.change(stacked=narrow and item.widget.kind is ui.WidgetKind.CHOICE)
        yield from texts(below, words, "note", 1.0, first=count)
        count += len(words)


def _text_height(screens: Screens, words: Sequence[str], width: float) -> float:
    """Return the height of a text of this width, as a fraction of the window's."""
    across, down = screens.aspect * screens.height_px, float(screens.height_px)
    size = ui.letter_px(ui.TEXT_PX, across, down) * min(screens.preferences.text_scale, ui.IN_PLACE)
    lines = sum(len(_wrap(line, width * across / size)) for line in words)
    return (_STEP * lines + _BETWEEN * len(words)) * size / down


def confirm(
    screens: Screens,
    name: str,
    about: str,
    go: Callable[[Screens], Reply],
    stay: Callable[[Screens], Reply] = go_back,
) -> Plan:
    """Return a page that asks for confirmation: stay (focused) or ``name``; ``about``: key of the explanation."""
    words, (place,) = f"screens.{name}", ui.rows(body_place(screens.is_tall), 0.3)
    return page(
        screens,
        text(f"{words}.heading"),
        texts(place, (text(f"{words}.{about}"),), "about", 0.16),
        ("stay", text(f"{words}.stay"), stay, True),
        (name, text(f"{words}.{name}"), go, True),
        veil=0.66,
        leave=stay,
        first="stay",
    )


def back_button() -> FootButton:
    return ("back", text("screens.back"), go_back, True)


def done_button() -> FootButton:
    return ("done", text("screens.done"), go_back, True)


def accept_buttons(
    take: Callable[[Screens], Reply], repeat: Callable[[Screens], Reply]
) -> tuple[FootButton, FootButton]:
    """Return the buttons after a measurement, which accept the proposal or measure again."""
    return (
        ("take", text("screens.measure.take"), take, True),
        ("again", text("screens.measure.again"), repeat, True),
    )


def texts(
    area: ui.Rect, words: Sequence[str], prefix: str, highest: float, first: int = 0
) -> tuple[Item, ...]:
    # Room for each by its length, so that all have letters of about the same size.
    sizes = [ui.FlexPart(0.0, grow=20.0 + _text_width(line), most=highest) for line in words]
    places = ui.rows(area, *sizes, gap=0.012)
    return tuple(
        show(f"{prefix} {k}", ui.WidgetKind.TEXT, place, line)
        for k, (place, line) in enumerate(zip(places, words, strict=True), first)
    )


def current_habits(screens: Screens) -> PlayerSettings:
    return next((p.habits for p in screens.form.players if p.name == screens.on_turn), NO_OVERRIDES)


def others_use_way(screens: Screens, way: Way) -> bool:
    """Return whether a player other than the one on turn uses this way."""
    others = (player for player in screens.form.players if screens.on_turn not in ("", player.name))
    return any(other.habits.way is way for other in others)


def set_preference(screens: Screens, name: str, value: str | float | bool | KeyMap) -> Reply:
    """Change a preference and report it: of the player on turn if they have their own, else of everybody."""
    change: Action = ChangeSetting(name, value)
    changed = replace(screens.preferences, **{name: value})  # type: ignore[arg-type]
    if getattr(current_habits(screens), name, None) is None:
        house = screens.house and replace(screens.house, **{name: value})  # type: ignore[arg-type]
        return replace(screens, preferences=changed, house=house), (change,)
    seat = next(n for n, player in enumerate(screens.form.players) if player.name == screens.on_turn)
    form = screens.form.with_player_changes(seat, habits=replace(current_habits(screens), **{name: value}))  # type: ignore[arg-type]
    saved, actions = save_player(screens, seat, form)
    return replace(saved, preferences=changed), (*actions, change)


def save_player(screens: Screens, seat: int, form: Form) -> Reply:
    if form == screens.form:
        return screens, ()
    if form.players[seat].bot:
        return replace(screens, form=form), ()  # a bot has no profile
    return replace(screens, form=form.with_known(seat)), (SavePlayer(form.players[seat]),)


def begin_turn(screens: Screens, player: str) -> Reply:
    """Start a player's turn, with their own settings unless the demo plays; bots' turns aren't reported."""
    if screens.practice or screens.camera.way is CameraWay.DEMO:
        return screens, ()
    house, now = screens.house or screens.preferences, replace(screens, on_turn=player)
    own = house.for_player(current_habits(now))
    return replace(now, preferences=own, house=None if own == house else house), ()


#: Pages over a game, which leave the table visible by their own layout.
_OVER_THE_TABLE = (PageName.TABLE, PageName.GUIDE, PageName.TOWER)
#: Veil opacity above which a page may use the full height; below it, the part of the height for text.
_VEILED, _UPPER = 0.3, 0.45
#: In text sizes: margin, gap, and a widget's padding above and below its text together.
_MARGIN, _GAP, _ROOM = 0.5, 0.22, 0.62
#: Line height, in text sizes; share of a height that lines may fill; factor of a strong line.
_STEP, _FILLED, _STRONG = 1.32, 0.94, 1.15
#: Upper estimates of letters' widths, in text sizes: of these letters, of capitals, and of all others.
_WIDTHS = {0.31: "ijlI .,;:!'’·|", 0.44: "frtJ-()", 1.02: "mwMWœ%—"}
_CAPITAL, _OTHER = 0.76, 0.61
_WIDE = {letter: width for width, letters in _WIDTHS.items() for letter in letters}
#: Part of the lowest row for arrows.
_ARROWS = 0.36
_ARROW = {
    "earlier": draw_icon("path .367,.64 .667,.34 .967,.64"),
    "later": draw_icon("path .367,.36 .667,.66 .967,.36"),
}


@dataclass(frozen=True)
class _Window:
    """The usable area, in pixels from the upper left corner."""

    width: float
    height: float
    letters: float

    @property
    def margin(self) -> float:
        return _MARGIN * self.letters

    @property
    def wide(self) -> float:
        return self.width - 2.0 * self.margin

    def parts(self, px: ui.Rect) -> ui.Rect:
        return ui.Rect(px.x / self.width, px.y / self.height, px.width / self.width, px.height / self.height)


@dataclass(frozen=True)
class _Block:
    """The widgets of a row, all of the same width, and its height in pixels."""

    items: tuple[Item, ...]
    height: float
    halved: bool = False
    """Whether it takes half of the width; two consecutive ones stand side by side."""


def lay_out(plan: Plan, screens: Screens) -> Plan:
    """Return the page as planned, or with very large text its open screen."""
    if not screens.has_large_text or screens.page in _OVER_THE_TABLE:
        return plan
    height, width = float(screens.height_px), screens.aspect * screens.height_px
    window = _Window(width, height, ui.letter_px(ui.ROW_PX, width, height) * screens.preferences.text_scale)
    low = [item for item in plan.items if item.foot_buttons]
    main = next((item for item in low if item.widget.main), low[-1] if low else None)
    foot = _foot_heights(main, window)
    free = height - sum(foot) - 3.0 * window.margin
    most = free if plan.veil > _VEILED else min(_UPPER * height, free)
    blocks = _pair_halves(_blocks(plan, main, window, most))
    screens_of = ui.wrap([block.height for block in blocks], most, _GAP * window.letters)
    parts = [[blocks[k] for k in numbers] for numbers in screens_of]
    number = _open_screen(screens, parts)
    shown = (*(item for block in parts[number] for item in block.items), *([main] if main else []))
    names = {item.widget.name for item in shown}
    room = window.parts(ui.Rect(window.margin, window.margin + most, window.wide, free - most))
    return replace(
        plan,
        items=(
            *_place_blocks(parts[number], window, carded=plan.veil <= _VEILED or plan.moon),
            *([tower(room)] if plan.item(TOWER) else []),
            *_foot_items(main, window, foot, number, len(parts)),
        ),
        first=plan.first if plan.first in names else "",
    )


def _open_screen(screens: Screens, parts: Sequence[Sequence[_Block]]) -> int:
    """Return the number of the open screen: the one scrolled to, else the one with the focus, else the first."""
    if screens.scrolled is not None:
        return min(screens.scrolled, len(parts) - 1)
    for number, part in enumerate(parts):
        if any(item.widget.name == screens.focus for block in part for item in block.items):
            return number
    return 0


def _foot_heights(main: Item | None, window: _Window) -> tuple[float, float]:
    line = _lines_height(1, window.letters)
    if main is None:
        return line, 0.0
    if _in_one_line(main, window, 1.0 - _ARROWS):
        return line, 0.0
    return _button_height(window, main), line


def _foot_items(
    main: Item | None, window: _Window, foot: tuple[float, float], number: int, count: int
) -> Iterator[Item]:
    row, arrows_high = foot
    gap = _GAP * window.letters
    low = ui.Rect(window.margin, window.height - window.margin - row, window.wide, row)
    over = replace(low, y=low.y - arrows_high, height=arrows_high - gap)
    half = ui.FlexPart((_ARROWS * window.wide - gap) / 2.0)
    bar, *arrows = ui.columns(low, ui.REST, half, half, gap=gap)
    if arrows_high or count == 1:
        bar, arrows = low, ui.columns(over, ui.REST, ui.REST, gap=gap)
    if main is not None:
        yield main.change(rect=window.parts(bar))
    if count == 1:
        return
    for name, place, to in zip(_ARROW, arrows, (number - 1, number + 1), strict=True):
        spoken = text(f"screens.large.{name}")
        shown = ui.Widget(name, ui.WidgetKind.BUTTON, window.parts(place), drawing=_ARROW[name], said=spoken)
        yield Item(replace(shown, enabled=0 <= to < count), change(scrolled=to))


def _place_blocks(part: Sequence[_Block], window: _Window, *, carded: bool) -> Iterator[Item]:
    gap = _GAP * window.letters
    area = ui.Rect(window.margin, window.margin, window.wide, window.height)
    for block, row in zip(
        part, ui.rows(area, *(ui.FlexPart(block.height) for block in part), gap=gap), strict=True
    ):
        across = 2 if block.halved else len(block.items)
        for item, cell in zip(block.items, ui.columns(row, *[ui.REST] * across, gap=gap), strict=False):
            place = window.parts(cell)
            if carded and item.widget.kind in (ui.WidgetKind.TEXT, ui.WidgetKind.HEADING):
                yield show(f"{item.widget.name} card", ui.WidgetKind.CARD, place)
            yield item.change(rect=place)


def _pair_halves(blocks: Iterable[_Block]) -> list[_Block]:
    rows: list[_Block] = []
    for block in blocks:
        if block.halved and rows and rows[-1].halved and len(rows[-1].items) == 1:
            rows[-1] = replace(rows[-1], items=rows[-1].items + block.items)
        else:
            rows.append(block)
    return rows


def _blocks(plan: Plan, main: Item | None, window: _Window, most: float) -> Iterator[_Block]:
    """Yield the page's blocks without its main button, each as high as its text."""
    keys: list[Item] = []
    for item in plan.items:
        kind = item.widget.kind
        if keys and kind is not ui.WidgetKind.KEY:
            yield from _key_blocks(keys, window)
            keys = []
        if item is main or item.widget.name == TOWER or (kind is ui.WidgetKind.CARD and not item.widget.text):
            continue
        if kind is ui.WidgetKind.KEY:
            keys.append(item)
        else:
            yield from _blocks_of(item, window, most)
    yield from _key_blocks(keys, window)


def _blocks_of(item: Item, window: _Window, most: float) -> Iterator[_Block]:
    widget, letters = item.widget, window.letters
    match widget.kind:
        case ui.WidgetKind.TEXT | ui.WidgetKind.HEADING:
            yield from _text_blocks(item, window, most)
        case ui.WidgetKind.CARD:
            named = item.change(kind=ui.WidgetKind.BUTTON, value="")
            yield _Block((named,), _button_height(window, named))
            yield from _text_blocks(_value_text(widget), window, most)
        case ui.WidgetKind.SCORE:
            lines = len(_wrap(widget.text, window.wide / letters - 2.2))
            yield _Block((item.change(value="", tears=0),), _lines_height(lines, letters))
            tears = text("variant.tears", count=widget.tears) if widget.tears else ""
            words = ", ".join(word for word in (tears, widget.value) if word)
            if words:
                yield from _text_blocks(_value_text(replace(widget, value=words)), window, most)
        case ui.WidgetKind.CHOICE:
            label = len(_wrap(widget.text, window.wide / letters - 1.2))
            value = len(_wrap(widget.value, 0.66 * window.wide / letters))
            high = (_STEP * (label + value) + _ROOM) * letters
            yield _Block((item.change(stacked=True),), min(high, most))
        case ui.WidgetKind.PICTURE:
            yield _Block((item,), most)
        case ui.WidgetKind.FIELD:
            yield _Block((item,), _lines_height(1, 1.2 * letters))
        case _:
            if _in_one_line(item, window, 0.5):
                yield _Block((item,), _lines_height(1, letters), halved=True)
            else:
                yield _Block((item,), min(_button_height(window, item), most))


def _value_text(widget: ui.Widget) -> Item:
    return show(f"{widget.name} note", ui.WidgetKind.TEXT, widget.rect, widget.value)


def _text_blocks(item: Item, window: _Window, most: float) -> Iterator[_Block]:
    """Yield a text over the whole width, in several blocks if it is too long."""
    widget = item.widget
    size = window.letters * (1.0 if widget.kind is ui.WidgetKind.HEADING else ui.TEXT_PX / ui.ROW_PX)
    size *= _STRONG if widget.chosen else 1.0
    mark = 0.0 if widget.good is None else 0.13 * window.wide
    lines = _wrap(widget.text, (window.wide - mark) / size)
    fit = max(1, int((most * _FILLED / size - 1.0) / _STEP + 1.0))
    for number, first in enumerate(range(0, len(lines), fit)):
        part = lines[first : first + fit]
        name = widget.name if number == 0 else f"{widget.name} +{number}"
        block = item.change(name=name, text=" ".join(part))
        yield _Block((block,), (_STEP * (len(part) - 1) + 1.05) * size / _FILLED)


def _key_blocks(keys: Sequence[Item], window: _Window) -> Iterator[_Block]:
    across = max(1, int(window.wide // (1.5 * window.letters)))
    for first in range(0, len(keys), across):
        yield _Block(tuple(keys[first : first + across]), _lines_height(1, window.letters))


def _lines_height(lines: int, letters: float) -> float:
    return ((_STEP * (lines - 1) + 1.0) / _FILLED + _ROOM) * letters


def _button_room(window: _Window, item: Item, part: float) -> float:
    marks = 1.0 if item.widget.swatches or item.widget.chosen else 0.0
    return part * window.wide / window.letters - 1.3 - marks


def _in_one_line(item: Item, window: _Window, part: float) -> bool:
    return _text_width(item.widget.text) <= _button_room(window, item, part)


def _button_height(window: _Window, item: Item) -> float:
    return _lines_height(len(_wrap(item.widget.text, _button_room(window, item, 1.0))), window.letters)


def _wrap(words: str, width: float) -> list[str]:
    lines, used = list[str](), 0.0
    for word in words.split(" "):
        wide = _text_width(word)
        longer = used + _WIDE[" "] + wide
        if lines and longer <= width:
            lines[-1], used = f"{lines[-1]} {word}", longer
        else:
            lines.append(word)
            used = wide
    return lines


@lru_cache(maxsize=4096)
def _text_width(words: str) -> float:
    return sum(_WIDE.get(letter, _CAPITAL if letter.isupper() else _OTHER) for letter in words)
