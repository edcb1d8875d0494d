"""The screen's text, spoken: changes of the open page and of the glass over the table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from armoon.messages import language, speaking_of
from armoon.sinks.moment import Moment
from armoon.sinks.sink import NamedSink, Rule
from armoon.speech_output.engines import FULL, USUAL_WPM, spoken_s
from armoon.speech_output.link import SpeakerLink
from armoon.speech_output.order import Urgency, Utterance
from armoon.speech_output.telling import NO_GLASS, Teller
from armoon.values.choices import Speech


class Voice(Protocol):
    """What says it."""

    @property
    def speaking(self) -> bool:
        """Something is being said."""

    def settle(self, language: str, wpm: int, loud: int) -> None:
        """In this language, so fast and so loud from now on."""

    def say(self, one: Utterance) -> None:
        """Say this when it is its turn."""

    def hush(self) -> None:
        """Drop all pending utterances."""

    def close(self) -> None:
        """Be silent."""


class SpeechSink(NamedSink):
    """Says what is new; its voice is begun with the first word."""

    word = "speech"
    rule = Rule.QUEUES
    capacity = 64

    def __init__(
        self,
        words: Callable[[], Mapping[str, str]] = dict,
        begin: Callable[[], Voice] = SpeakerLink,
    ) -> None:
        """``words`` is what the game at the table calls its things."""
        self._words, self._begin = words, begin
        self._teller = Teller()
        self._voice: Voice | None = None
        self._speech, self._wpm, self._loud = Speech.OFF, 0, FULL
        self._settled: tuple[str, int, int] | None = None
        self._offer = ""
        self._events_s = self._texts_s = 0.0
        """Until then events, and a page's texts, are about to be said, by the loop's clock."""

    def settle(self, speech: Speech, wpm: int, loud: int = FULL) -> None:
        """How much is said, how fast, and how loud."""
        if self._speech is not speech:
            self._teller.forget()
        self._speech, self._wpm, self._loud = speech, wpm, loud
        if speech is not Speech.OFF:
            self._offer = ""

    def offer(self, words: str) -> None:
        """Say this once, over the first page, unless everything is read aloud by then."""
        self._offer = words

    def busy(self, now_s: float) -> bool:
        """Whether its queue is about this full, so that a player who scans by ear doesn't hear yet what is lit."""
        return self._speech is not Speech.OFF and now_s < max(self._events_s, self._texts_s)

    @property
    def speaking(self) -> bool:
        """The voice is to be heard now."""
        return self._voice is not None and self._voice.speaking

    def hush(self) -> None:
        """Stop speaking: somebody else wants to."""
        if self.speaking and self._voice is not None:
            self._voice.hush()

    def again(self) -> None:
        """Say once more what is to be seen now."""
        self._teller.forget()

    def part(self, moment: Moment) -> tuple[Utterance | tuple[str, int, int], ...] | None:
        """Return new utterances, preceded by changed voice settings."""
        if self._speech is Speech.OFF:
            if self._offer and moment.shown:
                words, self._offer = self._offer, ""
                return ((language(), USUAL_WPM, FULL), Utterance(words))
            spoke, self._settled = self._settled is not None, None
            return () if spoke else None
        if not moment.shown:
            return None
        glass = NO_GLASS if moment.scene is None else moment.scene().hud
        with speaking_of(self._words()):
            told = self._teller.tell(moment.page, glass, self._speech, moment.now_s)
        self._reckon(told, moment.now_s)
        said: tuple[Utterance | tuple[str, int, int], ...] = told
        settled = (language(), self._wpm, self._loud)
        if said and settled != self._settled:
            self._settled = settled
            said = (settled, *said)
        return said or None

    def _reckon(self, told: tuple[Utterance, ...], now_s: float) -> None:
        """How long it takes to say all that."""
        for one in told:
            lasts_s = spoken_s(one.words, max(1, self._wpm))
            if one.urgency is Urgency.PAGE:
                self._texts_s = 0.0
            if one.urgency is Urgency.EVENT:
                self._events_s = max(now_s, self._events_s, self._texts_s) + lasts_s
            elif one.urgency is not Urgency.FOCUS:
                self._texts_s = max(now_s, self._events_s, self._texts_s) + lasts_s

    def take(self, part: tuple[Utterance | tuple[str, int, int], ...]) -> None:
        """Speak it; an empty text means silence. Raises SpeechError."""
        if not part:
            if self._voice is not None:
                self._voice.hush()
            return
        if self._voice is None:
            self._voice = self._begin()
        for one in part:
            if isinstance(one, Utterance):
                self._voice.say(one)
            else:
                self._voice.settle(*one)

    def close(self) -> None:
        """Be silent."""
        if self._voice is not None:
            self._voice.close()
