"""Showing a logged game again: the same intakes, stepped and drawn over an empty table."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

from armoon.app.loop import Screen
from armoon.app.playing import run_one
from armoon.app.program import Program
from armoon.app.sources import REPLAY_RATE_HZ, LogSource, Source
from armoon.app.table import Table
from armoon.clock import Clock, ManualClock
from armoon.engine.logbook import LogReader
from armoon.errors import LogError
from armoon.games.contract.capabilities import viewed_of
from armoon.games.contract.kind import kind_of
from armoon.games.contract.replay import intakes, logged_match
from armoon.settings.options import PlayOptions
from armoon.sinks.live import LivePart
from armoon.sinks.terminal import sentences_console


def replay_game(log: Path, options: PlayOptions) -> int:
    """Show the log's game from its start to its end, or to where the log is damaged."""
    reader = LogReader(log)
    match = logged_match(reader)
    kind = kind_of(match.game)
    game, viewed = kind.game(match), viewed_of(match)
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
