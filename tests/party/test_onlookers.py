"""Five hundred onlookers watch one game; each gets every event, and one more onlooker is refused."""

from __future__ import annotations

import socket
from contextlib import suppress

import pytest
from support.feed_kit import feed_of
from support.party_kit import Client, serve
from support.waiting import until

from armoon.party.link import Server
from armoon.party.server.guard import MAX_ONLOOKERS


class Onlooker:
    def __init__(self, server: Server) -> None:
        self.events = self.messages = 0
        self._rest = b""
        self._socket = socket.create_connection(("127.0.0.1", server.port))
        host = f"127.0.0.1:{server.port}"
        self._socket.sendall(f"GET /{server.keys.join}/feed HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        self._socket.setblocking(False)

    def read(self) -> None:
        with suppress(BlockingIOError):
            content = self._socket.recv(1 << 16)
            assert content, "the stream has ended"
            complete, _, self._rest = (self._rest + content).rpartition(b"\n\n")
            self.events += complete.count(b'"happening":')
            self.messages += complete.count(b"data: ")


@pytest.mark.long
def test_five_hundred_onlookers_get_every_event_and_one_more_is_refused() -> None:
    lines = feed_of("moon")
    with serve() as server:
        onlookers = [Onlooker(server) for _ in range(MAX_ONLOOKERS)]

        def read() -> None:
            for onlooker in onlookers:
                onlooker.read()

        until(lambda: all(onlooker.messages for onlooker in onlookers), "all are watching", read)
        assert Client(server, server.keys.join).ask("feed").status == 503
        for line in lines:
            server.write(line)
        events = sum(b'"happening":' in line[:200] for line in lines)
        until(lambda: all(onlooker.events >= events for onlooker in onlookers), "the game", read)
        assert {onlooker.events for onlooker in onlookers} == {events}
