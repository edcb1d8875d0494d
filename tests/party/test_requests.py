"""The checks of every request, one rule after another, without a network."""

from __future__ import annotations

import asyncio
from dataclasses import fields
from typing import Any

from armoon.party.limits import Quota
from armoon.party.memory import new_key
from armoon.party.server.guard import Guard, Message, Scope
from armoon.party.server.lines import MAX_BODY_BYTES, Keys, Setup

KEYS = Keys(*(new_key() for _ in fields(Keys)))
HOST = b"192.168.1.5:8737"
JSON = (b"content-type", b"application/json; charset=utf-8")


class GuardedApp:
    def __init__(self, *, certificate: str = "", code: str = "") -> None:
        setup = Setup(KEYS, (HOST.decode(),), "", "en", certificate=certificate, code=code)
        self.guard = Guard(self._app, setup, lambda why, where: self.refused.append(why))
        self.refused: list[str] = []
        self.roles: list[str] = []

    async def _app(self, scope: Scope, receive: Any, send: Any) -> None:
        self.roles.append(scope["armoon.role"])
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    def ask(
        self,
        path: str,
        *headers: tuple[bytes, bytes],
        method: str = "GET",
        body: tuple[bytes, ...] = (b"{}",),
        host: tuple[bytes, ...] = (HOST,),
        scheme: str = "https",
        address: str = "192.168.1.9",
    ) -> int:
        parts = [{"type": "http.request", "body": part, "more_body": True} for part in body]
        parts[-1]["more_body"] = False
        answer: list[Message] = []

        async def receive() -> Any:
            return parts.pop(0)

        async def send(message: Message) -> None:
            answer.append(message)

        scope = {
            "type": "http",
            "method": method,
            "scheme": scheme,
            "raw_path": path.encode(),
            "headers": [*((b"host", value) for value in host), *headers],
            "client": (address, 40_000),
        }
        asyncio.run(self.guard(scope, receive, send))
        return int(answer[0]["status"])


def send_vote(guarded: GuardedApp, *headers: tuple[bytes, bytes], **more: Any) -> int:
    return guarded.ask(f"/{KEYS.join}/vote", *(headers or (JSON,)), method="POST", **more)


def test_each_key_opens_only_its_own_pages() -> None:
    guarded = GuardedApp()
    assert [guarded.ask(f"/{KEYS.join}/vote"), guarded.ask(f"/{KEYS.host}/host")] == [200, 200]
    assert guarded.roles == ["join", "host"]
    assert guarded.ask(f"/{new_key()}/vote") == 404
    assert guarded.ask(f"/{KEYS.join}/../host") == 404
    assert guarded.ask(f"/{KEYS.join}/vote", method="PUT") == 405
    assert guarded.refused == ["key", "path", "method"]


def test_a_request_names_this_host_exactly_once() -> None:
    guarded = GuardedApp()
    assert guarded.ask(f"/{KEYS.join}/vote", host=(b"evil.example",)) == 421
    assert guarded.ask(f"/{KEYS.join}/vote", host=(HOST, HOST)) == 400
    assert guarded.ask(f"/{KEYS.join}/vote", host=()) == 421
    assert guarded.ask(f"/{KEYS.join}/vote", host=(HOST.upper(),)) == 200


def test_a_vote_comes_from_our_own_page() -> None:
    guarded = GuardedApp()
    assert send_vote(guarded) == 200
    assert (
        send_vote(guarded, JSON, (b"origin", b"https://" + HOST), (b"sec-fetch-site", b"same-origin")) == 200
    )
    for foreign in (b"https://evil.example", b"http://" + HOST, b"null", b""):
        assert send_vote(guarded, JSON, (b"origin", foreign)) == 403
    for site in (b"cross-site", b"same-site"):
        assert send_vote(guarded, JSON, (b"sec-fetch-site", site)) == 403


def test_a_body_is_json_and_short() -> None:
    guarded = GuardedApp()
    for kind in (b"text/plain", b"application/x-www-form-urlencoded", b"multipart/form-data"):
        assert send_vote(guarded, (b"content-type", kind)) == 415
    assert send_vote(guarded, (b"accept", b"*/*")) == 415
    for length in (b"%d" % (MAX_BODY_BYTES + 1), b"-1", b"x", "²".encode()):
        assert send_vote(guarded, JSON, (b"content-length", length)) == 413
    assert send_vote(guarded, JSON, body=(b"x" * MAX_BODY_BYTES, b"x")) == 413
    assert send_vote(guarded, JSON, body=(b"x" * (MAX_BODY_BYTES - 1), b"x")) == 200
    assert guarded.roles == ["join"]


def test_only_other_machines_requests_are_limited() -> None:
    guarded = GuardedApp()
    guarded.guard._requests = Quota(2, 10.0, lambda: 0.0)
    for address, last in (("192.168.1.9", 429), ("192.168.1.10", 429), ("127.0.0.1", 200)):
        assert [guarded.ask(f"/{KEYS.join}/vote", address=address) for _ in range(3)] == [200, 200, last]


def test_the_hosts_key_is_refused_unencrypted() -> None:
    guarded = GuardedApp()
    assert guarded.ask(f"/{KEYS.host}/host", scheme="http") == 404
    assert guarded.ask(f"/{KEYS.join}/vote", scheme="http") == 200
    assert guarded.roles == ["join"]


def test_an_unencrypted_visitor_is_redirected_and_sends_nothing() -> None:
    guarded = GuardedApp(certificate="x", code="ABCD")
    assert guarded.ask(f"/{KEYS.host}/host", scheme="http") == 200
    assert guarded.ask("/ABCD") == 200
    assert guarded.roles == ["unencrypted", "entrance"]
    assert send_vote(guarded, scheme="http") == 403
    assert guarded.ask("/ABCD", JSON, method="POST") == 403
