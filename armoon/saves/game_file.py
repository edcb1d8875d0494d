"""Saved games: a journal with header, moves and snapshots (poses of the pieces), extended at each event.

Nothing is rewritten: undone moves stay in the file, and a resumed game appends the number of moves that it keeps.
``sync`` (``fsync``) takes a few milliseconds, so it is used only while nothing moves; a power cut loses later events.
"""

from __future__ import annotations

import csv
import io
import itertools
import json
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Final, Literal, TypeVar

from armoon.codec import MalformedError, Variants, convert
from armoon.codec.files import read_bytes
from armoon.messages import text
from armoon.saves import files
from armoon.values.text import parse_count, quote_text, short_repr

FORMAT: Final = "armoon game"
VERSION = 2
#: Maximum size in bytes: as large as ten long games of six players, but smaller than a video chosen by mistake.
MAX_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True)
class SavedGame:
    """The content of a saved game."""

    path: Path
    game: str
    begun: str
    """Date and time of the start in ISO 8601."""
    program: str
    header: files.Record
    """The game's setup, in a format of its own."""
    moves: tuple[files.Record, ...]
    """The moves without those of abandoned turns."""
    snapshots: tuple[tuple[int, files.Record], ...]
    """Snapshots in order, each with the number of moves before it."""
    closed: bool
    """Whether the program ended normally; otherwise the last event can be missing."""
    damage: str
    """A sentence about lost and recovered data; empty if no data are lost."""
    journal: files.JournalContent
    """The file's length and checksum, without its records."""
    turned_rad: float = 0.0


@dataclass(frozen=True)
class _HeaderLine:
    format: Literal["armoon game"]
    version: int
    game: str
    begun: str
    program: str
    header: files.Record


@dataclass(frozen=True)
class _MovesLine:
    moves: tuple[files.Record, ...]
    snapshot: files.Record | None = None
    turned_rad: float = 0.0


@dataclass(frozen=True)
class _ResumedLine:
    """The game was resumed after its first ``keep`` moves."""

    keep: int
    again: tuple[files.Record, ...]
    """Moves that the resumed game repeats at once."""


@dataclass(frozen=True)
class _ClosedLine:
    """The program ended normally."""


_LINES = Variants[_MovesLine | _ResumedLine | _ClosedLine](
    "kind", {"moves": _MovesLine, "resumed": _ResumedLine, "closed": _ClosedLine}
)


class GameFile:
    """The file of a game in progress, to which each event is appended."""

    def __init__(self, path: Path, writer: files.JournalWriter) -> None:
        self.path = path
        self._writer = writer
        self.turned_rad = 0.0
        """The table's rotation, written with the next event."""

    @classmethod
    def create(cls, path: Path, header: files.Record, *, game: str, begun: str, program: str) -> GameFile:
        """Create a game's file. Raises NameTakenError if it exists, and SaveError."""
        line, checksum = files.encode_line(_HeaderLine(FORMAT, VERSION, game, begun, program, header), 0)
        files.create_whole(path, line)
        return cls(path, files.JournalWriter(path, len(line), checksum))

    @classmethod
    def reopen(cls, saved: SavedGame, *, keep: int, again: Sequence[files.Record] = ()) -> GameFile:
        """Continue after the first ``keep`` moves and ``again``; back up a damaged file. Raises SaveError."""
        path, journal = saved.path, saved.journal
        writer = files.JournalWriter(path, journal.intact_bytes, journal.checksum)
        try:
            if writer.size_bytes != journal.size_bytes:
                writer.close()
                raise files.SaveError("fault.save.outdated", path=path)
            if journal.intact_bytes < journal.size_bytes:
                shutil.copyfile(path, files.make_unique_name(path, "damaged"))
                writer.truncate()
        except OSError as error:
            writer.close()
            raise files.SaveError("fault.save.locked", path=path, why=error) from error
        file = cls(path, writer)
        file._writer.append_record({"kind": "resumed", "keep": keep, "again": list(again)}, sync=True)
        return file

    def append(
        self, moves: Sequence[files.Record], snapshot: files.Record | None = None, *, sync: bool = False
    ) -> None:
        """Write the moves of an event, all or none. Raises SaveError once; the game can continue unsaved."""
        record: files.Record = {"kind": "moves", "moves": list(moves)}
        if snapshot is not None:
            record["snapshot"] = snapshot
        if self.turned_rad:
            record["turned_rad"] = self.turned_rad
        self._writer.append_record(record, sync=sync)

    def close(self) -> None:
        try:
            self._writer.append_record({"kind": "closed"}, sync=True)
        finally:
            self._writer.close()

    @staticmethod
    def read_saved(path: Path) -> SavedGame:
        """Read a game. Raises SaveError if the file isn't a game or its header is damaged."""
        journal = files.decode_journal(_read_content(path))
        if not journal.records:
            raise files.SaveError("fault.save.no_line", path=path)
        return _make_saved_game(path, journal)


def _read_content(path: Path) -> bytes:
    try:
        content = read_bytes(path, MAX_BYTES)
        if FORMAT.encode() not in content[:64]:
            raise MalformedError(text("fault.save.beginning"))
    except MalformedError as problem:
        raise files.SaveError("fault.save.other_file", path=path, why=problem) from problem
    except (FileNotFoundError, IsADirectoryError) as error:
        raise files.SaveError("fault.save.missing", remedy="fault.remedy.list_games", path=path) from error
    except OSError as error:
        raise files.make_read_error(path, error) from error
    return content


def _make_saved_game(path: Path, journal: files.JournalContent) -> SavedGame:
    first, *later_records = journal.records
    program = quote_text(f"armoon {first.get('program', text('fault.save.unknown_version'))}")
    if first.get("version") != VERSION:
        raise files.SaveError(
            "fault.save.version",
            path=path,
            found=short_repr(first.get("version")),
            expected=VERSION,
            program=program,
        )
    moves: list[files.Record] = []
    snapshots: list[tuple[int, files.Record]] = []
    closed, turned_rad = False, 0.0
    try:
        header = convert(_HeaderLine, first)
        for number, record in enumerate(later_records, start=2):
            try:
                line = _LINES.convert(record)
            except MalformedError as problem:
                raise MalformedError(f"line {number}, {problem}") from problem
            closed = isinstance(line, _ClosedLine)
            if isinstance(line, _MovesLine):
                moves += line.moves
                turned_rad = line.turned_rad
                if line.snapshot is not None:
                    snapshots.append((len(moves), line.snapshot))
            elif isinstance(line, _ResumedLine):
                if not 0 <= line.keep <= len(moves):
                    raise MalformedError(f"line {number}, `keep`: {line.keep} of {len(moves)} moves")
                moves[line.keep :] = line.again
    except MalformedError as error:
        raise files.SaveError(
            "fault.save.unknown", remedy="fault.save.creator", path=path, why=error, program=program
        ) from error
    damage, lost = journal.damage, journal.size_bytes - journal.intact_bytes
    if damage:
        damage = text("fault.save.kept", damage=damage[0].upper() + damage[1:], moves=len(moves), lost=lost)
    return SavedGame(
        path=path,
        game=header.game,
        begun=header.begun,
        program=header.program,
        header=header.header,
        moves=tuple(moves),
        snapshots=tuple(snapshots),
        closed=closed,
        damage=damage,
        journal=replace(journal, records=()),
        turned_rad=turned_rad,
    )


@contextmanager
def raising_save_error(saved: SavedGame, *errors: type[Exception]) -> Iterator[None]:
    """Convert these exceptions, which a game that breaks this program's rules can cause, to a SaveError."""
    try:
        yield
    except errors as error:
        raise files.SaveError(
            "fault.save.illegal",
            remedy="fault.save.creator",
            path=saved.path,
            why=error,
            program=quote_text(f"armoon {saved.program}"),
        ) from error


def format_moves_json(saved: SavedGame) -> str:
    """Return a saved game's header, moves and snapshots as a JSON document."""
    content = {
        "format": "armoon game export",
        "version": 1,
        "game": saved.game,
        "begun": saved.begun,
        "program": saved.program,
        "header": saved.header,
        "moves": list(saved.moves),
        "snapshots": [{"moves": moves, "content": content} for moves, content in saved.snapshots],
        "damage": saved.damage,
    }
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def format_csv(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    document = io.StringIO(newline="")
    writer = csv.writer(document, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return document.getvalue()


SUFFIX = ".armoon"
#: Prefix of the file names of games that the demo player plays, or that run without a window.
DEMONSTRATION_PREFIX = "shown-"

Created = TypeVar("Created")


def create_named(folder: Path, begun: datetime, game: str, create: Callable[[Path], Created]) -> Created:
    """Create a game under the first unused name; ``create`` raises NameTakenError if the name is used."""
    stem = f"{game}-{begun:%Y%m%d-%H%M%S}"
    for number in itertools.count(1):
        with suppress(files.NameTakenError):
            return create(folder / (f"{stem}{SUFFIX}" if number == 1 else f"{stem}-{number}{SUFFIX}"))
    raise AssertionError  # unreachable, because the loop is endless


def list_game_paths(folder: Path) -> tuple[Path, ...]:
    """Return the paths of the saved games in a folder, last played first. Raises SaveError."""
    try:
        dated = [(read_mtime_ns(path), path.name, path) for path in folder.glob(f"*{SUFFIX}")]
    except OSError as error:
        raise files.make_read_error(folder, error) from error
    return tuple(path for _, _, path in sorted(dated, reverse=True))


def read_mtime_ns(path: Path) -> int:
    """Return the time of a file's last change, in nanoseconds; 0 for a broken link."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def find_game(folder: Path, which: str) -> Path:
    """Find a game by its number in the list, its path, its name or the start of its name. Raises SaveError."""
    paths = list_game_paths(folder)
    number = parse_count(which) or 0
    if 1 <= number <= len(paths):
        return paths[number - 1]
    if os.path.isfile(which):  # Path.is_file raises ValueError for some strings
        return Path(which)
    named = [path for path in paths if which in (path.name, path.stem)]
    games = named or [path for path in paths if which and path.name.startswith(which)]
    if len(games) == 1:
        return games[0]
    raise files.SaveError(
        "fault.save.several" if games else "fault.save.not_named",
        remedy="fault.save.numbers",
        count=len(games),
        name=short_repr(which),
        folder=folder,
    )


def read_game_name(folder: Path, which: str) -> str:
    return GameFile.read_saved(find_game(folder, which)).game
