"""Recognises one of the phrases, or none: pocketsphinx with its packaged English model, on this machine alone.

A grammar takes any sound for one of its phrases. So a second decoder hears the same without a grammar, as a sequence of
phones, and a phrase counts only if it explains the sound about as well (``MARGIN``).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from armoon.sound.microphone import RATE_HZ, Sound

#: A decoder's frames a second.
FRAMES_S = 100.0
#: Margin by which a phrase may explain a frame of sound worse than free phones do, thousandths of a natural
#: logarithm.
MARGIN = -0.7
#: Digital silence ruins recognition: noise (sample units) is laid under all sound, and silence around it.
NOISE, AROUND_S = 12.0, 0.25


@dataclass(frozen=True)
class Heard:
    """What an utterance came to."""

    words: str
    """The phrase; empty: none."""
    likeliest: str = ""
    """The phrase that it was most like, counted or not."""
    margin: float = -math.inf


class Recogniser:
    """Hears whole utterances."""

    def __init__(self, phrases: Sequence[str]) -> None:
        """Make the recogniser, which takes half a second. Raises ImportError where pocketsphinx isn't installed."""
        from pocketsphinx import Decoder, get_model_path

        model = get_model_path("en-us/en-us")
        words = get_model_path("en-us/cmudict-en-us.dict")
        self._phrases = frozenset(phrases)
        self._grammar = Decoder(hmm=model, dict=words, loglevel="FATAL")
        self._grammar.add_jsgf_string("phrases", _grammar_of(phrases))
        self._grammar.activate_search("phrases")
        self._free = Decoder(
            hmm=model,
            allphone=get_model_path("en-us/en-us-phone.lm.bin"),
            lw=2.0,
            beam=1e-10,
            pbeam=1e-10,
            loglevel="FATAL",
        )
        self._noise = np.random.default_rng(7)

    def hear(self, sound: Sound) -> Heard:
        """Return what was said in a sound of ``RATE_HZ``, mono."""
        padded = np.zeros(len(sound) + 2 * round(AROUND_S * RATE_HZ))
        padded[round(AROUND_S * RATE_HZ) :][: len(sound)] = sound
        padded += self._noise.normal(0.0, NOISE, len(padded))
        data = np.clip(padded, -32768, 32767).astype(np.int16).tobytes()
        words, score = _decoded(self._grammar, data)
        if words not in self._phrases:  # a grammar hands out unfinished phrases as well
            return Heard("")
        _, free = _decoded(self._free, data)
        margin = 1000.0 * (score - free) / (len(padded) / RATE_HZ * FRAMES_S)
        return Heard(words if margin >= MARGIN else "", words, margin)


def _grammar_of(phrases: Sequence[str]) -> str:
    return "#JSGF V1.0;\ngrammar phrases;\npublic <phrase> = " + " | ".join(phrases) + ";\n"


def _decoded(decoder: Any, data: bytes) -> tuple[str, float]:
    """Return the words, and the logarithm of how well they explain the sound."""
    decoder.start_utt()
    decoder.process_raw(data, full_utt=True)
    decoder.end_utt()
    found = decoder.hyp()
    if found is None:
        return "", -math.inf
    return str(found.hypstr), math.log(found.score) if found.score > 0.0 else -1e4
