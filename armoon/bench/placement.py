"""The placement benchmark: how often a webcam player gets a ladder to where it should be.

A rendered hand of exactly known pose, filmed by a rendered camera, goes through the real tracker, grips
and physics: it takes a ladder from the lid, brings it to its place on a structure and lets go. *Placed*
means that after rest the ladder touches exactly what it was meant to touch. Around the middle setting one
thing at a time is varied.

Two variables of the environment: ``ARMOON_BENCH_TRIALS`` is the number of the middle setting's trials (12 if
unset; every other setting gets a sixth of it), ``ARMOON_BENCH_SEAT`` is ``table`` (if unset) or ``mirror``.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from statistics import median

from rich.console import Console
from rich.table import Table

from armoon.bench.placement_trial import Outcome, PlacementStage, Setting

MIDDLE_TRIALS = 12
#: Other settings get this share of the middle one's trials.
OTHERS_SHARE = 6
#: What is varied, one thing at a time: hand size, skin, light, distance, frame rate, tremor.
VARIATIONS: tuple[tuple[str, dict[str, object]], ...] = (
    ("small hand", {"hand_scale": 0.88}),
    ("large hand", {"hand_scale": 1.12}),
    ("dark skin", {"skin": "dark"}),
    ("dim light", {"light_gain": 0.5}),
    ("bright light", {"light_gain": 1.5}),
    ("near", {"distance": 0.85}),
    ("far", {"distance": 1.2}),
    ("15 Hz", {"rate_hz": 15.0}),
    ("60 Hz", {"rate_hz": 60.0}),
    ("no tremor", {"tremor_m": 0.0}),
    ("strong tremor", {"tremor_m": 0.0015}),
)


def run(json_path: Path | None) -> int:
    """Measure and print; 0 whatever the figures are."""
    trials = max(1, int(os.environ.get("ARMOON_BENCH_TRIALS", MIDDLE_TRIALS)))
    middle = Setting(seat=os.environ.get("ARMOON_BENCH_SEAT", "table"))
    console = Console()
    rows = [("middle", middle, _trials(middle, trials, console))]
    for name, changes in VARIATIONS:
        setting = replace(middle, **changes)  # type: ignore[arg-type]
        rows.append((name, setting, _trials(setting, max(1, trials // OTHERS_SHARE), console)))
    figures = {
        "seat": middle.seat,
        "middle": summary(rows[0][2]),
        "settings": [
            {"name": name, "setting": asdict(setting), **summary(outcomes)}
            for name, setting, outcomes in rows
        ],
        "all": summary([outcome for _, _, outcomes in rows for outcome in outcomes]),
    }
    console.print(_table([(name, summary(outcomes)) for name, _, outcomes in rows]))
    if json_path is not None:
        json_path.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    return 0


def summary(outcomes: Sequence[Outcome]) -> dict[str, object]:
    """The figures of a setting's trials; medians, except that counts are counts."""
    across = _median(outcomes, lambda o: o.jitter_across_m, 1000.0)
    along = _median(outcomes, lambda o: o.jitter_along_m, 1000.0)
    return {
        "trials": len(outcomes),
        "placed": sum(o.placed for o in outcomes),
        "grabbed": sum(o.grabbed for o in outcomes),
        "dropped": sum(o.dropped for o in outcomes),
        "unmeant_grabs": sum(o.unmeant_grab for o in outcomes),
        "release_error_mm": _median(outcomes, lambda o: o.release_error_m, 1000.0),
        "release_error_along_mm": _median(
            outcomes,
            lambda o: None if o.release_error_along_m is None else abs(o.release_error_along_m),
            1000.0,
        ),
        "release_error_deg": _median(outcomes, lambda o: o.release_error_rad, math.degrees(1.0)),
        "jitter_mm": {"across": across, "along": along},
        "lag_ms": _median(outcomes, lambda o: o.lag_ms, 1.0),
        "seconds": _median(outcomes, lambda o: o.seconds, 1.0),
    }


def _trials(setting: Setting, count: int, console: Console) -> list[Outcome]:
    """So many trials of a setting, seeds from 1 on; one whose structure has no place is passed over."""
    stage = PlacementStage(setting, seed=1)
    outcomes: list[Outcome] = []
    seed = 0
    try:
        while len(outcomes) < count:
            seed += 1
            outcome = stage.run(seed)
            if outcome is not None:
                outcomes.append(outcome)
                console.print(
                    f"{setting.seat} {len(outcomes)}/{count}: {_sentence(outcome)}", highlight=False
                )
    finally:
        stage.close()
    return outcomes


def _sentence(outcome: Outcome) -> str:
    if not outcome.grabbed:
        return "not grabbed"
    if outcome.dropped:
        return "dropped"
    error = "" if outcome.release_error_m is None else f", {1000.0 * outcome.release_error_m:.1f} mm off"
    return ("placed" if outcome.placed else "misplaced") + error


def _median(
    outcomes: Sequence[Outcome], value: Callable[[Outcome], float | None], scale: float
) -> float | None:
    known = [v for v in (value(outcome) for outcome in outcomes) if v is not None]
    return scale * median(known) if known else None


def _table(rows: Sequence[tuple[str, dict[str, object]]]) -> Table:
    table = Table(title="Pick and place through the real tracker, rendered camera")
    table.add_column("setting")
    for heading in ("trials", "grabbed", "dropped", "placed", "error mm", "along mm", "deg", "lag ms", "s"):
        table.add_column(heading, justify="right")
    keys = ("release_error_mm", "release_error_along_mm", "release_error_deg", "lag_ms", "seconds")
    for name, figures in rows:
        counts = [str(figures[key]) for key in ("trials", "grabbed", "dropped", "placed")]
        table.add_row(name, *counts, *(_shown(figures[key]) for key in keys))
    return table


def _shown(value: object) -> str:
    return f"{value:.1f}" if isinstance(value, float) else "-"
