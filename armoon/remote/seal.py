"""Invitation links, and messages that their sender signs and encrypts with the link's key."""

from __future__ import annotations

import base64
import binascii
import hashlib
import os
import struct
import zlib
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from armoon.codec import encode_json, parse
from armoon.remote import part, protocol

#: URL scheme of invitations directly to the host's table.
LAN = "ws"
#: Maximum length of a link, in characters.
LONGEST_LINK = 1000
#: Maximum size of a packet, and of a message before compression, in bytes; the largest is a resumed game's set-up.
MAX_PACKET_BYTES, MAX_MESSAGE_BYTES = 1 << 18, 1 << 22
KEY_BYTES, STATE_BYTES = 32, 36
_NONCE_BYTES, _SIGNED_BYTES = 12, 64
#: Maximum number of packets in one run of a table's program; each run numbers its packets from a new multiple of this.
PACKETS_PER_START = 1 << 32
_CONTEXT = b"armoon remote 1"
#: Compression dictionary with typical messages; part of the packet format.
_ZDICT = (
    b'{"message":"keep_alive","played":1000,"requests_frames":true}'
    b'{"message":"played_frames","first":1000,"lines":[{"kind":"hands","now_s":10.016667,"ticks":1,"hands":'
    b'{"time_s":10.016667,"frame":100,"size":[640,360],"hands":[{"px":[[320.1,180.2],[310.3,170.4],[300.5,160.6]],'
    b'"world":[[0.0091,-0.0302,0.0103],[0.0104,-0.0205,-0.0006]],"side":"left","score":0.9},{"side":"right","score":0.99}]},'
    b'"commands":[],"grips":[],"table":null},{"kind":"hands","now_s":10.033333,"ticks":1,"hands":null,'
    b'"commands":[],"grips":[[10.016667,"bot","hover",[0.0,0.1,0.2,0.0,0.0,0.0,1.0],[0.0,-0.7,-0.7],0.0]],'
    b'"table":null},{"kind":"hands","now_s":10.05,"ticks":1,"hands":null,"commands":[],"grips":[],"table":null}],'
    b'"verdict_lines":[]}'
)
#: The sender's public key and the message's number.
_HEAD = struct.Struct(">32sQ")


@dataclass(frozen=True)
class Link:
    address: str
    """``ws://HOST:PORT``, or ``mqtt(s)://HOST[:PORT]/PREFIX``: a broker as for ``--publish``."""
    key: bytes = field(repr=False)
    """Key that encrypts all messages."""
    host: str
    """Name (public key) of the host's table, the only table that can start the game."""

    @property
    def room(self) -> str:
        """The game's name at the broker, which doesn't reveal the key."""
        return _game_id(self.key).hex()

    @property
    def scheme(self) -> str:
        return urlsplit(self.address).scheme

    def __str__(self) -> str:
        secret = base64.urlsafe_b64encode(self.key + bytes.fromhex(self.host)).decode().rstrip("=")
        return f"{self.address}#{secret}"

    @staticmethod
    def parse(text: str) -> Link:
        """Parse a link. Raises ValueError, whose message doesn't quote the secret link."""
        address, _, secret = text.strip().partition("#")
        try:
            keys = base64.b64decode(secret + "=" * (-len(secret) % 4), altchars=b"-_", validate=True)
            parts = urlsplit(address)
            is_supported = parts.scheme in (LAN, *part.BROKERS) and bool(parts.hostname) and parts.port != 0
        except (ValueError, binascii.Error):
            raise ValueError("no link") from None
        if (
            not is_supported
            or len(keys) != 2 * KEY_BYTES
            or len(text) > LONGEST_LINK
            or not address.isprintable()
        ):
            raise ValueError("no link")
        return Link(address.rstrip("/"), keys[:KEY_BYTES], keys[KEY_BYTES:].hex())


class UnsealedError(ValueError):
    """A packet belongs to another game, was modified, or can't be read."""


def _game_id(key: bytes) -> bytes:
    return hashlib.blake2b(key, digest_size=8, person=b"armoon room").digest()


def new_key() -> bytes:
    return ChaCha20Poly1305.generate_key()


class Seal:
    """Signs messages with the table's private key, and encrypts them with the link's key."""

    def __init__(self, key: bytes, state: bytes | None = None) -> None:
        """``key``: the link's key; ``state``: this table's private key, followed by the number of earlier starts."""
        state = state or new_key() + bytes(STATE_BYTES - KEY_BYTES)
        self._cipher = ChaCha20Poly1305(key)
        self._context = _CONTEXT + _game_id(key)
        self._private_key = Ed25519PrivateKey.from_private_bytes(state[:KEY_BYTES])
        self._public_key = self._private_key.public_key().public_bytes_raw()
        self.table = self._public_key.hex()
        # The clock can't provide the number: if it were set back, other tables would ignore this table's messages.
        self._number = (int.from_bytes(state[KEY_BYTES:], "big") + 1) * PACKETS_PER_START

    def seal_message(self, message: protocol.Message) -> bytes:
        """Return the message as a packet. Raises ValueError if it is too long."""
        content = encode_json(protocol.MESSAGES.encode(message))
        self._number += 1
        # The format of Hello and Refusal never changes, so that different versions can refuse each other.
        is_stable = isinstance(message, (protocol.Hello, protocol.Refusal))
        compressor = zlib.compressobj() if is_stable else zlib.compressobj(zdict=_ZDICT)
        body = _HEAD.pack(self._public_key, self._number) + compressor.compress(content) + compressor.flush()
        nonce = os.urandom(_NONCE_BYTES)
        packet = nonce + self._cipher.encrypt(
            nonce, self._private_key.sign(self._context + body) + body, self._context
        )
        if len(packet) > MAX_PACKET_BYTES or len(content) > MAX_MESSAGE_BYTES:
            raise ValueError(f"a message of {len(content)} bytes is too long")
        return packet

    def unseal(self, packet: bytes) -> tuple[str, int, protocol.Message]:
        """Return a packet's sender, number and message. Raises UnsealedError."""
        table, number, compressed = self.verify(packet)
        try:
            decompressor = zlib.decompressobj(zdict=_ZDICT)
            content = decompressor.decompress(compressed, MAX_MESSAGE_BYTES)
            if decompressor.unconsumed_tail or not decompressor.eof:
                raise UnsealedError("truncated or too long")
            message = protocol.MESSAGES.convert(parse(content))
        except (ValueError, zlib.error) as error:
            raise UnsealedError(f"unreadable message ({error})") from error
        return table, number, message

    def verify(self, packet: object) -> tuple[str, int, bytes]:
        """Return a packet's sender, number and compressed message. Raises UnsealedError.

        The sender's name is its public key. A sender's numbers increase strictly, even after a restart.
        """
        if not isinstance(packet, bytes) or not _NONCE_BYTES < len(packet) <= MAX_PACKET_BYTES:
            raise UnsealedError("invalid length")
        try:
            signed = self._cipher.decrypt(packet[:_NONCE_BYTES], packet[_NONCE_BYTES:], self._context)
            body = signed[_SIGNED_BYTES:]
            public, number = _HEAD.unpack_from(body)
            Ed25519PublicKey.from_public_bytes(public).verify(signed[:_SIGNED_BYTES], self._context + body)
        except (InvalidTag, InvalidSignature, struct.error) as error:
            raise UnsealedError("the packet belongs to another game or was modified") from error
        return public.hex(), number, body[_HEAD.size :]
