"""Foreign text made safe to show: names, file names and other programs' output can't control a terminal."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from urllib.parse import urlsplit

from armoon.values.names import JOINERS


def shown(text: str) -> str:
    """Return text on one line with invisible characters escaped; every output to people goes through this."""
    if text.isprintable():
        return text
    before = ("", *text)
    return "".join(
        one if one in JOINERS and unicodedata.category(last or " ")[0] in "LM" else _shown(one)
        for last, one in zip(before, text, strict=False)
    )


def shown_lines(text: str) -> str:
    return text if text.isprintable() else "\n".join(shown(line) for line in text.split("\n"))


def _shown(character: str) -> str:
    # A no-break space is one that is to be seen, though Python doesn't call it printable.
    if character.isprintable() or unicodedata.category(character) == "Zs":
        return character
    return character.encode("unicode_escape").decode()


#: Maximum characters of a value that a refusal repeats.
MOST_QUOTED = 40


def quoted(text: str, most: int = MOST_QUOTED) -> str:
    """Return foreign text as a terminal may show it: on one line, without control characters, not too long."""
    whole = shown(text)
    return whole if len(whole) <= most else f"{whole[:most]} …"


def repr_of(value: object) -> str:
    """Return a value as Python writes it, no longer than a refusal repeats it."""
    return quoted(repr(value))


#: Maximum digits of a whole number.
MOST_DIGITS = 19
_WHOLE = re.compile(r"[+-]?[0-9]+")
#: Maximum characters of a number with a point: more than any program writes.
MOST_CHARACTERS = 40
_NUMBER = re.compile(r"[+-]?([0-9]+(?:\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")


def count_in(words: str | bytes, digits: int = MOST_DIGITS) -> int | None:
    """Return the whole number, 0 or more, that a text consists of; None if it is none, or has more digits."""
    plain = words.isascii() and words.isdigit() and len(words) <= digits
    return int(words) if plain else None


def whole_in(words: str) -> int:
    """Return the whole number, with its sign, that a text consists of. Raises ValueError."""
    words = words.strip()
    if len(words) > MOST_DIGITS + 1 or not _WHOLE.fullmatch(words):
        raise ValueError(words)
    return int(words)


def number_in(words: str) -> float:
    """Return the number that a text consists of; it may be too large to be finite. Raises ValueError."""
    words = words.strip()
    if len(words) > MOST_CHARACTERS or not _NUMBER.fullmatch(words):
        raise ValueError(words)
    return float(words)


@dataclass(frozen=True, repr=False)
class Address:
    """An address; as text it is the host alone, for what else stands in it may be a key."""

    whole: str

    @property
    def host(self) -> str:
        return urlsplit(self.whole).hostname or ""

    def __str__(self) -> str:
        return self.host

    def __repr__(self) -> str:
        return f"Address({self.host})"
