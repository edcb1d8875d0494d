"""All tables of a prefix, from the broker's messages, and as a page on disk that a browser reloads periodically.

The messages are untrusted, so they are read with care.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace
from typing import Any

from armoon.broadcast.happenings import Seat, Standing, Words
from armoon.broadcast.lines import LiveLine, State, StateLine, read_line
from armoon.codec import MalformedError, convert, parse
from armoon.messages import language, text
from armoon.messages.numbers import centimetres
from armoon.party.paper import dot, page, said
from armoon.party.tables.broker import (
    LARGEST_BYTES,
    LONGEST_NAME,
    Broker,
    asks_again,
    client_for,
    lets_in,
    reach,
    table_in,
)

#: Maximum number of tables that are shown, and that are counted.
MOST_TABLES, MOST_COUNTED = 200, 10_000


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
        self._others: set[str] = set()
        """Tables for which there is no room."""

    def take(self, topic: str, content: bytes) -> bool:
        """Take a message; return False if nothing can be made of it. Never raises."""
        name, what = table_in(topic), topic.rpartition("/")[2]
        known = self._seen.get(name) or Seen(name)
        full = name not in self._seen and len(self._seen) >= MOST_TABLES
        if full or not 0 < len(name) <= LONGEST_NAME or len(content) > LARGEST_BYTES:
            self.unread += 1
            if full and len(name) <= LONGEST_NAME and len(self._others) < MOST_COUNTED:
                self._others.add(name)
            return False
        try:
            self._seen[name] = _told(known, what, content)
        except MalformedError:
            self.unread += 1
            return False
        return True

    @property
    def more(self) -> str:
        """A sentence about tables that aren't shown; empty where all are."""
        return text("tables.more", count=len(self._others)) if self._others else ""

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


#: Interval at which a browser reads the page.
AGAIN_S = 2


def spoken(words: Words | None) -> str:
    """Words of a feed in the language of the house."""
    return "" if words is None else str(getattr(words, language()))


def tables_page(prefix: str, rows: tuple[Row, ...], more: str = "") -> str:
    """Return the page; ``more`` speaks of tables that aren't on it."""
    cards = "\n".join(map(_card, rows)) or f"<p>{said(text('tables.none', prefix=prefix))}</p>"
    count = " · ".join(filter(None, (text("tables.count", count=sum(row.here for row in rows)), more)))
    body = f'<h1>{said(prefix)}</h1>\n<p class="dim">{said(count)}</p>\n<div class="cards">\n{cards}\n</div>'
    return page(prefix, language(), body, AGAIN_S)


def _card(row: Row) -> str:
    parts = [f"<h3>{said(row.name)}</h3>"]
    if not row.here:
        parts.append(f'<p class="dim">{said(text("tables.away"))}</p>')
    if row.game is None:
        parts.append(f'<p class="dim">{said(text("tables.no_game"))}</p>')
    else:
        told = text("tables.turn", game=spoken(row.game), turn=row.turn)
        parts.append(f'<p class="dim">{said(told)}</p>')
        parts.append("<table>" + "".join(_seat(row, number) for number in range(len(row.seats))) + "</table>")
        if row.top_m > 0.0:
            parts.append(f"<p>{said(text('tables.height', height=centimetres(row.top_m)))}</p>")
        if row.last is not None:
            parts.append(f"<p>{said(spoken(row.last))}</p>")
    return f'<div class="card{"" if row.here else " away"}">' + "".join(parts) + "</div>"


def _seat(row: Row, number: int) -> str:
    seat = row.seats[number]
    kind = "out" if seat.out else "turn" if number == row.on_turn or number in row.winners else ""
    return (
        f'<tr class="{kind}"><td>{dot(seat.colour)}{said(seat.name)}</td><td class="n">{seat.score}</td></tr>'
    )


class Listener:
    """Follows all tables, and comes back when the broker was gone."""

    def __init__(self, broker: Broker) -> None:
        """Begins to listen. Raises ArmoonError without the extra."""
        self._broker = broker
        self._tables = Tables()
        self._lock = threading.Lock()
        self.heard = threading.Event()
        """Something came in since it was cleared."""
        self.connected = False
        self.refused = ""
        """Why the broker doesn't let us in; empty: it does, or is still to be asked."""
        self._client = client_for(broker)
        self._client.on_connect = self._on_connect
        self._client.on_disconnect = self._on_gone
        self._client.on_message = self._on_message
        reach(self._client, broker)

    def rows(self) -> tuple[Row, ...]:
        """All tables as they stand."""
        with self._lock:
            return self._tables.rows()

    @property
    def unread(self) -> int:
        """Messages that couldn't be read."""
        return self._tables.unread

    @property
    def more(self) -> str:
        """A sentence about tables that aren't shown; empty where all are."""
        with self._lock:
            return self._tables.more

    def close(self) -> None:
        """Listen no more."""
        self._client.on_disconnect = None
        self._client.disconnect()

    def _on_connect(self, client: Any, data: Any, flags: Any, reason: Any, properties: Any) -> None:
        if not lets_in(client, reason):
            self.refused = "" if asks_again(client, reason) else str(reason)
        else:
            self.connected, self.refused = True, ""
            client.subscribe([(self._broker.topic("+", what), 1) for what in ("here", "state", "live")])
        self.heard.set()

    def _on_gone(self, client: Any, data: Any, flags: Any, reason: Any, properties: Any) -> None:
        self.connected = False
        self.heard.set()

    def _on_message(self, client: Any, data: Any, message: Any) -> None:
        with self._lock:
            self._tables.take(message.topic, message.payload)
        self.heard.set()
