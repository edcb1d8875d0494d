"""The two drawing tiers, and the choice between them by the machine's speed.

The plain tier caches still bodies. The full one draws everything each time, with soft shadows and the camera's blur.
"""

from __future__ import annotations

import statistics
from collections import deque
from collections.abc import Callable

PLAIN, FULL = "plain", "full"
TIERS = (PLAIN, FULL)

#: Share of the budget that a tier may use at the start; later pictures show more ladders and need the rest.
_BUDGET_PART = 0.7
#: Minimum ratio of the full tier's cost to the plain tier's on all measured machines.
_MIN_COST_RATIO = 1.5


def find_best_tier(cost_ms: Callable[[str], float | None], budget_ms: float) -> str:
    """Return the best tier within the budget; the full one's cost is measured only if the plain one is fast enough."""
    plain_ms = cost_ms(PLAIN)
    if plain_ms is None or plain_ms * _MIN_COST_RATIO > budget_ms * _BUDGET_PART:
        return PLAIN
    full_ms = cost_ms(FULL)
    return PLAIN if full_ms is None or full_ms > budget_ms * _BUDGET_PART else FULL


#: Number of latest frames to examine, 0.2 s at 60 per second.
_WINDOW_FRAMES = 12
#: Number of late frames among these that lowers the tier; other programs may cause a few.
_LATE_FRAMES = 8
#: Share of the budget below which there is time to spare.
_SPARE_PART = 0.4
#: Duration of spare time after which the tier is raised, in seconds, and its maximum; each failure doubles it.
_RETRY_S, _MAX_RETRY_S = 8.0, 240.0
#: Time after which raising the tier counts as a success, in seconds.
_TRIAL_S = 20.0
#: Time after a change during which frames don't count, in seconds.
_GRACE_S = 0.5
#: Gaps between frames, in seconds, that count as late (30 per second, plus 10 % for jitter) and as spare time.
_LATE_GAP_S, _SPARE_GAP_S = 1.1 / 30.0, 0.75 / 30.0
#: Gap between frames, in seconds, that counts as a pause, when the game waited or its window was hidden.
_PAUSE_S = 0.25
#: Intervals of camera pictures that the tracker processes: each one, every second one, or in a fall every third.
_EVERY_PICTURE, _EVERY_SECOND, _EVERY_THIRD = 1, 2, 3


class TierController:
    """Lowers the tier at once when frames are late, and raises it slowly. Depends on its inputs alone.

    A frame is late if drawing it takes too long or there are fewer than 30 frames per second. If there are still too
    few in the plain tier, the tracker processes only every second picture. During a fall, when nothing can be grabbed,
    a single late frame reduces that to every third one.
    """

    def __init__(self, tier: str, budget_ms: float, highest: str = FULL) -> None:
        """Start with ``tier``. ``budget_ms``: maximum time to draw a frame; ``highest``: highest tier to use."""
        self.tier = tier
        self._tracker_every = _EVERY_PICTURE
        self._is_late_in_fall = False
        self._budget_ms = budget_ms
        self._highest = highest
        self._costs: deque[float] = deque(maxlen=_WINDOW_FRAMES)
        self._gaps_s: deque[float] = deque(maxlen=_WINDOW_FRAMES)
        self._last_s: float | None = None
        self._retry_s = _RETRY_S
        self._spare_since_s: float | None = None
        self._changed_s: float | None = None
        self._was_raised = False

    @property
    def tracker_every(self) -> int:
        return _EVERY_THIRD if self._is_late_in_fall else self._tracker_every

    def add_frame(self, now_s: float, ms: float, *, is_falling: bool = False) -> str:
        """Add a frame drawn in ``ms`` from ``now_s``; return the next tier. ``is_falling``: a ladder falls."""
        gap_s = 0.0 if self._last_s is None else now_s - self._last_s
        self._last_s = now_s
        self._is_late_in_fall = is_falling and (self._is_late_in_fall or gap_s > _LATE_GAP_S)
        if gap_s > _PAUSE_S:
            self._clear_window()
            gap_s = 0.0
        if self._changed_s is not None and now_s - self._changed_s < _GRACE_S:
            return self.tier
        self._costs.append(ms)
        self._gaps_s.append(gap_s)
        if len(self._costs) < _WINDOW_FRAMES:
            return self.tier
        if self._was_raised and self._changed_s is not None and now_s - self._changed_s > _TRIAL_S:
            self._was_raised, self._retry_s = False, _RETRY_S
        is_rate_low = sum(gap_s > _LATE_GAP_S for gap_s in self._gaps_s) >= _LATE_FRAMES
        if is_rate_low or sum(cost > self._budget_ms for cost in self._costs) >= _LATE_FRAMES:
            self._lower_tier(now_s, is_rate_low=is_rate_low)
        elif not self._has_spare_time():
            self._spare_since_s = None
        elif self._spare_since_s is None:
            self._spare_since_s = now_s
        elif now_s - self._spare_since_s >= self._retry_s:
            self._raise_tier(now_s)
        return self.tier

    def _has_spare_time(self) -> bool:
        if self._tracker_every == _EVERY_SECOND:
            return statistics.median(self._gaps_s) <= _SPARE_GAP_S
        return statistics.median(self._costs) <= self._budget_ms * _SPARE_PART

    def _lower_tier(self, now_s: float, *, is_rate_low: bool) -> None:
        is_lowest = self.tier == PLAIN
        if is_lowest and (self._tracker_every == _EVERY_SECOND or not is_rate_low):
            return
        if self._was_raised:
            self._retry_s = min(2.0 * self._retry_s, _MAX_RETRY_S)
        if is_lowest:
            self._tracker_every = _EVERY_SECOND
        self._change(PLAIN, now_s, is_raised=False)

    def _raise_tier(self, now_s: float) -> None:
        if self._tracker_every == _EVERY_SECOND:
            self._tracker_every = _EVERY_PICTURE
            self._change(self.tier, now_s, is_raised=True)
        elif self.tier != self._highest:
            self._change(self._highest, now_s, is_raised=True)

    def _change(self, tier: str, now_s: float, *, is_raised: bool) -> None:
        self.tier, self._was_raised, self._changed_s = tier, is_raised, now_s
        self._clear_window()

    def _clear_window(self) -> None:
        self._spare_since_s = None
        self._costs.clear()
        self._gaps_s.clear()
