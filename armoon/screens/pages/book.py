"""The book of figures: one page for each printed shape, drawn from a structure that stands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from armoon.games.contract.kind import picture_book
from armoon.messages import text
from armoon.screens.events import Making, Request
from armoon.screens.layout import Plan, Reply, asking, back_button, button, lines, page, put
from armoon.screens.pages.opening import start_practice
from armoon.screens.pages.profile import date_text
from armoon.screens.state import Screens
from armoon.values.page import Rect, grid


def book(screens: Screens) -> Plan:
    """Return the page that is open; the picture behind it is the app's."""
    figures = picture_book().figures
    figure = figures[screens.leaf]
    place = Rect(0.05, 0.125, 0.90, 0.11) if screens.tall else Rect(0.08, 0.165, 0.84, 0.10)
    count = text("screens.book.page", page=screens.leaf + 1, pages=len(figures))
    beside = Rect(0.05, 0.825, 0.90, 0.065) if screens.tall else Rect(0.74, 0.60, 0.18, 0.215)
    places = grid(beside, 2, 2 if screens.tall else 1, gap=(0.03, 0.02))
    made = " · ".join([count, *(_made(one) for one in screens.book.of(figure)[:1])])
    keep = asking(Request.KEEP_PICTURE)
    buttons = (
        button("try", text("screens.book.try"), lambda screens: start_practice(screens, figure)),
        button("picture", text("screens.result.picture"), keep, enabled=not screens.picture),
    )
    said = (text(f"figure.{figure}.what"), screens.picture or made)
    return page(
        screens,
        text(f"figure.{figure}.name"),
        (*lines(place, said, "note", 0.05), *put(buttons, places)),
        back_button(),
        ("previous", text("screens.book.previous"), _turn(-1, len(figures)), True),
        ("next", text("screens.book.next"), _turn(1, len(figures)), True),
        veil=0.0,
        first="next",
    )


def _turn(step: int, pages: int) -> Callable[[Screens], Reply]:
    return lambda screens: (replace(screens, leaf=(screens.leaf + step) % pages, picture=""), ())


def _made(one: Making) -> str:
    return text("screens.book.made", name=one.name, count=one.count, day=date_text(one.last))
