"""A crowd at the party's server, in its own process: phones, overlays and boards. Two overlays never read.

``python -m benchmarks.party_crowd PORT VIEW JOIN`` prints ``ready``, then reads ``on`` and ``off``.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Coroutine
from typing import Any

from benchmarks.party_guests import Phone

PHONES, OVERLAYS, BOARDS, IDLE = 100, 20, 5, 2
#: Interval at which a phone changes its vote, seconds.
VOTE_EVERY_S = 3.0
#: Beginning of the line with the room's state during a vote; the vote's number follows.
_BALLOT = b'data: {"ballot":{"number":'


class Crowd:
    def __init__(self, port: int, view: str, join: str) -> None:
        self.port, self.view, self.join = port, view, join
        self.votes = self.lines = 0
        self._on = asyncio.Event()
        self._ballot = 0
        self._open: list[object] = []

    async def run_phone(self, number: int) -> None:
        phone = Phone(self.port, self.join)
        await phone.join(f"Phone {number}")
        self._start_task(self.listen(self.join, "room", reads=True))
        while True:
            await asyncio.sleep(VOTE_EVERY_S * (0.5 + (number * 37 % 100) / 100.0))
            await self._on.wait()
            status = await phone.ask("vote", {"ballot": self._ballot, "choice": number % 2})
            self.votes += status == 200

    async def listen(self, key: str, path: str, *, reads: bool) -> None:
        """Listen as an overlay, a board, or a phone's stream; without ``reads``, let the socket's buffer fill up."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 20)
        self._open.append(writer)
        writer.write(f"GET /{key}/{path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n\r\n".encode())
        if not reads:
            writer.transport.pause_reading()  # type: ignore[attr-defined]
            await asyncio.Event().wait()
        while line := await reader.readline():
            self.lines += 1
            if line.startswith(_BALLOT):
                self._ballot = int(line.removeprefix(_BALLOT).split(b",")[0])

    def _start_task(self, work: Coroutine[Any, Any, None]) -> None:
        self._open.append(asyncio.ensure_future(work))

    async def run(self) -> None:
        for number in range(PHONES):
            self._start_task(self.run_phone(number))
        for number in range(OVERLAYS + BOARDS):
            self._start_task(self.listen(self.view, "feed", reads=number >= IDLE))
        await asyncio.sleep(3.0)
        print("ready", flush=True)
        loop = asyncio.get_running_loop()
        while line := await loop.run_in_executor(None, sys.stdin.readline):
            (self._on.set if line.strip() == "on" else self._on.clear)()
        print(json.dumps({"votes": self.votes, "lines": self.lines}), flush=True)


if __name__ == "__main__":
    _, port, view, join = sys.argv
    asyncio.run(Crowd(int(port), view, join).run())
