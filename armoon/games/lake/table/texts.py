"""The lake game's lines in the players' language."""

from __future__ import annotations

from armoon.games.lake.rules.lines import Field, Line, Names, Words
from armoon.messages import text
from armoon.messages.numbers import enumerated, ordinal


def spoken(line: Line) -> str:
    """Return the sentence of a line, its first letter a capital."""
    sentence = _word(line)
    return sentence[:1].upper() + sentence[1:]


def _word(field: Field) -> str:
    if isinstance(field, Words):
        return ", ".join(map(_word, field.items))
    if isinstance(field, Names):
        return enumerated(field.items)
    if isinstance(field, Line):
        # Numbers stay numbers, because catalogues choose singular and plural by them.
        fields = {name: it if isinstance(it, int) else _word(it) for name, it in field.fields}
        count = fields.get("count")
        return text(field.key, nth=ordinal(count) if isinstance(count, int) else "", **fields)
    return str(field)
