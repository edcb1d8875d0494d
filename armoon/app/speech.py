"""Voice control, reading aloud, screen readers and sound switches.

Releasing a ladder by voice needs a second phrase. A lost microphone is reported once; the game never waits for it.
"""

from __future__ import annotations

import queue
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from armoon.app.front import Front
from armoon.errors import ArmoonError
from armoon.inputs.switch import LoudSwitch
from armoon.messages import language, speaking_of, text
from armoon.processes.child import LineChild
from armoon.screen_reader.link import ReaderError, ReaderLink, can_read
from armoon.screen_reader.tree import NOWHERE, NodeNumbers, TableObject, Tree, tree_of
from armoon.screens.events import Event
from armoon.screens.input import WidgetAction, WidgetRequest
from armoon.screens.layout import set_preference
from armoon.screens.measuring import OwnPhrases
from armoon.screens.state import PageName
from armoon.settings.files import voice_folder
from armoon.settings.preferences import LOUDEST, Preferences
from armoon.sinks.sink import LazyValue, Moment, Sink
from armoon.sinks.sound import SpeechSink
from armoon.sound.cues import Stops
from armoon.sound.microphone import RATE_HZ, Microphone, level_db, open_microphone
from armoon.sound.player import Player
from armoon.speech_output.narration import Captions
from armoon.speech_output.speaker import find_engine
from armoon.values.acts import BY_PHRASE, NUMBERS, Act
from armoon.values.choices import CallWord, ListenMode, PhraseSet, ReaderUse, Speech, Way
from armoon.values.page import Page, Rect
from armoon.values.scene import Scene, SceneHud

#: Seconds for which recognized words stay on the screen, and for which a second phrase is awaited.
SHOWN_S, ASKED_S = 4.0, 10.0
#: Acts that pages handle themselves; all others make a choice at the table, or ask the game.
_ON_PAGES = (Act.NEXT, Act.PREVIOUS, Act.TAKE, Act.MENU, Act.RULES)
#: Buttons that always need a second phrase.
_CONFIRMED = {f"choose {act.word}" for act in Act if act.row.confirmed}
_LISTENS = {Act.LISTEN: ListenMode.OPEN, Act.STOP_LISTENING: ListenMode.PUSH}
#: Buttons that mean yes, and the one that means no, on pages with a question.
_ANSWERED, _STAY = ("leave", "give_up", "quit"), "stay"


class ListenerLink:
    """The listening process; must be closed."""

    def __init__(self) -> None:
        self._incoming: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self._child = LineChild("armoon.speech_recognition.listener", self._incoming.put)
        self._gone = False

    def set_talking(self, talking: bool) -> None:
        self._child.send(talk=talking)

    def send_order(self, **wanted: object) -> None:
        """Send settings to ``listener``: the call word, whether to ignore speech, whose phrases count."""
        self._child.send(**wanted)

    def drain_messages(self) -> list[dict[str, Any]]:
        """Return its messages since the last call: ``heard``, ``ready``, or ``trouble`` once it has ended."""
        lines = []
        while not self._incoming.empty():
            lines.append(self._incoming.get())
        if not self._child.is_alive and not self._gone:
            self._gone = True
            if not any("trouble" in line for line in lines):
                lines.append({"trouble": "gone"})
        return lines

    def close(self) -> None:
        self._child.close()


class VoiceControl:
    """Voice control of one session; must be closed."""

    def __init__(
        self,
        front: Front,
        press: Callable[[Act], None],
        again: Callable[[], None],
        say: Callable[[str], None],
        begin: Callable[[], ListenerLink] = ListenerLink,
    ) -> None:
        """``press`` requests an act, ``again`` repeats the screen's text, ``front`` presses buttons."""
        self._front, self._press, self._again, self._say = front, press, again, say
        self._begin = begin
        self._settled: tuple[Preferences, OwnPhrases | None] | None = None
        self._listener: ListenerLink | None = None
        self._wanted = False
        self._asked: tuple[str, float] | None = None
        """Button that a second phrase presses, and the time limit."""
        self._line, self._line_until_s, self._now_s = "", 0.0, 0.0
        self._troubled = self._deaf = self._own = False
        """Three flags: no microphone works; the game is speaking; the player's own phrases count."""

    def poll(self) -> None:
        screens = self._front.screens
        own_phrases = screens.phrases if screens.page is PageName.PHRASES else None
        if (screens.preferences, own_phrases) != self._settled:
            self._settled = (screens.preferences, own_phrases)
            self._apply_preferences(screens.preferences, own_phrases)

    def _apply_preferences(self, preferences: Preferences, own_phrases: OwnPhrases | None) -> None:
        wanted = preferences.way is Way.VOICE or own_phrases is not None
        if wanted and not self._wanted:
            self._troubled, self._own = False, False
            self._listener = self._begin()
        elif not wanted:
            self.close()
        self._wanted = wanted
        if self._listener is None:
            return
        own = preferences.phrases is PhraseSet.OWN or own_phrases is not None
        if own is not self._own:
            self._own = own
            self._listener.send_order(own=str(voice_folder()) if own else "", language=language())
        call = "" if preferences.calls is CallWord.NONE else preferences.calls.value
        self._listener.send_order(call=call, learn="" if own_phrases is None else own_phrases.asked)
        if own_phrases is not None and own_phrases.forget:
            self._listener.send_order(forget=True)

    def set_deaf(self, deaf: bool) -> None:
        if self._listener is not None and deaf is not self._deaf:
            self._deaf = deaf
            self._listener.send_order(deaf=deaf)

    def set_talking(self, pressed: bool) -> bool:
        if self._listener is None:
            return False
        self._listener.set_talking(pressed)
        if pressed:
            self._show_line(text("voice.listening"))
        return True

    def carry_out_phrases(self, page: Page, now_s: float) -> str:
        """Carry out recognized phrases, once per frame; return the line to show."""
        self._now_s = now_s
        if self._asked is not None and now_s > self._asked[1]:
            self._asked = None
        for lines in () if self._listener is None else self._listener.drain_messages():
            if "ready" in lines and self._troubled:
                self._troubled = False
                self._report(text("voice.back"))
            elif "trouble" in lines:
                self._handle_trouble(lines)
            elif "damaged" in lines:
                self._report(lines["damaged"])
            elif "kept" in lines:
                screens = self._front.screens
                self._front.change(phrases=screens.phrases.with_counts(lines["kept"]))
            elif "heard" in lines:
                self._handle_phrase(lines, page)
        return self._line if self._now_s < self._line_until_s else ""

    def close(self) -> None:
        if self._listener is not None:
            self._listener.close()
        self._listener, self._asked, self._deaf = None, None, False

    def _handle_phrase(self, line: dict[str, Any], page: Page) -> None:
        act, like = BY_PHRASE.get(str(line["heard"])), str(line.get("like", ""))
        meant = line.get("pushed", True)
        if not (meant or act is Act.LISTEN or self._front.screens.preferences.listens is ListenMode.OPEN):
            return
        if act is not None:
            self._carry_out(act, page)
        elif line.get("called"):
            self._show_line(text("voice.listening"), ASKED_S / 2.0)
        elif meant:
            like = self._phrase_of(BY_PHRASE[like]) if like in BY_PHRASE else ""
            self._show_line(text("voice.unsure", like=like) if like else text("voice.nothing"))

    def _carry_out(self, act: Act, page: Page) -> None:
        self._show_line(text("voice.heard", words=self._phrase_of(act)))
        asked, self._asked = self._asked, None
        names = [widget.name for widget in page.widgets]
        focused = next((widget.name for widget in page.widgets if widget.focused), "")
        choice = focused if act is Act.TAKE else f"choose {act.word}"
        choice = f"choose place {NUMBERS[act]}" if act in NUMBERS else choice
        if act is Act.YES:
            if asked is not None:
                self._press_button(asked[0], names, act)
            elif answers := [name for name in names if name in _ANSWERED]:
                self._press_button(answers[0], names, act)
        elif act is Act.SAY_AGAIN:
            self._again()
        elif act in _LISTENS:
            self._front.press(lambda screens: set_preference(screens, "listens", _LISTENS[act]))
        elif choice in names and choice in _CONFIRMED:
            self._ask_confirmation(choice)
        elif act in _ON_PAGES or (act.row.table and choice not in names and not act.row.confirmed):
            self._press(act)
        elif act is Act.NO:
            if asked is None and _STAY in names:
                self._press_button(_STAY, names, act)
        else:
            self._press_button(choice, names, act)

    def _press_button(self, name: str, names: list[str], act: Act) -> None:
        if name in names:
            self._front.handle(WidgetRequest(name))
        else:
            self._show_line(text("voice.not_now", words=self._phrase_of(act)))

    def _ask_confirmation(self, name: str) -> None:
        self._asked = (name, self._now_s + ASKED_S)
        word = name.removeprefix("choose ")
        question = text(f"voice.asks_own_{word}") if self._own else text(f"voice.asks_{word}")
        self._show_line(question, ASKED_S)

    def _phrase_of(self, act: Act) -> str:
        return text(act.text_key) if self._own else act.row.phrase

    def _handle_trouble(self, line: dict[str, Any]) -> None:
        if self._troubled:
            return
        self._troubled = True
        if line["trouble"] != "microphone":
            self.close()
        why = str(line.get("why", "")) or text("speech.gone")
        self._report(text(f"voice.trouble_{line['trouble']}", why=why))

    def _report(self, sentence: str) -> None:
        self._say(sentence)
        self._show_line(sentence, 2.0 * SHOWN_S)

    def _show_line(self, line: str, seconds: float = SHOWN_S) -> None:
        self._line, self._line_until_s = line, self._now_s + seconds


#: Page for captions over a game without pages.
_CAPTIONED = Page("", (), 0.0)


class AudioAids:
    """Adds captions and tones to moments by the players' preferences; its voice is a sink."""

    def __init__(
        self,
        words: Callable[[], Mapping[str, str]],
        player: Player | None = None,
        turn_on: Callable[[], None] = lambda: None,
    ) -> None:
        """``words``: the game's own terms; ``player``: sound output; ``turn_on`` turns on reading aloud."""
        self._turn_on = turn_on
        self._player = player or Player()
        self.voice = SpeechSink(words)
        self.talking: VoiceControl | None = None
        self.mirrored = False
        self.words = words
        self._captions = Captions()
        self._stops = Stops()
        self._wanted = Preferences()

    def apply_preferences(self, preferences: Preferences) -> None:
        self._wanted = preferences
        volume, night = preferences.volume / LOUDEST, preferences.music_volume / LOUDEST
        self._player.set_volume(volume, preferences.muted, night)
        self._player.set_mono(preferences.mono)
        self._player.set_ambience(preferences.ambience and not preferences.muted)
        self.voice.configure(
            preferences.speech, preferences.speech_wpm, preferences.voice_volume * 100 // LOUDEST
        )

    def handle_act(self, act: Act | None, pressed: bool) -> bool:
        if act is not Act.SAY_AGAIN:
            if act is not Act.TALK or self.talking is None:
                return False
            self.voice.hush()
            return self.talking.set_talking(pressed)
        if pressed and self._wanted.speech is Speech.OFF:
            self._turn_on()
        elif pressed:
            self.voice.again()
        return True

    def offer_reading(self) -> None:
        """Say once that everything can be read aloud, if speech works."""
        if find_engine() is not None:
            self.voice.offer(text("speech.offer"))

    def add_aids(self, moment: Moment, scene: Callable[[], Scene] | None) -> Moment:
        """Return the moment with tones, and captions on its page; ``scene``: the current one."""
        if self._wanted.stops and scene is not None:
            tones, cues = self._stops.tones_for(scene(), mirrored=self.mirrored), moment.cues
            moment = replace(moment, cues=LazyValue(lambda: (*cues(), *tones)))
        spoken = ""
        if self.talking is not None:
            self.talking.set_deaf(self.voice.speaking)
            spoken = self.talking.carry_out_phrases(moment.page or _CAPTIONED, moment.now_s)
        if not (self._wanted.captions or spoken):
            return moment
        lines: tuple[str, ...] = ()
        if self._wanted.captions:
            with speaking_of(self.words()):
                self._captions.add_cues(moment.cues(), moment.now_s)
            lines = self._captions.lines(moment.now_s)
        page = replace(
            moment.page or _CAPTIONED,
            captions=(*lines, spoken) if spoken else lines,
            text_scale=self._wanted.text_scale if moment.page is None else moment.page.text_scale,
        )
        return replace(moment, page=page)


#: Returns areas of the display's texts by name, and the things on the table.
ThingFinder = Callable[[Scene], tuple[Mapping[str, Rect], tuple[TableObject, ...]]]
#: Interval of trees that differ only in places of things, in seconds.
MOVES_S = 0.25


class ScreenReaders:
    """The screen readers' process as a window listener; a fault is reported once and ends it."""

    def __init__(self, use: ReaderUse, say: Callable[[str], None], tell: Callable[[Event], None]) -> None:
        """``say`` gets the fault, ``tell`` the readers' requests. Raises ReaderError on unsupported systems."""
        self._say, self._tell = say, tell
        wanted = use is ReaderUse.ON or (use is ReaderUse.AUTO and can_read())
        self._reader = ReaderLink() if wanted else None

    @property
    def listener(self) -> ScreenReaders | None:
        return None if self._reader is None else self

    def sinks(self, words: Callable[[], Mapping[str, str]], look: ThingFinder) -> tuple[ReaderSink, ...]:
        """Return the sinks of screen readers; ``words``: the game's own terms."""
        return () if self._reader is None else (ReaderSink(self._reader, words, look),)

    def set_bounds(self, bounds: tuple[float, float, float, float], size: tuple[int, int]) -> None:
        if self._reader is not None:
            self._reader.set_bounds(bounds, size)

    def set_focus(self, focused: bool) -> None:
        if self._reader is not None:
            self._reader.set_focus(focused)

    def poll(self) -> None:
        if self._reader is None:
            return
        try:
            for widget, what in self._reader.drain_requests():
                self._tell(WidgetRequest(widget, WidgetAction(what)))
        except ReaderError as error:
            self.close()
            self._say(str(error))

    def close(self) -> None:
        if self._reader is not None:
            self._reader.close()
        self._reader = None


class ReaderSink(Sink):
    """A sink in the loop, which sends only changes and never waits."""

    word = "reader"

    def __init__(
        self,
        reader: ReaderLink,
        words: Callable[[], Mapping[str, str]] = dict,
        look: ThingFinder = lambda scene: (NOWHERE, ()),
    ) -> None:
        """``words``: the game's own terms; ``look`` finds the places of texts and things."""
        self._reader, self._words, self._look = reader, words, look
        self._numbers = NodeNumbers()
        self._seen: tuple[Page | None, SceneHud] | None = None
        self._next_s = 0.0

    def select(self, moment: Moment) -> Tree | None:
        """Return the screen's tree if a reader listens and texts have changed or things may have moved."""
        if not (moment.shown and self._reader.wanted):
            return None
        scene = None if moment.scene is None else moment.scene()
        seen = (moment.page, SceneHud() if scene is None else scene.hud)
        if seen == self._seen and moment.now_s < self._next_s:
            return None
        self._seen, self._next_s = seen, moment.now_s + MOVES_S
        with speaking_of(self._words()):
            places, things = ({}, ()) if scene is None else self._look(scene)
            return tree_of(*seen, self._numbers, places, things)

    def process(self, part: Tree) -> None:
        """Send the tree. Raises ReaderError."""
        self._reader.publish(part)


class LoudSoundSwitch:
    """A microphone, open while a loud sound is used as a switch."""

    def __init__(
        self, front: Front, say: Callable[[str], None], opening: Callable[[], Microphone] = open_microphone
    ) -> None:
        """``say`` gets the reason for a missing microphone, once for each attempt."""
        self._front, self._say, self._opening = front, say, opening
        self._microphone: Microphone | None = None
        self._switch = LoudSwitch()
        self._wanted = False

    def poll(self) -> None:
        preferences = self._front.screens.preferences
        wanted = preferences.loud_switch and preferences.scans
        if wanted is not self._wanted:
            self._wanted = wanted
            self.close()
            if wanted:
                self._open()
        if self._microphone is None:
            return
        for block in self._microphone.drain_messages():
            self._switch.add_level(level_db(block), len(block) / RATE_HZ)
        for down in self._switch.drain_edges():
            self._front.handle_loud_sound(down)

    def close(self) -> None:
        if self._microphone is not None:
            self._microphone.close()
            self._microphone = None

    def _open(self) -> None:
        self._switch = LoudSwitch()
        try:
            self._microphone = self._opening()
        except ArmoonError as error:
            self._say(str(error))
