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


class Again:
    """Remembers what was shown, and gives it back at its own pace."""

    def __init__(self) -> None:
        self._past: deque[tuple[float, Scene, Picture]] = deque()
        self._again: deque[tuple[float, Scene, Picture]] = deque()
        self._ends_s = 0.0

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
        self._ends_s = now_s + AGAIN_S

    def picture(self, now_s: float) -> tuple[Scene, Picture] | None:
        """What is to be shown instead of the present; None: the present."""
        if not self._again:
            return None
        stamp_s, scene, image = self._again[0]
        last_s = self._again[-1][0]
        if last_s - stamp_s <= self._ends_s - now_s or len(self._again) == 1:
            self._again.popleft()
        return scene, image
