"""Texts address a player called "You", and use each language's numbers, units and lists."""

from __future__ import annotations

import re

import pytest

from armoon import messages
from armoon.games.moon.records import format_variant
from armoon.messages import brief, centimetres, format_lengths, join_names, number, ordinal, speaking_of, text


@pytest.mark.parametrize(
    ("language", "name", "roll", "fell", "won"),
    [
        ("en", "Ann", "Ann, roll the die", "A tear for Ann: 2 ladders fell", "Ann wins"),
        ("en", "You", "Roll the die", "A tear for you: 2 ladders fell", "You win"),
        ("fr", "Ann", "Ann, lance le dé", "Une larme pour Ann : 2 échelles sont tombées", "Ann gagne"),
        ("fr", "Toi", "Lance le dé", "Une larme pour toi : 2 échelles sont tombées", "Tu gagnes"),
    ],
)
def test_a_player_called_you_is_addressed(language: str, name: str, roll: str, fell: str, won: str) -> None:
    messages.set_language(language)
    price = text("payment.tear", charged=name)
    assert text("hint.roll", player=name).startswith(roll)
    assert text("verdict.others_fell", price=price, count=2) == fell
    assert text("outcome.won", winners=join_names([name])) == won


def test_a_verdict_names_the_price_of_a_mistake() -> None:
    def sentence(name: str) -> str:
        with speaking_of({"tear": "word.raindrop"}):
            return text("verdict.two_hands", price=text(f"payment.{name}", charged="Ben"))

    assert [sentence(what) for what in ("tear", "team", "alone", "final")] == [
        "A raindrop for Ben: two hands",
        "The team loses a raindrop: two hands",
        "Ben loses a raindrop: two hands",
        "Ben is out: two hands",
    ]


def test_every_text_in_the_second_person_exists_in_the_third() -> None:
    texts = set(messages.catalogue("en"))
    thirds = {re.sub(r"\.you(?=\.|$)", "", key) for key in texts if re.search(r"\.you(\.|$)", key)}
    assert len(thirds) > 30
    assert thirds <= texts


@pytest.mark.parametrize(
    ("language", "length", "close", "seconds", "third"),
    [
        ("en", "18.7 cm", ("16.41 cm", "16.38 cm"), "2.5", "3rd"),
        ("fr", "18,7 cm", ("16,41 cm", "16,38 cm"), "2,5", "3e"),
    ],
)
def test_numbers_follow_the_language(
    language: str, length: str, close: tuple[str, str], seconds: str, third: str
) -> None:
    messages.set_language(language)
    assert centimetres(0.1871) == length
    assert format_lengths(0.16410, 0.16380) == close
    assert format_lengths(0.2, 0.1)[0] == centimetres(0.2)
    assert (brief(2.5), brief(30.0), number(2.46, 1)) == (seconds, "30", seconds)
    assert ordinal(3) == third


@pytest.mark.parametrize(("language", "word"), [("en", "and"), ("fr", "et")])
def test_names_are_listed_by_the_language(language: str, word: str) -> None:
    messages.set_language(language)
    assert join_names(()) == ""
    assert join_names(("Ann",)) == "Ann"
    assert join_names(("Ann", "Ben")) == f"Ann {word} Ben"
    assert join_names(("Ann", "Ben", "Cleo")) == f"Ann, Ben {word} Cleo"


def test_a_kept_variant_is_in_the_current_language() -> None:
    assert format_variant("young, 1 tears, 10 ladders") == "young climbers, 1 tear, 10 ladders"
    messages.set_language("fr")
    assert format_variant("young, 1 tears, 10 ladders") == "pour les plus jeunes, 1 larme, 10 échelles"
    assert format_variant("") == ""


@pytest.mark.parametrize("language", messages.LANGUAGES)
def test_lengths_are_in_centimetres(language: str) -> None:
    # The printed kit is measured with a ruler, in millimetres.
    by_ruler = (
        "fault.board.",
        "kit.",
        "option.kit_mm.",
        "card.",
        "command.armoon.kit.",
        "command.armoon.calibrate.ruler_mm",
    )
    in_millimetres = [
        key
        for key, entry in messages.catalogue(language).items()
        if re.search(r"\bmm\b", entry) and not key.startswith(by_ruler)
    ]
    assert in_millimetres == []
