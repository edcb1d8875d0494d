"""Sounds, gamepad rumble and speech as sinks."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping

from armoon.messages import language, speaking_of
from armoon.sinks.sink import Moment, Sink
from armoon.sound.cues import CueKind, SoundCue
from armoon.sound.effects import Tension, find_tension
from armoon.sound.player import Player, prerender_sounds
from armoon.speech_output.narration import NO_HUD, Narrator
from armoon.speech_output.speaker import (
    DEFAULT_WPM,
    FULL_VOLUME,
    Speaker,
    Urgency,
    Utterance,
    estimate_speech_s,
)
from armoon.values.choices import Speech

#: Sounds, and the tension that the music follows.
SoundData = tuple[tuple[SoundCue, ...], Tension | None]


class SoundSink(Sink):
    """Plays cues in the main thread, which pyglet requires; starting a sound takes 0.1 ms."""

    word = "sound"

    def __init__(self, player: Player) -> None:
        self._player = player

    def select(self, moment: Moment) -> SoundData | None:
        """Return the moment's cues and, with a loudspeaker, the tension that the music follows."""
        if self._player.is_silent or moment.scene is None or not moment.shown:
            cues = moment.cues()
            return (cues, None) if cues else None
        return moment.cues(), find_tension(moment.scene())

    def process(self, data: SoundData) -> None:
        cues, tension = data
        self._player.play(cues)
        if tension is not None:
            self._player.follow_tension(tension)

    def close(self) -> None:
        self._player.close()


def start_prerendering() -> None:
    """Render the sounds in a thread, because that takes half a second and would delay the first sound."""
    threading.Thread(target=prerender_sounds, name="sounds", daemon=True).start()


#: Strength of the rumble by cue; other cues cause none.
RUMBLE_STRENGTHS = {
    CueKind.KNOCK: 0.6,
    CueKind.THUD: 0.9,
    CueKind.SOFT: 0.7,
    CueKind.CLATTER: 1.0,
    CueKind.GRAB: 0.3,
    CueKind.TEAR: 0.8,
}


class RumbleSink(Sink):
    """Makes gamepads rumble when ladders touch, in the main thread, which their library requires."""

    word = "rumble"

    def __init__(self, rumble: Callable[[float], None], is_wanted: Callable[[], bool]) -> None:
        """``rumble`` is called with a strength from 0 to 1, if ``is_wanted`` returns True."""
        self._rumble, self._is_wanted = rumble, is_wanted

    def select(self, moment: Moment) -> float | None:
        if not self._is_wanted():
            return None
        strengths = [
            RUMBLE_STRENGTHS[cue.kind] * cue.strength for cue in moment.cues() if cue.kind in RUMBLE_STRENGTHS
        ]
        return max(strengths, default=None)

    def process(self, data: float) -> None:
        self._rumble(data)


class SpeechSink(Sink):
    """Speaks changes of the page and the table; the first utterance starts the voice, which has its own thread."""

    word = "speech"

    def __init__(
        self, words: Callable[[], Mapping[str, str]] = dict, make_voice: Callable[[], Speaker] = Speaker
    ) -> None:
        """``words`` returns the game's own terms."""
        self._words, self._make_voice = words, make_voice
        self._narrator = Narrator()
        self._voice: Speaker | None = None
        self._speech, self._wpm, self._volume = Speech.OFF, 0, FULL_VOLUME
        self._sent_settings: tuple[str, int, int] | None = None
        """The voice's language, speed and volume."""
        self._offer = ""
        self._events_end_s = self._texts_end_s = 0.0
        """Estimated times at which spoken events and a page's texts end, on the loop's clock."""

    def configure(self, speech: Speech, wpm: int, volume: int = FULL_VOLUME) -> None:
        if self._speech is not speech:
            self._narrator.reset()
        self._speech, self._wpm, self._volume = speech, wpm, volume
        if speech is not Speech.OFF:
            self._offer = ""

    def set_offer(self, words: str) -> None:
        """Speak these words once, at the first page, unless speech is turned on first."""
        self._offer = words

    def is_busy(self, now_s: float) -> bool:
        """Return whether anything except the focused widget is probably being spoken; scanning waits meanwhile."""
        return self._speech is not Speech.OFF and now_s < max(self._events_end_s, self._texts_end_s)

    @property
    def speaking(self) -> bool:
        return self._voice is not None and self._voice.speaking

    def silence(self) -> None:
        if self._voice is not None:
            self._voice.silence()

    def repeat_page(self) -> None:
        self._narrator.reset()

    def select(self, moment: Moment) -> tuple[Utterance | tuple[str, int, int], ...] | None:
        if self._speech is Speech.OFF:
            if self._offer and moment.shown:
                words, self._offer = self._offer, ""
                return ((language(), DEFAULT_WPM, FULL_VOLUME), Utterance(words))
            has_spoken, self._sent_settings = self._sent_settings is not None, None
            return () if has_spoken else None
        if not moment.shown:
            return None
        hud = NO_HUD if moment.scene is None else moment.scene().hud
        with speaking_of(self._words()):
            utterances = self._narrator.list_utterances(moment.page, hud, self._speech, moment.now_s)
        self._add_durations(utterances, moment.now_s)
        orders: tuple[Utterance | tuple[str, int, int], ...] = utterances
        settings = (language(), self._wpm, self._volume)
        if orders and settings != self._sent_settings:
            self._sent_settings = settings
            orders = (settings, *orders)
        return orders or None

    def _add_durations(self, utterances: tuple[Utterance, ...], now_s: float) -> None:
        for utterance in utterances:
            speech_s = estimate_speech_s(utterance.words, max(1, self._wpm))
            if utterance.urgency is Urgency.PAGE:
                self._texts_end_s = 0.0
            if utterance.urgency is Urgency.EVENT:
                self._events_end_s = max(now_s, self._events_end_s, self._texts_end_s) + speech_s
            elif utterance.urgency is not Urgency.FOCUS:
                self._texts_end_s = max(now_s, self._events_end_s, self._texts_end_s) + speech_s

    def process(self, data: tuple[Utterance | tuple[str, int, int], ...]) -> None:
        """Speak the utterances, or stop speaking if there are none. Raises SpeechError."""
        if not data:
            if self._voice is not None:
                self._voice.silence()
            return
        if self._voice is None:
            self._voice = self._make_voice()
        for order in data:
            if isinstance(order, Utterance):
                self._voice.say(order)
            else:
                self._voice.configure(*order)

    def close(self) -> None:
        if self._voice is not None:
            self._voice.close()
