"""The settings pages: language, sound, picture, depth helps, grip and size of texts; every change acts at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from armoon.messages import text
from armoon.screens.layout import back_button, body_place, button, choice, foot, heading, lines, list_places
from armoon.screens.preferences import LOUDEST
from armoon.screens.state import Item, PageName, Plan, Reply, Screens, going, set_preference
from armoon.values.choices import DepthHelp, GripKind, Language, TextSize, TierName
from armoon.values.page import Rect

#: Each language by its own name, so that it is found again from any other.
LANGUAGE_NAMES = {Language.EN: "English", Language.FR: "Français"}
MARKS = ("show_drop_line", "show_halo", "show_inset", "show_uncertainty")


def settings(screens: Screens) -> Plan:
    """All settings of a party."""
    now = screens.preferences
    places = list_places(screens.tall, 8)
    rows: tuple[Item, ...] = (
        _choice(screens, places[0], "language", tuple(Language), lambda v: LANGUAGE_NAMES[v]),
        _choice(screens, places[1], "text_size", tuple(TextSize), _value),
        choice(
            "volume",
            places[2],
            text("screens.setting.volume"),
            f"{now.volume * 10} %",
            _louder,
            enabled=not now.muted,
            level=now.volume / LOUDEST,
        ),
        _choice(screens, places[3], "muted", (False, True), _yes),
        _choice(screens, places[4], "ambience", (True, False), _yes),
        _choice(screens, places[5], "tier", tuple(TierName), _value),
        _choice(screens, places[6], "grip", tuple(GripKind), _value),
        button("depth", places[7], text("screens.setting.depth"), going(PageName.DEPTH)),
    )
    return Plan(
        (heading(screens, text("screens.setting.heading")), *rows, *foot(screens, back_button())),
        veil=0.78,
        leave=lambda s: (s.returned(), ()),
        first="language",
    )


def depth(screens: Screens) -> Plan:
    """The helps that tell how far a hand is from the camera."""
    body = body_place(screens.tall)
    about = Rect(body.x, body.y, body.width, body.height * 0.18)
    rest = Rect(body.x, body.y + body.height * 0.19, body.width, body.height * 0.81)
    places = list_places(screens.tall, 1 + len(MARKS), rest)
    way = text(f"screens.setting.depth_help_{screens.preferences.depth_help}")
    return Plan(
        (
            heading(screens, text("screens.setting.depth")),
            *lines(about, (text("screens.setting.depth_about"), way), "about", 1.0),
            _choice(screens, places[0], "depth_help", tuple(DepthHelp), _value),
            *(
                _choice(screens, place, name, (True, False), _yes)
                for place, name in zip(places[1:], MARKS, strict=True)
            ),
            *foot(screens, back_button()),
        ),
        veil=0.60,
        leave=lambda s: (s.returned(), ()),
        first="depth_help",
    )


def _choice(
    screens: Screens, place: Rect, name: str, values: Sequence[Any], say: Callable[[Any], str]
) -> Item:
    now = getattr(screens.preferences, name)

    def turn(screens: Screens, step: int) -> Reply:
        value = values[(values.index(getattr(screens.preferences, name)) + step) % len(values)]
        return set_preference(screens, name, value)

    return choice(name, place, text(f"screens.setting.{name}"), say(now), turn)


def _value(value: str) -> str:
    return text(f"screens.setting_value.{value}")


def _yes(value: bool) -> str:
    return text("screens.yes" if value else "screens.no")


def _louder(screens: Screens, step: int) -> Reply:
    """A tenth louder or softer; at the loudest it begins again, so that one arrow or button is enough."""
    return set_preference(screens, "volume", (screens.preferences.volume + step) % (LOUDEST + 1))
