"""Over a broker, where tables are far from each other: all of them dial out, and it hands each packet to all others.

What it hands on is encrypted (``seal``). Nothing is kept there or promised: what is lost is asked for again.
"""

from __future__ import annotations

from collections import deque
from contextlib import suppress
from typing import Any

from armoon.party.tables import Broker, client_for, hear_others, lets_in, reach
from armoon.remote.wire import Box

#: Number of our own packets to recognise when a broker hands them back: some seconds' worth.
_OWN_PACKETS = 512


class OverBroker:
    """One table's end; in a thread of the client's own, which connects again as often as the line breaks."""

    def __init__(self, broker: Broker, room: str) -> None:
        """Begin to connect; ``room`` names the game there. Raises ArmoonError without the extra."""
        self._topic = broker.topic(room, "tables")
        self._inbox = Box()
        self._connected = False
        self._own: deque[bytes] = deque(maxlen=_OWN_PACKETS)
        self._client = client_for(broker)
        self._client.on_connect = self._on_connect
        self._client.on_disconnect = self._on_disconnect
        self._client.on_message = self._on_message
        reach(self._client, broker)

    @property
    def up(self) -> bool:
        return self._connected

    def send(self, packet: bytes) -> None:
        """Send a packet; it is lost while the line is broken."""
        if self._connected:
            if self._client.protocol < 5:  # only from version 5 on a broker can leave out our own
                self._own.append(packet)
            self._client.publish(self._topic, packet, qos=0)

    def take(self) -> list[bytes]:
        return self._inbox.take()

    def close(self) -> None:
        self._connected = False
        with suppress(OSError, ValueError):
            self._client.disconnect()
        self._client.loop_stop()

    def _on_message(self, client: Any, data: Any, message: Any) -> None:
        packet = bytes(message.payload)
        if packet in self._own:
            self._own.remove(packet)
        else:
            self._inbox.put(packet)

    def _on_connect(self, client: Any, data: Any, flags: Any, reason: Any, properties: Any) -> None:
        if lets_in(client, reason):
            hear_others(client, self._topic)
            self._connected = True

    def _on_disconnect(self, client: Any, data: Any, flags: Any, reason: Any, properties: Any) -> None:
        self._connected = False
