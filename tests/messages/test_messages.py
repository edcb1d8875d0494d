"""The catalogues agree with each other, and a mistake in a key or field is loud."""

from __future__ import annotations

import re

import pytest
from support.over import over
from support.said_keys import moon_keys

from armoon import messages
from armoon.errors import SettingsError
from armoon.games import game_names, game_options
from armoon.options.parts import part_types

# Parts and games that bring texts of their own add them to the catalogues as they are loaded.
PARTS, GAMES = part_types(), [game_options(name) for name in game_names()]


def test_catalogues_have_the_same_keys() -> None:
    english = set(messages.catalogue("en"))
    for language in messages.LANGUAGES:
        own = set(messages.catalogue(language))
        assert (english - own, own - english) == (set(), set()), language
    assert len(english) > 60


@over("key", sorted(messages.catalogue("en")))
def test_texts_have_the_same_fields_in_all_languages(key: str) -> None:
    wanted = messages.fields_of(messages.catalogue("en")[key])
    for language in messages.LANGUAGES:
        entry = messages.catalogue(language)[key]
        assert messages.fields_of(entry) == wanted
        assert entry.strip() == entry != ""


def test_fields_are_filled_in() -> None:
    assert messages.text("hint.roll", player="Lune").startswith("Lune, roll the die")


@pytest.mark.parametrize("language", messages.LANGUAGES)
def test_no_text_names_a_function_key_itself(language: str) -> None:
    named = [key for key, entry in messages.catalogue(language).items() if re.search(r"\bF\d", entry)]
    assert named == [], "{k_NAME} names the key as it is set"


def test_count_chooses_singular_or_plural_as_the_language_does() -> None:
    assert messages.text("hud.ladders_left", count=1) == "1 ladder left"
    assert messages.text("hud.ladders_left", count=0) == "0 ladders left"
    messages.set_language("fr")
    assert messages.text("hud.ladders_left", count=0) == "0 échelle restante"
    assert messages.text("hud.ladders_left", count=2) == "2 échelles restantes"


def test_unknown_key_and_missing_field_raise() -> None:
    with pytest.raises(KeyError):
        messages.text("hint.no_such_hint")
    with pytest.raises(KeyError):
        messages.text("hint.roll")


def test_unknown_language_names_the_known_ones() -> None:
    with pytest.raises(SettingsError, match="en, fr"):
        messages.set_language("xx")


@over("key", moon_keys())
def test_every_sentence_of_the_referee_is_there(key: str) -> None:
    assert key in messages.catalogue("en") or f"{key}.one" in messages.catalogue("en")
