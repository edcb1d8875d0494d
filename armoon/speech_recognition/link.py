"""The listening process's messages: phrases that were heard, and one sentence when the microphone is lost."""

from __future__ import annotations

import queue
from typing import Any

from armoon.processes.child import LineChild


class ListenerLink:
    """The process that listens; close it."""

    def __init__(self) -> None:
        self._told: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self._child = LineChild("armoon.speech_recognition.listener", self._told.put)
        self._gone = False

    def talk(self, talking: bool) -> None:
        self._child.send(talk=talking)

    def order(self, **wanted: object) -> None:
        """Send an order (``listener``): which word calls, whether to be deaf, whose phrases count."""
        self._child.send(**wanted)

    def take(self) -> list[dict[str, Any]]:
        """Return its messages since the last call: ``heard``, ``ready`` or ``trouble``; the last once it has ended."""
        told = []
        while not self._told.empty():
            told.append(self._told.get())
        if not self._child.alive and not self._gone:
            self._gone = True
            if not any("trouble" in line for line in told):
                told.append({"trouble": "gone"})
        return told

    def close(self) -> None:
        """Hear nothing any more; may be called twice."""
        self._child.close()
