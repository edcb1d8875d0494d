"""The game's log: JSON lines, written as the game goes, enough to step the same game again bit for bit.

The first line is the header; then one ``hands`` line for every turn of the loop (what came in) and, between
them, what came out of it: intents, die, facts, verdicts, poses. Floats are written so that reading them
gives the same bits.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from armoon.errors import LogError

Record = dict[str, Any]

#: What comes in; all other kinds but the header come out of the game and must come out again in a replay.
INTAKE = "hands"
HEADER = "header"
END = "end"
#: Lines after which the file is flushed: a crash loses at most what came after the last of them.
FLUSHED = {"header", "move", "die", "verdict", "event", "poses", "end"}


class LogWriter:
    """Writes records to a file, one line each."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._broken = False
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file: IO[str] = path.open("w", encoding="utf-8")
        except OSError as error:
            raise LogError(
                f"The game log {path} can't be written ({error.strerror}).",
                remedy="Name another place with --log FILE.jsonl.",
            ) from error

    def write(self, record: Record) -> None:
        """Append one line. Raises LogError, once, when the disk is full or gone."""
        if self._broken:
            return  # after a line that is missing, further ones would only make the log look whole
        try:
            self._file.write(json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n")
            if record["kind"] in FLUSHED:
                self._file.flush()
        except OSError as error:
            raise self._broken_off(error) from error

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
    """A log's header and records; ``damage`` says what is wrong with its tail, if anything."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.damage: str | None = None
        try:
            lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
        except OSError as error:
            raise LogError(
                f"The game log {path} can't be read ({error.strerror}).", remedy="Check the name of the file."
            ) from error
        self.records = list(self._intact(lines))
        if not self.records or self.records[0]["kind"] != HEADER:
            raise LogError(
                f"{path} is not a log of armoon: its first line is no header.",
                remedy="Name a .jsonl file that `armoon play` wrote.",
            )
        self.header = self.records[0]
        if self.damage is None and self.records[-1]["kind"] != END:
            self.damage = f"it stops after line {len(self.records)}, before the game was closed"

    def _intact(self, lines: list[str]) -> Iterator[Record]:
        complete = lines[-1] == ""
        if complete:
            lines = lines[:-1]
        for number, line in enumerate(lines, start=1):
            try:
                record = json.loads(line)
                if not isinstance(record, dict) or not isinstance(record.get("kind"), str):
                    raise ValueError("no record")
            except ValueError:
                self.damage = f"line {number} is cut or damaged"
                return
            yield record
