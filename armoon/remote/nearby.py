"""Tables on the local network: discovery by name, and requests to a host for the invitation link.

Host and guest agree on a key by X25519, and their players compare six digits. The guest commits to its public key
before it sees the host's, as in ZRTP, so a man in the middle has one chance in a million to get the same digits.
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

#: DNS-SD service type, path for requests at the host's WebSocket server, and DNS-SD property with the players' names.
SERVICE, PATH, PLAYERS = "_armoon._tcp.local.", "/link", b"players"
#: Maximum numbers of listed tables, and of requests that wait for the host, at most one for each address.
MAX_FOUND, MAX_REQUESTS = 4, 3
#: Time limit for the host's decision, and interval of checking for it, seconds.
DECISION_S, POLL_S = 120.0, 0.2
#: Timeout of each step of the key exchange; timeout and number of attempts of reading an announcement; seconds.
STEP_S, READ_S, READ_ATTEMPTS = 4.0, 2.0, 3
LONGEST_NAMES = protocol.MAX_SEATS * protocol.LONGEST_NAME
_NONCE = bytes(12)
#: Logger for the websockets library, which would log every broken handshake with a traceback.
SILENT_LOGGER = logging.getLogger("armoon.remote")
SILENT_LOGGER.disabled = True


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
    """Decode another table's players' names. Raises ValueError if they can't be shown."""
    names = content.decode()
    if not 0 < len(names) <= LONGEST_NAMES or not names.isprintable():
        raise ValueError("names: too long or not printable")
    return names


class LinkRequests:
    """Requests that wait for the host's decision; ``answer`` runs in the connections' thread."""

    def __init__(self, link: str) -> None:
        self._link = link.encode()
        self._waiting: dict[str, tuple[str, str]] = {}
        """Players' names and the digits to compare, by address, oldest first."""
        self._decisions: dict[str, bool] = {}
        """The host's decisions by address; declined addresses are refused from then on."""
        self._is_closed = False

    @property
    def oldest(self) -> tuple[str, str] | None:
        """Players' names and digits of the oldest undecided request; None: there is none."""
        waiting = tuple(self._waiting.items())
        return next((request for address, request in waiting if address not in self._decisions), None)

    def decide(self, code: str, *, is_granted: bool) -> None:
        """Decide the oldest request if it still has these digits."""
        oldest = self.oldest
        for address, request in tuple(self._waiting.items()):
            if request is oldest and request[1] == code:
                self._decisions[address] = is_granted

    def close(self) -> None:
        self._is_closed = True

    async def answer(self, table: ServerConnection, on_wait: Callable[[ServerConnection], None]) -> None:
        """Exchange keys with a table, call ``on_wait``, and send the link if the host agrees.

        Raises websockets' exceptions and ValueError.
        """
        key = X25519PrivateKey.generate()
        public = key.public_key().public_bytes_raw()
        committed = await table.recv()
        await table.send(public)
        revealed = await table.recv()
        if not isinstance(revealed, bytes) or _digest(b"asks", revealed) != committed:
            raise ValueError("the key differs from the committed one")
        code, cipher = _derive_code_and_cipher(key, revealed[: seal.KEY_BYTES], public + revealed)
        names, address = _decode_names(revealed[seal.KEY_BYTES :]), table.remote_address[0]
        if address in {*self._waiting, *self._decisions} or len(self._waiting) >= MAX_REQUESTS:
            return
        on_wait(table)
        self._waiting[address] = names, code
        end_s = time.monotonic() + DECISION_S
        while address not in self._decisions and time.monotonic() < end_s:
            if self._is_closed or table.close_code is not None:
                break
            await asyncio.sleep(POLL_S)
        del self._waiting[address]
        if self._decisions.get(address):
            del self._decisions[address]
            await table.send(cipher.encrypt(_NONCE, self._link, b""))


class LinkQuery:
    """A guest's request to a table on the local network, in its own thread."""

    def __init__(self, address: str, names: str) -> None:
        """Start the request to the table at ``ws://HOST:PORT``; ``names``: the guest's players."""
        self.code = ""
        """The digits to compare, once the host has answered."""
        self.link = ""
        self.failure = ""
        """Message key below ``remote`` of the reason for a failure; empty if the request hasn't failed."""
        self._names, self._closing = names[:LONGEST_NAMES], threading.Event()
        threading.Thread(target=self._exchange, args=(address,), name="remote link", daemon=True).start()

    def close(self) -> None:
        self._closing.set()

    def _exchange(self, address: str) -> None:
        key = X25519PrivateKey.generate()
        revealed = key.public_key().public_bytes_raw() + self._names.encode()
        limits: Any = {"open_timeout": STEP_S, "max_size": seal.LONGEST_LINK, "compression": None}
        try:
            with connect(address + PATH, logger=SILENT_LOGGER, **limits) as host:
                host.send(_digest(b"asks", revealed))
                public: Any = host.recv(STEP_S)
                host.send(revealed)
                self.code, cipher = _derive_code_and_cipher(key, public, public + revealed)
                while not self._closing.is_set():
                    with suppress(TimeoutError):
                        packet: Any = host.recv(POLL_S)
                        self.link = cipher.decrypt(_NONCE, packet, b"").decode()
                        return
        except ConnectionClosed:
            self.failure = "declined"
        except (InvalidTag, TypeError, ValueError, WebSocketException, OSError):
            self.failure = "silent"


def announce_table(names: str, address: str) -> Callable[[], None]:
    """Announce the players' names and the table's address, but not the key; return a function that stops this."""
    from zeroconf import Error, ServiceInfo, Zeroconf

    parts, name, stopped = urlsplit(address), f"armoon-{secrets.token_hex(4)}", threading.Event()
    info = ServiceInfo(
        SERVICE,
        f"{name}.{SERVICE}",
        parts.port,
        properties={PLAYERS: names.encode()[:LONGEST_NAMES].decode(errors="ignore")},
        server=f"{name}.local.",
        parsed_addresses=[parts.hostname or ""],
    )

    def announce() -> None:
        with suppress(Error, OSError), Zeroconf() as network:  # the link works without the announcement
            network.register_service(info)
            stopped.wait()

    threading.Thread(target=announce, name="remote name", daemon=True).start()
    return stopped.set


class NearbyTables:
    """A search for tables on the local network that wait for guests."""

    def __init__(self) -> None:
        """Start the search. Raises ArmoonError without a network."""
        from zeroconf import ServiceBrowser, Zeroconf

        self._found: dict[str, tuple[str, str]] = {}
        """Players' names and the table's address, by service."""
        try:
            self._network = Zeroconf()
        except OSError as error:
            raise ArmoonError("remote.no_network", why=error) from error
        ServiceBrowser(self._network, SERVICE, handlers=[self._update_table])

    @property
    def tables(self) -> tuple[tuple[str, str], ...]:
        """The players' names and the address (``ws://HOST:PORT``) of each found table."""
        return tuple(sorted(self._found.values()))[:MAX_FOUND]

    def close(self) -> None:
        self._network.close()

    def _update_table(self, zeroconf: Any, service_type: str, name: str, state_change: Any) -> None:
        """Update the list from an announcement, which anyone on the network can send. Runs in zeroconf's thread."""
        from zeroconf import EventLoopBlocked, IPVersion

        info = None
        for _ in range(READ_ATTEMPTS):
            with suppress(EventLoopBlocked):
                info = zeroconf.get_service_info(service_type, name, int(READ_S * 1000))
                break
        tables = {service: table for service, table in self._found.items() if service != name}
        if state_change.name != "Removed" and info is not None and len(tables) < 4 * MAX_FOUND:
            with suppress(IndexError, ValueError):
                names = _decode_names(info.properties.get(PLAYERS) or b"")
                tables[name] = names, f"{seal.LAN}://{info.parsed_addresses(IPVersion.V4Only)[0]}:{info.port}"
        self._found = tables
