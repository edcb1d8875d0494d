"""The placement benchmark: how often a webcam player gets a ladder to where it should be.

A rendered hand of exactly known pose, filmed by a rendered camera, goes through the real tracker, grips,
physics and referee: it takes a ladder from the lid, brings it to its place on a structure and lets go.
*Placed* means that the referee, after rest, finds the ladder touching exactly what it was meant to touch.
The tables are frozen (``placement_parts/tables.py``); docs/benchmark.md has the protocol.

The design: people, two other eyes and chance on structures of four sizes, each table in one seat and by one hand; for
the honest eye one help less at a time; and around its smallest structures one factor at a time. Every setting sees the
same tables in the same order, so that only the factor differs. Trials go on in rounds; with ``--json FILE`` the
figures are written after every trial, and the same command goes on where it was interrupted. The logs of trials that
failed then lie in a folder beside FILE: ``armoon film`` shows what happened.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, fields, replace
from itertools import product
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from armoon.errors import SettingsError
from armoon.synthetic_camera.look import HANDS
from armoon.values.choices import Steadiness
from benchmarks import placement_card
from benchmarks.landmark_files import wilson
from benchmarks.placement_parts.cases import STANDING, Case
from benchmarks.placement_parts.figures import shares, summary
from benchmarks.placement_parts.people import PEOPLE
from benchmarks.placement_parts.pressing import run_pressed
from benchmarks.placement_parts.setting import (
    EXACT,
    EYES,
    HELPS,
    KEYS,
    REAL,
    SCREEN,
    SWITCH,
    TRACKERS,
    Setting,
)
from benchmarks.placement_parts.tables import (
    BUILDER_KINDS,
    COUNTING,
    GOAL_KINDS,
    TABLES_V1,
    Tables,
    cases_of,
    digest,
    read_tables,
)
from benchmarks.placement_parts.trial import Outcome, run_trial

#: Trials of each eye, size and seat; a help is left out in a part of them, a factor varied in another.
TRIALS = 25
HELPS_PART, VARIED_PART = 3, 5
QUICK_TRIALS = 3
#: Where helps are left out.
HELPS_AT = 8
FIRST_SEED = 0
SEATS = ("table", "mirror")
HAND, CARD = GRIPS = ("hand", "card")
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
#: How far a hand shakes to either side, in millimetres, by the exact eye: what is in question is the hand.
SHAKING_MM = (2, 5, 10)


Key = tuple[str, str]
"""A setting's name and its seat."""


def main_name(eye: str, standing: int, tracker: str = REAL) -> str:
    """Of a setting in which nothing is varied and no help is missing; all but the real tracker's say by what."""
    name = f"{eye}, {standing} standing"
    return name if tracker == REAL else f"{name}, {tracker}"


def lacking_name(without: str) -> str:
    """Of the honest eye's setting without a help."""
    return f"{SCREEN}, {HELPS_AT} standing, without {without}"


@dataclass(frozen=True)
class Plan:
    """Which trials are to be made."""

    seats: tuple[str, ...] = SEATS
    eyes: tuple[str, ...] = EYES
    trials: int = TRIALS
    first_seed: int = FIRST_SEED
    tracker: str = REAL
    quick: bool = False

    def rows(self) -> Iterator[tuple[str, Setting, int]]:
        """Name, setting and number of trials: the main ones first."""
        usual = [Setting(seat=seat, tracker=self.tracker) for seat in self.seats]
        for standing in STANDING:
            for eye in self.eyes:
                for setting in usual:
                    name = main_name(eye, standing, self.tracker)
                    yield name, replace(setting, eye=eye, standing=standing), self.trials
        if self.quick or SCREEN not in self.eyes:
            return
        for without in HELPS:
            for setting in usual:
                lacking = replace(setting, standing=HELPS_AT, without=without)
                yield lacking_name(without), lacking, -(-self.trials // HELPS_PART)
        for name, changes in VARIATIONS:
            for setting in usual:
                yield name, replace(setting, **changes), -(-self.trials // VARIED_PART)  # type: ignore[arg-type]
        for shaking_mm, steadiness in product(SHAKING_MM, Steadiness):
            for setting in usual:
                shaken = replace(setting, eye=EXACT, shaking_m=shaking_mm / 1000.0, steadiness=steadiness)
                name = f"shaking {shaking_mm} mm, steadiness {steadiness.value}"
                yield name, shaken, -(-self.trials // VARIED_PART)


class Results:
    """The outcomes so far, by setting; None stands for a table without a place that forgives enough."""

    def __init__(self, plan: Plan, tables: Tables | None = None) -> None:
        self.plan = plan
        tables = read_tables() if tables is None else tables
        self.cases = {
            (standing, seat): [case for case in cases_of(tables, standing) if case.seat == seat]
            for standing, seat in product(STANDING, plan.seats)
        }
        self.settings = {(name, setting.seat): setting for name, setting, _ in plan.rows()}
        self.wanted = {
            (name, setting.seat): min(
                trials, len(self.cases[setting.standing, setting.seat]) - plan.first_seed
            )
            for name, setting, trials in plan.rows()
        }
        self.tried: dict[Key, dict[int, Outcome | None]] = {key: {} for key in self.settings}
        self._main = {main_name(eye, standing, plan.tracker) for eye in plan.eyes for standing in STANDING}

    def outcomes(self, *, name: str | None = None, seat: str | None = None) -> list[Outcome]:
        """Of all settings, or of those of a name or a seat."""
        keys = [k for k in self.tried if name in (None, k[0]) and seat in (None, k[1])]
        return [outcome for key in keys for outcome in self.tried[key].values() if outcome is not None]

    def passed_over(self, key: Key) -> int:
        """How many tables offered no place."""
        return sum(outcome is None for outcome in self.tried[key].values())

    def next_key(self) -> Key | None:
        """Whose turn it is: the main settings in rounds, then the others; None when all is done."""
        missing = [key for key, trials in self.wanted.items() if self._count(key) < trials]
        main = [key for key in missing if key[0] in self._main]
        return min(main or missing, key=self._count, default=None)

    def next_seed(self, key: Key) -> int:
        """Return the number of the first table that this setting hasn't seen."""
        return self.plan.first_seed + len(self.tried[key])

    def row(self, name: str) -> dict[str, Any]:
        """Return a setting's figures in all seats, and in each."""
        seats = {
            seat: {
                **summary(self.outcomes(name=name, seat=seat)),
                "passed_over": self.passed_over((name, seat)),
            }
            for seat in self.plan.seats
        }
        passed = sum(figures["passed_over"] for figures in seats.values())
        return {**summary(self.outcomes(name=name)), "passed_over": passed, "by_seat": seats}

    def eye(self, eye: str) -> dict[str, Any]:
        """Return an eye's figures by how many ladders stand; of the honest one also what each help adds."""
        found: dict[str, Any] = {
            "standing": {
                str(standing): self.row(main_name(eye, standing, self.plan.tracker)) for standing in STANDING
            }
        }
        if eye == SCREEN and not self.plan.quick:
            found["helps"] = {help_: self._without(help_) for help_ in HELPS}
        return found

    def _without(self, help_: str) -> dict[str, Any]:
        """Trials without a help, and the same tables with it."""
        name, whole = lacking_name(help_), main_name(SCREEN, HELPS_AT, self.plan.tracker)
        without, beside = self.outcomes(name=name), []
        for seat in self.plan.seats:
            seen = self.tried[name, seat]
            beside += [o for seed, o in self.tried[whole, seat].items() if seed in seen and o is not None]
        a, b = summary(without), summary(beside)
        adds = b["placed"] / b["trials"] - a["placed"] / a["trials"] if a["trials"] and b["trials"] else None
        return {"standing": HELPS_AT, "without": a, "with": b, "adds": adds}

    def rows(self) -> list[dict[str, Any]]:
        """Return the rows for the page, each of a way of playing, a tracker and a size."""
        return [
            {
                "name": eye,
                "tracker": self.plan.tracker,
                "standing": standing,
                **shares(outcomes),
                "by_seat": {seat: shares(self.outcomes(name=name, seat=seat)) for seat in self.plan.seats},
                "by_kind": {kind: shares([o for o in outcomes if o.kind == kind]) for kind in GOAL_KINDS},
                "by_builder": {b: shares([o for o in outcomes if o.builder == b]) for b in BUILDER_KINDS},
                "by_tower": {
                    str(tower): shares([o for o in outcomes if o.tower == tower])
                    for tower in sorted({o.tower for o in outcomes})
                },
                "by_hand": {h.name: shares([o for o in outcomes if o.hand == h.name]) for h in HANDS},
            }
            for eye in self.plan.eyes
            for standing in STANDING
            for name in [main_name(eye, standing, self.plan.tracker)]
            for outcomes in [self.outcomes(name=name)]
            if outcomes
        ]

    def to_plain(self) -> dict[str, Any]:
        """Everything, for a JSON file."""
        return {
            "tables": digest(TABLES_V1),
            "rows": self.rows(),
            "first_seed": self.plan.first_seed,
            "tracker": self.plan.tracker,
            "eyes": {eye: self.eye(eye) for eye in self.plan.eyes},
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
        if written.get("tracker") != self.plan.tracker or written.get("tables") not in COUNTING:
            return
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
    eye: str | None = None,
    tracker: str = REAL,
    grip: str = HAND,
) -> int:
    """Measure and print; 0 whatever the figures are, 130 when interrupted.

    ``grip``: by the bare hand, or by a paper ladder in it. ``trials``: for each eye, size and seat. ``quick``: neither
    a help left out nor a factor varied, and few trials unless told otherwise.
    """
    _one_of("seat", seat, SEATS)
    _one_of("tracker", tracker, TRACKERS)
    eyes = (*PEOPLE, EXACT) if tracker in (KEYS, SWITCH) else EYES
    _one_of("eye", eye, eyes)
    _one_of("grip", grip, GRIPS)
    if grip == CARD:
        chosen = SEATS if seat is None else (seat,)
        return placement_card.run(
            json_path, trials=trials or placement_card.TRIALS, seats=chosen, first_seed=first_seed
        )
    plan = Plan(
        seats=SEATS if seat is None else (seat,),
        eyes=eyes if eye is None else (eye,),
        trials=trials if trials is not None else QUICK_TRIALS if quick else TRIALS,
        first_seed=first_seed,
        tracker=tracker,
        quick=quick,
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


def _one_of(name: str, value: str | None, known: Sequence[str]) -> None:
    if value is not None and value not in known:
        raise SettingsError(f"There is no {name} {value!r}.", remedy=f"Choose one of {', '.join(known)}.")


def _measure(results: Results, console: Console, json_path: Path | None) -> None:
    """Trial after trial until all are made, writing as it goes."""
    total = sum(results.wanted.values())
    while (key := results.next_key()) is not None:
        setting, seed = results.settings[key], results.next_seed(key)
        case = results.cases[setting.standing, setting.seat][seed]
        log = None if json_path is None else _log_of(json_path, setting, case)
        by_hand = setting.tracker not in (KEYS, SWITCH)
        outcome = results.tried[key][seed] = (run_trial if by_hand else run_pressed)(setting, case, log=log)
        if log is not None and outcome is not None and outcome.placed:
            log.unlink(missing_ok=True)
        if json_path is not None:
            json_path.write_text(json.dumps(results.to_plain(), indent=1) + "\n", encoding="utf-8")
        if outcome is not None:
            name, seat = key
            done = f"{len(results.outcomes())}/{total}"
            console.print(f"{done} {name}, {seat}, table {seed}: {_sentence(outcome)}", highlight=False)


def _log_of(json_path: Path, setting: Setting, case: Case) -> Path:
    """Return where a trial's log goes; it stays there if the trial fails."""
    folder = json_path.with_name(f"{json_path.stem}-failures")
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"{setting.eye}-{case.standing}-{case.seed}-{case.seat}.jsonl"


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


def _table(results: Results) -> Table:
    table = Table(title="Pick and place through the " + results.plan.tracker + " tracker, rendered camera")
    table.add_column("setting", overflow="fold")
    table.add_column("seat")
    for heading in ("n", "grab", "drop", "placed", "95 %", "mm", "s"):
        table.add_column(heading, justify="right")
    for (name, seat), tried in results.tried.items():
        if tried:
            _add_row(table, name, seat, results.outcomes(name=name, seat=seat))
    _add_row(table, "all", "", results.outcomes())
    return table


def _add_row(table: Table, name: str, seat: str, outcomes: Sequence[Outcome]) -> None:
    figures = summary(outcomes)
    low, high = wilson(figures["placed"], figures["trials"])
    counts = [str(figures[key]) for key in ("trials", "grabbed", "dropped", "placed")]
    error, seconds = (
        "-" if v is None else f"{v:.1f}" for v in (figures["release_error_mm"], figures["time_s"])
    )
    table.add_row(name, seat, *counts, f"{100 * low:.0f}-{100 * high:.0f}", error, seconds)
