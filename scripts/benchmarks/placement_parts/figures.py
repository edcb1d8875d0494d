"""The figures of some trials of the placement benchmark."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from statistics import median
from typing import Any

from benchmarks.landmark_files import wilson
from benchmarks.placement_parts.trial import Outcome


def shares(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Return how many of some trials came off, with Wilson's interval of what was placed."""
    placed = sum(o.placed for o in outcomes)
    return {
        "trials": len(outcomes),
        "placed": placed,
        "placed_95": wilson(placed, len(outcomes)),
        "honoured": sum(o.honoured for o in outcomes),
        "dropped": sum(o.dropped for o in outcomes),
        "seconds": _median(outcomes, lambda o: o.seconds, 1.0),
    }


def summary(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Return the figures of some trials: counts, and medians of the rest."""
    return {
        "trials": len(outcomes),
        "placed": sum(o.placed for o in outcomes),
        "grabbed": sum(o.grabbed for o in outcomes),
        "dropped": sum(o.dropped for o in outcomes),
        "unmeant_grabs": sum(o.unmeant_grab for o in outcomes),
        "honoured": sum(o.honoured for o in outcomes),
        "unjudged": sum(not o.judged for o in outcomes),
        "deep": sum(o.deep for o in outcomes),
        "flat_or_edge_on": sum(o.lies for o in outcomes),
        "table_turned": sum(o.table_turned for o in outcomes),
        "release_error_mm": _median(outcomes, lambda o: o.release_error_m, 1000.0),
        "release_error_along_mm": _median(outcomes, lambda o: _size(o.release_error_along_m), 1000.0),
        "release_error_deg": _median(outcomes, lambda o: o.release_error_rad, math.degrees(1.0)),
        "jitter_mm": {
            "across": _median(outcomes, lambda o: o.jitter_across_m, 1000.0),
            "along": _median(outcomes, lambda o: o.jitter_along_m, 1000.0),
        },
        "lag_ms": _median(outcomes, lambda o: o.lag_ms, 1.0),
        "time_s": _median(outcomes, lambda o: o.seconds, 1.0),
    }


def _size(value: float | None) -> float | None:
    return None if value is None else abs(value)


def _median(
    outcomes: Sequence[Outcome], value: Callable[[Outcome], float | None], scale: float
) -> float | None:
    known = [v for v in (value(outcome) for outcome in outcomes) if v is not None]
    return scale * median(known) if known else None
