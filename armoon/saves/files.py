"""An append-only file: one JSON record in each line, every line under a running checksum.

A line is ``checksum record``: eight hexadecimal digits, a space, JSON. The checksum is the CRC-32 of the record, seeded
with that of the line before, so damage is found wherever it is and everything before it is kept. A line is safe from a
kill as soon as ``write`` has returned. SQLite has no checksum over its pages, and is three files while it is open.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from armoon.codec import MalformedError, convert, encode_json, files, other_version, parse
from armoon.codec.files import GrowingFile, locked, read_bytes
from armoon.errors import ArmoonError
from armoon.messages import text
from armoon.values.text import repr_of


class SaveError(ArmoonError):
    """A saved game, or a players' or results' file, that can't be read, written or resumed."""


class NameTakenError(SaveError):
    """There is a file of that name already, perhaps since a moment ago."""


Record = dict[str, Any]

_DIGITS = 8


@dataclass(frozen=True)
class JournalContent:
    """What could be read of a file."""

    records: tuple[Record, ...]
    whole_bytes: int
    """Up to here the file is undamaged; what comes next belongs here."""
    checksum: int
    size_bytes: int
    damage: str
    """Which line is damaged, as the end of a sentence that begins with the file; empty if none is."""


def encode_line(record: object, checksum: int) -> tuple[bytes, int]:
    """Return a record's line after one of that checksum, and its checksum. Raises SaveError for NaN or bad text."""
    try:
        content = encode_json(record)
    except MalformedError as problem:
        raise SaveError(
            f"The game can't be saved ({problem}).",
            remedy="Give the players other names, or play on unsaved.",
        ) from problem
    checksum = zlib.crc32(content, checksum)
    return b"%08x %s\n" % (checksum, content), checksum


def decode_journal(content: bytes) -> JournalContent:
    records: list[Record] = []
    checksum, whole, damage = 0, 0, ""
    lines = content.split(b"\n")
    for number, line in enumerate(lines, start=1):
        unfinished = number == len(lines)
        if unfinished and not line:
            break
        record, found = _decode_line(line, checksum)
        if unfinished or record is None:
            damage = f"line {number} is {'cut off' if unfinished else 'damaged'}"
            break
        records.append(record)
        checksum = found
        whole += len(line) + 1
    return JournalContent(tuple(records), whole, checksum, len(content), damage)


def _decode_line(line: bytes, checksum: int) -> tuple[Record | None, int]:
    """Return the record of a line, None if it is damaged, and the line's checksum."""
    content = line[_DIGITS + 1 :]
    checksum = zlib.crc32(content, checksum)
    if line[: _DIGITS + 1] != b"%08x " % checksum:
        return None, checksum
    try:
        record = parse(content)
    except MalformedError:  # only somebody who computes checksums can write such a line
        return None, checksum
    return (record if isinstance(record, dict) else None), checksum


class JournalWriter:
    """Append lines to a file that has none or only undamaged ones, which no other program may do meanwhile."""

    def __init__(self, path: Path, whole_bytes: int, checksum: int) -> None:
        """Open the journal for writing. Raises SaveError, also where another window plays this game."""
        self.path = path
        self._length = whole_bytes
        """Length of the file, with the lines that still wait for room."""
        self._checksum = checksum
        self._broken = False
        self._told = False
        try:
            self._file = GrowingFile(path, new=False)
        except BlockingIOError as error:
            raise SaveError(
                f"The saved game {path} is being played in another window.",
                remedy="Play it there, or close that window first.",
            ) from error
        except OSError as error:
            raise _no_write(path, error) from error

    @property
    def size_bytes(self) -> int:
        return self._file.size_bytes

    def cut(self) -> None:
        self._file.cut(self._length)

    def write(self, record: Record, *, sync: bool) -> None:
        """Append one line: safe from a kill of this process at once, with ``sync`` from a power cut too.

        Raises SaveError, once, when the disk is full or gone: then lines wait in memory, and are on disk as soon as
        a further one finds room. For good it ends where another program writes to the file, and with a record that
        can't be written: lines after a missing one would be worth nothing.
        """
        if self._broken:
            return
        try:
            line, self._checksum = encode_line(record, self._checksum)
        except SaveError:
            self._broken = True
            raise
        self._file.put(line)
        self._length += len(line)
        self._flush(sync=sync)

    def close(self) -> None:
        self._file.close()

    def _flush(self, *, sync: bool) -> None:
        deleted = self._file.gone
        try:
            if deleted:
                self._file.restore()
            if self._file.size_bytes + self._file.waiting_bytes != self._length:
                self._broken = True
                raise SaveError(
                    f"The saved game {self.path} was changed by another program.",
                    remedy="Play a saved game in one window only; resume it again to go on.",
                )
            self._file.write(sync=sync)
        except FileExistsError as error:
            self._broken = True
            raise SaveError(
                f"Another file has taken the place of the saved game {self.path}.",
                remedy="The game can go on, unsaved.",
            ) from error
        except OSError as error:
            if not self._told:
                self._told = True
                raise _no_write(self.path, error) from error
            return
        self._told = False
        if deleted:
            raise SaveError(
                f"The saved game {self.path} was deleted while it is being played: it was written again.",
                remedy="Leave it there until the game is over.",
            )


def write_whole(path: Path, content: bytes) -> None:
    try:
        files.write_whole(path, content)
    except OSError as error:
        raise _no_write(path, error) from error


def begin_whole(path: Path, content: bytes) -> None:
    """Begin a file, all of it or nothing. Raises NameTakenError where there is one, and SaveError."""
    try:
        files.write_new(path, content)
    except FileExistsError as error:
        raise NameTakenError(
            f"There is a file {path} already.", remedy="Give the game another name."
        ) from error
    except OSError as error:
        raise _no_write(path, error) from error


def free_name(path: Path, word: str) -> Path:
    """Return a name beside ``path`` that nothing has yet: ``game.armoon.damaged``, ``game.armoon.damaged-2`` ..."""
    aside = path.with_name(f"{path.name}.{word}")
    number = 2
    while aside.exists():
        aside = path.with_name(f"{path.name}.{word}-{number}")
        number += 1
    return aside


def _no_write(path: Path, error: OSError) -> SaveError:
    return SaveError(
        f"{path} can't be written ({error.strerror or error}).",
        remedy="Make room on the disk, or give yourself the right to write there.",
    )


Row = TypeVar("Row")

VERSION = 1
#: Rows of a broken file that are given up before the rest is; a hostile file must not take minutes.
MOST_MISSES = 100


@dataclass(frozen=True)
class _Whole:
    """The file: what kind of file it is, and what it keeps."""

    format: str
    version: int
    content: list[Any]


def read_kept(
    path: Path, form: str, kind: type[Row], name: Callable[[Row], str] | None = None
) -> tuple[tuple[Row, ...], str]:
    """Return the rows that ``write_kept`` wrote, and a sentence if the file was broken; none where there is no file.

    Of a broken file every row is read that is one by itself; of two with the same ``name`` the first. The file
    stays as it is, to be mended by hand. Raises SaveError where it can't be read at all.
    """
    try:
        content = read_bytes(path)
    except FileNotFoundError:
        return (), ""
    except OSError as error:
        raise SaveError(
            f"The file {path} can't be read ({error.strerror}).", remedy="Give yourself the right to read it."
        ) from error
    except MalformedError as problem:
        return (), _broken(path, 0, problem)
    fault: ValueError | None = None
    try:
        whole = convert(_Whole, parse(content), exact=True)
        if whole.format != form:
            raise MalformedError(f"`format`: {repr_of(whole.format)}, not {form!r}")
        if whole.version != VERSION:
            raise MalformedError(other_version("it", whole.version, VERSION))
        found = iter(whole.content)
    except MalformedError as problem:
        fault, found = problem, iter(()) if _is_json(content) else _objects(content)
    rows: list[Row] = []
    names: set[str] = set()
    for number, plain in enumerate(found):
        try:
            row = convert(kind, plain, exact=True)
            if name is not None and name(row) in names:
                raise MalformedError(f"`content[{number}]`: named twice")
            names.update((name(row),) if name is not None else ())
            rows.append(row)
        except MalformedError as problem:
            fault = fault or problem
    return tuple(rows), "" if fault is None else _broken(path, len(rows), fault)


@contextmanager
def changing(path: Path) -> Iterator[None]:
    """Alone with a kept file, from reading it to writing it again; others wait. Raises SaveError."""
    with ExitStack() as stack:
        try:
            stack.enter_context(locked(path))
        except OSError as error:
            raise SaveError(
                f"The file {path} can't be changed ({error.strerror}).",
                remedy="Make room on the disk, or give yourself the right to write there.",
            ) from error
        yield


def write_kept(path: Path, form: str, content: Sequence[Any]) -> None:
    try:
        whole = encode_json(_Whole(form, VERSION, list(content)), indent=1)
    except MalformedError as problem:
        raise SaveError(
            f"{path} can't keep this ({problem}).", remedy="Give the players other names."
        ) from problem
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SaveError(
            f"The folder {path.parent} can't be made ({error.strerror}).",
            remedy="Give yourself the right to write there.",
        ) from error
    write_whole(path, whole + b"\n")


def set_aside(path: Path) -> None:
    """Keep a copy of a broken file, named ``.broken``, before it is replaced. Raises SaveError."""
    try:
        content = read_bytes(path)
    except (OSError, MalformedError) as error:
        raise SaveError(f"The file {path} is broken ({error}).", remedy="Mend it or move it away.") from error
    begin_whole(free_name(path, "broken"), content)


def _broken(path: Path, count: int, problem: ValueError) -> str:
    return text("kept.broken", path=path, count=count, why=problem)


def _is_json(content: bytes) -> bool:
    try:
        parse(content)
    except MalformedError:
        return False
    return True


def _objects(content: bytes) -> Iterator[Any]:
    """Yield the whole rows in broken JSON, such as the first ones of a file that is cut off."""
    words = content.decode(errors="surrogateescape")
    decoder, at, misses = json.JSONDecoder(), words.find("{"), 0
    while at >= 0 and misses < MOST_MISSES:
        try:
            found, end = decoder.raw_decode(words, at)
        except (ValueError, RecursionError):
            end, misses = at + 1, misses + 1
        else:
            inside = found.get("content")
            yield from inside if isinstance(inside, list) else (found,)
        at = words.find("{", end)
