"""Messages between game and server besides the feed: lines of JSON, each with its kind in the field ``line``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar, get_args

from armoon.codec import MalformedError, Variants, convert, encode_json, name_variants, parse
from armoon.party.obs import Rules
from armoon.party.votes import ChatAddress, SavedGuests
from armoon.values.acts import Act

#: Maximum length of a line, in bytes.
MAX_LINE_BYTES = 4 * 1024 * 1024
#: Shapes of an overlay, and the parts of it that can be arranged.
SHAPES = ("wide", "tall")
PARTS = ("score", "die", "height", "verdict", "ticker", "vote", "result", "qr")
#: Letters allowed in a room's code, without vowels so that it isn't a word, and the code's length.
LETTERS, CODE_LENGTH = "BCDFGHJKLMNPQRSTVWXZ", 4


@dataclass(frozen=True)
class Keys:
    """The secret keys in the pages' addresses, one for each role."""

    view: str
    """Overlay and board: read only."""
    join: str
    """Phones: voting."""
    host: str
    """The host's page: all rights."""


@dataclass(frozen=True)
class Arrangement:
    """Positions and sizes of the overlay's parts, as chosen by the host."""

    places: dict[str, tuple[float, float, float]]
    """Left and top (per cent of the picture) and scale, by shape and part, such as ``wide.score``."""

    def __post_init__(self) -> None:
        for name, (x, y, size) in self.places.items():
            shape, _, part = name.partition(".")
            if shape not in SHAPES or part not in PARTS:
                raise ValueError("`places`: no part")
            if not (0.0 <= x <= 100.0 and 0.0 <= y <= 100.0 and 0.1 <= size <= 10.0):
                raise ValueError("`places`: outside the picture")


@dataclass(frozen=True)
class Setup:
    """The first message to the server."""

    keys: Keys
    hosts: tuple[str, ...]
    """Valid values of the Host header: this machine's names and addresses, with the port."""
    join_at: str
    language: str
    lan: bool = False
    """Whether other devices on the network can connect."""
    code: str = ""
    """The room's four letters; empty if only this machine can connect."""
    certificate: str = ""
    """The server's private key and certificate (PEM); empty: no encryption on the network."""
    kept: SavedGuests | None = None
    arranged: Arrangement = field(default_factory=lambda: Arrangement({}))
    style: str = ""
    chat: ChatAddress | None = None
    obs: Rules | None = None


@dataclass(frozen=True)
class PartyRequest:
    """A request to the table from the host's page or from a vote, for this game or the next."""

    kind: Act
    value: int = 0


@dataclass(frozen=True)
class Notice:
    """A notice for the players: a refused request, or a service that was connected or lost."""

    key: str
    """Key of a message that names ``where``."""
    where: str


#: Called with the reason for refusing a request, and the client's address.
ReportRefusal = Callable[[str, str], None]
Line = Setup | PartyRequest | Notice | SavedGuests | Arrangement
_LINES = Variants[Line]("line", name_variants(get_args(Line)))


def encode_line(line: Line) -> bytes:
    return encode_json(_LINES.encode(line))


def read_line(content: bytes) -> Line:
    """Read a line that ``encode_line`` wrote. Raises MalformedError."""
    return _LINES.convert(parse(content))


#: Maximum HTTP request body, in bytes.
MAX_BODY_BYTES = 2048
Body = TypeVar("Body")


@dataclass(frozen=True)
class HostRequest:
    """A request from the host's page."""

    what: str
    value: int = 0
    name: str = ""
    choices: tuple[str, ...] = ()
    """Choices of the host's own question; ``name`` is its text."""


def read_body(kind: type[Body], content: bytes) -> Body:
    """Convert a request's body to ``kind``. Raises MalformedError."""
    if len(content) > MAX_BODY_BYTES:
        raise MalformedError("too long")
    return convert(kind, parse(content), exact=True)


def read_fields(content: bytes, **kinds: type) -> list[Any]:
    """Return the values of a request's body, which must have exactly these fields. Raises MalformedError."""
    body: dict[str, Any] = read_body(dict[str, Any], content)
    if body.keys() != kinds.keys():
        raise MalformedError("other fields")
    return [convert(kind, body[name]) for name, kind in kinds.items()]
