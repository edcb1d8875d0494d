"""Every field of every file of ours, wrong or missing: each reader says so in one sentence, or can live with it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from support.readers_kit import READER, Reader, outcome, signed

from armoon.codec import LARGEST_INT


def deep(levels: int) -> str:
    return "[" * levels + "]" * levels


#: JSON texts that stand in a field's place.
WRONG = [
    *("null", "true", "-1", "1e6", "1000000000", str(LARGEST_INT), "1" + "0" * 400, "7" * 5000),
    *("NaN", "Infinity", "1e999", '""', '"x"', '"\\ud800"', '"\\u001b[31m\\n"'),
    *("[]", "[true]", "{}", '{"x": 1}', deep(30), deep(100_000)),
]
#: What stands for the field in the text around it.
MARK = "\ue000"


def places(plain: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every value, once for all items of a list, or of a table of names, that look alike."""
    yield path
    items = plain.items() if isinstance(plain, dict) else enumerate(plain) if isinstance(plain, list) else ()
    seen = set()
    for key, value in items:
        look = (type(value), tuple(value) if isinstance(value, dict) else None)
        if isinstance(plain, list):
            if look in seen:
                continue
            seen.add(look)
        yield from places(value, (*path, key))


def put(plain: Any, path: tuple[Any, ...], value: Any) -> Any:
    if not path:
        return value
    copy = plain.copy()
    copy[path[0]] = put(copy[path[0]], path[1:], value)
    return copy


def looks_of(plain: Any, path: tuple[Any, ...]) -> tuple[Any, ...]:
    """What tells places apart: not which item of a list, nor which ladder, but of which kind of line or move."""
    kinds: list[Any] = []
    for key in path:
        kinds.append((plain.get("kind"), plain.get("move")) if isinstance(plain, dict) else ())
        kinds.append("*" if isinstance(key, int) or re.fullmatch(r"L\d\d", key) else key)
        plain = plain[key]
    return tuple(kinds)


def broken(plain: Any, seen: set[Any]) -> Iterator[str]:
    for path in places(plain):
        looks = looks_of(plain, path)
        if looks in seen:
            continue
        seen.add(looks)
        text = json.dumps(put(plain, path, MARK), ensure_ascii=False)
        for wrong in WRONG:
            yield text.replace(f'"{MARK}"', wrong)
        if path and isinstance(path[-1], str):
            holder = plain
            for key in path[:-1]:
                holder = holder[key]
            yield json.dumps(put(plain, path[:-1], {k: v for k, v in holder.items() if k != path[-1]}))


def broken_files(reader: Reader) -> Iterator[bytes]:
    seen: set[Any] = set()
    lines = reader.good.decode().splitlines()
    if reader.name.endswith("save"):
        lines = [line[9:] for line in lines]
        for number, line in enumerate(lines):
            for text in broken(json.loads(line), seen):
                yield signed([*lines[:number], text, *lines[number + 1 :]])
    elif reader.name.endswith("log"):
        for number, line in enumerate(lines):
            for text in broken(json.loads(line), seen):
                yield "\n".join([*lines[:number], text, *lines[number + 1 :], ""]).encode()
    else:
        for text in broken(json.loads(reader.good), seen):
            yield text.encode()


@READER
def test_every_field_wrong(reader: Reader, tmp_path: Path) -> None:
    tried = said = 0
    for content in broken_files(reader):
        tried += 1
        said += bool(outcome(reader, content, tmp_path))
    assert tried > 2 * len(WRONG)  # whole and in one field at least
    # Some wrong values are right ones of another game, and preferences are never worth a word.
    assert said > tried / 2 or reader.name == "preferences"
