"""The hands in view from frame to frame, each with its identity."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

from armoon.geometry import CameraModel
from armoon.hands.grips.identity import match_hands, without_doubles
from armoon.hands.grips.reading import Pace
from armoon.hands.grips.settings import GripSettings
from armoon.hands.grips.tracked_hand import FRESH_AFTER_FRAMES, FollowedHand
from armoon.hands.pose.filters import SHORTEST_STEP_S
from armoon.hands.tracking.landmarks import Hand
from armoon.values.poses import Vec3

#: A stamp this much earlier than the last means that the source has started again, not that frames got mixed.
RESTART_S = 1.0
#: A palm that is longer than this part of the picture's short side is too near to be followed well: 28 cm before
#: a camera of 640 x 360 pixels. It is said when it stays so for a while; hands that pass the camera are many.
TOO_NEAR_PART = 0.45
TOO_NEAR_AFTER_S = 0.3
#: Seconds for which a hand that came near enough to be lost still counts as too near.
TOO_NEAR_STAYS_S = 2.0
#: From this time between frames on (11 Hz) a pinch of 0.3 s may show in two frames only.
SLOW_FRAME_S = 0.09


class HandTracks:
    """Follows hands from frame to frame: ``begin`` each frame, then ``follow`` its hands."""

    def __init__(self, camera: CameraModel, settings: GripSettings) -> None:
        self.settings = settings
        """Of hands that come from now on."""
        self.time_s = -math.inf
        """The newest frame's."""
        self.hands: list[FollowedHand] = []
        """Those that were seen lately."""
        self.in_frame: tuple[FollowedHand, ...] = ()
        """Those in the newest frame, the longest known first."""
        self._camera = camera
        self._pace = Pace()
        self._next_identity = 1
        self._near_s: float | None = None
        self._seen_near_s = -math.inf

    def begin(self, time_s: float) -> bool:
        """Return whether a frame is newer than the last, or the source's first one since it started again."""
        if not math.isfinite(time_s):
            return False
        if time_s < self.time_s + SHORTEST_STEP_S:
            if time_s > self.time_s - RESTART_S:
                return False
            self.hands = []
        self._pace.see(time_s - self.time_s)
        self.time_s = time_s
        self.hands = [hand for hand in self.hands if not self.is_gone(hand)]
        return True

    def follow(
        self, hands: tuple[Hand, ...], offered: Vec3 | None, awaited: Callable[[], bool]
    ) -> Iterator[FollowedHand]:
        """Take in the frame's hands; yield each whose grip has just closed or opened.

        ``offered`` is what may be taken, in the camera frame; ``awaited`` whether a hand out of sight holds something.
        """
        seen = without_doubles([hand for hand in hands if hand.plausible])
        expected = [(hand, place) for hand in self.hands if (place := hand.expected(self.time_s))]
        matched = match_hands(
            [place for _, place in expected],
            [self.time_s - hand.seen_s for hand, _ in expected],
            [hand.whereabouts for hand in seen],
        )
        who = {s: expected[k][0] for k, s in matched.items()}
        in_frame, near = [], False
        most_px = TOO_NEAR_PART * min(self._camera.width, self._camera.height)
        for s, hand in enumerate(seen):
            followed = who.get(s) or self._newcomer(trusted=awaited())
            changed = followed.see(hand, self.time_s, offered)
            near = near or followed.too_near or hand.whereabouts.palm_px > most_px
            if followed.seen_s != self.time_s:
                continue
            if followed not in self.hands:
                self.hands.append(followed)
            in_frame.append(followed)
            if changed:
                yield followed
        self.in_frame = tuple(sorted(in_frame, key=lambda hand: hand.identity))
        if near:
            self._near_s = self.time_s if self._near_s is None else self._near_s
            self._seen_near_s = self.time_s
        elif in_frame or self.time_s - self._seen_near_s > TOO_NEAR_STAYS_S:
            self._near_s = None

    def is_gone(self, hand: FollowedHand) -> bool:
        """Whether a hand is out of sight for longer than can be bridged."""
        bridged_s = max(self.settings.lost_after_s, FRESH_AFTER_FRAMES * self._pace.frame_s)
        return self.time_s - hand.seen_s > bridged_s

    @property
    def too_near(self) -> bool:
        """Whether a hand has been too near to the camera for a while to be followed well."""
        return self._near_s is not None and self.time_s - self._near_s >= TOO_NEAR_AFTER_S

    @property
    def slow(self) -> bool:
        """Whether frames come so seldom that a short pinch may fall between them."""
        return self._pace.frame_s >= SLOW_FRAME_S

    def _newcomer(self, *, trusted: bool) -> FollowedHand:
        identity, self._next_identity = self._next_identity, self._next_identity + 1
        return FollowedHand(identity, self._camera, self.settings, self._pace, trusted=trusted)
