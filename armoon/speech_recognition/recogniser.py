"""Recognises one of the phrases, or none: pocketsphinx with its packaged English model, on this machine alone.

A grammar takes any sound for one of its phrases, and the rest of a sentence for silence. So a phrase counts only if
next to nothing is heard around it (``REST_S``), and if it explains the sound about as well as a second decoder does,
which hears free sequences of phones (``MARGIN``).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from armoon.sound.microphone import RATE_HZ, Sound

#: A decoder's frames a second.
FRAMES_S = 100.0
#: Margin by which a phrase may explain a frame of itself worse than free phones do, thousandths of a natural logarithm.
#: What was said with a key held, or just after the word that calls, is likelier to be meant than what comes alone.
MARGIN, ALONE = -2.7, -2.2
#: Shortest time in which the word that calls is said, seconds; what sounds like it in passing is shorter.
CALL_S = 0.3
#: Longest phrase, with the word that calls, and most sound around it where no key was held: seconds.
LONGEST_S, REST_S = 2.5, 0.85
#: Pronunciations that the dictionary hasn't: ours, and those without an r of most of Britain.
SPOKEN = {
    "armoon": "AA R M UW N",
    "armoon(2)": "AA M UW N",
    "another(3)": "AH N AH DH AH",
    "closer(3)": "K L OW S AH",
    "computer(2)": "K AH M P Y UW T AH",
    "ladder(2)": "L AE D AH",
    "lower(2)": "L OW AH",
    "more(2)": "M AO",
    "never(2)": "N EH V AH",
    "return(3)": "R IH T AH N",
    "there(2)": "DH EH AH",
}
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
    called: bool = False
    """The word that calls was said, with a phrase or alone."""


class Recogniser:
    """Hears whole utterances."""

    def __init__(self, phrases: Sequence[str]) -> None:
        """Make the recogniser, which takes half a second."""
        from pocketsphinx import Decoder, get_model_path

        model = get_model_path("en-us/en-us")
        words = get_model_path("en-us/cmudict-en-us.dict")
        self._phrases = frozenset(phrases)
        self._call = ""
        self._grammar = Decoder(hmm=model, dict=words, loglevel="FATAL")
        for word, phones in SPOKEN.items():
            self._grammar.add_word(word, phones, update=False)
        self._grammar.add_jsgf_string("phrases", _grammar_of(phrases))
        self._free = Decoder(
            hmm=model,
            allphone=get_model_path("en-us/en-us-phone.lm.bin"),
            lw=2.0,
            beam=1e-10,
            pbeam=1e-10,
            loglevel="FATAL",
        )
        self._noise = np.random.default_rng(7)

    def settle(self, call: str) -> None:
        """Expect this word before phrases for which no key was held; empty: none."""
        if call and call != self._call:
            self._grammar.add_jsgf_string("called", _grammar_of(self._phrases, call))
        self._call = call

    def hear(self, sound: Sound, *, pushed: bool = True, called: bool = False) -> Heard:
        """Return what was said in a sound of ``RATE_HZ``, mono.

        What was ``pushed``, by a held key, was meant; it needs no word that calls, nor does what follows one.
        """
        if not pushed and len(sound) > (LONGEST_S + REST_S) * RATE_HZ:
            return Heard("")
        padded = np.zeros(len(sound) + 2 * round(AROUND_S * RATE_HZ))
        padded[round(AROUND_S * RATE_HZ) :][: len(sound)] = sound
        padded += self._noise.normal(0.0, NOISE, len(padded))
        data = np.clip(padded, -32768, 32767).astype(np.int16).tobytes()
        call = "" if pushed or called else self._call
        self._grammar.activate_search("called" if call else "phrases")
        found, score = _decoded(self._grammar, data)
        words = found.removeprefix(call).strip()
        # A grammar hands out unfinished phrases as well.
        if words not in self._phrases and not (call and found == call):
            return Heard("")
        said = [one for one in self._grammar.seg() if one.word[0] not in "<[("]
        lasts_s = (said[-1].end_frame + 1 - said[0].start_frame) / FRAMES_S
        rest_s = len(padded) / RATE_HZ - 2.0 * AROUND_S - lasts_s
        if lasts_s > LONGEST_S or (rest_s > REST_S and not pushed):
            return Heard("")
        if call and said[0].end_frame - said[0].start_frame < CALL_S * FRAMES_S:
            return Heard("")
        _, free = _decoded(self._free, data)
        margin = 1000.0 * (score - free) / (lasts_s * FRAMES_S)
        counts = margin >= (MARGIN if called or pushed else ALONE)
        return Heard(words if counts else "", words, margin, counts and bool(call))


def _grammar_of(phrases: Iterable[str], call: str = "") -> str:
    phrase = f"( {' | '.join(phrases)} )"
    return f"#JSGF V1.0;\ngrammar phrases;\npublic <phrase> = {f'{call} [ {phrase} ]' if call else phrase};\n"


def _decoded(decoder: Any, data: bytes) -> tuple[str, float]:
    """Return the words, and the logarithm of how well they explain the sound."""
    decoder.start_utt()
    decoder.process_raw(data, full_utt=True)
    decoder.end_utt()
    found = decoder.hyp()
    if found is None:
        return "", -math.inf
    return str(found.hypstr), math.log(found.score) if found.score > 0.0 else -1e4
