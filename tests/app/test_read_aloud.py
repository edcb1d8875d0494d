"""At the first start the voice offers once to read everything aloud, and one key accepts."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.screens_kit import fresh
from support.sound_kit import QuietVoice

from armoon.app import speech
from armoon.app.front import Front
from armoon.app.speech import AudioAids
from armoon.app.switches import show_key_names
from armoon.messages import text
from armoon.screens.layout import set_preference
from armoon.screens.machine import page_of
from armoon.settings.preferences import Preferences
from armoon.sinks.sink import Moment
from armoon.speech_output.speaker import ENGINES
from armoon.values.acts import Act
from armoon.values.choices import Speech


@pytest.mark.parametrize("engine", [ENGINES[0], None])
def test_the_voice_is_offered_aloud_once_and_a_key_turns_it_on(
    engine: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(speech, "find_engine", lambda: engine)
    front, quiet = Front(replace(fresh(), asks_way=True)), QuietVoice()
    show_key_names(Preferences())

    def turn_on() -> None:
        front.apply(lambda screens: set_preference(screens, "speech", Speech.BRIEF))
        audio.apply_preferences(front.screens.preferences)

    audio = AudioAids(dict, turn_on=turn_on)
    audio.voice._begin = lambda: quiet
    audio.apply_preferences(front.screens.preferences)
    audio.offer_reading()

    def spoken_texts() -> list[str]:
        utterances = audio.voice.select(Moment(1.0, page=page_of(front.screens), shown=True))
        if utterances is not None:
            audio.voice.process(utterances)
        spoken, quiet.utterances = quiet.utterances, []
        return spoken

    offer = text("speech.offer")
    assert "F2" in offer
    assert spoken_texts() == ([offer] if engine else [])
    assert spoken_texts() == []
    assert audio.handle_act(Act.SAY_AGAIN, pressed=True)
    assert front.screens.preferences.speech is Speech.BRIEF
    read = spoken_texts()
    assert read
    assert offer not in read
    assert spoken_texts() == []
    assert audio.handle_act(Act.SAY_AGAIN, pressed=True)
    assert spoken_texts() == read, "the key doesn't repeat the text"
