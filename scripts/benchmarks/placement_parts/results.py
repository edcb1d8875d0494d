"""An entry's result: played, written with the logs that prove it, and checked by anybody.

``python -m benchmarks.placement_parts.results play ENTRY FOLDER [TRIALS]`` plays; ``... check FOLDER`` steps every log
again and counts anew.
"""

from __future__ import annotations

import hashlib
import json
import sys
from dataclasses import dataclass
from pathlib import Path

from armoon.codec import decode_json, encode, encode_json
from armoon.engine.logbook import LogReader
from armoon.errors import ArmoonError, SettingsError
from armoon.games.contract.replay import verify
from armoon.games.moon.presenters.log import moon_records
from armoon.world.physics import build
from benchmarks.landmark_files import wilson
from benchmarks.placement_parts.cases import STANDING, Case
from benchmarks.placement_parts.entries import Program, Track, read_entry
from benchmarks.placement_parts.people import PRACTISED
from benchmarks.placement_parts.table import match_of
from benchmarks.placement_parts.tables import cases_of, digest, read_tables
from benchmarks.placement_parts.trial import Setting, run_trial, seat_at

RESULT = "result.json"
SCHEMA = "armoon-placement-result/1"
SEATS = ("table", "mirror")
ARGUMENTS = 3
#: What of a log's header is its machine's own.
OWN = ("build", "version")


@dataclass(frozen=True)
class Played:
    """One trial of a result."""

    standing: int
    seat: str
    seed: int
    """Of the goal."""
    placed: bool
    dropped: bool
    seconds: float | None
    log: str
    sha256: str
    """Of the log."""


@dataclass(frozen=True)
class Result:
    """The file."""

    name: str
    by: str
    track: Track
    tables: str
    """SHA-256 of the tables."""
    build: str
    """Of the physics."""
    trials: tuple[Played, ...] = ()
    schema: str = SCHEMA


def play(entry_path: Path, folder: Path, trials: int) -> Result:
    """Play an entry on the first ``trials`` tables of each size, in both seats, and write its result."""
    entry, tables = read_entry(entry_path), read_tables()
    folder.mkdir(parents=True, exist_ok=True)
    result = Result(entry.name, entry.by, entry.track, digest(), build())
    with Program(entry, entry_path.resolve().parent) as program:
        for standing in STANDING:
            for case in cases_of(tables, standing)[:trials]:
                for seat in SEATS:
                    log = folder / f"{case.seed}-{seat}.jsonl"
                    setting = Setting(seat=seat, eye=PRACTISED.name, standing=standing)
                    outcome = run_trial(setting, case, program, log)
                    assert outcome is not None, "every frozen table has a place"
                    hashed = hashlib.sha256(log.read_bytes()).hexdigest()
                    played = Played(
                        standing,
                        seat,
                        case.seed,
                        outcome.placed,
                        outcome.dropped,
                        outcome.seconds,
                        log.name,
                        hashed,
                    )
                    result = Result(
                        result.name,
                        result.by,
                        result.track,
                        result.tables,
                        result.build,
                        (*result.trials, played),
                    )
                    (folder / RESULT).write_bytes(encode_json(result, indent=1) + b"\n")
    return result


def check(folder: Path) -> Result:
    """Return the result in a folder. SettingsError where a log doesn't prove what it says."""
    content = (folder / RESULT).read_bytes()
    result = decode_json(
        Result, content, f"The result in {folder} is broken", "Play it anew.", error=SettingsError
    )
    if result.tables != digest():
        raise _not_proved("was played on other tables")
    tables = read_tables()
    cases = {case.seed: case for standing in STANDING for case in cases_of(tables, standing)}
    if len({(one.seed, one.seat) for one in result.trials}) != len(result.trials):
        raise _not_proved("counts a trial twice")
    for one in result.trials:
        log, case = folder / Path(one.log).name, cases.get(one.seed)
        if case is None or case.standing != one.standing:
            raise _not_proved(f"has a table of its own ({one.seed})")
        if hashlib.sha256(log.read_bytes()).hexdigest() != one.sha256:
            raise _not_proved(f"has another log than {one.log}")
        if proved(log, case, one.seat) != one.placed:
            raise _not_proved(f"counts {one.log} otherwise")
    return result


def proved(log: Path, case: Case, seat: str = SEATS[0]) -> bool:
    """Return whether a log shows the case's ladder placed. SettingsError where it isn't what was played there."""
    match = match_of(case.seed, seat_at(Setting(seat=seat)), case)
    try:
        began = encode(next(moon_records(match.opening.events[0])))
    finally:
        match.close()
    with log.open(encoding="utf-8") as file:
        header = json.loads(file.readline())
    if any(header.get(name) != value for name, value in began.items() if name not in OWN):
        raise _not_proved(f"has a log of another table ({log.name})")
    verification = verify(log)
    if not verification.same:
        raise _not_proved(f"has a log that isn't what was played ({verification.difference})")
    records = LogReader(log).records
    verdict = next((record for record in records if record["kind"] == "verdict"), None)
    return verdict is not None and not verdict["fallen"] and tuple(verdict["touched"]) == case.touched


def table_of(result: Result) -> list[str]:
    """Return a row of the page for each size."""
    rows = []
    for standing in STANDING:
        trials = [one for one in result.trials if one.standing == standing]
        if trials:
            placed = sum(one.placed for one in trials)
            low, high = wilson(placed, len(trials))
            rows.append(
                f"| {result.name} | {result.track} | {standing} | {len(trials)} | {placed} "
                f"| {100 * low:.0f} to {100 * high:.0f} % |"
            )
    return rows


def _not_proved(why: str) -> SettingsError:
    return SettingsError(
        f"This result {why}.", remedy="Play the entry anew, and change nothing in its folder."
    )


if __name__ == "__main__":
    try:
        if sys.argv[1] == "play":
            path, into = Path(sys.argv[2]), Path(sys.argv[3])
            print(
                "\n".join(
                    table_of(play(path, into, int(sys.argv[4]) if len(sys.argv) > ARGUMENTS + 1 else 20))
                )
            )
        else:
            print("\n".join(table_of(check(Path(sys.argv[2])))))
    except ArmoonError as error:
        sys.exit(f"armoon: {error}")
