"""The transmitted form of frames: single ticks on the game's clock, with rounded values.

Landmarks are packed as differences. A shared game rounds a hand before its own step, so all tables step the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from armoon.clock import TICK_S
from armoon.engine.setup import Intake, Record
from armoon.hands.landmarks import LANDMARKS, Hand, Hands
from armoon.values.poses import Vec2, Vec3

#: Decimals of a time in a game at several tables.
SECOND_DECIMALS = 6
#: Decimals of a landmark in a game at several tables: a tenth of a pixel and of a millimetre, finer than any tracker.
PIXEL_DECIMALS, METRE_DECIMALS = 1, 4
#: Decimals and numbers per landmark of each field.
_FIELDS = {"px": (PIXEL_DECIMALS, 2), "world": (METRE_DECIMALS, 3)}


def shifted(intake: Intake, by_s: float) -> Intake:
    """Return the frame on the game's clock, rounded to the digits that are sent."""
    hands = intake.hands
    if hands is not None:
        hands = replace(rounded(hands), time_s=round(hands.time_s + by_s, SECOND_DECIMALS))
    grips = tuple(replace(grip, time_s=grip.time_s + by_s) for grip in intake.grips)
    return replace(intake, now_s=round(intake.now_s + by_s, SECOND_DECIMALS), hands=hands, grips=grips)


def by_ticks(intake: Intake) -> tuple[Intake, ...]:
    """Split a frame into frames of one tick each, so that other tables can draw evenly; the first has the input."""
    if intake.ticks <= 1:
        return (intake,)
    times_s = [
        round(intake.now_s - later * TICK_S, SECOND_DECIMALS) for later in reversed(range(intake.ticks))
    ]
    first = replace(intake, now_s=times_s[0], ticks=1)
    return (first, *(Intake(now_s, 1, None) for now_s in times_s[1:]))


def rounded(hands: Hands) -> Hands:
    return replace(hands, hands=tuple(map(_rounded, hands.hands)))


def _rounded(hand: Hand) -> Hand:
    points: tuple[Vec2, ...] = tuple(
        (round(x, PIXEL_DECIMALS), round(y, PIXEL_DECIMALS)) for x, y in hand.points_px
    )
    world: tuple[Vec3, ...] = tuple(
        (round(x, METRE_DECIMALS), round(y, METRE_DECIMALS), round(z, METRE_DECIMALS))
        for x, y, z in hand.world_m
    )
    return replace(hand, points_px=points, world_m=world)


def pack_line(line: Record) -> Record:
    """Return the line of a ``shifted`` frame with its landmarks packed."""
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
        whole = list(numbers)
        for at in range(count, len(whole)):
            whole[at] += whole[at - count]
        scale = 10**decimals
        changed[field] = [[n / scale for n in whole[at : at + count]] for at in range(0, len(whole), count)]
    return changed
