"""Hands every moment to all sinks, each by its own rule, and isolates the game from their faults."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import partial

from armoon.errors import ArmoonError
from armoon.messages import text
from armoon.sinks.moment import Leaving, Moment
from armoon.sinks.sink import Rule, Sink, WindowLostError
from armoon.sinks.worker import KEEPING, Worker


@dataclass(frozen=True)
class Limits:
    """Time limits for sinks."""

    wait_s: float = 0.25
    """Maximum time that the loop waits for an ``AWAITED`` sink, as long as the loop's longest frame.

    Usually it takes 1 ms.
    """
    stuck_s: float = 4.0
    """Maximum time of a sink's work on one part before it is given up, or, if it loses nothing, reported."""
    close_s: float = 10.0
    """Maximum time for a sink to finish."""
    lock_step_s: float = 60.0
    """In lock step: maximum time for a sink to make room before it is given up."""


@dataclass
class _Entry:
    sink: Sink
    worker: Worker | None
    said: set[str] = field(default_factory=set)
    """The sentences about this sink: each is said once."""
    late: bool = False


class Sinks:
    """All sinks of a running program."""

    def __init__(self, *, lock_step: bool = False, limits: Limits | None = None) -> None:
        """``lock_step``: there is no clock, so nothing is dropped and slow sinks are waited for."""
        self._lock_step = lock_step
        self._limits = limits or Limits()
        self._entries: list[_Entry] = []
        self._lock = threading.Lock()
        self._notices: list[str] = []

    def add(self, *sinks: Sink) -> None:
        """From now on these see every moment; in the order in which they were added."""
        for sink in sinks:
            entry = _Entry(sink, None)
            if sink.rule is not Rule.IN_LOOP:
                entry.worker = Worker(sink, partial(self._report, entry))
            self._entries.append(entry)

    def holds(self, sink: Sink) -> bool:
        """Whether this sink still sees moments."""
        return any(
            entry.sink is sink and not (entry.worker is not None and entry.worker.broken)
            for entry in self._entries
        )

    @property
    def leaving(self) -> tuple[Leaving, ...]:
        """By which ways pictures leave the program, as long as their sinks work."""
        ways = (getattr(entry.sink, "leaving", None) for entry in self._entries if self.holds(entry.sink))
        return tuple(way for way in ways if way is not None)

    def take(self, moment: Moment) -> None:
        """Hand the moment on: to those who write it down first, then to the loop's own, then to all others.

        Raises WindowLostError when the window is gone; nothing else.
        """
        entries = list(self._entries)
        if leaving := self.leaving:
            moment = replace(moment, leaving=leaving)
        # Events are shown only once they are on their way to the disk.
        for rules in (KEEPING, (Rule.IN_LOOP,), (Rule.DROPS, Rule.QUEUES)):
            for entry in entries:
                if entry.sink.rule in rules:
                    self._hand(entry, moment)
            if rules is KEEPING:
                self._await(entries)
        for entry in entries:
            self._look_after(entry)

    def take_notices(self) -> tuple[str, ...]:
        """Sentences about sinks that the players haven't been told yet."""
        with self._lock:
            notices = tuple(self._notices)
            self._notices.clear()
        return notices

    def remove(self, *sinks: Sink) -> None:
        """Let these finish and close them; the others go on."""
        for entry in [entry for entry in self._entries if any(entry.sink is sink for sink in sinks)]:
            self._entries.remove(entry)
            self._close(entry)

    def close(self) -> None:
        """Close all, the last one first; those who are left hear what the closed ones failed in."""
        while self._entries:
            notices = self.take_notices()
            if notices:
                self.take(Moment(0.0, sentences=notices))
            self.remove(self._entries[-1].sink)

    def _hand(self, entry: _Entry, moment: Moment) -> None:
        try:
            part = entry.sink.part(moment)
            if part is None:
                return
            if entry.worker is None:
                entry.sink.take(part)
                return
        except WindowLostError:
            self._drop(entry)
            raise
        except Exception as error:  # whatever it is, it costs the game no more than this sink
            self._report(entry, error)
            self._drop(entry)
            return
        worker, patience_s = entry.worker, self._limits.lock_step_s
        if not (worker.put_patiently(part, patience_s) if self._lock_step else worker.put(part)):
            self._say(entry, text("sink.stuck", sink=entry.sink.name))
            self._drop(entry)

    def _await(self, entries: Iterable[_Entry]) -> None:
        for entry in entries:
            if entry.sink.rule is not Rule.AWAITED or entry.worker is None:
                continue
            if entry.late:
                entry.late = not entry.worker.idle
            elif not entry.worker.wait(self._limits.wait_s):
                entry.late = True  # from here on the game goes on without waiting, until it has caught up
                self._say(entry, text("sink.late", sink=entry.sink.name))

    def _look_after(self, entry: _Entry) -> None:
        """Give up hung sinks and forget failed ones."""
        worker = entry.worker
        if worker is None:
            return
        if worker.broken:
            self._drop(entry)
        elif not self._lock_step and worker.busy_s() > self._limits.stuck_s:
            if entry.sink.rule in KEEPING:
                self._say(entry, text("sink.late", sink=entry.sink.name))
            else:
                self._say(entry, text("sink.stuck", sink=entry.sink.name))
                self._drop(entry)

    def _drop(self, entry: _Entry) -> None:
        """Drop a sink for good."""
        if entry not in self._entries:
            return
        self._entries.remove(entry)
        if entry.worker is not None:
            entry.worker.give_up()
        else:
            self._close_own(entry)

    def _close(self, entry: _Entry) -> None:
        if entry.worker is None:
            self._close_own(entry)
        elif not entry.worker.finish(self._limits.close_s):
            self._say(entry, text("sink.unfinished", sink=entry.sink.name))

    def _close_own(self, entry: _Entry) -> None:
        """Close a sink of the loop's own; a worker closes its own."""
        try:
            entry.sink.close()
        except Exception as error:
            self._report(entry, error)

    def _report(self, entry: _Entry, error: Exception) -> None:
        """One sentence about a fault: a user's own, or what a program would call it."""
        if isinstance(error, ArmoonError):
            self._say(entry, str(error))
        elif not entry.said:
            why = " ".join(f"{type(error).__name__} {error}".split())
            self._say(entry, text("sink.broken", sink=entry.sink.name, error=why))

    def _say(self, entry: _Entry, sentence: str) -> None:
        with self._lock:
            if sentence not in entry.said:
                entry.said.add(sentence)
                self._notices.append(sentence)
