"""Practice at the table beside the pause button: the choice of the die's face, and placing again."""

from __future__ import annotations

from dataclasses import replace

from armoon.messages import text
from armoon.screens.actions import Ask
from armoon.screens.flex import grid
from armoon.screens.layout import button
from armoon.screens.state import Item, Screens, asking
from armoon.values.acts import Act
from armoon.values.drawing import Drawing, Mark, Sign
from armoon.values.page import Rect, Widget, WidgetKind

_FACES = (Sign.DIE_ONE, Sign.DIE_TWO, Sign.DIE_MOON)
_GAP = 0.007
_IVORY, _INK = (0.95, 0.91, 0.82, 1.0), (0.12, 0.14, 0.30, 1.0)


def practice_buttons(screens: Screens, pause: Rect) -> tuple[Item, ...]:
    """Down the left edge, above the pause button's place; nothing in a game that counts."""
    if not screens.practice:
        return ()
    step = pause.height + _GAP
    dice, low, lowest = (replace(pause, y=pause.y + (k - 3) * step) for k in range(3))
    faces = tuple(
        Item(
            Widget(
                f"face {number}",
                WidgetKind.BUTTON,
                place,
                drawing=_die(sign),
                said=text(f"screens.table.face_{number}"),
            ),
            asking(Ask(Act.ROLL, number)),
        )
        for number, (place, sign) in enumerate(
            zip(grid(dice, 3, 3, 1.0, (0.002, 0.0)), _FACES, strict=True), 1
        )
    )
    again = button("place_again", low, text("screens.practice.again"), asking(Ask(Act.PLACE_AGAIN)))
    return (*faces, again, button("undo", lowest, text("screens.practice.undo"), asking(Ask(Act.UNDO, 1))))


def _die(sign: Sign) -> Drawing:
    return Drawing((Mark(sign, (2.0 / 3.0, 0.5), (0.36, 0.36), _IVORY, _INK),))
