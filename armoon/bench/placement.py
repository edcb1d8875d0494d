"""The placement benchmark: how often a webcam player gets a ladder to where it should be.

A rendered hand of exactly known pose, filmed by a rendered camera, goes through the real tracker, grips,
physics and referee: it takes a ladder from the lid, brings it to its place on a structure and lets go.
*Placed* means that the referee, after rest, finds the ladder touching exactly what it was meant to touch.

The design: a middle setting in both seats, and around it one factor at a time. Every setting sees the same
tables in the same order, so that only the factor differs. Trials go on in rounds over all settings; with
``--json`` the figures are written after every trial, and the same command goes on where it was interrupted.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from statistics import median
from typing import Any

from rich.console import Console
from rich.table import Table

from armoon.bench.placement_parts.target import Target
from armoon.bench.placement_parts.trial import Outcome, PlacementStage, Setting
from armoon.errors import SettingsError

MIDDLE = "middle"
#: Each seat's trials of the middle setting, and of every other one.
MIDDLE_TRIALS, OTHER_TRIALS = 30, 5
QUICK_TRIALS = 3
#: The tables on which parts were tuned are those below.
FIRST_SEED = 1001
SEATS = ("table", "mirror")
#: What is varied, one factor at a time: hand size, skin, light, distance, frame rate, tremor.
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


@dataclass(frozen=True)
class Plan:
    """Which trials are to be made."""

    seats: tuple[str, ...] = SEATS
    middle_trials: int = MIDDLE_TRIALS
    other_trials: int = OTHER_TRIALS
    first_seed: int = FIRST_SEED

    def rows(self) -> Iterator[tuple[str, Setting, int]]:
        """Name, setting and number of trials: the middle ones first."""
        for seat in self.seats:
            yield MIDDLE, Setting(seat=seat), self.middle_trials
        for name, changes in VARIATIONS:
            for seat in self.seats:
                yield name, replace(Setting(seat=seat), **changes), self.other_trials  # type: ignore[arg-type]


Key = tuple[str, str]
"""A setting's name and its seat."""


class Results:
    """The outcomes so far, by setting; None stands for a table without a place that forgives enough."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.settings = {(name, setting.seat): setting for name, setting, _ in plan.rows()}
        self.wanted = {(name, setting.seat): trials for name, setting, trials in plan.rows()}
        self.tried: dict[Key, dict[int, Outcome | None]] = {key: {} for key in self.settings}

    def outcomes(self, *, name: str | None = None, seat: str | None = None) -> list[Outcome]:
        """Of all settings, or of those of a name or a seat."""
        keys = [k for k in self.tried if name in (None, k[0]) and seat in (None, k[1])]
        return [outcome for key in keys for outcome in self.tried[key].values() if outcome is not None]

    def passed_over(self, key: Key) -> int:
        """How many tables offered no place."""
        return sum(outcome is None for outcome in self.tried[key].values())

    def next_key(self) -> Key | None:
        """Whose turn it is: the middle settings first, then the others in rounds; None when all is done."""
        missing = [key for key, trials in self.wanted.items() if self._count(key) < trials]
        middle = [key for key in missing if key[0] == MIDDLE]
        return min(middle or missing, key=self._count, default=None)

    def next_seed(self, key: Key) -> int:
        """The first table that this setting hasn't seen."""
        return self.plan.first_seed + len(self.tried[key])

    def to_plain(self) -> dict[str, Any]:
        """Everything, for a JSON file."""
        return {
            "first_seed": self.plan.first_seed,
            "middle": summary(self.outcomes(name=MIDDLE)),
            "middle_by_seat": {
                seat: summary(self.outcomes(name=MIDDLE, seat=seat)) for seat in self.plan.seats
            },
            "settings": [
                {
                    "name": key[0],
                    "setting": asdict(self.settings[key]),
                    "passed_over": self.passed_over(key),
                    **summary(self.outcomes(name=key[0], seat=key[1])),
                }
                for key in self.settings
            ],
            "all": summary(self.outcomes()),
            "trials": [
                {
                    "name": key[0],
                    "seat": key[1],
                    "seed": seed,
                    "outcome": None if outcome is None else asdict(outcome),
                }
                for key, tried in self.tried.items()
                for seed, outcome in tried.items()
            ],
        }

    def take_over(self, written: dict[str, Any]) -> None:
        """Go on from what was written before; other settings' trials and other tables are left out."""
        names = {field.name for field in fields(Outcome)}
        for trial in written["trials"]:
            key = (trial["name"], trial["seat"])
            if key not in self.tried or trial["seed"] != self.next_seed(key):
                continue
            values = trial["outcome"]
            if values is None:
                self.tried[key][trial["seed"]] = None
                continue
            known = {name: value for name, value in values.items() if name in names}
            known["wanted"], known["touched"] = tuple(known["wanted"]), tuple(known["touched"])
            self.tried[key][trial["seed"]] = Outcome(**known)

    def _count(self, key: Key) -> int:
        return len(self.tried[key]) - self.passed_over(key)


def run(
    json_path: Path | None,
    *,
    trials: int | None = None,
    seat: str | None = None,
    first_seed: int = FIRST_SEED,
    quick: bool = False,
) -> int:
    """Measure and print; 0 whatever the figures are, 130 when interrupted.

    ``trials``: of the middle setting, for each seat; every other setting gets a sixth of it. ``quick``: the
    middle setting alone, and few trials unless told otherwise.
    """
    if seat is not None and seat not in SEATS:
        raise SettingsError(f"There is no seat {seat!r}.", remedy=f"Choose one of {', '.join(SEATS)}.")
    count = trials if trials is not None else QUICK_TRIALS if quick else MIDDLE_TRIALS
    share = MIDDLE_TRIALS // OTHER_TRIALS
    plan = Plan(
        seats=SEATS if seat is None else (seat,),
        middle_trials=count,
        other_trials=0 if quick else -(-count // share),
        first_seed=first_seed,
    )
    console = Console()
    results = Results(plan)
    if json_path is not None and json_path.exists():
        results.take_over(_read(json_path))
        console.print(f"{len(results.outcomes())} trials are in {json_path.name} already.", highlight=False)
    code = 0
    try:
        _measure(results, console, json_path)
    except KeyboardInterrupt:
        console.print("Interrupted: these are the figures so far.", highlight=False)
        code = 130
    console.print(_table(results))
    return code


def summary(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """The figures of some trials: counts, and medians of the rest."""
    return {
        "trials": len(outcomes),
        "placed": sum(o.placed for o in outcomes),
        "grabbed": sum(o.grabbed for o in outcomes),
        "dropped": sum(o.dropped for o in outcomes),
        "unmeant_grabs": sum(o.unmeant_grab for o in outcomes),
        "honoured": sum(o.honoured for o in outcomes),
        "unjudged": sum(not o.judged for o in outcomes),
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


def _measure(results: Results, console: Console, json_path: Path | None) -> None:
    """Trial after trial until all are made, writing as it goes."""
    targets: dict[str, dict[int, Target | None]] = {seat: {} for seat in results.plan.seats}
    total = sum(results.wanted.values())
    while (key := results.next_key()) is not None:
        setting, seed = results.settings[key], results.next_seed(key)
        stage = PlacementStage(setting, seed, targets[setting.seat])
        try:
            outcome = stage.run(seed)
        finally:
            stage.close()
        results.tried[key][seed] = outcome
        if json_path is not None:
            json_path.write_text(json.dumps(results.to_plain(), indent=1) + "\n", encoding="utf-8")
        if outcome is not None:
            name, seat = key
            done = f"{len(results.outcomes())}/{total}"
            console.print(f"{done} {name}, {seat}, table {seed}: {_sentence(outcome)}", highlight=False)


def _read(path: Path) -> dict[str, Any]:
    remedy = "Name another file, or remove this one to begin anew."
    try:
        written = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise SettingsError(f"The figures in {path} can't be read.", remedy=remedy) from error
    if not isinstance(written, dict) or "trials" not in written:
        raise SettingsError(f"The file {path} holds no figures of this benchmark.", remedy=remedy)
    return written


def _sentence(outcome: Outcome) -> str:
    if not outcome.grabbed:
        return "not grabbed at the first pinch"
    if outcome.dropped:
        return "dropped"
    error = "" if outcome.release_error_m is None else f", {1000.0 * outcome.release_error_m:.1f} mm off"
    return ("placed" if outcome.placed else "misplaced") + error


def _size(value: float | None) -> float | None:
    return None if value is None else abs(value)


def _median(
    outcomes: Sequence[Outcome], value: Callable[[Outcome], float | None], scale: float
) -> float | None:
    known = [v for v in (value(outcome) for outcome in outcomes) if v is not None]
    return scale * median(known) if known else None


def _table(results: Results) -> Table:
    table = Table(title="Pick and place through the real tracker, rendered camera")
    table.add_column("setting")
    table.add_column("seat")
    for heading in ("trials", "grabbed", "dropped", "placed", "error mm", "along mm", "deg"):
        table.add_column(heading, justify="right")
    for heading in ("still mm", "along mm", "lag ms", "time s"):
        table.add_column(heading, justify="right")
    for (name, seat), tried in results.tried.items():
        if tried:
            _add_row(table, name, seat, summary(results.outcomes(name=name, seat=seat)))
    _add_row(table, "all", "", summary(results.outcomes()))
    return table


def _add_row(table: Table, name: str, seat: str, figures: dict[str, Any]) -> None:
    counts = [str(figures[key]) for key in ("trials", "grabbed", "dropped", "placed")]
    errors = [figures[key] for key in ("release_error_mm", "release_error_along_mm", "release_error_deg")]
    still = [figures["jitter_mm"]["across"], figures["jitter_mm"]["along"]]
    shown = [
        "-" if v is None else f"{v:.1f}" for v in (*errors, *still, figures["lag_ms"], figures["time_s"])
    ]
    table.add_row(name, seat, *counts, *shown)
