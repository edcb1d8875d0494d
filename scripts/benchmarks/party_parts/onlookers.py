"""Onlookers in a process of their own, who note how late each line comes: at the party's server, or at a broker.

``python -m benchmarks.party_parts.onlookers COUNT sse PORT KEY``, or ``COUNT mqtt|web PORT PREFIX TABLES`` (each looks
at one of the tables ``0``, ``1`` ...). It says ``ready``, and at the end what was seen. The lines' ``at_s``
is the time at which they were written, by the system's clock that all its programs share.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
import time
from collections.abc import Awaitable, Callable

from benchmarks.party_parts import mqtt

AT = re.compile(rb'"at_s":([0-9.]+)')
#: Number of onlookers that connect at a time.
AT_ONCE = 50


def stamped(line: bytes) -> bytes:
    """Return a line of the feed with the present time."""
    return AT.sub(b'"at_s":%.6f' % time.monotonic(), line, count=1)


class Onlookers:
    """All of them."""

    def __init__(self, count: int) -> None:
        self.count, self.late_ms, self.lines, self.ended = count, list[float](), 0, 0
        self._noted = False
        self._tasks: list[asyncio.Task[None]] = []

    def see(self, content: bytes) -> None:
        """Note a line, once it counts."""
        if not self._noted:
            return
        self.lines += 1
        if (found := AT.search(content, 0, 120)) is not None:
            self.late_ms.append(1000.0 * (time.monotonic() - float(found[1])))

    async def run(self, come: Callable[[int], Awaitable[Callable[[], Awaitable[None]]]]) -> None:
        """Let all come, some at a time, and look on until the input ends."""
        for first in range(0, self.count, AT_ONCE):
            few = range(first, min(self.count, first + AT_ONCE))
            for look in await asyncio.gather(*(come(number) for number in few)):
                self._tasks.append(asyncio.ensure_future(self._until_the_end(look)))
        print("ready", flush=True)
        loop = asyncio.get_running_loop()
        while word := (await loop.run_in_executor(None, sys.stdin.readline)).strip():
            self._noted = word == "on"
        print(json.dumps({"late_ms": self.late_ms, "lines": self.lines, "ended": self.ended}), flush=True)

    async def _until_the_end(self, look: Callable[[], Awaitable[None]]) -> None:
        await look()
        self.ended += 1

    async def at_the_house(self, port: int, key: str) -> Callable[[], Awaitable[None]]:
        """Come to the party's server as a browser's page does."""
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 20)
        writer.write(f"GET /{key}/feed HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
        if b" 200 " not in (said := await reader.readline()):
            raise ConnectionError(f"not let in: {said!r}")

        async def look() -> None:
            while line := await reader.readline():
                if line.startswith(b"data: {") and b'"live":' in line[:100]:
                    self.see(line)
            writer.close()

        return look

    async def at_a_broker(
        self, number: int, port: int, topic: str, *, web: bool
    ) -> Callable[[], Awaitable[None]]:
        """Come to a broker, and look at one table there."""
        client = await mqtt.connect("127.0.0.1", port, f"onlooker-{number}", web=web)
        await client.subscribe(f"{topic}/live")

        async def look() -> None:
            async for _, content in client.messages():
                self.see(content)

        return look


def main() -> None:
    """Look on."""
    count, way, port, where, *more = sys.argv[1:]
    onlookers = Onlookers(int(count))

    def come(number: int) -> Awaitable[Callable[[], Awaitable[None]]]:
        if way == "sse":
            return onlookers.at_the_house(int(port), where)
        return onlookers.at_a_broker(number, int(port), f"{where}/{number % int(more[0])}", web=way == "web")

    asyncio.run(onlookers.run(come))


if __name__ == "__main__":
    main()
