"""The choice of an input method and its settings, and the question whether what was pressed is a switch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from armoon.messages import text
from armoon.options.option import PageOf
from armoon.screens.layout import back_button, button, list_page, list_places, page, put
from armoon.screens.own import set_preference
from armoon.screens.pages.measure import begin_reaction
from armoon.screens.pages.settings import option_rows
from armoon.screens.plan import Plan, Reply, go_back, going
from armoon.screens.state import PageName, Screens
from armoon.values.choices import Device, Way


def way(screens: Screens) -> Plan:
    """One thing to play with below the other."""
    now = screens.preferences.way
    buttons = [button(one.value, text(f"screens.way.{one}"), _take(one), chosen=one is now) for one in Way]
    title, about = text("screens.way.heading"), (text("screens.way.about"),)
    return list_page(
        screens, title, about, buttons, back_button(), high=0.20, veil=0.80, first=Way.HAND.value
    )


def asked(screens: Screens) -> Plan:
    """Is it a switch? Asked at the first start after a press that one can give; scanned, so one can answer."""
    answers = (
        button("one_switch", text("screens.switch.yes"), _take(Way.SWITCH)),
        button("no", text("screens.switch.no"), go_back),
    )
    items = [replace(one, weighed=True) for one in answers]
    title, about = text("screens.switch.heading"), (text("screens.switch.about"),)
    return list_page(screens, title, about, items, high=0.30, veil=0.80)


def settled(screens: Screens, one: Way) -> Reply:
    """Note that this is the way to play."""
    return set_preference(replace(screens, asks_way=False), "way", one)


def shown(press: Callable[[Screens], Reply]) -> Callable[[Screens], Reply]:
    """Return a button's action that also notes, at the first start, with what it was pressed."""

    def pressed(screens: Screens) -> Reply:
        if not screens.asks_way:
            return press(screens)
        rested, clicked = screens.dwell.spent is not None, screens.device is Device.MOUSE
        known, told = settled(screens, Way.HAND if rested else Way.MOUSE if clicked else Way.KEYS)
        after, actions = press(known)
        return after, (*told, *actions)

    return pressed


def playing(screens: Screens) -> Plan:
    """How it is played: with what, and what of that can be set."""
    head = button("head", text("screens.setting.head"), going(PageName.HEAD))
    items = [*option_rows(screens, PageOf.PLAYING), head]
    return page(
        screens,
        text("screens.setting.playing"),
        put(items, list_places(screens.tall, len(items))),
        back_button(),
        ("measure", text("screens.setting.measure"), begin_reaction, True),
        ("keys", text("screens.keys.heading"), going(PageName.KEYS), True),
        ("ways", text("screens.setting.way"), going(PageName.WAY), True),
    )


def _take(one: Way) -> Callable[[Screens], Reply]:
    def take(screens: Screens) -> Reply:
        after, actions = settled(screens.returned(), one)
        blind = after.preferences.seen and after.camera.trouble
        if blind or one is Way.CARD:
            after = after.to(PageName.CAMERA if blind else PageName.CARD)
        return after, actions

    return take
