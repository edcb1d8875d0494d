"""How well phrases are heard in noise, and how often read speech is taken for one, by synthetic voices.

Says nothing of people: voices of espeak-ng are clear, alike, and never hesitate. Ten minutes of the rules' own words,
with a pause after every clause, are read by voices that nothing was tuned on; they say each phrase as well, with a key
held and after the word that calls.
"""

from __future__ import annotations

import io
import itertools
import json
import re
import subprocess
import wave
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.table import Table

from armoon.messages import catalogue
from armoon.sound.microphone import BLOCK_S, RATE_HZ, Sound
from armoon.speech_recognition.listener import Listening
from armoon.speech_recognition.recogniser import Recogniser
from armoon.values.acts import BY_PHRASE
from armoon.values.choices import Call

#: Voice, words a minute, pitch: those that the margins were tuned on, and others.
VOICES = (
    ("en-gb", 150, 50),
    ("en-us", 160, 50),
    ("en-gb-scotland", 160, 50),
    ("en-us+f3", 160, 55),
)
UNSEEN = (
    ("en-gb-x-rp", 165, 50),
    ("en-gb+f4", 155, 55),
    ("en-us+m3", 170, 45),
    ("en-us-nyc+f2", 150, 50),
    ("en-gb-x-gbclan+m7", 160, 50),
)
#: Length of all that is read, seconds; pauses after its clauses.
READ_S, PAUSES_S = 600.0, (0.3, 0.7)
#: Sentences said at a table that aren't commands.
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


def utterances(sound: Sound) -> list[Sound]:
    """Return what the open microphone finds in a sound."""
    listening, size = Listening(), round(BLOCK_S * RATE_HZ)
    blocks = (sound[at : at + size].tobytes() for at in range(0, len(sound) - size + 1, size))
    return [np.frombuffer(said, np.int16) for block in blocks if (said := listening.take(block))]


def alone(words: str, voice: tuple[str, int, int], ratio_db: float, dice: np.random.Generator) -> Sound:
    """Return words in a room's noise, with half a second of it on both sides."""
    rest = np.zeros(RATE_HZ // 2, np.int16)
    return noisy(np.concatenate([rest, spoken(words, *voice), rest]), ratio_db, dice)


def clauses() -> Iterator[str]:
    """Yield what is read: the rules of both games and what is said at a table, clause by clause, again and again."""
    rules = (text for key, text in catalogue("en").items() if re.match(r"rules\.(moon|lake)\.", key))
    whole = " ".join(re.sub(r"[{}]", "", text) for text in (*rules, *OTHERS))
    return itertools.cycle(part for part in re.split(r"(?<=[a-z])[.,;:!?] ", whole) if part)


def read_aloud(dice: np.random.Generator) -> Iterator[list[Sound]]:
    """Yield the utterances of each voice's share of what is read."""
    read = clauses()
    for voice in UNSEEN:
        sounds: list[Sound] = []
        while sum(map(len, sounds)) < READ_S * RATE_HZ / len(UNSEEN):
            pause = np.zeros(round(float(dice.uniform(*PAUSES_S)) * RATE_HZ), np.int16)
            sounds += [spoken(next(read), *voice), pause]
        yield utterances(noisy(np.concatenate(sounds), 20, dice))


def taken(recogniser: Recogniser, ratio_db: int, call: str) -> tuple[float, float, dict[str, int]]:
    """Return the shares of phrases heard right and taken for another, and how often each was right.

    They follow the word that calls, or a key is held.
    """
    dice = np.random.default_rng(5)
    right, wrong = dict.fromkeys(BY_PHRASE, 0), 0
    recogniser.settle(call)
    for phrase, voice in itertools.product(BY_PHRASE, UNSEEN):
        sound = alone(f"{call}, {phrase}" if call else phrase, voice, ratio_db, dice)
        said = utterances(sound) if call else [sound]
        heard: list[str] = []
        called = False
        for one in said:
            found = recogniser.hear(one, pushed=not call, called=called)
            called = found.called and not found.words
            heard += [found.words] if found.words else []
        right[phrase] += heard == [phrase]
        wrong += any(words != phrase for words in heard)
    count = len(BY_PHRASE) * len(UNSEEN)
    return sum(right.values()) / count, wrong / count, right


def run(json_path: Path | None) -> int:
    """Print the tables, and write them where that is wanted."""
    recogniser = Recogniser(list(BY_PHRASE))
    table = Table("phrases", "noise below the voice", "right", "wrong")
    plain: dict[str, object] = {"voices": "synthetic (espeak-ng)"}
    weakest: dict[str, int] = dict.fromkeys(BY_PHRASE, 0)
    for call, ratio_db in itertools.product(("", Call.ARMOON.value), (20, 10)):
        right, wrong, by_phrase = taken(recogniser, ratio_db, call)
        name = f"after {call}" if call else "key held"
        table.add_row(name, f"{ratio_db} dB", f"{right:.0%}", f"{wrong:.0%}")
        plain |= {f"{name}, {ratio_db} dB": {"right": right, "wrong": wrong}}
        weakest = {phrase: count + by_phrase[phrase] for phrase, count in weakest.items()}
        if ratio_db == 20:
            plain["taken_20db"] = min(right, float(str(plain.get("taken_20db", 1.0))))
    false: dict[str, list[str]] = {"": [], Call.ARMOON.value: []}
    for said in read_aloud(np.random.default_rng(6)):
        for call, heard in false.items():
            recogniser.settle(call)
            heard += [words for one in said if (words := recogniser.hear(one, pushed=False).words)]
    plain |= {
        "false_per_min": len(false[Call.ARMOON.value]) * 60.0 / READ_S,
        "false_per_min_without_call": len(false[""]) * 60.0 / READ_S,
        "false": false,
        "right_of_20": weakest,
    }
    Console().print(table, {name: plain[name] for name in plain if name.startswith(("false", "taken"))})
    Console().print("weakest:", sorted(weakest.items(), key=lambda pair: pair[1])[:6])
    if json_path is not None:
        json_path.write_text(json.dumps(plain, indent=2) + "\n", encoding="utf-8")
    return 0
