"""What is said of pages and glass: each page's name, its texts, and whatever has the focus, in both languages."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.screens_kit import every_page, fresh, in_game

from armoon import messages
from armoon.screens.input import Key, KeyPressed
from armoon.screens.machine import hear, page_of
from armoon.screens.state import PageName, Screens
from armoon.speech_output.order import Urgency
from armoon.speech_output.telling import NO_GLASS, Teller, aloud
from armoon.values.choices import Language, Speech
from armoon.values.page import Page, WidgetKind
from armoon.values.scene import SceneHud, ScenePlayer

PRESSABLE = (WidgetKind.BUTTON, WidgetKind.CHOICE, WidgetKind.CARD, WidgetKind.KEY)


def told(
    teller: Teller, page: Page | None, glass: SceneHud = NO_GLASS, speech: Speech = Speech.BRIEF
) -> list[str]:
    return [one.words for one in teller.tell(page, glass, speech)]


@pytest.mark.parametrize("language", Language)
def test_every_page_says_its_name_its_texts_and_the_focus(language: Language) -> None:
    messages.set_language(language)
    for name, state in every_page():
        page = page_of(replace(state, focus_shown=True, walked=True))
        said = told(Teller(), page)
        for widget in page.widgets:
            if widget.kind in (WidgetKind.HEADING, WidgetKind.TEXT) and widget.text:
                assert aloud(widget.text) in said, (name, widget.name)
            if widget.focused and widget.text:
                assert said[-1].startswith(aloud(widget.text)), (name, widget.name)
        assert told(Teller(), page, speech=Speech.FULL), name


@pytest.mark.parametrize("language", Language)
def test_everything_that_can_be_pressed_says_something_as_the_focus_comes_to_it(language: Language) -> None:
    """Walked with Tab over every page: each thing is named, and none twice in a row alike without a word between."""
    messages.set_language(language)
    for name, state in every_page():
        if state.page in (PageName.TABLE, PageName.GUIDE):
            continue
        teller, screens = Teller(), replace(state, focus_shown=True)
        told(teller, page_of(screens))
        live = [w.name for w in page_of(screens).widgets if w.enabled and w.kind in PRESSABLE]
        for _ in live:
            screens, _ = hear(screens, KeyPressed(Key.TAB))
            page = page_of(screens)
            focused = [widget for widget in page.widgets if widget.focused]
            said = told(teller, page)
            if len(live) > 1 and focused:
                assert said, (name, [widget.name for widget in focused])
                assert any(letter.isalnum() for letter in said[-1]), (name, said)


def test_a_value_that_is_turned_is_said_alone() -> None:
    teller, screens = Teller(), replace(fresh().to(PageName.SETTINGS), focus="volume", focus_shown=True)
    told(teller, page_of(screens))
    screens, _ = hear(screens, KeyPressed(Key.RIGHT))
    (one,) = teller.tell(page_of(screens), NO_GLASS, Speech.BRIEF)
    assert (one.words, one.urgency) == ("80 %", Urgency.FOCUS)


def test_everything_says_more_than_brief() -> None:
    page = page_of(replace(fresh(), focus_shown=True))
    brief, full = (told(Teller(), page, speech=speech)[-1] for speech in (Speech.BRIEF, Speech.FULL))
    assert full.startswith(brief)
    assert "button" in full
    assert " of " in full


def test_nothing_is_said_twice_and_after_forgetting_all_of_it() -> None:
    teller, page = Teller(), page_of(replace(in_game(fresh()).home(PageName.PAUSE), focus_shown=True))
    first = told(teller, page)
    assert first
    assert told(teller, page) == []
    teller.forget()
    assert told(teller, page) == first


def test_the_table_says_turn_die_hint_verdict_and_what_is_touched() -> None:
    teller = Teller()
    players = (ScenePlayer("Ann", 2, on_turn=True), ScenePlayer("Ben", 0, on_turn=False))
    glass = SceneHud(players=players, hint="Roll the die", die_text="")
    assert told(teller, None, glass) == ["On turn: Ann, 2 tears", "Roll the die"]
    rolled = replace(glass, die_text="two ladders", hint="Take the ladder", contact_text="touching 1 of 2")
    assert told(teller, None, rolled) == ["two ladders", "Take the ladder", "touching 1 of 2"]
    judged = replace(rolled, verdict_text="Ann: well placed · 14 cm", contact_text="", banner="Paused")
    assert told(teller, None, judged) == ["Paused", "Ann: well placed, 14 cm"]
    assert told(teller, None, judged) == []


def test_what_is_lit_together_is_named_by_its_first() -> None:
    state = next(state for name, state in every_page() if name == "table choosing free")
    names = tuple(f"choose {one.name}" for one in state.choices.choices if one.group)
    lit: Screens = replace(state, scan=replace(state.scan, names=names))
    assert told(Teller(), page_of(lit))[-1] == f"Left, and {len(names) - 1} more"
