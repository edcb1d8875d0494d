"""A guest's phone, as the party's server hears it: requests, a cookie, and the stream of the room."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any


@dataclass
class Phone:
    """One guest's phone at an address of this machine."""

    port: int
    key: str
    where: str = "127.0.0.1"
    cookie: str = ""

    async def ask(self, what: str, body: object, key: str = "") -> int:
        """Return the status of a request; 0 if the connection was closed."""
        content = json.dumps(body).encode()
        cookie = f"Cookie: {self.cookie}\r\n" if self.cookie else ""
        head = (
            f"POST /{key or self.key}/{what} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nConnection: close\r\n"
            f"Content-Type: application/json\r\n{cookie}Content-Length: {len(content)}\r\n\r\n"
        )
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            reader, writer = await asyncio.open_connection("127.0.0.1", self.port, local_addr=(self.where, 0))
            try:
                writer.write(head.encode() + content)
                lines = (await reader.readuntil(b"\r\n\r\n")).decode().splitlines()
            finally:
                writer.close()
            for line in lines:
                if line.lower().startswith("set-cookie: "):
                    self.cookie = line[12:].partition(";")[0]
            return int(lines[0].split()[1])
        return 0

    async def joins(self, name: str) -> bool:
        """Join; return whether it could."""
        return await self.ask("join", {"name": name}) == 200

    @asynccontextmanager
    async def rooms(self) -> AsyncIterator[AsyncIterator[Any]]:
        """Yield what the room's stream says, as a phone hears it."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 20)
        writer.write(
            f"GET /{self.key}/room HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nCookie: {self.cookie}\r\n\r\n".encode()
        )

        async def heard() -> AsyncIterator[Any]:
            while line := await reader.readline():
                if line.startswith(b'data: {"ballot"'):
                    yield json.loads(line[6:])

        try:
            yield heard()
        finally:
            writer.close()
