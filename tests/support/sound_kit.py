"""Helpers to analyse a film's sound: its samples on the film's timeline and its onsets; also a silent voice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import av
import numpy as np
import numpy.typing as npt

from armoon.sound.effects import RATE_HZ
from armoon.speech_output.speaker import FULL_VOLUME, Speaker, Utterance

#: Level above which samples are audible.
LOUD = 0.02


def read_film_sound(path: Path) -> npt.NDArray[np.float32]:
    """Return the film's sound on the film's own timeline: sample 0 is at the start of the first picture."""
    with av.open(str(path)) as film:
        picture: Any = next(film.decode(video=0))
        start_s = float(picture.pts * picture.time_base)
    with av.open(str(path)) as film:
        frames: list[Any] = list(film.decode(audio=0))
    return join_samples(frames, start_s)


def join_samples(frames: list[Any], start_s: float) -> npt.NDArray[np.float32]:
    """Return the decoded sound (n, 2) from ``start_s`` on, with silence in the gaps."""
    samples = np.zeros((round(float(frames[-1].time + 1.0 - start_s) * RATE_HZ), 2), np.float32)
    for frame in frames:
        start = round((float(frame.pts * frame.time_base) - start_s) * RATE_HZ)
        content = frame.to_ndarray().T
        begin = max(0, start)
        samples[begin : start + len(content)] = content[begin - start :]
    return samples


def onsets_s(samples: npt.NDArray[np.float32], min_gap_s: float) -> list[float]:
    loud = np.flatnonzero(np.abs(samples).max(axis=1) > LOUD)
    begins = [
        index for index, before in zip(loud[1:], loud, strict=False) if index - before > min_gap_s * RATE_HZ
    ]
    return [float(index) / RATE_HZ for index in (loud[0], *begins)]


class QuietVoice(Speaker):
    speaking = False

    def __init__(self) -> None:
        self.utterances: list[str] = []

    def configure(self, language: str, wpm: int, volume: int = FULL_VOLUME) -> None: ...

    def say(self, utterance: Utterance) -> None:
        self.utterances.append(utterance.words)

    def silence(self) -> None:
        self.speaking = False
        self.utterances.append("")

    def close(self) -> None: ...
