"""The process that speaks: reads JSON lines, and is silent as soon as they end.

``{"say": words, "urgency": "event"}`` and ``{"settle": [language, words a minute, per cent]}`` and ``{"hush": true}``
come in; ``{"began": words}``, ``{"ended": words, "cut": false}`` and ``{"fault": why}`` go out. A parent that is killed
closes its input: then the engine is ended, too.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import threading
from typing import Any

from armoon.processes.child import ignore_terminal, tell
from armoon.speech_output.engines import FULL, USUAL_WPM, Engine, find_engine, spoken_s
from armoon.speech_output.order import Order, Urgency, Utterance

#: Factor of the expected time after which an engine counts as hung; minimum for one that has just begun.
LATE, LEAST_S = 3.0, 6.0
#: Number of failed utterances in a row after which no more are tried.
MOST_FAULTS = 3
_HUSH_S = 1.0


class Speaker:
    """Says one thing after the other, in a thread of its own."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._language, self._wpm, self._loud = "en", USUAL_WPM, FULL
        self._order = Order()
        self._changed = threading.Condition()
        self._process: subprocess.Popen[bytes] | None = None
        self._cut = self._ending = False
        self._faults = 0
        self._thread = threading.Thread(target=self._run, name="speaker", daemon=True)
        self._thread.start()

    def hear(self, line: dict[str, Any]) -> None:
        """One line of what came in."""
        with self._changed:
            if "settle" in line:
                language, wpm, loud = line["settle"]
                self._language, self._wpm, self._loud = str(language), int(wpm), int(loud)
            if "hush" in line:
                self._order.clear()
                self._stop()
            if "say" in line and self._order.add(Utterance(str(line["say"]), Urgency(line["urgency"]))):
                self._stop()
            self._changed.notify_all()

    def end(self) -> None:
        """Be silent, for good."""
        with self._changed:
            self._ending = True
            self._order.clear()
            self._stop()
            self._changed.notify_all()
        self._thread.join(_HUSH_S)

    def _stop(self) -> None:
        """Cut short what is being said."""
        if self._order.current is None:
            return
        self._cut = True
        if self._process is not None:
            with contextlib.suppress(OSError):
                self._process.kill()

    def _run(self) -> None:
        while True:
            with self._changed:
                self._order.current = None
                self._cut = False
                self._changed.wait_for(lambda: self._ending or self._order.next() is not None)
                if self._ending:
                    return
                one, command = (
                    self._order.current,
                    self._engine.command(self._language, self._wpm, self._loud),
                )
            assert one is not None
            tell(began=one.words)
            self._say(one.words, command)
            tell(ended=one.words, cut=self._cut)

    def _say(self, words: str, command: list[str]) -> None:
        try:
            process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
            )
        except OSError as error:
            self._fail(str(error))
            return
        with self._changed:
            self._process = process
            if self._cut:
                process.kill()
        why = b""
        try:
            # A space in front: some engines take what begins with a sign of their own for an order.
            _, why = process.communicate(f" {words}\n".encode(), LATE * spoken_s(words, self._wpm) + LEAST_S)
        except (subprocess.TimeoutExpired, OSError):
            process.kill()
            process.communicate()
        with self._changed:
            self._process = None
        if self._cut and self._engine.hushes:
            with contextlib.suppress(OSError, subprocess.TimeoutExpired):
                subprocess.run(self._engine.hushes, timeout=_HUSH_S, check=False, capture_output=True)
        if process.returncode and not self._cut:
            self._fail(" ".join(why.decode(errors="replace").split())[:200] or str(process.returncode))
        else:
            self._faults = 0

    def _fail(self, why: str) -> None:
        self._faults += 1
        if self._faults >= MOST_FAULTS:
            tell(fault=why)
            with self._changed:
                self._ending = True


def main() -> None:
    """Until nothing can come in any more."""
    ignore_terminal()
    engine = find_engine()
    if engine is None:
        tell(fault="missing")
        return
    speaker = Speaker(engine)
    try:
        for line in sys.stdin:
            with contextlib.suppress(ValueError, TypeError, KeyError):
                speaker.hear(json.loads(line))
    finally:
        speaker.end()


if __name__ == "__main__":
    main()
