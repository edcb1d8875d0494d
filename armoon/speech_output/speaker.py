"""The system's text-to-speech program, and the queue of utterances, in which urgent ones cut others short."""

from __future__ import annotations

import contextlib
import enum
import shutil
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from armoon.errors import ArmoonError

#: The engines' default and maximum rates, in words per minute.
DEFAULT_WPM, MAX_WPM = 175, 400
#: The engines' default volume, in per cent.
FULL_VOLUME = 100
#: Length of an average word and its space, in letters.
_LETTERS_PER_WORD = 6.0
_ESPEAK_VOICES = {"en": "en-gb", "fr": "fr-fr"}
_MAC_VOICES = {"fr": ("-v", "Thomas")}


@dataclass(frozen=True)
class Engine:
    """One text-to-speech program."""

    program: str
    arguments: Callable[[str, int], tuple[str, ...]]
    """Arguments for a language and a rate in words per minute."""
    silencer: tuple[str, ...] = ()
    """Command that silences the engine, if stopping the program isn't enough."""
    systems: tuple[str, ...] = ("linux", "darwin", "win32")
    loudness: Callable[[int], tuple[str, ...]] = lambda _: ()
    """Arguments for a volume in per cent; macOS's ``say`` has none."""

    def build_command(self, language: str, wpm: int, volume: int = FULL_VOLUME) -> list[str]:
        loudness = () if volume == FULL_VOLUME else self.loudness(volume)
        return [self.program, *loudness, *self.arguments(language, wpm)]


def _list_dispatcher_arguments(language: str, wpm: int) -> tuple[str, ...]:
    # -100 to 100; speech-dispatcher's voices interpret it differently.
    rate = round(max(-100.0, min(100.0, (wpm - DEFAULT_WPM) / (MAX_WPM - DEFAULT_WPM) * 100.0)))
    return ("-w", "-l", language, "-r", str(rate), "-e")


#: Engines in order of preference: espeak-ng starts ten times faster than speech-dispatcher.
ENGINES = (
    Engine(
        "espeak-ng",
        lambda language, wpm: ("-v", _ESPEAK_VOICES.get(language, language), "-s", str(wpm), "--stdin"),
        loudness=lambda volume: ("-a", str(volume)),
    ),
    Engine(
        "spd-say",
        _list_dispatcher_arguments,
        loudness=lambda volume: ("-i", str(volume - FULL_VOLUME)),
        silencer=("spd-say", "-C"),
        systems=("linux",),
    ),
    Engine(
        "say",
        lambda language, wpm: (*_MAC_VOICES.get(language, ()), "-r", str(wpm), "-f", "-"),
        systems=("darwin",),
    ),
)


def find_engine() -> Engine | None:
    supported = (engine for engine in ENGINES if sys.platform in engine.systems)
    return next((engine for engine in supported if shutil.which(engine.program)), None)


def estimate_speech_s(words: str, wpm: int) -> float:
    return len(words) * 60.0 / (_LETTERS_PER_WORD * wpm)


#: Maximum length of the queue; the oldest utterances are dropped.
MAX_QUEUED = 16


class Urgency(enum.Enum):
    """The effect of an utterance on others."""

    FOCUS = "focus"
    """A focused widget: only the newest is spoken, after all other utterances."""
    TEXT = "text"
    """A text on the open page."""
    PAGE = "page"
    """A new page: the last page's utterances are dropped."""
    EVENT = "event"
    """An event at the table: it is never cut short."""


@dataclass(frozen=True)
class Utterance:
    words: str
    urgency: Urgency = Urgency.EVENT


#: Kinds of utterances that each kind cuts short and drops from the queue. Every utterance also cuts FOCUS short.
_CUTS_SHORT = {
    Urgency.FOCUS: (Urgency.FOCUS,),
    Urgency.TEXT: (),
    Urgency.PAGE: (Urgency.FOCUS, Urgency.TEXT, Urgency.PAGE),
    Urgency.EVENT: (),
}


class UtteranceQueue:
    """The queue of utterances; ``current`` is the one being spoken."""

    def __init__(self) -> None:
        self._queued: deque[Utterance] = deque()
        self.current: Utterance | None = None

    def add(self, utterance: Utterance) -> bool:
        """Queue an utterance; return whether it cuts short the current one."""
        cut_kinds = _CUTS_SHORT[utterance.urgency]
        self._queued = deque(other for other in self._queued if other.urgency not in cut_kinds)
        index = len(self._queued)
        last = self._queued[-1].urgency if self._queued else None
        if utterance.urgency is not Urgency.FOCUS and last is Urgency.FOCUS:
            index -= 1
        self._queued.insert(index, utterance)
        while len(self._queued) > MAX_QUEUED:
            self._queued.popleft()
        return self.current is not None and self.current.urgency in (Urgency.FOCUS, *cut_kinds)

    def next(self) -> Utterance | None:
        """Return the next utterance; None if there is none."""
        self.current = self._queued.popleft() if self._queued else None
        return self.current

    def clear(self) -> None:
        self._queued.clear()


#: Time limit of an utterance: this multiple of its expected duration, plus this many seconds.
LATE_FACTOR, LATE_S = 3.0, 6.0
#: Number of consecutive failures after which the speaker stops speaking.
MAX_FAULTS = 3
_STOP_S = 1.0


class SpeechError(ArmoonError):
    """This system has no text-to-speech engine, or the engine has failed."""


class Speaker:
    """Speaks utterances one after another in its own thread; must be closed."""

    def __init__(self) -> None:
        """Start the thread. Raises SpeechError if there is no engine."""
        engine = find_engine()
        if engine is None:
            raise SpeechError("speech.missing")
        self._engine = engine
        self._language, self._wpm, self._volume = "en", DEFAULT_WPM, FULL_VOLUME
        self._queue = UtteranceQueue()
        self._changed = threading.Condition()
        self._process: subprocess.Popen[bytes] | None = None
        self._is_cut = self._is_ending = False
        self._faults, self._fault = 0, ""
        self._thread = threading.Thread(target=self._run, name="speaker", daemon=True)
        self._thread.start()

    @property
    def speaking(self) -> bool:
        return self._queue.current is not None

    def configure(self, language: str, wpm: int, volume: int = FULL_VOLUME) -> None:
        with self._changed:
            self._language, self._wpm, self._volume = language, wpm, volume

    def say(self, utterance: Utterance) -> None:
        """Queue an utterance. Raises SpeechError once the engine has failed."""
        if self._fault:
            raise SpeechError("speech.failed", why=self._fault)
        with self._changed:
            if self._queue.add(utterance):
                self._stop()
            self._changed.notify_all()

    def silence(self) -> None:
        with self._changed:
            self._queue.clear()
            self._stop()

    def close(self) -> None:
        with self._changed:
            self._is_ending = True
            self._changed.notify_all()
        self.silence()
        self._thread.join(_STOP_S)

    def _stop(self) -> None:
        if self._queue.current is None:
            return
        self._is_cut = True
        if self._process is not None:
            with contextlib.suppress(OSError):
                self._process.kill()

    def _run(self) -> None:
        while True:
            with self._changed:
                self._queue.current = None
                self._is_cut = False
                self._changed.wait_for(lambda: self._is_ending or self._queue.next() is not None)
                if self._is_ending:
                    return
                utterance = self._queue.current
                command = self._engine.build_command(self._language, self._wpm, self._volume)
            assert utterance is not None
            self._run_engine(utterance.words, command)

    def _run_engine(self, words: str, command: list[str]) -> None:
        try:
            process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
            )
        except OSError as error:
            self._fail(str(error))
            return
        with self._changed:
            self._process = process
            if self._is_cut:
                process.kill()
        errors = b""
        try:
            timeout_s = LATE_FACTOR * estimate_speech_s(words, self._wpm) + LATE_S
            # The leading space matters: some engines interpret a special character at the beginning as a command.
            _, errors = process.communicate(f" {words}\n".encode(), timeout_s)
        except (subprocess.TimeoutExpired, OSError):
            process.kill()
            process.communicate()
        with self._changed:
            self._process = None
        if self._is_cut and self._engine.silencer:
            with contextlib.suppress(OSError, subprocess.TimeoutExpired):
                subprocess.run(self._engine.silencer, timeout=_STOP_S, check=False, capture_output=True)
        if process.returncode and not self._is_cut:
            self._fail(" ".join(errors.decode(errors="replace").split())[:200] or str(process.returncode))
        else:
            self._faults = 0

    def _fail(self, reason: str) -> None:
        self._faults += 1
        if self._faults >= MAX_FAULTS:
            with self._changed:
                self._fault, self._is_ending = reason, True
