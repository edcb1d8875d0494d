"""Journals (append-only files of JSON records with a running checksum), and JSON files with a list of rows.

A journal's line is ``checksum record``: eight hexadecimal digits, a space, JSON. The checksum is the CRC-32 of the
record, seeded with that of the previous line, so all data before a damaged line can be trusted. A line survives a kill
once ``append_record`` has returned, unless the disk is full. SQLite would lack checksums and need up to three files.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from armoon.codec import MalformedError, convert, describe_other_version, encode_json, files, parse
from armoon.errors import ArmoonError
from armoon.messages import text
from armoon.values.text import short_repr


class SaveError(ArmoonError):
    """A saved game can't be read, written or resumed, or the file of players or results can't be used."""


class NameTakenError(SaveError):
    """A file with this name already exists."""


Record = dict[str, Any]

_DIGITS = 8


@dataclass(frozen=True)
class JournalContent:
    """A journal's content up to the first damaged line."""

    records: tuple[Record, ...]
    intact_bytes: int
    """Length of the undamaged part; the next line is written after it."""
    checksum: int
    size_bytes: int
    damage: str
    """Predicate of a sentence about the file, which describes the first damaged line; empty if none is damaged."""


def encode_line(record: object, checksum: int) -> tuple[bytes, int]:
    """Return a record's line and its checksum, given the previous one. Raises SaveError for NaN or invalid text."""
    try:
        content = encode_json(record)
    except MalformedError as problem:
        raise SaveError("fault.save.unstorable", why=problem) from problem
    checksum = zlib.crc32(content, checksum)
    return b"%08x %s\n" % (checksum, content), checksum


def decode_journal(content: bytes) -> JournalContent:
    records: list[Record] = []
    checksum, size, damage = 0, 0, ""
    lines = content.split(b"\n")
    for number, line in enumerate(lines, start=1):
        is_unfinished = number == len(lines)
        if is_unfinished and not line:
            break
        record, line_checksum = _decode_line(line, checksum)
        if is_unfinished or record is None:
            damage = text("fault.save.cut" if is_unfinished else "fault.save.damaged", line=number)
            break
        records.append(record)
        checksum = line_checksum
        size += len(line) + 1
    return JournalContent(tuple(records), size, checksum, len(content), damage)


def _decode_line(line: bytes, checksum: int) -> tuple[Record | None, int]:
    content = line[_DIGITS + 1 :]
    checksum = zlib.crc32(content, checksum)
    if line[: _DIGITS + 1] != b"%08x " % checksum:
        return None, checksum
    try:
        record = parse(content)
    except MalformedError:  # a forged line with a valid checksum
        return None, checksum
    return (record if isinstance(record, dict) else None), checksum


class JournalWriter:
    """Appends lines to an undamaged journal and locks it against other programs."""

    def __init__(self, path: Path, intact_bytes: int, checksum: int) -> None:
        """Open the journal for writing. Raises SaveError, for example if another window has it open."""
        self.path = path
        self._length = intact_bytes
        """Length of the file with the buffered lines."""
        self._checksum = checksum
        self._is_broken = False
        self._has_reported = False
        try:
            self._file = files.GrowingFile(path, new=False)
        except BlockingIOError as error:
            raise SaveError("fault.save.played", path=path) from error
        except OSError as error:
            raise _make_write_error(path, error) from error

    @property
    def size_bytes(self) -> int:
        return self._file.size_bytes

    def truncate(self) -> None:
        self._file.truncate(self._length)

    def append_record(self, record: Record, *, sync: bool) -> None:
        """Append a line that survives a kill of this process and, with ``sync``, a power cut.

        Raises SaveError once if the disk is full or gone; lines then wait in memory for space. If another program has
        changed the file, or a record can't be encoded, the writing stops permanently, because no line after a missing
        one could be read.
        """
        if self._is_broken:
            return
        try:
            line, self._checksum = encode_line(record, self._checksum)
        except SaveError:
            self._is_broken = True
            raise
        self._file.buffer(line)
        self._length += len(line)
        self._flush(sync=sync)

    def close(self) -> None:
        self._file.close()

    def _flush(self, *, sync: bool) -> None:
        was_deleted = self._file.is_gone
        try:
            if was_deleted:
                self._file.restore()
            if self._file.size_bytes + self._file.waiting_bytes != self._length:
                self._is_broken = True
                raise SaveError("fault.save.changed", path=self.path)
            self._file.write(sync=sync)
        except FileExistsError as error:
            self._is_broken = True
            raise SaveError("fault.save.replaced", path=self.path) from error
        except OSError as error:
            if not self._has_reported:
                self._has_reported = True
                raise _make_write_error(self.path, error) from error
            return
        self._has_reported = False
        if was_deleted:
            raise SaveError("fault.save.restored", path=self.path)


def write_whole(path: Path, content: bytes) -> None:
    try:
        files.write_whole(path, content)
    except OSError as error:
        raise _make_write_error(path, error) from error


def create_whole(path: Path, content: bytes) -> None:
    """Create a file atomically. Raises NameTakenError if it exists, and SaveError for other reasons."""
    try:
        files.write_new(path, content)
    except FileExistsError as error:
        raise NameTakenError("fault.file.exists", path=path) from error
    except OSError as error:
        raise _make_write_error(path, error) from error


def make_unique_name(path: Path, suffix: str) -> Path:
    """Return an unused name beside ``path``: ``game.armoon.damaged``, ``game.armoon.damaged-2`` ..."""
    unused = path.with_name(f"{path.name}.{suffix}")
    number = 2
    while unused.exists():
        unused = path.with_name(f"{path.name}.{suffix}-{number}")
        number += 1
    return unused


def make_read_error(path: Path, error: OSError) -> SaveError:
    return SaveError("fault.file.unreadable", path=path, why=error)


def _make_write_error(path: Path, error: OSError) -> SaveError:
    return SaveError("fault.file.unwritable", path=path, why=error)


Row = TypeVar("Row")

VERSION = 1
#: Maximum number of unreadable objects in a broken file; without a limit, a hostile file could take minutes.
MAX_MISSES = 100


@dataclass(frozen=True)
class _RowsFile:
    """A JSON file with a list of rows; ``format`` names their kind."""

    format: str
    version: int
    content: list[Any]


def read_rows(
    path: Path, file_format: str, kind: type[Row], get_name: Callable[[Row], str] | None = None
) -> tuple[tuple[Row, ...], str]:
    """Return a file's rows, () if it is missing, and a sentence about its damage, "" if it is intact.

    All valid rows of a broken file are returned, except repetitions of a name. The file isn't changed, so a user can
    repair it. Raises SaveError if it can't be read.
    """
    try:
        content = files.read_bytes(path)
    except FileNotFoundError:
        return (), ""
    except OSError as error:
        raise make_read_error(path, error) from error
    except MalformedError as problem:
        return (), _describe_damage(path, 0, problem)
    fault: ValueError | None = None
    try:
        file = convert(_RowsFile, parse(content), exact=True)
        if file.format != file_format:
            raise MalformedError(f"`format`: {short_repr(file.format)}, not {file_format!r}")
        if file.version != VERSION:
            raise MalformedError(describe_other_version("it", file.version, VERSION))
        plain_rows = iter(file.content)
    except MalformedError as problem:
        fault, plain_rows = problem, iter(()) if _is_json(content) else _salvage_objects(content)
    rows: list[Row] = []
    names: set[str] = set()
    for number, plain in enumerate(plain_rows):
        try:
            row = convert(kind, plain, exact=True)
            if get_name is not None and get_name(row) in names:
                raise MalformedError(f"`content[{number}]`: the name occurs twice")
            names.update((get_name(row),) if get_name is not None else ())
            rows.append(row)
        except MalformedError as problem:
            fault = fault or problem
    return tuple(rows), "" if fault is None else _describe_damage(path, len(rows), fault)


@contextmanager
def lock_rows(path: Path) -> Iterator[None]:
    """Lock a file of rows while it is read and rewritten; other programs wait. Raises SaveError."""
    with ExitStack() as stack:
        try:
            stack.enter_context(files.locked(path))
        except OSError as error:
            raise _make_write_error(path, error) from error
        yield


def write_rows(path: Path, file_format: str, content: Sequence[Any]) -> None:
    try:
        encoded = encode_json(_RowsFile(file_format, VERSION, list(content)), indent=1)
    except MalformedError as problem:
        raise SaveError(
            "fault.file.unstorable", remedy="fault.remedy.other_names", path=path, why=problem
        ) from problem
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        files.write_whole(path, encoded + b"\n")
    except OSError as error:
        raise _make_write_error(path, error) from error


def back_up_broken(path: Path) -> None:
    """Copy a broken file to an unused name that contains ``.broken``. Raises SaveError."""
    try:
        content = files.read_bytes(path)
    except (OSError, MalformedError) as error:
        raise SaveError("fault.file.broken", path=path, why=error) from error
    create_whole(make_unique_name(path, "broken"), content)


def _describe_damage(path: Path, count: int, problem: ValueError) -> str:
    return text("kept.broken", path=path, count=count, why=problem)


def _is_json(content: bytes) -> bool:
    try:
        parse(content)
    except MalformedError:
        return False
    return True


def _salvage_objects(content: bytes) -> Iterator[Any]:
    """Yield the complete rows in broken JSON, such as those before the end of a truncated file."""
    words = content.decode(errors="surrogateescape")
    decoder, start, failures = json.JSONDecoder(), words.find("{"), 0
    while start >= 0 and failures < MAX_MISSES:
        try:
            decoded, end = decoder.raw_decode(words, start)
        except (ValueError, RecursionError):
            end, failures = start + 1, failures + 1
        else:
            rows = decoded.get("content")
            yield from rows if isinstance(rows, list) else (decoded,)
        start = words.find("{", end)
