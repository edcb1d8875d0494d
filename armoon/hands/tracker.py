"""The hand tracker: finds ``Hands`` in camera pictures with mediapipe's hand task or LiteRT.

One landmarker tracks the playing hand; a second one searches a copy in which that hand is painted over.
Large hands are found more reliably (81 % at 0.22 of the long side, 96 % at 0.33), so pictures are cropped for play.
"""

from __future__ import annotations

import itertools
import math
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, Generic, Protocol, TypeVar

import cv2
import numpy as np
import numpy.typing as npt

from armoon.camera.sources import Frame
from armoon.errors import ArmoonError, TrackerError
from armoon.geometry import CameraModel, project_table_points
from armoon.hands import landmarks
from armoon.hands.litert_hand import LitertLandmarker, LitertNetworks
from armoon.hands.model import REMEDY, load_mediapipe, make_model_bundle, open_bundle
from armoon.mailbox import Mailbox
from armoon.processes.system import silence_native_log
from armoon.values.choices import TrackerName
from armoon.values.poses import Pose, Vec2


class MediapipeLandmarker:
    """mediapipe's hand task for one hand, which it tracks from picture to picture."""

    def __init__(self, asset: Mapping[str, str | bytes]) -> None:
        """Create the task from a bundle (``model.open_bundle``). Raises TrackerError if that fails."""
        mediapipe = self._mediapipe = load_mediapipe()
        vision = mediapipe.tasks.vision
        options = vision.HandLandmarkerOptions(
            base_options=mediapipe.tasks.BaseOptions(**asset),
            running_mode=vision.RunningMode.VIDEO,
            num_hands=1,
            min_hand_detection_confidence=landmarks.DETECTION_CONFIDENCE,
        )
        try:
            self._task: Any = vision.HandLandmarker.create_from_options(options)
        except (RuntimeError, ValueError) as error:
            raise TrackerError("fault.tracker.hand.start", remedy=REMEDY, why=error) from error

    def find_hand(self, picture_rgb: landmarks.Image, stamp_ms: int) -> landmarks.DetectedHand | None:
        """Return the hand in an RGB picture, or None; stamps must increase. Raises TrackerError if mediapipe fails."""
        mediapipe = self._mediapipe
        image = mediapipe.Image(image_format=mediapipe.ImageFormat.SRGB, data=picture_rgb)
        try:
            result = self._task.detect_for_video(image, stamp_ms)
        except (RuntimeError, ValueError) as error:
            raise TrackerError(
                "fault.tracker.hand.failed", remedy="fault.remedy.restart", why=error
            ) from error
        if not result.hand_landmarks:
            return None
        height, width = picture_rgb.shape[:2]
        # mediapipe's coordinates run from edge to edge; ours start at the centre of the first pixel.
        points = np.array([(p.x * width - 0.5, p.y * height - 0.5) for p in result.hand_landmarks[0]])
        world = np.array([(p.x, p.y, p.z) for p in result.hand_world_landmarks[0]])
        label = result.handedness[0][0]
        side: landmarks.Side = "left" if label.category_name == "Left" else "right"
        return landmarks.DetectedHand(points, world, side, float(label.score))

    def close(self) -> None:
        task, self._task = self._task, None  # dropping the task frees its memory
        if task is not None:
            task.close()


def resolve_tracker(tracker_name: TrackerName) -> TrackerName:
    """Resolve AUTO: mediapipe, or LiteRT if mediapipe isn't installed."""
    if tracker_name is not TrackerName.AUTO:
        return tracker_name
    return TrackerName.LITERT if find_spec("mediapipe") is None else TrackerName.MEDIAPIPE


Landmarker = MediapipeLandmarker | LitertLandmarker


@contextmanager
def open_landmarkers(tracker_name: TrackerName) -> Iterator[Callable[[], Landmarker]]:
    """Yield a function that creates landmarkers of one library. Raises TrackerError."""
    if resolve_tracker(tracker_name) is TrackerName.LITERT:
        networks = LitertNetworks()
        yield lambda: LitertLandmarker(networks)
    else:
        with open_bundle(make_model_bundle()) as asset:
            yield lambda: MediapipeLandmarker(asset)


#: Interval, in pictures, of searches for another hand. A failed search takes a third of the time of tracking, so all of
#: them together add less than 10 %; a hand is found within 0.17 s at 30 Hz.
WATCH_EVERY = 5
#: Width of paint beyond the known hand's hull, palm lengths: at 0.2, 7 of 231 painted hands are still found; at 0.35,
#: none.
COVER_MARGIN = 0.35


#: Range of skin colours in YCrCb (after Chai and Ngan, 1999).
SKIN = ((41, 135, 80), (255, 180, 127))
#: Share of skin colour from which a hand fills the picture, and its minimum excess over the usual share. Pictures of
#: nine hands too near to be found have 0.52 to 1.0, the 1,324 frames of five recordings at most 0.25.
FILLED_SHARE, FILLED_EXCESS = 0.55, 0.30
#: Smoothing factor of the usual share of skin colour, per picture without a hand: a time constant of 10 s at 30 Hz.
USUAL_SKIN_WEIGHT = 1.0 / 300.0


def measure_skin_share(picture_bgr: landmarks.Image) -> float:
    # Every eighth pixel in each direction is accurate enough.
    ycc = cv2.cvtColor(np.ascontiguousarray(picture_bgr[::8, ::8]), cv2.COLOR_BGR2YCrCb)
    return float((cv2.inRange(ycc, *map(np.array, SKIN)) > 0).mean())


@dataclass(frozen=True)
class Region:
    """The part of the picture in which hands are tracked, in pixels."""

    x: int
    y: int
    width: int
    height: int


class HandTracker:
    """Finds and tracks up to two hands; use it from one thread, and close it (or use ``with``)."""

    def __init__(
        self,
        tracker_name: TrackerName = TrackerName.AUTO,
        *,
        region: Region | None = None,
        watch_second_hand: bool = True,
    ) -> None:
        """Load the networks (about 2 s). Raises TrackerError."""
        self._region = region
        with silence_native_log(), open_landmarkers(tracker_name) as make_landmarker:
            self._first = make_landmarker()
            self._second = make_landmarker() if watch_second_hand else None
            # The first run builds the networks, writes to the log and is slowest, so do it before play.
            blank: landmarks.Image = np.zeros((64, 64, 3), dtype=np.uint8)
            self._first.find_hand(blank, 0)
            if self._second is not None:
                self._second.find_hand(blank, 0)
        self._following_second = False
        self._usual_skin: float | None = None
        self._pictures = 0
        self._stamp_ms = 0

    def track(self, image_bgr: landmarks.Image, time_s: float, frame_index: int) -> landmarks.Hands:
        """Return the hands in a BGR picture (h, w, 3), in the whole picture's pixels. Raises TrackerError."""
        height, width = image_bgr.shape[:2]
        x, y, part = self._crop(image_bgr)
        picture: landmarks.Image = np.ascontiguousarray(cv2.cvtColor(part, cv2.COLOR_BGR2RGB))
        # mediapipe rejects stamps that don't increase, but doesn't use them otherwise.
        stamp_ms = self._stamp_ms = max(self._stamp_ms + 1, int(time_s * 1000.0))
        first = self._first.find_hand(picture, stamp_ms)
        second = self._find_second(picture, first, stamp_ms)
        self._pictures += 1
        results = (
            landmarks.make_hand(h.points_px + np.array([x, y]), h.world_m, h.side, h.score)
            for h in (first, second)
            if h is not None
        )
        # The networks have never returned NaN so far, but a log couldn't store it.
        hands = tuple(hand for hand in results if hand.is_plausible)
        filled = (first is None or self._usual_skin is None) and self._is_filled(part)
        return landmarks.Hands(time_s, frame_index, width, height, hands, filled)

    def set_region(self, region: Region | None) -> None:
        """Track this part of the pictures from now on; None: the whole picture. Thread-safe."""
        self._region = region

    def close(self) -> None:
        self._first.close()
        if self._second is not None:
            self._second.close()

    def __enter__(self) -> HandTracker:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _crop(self, image: landmarks.Image) -> tuple[int, int, landmarks.Image]:
        """Return the region's left and top edge and its picture, or the whole picture if the region is outside."""
        if self._region is None:
            return 0, 0, image
        height, width = image.shape[:2]
        left, top = max(0, self._region.x), max(0, self._region.y)
        right = min(width, self._region.x + self._region.width)
        bottom = min(height, self._region.y + self._region.height)
        if right <= left or bottom <= top:
            return 0, 0, image
        return left, top, image[top:bottom, left:right]

    def _is_filled(self, picture: landmarks.Image) -> bool:
        # Compare with the usual share, because wood has the colour of skin.
        share = measure_skin_share(picture)
        self._usual_skin = share if self._usual_skin is None else self._usual_skin
        filled = share >= max(FILLED_SHARE, self._usual_skin + FILLED_EXCESS)
        if not filled:
            self._usual_skin += USUAL_SKIN_WEIGHT * (share - self._usual_skin)
        return filled

    def _find_second(
        self, picture: landmarks.Image, first: landmarks.DetectedHand | None, stamp_ms: int
    ) -> landmarks.DetectedHand | None:
        if self._second is None or first is None:
            self._following_second = False
            return None
        if not self._following_second and self._pictures % WATCH_EVERY != 0:
            return None
        second = self._second.find_hand(_paint_over(picture, first.points_px), stamp_ms)
        self._following_second = second is not None
        return second


def _paint_over(picture: landmarks.Image, points_px: npt.NDArray[np.float64]) -> landmarks.Image:
    """Return a copy in which the hand with these landmarks (21, 2) is covered by the picture's median colour."""
    # Every eighth pixel in each direction is accurate enough, and 64 times faster.
    colour = [int(c) for c in np.median(picture[::8, ::8].reshape(-1, 3), axis=0)]
    hull = cv2.convexHull(np.round(points_px).astype(np.int32))
    painted = picture.copy()
    cv2.fillConvexPoly(painted, hull, colour)
    margin_px = round(2.0 * COVER_MARGIN * landmarks.measure_palm(points_px.tolist()))
    cv2.polylines(painted, [hull], True, colour, max(1, margin_px))
    return painted


#: Ranges of x, y and z in which hands play, table frame: from left of the base to right of the lid, and up to a ladder
#: over a tall structure.
PLAY_VOLUME_M = ((-0.20, 0.33), (-0.10, 0.10), (0.0, 0.38))
#: Aspect ratio of the cropped part.
ASPECT = 4.0 / 3.0
#: Cropping isn't worthwhile if it keeps this share of both the picture's width and its height.
MAX_CROPPED_SHARE = 0.9
#: A hand's length in palm lengths, and the share of the region's long side below which a hand is easily lost.
HAND_PALMS = 1.95
MIN_SHARE = 0.22


def find_play_region(camera: CameraModel, table_from_camera: Pose) -> Region | None:
    """Return the smallest 4:3 part of the picture that shows ``PLAY_VOLUME_M``; None: use the whole picture."""
    corners = list(itertools.product(*PLAY_VOLUME_M))
    pixels = project_table_points(camera, table_from_camera, corners)
    if not all(math.isfinite(float(v)) for v in pixels.ravel()):
        return None
    left, top = (max(0.0, float(v)) for v in pixels.min(axis=0))
    right = min(float(camera.width), float(pixels[:, 0].max()))
    bottom = min(float(camera.height), float(pixels[:, 1].max()))
    if right <= left or bottom <= top:
        return None
    width = min(float(camera.width), max(right - left, (bottom - top) * ASPECT))
    height = min(float(camera.height), max(bottom - top, width / ASPECT))
    if width >= MAX_CROPPED_SHARE * camera.width and height >= MAX_CROPPED_SHARE * camera.height:
        return None
    x = min(max(0.0, (left + right - width) / 2.0), camera.width - width)
    y = min(max(0.0, (top + bottom - height) / 2.0), camera.height - height)
    return Region(round(x), round(y), round(width), round(height))


def should_come_closer(points_px: Sequence[Vec2], region: Region) -> bool:
    return HAND_PALMS * landmarks.measure_palm(points_px) < MIN_SHARE * max(region.width, region.height)


#: Maximum wait for a frame before the thread checks whether it should end, seconds.
WAIT_S = 0.1
#: Maximum wait of ``close`` for the thread, seconds: enough for a few frames.
JOIN_S = 2.0
#: Switch interval of Python's threads; with the usual 5 ms, the tracker often has to wait for the game's thread.
SWITCH_INTERVAL_S = 0.001


#: Maximum number of trackers created one after another: a library may fail on a single picture, so replace the tracker.
MAX_TRACKERS = 4


def make_stopped_error(error: Exception) -> TrackerError:
    stopped = TrackerError(
        "fault.tracker.hand.stopped", remedy="fault.remedy.restart", why=f"{type(error).__name__}: {error}"
    )
    stopped.__cause__ = error
    return stopped


ResultT = TypeVar("ResultT")
ResultOut = TypeVar("ResultOut", covariant=True)


class Tracker(Protocol[ResultOut]):
    """A tracker of hands or heads, as run by a ``WatcherThread``."""

    def track(self, image_bgr: npt.NDArray[np.uint8], time_s: float, frame_index: int) -> ResultOut:
        """Return the hands or heads in one picture (h, w, 3), BGR."""

    def close(self) -> None:
        """Release all resources."""


@dataclass(frozen=True)
class TrackedFrame:
    """Hands, and the frame in which they were found."""

    frame: Frame
    hands: landmarks.Hands


class WatcherThread(Generic[ResultT]):
    """Creates a tracker, which takes seconds, and runs it in a thread of its own until ``close``."""

    def __init__(self, make_tracker: Callable[[], Tracker[ResultT]]) -> None:
        """Start the thread; errors of ``make_tracker`` or the tracker are raised by ``get_result``."""
        sys.setswitchinterval(SWITCH_INTERVAL_S)
        self._make_tracker = make_tracker
        self.frame_stride = 1
        """At most one of this many successive frames is tracked; 1: as many as the tracker has time for."""
        self._frames: Mailbox[Frame] = Mailbox()
        self._results: Mailbox[tuple[Frame, ResultT]] = Mailbox()
        self._due_s = math.inf
        self._error: ArmoonError | None = None
        self._ready = threading.Event()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="armoon-tracker", daemon=True)
        self._thread.start()

    def submit(self, frame: Frame) -> None:
        """Submit the newest frame; an unread earlier one is dropped."""
        self._frames.put(frame)

    def get_result(self, timeout_s: float = 0.0) -> tuple[Frame, ResultT] | None:
        """Return each result only once, None after a timeout. Raises the error that ended the tracker."""
        result = self._results.pop(timeout_s)
        if result is None and self._error is not None:
            raise self._error
        return result

    @property
    def remaining_s(self) -> float:
        """Seconds until the tracker has finished its frame, if it takes as long as the last; infinite without one."""
        return self._due_s - time.monotonic()

    def wait_ready(self, timeout_s: float) -> bool:
        """Wait until the tracker is created; return False after ``timeout_s``. Raises the tracker's error."""
        ready = self._ready.wait(timeout_s)
        if self._error is not None:
            raise self._error
        return ready

    def close(self) -> None:
        self._stopping.set()
        self._frames.close()
        self._thread.join(JOIN_S)

    def _run(self) -> None:
        try:
            for remaining in reversed(range(MAX_TRACKERS)):
                try:
                    self._track_all()
                    return
                except Exception:
                    if not (remaining and self._ready.is_set()):
                        raise
        except ArmoonError as error:
            self._error = error
        except Exception as error:  # get_result must raise every error of this thread
            self._error = make_stopped_error(error)
        finally:
            self._ready.set()
            self._results.close()

    def _track_all(self) -> None:
        tracker = self._make_tracker()
        try:
            self._ready.set()
            last_index, duration_s, self._due_s = -math.inf, math.inf, math.inf
            while not self._stopping.is_set():
                frame = self._frames.pop(WAIT_S)
                if frame is not None:
                    while frame.index < last_index + self.frame_stride:
                        newer = self._frames.pop(WAIT_S)
                        if newer is None:  # the source has ended: track its last frame
                            break
                        frame = newer
                    last_index, start_s = frame.index, time.monotonic()
                    self._due_s = start_s + duration_s
                    result = tracker.track(frame.image, frame.time_s, frame.index)
                    duration_s = time.monotonic() - start_s
                    self._due_s = math.inf
                    self._results.put((frame, result))
        finally:
            with suppress(Exception):  # closing a failed tracker may fail, too
                tracker.close()


class TrackerThread(WatcherThread[landmarks.Hands]):
    """A thread that runs the hand tracker."""

    def get_hands(self, timeout_s: float = 0.0) -> TrackedFrame | None:
        result = self.get_result(timeout_s)
        return None if result is None else TrackedFrame(*result)
