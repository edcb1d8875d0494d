"""The process that listens. What the microphone gives never leaves it, nor memory.

``{"talk": true}`` and ``{"talk": false}`` begin and end an utterance, ``{"open": true}`` lets it find utterances by
itself. ``{"ready": name}``, ``{"heard": words, "like": phrase}`` and ``{"trouble": why}`` go out.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import sys
import threading
import time
from typing import Any

import numpy as np

from armoon.processes.child import ignore_terminal, tell
from armoon.sound.microphone import BLOCK_S, RATE_HZ, Microphone, MissingLibraryError, open_microphone
from armoon.speech_recognition.recogniser import Recogniser
from armoon.values.acts import BY_PHRASE

#: Seconds without sound after which the microphone counts as gone; then interval of opening it again.
GONE_S, AGAIN_S = 2.0, 2.0
#: Shortest and longest utterance, seconds; what was said just before a key went down counts as well.
SHORTEST_S, LONGEST_S, BEFORE_S = 0.25, 6.0, 0.2


class Listening:
    """Blocks of sound in, utterances out: between two edges of a key, or by itself."""

    def __init__(self) -> None:
        self.open = False
        """It finds utterances by itself."""
        self._talking = False
        self._kept: list[bytes] = []
        self._endpointer: Any = None
        self._speech = b""

    def talk(self, talking: bool) -> bytes:
        """Note that the key went down or up; its release returns the recorded sound."""
        was, self._talking = self._talking, talking
        if was and not talking:
            said, self._kept = b"".join(self._kept), []
            return said
        if talking:
            self._kept = self._kept[-round(BEFORE_S / BLOCK_S) :]
        return b""

    def take(self, block: bytes) -> bytes:
        """Return a block of sound; the utterance that has ended with it, if one has."""
        if self.open and not self._talking:
            return self._by_itself(block)
        most = LONGEST_S if self._talking else BEFORE_S
        self._kept = [*self._kept, block][-round(most / BLOCK_S) :]
        return b""

    def _by_itself(self, block: bytes) -> bytes:
        if self._endpointer is None:
            from pocketsphinx import Endpointer

            self._endpointer = Endpointer(sample_rate=RATE_HZ)
        said = b""
        self._kept.append(block)
        data = b"".join(self._kept)
        size = self._endpointer.frame_bytes
        while len(data) >= size:
            frame, data = data[:size], data[size:]
            speech = self._endpointer.process(frame)
            if speech is not None:
                self._speech += speech
                if not self._endpointer.in_speech:
                    said, self._speech = self._speech, b""
        self._kept = [data] if data else []
        return said


def hear(
    microphone: Microphone,
    listening: Listening,
    orders: queue.SimpleQueue[dict[str, Any]],
    recogniser: Recogniser,
) -> None:
    """Report ready once there is sound, and each phrase, until the sound ends."""
    ready = False
    while blocks := microphone.take(GONE_S):
        if not ready:
            ready = True
            tell(ready=True)
        for block in blocks:
            said = listening.take(block.tobytes())
            while not orders.empty():
                said = _obey(listening, orders.get()) or said
            if len(said) >= SHORTEST_S * RATE_HZ * 2:
                heard = recogniser.hear(np.frombuffer(said, np.int16))
                tell(heard=heard.words, like=heard.likeliest)


def _follow(told: queue.SimpleQueue[dict[str, Any]]) -> None:
    """In a thread: read the input; at its end the parent has gone."""
    for line in sys.stdin:
        with contextlib.suppress(ValueError):
            told.put(json.loads(line))
    os._exit(0)


def main() -> None:
    """Until nothing can come in any more."""
    ignore_terminal()
    told: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
    threading.Thread(target=_follow, args=(told,), daemon=True).start()
    try:
        recogniser = Recogniser(list(BY_PHRASE))
    except (ImportError, OSError) as error:
        tell(trouble="missing", why=str(error))
        return
    listening = Listening()
    while True:
        why = "no sound comes from it"
        try:
            with contextlib.closing(open_microphone()) as microphone:
                hear(microphone, listening, told, recogniser)
        except MissingLibraryError as error:
            tell(trouble="missing", why=str(error.__cause__))
            return
        except Exception as error:
            why = " ".join(str(error.__cause__ or error).split())[:160]
        tell(trouble="microphone", why=why)
        time.sleep(AGAIN_S)


def _obey(listening: Listening, order: dict[str, Any]) -> bytes:
    if "open" in order:
        listening.open = bool(order["open"])
    return listening.talk(bool(order["talk"])) if "talk" in order else b""


if __name__ == "__main__":
    main()
