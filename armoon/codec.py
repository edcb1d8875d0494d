"""Values to JSON and back, by their declared types, for every file that the program writes and reads again.

A dataclass is written field by field, an enum by its value, a date as ISO 8601. Reading is strict: ``true`` is no
number, ``"3"`` neither, a field without a default has to be there, and the error names the field. Every float comes
back with the same bits; there is no JSON for NaN and infinity, so they are refused on both ways.

What is read may come from anywhere, so it is bounded: JSON nested at most ``DEEPEST`` deep, whole numbers of 64
bits, text that is text (no half of a surrogate pair). Nothing but ``MalformedError``, or the ArmoonError that
a caller names, comes out of a file, whatever lies in it; a ``__post_init__`` may raise ValueError, which is told
with its field, or an ArmoonError of its own.
"""

from __future__ import annotations

import json
import math
import os
import re
import stat
from pathlib import Path
from typing import Any, TypeVar, overload

import msgspec

from armoon.errors import ArmoonError

Value = TypeVar("Value")

#: Nothing of ours nests deeper than eight.
DEEPEST = 64
#: What fits into 64 bits: a larger one is no seed, count or size of anything here.
SMALLEST_INT, LARGEST_INT = -(2**63), 2**64 - 1
#: Kept files and descriptions have some kilobytes; nobody's film is read in by mistake.
LARGEST_BYTES = 16 * 1024 * 1024
#: Of a foreign text so much is quoted in an error.
_QUOTED = 120
#: How MessagePack writes NaN and infinity; now and then another number's bytes look like it.
_NOT_FINITE = re.compile(rb"\xcb[\x7f\xff][\xf0-\xff]")
_NO_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
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


def encode(value: Any) -> Any:
    """A value as plain JSON values: exactly what reading it back as JSON gives. Raises MalformedError."""
    return parse(encode_json(value))


def encode_json(value: Any, *, indent: int = 0) -> bytes:
    """A value as JSON, in one line unless indented. Raises MalformedError where JSON can't hold it."""
    try:
        content = msgspec.json.encode(value, enc_hook=_plain_number)
        if not _is_within_bounds(value):
            _find_fault(msgspec.to_builtins(value, enc_hook=_plain_number))
    except MalformedError:
        raise
    except (ValueError, RecursionError) as error:  # no text, too deep, or a whole number of 5,000 digits
        raise MalformedError(_told(error)) from error
    return msgspec.json.format(content, indent=indent) if indent else content


def decode(
    kind: type[Value],
    plain: Any,
    what: str,
    remedy: str,
    *,
    error: type[ArmoonError] = ArmoonError,
    exact: bool = False,
) -> Value:
    """The value of this type in plain JSON values.

    ``what`` is the error's sentence without its full stop, such as "The camera profile x.json is broken"; which
    field, and why, follows in brackets. With ``exact`` a field that the type doesn't know is refused, too.
    """
    try:
        return convert(kind, plain, exact=exact)
    except MalformedError as problem:
        raise error(f"{what} ({problem}).", remedy=remedy) from problem


def decode_json(
    kind: type[Value],
    content: bytes | str,
    what: str,
    remedy: str,
    *,
    error: type[ArmoonError] = ArmoonError,
    exact: bool = False,
) -> Value:
    """The value of this type in JSON; as ``decode``."""
    try:
        return convert(kind, parse(content), exact=exact)
    except MalformedError as problem:
        raise error(f"{what} ({problem}).", remedy=remedy) from problem


@overload
def convert(kind: type[Value], plain: Any, *, exact: bool = ...) -> Value: ...
@overload
def convert(kind: Any, plain: Any, *, exact: bool = ...) -> Any: ...
def convert(kind: Any, plain: Any, *, exact: bool = False) -> Any:
    """As ``decode``, for callers with a sentence of their own. Raises MalformedError."""
    try:
        if not _is_within_bounds(plain):
            _find_fault(plain)
        value = msgspec.convert(plain, kind, strict=True, str_keys=True)
        if exact:
            _check_known(plain, encode(value), "")
    except msgspec.ValidationError as error:
        raise MalformedError(_sentence(str(error))) from error
    except (RecursionError, ArithmeticError, UnicodeError) as error:
        raise MalformedError(_told(error)) from error
    return value


def parse(content: bytes | str) -> Any:
    """The plain values of JSON. Raises MalformedError, also for NaN, infinity and what is out of bounds."""
    try:
        if isinstance(content, str):
            content = content.encode()
        plain = msgspec.json.decode(content.removeprefix(_BYTE_ORDER_MARK))
    except (ValueError, RecursionError) as error:
        raise _why_no_json(content, error) from error
    if not (_is_shallow(content) and _is_within_bounds(plain)):
        _find_fault(plain)
    return plain


def read_bytes(path: Path, largest: int = LARGEST_BYTES) -> bytes:
    """The content of a file. Raises OSError, and MalformedError for a larger one, a device or a pipe."""
    with open(path, "rb", opener=_open_at_once) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise MalformedError("no file but a device or a pipe")
        content = file.read(largest + 1)
    if len(content) > largest:
        raise MalformedError(f"larger than {largest // 1024**2} MB")
    return content


def _open_at_once(path: str, flags: int) -> int:
    """Without waiting for somebody to write into a pipe."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _plain_number(value: Any) -> Any:
    """Numpy's double is a float, too."""
    if isinstance(value, float):
        return float(value)
    raise TypeError(f"{type(value).__name__} isn't written")


def _is_within_bounds(value: Any) -> bool:
    """Whether numbers and text are surely in bounds: 40 times as quick as looking at each of them.

    MessagePack refuses what isn't text and whole numbers of more than 64 bits, and writes every other number as a
    byte that says so and its eight bytes.
    """
    try:
        packed = msgspec.msgpack.encode(value, enc_hook=_plain_number)
    except (TypeError, ValueError, OverflowError, RecursionError):
        return False
    return not _NOT_FINITE.search(packed)


def _is_shallow(content: bytes) -> bool:
    """Whether JSON is surely nested no deeper than ``DEEPEST``; a bracket in a text makes it unsure."""
    brackets = content.translate(None, _NO_BRACKETS)
    for _ in range(DEEPEST):
        if not brackets:
            return True
        inner = brackets
        brackets = brackets.replace(b"[]", b"").replace(b"{}", b"")
        if len(brackets) == len(inner):
            return False
    return not brackets


def _why_no_json(content: bytes | str, error: Exception) -> MalformedError:
    """The standard library reads NaN, infinity and halves of pairs, so that their field can be named."""
    try:
        _find_fault(json.loads(content))
    except MalformedError as named:
        return named
    except (ValueError, RecursionError):
        pass
    if isinstance(error, UnicodeError | RecursionError):
        return MalformedError(_told(error))
    return MalformedError(f"no JSON: {str(error).removeprefix('JSON is malformed: ')}")


def _find_fault(plain: Any) -> None:
    """Raise MalformedError for the first thing that is out of bounds, without going into depth itself."""
    level: list[tuple[Any, Any]] = [(plain, None)]
    for _ in range(DEEPEST):
        below: list[tuple[Any, Any]] = []
        for value, way in level:
            kind = type(value)
            if kind is float:
                if not math.isfinite(value):
                    raise MalformedError(f"{_path(way)}{value} is not finite")
            elif kind is int:
                if not SMALLEST_INT <= value <= LARGEST_INT:
                    raise MalformedError(f"{_path(way)}a whole number out of range")
            elif kind is str:
                if not value.isascii() and not _is_text(value):
                    raise MalformedError(f"{_path(way)}text that can't be written")
            elif kind is list or kind is tuple:
                below += [(item, (way, index)) for index, item in enumerate(value)]
            elif kind is dict:
                below += [(item, (way, key)) for key, item in value.items()]
                if not all(isinstance(key, int) or (isinstance(key, str) and _is_text(key)) for key in value):
                    raise MalformedError(f"{_path(way)}a name that can't be written")
        if not below:
            return
        level = below
    raise MalformedError("nested too deeply")


def _check_known(plain: Any, written: Any, path: str) -> None:
    """Raise MalformedError for a field that isn't written again, so that no type knows it."""
    if isinstance(plain, dict) and isinstance(written, dict):
        for key, value in plain.items():
            here = f"{path}.{key}" if path else str(key)
            if str(key) not in written:
                raise MalformedError(f"`{_quoted(here)}`: unknown")
            _check_known(value, written[str(key)], here)
    elif isinstance(plain, list | tuple) and isinstance(written, list):
        for index, (value, again) in enumerate(zip(plain, written, strict=False)):
            _check_known(value, again, f"{path}[{index}]")


def _is_text(text: str) -> bool:
    try:
        text.encode()
    except UnicodeError:
        return False
    return True


def _path(way: Any) -> str:
    """A field's path as the beginning of a sentence; ``way`` is (way to what holds it, name or number)."""
    parts: list[str] = []
    while way is not None:
        way, key = way
        parts.append(f"[{key}]" if isinstance(key, int) else f".{key}")
    path = "".join(reversed(parts)).removeprefix(".")
    return f"`{_quoted(path)}`: " if path else ""


def _sentence(text: str) -> str:
    """What msgspec found, with the field first and in words that people know."""
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
    problem = _quoted(problem)
    return f"`{_quoted(path)}`: {problem}" if path else problem


def _word(kinds: str) -> str:
    return " or ".join(_WORDS.get(kind, kind) for kind in kinds.split(" | "))


def _quoted(text: str) -> str:
    """Foreign text as a terminal may show it: on one line, without control characters, not too long."""
    shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
    return shown if len(shown) <= _QUOTED else f"{shown[:_QUOTED]} …"


def _told(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "nested too deeply"
    return "text that is no UTF-8" if isinstance(error, UnicodeError) else "a number out of range"
