"""Straight to the host's table, in the same network: a WebSocket server there, which hands each packet to all others.

Server and client work in threads of their own. Packets are encrypted before they come here (``seal``), so neither
needs a certificate.
"""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import Any

from websockets.exceptions import WebSocketException
from websockets.sync.client import connect
from websockets.sync.server import Server, serve

from armoon.errors import ArmoonError
from armoon.messages import text
from armoon.remote.kinds import MOST_TABLES
from armoon.remote.seal import LARGEST_PACKET
from armoon.remote.wire import Box

#: Seconds for a connection, between two tries, and after which a silent one is given up.
CONNECT_S, AGAIN_S, SILENT_S = 4.0, 0.5, 6.0
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
        """Send what waits, and end."""
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
        """One guest's connection, in a thread of its own."""
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
        """Begin to dial ``ws://HOST:PORT``."""
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
