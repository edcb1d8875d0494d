"""Players read and hear the terms of their edition (ruling M3)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from games.drivers.moon import MoonDriver
from support.screens_kit import fresh, in_game
from support.table_kit import Seats

from armoon.games.moon.editions import EditionName, Options
from armoon.games.moon.options import MoonOptions
from armoon.messages import set_language, speaking_of, text
from armoon.screens.machine import build_page
from armoon.screens.state import PageName

MOON = MoonDriver()
#: By edition and language: the terms for a tear, the base and the place of the offered ladder.
TERMS = {
    ("bombyx-2017", "en"): ("tear", "base", "in the lid"),
    ("kosmos-2022", "en"): ("raindrop", "cloud", "in the insert"),
    ("bombyx-2017", "fr"): ("larme", "socle", "dans le couvercle"),
    ("kosmos-2022", "fr"): ("goutte", "nuage", "dans l'insert"),
}
EVERY_EDITION = pytest.mark.parametrize(("edition", "language"), TERMS)


@EVERY_EDITION
def test_the_table_uses_the_terms_of_its_edition(edition: str, language: str, seat: Seats) -> None:
    tear, base, lid = TERMS[edition, language]
    own = MoonOptions(EditionName(edition), house=Options(two_player_limit=1))
    table = seat("moon", "--players", "Ann,Ben", game_options=own)
    set_language(language)
    MOON.prepare_turn(table)
    with speaking_of(own.terms):
        assert base in text("verdict.held_touched.base", price="Ann")
    assert lid in table.scene.hud.hint
    spoken_before = len(table.sentences)
    table.press("g")
    table.rest(3.0)
    sentences = " ".join(table.sentences[spoken_before:])
    assert tear in sentences
    others = [words[0] for (name, lang), words in TERMS.items() if lang == language and name != edition]
    assert not any(other in sentences for other in others if other not in tear)


@EVERY_EDITION
def test_pages_use_the_terms_of_the_chosen_edition(edition: str, language: str) -> None:
    set_language(language)
    tear, _, _ = TERMS[edition, language]
    screens = fresh(3)
    form = screens.form.with_options(MoonOptions(EditionName(edition)))
    page = build_page(replace(screens, form=form).go_to(PageName.OPTIONS))
    assert page["tears"].text.lower() == f"{tear}s"
    assert tear in build_page(replace(in_game(screens), form=form).go_to(PageName.OVERRULE))["note 0"].text
