"""The two drawing tiers, and which of them this machine can keep up with.

The plain tier draws what stands still once, with sharp edges; the full one all in every picture, with soft shadows.
"""

from __future__ import annotations

import statistics
from collections import deque
from collections.abc import Callable

PLAIN, FULL = "plain", "full"
TIERS = (PLAIN, FULL)

#: A tier is chosen at the start only if it leaves this part of the budget to later, fuller pictures.
_ROOM = 0.7
#: The step up costs at least this much on every machine measured; where it can't fit it isn't tried.
_LEAST_STEP = 1.5


def best_tier(cost_ms: Callable[[str], float | None], budget_ms: float) -> str:
    """Return the full tier if it is within the budget, else the plain one, measured first, and alone if slow."""
    plain_ms = cost_ms(PLAIN)
    if plain_ms is None or plain_ms * _LEAST_STEP > budget_ms * _ROOM:
        return PLAIN
    full_ms = cost_ms(FULL)
    return PLAIN if full_ms is None or full_ms > budget_ms * _ROOM else FULL


#: Frames that are looked at together: a fifth of a second at 60 a second.
_WINDOW = 12
#: Number of late pictures that show a tier to be too expensive, not only another program's short use of the processor.
_LATE = 8
#: To go up, frames must have taken less than this part of the budget ...
_EASY = 0.4
#: Seconds until the next attempt, doubled after every one that didn't hold, up to the last figure.
_PATIENCE_S, _MOST_PATIENCE_S = 8.0, 240.0
#: Seconds after which an attempt has held.
_TRIAL_S = 20.0
#: Time after a change whose frames don't count, seconds.
_GRACE_S = 0.5
#: Seconds from one picture to the next at 30 a second, with a tenth for the timer's jitter; and where there is room.
_LATE_AFTER_S, _ROOMY_S = 1.1 / 30.0, 0.75 / 30.0
#: Seconds without a picture after which none was wanted: the game waited, or its window was hidden.
_PAUSE_S = 0.25
#: The tracker's rates: it looks at every camera picture, every second, or, during a fall, every third one.
_ALL, _HALF, _THIRD = 1, 2, 3


class TierKeeper:
    """Lowers the tier at once when frames run late, and raises it slowly; depends on its inputs only.

    A frame is late when it takes too long to draw, or when fewer than 30 come in a second. First the tier gives way;
    where the plain one is drawn and pictures still come too rarely, the tracker looks at every second one. During a
    fall nothing can be grabbed, so there one late picture suffices and the tracker looks at every third one.
    """

    def __init__(self, tier: str, budget_ms: float, highest: str = FULL) -> None:
        """``budget_ms``: time to draw a frame; ``highest``: highest tier."""
        self.tier = tier
        self._every = _ALL
        self._is_late_in_fall = False
        self._budget_ms = budget_ms
        self._highest = highest
        self._costs: deque[float] = deque(maxlen=_WINDOW)
        self._gaps_s: deque[float] = deque(maxlen=_WINDOW)
        self._last_s: float | None = None
        self._patience_s = _PATIENCE_S
        self._easy_since_s: float | None = None
        self._changed_s: float | None = None
        self._rose = False

    @property
    def tracker_every(self) -> int:
        """Number of camera pictures of which the tracker looks at one."""
        return _THIRD if self._is_late_in_fall else self._every

    def frame(self, now_s: float, ms: float, *, falls: bool = False) -> str:
        """Add a frame drawn in ``ms`` from ``now_s`` on, in which something ``falls``; return the next one's tier."""
        gap_s = 0.0 if self._last_s is None else now_s - self._last_s
        self._last_s = now_s
        self._is_late_in_fall = falls and (self._is_late_in_fall or gap_s > _LATE_AFTER_S)
        if gap_s > _PAUSE_S:
            self._forget()
            gap_s = 0.0
        if self._changed_s is not None and now_s - self._changed_s < _GRACE_S:
            return self.tier
        self._costs.append(ms)
        self._gaps_s.append(gap_s)
        if len(self._costs) < _WINDOW:
            return self.tier
        if self._rose and self._changed_s is not None and now_s - self._changed_s > _TRIAL_S:
            self._rose, self._patience_s = False, _PATIENCE_S
        rare = sum(gap_s > _LATE_AFTER_S for gap_s in self._gaps_s) >= _LATE
        if rare or sum(cost > self._budget_ms for cost in self._costs) >= _LATE:
            self._go_down(now_s, rare=rare)
        elif not self._easy():
            self._easy_since_s = None
        elif self._easy_since_s is None:
            self._easy_since_s = now_s
        elif now_s - self._easy_since_s >= self._patience_s:
            self._go_up(now_s)
        return self.tier

    def _easy(self) -> bool:
        if self._every == _HALF:
            return statistics.median(self._gaps_s) <= _ROOMY_S
        return statistics.median(self._costs) <= self._budget_ms * _EASY

    def _go_down(self, now_s: float, *, rare: bool) -> None:
        is_lowest = self.tier == PLAIN
        if is_lowest and (self._every == _HALF or not rare):
            return
        if self._rose:
            self._patience_s = min(2.0 * self._patience_s, _MOST_PATIENCE_S)
        if is_lowest:
            self._every = _HALF
        self._change(PLAIN, now_s, rose=False)

    def _go_up(self, now_s: float) -> None:
        if self._every == _HALF:
            self._every = _ALL
            self._change(self.tier, now_s, rose=True)
        elif self.tier != self._highest:
            self._change(self._highest, now_s, rose=True)

    def _change(self, tier: str, now_s: float, *, rose: bool) -> None:
        self.tier, self._rose, self._changed_s = tier, rose, now_s
        self._forget()

    def _forget(self) -> None:
        self._easy_since_s = None
        self._costs.clear()
        self._gaps_s.clear()
