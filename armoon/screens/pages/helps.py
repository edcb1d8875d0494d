"""The pages of what helps one player: a handicap, and aids for a hand's movement, measured in ten seconds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from armoon.messages import text
from armoon.messages.numbers import brief, number
from armoon.screens.hand_measuring import DWELLS_S, REACHES, HandMeasuring, HandSeen
from armoon.screens.layout import back_button, choice, list_page
from armoon.screens.pages.measure import begin_reaction, left, request_page
from armoon.screens.pages.party import keep
from armoon.screens.plan import Plan, Reply
from armoon.screens.state import PageName, Screens
from armoon.settings.preferences import PREFERENCES
from armoon.values.choices import GripKind, Steadiness
from armoon.values.features import Feature
from armoon.values.habits import NO_HABITS
from armoon.values.handicap import Helping
from armoon.values.movement import AS_USUAL, Movement

#: What the arrows of each row offer: of a handicap, and of a hand's movement.
_EVENED: dict[str, tuple[Any, ...]] = {
    "spared": (0, 1, 2, 3, 4, 5),
    "hints": (None, 0, 1, 2, 3, 5, 10),
    "helps": tuple(Helping),
}
_MOVED: dict[str, tuple[Any, ...]] = {
    "steadiness": tuple(Steadiness),
    "reach": REACHES,
    "dwell_s": DWELLS_S,
    "grip": (None, *GripKind),
}


#: The kit's measure is told by ``armoon kit``, seldom, and needs no row.
_HABITS = tuple(name for name in vars(NO_HABITS) if name != "kit_mm")


def handicap(screens: Screens) -> Plan:
    """One player's handicap: mistakes spared, hints, visual aids."""
    player = screens.form.players[screens.editing]
    now = player.handicap
    known = Feature.HANDICAP in screens.form.options.has
    about = text("screens.handicap.about") if known else text("game.has_not.handicap")
    shown = {
        "spared": str(now.spared),
        "hints": text("screens.handicap.any") if now.hints is None else str(now.hints),
        "helps": text(f"screens.handicap.helps_{now.helps}"),
    }
    items = [
        choice(name, text(f"screens.handicap.{name}"), shown[name], _turning("handicap", name, offered))
        for name, offered in _EVENED.items()
    ]
    title = text("screens.handicap.heading", player=player.name)
    return list_page(
        screens,
        title,
        (about,),
        items,
        back_button(),
        high=0.30,
        gap=0.04,
        words="note",
        veil=0.76,
        first="spared",
    )


def moving(screens: Screens) -> Plan:
    """Return the plan of a player's movement settings."""
    player = screens.form.players[screens.editing]
    items = [
        choice(
            name,
            text(f"screens.moving.{name}"),
            said(name, getattr(player.movement, name)),
            _turning("movement", name, offered),
        )
        for name, offered in _MOVED.items()
    ]
    title, about = text("screens.moving.heading", player=player.name), (text("screens.moving.about"),)
    measure_it = ("measure", text("screens.moving.measure"), _again, True)
    return list_page(screens, title, about, items, back_button(), measure_it, high=0.20)


def habits(screens: Screens) -> Plan:
    """Return the plan of what a player plays with."""
    player = screens.form.players[screens.editing]
    items = []
    for option in PREFERENCES:
        if option.name in _HABITS:
            now = getattr(player.habits, option.name)
            shown = text("screens.habits.as_set") if now is None else option.said(now)
            turn = _turning("habits", option.name, (None, *option.offers))
            items.append(choice(option.name, option.label, shown, turn))
    title, about = text("screens.habits.heading", player=player.name), (text("screens.habits.about"),)
    measure_it = ("measure", text("screens.setting.measure"), begin_reaction, True)
    return list_page(screens, title, about, items, back_button(), measure_it, high=0.24)


def _turning(which: str, name: str, offered: tuple[Any, ...]) -> Callable[[Screens, int], Reply]:
    """Return the turn of a field of the player's handicap or movement; ``which`` names that."""

    def turn(screens: Screens, step: int) -> Reply:
        now = getattr(screens.form.players[screens.editing], which)
        value = getattr(now, name)
        at = offered.index(value) if value in offered else 0
        return _keep(screens, which, replace(now, **{name: offered[(at + step) % len(offered)]}))

    return turn


def _keep(screens: Screens, which: str, value: object) -> Reply:
    return keep(screens, screens.editing, screens.form.with_own(screens.editing, **{which: value}))


def in_a_word(movement: Movement) -> str:
    """Whether anything is set, for the profile's row."""
    return text("screens.moving.usual" if movement == AS_USUAL else "screens.moving.adapted")


def told(movement: Movement) -> str:
    """Return what differs from the usual settings."""
    if movement == AS_USUAL:
        return text("screens.moving.usual")
    return " · ".join(
        said(name, getattr(movement, name))
        for name in _MOVED
        if getattr(movement, name) != getattr(AS_USUAL, name)
    )


def said(name: str, value: Any) -> str:
    """Return a row's value."""
    if name == "grip":
        return text(f"option.grip.word.{value}") if value else text("screens.moving.as_set")
    if name == "steadiness":
        return text(f"screens.moving.steadiness_word.{value}")
    return text(f"screens.moving.{name}_value", value=brief(value))


def measures_hand(screens: Screens) -> bool:
    """Return whether a hand is being measured, which points at nothing meanwhile."""
    return screens.page is PageName.MOVING_MEASURE and not screens.hand.done


def seen_hand(screens: Screens, now: HandSeen) -> Screens:
    """Return a frame of the hand that is measured."""
    return replace(screens, hand=screens.hand.after(now)) if measures_hand(screens) else screens


def measure_hand(screens: Screens) -> Plan:
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


def _take(screens: Screens) -> Reply:
    kept, actions = _keep(screens, "movement", screens.hand.proposed)
    return replace(kept.returned(), hand=HandMeasuring()), actions


def _again(screens: Screens) -> Reply:
    there = screens if screens.page is PageName.MOVING_MEASURE else screens.to(PageName.MOVING_MEASURE)
    return replace(there, hand=HandMeasuring()), ()
