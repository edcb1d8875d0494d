"""The layout of pages, in parts of the window: one skeleton for wide windows, one for tall ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from armoon.messages import text
from armoon.screens.plan import Item, Plan, Reply, go_back
from armoon.screens.state import Screens
from armoon.values.flex import GAP, REST, columns, grid, rows
from armoon.values.page import Rect, Widget, WidgetKind

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
