"""The check before every request: host, origin, key and size; and the headers of every answer."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import re
from collections import Counter
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, ClassVar

from uvicorn.protocols.http.h11_impl import H11Protocol

from armoon.party.server.bodies import LONGEST_BODY
from armoon.party.server.lines import Keys, Refuses

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

#: A key, and a page or file of ours: nothing else is even looked at.
_PATH = re.compile(rb"/([A-Za-z0-9_-]{16,64})/([a-z0-9_-]{1,24}(?:/[a-z0-9_-]{1,24}\.(?:js|css|json|ttf))?)")
#: A body has to be there within this time.
BODY_S = 10.0
HEADERS = [
    (
        b"content-security-policy",
        b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        b"font-src 'self'; "
        b"base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
]


class Guard:
    """Refuses what isn't meant for us, and hands on the rest with its role and body."""

    def __init__(self, app: App, keys: Keys, hosts: tuple[str, ...], refused: Refuses) -> None:
        self._app, self._refused = app, refused
        self._keys = {"view": keys.view.encode(), "join": keys.join.encode(), "host": keys.host.encode()}
        self._hosts = {host.encode() for host in hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request; a client that is gone before its answer is no fault of ours."""
        if scope["type"] == "http":
            with contextlib.suppress(_GoneError):
                await self._answer(scope, receive, _to_who_is_there(send))

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        status, why = self._look(scope)
        if status:
            self.say(why, scope)
            await _refuse(send, status)
            return
        if scope["method"] == "POST":
            body = await _body(receive)
            if body is None:
                self.say("body", scope)
                await _refuse(send, 413)
                return
            scope["armoon.body"] = body
        await self._app(scope, receive, _with_headers(send))

    def say(self, why: str, scope: Scope) -> None:
        """Say that it is refused, and where it came from."""
        client = scope.get("client")
        self._refused(why, str(client[0]) if client else "")

    def _look(self, scope: Scope) -> tuple[int, str]:
        """Return the status of a refusal and its kind; 0: all is well."""
        headers: dict[bytes, bytes] = {}
        for name, value in scope["headers"]:
            if name in headers and name in (b"host", b"origin", b"content-length", b"content-type"):
                return 400, "host"
            headers[name] = value
        host = headers.get(b"host", b"").lower()
        if host not in self._hosts:
            return 421, "host"
        if scope["method"] not in ("GET", "HEAD", "POST"):
            return 405, "method"
        path = _PATH.fullmatch(scope.get("raw_path", b"").split(b"?")[0])
        if path is None:
            return 404, "path"
        role = next((r for r, key in self._keys.items() if hmac.compare_digest(key, path[1])), "")
        if not role:
            return 404, "key"
        scope["armoon.role"], scope["armoon.what"] = role, path[2].decode()
        return self._look_at_post(headers, host) if scope["method"] == "POST" else (0, "")

    def _look_at_post(self, headers: dict[bytes, bytes], host: bytes) -> tuple[int, str]:
        origin = headers.get(b"origin")
        if origin is not None and origin != b"http://" + host:
            return 403, "origin"
        if headers.get(b"sec-fetch-site", b"same-origin") not in (b"same-origin", b"none"):
            return 403, "origin"
        if headers.get(b"content-type", b"").split(b";")[0].strip() != b"application/json":
            return 415, "type"
        length = headers.get(b"content-length", b"0")
        if not length.isdigit() or len(length) > 9 or int(length) > LONGEST_BODY:
            return 413, "body"
        return 0, ""


class _GoneError(Exception):
    """The connection takes no answer any more."""


def _to_who_is_there(send: Send) -> Send:
    async def sending(message: Message) -> None:
        try:
            await send(message)
        except (
            Exception
        ) as error:  # what h11 raises where a client has said nonsense after its request, or left
            raise _GoneError from error

    return sending


async def _body(receive: Receive) -> bytes | None:
    """Return the whole body; None where it is too long or too slow, or the client left."""
    content = b""

    async def read() -> bool:
        nonlocal content
        while True:
            message = await receive()
            if message["type"] != "http.request":
                return False
            content += message.get("body", b"")
            if len(content) > LONGEST_BODY:
                return False
            if not message.get("more_body"):
                return True

    try:
        return content if await asyncio.wait_for(read(), BODY_S) else None
    except asyncio.TimeoutError:
        return None


async def _refuse(send: Send, status: int) -> None:
    head = [(b"content-length", b"0"), (b"connection", b"close"), *HEADERS]
    await send({"type": "http.response.start", "status": status, "headers": head})
    await send({"type": "http.response.body", "body": b""})


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            own = {name.lower() for name, _ in message["headers"]}
            message["headers"] = [*message["headers"], *(one for one in HEADERS if one[0] not in own)]
        await send(message)

    return sending


#: Phones, overlays and boards of a large party, each with a stream and a request.
MOST_CONNECTIONS = 400
#: From one address of the network; this machine's own has no limit but the one above.
MOST_FROM_ONE = 24
#: A request has to be there within this time.
REQUEST_S = 10.0
_OWN = ("127.0.0.1", "::1")


class LimitedProtocol(H11Protocol):
    """Counts connections, and closes those that say nothing."""

    say: ClassVar[Callable[[str, str], None]] = staticmethod(lambda why, where: None)
    _open: ClassVar[int] = 0
    _from: ClassVar[Counter[str]] = Counter()
    _counted: str | None = None
    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Take it, or close it at once."""
        kind = LimitedProtocol
        peer = transport.get_extra_info("peername")
        where = str(peer[0]) if peer else ""
        many = where not in _OWN and kind._from[where] >= MOST_FROM_ONE
        if many or kind._open >= MOST_CONNECTIONS:
            kind.say("many", where)
            transport.abort()
            return
        kind._open += 1
        kind._from[where] += 1
        self._counted = where
        super().connection_made(transport)
        self._late = self.loop.call_later(REQUEST_S, self._close_if_silent)

    def connection_lost(self, exc: Exception | None) -> None:
        """End the connection."""
        if self._counted is None:
            return
        kind = LimitedProtocol
        kind._open -= 1
        kind._from[self._counted] -= 1
        if not kind._from[self._counted]:
            del kind._from[self._counted]
        self._counted = None
        if self._late is not None:
            self._late.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Nothing is heard from who was refused."""
        if self._counted is not None:
            super().data_received(data)

    def eof_received(self) -> None:
        """Close half the connection: the client has sent everything."""

    def _close_if_silent(self) -> None:
        if self.cycle is None and not self.transport.is_closing():
            LimitedProtocol.say("slow", self._counted or "")
            self.transport.abort()
