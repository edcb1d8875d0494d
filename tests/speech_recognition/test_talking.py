"""Phrases have the same effects as buttons and keys, on a page and at the table; releasing must be confirmed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from support.screens_kit import every_page, fresh
from support.sound_kit import QuietVoice

from armoon.app.front import Front
from armoon.app.speech import CONFIRM_S, AudioAids, ListenerLink, VoiceControl
from armoon.messages import LANGUAGES, speaking, text
from armoon.screens.events import ChangeSetting
from armoon.screens.layout import Reply
from armoon.screens.machine import build_page, request_widget
from armoon.screens.measuring import PhraseRecording
from armoon.screens.state import PageName
from armoon.settings.files import voice_folder
from armoon.settings.preferences import Preferences
from armoon.sinks.sink import Moment
from armoon.sinks.sound import SpeechSink
from armoon.sound.microphone import BLOCK_S
from armoon.speech_output.speaker import Utterance
from armoon.speech_recognition.listener import TAIL_S, Listener, UtteranceSegmenter
from armoon.speech_recognition.samples import HeardPhrase, Recogniser
from armoon.values.acts import BY_PHRASE, NUMBERS, Act
from armoon.values.choices import CallWord, ListenMode, PhraseSet, Way
from armoon.values.page import Page

BY_VOICE = Preferences(way=Way.VOICE)


class FakeListener(ListenerLink):
    def __init__(self) -> None:
        self.messages: list[dict[str, Any]] = []
        self.orders: list[dict[str, object]] = []
        self.closed = 0

    def send(self, value: Any) -> bool:
        self.orders.append(value)
        return True

    def list_orders(self, name: str) -> list[object]:
        return [order[name] for order in self.orders if name in order]

    def drain_messages(self) -> Iterator[dict[str, Any]]:
        while self.messages:
            yield self.messages.pop(0)

    def close(self, patience_s: float = 0.0) -> None:
        self.closed += 1


class RecordingFront(Front):
    def __init__(self, requests: list[str]) -> None:
        super().__init__(fresh())
        self._requests = requests

    def apply(self, update: Callable[..., Reply], *args: Any, **kwargs: Any) -> None:
        if update is request_widget:
            self._requests.append(args[0])
        else:
            super().apply(update, *args, **kwargs)


class Talker:
    def __init__(self) -> None:
        self.microphone = FakeListener()
        self.acts: list[Act] = []
        self.requests: list[str] = []
        self.repeats = 0
        self.notices: list[str] = []
        self.now_s = 10.0
        self.front = RecordingFront(self.requests)
        self.talking = VoiceControl(
            self.front, self.acts.append, self._renew_listener, self.notices.append, lambda: self.microphone
        )
        self.set_preferences(BY_VOICE)

    def set_preferences(self, preferences: Preferences) -> None:
        self.front.screens = replace(self.front.screens, preferences=preferences)
        self.talking.poll()

    def _renew_listener(self) -> None:
        self.repeats += 1

    def say(
        self, words: str, page: Page, like: str = "", *, pushed: bool = True, called: bool = False
    ) -> str:
        message = {"phrase": words, "likeliest": like or words, "pushed": pushed, "called": called}
        self.microphone.messages.append(message)
        return self.advance(page)

    def advance(self, page: Page, seconds: float = 0.1) -> str:
        self.now_s += seconds
        return self.talking.carry_out_phrases(page, self.now_s)


@pytest.fixture
def talker() -> Iterator[Talker]:
    talker = Talker()
    yield talker
    talker.talking.close()


def table_page(name: str, focused: str = "") -> Page:
    state = next(state for state_name, state in every_page() if state_name == f"table choosing {name}")
    page = build_page(replace(state, preferences=BY_VOICE))
    return replace(page, widgets=tuple(replace(w, focused=w.name == focused) for w in page.widgets))


def test_phrases_are_two_or_three_words_and_all_different() -> None:
    phrases = [act.row.phrase for act in Act if act.row.phrase]
    assert all(2 <= len(phrase.split()) <= 3 for phrase in phrases)
    assert len(BY_PHRASE) == len(phrases)
    pressed = (Act.NEXT, Act.PREVIOUS, Act.TAKE, Act.MENU, Act.RULES, Act.YES, Act.NO, Act.SAY_AGAIN)
    listens = (Act.LISTEN, Act.STOP_LISTENING)
    choices = {act.word for act in BY_PHRASE.values() if act not in (*pressed, *listens, *NUMBERS)}
    offered = {
        widget.name.removeprefix("choose ")
        for name in ("roll", "places", "none", "stop", "nudge", "free")
        for widget in table_page(name).widgets
        if widget.name.startswith("choose ")
    }
    assert choices <= offered
    assert "place 1" in offered, "by its number"


def test_everything_that_a_game_asks_for_can_be_said(talker: Talker) -> None:
    talker.say("roll the die", table_page("roll"))
    assert talker.requests == ["choose roll"]
    for words in ("another place", "previous place", "take this place"):
        talker.say(words, table_page("places", "choose place 1"))
    assert talker.acts == [Act.NEXT, Act.PREVIOUS, Act.TAKE]
    talker.say("move left", table_page("free"))
    talker.say("stop moving", table_page("stop"))
    assert talker.requests == ["choose roll", "choose left", "choose stop"]
    talker.say("say that again", table_page("free"))
    assert talker.repeats == 1


@pytest.mark.parametrize("words", ["let it go", "take this place"])
def test_releasing_takes_a_second_phrase(talker: Talker, words: str) -> None:
    page = table_page("nudge", "choose let_go")
    question = talker.say(words, page)
    assert "yes do it" in question
    assert (talker.requests, talker.acts) == ([], [])
    talker.say("yes do it", page)
    assert talker.requests == ["choose let_go"]
    talker.say("yes do it", page)
    assert talker.requests == ["choose let_go"], "the question was asked once"


@pytest.mark.parametrize("between", ["never mind", "move left"])
def test_any_phrase_but_yes_cancels_the_release(talker: Talker, between: str) -> None:
    page = table_page("nudge")
    talker.say("let it go", page)
    talker.say(between, page)
    talker.say("yes do it", page)
    assert "choose let_go" not in talker.requests


def test_a_question_expires_after_a_while(talker: Talker) -> None:
    page = table_page("nudge")
    talker.say("let it go", page)
    talker.advance(page, CONFIRM_S + 0.1)
    talker.say("yes do it", page)
    assert talker.requests == []


def test_the_recognised_phrase_and_any_doubt_are_shown(talker: Talker) -> None:
    page = table_page("roll")
    assert "move left" in talker.say("move left", page)
    assert "not now" in talker.advance(page, 0.0)
    assert "roll the die" in talker.say("", page, like="roll the die")
    assert talker.requests == []
    assert talker.say("", page, like=" ")
    assert talker.advance(page, 60.0) == ""


def test_a_player_talks_while_a_key_is_held_or_all_the_time(talker: Talker) -> None:
    assert talker.talking.set_talking(True)
    assert talker.talking.set_talking(False)
    assert talker.microphone.list_orders("talk") == [True, False]
    talker.say("move left", table_page("free"), pushed=False)
    assert talker.requests == []
    talker.set_preferences(replace(BY_VOICE, listens=ListenMode.OPEN, calls=CallWord.NONE))
    assert talker.microphone.list_orders("call")[0] == "armoon"
    assert talker.microphone.list_orders("call")[-1] == ""
    talker.say("move left", table_page("free"), pushed=False)
    assert talker.requests == ["choose left"]
    talker.set_preferences(Preferences(way=Way.KEYS))
    assert talker.microphone.closed == 1
    assert not talker.talking.set_talking(True)


def test_continuous_listening_starts_and_ends_by_voice_without_a_key(talker: Talker) -> None:
    page = table_page("free")
    talker.say("listen always", page, pushed=False)
    assert talker.front.screens.preferences.listens.value == "open"
    assert talker.say("", page, pushed=False, called=True) == "I'm listening…"
    talker.say("stop listening", page, pushed=False)
    assert talker.front.screens.preferences.listens.value == "push"
    assert [type(action) for action in talker.front.drain_actions()] == [ChangeSetting, ChangeSetting], (
        "the setting is saved"
    )


def test_own_phrases_are_recorded_on_their_page_and_then_recognised_instead(talker: Talker) -> None:
    talker.set_preferences(Preferences(way=Way.KEYS))
    talker.microphone.orders.clear()
    talker.front.screens = talker.front.screens.go_to(PageName.PHRASES)
    talker.talking.poll()
    assert talker.microphone.list_orders("learn") == ["roll the die"], "for every way to play"
    assert talker.microphone.list_orders("folder") == [str(voice_folder())]
    talker.microphone.messages.append({"counts": {"roll the die": 3}})
    talker.advance(talker.front.page)
    talker.talking.poll()
    assert talker.microphone.list_orders("learn")[-1] == talker.front.screens.phrases.asked != "roll the die"
    talker.front.screens = replace(talker.front.screens, phrases=PhraseRecording(should_delete=True))
    talker.talking.poll()
    assert talker.microphone.list_orders("delete") == [True]
    talker.front.screens = talker.front.screens.go_back()
    talker.set_preferences(replace(BY_VOICE, phrases=PhraseSet.OWN))
    assert talker.microphone.list_orders("learn")[-1] == ""
    assert "Roll" in talker.say("roll the die", table_page("roll")), (
        "the phrase has its own name, not the English words"
    )
    assert talker.requests == ["choose roll"]


def test_while_the_game_speaks_nothing_is_recognised(talker: Talker) -> None:
    quiet = QuietVoice()
    voice = SpeechSink(make_voice=lambda: quiet)
    hearing = AudioAids(dict)
    hearing.voice, hearing.voice_control = voice, talker.talking
    for speaks in (False, True, True, False):
        quiet.speaking = speaks
        voice.process((Utterance("Roll the die."),))
        hearing.add_aids(Moment(0.0), None)
    assert talker.microphone.list_orders("muted") == [True, False]
    quiet.speaking = True
    assert hearing.handle_act(Act.TALK, pressed=True)
    assert not quiet.speaking, "the player who holds the key speaks"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("error", ["microphone", "missing", "gone"])
def test_a_microphone_unplugged_during_a_turn_is_reported(talker: Talker, error: str, language: str) -> None:
    page = table_page("nudge")
    with speaking(language):
        for _ in range(5):
            talker.microphone.messages.append({"error": error, "why": "unplugged"})
            talker.advance(page)
        assert len(talker.notices) == 1
        assert "unplugged" in talker.notices[0]
        if error == "microphone":
            talker.microphone.messages.append({"ready": True})
            talker.advance(page)
            assert len(talker.notices) == 2
            talker.say("move left", page)
            assert talker.requests == ["choose left"], "the held ladder is still held"


def test_choosing_the_voice_again_reports_a_missing_listener_again(talker: Talker) -> None:
    page = table_page("nudge")
    for times in (1, 2):
        talker.microphone.messages.append({"error": "gone"})
        talker.advance(page)
        assert len(talker.notices) == times
        talker.set_preferences(Preferences(way=Way.KEYS))
        talker.set_preferences(BY_VOICE)
    talker.microphone.messages.append({"ready": True})
    talker.advance(page)
    assert len(talker.notices) == 2, "a listener that is ready causes no notice"


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_broken_file_of_samples_is_named_in_the_window(code: str, tmp_path: Path) -> None:
    lines: list[dict[str, Any]] = []
    (tmp_path / "samples.npz").write_bytes(b"no samples")
    Listener(cast(Recogniser, object()), lines.append).handle_order(
        {"folder": str(tmp_path), "language": code}
    )
    with speaking(code):
        sentence = text("kept.broken", path=tmp_path / "samples.npz", count=0, why=text("kept.foreign"))
    assert lines == [{"damaged": sentence}, {"counts": {}}]
    talker = Talker()
    talker.microphone.messages += lines
    assert talker.advance(talker.front.page) == sentence
    assert talker.notices == [sentence], "the window shows the sentence as well"


def make_blocks(first: int, count: int) -> list[bytes]:
    """Return blocks of sound that can be distinguished: each repeats its number."""
    return [number.to_bytes(2, "little") * 2 for number in range(first, first + count)]


def test_the_programs_own_speech_is_ignored_with_its_echo() -> None:
    listening = UtteranceSegmenter()
    listening.set_talking(True)
    for block in make_blocks(20, 2):
        listening.add_block(block)
    listening.set_muted(True)
    for block in make_blocks(1, 3):
        listening.add_block(block)
    listening.set_muted(False)
    echo = round(TAIL_S / BLOCK_S)
    for block in make_blocks(10, echo + 2):
        listening.add_block(block)
    assert listening.set_talking(False) == b"".join(make_blocks(10 + echo, 2))


def test_a_phrase_may_follow_the_call_word_once() -> None:
    called: list[bool] = []
    phrases = [HeardPhrase("", called=True), HeardPhrase("roll the die", called=True), HeardPhrase("")]

    class ScriptedRecogniser:
        def recognise(self, sound: object, **how: bool) -> HeardPhrase:
            called.append(how["called"])
            return phrases[len(called) - 1]

    listener = Listener(cast(Recogniser, ScriptedRecogniser()), lambda message: None)
    for _ in phrases:
        listener.handle_utterance(np.zeros(8, np.int16), pushed=False)
    assert called == [False, True, False]
