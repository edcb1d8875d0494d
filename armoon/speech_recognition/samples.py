"""Recognition of phrases: English ones with pocketsphinx, or any repeatable sounds by a player's own samples.

Samples are stored as mel-frequency cepstra, not as sound. A phrase is recognised if its difference from an utterance,
after dynamic time warping, is clearly the smallest.
"""

from __future__ import annotations

import io
import math
import zipfile
import zlib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from armoon.codec import MalformedError
from armoon.codec.files import read_bytes, write_new, write_whole
from armoon.messages import text
from armoon.processes.system import replace_file
from armoon.sound.microphone import RATE_HZ, Sound
from armoon.values.acts import SAMPLES
from armoon.values.text import escape_text

#: The decoder's frame rate, Hz.
FRAME_RATE_HZ = 100.0
#: Minimum score of a phrase relative to arbitrary phones, in thousandths of a logarithm per frame, and stricter minimum
#: for a phrase without a held key or a call word before it.
MIN_MARGIN, MIN_MARGIN_ALONE = -2.7, -2.2
#: Minimum length of the call word, in seconds; it takes 0.25 to 0.29 s at 210 words per minute, false matches less.
CALL_S = 0.2
#: Maximum length of a phrase with its call word, and, if no key was held, of the sound around it, in seconds.
MAX_PHRASE_S, MAX_OTHER_S = 2.5, 0.85
#: Pronunciations missing from the dictionary: the game's words, and British (non-rhotic) ones.
PRONUNCIATIONS = {
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
#: Noise added to all sound, in sample units, because digital silence ruins recognition; padding around it, in seconds.
NOISE, PADDING_S = 12.0, 0.25


@dataclass(frozen=True)
class HeardPhrase:
    """The result of recognising an utterance."""

    words: str
    """The phrase; empty: none."""
    likeliest: str = ""
    """The most similar phrase, even if it wasn't recognised."""
    called: bool = False
    """Whether the call word was spoken, with a phrase or alone."""


class Recogniser:
    """Recognises English phrases in whole utterances."""

    def __init__(self, phrases: Sequence[str]) -> None:
        """Load the models, which takes half a second."""
        from pocketsphinx import Decoder, get_model_path

        model = get_model_path("en-us/en-us")
        words = get_model_path("en-us/cmudict-en-us.dict")
        self._phrases = frozenset(phrases)
        self._call = ""
        self._grammar = Decoder(hmm=model, dict=words, loglevel="FATAL")
        for word, phones in PRONUNCIATIONS.items():
            self._grammar.add_word(word, phones, update=False)
        self._grammar.add_jsgf_string("phrases", _make_grammar(phrases))
        self._phones = Decoder(
            hmm=model,
            allphone=get_model_path("en-us/en-us-phone.lm.bin"),
            lw=2.0,
            beam=1e-10,
            pbeam=1e-10,
            loglevel="FATAL",
        )
        self._noise = np.random.default_rng(7)

    def set_call_word(self, call: str) -> None:
        """Expect this word before phrases for which no key was held; empty: none."""
        if call and call != self._call:
            self._grammar.add_jsgf_string("called", _make_grammar(self._phrases, call))
        self._call = call

    def recognise(self, sound: Sound, *, pushed: bool = True, called: bool = False) -> HeardPhrase:
        """Recognise mono sound of ``RATE_HZ``; ``pushed``: a key was held; ``called``: the call word came before."""
        if not pushed and len(sound) > (MAX_PHRASE_S + MAX_OTHER_S) * RATE_HZ:
            return HeardPhrase("")
        padded = np.zeros(len(sound) + 2 * round(PADDING_S * RATE_HZ))
        padded[round(PADDING_S * RATE_HZ) :][: len(sound)] = sound
        padded += self._noise.normal(0.0, NOISE, len(padded))
        data = np.clip(padded, -32768, 32767).astype(np.int16).tobytes()
        call = "" if pushed or called else self._call
        self._grammar.activate_search("called" if call else "phrases")
        phrase, score = _decode(self._grammar, data)
        words = phrase.removeprefix(call).strip()
        # The decoder also returns incomplete phrases.
        if words not in self._phrases and not (call and phrase == call):
            return HeardPhrase("")
        segments = [segment for segment in self._grammar.seg() if segment.word[0] not in "<[("]
        length_s = (segments[-1].end_frame + 1 - segments[0].start_frame) / FRAME_RATE_HZ
        other_s = len(padded) / RATE_HZ - 2.0 * PADDING_S - length_s
        if length_s > MAX_PHRASE_S or (other_s > MAX_OTHER_S and not pushed):
            return HeardPhrase("")
        if call and segments[0].end_frame - segments[0].start_frame < CALL_S * FRAME_RATE_HZ:
            return HeardPhrase("")
        _, phone_score = _decode(self._phones, data)
        margin = 1000.0 * (score - phone_score) / (length_s * FRAME_RATE_HZ)
        is_accepted = margin >= (MIN_MARGIN if called or pushed else MIN_MARGIN_ALONE)
        return HeardPhrase(words if is_accepted else "", words, is_accepted and bool(call))


def _make_grammar(phrases: Iterable[str], call: str = "") -> str:
    phrase = f"( {' | '.join(phrases)} )"
    return f"#JSGF V1.0;\ngrammar phrases;\npublic <phrase> = {f'{call} [ {phrase} ]' if call else phrase};\n"


def _decode(decoder: Any, data: bytes) -> tuple[str, float]:
    decoder.start_utt()
    decoder.process_raw(data, full_utt=True)
    decoder.end_utt()
    hypothesis = decoder.hyp()
    if hypothesis is None:
        return "", -math.inf
    return str(hypothesis.hypstr), math.log(hypothesis.score) if hypothesis.score > 0.0 else -1e4


Features = npt.NDArray[np.float32]
"""Cepstra of a sound and their changes, (frames, 2 * CEPSTRA)."""
#: Distance between frames and length of a frame, in samples of sound; numbers of mel bands and of cepstra.
STEP, FRAME, BANDS, CEPSTRA = 160, 400, 26, 12
#: Speech is louder than the sound's quiet parts by at least ABOVE_DB, and quieter than its loudest by at most BELOW_DB.
ABOVE_DB, BELOW_DB = 8.0, 30.0
#: Maximum difference from a recognised phrase, relative to the usual difference between samples of one phrase, and to
#: the difference from any other phrase.
MAX_RATIO, RIVAL_RATIO = 2.0, 0.9
#: Maximum size of a samples file, in bytes.
MAX_BYTES = 4_000_000
#: Maximum size after decompression, in bytes, and maximum number of samples.
MAX_UNPACKED_BYTES, MAX_SAMPLES = 16_000_000, 1000


def extract_features(sound: Sound) -> Features:
    """Return the features of the speech in a sound, with no frames if there is too little speech."""
    frames = np.lib.stride_tricks.sliding_window_view(np.pad(sound.astype(np.float64), FRAME), FRAME)[::STEP]
    power = np.abs(np.fft.rfft(frames * np.hamming(FRAME), 512)) ** 2
    bands = 10.0 * np.log10(power @ _make_mel_bands().T + 1e3)
    loud = bands.max(axis=1)
    speech = np.flatnonzero(loud > max(np.percentile(loud, 15) + ABOVE_DB, loud.max() - BELOW_DB))
    if len(speech) < 15:
        return np.zeros((0, 2 * CEPSTRA), np.float32)
    # Raise everything to the room's noise floor, because differences below it mean nothing.
    floor = np.percentile(bands, 15, axis=0) + 3.0
    bands = np.maximum(bands, floor)[speech[0] : speech[-1] + 1]
    cepstra = bands @ _make_cosine_transform().T
    cepstra -= cepstra.mean(axis=0)
    cepstra /= cepstra.std() + 1e-6
    changes = np.gradient(cepstra, axis=0) * 3.0
    return np.asarray(np.concatenate([cepstra, changes], axis=1), np.float32)


def compute_differences(features: Features, others: Sequence[Features]) -> npt.NDArray[np.float64]:
    """Return an utterance's difference per frame from each sample, infinite for a sample that is too long."""
    longest = max(map(len, others))
    padded = np.stack([np.pad(other, ((0, longest - len(other)), (0, 0))) for other in others])
    squares = np.square(padded).sum(axis=2)
    total = np.full((len(others), longest + 2), np.inf)
    total[:, 1] = 0.0  # before the first frame
    for number, frame in enumerate(features):
        cost = np.sqrt(np.maximum(squares - 2.0 * padded @ frame + float(frame @ frame), 0.0))
        # Each frame of the utterance advances a sample by zero, one or two frames.
        before = np.minimum(np.minimum(total[:, 2:], total[:, 1:-1]), total[:, :-2])
        total[:, 2:] = before + cost
        if number == 0:
            total[:, :2] = np.inf
    ends = np.array([len(other) + 1 for other in others])
    return np.asarray(total[np.arange(len(others)), ends] / max(1, len(features)))


class Samples:
    """A player's samples, by phrase."""

    def __init__(self, by_phrase: Mapping[str, Sequence[Features]], error: str = "") -> None:
        """``error``: a sentence about a damaged file."""
        self.error = error
        self.by_phrase = {phrase: list(items) for phrase, items in by_phrase.items() if items}
        self.call = ""
        """Call word to say before a phrase if no key is held and there are samples of it; empty: none."""
        self._usual_difference: float | None = None

    def add_sample(self, phrase: str, sound: Sound) -> bool:
        """Add a sample of a phrase, keeping the newest ``SAMPLES``; return whether it contained speech."""
        features = extract_features(sound)
        if not len(features):
            return False
        self.by_phrase[phrase] = [*self.by_phrase.get(phrase, []), features][-SAMPLES:]
        self._usual_difference = None
        return True

    def recognise(self, sound: Sound, *, pushed: bool = True, called: bool = False) -> HeardPhrase:
        """Recognise a sound as ``Recogniser`` does, except that the call word must be an utterance of its own."""
        features = extract_features(sound)
        if not 0 < len(features) <= MAX_PHRASE_S * RATE_HZ / STEP or not self.by_phrase:
            return HeardPhrase("")
        samples = [sample for items in self.by_phrase.values() for sample in items]
        differences = iter(compute_differences(features, samples).tolist())
        least = {phrase: min(next(differences) for _ in items) for phrase, items in self.by_phrase.items()}
        first, *others = sorted(least, key=least.__getitem__)
        second = least[others[0]] if others else math.inf
        if not (least[first] < MAX_RATIO * self._get_usual() and least[first] < RIVAL_RATIO * second):
            return HeardPhrase("", first)
        if self.call in self.by_phrase and not (pushed or called):
            return HeardPhrase("", called=True) if first == self.call else HeardPhrase("")
        return HeardPhrase(first, first)

    def _get_usual(self) -> float:
        if self._usual_difference is None:
            differences = [
                float(compute_differences(sample, [other for other in items if other is not sample]).min())
                for items in self.by_phrase.values()
                for sample in items
                if len(items) > 1
            ]
            self._usual_difference = float(np.median(differences)) if differences else 0.0
        return self._usual_difference


def save_samples(folder: Path, samples: Samples) -> None:
    """Write a player's samples, or delete the file if there are none. Raises OSError."""
    path = folder / "samples.npz"
    if not samples.by_phrase:
        path.unlink(missing_ok=True)
        return
    folder.mkdir(parents=True, exist_ok=True)
    flat = {f"{phrase}/{k}": s for phrase, items in samples.by_phrase.items() for k, s in enumerate(items)}
    data = io.BytesIO()
    np.savez_compressed(data, **flat)
    write_whole(path, data.getvalue(), secret=True)


def load_samples(folder: Path) -> Samples:
    """Return a player's samples; if the file is damaged, back it up, return its intact samples and set ``error``."""
    path = folder / "samples.npz"
    try:
        content = read_bytes(path, MAX_BYTES)
    except FileNotFoundError:
        return Samples({})
    except (OSError, MalformedError) as error:
        with suppress(OSError):  # otherwise the next samples would overwrite it
            replace_file(path, path.with_name(f"{path.name}.broken"))
        return Samples({}, text("kept.broken", path=path, count=0, why=escape_text(str(error))))
    by_phrase, is_whole = _read_samples(content)
    if is_whole:
        return Samples(by_phrase)
    with suppress(OSError):  # the name contains a checksum, so each damaged file is kept once
        write_new(path.with_name(f"{path.name}.{zlib.crc32(content):08x}.broken"), content)
    count = sum(map(len, by_phrase.values()))
    return Samples(by_phrase, text("kept.broken", path=path, count=count, why=text("kept.foreign")))


def _read_samples(content: bytes) -> tuple[dict[str, list[Features]], bool]:
    by_phrase: dict[str, list[Features]] = {}
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            entries = archive.infolist()
            # Check the declared sizes first: decompression never goes beyond them.
            if len(entries) > MAX_SAMPLES or sum(entry.file_size for entry in entries) > MAX_UNPACKED_BYTES:
                return {}, False
            is_whole = True
            for entry in entries:
                phrase, _, _ = entry.filename.removesuffix(".npy").rpartition("/")
                sample = _read_sample(archive, entry)
                if sample is None or not phrase or len(by_phrase.get(phrase, ())) >= SAMPLES:
                    is_whole = False
                else:
                    by_phrase.setdefault(phrase, []).append(sample)
            return by_phrase, is_whole
    except Exception:  # zipfile raises a dozen kinds of errors for damaged files
        return {}, False


def _read_sample(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> Features | None:
    try:
        with archive.open(entry) as file:
            sample = np.load(io.BytesIO(file.read(MAX_UNPACKED_BYTES)), allow_pickle=False)
        sample = np.asarray(sample, np.float32)
    except Exception:  # zipfile, zlib and numpy raise a dozen kinds of errors for damaged data
        return None
    fits = sample.ndim == 2 and sample.shape[1] == 2 * CEPSTRA and len(sample) and np.isfinite(sample).all()
    return sample if fits else None


@cache
def _make_mel_bands() -> npt.NDArray[np.float64]:
    """Return weights (BANDS, 257) of triangular mel bands from 100 to 7000 Hz."""
    low, high = (2595.0 * math.log10(1.0 + hz / 700.0) for hz in (100.0, 7000.0))
    mels = np.linspace(low, high, BANDS + 2)
    edges = 700.0 * (10.0 ** (mels / 2595.0) - 1.0) / RATE_HZ * 512
    bins = np.arange(257)
    rising = (bins - edges[:-2, None]) / np.diff(edges)[:-1, None]
    falling = (edges[2:, None] - bins) / np.diff(edges)[1:, None]
    return np.asarray(np.maximum(0.0, np.minimum(rising, falling)))


@cache
def _make_cosine_transform() -> npt.NDArray[np.float64]:
    """Return the cosine transform (CEPSTRA, BANDS) without its first row, the loudness."""
    return np.asarray(np.cos(np.pi * np.outer(np.arange(1, CEPSTRA + 1), np.arange(BANDS) + 0.5) / BANDS))
