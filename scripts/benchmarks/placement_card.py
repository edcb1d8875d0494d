"""The placement benchmark with a paper ladder in the hand: real detector, honest eye, no key and no turned table.

The person sees what the screen shows as in the bare hand's rows, and makes up by turning the card what those make up by
keys. Wanted: placed in at least 97 of 100 at 2 standing ladders, 95 at 8, 92 at 16 and 90 at 24, and 6 s from grip to
release (median).
"""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks.landmark_files import wilson
from benchmarks.placement_parts.cases import STANDING
from benchmarks.placement_parts.paper import run_paper_trial
from benchmarks.placement_parts.setting import Setting
from benchmarks.placement_parts.tables import cases_of, read_tables
from benchmarks.placement_parts.trial import SETTLE_PATIENCE_S, Outcome

#: Trials of each size and seat.
TRIALS = 10
#: The bare hand's rows wait no longer for a verdict.
LATE_S = SETTLE_PATIENCE_S


def run(json_path: Path | None, *, trials: int, seats: tuple[str, ...], first_seed: int) -> int:
    """Measure and print; 0 whatever the figures are, 130 when interrupted. ``trials``: of each size and seat."""
    console, tables, code = Console(), read_tables(), 0
    outcomes: dict[int, list[Outcome]] = {standing: [] for standing in STANDING}
    passed_over = 0
    try:
        # In rounds: an interrupted run has some of each.
        for k, standing, seat in product(range(trials), STANDING, seats):
            # A table is played in one seat only.
            cases = [case for case in cases_of(tables, standing) if case.seat == seat][first_seed + k :]
            outcome = run_paper_trial(Setting(seat=seat, standing=standing), cases[0]) if cases else None
            if outcome is None:
                passed_over += 1
                continue
            outcomes[standing].append(outcome)
            console.print(f"{standing} standing, {seat}, table {first_seed + k}: {_told(outcome)}")
            _write(json_path, outcomes, passed_over)
    except KeyboardInterrupt:
        code = 130
    _write(json_path, outcomes, passed_over)
    shown = ("standing", "trials", "placed", "placed_95", "honoured", "late", "seconds")
    table = Table(*shown, title="With a paper ladder in the hand")
    for row in rows(outcomes):
        table.add_row(*(str(row[key]) for key in shown))
    console.print(table)
    return code


def rows(outcomes: dict[int, list[Outcome]]) -> list[dict[str, Any]]:
    """Return each size's figures."""
    return [
        {
            "standing": standing,
            **paper_summary(tried),
            "flat_or_edge_on": paper_summary([one for one in tried if one.lies]),
        }
        for standing, tried in outcomes.items()
    ]


def paper_summary(tried: list[Outcome]) -> dict[str, Any]:
    """Return the figures of some trials; ``seconds`` is the median from grip to release.

    ``honoured``: by the die, which asks for less than a place does; ``late``: judged only after ``LATE_S``;
    ``unjudged``: let go of, and not judged at all; they count as not placed.
    """
    placed, times = sum(one.placed for one in tried), sorted(one.seconds for one in tried if one.seconds)
    return {
        "trials": len(tried),
        "placed": placed,
        "placed_95": wilson(placed, len(tried)) if tried else None,
        "honoured": sum(one.honoured for one in tried),
        "late": sum(one.judged and (one.settled_s or 0.0) > LATE_S for one in tried),
        "grabbed": sum(one.grabbed for one in tried),
        "dropped": sum(one.dropped for one in tried),
        "unjudged": sum(one.releases > 0 and not one.judged for one in tried),
        "seconds": round(times[len(times) // 2], 2) if times else None,
    }


def _told(outcome: Outcome) -> str:
    off = "" if outcome.release_error_m is None else f", {1000.0 * outcome.release_error_m:.1f} mm off"
    judged = "placed" if outcome.placed else f"touched {outcome.touched}" if outcome.judged else "not judged"
    seconds = "" if outcome.seconds is None else f", {outcome.seconds:.1f} s"
    honoured = ", honoured" if outcome.honoured else ""
    return f"{judged}{honoured}{off}{seconds}, wanted {outcome.wanted}"


def _write(json_path: Path | None, outcomes: dict[int, list[Outcome]], passed_over: int) -> None:
    if json_path is not None:
        found = {"grip": "card", "rows": rows(outcomes), "passed_over": passed_over}
        json_path.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
