"""The thread of one sink: its parts queue by its rule, and its faults stay in here."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Any

from armoon.errors import ArmoonError
from armoon.sinks.sink import Rule, Sink

#: Rules of sinks that lose nothing: a fault that has a remedy doesn't end them.
KEEPING = (Rule.AWAITED, Rule.KEEPS)


class Worker:
    """Gives a sink its parts, one after another, in a thread of its own."""

    def __init__(self, sink: Sink, tell: Callable[[Exception], None]) -> None:
        """``tell`` hears of faults, in the worker's thread."""
        self.sink = sink
        self._tell = tell
        self._changed = threading.Condition()
        self._waiting: deque[Any] = deque()
        self._closing = False
        self._since_s: float | None = None
        self.broken = False
        """The sink has failed, and takes nothing any more."""
        self.dropped = 0
        """Parts that the sink never got to."""
        # A daemon: a disk or a pipe that hangs must not keep the program from ending.
        self._thread = threading.Thread(target=self._run, name=f"sink {sink.rule.value}", daemon=True)
        self._thread.start()

    def put(self, part: Any) -> bool:
        """Lay down a part, by the sink's rule; False if a sink that loses nothing has no room any more."""
        rule, capacity = self.sink.rule, self.sink.capacity
        with self._changed:
            if self._closing or self.broken:
                return True
            if rule is Rule.DROPS:
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

    def put_patiently(self, part: Any, timeout_s: float) -> bool:
        """Queue a part once there is room, dropping none; return False if there was none in time."""
        with self._changed:
            room = self._changed.wait_for(self._has_room, timeout_s)
            if room and not (self._closing or self.broken):
                self._waiting.append(part)
                self._changed.notify_all()
        return room

    def wait(self, timeout_s: float) -> bool:
        """Wait until all parts are done; return False after the time limit."""
        with self._changed:
            return self._changed.wait_for(self._idle, timeout_s)

    @property
    def idle(self) -> bool:
        """All parts are done with."""
        with self._changed:
            return self._idle()

    def busy_s(self) -> float:
        """Since when it has been working on one part, in seconds."""
        since_s = self._since_s
        return 0.0 if since_s is None else time.monotonic() - since_s

    def finish(self, timeout_s: float) -> bool:
        """Let it finish what waits and close the sink; False if that takes longer: then it is left alone."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._thread.join(timeout_s)
        return not self._thread.is_alive()

    def give_up(self) -> None:
        """Leave it alone: it closes when it comes back, if ever."""
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
                self.sink.take(part)
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
                self._tell(error)

    def _next(self) -> Any:
        """Return the next part; None once there is none to come."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._closing or self.broken)
            if self.broken or not self._waiting:
                return None
            self._since_s = time.monotonic()
            part = self._waiting.popleft()
            self._changed.notify_all()
            return part

    def _fail(self, error: Exception, *, for_good: bool) -> None:
        self._tell(error)
        if for_good:
            with self._changed:
                self.broken = True
                self._waiting.clear()
                self._changed.notify_all()
