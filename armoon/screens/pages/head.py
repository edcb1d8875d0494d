"""Head settings, and the page that measures a head in ten seconds and proposes settings that fit it."""

from __future__ import annotations

from dataclasses import replace

from armoon.messages import text
from armoon.messages.numbers import number
from armoon.options.option import PageOf
from armoon.screens.actions import Action
from armoon.screens.head_measuring import HeadMeasuring, HeadSeen
from armoon.screens.pages.requests import left, request_page
from armoon.screens.pages.settings import options_page
from armoon.screens.state import PageName, Plan, Reply, Screens, set_preference


def head(screens: Screens) -> Plan:
    """How it points and presses."""
    measure_it = ("measure", text("screens.head.measure"), _again, True)
    title, about = text("screens.setting.head"), (text("screens.head.about"),)
    return options_page(screens, PageOf.HEAD, title, about, measure_it, high=0.20)


def measures(screens: Screens) -> bool:
    """Return whether a head is being measured, which points at nothing meanwhile."""
    return screens.page is PageName.HEAD_MEASURE and not screens.head.done


def seen(screens: Screens, now: HeadSeen) -> Screens:
    """Return a frame of the head that is measured."""
    return replace(screens, head=screens.head.after(now)) if measures(screens) else screens


def measure(screens: Screens) -> Plan:
    """One request after another, then what came of it."""
    now, title = screens.head, text("screens.head.heading")
    if now.done:
        words = _result(now)
    else:
        words = (text("head.nobody" if now.missing else f"screens.head.{now.step.value}"), left(now))
    return request_page(screens, now, title, words, _take, _again, high=0.6)


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
