"""The summary of a game night: all games on one self-contained page."""

from __future__ import annotations

import re
from datetime import datetime

import pytest

from armoon import messages
from armoon.broadcast import FeedBegan, FeedFall, FeedResult, FeedVerdict, Happening, Seat, Words
from armoon.party.summary import GameSummary, render_summary
from armoon.party.votes import Guest, SavedGuests
from armoon.values.choices import Language


def bilingual(words: str) -> Words:
    return Words(f"{words}.en", f"{words}.fr")


SEATS = (
    Seat("Zoé <b>", "#ff8000", 0, False, bilingual("")),
    Seat("Ben", "x;url(//a)", 0, False, bilingual("")),
)
BEGAN = FeedBegan("moon", bilingual("moon"), bilingual("tears"), "side", SEATS, ())
GAME: tuple[Happening, ...] = (
    *(
        FeedVerdict(turn, turn % 2, True, bilingual(f"said {turn}"), top_m=0.05 * turn)
        for turn in range(1, 8)
    ),
    FeedFall(8, 0, ("L02", "L03")),
    FeedVerdict(8, 0, False, bilingual("fell"), charged=0, tears=1, top_m=0.31),
    FeedResult((1,), bilingual("Ben wins"), bilingual("alone"), (1, 0)),
)


def summary(*events: Happening) -> GameSummary:
    game = GameSummary(BEGAN, datetime(2026, 11, 1, 20, 5), SEATS)
    for event in events:
        game.add_event(event)
    return game


@pytest.mark.parametrize("language", Language)
def test_the_page_sums_up_the_night_and_is_self_contained(language: Language) -> None:
    guests = {
        "a": Guest("Luna", 3),
        "b": Guest("Rude", 9, banned=True),
        "c": Guest("Sol", 4),
        "d": Guest("Nil"),
    }
    messages.set_language(language)
    try:
        page = render_summary([summary(*GAME), summary(), summary(*GAME[:3])], SavedGuests(guests, True, ()))
    finally:
        messages.set_language("en")
    assert page is not None
    assert f'<html lang="{language}">' in page
    for expected in ("Zoé &lt;b&gt;", f"Ben wins.{language}", "Luna"):
        assert expected in page, expected
    assert {"en": "35.0 cm, by Ben in turn 7", "fr": "35,0 cm, par Ben au tour 7"}[language] in page
    assert {"en": "left in turn 3", "fr": "s'est arrêtée au tour 3"}[language].replace("'", "&#x27;") in page
    assert {"en": "1 November 2026", "fr": "1er novembre 2026"}[language] in page
    assert {"en": "2 pieces fell", "fr": "2 pièces tombées"}[language] in page
    assert page.index("Sol") < page.index("Luna"), "the best guesser first"
    assert "Rude" not in page
    assert "Nil" not in page
    assert page.count("<h2>") == 3, "two games and the guessers; a game without a turn is left out"
    assert not re.search(r"https?:|url\(|<script|@import|src=|href=", page)
    assert "default-src 'none'" in page


def test_names_hidden_by_the_host_stay_hidden() -> None:
    page = render_summary([summary(*GAME)], SavedGuests({"a": Guest("Luna", 3)}, False, ()))
    assert page is not None
    assert "Luna" not in page


def test_a_night_without_a_turn_has_no_summary() -> None:
    assert render_summary([summary()]) is None
    assert render_summary([]) is None
