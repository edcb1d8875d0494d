"""Guests of a party's server: phones, floods, overlays that never read, and malformed requests."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import shutil
import socket
import statistics
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from armoon.broadcast.lines import Event, read_line
from armoon.party.link import Server


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


HOSTILE, ADDRESSES, HONEST = 2000, 20, 30
#: Guests who vote once a second while the host clicks so often.
PHONES, CLICKS = 50, 100
#: Guests whose first votes are awaited on another phone.
FRESH = 20
CONNECTIONS = 1000
#: Guests whose memory is measured, and how many of them listen all the time.
CROWD, LISTENING = 500, 390
PATIENCE_S = 20.0
ALL_MS = 60_000


def _phone(server: Server, where: str) -> Phone:
    """Return a phone of a guest at an address of this machine."""
    return Phone(server.port, server.keys.join, where)


async def flood(server: Server) -> float:
    """Return the share of honest guests who come in and vote while hostile ones join from some addresses, and after."""
    await _open_bet(server)
    honest = [_phone(server, f"127.0.8.{number + 1}") for number in range(HONEST)]
    good = [True] * HONEST

    async def hostile(address: int) -> None:
        for _ in range(HOSTILE // ADDRESSES):
            phone = _phone(server, f"127.0.7.{address + 1}")
            if await phone.joins("x"):
                await phone.ask("vote", {"ballot": await _ballot(server), "choice": 1})

    async def guest(number: int) -> None:
        await asyncio.sleep(0.1 * number)
        good[number] &= await honest[number].joins(f"Honest {number}")
        good[number] &= (
            await honest[number].ask("vote", {"ballot": await _ballot(server), "choice": 0}) == 200
        )

    await asyncio.gather(*map(hostile, range(ADDRESSES)), *map(guest, range(HONEST)))
    number = await _ballot(server)
    for index, phone in enumerate(honest):
        good[index] &= await phone.ask("vote", {"ballot": number, "choice": 1}) == 200
    return sum(good) / HONEST


async def crowded(server: Server) -> int:
    """Return how often host or overlay are refused while a thousand connections say nothing."""
    silent = []
    for _ in range(CONNECTIONS):
        with contextlib.suppress(OSError):
            silent.append(await asyncio.open_connection("127.0.0.1", server.port))
    refused = 0
    for _ in range(10):
        refused += await _phone(server, "127.0.0.1").ask("do", {"what": "clear"}, server.keys.host) != 200
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
            host = f"127.0.0.1:{server.port}"
            writer.write(f"GET /{server.keys.view}/overlay HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
            refused += b" 200 " not in await reader.readline()
            writer.close()
        except OSError:
            refused += 1
    for _, writer in silent:
        writer.close()
    return refused


async def busy(server: Server) -> dict[str, float]:
    """Return which share of the host's clicks arrive while fifty phones vote, and how late a vote is seen elsewhere."""
    await _open_bet(server)
    phones = [_phone(server, f"127.0.9.{number + 1}") for number in range(PHONES)]
    for number, phone in enumerate(phones):
        await phone.joins(f"Phone {number}")
    fresh = [_phone(server, f"127.0.10.{number + 1}") for number in range(FRESH)]
    for number, phone in enumerate(fresh):
        await phone.joins(f"Fresh {number}")
    ballot = await _ballot(server)
    ends = asyncio.Event()

    async def votes(number: int) -> None:
        await asyncio.sleep(number / PHONES)
        choice = 0
        async with phones[number].rooms() as heard:
            listening = asyncio.ensure_future(_drain(heard))
            while not ends.is_set():
                await phones[number].ask("vote", {"ballot": ballot, "choice": choice})
                choice = 1 - choice
                await asyncio.sleep(1.0)
            listening.cancel()

    voting = [asyncio.ensure_future(votes(number)) for number in range(PHONES)]
    await asyncio.sleep(2.5)
    late_ms = [await _late_ms(server, phone, ballot) for phone in fresh]
    clicks = await _clicks(server)
    ends.set()
    await asyncio.gather(*voting)
    return {"late_ms": statistics.median(late_ms), "clicks_arrived": clicks}


async def _late_ms(server: Server, phone: Phone, ballot: int) -> float:
    """Return the time from a guest's first vote to the message that counts it, at another phone."""
    async with _phone(server, "127.0.0.1").rooms() as heard:
        before = sum((await anext(heard))["ballot"]["tally"])
        began_s = time.perf_counter()
        assert await phone.ask("vote", {"ballot": ballot, "choice": 0}) == 200
        while sum((await anext(heard))["ballot"]["tally"]) <= before:
            pass
        return 1000.0 * (time.perf_counter() - began_s)


async def _clicks(server: Server) -> float:
    """Return the share of clicks on the host's page that reach the table; NaN without a browser."""
    chromium = shutil.which("chromium")
    if chromium is None:
        return float("nan")
    from playwright.async_api import async_playwright

    server.take_wishes()
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = await browser.new_page(viewport={"width": 1280, "height": 900})
        page.set_default_timeout(ALL_MS)
        await page.goto(server.address("host"))
        box = await page.get_by_role("button", name="Pause").bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        await page.mouse.move(x, y)
        arrived = 0
        for _ in range(CLICKS):
            arrived += len(server.take_wishes())
            await page.mouse.down()
            await asyncio.sleep(0.12)  # as long as a finger stays
            await page.mouse.up()
        end_s = time.monotonic() + PATIENCE_S
        while arrived < CLICKS and time.monotonic() < end_s:
            arrived += len(server.take_wishes())
            await asyncio.sleep(0.05)
        await browser.close()
    return arrived / CLICKS


async def grown(server: Server, resident_mb: Callable[[], float]) -> dict[str, float]:
    """Return the memory of the server with 500 guests, of whom 390 listen, and its growth while they vote."""
    await _open_bet(server)
    crowd = [_phone(server, f"127.0.{11 + number % 25}.{number // 25 + 1}") for number in range(CROWD)]
    entered = sum([await phone.joins(f"Guest {number}") for number, phone in enumerate(crowd)])
    ballot = await _ballot(server)

    async def vote(rounds: int) -> None:
        for number in range(rounds):
            for few in range(0, CROWD, PHONES):
                body = {"ballot": ballot, "choice": number % 2}
                await asyncio.gather(*(phone.ask("vote", body) for phone in crowd[few : few + PHONES]))

    async with contextlib.AsyncExitStack() as stack:
        heard = [await stack.enter_async_context(phone.rooms()) for phone in crowd[:LISTENING]]
        listening = [asyncio.ensure_future(_drain(one)) for one in heard]
        await vote(4)
        before_mb = resident_mb()
        await vote(12)
        after_mb = resident_mb()
        for one in listening:
            one.cancel()
    return {"crowd_entered": entered / CROWD, "crowd_mb": after_mb, "crowd_growth_mb": after_mb - before_mb}


async def _drain(heard: AsyncIterator[Any]) -> None:
    async for _ in heard:
        pass


async def _open_bet(server: Server) -> None:
    """Let the host ask whether the ladder holds, as soon as the server has heard of the game."""
    host = _phone(server, "127.0.0.1")
    async with host.rooms() as heard:
        async for room in heard:
            if room["ballot"] is not None:
                return
            assert await host.ask("do", {"what": "ask", "name": "holds"}, server.keys.host) == 200
            await asyncio.sleep(0.05)
    raise AssertionError("the stream has ended")


async def _ballot(server: Server) -> int:
    """Return the number of the vote that is open."""
    async with _phone(server, "127.0.0.1").rooms() as heard:
        async for room in heard:
            if room["ballot"] is not None:
                return int(room["ballot"]["number"])
    raise AssertionError("the stream has ended")


def begun(server: Server, lines: list[bytes]) -> None:
    """Tell the server of a game that has just begun, in which it may be asked whether a ladder holds."""
    for line in lines:
        server.write(line)
        told = read_line(line)
        if isinstance(told, Event) and told.kind == "turn":
            return
    raise AssertionError(f"no turn in {len(lines)} lines")


#: Maximum wait for an answer, seconds.
ATTACK_PATIENCE_S = 5.0


def malformed(chance: random.Random, port: int, keys: tuple[str, ...]) -> bytes:
    """One of them."""
    host = f"127.0.0.1:{port}"
    key = chance.choice(keys)
    what = chance.choice(("vote", "join", "do", "react", "foreign", "feed", "overlay", "pages/common.js"))
    body = chance.choice(
        (b"", b"{}", b"[", b'{"name":', b'{"ballot":1e999,"choice":"x"}', b"\xff" * 40, b"{" * 1000)
    )
    good = (
        f"POST /{key}/{what} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\n\r\n".encode()
        + body
    )
    way = chance.randrange(9)
    if way == 0:
        return good
    if way == 1:
        at = chance.randrange(len(good))
        return good[:at] + bytes([chance.randrange(256)]) + good[at + 1 :]
    if way == 2:
        return good[: chance.randrange(1, len(good))]
    if way == 3:
        return chance.randbytes(chance.randrange(1, 400))
    if way == 4:
        return b"GET /" + b"../" * chance.randrange(1, 60) + f" HTTP/1.1\r\nHost: {host}\r\n\r\n".encode()
    if way == 5:
        return f"GET /{key}/{what}?{'x' * chance.randrange(20_000)} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode()
    if way == 6:
        return f"POST /{key}/{what} HTTP/1.1\r\nHost: {host}\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n".encode()
    if way == 7:
        return f"POST /{key}/{what} HTTP/1.1\r\nHost: {host}\r\nContent-Length: 99999999999999999999\r\n\r\n".encode()
    verb = chance.choice(("BREW", "get", "TRACE", "PRI *"))
    return f"{verb} /{key}/{what} HTTP/1.1\r\nHost: {host}\r\nCookie: {'a=b;' * 200}\r\n\r\n".encode()


def throw(port: int, content: bytes) -> str:
    """Return the first line of the answer; empty where the connection was closed."""
    with (
        contextlib.suppress(OSError),
        socket.create_connection(("127.0.0.1", port), ATTACK_PATIENCE_S) as thrown,
    ):
        thrown.sendall(content)
        with contextlib.suppress(OSError):
            thrown.shutdown(socket.SHUT_WR)
        return thrown.recv(100).split(b"\r\n")[0].decode("ascii", "replace")
    return ""


def crowd_in(port: int, count: int) -> int:
    """Open this many connections at once; return how many of them the server closed."""
    open_ones = []
    for _ in range(count):
        with contextlib.suppress(OSError):
            open_ones.append(socket.create_connection(("127.0.0.1", port), ATTACK_PATIENCE_S))
    closed = count - len(open_ones)
    for one in open_ones:
        one.settimeout(0.01)
        try:
            closed += one.recv(1) == b""
        except TimeoutError:
            pass
        except OSError:
            closed += 1
    for one in open_ones:
        one.close()
    return closed
