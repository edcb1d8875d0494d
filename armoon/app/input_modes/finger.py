"""A finger that points at the screen: its position in the window, and how long it has been there."""

from __future__ import annotations

from collections.abc import Callable

from armoon.app.front import Front
from armoon.hands.grips.pinch import looks_pinched
from armoon.hands.grips.pointing import DwellPointer
from armoon.hands.pose.fingers import finger_reaches, is_fist
from armoon.hands.pose.metric import DEFAULT_PALM_M
from armoon.hands.tracking.landmarks import Hands
from armoon.screens.hand_measuring import HandSeen
from armoon.screens.pages.helps import measures_hand
from armoon.screens.state import PageName
from armoon.values.poses import Vec2

#: A hand that wasn't seen for longer has not rested on anything meanwhile.
LONGEST_REST_S = 0.2


class Finger:
    """Rests on the buttons of the screens."""

    def __init__(
        self,
        front: Front,
        window_place: Callable[[Vec2], Vec2],
        busy: Callable[[], bool],
        *,
        mirrored: bool,
    ) -> None:
        """``window_place`` maps a place of the picture to the window.

        ``busy``: a hand carries something, and points at nothing.
        """
        self._window_place, self._busy = window_place, busy
        self._measured: HandsMeasured | None = None
        self._front = front
        self.look(mirrored=mirrored)
        self._seen_s: float | None = None

    def look(self, *, mirrored: bool) -> None:
        """Begin anew before another table, whose picture may show left and right exchanged."""
        self._pointer = DwellPointer(mirrored=mirrored)

    def pump(self) -> None:
        """Let a finger in the newest picture rest on the buttons."""
        result = self._front.fed.result
        self._front.hand_points = result is not None and self._point(result.hands)

    def close(self) -> None:
        """Close nothing."""

    def _point(self, hands: Hands) -> bool:
        """Return whether a finger points in this frame."""
        busy = self._busy()
        if self._front.screens.page is PageName.MOVING_MEASURE:
            self._measured = self._measured or HandsMeasured()
            self._front.tell(self._measured.see(hands))
            busy = busy or measures_hand(self._front.screens)
        else:
            self._measured = None
        pointer = self._pointer.see(hands, {}, busy=busy)
        passed_s = 0.0 if self._seen_s is None else hands.time_s - self._seen_s
        self._seen_s = hands.time_s
        place = None if pointer is None else self._window_place(pointer.place)
        if place is not None or not self._front.heads.points:
            self._front.hand(place, max(0.0, min(passed_s, LONGEST_REST_S)))
        return place is not None


class HandsMeasured:
    """Frame by frame; the palm's size is taken from all that was seen, for one frame's is noisy."""

    def __init__(self) -> None:
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
        scale = DEFAULT_PALM_M / self._palm_px
        reaches = finger_reaches(hand)
        return HandSeen(
            seconds,
            (where.centre_px[0] * scale, where.centre_px[1] * scale),
            looks_pinched(hand),
            reaches is not None and is_fist(reaches),
        )
