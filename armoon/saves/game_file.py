"""A saved game of any kind: header, moves and snapshots in one journal, on disk after every event.

The moves are the truth of the game. Snapshots (where the pieces were) serve to set the table again. Neither
is ever rewritten: what is undone stays in the file, and resuming appends a line that says from which move on
the game went another way.

What is promised: after a kill at any moment all that ``append`` has returned from is there. With ``sync`` the
disk itself is asked to keep it (``fsync``), so a power cut costs at most the events since then. That takes
some milliseconds, tens on a busy disk, so a game asks for it only where nothing moves.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from armoon.saves.errors import SaveError
from armoon.saves.journal import (
    Journal,
    JournalWriter,
    Record,
    decode_journal,
    encode_line,
    free_name,
    write_whole,
)

FORMAT = "armoon game"
VERSION = 1
#: A whole evening of six players needs a tenth of it; nobody's film is read in by mistake.
LARGEST_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True)
class Snapshot:
    """Where the pieces were once the first ``moves`` moves had been made."""

    moves: int
    content: Record


@dataclass(frozen=True)
class SavedGame:
    """What a file holds."""

    path: Path
    game: str
    """Which game it is, such as ``"moon"``."""
    begun: str
    """Date and time of the beginning, ISO 8601."""
    program: str
    """The version of armoon that began it."""
    header: Record
    """What the game starts from, in the game's own terms."""
    moves: tuple[Record, ...]
    """Those that count: without the ones of turns that were broken off."""
    snapshots: tuple[Snapshot, ...]
    """In the order in which they were taken."""
    closed: bool
    """Whether the program ended in peace; if not, the last event may be missing."""
    damage: str
    """What is lost and what is kept, as a sentence; empty if nothing is lost."""
    whole_bytes: int
    size_bytes: int
    checksum: int


class GameFile:
    """A game being played; ``append`` after every event."""

    def __init__(self, path: Path, writer: JournalWriter) -> None:
        self.path = path
        self._writer = writer

    @classmethod
    def create(cls, path: Path, header: Record, *, game: str, begun: str, program: str) -> GameFile:
        """Begin a game's file. Raises SaveError if there is one of that name, or none can be made."""
        if path.exists():
            raise SaveError(f"There is a file {path} already.", remedy="Give the game another name.")
        first: Record = {
            "format": FORMAT,
            "version": VERSION,
            "game": game,
            "begun": begun,
            "program": program,
            "header": header,
        }
        line, checksum = encode_line(first, 0)
        write_whole(path, line)
        return cls(path, JournalWriter(path, len(line), checksum))

    @classmethod
    def reopen(cls, saved: SavedGame, *, keep: int, again: Sequence[Record] = ()) -> GameFile:
        """Go on with a saved game after its first ``keep`` moves, and after ``again``, made anew at once.

        A damaged tail is copied aside (``.damaged``) before it is cut off. Raises SaveError.
        """
        path = saved.path
        try:
            if path.stat().st_size != saved.size_bytes:
                raise SaveError(
                    f"The saved game {path} has changed since it was read.",
                    remedy="See that no other window plays it, and resume it again.",
                )
            if saved.whole_bytes < saved.size_bytes:
                shutil.copyfile(path, free_name(path, "damaged"))
                os.truncate(path, saved.whole_bytes)
        except OSError as error:
            raise SaveError(
                f"The saved game {path} can't be continued ({error.strerror}).",
                remedy="Give yourself the right to write it, or copy it elsewhere.",
            ) from error
        file = cls(path, JournalWriter(path, saved.whole_bytes, saved.checksum))
        file._writer.write({"kind": "resumed", "keep": keep, "again": list(again)}, sync=True)
        return file

    def append(self, moves: Sequence[Record], snapshot: Record | None = None, *, sync: bool = False) -> None:
        """Put the moves of one event on disk, together or not at all; see the module for what is promised.

        Raises SaveError, once, when the disk is full or gone; the game can go on, unsaved.
        """
        record: Record = {"kind": "moves", "moves": list(moves)}
        if snapshot is not None:
            record["snapshot"] = snapshot
        self._writer.write(record, sync=sync)

    def close(self) -> None:
        """Note that the program ended in peace, and give the file back."""
        try:
            self._writer.write({"kind": "closed"}, sync=True)
        finally:
            self._writer.close()

    @staticmethod
    def open(path: Path) -> SavedGame:
        """Read a game. Raises SaveError for a file that is none, or of which not even the header is whole."""
        journal = decode_journal(_content_of(path))
        if not journal.records:
            raise SaveError(
                f"The saved game {path} is damaged in its first line, without which nothing can be read.",
                remedy="Nothing was changed; choose another save.",
            )
        return _saved_game(path, journal)


def _content_of(path: Path) -> bytes:
    try:
        if not path.is_file():
            raise SaveError(f"There is no saved game {path}.", remedy="`armoon games list` shows all.")
        with path.open("rb") as file:
            content = file.read(LARGEST_BYTES + 1)
    except OSError as error:
        raise SaveError(
            f"The saved game {path} can't be read ({error.strerror}).",
            remedy="Give yourself the right to read it.",
        ) from error
    known = FORMAT.encode() in content[:64]
    if not known or len(content) > LARGEST_BYTES:
        raise SaveError(
            f"{path} is no saved game of armoon, or damaged at its very beginning.",
            remedy="Nothing was changed; `armoon games list` shows the saved games.",
        )
    return content


def _saved_game(path: Path, journal: Journal) -> SavedGame:
    first, *others = journal.records
    if first.get("format") != FORMAT or first.get("version") != VERSION:
        raise SaveError(
            f"The saved game {path} is of version {first.get('version')!r}; this program reads {VERSION}.",
            remedy=f"Open it with armoon {first.get('program', 'of that time')}.",
        )
    moves: list[Record] = []
    snapshots: list[Snapshot] = []
    closed = False
    try:
        for record in others:
            kind = record["kind"]
            closed = kind == "closed"
            if kind == "moves":
                moves += record["moves"]
                if "snapshot" in record:
                    snapshots.append(Snapshot(len(moves), record["snapshot"]))
            elif kind == "resumed":
                moves[record["keep"] :] = record["again"]
        return SavedGame(
            path=path,
            game=str(first["game"]),
            begun=str(first["begun"]),
            program=str(first["program"]),
            header=dict(first["header"]),
            moves=tuple(moves),
            snapshots=tuple(snapshots),
            closed=closed,
            damage=_damage_text(journal, len(moves)),
            whole_bytes=journal.whole_bytes,
            size_bytes=journal.size_bytes,
            checksum=journal.checksum,
        )
    except (KeyError, TypeError, ValueError) as error:
        raise SaveError(
            f"The saved game {path} holds something that this program doesn't know ({error}).",
            remedy="Open it with the version of armoon that wrote it.",
        ) from error


def _damage_text(journal: Journal, moves: int) -> str:
    if not journal.damage:
        return ""
    lost = journal.size_bytes - journal.whole_bytes
    return f"{journal.damage[0].upper()}{journal.damage[1:]}: the first {moves} moves are kept, {lost} bytes are lost."
