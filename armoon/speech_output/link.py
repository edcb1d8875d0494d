"""The program's side of its voice: a process that gets the texts to speak."""

from __future__ import annotations

from collections import deque
from typing import Any

from armoon.errors import ArmoonError
from armoon.messages import text
from armoon.processes.child import LineChild
from armoon.speech_output.engines import FULL, find_engine
from armoon.speech_output.order import Utterance

#: Number of its last lines that are kept.
_KEPT = 64


class SpeechError(ArmoonError):
    """Nothing on this system can speak, or what could has failed."""


class SpeakerLink:
    """The process that speaks; close it."""

    def __init__(self) -> None:
        """Start the speaker's process. Raises SpeechError where nothing can speak."""
        if find_engine() is None:
            raise SpeechError(text("speech.missing"), remedy=text("speech.missing_remedy"))
        self._fault = ""
        self._speaking = False
        self.told: deque[dict[str, Any]] = deque(maxlen=_KEPT)
        """Its last messages."""
        self._child = LineChild("armoon.speech_output.speaker", self._hear)

    @property
    def pid(self) -> int:
        """Number of the process."""
        return self._child.pid

    @property
    def speaking(self) -> bool:
        """Something is being said."""
        return self._speaking and self._child.alive

    def settle(self, language: str, wpm: int, loud: int = FULL) -> None:
        """In this language and so fast from now on."""
        self._send(settle=[language, wpm, loud])

    def say(self, one: Utterance) -> None:
        """Say this when it is its turn. Raises SpeechError once the engine has failed."""
        self._send(say=one.words, urgency=one.urgency.value)

    def hush(self) -> None:
        """Drop all pending utterances."""
        self._send(hush=True)

    def close(self) -> None:
        """Be silent; may be called twice."""
        self._child.close()

    def _send(self, **line: object) -> None:
        if self._fault or not self._child.send(**line):
            why = self._fault or text("speech.gone")
            raise SpeechError(text("speech.failed", why=why), remedy=text("speech.failed_remedy"))

    def _hear(self, line: dict[str, Any]) -> None:
        """In a thread: what it tells."""
        self.told.append(line)
        self._speaking = "began" in line
        self._fault = str(line.get("fault", self._fault))
