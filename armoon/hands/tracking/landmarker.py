"""A landmarker finds one hand in a picture and follows it from there on; each tracking library has its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from armoon.geometry import Array
from armoon.hands.tracking.landmarks import Side

Image = npt.NDArray[np.uint8]

#: mediapipe's own default is 0.5; 0.3 finds small and tilted hands that 0.5 misses (measured on composites).
DETECTION_CONFIDENCE = 0.3


@dataclass(frozen=True)
class Seen:
    """A landmarker's result, in the pixels of its input picture."""

    points_px: Array
    world_m: Array
    side: Side
    score: float


class Landmarker(Protocol):
    """The tracker's requirements for a library's landmarker; it belongs to one thread."""

    def find(self, picture_rgb: Image, stamp_ms: int) -> Seen | None:
        """Return the hand in an RGB picture, if there is one; stamps rise. Raises TrackerError if the library fails."""

    def close(self) -> None:
        """Free what it holds."""
