"""How packets reach the other tables, without a guarantee.

On a network by a WebSocket server at the host, which hands each packet on; else by a broker that all dial. Both use
threads. Packets come encrypted (``seal``), so a host needs no certificate; lost ones are asked for again.
"""

from __future__ import annotations

import threading
from collections import deque
from contextlib import suppress
from typing import Any, Protocol

from websockets.exceptions import WebSocketException
from websockets.sync.client import connect
from websockets.sync.server import Server, serve

from armoon.errors import ArmoonError
from armoon.messages import text
from armoon.party.tables import Broker, client_for, hear_others, lets_in, reach
from armoon.remote.kinds import MOST_TABLES
from armoon.remote.seal import LARGEST_PACKET

#: Packets that wait for the loop, or for the line, at most: minutes of a game.
MOST_WAITING = 8192
#: Seconds for a connection, between two tries, and after which a silent one is given up.
CONNECT_S, AGAIN_S, SILENT_S = 4.0, 0.5, 6.0
#: Seconds to send the rest at the end.
END_S = 2.0
#: Number of our own packets to recognise when a broker hands them back: some seconds' worth.
_OWN_PACKETS = 512
_LIMITS: dict[str, Any] = {
    "max_size": LARGEST_PACKET,
    "ping_interval": SILENT_S / 2,
    "ping_timeout": SILENT_S,
    "compression": None,
    "open_timeout": CONNECT_S,
    "close_timeout": 1.0,
}


class Wire(Protocol):
    """One table's way to all others. No call of it waits."""

    @property
    def up(self) -> bool:
        """What is sent now goes out at once; else it waits until the line is back, or is lost."""

    def send(self, packet: bytes) -> None:
        """Send a packet to all other tables."""

    def take(self) -> list[bytes]:
        """Return the packets that have come since the last call, in the order in which they came."""

    def close(self) -> None:
        """Send what waits, within a short time, and end."""


class Box:
    """Packets from another thread, the oldest first; where there are too many the oldest give way."""

    def __init__(self) -> None:
        self._packets: deque[bytes] = deque(maxlen=MOST_WAITING)
        self._lock = threading.Condition()
        self._closed = False

    def put(self, packet: bytes) -> None:
        with self._lock:
            self._packets.append(packet)
            self._lock.notify_all()

    def close(self) -> None:
        """Wake who waits; nothing more comes."""
        with self._lock:
            self._closed = True
            self._lock.notify_all()

    def take(self, wait_s: float = 0.0) -> list[bytes]:
        """Return all that is there; waits for the first, if asked to."""
        with self._lock:
            if wait_s and not self._packets and not self._closed:
                self._lock.wait(wait_s)
            packets = list(self._packets)
            self._packets.clear()
        return packets


class _Line:
    """One connection, with a thread that sends what waits."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self.out = Box()
        self._ended = threading.Event()
        self._sender = threading.Thread(target=self._send, name="remote out", daemon=True)
        self._sender.start()

    def _send(self) -> None:
        with suppress(WebSocketException, OSError):
            while not self._ended.is_set():
                for packet in self.out.take(0.5):
                    self._connection.send(packet)

    def end(self) -> None:
        """Send nothing more: the connection is broken."""
        self._ended.set()
        self.out.close()

    def finish(self) -> None:
        """Send what waits, then end."""
        self.end()
        self._sender.join(END_S)
        with suppress(WebSocketException, OSError):
            for packet in self.out.take():
                self._connection.send(packet)
            self._connection.close()


class LanHost:
    """The host's end: listens, and is one of those who hear."""

    def __init__(self, address: str, port: int) -> None:
        """Listen at an address of this machine; port 0: any. Raises ArmoonError."""
        self._inbox = Box()
        self._lines: set[_Line] = set()
        self._lock = threading.Lock()
        try:
            self._server: Server = serve(self._hear, address, port, **_LIMITS)
        except OSError as error:
            why = text("remote.no_port", port=port, why=error.strerror or "")
            raise ArmoonError(why, remedy=text("remote.no_port_remedy")) from error
        self.port: int = self._server.socket.getsockname()[1]
        self._thread = threading.Thread(target=self._server.serve_forever, name="remote host", daemon=True)
        self._thread.start()

    @property
    def up(self) -> bool:
        return True

    def send(self, packet: bytes) -> None:
        self._pass_on(packet, None)

    def take(self) -> list[bytes]:
        return self._inbox.take()

    def close(self) -> None:
        with self._lock:
            lines = list(self._lines)
        for line in lines:
            line.finish()
        self._server.shutdown()
        self._thread.join(END_S)

    def _pass_on(self, packet: bytes, sender: _Line | None) -> None:
        with self._lock:
            for line in self._lines - {sender}:
                line.out.put(packet)

    def _hear(self, connection: Any) -> None:
        with self._lock:
            # A guest that comes back may still have its old connection here, so there is some room.
            if len(self._lines) >= 2 * MOST_TABLES:
                return
            line = _Line(connection)
            self._lines.add(line)
        try:
            for packet in connection:
                if isinstance(packet, bytes):
                    self._inbox.put(packet)
                    self._pass_on(packet, line)
        except (WebSocketException, OSError):
            pass
        finally:
            with self._lock:
                self._lines.discard(line)
            line.end()


class LanGuest:
    """A guest's end: dials, and dials again as often as the line breaks."""

    def __init__(self, address: str) -> None:
        """Start dialling ``ws://HOST:PORT``."""
        self._address = address
        self._inbox = Box()
        self._line: _Line | None = None
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._live, name="remote guest", daemon=True)
        self._thread.start()

    @property
    def up(self) -> bool:
        return self._line is not None

    def send(self, packet: bytes) -> None:
        """Send a packet; it is lost while the line is broken."""
        line = self._line
        if line is not None:
            line.out.put(packet)

    def take(self) -> list[bytes]:
        return self._inbox.take()

    def close(self) -> None:
        self._ends.set()
        line = self._line
        if line is not None:
            line.finish()
        self._thread.join(END_S)

    def _live(self) -> None:
        while not self._ends.is_set():
            try:
                with connect(self._address, **_LIMITS) as connection:
                    self._line = _Line(connection)
                    for packet in connection:
                        if isinstance(packet, bytes):
                            self._inbox.put(packet)
            except (WebSocketException, OSError):
                pass
            finally:
                line, self._line = self._line, None
                if line is not None:
                    line.end()
            self._ends.wait(AGAIN_S)


class OverBroker:
    """One table's end; in a thread of the client's own, which connects again as often as the line breaks."""

    def __init__(self, broker: Broker, room: str) -> None:
        """Begin to connect; ``room`` names the game there."""
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
