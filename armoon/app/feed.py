"""Camera and tracker of a running table: the newest picture, the newest hands, and why there are none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from armoon.camera.capture import CameraState, CameraThread
from armoon.camera.frame import Frame
from armoon.clock import TICK_S, Clock
from armoon.hands.tracking.tracker import Region
from armoon.hands.tracking.worker import Tracked, TrackerThread

#: The loop turns this often at most: a screen that doesn't make it wait must not cost a core.
LOOP_S = TICK_S
#: What the player is told while the camera gives no picture.
CAMERA_PAUSES = {CameraState.FROZEN: "pause.camera_frozen", CameraState.GONE: "pause.camera_gone"}


@dataclass(frozen=True)
class Fed:
    """What came in since the last turn of the loop."""

    result: Tracked[Frame] | None
    pause_key: str | None
    """Why there is no picture, as a message key; None while pictures come."""
    ended: bool
    """The source has ended and all of its pictures were played."""


class Feed:
    """Takes frames to the tracker and its results to the loop, never more often than the loop may turn."""

    def __init__(
        self,
        camera: CameraThread,
        tracker: TrackerThread[Frame],
        clock: Clock,
        look_at: Callable[[Region | None], None] = lambda region: None,
    ) -> None:
        """``clock`` is the one by which the camera's thread stamps its frames.

        ``look_at`` tells the tracker which part of the pictures matters.
        """
        self.look_at = look_at
        self._camera, self._tracker, self._clock = camera, tracker, clock
        self._submitted: Frame | None = None
        self._shown: Frame | None = None
        self._dark = np.zeros((camera.height, camera.width, 3), np.uint8)
        self._due_s = clock.now_s()

    @property
    def image(self) -> npt.NDArray[np.uint8]:
        """The frame whose hands were taken last; dark before the first."""
        return self._dark if self._shown is None else self._shown.image

    def take(self) -> Fed:
        """Wait until the loop may turn again, or a frame is there. Raises the camera's and tracker's faults."""
        # The state is asked for before the mailbox: what was laid down before the end is still played.
        state = self._camera.state
        frame = self._camera.frames.take(self._due_s - self._clock.now_s())
        self._due_s = self._clock.now_s() + LOOP_S
        if frame is not None:
            self._tracker.submit(frame)
            self._submitted = frame
        result = self._tracker.take()
        if result is not None:
            self._shown = result.frame
        ended = state is CameraState.ENDED and frame is None and self._shown is self._submitted
        if ended and self._camera.fault is not None:
            raise self._camera.fault
        return Fed(result, CAMERA_PAUSES.get(state), ended)
