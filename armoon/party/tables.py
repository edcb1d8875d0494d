"""Publishes a table's feed to an MQTT broker, and lists the tables below a prefix. Messages are untrusted."""

from __future__ import annotations

import contextlib
import json
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from html import escape
from typing import Any
from urllib.parse import unquote, urlsplit

from armoon.broadcast import FeedState, LiveLine, Seat, Standing, StateLine, Words, decode_line
from armoon.codec import MalformedError, convert, parse
from armoon.errors import ArmoonError
from armoon.messages import centimetres, language, text
from armoon.party.html_page import render_dot, render_page
from armoon.values.text import Address

PORTS = {"mqtt": 1883, "mqtts": 8883}
#: MQTT keep-alive interval, seconds; after 1.5 times as long without packets, the broker reports the table as gone.
KEEP_ALIVE_S = 15
#: Timeout of a connection attempt, and first and maximum wait between attempts, seconds.
CONNECT_S, FIRST_WAIT_S, MAX_WAIT_S = 5.0, 1, 10
#: Maximum size of a packet, in bytes; a state with all ladders takes 60 kB.
MAX_BYTES = 1024 * 1024
#: Characters not allowed in a part of a topic.
FORBIDDEN = "+#/\0"
#: Reason code from brokers that support only MQTT 3.1.1: NATS, and mosquitto before 1.6.
_OTHER_VERSION = 132
#: Characters that NATS doesn't allow in topics, and the escape character, with their replacements.
_ESCAPES = {"%": "%25", " ": "%20", ".": "%2E"}
#: Maximum length of a table's name.
MAX_NAME_CHARS = 40


@dataclass(frozen=True)
class Broker:
    """A broker's address, and the prefix of the tables' topics."""

    host: str
    port: int
    prefix: str
    secured: bool
    user: str = ""
    password: str = field(default="", repr=False)

    def topic(self, table: str, kind: str) -> str:
        return "".join(_ESCAPES.get(character, character) for character in f"{self.prefix}/{table}/{kind}")


def parse_broker(address: Address, password: str = "") -> Broker:
    """Parse ``mqtt://[user[:password]@]host[:port]/prefix``. Raises ArmoonError for an invalid prefix."""
    parts = urlsplit(address.whole)
    prefix = unquote(parts.path.strip("/"))
    if any(character in prefix for character in "+#\0") or len(prefix.encode()) > 200:
        raise ArmoonError("tables.prefix")
    return Broker(
        parts.hostname or "",
        parts.port or PORTS[parts.scheme],
        prefix,
        parts.scheme == "mqtts",
        unquote(parts.username or ""),
        password or unquote(parts.password or ""),
    )


def table_name(wanted: str) -> str:
    kept = "".join(
        "-" if character in FORBIDDEN or not character.isprintable() else character
        for character in wanted.strip()
    )
    return kept[:MAX_NAME_CHARS] or "table"


def read_table_name(topic: str) -> str:
    name = "/".join(topic.split("/")[-2:-1])
    for character, written in reversed(_ESCAPES.items()):
        name = name.replace(written, character)
    return name


def create_client(broker: Broker) -> Any:
    """Return an unconnected client, which will reconnect automatically."""
    from paho.mqtt.client import Client
    from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

    client = Client(CallbackAPIVersion.VERSION2, protocol=MQTTProtocolVersion.MQTTv5)
    client.suppress_exceptions = True
    client.connect_timeout = CONNECT_S
    client.reconnect_delay_set(FIRST_WAIT_S, MAX_WAIT_S)
    if broker.user:
        client.username_pw_set(broker.user, broker.password or None)
    if broker.secured:
        client.tls_set()
    return client


def start_connecting(client: Any, broker: Broker) -> None:
    """Connect in the client's own thread, which repeats failed attempts."""
    from paho.mqtt.packettypes import PacketTypes
    from paho.mqtt.properties import Properties

    properties: Any = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
    properties.MaximumPacketSize = MAX_BYTES
    client.connect_async(broker.host, broker.port, KEEP_ALIVE_S, properties=properties)
    client.loop_start()


def find_refusal(client: Any, reason: Any) -> str | None:
    """Return the broker's reason for refusing the client; None: accepted; empty: the client will try MQTT 3.1.1."""
    from paho.mqtt.enums import MQTTProtocolVersion

    if reason.value != _OTHER_VERSION:
        return str(reason) if reason.is_failure else None
    # The client uses the same fallback from 3.1.1 to 3.1; it has no public method for this.
    client._protocol, client._clean_session = MQTTProtocolVersion.MQTTv311, True
    return ""


def subscribe_to_others(client: Any, topic: str) -> None:
    """Subscribe to other clients' messages; before MQTT 5, the client also gets its own."""
    from paho.mqtt.subscribeoptions import SubscribeOptions

    if client.protocol < 5:
        client.subscribe(topic)
        return
    client.subscribe(topic, options=SubscribeOptions(qos=0, noLocal=True))


#: Maximum numbers of tables that are shown, and that are counted.
MAX_TABLES, MAX_COUNTED = 200, 10_000


@dataclass(frozen=True)
class TableView:
    """The state of one table, from its messages."""

    name: str
    here: bool = False
    number: int = 0
    state: FeedState | None = None
    standing: Standing | None = None
    """The current standing; None if the table hasn't reported a game."""

    @property
    def turn(self) -> int:
        return 0 if self.standing is None else self.standing.turn

    @property
    def marked_seats(self) -> tuple[int | None, ...]:
        result = None if self.state is None else self.state.result
        return () if self.standing is None else (self.standing.on_turn, *(result.winners if result else ()))

    @property
    def last(self) -> Words | None:
        if self.state is None:
            return None
        result, line = self.state.result, self.state.told
        return result.words if result is not None else line[-1].words if line else None


class Tables:
    """The tables described by the messages so far, without a thread or a connection."""

    def __init__(self) -> None:
        self._views: dict[str, TableView] = {}
        self._lock = threading.Lock()
        self.unread = 0
        """Number of ignored messages: unreadable, or from a table beyond the maximum."""
        self._excess_names: set[str] = set()
        """Names of tables beyond the maximum."""

    def add_message(self, topic: str, content: bytes) -> bool:
        """Process a message; return False if it was ignored. Never raises."""
        name, kind = read_table_name(topic), topic.rpartition("/")[2]
        known = self._views.get(name) or TableView(name)
        is_full = name not in self._views and len(self._views) >= MAX_TABLES
        if is_full or not 0 < len(name) <= MAX_NAME_CHARS or len(content) > MAX_BYTES:
            self.unread += 1
            if is_full and len(name) <= MAX_NAME_CHARS and len(self._excess_names) < MAX_COUNTED:
                self._excess_names.add(name)
            return False
        try:
            view = _update_view(known, kind, content)
        except MalformedError:
            self.unread += 1
            return False
        with self._lock:
            self._views[name] = view
        return True

    @property
    def more(self) -> str:
        """A sentence about tables that aren't shown; empty if all are."""
        return text("tables.more", count=len(self._excess_names)) if self._excess_names else ""

    def rows(self) -> tuple[TableView, ...]:
        with self._lock:
            tables = tuple(self._views.values())
        return tuple(sorted(tables, key=lambda table: (not table.here, table.name.casefold(), table.name)))


def _update_view(known: TableView, kind: str, content: bytes) -> TableView:
    if kind == "here":
        return replace(known, here=convert(dict[str, bool], parse(content)).get("here", False))
    line = decode_line(content)
    if kind == "state" and isinstance(line, StateLine):
        standing = None if line.state is None else line.state.standing
        return replace(known, number=line.number, state=line.state, standing=standing)
    if kind == "live" and isinstance(line, LiveLine):
        # A live line of another game than the state would be shown with the wrong names.
        is_same_game = known.state is not None and line.number == known.number
        return replace(known, standing=line.live) if is_same_game else known
    raise MalformedError("not a line of this topic")


#: Interval at which a browser reloads the page, seconds.
RELOAD_S = 2


def localise(words: Words | None) -> str:
    return "" if words is None else str(getattr(words, language()))


def render_tables(prefix: str, rows: tuple[TableView, ...], more: str = "") -> str:
    """Return the tables as an HTML page; ``more``: a sentence about tables that aren't on it."""
    cards = "\n".join(map(_render_card, rows)) or f"<p>{escape(text('tables.none', prefix=prefix))}</p>"
    count = " · ".join(filter(None, (text("tables.count", count=sum(row.here for row in rows)), more)))
    head = f'<h1>{escape(prefix)}</h1>\n<p class="dim">{escape(count)}</p>'
    body = f'{head}\n<div class="cards">\n{cards}\n</div>'
    return render_page(prefix, language(), body, RELOAD_S)


def _render_card(table: TableView) -> str:
    parts = [f"<h3>{escape(table.name)}</h3>"]
    if not table.here:
        parts.append(f'<p class="dim">{escape(text("tables.away"))}</p>')
    if table.state is None or table.standing is None:
        parts.append(f'<p class="dim">{escape(text("tables.no_game"))}</p>')
    else:
        line = text("tables.turn", game=localise(table.state.began.title), turn=table.turn)
        parts.append(f'<p class="dim">{escape(line)}</p>')
        seats = enumerate(table.standing.seats)
        rows = (
            render_seat_row(seat, "out" if seat.out else "turn" if n in table.marked_seats else "")
            for n, seat in seats
        )
        parts.append(f"<table>{''.join(rows)}</table>")
        if table.standing.top_m > 0.0:
            parts.append(f"<p>{escape(text('tables.height', height=centimetres(table.standing.top_m)))}</p>")
        if table.last is not None:
            parts.append(f"<p>{escape(localise(table.last))}</p>")
    return f'<div class="card{"" if table.here else " away"}">' + "".join(parts) + "</div>"


def render_seat_row(seat: Seat, kind: str) -> str:
    """Return a player as a row of an HTML table; ``kind``: its CSS class, ``out``, ``turn`` or empty."""
    name = render_dot(seat.colour) + escape(seat.name)
    return f'<tr class="{kind}"><td>{name}</td><td class="n">{seat.score}</td></tr>'


class TablesListener(Tables):
    """The tables at a broker, updated over a connection that reconnects automatically."""

    def __init__(self, broker: Broker) -> None:
        super().__init__()
        self._broker = broker
        self.changed = threading.Event()
        """Set after each message and each change of the connection."""
        self.connected = False
        self.refused = ""
        """The broker's reason for refusing the connection; empty if it wasn't refused."""
        self._client = create_client(broker)
        self._client.on_connect = self._on_connect
        self._client.on_disconnect = self._on_connection_lost
        self._client.on_message = self._on_message
        start_connecting(self._client, broker)

    def close(self) -> None:
        self._client.on_disconnect = None
        self._client.disconnect()

    def _on_connect(self, client: Any, data: Any, flags: Any, reason: Any, properties: Any) -> None:
        refusal = find_refusal(client, reason)
        self.refused = refusal or ""
        if refusal is None:
            self.connected = True
            client.subscribe([(self._broker.topic("+", kind), 1) for kind in ("here", "state", "live")])
        self.changed.set()

    def _on_connection_lost(self, client: Any, data: Any, flags: Any, reason: Any, properties: Any) -> None:
        self.connected = False
        self.changed.set()

    def _on_message(self, client: Any, data: Any, message: Any) -> None:
        self.add_message(message.topic, message.payload)
        self.changed.set()


#: Maximum number of messages queued while the broker is unreachable (several hours); beyond it, the oldest is dropped.
MAX_EVENTS = 2000
#: Time to wait for pending messages at the end, seconds.
FAREWELL_S = 2.0
#: Kinds of messages that the broker retains.
RETAINED = ("here", "state")
HERE, GONE = (json.dumps({"here": here}).encode() for here in (True, False))


class Publisher:
    """Publishes the feed's lines to a broker; only ``close`` waits for the network."""

    def __init__(self, broker: Broker, table: str, notify: Callable[[str], None]) -> None:
        """``notify`` is called with messages for the players, also from another thread."""
        self._broker, self._table, self._notify = broker, table, notify
        # Must not be held while calling the client, whose callbacks hold its locks and acquire this one.
        self._changed = threading.Condition()
        self._waiting: deque[tuple[str, bytes]] = deque(maxlen=MAX_EVENTS)
        """Kind and content of each queued message, oldest first, with at most one state and one live line."""
        self._last_state: bytes | None = None
        self._is_sending = False
        self._is_falling_back = False
        """Whether the broker refused MQTT 5, so that the client will try an older version."""
        self._connected = self._is_closing = self._is_reported = False
        self.lost = 0
        self._client = create_client(broker)
        self._client.will_set(broker.topic(table, "here"), GONE, qos=1, retain=True)
        self._client.on_connect = self._on_connect
        self._client.on_connect_fail = lambda client, data: self._on_connection_lost()
        self._client.on_disconnect = self._on_disconnect
        notify(text("tables.begins", host=broker.host, prefix=broker.prefix, table=table))
        start_connecting(self._client, broker)
        threading.Thread(target=self._run, name="publish", daemon=True).start()

    def write(self, line: bytes) -> None:
        """Queue a line of the feed, without its newline."""
        lost = False
        with self._changed:
            if b'"state":' in line[:80]:
                self._last_state = line
                self._queue_newest("state", line)
            elif b'"live":' in line[:80]:
                if self._connected:
                    self._queue_newest("live", line)
            else:
                lost = len(self._waiting) == MAX_EVENTS
                self._waiting.append(("event", line))
            self._changed.notify_all()
        if lost:
            self.lost += 1
            if self.lost == 1:
                self._notify(text("tables.lost", host=self._broker.host))

    def _queue_newest(self, kind: str, line: bytes) -> None:
        others = (message for message in self._waiting if message[0] != kind)
        self._waiting = deque((*others, (kind, line)), MAX_EVENTS)

    def close(self) -> None:
        """Send the queued messages and the farewell, if the broker accepts them in time."""
        with self._changed:
            is_idle = self._connected and self._changed.wait_for(
                lambda: not (self._waiting or self._is_sending), FAREWELL_S
            )
            self._is_closing = True
            self._changed.notify_all()
        self._client.on_disconnect = None
        if is_idle:
            self._send("here", GONE)
            self._client.disconnect()

    def _on_connect(self, client: Any, data: Any, flags: Any, reason: Any, properties: Any) -> None:
        refusal = find_refusal(client, reason)
        self._is_falling_back = refusal == ""
        if refusal:
            self._report_once(text("tables.refused", host=self._broker.host, why=refusal))
        if refusal is not None:
            return
        client.publish(self._broker.topic(self._table, "here"), HERE, qos=1, retain=True)
        with self._changed:
            self._connected, self._is_reported = True, False
            if self._last_state is not None:  # a restarted broker may have lost it
                self._queue_newest("state", self._last_state)
            self._changed.notify_all()
        self._notify(text("tables.there", host=self._broker.host))

    def _on_disconnect(self, client: Any, data: Any, flags: Any, reason: Any, properties: Any) -> None:
        if not self._is_falling_back:
            self._on_connection_lost()

    def _on_connection_lost(self) -> None:
        with self._changed:
            self._connected = False
        self._report_once(text("tables.gone", host=self._broker.host))

    def _report_once(self, sentence: str) -> None:
        if not self._is_reported:
            self._is_reported = True
            self._notify(sentence)

    def _run(self) -> None:
        """Send queued messages in order, a state only after all earlier events."""
        while True:
            with self._changed:
                self._is_sending = False
                self._changed.notify_all()
                self._changed.wait_for(lambda: self._is_closing or (self._connected and self._waiting))
                if self._is_closing:
                    return
                self._is_sending = True
                kind, line = self._waiting.popleft()
            self._send(kind, line)

    def _send(self, kind: str, content: bytes) -> None:
        """Send a message and wait for its acknowledgement; the client resends it after reconnecting."""
        topic = self._broker.topic(self._table, kind)
        sent = self._client.publish(topic, content, qos=0 if kind == "live" else 1, retain=kind in RETAINED)
        # RuntimeError: not connected at the moment; the client has queued it.
        with contextlib.suppress(ValueError, RuntimeError):
            remaining_s = FAREWELL_S
            while not self._is_closing or remaining_s > 0.0:
                sent.wait_for_publish(0.5)
                if sent.is_published() or kind == "live":
                    return
                remaining_s -= 0.5 if self._is_closing else 0.0
