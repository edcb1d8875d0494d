"""The log as a sink: every record of the game, in order."""

from __future__ import annotations

from pathlib import Path

from armoon.engine.intake import Record
from armoon.engine.logbook import LogWriter
from armoon.messages import text
from armoon.sinks.moment import Moment
from armoon.sinks.sink import Rule


class LogSink:
    """Writes a game's log; what a full disk doesn't take is said once, and the game goes on."""

    rule = Rule.KEEPS
    #: Over a minute of frames: a disk that is silent for so long isn't there any more.
    capacity = 8192

    def __init__(self, writer: LogWriter) -> None:
        self._writer = writer

    @property
    def path(self) -> Path:
        """The log's file."""
        return self._writer.path

    @property
    def name(self) -> str:
        """What players call it."""
        return text("sink.name.log")

    def part(self, moment: Moment) -> tuple[Record, ...] | None:
        """The moment's records, the header before them."""
        header = () if moment.header is None else (moment.header,)
        records = () if moment.output is None else moment.output.records
        return (*header, *records) or None

    def take(self, part: tuple[Record, ...]) -> None:
        """Write them."""
        for record in part:
            self._writer.write(record)

    def close(self) -> None:
        """Finish the file."""
        self._writer.close()
