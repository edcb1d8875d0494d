"""The log as a sink: every record of the game, in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from armoon.engine.events import Began, Happened
from armoon.engine.intake import Record
from armoon.engine.logbook import LogWriter
from armoon.engine.records import records_of
from armoon.games.contract.kind import kind_of
from armoon.messages import text
from armoon.sinks.moment import Moment
from armoon.sinks.sink import Rule


class LogSink:
    """Writes a game's log; what a full disk doesn't take is said once, and the game goes on."""

    rule = Rule.KEEPS
    #: Number of queued frames, over a minute: a disk that is silent for that long isn't there any more.
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

    def part(self, moment: Moment) -> tuple[Happened[Any], ...] | None:
        """Return the moment's events."""
        return None if moment.output is None else moment.output.events

    def take(self, part: tuple[Happened[Any], ...]) -> None:
        """Write each event as the game's presenter for the log has it."""
        for happened in part:
            if isinstance(happened.event, Began):
                self._records = kind_of(happened.event.game).lines.of
            for record in self._records(happened):
                self._writer.write(record)

    def close(self) -> None:
        """Finish the file."""
        self._writer.close()
