"""A destination address that may hold a key, which is never shown."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit


@dataclass(frozen=True, repr=False)
class Address:
    """An address; as text it is the host alone, for what else stands in it may be a key."""

    whole: str

    @property
    def host(self) -> str:
        """Who is asked."""
        return urlsplit(self.whole).hostname or ""

    def __str__(self) -> str:
        """Return the part of the address that may be shown."""
        return self.host

    def __repr__(self) -> str:
        """Return the part of the address that may be shown."""
        return f"Address({self.host})"
