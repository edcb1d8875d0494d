"""Unreliable transport of packets between tables.

In a local network the host runs a WebSocket server that relays each packet; otherwise all tables connect to a broker.
Packets are encrypted (``seal``), so a host needs no certificate; lost ones are requested again. A packet that isn't
signed and encrypted for this game is neither queued nor relayed.
"""

from __future__ import annotations

import asyncio
import threading
from collections import Counter, deque
from contextlib import suppress
from functools import partial
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import ServerConnection, broadcast, serve
from websockets.exceptions import WebSocketException

from armoon.errors import ArmoonError
from armoon.messages import text
from armoon.party.tables import Broker, create_client, find_refusal, start_connecting, subscribe_to_others
from armoon.processes.system import open_listener
from armoon.remote import nearby, protocol
from armoon.remote.seal import MAX_PACKET_BYTES, Seal, UnsealedError

#: Maximum bytes queued for the game or for one connection: most of a minute of a game.
QUEUE_BYTES = 1 << 20
#: Time limit for a connection's first packet of the game, seconds; maximum connections that haven't sent one, from one
#: address and in total. Beyond that, the oldest of the busiest address is closed.
FIRST_S, MAX_FROM_ONE, MAX_NEW = 3.0, 4, 16
#: Maximum guests that are connected at a time; number of tables whose last packet number is remembered.
MAX_CONNECTED, MAX_NUMBERS = 12, 64
#: WebSocket close codes of refusals.
KEY_CODE, FULL_CODE = 4001, 4002
REASONS = {KEY_CODE: protocol.RefusalReason.KEY, FULL_CODE: protocol.RefusalReason.FULL}
#: Timeout of connecting, interval of attempts, and time after which a silent connection is closed, seconds.
CONNECT_S, RETRY_S, SILENT_S = 4.0, 0.5, 6.0
#: Time limit for sending the rest at the end, seconds.
END_S = 2.0
_LIMITS: dict[str, Any] = {
    "max_size": MAX_PACKET_BYTES,
    "ping_interval": SILENT_S / 2,
    "ping_timeout": SILENT_S,
    "compression": None,
    "close_timeout": 1.0,
    "max_queue": 1,
    "logger": nearby.SILENT,
}


class Wire:
    """One table's connection to all others. Only ``close`` may block."""

    is_connected = False
    """Whether packets are sent at once; otherwise they are lost."""
    refused: protocol.RefusalReason | None = None
    """The host's reason for closing the last connection, if given."""

    def __init__(self, seal: Seal) -> None:
        self._seal = seal
        self._received: list[bytes] = []
        self._received_bytes = 0
        self._lock = threading.Lock()

    def send(self, packet: bytes) -> None:
        """Send a packet to all other tables."""
        raise NotImplementedError

    def close(self) -> None:
        """Send the queued packets within a short time and close."""
        raise NotImplementedError

    def drain_packets(self) -> list[bytes]:
        """Return the packets received since the last call, in order; those beyond ``QUEUE_BYTES`` are lost."""
        with self._lock:
            packets, self._received, self._received_bytes = self._received, [], 0
        return packets

    def _queue_packet(self, packet: bytes) -> None:
        with self._lock:
            if self._received_bytes + len(packet) <= QUEUE_BYTES:
                self._received.append(packet)
                self._received_bytes += len(packet)


class LanEnd(Wire):
    """One table's end in a local network, with an event loop in a thread of its own."""

    def __init__(self, seal: Seal) -> None:
        super().__init__(seal)
        self._connections: dict[str, ServerConnection | ClientConnection] = {}
        """Connections by table; a returning table replaces its old one."""
        self._closing = asyncio.Event()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run_loop, name="remote", daemon=True)
        self._thread.start()

    def send(self, packet: bytes) -> None:
        with suppress(RuntimeError):  # it is closed
            self._loop.call_soon_threadsafe(self._relay, packet)

    def close(self) -> None:
        with suppress(RuntimeError):  # it is closed
            self._loop.call_soon_threadsafe(self._closing.set)
        self._thread.join(END_S)

    def _run_loop(self) -> None:
        self._loop.run_until_complete(self._serve())
        self._loop.close()

    async def _serve(self) -> None:
        """Connect until ``_closing`` is set."""
        raise NotImplementedError

    def _relay(self, packet: bytes, sender: ServerConnection | None = None) -> None:
        """Send a packet to all connections except its sender's, without waiting.

        A connection that is too slow is cut, and its table requests the missing packets later.
        """
        for connection in self._connections.values():
            if connection is sender:
                continue
            if connection.transport.get_write_buffer_size() + len(packet) > QUEUE_BYTES:
                connection.transport.abort()
            else:
                broadcast((connection,), packet)


class NewConnection(ServerConnection):
    """A connection that has to send a packet of the game soon."""

    def __init__(self, host: LanHost, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self._host = host

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        peer = transport.get_extra_info("peername") or ("",)  # none if it is gone already
        self._host.add_new(self, peer[0])

    def connection_lost(self, exc: Exception | None) -> None:
        self._host.remove_new(self)
        super().connection_lost(exc)


class LanHost(LanEnd):
    """The host's end in a local network: listens and relays."""

    is_connected = True

    def __init__(self, address: str, port: int, seal: Seal) -> None:
        """Listen at an address of this machine; port 0: any. Raises ArmoonError."""
        self.requests: nearby.LinkRequests | None = None
        """Requests for the link, if the host answers them."""
        self._numbers: dict[str, int] = {}
        """Number of the last packet by table, so that a replayed packet admits no one."""
        self._new: dict[ServerConnection, tuple[str, asyncio.TimerHandle]] = {}
        """Address and deadline of the connections that haven't sent a packet of the game, oldest first."""
        try:
            self._listener = open_listener(address, port)
        except (OSError, OverflowError) as error:
            why = text("remote.no_port", port=port, why=getattr(error, "strerror", None) or "")
            raise ArmoonError(why, remedy=text("remote.no_port_remedy")) from error
        self.port: int = self._listener.getsockname()[1]
        super().__init__(seal)

    async def _serve(self) -> None:
        made: dict[str, Any] = {"create_connection": partial(NewConnection, self), "origins": [None]}
        async with serve(self._serve_guest, sock=self._listener, open_timeout=None, **made, **_LIMITS):
            await self._closing.wait()
            for connection in self._new:
                connection.transport.abort()
            if self.requests is not None:
                self.requests.close()

    def add_new(self, connection: ServerConnection, address: str) -> None:
        deadline = connection.loop.call_later(FIRST_S, connection.transport.abort)
        self._new[connection] = address, deadline
        ((busiest, most),) = Counter(where for where, _ in self._new.values()).most_common(1)
        if most > MAX_FROM_ONE or len(self._new) > MAX_NEW:
            oldest = next(one for one, (where, _) in self._new.items() if where == busiest)
            self.remove_new(oldest)
            oldest.transport.abort()

    def remove_new(self, connection: ServerConnection) -> None:
        if connection in self._new:
            self._new.pop(connection)[1].cancel()

    async def _serve_guest(self, connection: ServerConnection) -> None:
        table = ""
        packet: Any
        try:
            if self.requests and connection.request and connection.request.path == nearby.PATH:
                request = await nearby.read_request(connection)
                self.remove_new(connection)
                await self.requests.answer(request)
                return
            async for packet in connection:
                sender, number, _ = self._seal.verify(packet)
                if not table and number > self._numbers.get(sender, 0):
                    self.remove_new(connection)
                    if sender not in self._connections and len(self._connections) >= MAX_CONNECTED:
                        await connection.close(FULL_CODE)
                        return
                    table, before = sender, self._connections.pop(sender, None)
                    self._connections[table] = connection
                    if before is not None:
                        before.transport.abort()
                if table:
                    if sender == table:
                        self._remember_number(table, number)
                    self._queue_packet(packet)
                    self._relay(packet, connection)
        except UnsealedError:
            await connection.close(KEY_CODE)
        except (WebSocketException, ValueError):
            pass
        finally:
            if self._connections.get(table) is connection:
                del self._connections[table]

    def _remember_number(self, table: str, number: int) -> None:
        """Remember a table's last packet number, and forget that of the table that has been silent longest."""
        self._numbers[table] = max(number, self._numbers.pop(table, 0))
        if len(self._numbers) > MAX_NUMBERS:
            del self._numbers[next(iter(self._numbers))]


class LanGuest(LanEnd):
    """A guest's end in a local network: connects, and reconnects whenever the connection breaks."""

    def __init__(self, address: str, seal: Seal) -> None:
        """Start connecting to ``ws://HOST:PORT``."""
        self._address = address
        super().__init__(seal)

    async def _serve(self) -> None:
        connecting = asyncio.ensure_future(self._reconnect())
        await self._closing.wait()
        for connection in self._connections.values():
            await connection.close()
        connecting.cancel()
        await asyncio.wait([connecting])

    async def _reconnect(self) -> None:
        packet: Any
        while True:
            with suppress(UnsealedError, WebSocketException, OSError, asyncio.TimeoutError):
                async with connect(self._address, open_timeout=CONNECT_S, **_LIMITS) as connection:
                    self._connections, self.is_connected = {"": connection}, True
                    with suppress(WebSocketException):
                        async for packet in connection:
                            self._seal.verify(packet)
                            self._queue_packet(packet)
                    self.refused = REASONS.get(connection.close_code or 0)
            self._connections, self.is_connected = {}, False
            await asyncio.sleep(RETRY_S)


class BrokerClient(Wire):
    """One table's end at a broker; the client's own thread reconnects whenever the connection breaks."""

    def __init__(self, broker: Broker, room: str, seal: Seal) -> None:
        """Start connecting; ``room``: the game's name at the broker."""
        super().__init__(seal)
        self._topic = broker.topic(room, "tables")
        self._leaving: deque[tuple[Any, int]] = deque()
        """Packets on their way to the broker, with their lengths."""
        self._client = create_client(broker)
        self._client.on_connect = self._on_connect
        self._client.on_disconnect = self._on_disconnect
        self._client.on_message = self._on_message
        start_connecting(self._client, broker)

    def send(self, packet: bytes) -> None:
        while self._leaving and self._leaving[0][0].is_published():
            self._leaving.popleft()
        if self.is_connected and sum(length for _, length in self._leaving) + len(packet) <= QUEUE_BYTES:
            sent = self._client.publish(self._topic, packet, qos=0)
            if not sent.rc:
                self._leaving.append((sent, len(packet)))

    def close(self) -> None:
        self.is_connected = False
        with suppress(OSError, ValueError):
            self._client.disconnect()
        self._client.loop_stop()

    def _on_message(self, client: Any, data: Any, message: Any) -> None:
        packet = bytes(message.payload)  # before MQTT 5 perhaps one of our own, which nobody reads
        with suppress(UnsealedError):
            self._seal.verify(packet)
            self._queue_packet(packet)

    def _on_connect(self, client: Any, data: Any, flags: Any, reason: Any, properties: Any) -> None:
        if find_refusal(client, reason) is None:
            subscribe_to_others(client, self._topic)
            self._leaving.clear()  # the client drops packets that it couldn't send
            self.is_connected = True

    def _on_disconnect(self, client: Any, data: Any, flags: Any, reason: Any, properties: Any) -> None:
        self.is_connected = False
