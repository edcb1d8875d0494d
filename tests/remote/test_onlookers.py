"""Five hundred onlookers of one game: each gets every event, a slow one costs a bounded queue, one more is refused."""

from __future__ import annotations

import socket

import pytest
from support.feed_kit import feed_of
from support.party_kit import Client, serve
from support.waiting import until

from armoon.party.link import Server
from armoon.party.server.guard import MAX_ONLOOKERS
from armoon.party.server.room import WAITING


class Onlooker:
    def __init__(self, server: Server) -> None:
        self.events = self.messages = 0
        self.ended = False
        self._rest = b""
        self._socket = socket.create_connection(("127.0.0.1", server.port))
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 14)
        host = f"127.0.0.1:{server.port}"
        self._socket.sendall(f"GET /{server.keys.join}/feed HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        self._socket.setblocking(False)

    def read(self) -> None:
        while not self.ended:
            try:
                content = self._socket.recv(1 << 16)
            except BlockingIOError:
                return
            whole, _, self._rest = (self._rest + content).rpartition(b"\n\n")
            self.events += whole.count(b'"happening":')
            self.messages += whole.count(b"data: ")
            self.ended = not content


@pytest.mark.long
def test_five_hundred_onlookers_get_every_event_and_one_more_is_refused() -> None:
    lines, games = feed_of("moon"), 4  # more lines than a queue holds
    events = sum(b'"happening":' in line[:200] for line in lines)
    with serve() as server:
        slow, *reading = [Onlooker(server) for _ in range(MAX_ONLOOKERS)]

        def read() -> None:
            for one in reading:
                one.read()

        until(lambda: all(one.messages for one in reading), "all look on", read)
        assert Client(server, server.keys.join).ask("feed").status == 503
        for game in range(1, games + 1):
            for line in lines:
                server.write(line)
            until(lambda: all(one.events >= game * events for one in reading), "the game", read)  # noqa: B023
        assert {(one.events, one.ended) for one in reading} == {(games * events, False)}
        least = min(one.messages for one in reading)
        until(lambda: slow.ended or slow.messages > WAITING, "it catches up or is dropped", slow.read)
        assert slow.messages < WAITING + 20 < least, "what fits in a queue"
