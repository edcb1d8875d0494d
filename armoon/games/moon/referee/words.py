"""The moon game's lines in the players' language, and its editions' names for things."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

from armoon.games.moon.referee.sentences import Line
from armoon.games.moon.rules.editions import Words
from armoon.messages import speaking_of, text
from armoon.messages.numbers import apart, centimetres, enumerated

#: By an edition's own word, what depends on it.
_SPOKEN = {
    "word.tear": {"tear": "word.tear", "tears": "word.tears"},
    "word.raindrop": {"tear": "word.raindrop", "tears": "word.raindrops"},
    "word.base": {"base": "word.base"},
    "word.cloud": {"base": "word.cloud"},
    "word.lid": {"in_lid": "word.in_lid"},
    "word.insert": {"in_lid": "word.in_insert"},
}
Result = TypeVar("Result")


def spoken_words(words: Words) -> dict[str, str]:
    """Return an edition's words (ruling M3), as ``messages.speaking_of`` takes them."""
    return {**_SPOKEN[words.tear], **_SPOKEN[words.base], **_SPOKEN[words.lid]}


def in_its_words(method: Callable[..., Result]) -> Callable[..., Result]:
    """Return a method of a game whose texts call things as its edition does (``words``)."""

    @functools.wraps(method)
    def speaking(self: Any, *args: Any, **more: Any) -> Result:
        with speaking_of(self.words):
            return method(self, *args, **more)

    return speaking


def say(line: Line) -> str:
    """Return the sentence of a line: heights in centimetres, names in a row, and what a mistake costs whom."""
    given = dict(line.fields)
    fields: dict[str, object] = {}
    for name, field in given.items():
        if isinstance(field, tuple):
            fields[name] = enumerated(field)
        else:
            fields[name] = centimetres(field) if isinstance(field, float) else field
    height, rival = given.get("height"), given.get("rival_height")
    if isinstance(height, float) and isinstance(rival, float):
        fields["height"], fields["rival_height"] = apart(height, rival)
    if fields.get("charged") and "payment" in fields:
        fields["pays"] = text(str(fields["payment"]), charged=fields["charged"])
    return text(line.key, **fields).rstrip()  # a host's note may be empty
