"""The buttons beside the table: what a choosing player can choose, and what is there in practice."""

from __future__ import annotations

from dataclasses import replace

from armoon.messages import text
from armoon.screens.actions import Ask, Choose
from armoon.screens.layout import button, put
from armoon.screens.state import Item, PageName, Reply, Screens, asking
from armoon.values.acts import Act
from armoon.values.choosing import Offered
from armoon.values.drawing import Drawing, Mark, Sign
from armoon.values.flex import REST, Part, columns, grid, rows
from armoon.values.page import Rect, Widget, WidgetKind
from armoon.values.table_places import CHOICES, LARGE_CHOICES

#: No button is higher, in a wide window and in a tall one.
_HIGHEST = {False: 0.085, True: 0.05}
#: In a window that is hardly wider than high the hint stands higher by this much, above the corners' panels.
SQUARISH, _LIFTED = 1.5, 0.06
#: Little steps stand two in a row.
_GAP = (0.008, 0.006)
#: The faces of the die, and the gap between the buttons of practice.
_FACES = (Sign.DIE_ONE, Sign.DIE_TWO, Sign.DIE_MOON)
_PRACTICE_GAP = 0.007
_IVORY, _INK = (0.95, 0.91, 0.82, 1.0), (0.12, 0.14, 0.30, 1.0)


def choosing(screens: Screens) -> tuple[Item, ...]:
    """Empty without choices; a player who grips has some only where a hint is shown."""
    told = screens.choices
    rows: list[list[Offered]] = []
    for one in told.choices:
        if one.group and rows and rows[-1][0].group == one.group and len(rows[-1]) < 2:
            rows[-1].append(one)
        else:
            rows.append([one])
    squarish = 1.0 <= screens.aspect < SQUARISH
    said = (1,) if told.said else ()
    if not rows and not said:
        return ()
    places = _places(screens, [*said, *(len(row) for row in rows)], squarish=squarish)
    words = (Item(Widget("beside", WidgetKind.TEXT, places.pop(0), told.said)),) if said else ()
    items = (
        replace(
            button(
                f"choose {one.name}",
                one.text,
                ask_to_give_up if one.name == Act.GIVE_UP.word else asking(Choose(one.name)),
            ),
            group=one.group,
            weighed=one.weighed,
        )
        for row in rows
        for one in row
    )
    return (*words, *put(items, places))


def ask_to_give_up(screens: Screens) -> Reply:
    """Hold everything, and ask whether the ladder is to be given up."""
    return screens.home(PageName.GIVE_UP), ()


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


def practice_buttons(screens: Screens, pause: Rect) -> tuple[Item, ...]:
    """Down the left edge, above the pause button's place; nothing in a game that counts."""
    if not screens.practice:
        return ()
    step = pause.height + _PRACTICE_GAP
    dice, low, lowest = (replace(pause, y=pause.y + (k - 3) * step) for k in range(3))
    faces = (
        button(f"face {number}", "", asking(Ask(Act.ROLL, number))).having(
            drawing=_die(sign), said=text(f"screens.table.face_{number}")
        )
        for number, sign in enumerate(_FACES, 1)
    )
    return (
        *put(faces, grid(dice, 3, 3, 1.0, (0.002, 0.0))),
        button("place_again", text("screens.practice.again"), asking(Ask(Act.PLACE_AGAIN)), rect=low),
        button("undo", text("screens.practice.undo"), asking(Ask(Act.UNDO, 1)), rect=lowest),
    )


def _die(sign: Sign) -> Drawing:
    return Drawing((Mark(sign, (2.0 / 3.0, 0.5), (0.36, 0.36), _IVORY, _INK),))
