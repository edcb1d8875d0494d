"""The bodies that pages and programs may post: small JSON objects, read strictly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from armoon.codec import MalformedError, convert, parse

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
