"""The party's saved state: keys and guests, kept for twelve hours, and the overlay's key, kept permanently."""

from __future__ import annotations

import secrets
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from armoon.codec import MalformedError, convert, encode, encode_json, parse
from armoon.codec.files import read_bytes, write_whole
from armoon.party.server.lines import Arrangement, Keys
from armoon.party.votes import SavedGuests

FILE = "party.json"
#: The server's default port.
DEFAULT_PORT = 8737
#: Validity of the keys of phones and host, and of the room's code, in seconds, unless the host ends the party earlier.
KEY_LIFETIME_S = 12 * 3600.0
#: Maximum delay from a batched change to writing the file, and minimum interval of writing such changes, seconds.
WRITE_INTERVAL_S = 2.0


def name_party_file(name: str, port: int) -> str:
    """Return the name of a party's file, which includes the port unless it is the default."""
    stem, dot, ending = name.rpartition(".")
    return name if port == DEFAULT_PORT else f"{stem}-{port}{dot}{ending}"


def new_key() -> str:
    return secrets.token_urlsafe(16)


@dataclass(frozen=True)
class SavedParty:
    """The content of the party's file."""

    view: str = ""
    join: str = ""
    host: str = ""
    until_s: float = 0.0
    """Expiry of the keys of phones and host, seconds since 1970."""
    kept: SavedGuests | None = None
    code: str = ""
    certificate: str = ""
    arranged: Arrangement = field(default_factory=lambda: Arrangement({}))


class PartyFile:
    """The file with the party's state, which only its owner can read."""

    def __init__(self, folder: Path, port: int = DEFAULT_PORT) -> None:
        """Read the file; replace missing, expired or malformed parts."""
        self._path = folder / name_party_file(FILE, port)
        self._written_s = 0.0
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None
        party = SavedParty()
        with suppress(OSError, MalformedError):
            party = convert(SavedParty, parse(read_bytes(self._path)))
        now_s = time.time()
        if not (
            _is_key(party.join) and _is_key(party.host) and now_s < party.until_s <= now_s + KEY_LIFETIME_S
        ):
            keys = new_key(), new_key()
            party = SavedParty(party.view, *keys, until_s=now_s + KEY_LIFETIME_S, arranged=party.arranged)
        self.state = party if _is_key(party.view) else replace(party, view=new_key())
        self._write()

    @property
    def keys(self) -> Keys:
        return Keys(self.state.view, self.state.join, self.state.host)

    def save_changes(self, *, batched: bool = False, **changes: Any) -> None:
        """Change the state and write it; ``batched``: with other changes, at most every ``WRITE_INTERVAL_S``."""
        self.state = replace(self.state, **changes)
        if not batched or time.monotonic() - self._written_s > WRITE_INTERVAL_S:
            self._write()
        elif self._timer is None:
            self._timer = threading.Timer(WRITE_INTERVAL_S, self._write)
            self._timer.daemon = True
            self._timer.start()

    def close(self, *, ended: bool) -> None:
        """Write the final state; ``ended``: the host has ended the party, so keys and guests are deleted."""
        if ended:
            self.state = SavedParty(self.state.view, arranged=self.state.arranged)
        self._write()

    def _write(self) -> None:
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
            self._written_s = time.monotonic()
            with suppress(OSError):  # without the file, the next run creates new keys
                write_whole(self._path, encode_json(encode(self.state)), secret=True)


def _is_key(key: str) -> bool:
    return 16 <= len(key) <= 64 and key.replace("-", "").replace("_", "").isalnum() and key.isascii()
