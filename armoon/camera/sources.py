"""Webcams, video files and streams through OpenCV; autofocus is off because it changes the focal length."""

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
from armoon.processes.system import this_system
from armoon.values.text import escape_text, parse_count, quote_text

Image = npt.NDArray[np.uint8]
#: The colour of the night where no camera looks, BGR.
NIGHT_BGR = (58, 42, 34)


@lru_cache(maxsize=2)
def unseen(width: int, height: int) -> Image:
    """Return the picture (height, width, 3) where no camera looks: all of it is one and the same pixel, read-only."""
    return np.broadcast_to(np.array(NIGHT_BGR, np.uint8), (height, width, 3))


def is_unseen(image: Image) -> bool:
    """Whether no camera has seen this picture, or a part of one: it is ``unseen``'s."""
    return image.strides[:2] == (0, 0)


@dataclass(frozen=True, eq=False)
class Frame:
    """One picture and the moment it was taken."""

    index: int
    """Counts from 0 and never repeats."""
    time_s: float
    """On the source's own clock; every frame is later than the one before."""
    image: Image
    """(h, w, 3) BGR as the camera sees it (never mirrored), C-contiguous."""


@dataclass(frozen=True)
class CameraRequest:
    """The picture size and rate that a source is asked for; it may give another."""

    width: int = 1280
    height: int = 720
    rate_hz: float = 30.0


class FrameSource(Protocol):
    """A webcam, video file, stream or rendered camera; ``read`` leaves no frame out, ``CameraThread`` may."""

    @property
    def description(self) -> str:
        """One line: what it is, what was asked for and what was got."""

    @property
    def width(self) -> int:
        """Width of every frame, in pixels."""

    @property
    def height(self) -> int:
        """Height of every frame, in pixels."""

    @property
    def rate_hz(self) -> float:
        """Frames per second, as far as the source says."""

    @property
    def live(self) -> bool:
        """Whether the world sets the pace (webcam, stream); other sources wait to be read."""

    def read(self) -> Frame | None:
        """Return the next frame, or None when the source has ended. Raises CameraError."""

    def close(self) -> None:
        """Release the device or file; may be called twice."""


def next_frame(source: FrameSource) -> Frame | None:
    """Return the source's next frame. Raises CameraError, whatever the library below it raises."""
    try:
        return source.read()
    except ArmoonError:
        raise
    except Exception as error:
        raise CameraError(
            f"The camera has failed ({type(error).__name__}: {error}).",
            remedy="Plug it in again, or name another one with --camera.",
        ) from error


#: A network camera that hasn't answered by then is reported instead of waited for.
STREAM_TIMEOUT_MS = 5000
#: What a file may lack at its end before it counts as broken off: containers round their durations.
MISSING_FRAMES_ALLOWED = 3
MISSING_SHARE_ALLOWED = 0.02
#: A film whose sound goes on for longer than this after its last picture was made so, seconds.
SOUND_ALONE_S = 1.0
#: A camera is lost once no picture could be decoded for this long, in seconds: a single one may arrive damaged.
UNDECODED_S = 0.5
#: Pause between attempts to read a picture, in seconds.
RETRY_S = 0.01
#: Pixel aspect ratios that are followed; a broken header may name any.
PIXEL_ASPECTS = (0.2, 5.0)
#: Used where a file or device doesn't say at which rate its frames come.
UNKNOWN_RATE_HZ = 30.0

#: A webcam's first pictures are dark until it has set its exposure.
DARK_FRAMES = 5
#: Number of webcams offered where the system doesn't list them.
UNNAMED_WEBCAMS = 2

#: Maximum characters of a file's name on common file systems.
LONGEST_FILE_NAME = 255

#: Finds out, at the moment of the fault, why there is no picture.
FaultReport = Callable[[], CameraError]


def open_source(text: str, wanted: CameraRequest, clock: Clock | None = None) -> LiveCapture | VideoFile:
    """Open the webcam (``0``, ``/dev/video0``), stream (URL) or file that ``text`` names. Raises CameraError."""
    _silence_opencv()
    if text == "demo":
        raise CameraError(
            "The built-in demo shows a rendered hand through a perfect lens: it has nothing to measure.",
            remedy="Plug a webcam in, or name a video file or a stream's URL with --camera.",
        )
    number = webcam_number(text)
    if number is not None:
        return open_webcam(number, wanted, clock)
    if text.startswith("/dev/") and not os.path.exists(text):
        raise NoCameraError(
            f"There is no camera at {quote_text(text)}.",
            remedy="Plug it in, or name another one with --camera (armoon doctor lists them).",
        )
    if text.startswith("file://"):  # it has an end, which a stream hasn't
        return VideoFile(Path(url2pathname(urlsplit(text).path)))
    if "://" in text:
        return open_stream(text, clock)
    return VideoFile(Path(os.path.expanduser(text)))


def webcam_number(text: str) -> int | None:
    """Return the webcam's number in ``0``, ``/dev/video0``, or a link to a device (/dev/v4l/by-id); else None."""
    name = text.strip()
    for path in (name, os.path.realpath(os.path.expanduser(name))):
        device = re.fullmatch(r"(?:/dev/video)?([0-9]{1,3})", path)
        if device:
            return int(device[1])
    return None


def webcams(
    folder: Path = Path("/sys/class/video4linux"),
) -> tuple[tuple[int, str], ...]:
    """Return the webcams that the system knows: their numbers, and their names where it tells them (Linux)."""
    if sys.platform != "linux":
        return tuple((number, "") for number in range(UNNAMED_WEBCAMS))
    found = []
    for node in sorted(folder.glob("video*"), key=lambda path: (len(path.name), path.name)):
        # A camera has a second node for what isn't a picture.
        number = parse_count(node.name[5:])
        if number is not None and _line_of(node / "index") in ("", "0"):
            found.append((number, _line_of(node / "name")))
    return tuple(found)


def webcam_picture(number: int) -> Image | None:
    """Return what a webcam that nobody uses sees now; None where it gives no picture."""
    with suppress(CameraError):
        source = open_webcam(number, CameraRequest(640, 360))
        with closing(source):
            for _ in range(DARK_FRAMES):
                source.read()
            return source.read().image
    return None


def _line_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""


def open_webcam(number: int, wanted: CameraRequest, clock: Clock | None = None) -> LiveCapture:
    """Webcam ``number``, asked for a size and rate; ``description`` tells what it gave."""
    *first, last = this_system().cameras
    for name in first:
        with suppress(CameraError):
            return _by_back_end(number, name, wanted, clock)
    return _by_back_end(number, last, wanted, clock)


def _by_back_end(number: int, name: str, wanted: CameraRequest, clock: Clock | None) -> LiveCapture:
    capture = cv2.VideoCapture(number, getattr(cv2, name))
    # Motion JPEG first: raw pictures of 1280×720 pass USB 2 at 10 Hz only. Cameras without it ignore this.
    capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
    capture.set(cv2.CAP_PROP_FRAME_WIDTH, wanted.width)
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, wanted.height)
    capture.set(cv2.CAP_PROP_FPS, wanted.rate_hz)
    # An old frame is worth less than none: keep the driver's queue as short as it allows.
    capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
    source = LiveCapture(capture, f"webcam {number}", lambda: webcam_fault(number), clock or WallClock())
    asked = (wanted.width, wanted.height, round(wanted.rate_hz))
    if asked != (source.width, source.height, round(source.rate_hz)):
        source.description += f" (asked for {wanted.width}×{wanted.height} at {wanted.rate_hz:g} Hz)"
    return source


def open_stream(url: str, clock: Clock | None = None) -> LiveCapture:
    """Return a network camera at ``url`` (http, rtsp ...): it alone decides on size and rate."""
    limits = (cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, cv2.CAP_PROP_READ_TIMEOUT_MSEC)
    parameters: Sequence[int] = [value for limit in limits for value in (limit, STREAM_TIMEOUT_MS)]
    capture = cv2.VideoCapture(url, cv2.CAP_FFMPEG, parameters)

    def fault() -> CameraError:
        return CameraError(
            f"No picture comes from the stream {_without_password(url)}.",
            remedy="Check the address in a video player such as VLC, and that this computer reaches it.",
        )

    return LiveCapture(capture, f"stream {_without_password(url)}", fault, clock or WallClock())


def webcam_fault(number: int, devices: Path = Path("/dev")) -> CameraError:
    if sys.platform == "linux":
        node = devices / f"video{number}"
        if not node.exists():
            numbers = (parse_count(path.name[5:]) for path in devices.glob("video*"))
            others = sorted(other for other in numbers if other is not None)
            found = f"Try one of {', '.join(map(str, others))}" if others else "Plug one in"
            return NoCameraError(
                f"There is no webcam {number} ({node} doesn't exist).",
                remedy=f"{found}, or name a video file or a stream's URL with --camera.",
            )
        if not os.access(node, os.R_OK | os.W_OK):
            return CameraError(
                f"This user may not use webcam {number} ({node}).",
                remedy='Type: sudo usermod -aG video "$USER", then log out and in again.',
            )
    return CameraError(
        f"Webcam {number} gives no picture: it is missing, busy or unplugged.",
        remedy=this_system().camera_cure,
    )


class LiveCapture:
    """A webcam or stream: frames come when the world sends them, stamped by the clock on arrival."""

    live = True

    def __init__(self, capture: cv2.VideoCapture, name: str, fault: FaultReport, clock: Clock) -> None:
        """Take over ``capture`` and read one frame at once: a busy camera opens and then gives none."""
        self._capture, self._fault, self._clock = capture, fault, clock
        self._index = -1
        self._time_s = -1.0
        self._upright = Upright(capture)
        image = self._decoded() if capture.isOpened() else None
        if image is None:
            capture.release()
            raise fault()
        self.height, self.width = int(image.shape[0]), int(image.shape[1])
        self.rate_hz = _rate_of(capture)
        self.description = f"{name}: {self.width}×{self.height} at {self.rate_hz:g} Hz"

    def read(self) -> Frame:
        """Wait for the next frame, skipping damaged ones. Raises CameraError when the camera is gone."""
        image = self._decoded((self.height, self.width))
        if image is None:
            raise self._fault()
        self._index += 1
        # Two frames of a burst can carry the same clock reading; the tracker needs them in order.
        self._time_s = max(self._clock.now_s(), self._time_s + 1e-4)
        return Frame(self._index, self._time_s, image)

    def _decoded(self, shape: tuple[int, int] | None = None) -> Image | None:
        """Return the next picture (of this height and width); None when there was none for ``UNDECODED_S``."""
        # Not by the clock that stamps frames: it may stand still.
        until_s = time.monotonic() + UNDECODED_S
        while True:
            ok, sent = self._capture.read()
            if ok and sent is not None:
                image = self._upright(sent)
                if shape is None or image.shape[:2] == shape:
                    return image
            if time.monotonic() >= until_s:
                return None
            time.sleep(RETRY_S)

    def lock_focus(self) -> Focus:
        return lock_focus(self._capture)

    def close(self) -> None:
        self._capture.release()


class VideoFile:
    """A video file: each frame once, in order, with the file's own time stamps from 0 on."""

    live = False

    def __init__(self, path: Path) -> None:
        """Open ``path`` and decode its first frame, so that a file without pictures is known at once."""
        _silence_opencv()
        if not os.path.isfile(path):
            what = "a folder" if os.path.isdir(path) else "not there"
            whole = len(path.name) <= LONGEST_FILE_NAME and path.parent.is_dir()
            raise NoCameraError(
                f"The video {escape_text(str(path)) if whole else quote_text(str(path))} is {what}.",
                remedy="--camera takes a webcam's number, a video file or a stream's URL.",
            )
        self._path = path
        self._capture = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG)
        first = self._decoded() if self._capture.isOpened() else None
        if first is None:
            self._capture.release()
            raise CameraError(
                f"The video {path} can't be read: it is damaged, incomplete or not a video.",
                remedy="See whether a video player shows it; copy or export it again, best as H.264 in MP4.",
            )
        self._start_s = self._stamp_s()
        second = self._decoded()
        if second is None:
            self._capture.release()
            raise CameraError(
                f"The video {path} has only one picture, so nothing moves in it.",
                remedy="Name a film with --camera; photographs of the board go to armoon calibrate.",
            )
        self._upright = Upright(self._capture, _display_matrix(path))
        self._waiting = [(first, 0.0), (second, self._stamp_s() - self._start_s)]
        self._index = -1
        self._time_s = -1.0
        self.height, self.width = (int(side) for side in self._upright(first).shape[:2])
        self.rate_hz = _rate_of(self._capture)
        self.description = f"video {path.name}: {self.width}×{self.height} at {self.rate_hz:g} Hz"

    def read(self) -> Frame | None:
        """Return the next frame, or None after the last one. Raises CameraError where a damaged file breaks off."""
        if not self._waiting:
            following = self._decoded()
            if following is None:
                self._check_complete()
                return None
            self._waiting.append((following, self._stamp_s() - self._start_s))
        self._index += 1
        image, stamp_s = self._waiting.pop(0)
        # Some containers repeat or lack stamps: then the announced rate carries on.
        self._time_s = stamp_s if stamp_s > self._time_s else self._time_s + 1.0 / self.rate_hz
        return Frame(self._index, self._time_s, self._upright(image))

    def close(self) -> None:
        self._capture.release()

    def _decoded(self) -> cv2.typing.MatLike | None:
        """Return the next picture as it is stored, skipping up to ``UNDECODED_S`` of damaged ones; else None."""
        for _ in range(1 + round(UNDECODED_S * _rate_of(self._capture))):
            ok, image = self._capture.read()
            if ok and image is not None:
                return image
        return None

    def _stamp_s(self) -> float:
        return float(self._capture.get(cv2.CAP_PROP_POS_MSEC)) / 1000.0

    def _check_complete(self) -> None:
        """Raise CameraError for missing last pictures, by time stamps: announced frame counts are estimates."""
        announced_s, video_s, end_s = _packet_times(self._path)
        read_s = self._time_s
        allowed_s = max(MISSING_FRAMES_ALLOWED / self.rate_hz, MISSING_SHARE_ALLOWED * announced_s)
        cut = announced_s - end_s > allowed_s and end_s - video_s < SOUND_ALONE_S
        if cut or video_s - read_s > allowed_s:
            raise CameraError(
                f"The video {self._path} breaks off after {read_s:.1f} of {max(announced_s, video_s):.1f} seconds.",
                remedy="What came before was played; copy or download the whole file again.",
            )


class Upright:
    """Turns pictures as they are stored into BGR with square pixels, the way up that the file or stream names."""

    def __init__(self, capture: cv2.VideoCapture, matrix: Sequence[int] = ()) -> None:
        """``matrix``: the file's display matrix (9 numbers, row by row); without one OpenCV's own rotation is on."""
        capture.set(cv2.CAP_PROP_ORIENTATION_AUTO, 0 if matrix else 1)
        across, down = capture.get(cv2.CAP_PROP_SAR_NUM), capture.get(cv2.CAP_PROP_SAR_DEN)
        aspect = across / down if across > 0 and down > 0 else 1.0
        self._aspect = aspect if PIXEL_ASPECTS[0] <= aspect <= PIXEL_ASPECTS[1] else 1.0
        # OpenCV turns the picture before the pixels' shape is put right here.
        self._turned = not matrix and round(capture.get(cv2.CAP_PROP_ORIENTATION_META)) % 180 == 90
        self._matrix = tuple(matrix)

    def __call__(self, stored: cv2.typing.MatLike) -> Image:
        image = cv2.cvtColor(stored, cv2.COLOR_GRAY2BGR) if stored.ndim == 2 else stored
        if self._aspect != 1.0:
            height, width = image.shape[:2]
            across, down = (1.0, self._aspect) if self._turned else (self._aspect, 1.0)
            size = (max(1, round(width * across)), max(1, round(height * down)))
            image = cv2.resize(image, size, interpolation=cv2.INTER_LINEAR)
        if self._matrix:
            # x' = a x + c y and y' = b x + d y, of quarter turns and mirror images.
            a, b, _, c, d = self._matrix[:5]
            if abs(b) > abs(a):
                image, a, d = image.swapaxes(0, 1), c, b
            image = image[:: -1 if d < 0 else 1, :: -1 if a < 0 else 1]
        return np.ascontiguousarray(image, dtype=np.uint8)


def _display_matrix(path: Path) -> tuple[int, ...]:
    """Return how a film is to be shown, as FFmpeg's display matrix; the identity where it doesn't say."""
    import av  # only films need it; the processes that draw the demo's camera don't

    try:
        with av.open(str(path)) as container:
            frame = next(container.decode(video=0))
            for data in frame.side_data:
                if data.type.name == "DISPLAYMATRIX":
                    return tuple(np.frombuffer(bytes(data), np.int32, 9).tolist())
    except (OSError, StopIteration, ValueError, IndexError, av.error.FFmpegError):
        pass  # OpenCV reads it, and it is shown as it is stored
    return (1, 0, 0, 0, 1, 0, 0, 0, 1)


def _packet_times(path: Path) -> tuple[float, float, float]:
    """Return the announced duration, the last picture's time and the end of all packets, in seconds."""
    import av

    announced_s = video_s = end_s = 0.0
    with suppress(OSError, ValueError, av.error.FFmpegError), av.open(str(path)) as container:
        announced_s = (container.duration or 0) / av.time_base
        start_s = (container.start_time or 0) / av.time_base
        for packet in container.demux():
            if packet.pts is None or packet.time_base is None or not packet.size:
                continue
            end_s = max(end_s, float((packet.pts + (packet.duration or 0)) * packet.time_base) - start_s)
            if packet.stream.type == "video":  # durations of single pictures are guessed
                video_s = max(video_s, float(packet.pts * packet.time_base) - start_s)
    return announced_s, video_s, end_s


def _rate_of(capture: cv2.VideoCapture) -> float:
    rate_hz = float(capture.get(cv2.CAP_PROP_FPS))
    return round(rate_hz, 3) if 0.1 <= rate_hz <= 1000.0 else UNKNOWN_RATE_HZ


def _without_password(url: str) -> str:
    return re.sub(r"(?<=://)[^/@]*@", "", url)


def _silence_opencv() -> None:
    # OpenCV's and FFmpeg's lines on stderr would only bury our own messages about faults.
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")  # AV_LOG_QUIET
    cv2.setLogLevel(0)


class Focus(enum.Enum):
    """What became of the wish to keep the lens still; the value is part of a message's key."""

    LOCKED = "locked"
    FIXED = "fixed"
    """The camera has no autofocus, as far as its driver tells: nothing to lock."""
    LOOSE = "loose"
    """The driver can't or won't lock it: the picture may drift from the calibration, so warn."""

    @property
    def key(self) -> str:
        return f"focus.{self.value}"


def lock_focus(capture: cv2.VideoCapture) -> Focus:
    """Switch autofocus off, where the lens stands now."""
    # V4L2 answers -1 for a setting that the camera lacks.
    if capture.get(cv2.CAP_PROP_AUTOFOCUS) < 0:
        return Focus.FIXED
    # V4L2 requires the lens's position before it can be held.
    focus = capture.get(cv2.CAP_PROP_FOCUS)
    if not capture.set(cv2.CAP_PROP_AUTOFOCUS, 0):
        return Focus.LOOSE
    if focus > 0:
        capture.set(cv2.CAP_PROP_FOCUS, focus)
    return Focus.LOCKED if capture.get(cv2.CAP_PROP_AUTOFOCUS) == 0 else Focus.LOOSE
