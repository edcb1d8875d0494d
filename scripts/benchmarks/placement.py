"""Measures how often a simulated person puts a ladder in its place.

By default a rendered hand plays through the real tracker, grips, physics and referee. *Placed* means that the
ladder comes to rest touching exactly the goal's ladders, and nothing has fallen; docs/benchmark.md has the results.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from itertools import product
from statistics import median
from typing import Any

from rich.console import Console
from rich.table import Table

from armoon.errors import SettingsError
from armoon.values.choices import SeatName
from armoon.values.player_settings import Guidance
from benchmarks import Save
from benchmarks.placement_card import run_card_trial
from benchmarks.placement_mouse import run_mouse_trial
from benchmarks.placement_people import PEOPLE
from benchmarks.placement_tables import STANDING, Case, list_cases, read_tables
from benchmarks.placement_trial import Outcome, Setting, SkeletonHand, run_trial

#: Functions that run a trial, by the device that carries the ladder.
WAYS: dict[str, Callable[[Setting, Case], Outcome]] = {
    "hand": run_trial,
    "skeleton": partial(run_trial, make_hand=SkeletonHand),
    "card": run_card_trial,
    "mouse": run_mouse_trial,
}
#: Number of goals for each person, size and seat; there are at most 13.
TRIALS = 13
#: Quantile of the normal distribution for an interval of 95 %.
_Z = 1.959964


def find_wilson_interval(count: int, whole: int) -> tuple[float, float]:
    """Return the bounds of Wilson's 95 % confidence interval of a share."""
    if whole == 0:
        return 0.0, 1.0
    share, z2 = count / whole, _Z * _Z
    middle = (share + z2 / (2.0 * whole)) / (1.0 + z2 / whole)
    half = _Z / (1.0 + z2 / whole) * math.sqrt(share * (1.0 - share) / whole + z2 / (4.0 * whole * whole))
    return max(0.0, middle - half), min(1.0, middle + half)


def run(
    save: Save,
    *,
    trials: int = TRIALS,
    first_goal: int = 0,
    seat: str | None = None,
    person: str | None = None,
    way: str = "hand",
    guidance: str = "off",
) -> None:
    """Run ``trials`` per person, size, seat; ``way``: hand, skeleton, card, mouse; ``guidance``: off, light, full."""
    seats = _choose_names("seat", seat, tuple(SeatName))
    people = _choose_names("person", person, tuple(PEOPLE))
    (played_by,) = _choose_names("way", way, tuple(WAYS))
    (strength,) = _choose_names("guidance", guidance, tuple(Guidance))
    console, tables = Console(), read_tables()
    outcomes: dict[tuple[str, int], dict[str, list[Outcome]]] = {
        (name, standing): {seat: [] for seat in seats} for name, standing in product(people, STANDING)
    }
    try:
        # Alternate between the rows, because an interrupted run should have some trials of each row.
        for k, standing, at, name in product(range(first_goal, first_goal + trials), STANDING, seats, people):
            cases = [case for case in list_cases(tables, standing) if case.seat == at][k : k + 1]
            for case in cases:
                setting = Setting(SeatName(at), name, standing, guidance=Guidance(strength))
                outcome = WAYS[played_by](setting, case)
                outcomes[name, standing][at].append(outcome)
                console.print(
                    f"{name}, {standing} standing, {at}, goal {k}: {_describe(outcome)}", highlight=False
                )
                save({"way": way, "guidance": guidance, "rows": make_rows(outcomes)})
    finally:
        console.print(_make_table(way, outcomes))


def _make_table(way: str, outcomes: dict[tuple[str, int], dict[str, list[Outcome]]]) -> Table:
    table = Table("player", "n", "placed", "95 %", "honoured", "dropped", "mm", "s", title=f"Placed by {way}")
    for row in make_rows(outcomes):
        low, high = row["placed_95"]
        table.add_row(
            f"{row['person']}, {row['standing']}",
            *(str(row[key]) for key in ("trials", "placed")),
            f"{100 * low:.0f} to {100 * high:.0f} %",
            *(str(row[key]) for key in ("honoured", "dropped")),
            *("-" if row[key] is None else f"{row[key]:.1f}" for key in ("release_error_mm", "seconds")),
        )
    return table


def make_rows(outcomes: dict[tuple[str, int], dict[str, list[Outcome]]]) -> list[dict[str, Any]]:
    """Return a row of figures for each person and size; ``by_seat`` contains the figures of each seat."""
    return [
        {
            "person": person,
            "standing": standing,
            **summarise([trial for tried in by_seat.values() for trial in tried]),
            "by_seat": {seat: summarise(tried) for seat, tried in by_seat.items()},
        }
        for (person, standing), by_seat in outcomes.items()
    ]


def summarise(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    placed = sum(o.placed for o in outcomes)
    return {
        "trials": len(outcomes),
        "placed": placed,
        "placed_95": find_wilson_interval(placed, len(outcomes)),
        "honoured": sum(o.honoured for o in outcomes),
        "grabbed": sum(o.grabbed for o in outcomes),
        "dropped": sum(o.dropped for o in outcomes),
        "unjudged": sum(not o.judged for o in outcomes),
        "release_error_mm": _find_median([o.release_error_m for o in outcomes], 1000.0),
        "release_error_deg": _find_median([o.release_error_rad for o in outcomes], math.degrees(1.0)),
        "seconds": _find_median([o.seconds for o in outcomes], 1.0),
    }


def _find_median(values: Sequence[float | None], scale: float) -> float | None:
    known = [value for value in values if value is not None]
    return scale * median(known) if known else None


def _choose_names(name: str, value: str | None, known: tuple[str, ...]) -> tuple[str, ...]:
    if value is None:
        return known
    if value not in known:
        raise SettingsError(f"There is no {name} {value!r}.", remedy=f"Choose one of {', '.join(known)}.")
    return (value,)


def _describe(outcome: Outcome) -> str:
    if not outcome.grabbed:
        return "not grabbed at the first pinch"
    if outcome.dropped:
        return "dropped"
    error = "" if outcome.release_error_m is None else f", {1000.0 * outcome.release_error_m:.1f} mm off"
    return ("placed" if outcome.placed else "misplaced") + error
