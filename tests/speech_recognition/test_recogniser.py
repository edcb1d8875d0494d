"""Phrases of synthetic voices are recognised in noise, unlike other speech; and the listening process as a whole."""

from __future__ import annotations

import shutil
import textwrap
from multiprocessing import Pipe
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.voices import NON_COMMANDS, VOICES, add_noise, speak, speak_in_noise, utterances
from support.waiting import until

from armoon.processes.child import Worker
from armoon.sound.microphone import BLOCK_S, RATE_HZ, Microphone, Sound
from armoon.speech_recognition import listener
from armoon.speech_recognition.samples import HeardPhrase, Recogniser
from armoon.values.acts import BY_PHRASE

HAS_VOICE = pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="espeak-ng isn't installed")
#: Minimum share of recognised phrases, and maximum share of accepted other speech, by signal-to-noise ratio in dB.
MIN_RIGHT, MAX_ACCEPTED = {20: 0.75, 10: 0.5}, {20: 0.2, 10: 0.35}


@pytest.fixture(scope="module")
def recogniser() -> Recogniser:
    return Recogniser(list(BY_PHRASE))


@HAS_VOICE
@pytest.mark.slow
@pytest.mark.parametrize("ratio_db", [10, pytest.param(20, marks=pytest.mark.long)])
def test_phrases_are_recognised_in_noise_and_other_speech_is_ignored(
    recogniser: Recogniser, ratio_db: int, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = np.random.default_rng(5)
    rows = []
    for number, phrase in enumerate(BY_PHRASE):
        phrase_heard = recogniser.recognise(add_noise(speak(phrase, *VOICES[number % 2]), ratio_db, rng))
        rows.append((phrase, phrase_heard.words))
    recognised = [
        recogniser.recognise(add_noise(speak(words, *VOICES[number % 2]), ratio_db, rng)).words
        for number, words in enumerate(NON_COMMANDS)
    ]
    right = sum(meant == phrase_heard for meant, phrase_heard in rows) / len(rows)
    wrong = sum(phrase_heard not in ("", meant) for meant, phrase_heard in rows) / len(rows)
    with capsys.disabled():
        print(
            f"\n{ratio_db} dB: right {right:.0%}, wrong {wrong:.0%}, other speech taken {sum(map(bool, recognised))}"
        )
    assert right >= MIN_RIGHT[ratio_db], rows
    assert wrong <= 0.1, rows
    assert sum(map(bool, recognised)) <= MAX_ACCEPTED[ratio_db] * len(recognised), recognised


def test_silence_and_noise_are_not_phrases(recogniser: Recogniser) -> None:
    rng = np.random.default_rng(3)
    assert recogniser.recognise(np.zeros(RATE_HZ, np.int16)).words == ""
    for loud in (50.0, 2000.0):
        noise = rng.normal(0.0, loud, RATE_HZ).astype(np.int16)
        assert recogniser.recognise(noise).words == ""


def test_speech_while_the_key_is_down_is_one_utterance() -> None:
    listening, size = listener.UtteranceSegmenter(), round(BLOCK_S * RATE_HZ) * 2
    for number in range(100):  # only the last moment before the key is included
        assert listening.add_block(bytes([number]) * size) == b""
    assert listening.set_talking(True) == b""
    for number in range(100, 120):
        assert listening.add_block(bytes([number]) * size) == b""
    first = 100 - round(listener.BEFORE_S / BLOCK_S)
    assert listening.set_talking(False) == b"".join(bytes([number]) * size for number in range(first, 120))
    assert listening.set_talking(False) == b""
    listening.set_talking(True)
    for _ in range(10 * round(listener.LONGEST_S / BLOCK_S)):  # a stuck key must not fill the memory
        listening.add_block(b"\0" * size)
    listening.add_block(b"\1" * size)
    utterance = listening.set_talking(False)
    assert len(utterance) == round(listener.LONGEST_S / BLOCK_S) * size
    assert utterance.endswith(b"\1" * size), "the newest sound is kept"


@HAS_VOICE
def test_without_a_key_the_call_word_comes_first_and_long_speech_is_ignored() -> None:
    recogniser, rng = Recogniser(list(BY_PHRASE)), np.random.default_rng(5)

    def recognise(words: str, *, pushed: bool = False, called: bool = False) -> HeardPhrase:
        (utterance,) = utterances(speak_in_noise(words, VOICES[0], 20, rng))
        return recogniser.recognise(utterance, pushed=pushed, called=called)

    assert recognise("roll the die").words == "roll the die"
    recogniser.set_call_word("armoon")
    assert recognise("armoon, roll the die").words == "roll the die"
    assert recognise("roll the die", pushed=True).words == "roll the die"
    assert recognise("roll the die").words == ""
    call = recognise("armoon")
    assert (call.words, call.called) == ("", True)
    assert recognise("roll the die", called=True).words == "roll the die"
    assert recognise("armoon, roll the die and then we shall see who is higher").words == ""
    recogniser.set_call_word("")
    assert recognise("go and take this place in the middle of the room").words == ""


@HAS_VOICE
def test_a_fast_voice_is_recognised_after_the_call_word() -> None:
    """At 210 words per minute, without a pause; at most one sentence in twenty of other speech is accepted."""
    recogniser, phrases, others = Recogniser(list(BY_PHRASE)), list(BY_PHRASE)[::3], NON_COMMANDS[::3]
    recogniser.set_call_word("armoon")
    count = 0
    for seed in (5, 6, 7):
        rng = np.random.default_rng(seed)

        def recognise(words: str, number: int, rng: np.random.Generator = rng) -> str:
            voice, _, pitch = VOICES[number % 4]
            (utterance,) = utterances(speak_in_noise(words, (voice, 210, pitch), 20, rng))
            return recogniser.recognise(utterance, pushed=False).words

        right = [phrase for k, phrase in enumerate(phrases) if recognise(f"armoon {phrase}", k) == phrase]
        assert len(right) >= 0.75 * len(phrases), right
        count += sum(bool(recognise(words, k)) for k, words in enumerate(others))
    assert 20 * count <= 3 * len(others)


class SilentMicrophone(Microphone):
    def __init__(self, blocks: int) -> None:
        self._left = blocks

    def drain_blocks(self, timeout_s: float = 0.0) -> list[Sound]:
        self._left -= 1
        return [np.zeros(round(BLOCK_S * RATE_HZ), np.int16)] if self._left >= 0 else []

    def close(self) -> None:
        pass


@pytest.mark.parametrize("blocks", [0, 1, 5])
def test_a_microphone_is_ready_when_there_is_sound(recogniser: Recogniser, blocks: int) -> None:
    ours, theirs = Pipe()
    listener.listen(SilentMicrophone(blocks), theirs, listener.Listener(recogniser, theirs.send))
    assert ours.poll() == (blocks > 0)
    assert blocks == 0 or ours.recv() == {"ready": True}
    assert not ours.poll()


_FAKE = """
import threading, time
from pathlib import Path
class RawInputStream:
    def __init__(self, samplerate, channels, dtype, blocksize, callback):
        assert (samplerate, channels, dtype) == (16000, 1, "int16")
        self._size, self._callback = blocksize * 2, callback
        self._sound = Path({sound!r}).read_bytes()
        if Path({unplugged!r}).exists():
            raise OSError("no input device")
    def start(self):
        threading.Thread(target=self._run, daemon=True).start()
    def close(self):
        pass
    def _run(self):
        while not Path({unplugged!r}).exists():
            data = b"\\0" * self._size
            if Path({now!r}).exists():
                data, self._sound = self._sound[: self._size].ljust(self._size, b"\\0"), self._sound[self._size :]
            self._callback(data, len(data) // 2, None, None)
            if not self._sound:
                Path({played!r}).touch()
            time.sleep(0.02)
"""


@HAS_VOICE
@pytest.mark.slow
def test_the_process_recognises_a_phrase_loses_the_microphone_and_finds_it_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The real process with a microphone made of files: pushed to talk, unplugged, plugged in again."""
    names = ("sound", "unplugged", "now", "played")
    sound, unplugged, now, played = files = [tmp_path / name for name in names]
    sound.write_bytes(speak("roll the die").tobytes())
    module = textwrap.dedent(_FAKE).format(**dict(zip(names, map(str, files), strict=True)))
    (tmp_path / "sounddevice.py").write_text(module)
    monkeypatch.syspath_prepend(tmp_path)
    lines: list[dict[str, Any]] = []
    child = Worker("listener", listener.serve_listener)

    def read_events(key: str, count: int = 1) -> dict[str, Any]:
        until(
            lambda: sum(key in line for line in lines) >= count,
            key,
            meanwhile=lambda: lines.extend(child.drain_messages()),
        )
        return [line for line in lines if key in line][-1]

    try:
        read_events("ready")
        child.send({"talk": True})
        now.touch()
        until(played.exists)
        child.send({"talk": False})
        phrase = "roll the die"
        assert read_events("phrase") == {
            "phrase": phrase,
            "likeliest": phrase,
            "pushed": True,
            "called": False,
        }
        unplugged.touch()
        assert read_events("error")["error"] == "microphone"
        unplugged.unlink()
        read_events("ready", 2)
        assert sum("error" in line for line in lines) == 1
    finally:
        child.close()
    assert not child.is_alive
