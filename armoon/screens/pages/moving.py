"""One player's hand movement: its aids, and the page that measures it in ten seconds."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from armoon.messages import text
from armoon.messages.numbers import brief, number
from armoon.screens.hand_measuring import DWELLS_S, REACHES, HandMeasuring, HandSeen
from armoon.screens.layout import back_button, choice, foot, heading, lines, list_places, under_words
from armoon.screens.pages.party import keep
from armoon.screens.pages.requests import left, request_page
from armoon.screens.state import Item, PageName, Plan, Reply, Screens, go_back
from armoon.values.choices import GripKind, Steadiness
from armoon.values.movement import AS_USUAL, Movement
from armoon.values.page import Rect

#: What the arrows of each row offer.
_OFFERED: dict[str, tuple[Any, ...]] = {
    "steadiness": tuple(Steadiness),
    "reach": REACHES,
    "dwell_s": DWELLS_S,
    "grip": (None, *GripKind),
}


def moving(screens: Screens) -> Plan:
    """Return the plan of a player's movement settings."""
    player = screens.form.players[screens.editing]
    about, rest = under_words(screens.tall, 0.20)
    places = list_places(screens.tall, len(_OFFERED), rest)
    return Plan(
        (
            heading(screens, text("screens.moving.heading", player=player.name)),
            *lines(about, (text("screens.moving.about"),), "about", 1.0),
            *(_row(player.movement, name, place) for name, place in zip(_OFFERED, places, strict=True)),
            *foot(screens, back_button(), ("measure", text("screens.moving.measure"), _again, True)),
        ),
        veil=0.78,
        leave=go_back,
    )


def in_a_word(movement: Movement) -> str:
    """Whether anything is set, for the profile's row."""
    return text("screens.moving.usual" if movement == AS_USUAL else "screens.moving.adapted")


def told(movement: Movement) -> str:
    """Return what differs from the usual settings."""
    if movement == AS_USUAL:
        return text("screens.moving.usual")
    return " · ".join(
        said(name, getattr(movement, name))
        for name in _OFFERED
        if getattr(movement, name) != getattr(AS_USUAL, name)
    )


def said(name: str, value: Any) -> str:
    """Return a row's value."""
    if name == "grip":
        return text(f"option.grip.word.{value}") if value else text("screens.moving.as_set")
    if name == "steadiness":
        return text(f"screens.moving.steadiness_word.{value}")
    return text(f"screens.moving.{name}_value", value=brief(value))


def measures(screens: Screens) -> bool:
    """Return whether a hand is being measured, which points at nothing meanwhile."""
    return screens.page is PageName.MOVING_MEASURE and not screens.hand.done


def seen(screens: Screens, now: HandSeen) -> Screens:
    """Return a frame of the hand that is measured."""
    return replace(screens, hand=screens.hand.after(now)) if measures(screens) else screens


def measure(screens: Screens) -> Plan:
    """One request after another, then what came of it."""
    now, title = screens.hand, text("screens.moving.measure")
    if now.done:
        words = _result(now)
    else:
        words = (
            text("screens.moving.nobody" if now.missing else f"screens.moving.{now.step.value}"),
            left(now),
        )
    return request_page(screens, now, title, words, _take, _again, high=0.72)


def _result(now: HandMeasuring) -> tuple[str, ...]:
    found, wish = now.reliable[:-1], now.proposed
    grips = " · ".join(text(f"option.grip.word.{grip}") for grip in found) or text("screens.moving.no_grip")
    return (
        text(
            "screens.moving.found",
            tremor=number(now.tremor_mm / 10.0, 1),
            reach=number(now.reach_m * 100.0, 0),
            speed=number(now.speed_m_s * 100.0, 0),
        ),
        text("screens.moving.grips", grips=grips),
        text("screens.moving.proposed", settings=told(wish)),
    )


def _row(movement: Movement, name: str, place: Rect) -> Item:
    def turn(screens: Screens, step: int) -> Reply:
        offered = _OFFERED[name]
        now = getattr(screens.form.players[screens.editing].movement, name)
        at = offered.index(now) if now in offered else 0
        return _keep(screens, **{name: offered[(at + step) % len(offered)]})

    return choice(name, place, text(f"screens.moving.{name}"), said(name, getattr(movement, name)), turn)


def _keep(screens: Screens, **changes: Any) -> Reply:
    seat = screens.editing
    movement = replace(screens.form.players[seat].movement, **changes)
    return keep(screens, seat, screens.form.with_movement(seat, movement))


def _take(screens: Screens) -> Reply:
    seat = screens.editing
    kept, actions = keep(screens, seat, screens.form.with_movement(seat, screens.hand.proposed))
    return replace(kept.returned(), hand=HandMeasuring()), actions


def _again(screens: Screens) -> Reply:
    there = screens if screens.page is PageName.MOVING_MEASURE else screens.to(PageName.MOVING_MEASURE)
    return replace(there, hand=HandMeasuring()), ()
