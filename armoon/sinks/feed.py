"""Sinks for the feed to other programs, the terminal, and the summary of a game night."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from armoon import broadcast
from armoon.broadcast import Happening, Seat, Standing
from armoon.party.summary import GameSummary
from armoon.sinks.sink import Moment, Rule, Sink
from armoon.values.text import escape_lines

#: Interval at which the table's state is sent between events, in seconds.
LIVE_INTERVAL_S = 0.2

#: Time in seconds, events, the table's state, and whether the game has ended.
FeedData = tuple[float, tuple[Happening, ...], Standing | None, bool]


class FeedSink(Sink):
    """Writes the feed's lines; a slow receiver misses some."""

    word = "feed"
    rule = Rule.QUEUES
    #: Enough for ten seconds of events and states.
    capacity = 64

    def __init__(self, write: Callable[[bytes], None], close: Callable[[], None] = lambda: None) -> None:
        """``write`` is called with each line, without its line break."""
        self._write, self._close = write, close
        self._recorder = broadcast.FeedRecorder()
        self._sent_s: float | None = None
        self._is_paused = False

    def select(self, moment: Moment) -> FeedData | None:
        if moment.feed_events is None:
            return (moment.now_s, (), None, True) if moment.ended else None
        events = moment.feed_events()
        is_due = self._sent_s is None or not 0.0 <= moment.now_s - self._sent_s < LIVE_INTERVAL_S
        if not (events or is_due or moment.ended):
            return None
        self._sent_s = moment.now_s
        standing = None if moment.standing is None else moment.standing()
        return moment.now_s, events, standing, moment.ended

    def process(self, data: FeedData) -> None:
        at_s, happenings, standing, has_ended = data
        events = list(happenings)
        if standing is not None and standing.paused != self._is_paused:
            self._is_paused = standing.paused
            events.append(broadcast.FeedPause(standing.paused))
        if has_ended:
            events.append(broadcast.FeedClosed(standing is not None and standing.over))
        lines = [broadcast.encode_line(self._recorder.add_event(at_s, event)) for event in events]
        live = None if standing is None else self._recorder.build_live_line(at_s, standing)
        if events:
            lines.append(broadcast.encode_line(self._recorder.build_state_line(at_s)))
        elif live is not None:
            lines.append(broadcast.encode_line(live))
        for line in lines:
            self._write(line)

    def close(self) -> None:
        self._close()


class SafeConsole(Console):
    """A console that escapes control characters, because texts can be untrusted."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterator[Segment]:
        for segment in super().render(renderable, options):
            yield segment if segment.control else Segment(escape_lines(segment.text), segment.style)


def create_console() -> Console:
    return SafeConsole(markup=False, emoji=False, highlight=False, soft_wrap=True)


class TerminalSink(Sink):
    """Prints sentences; a suspended terminal doesn't block the game."""

    word = "terminal"
    rule = Rule.QUEUES
    capacity = 256

    def __init__(self, console: Console, *, quiet: bool = False) -> None:
        """``quiet`` prints only the faults of sinks."""
        self._console, self._quiet = console, quiet

    def select(self, moment: Moment) -> tuple[str, ...] | None:
        return None if self._quiet and moment.output is not None else moment.sentences or None

    def process(self, data: tuple[str, ...]) -> None:
        for sentence in data:
            self._console.print(sentence)


class GameNightSink(Sink):
    """Collects a summary of each game; fast enough for the loop."""

    word = "game_night"

    def __init__(self) -> None:
        self.games: list[GameSummary] = []

    def select(self, moment: Moment) -> tuple[tuple[Happening, ...], tuple[Seat, ...]] | None:
        if not moment.happenings:
            return None
        return moment.happenings, () if moment.standing is None else moment.standing().seats

    def process(self, data: tuple[tuple[Happening, ...], tuple[Seat, ...]]) -> None:
        events, seats = data
        for event in events:
            if isinstance(event, broadcast.FeedBegan):
                self.games.append(GameSummary(event, datetime.now(), event.seats))
            elif self.games:
                self.games[-1].add_event(event)
        if self.games and len(seats) == len(self.games[-1].seats):
            self.games[-1].seats = seats
