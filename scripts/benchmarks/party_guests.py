"""Guests of a party's server: phones, malformed requests, and many connections at once."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import socket
from dataclasses import dataclass


@dataclass
class Phone:
    """A guest's phone at an address of this machine."""

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

    async def join(self, name: str) -> bool:
        return await self.ask("join", {"name": name}) == 200


#: Maximum wait for a response, seconds.
ATTACK_PATIENCE_S = 5.0


def make_malformed(rng: random.Random, port: int, keys: tuple[str, ...]) -> bytes:
    host = f"127.0.0.1:{port}"
    key = rng.choice(keys)
    path = rng.choice(("vote", "join", "do", "react", "foreign", "feed", "overlay", "pages/common.js"))
    body = rng.choice(
        (b"", b"{}", b"[", b'{"name":', b'{"ballot":1e999,"choice":"x"}', b"\xff" * 40, b"{" * 1000)
    )
    good = (
        f"POST /{key}/{path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\n\r\n".encode()
        + body
    )
    kind = rng.randrange(9)
    if kind == 0:
        return good
    if kind == 1:
        index = rng.randrange(len(good))
        return good[:index] + bytes([rng.randrange(256)]) + good[index + 1 :]
    if kind == 2:
        return good[: rng.randrange(1, len(good))]
    if kind == 3:
        return rng.randbytes(rng.randrange(1, 400))
    if kind == 4:
        return b"GET /" + b"../" * rng.randrange(1, 60) + f" HTTP/1.1\r\nHost: {host}\r\n\r\n".encode()
    if kind == 5:
        return f"GET /{key}/{path}?{'x' * rng.randrange(20_000)} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode()
    if kind == 6:
        return f"POST /{key}/{path} HTTP/1.1\r\nHost: {host}\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n".encode()
    if kind == 7:
        return f"POST /{key}/{path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: 99999999999999999999\r\n\r\n".encode()
    verb = rng.choice(("BREW", "get", "TRACE", "PRI *"))
    return f"{verb} /{key}/{path} HTTP/1.1\r\nHost: {host}\r\nCookie: {'a=b;' * 200}\r\n\r\n".encode()


def send_request(port: int, content: bytes) -> str:
    """Send bytes; return the first line of the response, or an empty string if the connection was closed."""
    with (
        contextlib.suppress(OSError),
        socket.create_connection(("127.0.0.1", port), ATTACK_PATIENCE_S) as connection,
    ):
        connection.sendall(content)
        with contextlib.suppress(OSError):
            connection.shutdown(socket.SHUT_WR)
        return connection.recv(100).split(b"\r\n")[0].decode("ascii", "replace")
    return ""


def fill_connections(port: int, count: int) -> int:
    """Open this many connections at once; return how many of them the server closed."""
    open_ones = []
    for _ in range(count):
        with contextlib.suppress(OSError):
            open_ones.append(socket.create_connection(("127.0.0.1", port), ATTACK_PATIENCE_S))
    closed = count - len(open_ones)
    for connection in open_ones:
        connection.settimeout(0.01)
        try:
            closed += connection.recv(1) == b""
        except TimeoutError:
            pass
        except OSError:
            closed += 1
    for connection in open_ones:
        connection.close()
    return closed
