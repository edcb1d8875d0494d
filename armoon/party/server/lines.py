"""Messages between game and server besides the feed: lines of JSON, each with one word and its value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from armoon.codec import MalformedError, convert, encode, encode_json, parse
from armoon.party.obs import ObsAt
from armoon.party.votes import ChatAt, Kept
from armoon.values.acts import Act
from armoon.values.text import repr_of

#: Maximum line, in bytes.
LONGEST_LINE = 4 * 1024 * 1024
#: Shapes of an overlay's picture, and its parts that have a place.
SHAPES = ("wide", "tall")
PARTS = ("score", "die", "height", "verdict", "ticker", "vote", "result", "qr")
#: Letters of a room's code, and how many: no vowel, so that they are no word.
LETTERS, LENGTH = "BCDFGHJKLMNPQRSTVWXZ", 4


@dataclass(frozen=True)
class Keys:
    """The key in every address: its owner may do what it is for."""

    view: str
    """Overlay and board: may look."""
    join: str
    """Phones: may vote."""
    host: str
    """The host's page: may do what the host may."""


@dataclass(frozen=True)
class Arranged:
    """Where the host has placed parts of the overlay."""

    places: dict[str, tuple[float, float, float]]
    """By shape of the picture and part, as ``wide.score``: left and top in percent, and the size, usually 1."""

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
    """What an address may begin with: names and numbers of this machine with the port."""
    join_at: str
    language: str
    lan: bool = False
    """Others in the network can open it."""
    code: str = ""
    """The room's four letters; empty where only this machine can ask."""
    certificate: str = ""
    """Key and certificate of the house, as PEM; empty: others in the network come without encryption."""
    kept: Kept | None = None
    arranged: Arranged = field(default_factory=lambda: Arranged({}))
    style: str = ""
    chat: ChatAt | None = None
    obs: ObsAt | None = None


@dataclass(frozen=True)
class PartyRequest:
    """A request of the host's page or a vote to the table, or for the next game."""

    kind: Act
    value: int = 0


@dataclass(frozen=True)
class RequestRefused:
    """Requests of a kind are refused, which is said once: ``why`` is the message key ``air.log.`` and this."""

    why: str
    where: str = ""


@dataclass(frozen=True)
class Noted:
    """Something outside is there or gone: ``what`` is the message key ``air.noted.`` and this."""

    what: str
    where: str


#: Gets the reason why a request is refused, and the address that it came from.
Refuses = Callable[[str, str], None]
Line = Setup | PartyRequest | RequestRefused | Noted | Kept | Arranged
_KINDS: dict[str, type[Any]] = {
    "setup": Setup,
    "wish": PartyRequest,
    "refused": RequestRefused,
    "noted": Noted,
    "kept": Kept,
    "arranged": Arranged,
}
_WORDS = {kind: word for word, kind in _KINDS.items()}


def encode_line(line: Line) -> bytes:
    return encode_json({_WORDS[type(line)]: encode(line)})


def read_line(content: bytes) -> Line:
    """Read a line that ``encode_line`` wrote. Raises MalformedError."""
    plain = parse(content)
    if not isinstance(plain, dict) or len(plain) != 1:
        raise MalformedError("no line of the party's")
    ((word, value),) = plain.items()
    if word not in _KINDS:
        raise MalformedError(f"{repr_of(word)} is not allowed")
    line: Line = convert(_KINDS[word], value, exact=True)
    return line


#: Maximum HTTP request body, in bytes.
LONGEST_BODY = 2048
Asked = TypeVar("Asked")


@dataclass(frozen=True)
class Join:
    """A phone joins, or changes its name."""

    name: str


@dataclass(frozen=True)
class Vote:
    """A vote: of which ballot, and which choice."""

    ballot: int
    choice: int


@dataclass(frozen=True)
class React:
    """A small sign that drifts past the moon."""

    sign: str


@dataclass(frozen=True)
class Do:
    """A request from the host's page."""

    what: str
    value: int = 0
    name: str = ""
    choices: tuple[str, ...] = ()
    """Choices of the host's own question, whose text is the name."""


@dataclass(frozen=True)
class ForeignVote:
    """A vote that another program brings, with the host's key: ``voter`` is its own name for the person."""

    voter: str
    choice: int


def read_body(kind: type[Asked], content: bytes) -> Asked:
    """Return the body. Raises MalformedError."""
    if len(content) > LONGEST_BODY:
        raise MalformedError("too long")
    return convert(kind, parse(content), exact=True)
