"""The choices at the table, as big buttons along the right edge: for switches, keys, pads, mice and hands."""

from __future__ import annotations

from dataclasses import replace

from armoon.messages import text
from armoon.screens.actions import Choose
from armoon.screens.flex import REST, Part, columns, rows
from armoon.screens.layout import button
from armoon.screens.state import Item, Screens, asking
from armoon.values.choosing import Offered
from armoon.values.page import Rect, Widget, WidgetKind
from armoon.values.table_places import CHOICES, LARGE_CHOICES

#: No button is higher, in a wide window and in a tall one.
_HIGHEST = {False: 0.085, True: 0.05}
#: In a window that is hardly wider than high the hint stands higher by this much, above the corners' panels.
SQUARISH, _LIFTED = 1.5, 0.06
#: Little steps stand two in a row.
_GAP = (0.008, 0.006)


def choosing(screens: Screens) -> tuple[Item, ...]:
    """Empty without a choosing player or choices."""
    if not screens.preferences.chooses:
        return ()
    told = screens.choices
    if not told.choices:
        words = text("screens.choosing.searching") if told.searching else ""
        place = first_place(screens)
        return (Item(Widget("searching", WidgetKind.TEXT, place, words)),) if words else ()
    rows: list[list[Offered]] = []
    for one in told.choices:
        if one.group and rows and rows[-1][0].group == one.group and len(rows[-1]) < 2:
            rows[-1].append(one)
        else:
            rows.append([one])
    squarish = 1.0 <= screens.aspect < SQUARISH
    places = _places(screens, [len(row) for row in rows], squarish=squarish)
    every = [one for row in rows for one in row]
    return tuple(_item(one, place) for one, place in zip(every, places, strict=True))


def _places(screens: Screens, counts: list[int], *, squarish: bool = False) -> list[Rect]:
    column = choosing_place(screens)
    height = column.height - (_LIFTED if squarish else 0.0)
    row = min(_HIGHEST[screens.tall], (height - _GAP[1] * (len(counts) - 1)) / len(counts))
    every = rows(column, *[Part(row)] * len(counts), gap=_GAP[1])
    return [
        place
        for one, count in zip(every, counts, strict=True)
        for place in columns(one, *[REST] * count, gap=_GAP[0])
    ]


def choosing_place(screens: Screens) -> Rect:
    """Return the part of the window for the choices."""
    return (LARGE_CHOICES if screens.large else CHOICES)[screens.tall]


def first_place(screens: Screens) -> Rect:
    """Where the first of them stands."""
    return _places(screens, [1])[0]


def _item(one: Offered, place: Rect) -> Item:
    item = button(f"choose {one.name}", place, one.text, asking(Choose(one.name)))
    return replace(item, group=one.group, weighed=one.weighed)
