"""Straight to the host's table, in the same network: a WebSocket server there, which hands each packet to all others.

Server and client work in threads of their own. Packets are encrypted before they come here (``seal``), so neither
needs a certificate. Small packets go beside it as datagrams as well (``datagrams``), where the network lets them.
"""

from __future__ import annotations

import math
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from websockets.exceptions import WebSocketException
from websockets.sync.client import connect
from websockets.sync.server import Server, serve

from armoon.errors import ArmoonError
from armoon.messages import text
from armoon.remote.datagrams import FEW, LARGEST_DATAGRAM, PACKETS, TOKEN_BYTES, Datagrams, fits, new_token
from armoon.remote.kinds import MOST_TABLES
from armoon.remote.seal import LARGEST_PACKET
from armoon.remote.wire import Box

#: Seconds for a connection, between two tries, and after which a silent one is given up.
CONNECT_S, AGAIN_S, SILENT_S = 4.0, 0.5, 6.0
#: The message on the line that datagrams arrive and none has been lost for this many seconds, sent at most once a
#: second; and how long it holds, seconds.
COME, WHOLE_S, BELIEVED_S = b"", 10.0, 2.5
#: Interval at which the receiver of datagrams checks whether the line has ended, seconds.
WAKES_S = 0.5
#: Seconds to send the rest at the end.
END_S = 2.0
_LIMITS: dict[str, Any] = {
    "max_size": LARGEST_PACKET,
    "ping_interval": SILENT_S / 2,
    "ping_timeout": SILENT_S,
    "compression": None,
    "open_timeout": CONNECT_S,
    "close_timeout": 1.0,
}


def _heard(datagrams: socket.socket, ends: threading.Event) -> Iterator[tuple[bytes, Any]]:
    """Yield what comes, and from where, until it ends."""
    while not ends.is_set():
        try:
            came = datagrams.recvfrom(LARGEST_DATAGRAM)
        except TimeoutError:
            continue
        except OSError:
            # Nobody hears them there, now; Windows says so where an earlier one couldn't be delivered.
            ends.wait(WAKES_S)
            continue
        yield came


class _Line:
    """One connection, with a thread that sends what waits."""

    def __init__(self, connection: Any, token: bytes = b"") -> None:
        self.connection = connection
        self.out = Box()
        self.token, self.beside = token, Datagrams(token)
        self.throw: Callable[[bytes], object] | None = None
        """Sends a datagram to the other end, once it is known where that is."""
        self._hears = False
        """Datagrams have come from there since that was said."""
        self._lost_s = time.monotonic()
        """When one from there was missing last."""
        self._come_s = -math.inf
        """When the other end said last that none are."""
        self.ended = threading.Event()
        self._sender = threading.Thread(target=self._send, name="remote out", daemon=True)
        self._sender.start()

    def send(self, packet: bytes, *, hurries: bool) -> None:
        """Send a packet, beside the line too if it ``hurries`` and it is known how; only there while none is lost."""
        now_s = time.monotonic()
        come = now_s - self._come_s < BELIEVED_S
        if hurries and self.throw is not None:
            with suppress(OSError):
                self.throw(self.beside.next(packet, FEW if come else PACKETS))
                if come and fits(packet):
                    return
        self.out.put(packet)
        if not hurries and self._hears and now_s - self._lost_s > WHOLE_S:
            self._hears = False
            self.out.put(COME)

    def is_new(self, packet: bytes) -> bool:
        """Whether what has come by the line is a packet that hasn't come beside it."""
        if packet == COME:
            self._come_s = time.monotonic()
            return False
        return self.beside.is_new(packet)

    def take(self, datagram: bytes) -> tuple[bytes, ...]:
        """Return what a datagram has that is new."""
        new = self.beside.take(datagram)
        self._hears = self._hears or bool(new)
        if len(new) > 1:
            self._lost_s = (
                time.monotonic()
            )  # or late: with the next one came what the last one should have brought
        return new

    def _send(self) -> None:
        with suppress(WebSocketException, OSError):
            while not self.ended.is_set():
                for packet in self.out.take(0.5):
                    self.connection.send(packet)

    def finish(self) -> None:
        """Send what waits, then end."""
        self.ended.set()
        self.out.close()
        self._sender.join(END_S)
        with suppress(WebSocketException, OSError):
            for packet in self.out.take():
                self.connection.send(packet)
            self.connection.close()


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
        self._datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._datagrams.settimeout(WAKES_S)
        self._ends = threading.Event()
        with suppress(OSError):  # without them the line alone has all
            self._datagrams.bind((address, self.port))
            threading.Thread(target=self._hear_datagrams, name="remote datagrams", daemon=True).start()

    @property
    def up(self) -> bool:
        return True

    def send(self, packet: bytes, *, hurries: bool = False) -> None:
        self._pass_on(packet, None, hurries=hurries)

    def take(self) -> list[bytes]:
        return self._inbox.take()

    def close(self) -> None:
        """Send what waits, and end."""
        with self._lock:
            lines = list(self._lines)
        for line in lines:
            line.finish()
        self._ends.set()
        self._server.shutdown()
        self._thread.join(END_S)
        self._datagrams.close()

    def also(self, addresses: tuple[str, ...]) -> None:
        """Nobody is dialled from here."""

    def _pass_on(self, packet: bytes, sender: _Line | None, *, hurries: bool) -> None:
        with self._lock:
            lines = [line for line in self._lines if line is not sender]
            for line in lines:
                line.send(packet, hurries=hurries)

    def _throw(self, to: Any, datagram: bytes) -> None:
        self._datagrams.sendto(datagram, to)

    def _hear_datagrams(self) -> None:
        for datagram, came_from in _heard(self._datagrams, self._ends):
            with self._lock:
                line = next((one for one in self._lines if one.token == datagram[:TOKEN_BYTES]), None)
                packets = () if line is None else line.take(datagram)
                if line is not None:
                    line.throw = partial(self._throw, came_from)
            for packet in packets:
                self._inbox.put(packet)
                self._pass_on(packet, line, hurries=True)

    def _hear(self, connection: Any) -> None:
        """One guest's connection, in a thread of its own."""
        with self._lock:
            # A guest that comes back may still have its old connection here, so there is some room.
            if len(self._lines) >= 2 * MOST_TABLES:
                return
            line = _Line(connection, new_token())
            self._lines.add(line)
        try:
            connection.send(line.token.hex())
            for packet in connection:
                if isinstance(packet, bytes):
                    with self._lock:
                        new = line.is_new(packet)
                    if not new:
                        continue
                    self._inbox.put(packet)
                    self._pass_on(packet, line, hurries=False)
        except (WebSocketException, OSError):
            pass
        finally:
            with self._lock:
                self._lines.discard(line)
            line.ended.set()
            line.out.close()


class LanGuest:
    """A guest's end: dials, and dials again as often as the line breaks, at each address that it knows in turn."""

    def __init__(self, address: str) -> None:
        """Begin to dial ``ws://HOST:PORT``."""
        self._address = address
        self._also: tuple[str, ...] = ()
        self._inbox = Box()
        self._line: _Line | None = None
        self._lock = threading.Lock()
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._live, name="remote guest", daemon=True)
        self._thread.start()

    @property
    def up(self) -> bool:
        return self._line is not None

    def send(self, packet: bytes, *, hurries: bool = False) -> None:
        """Send a packet; it is lost while the line is broken."""
        line = self._line
        if line is not None:
            with self._lock:
                line.send(packet, hurries=hurries)
                if not hurries and line.throw is not None:
                    with suppress(OSError):
                        line.throw(line.token)  # it says where this table is

    def take(self) -> list[bytes]:
        return self._inbox.take()

    def close(self) -> None:
        self._ends.set()
        line = self._line
        if line is not None:
            line.finish()
        self._thread.join(END_S)

    def also(self, addresses: tuple[str, ...]) -> None:
        """Dial these as well while there is no line."""
        self._also = addresses

    def _live(self) -> None:
        tried = 0
        while not self._ends.is_set():
            line = None
            addresses = (self._address, *self._also)
            address = addresses[tried % len(addresses)]
            try:
                with connect(address, **_LIMITS) as connection:
                    line = self._line = _Line(connection)
                    for packet in connection:
                        if isinstance(packet, bytes):
                            with self._lock:
                                new = line.is_new(packet)
                            if new:
                                self._inbox.put(packet)
                        elif line.throw is None:
                            self._begin_datagrams(line, address, packet)
            except (WebSocketException, OSError):
                pass
            finally:
                self._line = None
                if line is None:
                    tried += 1
                else:
                    line.ended.set()
                    line.out.close()
            self._ends.wait(AGAIN_S)

    def _begin_datagrams(self, line: _Line, address: str, word: str) -> None:
        """Begin with them: the host has said what is to stand before each."""
        parts = urlsplit(address)
        with suppress(OSError, ValueError):
            line.token = bytes.fromhex(word)
            line.beside = Datagrams(line.token)
            datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            datagrams.settimeout(WAKES_S)
            datagrams.connect((parts.hostname, parts.port))
            datagrams.send(line.token)
            line.throw = datagrams.send
            threading.Thread(target=self._hear_datagrams, args=(line, datagrams), daemon=True).start()

    def _hear_datagrams(self, line: _Line, datagrams: socket.socket) -> None:
        with datagrams:
            for datagram, _ in _heard(datagrams, line.ended):
                if datagram[:TOKEN_BYTES] == line.token:
                    with self._lock:
                        packets = line.take(datagram)
                    for packet in packets:
                        self._inbox.put(packet)
