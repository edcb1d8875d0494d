"""A table's feed at a broker: events by QoS 1; the newest state and the table's presence are retained.

Promises: each event arrives at least once and in order, even after an outage of the broker with at most
``MOST_EVENTS`` waiting; the retained state is the newest; a vanished table is announced by its last will.
"""

from __future__ import annotations

import contextlib
import json
import threading
from collections import deque
from collections.abc import Callable
from typing import Any

from armoon.messages import text
from armoon.party.tables.broker import Broker, asks_again, client_for, lets_in, reach

#: Number of events that wait for a broker that is gone, an evening's worth; then the oldest are lost, which is said.
MOST_EVENTS = 2000
#: Seconds to wait at the end for messages on their way.
LAST_S = 2.0
#: What the broker keeps for who comes later.
KEPT = ("here", "state")
HERE, GONE = (json.dumps({"here": here}).encode() for here in (True, False))


class Publisher:
    """Takes lines of the feed; no call of it waits for the network."""

    def __init__(self, broker: Broker, table: str, say: Callable[[str], None]) -> None:
        """``say`` hears sentences, from another thread. Raises ArmoonError without the extra."""
        self._broker, self._table, self._say = broker, table, say
        # Never held while the client is called: its callbacks come with locks of its own, and take this one.
        self._changed = threading.Condition()
        self._events: deque[bytes] = deque()
        """The oldest first: what the broker hasn't acknowledged."""
        self._kept: bytes | None = None
        """The newest state."""
        self._live: bytes | None = None
        self._due = set[str]()
        """What is to be sent besides events: ``here``, ``state``."""
        self._sending = False
        self._asks_again = False
        """It was refused for its version, and comes back with an older one."""
        self._connected = self._ends = self._complained = False
        self.lost = 0
        """Number of lost events."""
        self._client = client_for(broker)
        self._client.will_set(broker.topic(table, "here"), GONE, qos=1, retain=True)
        self._client.on_connect = self._on_connect
        self._client.on_connect_fail = lambda client, data: self._on_gone()
        self._client.on_disconnect = self._on_disconnect
        say(text("tables.begins", host=broker.host, prefix=broker.prefix, table=table))
        reach(self._client, broker)
        threading.Thread(target=self._run, name="publish", daemon=True).start()

    def write(self, line: bytes) -> None:
        """Write a line of the feed, without its end."""
        lost = 0
        with self._changed:
            if b'"state":' in line[:80]:
                self._kept = line
                self._due.add("state")
            elif b'"live":' in line[:80]:
                self._live = line if self._connected else None
            else:
                self._events.append(line)
                lost = len(self._events) - MOST_EVENTS
                for _ in range(lost):
                    del self._events[int(self._sending)]
            self._changed.notify_all()
        if lost > 0:
            self.lost += lost
            if self.lost == lost:
                self._say(text("tables.lost", host=self._broker.host))

    def close(self) -> None:
        """Say goodbye, and see what is on its way to its end, if the broker takes it in time."""
        with self._changed:
            idle = self._connected and self._changed.wait_for(
                lambda: not (self._events or self._due or self._sending), LAST_S
            )
            self._ends = True
            self._changed.notify_all()
        self._client.on_disconnect = None
        if idle:
            self._send("here", GONE)
            self._client.disconnect()

    def _on_connect(self, client: Any, data: Any, flags: Any, reason: Any, properties: Any) -> None:
        let_in = lets_in(client, reason)
        self._asks_again = asks_again(client, reason)
        if not let_in:
            if not self._asks_again:
                self._complain(text("tables.refused", host=self._broker.host, why=str(reason)))
            return
        with self._changed:
            self._connected, self._complained = True, False
            self._due.add("here")
            if self._kept is not None:  # a broker that was killed has forgotten it
                self._due.add("state")
            self._changed.notify_all()
        self._say(text("tables.there", host=self._broker.host))

    def _on_disconnect(self, client: Any, data: Any, flags: Any, reason: Any, properties: Any) -> None:
        if not self._asks_again:
            self._on_gone()

    def _on_gone(self) -> None:
        with self._changed:
            self._connected = False
        self._complain(text("tables.gone", host=self._broker.host))

    def _complain(self, sentence: str) -> None:
        if not self._complained:
            self._complained = True
            self._say(sentence)

    def _run(self) -> None:
        """Send what there is, one after the other: a state only after all events before it."""
        while (following := self._next()) is not None:
            self._send(*following)
            with self._changed:
                self._sending = False
                if following[0] == "event":
                    self._events.popleft()
                self._changed.notify_all()

    def _next(self) -> tuple[str, bytes] | None:
        with self._changed:
            self._changed.wait_for(
                lambda: self._ends or (self._connected and (self._events or self._due or self._live))
            )
            if self._ends:
                return None
            self._sending = True
            if "here" in self._due:
                self._due.discard("here")
                return "here", HERE
            if self._events:
                return "event", self._events[0]
            if "state" in self._due and self._kept is not None:
                self._due.discard("state")
                return "state", self._kept
            live, self._live = self._live or b"", None
            return "live", live

    def _send(self, what: str, content: bytes) -> None:
        """Until the broker has acknowledged it; the client sends it again when the broker comes back."""
        topic = self._broker.topic(self._table, what)
        sent = self._client.publish(topic, content, qos=0 if what == "live" else 1, retain=what in KEPT)
        # RuntimeError: there was no connection in this moment; the client has it and sends it first.
        with contextlib.suppress(ValueError, RuntimeError):
            patience_s = LAST_S
            while not self._ends or patience_s > 0.0:
                sent.wait_for_publish(0.5)
                if sent.is_published() or what == "live":
                    return
                patience_s -= 0.5 if self._ends else 0.0
