"""The game's log: JSON lines, written as the game goes, enough to step the same game again bit for bit.

The first line is the header. Then comes one ``hands`` line for every frame of the loop (its intake) and, between
them, the results: intents, die, facts, verdicts, poses. Floats are written so that reading them
gives the same bits.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from armoon.codec import MalformedError, encode_json, parse
from armoon.codec.files import open_file
from armoon.codec.growing import GrowingFile
from armoon.errors import LogError

Record = dict[str, Any]

#: What comes in; all other kinds but the header come out of the game and must come out again in a replay.
INTAKE = "hands"
HEADER = "header"
END = "end"
#: In a header: date and time by the clock of the machine, ISO 8601.
BEGAN = "began"
#: Lines after which the file is flushed: a crash loses at most what came after the last of them.
FLUSHED = {"header", "move", "die", "verdict", "event", "poses", "end"}
#: Bytes written at once where nothing asks for it earlier: some seconds of a game.
LARGEST_BLOCK_BYTES = 64 * 1024
#: Two hours of a full disk.
MOST_WAITING_BYTES = 64 * 1024 * 1024
#: Maximum length of a log: a day of playing, so that the disk keeps room for other things.
LARGEST_BYTES = 1024 * 1024 * 1024
#: A resumed game's header, the longest line, has some hundred kilobytes.
LONGEST_LINE = 64 * 1024 * 1024


class LogWriter:
    """Writes records to a file, one line each."""

    def __init__(
        self, path: Path, *, named: bool = True, replace: bool = False, began: datetime | None = None
    ) -> None:
        """Begin the log; its header says when the game ``began``, if that is known.

        Raises LogError. With ``named`` (by a user) there must be no other file of that name unless it is to be
        replaced; else the next free name like it is taken.
        """
        self._began = began
        self._broken = False
        self._told = False
        """Whether it was reported that the disk refuses to write."""
        self._written_bytes = 0
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = _begun(path, named=named, replace=replace)
        except OSError as error:
            if isinstance(error, FileExistsError) and path.is_file():
                raise taken(path) from error
            raise LogError(
                f"The game log {path} can't be written ({error.strerror}).",
                remedy="Name another place with --log FILE.jsonl.",
            ) from error

    @property
    def path(self) -> Path:
        """Where it is written."""
        return self._file.path

    def write(self, record: Record) -> None:
        """Append one line.

        Raises LogError, once, when the disk is full or gone: then lines wait in memory, and are on disk as soon as
        there is room. For good it ends with what can't be written, and where the log grows beyond all measure.
        """
        if self._broken:
            return  # after a line that is missing, further ones would only make the log look whole
        if record["kind"] == HEADER and self._began is not None:
            record = {**record, BEGAN: self._began.isoformat(timespec="seconds")}
        try:
            line = encode_json(record) + b"\n"
        except MalformedError as problem:
            self._flush()
            raise self._broken_off(str(problem), "What was written so far can be replayed.") from problem
        self._file.put(line)
        self._written_bytes += len(line)
        if self._written_bytes > LARGEST_BYTES:
            self._flush()
            raise self._broken_off(f"it has {LARGEST_BYTES // 1024**2} MB", "The game goes on without it.")
        if self._file.waiting_bytes > MOST_WAITING_BYTES:
            raise self._broken_off("too much waits for the disk", "Make room on the disk.")
        if record["kind"] in FLUSHED or self._file.waiting_bytes > LARGEST_BLOCK_BYTES:
            self._flush()

    def close(self) -> None:
        """Finish the file. Raises LogError when the disk is full or gone and that wasn't told before."""
        try:
            if not self._broken:
                self._flush()
        finally:
            self._file.close()

    def _flush(self) -> None:
        deleted = not self._told and self._file.gone
        try:
            if deleted:
                self._file.restore()
            self._file.write()
        except OSError as error:
            if not self._told:
                self._told = True
                raise LogError(
                    f"The game log {self.path} can't be continued ({error.strerror}).",
                    remedy="Make room on the disk: it goes on there; what was written so far can be replayed.",
                ) from error
            return
        self._told = False
        if deleted:
            raise LogError(
                f"The game log {self.path} was deleted while it is being written: it was written again.",
                remedy="Leave it there until the game is over.",
            )

    def _broken_off(self, why: str, remedy: str) -> LogError:
        self._broken = True
        return LogError(f"The game log {self.path} can't be continued ({why}).", remedy=remedy)


def taken(path: Path) -> LogError:
    """Return the fault of a file that a log would overwrite."""
    return LogError(
        f"There is a file {path} already, and no log overwrites it.",
        remedy="Name another one with --log FILE.jsonl, or take it away.",
    )


def _begun(path: Path, *, named: bool, replace: bool) -> GrowingFile:
    """Return the file, empty. Raises OSError; FileExistsError where a named one is there and isn't to be replaced."""
    if path.is_char_device():
        return GrowingFile(path, new=False)  # nothing is lost where nothing is kept
    if replace and path.is_file():
        path.unlink()
    stem = path.stem
    names = (path.with_stem(f"{stem}-{number}") for number in itertools.count(2))
    while True:
        try:
            return GrowingFile(path, new=True)
        except FileExistsError:
            if named:
                raise
            path = next(names)


class LogReader:
    """A log's header, and its records as often as they are asked for; never more than one line is held."""

    def __init__(self, path: Path) -> None:
        """Open a log. Raises LogError if there is none, or if it can't be read."""
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
    """Return a line's record; None where there is none."""
    try:
        record = parse(line)
    except MalformedError:
        return None
    return record if isinstance(record, dict) and isinstance(record.get("kind"), str) else None
