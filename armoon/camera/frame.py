"""One camera picture, and the interface of all sources of pictures."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

import numpy as np
import numpy.typing as npt

from armoon.errors import ArmoonError, CameraError

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
    """A webcam, a video file, a stream or the rendered camera.

    ``read`` alone is lock-step: the frames come one by one, none is left out. ``CameraThread`` reads the
    same source in real time.
    """

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
        """Let go of the device or file; may be called twice."""


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
