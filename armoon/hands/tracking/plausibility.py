"""The plausibility check: which hands of a frame are fit to be read."""

from __future__ import annotations

from armoon.hands.tracking.landmarks import LANDMARKS, Hand

#: Landmarks further out than this are no hand: pixels from the origin, metres from the hand's middle.
FARTHEST_PX = 1e5
FARTHEST_WORLD_M = 1.0


def is_plausible(hand: Hand) -> bool:
    """Whether a hand is sound and its landmarks lie where a hand's can lie."""
    if not len(hand.points_px) == len(hand.world_m) == LANDMARKS:
        return False
    # Neither an infinite number nor none at all lies within a limit.
    px, m = FARTHEST_PX, FARTHEST_WORLD_M
    for x, y in hand.points_px:
        if not (-px < x < px and -px < y < px):
            return False
    return all(-m < x < m and -m < y < m and -m < z < m for x, y, z in hand.world_m)
