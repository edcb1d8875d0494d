"""All tables of a prefix, from the broker's messages; these are untrusted, so they are read with care."""

from __future__ import annotations

from dataclasses import dataclass, replace

from armoon.broadcast.happenings import Seat, Standing, Words
from armoon.broadcast.lines import LiveLine, State, StateLine, read_line
from armoon.codec import MalformedError, convert, parse
from armoon.party.tables.broker import LARGEST_BYTES, LONGEST_NAME

#: More than these aren't looked at.
MOST_TABLES = 200


@dataclass(frozen=True)
class Here:
    """Whether a table is there."""

    here: bool


@dataclass(frozen=True)
class Seen:
    """One table."""

    name: str
    here: bool = False
    number: int = 0
    state: State | None = None
    standing: Standing | None = None
    """The present state; None if no game was reported."""


@dataclass(frozen=True)
class Row:
    """A table as the page shows it."""

    name: str
    here: bool
    game: Words | None
    """None: no game is under way."""
    seats: tuple[Seat, ...] = ()
    on_turn: int | None = None
    turn: int = 0
    top_m: float = 0.0
    over: bool = False
    last: Words | None = None
    """The result, else the last verdict or move."""
    winners: tuple[int, ...] = ()


class Tables:
    """The messages received so far; it has no thread and no network of its own."""

    def __init__(self) -> None:
        self._seen: dict[str, Seen] = {}
        self.unread = 0
        """Messages that couldn't be read, or were of too many tables."""

    def take(self, topic: str, content: bytes) -> bool:
        """Take a message; return False if nothing can be made of it. Never raises."""
        name, _, what = topic.rpartition("/")
        name = name.rpartition("/")[2]
        known = self._seen.get(name) or Seen(name)
        full = name not in self._seen and len(self._seen) >= MOST_TABLES
        if full or not 0 < len(name) <= LONGEST_NAME or len(content) > LARGEST_BYTES:
            self.unread += 1
            return False
        try:
            self._seen[name] = _told(known, what, content)
        except MalformedError:
            self.unread += 1
            return False
        return True

    def rows(self) -> tuple[Row, ...]:
        """All tables: those that are there first, each by its name."""
        seen = sorted(self._seen.values(), key=lambda one: (not one.here, one.name.casefold(), one.name))
        return tuple(map(_row, seen))


def _told(known: Seen, what: str, content: bytes) -> Seen:
    """Return what is known of a table after a message. Raises MalformedError."""
    if what == "here":
        return replace(known, here=convert(Here, parse(content), exact=True).here)
    line = read_line(content)
    if what == "state" and isinstance(line, StateLine):
        standing = None if line.state is None else line.state.standing
        return replace(known, number=line.number, state=line.state, standing=standing)
    if what == "live" and isinstance(line, LiveLine):
        # A live line of another game than the state that is kept would be read with the wrong names.
        same = known.state is not None and line.number == known.number
        return replace(known, standing=line.live) if same else known
    raise MalformedError("no line of this topic")


def _row(seen: Seen) -> Row:
    state, standing = seen.state, seen.standing
    if state is None or standing is None:
        return Row(seen.name, seen.here, None)
    result = state.result
    last = result.words if result is not None else state.told[-1].words if state.told else None
    return Row(
        seen.name,
        seen.here,
        state.began.title,
        standing.seats,
        standing.on_turn,
        standing.turn,
        standing.top_m,
        standing.over,
        last,
        () if result is None else result.winners,
    )
