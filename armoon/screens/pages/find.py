"""The page for locating a real table: by board, by sheet, or by its four corners."""

from __future__ import annotations

from dataclasses import replace

from armoon.messages import text
from armoon.messages.numbers import number
from armoon.screens.actions import LeaveGame, LookAgain, PointAtCorners, TableAccepted, TakeCornerBack
from armoon.screens.flex import REST, columns
from armoon.screens.layout import button, choice, foot, foot_place, heading, lines
from armoon.screens.state import PageName, Plan, Reply, Screens, asking
from armoon.values.page import Rect

#: The lengths that a table's near side can be given: paper, then what tables measure.
SIDES_M = (0.210, 0.297, 0.40, 0.50, 0.60, 0.70, 0.80, 0.90, 1.00, 1.20, 1.40, 1.60)


def find(screens: Screens) -> Plan:
    """Return the plan of finding the table: the camera's picture, and the ways to find it."""
    told = screens.table
    tall = screens.tall
    x, width = (0.05, 0.90) if tall else (0.08, 0.84)
    notes = Rect(x, 0.17 if not tall else 0.155, width, 0.11)
    row = Rect(x, foot_place(tall).y - 0.13, width, 0.10)
    half, _, other = columns(row, 0.49, 0.02, REST)
    side = text("screens.find.metres", metres=number(SIDES_M[screens.side], 2))
    ways = (
        (
            button("take_back", half, text("screens.find.take_back"), asking(TakeCornerBack())),
            button("look_again", other, text("screens.find.look_again"), asking(LookAgain())),
        )
        if told.pointing
        else (
            choice("side", half, text("screens.find.side"), side, _turn_side),
            button("corners", other, text("screens.find.corners"), _point),
        )
    )
    return Plan(
        (
            heading(screens, text("screens.find.heading")),
            *lines(notes, (told.hint, told.error), "note", 0.05),
            *ways,
            *foot(
                screens,
                ("back", text("screens.back"), leave, True),
                ("accept", text("screens.find.accept"), _accept, not told.pointing),
            ),
        ),
        veil=0.0,
        leave=leave,
        first="accept",
    )


def leave(screens: Screens) -> Reply:
    """Back to the title: nothing has begun."""
    return replace(screens.home(PageName.TITLE), in_game=False), (LeaveGame(),)


def _accept(screens: Screens) -> Reply:
    return replace(screens.home(PageName.TABLE), in_game=True), (TableAccepted(),)


def _point(screens: Screens) -> Reply:
    return screens, (PointAtCorners(SIDES_M[screens.side]),)


def _turn_side(screens: Screens, step: int) -> Reply:
    return replace(screens, side=(screens.side + step) % len(SIDES_M)), ()
