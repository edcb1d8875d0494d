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
from benchmarks.placement_parts.trial import Outcome

#: Trials of each size and seat.
TRIALS = 10


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
    table = Table("standing", "trials", "placed", "95 %", "seconds", title="With a paper ladder in the hand")
    for row in rows(outcomes):
        table.add_row(*(str(row[key]) for key in ("standing", "trials", "placed", "placed_95", "seconds")))
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

    ``unjudged``: let go of, and not judged in time because the tower still trembled; they count as not placed.
    """
    placed, times = sum(one.placed for one in tried), sorted(one.seconds for one in tried if one.seconds)
    return {
        "trials": len(tried),
        "placed": placed,
        "placed_95": wilson(placed, len(tried)) if tried else None,
        "grabbed": sum(one.grabbed for one in tried),
        "dropped": sum(one.dropped for one in tried),
        "unjudged": sum(one.releases > 0 and not one.judged for one in tried),
        "seconds": round(times[len(times) // 2], 2) if times else None,
    }


def _told(outcome: Outcome) -> str:
    off = "" if outcome.release_error_m is None else f", {1000.0 * outcome.release_error_m:.1f} mm off"
    judged = "placed" if outcome.placed else f"touched {outcome.touched}" if outcome.judged else "not judged"
    return f"{judged}{off}, wanted {outcome.wanted}"


def _write(json_path: Path | None, outcomes: dict[int, list[Outcome]], passed_over: int) -> None:
    if json_path is not None:
        found = {"grip": "card", "rows": rows(outcomes), "passed_over": passed_over}
        json_path.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
