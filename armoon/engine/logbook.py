"""The game's log: JSON lines, written as the game goes, enough to step the same game again bit for bit.

The first line is the header; then one ``hands`` line for every turn of the loop (what came in) and, between
them, what came out of it: intents, die, facts, verdicts, poses. Floats are written so that reading them
gives the same bits.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from armoon.codec import MalformedError, encode_json, parse
from armoon.codec.files import open_file
from armoon.errors import LogError

Record = dict[str, Any]

#: What comes in; all other kinds but the header come out of the game and must come out again in a replay.
INTAKE = "hands"
HEADER = "header"
END = "end"
#: Lines after which the file is flushed: a crash loses at most what came after the last of them.
FLUSHED = {"header", "move", "die", "verdict", "event", "poses", "end"}
#: A resumed game's header, the longest line, has some hundred kilobytes.
LONGEST_LINE = 64 * 1024 * 1024


class LogWriter:
    """Writes records to a file, one line each."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._broken = False
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file: BinaryIO = path.open("wb")
        except OSError as error:
            raise LogError(
                f"The game log {path} can't be written ({error.strerror}).",
                remedy="Name another place with --log FILE.jsonl.",
            ) from error

    def write(self, record: Record) -> None:
        """Append one line. Raises LogError, once, when the disk is full or gone, or for what can't be written."""
        if self._broken:
            return  # after a line that is missing, further ones would only make the log look whole
        try:
            self._file.write(encode_json(record) + b"\n")
            if record["kind"] in FLUSHED:
                self._file.flush()
        except OSError as error:
            raise self._broken_off(error) from error
        except MalformedError as problem:
            self._broken = True
            raise LogError(
                f"The game log {self.path} can't be continued ({problem}).",
                remedy="What was written so far can be replayed.",
            ) from problem

    def close(self) -> None:
        """Finish the file. Raises LogError when the disk is full or gone and that wasn't told before."""
        told = self._broken
        try:
            self._file.close()
        except OSError as error:
            if not told:
                raise self._broken_off(error) from error

    def _broken_off(self, error: OSError) -> LogError:
        self._broken = True
        return LogError(
            f"The game log {self.path} can't be continued ({error.strerror}).",
            remedy="Make room on the disk; what was written so far can be replayed.",
        )


class LogReader:
    """A log's header, and its records as often as they are asked for; never more than one line is held."""

    def __init__(self, path: Path) -> None:
        """Raises LogError where there is no log, or where it can't be read."""
        self.path = path
        self._scanned: tuple[int, str | None] | None = None
        first = next(self._lines(), None)
        if first is None or first["kind"] != HEADER:
            raise LogError(
                f"{path} is not a log of armoon: its first line is no header.",
                remedy="Name a .jsonl file that `armoon play` wrote.",
            )
        self.header = first

    @property
    def records(self) -> Iterator[Record]:
        """All records up to the damage, from the header on, read again from the file."""
        count, _ = self._scanned or (None, None)
        return itertools.islice(self._lines(), count)

    @property
    def damage(self) -> str | None:
        """What is wrong with the log's tail, if anything: for this the whole file is read, once."""
        if self._scanned is None:
            for _ in self._lines():
                pass
        assert self._scanned is not None  # going to the end has set it
        return self._scanned[1]

    def _lines(self) -> Iterator[Record]:
        damage: str | None = None
        last: Record = {}
        number = 0
        try:
            with open_file(self.path) as file:
                while line := file.readline(LONGEST_LINE):
                    record = _record_of(line)
                    if record is None:
                        damage = f"line {number + 1} is cut or damaged"
                        break
                    number, last = number + 1, record
                    yield record
        except OSError as error:
            raise LogError(
                f"The game log {self.path} can't be read ({error.strerror}).",
                remedy="Check the name of the file.",
            ) from error
        except MalformedError as problem:
            raise LogError(
                f"The game log {self.path} can't be read ({problem}).", remedy="Check the name of the file."
            ) from problem
        if damage is None and last.get("kind") != END:
            damage = f"it stops after line {number}, before the game was closed"
        if self._scanned is None:
            self._scanned = number, damage


def _record_of(line: bytes) -> Record | None:
    """A line's record; None where there is none."""
    try:
        record = parse(line)
    except MalformedError:
        return None
    return record if isinstance(record, dict) and isinstance(record.get("kind"), str) else None
