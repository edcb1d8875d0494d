"""Messages between game and server besides the feed: lines of JSON, each with one word and its value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from armoon.codec import MalformedError, convert, encode, encode_json, parse
from armoon.codec.wording import quoted
from armoon.party.obs.file import ObsAt
from armoon.party.votes.ballots import Kept
from armoon.party.votes.chat import ChatAt
from armoon.values.acts import Act

#: No line of ours is longer.
LONGEST_LINE = 4 * 1024 * 1024


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
class Setup:
    """The first message to the server."""

    keys: Keys
    hosts: tuple[str, ...]
    """What an address may begin with: names and numbers of this machine with the port."""
    join_at: str
    """The address for phones."""
    language: str
    kept: Kept | None = None
    chat: ChatAt | None = None
    """Votes are read out of it."""
    obs: ObsAt | None = None
    """It is asked for scenes, replays and texts."""


@dataclass(frozen=True)
class Wish:
    """A request of the host's page or a vote to the table, or for the next game."""

    kind: Act
    value: int = 0
    """What the act carries."""


@dataclass(frozen=True)
class Refused:
    """Requests of a kind are refused, which is said once: ``why`` is the message key ``air.log.`` and this."""

    why: str
    where: str = ""


@dataclass(frozen=True)
class Noted:
    """Something outside is there or gone: ``what`` is the message key ``air.noted.`` and this."""

    what: str
    where: str


#: Is told why a request is refused, and where it came from.
Refuses = Callable[[str, str], None]
Line = Setup | Wish | Refused | Noted | Kept
_KINDS: dict[str, type[Any]] = {
    "setup": Setup,
    "wish": Wish,
    "refused": Refused,
    "noted": Noted,
    "kept": Kept,
}
_WORDS = {kind: word for word, kind in _KINDS.items()}


def encode_line(line: Line) -> bytes:
    """As a line without its end."""
    return encode_json({_WORDS[type(line)]: encode(line)})


def read_line(content: bytes) -> Line:
    """Read a line that ``encode_line`` wrote. Raises MalformedError."""
    plain = parse(content)
    if not isinstance(plain, dict) or len(plain) != 1:
        raise MalformedError("no line of the party's")
    ((word, value),) = plain.items()
    if word not in _KINDS:
        raise MalformedError(f"{quoted(repr(word))} is not allowed")
    line: Line = convert(_KINDS[word], value, exact=True)
    return line
