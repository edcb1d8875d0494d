"""The focused widget, the next one, and what screen readers and voices do to a widget by its name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from armoon.screens.input import Key, WidgetWished, Wished
from armoon.screens.plan import Item, Plan, Reply
from armoon.screens.state import Dwell, PageName, Screens
from armoon.values.poses import Vec2

_DIRECTIONS: dict[Key, Vec2] = {
    Key.UP: (0.0, -1.0),
    Key.DOWN: (0.0, 1.0),
    Key.LEFT: (-1.0, 0.0),
    Key.RIGHT: (1.0, 0.0),
}


def focus_of(screens: Screens, plan: Plan) -> Item | None:
    """Return the item that Enter acts on."""
    live = [item for item in plan.items if item.live]
    wanted = (plan.item(screens.focus), plan.item(plan.first))
    return next((item for item in wanted if item is not None and item.live), live[0] if live else None)


def next_in_order(plan: Plan, at: Item, step: int) -> str:
    """Return the live widget this many steps on."""
    live = [item.widget.name for item in plan.items if item.live]
    return live[(live.index(at.widget.name) + step) % len(live)]


def nearest(plan: Plan, at: Item, key: Key) -> str:
    """Return the nearest live widget in a direction; ahead counts once, aside more, so that columns are kept."""
    along = _DIRECTIONS[key]
    x, y = at.widget.rect.centre
    best, least = at.widget.name, float("inf")
    for item in plan.items:
        if not item.live or item is at:
            continue
        cx, cy = item.widget.rect.centre
        ahead = (cx - x) * along[0] + (cy - y) * along[1]
        aside = abs((cx - x) * along[1]) + abs((cy - y) * along[0])
        if ahead > 0.02 and ahead + 2.5 * aside < least:
            best, least = item.widget.name, ahead + 2.5 * aside
    return best


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
