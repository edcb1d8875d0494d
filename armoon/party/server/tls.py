"""TLS and plain HTTP at one port: the first byte of a connection says which it is."""

from __future__ import annotations

import hashlib
import ssl
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

#: The first byte of a TLS connection.
_HANDSHAKE = 0x16
_AT_ONCE = 65_536
#: Hexadecimal digits of the fingerprint that are shown, in groups of four.
_DIGITS = 16


def context_of(certificate: str) -> ssl.SSLContext:
    """Return the server's side of TLS with a key and its certificate, as PEM."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_alpn_protocols(["http/1.1"])
    # The library reads files only; this folder is its owner's alone. An open file can't be read on Windows.
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "house.pem"
        path.write_text(certificate, encoding="ascii")
        context.load_cert_chain(path)
    return context


def fingerprint(certificate: str) -> str:
    """Return the beginning of the SHA-256 fingerprint that browsers show; empty without a certificate."""
    if not certificate:
        return ""
    public = certificate[certificate.index("-----BEGIN CERTIFICATE") :]
    digits = hashlib.sha256(ssl.PEM_cert_to_DER_cert(public)).hexdigest().upper()[:_DIGITS]
    return " ".join(digits[at : at + 4] for at in range(0, _DIGITS, 4))


class Ciphered:
    """A connection as the protocol writes to it; what it doesn't change is the plain connection's own."""

    def __init__(self, plain: Any, context: ssl.SSLContext) -> None:
        """``plain`` is an asyncio transport."""
        self._plain, self._context = plain, context
        self._came, self._goes = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls: ssl.SSLObject | None = None
        self._begun = self._shaken = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._plain, name)

    @property
    def secure(self) -> bool:
        """It speaks TLS."""
        return self._tls is not None

    def received(self, data: bytes) -> bytes:
        """Return what a client has said in these bytes and those before, as far as it can be read."""
        if not self._begun:
            self._begun = True
            if data[0] == _HANDSHAKE:
                self._tls = self._context.wrap_bio(self._came, self._goes, server_side=True)
        if self._tls is None:
            return data
        self._came.write(data)
        said = b""
        try:
            if not self._shaken:
                self._tls.do_handshake()
                self._shaken = True
            while part := self._tls.read(_AT_ONCE):
                said += part
        except ssl.SSLWantReadError:
            pass
        except ssl.SSLError:
            self._flush()  # the alert that says why
            self._plain.abort()
            return b""
        self._flush()
        return said

    def write(self, data: bytes) -> None:
        """Send it, enciphered where the client speaks TLS."""
        if self._tls is None:
            self._plain.write(data)
        elif self._shaken and not self._plain.is_closing():
            self._tls.write(data)
            self._flush()

    def close(self) -> None:
        """Close it, and say so in TLS as well."""
        if self._tls is not None and self._shaken:
            with suppress(ssl.SSLError):
                self._tls.unwrap()
            self._flush()
        self._plain.close()

    def _flush(self) -> None:
        if sent := self._goes.read():
            self._plain.write(sent)
