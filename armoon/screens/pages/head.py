"""How a head points, and the page that measures one in ten seconds and proposes what fits it."""

from __future__ import annotations

from dataclasses import replace

from armoon.messages import text
from armoon.messages.numbers import number
from armoon.screens.actions import Action
from armoon.screens.head_measuring import HeadMeasuring, HeadSeen, HeadStep
from armoon.screens.layout import back_button, body_place, foot, heading, lines, list_places
from armoon.screens.pages.settings import offered_on, row
from armoon.screens.state import PageName, Plan, Reply, Screens, go_back, set_preference
from armoon.settings.option import PageOf
from armoon.values.page import Rect


def head(screens: Screens) -> Plan:
    """How it points and presses."""
    body = body_place(screens.tall)
    about = Rect(body.x, body.y, body.width, body.height * 0.2)
    rest = Rect(body.x, body.y + body.height * 0.22, body.width, body.height * 0.78)
    offered = offered_on(PageOf.HEAD)
    places = list_places(screens.tall, len(offered), rest)
    return Plan(
        (
            heading(screens, text("screens.setting.head")),
            *lines(about, (text("screens.head.about"),), "about", 1.0),
            *(row(screens, place, option) for place, option in zip(places, offered, strict=True)),
            *foot(screens, back_button(), ("measure", text("screens.head.measure"), _again, True)),
        ),
        veil=0.78,
        leave=go_back,
    )


def measures(screens: Screens) -> bool:
    """A head is being measured: it points at nothing meanwhile."""
    return screens.page is PageName.HEAD_MEASURE and screens.head.step is not HeadStep.DONE


def seen(screens: Screens, now: HeadSeen) -> Screens:
    """A frame of the head that is measured."""
    if not measures(screens):
        return screens
    return replace(screens, head=screens.head.after(now))


def measure(screens: Screens) -> Plan:
    """One request after another, then what came of it."""
    now, body = screens.head, body_place(screens.tall)
    about = Rect(body.x, body.y, body.width, body.height * 0.6)
    if now.step is HeadStep.DONE:
        shown = _result(now)
        buttons = foot(
            screens,
            ("take", text("screens.measure.take"), _take, True),
            ("again", text("screens.measure.again"), _again, True),
            back_button(),
        )
    else:
        what = "head.nobody" if now.missing else f"screens.head.{now.step.value}"
        left = text("screens.head.left", seconds=number(max(1.0, now.left_s), 0))
        shown = (text(what), left)
        buttons = foot(screens, back_button())
    return Plan(
        (heading(screens, text("screens.head.heading")), *lines(about, shown, "about", 1.0), *buttons),
        veil=0.80,
        leave=go_back,
        first="take" if now.step is HeadStep.DONE else "back",
    )


def _result(now: HeadMeasuring) -> tuple[str, ...]:
    turns = text(
        "screens.head.turns",
        turns=number(now.turns_deg, 0),
        still=number(now.still_deg, 1),
        dead=number(now.dead_deg, 0),
        reach=number(now.reach_deg, 0),
    )
    return turns, text("screens.head.no_mouth" if now.mouth is None else "screens.head.mouth_opens")


def _take(screens: Screens) -> Reply:
    now = screens.head
    proposed: dict[str, str | float | bool] = {
        "head_dead_deg": now.dead_deg,
        "head_reach_deg": now.reach_deg,
        "head_confirm": now.confirm,
    }
    if now.mouth is not None:
        proposed["head_mouth"] = now.mouth
    done: tuple[Action, ...] = ()
    for name, value in proposed.items():
        screens, actions = set_preference(screens, name, value)
        done += actions
    return replace(screens.returned(), head=HeadMeasuring()), done


def _again(screens: Screens) -> Reply:
    there = screens if screens.page is PageName.HEAD_MEASURE else screens.to(PageName.HEAD_MEASURE)
    return replace(there, head=HeadMeasuring()), ()
