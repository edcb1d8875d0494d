"""Where things stand on a page, in parts of the window: one skeleton for wide windows, one for tall ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from armoon.messages import text
from armoon.screens.state import Item, Reply, Screens, go_back
from armoon.values.page import Rect, Widget, WidgetKind

#: A button of the foot: its name, its text, what it does, whether it can be pressed.
FootButton = tuple[str, str, Callable[[Screens], Reply], bool]

#: Room between neighbours, in parts of the window's width and height.
GAP = (0.018, 0.022)
#: Rows aren't higher than this, so that a short list doesn't look like a wall.
HIGHEST_ROW = {False: 0.112, True: 0.070}
#: More rows than this in a wide window stand in two columns.
MOST_ROWS = 5


def heading_place(tall: bool) -> Rect:
    """Where the page's name stands."""
    return Rect(0.05, 0.035, 0.90, 0.07) if tall else Rect(0.08, 0.05, 0.84, 0.115)


def body_place(tall: bool) -> Rect:
    """Where the page's things stand."""
    return Rect(0.05, 0.125, 0.90, 0.755) if tall else Rect(0.08, 0.195, 0.84, 0.61)


def under_words(tall: bool, high: float, gap: float = 0.02) -> tuple[Rect, Rect]:
    """The body in two: words above, in this part of its height, and what they are about below them."""
    body = body_place(tall)
    top = high + gap
    words = Rect(body.x, body.y, body.width, body.height * high)
    return words, Rect(body.x, body.y + body.height * top, body.width, body.height * (1.0 - top))


def foot_place(tall: bool) -> Rect:
    """Where the buttons that leave the page stand."""
    return Rect(0.05, 0.905, 0.90, 0.065) if tall else Rect(0.08, 0.845, 0.84, 0.105)


def grid(
    area: Rect, count: int, columns: int, highest: float = 1.0, gap: tuple[float, float] = GAP
) -> list[Rect]:
    """``count`` equal cells, row by row; they fill the width, and the height up to ``highest`` a row.

    A block that is lower than its area stands in the middle of it.
    """
    rows = max(1, -(-count // columns))
    width = (area.width - gap[0] * (columns - 1)) / columns
    height = min(highest, (area.height - gap[1] * (rows - 1)) / rows)
    top = area.y + (area.height - rows * height - (rows - 1) * gap[1]) / 2.0
    return [
        Rect(
            area.x + (k % columns) * (width + gap[0]), top + (k // columns) * (height + gap[1]), width, height
        )
        for k in range(count)
    ]


def list_places(tall: bool, count: int, area: Rect | None = None) -> list[Rect]:
    """Places for a list of rows: one column where it is short or the window tall, else two."""
    body = area or body_place(tall)
    if tall:
        return grid(body, count, 1, HIGHEST_ROW[True], (0.0, 0.014))
    if count <= MOST_ROWS:
        narrow = Rect(body.x + body.width * 0.16, body.y, body.width * 0.68, body.height)
        return grid(narrow, count, 1, HIGHEST_ROW[False])
    return grid(body, count, 2, HIGHEST_ROW[False])


def close_places(tall: bool, count: int, area: Rect) -> list[Rect]:
    """Places for many rows: close together, so that their words stay readable in a small window."""
    columns = 1 if tall else 2
    return grid(area, count, columns, HIGHEST_ROW[tall], (GAP[0] if columns > 1 else 0.0, 0.007))


def heading(screens: Screens, words: str) -> Item:
    """The page's name."""
    return Item(Widget("heading", WidgetKind.HEADING, heading_place(screens.tall), words))


def button(
    name: str,
    rect: Rect,
    words: str,
    press: Callable[[Screens], Reply],
    *,
    enabled: bool = True,
    chosen: bool = False,
) -> Item:
    """A button."""
    return Item(Widget(name, WidgetKind.BUTTON, rect, words, enabled=enabled, chosen=chosen), press)


def choice(
    name: str,
    rect: Rect,
    label: str,
    value: str,
    turn: Callable[[Screens, int], Reply],
    *,
    enabled: bool = True,
    level: float | None = None,
) -> Item:
    """A label with a value that arrows change; pressing it is turning it forward."""
    widget = Widget(name, WidgetKind.CHOICE, rect, label, value, enabled=enabled, level=level)
    return Item(widget, lambda screens: turn(screens, 1), turn)


def card(
    name: str,
    rect: Rect,
    words: str,
    about: str,
    press: Callable[[Screens], Reply],
    *,
    enabled: bool = True,
    chosen: bool = False,
) -> Item:
    """A card that can be pressed anywhere: its name, and below that what it is about."""
    return Item(Widget(name, WidgetKind.CARD, rect, words, about, enabled=enabled, chosen=chosen), press)


def foot(screens: Screens, *buttons: FootButton) -> tuple[Item, ...]:
    """The buttons along the lower edge, from left to right."""
    places = grid(foot_place(screens.tall), len(buttons), len(buttons))
    if len(buttons) == 1:
        whole = foot_place(screens.tall)
        places = [Rect(whole.x + whole.width * 0.3, whole.y, whole.width * 0.4, whole.height)]
    return tuple(
        replace(button(name, place, words, press, enabled=enabled), foot=True)
        for place, (name, words, press, enabled) in zip(places, buttons, strict=True)
    )


def back_button() -> FootButton:
    """The button that leads one page back."""
    return ("back", text("screens.back"), go_back, True)


def take_buttons(
    take: Callable[[Screens], Reply], again: Callable[[Screens], Reply]
) -> tuple[FootButton, FootButton]:
    """Of a page that has measured somebody: what it proposes is taken, or measured once more."""
    return (
        ("take", text("screens.measure.take"), take, True),
        ("again", text("screens.measure.again"), again, True),
    )


def lines(area: Rect, words: Sequence[str], prefix: str, highest: float) -> tuple[Item, ...]:
    """Running texts below each other."""
    places = grid(area, len(words), 1, highest, (0.0, 0.012))
    return tuple(
        Item(Widget(f"{prefix} {k}", WidgetKind.TEXT, place, line))
        for k, (place, line) in enumerate(zip(places, words, strict=True))
    )
