"""Listens to a broker for all tables of a prefix."""

from __future__ import annotations

import threading
from typing import Any

from armoon.party.tables.broker import Broker, check_installed, client_for, reach
from armoon.party.tables.seen import Row, Tables


class Listener:
    """Follows all tables, and comes back when the broker was gone."""

    def __init__(self, broker: Broker) -> None:
        """Begins to listen. Raises ArmoonError without the extra."""
        check_installed()
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

    def close(self) -> None:
        """Listen no more."""
        self._client.on_disconnect = None
        self._client.disconnect()

    def _on_connect(self, client: Any, data: Any, flags: Any, reason: Any, properties: Any) -> None:
        if reason.is_failure:
            self.refused = str(reason)
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
