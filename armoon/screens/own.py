"""The house's preferences, with the habits of the player on turn over them."""

from __future__ import annotations

from dataclasses import replace

from armoon.screens.actions import Action, ChangeSetting, KeepPlayer
from armoon.screens.plan import Reply
from armoon.screens.state import Screens
from armoon.values.bindings import Moved
from armoon.values.choices import CameraWay, Way
from armoon.values.habits import NO_HABITS, Habits


def habits_now(screens: Screens) -> Habits:
    """Return what the player on turn plays with."""
    return next((one.habits for one in screens.form.players if one.name == screens.on_turn), NO_HABITS)


def others_play_with(screens: Screens, way: Way) -> bool:
    """Return whether somebody else at the table than the player on turn plays with this."""
    others = (one for one in screens.form.players if screens.on_turn not in ("", one.name))
    return any(one.habits.way is way for one in others)


def set_preference(screens: Screens, name: str, value: str | float | bool | Moved) -> Reply:
    """Change one preference and tell the app: for the player on turn where it is a habit of theirs, else for all."""
    told: Action = ChangeSetting(name, value)
    changed = replace(screens.preferences, **{name: value})  # type: ignore[arg-type]
    if getattr(habits_now(screens), name, None) is None:
        house = screens.house and replace(screens.house, **{name: value})  # type: ignore[arg-type]
        return replace(screens, preferences=changed, house=house), (told,)
    seat = next(n for n, one in enumerate(screens.form.players) if one.name == screens.on_turn)
    form = screens.form.with_own(seat, habits=replace(habits_now(screens), **{name: value}))  # type: ignore[arg-type]
    kept = replace(screens, preferences=changed, form=form.keeping(seat))
    return kept, (KeepPlayer(form.players[seat]), told)


def turn_passed(screens: Screens, player: str) -> Screens:
    """Return the screens in this player's turn; the demo's hand plays for everybody in one way."""
    if screens.practice or screens.camera.way is CameraWay.DEMO:
        return screens
    house, now = screens.house or screens.preferences, replace(screens, on_turn=player)
    mine = house.for_player(habits_now(now))
    return replace(now, preferences=mine, house=None if mine == house else house)
