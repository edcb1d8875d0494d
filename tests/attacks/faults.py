"""``scripts/faults [--quick] [--kills N] [ATTACK]``: everything that the world does to a game, attack after attack.

Each line is an attack, and what must hold is its tests'. The figures are of cases; a case that ends two programs counts
once.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from pathlib import Path

from attacks.kills import kill

TESTS = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Attack:
    """What is done, where it is tested, and what must hold."""

    name: str
    tests: tuple[str, ...]
    holds: str


ATTACKS = (
    Attack(
        "twins in one second",
        ("saves/test_twins.py", "attacks/test_faults.py::test_two_whole_programs_begun_at_once"),
        "every game, log, film, profile and result is kept",
    ),
    Attack(
        "signals",
        ("app/test_signals.py",),
        "log, save and film closed, 128 and the signal, no child after a second",
    ),
    Attack(
        "full disks",
        (
            "attacks/test_faults.py::test_a_disk_that_is_full_in_mid_game",
            "saves/test_saves_file.py",
            "engine/test_logbook.py",
        ),
        "said once; what waits is written when there is room",
    ),
    Attack(
        "a deleted folder",
        ("attacks/test_faults.py::test_a_data_folder_deleted_in_mid_game",),
        "said, and written again",
    ),
    Attack(
        "killed and stopped processes",
        (
            "attacks/test_faults.py::test_a_child_that_is_killed",
            "attacks/test_faults.py::test_processes_that_are_stopped_go_on",
            "world/test_process.py",
        ),
        "a sentence; the save is whole; what goes on, goes on",
    ),
    Attack(
        "one exception in each part",
        ("app/test_injected.py", "sinks/test_sinks.py"),
        "a sentence, and the game goes on where it can",
    ),
    Attack(
        "kills and resumes",
        ("saves/test_kill_match.py", "saves/test_saves_kill.py", "saves/test_kill_program.py"),
        "no move lost, no die changed, the tower as it stood",
    ),
    Attack(
        "streams that hang, drip, break and lie",
        ("attacks/test_faults.py::test_a_stream_that_is_none_ends_in_a_sentence",),
        "a sentence in bounded time",
    ),
    Attack(
        "clocks that jump",
        ("attacks/test_faults.py::test_a_clock_that_jumps_neither_rushes_nor_stops_the_game",),
        "the game neither rushes nor stops",
    ),
    Attack(
        "hostile words and files",
        ("cli/test_hostile_arguments.py", "codec/test_hostile.py", "codec/test_fields.py"),
        "a sentence, and nothing that steers a terminal",
    ),
    Attack(
        "the network",
        (
            "attacks/test_faults.py::test_nobody_is_spoken_to_in_the_network",
            "attacks/test_faults.py::test_bots_play_without_the_network",
        ),
        "no address but this machine's own",
    ),
)


def tried(attack: Attack, *, quick: bool) -> tuple[int, int, list[str]]:
    """How many cases, how many failed, and which."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        chosen = ["-m", "not slow"] if quick else []
        done = subprocess.run(
            [
                *(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={report}"),
                *chosen,
                *(str(TESTS / test) for test in attack.tests),
            ],
            cwd=TESTS.parent,
            env={**os.environ, "PYTHONPATH": f"{TESTS.parent}:{TESTS}"},
            capture_output=True,
            text=True,
            check=False,
        )
        if not report.exists():
            return 0, 1, [done.stdout[-2000:] + done.stderr[-2000:]]
        cases = list(ElementTree.parse(report).iter("testcase"))
        failed = [
            case for case in cases if case.find("failure") is not None or case.find("error") is not None
        ]
        skipped = [case for case in cases if case.find("skipped") is not None]
        names = [f"{case.get('classname')}::{case.get('name')}" for case in failed]
        return len(cases) - len(skipped), len(failed), names


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/faults", description=__doc__)
    parser.add_argument("attack", nargs="*", help="words of an attack's name; all, where none is given")
    parser.add_argument("--quick", action="store_true", help="leave out what takes long")
    parser.add_argument("--json", type=Path, help="write the figures here as well")
    parser.add_argument("--kills", type=int, help="kill the whole program so often, and nothing else")
    parser.add_argument("--seed", type=int, default=1, help="of when it is killed")
    asked = parser.parse_args()
    if asked.kills is not None:
        return kill(asked.kills, asked.seed, asked.json)
    chosen = [one for one in ATTACKS if all(word in one.name for word in asked.attack)]
    sys.stdout.write(f"{'attack':40} {'tried':>6} {'failed':>6}  what must hold\n")
    figures, failures = {}, 0
    for attack in chosen:
        count, failed, names = tried(attack, quick=asked.quick)
        failures += failed
        figures[attack.name] = {"tried": count, "failed": names}
        sys.stdout.write(f"{attack.name:40} {count:6} {failed:6}  {attack.holds}\n")
        sys.stdout.write("".join(f"    {name}\n" for name in names))
        sys.stdout.flush()
    if asked.json is not None:
        asked.json.write_text(json.dumps(figures, indent=1))
    return 1 if failures or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
