"""Tagged unions of dataclasses, told apart by a word in a field: ``{"move": "roll", "die": "ONE"}``."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Mapping
from typing import Any, Generic, TypeVar

from armoon.codec import convert, encode
from armoon.codec.wording import MalformedError, quoted

Value = TypeVar("Value")

#: In the metadata of a field that came later: it is written only where it isn't None, so that older logs stay the same
#: to the bit.
_LATER = "later"


def words_of(kinds: Iterable[type[Any]]) -> dict[str, type[Any]]:
    """Each dataclass under its name as a word: ``LetGo`` is ``let_go``."""
    return {re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower(): kind for kind in kinds}


class Variants(Generic[Value]):
    """Writes and reads such values; a field that the dataclass doesn't know is refused."""

    def __init__(self, label: str, kinds: Mapping[str, type[Any]]) -> None:
        """``label`` is the field that holds the word."""
        self._label = label
        self._kinds = dict(kinds)
        self._words = {kind: word for word, kind in kinds.items()}
        self._fields = {kind: {field.name for field in dataclasses.fields(kind)} for kind in kinds.values()}
        self._later = {
            kind: [field.name for field in dataclasses.fields(kind) if _LATER in field.metadata]
            for kind in kinds.values()
        }

    def encode(self, value: Value) -> dict[str, Any]:
        """Return the value as plain JSON values. Raises MalformedError where JSON can't hold it."""
        plain = {self._label: self._words[type(value)], **encode(value)}
        for name in self._later[type(value)]:
            if plain.get(name) is None:  # a value that was read has none where none was written
                plain.pop(name, None)
        return plain

    def convert(self, plain: Any) -> Value:
        """Return the value that ``encode`` wrote. Raises MalformedError."""
        fields = {**plain} if isinstance(plain, Mapping) else convert(dict[str, Any], plain)
        if self._label not in fields:
            raise MalformedError(f"`{self._label}`: missing")
        word = fields.pop(self._label)
        kind = self._kinds.get(word) if isinstance(word, str) else None
        if kind is None:
            raise MalformedError(f"`{self._label}`: {quoted(repr(word))} is not allowed")
        unknown = fields.keys() - self._fields[kind]
        if unknown:
            raise MalformedError(f"`{quoted(str(min(unknown, key=str)))}`: unknown")
        value: Value = convert(kind, fields)
        return value
