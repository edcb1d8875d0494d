"""Clicks with an unmoved mouse press no button that has just appeared under it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from support.screens_kit import every_page

from armoon.app.front import MIN_HOVER_S, Front
from armoon.screens.layout import Item
from armoon.screens.machine import plan_of
from armoon.screens.measuring import ReactionMeasurement
from armoon.screens.state import Scan, Screens
from armoon.values.choices import Device
from armoon.values.page import WidgetKind
from armoon.values.poses import Vec2
from armoon.view.window import MousePointer

PAGES = dict(every_page())


def click(front: Front, place: Vec2) -> None:
    for pressed in (True, False):
        front.handle_pointer(MousePointer(place, pressed, over=place))


@pytest.mark.parametrize("name", PAGES)
def test_a_second_click_presses_only_the_same_button(name: str) -> None:
    start = replace(PAGES[name], aspect=16.0 / 9.0)
    for item in plan_of(start).items:
        if not item.is_live or item.widget.kind is WidgetKind.NUMBER:
            continue
        place = item.widget.rect.centre
        front = Front(start)
        front.advance_time(1.0)
        front.advance_time(2.0)
        front.handle_pointer(MousePointer(place, False, over=place))
        click(front, place)
        front.advance_time(2.1)
        after_click = _without_marks(front.screens)
        front.drain_actions()
        if front.screens.is_scanning:
            continue  # the button is a switch now, wherever the mouse is
        item_there = next(
            (item for item in plan_of(front.screens).items if item.widget.rect.contains(place)), None
        )
        if item_there is not None and _shown_values(front.screens, item_there) == _shown_values(start, item):
            continue
        for later in (2.1, 2.0 + MIN_HOVER_S / 2.0):
            front.advance_time(later)
            click(front, place)
            assert front.drain_actions() == (), item.widget.name
            assert _without_marks(front.screens) == after_click, item.widget.name


def _shown_values(screens: Screens, item: Item) -> tuple[object, ...]:
    return (screens.page, item.widget.name, item.widget.text)


def _without_marks(screens: Screens) -> Screens:
    unmarked: dict[str, Any] = {"focus": None, "focus_shown": False, "hover": None, "pointer": None}
    still = replace(
        screens, **unmarked, device=Device.MOUSE, guide=None, measuring=ReactionMeasurement(), scan=Scan()
    )
    return replace(still, rules=replace(still.rules, seconds=0.0))


def test_a_click_on_a_values_name_changes_nothing() -> None:
    clicks = 0
    for screens in PAGES.values():
        for item in plan_of(screens).items:
            if item.is_live and item.widget.kind is WidgetKind.CHOICE:
                rect = item.widget.rect
                front = Front(screens)
                click(front, (rect.x + 0.1 * rect.width, rect.y + 0.3 * rect.height))
                assert front.drain_actions() == ()
                assert _without_marks(front.screens) == _without_marks(screens), item.widget.name
                clicks += 1
    assert clicks > 20
