"""Escapes untrusted text, which could control a terminal, and parses numbers strictly."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from urllib.parse import urlsplit

from armoon.values.names import JOINERS


def escape_text(text: str) -> str:
    """Return text on one line with non-printable characters escaped; all output for people goes through this."""
    if text.isprintable():
        return text
    previous = ("", *text)
    return "".join(
        char if char in JOINERS and unicodedata.category(last or " ")[0] in "LM" else _escape_character(char)
        for last, char in zip(previous, text, strict=False)
    )


def escape_lines(text: str) -> str:
    return text if text.isprintable() else "\n".join(escape_text(line) for line in text.split("\n"))


def _escape_character(char: str) -> str:
    # Spaces such as the no-break space are harmless, although Python doesn't call them printable.
    if char.isprintable() or unicodedata.category(char) == "Zs":
        return char
    return char.encode("unicode_escape").decode()


#: Maximum length of a value quoted in an error, in characters.
MAX_QUOTED = 40


def quote_text(text: str, max_length: int = MAX_QUOTED) -> str:
    """Return untrusted text escaped and shortened to ``max_length`` characters."""
    escaped = escape_text(text)
    return escaped if len(escaped) <= max_length else f"{escaped[:max_length]} …"


def short_repr(value: object) -> str:
    """Return a value's ``repr``, escaped and shortened."""
    return quote_text(repr(value))


#: Maximum number of digits of a whole number.
MAX_DIGITS = 19
_INTEGER = re.compile(r"[+-]?[0-9]+")
#: Maximum length of a decimal number in characters; programs write shorter ones.
MAX_CHARACTERS = 40
_NUMBER = re.compile(r"[+-]?([0-9]+(?:\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")


def parse_count(words: str | bytes, digits: int = MAX_DIGITS) -> int | None:
    """Parse a whole number of at least 0; return None if the text isn't one or has too many digits."""
    is_count = words.isascii() and words.isdigit() and len(words) <= digits
    return int(words) if is_count else None


def parse_integer(words: str) -> int:
    """Parse a whole number with an optional sign. Raises ValueError."""
    words = words.strip()
    if len(words) > MAX_DIGITS + 1 or not _INTEGER.fullmatch(words):
        raise ValueError(words)
    return int(words)


def parse_number(words: str) -> float:
    """Parse a decimal number; the result may be infinite. Raises ValueError."""
    words = words.strip()
    if len(words) > MAX_CHARACTERS or not _NUMBER.fullmatch(words):
        raise ValueError(words)
    return float(words)


@dataclass(frozen=True, repr=False)
class Address:
    """A network address; as text it shows only the host, because the rest may contain a key."""

    whole: str

    @property
    def host(self) -> str:
        return urlsplit(self.whole).hostname or ""

    def __str__(self) -> str:
        return self.host

    def __repr__(self) -> str:
        return f"Address({self.host})"
