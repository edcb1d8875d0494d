"""The three drawing tiers, and which of them this machine can keep up with."""

from __future__ import annotations

import statistics
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Tier:
    """How much work goes into a picture."""

    name: str
    level: int
    """``TIER`` in the shaders."""
    samples: int
    """Per pixel: thin rails crawl without them."""
    shadow_map_px: int
    """Side of the map for tables and clouds."""
    depth_map_px: int
    """Side of the depth maps along the light and from above; 0 for none."""
    bevelled: bool
    """Whether the wood's edges are rounded; edges a quarter of a pixel wide are worth nothing in small pictures."""
    cloud_subdivisions: int
    shoulder_steps: int
    """Steps of the rounded edge of the socle's discs."""
    still_once: bool
    """Whether what stands still is drawn once; else everything in every picture."""


LITE = Tier("lite", 0, 4, 512, 0, False, 3, 3, True)
LOW = Tier("low", 1, 4, 512, 1024, False, 4, 6, False)
HIGH = Tier("high", 2, 4, 1024, 2048, True, 4, 6, False)
#: From the cheapest to the dearest.
TIERS = (LITE, LOW, HIGH)
NAMES = tuple(tier.name for tier in TIERS)


def tier_named(name: str) -> Tier:
    """Return the tier of that name; ValueError if there is none."""
    for tier in TIERS:
        if tier.name == name:
            return tier
    raise ValueError(f"no tier {name!r}: one of {NAMES}")


def below(name: str) -> str | None:
    """Return the next cheaper tier; None below the cheapest."""
    place = NAMES.index(name)
    return NAMES[place - 1] if place else None


def above(name: str) -> str | None:
    """Return the next dearer tier; None above the dearest."""
    place = NAMES.index(name) + 1
    return NAMES[place] if place < len(NAMES) else None


#: A tier is chosen at the start only if it leaves this part of the budget to later, fuller pictures.
_ROOM = 0.7
#: The step up costs at least this much on every machine measured; where it can't fit it isn't tried.
_LEAST_STEP = 1.5


def best_tier(cost_ms: Callable[[str], float | None], budget_ms: float) -> str:
    """Return the dearest tier that a measurement finds within the budget, lite if none is.

    Measures from the cheapest up and stops at the first that is too dear, so that a slow machine doesn't wait
    for pictures that it will never play with. ``cost_ms`` gives None for a tier that the driver can't draw.
    """
    best = LITE.name
    for tier in TIERS:
        cost = cost_ms(tier.name)
        if cost is None or cost > budget_ms * _ROOM:
            break
        best = tier.name
        if cost * _LEAST_STEP > budget_ms * _ROOM:
            break
    return best


#: Frames that are looked at together: a fifth of a second at 60 a second.
_WINDOW = 12
#: Number of late pictures that show a tier to be too dear, rather than another program's short use of the processor.
_LATE = 8
#: To go up, frames must have taken less than this part of the budget ...
_EASY = 0.4
#: Seconds until the next attempt, doubled after every one that didn't hold, up to the last figure.
_PATIENCE_S, _MOST_PATIENCE_S = 8.0, 240.0
#: Seconds after which an attempt has held.
_TRIAL_S = 20.0
#: The frames right after a change pay for it, and say nothing.
_GRACE_S = 0.5
#: Seconds from one picture to the next at 30 a second, with a tenth for the timer's jitter; and where there is room.
_LATE_AFTER_S, _ROOMY_S = 1.1 / 30.0, 0.75 / 30.0
#: Seconds without a picture after which none was wanted: the game waited, or its window was hidden.
_PAUSE_S = 0.25
#: The tracker's two rates: it looks at every camera picture, or at every second one.
_ALL, _HALF = 1, 2


class TierKeeper:
    """Gives way when frames run late: down at once, up slowly. Depends on its inputs only.

    A frame is late when it takes too long to draw, or when fewer than 30 come in a second. First the tier gives way;
    where the lowest is drawn and pictures still come too rarely, the tracker looks at every second one.
    """

    def __init__(self, tier: str, budget_ms: float, highest: str = "high") -> None:
        """``budget_ms`` is what drawing a frame may take; it never goes above ``highest``."""
        self.tier = tier_named(tier).name
        self.tracker_every = _ALL
        """Number of camera pictures of which the tracker looks at one."""
        self._budget_ms = budget_ms
        self._highest = tier_named(highest)
        self._costs: deque[float] = deque(maxlen=_WINDOW)
        self._gaps_s: deque[float] = deque(maxlen=_WINDOW)
        self._last_s: float | None = None
        self._patience_s = _PATIENCE_S
        self._easy_since_s: float | None = None
        self._changed_s: float | None = None
        self._rose = False

    def frame(self, now_s: float, ms: float) -> str:
        """Take note that a frame was begun at ``now_s`` and drawn in ``ms``; gives the tier to draw the next one in."""
        gap_s = 0.0 if self._last_s is None else now_s - self._last_s
        self._last_s = now_s
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

    def refuse(self, tier: str) -> None:
        """Never try ``tier`` again, which the driver can't draw, and continue with the next lower one."""
        lower = below(tier)
        if lower is not None and self._highest.level >= tier_named(tier).level:
            self._highest = tier_named(lower)
        if tier_named(self.tier).level > self._highest.level:
            self.tier = self._highest.name

    def _easy(self) -> bool:
        """Return whether there is room for what gave way last."""
        if self.tracker_every == _HALF:
            return statistics.median(self._gaps_s) <= _ROOMY_S
        return statistics.median(self._costs) <= self._budget_ms * _EASY

    def _go_down(self, now_s: float, *, rare: bool) -> None:
        lower = below(self.tier)
        if lower is None and (self.tracker_every == _HALF or not rare):
            return
        if self._rose:
            self._patience_s = min(2.0 * self._patience_s, _MOST_PATIENCE_S)
        if lower is None:
            self.tracker_every = _HALF
        self._change(lower or self.tier, now_s, rose=False)

    def _go_up(self, now_s: float) -> None:
        if self.tracker_every == _HALF:
            self.tracker_every = _ALL
            self._change(self.tier, now_s, rose=True)
            return
        higher = above(self.tier)
        if higher is None or tier_named(higher).level > self._highest.level:
            return
        self._change(higher, now_s, rose=True)

    def _change(self, tier: str, now_s: float, *, rose: bool) -> None:
        self.tier, self._rose, self._changed_s = tier, rose, now_s
        self._forget()

    def _forget(self) -> None:
        self._easy_since_s = None
        self._costs.clear()
        self._gaps_s.clear()
