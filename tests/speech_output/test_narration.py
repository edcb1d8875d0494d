"""Utterances about pages and the HUD, in both languages; captions of sounds; and the queue of utterances."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.screens_kit import every_page, fresh, in_game

from armoon import messages
from armoon.messages import LANGUAGES, speaking
from armoon.screens.machine import build_page, press_key
from armoon.screens.state import Key, PageName
from armoon.sound.cues import CueKind, SoundCue
from armoon.speech_output import narration
from armoon.speech_output.speaker import MAX_QUEUED, Urgency, Utterance, UtteranceQueue
from armoon.values.choices import Language, Speech
from armoon.values.page import Page, Rect, Widget, WidgetKind
from armoon.values.scene import SceneHud, ScenePlayer

PRESSABLE = (WidgetKind.BUTTON, WidgetKind.CHOICE, WidgetKind.CARD, WidgetKind.KEY)


def utter(
    narrator: narration.Narrator,
    page: Page | None,
    hud: SceneHud = narration.NO_HUD,
    speech: Speech = Speech.BRIEF,
    now_s: float = 0.0,
) -> list[str]:
    return [utterance.words for utterance in narrator.list_utterances(page, hud, speech, now_s)]


@pytest.mark.parametrize("language", Language)
def test_every_page_is_spoken_with_its_name_its_texts_and_the_focus(language: Language) -> None:
    messages.set_language(language)
    for name, state in every_page():
        page = build_page(replace(state, focus_shown=True, tabbed=True))
        spoken = utter(narration.Narrator(), page)
        for widget in page.widgets:
            if widget.kind in (WidgetKind.HEADING, WidgetKind.TEXT) and widget.text:
                assert narration.format_for_voice(widget.text) in spoken, (name, widget.name)
            if widget.focused and widget.text:
                assert spoken[-1].startswith(narration.format_for_voice(widget.text)), (name, widget.name)
        assert utter(narration.Narrator(), page, speech=Speech.FULL), name


@pytest.mark.parametrize("language", Language)
def test_every_focused_widget_is_spoken(language: Language) -> None:
    """Tab reaches every widget of a page, and each is spoken when it gets the focus."""
    messages.set_language(language)
    for name, state in every_page():
        if state.page in (PageName.TABLE, PageName.GUIDE):
            continue
        narrator, screens = narration.Narrator(), replace(state, focus_shown=True)
        utter(narrator, build_page(screens))
        live = [w.name for w in build_page(screens).widgets if w.enabled and w.kind in PRESSABLE]
        for _ in live:
            screens, _ = press_key(screens, Key.TAB)
            page = build_page(screens)
            focused = [widget for widget in page.widgets if widget.focused]
            spoken = utter(narrator, page)
            if len(live) > 1 and focused:
                assert spoken, (name, [widget.name for widget in focused])
                assert any(letter.isalnum() for letter in spoken[-1]), (name, spoken)


def test_a_changed_value_is_spoken_alone() -> None:
    narrator = narration.Narrator()
    screens = replace(fresh().go_to(PageName.SETTINGS), focus="volume", focus_shown=True)
    utter(narrator, build_page(screens))
    screens, _ = press_key(screens, Key.RIGHT)
    (utterance,) = narrator.list_utterances(build_page(screens), narration.NO_HUD, Speech.BRIEF, 0.0)
    assert (utterance.words, utterance.urgency) == ("80 %", Urgency.FOCUS)


def test_full_speech_says_more_than_brief() -> None:
    page = build_page(replace(fresh(), focus_shown=True))
    brief, full = (
        utter(narration.Narrator(), page, speech=speech)[-1] for speech in (Speech.BRIEF, Speech.FULL)
    )
    assert full.startswith(brief)
    assert "button" in full
    assert " of " in full


def test_nothing_is_spoken_twice_until_the_narrator_is_reset() -> None:
    narrator = narration.Narrator()
    page = build_page(replace(in_game(fresh()).reset_to(PageName.PAUSE), focus_shown=True))
    first = utter(narrator, page)
    assert first
    assert utter(narrator, page) == []
    narrator.reset()
    assert utter(narrator, page) == first
    named = SceneHud(
        players=(ScenePlayer("Ann", 2, on_turn=True), ScenePlayer("Ben", 0, on_turn=False)), hint="Ann, roll"
    )
    assert utter(narrator, page, named) == ["Ann, roll"]
    narrator.reset()
    assert utter(narrator, page, named)[-3:] == ["Now playing: Ann, 2 tears", "Ann, roll", first[-1]]


def test_the_table_speaks_turn_die_hint_verdict_and_contacts() -> None:
    narrator = narration.Narrator()
    players = (ScenePlayer("Ann", 2, on_turn=True), ScenePlayer("Ben", 0, on_turn=False))
    hud = SceneHud(players=players, hint="Roll the die", die_text="")
    assert utter(narrator, None, hud) == ["Now playing: Ann, 2 tears", "Roll the die"]
    rolled = replace(hud, die_text="two ladders", hint="Take the ladder", contact_text="touching 1 of 2")
    assert utter(narrator, None, rolled) == ["two ladders", "Take the ladder"]
    assert utter(narrator, None, rolled, now_s=narration.STILL_S) == ["touching 1 of 2"]
    judged = replace(rolled, verdict_text="Ann: well placed · 14 cm", contact_text="", banner="Paused")
    assert utter(narrator, None, judged) == ["Paused", "Ann: well placed, 14 cm"]
    assert utter(narrator, None, judged) == []


def test_contacts_are_spoken_once_they_are_stable() -> None:
    """A moving ladder gains and loses contact many times a second; the last text isn't repeated."""
    narrator, moves = narration.Narrator(), SceneHud(hint="Place it")
    assert utter(narrator, None, moves) == ["Place it"]
    for tick in range(60):
        touches = replace(moves, contact_text="" if tick % 2 else "would fall")
        assert utter(narrator, None, touches, now_s=tick / 30.0) == []
    falls = replace(moves, contact_text="would fall")
    assert [utter(narrator, None, falls, now_s=2.0 + t) for t in range(4)] == [[], ["would fall"], [], []]


def test_contacts_do_not_interrupt_a_highlighted_choice() -> None:
    focused = Widget("let go", WidgetKind.BUTTON, Rect(0.0, 0.0, 1.0, 1.0), "Let go", focused=True)
    narrator, hud = narration.Narrator(), SceneHud(hint="Place it", contact_text="would fall")
    page = Page("table", (focused,), 0.0)
    assert utter(narrator, page, hud) == ["Place it", "Let go"]
    assert utter(narrator, page, hud, now_s=1.0) == []
    back = replace(page, widgets=(replace(focused, name="put back", text="Put it back"),))
    assert utter(narrator, back, hud, now_s=1.1) == ["would fall", "Put it back"]


def test_a_turn_is_announced_once_whatever_the_verdict_still_shows() -> None:
    """The hint names the next player; another tear, or the last player shown beside the verdict, isn't a new turn."""
    narrator = narration.Narrator()
    ann, ben = ScenePlayer("Ann", 0, on_turn=True), ScenePlayer("Ben", 1, on_turn=False)
    others = tuple(replace(player, on_turn=not player.on_turn) for player in (ann, ben))
    assert utter(narrator, None, SceneHud(players=(ann, ben), hint="Ann, hands off")) == ["Ann, hands off"]
    fell = SceneHud(players=(replace(ann, tears=1), ben), verdict_text="A tear for Ann")
    roll = replace(fell, players=others, hint="Ben, roll the die")
    assert utter(narrator, None, replace(roll, verdict_text="")) == [], "the verdict may come a frame later"
    assert utter(narrator, None, roll) == ["A tear for Ann", "Ben, roll the die"]
    assert utter(narrator, None, fell) == []
    assert utter(narrator, None, roll) == []
    assert utter(narrator, None, replace(roll, hint="Roll the die")) == ["Roll the die"]


def test_the_progress_of_a_search_is_not_spoken_at_every_step() -> None:
    page = Page("", (Widget("beside", WidgetKind.TEXT, Rect(0.0, 0.0, 1.0, 1.0), "Looking… 0 %"),), 0.0)
    (text,) = page.widgets
    narrator = narration.Narrator()
    assert utter(narrator, page) == ["Looking... 0 %"]
    assert utter(narrator, replace(page, widgets=(replace(text, text="Looking… 40 %"),))) == []
    assert utter(narrator, replace(page, widgets=(replace(text, text="Nothing holds"),))) == ["Nothing holds"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", CueKind)
def test_every_cue_has_a_caption_with_its_side(kind: CueKind, language: str) -> None:
    with speaking(language):
        captions = [narration.format_caption(SoundCue(kind, across=across)) for across in (-0.8, 0.0, 0.8)]
    assert len(set(captions)) == 3
    left, middle, right = captions
    assert left.startswith(middle)
    assert right.startswith(middle)
    assert "{" not in "".join(captions)
    assert 0 < len(middle) <= 60


def test_captions_stay_long_enough_to_be_read_and_only_the_newest_are_shown() -> None:
    captions = narration.Captions()
    captions.add_cues([SoundCue(CueKind.KNOCK, across=-1.0)], 10.0)
    (words,) = captions.get_lines(10.0)
    duration_s = narration.MIN_CAPTION_S + narration.LETTER_S * len(words)
    assert captions.get_lines(10.0 + duration_s - 0.01) == (words,)
    assert captions.get_lines(10.0 + duration_s + 0.01) == ()
    kinds = (CueKind.KNOCK, CueKind.THUD, CueKind.TEAR, CueKind.OUT, CueKind.FANFARE)
    captions.add_cues([SoundCue(kind) for kind in kinds], 20.0)
    assert captions.get_lines(20.0) == tuple(
        narration.format_caption(SoundCue(kind)) for kind in kinds[-narration.MAX_CAPTIONS :]
    )


def test_a_falling_tower_has_one_caption_and_pages_repeat_nothing() -> None:
    captions = narration.Captions()
    for k in range(20):
        captions.add_cues([SoundCue(CueKind.KNOCK, strength=k / 20.0)], 0.1 * k)
    captions.add_cues([SoundCue(CueKind.FOCUS), SoundCue(CueKind.PRESS)], 2.0)
    assert captions.get_lines(2.0) == (narration.format_caption(SoundCue(CueKind.KNOCK)),)
    for height_m in (0.02, 0.04, 0.06):
        captions.add_cues([SoundCue(CueKind.STOP, height_m=height_m)], 2.0)
    assert captions.get_lines(2.0)[-1] == "A tone, 6 cm high"
    assert len(captions.get_lines(2.0)) == 2


FOCUS, TEXT, PAGE, EVENT = Urgency


def list_texts(queue: UtteranceQueue) -> list[str]:
    words = []
    while (utterance := queue.next()) is not None:
        words.append(utterance.words)
    return words


@pytest.mark.parametrize(
    ("added", "spoken"),
    [
        ([("a", FOCUS), ("b", FOCUS), ("fell", EVENT), ("c", FOCUS), ("tear", EVENT)], ["fell", "tear", "c"]),
        (
            [("Settings", PAGE), ("size", TEXT), ("fell", EVENT), ("back", FOCUS), ("Title", PAGE)],
            ["fell", "Title"],
        ),
        ([(str(k), EVENT) for k in range(MAX_QUEUED + 2)], [str(k) for k in range(2, MAX_QUEUED + 2)]),
    ],
    ids=[
        "only the newest widget, after events",
        "another page drops texts, no event",
        "the oldest are dropped",
    ],
)
def test_the_queue_speaks_only_what_still_matters(
    added: list[tuple[str, Urgency]], spoken: list[str]
) -> None:
    queue = UtteranceQueue()
    for words, urgency in added:
        assert not queue.add(Utterance(words, urgency))
    assert list_texts(queue) == spoken


def test_widget_texts_are_interrupted() -> None:
    queue = UtteranceQueue()
    for now, new, cut in (
        (FOCUS, FOCUS, True),
        (FOCUS, EVENT, True),
        (TEXT, FOCUS, False),
        (TEXT, PAGE, True),
        (PAGE, TEXT, False),
        (EVENT, PAGE, False),
        (EVENT, EVENT, False),
    ):
        queue.add(Utterance("now", now))
        queue.next()
        assert queue.add(Utterance("new", new)) is cut, (now, new)
        queue.clear()
        queue.current = None


@given(st.lists(st.tuples(st.sampled_from(Urgency), st.booleans()), max_size=60))
def test_the_last_event_is_always_spoken_and_the_queue_is_short(steps: list[tuple[Urgency, bool]]) -> None:
    queue = UtteranceQueue()
    spoken: list[str] = []
    last = ""
    for number, (urgency, speaks_next) in enumerate(steps):
        queue.add(Utterance(str(number), urgency))
        last = str(number) if urgency is EVENT else last
        if speaks_next and (utterance := queue.next()) is not None:
            spoken.append(utterance.words)
    rest = list_texts(queue)
    assert len(rest) <= MAX_QUEUED
    assert not last or last in spoken + rest
    assert len(set(spoken + rest)) == len(spoken + rest)
