"""Pages for choosing the way to play, and for measuring reactions or head movements to propose settings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from armoon.messages import number, text
from armoon.options.option import PageId
from armoon.screens import layout
from armoon.screens.events import Action
from armoon.screens.measuring import WAITS_S, HandSample, HeadMeasurement, HeadSample, ReactionMeasurement
from armoon.screens.pages.settings import next_offer, option_rows
from armoon.screens.state import PageName, Screens
from armoon.settings.preferences import PREFERENCES
from armoon.values import replace
from armoon.values.choices import Device, Way
from armoon.values.page import REST, columns, rows

#: The setting for which the reaction measurement proposes a value.
_SCAN = next(preference for preference in PREFERENCES if preference.name == "scan_s")
#: Measuring pages, by the field of ``Screens`` with the measurement.
_MEASURING_PAGES = {"hand": PageName.MOVING_MEASURE, "head": PageName.HEAD_MEASURE}


def is_measuring(screens: Screens, part: str) -> bool:
    """Return whether the ``"hand"`` or ``"head"`` is being measured."""
    return screens.page is _MEASURING_PAGES[part] and not getattr(screens, part).is_done


def add_sample(screens: Screens, sample: HandSample | HeadSample) -> layout.Reply:
    part = "hand" if isinstance(sample, HandSample) else "head"
    if not is_measuring(screens, part):
        return screens, ()
    changes: dict[str, Any] = {part: getattr(screens, part).add_sample(sample)}
    return replace(screens, **changes), ()


def restart_measurement(part: str) -> Callable[[Screens], layout.Reply]:
    """Return a press handler that starts measuring the hand or head from the beginning."""

    def restart(screens: Screens) -> layout.Reply:
        page = screens if screens.page is _MEASURING_PAGES[part] else screens.go_to(_MEASURING_PAGES[part])
        changes: dict[str, Any] = {part: type(getattr(screens, part))()}
        return replace(page, **changes), ()

    return restart


def measurement_page(
    screens: Screens,
    part: str,
    title: str,
    request_key: str,
    describe_result: Callable[[Any], tuple[str, ...]],
    accept: Callable[[Screens], layout.Reply],
) -> layout.Plan:
    """Return the page of a measurement, with a request to the player or with the result."""
    now = screens.hand if part == "hand" else screens.head
    if now.is_done:
        words, buttons = describe_result(now), layout.accept_buttons(accept, restart_measurement(part))
    else:
        time_left = text("screens.head.left", seconds=number(max(1.0, now.remaining_s), 0))
        words, buttons = (text(request_key), time_left), ()
    about = layout.texts(layout.body_area(screens.is_tall), words, "about", 0.16)
    first = "take" if now.is_done else "back"
    return layout.page(screens, title, about, *buttons, layout.back_button(), veil=0.80, first=first)


# A reaction -----------------------------------------------------------------------------------------------------


def is_measuring_reaction(screens: Screens) -> bool:
    now = screens.measuring
    return screens.page is PageName.MEASURE and not now.is_done and not now.is_unanswered


def pass_time(screens: Screens, seconds: float) -> Screens:
    now = screens.measuring
    if now.is_done:
        return screens
    passed_s = now.passed_s + seconds
    if not now.is_lit and passed_s >= WAITS_S[len(now.reactions_s)]:
        return replace(screens, measuring=replace(now, is_lit=True, passed_s=0.0))
    return replace(screens, measuring=replace(now, passed_s=passed_s))


def press_target(screens: Screens) -> layout.Reply:
    """Count a press while the light is on; restart the wait for the light in any case."""
    now = screens.measuring
    if now.is_done:
        return screens, ()
    is_counted = now.is_lit and not now.is_unanswered
    reactions_s = (*now.reactions_s, now.passed_s) if is_counted else now.reactions_s
    return replace(screens, measuring=ReactionMeasurement(reactions_s)), ()


def measure_page(screens: Screens) -> layout.Plan:
    now, tall = screens.measuring, screens.is_tall
    about, _, low = rows(layout.body_area(tall), 0.3, 0.06, REST)
    if now.is_done:
        line = text("screens.measure.done", reaction=number(now.usual_s, 2), period=number(now.proposed_s, 1))
        period = layout.choice(_SCAN.name, _SCAN.label, _SCAN.format_value(now.proposed_s), _change_period)
        target = period.change(rect=replace(low, height=min(low.height, 0.08 if tall else 0.13)))
        restart = layout.change(measuring=ReactionMeasurement())
        buttons, first = layout.accept_buttons(_accept_period, restart), "take"
    else:
        line = text("screens.measure.about", done=len(now.reactions_s), of=len(WAITS_S))
        words = text(f"screens.measure.{'now' if now.is_lit else 'wait'}")
        light = columns(replace(low, height=min(low.height, 0.10 if tall else 0.24)), 0.1, 0.8)[1]
        target = layout.button("target", words, press_target, rect=light, chosen=now.is_lit or None)
        buttons, first = (), "target"
    items = (*layout.texts(about, (line,), "about", 1.0), target)
    foot = (*buttons, layout.back_button())
    return layout.page(screens, text("screens.measure.heading"), items, *foot, veil=0.80, first=first)


begin_reaction = layout.go_to(PageName.MEASURE, measuring=ReactionMeasurement())


def _change_period(screens: Screens, step: int) -> layout.Reply:
    now = screens.measuring
    chosen_s = next_offer(_SCAN.offers, now.proposed_s, step)
    return replace(screens, measuring=replace(now, chosen_s=chosen_s)), ()


def _accept_period(screens: Screens) -> layout.Reply:
    period_s, seat = screens.measuring.proposed_s, screens.editing
    if screens.back and screens.back[-1] is PageName.HABITS:
        habits = replace(screens.form.players[seat].habits, scan_s=period_s)
        form = screens.form.with_player_changes(seat, habits=habits)
        changed, actions = layout.save_player(screens, seat, form)
    else:
        changed, actions = layout.set_preference(screens, "scan_s", period_s)
    return replace(changed.go_back(), measuring=ReactionMeasurement()), actions


# A head ---------------------------------------------------------------------------------------------------------


def head_page(screens: Screens) -> layout.Plan:
    measure_button = layout.button("measure", text("screens.head.measure"), restart_measurement("head"))
    title, about = text("screens.setting.head"), (text("screens.head.about"),)
    items = option_rows(screens, PageId.HEAD)
    return layout.list_page(screens, title, about, items, layout.back_button(), measure_button)


def measure_head_page(screens: Screens) -> layout.Plan:
    now = screens.head
    key = "head.nobody" if now.is_missing else f"screens.head.{now.step.value}"
    return measurement_page(screens, "head", text("screens.head.heading"), key, _describe_head, _accept_head)


def _describe_head(now: HeadMeasurement) -> tuple[str, ...]:
    turns = text(
        "screens.head.turns",
        turns=number(now.max_rotation_deg, 0),
        still=number(now.still_deg, 1),
        dead=number(now.dead_deg, 0),
        reach=number(now.reach_deg, 0),
    )
    return turns, text("screens.head.no_mouth" if now.mouth is None else "screens.head.mouth_opens")


def _accept_head(screens: Screens) -> layout.Reply:
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
    return replace(screens.go_back(), head=HeadMeasurement()), done


def way_page(screens: Screens) -> layout.Plan:
    now = screens.preferences.way
    buttons = [
        layout.button(way.value, text(f"screens.way.{way}"), _choose_way(way), chosen=way is now)
        for way in Way
    ]
    title, about, back = text("screens.way.heading"), (text("screens.way.about"),), layout.back_button()
    return layout.list_page(screens, title, about, buttons, back, veil=0.80, first=Way.HAND.value)


def switch_page(screens: Screens) -> layout.Plan:
    answers = (
        layout.button("one_switch", text("screens.switch.yes"), _try_switch),
        layout.button("no", text("screens.switch.no"), layout.go_back),
    )
    items = [replace(item, slow_scan=True) for item in answers]
    title, about = text("screens.switch.heading"), (text("screens.switch.about"),)
    return layout.list_page(screens, title, about, items, veil=0.80, first="no")


def _try_switch(screens: Screens) -> layout.Reply:
    after, actions = _choose_way(Way.SWITCH)(screens)
    return replace(after, is_trying_switch=True), actions


def stop_trying_switch(screens: Screens, way: Way) -> layout.Reply:
    if not (screens.is_trying_switch and screens.preferences.way is Way.SWITCH):
        return screens, ()
    return set_way(replace(screens, is_trying_switch=False), way)


def set_way(screens: Screens, way: Way) -> layout.Reply:
    return layout.set_preference(replace(screens, must_choose_way=False), "way", way)


def with_device(press: Callable[[Screens], layout.Reply]) -> Callable[[Screens], layout.Reply]:
    """Return a press handler that, at the first start, first sets the way to play from the device used."""

    def press_after_choice(screens: Screens) -> layout.Reply:
        if not screens.must_choose_way:
            return press(screens)
        way = Way.MOUSE if screens.device is Device.MOUSE else Way.KEYS
        known, first = set_way(screens, way if screens.dwell.blocked_area is None else Way.HAND)
        after, actions = press(known)
        return after, (*first, *actions)

    return press_after_choice


def playing_page(screens: Screens) -> layout.Plan:
    head = layout.button("head", text("screens.setting.head"), layout.go_to(PageName.HEAD))
    items = [*option_rows(screens, PageId.PLAYING), head]
    return layout.page(
        screens,
        text("screens.setting.playing"),
        layout.arrange(items, layout.list_areas(screens.is_tall, len(items))),
        layout.back_button(),
        layout.button("measure", text("screens.setting.measure"), begin_reaction),
        layout.button("keys", text("screens.keys.heading"), layout.go_to(PageName.KEYS)),
    )


def _choose_way(way: Way) -> Callable[[Screens], layout.Reply]:
    def choose(screens: Screens) -> layout.Reply:
        before = screens.reset_to(PageName.TITLE) if screens.must_choose_way else screens.go_back()
        after, actions = set_way(before, way)
        lacks_camera = after.preferences.uses_camera and after.camera.error
        if lacks_camera or way is Way.CARD:
            after = after.go_to(PageName.CAMERA if lacks_camera else PageName.CARD)
        return after, actions

    return choose
