"""Requests of screen readers and voices to a page: a widget by its name, regardless of the focus."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from armoon.screens.state import Dwell, Item, PageName, Plan, Reply, Screens
from armoon.screens.switching import WidgetWished, Wished

_SIDES = {Wished.MORE: 1, Wished.LESS: -1}


def wished(
    screens: Screens, plan: Plan, wish: WidgetWished, press: Callable[[Screens, Item, int], Reply]
) -> Reply:
    """Focus the named widget and press or turn it; an unknown name does nothing."""
    item = plan.item(wish.widget)
    if item is None or not item.live:
        return screens, ()
    at_table = screens.page is PageName.TABLE
    shown = replace(
        screens, focus=wish.widget, focus_shown=True, pointer=None, dwell=Dwell(), walked=at_table
    )
    side = _SIDES.get(wish.what, 0)
    if wish.what is Wished.FOCUS or (side and item.turn is None):
        return shown, ()
    return press(shown, item, side)
