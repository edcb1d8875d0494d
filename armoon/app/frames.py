"""Sources of the loop's frames: a live camera, a camera in lock step, or none."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace

from armoon.camera.capture import CameraState, CameraThread
from armoon.camera.sources import Frame, FrameSource, make_blank, read_frame
from armoon.clock import TICK_S, Clock, ManualClock
from armoon.engine.setup import Intake
from armoon.errors import ArmoonError
from armoon.hands.tracker import HandTracker, Region, TrackedFrame, TrackerThread, make_stopped_error
from armoon.sinks.sink import Picture

#: Minimum time of one pass of the loop, in seconds; without vertical sync, the loop would otherwise fill a core.
LOOP_S = TICK_S
#: Maximum wait for hands that are expected soon, in seconds. Drawing a picture without them takes as long and would
#: delay the picture with them.
PATIENCE_S = TICK_S / 2.0
#: Message key of the pause, for each state in which the camera gives no picture.
CAMERA_PAUSES = {
    CameraState.FROZEN: "pause.camera_frozen",
    CameraState.COVERED: "pause.camera_covered",
    CameraState.GONE: "pause.camera_gone",
}


@dataclass(frozen=True)
class FrameInput:
    """Input since the last frame of the loop."""

    result: TrackedFrame | None = None
    pause_key: str | None = None
    """Message key of the reason why there is no picture, if any."""
    ended: bool = False
    """Whether the source has ended and all its pictures have been played."""
    intake: Intake | None = None
    """The complete intake, if it is read from a log."""
    shown: bool = False
    """Whether there is a new picture to show."""

    def without_hands(self) -> FrameInput:
        if self.result is None:
            return self
        return replace(self, result=replace(self.result, hands=replace(self.result.hands, hands=())))


class Source(ABC):
    """Provides and paces the loop's frames."""

    lead_s = 0.0
    """Game time before the first frame, in seconds."""
    draws_every_frame = False
    """Whether a window is drawn in every frame of the loop, even without new input."""
    is_log = False
    """Whether the frames come from a log; the loop then ends with the log, not with the game."""

    def __init__(self, width: int, height: int) -> None:
        """``width``, ``height``: size of the night sky shown before the first frame, in pixels."""
        self._night = make_blank(width, height)
        self._image: Frame | None = None

    @property
    def image(self) -> Picture:
        """The picture behind the scene (h, w, 3), BGR: the last tracked frame, or the night sky."""
        return self._night if self._image is None else self._image.image

    @abstractmethod
    def read_input(self) -> FrameInput:
        """Wait for the next input, and advance the clock if the source has its own. Raises the camera's errors."""


class LiveSource(Source):
    """Provides the newest picture and hands from camera and tracker threads, at most at the loop's maximum rate."""

    draws_every_frame = True

    def __init__(
        self,
        camera: CameraThread,
        tracker: TrackerThread,
        clock: Clock,
        set_region: Callable[[Region | None], None] = lambda region: None,
    ) -> None:
        """``set_region`` sets the part of the pictures that ``tracker`` uses; None means the whole picture."""
        super().__init__(camera.width, camera.height)
        self.set_region = set_region
        self._camera, self._tracker, self._clock = camera, tracker, clock
        self._last_frame: Frame | None = None
        self._due_s = clock.now_s()

    def read_input(self) -> FrameInput:
        """Wait for new hands, or until the loop is due. Raises the camera's and tracker's errors."""
        # Read the state before the mailbox, so that frames before the end are still played.
        state = self._camera.state
        result = self._tracker.get_hands(max(0.0, self._due_s - self._clock.now_s()))
        if result is None and self._tracker.remaining_s < PATIENCE_S:
            result = self._tracker.get_hands(PATIENCE_S)
        self._due_s = self._clock.now_s() + LOOP_S
        frame = self._camera.frames.pop()
        if frame is not None:
            self._last_frame = frame
        if result is not None:
            self._image = result.frame
        ended = state is CameraState.ENDED and frame is None and self._image is self._last_frame
        if ended and self._camera.fault is not None:
            raise self._camera.fault
        return FrameInput(result, CAMERA_PAUSES.get(state), ended, shown=result is not None)

    def set_stride(self, stride: int) -> None:
        """Track hands only in every ``stride``-th camera picture."""
        self._tracker.frame_stride = stride


class LockStepSource(Source):
    """Reads and tracks every frame of a video file or of the rendered camera, as fast as possible.

    Runs with the same seed are identical, and a film doesn't depend on the machine's speed.
    """

    def __init__(self, source: FrameSource, tracker: HandTracker, clock: ManualClock) -> None:
        """``clock`` is moved to each frame's time."""
        super().__init__(source.width, source.height)
        self._source, self._tracker, self._clock = source, tracker, clock
        self.lead_s = 1.0 / source.rate_hz

    def read_input(self) -> FrameInput:
        """Return the next frame with its hands. Raises the source's and tracker's errors."""
        frame = read_frame(self._source)
        if frame is None:
            return FrameInput(ended=True)
        try:
            hands = self._tracker.track(frame.image, frame.time_s, frame.index)
        except ArmoonError:
            raise
        except Exception as error:
            raise make_stopped_error(error) from error
        self._clock.set_s(frame.time_s)
        self._image = frame
        return FrameInput(TrackedFrame(frame, hands), shown=True)


class NoCameraSource(Source):
    """A source without pictures or hands, for a drawn table played with mouse and keys."""

    draws_every_frame = True

    def __init__(self, size: tuple[int, int], wait: Callable[[float], None] = time.sleep) -> None:
        """``size``: width and height of the drawn table, in pixels."""
        super().__init__(*size)
        self._wait = wait

    def read_input(self) -> FrameInput:
        self._wait(LOOP_S)
        return FrameInput()


class UnwatchedSource(Source):
    """Frames without a camera or window, as fast as possible, for a film of bots."""

    draws_every_frame = True

    def __init__(self, size: tuple[int, int], rate_hz: float, clock: ManualClock) -> None:
        """``size``: width and height of the drawn table, in pixels; each frame advances ``clock``."""
        super().__init__(*size)
        self.lead_s = 1.0 / rate_hz
        self._clock = clock
        self._frames = 0

    def read_input(self) -> FrameInput:
        self._frames += 1
        self._clock.set_s(self._frames * self.lead_s)
        return FrameInput(shown=True)
