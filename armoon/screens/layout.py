"""The layout of pages, in parts of the window: one skeleton for wide windows, one for tall ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from armoon.messages import text
from armoon.screens.events import Action, ChangeSetting, KeepPlayer
from armoon.screens.state import PageName, Screens
from armoon.values.acts import Moved
from armoon.values.choices import CameraWay, Way
from armoon.values.page import GAP, REST, Rect, Widget, WidgetKind, columns, grid, rows
from armoon.values.player_settings import NO_HABITS, Habits
from armoon.values.poses import Vec2

#: The next state and what the app is asked for.
Reply = tuple[Screens, tuple[Action, ...]]


@dataclass(frozen=True)
class Item:
    """A widget, and what comes of pressing or turning it."""

    widget: Widget
    press: Callable[[Screens], Reply] | None = None
    turn: Callable[[Screens, int], Reply] | None = None
    foot: bool = False
    """It stands along the lower edge, with what leaves the page."""
    group: str = ""
    """When a page is scanned, all items of a group are highlighted together first."""
    weighed: bool = False
    """A choice to think about, which is highlighted longer in the first round."""
    final: bool = False
    """It can't be undone."""
    stands_for: str = ""
    """A pointer on it is on the widget of this name."""
    words: str = ""
    """The words that a sign shows while it has the focus or a pointer."""
    spread: Rect | None = None
    """Place of these words."""

    @property
    def live(self) -> bool:
        """It can be pressed or turned."""
        return self.widget.enabled and (self.press is not None or self.turn is not None)

    def worded(self, widget: Widget, places: Iterable[Vec2 | None]) -> Widget:
        """Return the widget with a sign's words where it has the focus, or one of the places is on it."""
        if self.spread is None or not (
            widget.focused or any(at is not None and widget.rect.holds(at) for at in places)
        ):
            return widget
        rect = self.spread if self.spread.holds(widget.rect.centre) else self.spread.mirrored
        return replace(widget, text=self.words, drawing=None, rect=rect)

    def having(self, **changes: Any) -> Item:
        """Return the item with other fields of its widget."""
        return replace(self, widget=replace(self.widget, **changes))


@dataclass(frozen=True)
class Plan:
    """A page before it is drawn: its items and how it leaves."""

    items: tuple[Item, ...]
    veil: float
    leave: Callable[[Screens], Reply]
    """What Escape and B do."""
    first: str = ""
    """The widget that has the focus to begin with; empty: the first live one."""
    moon: bool = False
    stays: bool = False
    """It is left out of films and streams."""

    def item(self, name: str | None) -> Item | None:
        """Return the item of that name."""
        return next((item for item in self.items if item.widget.name == name), None)


def go_back(screens: Screens) -> Reply:
    """One page back."""
    return screens.returned(), ()


def going(page: PageName) -> Callable[[Screens], Reply]:
    """Return the action of a button to another page."""
    return lambda screens: (screens.to(page), ())


def asking(action: Action) -> Callable[[Screens], Reply]:
    """Return the action of a button that asks the app for something while its page stays."""
    return lambda screens: (screens, (action,))


#: A button of the foot: its name, its text, what it does, whether it can be pressed.
FootButton = tuple[str, str, Callable[[Screens], Reply], bool]

#: Place of an item until ``put`` gives it one.
NOWHERE = Rect(0.0, 0.0, 0.0, 0.0)
#: Maximum height of a row, in a wide and in a tall window.
HIGHEST_ROW = {False: 0.112, True: 0.070}
#: Maximum rows in one column of a wide window; more stand in two.
MOST_ROWS = 5


def heading_place(tall: bool) -> Rect:
    """Where the page's name stands."""
    return Rect(0.05, 0.035, 0.90, 0.07) if tall else Rect(0.08, 0.05, 0.84, 0.115)


def body_place(tall: bool) -> Rect:
    """Where the page's things stand."""
    return Rect(0.05, 0.125, 0.90, 0.755) if tall else Rect(0.08, 0.195, 0.84, 0.61)


def under_words(tall: bool, high: float, gap: float = 0.02) -> tuple[Rect, Rect]:
    """Return the body in two: words above, in this part of its height, and what they are about below them."""
    words, _, rest = rows(body_place(tall), high, gap, REST)
    return words, rest


def foot_place(tall: bool) -> Rect:
    """Where the buttons that leave the page stand."""
    return Rect(0.05, 0.905, 0.90, 0.065) if tall else Rect(0.08, 0.845, 0.84, 0.105)


def list_places(tall: bool, count: int, area: Rect | None = None) -> list[Rect]:
    """Places for a list of rows: one column where it is short or the window tall, else two."""
    body = area or body_place(tall)
    if tall:
        return grid(body, count, 1, HIGHEST_ROW[True], (0.0, 0.014))
    if count <= MOST_ROWS:
        return grid(columns(body, 0.16, 0.68)[1], count, 1, HIGHEST_ROW[False])
    return grid(body, count, 2, HIGHEST_ROW[False])


def close_places(tall: bool, count: int, area: Rect) -> list[Rect]:
    """Places for many rows: close together, so that their words stay readable in a small window."""
    return grid(area, count, 1 if tall else 2, HIGHEST_ROW[tall], (GAP[0], 0.007))


def heading(screens: Screens, words: str) -> Item:
    """Return the page's name."""
    return Item(Widget("heading", WidgetKind.HEADING, heading_place(screens.tall), words))


def button(
    name: str,
    words: str,
    press: Callable[[Screens], Reply],
    *,
    rect: Rect = NOWHERE,
    enabled: bool = True,
    chosen: bool | None = None,
) -> Item:
    """Return a button."""
    return Item(Widget(name, WidgetKind.BUTTON, rect, words, enabled=enabled, chosen=chosen), press)


def choice(
    name: str,
    label: str,
    value: str,
    turn: Callable[[Screens, int], Reply],
    *,
    rect: Rect = NOWHERE,
    enabled: bool = True,
    level: float | None = None,
    now: object = None,
    offers: Sequence[object] = (),
) -> Item:
    """Return a label with a value that arrows change; pressing it is turning it forward.

    ``now`` is the value itself, of those that ``offers`` has.
    """
    span = None
    numbers = [float(one) for one in (now, *offers) if isinstance(one, int | float)]
    if len(offers) > 1 and len(numbers) == len(offers) + 1 and not isinstance(now, bool):
        span = (numbers[0], min(numbers[1:]), max(numbers[1:]))
    widget = Widget(
        name,
        WidgetKind.CHOICE,
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
    name: str,
    words: str,
    about: str,
    press: Callable[[Screens], Reply],
    *,
    chosen: bool | None = None,
) -> Item:
    """Return a card that can be pressed anywhere: its name, and below that what it is about."""
    return Item(Widget(name, WidgetKind.CARD, NOWHERE, words, about, chosen=chosen), press)


def put(items: Iterable[Item], places: Iterable[Rect]) -> tuple[Item, ...]:
    """Return the items at these places, the first at the first; what has no place is left out."""
    return tuple(item.having(rect=place) for item, place in zip(items, places, strict=False))


def foot(screens: Screens, *buttons: FootButton) -> tuple[Item, ...]:
    """Return the buttons along the lower edge, from left to right."""
    places = columns(foot_place(screens.tall), *[REST] * len(buttons), gap=GAP[0])
    if len(buttons) == 1:
        places = columns(foot_place(screens.tall), 0.3, 0.4)[1:]
    return tuple(
        replace(button(name, words, press, rect=place, enabled=enabled), foot=True)
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
    moon: bool = False,
    stays: bool = False,
) -> Plan:
    """Return a page: its name, its items, and the buttons along its lower edge."""
    return Plan((heading(screens, title), *items, *foot(screens, *buttons)), veil, leave, first, moon, stays)


def list_page(
    screens: Screens,
    title: str,
    about: Sequence[str],
    items: Sequence[Item],
    *buttons: FootButton,
    high: float,
    gap: float = 0.02,
    words: str = "about",
    veil: float = 0.78,
    first: str = "",
) -> Plan:
    """Return a page with words in ``high`` of its body's height, and a list of items below them."""
    above, rest = under_words(screens.tall, high, gap)
    listed = put(items, list_places(screens.tall, len(items), rest))
    said = lines(above, about, words, 1.0)
    return page(screens, title, (*said, *listed), *buttons, veil=veil, first=first)


def asks(
    screens: Screens,
    name: str,
    about: str,
    go: Callable[[Screens], Reply],
    stay: Callable[[Screens], Reply] = go_back,
) -> Plan:
    """Return a page that asks once more: stay, which has the focus, or do what its ``name`` says.

    ``about`` is the last part of the key of the sentence that says what comes of it.
    """
    words, (place,) = f"screens.{name}", rows(body_place(screens.tall), 0.3)
    return page(
        screens,
        text(f"{words}.heading"),
        lines(place, (text(f"{words}.{about}"),), "about", 0.16),
        ("stay", text(f"{words}.stay"), stay, True),
        (name, text(f"{words}.{name}"), go, True),
        veil=0.66,
        leave=stay,
        first="stay",
    )


def back_button() -> FootButton:
    """Return the button that leads one page back."""
    return ("back", text("screens.back"), go_back, True)


def done_button() -> FootButton:
    """Return the same, for a page on which something is chosen."""
    return ("done", text("screens.done"), go_back, True)


def take_buttons(
    take: Callable[[Screens], Reply], again: Callable[[Screens], Reply]
) -> tuple[FootButton, FootButton]:
    """Return the buttons after a measurement: accept what is proposed, or measure once more."""
    return (
        ("take", text("screens.measure.take"), take, True),
        ("again", text("screens.measure.again"), again, True),
    )


def lines(area: Rect, words: Sequence[str], prefix: str, highest: float) -> tuple[Item, ...]:
    """Return running texts below each other."""
    places = grid(area, len(words), 1, highest, (0.0, 0.012))
    return tuple(
        Item(Widget(f"{prefix} {k}", WidgetKind.TEXT, place, line))
        for k, (place, line) in enumerate(zip(places, words, strict=True))
    )


def habits_now(screens: Screens) -> Habits:
    """Return what the player on turn plays with."""
    return next((one.habits for one in screens.form.players if one.name == screens.on_turn), NO_HABITS)


def others_play_with(screens: Screens, way: Way) -> bool:
    """Return whether somebody else at the table than the player on turn plays with this."""
    others = (one for one in screens.form.players if screens.on_turn not in ("", one.name))
    return any(one.habits.way is way for one in others)


def set_preference(screens: Screens, name: str, value: str | float | bool | Moved) -> Reply:
    """Change one preference and tell the app: for the player on turn where it is a habit of theirs, else for all."""
    told: Action = ChangeSetting(name, value)
    changed = replace(screens.preferences, **{name: value})  # type: ignore[arg-type]
    if getattr(habits_now(screens), name, None) is None:
        house = screens.house and replace(screens.house, **{name: value})  # type: ignore[arg-type]
        return replace(screens, preferences=changed, house=house), (told,)
    seat = next(n for n, one in enumerate(screens.form.players) if one.name == screens.on_turn)
    form = screens.form.with_own(seat, habits=replace(habits_now(screens), **{name: value}))  # type: ignore[arg-type]
    kept = replace(screens, preferences=changed, form=form.keeping(seat))
    return kept, (KeepPlayer(form.players[seat]), told)


def turn_passed(screens: Screens, player: str) -> Screens:
    """Return the screens in this player's turn; the demo's hand plays for everybody in one way."""
    if screens.practice or screens.camera.way is CameraWay.DEMO:
        return screens
    house, now = screens.house or screens.preferences, replace(screens, on_turn=player)
    mine = house.for_player(habits_now(now))
    return replace(now, preferences=mine, house=None if mine == house else house)
