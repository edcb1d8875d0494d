"""The feed as a sink: happenings, numbered, and the table's state, as lines for other programs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from armoon.broadcast.happenings import Closed, Happening, Paused, Standing
from armoon.broadcast.lines import Book, encode_line
from armoon.sinks.moment import Moment
from armoon.sinks.sink import NamedSink, Rule

#: Minimum interval of the table's state between events, seconds.
LIVE_EVERY_S = 0.2


@dataclass(frozen=True)
class Told:
    """The part of a moment that is passed on."""

    at_s: float
    happened: tuple[Happening, ...]
    standing: Standing | None
    ended: bool


class FeedSink(NamedSink):
    """Write lines; a slow receiver misses some, and the game never waits."""

    word = "feed"
    rule = Rule.QUEUES
    #: Ten seconds of events and states.
    capacity = 64

    def __init__(self, write: Callable[[bytes], None], close: Callable[[], None] = lambda: None) -> None:
        """``write`` takes a line without its end; ``close`` is called after the last."""
        self._write, self._close = write, close
        self._book = Book()
        self._told_s: float | None = None
        self._paused = False

    def part(self, moment: Moment) -> Told | None:
        """Return the happenings, and now and then the standing."""
        if moment.happened is None:
            return Told(moment.now_s, (), None, ended=True) if moment.ended else None
        happened = moment.happened()
        due = self._told_s is None or not 0.0 <= moment.now_s - self._told_s < LIVE_EVERY_S
        if not (happened or due or moment.ended):
            return None
        self._told_s = moment.now_s
        standing = None if moment.standing is None else moment.standing()
        return Told(moment.now_s, happened, standing, moment.ended)

    def take(self, part: Told) -> None:
        """Write the lines of it."""
        happened = list(part.happened)
        standing = part.standing
        if standing is not None and standing.paused != self._paused:
            self._paused = standing.paused
            happened.append(Paused(standing.paused))
        if part.ended:
            happened.append(Closed(standing is not None and standing.over))
        lines = [encode_line(self._book.note(part.at_s, one)) for one in happened]
        live = None if standing is None else self._book.see(part.at_s, standing)
        if happened:
            lines.append(encode_line(self._book.state(part.at_s)))
        elif live is not None:
            lines.append(encode_line(live))
        for line in lines:
            self._write(line)

    def close(self) -> None:
        """Nothing more comes."""
        self._close()
