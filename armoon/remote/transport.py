"""Unreliable transport of packets between tables.

In a local network the host runs a WebSocket server that relays each packet; otherwise all tables connect to a broker.
Both use threads. Packets are encrypted (``seal``), so a host needs no certificate; lost ones are requested again. A
packet that isn't signed and encrypted for this game is neither queued nor relayed.
"""

from __future__ import annotations

import socket
import threading
import time
from collections import Counter, deque
from contextlib import suppress
from typing import Any, Protocol

from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.sync.client import connect
from websockets.sync.server import Server, serve

from armoon.errors import ArmoonError
from armoon.messages import text
from armoon.party.tables import Broker, check_accepted, create_client, start_connecting, subscribe_to_others
from armoon.remote.kinds import MAX_TABLES, RefusalReason
from armoon.remote.nearby import PATH, SILENT, LinkRequest, LinkRequests
from armoon.remote.seal import LARGEST_PACKET, Seal, UnsealedError

#: Maximum bytes queued for the loop or for one connection: most of a minute of a game.
QUEUE_BYTES = 1 << 20
#: Time limit for a connection's first packet of the game, seconds; maximum connections that haven't sent one, from one
#: address and in total. Beyond that, the oldest of the busiest address is closed.
FIRST_S, MAX_FROM_ONE, MAX_NEW = 3.0, 4, 16
#: Number of tables whose last packet number is remembered, so that a replayed packet admits no one.
MAX_NUMBERS = 64
#: WebSocket close codes of refusals.
CODES = {4001: RefusalReason.KEY, 4002: RefusalReason.FULL}
_CODE_OF = {why: code for code, why in CODES.items()}
#: Timeout of connecting, interval of attempts, and time after which a silent connection is closed, seconds.
CONNECT_S, RETRY_S, SILENT_S = 4.0, 0.5, 6.0
#: Time limit for sending the rest at the end, seconds.
END_S = 2.0
_LIMITS: dict[str, Any] = {
    "max_size": LARGEST_PACKET,
    "ping_interval": SILENT_S / 2,
    "ping_timeout": SILENT_S,
    "compression": None,
    "close_timeout": 1.0,
    "max_queue": 1,
}


class Wire(Protocol):
    """One table's connection to all others. No method blocks."""

    @property
    def is_connected(self) -> bool:
        """Whether packets are sent at once; otherwise they wait for the connection or are lost."""

    def send(self, packet: bytes) -> None:
        """Send a packet to all other tables."""

    def drain_packets(self) -> list[bytes]:
        """Return the packets received since the last call, in order."""

    def close(self) -> None:
        """Send the queued packets within a short time and close."""


class PacketQueue:
    """Packets from another thread, oldest first, at most ``QUEUE_BYTES``."""

    def __init__(self) -> None:
        self._packets: deque[bytes] = deque()
        self.waiting_bytes = 0
        self.closed = False
        self._lock = threading.Condition()

    def put(self, packet: bytes) -> bool:
        """Add a packet; return False if there is no room."""
        with self._lock:
            if self._packets and self.waiting_bytes + len(packet) > QUEUE_BYTES:
                return False
            self._packets.append(packet)
            self.waiting_bytes += len(packet)
            self._lock.notify_all()
        return True

    def close(self) -> None:
        with self._lock:
            self.closed = True
            self._lock.notify_all()

    def drain_packets(self, wait_s: float = 0.0) -> list[bytes]:
        """Return all packets; wait up to ``wait_s`` seconds for the first."""
        with self._lock:
            if wait_s and not self._packets and not self.closed:
                self._lock.wait(wait_s)
            packets = list(self._packets)
            self._packets.clear()
            self.waiting_bytes = 0
        return packets


def _shut_down(line: socket.socket) -> None:
    with suppress(OSError):
        line.shutdown(socket.SHUT_RDWR)


class Connection:
    """One connection, with a thread that sends queued packets."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self.out = PacketQueue()
        self._sender = threading.Thread(target=self._send, name="remote out", daemon=True)
        self._sender.start()

    def put(self, packet: bytes) -> None:
        """Queue a packet; a connection that is too slow is closed, and its table requests the missing packets later."""
        if not self.out.put(packet):
            self.cut()

    def _send(self) -> None:
        with suppress(WebSocketException, OSError):
            while not self.out.closed:
                for packet in self.out.drain_packets(0.5):
                    self._connection.send(packet)

    def cut(self) -> None:
        self.out.close()
        _shut_down(self._connection.socket)

    def finish(self) -> None:
        """Send the queued packets, then stop."""
        self.out.close()
        self._sender.join(END_S)
        with suppress(WebSocketException, OSError):
            for packet in self.out.drain_packets():
                self._connection.send(packet)
            self._connection.close()


class PendingConnections:
    """Connections that haven't sent a packet of the game yet."""

    def __init__(self) -> None:
        self._began: dict[socket.socket, tuple[str, float]] = {}
        """Address and start time, seconds, by connection, oldest first."""
        self._lock = threading.Lock()

    def add(self, line: socket.socket, address: str) -> None:
        with self._lock:
            self._began[line] = address, time.monotonic()
            ((busiest, most),) = Counter(where for where, _ in self._began.values()).most_common(1)
            if most > MAX_FROM_ONE or len(self._began) > MAX_NEW:
                oldest = next(key for key, (where, _) in self._began.items() if where == busiest)
                del self._began[oldest]
                _shut_down(oldest)

    def remove(self, line: socket.socket) -> None:
        with self._lock:
            self._began.pop(line, None)

    def close(self) -> None:
        with self._lock:
            for line in self._began:
                _shut_down(line)

    def left_s(self, line: socket.socket) -> float:
        """Return the time until the first packet is due, seconds; 0 for a connection that was displaced."""
        with self._lock:
            _, began_s = self._began.get(line, ("", 0.0))
        return max(0.0, began_s + FIRST_S - time.monotonic())


class LanHost:
    """The host's end in a local network: listens and relays."""

    def __init__(self, address: str, port: int, seal: Seal) -> None:
        """Listen at an address of this machine; port 0: any. Raises ArmoonError."""
        self._seal = seal
        self.requests: LinkRequests | None = None
        """Requests for the link, if the host answers them."""
        self._inbox = PacketQueue()
        self.drain_packets = self._inbox.drain_packets
        self._lines: dict[str, Connection] = {}
        """Connections by table; a returning table replaces its old one."""
        self._numbers: dict[str, int] = {}
        """Number of the last packet by table."""
        self._pending = PendingConnections()
        self._lock = threading.Lock()
        try:
            self._server: Server = serve(
                self._serve_guest,
                address,
                port,
                origins=[None],
                open_timeout=FIRST_S,
                logger=SILENT,
                **_LIMITS,
            )
        except OSError as error:
            reason = text("remote.no_port", port=port, why=error.strerror or "")
            raise ArmoonError(reason, remedy=text("remote.no_port_remedy")) from error
        self.port: int = self._server.socket.getsockname()[1]
        self._serve, self._server.handler = self._server.handler, self._accept
        self._thread = threading.Thread(target=self._server.serve_forever, name="remote host", daemon=True)
        self._thread.start()

    @property
    def is_connected(self) -> bool:
        return True

    def send(self, packet: bytes) -> None:
        self._relay(packet, None)

    def close(self) -> None:
        with self._lock:
            lines = list(self._lines.values())
        for line in lines:
            line.finish()
        self._pending.close()
        if self.requests is not None:
            self.requests.close()
        self._server.shutdown()
        self._thread.join(END_S)

    def _relay(self, packet: bytes, sender: Connection | None) -> None:
        with self._lock:
            lines = [line for line in self._lines.values() if line is not sender]
        for line in lines:
            line.put(packet)

    def _accept(self, line: socket.socket, address: Any) -> None:
        self._pending.add(line, address[0])
        try:
            self._serve(line, address)
        finally:
            self._pending.remove(line)

    def _serve_guest(self, connection: Any) -> None:
        line, table = None, ""
        try:
            if self.requests is not None and connection.request.path == PATH:
                request = LinkRequest(connection, lambda: self._pending.left_s(connection.socket))
                self._pending.remove(connection.socket)
                self.requests.answer(request)
                return
            while line is None:
                packet = connection.recv(self._pending.left_s(connection.socket))
                table, is_new = self._check_sender(packet)
                line = self._admit(table, connection) if is_new else None
            while True:
                self._inbox.put(packet)
                self._relay(packet, line)
                packet = connection.recv()
                self._check_sender(packet)
        except UnsealedError:
            connection.close(_CODE_OF[RefusalReason.KEY])
        except (WebSocketException, OSError, ValueError):  # also TimeoutError: no packet of the game in time
            pass
        finally:
            if line is not None:
                line.out.close()
                with self._lock:
                    if self._lines.get(table) is line:
                        del self._lines[table]

    def _check_sender(self, packet: object) -> tuple[str, bool]:
        """Return a packet's sender, and whether it is newer than the sender's others. Raises UnsealedError."""
        table, number = self._seal.sender(packet)
        with self._lock:
            last = self._numbers.pop(table, 0)
            self._numbers[table] = max(last, number)
            if len(self._numbers) > MAX_NUMBERS:
                del self._numbers[next(iter(self._numbers))]
        return table, number > last

    def _admit(self, table: str, connection: Any) -> Connection | None:
        with self._lock:
            before = self._lines.pop(table, None)
            if len(self._lines) >= 2 * MAX_TABLES:
                line = None
            else:
                line = self._lines[table] = Connection(connection)
        self._pending.remove(connection.socket)
        if before is not None:
            before.cut()
        if line is None:
            connection.close(_CODE_OF[RefusalReason.FULL])
        return line


class LanGuest:
    """A guest's end in a local network: connects, and reconnects whenever the connection breaks."""

    def __init__(self, address: str, seal: Seal) -> None:
        """Start connecting to ``ws://HOST:PORT``."""
        self._address, self._seal = address, seal
        self._inbox = PacketQueue()
        self.drain_packets = self._inbox.drain_packets
        self._line: Connection | None = None
        self.refused: RefusalReason | None = None
        """The host's reason for closing the last connection, if given."""
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._reconnect, name="remote guest", daemon=True)
        self._thread.start()

    @property
    def is_connected(self) -> bool:
        return self._line is not None

    def send(self, packet: bytes) -> None:
        line = self._line
        if line is not None:
            line.put(packet)

    def close(self) -> None:
        self._closing.set()
        line = self._line
        if line is not None:
            line.finish()
        self._thread.join(END_S)

    def _reconnect(self) -> None:
        while not self._closing.is_set():
            try:
                with connect(self._address, open_timeout=CONNECT_S, logger=SILENT, **_LIMITS) as connection:
                    self._line = Connection(connection)
                    while True:
                        packet = connection.recv()
                        self._seal.sender(packet)
                        self._inbox.put(packet)
            except ConnectionClosed as error:
                self.refused = CODES.get(error.rcvd.code if error.rcvd is not None else 0)
            except (UnsealedError, WebSocketException, OSError):
                pass
            finally:
                line, self._line = self._line, None
                if line is not None:
                    line.out.close()
            self._closing.wait(RETRY_S)


class BrokerClient:
    """One table's end at a broker; the client's own thread reconnects whenever the connection breaks."""

    def __init__(self, broker: Broker, room: str, seal: Seal) -> None:
        """Start connecting; ``room``: the game's name at the broker."""
        self._seal = seal
        self._topic = broker.topic(room, "tables")
        self._leaving: deque[tuple[Any, int]] = deque()
        """Packets on their way to the broker, with their lengths."""
        self._inbox = PacketQueue()
        self.drain_packets = self._inbox.drain_packets
        self._connected = False
        self._client = create_client(broker)
        self._client.on_connect = self._on_connect
        self._client.on_disconnect = self._on_disconnect
        self._client.on_message = self._on_message
        start_connecting(self._client, broker)

    @property
    def is_connected(self) -> bool:
        return self._connected

    def send(self, packet: bytes) -> None:
        if not self._connected:
            return
        while self._leaving and self._leaving[0][0].is_published():
            self._leaving.popleft()
        if self._leaving and sum(length for _, length in self._leaving) + len(packet) > QUEUE_BYTES:
            return
        sent = self._client.publish(self._topic, packet, qos=0)
        if not sent.rc:
            self._leaving.append((sent, len(packet)))

    def close(self) -> None:
        self._connected = False
        with suppress(OSError, ValueError):
            self._client.disconnect()
        self._client.loop_stop()

    def _on_message(self, client: Any, data: Any, message: Any) -> None:
        packet = bytes(message.payload)  # before MQTT 5 perhaps one of our own, which nobody reads
        with suppress(UnsealedError):
            self._seal.sender(packet)
            self._inbox.put(packet)

    def _on_connect(self, client: Any, data: Any, flags: Any, reason: Any, properties: Any) -> None:
        if check_accepted(client, reason):
            subscribe_to_others(client, self._topic)
            self._leaving.clear()  # the client drops packets that it couldn't send
            self._connected = True

    def _on_disconnect(self, client: Any, data: Any, flags: Any, reason: Any, properties: Any) -> None:
        self._connected = False
