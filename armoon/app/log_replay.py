"""Showing a logged game again: the same intakes, stepped and drawn over an empty table."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from armoon.app.playing import run_one
from armoon.app.program import Program, Screen
from armoon.app.sources.frames import Incoming, Source
from armoon.app.table import Table
from armoon.camera.sources import unseen
from armoon.clock import Clock, ManualClock
from armoon.engine.logbook import LogReader
from armoon.engine.setup import Intake
from armoon.errors import LogError
from armoon.games.contract.kind import kind_of
from armoon.games.contract.library import intakes, logged_match
from armoon.hands.tracker import Region
from armoon.settings.preferences import PlayOptions
from armoon.sinks.feed import sentences_console
from armoon.sinks.live import LivePart

#: Pictures of a log's game, whatever the rate of the logged loop.
REPLAY_RATE_HZ = 30.0


class LogSource:
    """A log's intakes, one after another; pictures at 30 a second of the game's time, over the night."""

    lead_s = 0.0
    steady = False

    def __init__(
        self, intakes: Iterator[Intake], clock: ManualClock, size: tuple[int, int], *, paced: bool
    ) -> None:
        """``paced``: no faster than it was played, for spectators. ``size`` is the camera's, in pixels."""
        self._intakes, self._clock, self._paced = intakes, clock, paced
        self.image = unseen(*size)
        self._began_s: float | None = None
        self._shown_s = -1.0

    def take(self) -> Incoming:
        """Return the next intake. Raises LogError for a line that is none."""
        intake = next(self._intakes, None)
        if intake is None:
            return Incoming(ended=True)
        self._clock.set_s(intake.now_s)
        shown = intake.now_s - self._shown_s >= 0.999 / REPLAY_RATE_HZ
        if shown:
            self._shown_s = intake.now_s
            if self._paced:
                self._wait(intake.now_s)
        return Incoming(intake=intake, shown=shown)

    def look_at(self, region: Region | None) -> None:
        """No hands are tracked."""

    def _wait(self, now_s: float) -> None:
        if self._began_s is None:
            self._began_s = time.monotonic() - now_s
        time.sleep(max(0.0, self._began_s + now_s - time.monotonic()))


def replay_game(log: Path, options: PlayOptions) -> int:
    """Show the log's game from its start to its end, or to where the log is damaged."""
    reader = LogReader(log)
    match = logged_match(reader)
    kind = kind_of(match.game)
    game, viewed = kind.game(match), kind.viewed(match)
    game.replayed = True
    # As fast as it goes unless it is shown live; no frame is left out.
    paced = not options.headless or options.part(LivePart).draws

    def source(table: Table, window: Screen | None) -> tuple[Source, Clock]:
        clock = ManualClock()
        size = (viewed.camera.width, viewed.camera.height)
        return LogSource(intakes(reader), clock, size, paced=paced), clock

    with ExitStack() as stack:
        program = Program(options, sentences_console(), stack, lock_step=not paced)
        run_one(
            program,
            viewed,
            lambda: Table(game, program.sinks),
            source,
            rate_hz=REPLAY_RATE_HZ,
            title=f"armoon: {log.name}",
            replayed=True,
        )
    if reader.damage is not None:
        raise LogError(
            f"The log {log} is not complete: {reader.damage}.", remedy="Everything before that was shown."
        )
    return 0
