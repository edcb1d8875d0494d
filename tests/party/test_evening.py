"""An evening's book: all that was played, on one page that asks nobody for anything."""

from __future__ import annotations

import os
import re
from datetime import datetime
from pathlib import Path

import pytest
from support.feed_kit import written_log
from typer.testing import CliRunner

from armoon import messages
from armoon.app.evening_book import began, evening_of, write_evening
from armoon.broadcast.happenings import Began, Fall, Figures, GameOver, Happening, Seat, Verdict, Words
from armoon.cli import app
from armoon.engine.logbook import LogWriter
from armoon.errors import ArmoonError
from armoon.party.evening.page import ShownClip, evening_page
from armoon.party.votes import Guest, Kept
from armoon.sinks.evening import Told
from armoon.values.choices import Language


def both(words: str) -> Words:
    return Words(f"{words}.en", f"{words}.fr")


SEATS = (Seat("Zoé <b>", "#ff8000", 0, False, both("")), Seat("Ben", "x;url(//a)", 0, False, both("")))
GAME: tuple[Happening, ...] = (
    Began("moon", both("moon"), both("tears"), "side", SEATS, ()),
    *(Verdict(turn, turn % 2, True, both(f"said {turn}"), top_m=0.05 * turn) for turn in range(1, 8)),
    Figures(3, 1, "L01", (both("gate"), both("gate"))),
    Fall(8, 0, ("L02", "L03")),
    Verdict(8, 0, False, both("fell"), charged=0, tears=1, top_m=0.31),
    GameOver((1,), both("Ben wins"), both("alone"), (1, 0)),
)


def told(happened: tuple[Happening, ...] = GAME) -> Told:
    return Told(datetime(2026, 11, 1, 20, 5), [(float(at), one) for at, one in enumerate(happened)])


def test_a_copied_log_says_when_it_was_played(tmp_path: Path) -> None:
    when = datetime(2026, 11, 1, 20, 5, 7)
    log = LogWriter(tmp_path / "ours.jsonl", began=when)
    log.write({"kind": "header"})
    log.close()
    copied = tmp_path / "copied.jsonl"
    copied.write_bytes(log.path.read_bytes())
    os.utime(copied, (0.0, 1577836800.0))
    assert began(copied) == when
    older = tmp_path / "armoon-20251231-235900.jsonl"
    older.write_bytes(b'{"kind":"header"}\n')
    assert began(older) == datetime(2025, 12, 31, 23, 59)


@pytest.mark.parametrize("language", Language)
def test_the_page_tells_the_evening_and_asks_nobody(language: Language) -> None:
    messages.set_language(language)
    try:
        guests = {
            "a": Guest("Luna", 3),
            "b": Guest("Rude", 9, banned=True),
            "c": Guest("Sol", 4),
            "d": Guest("Nil"),
        }
        evening = evening_of(
            [told(), told(GAME[:1])], Kept(guests, True, ()), [ShownClip("fall", "words", b"film")]
        )
        assert evening is not None
        page = evening_page(evening)
    finally:
        messages.set_language("en")
    assert f'<html lang="{language}">' in page
    for wanted in (
        "Zoé &lt;b&gt;",
        f"Ben wins.{language}",
        f"gate.{language}",
        f"fell.{language}",
        "Luna",
        "35",
        "20",
    ):
        assert wanted in page, wanted
    assert {"en": "35.0 cm", "fr": "35,0 cm"}[language] in page
    assert {"en": "November 1, 2026", "fr": "1er novembre 2026"}[language] in page
    assert page.index("Sol") < page.index("Luna"), "the best guesser first"
    assert "Rude" not in page
    assert "Nil" not in page
    assert evening.games[0].turns == 8
    assert len(evening.games) == 1, "a game without a turn is none"
    # Nothing is asked of anybody: no address but the videos, which stand in the page.
    assert re.findall(r'(?:src|href)="([^"]{0,15})', page) == ["data:video/mp4;"]
    assert not re.search(r"https?:|url\(|<script|@import", page)
    assert "default-src 'none'" in page


def test_names_that_the_host_hides_stay_hidden() -> None:
    evening = evening_of([told()], Kept({"a": Guest("Luna", 3)}, False, ()))
    assert evening is not None
    assert "Luna" not in evening_page(evening)


def test_an_evening_without_a_turn_has_no_book() -> None:
    assert evening_of([told(GAME[:1])]) is None
    assert evening_of([]) is None


def test_a_place_that_takes_no_file_is_told(tmp_path: Path) -> None:
    evening = evening_of([told()])
    assert evening is not None
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(ArmoonError, match="can't be written"):
        write_evening(tmp_path / "file" / "book.html", evening)


@pytest.mark.slow
@pytest.mark.gl
def test_a_book_of_logs_with_its_best_clip(tmp_path: Path) -> None:
    log = written_log("moon", tmp_path)
    out = tmp_path / "book.html"
    result = CliRunner().invoke(app, ["evening", str(log), "--clips", "1", "--out", str(out)])
    assert result.exit_code == 0, result.output
    page = out.read_text()
    assert page.count("<video") == 1
    assert "A tear for Cleo" in page
    assert "22.8 cm" in page
