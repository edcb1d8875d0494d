"""``scripts/fuzz [--minutes N] [TARGET ...]``: damaged inputs for every reader, for as long as requested.

A target is a reader with a valid input. Hypothesis damages it: bytes are changed, cut or repeated; a field is removed,
renamed, exchanged for another or for a value that no file of ours contains; a saved game's checksums are corrected, as
a deliberate attacker would. A reader may raise only the errors of its contract, in one sentence; nothing is
overwritten; and no input may take longer than ``LONGEST_S``. A failing input is shrunk and reported.
"""

from __future__ import annotations

import argparse
import datetime
import json
import random
import signal
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from support.pad_kit import MAPPING, parse_mapping
from support.readers_kit import CHAT, OBS_ANSWER, OBS_RULES, READERS, Reader, outcome, sign_lines

from armoon.errors import ArmoonError, SettingsError
from armoon.games.moon.bot_protocol import InvalidBotLine, format_line, read_line
from armoon.games.moon.trials import read_task
from armoon.settings.files import list_file_keys, load_settings
from armoon.values.text import escape_text
from armoon.view.gamepads import filter_mappings

#: Maximum time for an input, seconds: ten times that of any valid input.
LONGEST_S = 20.0
#: Number of damaged inputs between two checks of the time, and number of places where each is tried.
CHUNK, PLACES = 20, 25
PLAIN = 'null true false [] {} "" 0 -1 1 1e308 -1e308 5e-324 -0.0 0.1 1e999 NaN Infinity -Infinity'
TEXTS = r'"\ud800" "\u0000" "\u001b[31m\u0007" "\u202e" "NaN" "1e999" "2026-02-30" "../../x"'
#: Values that no valid file contains, as JSON would write them.
HOSTILE = (
    *PLAIN.split(),
    *map(str, (2**31, 2**53 + 1, 2**63, 2**64, 10**400)),
    "9" * 5000,
    *TEXTS.split(),
    json.dumps("x" * 70_000),
    *("[" * 200 + "]" * 200, '{"a":' * 200 + "1" + "}" * 200, "[" * 5000 + "]" * 5000),
    *("[[[]]]", '{"kind": "header"}', '{"move": "roll"}', "[1, 2, 3]", '["a", "a"]', "1000000000", "1000000"),
)
WAYS = ("value", "remove", "rename", "exchange", "repeat", "line", "flip", "cut", "insert", "again")


@dataclass(frozen=True)
class Mark:
    words: str


@dataclass(frozen=True)
class Damage:
    """One damage: its kind, its place (a share of the whole), and its value."""

    way: str
    where: float
    other: float
    value: str


DAMAGE = st.builds(
    Damage,
    st.sampled_from(WAYS),
    st.floats(0.0, 1.0, exclude_max=True),
    st.floats(0.0, 1.0, exclude_max=True),
    st.sampled_from(HOSTILE)
    | st.integers().map(str)
    | st.floats().map(json.dumps)
    | st.text().map(json.dumps),
)


class Target:
    def __init__(self, reader: Reader, *, toml: bool = False) -> None:
        self.name = reader.name
        self.reader = reader
        self._toml = toml
        self._signed = reader.name.endswith("save")
        self._lines = self._signed or reader.name.endswith("log")
        self._good = self._split(reader.good)

    def apply_damages(self, damages: list[Damage]) -> bytes:
        documents = [json.loads(line) for line in self._good]
        for change in damages:
            damage(documents, change)
        content = self._join([encode(document) for document in documents])
        for change in damages:
            content = damage_bytes(content, change)
        return content

    def check(self, content: bytes, folder: Path) -> None:
        outcome(self.reader, content, folder)

    def _split(self, good: bytes) -> list[str]:
        if self._toml or not self._lines:
            return [good.decode()]
        lines = good.decode().splitlines()
        return [line[9:] for line in lines] if self._signed else lines

    def _join(self, documents: list[str]) -> bytes:
        if self._toml:
            plain = [f"{key} = {value}" for key, value in _split_top_level(documents)]
            return "\n".join(plain).encode("utf-8", "surrogatepass")
        if self._signed:
            return sign_lines(documents)
        return "\n".join(documents).encode("utf-8", "surrogatepass") + b"\n"


class BotLines(Target):
    def apply_damages(self, damages: list[Damage]) -> bytes:
        lines: list[Any] = [line.split() for line in self._good]
        for change in damages:
            damage(lines, change)
        content = "\n".join(map(_join_words, lines)).encode("utf-8", "surrogatepass")
        for change in damages:
            content = damage_bytes(content, change)
        return content

    def _split(self, good: bytes) -> list[str]:
        return good.decode().splitlines()


class PadLines(BotLines):
    def apply_damages(self, damages: list[Damage]) -> bytes:
        lines: list[Any] = [line.split(",") for line in self._good]
        for change in damages:
            damage(lines, change)
        content = "\n".join(_join_words(line).replace(" ", ",") for line in lines).encode(
            "utf-8", "surrogatepass"
        )
        for change in damages:
            content = damage_bytes(content, change)
        return content


def _join_words(line: Any) -> str:
    words = line if isinstance(line, list) else [line]
    return " ".join(word if isinstance(word, str) else encode(word) for word in words)


def damage(documents: list[Any], change: Damage) -> None:
    if change.way == "line":
        at = int(change.where * len(documents))
        documents.insert(int(change.other * (len(documents) + 1)), documents[at])
        return
    places = [(documents, index) for index in range(len(documents))]
    places += [place for document in documents for place in _list_places(document)]
    holder, key = places[int(change.where * len(places))]
    other_holder, other_key = places[int(change.other * len(places))]
    if change.way == "value":
        holder[key] = Mark(change.value)
    elif change.way == "remove" and len(documents) > 1:
        del holder[key]
    elif change.way == "rename" and isinstance(holder, dict):
        holder[change.value[:60]] = holder.pop(key)
    elif change.way == "exchange":
        holder[key] = json.loads(json.dumps(other_holder[other_key], default=lambda mark: mark.words))
    elif change.way == "repeat" and isinstance(holder[key], list):
        holder[key] = holder[key] * 3


def damage_bytes(content: bytes, change: Damage) -> bytes:
    start = int(change.where * len(content))
    to = start + int(change.other * 64)
    if change.way == "flip" and content:
        return content[:start] + bytes([content[start] ^ (1 << int(change.other * 8))]) + content[start + 1 :]
    if change.way == "cut":
        return content[:start]
    if change.way == "insert":
        return content[:start] + change.value.encode("utf-8", "surrogatepass")[:100] + content[start:]
    if change.way == "again":
        return content[:to] + content[start:]
    return content


def encode(value: Any) -> str:
    if isinstance(value, Mark):
        return value.words
    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(str(key))}:{encode(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(encode, value)) + "]"
    return json.dumps(value)


def _list_places(value: Any) -> Iterator[tuple[Any, Any]]:
    keys: Any = (
        value.keys() if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    )
    for key in keys:
        yield value, key
        yield from _list_places(value[key])


def _split_top_level(documents: list[str]) -> Iterator[tuple[str, str]]:
    """Yield an object's keys and values as TOML, which writes most values like JSON."""
    for document in documents:
        try:
            parsed = json.loads(document)
        except (ValueError, RecursionError):
            yield "players", document
            continue
        for key, value in parsed.items() if isinstance(parsed, dict) else [("grace_s", parsed)]:
            yield json.dumps(key), _encode_toml(value)


def _encode_toml(value: Any) -> str:
    if isinstance(value, dict):
        return (
            "{" + ", ".join(f"{json.dumps(key)} = {_encode_toml(item)}" for key, item in value.items()) + "}"
        )
    if isinstance(value, list):
        return "[" + ", ".join(map(_encode_toml, value)) + "]"
    return json.dumps(value)


SETTINGS = {
    "language": "fr",
    "players": ["Ann", "Ben"],
    "camera": "0",
    "size": "640x480",
    "rate_hz": 30.0,
    "seat": "table",
    "palm_length_m": 0.09,
    "grace_s": 2.0,
    "tier": "plain",
    "flipped": False,
}


#: A player's own trial.
TASK = {
    "kind": "finish",
    "title": {"en": "Mine", "fr": "À moi"},
    "tears": 2,
    "medals": [1, 2, 3],
    "faces": ["ONE", "MOON"],
    "deal": ["L05", "L06", "L07"],
    "standing": [["L09", [0.0085, -0.0046, 0.1259, -0.3967, -0.5854, 0.5854, 0.3967]]],
}
DAY = datetime.date(2026, 11, 22)
#: Every line that a bot can send.
BOT_LINES = (
    "hello Pip",
    "say I'll hang it on the steep one.",
    "plan 0.01 -0.02 0.11 0.0 0.0 0.0 1.0",
    "place 0.01 -0.02 0.14 0.5 0.5 0.5 0.5",
    "pass",
)


class UnusableLineError(ArmoonError):
    """A bot's line couldn't be used."""


def _read_bot(path: Path) -> object:
    lines = []
    for line in path.read_bytes().split(b"\n"):
        try:
            lines.append(read_line(line))
        except InvalidBotLine as fault:
            raise UnusableLineError(fault.fault.value, remedy="") from fault
    for row in lines:
        reread = read_line(format_line(row).encode())
        assert type(reread) is type(row)
        assert escape_text(format_line(row)) == format_line(row), "it doesn't control the terminal"
    return lines


class UnusableError(ArmoonError):
    """A trial's file can't be used."""


def _read_task(path: Path) -> object:
    """Read a trial's task; a fault in it is one line that doesn't control the terminal."""
    try:
        return read_task(path, DAY)
    except ValueError as error:
        message = str(error)
    assert escape_text(message) == message
    assert 0 < len(message) < 400
    raise UnusableError(message, remedy="")


def _read_pads(path: Path) -> object:
    """Read the accepted mappings of a file with pyglet, which must not raise."""
    accepted = filter_mappings(path.read_text(encoding="utf-8", errors="replace"))
    return [parse_mapping(line) for line in accepted]


def list_targets() -> dict[str, Target]:
    assert set(SETTINGS) <= set(list_file_keys())
    settings_file = Reader(
        "settings",
        json.dumps(SETTINGS).encode(),
        load_settings,
        (SettingsError,),
        lambda folder: folder / "settings.toml",
    )
    bot = Reader(
        "bot lines",
        "\n".join(BOT_LINES).encode(),
        _read_bot,
        (UnusableLineError,),
        lambda folder: folder / "said",
    )
    task = Reader(
        "trial", json.dumps(TASK).encode(), _read_task, (UnusableError,), lambda folder: folder / "mine.toml"
    )
    pads = Reader("pad mappings", MAPPING.encode(), _read_pads, (), lambda folder: folder / "pads.txt")
    targets = [*(Target(reader) for reader in READERS), BotLines(bot), BotLines(CHAT), Target(OBS_ANSWER)]
    targets += [PadLines(pads), *(Target(reader, toml=True) for reader in (settings_file, task, OBS_RULES))]
    return {target.name: target for target in targets}


def move_damages(damages: list[Damage], chance: int) -> Iterator[list[Damage]]:
    """Yield the damages at their places, then at random places, because reading is faster than generating."""
    yield damages
    places = random.Random(chance)
    for _ in range(PLACES - 1):
        yield [replace(former, where=places.random(), other=places.random()) for former in damages]


@contextmanager
def time_limit() -> Iterator[None]:
    def stop(number: int, frame: object) -> None:
        raise TimeoutError(f"not done after {LONGEST_S:g} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, LONGEST_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)


def fuzz_target(
    target: Target, should_continue: Callable[[int], bool], first_seed: int
) -> tuple[int, list[str]]:
    """Try damaged inputs while ``should_continue(tries)``; return the number of tries and the failures."""
    tried, failed, number = 0, [], first_seed
    with tempfile.TemporaryDirectory(prefix="armoon-fuzz-") as name:
        folder = Path(name)
        while should_continue(tried):

            @seed(number)
            @settings(
                max_examples=CHUNK,
                deadline=None,
                database=None,
                phases=(Phase.generate, Phase.shrink),
                suppress_health_check=list(HealthCheck),
            )
            @given(st.lists(DAMAGE, min_size=1, max_size=4), st.integers(0, 2**32))
            def attack(damages: list[Damage], chance: int) -> None:
                nonlocal tried
                for moved in move_damages(damages, chance):
                    tried += 1
                    content = target.apply_damages(moved)
                    try:
                        with time_limit(), warnings.catch_warnings():
                            warnings.simplefilter("error", RuntimeWarning)
                            target.check(content, folder)
                    except Exception as error:
                        _note_failure(error, f"{moved} {content[:300]!r}")
                        raise

            number += 1
            try:
                attack()
            except Exception as error:
                # Several failures are raised as an exception group, a class that Python 3.10 doesn't have.
                for cause in getattr(error, "exceptions", (error,)):
                    notes = " ".join(getattr(cause, "__notes__", ()))
                    failed.append(f"{type(cause).__name__}: {str(cause)[:300]} {notes[:1500]}")
                for file in folder.iterdir():
                    file.unlink()
                if len(failed) >= 5:
                    break
    return tried, failed


def _note_failure(error: Exception, words: str) -> None:
    error.__notes__ = [*getattr(error, "__notes__", ()), words]  # type: ignore[attr-defined]


def main() -> int:
    known = list_targets()
    parser = argparse.ArgumentParser(prog="scripts/fuzz", description=__doc__)
    parser.add_argument("target", nargs="*", choices=[[], *known], help="default: all")
    parser.add_argument("--minutes", type=float, default=1.0, help="total time")
    parser.add_argument("--inputs", type=int, help="total number, instead of a time")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path, help="write the figures here as well")
    arguments = parser.parse_args()
    chosen = [known[name] for name in arguments.target or known]
    figures: dict[str, dict[str, Any]] = {}
    sys.stdout.write(f"{'target':14} {'tried':>9} {'failed':>7} {'a second':>9}\n")
    for target in chosen:
        began_s = time.monotonic()
        end_s = began_s + arguments.minutes * 60.0 / len(chosen)
        most = None if arguments.inputs is None else arguments.inputs // len(chosen)

        def should_continue(tried: int, end_s: float = end_s, most: int | None = most) -> bool:
            return time.monotonic() < end_s if most is None else tried < most

        tried, failed = fuzz_target(target, should_continue, arguments.seed)
        passed_s = time.monotonic() - began_s
        figures[target.name] = {"tried": tried, "failed": failed, "seconds": round(passed_s, 1)}
        sys.stdout.write(f"{target.name:14} {tried:9} {len(failed):7} {tried / passed_s:9.0f}\n")
        sys.stdout.write("".join(f"    {failure}\n" for failure in failed))
        sys.stdout.flush()
        if arguments.json is not None:
            arguments.json.write_text(json.dumps(figures, indent=1))
    tried = sum(int(figure["tried"]) for figure in figures.values())
    failures = sum(len(figure["failed"]) for figure in figures.values())
    sys.stdout.write(f"{'all':14} {tried:9} {failures:7}\n")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
