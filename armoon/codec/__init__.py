"""Values to JSON and back, by their declared types, for every file that the program writes and reads.

A dataclass is written field by field, an enum by its value, a date as ISO 8601. Reading is strict: ``true`` is not a
number, nor is ``"3"``; a field without a default is required, and the error names the field. Every float comes
back with the same bits. JSON has no NaN and no infinity, so both are refused in both directions.

Input is untrusted, so it is bounded: JSON nested at most ``DEEPEST`` deep, whole numbers of 64
bits, valid text (no half of a surrogate pair). Reading any file raises only ``MalformedError``, or the ArmoonError
that a caller names. A ``__post_init__`` may raise ValueError, which is reported
with its field, or an ArmoonError of its own.
"""

from __future__ import annotations

from typing import Any, TypeVar, overload

import msgspec

from armoon.codec.bounds import find_fault, is_shallow, is_within_bounds, plain_number, why_no_json
from armoon.codec.wording import MalformedError, fault_told, problem_told, quoted
from armoon.errors import ArmoonError

__all__ = ["MalformedError", "convert", "decode_json", "encode", "encode_json", "parse"]

Value = TypeVar("Value")

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def encode(value: Any) -> Any:
    """Return a value as plain JSON values: exactly what reading it back as JSON gives. Raises MalformedError."""
    return parse(encode_json(value))


def encode_json(value: Any, *, indent: int = 0) -> bytes:
    """Return a value as JSON, in one line unless indented. Raises MalformedError where JSON can't hold it."""
    try:
        content = msgspec.json.encode(value, enc_hook=plain_number)
        if not is_within_bounds(value):
            find_fault(msgspec.to_builtins(value, enc_hook=plain_number))
    except MalformedError:
        raise
    except (ValueError, RecursionError) as error:  # no text, too deep, or a whole number of 5,000 digits
        raise MalformedError(fault_told(error)) from error
    return msgspec.json.format(content, indent=indent) if indent else content


def decode_json(
    kind: type[Value],
    content: bytes | str,
    what: str,
    remedy: str,
    *,
    error: type[ArmoonError] = ArmoonError,
) -> Value:
    """Return the value of this type in JSON.

    ``what`` is the error's sentence without its full stop, such as "The camera profile x.json is broken"; which
    field, and why, follows in brackets.
    """
    try:
        return convert(kind, parse(content))
    except MalformedError as problem:
        raise error(f"{what} ({problem}).", remedy=remedy) from problem


@overload
def convert(kind: type[Value], plain: Any, *, exact: bool = ...) -> Value: ...
@overload
def convert(kind: Any, plain: Any, *, exact: bool = ...) -> Any: ...
def convert(kind: Any, plain: Any, *, exact: bool = False) -> Any:
    """Return the value of this type in plain JSON values; as ``decode_json``, but raises MalformedError.

    With ``exact`` a field that the type doesn't know is refused, too.
    """
    try:
        if not is_within_bounds(plain):
            find_fault(plain)
        value = msgspec.convert(plain, kind, strict=True, str_keys=True)
        if exact:
            _check_known(plain, encode(value), "")
    except msgspec.ValidationError as error:
        raise MalformedError(problem_told(str(error))) from error
    except (RecursionError, ArithmeticError, UnicodeError) as error:
        raise MalformedError(fault_told(error)) from error
    return value


def parse(content: bytes | str) -> Any:
    """Return the plain values of JSON. Raises MalformedError, also for NaN, infinity and what is out of bounds."""
    try:
        if isinstance(content, str):
            content = content.encode()
        plain = msgspec.json.decode(content.removeprefix(_BYTE_ORDER_MARK))
    except (ValueError, RecursionError) as error:
        raise why_no_json(content, error) from error
    if not (is_shallow(content) and is_within_bounds(plain)):
        find_fault(plain)
    return plain


def _check_known(plain: Any, written: Any, path: str) -> None:
    """Raise MalformedError for a field that isn't written again, so that no type knows it."""
    if isinstance(plain, dict) and isinstance(written, dict):
        for key, value in plain.items():
            here = f"{path}.{key}" if path else str(key)
            if str(key) not in written:
                raise MalformedError(f"`{quoted(here)}`: unknown")
            _check_known(value, written[str(key)], here)
    elif isinstance(plain, list | tuple) and isinstance(written, list):
        for index, (value, again) in enumerate(zip(plain, written, strict=False)):
            _check_known(value, again, f"{path}[{index}]")
