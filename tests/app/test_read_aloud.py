"""At the first start the voice offers reading aloud once, and one key turns it on."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.screens_kit import fresh

from armoon.app import speech
from armoon.app.front import Front
from armoon.app.speech import AudioAids
from armoon.app.switches import show_key_names
from armoon.messages import text
from armoon.screens.layout import set_preference
from armoon.screens.machine import page_of
from armoon.settings.preferences import Preferences
from armoon.sinks.sink import Moment
from armoon.speech_output.narration import SpeakerLink
from armoon.speech_output.speaker import ENGINES, Utterance
from armoon.values.acts import Act
from armoon.values.choices import Speech


class QuietVoice(SpeakerLink):
    speaking = False

    def __init__(self) -> None:
        self.said: list[str] = []

    def configure(self, language: str, wpm: int, loud: int = 100) -> None:
        """Accept any pace."""

    def say(self, one: Utterance) -> None:
        self.said.append(one.words)

    def silence(self) -> None:
        self.said.append("")

    def close(self) -> None:
        """Always ready."""


@pytest.mark.parametrize("engine", [ENGINES[0], None])
def test_the_voice_is_offered_aloud_once_and_a_key_turns_it_on(
    engine: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(speech, "find_engine", lambda: engine)
    front, quiet = Front(replace(fresh(), asks_way=True)), QuietVoice()
    show_key_names(Preferences())

    def turn_on() -> None:
        front.press(lambda screens: set_preference(screens, "speech", Speech.BRIEF))
        heard.apply_preferences(front.screens.preferences)

    heard = AudioAids(dict, turn_on=turn_on)
    heard.voice._begin = lambda: quiet
    heard.apply_preferences(front.screens.preferences)
    heard.offer_reading()

    def shown() -> list[str]:
        part = heard.voice.select(Moment(1.0, page=page_of(front.screens), shown=True))
        if part is not None:
            heard.voice.process(part)
        said, quiet.said = quiet.said, []
        return said

    offer = text("speech.offer")
    assert "F2" in offer
    assert shown() == ([offer] if engine else [])
    assert shown() == []
    assert heard.handle_act(Act.SAY_AGAIN, pressed=True)
    assert front.screens.preferences.speech is Speech.BRIEF
    read = shown()
    assert read
    assert offer not in read
    assert shown() == []
    assert heard.handle_act(Act.SAY_AGAIN, pressed=True)
    assert shown() == read, "from now on the key repeats it"
