"""Tables on the local network: found by name, and given the invitation link if the host accepts their request.

Host and guest agree on a key by X25519 and compare six digits. The guest commits to its public key before it sees the
host's, as in ZRTP, so a table in between has one chance in a million to get the same digits on both pages.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import secrets
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.sync.client import connect

from armoon.errors import ArmoonError
from armoon.remote import protocol, seal

#: DNS-SD service type, path of requests at the host's WebSocket server, and field of the players' names.
SERVICE, PATH, PLAYERS = "_armoon._tcp.local.", "/link", b"players"
#: Maximum tables that are listed, and requests that wait at a host; one from each address.
MAX_FOUND, MAX_REQUESTS = 4, 3
#: Time limit for the host's decision, and interval of checks, seconds.
DECISION_S, POLL_S = 120.0, 0.2
#: Timeout of an exchange's step, and of reading an announcement, seconds; number of tries on a busy machine.
STEP_S, READ_S, READ_TRIES = 4.0, 2.0, 3
LONGEST_NAMES = protocol.MAX_SEATS * protocol.LONGEST_NAME
_NONCE = bytes(12)
#: For the library of WebSockets, which logs every broken handshake with a traceback.
SILENT = logging.getLogger("armoon.remote")
SILENT.disabled = True


def _digest(kind: bytes, content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=seal.KEY_BYTES, person=b"armoon " + kind).digest()


def _derive_code_and_cipher(
    own: X25519PrivateKey, other: bytes, transcript: bytes
) -> tuple[str, ChaCha20Poly1305]:
    """Return the digits to compare, and the cipher of the link, used once. Raises ValueError for an invalid key."""
    shared = own.exchange(X25519PublicKey.from_public_bytes(other))
    number = int.from_bytes(_digest(b"code", transcript), "big") % 1_000_000
    return f"{number // 1000:03} {number % 1000:03}", ChaCha20Poly1305(_digest(b"link", shared + transcript))


def _decode_names(content: bytes) -> str:
    """Return names from outside. Raises ValueError if they can't be shown."""
    names = content.decode()
    if not 0 < len(names) <= LONGEST_NAMES or not names.isprintable():
        raise ValueError("names: a short printable text")
    return names


class LinkRequest:
    """A table's request at the host."""

    granted: bool | None = None
    """The host's decision; None: not yet."""

    def __init__(self, names: str, code: str) -> None:
        self.names, self.code = names, code


class LinkRequests:
    """The requests that wait for the host's decision; ``answer`` runs in the connections' thread."""

    def __init__(self, link: str) -> None:
        self._link = link.encode()
        self._waiting: dict[str, LinkRequest] = {}
        """Requests by address."""
        self._declined: set[str] = set()
        """Addresses whose further requests are refused."""
        self._closed = False

    @property
    def first(self) -> LinkRequest | None:
        return next((one for one in tuple(self._waiting.values()) if one.granted is None), None)

    def decide(self, code: str, *, granted: bool) -> None:
        """Decide the oldest request, if it still is the one with these digits."""
        first = self.first
        if first is not None and first.code == code:
            first.granted = granted

    def close(self) -> None:
        self._closed = True

    async def answer(self, line: ServerConnection, wait: Callable[[ServerConnection], None]) -> None:
        """Exchange keys with a table, call ``wait``, and send the link if the host agrees.

        Raises websockets' exceptions and ValueError.
        """
        key = X25519PrivateKey.generate()
        public = key.public_key().public_bytes_raw()
        committed = await line.recv()
        await line.send(public)
        revealed = await line.recv()
        if not isinstance(revealed, bytes) or _digest(b"asks", revealed) != committed:
            raise ValueError("the key differs from the committed one")
        code, cipher = _derive_code_and_cipher(key, revealed[: seal.KEY_BYTES], public + revealed)
        request = LinkRequest(_decode_names(revealed[seal.KEY_BYTES :]), code)
        address = line.remote_address[0]
        if address in {*self._waiting, *self._declined} or len(self._waiting) >= MAX_REQUESTS:
            return
        wait(line)
        self._waiting[address] = request
        end_s = time.monotonic() + DECISION_S
        while request.granted is None and time.monotonic() < end_s:
            if self._closed or line.close_code is not None:
                break
            await asyncio.sleep(POLL_S)
        del self._waiting[address]
        if request.granted:
            await line.send(cipher.encrypt(_NONCE, self._link, b""))
        elif request.granted is False:
            self._declined.add(address)


class LinkQuery:
    """A guest's request to a table on the local network, in a thread of its own."""

    def __init__(self, address: str, names: str) -> None:
        """Start asking the table at ``ws://HOST:PORT``."""
        self.code = ""
        """The digits to compare, once the host has answered."""
        self.link = ""
        self.failed = ""
        """Message key below ``remote`` of the reason why it wasn't admitted; empty: none."""
        self._names, self._closing = names[:LONGEST_NAMES], threading.Event()
        threading.Thread(target=self._exchange, args=(address,), name="remote link", daemon=True).start()

    def close(self) -> None:
        self._closing.set()

    def _exchange(self, address: str) -> None:
        key = X25519PrivateKey.generate()
        revealed = key.public_key().public_bytes_raw() + self._names.encode()
        limits: Any = {"open_timeout": STEP_S, "max_size": seal.LONGEST_LINK, "compression": None}
        try:
            with connect(address + PATH, logger=SILENT, **limits) as line:
                line.send(_digest(b"asks", revealed))
                public: Any = line.recv(STEP_S)
                line.send(revealed)
                self.code, cipher = _derive_code_and_cipher(key, public, public + revealed)
                while not self._closing.is_set():
                    with suppress(TimeoutError):
                        packet: Any = line.recv(POLL_S)
                        self.link = cipher.decrypt(_NONCE, packet, b"").decode()
                        return
        except ConnectionClosed:
            self.failed = "declined"
        except (InvalidTag, TypeError, ValueError, WebSocketException, OSError):
            self.failed = "silent"


def announce_table(names: str, address: str) -> Callable[[], None]:
    """Announce the players' names and the table's address in the network, never the key; return its stop function."""
    from zeroconf import Error, ServiceInfo, Zeroconf

    place, name, ends = urlsplit(address), f"armoon-{secrets.token_hex(4)}", threading.Event()
    info = ServiceInfo(
        SERVICE,
        f"{name}.{SERVICE}",
        place.port,
        properties={PLAYERS: names.encode()[:LONGEST_NAMES].decode(errors="ignore")},
        server=f"{name}.local.",
        parsed_addresses=[place.hostname or ""],
    )

    def announce() -> None:
        with suppress(Error, OSError), Zeroconf() as network:  # without a network the link still works
            network.register_service(info)
            ends.wait()

    threading.Thread(target=announce, name="remote name", daemon=True).start()
    return ends.set


class NearbyTables:
    """Searches for tables that invite on the local network."""

    def __init__(self) -> None:
        """Start looking. Raises ArmoonError without a network."""
        from zeroconf import ServiceBrowser, Zeroconf

        self._found: dict[str, tuple[str, str]] = {}
        """Players' names and address by service."""
        try:
            self._network = Zeroconf()
        except OSError as error:
            raise ArmoonError("remote.no_network", why=error) from error
        ServiceBrowser(self._network, SERVICE, handlers=[self._change])

    @property
    def tables(self) -> tuple[tuple[str, str], ...]:
        """Each table's players' names and its address, ``ws://HOST:PORT``."""
        return tuple(sorted(self._found.values()))[:MAX_FOUND]

    def close(self) -> None:
        self._network.close()

    def _change(self, zeroconf: Any, service_type: str, name: str, state_change: Any) -> None:
        """Read an announcement, which anybody in the network can write; in the browser's thread."""
        from zeroconf import EventLoopBlocked, IPVersion

        info = None
        for _ in range(READ_TRIES):
            with suppress(EventLoopBlocked):
                info = zeroconf.get_service_info(service_type, name, int(READ_S * 1000))
                break
        tables = {known: table for known, table in self._found.items() if known != name}
        if state_change.name != "Removed" and info is not None and len(tables) < 4 * MAX_FOUND:
            with suppress(IndexError, ValueError):
                names = _decode_names(info.properties.get(PLAYERS) or b"")
                tables[name] = names, f"{seal.LAN}://{info.parsed_addresses(IPVersion.V4Only)[0]}:{info.port}"
        self._found = tables
