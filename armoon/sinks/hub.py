"""Distributes moments to sinks by their rules, and protects the game from their faults."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from armoon.errors import ArmoonError
from armoon.messages import text
from armoon.sinks.sink import Moment, OutputChannel, Rule, Sink, WindowLostError

#: Rules of sinks that lose nothing and continue after an ArmoonError.
LOSSLESS = (Rule.AWAITED, Rule.KEEPS)


class SinkWorker:
    """Runs a sink by its rule: in the loop, or in its own thread with a queue of data."""

    def __init__(self, sink: Sink, notices: deque[str]) -> None:
        """Each fault is added to ``notices`` once, as a sentence, by the thread in which it occurs."""
        self.sink = sink
        self._notices = notices
        self._reported: set[str] = set()
        self.is_late = False
        self._changed = threading.Condition()
        self._queue: deque[Any] = deque()
        self._is_closing = False
        self._busy_since_s: float | None = None
        self.is_broken = False
        self._thread: threading.Thread | None = None
        if sink.rule is not Rule.IN_LOOP:
            # A daemon thread, because a hanging disk or pipe must not prevent the program from ending.
            name = f"sink {sink.rule.value}"
            self._thread = threading.Thread(target=self._run, name=name, daemon=True)
            self._thread.start()

    def put(self, data: Any, patience_s: float = 0.0) -> bool:
        """Process data in the loop, or queue them; return False if the queue stays full and nothing can be dropped."""
        if self._thread is None:
            self.sink.process(data)
            return True
        with self._changed:
            if patience_s > 0.0 and not self._changed.wait_for(self._has_room, patience_s):
                return False
            if self._is_closing or self.is_broken:
                return True
            if len(self._queue) >= self.sink.capacity:
                if self.sink.rule in LOSSLESS:
                    return False
                self._queue.popleft()
            self._queue.append(data)
            self._changed.notify_all()
        return True

    def wait(self, timeout_s: float) -> bool:
        with self._changed:
            return self._changed.wait_for(
                lambda: self.is_broken or (not self._queue and self._busy_since_s is None), timeout_s
            )

    def measure_busy_s(self) -> float:
        since_s = self._busy_since_s
        return 0.0 if since_s is None else time.monotonic() - since_s

    def finish(self, timeout_s: float) -> None:
        """Process the queued data and close the sink; report if that takes too long."""
        if self._thread is None:
            self._close_sink()
            return
        with self._changed:
            self._is_closing = True
            self._changed.notify_all()
        self._thread.join(timeout_s)
        if self._thread.is_alive():
            self.report_state("sink.unfinished")

    def abandon(self) -> None:
        """Close the sink without its queued data; in a thread, only after its current work, which might never end."""
        if self._thread is None:
            self._close_sink()
            return
        with self._changed:
            self._is_closing = True
            self._queue.clear()
            self._changed.notify_all()

    def report_error(self, error: Exception) -> None:
        if isinstance(error, ArmoonError):
            self._report(str(error))
        elif not self._reported:
            reason = " ".join(f"{type(error).__name__} {error}".split())
            self._report(text("sink.broken", sink=self.sink.name, error=reason))

    def report_state(self, key: str) -> None:
        self._report(text(key, sink=self.sink.name))

    def _report(self, sentence: str) -> None:
        if sentence not in self._reported:
            self._reported.add(sentence)
            self._notices.append(sentence)

    def _has_room(self) -> bool:
        return len(self._queue) < self.sink.capacity or self._is_closing or self.is_broken

    def _run(self) -> None:
        while (data := self._wait_for_data()) is not None:
            try:
                self.sink.process(data)
            except Exception as error:
                self.report_error(error)
                if self.sink.rule not in LOSSLESS or not isinstance(error, ArmoonError):
                    with self._changed:
                        self.is_broken = True
                        self._queue.clear()
            with self._changed:
                self._busy_since_s = None
                self._changed.notify_all()
        self._close_sink()

    def _wait_for_data(self) -> Any:
        with self._changed:
            self._changed.wait_for(lambda: self._queue or self._is_closing or self.is_broken)
            if self.is_broken or not self._queue:
                return None
            self._busy_since_s = time.monotonic()
            data = self._queue.popleft()
            self._changed.notify_all()
            return data

    def _close_sink(self) -> None:
        try:
            self.sink.close()
        except Exception as error:
            if not self.is_broken:
                self.report_error(error)


#: Maximum wait for a slow sink in lock step, in seconds.
LOCK_STEP_S = 60.0


class Sinks:
    def __init__(
        self, *, lock_step: bool = False, wait_s: float = 0.25, stuck_s: float = 4.0, close_s: float = 10.0
    ) -> None:
        """In ``lock_step`` there is no clock: nothing is dropped, and the loop waits for slow sinks.

        ``wait_s`` is the maximum wait for an ``AWAITED`` sink, which usually takes 1 ms; ``stuck_s`` the maximum time
        for processing, after which a sink is removed or, if it loses nothing, reported; ``close_s`` that for closing.
        """
        self._lock_step = lock_step
        self._wait_s, self._stuck_s, self._close_s = wait_s, stuck_s, close_s
        self._workers: list[SinkWorker] = []
        self._notices: deque[str] = deque()

    def add(self, *sinks: Sink) -> None:
        self._workers += [SinkWorker(sink, self._notices) for sink in sinks]

    def is_active(self, sink: Sink) -> bool:
        return any(worker.sink is sink and not worker.is_broken for worker in self._workers)

    @property
    def output_channels(self) -> tuple[OutputChannel, ...]:
        channels = (worker.sink.output_channel for worker in self._workers if not worker.is_broken)
        return tuple(channel for channel in channels if channel is not None)

    def distribute(self, moment: Moment) -> None:
        """Pass the moment to lossless sinks, then to those in the loop, then to others. Raises only WindowLostError."""
        workers = list(self._workers)
        if channels := self.output_channels:
            moment = replace(moment, channels=channels)
        # Events must be written before they are shown.
        for rules in (LOSSLESS, (Rule.IN_LOOP,), (Rule.QUEUES,)):
            for worker in workers:
                if worker.sink.rule in rules:
                    self._pass_moment(worker, moment)
            if rules is LOSSLESS:
                self._await_sinks(workers)
        for worker in workers:
            self._supervise(worker)

    def drain_notices(self) -> tuple[str, ...]:
        return tuple(self._notices.popleft() for _ in range(len(self._notices)))

    def remove(self, *sinks: Sink) -> None:
        for worker in [worker for worker in self._workers if any(worker.sink is sink for sink in sinks)]:
            self._workers.remove(worker)
            worker.finish(self._close_s)

    def close(self) -> None:
        """Close all sinks in reverse order; sinks that are still open receive notices about closed ones."""
        while self._workers:
            notices = self.drain_notices()
            if notices:
                self.distribute(Moment(0.0, sentences=notices))
            self.remove(self._workers[-1].sink)

    def _pass_moment(self, worker: SinkWorker, moment: Moment) -> None:
        try:
            data = worker.sink.select(moment)
            if data is None or worker.put(data, LOCK_STEP_S if self._lock_step else 0.0):
                return
            worker.report_state("sink.stuck")
        except WindowLostError:
            self._drop(worker)
            raise
        except Exception as error:  # a fault disables only this sink
            worker.report_error(error)
        self._drop(worker)

    def _await_sinks(self, workers: Iterable[SinkWorker]) -> None:
        for worker in workers:
            if worker.sink.rule is not Rule.AWAITED:
                continue
            if worker.is_late:
                worker.is_late = not worker.wait(0.0)
            elif not worker.wait(self._wait_s):
                worker.is_late = True  # don't wait again until it has caught up
                worker.report_state("sink.late")

    def _supervise(self, worker: SinkWorker) -> None:
        if worker.is_broken:
            self._drop(worker)
        elif not self._lock_step and worker.measure_busy_s() > self._stuck_s:
            if worker.sink.rule in LOSSLESS:
                worker.report_state("sink.late")
            else:
                worker.report_state("sink.stuck")
                self._drop(worker)

    def _drop(self, worker: SinkWorker) -> None:
        if worker in self._workers:
            self._workers.remove(worker)
            worker.abandon()
