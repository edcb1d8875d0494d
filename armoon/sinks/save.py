"""The saved game as a sink: an event is on disk before players see or hear of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from armoon.engine.events import Output
from armoon.messages import text
from armoon.sinks.moment import Moment
from armoon.sinks.sink import Rule

Writing = Callable[[], None]


class Keeper(Protocol):
    """Who writes a game down, so that it can be taken up again; each game brings its own."""

    @property
    def path(self) -> Path:
        """The saved game."""

    def prepare(self, output: Output) -> Writing | None:
        """Return what to write for a frame, or None.

        All that it needs of the game is taken out of it now. Called, perhaps in another thread and after the game
        has gone on, it is on disk when it returns; it raises SaveError where that can't be done.
        """

    def close(self) -> None:
        """Finish writing."""


class SaveSink:
    """Lets the keeper write; the loop waits for it a little while."""

    rule = Rule.AWAITED
    #: More events than a whole game has.
    capacity = 4096

    def __init__(self, keeper: Keeper) -> None:
        self._keeper = keeper

    @property
    def name(self) -> str:
        """What players call it."""
        return text("sink.name.save")

    def part(self, moment: Moment) -> Writing | None:
        """Return what to write for a frame, or None."""
        return None if moment.output is None else self._keeper.prepare(moment.output)

    def take(self, part: Writing) -> None:
        """Write it."""
        part()

    def close(self) -> None:
        """Finish the file."""
        self._keeper.close()
