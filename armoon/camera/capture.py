"""Reads a camera in a thread, keeps its newest frame, detects stalled or lost cameras, and turns pictures upright."""

from __future__ import annotations

import enum
import threading
import zlib
from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np

from armoon.camera.sources import Frame, FrameSource, Image, read_frame
from armoon.clock import Clock, WallClock
from armoon.errors import CameraError, SettingsError
from armoon.geometry import CameraModel
from armoon.mailbox import Mailbox

#: Time without a new picture after which the game pauses, in seconds: several frames even at 10 Hz.
FROZEN_AFTER_S = 1.0
#: Interval between attempts to reopen a lost camera; opening one takes about as long.
RECONNECT_EVERY_S = 1.0
#: Timeout for joining the thread of an unresponsive camera (V4L2 itself gives up after 10 s).
JOIN_TIMEOUT_S = 2.0
#: Fingerprints use every 8th pixel of every 8th row: a real sensor's noise changes some of them in each frame.
FINGERPRINT_STRIDE = 8
#: Grid (across, down) over which a picture is averaged; maximum difference of a covered lens's cells, in grey levels.
COVERED_CELLS, COVERED_LEVELS = (16, 9), 8
#: Approximate number of pixel columns that are averaged.
COVERED_WIDTH = 160


class CameraState(enum.Enum):
    """Whether a camera delivers pictures, or the reason why it doesn't."""

    RUNNING = "running"
    FROZEN = "frozen"
    """No frame arrives, or a live camera repeats the same picture."""
    COVERED = "covered"
    """A live camera sends pictures of a single shade."""
    GONE = "gone"
    """Unplugged or disconnected; attempts to reopen it continue."""
    ENDED = "ended"
    """The video is over; no more frames follow."""


class CameraThread:
    """Reads a source in real time and keeps its newest frame in ``frames``; ``start`` starts the thread.

    Files are paced by their time stamps. Frame times follow ``clock``, also across reconnections. The constructor opens
    the source, so that a missing camera raises CameraError before the game begins.
    """

    def __init__(
        self,
        source_factory: Callable[[], FrameSource],
        clock: Clock | None = None,
        frozen_after_s: float = FROZEN_AFTER_S,
        reconnect_every_s: float = RECONNECT_EVERY_S,
    ) -> None:
        self._factory = source_factory
        self._clock = clock or WallClock()
        self._frozen_after_s = frozen_after_s
        self._reconnect_every_s = reconnect_every_s
        self._source = source_factory()
        self.width, self.height = self._source.width, self._source.height
        self.rate_hz = self._source.rate_hz
        self.description = self._source.description
        self.frames: Mailbox[Frame] = Mailbox()
        """Frames for one reader; ``frames.dropped_count`` counts those that were never read."""
        self.on_frame: Callable[[Frame], None] = lambda frame: None
        """Called in this thread with every frame, so that a tracker needn't wait for the reader of ``frames``."""
        self.delivered = 0
        self.fault: CameraError | None = None
        """Reason why the camera is gone, or why the video stopped before its end."""
        self._stop = threading.Event()
        self._is_lost = False
        self._has_ended = False
        self._changed_s = self._clock.now_s()
        self._uncovered_s = self._changed_s
        self._last_time_s = -1.0
        self._fingerprint = -1
        self._is_covered = False
        self._clock_offset_s: float | None = None
        # Use a daemon thread, so that a hanging camera driver can't keep the program from exiting.
        self._thread = threading.Thread(target=self._run, name="camera", daemon=True)

    def start(self) -> None:
        self._changed_s = self._uncovered_s = self._clock.now_s()
        self._thread.start()

    @property
    def state(self) -> CameraState:
        """The current state, computed on access, so that a hanging driver is detected too."""
        if self._has_ended:
            return CameraState.ENDED
        if self._is_lost:
            return CameraState.GONE
        if not self._source.live:
            return CameraState.RUNNING  # files and the rendered camera can only be slow
        now_s = self._clock.now_s()
        if self._is_covered and now_s - self._uncovered_s > self._frozen_after_s:
            return CameraState.COVERED
        quiet_s = now_s - self._changed_s
        return CameraState.FROZEN if quiet_s > self._frozen_after_s else CameraState.RUNNING

    def close(self) -> None:
        self._stop.set()
        self.frames.close()
        if self._thread.is_alive():
            self._thread.join(JOIN_TIMEOUT_S)
        elif not self._thread.ident:
            self._source.close()

    def _run(self) -> None:
        try:
            while not self._stop.is_set() and not self._has_ended:
                try:
                    frame = read_frame(self._source)
                except CameraError as fault:
                    self._handle_loss(fault)
                    continue
                if frame is None:
                    self._has_ended = True
                else:
                    self._deliver_frame(frame)
        finally:
            # Close in the reading thread: OpenCV crashes when a capture is released during a read.
            self._source.close()
            self._has_ended = True
            self.frames.close()

    def _deliver_frame(self, frame: Frame) -> None:
        time_s = self._clock.now_s() if self._source.live else self._wait_until_due(frame.time_s)
        if self._stop.is_set():
            return
        if self._source.live:
            picture = frame.image[::FINGERPRINT_STRIDE, ::FINGERPRINT_STRIDE]
            fingerprint = zlib.crc32(picture.tobytes())
            has_changed = fingerprint != self._fingerprint
            self._fingerprint = fingerprint
            stride = max(1, frame.image.shape[1] // COVERED_WIDTH)
            levels = frame.image[::stride, ::stride].mean(axis=2)
            cells = cv2.resize(levels, COVERED_CELLS, interpolation=cv2.INTER_AREA)
            self._is_covered = bool(cells.max() - cells.min() < COVERED_LEVELS)
            if not self._is_covered:
                self._uncovered_s = self._clock.now_s()
        else:
            has_changed = True  # a video may show a still scene
        if has_changed:
            self._changed_s = self._clock.now_s()
        self._last_time_s = max(time_s, self._last_time_s + 1e-4)
        delivered = Frame(self.delivered, self._last_time_s, frame.image)
        self.on_frame(delivered)
        self.frames.put(delivered)
        self.delivered += 1

    def _wait_until_due(self, stamp_s: float) -> float:
        """Wait until a frame with this stamp is due; return its time on our clock."""
        now_s = self._clock.now_s()
        if self._clock_offset_s is None:
            self._clock_offset_s = now_s - stamp_s
        due_s = self._clock_offset_s + stamp_s
        if due_s > now_s:
            self._stop.wait(due_s - now_s)
            return due_s
        # Decoding or rendering was too slow: continue from here instead of catching up.
        self._clock_offset_s = now_s - stamp_s
        return now_s

    def _handle_loss(self, fault: CameraError) -> None:
        self.fault = fault
        if not self._source.live:
            self._has_ended = True
            return
        self._is_lost = True
        self._source.close()
        while not self._stop.wait(self._reconnect_every_s):
            try:
                source = self._factory()
            except CameraError as error:
                self.fault = error
                continue
            except Exception:  # a driver that fails while its camera reconnects
                continue
            if (source.width, source.height) == (self.width, self.height):
                self._source, self.fault, self._is_lost = source, None, False
                self._changed_s = self._uncovered_s = self._clock.now_s()
                return
            source.close()
            self.fault = CameraError(
                "fault.camera.other_size",
                size=f"{source.width}×{source.height}",
                wanted=f"{self.width}×{self.height}",
            )


_TURNS = {1: cv2.ROTATE_90_CLOCKWISE, 2: cv2.ROTATE_180, 3: cv2.ROTATE_90_COUNTERCLOCKWISE}


@dataclass(frozen=True)
class Orientation:
    """A correction of a camera's picture: unmirror it first, then turn it clockwise."""

    quarter_turns: int = 0
    """Clockwise, 0 to 3."""
    mirrored: bool = False
    """Whether the camera (its driver, a meeting program) sends a mirror image."""

    @staticmethod
    def from_degrees(degrees: int, mirrored: bool = False) -> Orientation:
        """Return the orientation for a clockwise turn. Raises SettingsError if it isn't a multiple of 90 degrees."""
        if degrees % 360 not in (0, 90, 180, 270):
            raise SettingsError("fault.camera.turned", degrees=degrees)
        return Orientation(degrees % 360 // 90, mirrored)

    def turn_upright(self, image: Image) -> Image:
        """Return the corrected picture, C-contiguous."""
        picture = np.ascontiguousarray(image[:, ::-1] if self.mirrored else image, dtype=np.uint8)
        if not self.quarter_turns:
            return picture
        return np.asarray(cv2.rotate(picture, _TURNS[self.quarter_turns]), dtype=np.uint8)

    def turn_camera_upright(self, camera: CameraModel) -> CameraModel:
        """Return the model for ``turn_upright``'s pictures of a camera calibrated with uncorrected pictures."""
        if self.mirrored:
            k1, k2, p1, p2, k3 = camera.distortion
            camera = replace(camera, cx=camera.width - 1 - camera.cx, distortion=(k1, k2, p1, -p2, k3))
        for _ in range(self.quarter_turns):
            # A pixel (u, v) goes to (height - 1 - v, u), a direction (x, y) to (-y, x).
            k1, k2, p1, p2, k3 = camera.distortion
            cx, cy, lens = camera.height - 1 - camera.cy, camera.cx, (k1, k2, p2, -p1, k3)
            camera = CameraModel(camera.height, camera.width, camera.fy, camera.fx, cx, cy, lens)
        return camera


class OrientedSource:
    """A source whose frames are corrected by an orientation."""

    def __init__(self, source: FrameSource, orientation: Orientation) -> None:
        self._source = source
        self._orientation = orientation
        is_sideways = orientation.quarter_turns % 2 == 1
        self.width = source.height if is_sideways else source.width
        self.height = source.width if is_sideways else source.height
        self.rate_hz = source.rate_hz
        self.live = source.live
        self.description = source.description
        if orientation != Orientation():
            mirrored = ", mirrored" if orientation.mirrored else ""
            self.description += f" (turned by {90 * orientation.quarter_turns}°{mirrored})"

    def read(self) -> Frame | None:
        frame = self._source.read()
        if frame is None:
            return None
        return Frame(frame.index, frame.time_s, self._orientation.turn_upright(frame.image))

    def close(self) -> None:
        self._source.close()
