"""Helpers to send requests to the party's server as browsers, programs and attackers would."""

from __future__ import annotations

import http.client
import json
import socket
import ssl
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from typing import Any

from armoon.party.link import Server
from armoon.party.memory import new_key
from armoon.party.server.lines import Keys, PartyRequest
from support.waiting import PATIENCE_S, until


class Response:
    def __init__(self, answer: http.client.HTTPResponse) -> None:
        self.status = answer.status
        self.headers = {name.lower(): value for name, value in answer.getheaders()}
        # A stream's response never ends.
        assert not self.headers.get("content-type", "").startswith("text/event-stream"), "use `Stream`"
        self.content = answer.read()

    @property
    def plain(self) -> Any:
        return json.loads(self.content)


class Client:
    def __init__(self, server: Server, key: str, where: str = "127.0.0.1", *, tls: bool = False) -> None:
        """``where``: the client's local address; ``tls``: connect by HTTPS and trust the host's certificate."""
        self.server, self.key, self.cookie, self.where = server, key, "", where
        self._connect: Callable[..., http.client.HTTPConnection] = http.client.HTTPConnection
        if tls:
            trusting = ssl.create_default_context(cadata=server.setup.certificate)
            self._connect = partial(http.client.HTTPSConnection, context=trusting)

    def ask(
        self,
        what: str,
        body: object = None,
        *,
        method: str | None = None,
        headers: dict[str, str] | None = None,
        raw: bytes | None = None,
        path: str | None = None,
    ) -> Response:
        all_headers = {"Host": f"127.0.0.1:{self.server.port}", **(headers or {})}
        content = raw if raw is not None else None if body is None else json.dumps(body).encode()
        if content is not None and "Content-Type" not in all_headers:
            all_headers["Content-Type"] = "application/json"
        if self.cookie:
            all_headers["Cookie"] = self.cookie
        port, source = self.server.port, (self.where, 0)
        connection = self._connect("127.0.0.1", port, timeout=PATIENCE_S, source_address=source)
        try:
            verb = method or ("GET" if content is None else "POST")
            connection.request(verb, path or f"/{self.key}/{what}", content, all_headers)
            answer = Response(connection.getresponse())
        finally:
            connection.close()
        if "set-cookie" in answer.headers:
            self.cookie = answer.headers["set-cookie"].partition(";")[0]
        return answer

    def join(self, name: str) -> Response:
        return self.ask("join", {"name": name})


class Stream:
    def __init__(self, server: Server, key: str, what: str = "feed") -> None:
        self._socket = socket.create_connection(("127.0.0.1", server.port), PATIENCE_S)
        host = f"127.0.0.1:{server.port}"
        self._socket.sendall(f"GET /{key}/{what} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        self._file = self._socket.makefile("rb")
        assert b"200" in self._file.readline()

    def messages(self) -> Iterator[tuple[str, Any]]:
        event = ""
        while line := self._file.readline():
            if line.startswith(b"event: "):
                event = line[7:].decode().strip()
            elif line.startswith(b"data: "):
                yield event, json.loads(line[6:])

    def until(self, good: Callable[[str, Any], bool]) -> Any:
        end_s = time.monotonic() + PATIENCE_S
        for event, data in self.messages():
            assert time.monotonic() < end_s, "timed out"
            if good(event, data):
                return data
        raise AssertionError("the stream has ended")

    def close(self) -> None:
        self._file.close()
        self._socket.close()


@contextmanager
def serve(
    output: list[str] | None = None, *, lines: Sequence[bytes] = (), **options: Any
) -> Iterator[Server]:
    """Run a server at a free port and write these lines to it; ``options`` are arguments of ``Server``."""
    keys = Keys(new_key(), new_key(), new_key())
    with closing(Server(keys, (output if output is not None else []).append, port=0, **options)) as server:
        for line in lines:
            server.write(line)
        yield server


def end_of(lines: list[bytes], kind: str, word: str = "") -> int:
    event = next(
        n for n, line in enumerate(lines) if f'"kind":"{kind}"'.encode() in line and word.encode() in line
    )
    return next(n for n in range(event, len(lines)) if b'"state":' in lines[n][:80]) + 1


def first_carry_line(lines: list[bytes]) -> int:
    """Return the index of the line at which bets close: it reports the taking of the first released ladder."""
    released = next(n for n, line in enumerate(lines) if b'"what":"released"' in line)
    return max(n for n, line in enumerate(lines[:released]) if b'"what":"taken"' in line)


def receive(server: Server, count: int) -> list[PartyRequest]:
    requests: list[PartyRequest] = []

    def has_received() -> bool:
        requests.extend(server.drain_requests())
        return len(requests) >= count

    until(has_received)
    return requests
