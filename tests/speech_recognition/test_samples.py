"""A player's own French phrases, recorded three times each, are recognised in noise, unlike other talk."""

from __future__ import annotations

import io
import shutil
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.voices import speak_in_noise, utterances

from armoon.screens.measuring import RECORDED_PHRASES, PhraseRecording
from armoon.sound.microphone import RATE_HZ, Sound
from armoon.speech_recognition.listener import Listener
from armoon.speech_recognition.samples import (
    CEPSTRA,
    MAX_BYTES,
    Recogniser,
    Samples,
    extract_features,
    load_samples,
    save_samples,
)
from armoon.values.acts import BY_PHRASE, CALL, SAMPLES

HAS_VOICE = pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="espeak-ng isn't installed")
#: A French player's words for some phrases.
PHRASES = {
    "roll the die": "lance le dé",
    "another place": "place suivante",
    "previous place": "place précédente",
    "take this place": "prends cette place",
    "let it go": "lâche-la",
    "return the ladder": "remets-la",
    "move left": "va à gauche",
    "move right": "va à droite",
    "raise the ladder": "monte",
    "lower the ladder": "descends",
    "yes do it": "oui vas-y",
    "never mind": "non merci",
    CALL: "ma lune",
}
NON_COMMANDS = (
    "qu'est-ce que tu veux boire",
    "je crois qu'il va pleuvoir demain",
    "passe-moi le sel s'il te plaît",
    "oh non elle tombe",
    "c'est mon tour je crois",
    "la rouge a l'air plus haute que la bleue",
    "bonjour",
    "on verra bien",
    "elle est trop longue",
    "encore une fois",
)


def speak_words(words: str, wpm: int, pitch: int, ratio_db: int = 20) -> Sound:
    return speak_in_noise(words, ("fr-be+f3", wpm, pitch), ratio_db, np.random.default_rng(wpm + pitch))


@pytest.fixture(scope="module")
def player() -> Samples:
    samples = Samples({})
    for phrase, words in PHRASES.items():
        for wpm, pitch in ((150, 48), (160, 50), (170, 53)):
            assert samples.add_sample(phrase, speak_words(words, wpm, pitch))
    return samples


@HAS_VOICE
@pytest.mark.parametrize(("ratio_db", "least"), [pytest.param(20, 0.95, marks=pytest.mark.long), (10, 0.8)])
def test_phrases_in_french_are_recognised_in_noise_and_other_talk_is_ignored(
    player: Samples, ratio_db: int, least: float
) -> None:
    recognised = [
        (phrase, player.recognise(speak_words(words, *pace, ratio_db)).words)
        for phrase, words in PHRASES.items()
        for pace in ((145, 51), (165, 47))
    ]
    assert sum(meant == heard for meant, heard in recognised) >= least * len(recognised), recognised
    assert all(heard in ("", meant) for meant, heard in recognised), recognised
    taken = [words for words in NON_COMMANDS if player.recognise(speak_words(words, 158, 50, ratio_db)).words]
    assert len(taken) <= 1, taken


@HAS_VOICE
def test_the_call_word_is_spoken_alone_before_a_phrase(player: Samples) -> None:
    player.call = CALL
    (call,), (phrase,) = (utterances(speak_words(PHRASES[name], 155, 50)) for name in (CALL, "roll the die"))
    assert player.recognise(phrase, pushed=False).words == ""
    assert player.recognise(call, pushed=False).called
    assert player.recognise(phrase, pushed=False, called=True).words == "roll the die"
    assert player.recognise(phrase, pushed=True).words == "roll the die"
    player.call = ""
    assert player.recognise(phrase, pushed=False).words == "roll the die"


@HAS_VOICE
def test_a_phrases_tolerance_is_the_difference_between_its_newest_samples() -> None:
    phrase, samples = "roll the die", Samples({})
    words = PHRASES[phrase]
    for pace in ((150, 48), (150, 48)):
        samples.add_sample(phrase, speak_words(words, *pace))
    assert samples.recognise(speak_words(words, 165, 47)).words == "", "two equal samples allow no difference"
    for pace in ((160, 50), (170, 53)):
        samples.add_sample(phrase, speak_words(words, *pace))
    assert len(samples.by_phrase[phrase]) == SAMPLES
    assert samples.recognise(speak_words(words, 165, 47)).words == phrase
    assert not any(samples.recognise(speak_words(other, 158, 50)).words for other in NON_COMMANDS)
    samples.by_phrase["move left"] = samples.by_phrase[phrase]
    assert samples.recognise(speak_words(words, 165, 47)).words == "", "either phrase could match"


def test_silence_and_noise_are_refused_as_samples() -> None:
    samples = Samples({})
    for sound in (np.zeros(RATE_HZ, np.int16), np.zeros(10, np.int16)):
        assert not len(extract_features(sound))
        assert not samples.add_sample("roll the die", sound)
        assert samples.recognise(sound).words == ""


@HAS_VOICE
def test_samples_are_saved_in_one_file_that_can_be_deleted(player: Samples, tmp_path: Path) -> None:
    save_samples(tmp_path / "voice", player)
    loaded = load_samples(tmp_path / "voice")
    phrase = speak_words("lance le dé", 165, 47)
    assert {name: len(items) for name, items in loaded.by_phrase.items()} == dict.fromkeys(PHRASES, SAMPLES)
    assert loaded.recognise(phrase) == player.recognise(phrase)
    (saved,) = (tmp_path / "voice").iterdir()
    assert saved.stat().st_size < MAX_BYTES / 10
    loaded.by_phrase.clear()
    save_samples(tmp_path / "voice", loaded)
    assert not list((tmp_path / "voice").iterdir())


def _pack(entries: dict[str, bytes]) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in entries.items():
            file.writestr(name, content)
    return data.getvalue()


def _pack_array(values: np.typing.NDArray[np.float32]) -> bytes:
    data = io.BytesIO()
    np.save(data, values)
    return data.getvalue()


_GOOD = _pack_array(np.ones((20, 2 * CEPSTRA), np.float32))


@pytest.mark.parametrize(
    ("content", "read"),
    [
        pytest.param(lambda: b"", 0, id="empty"),
        pytest.param(lambda: b"PK\x03\x04nonsense", 0, id="not an archive"),
        pytest.param(lambda: _pack({"a/0.npy": _GOOD})[:-30], 0, id="cut off"),
        pytest.param(lambda: _pack({"a/0.npy": b"\x93NUMPY\x09\x00"}), 0, id="not an array"),
        pytest.param(
            lambda: _pack({"a/0.npy": _GOOD, "b/0.npy": _pack_array(np.ones(3, np.float32))}),
            1,
            id="one bad sample",
        ),
        pytest.param(
            lambda: _pack({"a/0.npy": _GOOD, "b/0.npy": bytes(360_000_000)}), 0, id="unpacks to 360 MB"
        ),
        pytest.param(lambda: bytes(MAX_BYTES + 1), 0, id="too large"),
    ],
)
def test_a_broken_file_of_samples_is_kept_and_named_in_one_sentence(
    content: Callable[[], bytes], read: int, tmp_path: Path
) -> None:
    path = tmp_path / "samples.npz"
    written = content()
    path.write_bytes(written)
    loaded = load_samples(tmp_path)
    assert sum(map(len, loaded.by_phrase.values())) == read
    assert str(path) in loaded.error
    loaded.by_phrase["c"] = [np.ones((20, 2 * CEPSTRA), np.float32)]
    save_samples(tmp_path, loaded)
    assert [broken.read_bytes() == written for broken in tmp_path.glob("*.broken")] == [True]
    reloaded = load_samples(tmp_path)
    assert (reloaded.error, sum(map(len, reloaded.by_phrase.values()))) == ("", read + 1)
    assert path.stat().st_mode & 0o077 == 0


@HAS_VOICE
def test_the_listener_learns_recognises_and_forgets(tmp_path: Path) -> None:
    messages: list[dict[str, Any]] = []
    listener = Listener(Recogniser(list(BY_PHRASE)), messages.append)
    phrases = ("roll the die", "move left")
    listener.handle_order({"folder": str(tmp_path)})
    for phrase in phrases:
        listener.handle_order({"learn": phrase})
        for wpm in (150, 160, 170):
            listener.handle_utterance(speak_words(PHRASES[phrase], wpm, 50), pushed=False)
    assert messages[-1] == {"counts": dict.fromkeys(phrases, SAMPLES)}
    listener.handle_order({"folder": str(tmp_path), "learn": ""})
    listener.handle_utterance(speak_words(PHRASES["move left"], 165, 47), pushed=True)
    assert messages[-1]["phrase"] == "move left"
    listener.handle_order({"delete": True})
    assert messages[-1] == {"counts": {}}
    assert not list(tmp_path.iterdir())
    listener.handle_order({"folder": ""})
    listener.handle_utterance(
        speak_in_noise("roll the die", ("en-gb", 150, 50), 20, np.random.default_rng(5)), pushed=True
    )
    assert messages[-1]["phrase"] == "roll the die", "English again"


def test_the_page_asks_for_phrases_until_there_are_enough() -> None:
    now, counts = PhraseRecording(), dict[str, int]()
    for phrase in RECORDED_PHRASES:
        for count in range(1, SAMPLES + 1):
            assert now.asked == phrase
            now = now.with_counts(counts := {**counts, phrase: count})
    assert now.next_phrase().asked != now.asked, "each of them can be recorded again"
    deleted = replace(now, should_delete=True).with_counts({})
    assert (deleted.should_delete, deleted.sample_counts) == (False, ())
