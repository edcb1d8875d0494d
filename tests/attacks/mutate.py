"""``scripts/mutate [--count N] [--planted [WORD]] [AREA ...]``: plants bugs and runs the quick tests against them.

A bug is one mutant of one module (``mutants``), drawn at random from the area's mutants. Each is tried in its own
process, forked from one that has the libraries loaded; it loads the module with the bug instead of the real one, and no
file is changed. An unnoticed bug is reported with file and line. Some aren't bugs (equivalent mutants): add those to
``EQUIVALENT`` after looking at them.
"""

from __future__ import annotations

import argparse
import importlib.abc
import importlib.machinery
import importlib.util
import json
import math
import os
import random
import resource
import signal
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from attacks.mutants import Mutant, generate_mutants
from attacks.planted import ROWS, Row

TESTS = Path(__file__).resolve().parents[1]
#: Limit in processor seconds: an area's tests take fewer, but a bug may cause an endless loop, which counts as noticed.
PATIENCE_S = 240
#: Limit of wall time: a multiple of the time without a bug, and a minimum in seconds. A bug may cause an endless wait.
LONGEST, MIN_S = 5.0, 60.0
#: Modules (patterns below ``armoon``), and the quick tests that cover them, the quickest first.
AREAS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "rules": (
        ("games/moon/editions.py", "games/moon/turn.py", "games/moon/rules.py"),
        (
            *("games/moon/test_rules_parts.py", "games/moon/test_rules_coverage.py"),
            "games/moon/test_streams.py",
        ),
    ),
    "lake": (
        ("games/lake/rules.py",),
        ("games/lake/test_rules.py", "games/lake/test_coverage.py", "games/lake/test_table_texts.py"),
    ),
    "referee": (
        ("games/moon/events.py", "games/moon/referee.py"),
        (
            *("games/moon/test_referee_turn.py", "games/moon/test_referee_table.py"),
            *("games/moon/test_rules_coverage.py", "games/moon/test_streams.py"),
            *("games/moon/test_practice.py", "games/moon/test_draw_any.py"),
        ),
    ),
    "hands": (
        (
            "hands/grip*.py",
            "hands/interpret.py",
            "hands/tracked_hand.py",
            "hands/pinch.py",
            "hands/gestures.py",
        ),
        (
            *(
                "hands/test_pinch.py",
                "hands/test_gestures.py",
                "hands/test_grips.py",
                "hands/test_identity.py",
            ),
            *("hands/test_interpret.py", "hands/test_reach.py", "hands/test_metric.py"),
            *("hands/test_prefer.py", "engine/test_replay.py"),
        ),
    ),
    "saves": (
        ("saves/*.py", "codec/*.py"),
        (
            *("saves/test_saves_players.py", "codec/test_codec.py", "saves/test_saves_file.py"),
            *("saves/test_saves_moon.py", "saves/test_simultaneous.py", "codec/test_hostile.py"),
            "cli/test_games_cli.py",
        ),
    ),
    "screens": (
        ("screens/*.py",),
        (
            *("screens/test_profile.py", "screens/test_first.py", "screens/test_scanning.py"),
            *("screens/test_pages.py", "screens/test_walk.py"),
        ),
    ),
    "party": (
        ("party/votes.py", "party/obs.py", "party/tables.py", "party/server/guard.py", "party/live.py"),
        (
            *(
                "party/test_votes.py",
                "party/test_guard.py",
                "party/test_requests.py",
                "party/test_chat.py",
                "party/test_obs.py",
            ),
            *("party/test_admission.py", "party/test_live.py", "party/test_tables.py"),
        ),
    ),
    "inputs": (
        ("inputs/*.py",),
        tuple(
            f"inputs/test_{name}.py" for name in ("steady", "held", "mouse", "switch", "acts", "loud", "card")
        ),
    ),
    "voice": (
        ("speech_recognition/*.py", "speech_output/*.py"),
        (
            *("speech_recognition/test_samples.py", "speech_recognition/test_talking.py"),
            *("speech_recognition/test_recogniser.py", "speech_output/test_narration.py"),
        ),
    ),
    "places": (
        ("placement/*.py",),
        tuple(
            f"placement/test_{name}.py" for name in ("place_properties", "topple", "search", "place_finder")
        ),
    ),
}
#: Reported mutants that turned out not to be bugs.
EQUIVALENT: frozenset[str] = frozenset(
    {
        # Lifting more floors than a stack has lands nowhere.
        "armoon.games.lake.rules:688: '1' is '2'"
    }
)


@dataclass(frozen=True)
class PlantedBug:
    module: str
    path: Path
    mutant: Mutant

    @property
    def description(self) -> str:
        return f"{self.module}:{self.mutant.line}: {self.mutant.what}"


class Planter(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    def __init__(self, planted: PlantedBug) -> None:
        self._planted = planted

    def find_spec(
        self, name: str, path: Any = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if name != self._planted.module:
            return None
        file = self._planted.path
        folder = [str(file.parent)] if file.name == "__init__.py" else None
        return importlib.util.spec_from_file_location(
            name, file, loader=self, submodule_search_locations=folder
        )

    def get_source(self, name: str) -> str:
        return self._planted.mutant.source

    def plant(self, folder: str) -> None:
        """Load the bug into this process, and through a file in ``folder`` to the Python processes that it starts."""
        sys.meta_path.insert(0, self)
        hook = f"Planter({self._planted!r}).plant({folder!r})"
        lines = ("from pathlib import *", "from attacks.mutate import *", hook)
        (Path(folder) / "sitecustomize.py").write_text("\n".join(lines))
        os.environ["PYTHONPATH"] = os.pathsep.join((folder, str(TESTS), os.environ.get("PYTHONPATH", "")))


def list_mutants(area: str, package: Path) -> list[PlantedBug]:
    mutants = []
    for pattern in AREAS[area][0]:
        for path in sorted(package.glob(pattern)):
            parts = path.relative_to(package.parent).with_suffix("").parts
            module = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            mutants += [
                PlantedBug(module, path, mutant)
                for mutant in generate_mutants(path.read_text(encoding="utf-8"))
            ]
    return [mutant for mutant in mutants if mutant.description not in EQUIVALENT]


def is_noticed(planted: PlantedBug | None, tests: tuple[str, ...], longest_s: float = math.inf) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        return _run_noticed(planted, tests, longest_s, folder)


def _run_noticed(planted: PlantedBug | None, tests: tuple[str, ...], longest_s: float, folder: str) -> bool:
    child = os.fork()
    if child == 0:
        os.setpgid(0, 0)
        resource.setrlimit(resource.RLIMIT_CPU, (PATIENCE_S, PATIENCE_S))
        code = 1
        try:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, 1)
            os.dup2(nowhere, 2)
            import pytest

            if planted is not None:
                Planter(planted).plant(folder)
            files = [str(TESTS / test) for test in tests]
            options = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-m", "not slow"]
            code = int(pytest.main([*options, "--rootdir", str(TESTS.parent), *files]))
        finally:
            os._exit(code)
    end_s = time.monotonic() + longest_s
    while time.monotonic() < end_s:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return status != 0
        time.sleep(0.02)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return True


def check_without_bug(tests: tuple[str, ...]) -> tuple[bool, float]:
    """Return whether the tests fail without a bug, and how long to wait for them with one, in seconds."""
    begin_s = time.monotonic()
    fails = is_noticed(None, tests)
    return fails, max(MIN_S, LONGEST * (time.monotonic() - begin_s))


def find_planted(row: Row, package: Path) -> PlantedBug | None:
    path = package / row.file
    source = path.read_text(encoding="utf-8")
    if source.count(row.text) != 1:
        return None
    module = ".".join(path.relative_to(package.parent).with_suffix("").parts).removesuffix(".__init__")
    line = source[: source.index(row.text)].count("\n") + 1
    change = f"{row.text.strip()!r} is {row.bug.strip()!r}"
    return PlantedBug(module, path, Mutant(source.replace(row.text, row.bug), line, change))


def replant_bugs(package: Path, word: str) -> int:
    """Plant each bug of the table in the files with that name, report the unnoticed ones, and return the exit code.

    ``FAILS``: the tests fail without a bug as well, and prove nothing.
    """
    rows = [row for row in ROWS if word in row.file]
    fails: dict[tuple[str, ...], bool] = {}
    """Whether these tests fail without a bug; then they prove nothing."""
    longest_s: dict[tuple[str, ...], float] = {}
    left = 0
    for row in rows:
        planted = find_planted(row, package)
        if planted is not None and row.tests not in fails:
            fails[row.tests], longest_s[row.tests] = check_without_bug(row.tests)
        ok = (
            planted is not None
            and not fails[row.tests]
            and is_noticed(planted, row.tests, longest_s[row.tests])
        )
        left += not ok
        description = f"{row.file}: {row.text.strip()!r}" if planted is None else planted.description
        result = "noticed" if ok else "GONE" if planted is None else "FAILS" if fails[row.tests] else "LEFT"
        sys.stdout.write(f"{result:8} {description}\n")
        sys.stdout.flush()
    sys.stdout.write(f"{len(rows) - left} of {len(rows)} noticed\n")
    return 1 if left else 0


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/mutate", description=__doc__)
    parser.add_argument("area", nargs="*", choices=[[], *AREAS], help="default: all")
    parser.add_argument("--count", type=int, default=60, help="bugs in all")
    parser.add_argument(
        "--planted",
        nargs="?",
        const="",
        metavar="WORD",
        help="the table's bugs, in files with that name",
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path, help="write the figures here as well")
    arguments = parser.parse_args()
    package = Path(importlib.util.find_spec("armoon").origin or "").parent  # type: ignore[union-attr]
    for library in ("numpy", "msgspec", "hypothesis", "pytest", "rich", "cv2", "pybullet"):
        importlib.import_module(library)
    if arguments.planted is not None:
        return replant_bugs(package, arguments.planted)
    chance = random.Random(arguments.seed)
    areas = arguments.area or list(AREAS)
    figures: dict[str, dict[str, Any]] = {}
    sys.stdout.write(f"{'area':10} {'possible':>8} {'planted':>8} {'noticed':>8}\n")
    for area in areas:
        tests = AREAS[area][1]
        fails, longest_s = check_without_bug(tests)
        if fails:
            sys.stdout.write(f"{area:10} its tests fail without any bug\n")
            return 2
        possible = list_mutants(area, package)
        drawn = chance.sample(possible, min(len(possible), arguments.count // len(areas)))
        left = [mutant.description for mutant in drawn if not is_noticed(mutant, tests, longest_s)]
        figures[area] = {"possible": len(possible), "planted": len(drawn), "not_noticed": left}
        sys.stdout.write(f"{area:10} {len(possible):8} {len(drawn):8} {len(drawn) - len(left):8}\n")
        sys.stdout.write("".join(f"    {description}\n" for description in left))
        sys.stdout.flush()
        if arguments.json is not None:
            arguments.json.write_text(json.dumps(figures, indent=1))
    planted = sum(int(figure["planted"]) for figure in figures.values())
    missed = sum(len(figure["not_noticed"]) for figure in figures.values())
    sys.stdout.write(f"{planted - missed} of {planted} noticed\n")
    return 0 if missed <= planted * 0.1 else 1


if __name__ == "__main__":
    sys.exit(main())
