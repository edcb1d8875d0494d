"""The choice of an input method, and its settings: the very first page, and a page of the settings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from armoon.messages import text
from armoon.options.option import PageOf
from armoon.screens.layout import back_button, button, lines, list_places, page, put, under_words
from armoon.screens.measuring import Measuring
from armoon.screens.pages.settings import option_rows, row
from armoon.screens.state import Item, PageName, Plan, Reply, Screens, going, set_preference
from armoon.settings.preferences import PREFERENCES
from armoon.values.choices import Way

#: The ways that need a camera.
_SEEN = (Way.HAND, Way.HEAD)
#: What some need before they can read or hear any other page.
_AT_FIRST = ("text_size", "captions", "speech", "contrast")


def way(screens: Screens) -> Plan:
    """One thing to play with below the other; whatever is used here shows that it can be used."""
    about, rest = under_words(screens.tall, 0.20)
    places, settings = list_places(screens.tall, len(Way), rest), tuple[Item, ...]()
    if screens.asks_way:  # nothing stands below; between ways and settings a place stays free
        rest = replace(rest, height=0.95 - rest.y)
        places = list_places(screens.tall, len(Way) + 1 + len(_AT_FIRST), rest)
        wanted = (row(screens, one) for one in PREFERENCES if one.name in _AT_FIRST)
        settings = put(wanted, places[-len(_AT_FIRST) :])
    now = screens.preferences.way
    buttons = (button(one.value, text(f"screens.way.{one}"), _take(one), chosen=one is now) for one in Way)
    items = (
        *lines(about, (text("screens.way.about"),), "about", 1.0),
        *put(buttons, places),
        *settings,
    )
    leads_back = (back_button(),) if screens.back else ()
    title, first = text("screens.way.heading"), Way.HAND.value
    return page(screens, title, items, *leads_back, veil=0.80, leave=_on, first=first)


def by_switch(screens: Screens) -> Reply:
    """Return a press of something while nothing on the page has the focus: a switch shows itself."""
    return _take(Way.SWITCH)(screens)


def playing(screens: Screens) -> Plan:
    """How it is played: with what, and what of that can be set."""
    head = button("head", text("screens.setting.head"), going(PageName.HEAD))
    items = [*option_rows(screens, PageOf.PLAYING), head]
    return page(
        screens,
        text("screens.setting.playing"),
        put(items, list_places(screens.tall, len(items))),
        back_button(),
        ("measure", text("screens.setting.measure"), _measure, True),
        ("keys", text("screens.keys.heading"), going(PageName.KEYS), True),
        ("ways", text("screens.setting.way"), going(PageName.WAY), True),
    )


def _measure(screens: Screens) -> Reply:
    return replace(screens.to(PageName.MEASURE), measuring=Measuring()), ()


def _take(one: Way) -> Callable[[Screens], Reply]:
    def take(screens: Screens) -> Reply:
        screens, actions = set_preference(screens, "way", one)
        after, _ = _on(screens)
        blind = not screens.back and one in _SEEN and screens.camera.trouble
        return (after.to(PageName.CAMERA) if blind else after), actions

    return take


def _on(screens: Screens) -> Reply:
    """Back to where the page was opened; the first time to the title."""
    return (screens.returned() if screens.back else screens.home(PageName.TITLE)), ()
