"""An entry's result: played, written with the logs that prove it, and checked by anybody.

``scripts/enter play ENTRY FOLDER [GOALS]`` plays; ``scripts/enter check FOLDER`` steps every log again and counts anew.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from dataclasses import dataclass, replace
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
from benchmarks.placement_parts.failures import case_of, film_failure
from benchmarks.placement_parts.people import PRACTISED
from benchmarks.placement_parts.setting import Setting, seat_at
from benchmarks.placement_parts.table import match_of
from benchmarks.placement_parts.tables import cases_of, digest, read_tables
from benchmarks.placement_parts.trial import run_trial

RESULT = "result.json"
SCHEMA = "armoon-placement-result/1"
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
    """Play an entry on the first ``trials`` goals of each size, each in its seat, and write its result."""
    entry, tables = read_entry(entry_path), read_tables()
    folder.mkdir(parents=True, exist_ok=True)
    result = Result(entry.name, entry.by, entry.track, digest(), build())
    with Program(entry, entry_path.resolve().parent) as program:
        for standing in STANDING:
            for case in cases_of(tables, standing)[:trials]:
                log = folder / f"{case.seed}.jsonl"
                setting = Setting(seat=case.seat, eye=PRACTISED.name, standing=standing)
                outcome = run_trial(setting, case, program, log)
                assert outcome is not None, "every frozen table has a place"
                played = Played(
                    standing,
                    case.seat,
                    case.seed,
                    outcome.placed,
                    outcome.dropped,
                    outcome.seconds,
                    log.name,
                    hashlib.sha256(log.read_bytes()).hexdigest(),
                )
                result = replace(result, trials=(*result.trials, played))
                (folder / RESULT).write_bytes(encode_json(result, indent=1) + b"\n")
    return result


def check(folder: Path) -> Result:
    """Return the result in a folder. SettingsError where a log doesn't prove what it says."""
    result = _read(folder)
    if result.tables != digest():
        raise _not_proved("was played on other tables")
    tables = read_tables()
    cases = {case.seed: case for standing in STANDING for case in cases_of(tables, standing)}
    for standing in STANDING:
        played = [one.seed for one in result.trials if one.standing == standing]
        if played != [case.seed for case in cases_of(tables, standing)[: len(played)]]:
            raise _not_proved(f"doesn't hold the first {len(played)} goals at {standing}, each once")
    for one in result.trials:
        log, case = folder / Path(one.log).name, cases.get(one.seed)
        if case is None or (case.standing, case.seat) != (one.standing, one.seat):
            raise _not_proved(f"has a table of its own ({one.seed})")
        if not log.is_file() or hashlib.sha256(log.read_bytes()).hexdigest() != one.sha256:
            raise _not_proved(f"has another log than {one.log}")
        if proved(log, case) != one.placed:
            raise _not_proved(f"counts {one.log} otherwise")
    return result


def proved(log: Path, case: Case) -> bool:
    """Return whether a log shows the case's ladder placed. SettingsError where it isn't what was played there."""
    match = match_of(case.seed, seat_at(Setting(seat=case.seat)), case)
    try:
        began = encode(next(moon_records(match.opening.events[0])))
    finally:
        match.close()
    header = LogReader(log).header
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


def film(folder: Path, most: int) -> list[Path]:
    """Make films of a folder's first failures, from a result or from ``scripts/bench placement --json``."""
    if (folder / RESULT).exists():
        failed = [folder / Path(one.log).name for one in _read(folder).trials if not one.placed]
    else:
        failed = sorted(folder.glob("*.jsonl"))
    cases = [case for standing in STANDING for case in cases_of(read_tables(), standing)]
    films = [log.with_suffix(".mp4") for log in failed[:most]]
    for log, path in zip(failed, films, strict=False):
        film_failure(log, case_of(log, cases), path)
    return films


def _read(folder: Path) -> Result:
    try:
        content = (folder / RESULT).read_bytes()
    except OSError as error:
        raise SettingsError(f"There is no {RESULT} in {folder}.", remedy="Play an entry first.") from error
    return decode_json(
        Result, content, f"The result in {folder} is broken", "Play it anew.", error=SettingsError
    )


def main() -> None:
    """Do what the command line asks for."""
    parser = argparse.ArgumentParser(prog="scripts/enter", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    playing = commands.add_parser("play", help="play an entry and write its result and logs")
    playing.add_argument("entry", type=Path, help="the entry's file")
    playing.add_argument("folder", type=Path, help="where the result goes")
    playing.add_argument("goals", type=int, nargs="?", default=26, help="of each size; 26 are all")
    checking = commands.add_parser("check", help="step a result's logs again and count anew")
    checking.add_argument("folder", type=Path)
    filming = commands.add_parser("film", help="make films of failures")
    filming.add_argument("folder", type=Path, help="a result's, or one with logs of failures")
    filming.add_argument("films", type=int, nargs="?", default=3, help="how many")
    asked = parser.parse_args()
    try:
        if asked.command == "film":
            print(*film(asked.folder, asked.films), sep="\n")
            return
        result = (
            play(asked.entry, asked.folder, asked.goals) if asked.command == "play" else check(asked.folder)
        )
        print(*table_of(result), sep="\n")
    except ArmoonError as error:
        print(f"armoon: {error}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
