"""Reads webcams, video files and streams through OpenCV; locks the focus, because autofocus changes focal lengths."""

from __future__ import annotations

import enum
import os
import re
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit
from urllib.request import url2pathname

import cv2
import numpy as np
import numpy.typing as npt

from armoon.clock import Clock, WallClock
from armoon.errors import ArmoonError, CameraError, NoCameraError
from armoon.geometry import Array
from armoon.processes.system import get_system, get_system_name
from armoon.values.text import parse_count, quote_text

Image = npt.NDArray[np.uint8]
#: Background colour in the absence of a camera picture, BGR.
BLANK_BGR = (58, 42, 34)


@lru_cache(maxsize=2)
def make_blank(width: int, height: int) -> Image:
    """Return a blank picture (height, width, 3) for use without a camera: a read-only view of one pixel."""
    return np.broadcast_to(np.array(BLANK_BGR, np.uint8), (height, width, 3))


def is_blank(image: Image) -> bool:
    """Return whether this picture, or part of one, comes from ``make_blank``."""
    return image.strides[:2] == (0, 0)


def to_grey(image: Image) -> Image:
    """Return the brightness (h, w) of a BGR picture (h, w, 3); return a grey picture unchanged."""
    return image if image.ndim == 2 else np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), dtype=np.uint8)


def sample_levels(picture: cv2.typing.MatLike, pixels: Array) -> Array:
    """Return a picture's interpolated levels (n, k) at ``pixels`` (n, k, 2); outside, the levels of its border."""
    positions, unused = pixels.astype(np.float32), np.zeros(0, np.float32)
    levels = cv2.remap(picture, positions, unused, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(levels, dtype=np.float64)


@dataclass(frozen=True, eq=False)
class Frame:
    """One picture and its time."""

    index: int
    """Counts from 0 and never repeats."""
    time_s: float
    """On the source's clock; strictly increasing."""
    image: Image
    """(h, w, 3) BGR, never mirrored, C-contiguous."""


@dataclass(frozen=True)
class CameraRequest:
    """The requested picture size and rate; a source may deliver others."""

    width: int = 1280
    height: int = 720
    rate_hz: float = 30.0


class FrameSource(Protocol):
    """A webcam, video file, stream or rendered camera; ``read`` skips no frames, but ``CameraThread`` may."""

    description: str
    """One line: the source, the requested and the actual format."""
    width: int
    height: int
    rate_hz: float
    """Nominal frames per second."""
    live: bool
    """Whether frames arrive by themselves (webcam, stream); other sources deliver them on request."""

    def read(self) -> Frame | None:
        """Return the next frame, or None once the source has ended. Raises CameraError."""

    def close(self) -> None:
        """Release the device or file; may be called twice."""


def read_frame(source: FrameSource) -> Frame | None:
    """Return the source's next frame; convert every exception of its library to CameraError."""
    try:
        return source.read()
    except ArmoonError:
        raise
    except Exception as error:
        raise CameraError("fault.camera.failed", why=f"{type(error).__name__}: {error}") from error


#: Timeout of a network camera.
STREAM_TIMEOUT_MS = 5000
#: Frames that may be missing at a file's end, as a number and as a share of its duration: containers round durations.
MISSING_FRAMES_ALLOWED = 3
MISSING_SHARE_ALLOWED = 0.02
#: Seconds of sound after the last picture from which a film counts as complete rather than cut off.
SOUND_ALONE_S = 1.0
#: Seconds without a decodable picture after which a camera is lost; a single picture may be damaged.
UNDECODED_S = 0.5
#: Pause between attempts to read a picture.
RETRY_S = 0.01
#: Assumed rate of files and devices that don't report one.
UNKNOWN_RATE_HZ = 30.0

#: Folder with the webcams' names (Linux).
DEVICES = Path("/sys/class/video4linux")
#: Number of a webcam's first pictures that are dark because it hasn't set its exposure yet.
DARK_FRAMES = 5
#: Number of webcams offered on systems that don't list them.
UNNAMED_WEBCAMS = 2

#: Maximum characters of a file's name on common file systems.
MAX_FILE_NAME = 255

#: Makes the error that says why no picture arrives.
FaultFactory = Callable[[], CameraError]


def open_source(text: str, request: CameraRequest, clock: Clock | None = None) -> LiveCapture | VideoFile:
    """Open the webcam (``0``, ``/dev/video0``), stream (URL) or file that ``text`` names. Raises CameraError."""
    _silence_opencv()
    if text == "demo":
        raise CameraError("fault.camera.demo")
    number = parse_webcam_number(text)
    if number is not None:
        return open_webcam(number, request, clock)
    if text.startswith("/dev/") and not os.path.exists(text):
        raise NoCameraError("fault.camera.no_device", path=quote_text(text))
    if text.startswith("file://"):  # a file has an end, unlike a stream
        return VideoFile(Path(url2pathname(urlsplit(text).path)))
    if "://" in text:
        return open_stream(text, clock)
    return VideoFile(Path(os.path.expanduser(text)))


def parse_webcam_number(text: str) -> int | None:
    """Return the webcam's number in ``0``, ``/dev/video0``, or a link to a device (/dev/v4l/by-id), or None."""
    name = text.strip()
    for path in (name, os.path.realpath(os.path.expanduser(name))):
        device = re.fullmatch(r"(?:/dev/video)?([0-9]{1,3})", path)
        if device:
            return int(device[1])
    return None


def list_webcams(folder: Path = DEVICES) -> tuple[tuple[int, str], ...]:
    """Return the numbers of the system's webcams, and their names if available (Linux)."""
    if sys.platform != "linux":
        return tuple((number, "") for number in range(UNNAMED_WEBCAMS))
    webcams = []
    for node in sorted(folder.glob("video*"), key=lambda path: (len(path.name), path.name)):
        # A camera has a second node for metadata.
        number = parse_count(node.name[5:])
        if number is not None and read_line(node / "index") in ("", "0"):
            webcams.append((number, read_line(node / "name")))
    return tuple(webcams)


def take_webcam_picture(number: int) -> Image | None:
    """Return an idle webcam's current picture, or None if it can't be read."""
    with suppress(CameraError):
        source = open_webcam(number, CameraRequest(640, 360))
        with closing(source):
            for _ in range(DARK_FRAMES):
                source.read()
            return source.read().image
    return None


def read_line(path: Path) -> str:
    """Return the text of a one-line file, or "" if it can't be read."""
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""


def open_webcam(number: int, request: CameraRequest, clock: Clock | None = None) -> LiveCapture:
    """Open webcam ``number`` with the requested size and rate, which it may change (see the ``description``)."""
    *other_back_ends, last = get_system().cameras
    for name in other_back_ends:
        with suppress(CameraError):
            return _open_by_back_end(number, name, request, clock)
    return _open_by_back_end(number, last, request, clock)


def _open_by_back_end(number: int, name: str, request: CameraRequest, clock: Clock | None) -> LiveCapture:
    capture = cv2.VideoCapture(number, getattr(cv2, name))
    # Request Motion JPEG: over USB 2, raw pictures of 1280×720 arrive at only 10 Hz. Cameras without it ignore this.
    capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
    capture.set(cv2.CAP_PROP_FRAME_WIDTH, request.width)
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, request.height)
    capture.set(cv2.CAP_PROP_FPS, request.rate_hz)
    # Old frames are worse than none, so keep the driver's queue as short as possible.
    capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
    source = LiveCapture(capture, f"webcam {number}", lambda: make_webcam_fault(number), clock or WallClock())
    requested = (request.width, request.height, round(request.rate_hz))
    if requested != (source.width, source.height, round(source.rate_hz)):
        source.description += f" (asked for {request.width}×{request.height} at {request.rate_hz:g} Hz)"
    return source


def open_stream(url: str, clock: Clock | None = None) -> LiveCapture:
    """Open a network camera at ``url`` (http, rtsp ...), which chooses the size and rate itself."""
    limits = (cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, cv2.CAP_PROP_READ_TIMEOUT_MSEC)
    parameters: Sequence[int] = [value for limit in limits for value in (limit, STREAM_TIMEOUT_MS)]
    capture = cv2.VideoCapture(url, cv2.CAP_FFMPEG, parameters)
    capture.set(cv2.CAP_PROP_ORIENTATION_AUTO, 1)

    def make_fault() -> CameraError:
        return CameraError("camera.stream", url=hide_password(url))

    return LiveCapture(capture, f"stream {hide_password(url)}", make_fault, clock or WallClock())


def make_webcam_fault(number: int, devices: Path = Path("/dev")) -> CameraError:
    if sys.platform == "linux":
        node = devices / f"video{number}"
        if not node.exists():
            numbers = (parse_count(path.name[5:]) for path in devices.glob("video*"))
            others = ", ".join(map(str, sorted(other for other in numbers if other is not None)))
            remedy = "camera.missing_others" if others else "camera.missing_remedy"
            return NoCameraError("camera.missing", remedy=remedy, number=number, node=node, others=others)
        if not os.access(node, os.R_OK | os.W_OK):
            return CameraError("camera.forbidden", number=number, node=node)
    return CameraError("camera.no_picture", remedy=f"camera.cure.{get_system_name()}", number=number)


class LiveCapture:
    """A webcam or stream; each frame gets the clock's time on arrival."""

    live = True

    def __init__(self, capture: cv2.VideoCapture, name: str, make_fault: FaultFactory, clock: Clock) -> None:
        """Take over ``capture`` and read a frame at once, because a busy camera opens without delivering any."""
        self._capture, self._make_fault, self._clock = capture, make_fault, clock
        self._index = -1
        self._time_s = -1.0
        image = self._decode() if capture.isOpened() else None
        if image is None:
            capture.release()
            raise make_fault()
        self.height, self.width = int(image.shape[0]), int(image.shape[1])
        self.rate_hz = _read_rate(capture)
        self.description = f"{name}: {self.width}×{self.height} at {self.rate_hz:g} Hz"

    def read(self) -> Frame:
        """Wait for the next frame, skipping damaged ones. Raises CameraError when the camera is gone."""
        image = self._decode((self.height, self.width))
        if image is None:
            raise self._make_fault()
        self._index += 1
        # Two frames of a burst can have the same time; the tracker needs increasing ones.
        self._time_s = max(self._clock.now_s(), self._time_s + 1e-4)
        return Frame(self._index, self._time_s, image)

    def _decode(self, shape: tuple[int, int] | None = None) -> Image | None:
        """Return the next picture (of this height and width), or None after ``UNDECODED_S`` without one."""
        # Don't use the clock that stamps frames, because it may be paused.
        deadline_s = time.monotonic() + UNDECODED_S
        while True:
            is_read, picture = self._capture.read()
            if is_read and picture is not None:
                image = _to_bgr(picture)
                if shape is None or image.shape[:2] == shape:
                    return image
            if time.monotonic() >= deadline_s:
                return None
            time.sleep(RETRY_S)

    def lock_focus(self) -> FocusLock:
        return lock_focus(self._capture)

    def close(self) -> None:
        self._capture.release()


class VideoFile:
    """A video file: each frame once, in order, with the file's time stamps from 0 on."""

    live = False

    def __init__(self, path: Path) -> None:
        """Open ``path`` and decode its first frames, so that a file without pictures is detected at once."""
        _silence_opencv()
        if not os.path.isfile(path):
            is_short = len(path.name) <= MAX_FILE_NAME and path.parent.is_dir()
            raise NoCameraError(
                "fault.video.folder" if os.path.isdir(path) else "fault.video.missing",
                remedy="fault.video.source",
                path=path if is_short else quote_text(str(path)),
            )
        self._path = path
        self._capture = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG)
        self._capture.set(cv2.CAP_PROP_ORIENTATION_AUTO, 1)
        first = self._decode() if self._capture.isOpened() else None
        if first is None:
            self._capture.release()
            raise CameraError("fault.video.broken", path=path)
        self._start_s = self._read_stamp_s()
        second = self._decode()
        if second is None:
            self._capture.release()
            raise CameraError("fault.video.still", path=path)
        self._buffered = [(first, 0.0), (second, self._read_stamp_s() - self._start_s)]
        self._index = -1
        self._time_s = -1.0
        self.height, self.width = first.shape[:2]
        self.rate_hz = _read_rate(self._capture)
        self.description = f"video {path.name}: {self.width}×{self.height} at {self.rate_hz:g} Hz"

    def read(self) -> Frame | None:
        """Return the next frame, or None after the last one. Raises CameraError if the file is damaged or cut off."""
        if not self._buffered:
            next_image = self._decode()
            if next_image is None:
                self._check_complete()
                return None
            self._buffered.append((next_image, self._read_stamp_s() - self._start_s))
        self._index += 1
        image, stamp_s = self._buffered.pop(0)
        # Some containers repeat or lack stamps; then continue at the nominal rate.
        self._time_s = stamp_s if stamp_s > self._time_s else self._time_s + 1.0 / self.rate_hz
        return Frame(self._index, self._time_s, image)

    def close(self) -> None:
        self._capture.release()

    def _decode(self) -> Image | None:
        """Return the next picture, skipping up to ``UNDECODED_S`` of damaged ones, or None."""
        for _ in range(1 + round(UNDECODED_S * _read_rate(self._capture))):
            is_read, image = self._capture.read()
            if is_read and image is not None:
                return _to_bgr(image)
        return None

    def _read_stamp_s(self) -> float:
        return float(self._capture.get(cv2.CAP_PROP_POS_MSEC)) / 1000.0

    def _check_complete(self) -> None:
        """Raise CameraError if the last pictures are missing; compare times, because frame counts are estimates."""
        declared_s, video_s, end_s = _read_packet_times(self._path)
        read_s = self._time_s
        allowed_s = max(MISSING_FRAMES_ALLOWED / self.rate_hz, MISSING_SHARE_ALLOWED * declared_s)
        is_cut = declared_s - end_s > allowed_s and end_s - video_s < SOUND_ALONE_S
        if is_cut or video_s - read_s > allowed_s:
            raise CameraError(
                "fault.video.cut",
                path=self._path,
                read=round(read_s, 1),
                whole=round(max(declared_s, video_s), 1),
            )


def _to_bgr(picture: cv2.typing.MatLike) -> Image:
    image = cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR) if picture.ndim == 2 else picture
    return np.ascontiguousarray(image, dtype=np.uint8)


def _read_packet_times(path: Path) -> tuple[float, float, float]:
    """Return the declared duration, the last picture's time and the end of all packets, in seconds."""
    import av  # slow to import, and processes without films don't need it

    declared_s = video_s = end_s = 0.0
    with suppress(OSError, ValueError, av.error.FFmpegError), av.open(str(path)) as container:
        declared_s = (container.duration or 0) / av.time_base
        start_s = (container.start_time or 0) / av.time_base
        for packet in container.demux():
            if packet.pts is None or packet.time_base is None or not packet.size:
                continue
            end_s = max(end_s, float((packet.pts + (packet.duration or 0)) * packet.time_base) - start_s)
            if packet.stream.type == "video":  # durations of single pictures are guessed
                video_s = max(video_s, float(packet.pts * packet.time_base) - start_s)
    return declared_s, video_s, end_s


def _read_rate(capture: cv2.VideoCapture) -> float:
    rate_hz = float(capture.get(cv2.CAP_PROP_FPS))
    return round(rate_hz, 3) if 0.1 <= rate_hz <= 1000.0 else UNKNOWN_RATE_HZ


def hide_password(url: str) -> str:
    return re.sub(r"(?<=://)[^/@]*@", "", url)


def _silence_opencv() -> None:
    # OpenCV's and FFmpeg's output on stderr would hide our own messages.
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")  # AV_LOG_QUIET
    cv2.setLogLevel(0)


class FocusLock(enum.Enum):
    """The result of locking the focus; the value is part of a message's key."""

    LOCKED = "locked"
    FIXED = "fixed"
    """The driver reports no autofocus."""
    LOOSE = "loose"
    """The driver can't lock the focus; warn the player, because pictures may deviate from the calibration."""

    @property
    def key(self) -> str:
        return f"focus.{self.value}"


def lock_focus(capture: cv2.VideoCapture) -> FocusLock:
    """Switch autofocus off at the lens's current position."""
    # V4L2 returns -1 for missing settings.
    if capture.get(cv2.CAP_PROP_AUTOFOCUS) < 0:
        return FocusLock.FIXED
    # V4L2 needs the lens's position before locking.
    focus = capture.get(cv2.CAP_PROP_FOCUS)
    if not capture.set(cv2.CAP_PROP_AUTOFOCUS, 0):
        return FocusLock.LOOSE
    if focus > 0:
        capture.set(cv2.CAP_PROP_FOCUS, focus)
    return FocusLock.LOCKED if capture.get(cv2.CAP_PROP_AUTOFOCUS) == 0 else FocusLock.LOOSE
