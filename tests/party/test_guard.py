"""Connections of the party's server: silent ones are closed first, and an incomplete request delays nobody."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from uvicorn.config import Config
from uvicorn.server import ServerState

from armoon.party.limits import Quota
from armoon.party.server.app import make_room_for
from armoon.party.server.guard import (
    MAX_CONNECTIONS,
    MAX_FROM_ONE,
    MAX_REQUESTS,
    MAX_STARTED,
    REQUESTS_S,
    App,
    Guard,
    LimitedProtocol,
)
from armoon.party.server.lines import Keys, Setup
from armoon.party.server.room import Room, RoomStream

REQUEST = b"GET /x HTTP/1.1\r\nHost: a\r\n\r\n"


class FakeTransport(asyncio.Transport):
    def __init__(self, where: str) -> None:
        super().__init__()
        self.where = where
        self.aborted = self.closing = False

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return (self.where, 1) if name == "peername" else default

    def write(self, data: Any) -> None:
        pass

    def close(self) -> None:
        self.closing = True

    def abort(self) -> None:
        self.aborted = self.closing = True

    def is_closing(self) -> bool:
        return self.closing

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass


class Crowd:
    def __init__(self, *, answers: bool) -> None:
        self._answers = answers
        self.app: App = self._answer
        self._config = Config(
            self._app, interface="asgi3", proxy_headers=False, lifespan="off", log_config=None
        )
        self._config.load()
        self._state = ServerState()

    async def _app(self, scope: Any, receive: Any, send: Any) -> None:
        await self.app(scope, receive, send)

    async def _answer(self, scope: Any, receive: Any, send: Any) -> None:
        if not self._answers:
            await asyncio.Event().wait()
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    def connect(self, *parts: bytes, where: str = "10.0.0.2") -> tuple[LimitedProtocol, FakeTransport]:
        protocol, line = LimitedProtocol(self._config, self._state, {}), FakeTransport(where)
        protocol.connection_made(line)
        for part in parts:
            protocol.data_received(part)
        return protocol, line


def forget_connections() -> None:
    LimitedProtocol._open.clear()
    LimitedProtocol._awaited.clear()


@pytest.fixture(autouse=True)
def no_connections() -> Iterator[None]:
    forget_connections()
    yield
    forget_connections()


def test_silent_connections_make_room_for_the_host() -> None:
    async def crowded() -> None:
        crowd = Crowd(answers=False)
        busy = [crowd.connect(REQUEST, where="127.0.0.1")[1] for _ in range(20)]
        alone = crowd.connect(REQUEST[:9], where="10.0.0.3")[1]  # has waited longest
        silent = [crowd.connect(REQUEST[:9], where="127.0.0.1")[1] for _ in range(MAX_CONNECTIONS + 30)]
        _, host = crowd.connect(REQUEST, where="127.0.0.1")
        assert not any(line.aborted for line in (*busy, alone, host))
        assert [line.aborted for line in silent] == [True] * 52 + [False] * (MAX_CONNECTIONS - 22)

    asyncio.run(crowded())


def test_connections_from_one_address_are_limited_to_fifty_phones() -> None:
    async def crowded() -> None:
        crowd = Crowd(answers=False)
        phones = [crowd.connect(REQUEST)[1] for _ in range(3 * 50)]
        more = [crowd.connect(REQUEST)[1] for _ in range(MAX_FROM_ONE)]
        assert not any(line.aborted for line in phones)
        assert sum(not line.aborted for line in more) == MAX_FROM_ONE - 150
        assert not crowd.connect(REQUEST, where="10.0.0.3")[1].aborted

    asyncio.run(crowded())


@pytest.mark.parametrize("addresses", [1, 7, 1000], ids=["this machine", "seven", "each alone"])
@pytest.mark.parametrize("crowds_key", ["j" * 22, "x" * 22], ids=["guests", "strangers"])
def test_host_and_overlay_are_answered_before_a_crowds_requests(addresses: int, crowds_key: str) -> None:
    keys = Keys("v" * 22, "j" * 22, "h" * 22)
    answered: list[str] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        answered.append(scope["armoon.role"])
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    async def crowded() -> tuple[bool, int]:
        crowd = Crowd(answers=True)
        crowd.app = Guard(app, Setup(keys, ("a",), "", "en"), lambda why, where: None)
        where = ["127.0.0.1"] if addresses == 1 else [f"10.0.{n % 250}.{n // 250}" for n in range(addresses)]
        query = b"GET /%s/vote HTTP/1.1\r\nHost: a\r\n\r\n"
        for number in range(MAX_CONNECTIONS + 50):
            crowd.connect(20 * (query % crowds_key.encode()), where=where[number % len(where)])
        for _ in range(5):
            await asyncio.sleep(0)
        before = len(answered)
        for number in range(40):
            crowd.connect(query % crowds_key.encode(), where=where[number % len(where)])
        lines = [crowd.connect(query % key.encode(), where="127.0.0.1")[1] for key in (keys.host, keys.view)]
        crowd.connect(query % keys.join.encode(), where="10.9.9.9")
        for _ in range(5):
            await asyncio.sleep(0)
        return any(line.aborted for line in lines), len(answered) - before

    dropped, begun = asyncio.run(crowded())
    assert not dropped
    assert {"host", "view"} <= set(answered)
    assert begun <= 2 + 6 * MAX_STARTED


def test_requests_of_one_address_are_limited_only_by_rate() -> None:
    now_s = 0.0
    quota = Quota(MAX_REQUESTS, REQUESTS_S, lambda: now_s)
    assert sum(quota.count_if_allowed("10.0.0.2") for _ in range(4500)) == 1500
    assert quota.count_if_allowed("10.0.0.3")
    now_s = 1.0
    assert sum(quota.count_if_allowed("10.0.0.2") for _ in range(4500)) == 150


@pytest.mark.parametrize(
    "parts", [(), (REQUEST[:9],), (REQUEST, REQUEST[:9])], ids=["none", "half", "one and a half"]
)
def test_an_incomplete_request_is_closed(monkeypatch: pytest.MonkeyPatch, parts: tuple[bytes, ...]) -> None:
    monkeypatch.setattr(LimitedProtocol._awaited, "limit_s", 0.0)

    async def late() -> bool:
        crowd = Crowd(answers=True)
        protocol, line = crowd.connect()
        for part in parts:
            protocol.data_received(part)
            if part == REQUEST:
                while not protocol.cycle.response_complete:
                    await asyncio.sleep(0)
        for _ in range(5):
            await asyncio.sleep(0)
        return line.aborted

    assert asyncio.run(late())


def test_a_complete_request_and_a_kept_connection_stay_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LimitedProtocol._awaited, "limit_s", 0.0)

    async def kept() -> bool:
        crowd = Crowd(answers=True)
        protocol, line = crowd.connect(REQUEST)
        while not protocol.cycle.response_complete:
            await asyncio.sleep(0)
        for _ in range(5):
            await asyncio.sleep(0)
        protocol._unset_keepalive_if_required()
        return line.aborted

    assert not asyncio.run(kept())


def test_streams_from_a_few_addresses_do_not_keep_others_out() -> None:
    room = Room(Setup(Keys("v", "j", "h"), (), "", "en"), lambda line: None)

    def can_connect(where: str, *, feed: bool = False) -> bool:
        listener = RoomStream(live=False, feed=feed, guest=True, where=where)
        if has_room := make_room_for(room, listener, 40):
            room.listeners.add(listener)
        return has_room

    assert all(can_connect(f"10.0.1.{number % 3}") for number in range(40))
    assert not can_connect("10.0.1.0")
    assert [can_connect(f"10.0.0.{number}") for number in range(20)] == [True] * 20
    assert len(room.listeners) == 40
    assert sum(x.where.startswith("10.0.0.") for x in room.listeners) == 20, "none of them was closed"
    assert can_connect("10.0.1.0", feed=True), "onlookers have room of their own"
