"""The catalogues have the same keys and fields, and threads have their own language."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager

import pytest
from support.every_case import every_case

from armoon import messages
from armoon.app.switches import show_key_names
from armoon.games import game_names, game_options
from armoon.games.moon.editions import Die
from armoon.options.parts import load_part_types
from armoon.settings.preferences import Preferences
from armoon.values.choices import Way

# Loading option parts and games adds their texts to the catalogues.
PARTS, GAMES = load_part_types(), [game_options(name) for name in game_names()]


def test_catalogues_have_the_same_keys() -> None:
    english = set(messages.catalogue("en"))
    for language in messages.LANGUAGES:
        own = set(messages.catalogue(language))
        assert (english - own, own - english) == (set(), set()), language
    assert len(english) > 60


@every_case("key", sorted(messages.catalogue("en")))
def test_texts_have_the_same_fields_in_all_languages(key: str) -> None:
    wanted = messages.list_fields(messages.catalogue("en")[key])
    for language in messages.LANGUAGES:
        entry = messages.catalogue(language)[key]
        assert messages.list_fields(entry) == wanted
        assert entry.strip() == entry != ""


@pytest.mark.parametrize("language", messages.LANGUAGES)
def test_no_text_contains_the_name_of_a_function_key(language: str) -> None:
    named = [key for key, entry in messages.catalogue(language).items() if re.search(r"\bF\d", entry)]
    assert named == [], "write {k_NAME}, because players can change keys"


@pytest.mark.parametrize("language", messages.LANGUAGES)
@pytest.mark.parametrize("way", [Way.SWITCH, Way.SWITCHES, Way.VOICE, Way.HEAD])
def test_hints_for_players_who_choose_mention_no_fist_click_or_key(way: Way, language: str) -> None:
    names = "roll roll_real roll_waits share_waits roll_final roll_or_score take take_without_camera settling"
    keys = [
        *names.split(),
        "frozen",
        "parked",
        "paused",
        "over",
        *(f"place.{die.value.lower()}" for die in Die),
    ]
    show_key_names(Preferences(way=way), "space")
    try:
        with messages.speaking(language):
            for name in keys:
                hint = messages.text(f"hint.{name}", player="Ann", count=2, die="", payment="", charged="Ann")
                assert not re.search(r"click|clic|fist|poing|pinch|pince|Enter|Entrée|\bT\b", hint), hint
            rolls = messages.text("hint.roll", player="Ann")
        names_it = messages.catalogue(language)["key.space"] in rolls
    finally:
        show_key_names(Preferences())
    assert names_it is (way in (Way.SWITCH, Way.SWITCHES))


@pytest.mark.parametrize("changed", [messages.speaking("fr"), messages.speaking_of({"tear": "word.base"})])
def test_another_thread_keeps_its_language_and_terms(changed: AbstractContextManager[None]) -> None:
    usual = messages.text("verdict.same_incident")
    with changed, ThreadPoolExecutor() as threads:
        assert threads.submit(messages.text, "verdict.same_incident").result() == usual
        assert messages.text("verdict.same_incident") != usual
