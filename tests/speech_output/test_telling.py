"""What is said of pages and glass: each page's name, its texts, and whatever has the focus, in both languages."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.screens_kit import every_page, fresh, in_game

from armoon import messages
from armoon.messages import LANGUAGES, speaking
from armoon.screens.input import Key
from armoon.screens.machine import handle, page_of
from armoon.screens.state import PageName
from armoon.sound.cues import CueKind, SoundCue
from armoon.speech_output import telling
from armoon.speech_output.speaker import MAX_WAITING, Urgency, Utterance, UtteranceQueue
from armoon.values.choices import Language, Speech
from armoon.values.page import Page, Rect, Widget, WidgetKind
from armoon.values.scene import SceneHud, ScenePlayer

PRESSABLE = (WidgetKind.BUTTON, WidgetKind.CHOICE, WidgetKind.CARD, WidgetKind.KEY)


def told(
    teller: telling.Teller,
    page: Page | None,
    glass: SceneHud = telling.NO_GLASS,
    speech: Speech = Speech.BRIEF,
    now_s: float = 0.0,
) -> list[str]:
    return [one.words for one in teller.utterances_for(page, glass, speech, now_s)]


@pytest.mark.parametrize("language", Language)
def test_every_page_says_its_name_its_texts_and_the_focus(language: Language) -> None:
    messages.set_language(language)
    for name, state in every_page():
        page = page_of(replace(state, focus_shown=True, walked=True))
        said = told(telling.Teller(), page)
        for widget in page.widgets:
            if widget.kind in (WidgetKind.HEADING, WidgetKind.TEXT) and widget.text:
                assert telling.aloud(widget.text) in said, (name, widget.name)
            if widget.focused and widget.text:
                assert said[-1].startswith(telling.aloud(widget.text)), (name, widget.name)
        assert told(telling.Teller(), page, speech=Speech.FULL), name


@pytest.mark.parametrize("language", Language)
def test_everything_that_can_be_pressed_says_something_as_the_focus_comes_to_it(language: Language) -> None:
    """Walked with Tab over every page: each thing is named, and none twice in a row alike without a word between."""
    messages.set_language(language)
    for name, state in every_page():
        if state.page in (PageName.TABLE, PageName.GUIDE):
            continue
        teller, screens = telling.Teller(), replace(state, focus_shown=True)
        told(teller, page_of(screens))
        live = [w.name for w in page_of(screens).widgets if w.enabled and w.kind in PRESSABLE]
        for _ in live:
            screens, _ = handle(screens, Key.TAB)
            page = page_of(screens)
            focused = [widget for widget in page.widgets if widget.focused]
            said = told(teller, page)
            if len(live) > 1 and focused:
                assert said, (name, [widget.name for widget in focused])
                assert any(letter.isalnum() for letter in said[-1]), (name, said)


def test_a_value_that_is_turned_is_said_alone() -> None:
    teller, screens = (
        telling.Teller(),
        replace(fresh().go_to(PageName.SETTINGS), focus="volume", focus_shown=True),
    )
    told(teller, page_of(screens))
    screens, _ = handle(screens, Key.RIGHT)
    (one,) = teller.utterances_for(page_of(screens), telling.NO_GLASS, Speech.BRIEF, 0.0)
    assert (one.words, one.urgency) == ("80 %", Urgency.FOCUS)


def test_everything_says_more_than_brief() -> None:
    page = page_of(replace(fresh(), focus_shown=True))
    brief, full = (told(telling.Teller(), page, speech=speech)[-1] for speech in (Speech.BRIEF, Speech.FULL))
    assert full.startswith(brief)
    assert "button" in full
    assert " of " in full


def test_nothing_is_said_twice_and_after_forgetting_all_of_it() -> None:
    teller, page = (
        telling.Teller(),
        page_of(replace(in_game(fresh()).reset_to(PageName.PAUSE), focus_shown=True)),
    )
    first = told(teller, page)
    assert first
    assert told(teller, page) == []
    teller.forget()
    assert told(teller, page) == first
    named = SceneHud(
        players=(ScenePlayer("Ann", 2, on_turn=True), ScenePlayer("Ben", 0, on_turn=False)), hint="Ann, roll"
    )
    assert told(teller, page, named) == ["Ann, roll"]
    teller.forget()
    assert told(teller, page, named)[-3:] == ["On turn: Ann, 2 tears", "Ann, roll", first[-1]]


def test_the_table_says_turn_die_hint_verdict_and_what_is_touched() -> None:
    teller = telling.Teller()
    players = (ScenePlayer("Ann", 2, on_turn=True), ScenePlayer("Ben", 0, on_turn=False))
    glass = SceneHud(players=players, hint="Roll the die", die_text="")
    assert told(teller, None, glass) == ["On turn: Ann, 2 tears", "Roll the die"]
    rolled = replace(glass, die_text="two ladders", hint="Take the ladder", contact_text="touching 1 of 2")
    assert told(teller, None, rolled) == ["two ladders", "Take the ladder"]
    assert told(teller, None, rolled, now_s=telling.STILL_S) == ["touching 1 of 2"]
    judged = replace(rolled, verdict_text="Ann: well placed · 14 cm", contact_text="", banner="Paused")
    assert told(teller, None, judged) == ["Paused", "Ann: well placed, 14 cm"]
    assert told(teller, None, judged) == []


def test_what_is_touched_is_said_once_it_stays_so() -> None:
    """A ladder that moves touches and doesn't many times a second; what was said last isn't said again."""
    teller, moves = telling.Teller(), SceneHud(hint="Place it")
    assert told(teller, None, moves) == ["Place it"]
    for tick in range(60):
        touches = replace(moves, contact_text="" if tick % 2 else "would fall")
        assert told(teller, None, touches, now_s=tick / 30.0) == []
    falls = replace(moves, contact_text="would fall")
    assert [told(teller, None, falls, now_s=2.0 + t) for t in range(4)] == [[], ["would fall"], [], []]


def test_what_is_touched_cuts_nothing_short_that_is_lit() -> None:
    lit = Widget("let go", WidgetKind.BUTTON, Rect(0.0, 0.0, 1.0, 1.0), "Let go", focused=True)
    teller, glass = telling.Teller(), SceneHud(hint="Place it", contact_text="would fall")
    page = Page("table", (lit,), 0.0)
    assert told(teller, page, glass) == ["Place it", "Let go"]
    assert told(teller, page, glass, now_s=1.0) == []
    back = replace(page, widgets=(replace(lit, name="put back", text="Put it back"),))
    assert told(teller, back, glass, now_s=1.1) == ["would fall", "Put it back"]


def test_a_turn_is_told_once_whatever_the_verdict_still_shows() -> None:
    """The hint names the next player; a tear more, or the last player shown beside the verdict, is no new turn."""
    teller = telling.Teller()
    ann, ben = ScenePlayer("Ann", 0, on_turn=True), ScenePlayer("Ben", 1, on_turn=False)
    others = tuple(replace(one, on_turn=not one.on_turn) for one in (ann, ben))
    assert told(teller, None, SceneHud(players=(ann, ben), hint="Ann, hands off")) == ["Ann, hands off"]
    fell = SceneHud(players=(replace(ann, tears=1), ben), verdict_text="A tear for Ann")
    asked = replace(fell, players=others, hint="Ben, roll the die")
    assert told(teller, None, replace(asked, verdict_text="")) == [], "the verdict may come a picture later"
    assert told(teller, None, asked) == ["A tear for Ann", "Ben, roll the die"]
    assert told(teller, None, fell) == []
    assert told(teller, None, asked) == []
    assert told(teller, None, replace(asked, hint="Roll the die")) == ["Roll the die"]


def test_how_far_a_search_has_come_isnt_said_with_every_step() -> None:
    page = Page("", (Widget("beside", WidgetKind.TEXT, Rect(0.0, 0.0, 1.0, 1.0), "Looking… 0 %"),), 0.0)
    (text,) = page.widgets
    teller = telling.Teller()
    assert told(teller, page) == ["Looking... 0 %"]
    assert told(teller, replace(page, widgets=(replace(text, text="Looking… 40 %"),))) == []
    assert told(teller, replace(page, widgets=(replace(text, text="Nothing holds"),))) == ["Nothing holds"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", CueKind)
def test_every_cue_has_a_caption_with_its_side(kind: CueKind, language: str) -> None:
    with speaking(language):
        said = [telling.caption_of(SoundCue(kind, across=across)) for across in (-0.8, 0.0, 0.8)]
    assert len(set(said)) == 3
    left, middle, right = said
    assert left.startswith(middle)
    assert right.startswith(middle)
    assert "{" not in "".join(said)
    assert 0 < len(middle) <= 60


def test_captions_stay_long_enough_and_only_the_newest() -> None:
    captions = telling.Captions()
    captions.add_cues([SoundCue(CueKind.KNOCK, across=-1.0)], 10.0)
    (words,) = captions.lines(10.0)
    lasts_s = telling.SHORTEST_S + telling.LETTER_S * len(words)
    assert captions.lines(10.0 + lasts_s - 0.01) == (words,)
    assert captions.lines(10.0 + lasts_s + 0.01) == ()
    kinds = (CueKind.KNOCK, CueKind.THUD, CueKind.TEAR, CueKind.OUT, CueKind.FANFARE)
    captions.add_cues([SoundCue(kind) for kind in kinds], 20.0)
    assert captions.lines(20.0) == tuple(
        telling.caption_of(SoundCue(kind)) for kind in kinds[-telling.MOST :]
    )


def test_a_tower_that_falls_knocks_once_in_words_and_pages_say_nothing_twice() -> None:
    captions = telling.Captions()
    for k in range(20):
        captions.add_cues([SoundCue(CueKind.KNOCK, strength=k / 20.0)], 0.1 * k)
    captions.add_cues([SoundCue(CueKind.FOCUS), SoundCue(CueKind.PRESS)], 2.0)
    assert captions.lines(2.0) == (telling.caption_of(SoundCue(CueKind.KNOCK)),)
    for height_m in (0.02, 0.04, 0.06):
        captions.add_cues([SoundCue(CueKind.STOP, height_m=height_m)], 2.0)
    assert captions.lines(2.0)[-1] == "A tone, 6 cm high"
    assert len(captions.lines(2.0)) == 2


FOCUS, TEXT, PAGE, EVENT = Urgency


def said(order: UtteranceQueue) -> list[str]:
    words = []
    while (one := order.next()) is not None:
        words.append(one.words)
    return words


def test_of_what_can_be_pressed_only_the_newest_is_said_and_last() -> None:
    order = UtteranceQueue()
    for words, urgency in (("a", FOCUS), ("b", FOCUS), ("fell", EVENT), ("c", FOCUS), ("tear", EVENT)):
        assert not order.add(Utterance(words, urgency))
    assert said(order) == ["fell", "tear", "c"]


def test_another_page_ends_what_the_last_one_had_to_say_but_no_event() -> None:
    order = UtteranceQueue()
    for words, urgency in (("Settings", PAGE), ("size", TEXT), ("fell", EVENT), ("back", FOCUS)):
        order.add(Utterance(words, urgency))
    order.add(Utterance("Title", PAGE))
    assert said(order) == ["fell", "Title"]


def test_what_is_cut_short() -> None:
    order = UtteranceQueue()
    for now, new, cut in (
        (FOCUS, FOCUS, True),
        (FOCUS, EVENT, True),
        (TEXT, FOCUS, False),
        (TEXT, PAGE, True),
        (PAGE, TEXT, False),
        (EVENT, PAGE, False),
        (EVENT, EVENT, False),
    ):
        order.add(Utterance("now", now))
        order.next()
        assert order.add(Utterance("new", new)) is cut, (now, new)
        order.clear()
        order.current = None


def test_of_too_many_events_the_oldest_are_left_out() -> None:
    order, words = UtteranceQueue(), [str(number) for number in range(MAX_WAITING + 2)]
    for one in words:
        order.add(Utterance(one, EVENT))
    assert said(order) == words[2:]


@given(st.lists(st.tuples(st.sampled_from(Urgency), st.booleans()), max_size=60))
def test_the_last_event_is_always_said_and_little_waits(steps: list[tuple[Urgency, bool]]) -> None:
    order = UtteranceQueue()
    heard: list[str] = []
    last = ""
    for number, (urgency, goes_on) in enumerate(steps):
        order.add(Utterance(str(number), urgency))
        last = str(number) if urgency is EVENT else last
        if goes_on and (one := order.next()) is not None:
            heard.append(one.words)
    rest = said(order)
    assert len(rest) <= MAX_WAITING
    assert not last or last in heard + rest
    assert len(set(heard + rest)) == len(heard + rest)
