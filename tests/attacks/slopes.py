"""Growth: the slope of a series, robust against outliers and jumps within single games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

#: Share of the series omitted at its start: libraries load, and their pools and caches fill in the first games.
WARM_UP = 0.4
#: Maximum number of pairs of samples; more don't improve the estimate.
MAX_PAIRS = 200_000


@dataclass(frozen=True)
class Slope:
    per_hour: float
    """The median over pairs of samples (Theil and Sen)."""
    noise_per_hour: float
    """Half the width of the 95 % interval of the slopes fitted to random halves of the series."""
    last: float

    def exceeds(self, limit_per_hour: float) -> bool:
        return self.per_hour - self.noise_per_hour > limit_per_hour


def estimate_slope(times_s: Sequence[float], values: Sequence[float]) -> Slope:
    """Return the slope after the warm-up. Raises ValueError for fewer than nine samples."""
    begin = int(len(times_s) * WARM_UP)
    times, series = np.asarray(times_s[begin:], float), np.asarray(values[begin:], float)
    if len(times) < 6:
        raise ValueError("too few samples")
    rng = np.random.default_rng(0)
    halves = []
    for _ in range(100):
        picked = np.sort(rng.choice(len(times), max(4, len(times) // 2), replace=False))
        halves.append(_theil_sen(times[picked], series[picked], rng))
    low, high = np.percentile(halves, [2.5, 97.5])
    return Slope(_theil_sen(times, series, rng), float(high - low) / 2.0, float(series[-1]))


def _theil_sen(
    times: np.ndarray[tuple[int], np.dtype[np.float64]],
    series: np.ndarray[tuple[int], np.dtype[np.float64]],
    rng: np.random.Generator,
) -> float:
    first, second = np.triu_indices(len(times), 1)
    if len(first) > MAX_PAIRS:
        pairs = rng.choice(len(first), MAX_PAIRS, replace=False)
        first, second = first[pairs], second[pairs]
    return float(np.median((series[second] - series[first]) / (times[second] - times[first]))) * 3600.0
