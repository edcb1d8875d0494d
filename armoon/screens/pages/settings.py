"""The settings pages: a row for each setting that a party can change; changes take effect at once."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence

from armoon.games.shared.seating import COLOUR_NAMES
from armoon.messages import text
from armoon.options.option import Option, PageOf
from armoon.screens.layout import (
    FootButton,
    back_button,
    body_place,
    button,
    choice,
    close_places,
    list_page,
    list_places,
    page,
    put,
)
from armoon.screens.pages.camera import choose as choose_camera
from armoon.screens.player import COLOURS
from armoon.screens.state import Item, PageName, Plan, Reply, Screens, going, set_preference
from armoon.settings.preferences import LOUDEST, PREFERENCES
from armoon.values.flex import REST, grid, rows
from armoon.values.page import Widget, WidgetKind


def settings(screens: Screens) -> Plan:
    """All settings of a party."""
    items = [
        *option_rows(screens, PageOf.SETTINGS),
        button("seeing", text("screens.setting.seeing"), going(PageName.SEEING)),
        button("playing", text("screens.setting.playing"), going(PageName.PLAYING)),
        button("depth", text("screens.setting.depth"), going(PageName.DEPTH)),
        button("camera", text("screens.setting.camera"), choose_camera),
    ]
    hearing = ("hearing", text("screens.setting.hearing"), going(PageName.HEARING), True)
    listed = put(items, list_places(screens.tall, len(items)))
    return page(screens, text("screens.setting.heading"), listed, back_button(), hearing)


def options_page(
    screens: Screens,
    offered: PageOf,
    title: str,
    about: Sequence[str],
    *more: FootButton,
    high: float,
    gap: float = 0.02,
    veil: float = 0.78,
) -> Plan:
    """Words about them in ``high`` of the body's height, and the options of a page below."""
    items = option_rows(screens, offered)
    return list_page(screens, title, about, items, back_button(), *more, high=high, gap=gap, veil=veil)


def hearing(screens: Screens) -> Plan:
    """Return the plan of the hearing settings."""
    title, about = text("screens.setting.hearing"), (text("screens.setting.hearing_about"),)
    return options_page(screens, PageOf.HEARING, title, about, high=0.22)


def depth(screens: Screens) -> Plan:
    """Return the helps that tell how far a hand is from the camera."""
    way = text(f"screens.setting.depth_help_{screens.preferences.depth_help}")
    title, about = text("screens.setting.depth"), (text("screens.setting.depth_about"), way)
    return options_page(screens, PageOf.DEPTH, title, about, high=0.18, gap=0.01, veil=0.60)


def seeing(screens: Screens) -> Plan:
    """How things look, with something of each kind to try it on."""
    shown, rest = rows(body_place(screens.tall), 0.3 if screens.tall else 0.42, REST, gap=0.03)
    items = option_rows(screens, PageOf.SEEING)
    across = 2 if screens.tall else 3
    swatches = (
        Item(Widget(f"colour {k}", WidgetKind.SCORE, place, text(f"screens.colour.{name}"), swatch=colour))
        for k, (place, name, colour) in enumerate(
            zip(grid(shown, len(COLOURS), across, 0.11), COLOUR_NAMES, COLOURS, strict=True)
        )
    )
    listed = (*swatches, *put(items, close_places(screens.tall, len(items), rest)))
    return page(screens, text("screens.setting.seeing"), listed, back_button())


def option_rows(screens: Screens, where: PageOf) -> list[Item]:
    """Return a row for each of the preferences that belong to this page."""
    return [row(screens, one) for one in PREFERENCES if one.page is where]


def row(screens: Screens, option: Option) -> Item:
    """Return the setting's row; a volume is drawn as a level, and does nothing while all is mute."""
    now = getattr(screens.preferences, option.name)
    volume = option.name == "volume"

    def turn(screens: Screens, step: int) -> Reply:
        # At the last value it begins again, so that one arrow or button is enough.
        offers, value = option.offers, getattr(screens.preferences, option.name)
        # A number of the settings file may lie between two of them.
        place = offers.index(value) if value in offers else bisect(offers, value) - (step > 0)
        return set_preference(screens, option.name, offers[(place + step) % len(offers)])

    return choice(
        option.name,
        option.label,
        f"{now * 10} %" if volume else option.said(now),
        turn,
        enabled=not (volume and screens.preferences.muted),
        level=now / LOUDEST if volume else None,
    )
