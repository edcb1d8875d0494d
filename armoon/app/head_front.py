"""Maps head pointing to screen events: the pointer moves over widgets, and a confirmation presses one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from armoon.faces.heads import HeadPointing, HeadSettings
from armoon.screens.events import Event
from armoon.screens.input import HandRested
from armoon.screens.machine import plan_of
from armoon.screens.pages.measure import is_measuring_head
from armoon.screens.state import PageName, Screens
from armoon.values.choices import HeadConfirm, Way
from armoon.values.poses import Vec2

#: At the first start, a mouth held open this many times longer than usual opens the ways to play, and chooses the head.
SHOWING = 3.0


class HeadFront:
    """Turns a head's movements into events of the screens."""

    def __init__(self) -> None:
        self.points = False
        self.strip = "strip.head"

    def hear(
        self, screens: Screens, pointing: HeadPointing | None, *, over_button: Callable[[Vec2], bool]
    ) -> tuple[list[Event], tuple[Vec2, bool] | None]:
        """Return events for the screens; and where it points at the table itself, off any button, and if it presses."""
        shows_itself = _first_page(screens)
        if pointing is None or not (wanted(screens) or shows_itself):
            events: list[Event] = [HandRested(None, 0.0)] if self.points else []
            self.points = False
            return events, None
        confirm = screens.preferences.head_confirm
        self.strip = "strip.head" if confirm is HeadConfirm.MOUTH else f"strip.head_{confirm}"
        place = pointing.place
        if shows_itself:
            if not pointing.rests_s and not pointing.ended:
                return [], None
            plan = plan_of(screens)
            item = plan.item(Way.HEAD.value) or plan.item("ways") or plan.item("settings")
            place = place if item is None else item.widget.rect.centre
        events = [HandRested(None, 0.0)] if pointing.ended else []
        events.append(HandRested(place, pointing.rests_s))
        self.points = True
        at_table = screens.page in (PageName.TABLE, PageName.GUIDE) and screens.in_game
        if not at_table or confirm is HeadConfirm.DWELL or over_button(place):
            return events, None
        return events, (place, pointing.confirmed)


def settings_of(screens: Screens) -> HeadSettings:
    now = screens.preferences
    usual = HeadSettings(dwell_s=screens.dwell_s)
    if _first_page(screens):
        return replace(usual, patience=SHOWING)
    return replace(
        usual,
        kind=now.head,
        confirm=now.head_confirm,
        dead_deg=now.head_dead_deg,
        reach_deg=now.head_reach_deg,
        mouth=now.head_mouth,
    )


def wanted(screens: Screens) -> bool:
    return screens.preferences.way is Way.HEAD and not is_measuring_head(screens)


def asked(screens: Screens) -> bool:
    return screens.preferences.way is Way.HEAD or is_measuring_head(screens)


def followed(screens: Screens) -> bool:
    """Return whether the tracker is to look for heads: at the first start, in the pictures of the table's camera."""
    return asked(screens) or _first_page(screens)


def _first_page(screens: Screens) -> bool:
    return screens.asks_way and screens.page in (PageName.TITLE, PageName.SETTINGS, PageName.WAY)
