"""The transmitted form of frames: single ticks on the game's clock, with landmarks as differences of rounded values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from armoon.clock import TICK_S
from armoon.engine.logbook import intake_from_record, intake_record
from armoon.engine.setup import Intake, Record
from armoon.hands.landmarks import LANDMARKS

#: Decimals of a time in a game at several tables.
SECOND_DECIMALS = 6
#: Decimals and numbers per landmark of each field: a tenth of a pixel and of a millimetre, finer than any tracker.
_FIELDS = {"px": (1, 2), "world": (4, 3)}


def shifted(intake: Intake, by_s: float) -> Intake:
    """Return the frame on the game's clock, as other tables will read it."""
    hands = intake.hands
    if hands is not None:
        hands = replace(hands, time_s=round(hands.time_s + by_s, SECOND_DECIMALS))
    grips = tuple(replace(grip, time_s=grip.time_s + by_s) for grip in intake.grips)
    moved = replace(intake, now_s=round(intake.now_s + by_s, SECOND_DECIMALS), hands=hands, grips=grips)
    return intake_from_record(unpack_line(pack_line(intake_record(moved))))


def by_ticks(intake: Intake) -> tuple[Intake, ...]:
    """Split a frame into frames of one tick each, so that other tables can draw evenly; the first has the input."""
    if intake.ticks <= 1:
        return (intake,)
    times_s = [
        round(intake.now_s - later * TICK_S, SECOND_DECIMALS) for later in reversed(range(intake.ticks))
    ]
    first = replace(intake, now_s=times_s[0], ticks=1)
    return (first, *(Intake(now_s, 1, None) for now_s in times_s[1:]))


def pack_line(line: Record) -> Record:
    """Return the line with its landmarks rounded and packed."""
    return _with_hands(line, _packed)


def unpack_line(line: Record) -> Record:
    """Undo ``pack_line``. Raises LookupError, TypeError, ValueError or OverflowError for an invalid line."""
    return _with_hands(line, _unpacked)


def _with_hands(line: Record, change: Any) -> Record:
    hands = line.get("hands")
    if not hands or not hands["hands"]:
        return line
    return {**line, "hands": {**hands, "hands": [change(hand) for hand in hands["hands"]]}}


def _packed(hand: dict[str, Any]) -> dict[str, Any]:
    changed = dict(hand)
    for field, (decimals, _) in _FIELDS.items():
        scale = 10**decimals
        rows = [[round(value * scale) for value in row] for row in hand[field]]
        changed[field] = [*rows[0], *(b - a for pair in pairwise(rows) for a, b in zip(*pair, strict=True))]
    return changed


def _unpacked(hand: dict[str, Any]) -> dict[str, Any]:
    changed = dict(hand)
    for field, (decimals, count) in _FIELDS.items():
        numbers: Sequence[Any] = hand[field]
        if len(numbers) != count * LANDMARKS:
            raise ValueError(f"{field}: {len(numbers)} numbers")
        values = list(numbers)
        for k in range(count, len(values)):
            values[k] += values[k - count]
        scale = 10**decimals
        changed[field] = [[n / scale for n in values[k : k + count]] for k in range(0, len(values), count)]
    return changed
