"""How a paper ladder is played with, in three pictures; from here it is printed, and practised with."""

from __future__ import annotations

from collections.abc import Callable

from armoon.kit.pictures import drawn
from armoon.messages import text
from armoon.screens.layout import body_place, lines, page
from armoon.screens.pages.way import settled
from armoon.screens.plan import Item, Plan, Reply, go_back, going
from armoon.screens.state import PageName, Screens
from armoon.values.choices import Way
from armoon.values.flex import REST, grid, rows
from armoon.values.page import Widget, WidgetKind

#: The drawings, in the order of a turn.
TURN = ("aim", "carry", "leave")


def card(screens: Screens) -> Plan:
    """Return the plan of the page: point, take and let go."""
    about, _, shown = rows(body_place(screens.tall), 0.20, 0.02, REST)
    items = list(lines(about, (text("screens.card.about"),), "about", 1.0))
    across = 1 if screens.tall else len(TURN)
    for name, place in zip(TURN, grid(shown, len(TURN), across, 1.0, (0.03, 0.02)), strict=True):
        picture, said = rows(place, 0.70, REST)
        items.append(Item(Widget(name, WidgetKind.PICTURE, picture, drawing=drawn(name))))
        items += lines(said, (text(f"screens.card.{name}"),), f"{name} said", 1.0)
    buttons = (
        ("back", text("screens.back"), _known(go_back), True),
        ("practice", text("screens.title.practice"), _known(going(PageName.PRACTICE)), True),
        ("kit", text("screens.card.print"), going(PageName.KIT), True),
    )
    return page(screens, text("screens.card.heading"), items, *buttons, veil=0.80, leave=_known(go_back))


def _known(press: Callable[[Screens], Reply]) -> Callable[[Screens], Reply]:
    """Return the action that also keeps the way to play, if that is how it is played: this page then comes no more."""

    def pressed(screens: Screens) -> Reply:
        kept, told = settled(screens, Way.CARD) if screens.preferences.way is Way.CARD else (screens, ())
        after, actions = press(kept)
        return after, (*told, *actions)

    return pressed
