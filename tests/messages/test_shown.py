"""Outputs show control characters in untrusted text instead of obeying them."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.table import Table
from rich.text import Text

from armoon.cli import common
from armoon.messages import text
from armoon.sinks.feed import SafeConsole
from armoon.values.text import escape_lines, escape_text, quote_text

#: Spaces that texts may contain.
SPACES = "".join(map(chr, [*range(0x2000, 0x200B), 0x205F, 0x3000, 0x1680]))
CONTROLS = (
    "".join(map(chr, [*range(32), 127, *range(128, 160)])) + "\u202e\u2066\u200f\u2028\u2029\ufeff\ud800"
)


def find_controls(words: str, allowed: str = "\n") -> list[str]:
    return [c for c in words if not c.isprintable() and c not in f"{allowed}\u00a0\u202f"]


@given(st.text(alphabet=st.characters()))
def test_any_text_is_one_visible_line(words: str) -> None:
    assert find_controls(escape_text(words), SPACES) == []
    assert escape_text(escape_text(words)) == escape_text(words)
    escape_text(words).encode()


def test_visible_text_is_unchanged() -> None:
    for words in ("Zoë “Z” Müller", "月", "3,5\u00a0cm", "[/red] \\x1b"):
        assert escape_text(words) == words


def test_lines_stay_lines() -> None:
    assert escape_lines("a\nb\x1b") == "a\nb\\x1b"
    assert escape_text("a\nb") == "a\\nb"


def test_control_characters_are_escaped_in_errors_and_texts() -> None:
    for words in (
        quote_text(CONTROLS),
        text("start.log", path=CONTROLS),
        text("players.saved", player=CONTROLS),
    ):
        assert find_controls(words, "") == []


def test_control_characters_are_escaped_in_tables_and_sentences() -> None:
    file = io.StringIO()
    console = SafeConsole(file=file, width=200, markup=False)
    table = Table(title=Text(CONTROLS.replace("\n", "")))
    table.add_column("name")
    table.add_row(Text(f"Ann{CONTROLS}"))
    console.print(table)
    console.print(f"Ann{CONTROLS}")
    assert find_controls(file.getvalue()) == []
    assert "Ann" in file.getvalue()


@pytest.mark.parametrize("err", [False, True])
def test_commands_print_visible_text(capsys: pytest.CaptureFixture[str], err: bool) -> None:
    common.say(f"Ann{CONTROLS}", err=err)
    output = capsys.readouterr()
    assert find_controls(output.out + output.err) == []
