"""Voice control, reading aloud, screen readers and sound switches.

Some acts by voice, such as releasing a ladder, need a second phrase. A lost microphone is reported once; the game
never waits for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from armoon.app.front import Front
from armoon.errors import ArmoonError
from armoon.inputs.switch import LoudSwitch
from armoon.messages import language, speaking_of, text
from armoon.processes.child import Worker
from armoon.screen_reader.link import ReaderError, ReaderLink, supports_readers
from armoon.screen_reader.tree import NOWHERE, TableObject, Tree, build_tree
from armoon.screens.layout import set_preference
from armoon.screens.machine import request_widget
from armoon.screens.measuring import PhraseRecording
from armoon.screens.state import PageName, WidgetAction
from armoon.settings.files import voice_folder
from armoon.settings.preferences import MAX_VOLUME, Preferences
from armoon.sinks.sink import LazyValue, Moment, Sink
from armoon.sinks.sound import SpeechSink
from armoon.sound.cues import PositionTones
from armoon.sound.microphone import RATE_HZ, Microphone, measure_level_db, open_microphone
from armoon.sound.player import Player
from armoon.speech_output.narration import Captions
from armoon.speech_output.speaker import find_engine
from armoon.speech_recognition.listener import serve_listener
from armoon.values.acts import BY_PHRASE, NUMBERS, Act
from armoon.values.choices import CallWord, ListenMode, PhraseSet, ReaderUse, Speech, Way
from armoon.values.page import Page, Rect
from armoon.values.scene import Scene, SceneHud

#: Seconds for which recognised words stay on the screen, and within which a second phrase must follow.
SHOWN_S, CONFIRM_S = 4.0, 10.0
#: Acts handled by pages; all others take a choice at the table or go to the game.
_PAGE_ACTS = (Act.NEXT, Act.PREVIOUS, Act.TAKE, Act.MENU, Act.RULES)
#: Buttons that always need a second phrase.
_CONFIRMED_BUTTONS = {f"choose {act.word}" for act in Act if act.row.confirmed}
_LISTEN_MODES = {Act.LISTEN: ListenMode.OPEN, Act.STOP_LISTENING: ListenMode.PUSH}
#: Buttons that answer yes, and the button that answers no, on pages with a question.
_CONFIRM_BUTTONS, _CANCEL_BUTTON = ("leave", "give_up", "quit"), "stay"


class ListenerLink(Worker):
    """The process that listens to the microphone; must be closed."""

    def __init__(self) -> None:
        self._reported_end = False
        super().__init__("listener", serve_listener)

    def drain_messages(self) -> Iterator[dict[str, Any]]:
        """Yield the process's messages since the last call, and one ``error`` after it has ended."""
        has_ended = not self.is_alive
        yield from super().drain_messages()
        if has_ended and not self._reported_end:
            self._reported_end = True
            yield {"error": "gone"}


class VoiceControl:
    """Voice control of one session; must be closed."""

    def __init__(
        self,
        front: Front,
        press: Callable[[Act], None],
        repeat: Callable[[], None],
        notify: Callable[[str], None],
        start_listener: Callable[[], ListenerLink] = ListenerLink,
    ) -> None:
        """``press`` requests an act; ``repeat`` reads the screen's text again; ``notify`` gets faults."""
        self._front, self._press, self._repeat, self._notify = front, press, repeat, notify
        self._start_listener = start_listener
        self._applied_settings: tuple[Preferences, PhraseRecording | None] | None = None
        self._listener: ListenerLink | None = None
        self._is_wanted = False
        self._unconfirmed: tuple[str, float] | None = None
        """The button that a second phrase presses, and the time limit for it."""
        self._line, self._line_until_s, self._now_s = "", 0.0, 0.0
        self._has_failed = self._is_muted = self._uses_own_phrases = False
        """Whether voice control has failed, whether the listener ignores speech, and whether own phrases are used."""

    def poll(self) -> None:
        screens = self._front.screens
        own_phrases = screens.phrases if screens.page is PageName.PHRASES else None
        if (screens.preferences, own_phrases) != self._applied_settings:
            self._applied_settings = (screens.preferences, own_phrases)
            self._apply_preferences(screens.preferences, own_phrases)

    def _apply_preferences(self, preferences: Preferences, own_phrases: PhraseRecording | None) -> None:
        is_wanted = preferences.way is Way.VOICE or own_phrases is not None
        if is_wanted and not self._is_wanted:
            self._has_failed, self._uses_own_phrases = False, False
            self._listener = self._start_listener()
        elif not is_wanted:
            self.close()
        self._is_wanted = is_wanted
        if self._listener is None:
            return
        uses_own = preferences.phrases is PhraseSet.OWN or own_phrases is not None
        if uses_own is not self._uses_own_phrases:
            self._uses_own_phrases = uses_own
            self._listener.send({"folder": str(voice_folder()) if uses_own else "", "language": language()})
        call = "" if preferences.calls is CallWord.NONE else preferences.calls.value
        self._listener.send({"call": call, "learn": "" if own_phrases is None else own_phrases.asked})
        if own_phrases is not None and own_phrases.should_delete:
            self._listener.send({"delete": True})

    def set_muted(self, muted: bool) -> None:
        if self._listener is not None and muted is not self._is_muted:
            self._is_muted = muted
            self._listener.send({"muted": muted})

    def set_talking(self, pressed: bool) -> bool:
        if self._listener is None:
            return False
        self._listener.send({"talk": pressed})
        if pressed:
            self._show_line(text("voice.listening"))
        return True

    def carry_out_phrases(self, page: Page, now_s: float) -> str:
        """Carry out the phrases recognised since the last frame; return the line to show."""
        self._now_s = now_s
        if self._unconfirmed is not None and now_s > self._unconfirmed[1]:
            self._unconfirmed = None
        for message in () if self._listener is None else self._listener.drain_messages():
            if "ready" in message and self._has_failed:
                self._has_failed = False
                self._report(text("voice.back"))
            elif "error" in message:
                self._handle_error(message)
            elif "damaged" in message:
                self._report(message["damaged"])
            elif "counts" in message:
                screens = self._front.screens
                self._front.change(phrases=screens.phrases.with_counts(message["counts"]))
            elif "phrase" in message:
                self._handle_phrase(message, page)
        return self._line if self._now_s < self._line_until_s else ""

    def close(self) -> None:
        if self._listener is not None:
            self._listener.close(patience_s=0.0)
        self._listener, self._unconfirmed, self._is_muted = None, None, False

    def _handle_phrase(self, message: dict[str, Any], page: Page) -> None:
        act, similar = BY_PHRASE.get(str(message["phrase"])), str(message.get("likeliest", ""))
        is_pushed = message.get("pushed", True)
        if not (is_pushed or act is Act.LISTEN or self._front.screens.preferences.listens is ListenMode.OPEN):
            return
        if act is not None:
            self._carry_out(act, page)
        elif message.get("called"):
            self._show_line(text("voice.listening"), CONFIRM_S / 2.0)
        elif is_pushed:
            similar = self._get_phrase(BY_PHRASE[similar]) if similar in BY_PHRASE else ""
            self._show_line(text("voice.unsure", like=similar) if similar else text("voice.nothing"))

    def _carry_out(self, act: Act, page: Page) -> None:
        self._show_line(text("voice.heard", words=self._get_phrase(act)))
        unconfirmed, self._unconfirmed = self._unconfirmed, None
        names = [widget.name for widget in page.widgets]
        focused = next((widget.name for widget in page.widgets if widget.focused), "")
        choice = focused if act is Act.TAKE else f"choose {act.word}"
        choice = f"choose place {NUMBERS[act]}" if act in NUMBERS else choice
        if act is Act.YES:
            if unconfirmed is not None:
                self._press_button(unconfirmed[0], names, act)
            elif answers := [name for name in names if name in _CONFIRM_BUTTONS]:
                self._press_button(answers[0], names, act)
        elif act is Act.SAY_AGAIN:
            self._repeat()
        elif act in _LISTEN_MODES:
            self._front.apply(set_preference, "listens", _LISTEN_MODES[act])
        elif choice in names and choice in _CONFIRMED_BUTTONS:
            self._ask_confirmation(choice)
        elif act in _PAGE_ACTS or (act.row.table and choice not in names and not act.row.confirmed):
            self._press(act)
        elif act is Act.NO:
            if unconfirmed is None and _CANCEL_BUTTON in names:
                self._press_button(_CANCEL_BUTTON, names, act)
        else:
            self._press_button(choice, names, act)

    def _press_button(self, name: str, names: list[str], act: Act) -> None:
        if name in names:
            self._front.apply(request_widget, name)
        else:
            self._show_line(text("voice.not_now", words=self._get_phrase(act)))

    def _ask_confirmation(self, name: str) -> None:
        self._unconfirmed = (name, self._now_s + CONFIRM_S)
        word = name.removeprefix("choose ")
        question = text(f"voice.asks_own_{word}") if self._uses_own_phrases else text(f"voice.asks_{word}")
        self._show_line(question, CONFIRM_S)

    def _get_phrase(self, act: Act) -> str:
        return text(act.text_key) if self._uses_own_phrases else act.row.phrase

    def _handle_error(self, message: dict[str, Any]) -> None:
        if self._has_failed:
            return
        self._has_failed = True
        if message["error"] != "microphone":
            self.close()
        reason = str(message.get("why", "")) or text("speech.gone")
        self._report(text(f"voice.trouble_{message['error']}", why=reason))

    def _report(self, sentence: str) -> None:
        self._notify(sentence)
        self._show_line(sentence, 2.0 * SHOWN_S)

    def _show_line(self, line: str, seconds: float = SHOWN_S) -> None:
        self._line, self._line_until_s = line, self._now_s + seconds


#: Page of the captions over a game without pages.
_CAPTION_PAGE = Page("", (), 0.0)


class AudioAids:
    """Adds captions and tones to moments as the preferences require; its voice is a sink."""

    def __init__(
        self,
        words: Callable[[], Mapping[str, str]],
        player: Player | None = None,
        turn_on: Callable[[], None] = lambda: None,
    ) -> None:
        """``words`` returns the game's own terms; ``player``: sound output; ``turn_on`` turns on reading aloud."""
        self._turn_on = turn_on
        self._player = player or Player()
        self.voice = SpeechSink(words)
        self.voice_control: VoiceControl | None = None
        self.mirrored = False
        self.words = words
        self._captions = Captions()
        self._tones = PositionTones()
        self._preferences = Preferences()

    def apply_preferences(self, preferences: Preferences) -> None:
        self._preferences = preferences
        is_audible = not preferences.muted
        self._player.configure(
            is_audible * preferences.volume / MAX_VOLUME,
            is_audible * preferences.music_volume / MAX_VOLUME,
            mono=preferences.mono,
            ambience=is_audible and preferences.ambience,
        )
        self.voice.configure(
            preferences.speech, preferences.speech_wpm, preferences.voice_volume * 100 // MAX_VOLUME
        )

    def handle_act(self, act: Act, pressed: bool) -> bool:
        """Repeat the screen's text, or listen while ``TALK`` is pressed; return whether the act was used."""
        if act is Act.TALK:
            if self.voice_control is None:
                return False
            self.voice.silence()
            return self.voice_control.set_talking(pressed)
        if pressed and self._preferences.speech is Speech.OFF:
            self._turn_on()
        elif pressed:
            self.voice.repeat_page()
        return True

    def offer_reading(self) -> None:
        """Announce once that everything can be read aloud, if speech works."""
        if find_engine() is not None:
            self.voice.set_offer(text("speech.offer"))

    def add_aids(self, moment: Moment, scene: Callable[[], Scene] | None) -> Moment:
        """Return the moment with tones, and with captions on its page; ``scene`` returns the current scene."""
        if self._preferences.stops and scene is not None:
            tones, cues = self._tones.find_tones(scene(), mirrored=self.mirrored), moment.cues
            moment = replace(moment, cues=LazyValue(lambda: (*cues(), *tones)))
        spoken = ""
        if self.voice_control is not None:
            self.voice_control.set_muted(self.voice.speaking)
            spoken = self.voice_control.carry_out_phrases(moment.page or _CAPTION_PAGE, moment.now_s)
        if not (self._preferences.captions or spoken):
            return moment
        lines: tuple[str, ...] = ()
        if self._preferences.captions:
            with speaking_of(self.words()):
                self._captions.add_cues(moment.cues(), moment.now_s)
            lines = self._captions.get_lines(moment.now_s)
        page = replace(
            moment.page or _CAPTION_PAGE,
            captions=(*lines, spoken) if spoken else lines,
            text_scale=self._preferences.text_scale if moment.page is None else moment.page.text_scale,
        )
        return replace(moment, page=page)


#: Returns areas of the display's texts by name, and the objects on the table.
AreaFinder = Callable[[Scene], tuple[Mapping[str, Rect], tuple[TableObject, ...]]]
#: Minimum interval between trees that differ only in the areas of objects, in seconds.
AREA_INTERVAL_S = 0.25


class ScreenReaders:
    """Passes the window's events to the screen readers' process; reports a fault, and then closes the process."""

    def __init__(
        self, use: ReaderUse, notify: Callable[[str], None], ask: Callable[[str, WidgetAction], None]
    ) -> None:
        """``notify`` gets the fault, ``ask`` the readers' requests. Raises ReaderError on unsupported systems."""
        self._notify, self._ask = notify, ask
        is_wanted = use is ReaderUse.ON or (use is ReaderUse.AUTO and supports_readers())
        self._reader = ReaderLink() if is_wanted else None

    @property
    def listener(self) -> ScreenReaders | None:
        return None if self._reader is None else self

    def make_sinks(
        self, words: Callable[[], Mapping[str, str]], find_areas: AreaFinder
    ) -> tuple[ReaderSink, ...]:
        """Return the sinks of screen readers; ``words`` returns the game's own terms."""
        return () if self._reader is None else (ReaderSink(self._reader, words, find_areas),)

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
            for widget, action in self._reader.drain_requests():
                self._ask(widget, WidgetAction(action))
        except ReaderError as error:
            self.close()
            self._notify(str(error))

    def close(self) -> None:
        if self._reader is not None:
            self._reader.close()
        self._reader = None


class ReaderSink(Sink):
    """Sends the screen to screen readers whenever it changes; never waits for them."""

    word = "reader"

    def __init__(
        self,
        reader: ReaderLink,
        words: Callable[[], Mapping[str, str]] = dict,
        find_areas: AreaFinder = lambda scene: (NOWHERE, ()),
    ) -> None:
        """``words`` returns the game's own terms; ``find_areas`` the areas of texts and objects."""
        self._reader, self._words, self._find_areas = reader, words, find_areas
        self._last: tuple[Page | None, SceneHud] | None = None
        self._next_s = 0.0

    def select(self, moment: Moment) -> Tree | None:
        """Return the screen's tree if a reader is running, and texts have changed or objects may have moved."""
        if not (moment.shown and self._reader.is_connected):
            return None
        scene = None if moment.scene is None else moment.scene()
        shown = (moment.page, SceneHud() if scene is None else scene.hud)
        if shown == self._last and moment.now_s < self._next_s:
            return None
        self._last, self._next_s = shown, moment.now_s + AREA_INTERVAL_S
        with speaking_of(self._words()):
            areas, objects = ({}, ()) if scene is None else self._find_areas(scene)
            return build_tree(*shown, areas, objects)

    def process(self, data: Tree) -> None:
        """Send the tree. Raises ReaderError."""
        self._reader.publish(data)


class LoudSoundSwitch:
    """Uses loud sounds as a switch; the microphone is open only while the player's settings need it."""

    def __init__(
        self, front: Front, notify: Callable[[str], None], connect: Callable[[], Microphone] = open_microphone
    ) -> None:
        """``notify`` gets a sentence if no microphone can be opened."""
        self._front, self._notify, self._connect = front, notify, connect
        self._microphone: Microphone | None = None
        self._switch = LoudSwitch()
        self._is_wanted = False

    def poll(self) -> None:
        preferences = self._front.screens.preferences
        is_wanted = preferences.loud_switch and preferences.uses_switch
        if is_wanted is not self._is_wanted:
            self._is_wanted = is_wanted
            self.close()
            if is_wanted:
                self._open()
        if self._microphone is None:
            return
        for block in self._microphone.drain_blocks():
            self._switch.add_level(measure_level_db(block), len(block) / RATE_HZ)
        for down in self._switch.drain_edges():
            self._front.handle_loud_sound(down)

    def close(self) -> None:
        if self._microphone is not None:
            self._microphone.close()
            self._microphone = None

    def _open(self) -> None:
        self._switch = LoudSwitch()
        try:
            self._microphone = self._connect()
        except ArmoonError as error:
            self._notify(str(error))
