"""How well phrases are heard, by synthetic voices in noise: right, wrong, and what of other speech is taken for one.

Says nothing of people: voices of espeak-ng are clear, alike, and never hesitate.
"""

from __future__ import annotations

import io
import json
import subprocess
import wave
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.table import Table

from armoon.sound.microphone import RATE_HZ, Sound
from armoon.speech_recognition.recogniser import Recogniser
from armoon.values.acts import BY_PHRASE

#: Voice, words a minute, pitch.
VOICES = (
    ("en-gb", 150, 50),
    ("en-us", 160, 50),
    ("en-gb-scotland", 160, 50),
    ("en-us+f3", 160, 55),
)
#: What is said at a table without being meant.
OTHERS = (
    "what would you like to drink",
    "I think it is going to rain tomorrow",
    "did you see the match last night",
    "the train was late again this morning",
    "can you pass me the salt please",
    "that was close",
    "oh no it is falling",
    "who is next",
    "it's my turn I think",
    "be careful with that",
    "wait a moment",
    "the red one looks higher than the blue one",
    "I have no idea what to do",
    "that is a good place for a lamp",
    "turn off the light please",
    "hello",
    "yes of course",
    "no thank you",
    "go on then",
    "you go first",
)
#: From room's noise to the voice, decibels.
RATIOS_DB = (20, 10)


@dataclass(frozen=True)
class Row:
    """What came of one noise."""

    ratio_db: int
    phrases: int
    right: int
    wrong: int
    others: int
    taken: int
    """Of other speech, how much was taken for a phrase."""


def spoken(words: str, voice: str = "en-gb", wpm: int = 160, pitch: int = 50) -> Sound:
    """Return espeak-ng's speech at the recogniser's rate. Raises FileNotFoundError where it isn't installed."""
    command = ["espeak-ng", "-v", voice, "-s", str(wpm), "-p", str(pitch), "--stdout", words]
    data = subprocess.run(command, capture_output=True, check=True).stdout
    with wave.open(io.BytesIO(data)) as file:
        rate_hz = file.getframerate()
        # The length in the header of a pipe is a lie.
        samples = np.frombuffer(data[44 : 44 + (len(data) - 44) // 2 * 2], np.int16).astype(float)
    times = np.arange(int(len(samples) / rate_hz * RATE_HZ)) / RATE_HZ
    smooth = np.convolve(samples, np.ones(2) / 2.0, "same")  # less of what a lower rate can't hold
    heard = np.interp(times, np.arange(len(samples)) / rate_hz, smooth)
    return np.concatenate([np.zeros(RATE_HZ // 5), heard, np.zeros(RATE_HZ // 4)]).astype(np.int16)


def noisy(sound: Sound, ratio_db: float, dice: np.random.Generator) -> Sound:
    """Return the same in a room's noise, darker than white, this many decibels below the voice where it speaks."""
    voice: npt.NDArray[np.float64] = sound.astype(float)
    loud = voice[np.abs(voice) > 50.0]
    noise = np.convolve(
        dice.normal(size=len(voice) + 8), [1, 0.9, 0.8, 0.6, 0.4, 0.2, 0.1, 0.05, 0.02], "valid"
    )
    noise *= np.sqrt(np.mean(loud**2) / 10.0 ** (ratio_db / 10.0) / np.mean(noise**2))
    return np.clip(voice + noise, -32768, 32767).astype(np.int16)


def measure(
    recogniser: Recogniser, ratio_db: int, voices: Sequence[tuple[str, int, int]] = VOICES
) -> tuple[Row, dict[str, int]]:
    """Every phrase and the other speech by these voices; and how often each phrase was heard right."""
    dice = np.random.default_rng(5)
    right = wrong = taken = 0
    by_phrase: dict[str, int] = {}
    for phrase in BY_PHRASE:
        for voice in voices:
            heard = recogniser.hear(noisy(spoken(phrase, *voice), ratio_db, dice)).words
            right += heard == phrase
            wrong += heard not in ("", phrase)
            by_phrase[phrase] = by_phrase.get(phrase, 0) + (heard == phrase)
    for words in OTHERS:
        for voice in voices:
            taken += recogniser.hear(noisy(spoken(words, *voice), ratio_db, dice)).words != ""
    count = len(voices)
    return Row(ratio_db, len(BY_PHRASE) * count, right, wrong, len(OTHERS) * count, taken), by_phrase


def run(json_path: Path | None) -> int:
    """Print the tables, and write them where that is wanted."""
    recogniser = Recogniser(list(BY_PHRASE))
    table = Table("noise below the voice", "phrases", "right", "wrong", "other speech", "taken for a phrase")
    weakest = Table("phrase", *(f"right of {len(VOICES)} at {ratio} dB" for ratio in RATIOS_DB))
    plain: dict[str, object] = {}
    told: list[dict[str, int]] = []
    for ratio_db in RATIOS_DB:
        row, by_phrase = measure(recogniser, ratio_db)
        told.append(by_phrase)
        plain[f"{ratio_db} dB"] = {
            "right": row.right / row.phrases,
            "wrong": row.wrong / row.phrases,
            "taken": row.taken / row.others,
            "by_phrase": {words: count / len(VOICES) for words, count in by_phrase.items()},
        }
        shares = (row.right / row.phrases, row.wrong / row.phrases, row.taken / row.others)
        table.add_row(
            f"{ratio_db} dB",
            str(row.phrases),
            *(f"{share:.0%}" for share in shares[:2]),
            str(row.others),
            f"{shares[2]:.0%}",
        )
    for words in sorted(told[0], key=lambda words: sum(counts[words] for counts in told)):
        weakest.add_row(words, *(str(counts[words]) for counts in told))
    Console().print(table, weakest)
    if json_path is not None:
        json_path.write_text(json.dumps(plain, indent=2) + "\n", encoding="utf-8")
    return 0
