"""One hand by mediapipe's hand task, on the processor."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from armoon.errors import TrackerError
from armoon.hands.tracking.landmarker import DETECTION_CONFIDENCE, Image, Seen
from armoon.hands.tracking.landmarks import Side
from armoon.hands.tracking.model import REMEDY, load_mediapipe


class MediapipeLandmarker:
    """mediapipe's hand task for one hand, following it from picture to picture."""

    def __init__(self, asset: Mapping[str, str | bytes]) -> None:
        """Make the task of a bundle (``model.in_memory``). TrackerError if mediapipe or the bundle is unusable."""
        mediapipe = self._mediapipe = load_mediapipe()
        vision = mediapipe.tasks.vision
        options = vision.HandLandmarkerOptions(
            base_options=mediapipe.tasks.BaseOptions(**asset),
            running_mode=vision.RunningMode.VIDEO,
            num_hands=1,
            min_hand_detection_confidence=DETECTION_CONFIDENCE,
        )
        try:
            self._task: Any = vision.HandLandmarker.create_from_options(options)
        except (RuntimeError, ValueError) as error:
            raise TrackerError(f"The hand tracker did not start ({error}).", remedy=REMEDY) from error

    def find(self, picture_rgb: Image, stamp_ms: int) -> Seen | None:
        """Return the hand in an RGB picture, if there is one."""
        mediapipe = self._mediapipe
        image = mediapipe.Image(image_format=mediapipe.ImageFormat.SRGB, data=picture_rgb)
        try:
            result = self._task.detect_for_video(image, stamp_ms)
        except (RuntimeError, ValueError) as error:
            raise TrackerError(f"The hand tracker failed ({error}).", remedy="Start armoon again.") from error
        if not result.hand_landmarks:
            return None
        height, width = picture_rgb.shape[:2]
        # mediapipe's pictures run from edge to edge; ours count from the centre of the first pixel.
        points = np.array([(p.x * width - 0.5, p.y * height - 0.5) for p in result.hand_landmarks[0]])
        world = np.array([(p.x, p.y, p.z) for p in result.hand_world_landmarks[0]])
        label = result.handedness[0][0]
        side: Side = "left" if label.category_name == "Left" else "right"
        return Seen(points, world, side, float(label.score))

    def close(self) -> None:
        """Free the network."""
        task, self._task = self._task, None  # its memory goes with the object
        if task is not None:
            task.close()
