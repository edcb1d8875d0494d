"""What the program knows of its voice: a process that it tells what to say."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import threading
from collections import deque
from typing import IO, Any

from armoon.errors import ArmoonError
from armoon.messages import text
from armoon.speech.engines import find_engine
from armoon.speech.order import Utterance

#: It may take so long to be silent.
END_S = 2.0
#: So much of what it told is kept.
_KEPT = 64


class SpeechError(ArmoonError):
    """Nothing on this system can speak, or what could has failed."""


class SpeakerLink:
    """The process that speaks; close it."""

    def __init__(self) -> None:
        """Raises SpeechError where nothing can speak."""
        if find_engine() is None:
            raise SpeechError(text("speech.missing"), remedy=text("speech.missing_remedy"))
        self._fault = ""
        self.told: deque[dict[str, Any]] = deque(maxlen=_KEPT)
        """What it told last, for who wants to know."""
        self._process = subprocess.Popen(
            [sys.executable, "-m", "armoon.speech.speaker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert self._process.stdout is not None
        reading = threading.Thread(target=self._read, args=(self._process.stdout,), daemon=True)
        reading.start()

    @property
    def pid(self) -> int:
        """Of the process."""
        return self._process.pid

    def settle(self, language: str, wpm: int) -> None:
        """In this language and so fast from now on."""
        self._send(settle=[language, wpm])

    def say(self, one: Utterance) -> None:
        """Say this when it is its turn. Raises SpeechError once the engine has failed."""
        self._send(say=one.words, urgency=one.urgency.value)

    def hush(self) -> None:
        """Say nothing of what is still to be said."""
        self._send(hush=True)

    def close(self) -> None:
        """Be silent; may be called twice."""
        process = self._process
        with contextlib.suppress(OSError, ValueError):
            if process.stdin is not None:
                process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(END_S)
        if process.poll() is None:
            process.kill()
            process.wait()

    def _send(self, **line: object) -> None:
        assert self._process.stdin is not None
        try:
            if self._fault:
                raise BrokenPipeError
            self._process.stdin.write(json.dumps(line).encode() + b"\n")
            self._process.stdin.flush()
        except (OSError, ValueError) as error:
            why = self._fault or text("speech.gone")
            raise SpeechError(text("speech.failed", why=why), remedy=text("speech.failed_remedy")) from error

    def _read(self, stream: IO[bytes]) -> None:
        """In a thread: what it tells, until it ends."""
        with contextlib.suppress(OSError, ValueError):
            for raw in stream:
                line = json.loads(raw)
                self.told.append(line)
                if "fault" in line:
                    self._fault = str(line["fault"])
