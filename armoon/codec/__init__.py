"""Conversion of typed values to and from JSON, for all files that the program reads or writes.

Reading is strict (neither ``true`` nor ``"3"`` is a number) and bounded (``MAX_NESTING``, 64 bits, valid text). Floats
keep all bits. Errors are ``MalformedError``, which names the field, or the caller's ArmoonError.
"""

from __future__ import annotations

import dataclasses
import json
import math
import re
from collections.abc import Iterable, Mapping
from typing import Any, Generic, TypeVar, overload

import msgspec

from armoon.errors import ArmoonError
from armoon.values.text import quote_text, short_repr

#: Maximum length of a quoted error message, in characters.
_MAX_MESSAGE_CHARS = 120
_KIND_NAMES = {
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
    """A value doesn't have its declared type, or can't be encoded; the message names the field."""


def describe_path(path: Any) -> str:
    """Return a field's path as the start of a message; ``path``: (container's path, name or index), or None."""
    parts: list[str] = []
    while path is not None:
        path, key = path
        parts.append(f"[{key}]" if isinstance(key, int) else f".{key}")
    words = "".join(reversed(parts)).removeprefix(".")
    return f"`{quote_text(words)}`: " if words else ""


def describe_problem(text: str) -> str:
    """Reword msgspec's error message: name the field first, then the problem in plain words."""
    problem, separator, where = text.rpartition(" - at ")
    if not separator:
        problem, where = text, ""
    path = where.removeprefix("`key` in ").strip("`").removeprefix("$").removeprefix(".")
    missing = re.fullmatch(r"Object missing required field `(.*)`", problem)
    if missing:
        path, problem = f"{path}.{missing[1]}".removeprefix("."), "missing"
    elif problem.startswith("Invalid enum value "):
        problem = f"{quote_text(problem.removeprefix('Invalid enum value '))} is not allowed"
    elif problem.startswith("Expected "):
        problem = re.sub(r"`([^`]*)`", lambda kind: _describe_kinds(kind[1]), problem)
        problem = problem[0].lower() + problem[1:]
    else:
        problem = problem.removeprefix("Invalid RFC3339 encoded date") or "not a date"
    problem = quote_text(problem, _MAX_MESSAGE_CHARS)
    return f"`{quote_text(path)}`: {problem}" if path else problem


def _describe_kinds(kinds: str) -> str:
    return " or ".join(_KIND_NAMES.get(kind, kind) for kind in kinds.split(" | "))


def describe_other_version(what: str, found: object, expected: int) -> str:
    return f"{what} is of version {short_repr(found)}; this program reads version {expected}"


def describe_fault(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "nested too deeply"
    return "text that isn't UTF-8" if isinstance(error, UnicodeError) else "a number out of range"


#: Maximum nesting of JSON values; the program's own files have at most eight levels.
MAX_NESTING = 64
#: Limits of whole numbers.
MIN_INT, MAX_INT = -(2**63), 2**64 - 1
#: MessagePack's encoding of NaN and infinity; other values can contain the same bytes.
_NOT_FINITE = re.compile(rb"\xcb[\x7f\xff][\xf0-\xff]")
_NO_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))


def convert_number(value: Any) -> Any:
    if isinstance(value, float):
        return float(value)
    raise TypeError(f"{type(value).__name__} can't be written")


def is_within_bounds(value: Any) -> bool:
    """Return True only if all numbers and texts are within bounds; 40 times as fast as ``check_bounds``."""
    try:
        packed = msgspec.msgpack.encode(value, enc_hook=convert_number)
    except (TypeError, ValueError, OverflowError, RecursionError):
        return False
    return not _NOT_FINITE.search(packed)


def is_shallow(content: bytes) -> bool:
    """Return True only if the JSON has at most ``MAX_NESTING`` levels; brackets in strings can cause False."""
    brackets = content.translate(None, _NO_BRACKETS)
    for _ in range(MAX_NESTING):
        if not brackets:
            return True
        inner = brackets
        brackets = brackets.replace(b"[]", b"").replace(b"{}", b"")
        if len(brackets) == len(inner):
            return False
    return not brackets


def check_bounds(plain: Any) -> None:
    """Raise MalformedError if a value is out of bounds. Iterative, because the nesting can be deep."""
    level: list[tuple[Any, Any]] = [(plain, None)]
    for _ in range(MAX_NESTING):
        below: list[tuple[Any, Any]] = []
        for value, path in level:
            kind = type(value)
            if kind is float:
                if not math.isfinite(value):
                    raise MalformedError(f"{describe_path(path)}{value} is not finite")
            elif kind is int:
                if not MIN_INT <= value <= MAX_INT:
                    raise MalformedError(f"{describe_path(path)}a whole number out of range")
            elif kind is str:
                if not value.isascii() and not _is_text(value):
                    raise MalformedError(f"{describe_path(path)}text that can't be written")
            elif kind is list or kind is tuple:
                below += [(item, (path, index)) for index, item in enumerate(value)]
            elif kind is dict:
                below += [(item, (path, key)) for key, item in value.items()]
                if not all(isinstance(key, int) or (isinstance(key, str) and _is_text(key)) for key in value):
                    raise MalformedError(f"{describe_path(path)}a name that can't be written")
        if not below:
            return
        level = below
    raise MalformedError("nested too deeply")


def explain_json_error(content: bytes | str, error: Exception) -> MalformedError:
    """Return an error, which names the field if the more lenient standard library can parse the JSON."""
    try:
        check_bounds(json.loads(content))
    except MalformedError as detailed:
        return detailed
    except (ValueError, RecursionError):
        pass
    if isinstance(error, UnicodeError | RecursionError):
        return MalformedError(describe_fault(error))
    return MalformedError(f"not JSON: {str(error).removeprefix('JSON is malformed: ')}")


def _is_text(text: str) -> bool:
    try:
        text.encode()
    except UnicodeError:
        return False
    return True


Value = TypeVar("Value")

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def encode(value: Any) -> Any:
    return parse(encode_json(value))


def encode_json(value: Any, *, indent: int = 0) -> bytes:
    """Return a value as JSON, on one line if ``indent`` is 0. Raises MalformedError if JSON can't represent it."""
    try:
        content = msgspec.json.encode(value, enc_hook=convert_number)
        if not is_within_bounds(value):
            check_bounds(msgspec.to_builtins(value, enc_hook=convert_number))
    except MalformedError:
        raise
    except (ValueError, RecursionError) as error:  # invalid text, deep nesting, or an integer of 5,000 digits
        raise MalformedError(describe_fault(error)) from error
    return msgspec.json.format(content, indent=indent) if indent else content


def decode_json(
    kind: type[Value],
    content: bytes | str,
    key: str,
    *,
    error: type[ArmoonError] = ArmoonError,
    **fields: Any,
) -> Value:
    """Decode JSON to a value of type ``kind``. Raises ``error(key, **fields)``, with the problem as ``why``."""
    try:
        return convert(kind, parse(content))
    except MalformedError as problem:
        raise error(key, why=problem, **fields) from problem


@overload
def convert(kind: type[Value], plain: Any, *, exact: bool = ...) -> Value: ...
@overload
def convert(kind: Any, plain: Any, *, exact: bool = ...) -> Any: ...
def convert(kind: Any, plain: Any, *, exact: bool = False) -> Any:
    """Convert plain JSON values to type ``kind``; ``exact`` forbids unknown fields. Raises MalformedError."""
    try:
        if not is_within_bounds(plain):
            check_bounds(plain)
        value = msgspec.convert(plain, kind, strict=True, str_keys=True)
        if exact:
            _check_known(plain, encode(value), "")
    except msgspec.ValidationError as error:
        raise MalformedError(describe_problem(str(error))) from error
    except (RecursionError, ArithmeticError, UnicodeError) as error:
        raise MalformedError(describe_fault(error)) from error
    return value


def parse(content: bytes | str) -> Any:
    """Parse JSON to plain values. Raises MalformedError, also for NaN and for values out of bounds."""
    try:
        if isinstance(content, str):
            content = content.encode()
        plain = msgspec.json.decode(content.removeprefix(_BYTE_ORDER_MARK))
    except (ValueError, RecursionError) as error:
        raise explain_json_error(content, error) from error
    if not (is_shallow(content) and is_within_bounds(plain)):
        check_bounds(plain)
    return plain


def _check_known(plain: Any, written: Any, path: str) -> None:
    """Raise MalformedError for a field of ``plain`` that isn't in ``written``, the converted value."""
    if isinstance(plain, dict) and isinstance(written, dict):
        for key, value in plain.items():
            field_path = f"{path}.{key}" if path else str(key)
            if str(key) not in written:
                raise MalformedError(f"`{quote_text(field_path)}`: unknown")
            _check_known(value, written[str(key)], field_path)
    elif isinstance(plain, list | tuple) and isinstance(written, list):
        for index, (value, rewritten) in enumerate(zip(plain, written, strict=False)):
            _check_known(value, rewritten, f"{path}[{index}]")


def name_variants(kinds: Iterable[type[Any]]) -> dict[str, type[Any]]:
    return {re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower(): kind for kind in kinds}


class Variants(Generic[Value]):
    """A codec for a tagged union of dataclasses, in which unknown fields are errors."""

    def __init__(self, label: str, kinds: Mapping[str, type[Any]]) -> None:
        self._label = label
        self._kinds = dict(kinds)
        self.kinds = tuple(kinds.values())
        self._words = {kind: word for word, kind in kinds.items()}
        self._fields = {kind: {field.name for field in dataclasses.fields(kind)} for kind in kinds.values()}

    def encode(self, value: Value) -> dict[str, Any]:
        return {self._label: self._words[type(value)], **encode(value)}

    def convert(self, plain: Any) -> Value:
        fields = {**plain} if isinstance(plain, Mapping) else convert(dict[str, Any], plain)
        if self._label not in fields:
            raise MalformedError(f"`{self._label}`: missing")
        word = fields.pop(self._label)
        kind = self._kinds.get(word) if isinstance(word, str) else None
        if kind is None:
            raise MalformedError(f"`{self._label}`: {short_repr(word)} is not allowed")
        unknown = fields.keys() - self._fields[kind]
        if unknown:
            raise MalformedError(f"`{quote_text(str(min(unknown, key=str)))}`: unknown")
        value: Value = convert(kind, fields)
        return value
