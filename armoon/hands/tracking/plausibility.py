"""Which hands of a frame are fit to be read at all, whoever reads them."""

from __future__ import annotations

from armoon.hands.tracking.landmarks import Hand, is_sound

#: Landmarks further out than this are no hand: pixels from the origin, metres from the hand's middle.
FARTHEST_PX = 1e5
FARTHEST_WORLD_M = 1.0


def is_plausible(hand: Hand) -> bool:
    """Whether a hand is sound and its landmarks lie where a hand's can lie."""
    return (
        is_sound(hand)
        and all(abs(v) < FARTHEST_PX for point in hand.points_px for v in point)
        and all(abs(v) < FARTHEST_WORLD_M for point in hand.world_m for v in point)
    )
