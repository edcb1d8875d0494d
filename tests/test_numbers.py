"""Numbers in texts are parsed strictly, and by the same functions everywhere."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import armoon
from armoon.values.text import parse_count, parse_integer, parse_number

#: Texts that some of Python's functions accept as numbers, but others or players don't.
NOT_NUMBERS = ("", " ", "²", "٣", "1_000", "0x10", "nan", "inf", "--1", "1e", "½", "9" * 5000)


def test_a_count_consists_of_digits() -> None:
    assert [parse_count(words) for words in ("0", "07", "12", "999", b"31")] == [0, 7, 12, 999, 31]
    assert parse_count("123", digits=2) is None
    assert [parse_count(words) for words in (*NOT_NUMBERS, "-1", "+1", "1.0", " 1")] == [None] * (
        len(NOT_NUMBERS) + 4
    )


def test_a_whole_number_can_have_a_sign() -> None:
    assert [parse_integer(words) for words in ("-3", "+4", " 5 ", str(2**63 - 1))] == [-3, 4, 5, 2**63 - 1]
    for words in (*NOT_NUMBERS, "1.0", "1e3"):
        with pytest.raises(ValueError, match=r".*"):
            parse_integer(words)


@pytest.mark.parametrize("words", ["1" * 200_000 + "x", "." * 200_000, "1." * 100_000, "-" + "0" * 200_000])
def test_a_text_longer_than_any_number_is_refused(words: str) -> None:
    for reader in (parse_number, parse_integer):
        with pytest.raises(ValueError, match=r".*"):
            reader(words)


def test_a_number_can_have_a_decimal_point_and_an_exponent() -> None:
    typed = ("-3", "+4.5", ".5", "5.", "1e-3", "2E2", "1e999")
    assert [parse_number(words) for words in typed] == [-3.0, 4.5, 0.5, 5.0, 1e-3, 200.0, float("inf")]
    for words in (*NOT_NUMBERS[:-1], "1,5", "."):
        with pytest.raises(ValueError, match=r".*"):
            parse_number(words)


def test_no_command_parses_numbers_with_pythons_own_functions() -> None:
    types, numbers = set[str](), 0
    for path in (Path(armoon.__file__).parent / "cli").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            types |= (
                {ast.unparse(node.value)} if isinstance(node, ast.keyword) and node.arg == "type" else set()
            )
            numbers += isinstance(node, ast.Call) and ast.unparse(node.func) == "Number"
    assert numbers >= 8
    assert types == {"Path"}
