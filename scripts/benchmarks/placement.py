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
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from armoon.errors import SettingsError
from benchmarks import placement_card
from benchmarks.landmark_files import wilson
from benchmarks.placement_parts.cases import Case
from benchmarks.placement_parts.figures import summary
from benchmarks.placement_parts.outcomes import FIRST_SEED, SEATS, TRIALS, Plan, Results
from benchmarks.placement_parts.people import PEOPLE
from benchmarks.placement_parts.pressing import run_pressed
from benchmarks.placement_parts.setting import (
    EXACT,
    EYES,
    KEYS,
    REAL,
    SWITCH,
    TRACKERS,
    Setting,
)
from benchmarks.placement_parts.trial import Outcome, run_trial

#: Trials of each eye, size and seat in a quick run.
QUICK_TRIALS = 3
HAND, CARD = GRIPS = ("hand", "card")


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
    """Make one trial after another until all are made, and write the figures after each."""
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
