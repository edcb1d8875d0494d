"""The one reader of numbers in texts: of command lines, files, chats and devices.

Python's own readers take more than people mean: digits of any script, ``1_000``, ``nan``; and ``isdigit`` says yes to
a superscript that ``int`` then refuses.
"""

from __future__ import annotations

import re

#: Maximum digits of a whole number.
MOST_DIGITS = 19
_WHOLE = re.compile(r"[+-]?[0-9]+")
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")


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
    if not _NUMBER.fullmatch(words):
        raise ValueError(words)
    return float(words)
