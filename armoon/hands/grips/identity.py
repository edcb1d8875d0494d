"""Hand identity: by continuity in space, never by the tracker's left and right."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from armoon.hands.tracking.landmarks import INDEX_KNUCKLE, LITTLE_KNUCKLE, MIDDLE_KNUCKLE, PALM, WRIST, Hand
from armoon.values.poses import Vec2

#: Two sets of landmarks that lie this close (mean, in palm lengths) are one hand seen twice.
SAME_HAND_PALMS = 0.4
#: How far a hand may be from where it is expected: this much at once, and more for every second unseen. The
#: tracker itself loses hands that move more than 0.7 palm lengths a frame.
REACH_PALMS = 1.0
REACH_PALMS_PER_S = 10.0
REACH_PALMS_MOST = 3.0


@dataclass(frozen=True)
class Whereabouts:
    """Where a hand is, or is expected, in the picture."""

    centre_px: Vec2
    palm_px: float


def whereabouts(hand: Hand) -> Whereabouts:
    """Return the middle of a hand's palm and its size: its length or breadth, so that no view hides both."""
    points = hand.points_px
    x = y = 0.0
    for i in PALM:
        x, y = x + points[i][0], y + points[i][1]
    length = math.dist(points[WRIST], points[MIDDLE_KNUCKLE])
    breadth = math.dist(points[INDEX_KNUCKLE], points[LITTLE_KNUCKLE])
    return Whereabouts((x / len(PALM), y / len(PALM)), max(length, breadth))


def without_doubles(hands: Sequence[Hand]) -> tuple[Hand, ...]:
    """Return the hands, less those that are another one of them seen a second time."""
    kept: list[Hand] = []
    for hand in hands:
        if not any(_same_hand(hand, other) for other in kept):
            kept.append(hand)
    return tuple(kept)


def match_hands(
    known: Sequence[Whereabouts], unseen_s: Sequence[float], seen: Sequence[Whereabouts]
) -> dict[int, int]:
    """Which of the ``seen`` hands each of the ``known`` is: nearest pairs first, none beyond reach.

    ``unseen_s`` is how long each known hand was out of sight. Keys index ``known``, values ``seen``.
    """
    pairs = []
    for k, (expected, unseen) in enumerate(zip(known, unseen_s, strict=True)):
        reach = min(REACH_PALMS_MOST, REACH_PALMS + REACH_PALMS_PER_S * unseen)
        for s, place in enumerate(seen):
            palm = max(expected.palm_px, place.palm_px, 1.0)
            away = math.dist(expected.centre_px, place.centre_px) / palm
            if away <= reach:
                pairs.append((away, k, s))
    matched: dict[int, int] = {}
    taken: set[int] = set()
    for _, k, s in sorted(pairs):
        if k not in matched and s not in taken:
            matched[k] = s
            taken.add(s)
    return matched


def _same_hand(a: Hand, b: Hand) -> bool:
    apart = np.linalg.norm(np.array(a.points_px) - np.array(b.points_px), axis=1).mean()
    return bool(apart < SAME_HAND_PALMS * max(whereabouts(a).palm_px, whereabouts(b).palm_px))
