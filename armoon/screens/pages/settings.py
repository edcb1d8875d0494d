"""The settings pages: a row for each setting that a party can change; changes take effect at once."""

from __future__ import annotations

from collections.abc import Sequence

from armoon.messages import text
from armoon.options.option import Option, PageOf
from armoon.screens.flex import REST, grid, rows
from armoon.screens.layout import (
    FootButton,
    back_button,
    body_place,
    button,
    choice,
    close_places,
    foot,
    heading,
    lines,
    list_places,
    under_words,
)
from armoon.screens.pages.camera import choose as choose_camera
from armoon.screens.player import COLOUR_NAMES, COLOURS
from armoon.screens.state import Item, PageName, Plan, Reply, Screens, go_back, going, set_preference
from armoon.settings.preferences import LOUDEST, PREFERENCES
from armoon.values.page import Rect, Widget, WidgetKind


def settings(screens: Screens) -> Plan:
    """All settings of a party."""
    offered = offered_on(PageOf.SETTINGS)
    places = list_places(screens.tall, len(offered) + 4)
    return Plan(
        (
            heading(screens, text("screens.setting.heading")),
            *(row(screens, place, option) for place, option in zip(places, offered, strict=False)),
            button("seeing", places[-4], text("screens.setting.seeing"), going(PageName.SEEING)),
            button("playing", places[-3], text("screens.setting.playing"), going(PageName.PLAYING)),
            button("depth", places[-2], text("screens.setting.depth"), going(PageName.DEPTH)),
            button("camera", places[-1], text("screens.setting.camera"), choose_camera),
            *foot(
                screens,
                back_button(),
                ("hearing", text("screens.setting.hearing"), going(PageName.HEARING), True),
            ),
        ),
        veil=0.78,
        leave=go_back,
    )


def options_page(
    screens: Screens,
    page: PageOf,
    title: str,
    about: Sequence[str],
    *more: FootButton,
    high: float,
    gap: float = 0.02,
    veil: float = 0.78,
) -> Plan:
    """Words about them in ``high`` of the body's height, and the options of a page below."""
    words, rest = under_words(screens.tall, high, gap)
    offered = offered_on(page)
    places = list_places(screens.tall, len(offered), rest)
    return Plan(
        (
            heading(screens, title),
            *lines(words, about, "about", 1.0),
            *(row(screens, place, option) for place, option in zip(places, offered, strict=True)),
            *foot(screens, back_button(), *more),
        ),
        veil=veil,
        leave=go_back,
    )


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
    offered = offered_on(PageOf.SEEING)
    places = close_places(screens.tall, len(offered), rest)
    names = [text(f"screens.colour.{name}") for name in COLOUR_NAMES]
    across = 2 if screens.tall else 3
    swatches = [
        Item(Widget(f"colour {k}", WidgetKind.SCORE, place, name, swatch=colour))
        for k, (place, name, colour) in enumerate(
            zip(grid(shown, len(names), across, 0.11), names, COLOURS, strict=True)
        )
    ]
    return Plan(
        (
            heading(screens, text("screens.setting.seeing")),
            *swatches,
            *(row(screens, place, option) for place, option in zip(places, offered, strict=True)),
            *foot(screens, back_button()),
        ),
        veil=0.78,
        leave=go_back,
    )


def offered_on(page: PageOf) -> tuple[Option, ...]:
    """Return the preferences that have a row on this page."""
    return tuple(one for one in PREFERENCES if one.page is page)


def row(screens: Screens, place: Rect, option: Option) -> Item:
    """Return the setting's row; a volume is drawn as a level, and does nothing while all is mute."""
    now = getattr(screens.preferences, option.name)
    volume = option.name == "volume"

    def turn(screens: Screens, step: int) -> Reply:
        # At the last value it begins again, so that one arrow or button is enough.
        place = option.offers.index(getattr(screens.preferences, option.name))
        return set_preference(screens, option.name, option.offers[(place + step) % len(option.offers)])

    return choice(
        option.name,
        place,
        option.label,
        f"{now * 10} %" if volume else option.said(now),
        turn,
        enabled=not (volume and screens.preferences.muted),
        level=now / LOUDEST if volume else None,
    )
