"""A frame by another clock, and the lines of its verdict."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from armoon.engine.events import Happened
from armoon.engine.intake import Intake, Record
from armoon.games.contract.kind import Lines


def shifted(intake: Intake, by_s: float) -> Intake:
    """Return the frame by the game's clock."""
    if not by_s:
        return intake
    hands = None if intake.hands is None else replace(intake.hands, time_s=intake.hands.time_s + by_s)
    grips = tuple(replace(grip, time_s=grip.time_s + by_s) for grip in intake.grips)
    return replace(intake, now_s=intake.now_s + by_s, hands=hands, grips=grips)


def judged_lines(lines: Lines) -> Callable[[Happened[Any]], Iterable[Record]]:
    """Return what gives an event's lines if they tell of a verdict or of rest poses, by a game's ``Lines``."""

    def judged(happened: Happened[Any]) -> Iterable[Record]:
        if isinstance(happened.event, Intake):
            return ()
        return (line for line in lines.of(happened) if line["kind"] in (lines.counted, "poses"))

    return judged
