"""The systems' speech programs. All of them read their text from standard input and exit at its end."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass

#: Words a minute: what is usual, and the most that the engines take.
USUAL_WPM, FASTEST_WPM = 175, 400
#: A voice as loud as it is by itself, in per cent.
FULL = 100
#: Letters of an average word and its space.
_LETTERS_A_WORD = 6.0
_ESPEAK_VOICES = {"en": "en-gb", "fr": "fr-fr"}
_MAC_VOICES = {"fr": ("-v", "Thomas")}


@dataclass(frozen=True)
class Engine:
    """One program."""

    program: str
    arguments: Callable[[str, int], tuple[str, ...]]
    """For a language and words a minute."""
    hushes: tuple[str, ...] = ()
    """What has to be run besides ending the program, so that it is silent."""
    systems: tuple[str, ...] = ("linux", "darwin", "win32")
    loudness: Callable[[int], tuple[str, ...]] = lambda _: ()
    """How it is told its loudness, in per cent; macOS's ``say`` can't be."""

    def command(self, language: str, wpm: int, loud: int = FULL) -> list[str]:
        """How it is started; ``loud`` in per cent."""
        return [self.program, *(() if loud == FULL else self.loudness(loud)), *self.arguments(language, wpm)]


def _espeak(language: str, wpm: int) -> tuple[str, ...]:
    return ("-v", _ESPEAK_VOICES.get(language, language), "-s", str(wpm), "--stdin")


def _dispatcher(language: str, wpm: int) -> tuple[str, ...]:
    # From -100 to 100; speech-dispatcher leaves to each voice what that means.
    rate = round(max(-100.0, min(100.0, (wpm - USUAL_WPM) / (FASTEST_WPM - USUAL_WPM) * 100.0)))
    return ("-w", "-l", language, "-r", str(rate), "-e")


def _mac(language: str, wpm: int) -> tuple[str, ...]:
    return (*_MAC_VOICES.get(language, ()), "-r", str(wpm), "-f", "-")


#: The first that is there speaks: espeak-ng begins ten times sooner than speech-dispatcher does.
ENGINES = (
    Engine("espeak-ng", _espeak, loudness=lambda loud: ("-a", str(loud))),
    Engine(
        "spd-say",
        _dispatcher,
        loudness=lambda loud: ("-i", str(loud - FULL)),
        hushes=("spd-say", "-C"),
        systems=("linux",),
    ),
    Engine("say", _mac, systems=("darwin",)),
)


def find_engine() -> Engine | None:
    """Return the first that this system has."""
    fitting = (one for one in ENGINES if sys.platform in one.systems)
    return next((one for one in fitting if shutil.which(one.program)), None)


def spoken_s(words: str, wpm: int) -> float:
    """About how long it takes to say that, seconds."""
    return len(words) * 60.0 / (_LETTERS_A_WORD * wpm)
