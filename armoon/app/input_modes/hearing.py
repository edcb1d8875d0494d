"""The sound of an evening or a game for players who listen: captions, tones for places, and the voice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from armoon.app.input_modes.talking import Talking
from armoon.messages import speaking_of, text
from armoon.settings.preferences import LOUDEST, Preferences
from armoon.sinks.moment import Moment, Once
from armoon.sinks.speech import SpeechSink
from armoon.sound.player import NoPlayer, Player
from armoon.sound.stops import Stops
from armoon.speech_output.captions import Captions
from armoon.speech_output.engines import find_engine
from armoon.values.acts import Act
from armoon.values.choices import Speech
from armoon.values.page import Page
from armoon.values.scene import Scene

#: Over a game without pages captions stand on this.
_CAPTIONED = Page("", (), 0.0)


class Hearing:
    """Adds captions and tones to moments, as the players want them; its voice is a sink."""

    def __init__(
        self,
        words: Callable[[], Mapping[str, str]],
        player: Player | None = None,
        turn_on: Callable[[], None] = lambda: None,
    ) -> None:
        """``words`` is what the game at the table calls its things; ``player`` is the loudspeaker.

        ``turn_on`` has everything read aloud from now on.
        """
        self._turn_on = turn_on
        self._player = player or NoPlayer()
        self.voice = SpeechSink(words)
        self.talking: Talking | None = None
        """Playing by voice; None where it isn't available."""
        self.mirrored = False
        """The picture shows left and right exchanged."""
        self.words = words
        self._captions = Captions()
        self._stops = Stops()
        self._wanted = Preferences()

    def settle(self, preferences: Preferences) -> None:
        """Apply these settings from now on."""
        self._wanted = preferences
        volume, night = preferences.volume / LOUDEST, preferences.music_volume / LOUDEST
        self._player.set_volume(volume, preferences.muted, night)
        self._player.set_mono(preferences.mono)
        self._player.set_ambience(preferences.ambience and not preferences.muted)
        self.voice.settle(
            preferences.speech, preferences.speech_wpm, preferences.voice_volume * 100 // LOUDEST
        )

    def act(self, act: Act | None, pressed: bool) -> bool:
        """Handle the act's key; return whether it was for the voice."""
        if act is not Act.SAY_AGAIN:
            if act is not Act.TALK or self.talking is None:
                return False
            self.voice.hush()
            return self.talking.talk(pressed)
        if pressed and self._wanted.speech is Speech.OFF:
            self._turn_on()
        elif pressed:
            self.voice.again()
        return True

    def offer(self) -> None:
        """Say once that everything can be read aloud, where something can speak."""
        if find_engine() is not None:
            self.voice.offer(text("speech.offer"))

    def add(self, moment: Moment, scene: Callable[[], Scene] | None) -> Moment:
        """Return the moment with tones, and with captions on its page. ``scene`` is the table as it stands."""
        if self._wanted.stops and scene is not None:
            tones, cues = self._stops.hear(scene(), mirrored=self.mirrored), moment.cues
            moment = replace(moment, cues=Once(lambda: (*cues(), *tones)))
        spoken = ""
        if self.talking is not None:
            self.talking.deafen(self.voice.speaking)
            spoken = self.talking.live(moment.page or _CAPTIONED, moment.now_s)
        if not (self._wanted.captions or spoken):
            return moment
        lines: tuple[str, ...] = ()
        if self._wanted.captions:
            with speaking_of(self.words()):
                self._captions.hear(moment.cues(), moment.now_s)
            lines = self._captions.lines(moment.now_s)
        page = replace(
            moment.page or _CAPTIONED,
            captions=(*lines, spoken) if spoken else lines,
            text_scale=self._wanted.text_scale if moment.page is None else moment.page.text_scale,
        )
        return replace(moment, page=page)
