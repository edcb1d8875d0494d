"""As much of MQTT 3.1.1 as thousands of listeners and hundreds of tables in one process need, over TCP or a WebSocket.

The game itself speaks by paho, which takes a thread for each client.
"""

from __future__ import annotations

import asyncio
import contextlib
import struct
from collections.abc import AsyncIterator
from typing import Any, Protocol

_CONNECT, _CONNACK, _PUBLISH, _SUBSCRIBE, _SUBACK = 0x10, 0x20, 0x30, 0x82, 0x90
KEEP_ALIVE_S = 120


class _Line(Protocol):
    """What packets go over."""

    async def read(self, count: int) -> bytes:
        """Return exactly ``count`` bytes. Raises EOFError, OSError."""

    async def write(self, content: bytes) -> None:
        """Send them."""


class _Tcp:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    async def read(self, count: int) -> bytes:
        return await self._reader.readexactly(count)

    async def write(self, content: bytes) -> None:
        self._writer.write(content)
        await self._writer.drain()


class _Socket:
    """A WebSocket, whose messages are parts of one stream."""

    def __init__(self, socket: Any) -> None:
        self._socket, self._rest = socket, b""

    async def read(self, count: int) -> bytes:
        while len(self._rest) < count:
            self._rest += await self._socket.recv()
        taken, self._rest = self._rest[:count], self._rest[count:]
        return taken

    async def write(self, content: bytes) -> None:
        await self._socket.send(content)


class Client:
    """One connection."""

    def __init__(self, line: _Line) -> None:
        self._line = line

    async def publish(self, topic: str, content: bytes, *, keep: bool = False) -> None:
        """Publish once at most; ``keep``: for who comes later, too."""
        await self._line.write(_packet(_PUBLISH | int(keep), _words(topic) + content))

    async def subscribe(self, *topics: str) -> None:
        """Ask for topics, and wait until they are granted."""
        asked = b"".join(_words(topic) + b"\0" for topic in topics)
        await self._line.write(_packet(_SUBSCRIBE, b"\0\1" + asked))
        while (await self._packet())[0] & 0xF0 != _SUBACK:
            pass

    async def messages(self) -> AsyncIterator[tuple[str, bytes]]:
        """Yield topics and what is published there, for as long as the line holds."""
        with contextlib.suppress(EOFError, OSError):
            while True:
                kind, body = await self._packet()
                if kind & 0xF0 == _PUBLISH:
                    end = 2 + int(struct.unpack_from("!H", body)[0])
                    yield body[2:end].decode(), body[end + 2 * bool(kind & 0x06) :]

    async def _packet(self) -> tuple[int, bytes]:
        kind, length, shift = (await self._line.read(1))[0], 0, 0
        while True:
            (part,) = await self._line.read(1)
            length |= (part & 0x7F) << shift
            shift += 7
            if part < 0x80:
                return kind, await self._line.read(length)


async def connect(host: str, port: int, name: str, *, web: bool = False) -> Client:
    """Return a client that is let in. Raises ConnectionError, OSError."""
    line: _Line
    if web:
        import websockets

        address = f"ws://{host}:{port}/mqtt"
        kept = {"compression": None, "max_size": None, "ping_interval": None, "open_timeout": 60}
        line = _Socket(await websockets.connect(address, subprotocols=["mqtt"], **kept))  # type: ignore[arg-type, list-item]
    else:
        line = _Tcp(*await asyncio.open_connection(host, port, limit=1 << 20))
    client = Client(line)
    asked = _words("MQTT") + bytes([4, 2]) + struct.pack("!H", KEEP_ALIVE_S) + _words(name)
    await line.write(_packet(_CONNECT, asked))
    kind, body = await client._packet()
    if kind != _CONNACK or body[1]:
        raise ConnectionError(f"refused by {host}: {body!r}")
    return client


def _words(words: str) -> bytes:
    return struct.pack("!H", len(words.encode())) + words.encode()


def _packet(kind: int, body: bytes) -> bytes:
    length, head = len(body), bytearray([kind])
    while True:
        length, part = divmod(length, 128)
        head.append(part | (0x80 if length else 0))
        if not length:
            return bytes(head) + body
