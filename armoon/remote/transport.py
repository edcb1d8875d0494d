"""Unreliable transport of packets between tables.

In a local network the host runs a WebSocket server that relays each packet; otherwise all tables connect to a broker.
Packets are encrypted (``seal``), so a host needs no certificate. The game requests lost packets again. Packets that
aren't signed and encrypted for this game are neither queued nor relayed.
"""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from typing import Any, Final

from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import ServerConnection, broadcast, serve
from websockets.exceptions import WebSocketException

from armoon.errors import ArmoonError
from armoon.party.limits import AwaitedConnections, RecentDict, find_address, find_busiest
from armoon.party.tables import Broker, create_client, find_refusal, start_connecting, subscribe_to_others
from armoon.processes.system import open_listener
from armoon.remote import nearby, protocol
from armoon.remote.seal import MAX_PACKET_BYTES, Seal, UnsealedError

#: Maximum number of bytes queued for the game or for one connection: almost a minute of play.
QUEUE_BYTES = 1 << 20
#: Time limit for a connection's first packet of the game, seconds; maximum number of connections that haven't sent one,
#: from one address and in total. Beyond that, the oldest one of the busiest address is closed.
FIRST_PACKET_S, MAX_FROM_ONE, MAX_NEW = 3.0, 4, 16
#: Maximum number of connected tables without a seat; beyond it, the oldest of the busiest address is disconnected.
MAX_UNSEATED = 12
#: WebSocket close code for connections without the link's key.
WRONG_KEY_CODE = 4001
#: Timeout of connecting, interval of attempts, and time after which a silent connection is closed, seconds.
CONNECT_S, RETRY_S, SILENT_S = 4.0, 0.5, 6.0
#: Time limit for sending the queued packets at the end, seconds.
END_S = 2.0
_LIMITS: dict[str, Any] = {
    "max_size": MAX_PACKET_BYTES,
    "ping_interval": SILENT_S / 2,
    "ping_timeout": SILENT_S,
    "compression": None,
    "close_timeout": 1.0,
    "max_queue": 1,
    "logger": nearby.SILENT_LOGGER,
}


class Wire:
    """One table's connection to all others. Only ``close`` may block."""

    is_connected = False
    """Whether packets can be sent; otherwise they are lost."""
    refused: protocol.RefusalReason | None = None
    """The host's reason for closing the last connection, if it gave one."""

    def __init__(self, seal: Seal) -> None:
        self.seal = seal
        self._received: list[tuple[bool, bytes]] = []
        """Received packets, each with whether it was newer than all earlier ones of its table."""
        self._received_bytes = 0
        self.seated: Final = set[str]()
        """Tables with a seat, which are never forgotten; anyone with the link can invent any number of other tables."""
        self._numbers = RecentDict[int](kept=self.seated)
        """Number of the newest packet by table; other packets with this or a lower number are repetitions."""
        self._lock = threading.Lock()

    def send(self, packet: bytes) -> None:
        """Send a packet to all other tables."""
        raise NotImplementedError

    def close(self) -> None:
        """Send the queued packets within a short time and close."""
        raise NotImplementedError

    def send_message(self, message: protocol.Message) -> None:
        self.send(self.seal.seal_message(message))

    def receive(self) -> Iterator[tuple[str, bool, protocol.Message, bytes]]:
        """Yield the sender, ``is_new``, message and bytes of each packet received since the last call.

        ``is_new``: newer than all earlier packets of this sender. Packets beyond ``QUEUE_BYTES`` are lost.
        """
        with self._lock:
            received, self._received, self._received_bytes = self._received, [], 0
        for is_new, packet in received:
            with suppress(UnsealedError):
                table, _, message = self.seal.unseal(packet)
                yield table, is_new, message, packet

    def _verify(self, packet: object) -> tuple[str, bool]:
        """Return a packet's sender, and whether it is the sender's newest so far. Raises UnsealedError."""
        table, number, _ = self.seal.verify(packet)
        if is_new := number > self._numbers.get(table, 0):
            self._numbers[table] = number
        return table, is_new

    def _queue_packet(self, packet: bytes, *, is_new: bool) -> None:
        with self._lock:
            if self._received_bytes + len(packet) <= QUEUE_BYTES:
                self._received.append((is_new, packet))
                self._received_bytes += len(packet)


class LanEnd(Wire):
    """One table's end on a local network, with an event loop in its own thread."""

    def __init__(self, seal: Seal) -> None:
        super().__init__(seal)
        self._connections: dict[str, ServerConnection | ClientConnection] = {}
        """Connections by table; a returning table's connection replaces its old one."""
        self._loop = asyncio.new_event_loop()
        self._serving_task = self._loop.create_task(self._serve())
        self._thread = threading.Thread(target=self._run_loop, name="remote", daemon=True)
        self._thread.start()

    def send(self, packet: bytes) -> None:
        with suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(self._relay, packet)

    def close(self) -> None:
        with suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(self._serving_task.cancel)
        self._thread.join(END_S)

    def _run_loop(self) -> None:
        with suppress(asyncio.CancelledError):
            self._loop.run_until_complete(self._serving_task)
        self._loop.close()

    async def _serve(self) -> None:
        """Maintain the connections until this task is cancelled."""
        raise NotImplementedError

    def _relay(self, packet: bytes, sender: ServerConnection | None = None) -> None:
        """Send a packet to all connections except its sender's, without waiting.

        Connections that are too slow are cut; their tables later request the missing packets.
        """
        for connection in self._connections.values():
            if connection is sender:
                continue
            if connection.transport.get_write_buffer_size() + len(packet) > QUEUE_BYTES:
                connection.transport.abort()
            else:
                broadcast((connection,), packet)


class NewConnection(ServerConnection):
    """A connection that must send a packet of the game within ``FIRST_PACKET_S``."""

    def __init__(self, host: LanHost, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._host = host

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self.where = find_address(transport)
        self._host.add_connection(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self._host.unverified.remove(self)
        super().connection_lost(exc)


class LanHost(LanEnd):
    """The host's end on a local network, which listens and relays."""

    is_connected = True

    def __init__(self, address: str, port: int, seal: Seal) -> None:
        """Listen at an address of this machine; port 0: any free port. Raises ArmoonError."""
        self.requests: nearby.LinkRequests | None = None
        """Requests for the link; None: the host doesn't answer any."""
        self.unverified = AwaitedConnections(FIRST_PACKET_S, lambda one: one.transport.abort())
        """Connections that haven't sent a packet of the game yet."""
        try:
            self._listener = open_listener(address, port)
        except (OSError, OverflowError) as error:
            raise ArmoonError("remote.no_port", port=port, why=error) from error
        self.port: int = self._listener.getsockname()[1]
        super().__init__(seal)

    async def _serve(self) -> None:
        options: dict[str, Any] = {"create_connection": partial(NewConnection, self), "origins": [None]}
        with self._listener:
            async with serve(self._serve_guest, sock=self._listener, open_timeout=None, **options, **_LIMITS):
                try:
                    await self._loop.create_future()
                finally:
                    for connection in self.unverified:
                        connection.transport.abort()

    def add_connection(self, connection: ServerConnection) -> None:
        self.unverified.add(connection)
        busiest = find_busiest(self.unverified)
        if len(busiest) > MAX_FROM_ONE or len(self.unverified) > MAX_NEW:
            self.unverified.remove(busiest[0])
            busiest[0].transport.abort()

    async def _serve_guest(self, connection: ServerConnection) -> None:
        table = ""
        packet: Any
        try:
            if self.requests and connection.request and connection.request.path == nearby.PATH:
                await self.requests.answer(connection, self.unverified.remove)
                return
            async for packet in connection:
                sender, is_new = self._verify(packet)
                if not table and is_new:  # a replayed packet doesn't prove knowledge of the key
                    self.unverified.remove(connection)
                    table, before = sender, self._connections.pop(sender, None)
                    self._connections[table] = connection
                    unseated = {
                        other: name for name, other in self._connections.items() if name not in self.seated
                    }
                    if len(unseated) > MAX_UNSEATED:
                        before = find_busiest(unseated)[0]
                        del self._connections[unseated[before]]
                    if before is not None:
                        before.transport.abort()
                if table:
                    self._queue_packet(packet, is_new=is_new)
                    self._relay(packet, connection)
        except UnsealedError:
            await connection.close(WRONG_KEY_CODE)
        except (WebSocketException, ValueError):
            pass
        finally:
            if self._connections.get(table) is connection:
                del self._connections[table]


class LanGuest(LanEnd):
    """A guest's end on a local network, which reconnects whenever the connection breaks."""

    def __init__(self, address: str, seal: Seal) -> None:
        """Start connecting to ``ws://HOST:PORT``."""
        self._address = address
        super().__init__(seal)

    async def _serve(self) -> None:
        packet: Any
        while True:
            with suppress(UnsealedError, WebSocketException, OSError, asyncio.TimeoutError):
                async with connect(self._address, open_timeout=CONNECT_S, **_LIMITS) as connection:
                    self._connections, self.is_connected = {"": connection}, True
                    with suppress(WebSocketException):
                        async for packet in connection:
                            self._queue_packet(packet, is_new=self._verify(packet)[1])
                    self.refused = (
                        protocol.RefusalReason.KEY if connection.close_code == WRONG_KEY_CODE else None
                    )
            self._connections, self.is_connected = {}, False
            await asyncio.sleep(RETRY_S)


class BrokerClient(Wire):
    """One table's end at a broker; the client's own thread reconnects whenever the connection breaks."""

    def __init__(self, broker: Broker, room: str, seal: Seal) -> None:
        """Start connecting; ``room``: the game's name at the broker."""
        super().__init__(seal)
        self._topic = broker.topic(room, "tables")
        self._unsent: deque[tuple[Any, int]] = deque()
        """Packets that the client hasn't sent yet, each with its length."""
        self._client = create_client(broker)
        self._client.on_connect = self._on_connect
        self._client.on_disconnect = self._on_disconnect
        self._client.on_message = self._on_message
        start_connecting(self._client, broker)

    def send(self, packet: bytes) -> None:
        while self._unsent and self._unsent[0][0].is_published():
            self._unsent.popleft()
        if self.is_connected and sum(length for _, length in self._unsent) + len(packet) <= QUEUE_BYTES:
            sent = self._client.publish(self._topic, packet, qos=0)
            if not sent.rc:
                self._unsent.append((sent, len(packet)))

    def close(self) -> None:
        self.is_connected = False
        with suppress(OSError, ValueError):
            self._client.disconnect()
        self._client.loop_stop()

    def _on_message(self, client: Any, data: Any, message: Any) -> None:
        packet = bytes(message.payload)  # before MQTT 5, it can be this table's own, which the game ignores
        with suppress(UnsealedError):
            self._queue_packet(packet, is_new=self._verify(packet)[1])

    def _on_connect(self, client: Any, data: Any, flags: Any, reason: Any, properties: Any) -> None:
        if find_refusal(client, reason) is None:
            subscribe_to_others(client, self._topic)
            self._unsent.clear()  # the client drops packets that it couldn't send
            self.is_connected = True

    def _on_disconnect(self, client: Any, data: Any, flags: Any, reason: Any, properties: Any) -> None:
        self.is_connected = False
