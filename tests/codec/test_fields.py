"""Readers of every file format report wrong and missing fields in one sentence or ignore them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from support.readers_kit import READER, Reader, outcome, sign_lines

from armoon.codec import MAX_INT


def nest_brackets(levels: int) -> str:
    return "[" * levels + "]" * levels


#: JSON texts that replace a field.
WRONG = [
    *("null", "true", "-1", "1e6", "1000000000", str(MAX_INT), "1" + "0" * 400, "7" * 5000),
    *("NaN", "Infinity", "1e999", '""', '"x"', '"\\ud800"', '"\\u001b[31m\\n"'),
    *("[]", "[true]", "{}", '{"x": 1}', nest_brackets(30), nest_brackets(100_000)),
]
#: Placeholder for the field in the text around it.
MARK = "\ue000"


def list_paths(plain: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the paths to all values, but only one for similar items of a list."""
    yield path
    items = plain.items() if isinstance(plain, dict) else enumerate(plain) if isinstance(plain, list) else ()
    seen = set()
    for key, value in items:
        look = (type(value), tuple(value) if isinstance(value, dict) else None)
        if isinstance(plain, list):
            if look in seen:
                continue
            seen.add(look)
        yield from list_paths(value, (*path, key))


def put_value(plain: Any, path: tuple[Any, ...], value: Any) -> Any:
    if not path:
        return value
    copy = plain.copy()
    copy[path[0]] = put_value(copy[path[0]], path[1:], value)
    return copy


def generalize_path(plain: Any, path: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return a path with the kinds of lines and moves, but without list indices and ladder names."""
    kinds: list[Any] = []
    for key in path:
        kinds.append((plain.get("kind"), plain.get("move")) if isinstance(plain, dict) else ())
        kinds.append("*" if isinstance(key, int) or re.fullmatch(r"L\d\d", key) else key)
        plain = plain[key]
    return tuple(kinds)


def damage_fields(plain: Any, seen: set[Any]) -> Iterator[str]:
    for path in list_paths(plain):
        general = generalize_path(plain, path)
        if general in seen:
            continue
        seen.add(general)
        text = json.dumps(put_value(plain, path, MARK), ensure_ascii=False)
        for wrong in WRONG:
            yield text.replace(f'"{MARK}"', wrong)
        if path and isinstance(path[-1], str):
            holder = plain
            for key in path[:-1]:
                holder = holder[key]
            yield json.dumps(put_value(plain, path[:-1], {k: v for k, v in holder.items() if k != path[-1]}))


def list_damaged_files(reader: Reader) -> Iterator[bytes]:
    seen: set[Any] = set()
    lines = reader.good.decode().splitlines()
    if reader.name.endswith("save"):
        lines = [line[9:] for line in lines]
        for number, line in enumerate(lines):
            for text in damage_fields(json.loads(line), seen):
                # Keep only one line after the damaged one, because the time to read is proportional to the lines.
                yield sign_lines([*lines[:number], text, *lines[number + 1 : number + 2]])
    elif reader.name.endswith("log"):
        for number, line in enumerate(lines):
            for text in damage_fields(json.loads(line), seen):
                yield "\n".join([*lines[:number], text, *lines[number + 1 :], ""]).encode()
    else:
        for text in damage_fields(json.loads(reader.good), seen):
            yield text.encode()


@READER
def test_every_wrong_field_is_reported(reader: Reader, tmp_path: Path) -> None:
    tried = reported = 0
    for content in list_damaged_files(reader):
        tried += 1
        reported += bool(outcome(reader, content, tmp_path))
    assert tried > 2 * len(WRONG)  # the whole record and at least one field were replaced
    # Some wrong values are valid in another game, and wrong preferences are never reported.
    assert reported > tried / 2 or reader.name == "preferences"
