"""Words in a box: where their lines end."""

from __future__ import annotations

import pytest

from armoon.view.fitting import Fitter


@pytest.mark.parametrize(
    ("words", "lines"),
    [
        ("1 · middle · on 2 · safest · 12 cm", ["1 · middle · on 2 ·", "safest · 12 cm"]),
        ("Looking for places, so far 10 %", ["Looking for", "places, so far 10 %"]),
        ("It may take as many as 4 semesters", ["It may take as many as 4", "semesters"]),
    ],
)
def test_a_number_stays_with_its_unit(words: str, lines: list[str]) -> None:
    """In a fixed typeface, where all but the last word would fit the first line."""
    last = len(words.rsplit(" ", 1)[-1])
    width = 10.0 * (len(words) - last) / 0.94
    fitted = Fitter(lambda text, size, bold: len(text) * size).fit(words, width, 100.0, 10.0, wrap=True)
    assert [line.replace("\N{NO-BREAK SPACE}", " ") for line in fitted.lines] == lines


@pytest.mark.parametrize(
    ("words", "lines"),
    [
        ("Click: choose it · Wheel: turn the table", ["Click: choose it ·", "Wheel: turn the table"]),
        ("Nothing was found that would hold it", ["Nothing was found", "that would hold it"]),
        ("Unbreakableword it", ["Unbreakableword", "it"]),
    ],
)
def test_no_word_stands_alone_in_a_second_line(words: str, lines: list[str]) -> None:
    """Neither line is wider than the room, which all but the last word would fill."""
    width = 10.0 * len(words.rsplit(" ", 1)[0]) / 0.94
    fitted = Fitter(lambda text, size, bold: len(text) * size).fit(words, width, 100.0, 10.0, wrap=True)
    assert list(fitted.lines) == lines
    assert fitted.size == 10.0
