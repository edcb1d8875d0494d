"""The pages that measure a player and propose settings that fit: the reaction to a light, and a head's turns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from armoon.messages import number, text
from armoon.options.option import PageOf
from armoon.screens import layout
from armoon.screens.events import Action
from armoon.screens.measuring import WAITS_S, HeadMeasuring, HeadSeen, Measurement, Measuring
from armoon.screens.pages.party import keep
from armoon.screens.pages.settings import option_rows, options_page, turned
from armoon.screens.state import PageName, Screens
from armoon.settings.preferences import PREFERENCES
from armoon.values import replace
from armoon.values.choices import Device, Way
from armoon.values.page import REST, FlexPart, columns, rows

#: The setting that a measured reaction proposes.
_SCAN = next(one for one in PREFERENCES if one.name == "scan_s")


def request_page(
    screens: Screens,
    now: Measurement[Any, Any],
    title: str,
    words: tuple[str, ...],
    take: Callable[[Screens], layout.Reply],
    again: Callable[[Screens], layout.Reply],
    *,
    high: float,
) -> layout.Plan:
    """Return a request's plan in ``high`` of the body's height; at the end it is accepted or asked again."""
    (about,) = rows(layout.body_place(screens.tall), high)
    buttons = (*(layout.take_buttons(take, again) if now.done else ()), layout.back_button())
    first = "take" if now.done else "back"
    return layout.page(
        screens, title, layout.lines(about, words, "about", 1.0), *buttons, veil=0.80, first=first
    )


def left(now: Measurement[Any, Any]) -> str:
    return text("screens.head.left", seconds=number(max(1.0, now.left_s), 0))


# A reaction -----------------------------------------------------------------------------------------------------


def waits(screens: Screens) -> bool:
    """Return whether a switch's press is measured instead of selecting."""
    now = screens.measuring
    return screens.page is PageName.MEASURE and not now.done and not now.unanswered


def passed(screens: Screens, seconds: float) -> Screens:
    now = screens.measuring
    if now.done:
        return screens
    passed_s = now.passed_s + seconds
    if not now.now and passed_s >= WAITS_S[len(now.reactions_s)]:
        return replace(screens, measuring=replace(now, now=True, passed_s=0.0))
    return replace(screens, measuring=replace(now, passed_s=passed_s))


def pressed(screens: Screens) -> layout.Reply:
    """Count a press while it is lit; otherwise restart the wait."""
    now = screens.measuring
    if now.done:
        return screens, ()
    counts = now.now and not now.unanswered
    reactions = (*now.reactions_s, now.passed_s) if counts else now.reactions_s
    return replace(screens, measuring=Measuring(reactions)), ()


def measure(screens: Screens) -> layout.Plan:
    now = screens.measuring
    about, _, low = rows(layout.body_place(screens.tall), 0.3, 0.06, REST)
    target: tuple[layout.Item, ...] = ()
    if now.done:
        said = text("screens.measure.done", reaction=number(now.usual_s, 2), period=number(now.proposed_s, 1))
        period = layout.choice(_SCAN.name, _SCAN.label, _SCAN.said(now.proposed_s), _change)
        target = layout.put((period,), rows(low, FlexPart(min(low.height, 0.08 if screens.tall else 0.13))))
    else:
        said = text("screens.measure.about", done=len(now.reactions_s), of=len(WAITS_S))
        words = text(f"screens.measure.{'now' if now.now else 'wait'}")
        (row,) = rows(low, FlexPart(min(low.height, 0.10 if screens.tall else 0.24)))
        light = columns(row, 0.1, 0.8)[1]
        target = (layout.button("target", words, pressed, rect=light, chosen=now.now or None),)
    items = (*layout.lines(about, (said,), "about", 1.0), *target)
    buttons = (*(layout.take_buttons(_take, _again) if now.done else ()), layout.back_button())
    first = "take" if now.done else "target"
    return layout.page(screens, text("screens.measure.heading"), items, *buttons, veil=0.80, first=first)


def begin_reaction(screens: Screens) -> layout.Reply:
    """Measure for the player whose habits are open, else for everybody."""
    return replace(screens.to(PageName.MEASURE), measuring=Measuring()), ()


def _change(screens: Screens, step: int) -> layout.Reply:
    now = screens.measuring
    changed_s = turned(_SCAN.offers, now.proposed_s, step)
    return replace(screens, measuring=replace(now, changed_s=changed_s)), ()


def _take(screens: Screens) -> layout.Reply:
    period_s, seat = screens.measuring.proposed_s, screens.editing
    if screens.back and screens.back[-1] is PageName.HABITS:
        habits = replace(screens.form.players[seat].habits, scan_s=period_s)
        changed, actions = keep(screens, seat, screens.form.with_own(seat, habits=habits))
    else:
        changed, actions = layout.set_preference(screens, "scan_s", period_s)
    return replace(changed.returned(), measuring=Measuring()), actions


def _again(screens: Screens) -> layout.Reply:
    return replace(screens, measuring=Measuring()), ()


# A head ---------------------------------------------------------------------------------------------------------


def head(screens: Screens) -> layout.Plan:
    measure_it = ("measure", text("screens.head.measure"), _again_head, True)
    title, about = text("screens.setting.head"), (text("screens.head.about"),)
    return options_page(screens, PageOf.HEAD, title, about, measure_it, high=0.20)


def measures_head(screens: Screens) -> bool:
    """Return whether a head is being measured and doesn't point."""
    return screens.page is PageName.HEAD_MEASURE and not screens.head.done


def seen_head(screens: Screens, now: HeadSeen) -> Screens:
    return replace(screens, head=screens.head.after(now)) if measures_head(screens) else screens


def measure_head(screens: Screens) -> layout.Plan:
    now, title = screens.head, text("screens.head.heading")
    if now.done:
        words = _head_result(now)
    else:
        words = (text("head.nobody" if now.missing else f"screens.head.{now.step.value}"), left(now))
    return request_page(screens, now, title, words, _take_head, _again_head, high=0.6)


def _head_result(now: HeadMeasuring) -> tuple[str, ...]:
    turns = text(
        "screens.head.turns",
        turns=number(now.turns_deg, 0),
        still=number(now.still_deg, 1),
        dead=number(now.dead_deg, 0),
        reach=number(now.reach_deg, 0),
    )
    return turns, text("screens.head.no_mouth" if now.mouth is None else "screens.head.mouth_opens")


def _take_head(screens: Screens) -> layout.Reply:
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
        screens, actions = layout.set_preference(screens, name, value)
        done += actions
    return replace(screens.returned(), head=HeadMeasuring()), done


def _again_head(screens: Screens) -> layout.Reply:
    there = screens if screens.page is PageName.HEAD_MEASURE else screens.to(PageName.HEAD_MEASURE)
    return replace(there, head=HeadMeasuring()), ()


def way(screens: Screens) -> layout.Plan:
    now = screens.preferences.way
    buttons = [
        layout.button(one.value, text(f"screens.way.{one}"), _take_way(one), chosen=one is now) for one in Way
    ]
    title, about = text("screens.way.heading"), (text("screens.way.about"),)
    return layout.list_page(
        screens, title, about, buttons, layout.back_button(), high=0.20, veil=0.80, first=Way.HAND.value
    )


def asked(screens: Screens) -> layout.Plan:
    answers = (
        layout.button("one_switch", text("screens.switch.yes"), _try_switch),
        layout.button("no", text("screens.switch.no"), layout.go_back),
    )
    items = [replace(one, weighed=True) for one in answers]
    title, about = text("screens.switch.heading"), (text("screens.switch.about"),)
    return layout.list_page(screens, title, about, items, high=0.30, veil=0.80, first="no")


def _try_switch(screens: Screens) -> layout.Reply:
    after, actions = _take_way(Way.SWITCH)(screens)
    return replace(after, tries_switch=True), actions


def ended_switch(screens: Screens, one: Way) -> layout.Reply:
    if not (screens.tries_switch and screens.preferences.way is Way.SWITCH):
        return screens, ()
    return settled(replace(screens, tries_switch=False), one)


def settled(screens: Screens, one: Way) -> layout.Reply:
    return layout.set_preference(replace(screens, asks_way=False), "way", one)


def shown(press: Callable[[Screens], layout.Reply]) -> Callable[[Screens], layout.Reply]:
    """Return a button's action that, at the first start, also notes the device."""

    def pressed(screens: Screens) -> layout.Reply:
        if not screens.asks_way:
            return press(screens)
        rested, clicked = screens.dwell.spent is not None, screens.device is Device.MOUSE
        known, first = settled(screens, Way.HAND if rested else Way.MOUSE if clicked else Way.KEYS)
        after, actions = press(known)
        return after, (*first, *actions)

    return pressed


def playing(screens: Screens) -> layout.Plan:
    head = layout.button("head", text("screens.setting.head"), layout.going(PageName.HEAD))
    items = [*option_rows(screens, PageOf.PLAYING), head]
    return layout.page(
        screens,
        text("screens.setting.playing"),
        layout.put(items, layout.list_places(screens.tall, len(items))),
        layout.back_button(),
        ("measure", text("screens.setting.measure"), begin_reaction, True),
        ("keys", text("screens.keys.heading"), layout.going(PageName.KEYS), True),
    )


def _take_way(one: Way) -> Callable[[Screens], layout.Reply]:
    def take(screens: Screens) -> layout.Reply:
        before = screens.home(PageName.TITLE) if screens.asks_way else screens.returned()
        after, actions = settled(before, one)
        blind = after.preferences.seen and after.camera.trouble
        if blind or one is Way.CARD:
            after = after.to(PageName.CAMERA if blind else PageName.CARD)
        return after, actions

    return take
