"""The moon game's lines in the players' language."""

from __future__ import annotations

from armoon.games.moon.referee.sentences import Line
from armoon.messages import text
from armoon.messages.numbers import apart, centimetres, enumerated


def say(line: Line) -> str:
    """The sentence of a line: heights in centimetres, names in a row, and what a mistake costs whom."""
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
