"""The invitation: where the game's messages go, and the keys that nobody else has, in one line of text."""

from __future__ import annotations

import base64
import binascii
import hashlib
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from armoon.remote.seal import KEY_BYTES

#: Ways to the other tables: straight to the host's, or over a broker.
LAN, BROKERS = "ws", ("mqtt", "mqtts")
LONGEST_LINK = 1000


@dataclass(frozen=True)
class Link:
    """An invitation."""

    at: str
    """``ws://HOST:PORT``, or ``mqtt(s)://HOST[:PORT]/PREFIX``: for a broker as ``--publish`` takes it."""
    key: bytes = field(repr=False)
    """Encrypts all messages."""
    host: str
    """The name of the host's table, which alone can begin the game."""

    @property
    def room(self) -> str:
        """What the game is called where the messages go; it tells nothing of the key."""
        return hashlib.blake2b(self.key, digest_size=8, person=b"armoon room").hexdigest()

    @property
    def scheme(self) -> str:
        return urlsplit(self.at).scheme

    def __str__(self) -> str:
        secret = base64.urlsafe_b64encode(self.key + bytes.fromhex(self.host)).decode().rstrip("=")
        return f"{self.at}#{secret}"

    @staticmethod
    def of(text: str) -> Link:
        """Read a link. Raises ValueError, which doesn't repeat it."""
        at, _, secret = text.strip().partition("#")
        try:
            both = base64.b64decode(secret + "=" * (-len(secret) % 4), altchars=b"-_", validate=True)
            parts = urlsplit(at)
            known = parts.scheme in (LAN, *BROKERS) and bool(parts.hostname) and parts.port != 0
        except (ValueError, binascii.Error):
            raise ValueError("no link") from None
        if not known or len(both) != 2 * KEY_BYTES or len(text) > LONGEST_LINK or not at.isprintable():
            raise ValueError("no link")
        return Link(at.rstrip("/"), both[:KEY_BYTES], both[KEY_BYTES:].hex())
