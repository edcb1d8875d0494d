"""The page for a player's handicap: mistakes spared, hints, visual aids."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from armoon.messages import text
from armoon.screens.layout import back_button, choice, foot, heading, lines, list_places, under_words
from armoon.screens.pages.party import keep
from armoon.screens.state import Plan, Reply, Screens, go_back
from armoon.values.features import Feature
from armoon.values.handicap import Handicap, Helping

#: What the arrows offer.
SPARED = (0, 1, 2, 3, 4, 5)
HINTS = (None, 0, 1, 2, 3, 5, 10)
_Thing = TypeVar("_Thing")


def handicap(screens: Screens) -> Plan:
    """One player's handicap."""
    player = screens.form.players[screens.editing]
    now = player.handicap
    note, rest = under_words(screens.tall, 0.30, 0.04)
    places = list_places(screens.tall, 3, rest)
    known = Feature.HANDICAP in screens.form.options.has
    about = text("screens.handicap.about") if known else text("game.has_not.handicap")
    hints = text("screens.handicap.any") if now.hints is None else str(now.hints)
    return Plan(
        (
            heading(screens, text("screens.handicap.heading", player=player.name)),
            *lines(note, (about,), "note", 1.0),
            choice("spared", places[0], text("screens.handicap.spared"), str(now.spared), _turn_spared),
            choice("hints", places[1], text("screens.handicap.hints"), hints, _turn_hints),
            choice(
                "helps",
                places[2],
                text("screens.handicap.helps"),
                text(f"screens.handicap.helps_{now.helps}"),
                _turn_helps,
            ),
            *foot(screens, back_button()),
        ),
        veil=0.76,
        leave=go_back,
        first="spared",
    )


def _turn_spared(screens: Screens, step: int) -> Reply:
    return _changed(screens, lambda now: replace(now, spared=_next(SPARED, now.spared, step)))


def _turn_hints(screens: Screens, step: int) -> Reply:
    return _changed(screens, lambda now: replace(now, hints=_next(HINTS, now.hints, step)))


def _turn_helps(screens: Screens, step: int) -> Reply:
    return _changed(screens, lambda now: replace(now, helps=_next(tuple(Helping), now.helps, step)))


def _changed(screens: Screens, change: Callable[[Handicap], Handicap]) -> Reply:
    seat = screens.editing
    changed = change(screens.form.players[seat].handicap)
    return keep(screens, seat, screens.form.with_handicap(seat, changed))


def _next(things: Sequence[_Thing], now: _Thing, step: int) -> _Thing:
    at = things.index(now) if now in things else 0
    return things[(at + step) % len(things)]
