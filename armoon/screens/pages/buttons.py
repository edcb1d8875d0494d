"""The buttons beside the table: what a choosing player can choose, and what is there in practice."""

from __future__ import annotations

from dataclasses import replace

from armoon.messages import text
from armoon.screens.actions import Ask, Choose
from armoon.screens.layout import button, put
from armoon.screens.plan import Item, Reply, asking
from armoon.screens.state import PageName, Screens
from armoon.values.acts import Act
from armoon.values.choosing import Offered
from armoon.values.drawing import Drawing, Mark, Sign
from armoon.values.flex import REST, Part, columns, grid, rows
from armoon.values.page import Rect, Widget, WidgetKind
from armoon.values.table_places import ABOVE_LID, CHOICES, LARGE_CHOICES

#: Maximum height of a button, in a wide window and in a tall one.
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
    beside = _beside(screens)
    for one in told.choices:
        if one.name in beside:
            continue
        if one.group and rows and rows[-1][0].group == one.group and len(rows[-1]) < 2:
            rows[-1].append(one)
        else:
            rows.append([one])
    squarish = 1.0 <= screens.aspect < SQUARISH
    place, about = ("", told.said) if told.said else _about_place(screens, beside)
    said = (1,) if about else ()
    if not (rows or said or beside):
        return ()
    counts = [*said, *(len(row) for row in rows)]
    places = _places(screens, counts, squarish=squarish, over_lid=not beside)
    kind = WidgetKind.BUTTON if place else WidgetKind.TEXT
    words = (Item(Widget("beside", kind, places.pop(0), about), stands_for=place),) if said else ()
    items = (
        replace(
            button(
                f"choose {one.name}",
                one.text,
                ask_to_give_up if one.name == Act.GIVE_UP.word else asking(Choose(one.name)),
            ),
            group=one.group,
            weighed=one.weighed,
            final=one.final,
        )
        for row in rows
        for one in row
    )
    return (*words, *put(items, places), *_numbers(screens))


def _beside(screens: Screens) -> frozenset[str]:
    """Return the places whose numbers in the picture are their only buttons, so that the lid stays free.

    For players who grip; who chooses what is lit has them below each other.
    """
    return frozenset() if screens.preferences.chooses else frozenset(name for name, _ in screens.numbers)


def _about_place(screens: Screens, beside: frozenset[str]) -> tuple[str, str]:
    """Return the button of the place whose number is looked at, else of the best, and it in words; or nothing."""
    looked_at = (screens.focus or "") if screens.focus_shown else ""
    words = {f"choose {one.name}": one.text for one in screens.choices.choices if one.name in beside}
    name = looked_at if looked_at in words else next(iter(words), "")
    return name, words.get(name, "")


def _numbers(screens: Screens) -> tuple[Item, ...]:
    """Return the number of each place beside it in the picture: what is pressed there is its button, or it is that."""
    offered = {one.name: one for one in screens.choices.choices}
    beside = _beside(screens)
    items: list[Item] = []
    for name, rect in screens.numbers:
        if name not in offered:
            continue
        number = Widget(f"number {name}", WidgetKind.NUMBER, rect, name.removeprefix("place "))
        if name in beside:
            alone = replace(number, name=f"choose {name}", said=offered[name].text)
            items.append(Item(alone, asking(Choose(name)), weighed=offered[name].weighed))
        else:
            items.append(Item(number, stands_for=f"choose {name}"))
    return tuple(items)


def ask_to_give_up(screens: Screens) -> Reply:
    """Hold everything, and ask whether the ladder is to be given up."""
    return screens.home(PageName.GIVE_UP), ()


def _places(
    screens: Screens, counts: list[int], *, squarish: bool = False, over_lid: bool = True
) -> list[Rect]:
    if not counts:
        return []
    column = choosing_place(screens) if over_lid or screens.tall or screens.large else ABOVE_LID
    height = column.height - (_LIFTED if squarish and over_lid else 0.0)
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
