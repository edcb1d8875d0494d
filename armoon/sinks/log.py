"""The log as a sink: every record of the game, in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from armoon.engine.events import Happened
from armoon.engine.intake import Record
from armoon.engine.logbook import LogWriter
from armoon.engine.records import records_of
from armoon.games.contract.kind import kind_of
from armoon.messages import text
from armoon.sinks.moment import Moment
from armoon.sinks.sink import Rule

#: The header of a game that begins, and what happened.
Part = tuple[Record | None, tuple[Happened[Any], ...]]


class LogSink:
    """Writes a game's log; what a full disk doesn't take is said once, and the game goes on."""

    rule = Rule.KEEPS
    #: Over a minute of frames: a disk that is silent for so long isn't there any more.
    capacity = 8192

    def __init__(self, writer: LogWriter) -> None:
        self._writer = writer
        self._records: Callable[[Happened[Any]], Iterable[Record]] = records_of

    @property
    def path(self) -> Path:
        """The log's file."""
        return self._writer.path

    @property
    def name(self) -> str:
        """What players call it."""
        return text("sink.name.log")

    def part(self, moment: Moment) -> Part | None:
        """The header, where a game begins, and the moment's events."""
        events = () if moment.output is None else moment.output.events
        return (moment.header, events) if moment.header or events else None

    def take(self, part: Part) -> None:
        """Write each event as the game's presenter for the log has it."""
        header, events = part
        if header is not None:
            self._records = kind_of(header["game"]).records
            self._writer.write(header)
        for happened in events:
            for record in self._records(happened):
                self._writer.write(record)

    def close(self) -> None:
        """Finish the file."""
        self._writer.close()
