"""The feed's lines as JSON Schema, made from their types; ``docs/feed.md`` holds it, and a test compares."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from armoon.broadcast.happenings import KINDS
from armoon.broadcast.lines import VERSION, LiveLine, StateLine

_HEAD = {"feed": {"const": VERSION}, "number": {"type": "integer"}, "at_s": {"type": "number"}}


def schema() -> dict[str, Any]:
    """JSON Schema (2020-12) of a line."""
    kinds = [StateLine, LiveLine, *KINDS.values()]
    made, components = msgspec.json.schema_components(kinds, ref_template="#/$defs/{name}")
    del made
    events = [
        {
            "type": "object",
            "properties": {
                **_HEAD,
                "kind": {"const": word},
                "happening": {"$ref": f"#/$defs/{kind.__name__}"},
            },
            "required": ["feed", "number", "at_s", "kind", "happening"],
        }
        for word, kind in KINDS.items()
    ]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"armoon feed, version {VERSION}",
        "oneOf": [*events, {"$ref": "#/$defs/StateLine"}, {"$ref": "#/$defs/LiveLine"}],
        "$defs": {name: components[name] for name in sorted(components)},
    }


def schema_text() -> str:
    """Return the schema as it stands in the documentation: a line for each kind and each definition."""
    whole = schema()
    parts = [f'  "{key}": {json.dumps(whole[key])},' for key in ("$schema", "title")]
    parts += ['  "oneOf": [', ",\n".join(f"    {json.dumps(one)}" for one in whole["oneOf"]), "  ],"]
    defined = (f"    {json.dumps(name)}: {json.dumps(one)}" for name, one in whole["$defs"].items())
    parts += ['  "$defs": {', ",\n".join(defined), "  }"]
    return "\n".join(("{", *parts, "}"))


if __name__ == "__main__":
    print(schema_text())
