"""A hand in a picture, reduced to the values for the page that measures one."""

from __future__ import annotations

from armoon.hands.grips.pinch import looks_pinched
from armoon.hands.pose.fingers import finger_reaches, is_fist
from armoon.hands.tracking.landmarks import Hands
from armoon.screens.hand_measuring import HandSeen


class HandsMeasured:
    """Frame by frame; the palm's size is taken from all that was seen, for one frame's is noisy."""

    def __init__(self, palm_m: float) -> None:
        self._palm_m = palm_m
        self._palm_px = 0.0
        self._time_s: float | None = None

    def see(self, hands: Hands) -> HandSeen:
        """Return the first hand of a frame."""
        seconds = 0.0 if self._time_s is None else max(0.0, hands.time_s - self._time_s)
        self._time_s = hands.time_s
        hand = hands.hands[0] if hands.hands else None
        if hand is None or not hand.plausible:
            return HandSeen(seconds)
        where = hand.whereabouts
        if where.palm_px <= 0.0:
            return HandSeen(seconds)
        self._palm_px += (1.0 if self._palm_px == 0.0 else 0.05) * (where.palm_px - self._palm_px)
        scale = self._palm_m / self._palm_px
        reaches = finger_reaches(hand)
        return HandSeen(
            seconds,
            (where.centre_px[0] * scale, where.centre_px[1] * scale),
            looks_pinched(hand),
            reaches is not None and is_fist(reaches),
        )
