"""The settings pages: a row for each setting that a party can change; changes take effect at once."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from armoon.games.shared.seating import COLOUR_NAMES
from armoon.kit.pictures import drawn
from armoon.messages import text
from armoon.options.option import Option, PageOf
from armoon.screens.actions import WriteKit
from armoon.screens.layout import (
    FootButton,
    back_button,
    body_place,
    button,
    choice,
    close_places,
    lines,
    list_page,
    list_places,
    page,
    put,
)
from armoon.screens.own import set_preference
from armoon.screens.own_phrases import OwnPhrases
from armoon.screens.pages.camera import choose as choose_camera
from armoon.screens.plan import Item, Plan, Reply, asking, going
from armoon.screens.player import COLOURS
from armoon.screens.state import PageName, Screens
from armoon.settings.preferences import LOUDEST, PREFERENCES
from armoon.values.acts import BY_PHRASE, CALL, SAMPLES
from armoon.values.flex import REST, grid, rows
from armoon.values.page import Widget, WidgetKind

#: What the page of the paper kit shows of its use.
_KIT = ("cut", "fold", "hold", "let_go")


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
    own = ("own phrases", text("screens.phrases.heading"), going(PageName.PHRASES), True)
    return options_page(screens, PageOf.HEARING, title, about, own, high=0.22)


def phrases(screens: Screens) -> Plan:
    """Return the plan of the page on which a player's own phrases are spoken."""
    now = screens.phrases
    name = text("screens.phrases.call" if now.asked == CALL else BY_PHRASE[now.asked].text_key)
    said = text("screens.phrases.say", phrase=name, done=now.done, of=SAMPLES)
    about = (text("screens.phrases.about"), said)
    items = [button("next", text("screens.phrases.next"), _next_phrase)]
    delete = ("forget", text("screens.phrases.forget"), _forget_phrases, bool(now.kept))
    title = text("screens.phrases.heading")
    return list_page(screens, title, about, items, back_button(), delete, high=0.6, first="next")


def _next_phrase(screens: Screens) -> Reply:
    return replace(screens, phrases=screens.phrases.next()), ()


def _forget_phrases(screens: Screens) -> Reply:
    return replace(screens, phrases=OwnPhrases(forget=True)), ()


def depth(screens: Screens) -> Plan:
    """Return the helps that tell how far a hand is from the camera."""
    way = text(f"screens.setting.depth_help_{screens.preferences.depth_help}")
    title, about = text("screens.setting.depth"), (text("screens.setting.depth_about"), way)
    paper = ("kit", text("screens.kit.heading"), _open_kit, True)
    return options_page(screens, PageOf.DEPTH, title, about, paper, high=0.18, gap=0.01, veil=0.60)


def _open_kit(screens: Screens) -> Reply:
    return replace(screens.to(PageName.KIT), picture=""), ()


def kit(screens: Screens) -> Plan:
    """Return the plan of the paper kit: how to make it, its print to be written, and what it measures."""
    about, _, shown, _, rest = rows(body_place(screens.tall), 0.18, 0.02, 0.52, 0.02, REST)
    across = 2 if screens.tall else 4
    pictures: list[Item] = []
    for name, place in zip(_KIT, grid(shown, len(_KIT), across, gap=(0.02, 0.03)), strict=True):
        picture, said = rows(place, 0.64, REST)
        pictures.append(Item(Widget(name, WidgetKind.PICTURE, picture, drawing=drawn(name))))
        pictures += lines(said, (text(f"kit.how.{name}"),), f"{name} said", 1.0)
    items = option_rows(screens, PageOf.KIT)
    listed = put(items, close_places(screens.tall, len(items), rest))
    words = lines(about, (screens.picture or text("screens.kit.about"),), "about", 1.0)
    written = [
        (f"write {paper}", text("screens.kit.write", paper=name), asking(WriteKit(paper)), True)
        for paper, name in (("a4", "A4"), ("letter", "Letter"))
    ]
    title = text("screens.kit.heading")
    return page(screens, title, (*words, *pictures, *listed), back_button(), *written, veil=0.80)


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
    volume = option.name.endswith("volume")

    def turn(screens: Screens, step: int) -> Reply:
        value = turned(option.offers, getattr(screens.preferences, option.name), step)
        return set_preference(screens, option.name, value)

    return choice(
        option.name,
        option.label,
        f"{now * 10} %" if volume else option.said(now),
        turn,
        enabled=not (volume and screens.preferences.muted),
        level=now / LOUDEST if volume else None,
        now=now,
        offers=option.offers,
    )


def turned(offers: Sequence[Any], value: Any, step: int) -> Any:
    """Return the next of what is offered, or the one before; after the last value the first, so one arrow is enough."""
    # A number of the settings file may lie between two of them.
    place = offers.index(value) if value in offers else bisect(offers, value) - (step > 0)
    return offers[(place + step) % len(offers)]
