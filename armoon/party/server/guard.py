"""The check before every request: host, origin, key and size; and the headers of every answer."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import re
import ssl
from collections import Counter
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import asdict
from typing import Any, ClassVar, cast

from uvicorn.protocols.http.h11_impl import H11Protocol

from armoon.party.server.bodies import LONGEST_BODY
from armoon.party.server.door import OWN
from armoon.party.server.lines import Refuses, Setup
from armoon.party.server.tls import Ciphered
from armoon.values.numbers import count_in

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

#: A key, and a page or file of ours: nothing else is even looked at.
_PATH = re.compile(
    rb"/([A-Za-z0-9_-]{16,64})/([a-z0-9_-]{1,24}(?:/[a-z0-9_-]{1,24}(?:\.[a-z]{1,8}\.min)?\.(?:js|css|json|ttf))?)"
)
#: The entrance, a room's code, and what the entrance looks like.
_OPEN = re.compile(rb"/([A-Za-z]{4}|pages/[a-z0-9-]{1,24}\.(?:css|ttf))?")
#: Roles whose pages control the party; from other machines only with encryption.
STEERS = ("host", "moderator")
#: A body has to be there within this time.
BODY_S = 10.0
#: What a page of ours may load and do: what comes from here.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = [
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
]


class Guard:
    """Refuses what isn't meant for us, and hands on the rest with its role and body."""

    def __init__(self, app: App, setup: Setup, refused: Refuses) -> None:
        self._app, self._refused = app, refused
        self._keys = {role: key.encode() for role, key in asdict(setup.keys).items()}
        self._hosts = {host.encode() for host in setup.hosts}
        self._entrance, self._tls = bool(setup.code), bool(setup.certificate)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request; a client that is gone before its answer is no fault of ours."""
        if scope["type"] == "http":
            with contextlib.suppress(_GoneError):
                await self._answer(scope, receive, _to_who_is_there(send))

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        status, why = self._look(scope)
        if status:
            self.say(why, scope)
            await refuse(send, status)
            return
        if scope["method"] == "POST":
            body = await _body(receive)
            if body is None:
                self.say("body", scope)
                await refuse(send, 413)
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
        raw = scope.get("raw_path", b"").split(b"?")[0]
        path, door = _PATH.fullmatch(raw), _OPEN.fullmatch(raw) if self._entrance else None
        in_clear = scope["scheme"] == "http" and (not scope.get("client") or scope["client"][0] not in OWN)
        if door is not None or (in_clear and self._tls):
            scope["armoon.role"] = "door" if door is not None else "clear"
            scope["armoon.what"] = (door[1] or b"").decode() if door is not None else ""
            scope["armoon.clear"] = in_clear and self._tls
            return (0, "") if scope["method"] != "POST" else (403, "clear")
        if path is None:
            return 404, "path"
        role = next((r for r, key in self._keys.items() if hmac.compare_digest(key, path[1])), "")
        if not role:
            return 404, "key"
        if in_clear and role in STEERS:
            return 404, "clear"
        scope["armoon.role"], scope["armoon.what"] = role, path[2].decode()
        if scope["method"] != "POST":
            return 0, ""
        return self._look_at_post(headers, scope["scheme"].encode() + b"://" + host)

    def _look_at_post(self, headers: dict[bytes, bytes], here: bytes) -> tuple[int, str]:
        origin = headers.get(b"origin")
        if origin is not None and origin != here:
            return 403, "origin"
        if headers.get(b"sec-fetch-site", b"same-origin") not in (b"same-origin", b"none"):
            return 403, "origin"
        if headers.get(b"content-type", b"").split(b";")[0].strip() != b"application/json":
            return 415, "type"
        length = count_in(headers.get(b"content-length", b"0"))
        if length is None or length > LONGEST_BODY:
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


async def refuse(send: Send, status: int) -> None:
    """Answer with a status and nothing else, and close the connection."""
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


#: Connections at once; where there are more, the one whose request has been awaited for longest gives way.
MOST_CONNECTIONS = 1000
#: Streams of phones and of guests who look on among them: overlay, board and host find room beside these.
MOST_PHONES, MOST_ONLOOKERS = 400, 500
#: From one address that isn't this machine's: fifty phones behind one router, each with a stream and requests.
MOST_FROM_ONE = 160
#: A request has to be there within this time.
REQUEST_S = 10.0


class LimitedProtocol(H11Protocol):
    """Counts connections, and closes those that say nothing."""

    say: ClassVar[Callable[[str, str], None]] = staticmethod(lambda why, where: None)
    tls: ClassVar[ssl.SSLContext | None] = None
    """Connections may speak TLS, too."""
    _open: ClassVar[int] = 0
    _from: ClassVar[Counter[str]] = Counter()
    _awaited: ClassVar[dict[LimitedProtocol, None]] = {}
    """Connections whose request isn't there yet, the one that has been awaited for longest first."""
    _counted: str | None = None
    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Take it, or close it at once."""
        kind = LimitedProtocol
        peer = transport.get_extra_info("peername")
        where = str(peer[0]) if peer else ""
        many = where not in OWN and kind._from[where] >= MOST_FROM_ONE
        if many or (kind._open >= MOST_CONNECTIONS and not kind._awaited):
            kind.say("many", where)
            transport.abort()
            return
        if kind._open >= MOST_CONNECTIONS:
            longest = next(iter(kind._awaited))
            longest.transport.abort()
            longest._leave()
        kind._open += 1
        kind._from[where] += 1
        self._counted = where
        if kind.tls is not None:
            transport = cast(asyncio.Transport, Ciphered(transport, kind.tls))
        super().connection_made(transport)
        self._await()

    def connection_lost(self, exc: Exception | None) -> None:
        """End the connection."""
        if self.transport is not None:
            self._leave()
            super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Ignore data of refused connections."""
        if self._counted is None:
            return
        line: object = self.transport
        if isinstance(line, Ciphered):
            data = line.received(data)
            self.scheme = "https" if line.secure else "http"
            if not data:
                return
        super().data_received(data)
        if self.cycle is None or self.cycle.response_complete or self.cycle.more_body:
            self._await()
        else:
            self._come()

    def on_response_complete(self) -> None:
        """Another request may come, or a part of one."""
        super().on_response_complete()
        if self.cycle.response_complete:  # else the next one was there already
            LimitedProtocol._awaited[self] = None

    def eof_received(self) -> None:
        """Close half the connection: the client has sent everything."""

    def _await(self) -> None:
        """Give a request time from its beginning on, however slowly its parts come."""
        LimitedProtocol._awaited.setdefault(self)
        if self._late is None:
            self._late = self.loop.call_later(REQUEST_S, self._close_if_silent)

    def _come(self) -> None:
        """Note that a whole request is there."""
        LimitedProtocol._awaited.pop(self, None)
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _leave(self) -> None:
        """Count it no more."""
        self._come()
        if self._counted is not None:
            kind = LimitedProtocol
            kind._open -= 1
            kind._from[self._counted] -= 1
            if not kind._from[self._counted]:
                del kind._from[self._counted]
            self._counted = None

    def _close_if_silent(self) -> None:
        if not self.transport.is_closing():
            LimitedProtocol.say("slow", self._counted or "")
            self.transport.abort()
