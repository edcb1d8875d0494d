"""Checks every request (host, origin, key, size, rate), provides TLS, and adds headers to every answer."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import re
import ssl
import tempfile
import time
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Iterator, Mapping, MutableMapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, cast

from uvicorn.protocols.http.h11_impl import H11Protocol

from armoon.party.limits import LOOPBACK, AwaitedConnections, Quota, find_address, find_busiest
from armoon.party.server.lines import MAX_BODY_BYTES, ReportRefusal, Setup
from armoon.party.votes import MAX_FORMER, MAX_GUESTS, OTHER, Ballots, Guest, VoteRefusal, VoteRefused
from armoon.values.text import parse_count

#: Maximum number of new guests from one address, at once or every ``JOINS_S`` seconds: a class behind one router.
MAX_JOINS, JOINS_S = 40, 600.0
#: Time without an open page or a request after which a guest counts as absent, seconds.
SILENT_S = 60.0
#: Time after a ban in which new guests from the same address need the host's approval, seconds.
WATCHED_S = 600.0
#: Maximum number of requests from one phone, at once or in each ``PHONE_REQUESTS_S`` seconds.
MAX_PHONE_REQUESTS, PHONE_REQUESTS_S = 40, 10.0
#: Maximum number of wrong room codes from one address, at once or in each ``GUESSES_S`` seconds.
MAX_GUESSES, GUESSES_S = 30, 600.0


class GuestRegistry:
    """Admits guests, with limits for each address, and records who is present."""

    def __init__(
        self,
        ballots: Ballots,
        now_s: Callable[[], float] = time.monotonic,
        arrivals: Mapping[str, int] = MappingProxyType({}),
    ) -> None:
        """``arrivals``: number of recent arrivals by address, saved before a restart."""
        self._ballots, self._now_s = ballots, now_s
        self._began_s = now_s()
        self.joins = Quota(MAX_JOINS, JOINS_S, now_s)
        """Attempts to join, by address."""
        for address, count in arrivals.items():
            self.joins.count(address, count)
        self._seen_s: dict[str, float] = {}
        self._requests = Quota(MAX_PHONE_REQUESTS, PHONE_REQUESTS_S, now_s)
        """Requests by guest."""
        self._open: Counter[str] = Counter()
        """Number of open pages by guest."""
        self._watched_until_s: dict[str, float] = {}
        self.wrong_codes = Quota(MAX_GUESSES, GUESSES_S, now_s)
        """Wrong room codes, by address."""

    def admit(self, guest: str, address: str, name: str, default_name: str) -> Guest:
        """Admit a guest, or rename an admitted one. Raises VoteRefused."""
        ballots, now_s = self._ballots, self._now_s()
        known = ballots.guests.get(guest)
        if known is None:
            if guest not in ballots.former:  # a returning guest was counted at the first arrival
                is_over_quota = not self.joins.allows(address) and address not in LOOPBACK
                self.joins.count(address)
                if is_over_quota:
                    raise VoteRefused(VoteRefusal.OFTEN)
            if ballots.locked and guest not in ballots.former:
                raise VoteRefused(VoteRefusal.LOCKED)
            if sum(self._holds_place(key) for key in ballots.guests) >= MAX_GUESTS:
                self._free_place(now_s)
        is_waiting = known is None and (ballots.approves or self._watched_until_s.get(address, now_s) > now_s)
        admitted = ballots.join(guest, name, default_name, is_waiting=is_waiting)
        self._seen_s[guest] = now_s
        return self._update_address(guest, admitted, address)

    def _update_address(self, guest: str, known: Guest, address: str) -> Guest:
        if known.where != address:
            known = self._ballots.guests[guest] = replace(known, where=address)
        return known

    def count_request(self, guest: str, address: str) -> bool:
        """Count a guest's request; return False if the guest is unknown or sends too many. Raises VoteRefused.

        A guest who lost their place gets it back.
        """
        if (former := self._ballots.former.get(guest)) is not None:
            self.admit(guest, address, former.name, former.name)
        if (known := self._ballots.guests.get(guest)) is None:
            return False
        self._update_address(guest, known, address)
        self._seen_s[guest] = self._now_s()
        return self._requests.count_if_allowed(guest)

    @contextmanager
    def hold_place(self, guest: str, address: str) -> Iterator[None]:
        """Keep a guest's place while one of their pages is open."""
        self._open[guest] += 1
        if (known := self._ballots.guests.get(guest)) is not None:
            self._update_address(guest, known, address)
        try:
            yield
        finally:
            self._open[guest] -= 1
            if not self._open[guest]:
                del self._open[guest]
            if guest in self._ballots.guests:
                self._seen_s[guest] = self._now_s()

    def set_banned(self, name: str, *, banned: bool) -> bool:
        """Ban a guest and watch their address, or undo both; return False for an unknown name."""
        guest = self._ballots.set_banned(name, banned=banned)
        if guest is None:
            return False
        address = self._ballots.guests[guest].where
        if not banned:
            self._watched_until_s.pop(address, None)
        elif address:
            self._watched_until_s[address] = self._now_s() + WATCHED_S
        return True

    def count_present(self) -> int:
        """Count the present guests; after a restart, a guest counts from their next request."""
        now_s = self._now_s()
        return sum(
            self._holds_place(guest)
            and (guest in self._open or guest in self._seen_s)
            and not self._is_silent(guest, now_s)
            for guest in self._ballots.guests
        )

    def _holds_place(self, guest: str) -> bool:
        return not guest.startswith(OTHER) and not self._ballots.guests[guest].banned

    def _is_silent(self, guest: str, now_s: float) -> bool:
        return guest not in self._open and now_s - self._seen_s.get(guest, self._began_s) > SILENT_S

    def _free_place(self, now_s: float) -> None:
        """Make room by removing a guest whose page is closed.

        Silent guests are removed first, then guests from the busiest address; among these, the newest guest not seen
        since a restart, else the one seen least recently.
        """
        guests = self._ballots.guests

        def rank(guest: str) -> tuple[bool, int, float]:
            silent, arrived = self._is_silent(guest, now_s), round(self.joins.count_now(guests[guest].where))
            return not silent, -arrived, self._seen_s.get(guest, 0.0)

        closed = [one for one in reversed(guests) if self._holds_place(one) and one not in self._open]
        if closed:
            closing = min(closed, key=rank)
            self._ballots.leave(closing)
            former = self._ballots.former
            if len(former) > MAX_FORMER:
                arrived = self.joins.count_now
                del former[min(reversed(former), key=lambda n: (former[n].points, -arrived(former[n].where)))]
            self._seen_s.pop(closing, None)


#: The first byte of a TLS connection.
_HANDSHAKE = 0x16
#: Maximum number of decrypted bytes read at a time.
_READ_BYTES = 65_536
#: Number of hexadecimal digits of the fingerprint that are shown.
_FINGERPRINT_DIGITS = 16


def create_tls_context(certificate: str) -> ssl.SSLContext:
    """Return a server-side TLS context for a key and its certificate (PEM)."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_alpn_protocols(["http/1.1"])
    # The ssl module reads only files. Windows can't read an open temporary file, hence the private folder.
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "server.pem"
        path.write_text(certificate, encoding="ascii")
        context.load_cert_chain(path)
    return context


def compute_fingerprint(certificate: str) -> str:
    """Return the start of the SHA-256 fingerprint that browsers show; empty without a certificate."""
    if not certificate:
        return ""
    public = certificate[certificate.index("-----BEGIN CERTIFICATE") :]
    digits = hashlib.sha256(ssl.PEM_cert_to_DER_cert(public)).hexdigest().upper()[:_FINGERPRINT_DIGITS]
    return " ".join(digits[start : start + 4] for start in range(0, _FINGERPRINT_DIGITS, 4))


class TlsTransport:
    """A TLS layer over a plain transport, which provides all other attributes."""

    def __init__(self, plain: Any, context: ssl.SSLContext) -> None:
        self._plain, self._context = plain, context
        self._incoming, self._outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls: ssl.SSLObject | None = None
        self._started = self._handshake_done = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._plain, name)

    @property
    def secure(self) -> bool:
        return self._tls is not None

    def decrypt(self, data: bytes) -> bytes:
        """Return the decrypted content; on an unencrypted connection, return the bytes unchanged."""
        if not self._started:
            self._started = True
            if data[0] == _HANDSHAKE:
                self._tls = self._context.wrap_bio(self._incoming, self._outgoing, server_side=True)
        if self._tls is None:
            return data
        self._incoming.write(data)
        received = b""
        try:
            if not self._handshake_done:
                self._tls.do_handshake()
                self._handshake_done = True
            while part := self._tls.read(_READ_BYTES):
                received += part
        except ssl.SSLWantReadError:
            pass
        except ssl.SSLError:
            self._flush()  # send the alert with the reason
            self._plain.abort()
            return b""
        self._flush()
        return received

    def write(self, data: bytes) -> None:
        if self._tls is None:
            self._plain.write(data)
        elif self._handshake_done and not self._plain.is_closing():
            self._tls.write(data)
            self._flush()

    def close(self) -> None:
        if self._tls is not None and self._handshake_done:
            with suppress(ssl.SSLError):
                self._tls.unwrap()
            self._flush()
        self._plain.close()

    def _flush(self) -> None:
        if sent := self._outgoing.read():
            self._plain.write(sent)


Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

#: Valid paths: a key, and a page or file; all others are refused.
_PATH = re.compile(
    rb"/([A-Za-z0-9_-]{16,64})/([a-z0-9_-]{1,24}(?:/[a-z0-9_-]{1,24}(?:\.[a-z]{1,8}\.min)?\.(?:js|css|json|ttf))?)"
)
#: Valid paths without a key: the entrance, a room's code, and the entrance's style files.
_KEYLESS_PATH = re.compile(rb"/([A-Za-z]{4}|pages/[a-z0-9-]{1,24}\.(?:css|ttf))?")
#: Time limit for receiving a body, seconds.
BODY_S = 10.0
#: Content security policy: pages can only load from this server.
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


#: Query parameter that leads guests to the 3D page, with help on joining with a table of their own.
JOINING_HELP = "tables"
#: Roles whose requests are never queued: the host's page, and overlay and board.
RESERVED = ("host", "view")
#: Maximum number of guests' requests started in one pass of the event loop.
MAX_STARTED = 4
#: Maximum number of requests from one address, at once or in each ``REQUESTS_S`` seconds; fifty phones behind one
#: router can open a page at once.
MAX_REQUESTS, REQUESTS_S = 1500, 10.0


class RequestScheduler:
    """Starts guests' requests from each address in turn, so that no address delays the others."""

    def __init__(self) -> None:
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}

    async def wait(self, address: str) -> None:
        loop = asyncio.get_running_loop()
        if not self._waiting:
            loop.call_soon(self._start_some)
        turn = loop.create_future()
        self._waiting.setdefault(address, deque()).append(turn)
        await turn

    def _start_some(self) -> None:
        started = 0
        while self._waiting and started < MAX_STARTED:
            address = next(iter(self._waiting))
            turns = self._waiting.pop(address)
            turn = turns.popleft()
            if turns:
                self._waiting[address] = turns
            if not turn.done():
                turn.set_result(None)
                started += 1
        if self._waiting:
            asyncio.get_running_loop().call_soon(self._start_some)


class Guard:
    """ASGI application that refuses invalid requests, and passes valid ones on with their role and body."""

    def __init__(self, app: App, setup: Setup, refused: ReportRefusal) -> None:
        self._app, self._refused = app, refused
        self._keys = {role: key.encode() for role, key in asdict(setup.keys).items()}
        self._hosts = {host.encode() for host in setup.hosts}
        self._entrance, self._tls = bool(setup.code), bool(setup.certificate)
        self._requests = Quota(MAX_REQUESTS, REQUESTS_S)
        """Guests' requests, by address."""
        self._turns = RequestScheduler()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request; ignore clients that disconnect before the answer."""
        if scope["type"] == "http":
            with suppress(_DisconnectedError):
                await self._answer(scope, receive, _with_headers(send))

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        status, reason = self._check_request(scope)
        if scope["armoon.role"] not in RESERVED:
            address = find_client_address(scope)
            if not self._requests.count_if_allowed(address) and address not in LOOPBACK:
                status, reason = 429, "many"
            await self._turns.wait(address)
        if status:
            self.report(reason, scope)
            await refuse(send, status)
            return
        if scope["method"] == "POST":
            body = await _read_body(receive)
            if body is None:
                self.report("body", scope)
                await refuse(send, 413)
                return
            scope["armoon.body"] = body
        await self._app(scope, receive, send)

    def report(self, reason: str, scope: Scope) -> None:
        self._refused(reason, find_client_address(scope))

    def _check_request(self, scope: Scope) -> tuple[int, str]:
        scope["armoon.role"] = ""  # until the key is known
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
        path, entrance = _PATH.fullmatch(raw), _KEYLESS_PATH.fullmatch(raw) if self._entrance else None
        in_clear = scope["scheme"] == "http" and find_client_address(scope) not in LOOPBACK
        if entrance is not None or (in_clear and self._tls):
            scope["armoon.role"] = "entrance" if entrance is not None else "unencrypted"
            scope["armoon.what"] = (entrance[1] or b"").decode() if entrance is not None else ""
            scope["armoon.clear"] = in_clear and self._tls
            return (0, "") if scope["method"] != "POST" else (403, "clear")
        if path is None:
            return 404, "path"
        role = next((role for role, key in self._keys.items() if hmac.compare_digest(key, path[1])), "")
        if not role:
            return 404, "key"
        if in_clear and role == "host":
            return 404, "clear"
        scope["armoon.role"], scope["armoon.what"] = role, path[2].decode()
        if scope["method"] != "POST":
            return 0, ""
        return self._check_post(headers, scope["scheme"].encode() + b"://" + host)

    def _check_post(self, headers: dict[bytes, bytes], here: bytes) -> tuple[int, str]:
        origin = headers.get(b"origin")
        if origin is not None and origin != here:
            return 403, "origin"
        if headers.get(b"sec-fetch-site", b"same-origin") not in (b"same-origin", b"none"):
            return 403, "origin"
        if headers.get(b"content-type", b"").split(b";")[0].strip() != b"application/json":
            return 415, "type"
        length = parse_count(headers.get(b"content-length", b"0"))
        if length is None or length > MAX_BODY_BYTES:
            return 413, "body"
        return 0, ""


def find_client_address(scope: Scope) -> str:
    client = scope.get("client")
    return str(client[0]) if client else ""


class _DisconnectedError(Exception):
    """The client has disconnected."""


def _with_headers(send: Send) -> Send:
    """Return a ``send`` that adds ``HEADERS`` to an answer. It raises _DisconnectedError."""

    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            own = {name.lower() for name, _ in message["headers"]}
            message["headers"] = [
                *message["headers"],
                *(header for header in HEADERS if header[0] not in own),
            ]
        try:
            await send(message)
        except Exception as error:  # h11's, if a client disconnects or sends invalid data after its request
            raise _DisconnectedError from error

    return send_with_headers


async def _read_body(receive: Receive) -> bytes | None:
    """Return the whole body; None if it is too long or too slow, or the client has disconnected."""
    content = b""

    async def receive_all() -> bool:
        nonlocal content
        while True:
            message = await receive()
            if message["type"] != "http.request":
                return False
            content += message.get("body", b"")
            if len(content) > MAX_BODY_BYTES:
                return False
            if not message.get("more_body"):
                return True

    try:
        return content if await asyncio.wait_for(receive_all(), BODY_S) else None
    except asyncio.TimeoutError:
        return None


async def refuse(send: Send, status: int) -> None:
    """Answer with a bare status and close the connection."""
    head = [(b"content-length", b"0"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": status, "headers": head})
    await send({"type": "http.response.body", "body": b""})


#: Maximum number of connections; beyond it, the oldest incomplete request of the busiest address is closed.
MAX_CONNECTIONS = 1000
#: Maximum numbers of streams for phones and for onlookers, which leave connections for overlay, board and host.
MAX_PHONES, MAX_ONLOOKERS = 400, 500
#: Maximum connections from one remote address, enough for fifty phones behind one router, each with a stream.
MAX_FROM_ONE = 160
#: Time limit for receiving a request, seconds.
REQUEST_S = 10.0


class LimitedProtocol(H11Protocol):
    """Limits the number of connections, and closes those that send nothing."""

    report: ClassVar[Callable[[str, str], None]] = staticmethod(lambda why, where: None)
    tls: ClassVar[ssl.SSLContext | None] = None
    """Context for optional TLS; None: no TLS."""
    _open: ClassVar[dict[LimitedProtocol, None]] = {}
    """Accepted connections, oldest first."""
    _awaited: ClassVar[AwaitedConnections]
    """Connections without a complete request."""

    def connection_made(self, transport: Any) -> None:
        kind = LimitedProtocol
        self.where = find_address(transport)
        has_many = sum(other.where == self.where for other in kind._open) >= MAX_FROM_ONE
        if (has_many and self.where not in LOOPBACK) or not kind._make_room():
            kind.report("many", self.where)
            transport.abort()
            return
        kind._open[self] = None
        if kind.tls is not None:
            transport = cast(asyncio.Transport, TlsTransport(transport, kind.tls))
        super().connection_made(transport)
        kind._awaited.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        if self.transport is not None:
            self._forget()
            super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self not in LimitedProtocol._open:  # a refused connection
            return
        line: object = self.transport
        if isinstance(line, TlsTransport):
            data = line.decrypt(data)
            self.scheme = "https" if line.secure else "http"
            if not data:
                return
        super().data_received(data)
        if self.cycle is None or self.cycle.response_complete or self.cycle.more_body:
            LimitedProtocol._awaited.add(self)
        else:
            LimitedProtocol._awaited.remove(self)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.cycle.response_complete and self in LimitedProtocol._open:  # else the next request has begun
            LimitedProtocol._awaited.setdefault(self)  # its time limit begins with the next request

    def eof_received(self) -> None:
        """Do nothing; asyncio then closes the connection of a client that has sent everything."""

    @classmethod
    def _make_room(cls) -> bool:
        """Close an incomplete request, or else a guest's, if there are too many. Return whether there is room."""
        if len(cls._open) < MAX_CONNECTIONS:
            return True
        guests = (connection for connection in cls._open if connection._is_guests_request())
        for closing in find_busiest(cls._awaited)[:1] or find_busiest(guests)[:1]:
            closing.transport.abort()
            closing._forget()
        return len(cls._open) < MAX_CONNECTIONS

    def _is_guests_request(self) -> bool:
        scope = {} if self.cycle is None else self.cycle.scope
        # The role is unknown until the next pass of the event loop, so the request may be the host's.
        role = scope.get("armoon.role", RESERVED[0])
        return role not in RESERVED and scope.get("armoon.what") not in ("feed", "room")

    def _forget(self) -> None:
        LimitedProtocol._awaited.remove(self)
        LimitedProtocol._open.pop(self, None)

    def close_late(self) -> None:
        if not self.transport.is_closing():
            LimitedProtocol.report("slow", self.where)
            self.transport.abort()


LimitedProtocol._awaited = AwaitedConnections(REQUEST_S, LimitedProtocol.close_late)
