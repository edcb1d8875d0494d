"""Synthetic voices (espeak-ng) and a room's noise, for the tests of speech recognition."""

from __future__ import annotations

import io
import subprocess
import wave

import numpy as np
import numpy.typing as npt

from armoon.sound.microphone import BLOCK_S, RATE_HZ, Sound
from armoon.speech_recognition.listener import UtteranceSegmenter

#: Voice, words per minute and pitch (0 to 99) for which the recogniser's margins were tuned.
VOICES = (("en-gb", 150, 50), ("en-us", 160, 50), ("en-gb-scotland", 160, 50), ("en-us+f3", 160, 55))
#: Sentences spoken at a table that aren't commands.
NON_COMMANDS = (
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


def speak(words: str, voice: str = "en-gb", wpm: int = 160, pitch: int = 50) -> Sound:
    """Return espeak-ng's speech at the recogniser's rate. Raises FileNotFoundError if espeak-ng isn't installed."""
    command = ["espeak-ng", "-v", voice, "-s", str(wpm), "-p", str(pitch), "--stdout", words]
    data = subprocess.run(command, capture_output=True, check=True).stdout
    with wave.open(io.BytesIO(data)) as file:
        rate_hz = file.getframerate()
        # The length in a pipe's header is wrong.
        samples = np.frombuffer(data[44 : 44 + (len(data) - 44) // 2 * 2], np.int16).astype(float)
    times = np.arange(int(len(samples) / rate_hz * RATE_HZ)) / RATE_HZ
    smooth = np.convolve(samples, np.ones(2) / 2.0, "same")  # reduces aliasing at the lower rate
    resampled = np.interp(times, np.arange(len(samples)) / rate_hz, smooth)
    return np.concatenate([np.zeros(RATE_HZ // 5), resampled, np.zeros(RATE_HZ // 4)]).astype(np.int16)


def add_noise(sound: Sound, ratio_db: float, rng: np.random.Generator) -> Sound:
    """Return the sound with a room's low-pitched noise, ``ratio_db`` decibels below the voice."""
    voice: npt.NDArray[np.float64] = sound.astype(float)
    loud = voice[np.abs(voice) > 50.0]
    noise = np.convolve(
        rng.normal(size=len(voice) + 8), [1, 0.9, 0.8, 0.6, 0.4, 0.2, 0.1, 0.05, 0.02], "valid"
    )
    noise *= np.sqrt(np.mean(loud**2) / 10.0 ** (ratio_db / 10.0) / np.mean(noise**2))
    return np.clip(voice + noise, -32768, 32767).astype(np.int16)


def utterances(sound: Sound) -> list[Sound]:
    listener, size = UtteranceSegmenter(), round(BLOCK_S * RATE_HZ)
    blocks = (sound[k : k + size].tobytes() for k in range(0, len(sound) - size + 1, size))
    return [np.frombuffer(clip, np.int16) for block in blocks if (clip := listener.add_block(block))]


def speak_in_noise(
    words: str, voice: tuple[str, int, int], ratio_db: float, rng: np.random.Generator
) -> Sound:
    silence = np.zeros(RATE_HZ // 2, np.int16)
    return add_noise(np.concatenate([silence, speak(words, *voice), silence]), ratio_db, rng)
