"""Distributes every moment to all sinks by their rules, and isolates the game from their faults."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from armoon.errors import ArmoonError
from armoon.messages import text
from armoon.sinks.sink import Leaving, Moment, Rule, Sink, WindowLostError

#: Rules of sinks that lose nothing; an ArmoonError doesn't end them.
KEEPING = (Rule.AWAITED, Rule.KEEPS)


class SinkWorker:
    """Runs a sink in its own thread, one part after another."""

    def __init__(self, sink: Sink, report: Callable[[Exception], None]) -> None:
        """``report`` is called with faults, in the worker's thread."""
        self.sink = sink
        self._report = report
        self._changed = threading.Condition()
        self._waiting: deque[Any] = deque()
        self._closing = False
        self._since_s: float | None = None
        self.broken = False
        self.dropped = 0
        # A daemon thread, so that a hanging disk or pipe can't keep the program from ending.
        self._thread = threading.Thread(target=self._run, name=f"sink {sink.rule.value}", daemon=True)
        self._thread.start()

    def put(self, part: Any, patience_s: float = 0.0) -> bool:
        """Queue a part by the sink's rule; return False if nothing may be dropped but the queue stays full."""
        rule, capacity = self.sink.rule, self.sink.capacity
        with self._changed:
            if patience_s > 0.0 and not self._changed.wait_for(self._has_room, patience_s):
                return False
            if self._closing or self.broken:
                return True
            if rule is Rule.DROPS and not patience_s:
                self.dropped += len(self._waiting)
                self._waiting.clear()
            elif len(self._waiting) >= capacity:
                if rule in KEEPING:
                    return False
                self._waiting.popleft()
                self.dropped += 1
            self._waiting.append(part)
            self._changed.notify_all()
        return True

    def wait(self, timeout_s: float) -> bool:
        with self._changed:
            return self._changed.wait_for(self._idle, timeout_s)

    def busy_s(self) -> float:
        since_s = self._since_s
        return 0.0 if since_s is None else time.monotonic() - since_s

    def finish(self, timeout_s: float) -> bool:
        """Process the waiting parts and close the sink; return False after a timeout."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._thread.join(timeout_s)
        return not self._thread.is_alive()

    def give_up(self) -> None:
        """Abandon the sink; it closes when its work returns, if ever."""
        with self._changed:
            self._closing = True
            self._waiting.clear()
            self._changed.notify_all()

    def _has_room(self) -> bool:
        return len(self._waiting) < self.sink.capacity or self._closing or self.broken

    def _idle(self) -> bool:
        return self.broken or (not self._waiting and self._since_s is None)

    def _run(self) -> None:
        while (part := self._next()) is not None:
            try:
                self.sink.process(part)
            except ArmoonError as error:
                self._fail(error, for_good=self.sink.rule not in KEEPING)
            except Exception as error:
                self._fail(error, for_good=True)
            with self._changed:
                self._since_s = None
                self._changed.notify_all()
        try:
            self.sink.close()
        except Exception as error:
            if not self.broken:
                self._report(error)

    def _next(self) -> Any:
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._closing or self.broken)
            if self.broken or not self._waiting:
                return None
            self._since_s = time.monotonic()
            part = self._waiting.popleft()
            self._changed.notify_all()
            return part

    def _fail(self, error: Exception, *, for_good: bool) -> None:
        self._report(error)
        if for_good:
            with self._changed:
                self.broken = True
                self._waiting.clear()
                self._changed.notify_all()


#: Maximum wait for a slow sink in lock step, in seconds.
LOCK_STEP_S = 60.0


@dataclass
class _Entry:
    sink: Sink
    worker: SinkWorker | None
    reported: set[str] = field(default_factory=set)
    """Sentences already reported about this sink."""
    late: bool = False


class Sinks:
    """All sinks of a running program."""

    def __init__(
        self, *, lock_step: bool = False, wait_s: float = 0.25, stuck_s: float = 4.0, close_s: float = 10.0
    ) -> None:
        """``lock_step``: there is no clock, so nothing is dropped and the loop waits for slow sinks.

        ``wait_s``: maximum wait for an ``AWAITED`` sink, usually 1 ms. ``stuck_s``: maximum time for one part, after
        which a sink is removed, or reported if it may lose nothing. ``close_s``: maximum time for closing a sink.
        """
        self._lock_step = lock_step
        self._wait_s, self._stuck_s, self._close_s = wait_s, stuck_s, close_s
        self._entries: list[_Entry] = []
        self._lock = threading.Lock()
        self._notices: list[str] = []

    def add(self, *sinks: Sink) -> None:
        for sink in sinks:
            entry = _Entry(sink, None)
            if sink.rule is not Rule.IN_LOOP:
                entry.worker = SinkWorker(sink, partial(self._report, entry))
            self._entries.append(entry)

    def is_active(self, sink: Sink) -> bool:
        return any(
            entry.sink is sink and not (entry.worker is not None and entry.worker.broken)
            for entry in self._entries
        )

    @property
    def leaving(self) -> tuple[Leaving, ...]:
        leavings = (entry.sink.leaving for entry in self._entries if self.is_active(entry.sink))
        return tuple(leaving for leaving in leavings if leaving is not None)

    def distribute(self, moment: Moment) -> None:
        """Pass the moment to sinks that lose nothing, those in the loop, then others. Raises only WindowLostError."""
        entries = list(self._entries)
        if leaving := self.leaving:
            moment = replace(moment, leaving=leaving)
        # Pass events on to be written before they are shown.
        for rules in (KEEPING, (Rule.IN_LOOP,), (Rule.DROPS, Rule.QUEUES)):
            for entry in entries:
                if entry.sink.rule in rules:
                    self._hand(entry, moment)
            if rules is KEEPING:
                self._await(entries)
        for entry in entries:
            self._supervise(entry)

    def drain_notices(self) -> tuple[str, ...]:
        with self._lock:
            notices = tuple(self._notices)
            self._notices.clear()
        return notices

    def remove(self, *sinks: Sink) -> None:
        for entry in [entry for entry in self._entries if any(entry.sink is sink for sink in sinks)]:
            self._entries.remove(entry)
            self._close(entry)

    def close(self) -> None:
        """Close all sinks in reverse order; those still open receive the notices about the closed ones."""
        while self._entries:
            notices = self.drain_notices()
            if notices:
                self.distribute(Moment(0.0, sentences=notices))
            self.remove(self._entries[-1].sink)

    def _hand(self, entry: _Entry, moment: Moment) -> None:
        try:
            part = entry.sink.select(moment)
            if part is None:
                return
            if entry.worker is None:
                entry.sink.process(part)
                return
        except WindowLostError:
            self._drop(entry)
            raise
        except Exception as error:  # a fault disables only this sink
            self._report(entry, error)
            self._drop(entry)
            return
        if not entry.worker.put(part, LOCK_STEP_S if self._lock_step else 0.0):
            self._say(entry, text("sink.stuck", sink=entry.sink.name))
            self._drop(entry)

    def _await(self, entries: Iterable[_Entry]) -> None:
        for entry in entries:
            if entry.sink.rule is not Rule.AWAITED or entry.worker is None:
                continue
            if entry.late:
                entry.late = not entry.worker.wait(0.0)
            elif not entry.worker.wait(self._wait_s):
                entry.late = True  # don't wait for it again until it has caught up
                self._say(entry, text("sink.late", sink=entry.sink.name))

    def _supervise(self, entry: _Entry) -> None:
        worker = entry.worker
        if worker is None:
            return
        if worker.broken:
            self._drop(entry)
        elif not self._lock_step and worker.busy_s() > self._stuck_s:
            if entry.sink.rule in KEEPING:
                self._say(entry, text("sink.late", sink=entry.sink.name))
            else:
                self._say(entry, text("sink.stuck", sink=entry.sink.name))
                self._drop(entry)

    def _drop(self, entry: _Entry) -> None:
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
        elif not entry.worker.finish(self._close_s):
            self._say(entry, text("sink.unfinished", sink=entry.sink.name))

    def _close_own(self, entry: _Entry) -> None:
        try:
            entry.sink.close()
        except Exception as error:
            self._report(entry, error)

    def _report(self, entry: _Entry, error: Exception) -> None:
        if isinstance(error, ArmoonError):
            self._say(entry, str(error))
        elif not entry.reported:
            reason = " ".join(f"{type(error).__name__} {error}".split())
            self._say(entry, text("sink.broken", sink=entry.sink.name, error=reason))

    def _say(self, entry: _Entry, sentence: str) -> None:
        with self._lock:
            if sentence not in entry.reported:
                entry.reported.add(sentence)
                self._notices.append(sentence)
