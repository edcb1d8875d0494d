"""The speech recognition process. Recorded sound never leaves its memory.

Orders are dictionaries: ``{"talk": bool}`` (a key is held), ``{"call": word}`` (call word to expect),
``{"muted": bool}`` (ignore sound), ``{"folder": folder, "language": code}`` (use the folder's samples; empty: none),
``{"learn": phrase}``, ``{"delete": True}``. So are its messages: ``{"counts": counts}``, ``{"ready": True}``,
``{"phrase": words, "likeliest": phrase, "pushed": bool, "called": bool}``, ``{"error": kind, "why": reason}``, and
``{"damaged": sentence}`` about samples, in that language.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np

from armoon.messages import set_language
from armoon.sound.microphone import BLOCK_S, RATE_HZ, Microphone, PortAudioError, Sound, open_microphone
from armoon.speech_recognition.samples import Recogniser, Samples, load_samples, save_samples
from armoon.values.acts import BY_PHRASE, CALL

#: Time without sound after which the microphone counts as missing, and interval of attempts to reopen it, in seconds.
MISSING_AFTER_S, REOPEN_EVERY_S = 2.0, 2.0
#: Minimum and maximum length of an utterance, and length of the recorded sound before a key press, in seconds.
SHORTEST_S, LONGEST_S, BEFORE_S = 0.25, 6.0, 0.2
#: Reverberation time of a voice, and time within which a phrase may follow the call word, in seconds.
TAIL_S, CALLED_S = 0.5, 5.0
#: Length of the window in which the start and end of speech are detected, in seconds.
WINDOW_S = 0.3


class UtteranceSegmenter:
    """Divides blocks of sound into utterances, by a key that is held or by detecting speech."""

    def __init__(self) -> None:
        self._talking = self._muted = False
        self._tail_blocks = 0
        """Remaining number of blocks to ignore after muting."""
        self._blocks: list[bytes] = []
        self._past_blocks: list[bytes] = []
        self._frames: list[bytes] = []
        self._endpointer: Any = None
        self._speech = b""

    def set_talking(self, talking: bool) -> bytes:
        """Record while the key is held; return the recorded sound when it is released."""
        was_talking, self._talking = self._talking, talking
        if was_talking and not talking:
            utterance, self._blocks = b"".join(self._blocks), []
            return utterance
        if talking and not was_talking:
            before = self._past_blocks
            self._clear()
            self._blocks = before
        return b""

    def set_muted(self, muted: bool) -> None:
        """Ignore all sound while muted, and the room's echo for ``TAIL_S`` afterwards."""
        if self._muted and not muted:
            self._tail_blocks = round(TAIL_S / BLOCK_S)
        self._muted = muted
        self._clear()

    def add_block(self, block: bytes) -> bytes:
        """Add a block of sound; return the utterance that ends with it, if any."""
        if self._muted or self._tail_blocks > 0:
            self._tail_blocks = max(0, self._tail_blocks - 1)
            return b""
        self._past_blocks = [*self._past_blocks, block][-round(BEFORE_S / BLOCK_S) :]
        if not self._talking:
            return self._detect_speech(block)
        self._blocks = [*self._blocks, block][-round(LONGEST_S / BLOCK_S) :]
        return b""

    def _clear(self) -> None:
        self._blocks, self._past_blocks, self._frames = [], [], []
        self._speech, self._endpointer = b"", None

    def _detect_speech(self, block: bytes) -> bytes:
        if self._endpointer is None:
            from pocketsphinx import Endpointer

            self._endpointer = Endpointer(window=WINDOW_S, sample_rate=RATE_HZ)
        utterance = b""
        self._blocks.append(block)
        data = b"".join(self._blocks)
        size = self._endpointer.frame_bytes
        while len(data) >= size:
            frame, data = data[:size], data[size:]
            speech = self._endpointer.process(frame)
            self._frames = [*self._frames, frame][-2 * round(WINDOW_S * RATE_HZ * 2 / size) :]
            if speech is not None:
                # Include the preceding sound, in case speech starts softly, as with an "s".
                before = (
                    b"" if self._speech else b"".join(self._frames[: -round(WINDOW_S * RATE_HZ * 2 / size)])
                )
                self._speech += before + speech
                if not self._endpointer.in_speech:
                    utterance, self._speech = self._speech, b""
        self._blocks = [data] if data else []
        return utterance


class Listener:
    """Recognises phrases in utterances, in English or by the player's samples, or records utterances as samples."""

    def __init__(self, recogniser: Recogniser, send: Callable[[dict[str, Any]], object]) -> None:
        """``send`` sends a message to the program."""
        self._send = send
        self.segmenter = UtteranceSegmenter()
        self._recogniser = recogniser
        self._folder: Path | None = None
        self._samples = Samples({})
        self._phrase_to_learn = ""
        self._called_s = 0.0
        """Remaining time in which a phrase may follow the call word."""

    def handle_order(self, order: dict[str, Any]) -> bytes:
        """Carry out an order; if it says that the key was released, return the sound recorded until then."""
        if "call" in order:
            self._recogniser.set_call_word(str(order["call"]))
            self._samples.call = CALL if order["call"] else ""
        self._phrase_to_learn = str(order.get("learn", self._phrase_to_learn))
        if "folder" in order:
            self._folder = Path(order["folder"]) if order["folder"] else None
            set_language(str(order.get("language", "en")))
            call = self._samples.call
            self._samples = Samples({}) if self._folder is None else load_samples(self._folder)
            self._samples.call = call
            if self._samples.error:
                self._send({"damaged": self._samples.error})
            self._report_counts()
        if "delete" in order and self._folder is not None:
            self._samples.by_phrase.clear()
            self._report_counts(write=True)
        if "muted" in order:
            self.segmenter.set_muted(bool(order["muted"]))
        return self.segmenter.set_talking(bool(order["talk"])) if "talk" in order else b""

    def pass_time(self, seconds: float) -> None:
        self._called_s -= seconds

    def handle_utterance(self, sound: Sound, *, pushed: bool) -> None:
        if self._phrase_to_learn:
            self._samples.add_sample(self._phrase_to_learn, sound)
            self._report_counts(write=True)
            return
        recogniser = self._recogniser if self._folder is None else self._samples
        result = recogniser.recognise(sound, pushed=pushed, called=self._called_s > 0.0)
        self._called_s = CALLED_S if result.called and not result.words else 0.0
        utterance = {"phrase": result.words, "likeliest": result.likeliest}
        self._send({**utterance, "pushed": pushed, "called": result.called})

    def _report_counts(self, *, write: bool = False) -> None:
        if write and self._folder is not None:
            with contextlib.suppress(OSError):
                save_samples(self._folder, self._samples)
        self._send({"counts": {phrase: len(items) for phrase, items in self._samples.by_phrase.items()}})


def listen(microphone: Microphone, pipe: Connection, listener: Listener) -> None:
    """Report once that the microphone is ready, and then each phrase, until the sound ends."""
    is_ready = False
    while blocks := microphone.drain_blocks(MISSING_AFTER_S):
        if not is_ready:
            is_ready = True
            pipe.send({"ready": True})
        for block in blocks:
            listener.pass_time(BLOCK_S)
            utterance, pushed = listener.segmenter.add_block(block.tobytes()), False
            while pipe.poll():
                if held := listener.handle_order(pipe.recv()):
                    utterance, pushed = held, True
            if len(utterance) >= SHORTEST_S * RATE_HZ * 2:
                listener.handle_utterance(np.frombuffer(utterance, np.int16), pushed=pushed)


def serve_listener(pipe: Connection) -> None:
    listener = Listener(Recogniser(list(BY_PHRASE)), pipe.send)
    while True:
        reason = "it sends no data"
        try:
            with contextlib.closing(open_microphone()) as microphone:
                listen(microphone, pipe, listener)
        except (EOFError, ConnectionError):
            return
        except PortAudioError as error:
            pipe.send({"error": "missing", "why": str(error.__cause__)})
            return
        except Exception as error:
            reason = " ".join(str(error.__cause__ or error).split())[:160]
        pipe.send({"error": "microphone", "why": reason})
        reopen_s = time.monotonic() + REOPEN_EVERY_S
        while pipe.poll(max(0.0, reopen_s - time.monotonic())):
            listener.handle_order(pipe.recv())
