"""A tracker in a thread of its own: the newest frame goes in, the newest hands, or heads, come out."""

from __future__ import annotations

import math
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from armoon.errors import ArmoonError, TrackerError
from armoon.hands.landmarks import Hands
from armoon.mailbox import Mailbox

#: How long the thread sleeps for a frame before it looks whether it should end.
WAIT_S = 0.1
#: How long ``close`` waits for the thread: a few frames' work.
JOIN_S = 2.0
#: How soon Python hands on from a busy thread to a waiting one. By Python's own 5 ms a tracker waits while the game
#: plays: before each picture until it may begin, and after it until it may tell.
HAND_ON_S = 0.001


#: A tracker that fails is made anew: its library may stumble over one picture. One that goes on failing is broken.
MOST_TRACKERS = 4


def tracker_stopped(error: Exception) -> TrackerError:
    """Return the user's error for a tracker's own failure."""
    stopped = TrackerError(
        f"The hand tracker stopped ({type(error).__name__}: {error}).", remedy="Start armoon again."
    )
    stopped.__cause__ = error
    return stopped


class CameraFrame(Protocol):
    """The worker's requirements for a camera's frame."""

    @property
    def index(self) -> int:
        """The frame's number in its source."""

    @property
    def time_s(self) -> float:
        """When it was taken."""

    @property
    def image(self) -> npt.NDArray[np.uint8]:
        """The picture (h, w, 3), BGR."""


AnyFrame = TypeVar("AnyFrame", bound=CameraFrame)
Seen = TypeVar("Seen")
SeenOut = TypeVar("SeenOut", covariant=True)


class Tracker(Protocol[SeenOut]):
    """The worker's requirements for a tracker."""

    def track(self, image_bgr: npt.NDArray[np.uint8], time_s: float, frame_index: int) -> SeenOut:
        """Return the hands, or heads, in one picture."""

    def close(self) -> None:
        """Free what it holds."""


@dataclass(frozen=True)
class Tracked(Generic[AnyFrame]):
    """Hands together with the very frame that they were read from."""

    frame: AnyFrame
    hands: Hands


class WatcherThread(Generic[AnyFrame, Seen]):
    """Runs a tracker, made in its own thread because making one takes seconds, until ``close``."""

    def __init__(self, make_tracker: Callable[[], Tracker[Seen]]) -> None:
        """Start the thread; what ``make_tracker`` or the tracker raises comes out of ``take``."""
        sys.setswitchinterval(HAND_ON_S)
        self._make_tracker = make_tracker
        self.every = 1
        """1: every frame is looked at that the tracker has time for; 2: at most every second one."""
        self._frames: Mailbox[AnyFrame] = Mailbox()
        self._results: Mailbox[tuple[AnyFrame, Seen]] = Mailbox()
        self._due_s = math.inf
        self._error: ArmoonError | None = None
        self._ready = threading.Event()
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name="armoon-tracker", daemon=True)
        self._thread.start()

    def submit(self, frame: AnyFrame) -> None:
        """Lay down the newest frame; one that was not read yet is dropped."""
        self._frames.put(frame)

    def take_seen(self, timeout_s: float = 0.0) -> tuple[AnyFrame, Seen] | None:
        """Return the newest frame with what was seen in it, each once; None if there is none within ``timeout_s``.

        Raises the tracker's error, again at every call, once the results before it are taken.
        """
        result = self._results.take(timeout_s)
        if result is None and self._error is not None:
            raise self._error
        return result

    @property
    def soon_s(self) -> float:
        """Seconds until the tracker has seen its frame, if that takes as long as the last; infinite if it has none."""
        return self._due_s - time.monotonic()

    def wait_ready(self, timeout_s: float) -> bool:
        """Wait until the tracker is made; False if it isn't after ``timeout_s``. Raises its error."""
        ready = self._ready.wait(timeout_s)
        if self._error is not None:
            raise self._error
        return ready

    def close(self) -> None:
        """End the thread and wait for it; a second call does nothing."""
        self._ending.set()
        self._frames.close()
        self._thread.join(JOIN_S)

    def _run(self) -> None:
        try:
            for left in reversed(range(MOST_TRACKERS)):
                try:
                    self._track_all()
                    return
                except Exception:
                    if not (left and self._ready.is_set()):
                        raise
        except ArmoonError as error:
            self._error = error
        except Exception as error:  # whatever ends this thread has to reach the reader's
            self._error = tracker_stopped(error)
        finally:
            self._ready.set()
            self._results.close()

    def _track_all(self) -> None:
        """Make a tracker, and let it read until the end."""
        tracker = self._make_tracker()
        try:
            self._ready.set()
            looked_at, took_s, self._due_s = -math.inf, math.inf, math.inf
            while not self._ending.is_set():
                frame = self._frames.take(WAIT_S)
                if frame is not None:
                    if frame.index < looked_at + self.every:
                        frame = self._frames.take(WAIT_S) or frame  # the source's last one is looked at
                    looked_at, began_s = frame.index, time.monotonic()
                    self._due_s = began_s + took_s
                    seen = tracker.track(frame.image, frame.time_s, frame.index)
                    took_s = time.monotonic() - began_s
                    self._due_s = math.inf
                    self._results.put((frame, seen))
        finally:
            with suppress(Exception):  # one that has failed may not end in order either
                tracker.close()


class TrackerThread(WatcherThread[AnyFrame, Hands]):
    """The hand tracker's."""

    def take(self, timeout_s: float = 0.0) -> Tracked[AnyFrame] | None:
        """Return the newest hands with their frame, as ``take_seen``."""
        seen = self.take_seen(timeout_s)
        return None if seen is None else Tracked(*seen)
