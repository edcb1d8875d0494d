"""Showing a logged game again: the same intakes, stepped and drawn over an empty table."""

from __future__ import annotations

from contextlib import ExitStack

from armoon.app.loop import Loop
from armoon.app.outputs import Opened, sinks_of
from armoon.app.party.party import begin_party
from armoon.app.pictures import open_pictures
from armoon.app.playing import OneGame
from armoon.app.sources import REPLAY_RATE_HZ, Logged
from armoon.app.table import Table
from armoon.clock import ManualClock
from armoon.engine.logbook import LogReader
from armoon.errors import LogError
from armoon.games.contract.kind import kind_of
from armoon.games.contract.replay import intakes, logged_match
from armoon.messages import text
from armoon.settings.options import ReplayOptions
from armoon.sinks.hub import Sinks
from armoon.sinks.moment import Moment
from armoon.sinks.terminal import TerminalSink, sentences_console
from armoon.values.choices import FramingName


def replay_game(options: ReplayOptions) -> int:
    """Show the log's game from its start to its end, or to where the log is damaged."""
    reader = LogReader(options.log)
    match = logged_match(reader)
    kind = kind_of(match.game)
    game, viewed = kind.game(match), kind.viewed(match)
    game.replayed = True
    with ExitStack() as stack:
        # As fast as it goes, unless somebody looks on; and nothing of it is left out.
        sinks = Sinks(lock_step=options.headless and options.stream is None)
        stack.callback(sinks.close)
        console = sentences_console()
        sinks.add(TerminalSink(console))
        begin_party(options, console.print, sinks, stack)
        table = Table(game, sinks)
        stack.callback(table.close)
        window = None
        if not options.headless or options.record is not None or options.stream is not None:
            pictures = open_pictures(
                viewed,
                headless=options.headless,
                title=f"armoon: {options.log.name}",
                on_key=table.controls.key,
            )
            stack.callback(pictures.close)
            pictures.choose_framing(FramingName.AUTO, virtual=True)
            window = pictures.window
            wanted = Opened(pictures, options.record, REPLAY_RATE_HZ, None, options.stream, console.print)
            sinks.add(*sinks_of(wanted))
        clock = ManualClock()
        size = (viewed.camera.width, viewed.camera.height)
        source = Logged(intakes(reader), clock, size, paced=window is not None or options.stream is not None)
        Loop(OneGame(table, source, replayed=True), sinks, clock, window).run()
        sinks.take(Moment(0.0, sentences=(text("log.closing", count=game.turns_played),)))
    if reader.damage is not None:
        raise LogError(
            f"The log {options.log} is not complete: {reader.damage}.",
            remedy="Everything before that was shown.",
        )
    return 0
