"""The wording of input errors: the field first, in words that people know, safe for a terminal."""

from __future__ import annotations

import re
from typing import Any

from armoon.values.foreign_text import shown

#: Maximum length of a quoted foreign text in an error.
_QUOTED = 120
_WORDS = {
    "float": "a number",
    "int": "a whole number",
    "str": "text",
    "bool": "true or false",
    "null": "nothing",
    "array": "a list",
    "object": "an object",
    "date": "a date",
    "any": "anything",
}


class MalformedError(ValueError):
    """Something that isn't what it should be, or can't be written; its text names the field."""


def path_told(way: Any) -> str:
    """Return a field's path as the beginning of a sentence; ``way`` is (way to what holds it, name or number)."""
    parts: list[str] = []
    while way is not None:
        way, key = way
        parts.append(f"[{key}]" if isinstance(key, int) else f".{key}")
    path = "".join(reversed(parts)).removeprefix(".")
    return f"`{quoted(path)}`: " if path else ""


def problem_told(text: str) -> str:
    """Return what msgspec found, with the field first and in words that people know."""
    problem, at, where = text.rpartition(" - at ")
    if not at:
        problem, where = text, ""
    path = where.removeprefix("`key` in ").strip("`").removeprefix("$").removeprefix(".")
    missing = re.fullmatch(r"Object missing required field `(.*)`", problem)
    if missing:
        path, problem = f"{path}.{missing[1]}".removeprefix("."), "missing"
    elif problem.startswith("Invalid enum value "):
        problem = f"{problem.removeprefix('Invalid enum value ')} is not allowed"
    elif problem.startswith("Expected "):
        problem = re.sub(r"`([^`]*)`", lambda kind: _word(kind[1]), problem)
        problem = problem[0].lower() + problem[1:]
    else:
        problem = problem.removeprefix("Invalid RFC3339 encoded date") or "no date"
    problem = quoted(problem)
    return f"`{quoted(path)}`: {problem}" if path else problem


def _word(kinds: str) -> str:
    return " or ".join(_WORDS.get(kind, kind) for kind in kinds.split(" | "))


def quoted(text: str) -> str:
    """Foreign text as a terminal may show it: on one line, without control characters, not too long."""
    whole = shown(text)
    return whole if len(whole) <= _QUOTED else f"{whole[:_QUOTED]} …"


def fault_told(error: Exception) -> str:
    """Return what a reading or writing exception says, in words that people know."""
    if isinstance(error, RecursionError):
        return "nested too deeply"
    return "text that is no UTF-8" if isinstance(error, UnicodeError) else "a number out of range"
