"""A frame by another clock, the frames of single ticks that it comes to, and the lines of its verdict."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from armoon.clock import TICK_S
from armoon.engine.events import Happened
from armoon.engine.setup import Intake, Record
from armoon.games.contract.kind import Lines
from armoon.remote.packed import rounded

#: Decimals of a time in a game at several tables.
SECOND_DECIMALS = 6


def shifted(intake: Intake, by_s: float) -> Intake:
    """Return the frame by the game's clock, with no more digits than are sent."""
    hands = intake.hands
    if hands is not None:
        hands = replace(rounded(hands), time_s=round(hands.time_s + by_s, SECOND_DECIMALS))
    grips = tuple(replace(grip, time_s=grip.time_s + by_s) for grip in intake.grips)
    return replace(intake, now_s=round(intake.now_s + by_s, SECOND_DECIMALS), hands=hands, grips=grips)


def by_ticks(intake: Intake) -> tuple[Intake, ...]:
    """Return a frame as frames of one tick each, which other tables can draw as evenly as this one; it comes first."""
    if intake.ticks <= 1:
        return (intake,)
    times_s = [
        round(intake.now_s - later * TICK_S, SECOND_DECIMALS) for later in reversed(range(intake.ticks))
    ]
    first = replace(intake, now_s=times_s[0], ticks=1)
    return (first, *(Intake(now_s, 1, None) for now_s in times_s[1:]))


def judged_lines(lines: Lines) -> Callable[[Happened[Any]], Iterable[Record]]:
    """Return what gives an event's lines if they tell of a verdict or of rest poses, by a game's ``Lines``."""

    def judged(happened: Happened[Any]) -> Iterable[Record]:
        if isinstance(happened.event, Intake):
            return ()
        return (line for line in lines.of(happened) if line["kind"] in (lines.counted, "poses"))

    return judged
