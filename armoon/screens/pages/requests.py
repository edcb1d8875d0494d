"""A page that makes one request after another, and proposes settings that fit the measured player."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from armoon.messages import text
from armoon.messages.numbers import number
from armoon.screens.flex import rows
from armoon.screens.layout import back_button, body_place, foot, heading, lines, take_buttons
from armoon.screens.requests import Requests
from armoon.screens.state import Plan, Reply, Screens, go_back


def request_page(
    screens: Screens,
    now: Requests[Any, Any],
    title: str,
    words: tuple[str, ...],
    take: Callable[[Screens], Reply],
    again: Callable[[Screens], Reply],
    *,
    high: float,
) -> Plan:
    """Return a request's plan in ``high`` of the body's height; at the end it is accepted or asked again."""
    (about,) = rows(body_place(screens.tall), high)
    buttons = (*(take_buttons(take, again) if now.done else ()), back_button())
    return Plan(
        (heading(screens, title), *lines(about, words, "about", 1.0), *foot(screens, *buttons)),
        veil=0.80,
        leave=go_back,
        first="take" if now.done else "back",
    )


def left(now: Requests[Any, Any]) -> str:
    """How long that is still asked for."""
    return text("screens.head.left", seconds=number(max(1.0, now.left_s), 0))
