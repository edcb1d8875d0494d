"""Values are the same bit for bit after encoding and decoding, and errors name the field."""

from __future__ import annotations

import datetime
import enum
import json
import math
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from armoon import codec
from armoon.errors import CameraError, SettingsError


class Side(enum.Enum):
    LEFT = "left"
    RIGHT = "right"


@dataclass(frozen=True)
class Lens:
    fx: float
    distortion: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True)
class Rig:
    camera: Lens
    name: str
    count: int = 0
    side: Side = Side.LEFT
    legacy: bool = False
    seen: datetime.date | None = None
    others: tuple[Lens, ...] = ()
    places: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    turns: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True)
class StrictFields:
    width: int

    def __post_init__(self) -> None:
        if self.width < 0:
            raise ValueError("no width")
        if self.width == 7:
            raise SettingsError("Seven.", remedy="Take eight.")
        _ = math.exp(self.width)


FLOATS = st.floats(allow_nan=False, allow_infinity=False)
TEXTS = st.text(st.characters(codec="utf-8"), max_size=8)
LENSES = st.builds(Lens, FLOATS, st.tuples(FLOATS, FLOATS))
RIGS = st.builds(
    Rig,
    LENSES,
    TEXTS,
    st.integers(codec.MIN_INT, codec.MAX_INT),
    st.sampled_from(Side),
    st.booleans(),
    st.none() | st.dates(),
    st.lists(LENSES, max_size=3).map(tuple),
    st.dictionaries(TEXTS, st.tuples(FLOATS, FLOATS), max_size=3),
    st.dictionaries(st.integers(0, 99), TEXTS, max_size=3),
)


@given(RIGS)
def test_values_are_unchanged_by_a_round_trip(rig: Rig) -> None:
    assert codec.convert(Rig, codec.parse(codec.encode_json(rig)), exact=True) == rig
    assert codec.convert(Rig, codec.encode(rig), exact=True) == rig
    assert json.loads(codec.encode_json(rig, indent=2)) == codec.encode(rig), (
        "the standard library reads the same"
    )


@given(st.lists(FLOATS))
def test_floats_keep_every_bit(numbers: list[float]) -> None:
    for text in (codec.encode_json(numbers), json.dumps(numbers).encode(), json.dumps(numbers, indent=1)):
        for read in (codec.parse(text), json.loads(text)):
            assert [struct.pack("<d", number) for number in read] == [struct.pack("<d", n) for n in numbers]


def test_enums_tuples_and_numpy_doubles_become_plain_json() -> None:
    rig = Rig(Lens(cast(float, np.float64(0.1))), "a", seen=datetime.date(2026, 4, 2), turns={1: "x"})
    assert codec.encode(rig) == {
        "camera": {"fx": 0.1, "distortion": [0.0, 0.0]},
        "name": "a",
        "count": 0,
        "side": "left",
        "legacy": False,
        "seen": "2026-04-02",
        "others": [],
        "places": {},
        "turns": {"1": "x"},
    }


def nest_lists(levels: int) -> Any:
    value: Any = 0
    for _ in range(levels):
        value = [value]
    return value


GOOD = {"camera": {"fx": 1.0}, "name": "a"}
WRONG: list[tuple[Any, str]] = [
    ({}, "`camera`: missing"),
    ([], "expected an object, got a list"),
    (None, "expected an object, got nothing"),
    ({**GOOD, "camera": {}}, "`camera.fx`: missing"),
    ({**GOOD, "camera": {"fx": "1"}}, "`camera.fx`: expected a number, got text"),
    ({**GOOD, "camera": {"fx": True}}, "`camera.fx`: expected a number, got true or false"),
    ({**GOOD, "camera": {"fx": math.nan}}, "`camera.fx`: nan is not finite"),
    ({**GOOD, "camera": {"fx": -math.inf}}, "`camera.fx`: -inf is not finite"),
    ({**GOOD, "camera": {"fx": 10**400}}, "`camera.fx`: a whole number out of range"),
    ({**GOOD, "camera": {"fx": 1, "distortion": [1]}}, "`camera.distortion`: expected a list of length 2"),
    ({**GOOD, "others": [{"fx": 1}, 3]}, r"`others\[1\]`: expected an object, got a whole number"),
    ({**GOOD, "count": True}, "`count`: expected a whole number, got true or false"),
    ({**GOOD, "count": 1.0}, "`count`: expected a whole number, got a number"),
    ({**GOOD, "count": 2**64}, "`count`: a whole number out of range"),
    ({**GOOD, "legacy": 1}, "`legacy`: expected true or false"),
    ({**GOOD, "name": "\ud800"}, "`name`: text that can't be written"),
    ({**GOOD, "name": None}, "`name`: expected text, got nothing"),
    ({**GOOD, "side": "up"}, "`side`: 'up' is not allowed"),
    ({**GOOD, "side": "\x1b[31m" + "x" * 9999}, r"`side`: '\\x1b\[31mx{20,40} …"),
    ({**GOOD, "seen": "2026-13-01"}, "`seen`: not a date"),
    ({**GOOD, "places": {"L01": [1.0]}}, "`places.*`: expected a list of length 2"),
    ({**GOOD, "places": {"\udcff": [1.0, 2.0]}}, "`places`: a name that can't be written"),
    ({**GOOD, "turns": {"one": "x"}}, "`turns`: expected a whole number, got text"),
    ({**GOOD, "more": nest_lists(100_000)}, "nested too deeply"),
    ({**GOOD, "count": np.int64(1)}, "`count`: expected a whole number"),
    ({**GOOD, "count": {1, 2}}, "`count`: expected a whole number"),
    ({**GOOD, "more": 1}, "`more`: unknown"),
    ({**GOOD, "others": [{"fx": 1, "fz": 1}]}, r"`others\[0\].fz`: unknown"),
]


@pytest.mark.parametrize(("plain", "error"), WRONG)
def test_a_wrong_value_is_reported_with_its_field(plain: Any, error: str) -> None:
    with pytest.raises(codec.MalformedError, match=rf"^{error}") as problem:
        codec.convert(Rig, plain, exact=True)
    assert str(problem.value).isprintable()


def test_the_callers_sentence_names_the_field_in_brackets() -> None:
    sentence = r"^The file x is broken \(`camera\.fx`: expected a number, got text\)\. Mend it\.$"
    content = b'{"camera": {"fx": "1"}, "name": "a"}'
    with pytest.raises(CameraError, match=sentence):
        codec.decode_json(Rig, content, "fault.file.broken", remedy="Mend it.", error=CameraError, path="x")


def test_an_unknown_field_is_ignored_unless_exact() -> None:
    assert codec.convert(Rig, {**GOOD, "more": 1}) == Rig(Lens(1.0), "a")


def test_a_failed_value_check_is_reported_with_its_field() -> None:
    with pytest.raises(codec.MalformedError, match=r"`\[1\]`: no width"):
        codec.convert(list[StrictFields], [{"width": 1}, {"width": -1}])
    with pytest.raises(codec.MalformedError, match="out of range"):
        codec.convert(StrictFields, {"width": 10**9})
    with pytest.raises(SettingsError, match="Take eight"):
        codec.convert(StrictFields, {"width": 7})


HOSTILE = [
    b"",
    b"\0",
    b"{",
    b'{"a": 1',
    b"[" * 1_000_000,
    b"[" * 100_000 + b"]" * 100_000,
    b'{"a":' * 100_000,
    b"[" * (codec.MAX_NESTING + 1) + b"]" * (codec.MAX_NESTING + 1),
    b"NaN",
    b"[Infinity]",
    b"1e400",
    b"1" * 5_000,
    b"-1" + b"0" * 400,
    b"18446744073709551616",
    b'"\\ud800"',
    b'"\\udc00x"',
    b'"\xed\xa0\x80"',
    b'"\xff\xfe"',
    bytes(range(256)),
    b"{} {}",
    "[1".encode("utf-16"),
]


@pytest.mark.parametrize("content", HOSTILE, ids=range(len(HOSTILE)))
def test_invalid_json_is_malformed(content: bytes) -> None:
    with pytest.raises(codec.MalformedError) as problem:
        codec.parse(content)
    assert str(problem.value).isprintable()
    with pytest.raises(SettingsError, match=r"^The file x is broken \("):
        codec.decode_json(dict[str, Any], content, "fault.file.broken", error=SettingsError, path="x")


@pytest.mark.parametrize(
    ("content", "error"),
    [
        ('{"a": [1, {"b": NaN}]}', r"`a\[1\].b`: nan is not finite"),
        ('{"a": -Infinity}', "`a`: -inf is not finite"),
        ('{"a": 1e999}', "`a`: inf is not finite"),
        ('{"a": 1%s}' % ("0" * 400), "`a`: a whole number out of range"),
        ('{"a": ["\\ud800"]}', r"`a\[0\]`: text that can't be written"),
        ('{"\\udcff": 1}', "a name that can't be written"),
        ('{"a": 1', "not JSON: Input data was truncated"),
    ],
)
def test_an_impossible_json_value_is_reported_with_its_field(content: str, error: str) -> None:
    with pytest.raises(codec.MalformedError, match=rf"^{error}$"):
        codec.parse(content)


def test_the_limit_applies_to_nesting_and_not_to_brackets() -> None:
    levels = b"[" * codec.MAX_NESTING + b"]" * codec.MAX_NESTING
    assert codec.parse(levels)
    assert codec.parse(b'["%s"]' % (b"[" * 999)) == ["[" * 999]
    assert len(codec.parse(b"[" + b"[]," * 999 + b"{}]")) == 1000
    with pytest.raises(codec.MalformedError, match="nested too deeply"):
        codec.parse(b'["]]]]",' + levels + b"]")


def test_a_number_with_the_bytes_of_a_nan_is_written() -> None:
    """If the quick check of bytes finds a possible NaN, every number is checked."""
    (lookalike,) = struct.unpack(">d", b"\x3f\xcb\x7f\xf8\0\0\0\0")
    assert codec.parse(codec.encode_json([lookalike])) == [lookalike]


def test_a_str_and_a_byte_order_mark_are_read() -> None:
    assert codec.parse('{"é": 1}') == codec.parse(b'\xef\xbb\xbf{"\xc3\xa9": 1}') == {"é": 1}
    with pytest.raises(codec.MalformedError):
        codec.parse('"\ud800"')


@pytest.mark.parametrize(
    "value",
    [math.nan, [math.inf], Lens(-math.inf), "\ud800", {"\ud800": 1}, 2**64, 10**5000, nest_lists(100_000)],
    ids=["nan", "inf", "field", "surrogate", "key", "large", "huge", "deep"],
)
def test_a_value_impossible_in_json_is_not_written(value: Any) -> None:
    for write in (codec.encode, codec.encode_json):
        with pytest.raises(codec.MalformedError):
            write(value)


@given(st.binary(max_size=60))
def test_any_bytes_decode_to_values_or_are_malformed(content: bytes) -> None:
    try:
        value = codec.parse(content)
    except codec.MalformedError:
        return
    assert codec.parse(codec.encode_json(value)) == value


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=12,
)


@given(st.fixed_dictionaries({}, optional=dict.fromkeys(Rig.__dataclass_fields__, PLAIN)))
def test_any_plain_values_convert_to_a_rig_or_are_malformed(plain: Any) -> None:
    try:
        rig = codec.convert(Rig, plain)
    except codec.MalformedError:
        return
    assert isinstance(rig, Rig)
