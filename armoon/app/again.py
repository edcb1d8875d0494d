"""The last seconds of a game, to be shown once more."""

from __future__ import annotations

from collections import deque

import cv2
import numpy as np

from armoon.sinks.moment import Picture
from armoon.values.scene import Scene

#: "Show again" shows so much, at the rate in which pictures came.
AGAIN_S = 3.0
#: Pictures for it are kept no wider than this: 90 of them are 60 MB.
AGAIN_WIDTH_PX = 640
#: Times as near as this are the same: sums of fractions differ by some bits.
SAME_TIME_S = 1e-6


class Again:
    """Remembers what was shown, and gives it back at its own pace."""

    def __init__(self) -> None:
        self._past: deque[tuple[float, Scene, Picture]] = deque()
        self._again: deque[tuple[float, Scene, Picture]] = deque()
        self._behind_s = 0.0

    def remember(self, now_s: float, scene: Scene, image: Picture) -> None:
        """Keep what came in at this time, and forget what is too old."""
        height, width = image.shape[:2]
        if width > AGAIN_WIDTH_PX:
            image = np.asarray(
                cv2.resize(image, (AGAIN_WIDTH_PX, AGAIN_WIDTH_PX * height // width)), np.uint8
            )
        self._past.append((now_s, scene, image))
        while self._past[0][0] < now_s - AGAIN_S:
            self._past.popleft()

    def begin(self, now_s: float) -> None:
        """Show the last seconds from now on."""
        self._again = deque(self._past)
        self._behind_s = now_s - self._again[0][0] if self._again else 0.0

    def picture(self, now_s: float) -> tuple[Scene, Picture] | None:
        """What is to be shown instead of the present, as long ago as when it began; None: the present."""
        then_s = now_s - self._behind_s + SAME_TIME_S
        if self._again and self._again[-1][0] + 2.0 * SAME_TIME_S < then_s:
            self._again.clear()
        while len(self._again) > 1 and self._again[1][0] <= then_s:
            self._again.popleft()
        return self._again[0][1:] if self._again else None
