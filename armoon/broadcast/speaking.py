"""Texts for onlookers: the same sentences in every language."""

from __future__ import annotations

from collections.abc import Callable

from armoon.broadcast.happenings import Words
from armoon.messages import LANGUAGES, speaking, text
from armoon.values.poses import Vec3


def same_words(said: str) -> Words:
    """Return what is the same in each language."""
    return Words(**dict.fromkeys(LANGUAGES, said))


#: The empty text.
SILENT = same_words("")


def words(say: Callable[[], str]) -> Words:
    """Return the sentence of ``say`` in each language."""
    said = {}
    for language in LANGUAGES:
        with speaking(language):
            said[language] = say()
    return Words(**said)


def text_words(key: str, **fields: object) -> Words:
    """Return a message in each language."""
    return words(lambda: text(key, **fields))


def hexed(colour: Vec3) -> str:
    """Return a display colour as pages write it."""
    return "#" + "".join(f"{round(255 * min(max(part, 0.0), 1.0)):02x}" for part in colour)
