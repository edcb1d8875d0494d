"""Finds heads in camera pictures by mediapipe's face mesh, whose files are checked."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from armoon.errors import TrackerError
from armoon.faces.heads import Head, Heads, measure_head
from armoon.hands.model import REMEDY, ModelPart, load_mediapipe, package_folder, read_checked_part
from armoon.processes.system import silence_native_log

Image = npt.NDArray[np.uint8]

#: The mesh's files in mediapipe 0.10.21; the second network, with attention, isn't used.
MODEL_PARTS = (
    ModelPart(
        "graph",
        "modules/face_landmark/face_landmark_front_cpu.binarypb",
        "fa3c092da27d031d54ddd61a29b0e3dd521d53f55fa8898cb0f2b64d79cd6573",
    ),
    ModelPart(
        "detector",
        "modules/face_detection/face_detection_short_range.tflite",
        "bbff11cebd1eb27a1e004cae0b0e63ec8c551cbf34a4451148b4908b8db3eca8",
    ),
    ModelPart(
        "landmarks",
        "modules/face_landmark/face_landmark.tflite",
        "1055cb9d4a9ca8b8c688902a3a5194311138ba256bcc94e336d8373a5f30c814",
    ),
)
#: Maximum number of faces: the player and people nearby.
MAX_FACES = 2
#: Minimum confidence for detection and tracking: mediapipe's default.
CONFIDENCE = 0.5


class FaceTracker:
    """Detects and tracks heads; use it from one thread, and close it."""

    def __init__(self) -> None:
        """Load the networks, which takes about 2 s. Raises TrackerError: mediapipe or its model is unusable."""
        folder = package_folder("face")
        for part in MODEL_PARTS:
            read_checked_part(folder, part, "face")
        with silence_native_log():
            self._make_mesh = _make_mesh()
            # The first run builds the networks, writes to the log and takes longest; do it before play.
            self._make_mesh.process(np.zeros((64, 64, 3), dtype=np.uint8))

    def track(self, image_bgr: Image, time_s: float, frame_index: int) -> Heads:
        """Return the heads in a BGR picture (h, w, 3). Raises TrackerError if mediapipe fails."""
        height, width = image_bgr.shape[:2]
        picture = cv2.cvtColor(image_bgr, cv2.COLOR_BGR2RGB)
        picture.flags.writeable = False  # otherwise mediapipe copies it
        try:
            found = self._make_mesh.process(picture).multi_face_landmarks or ()
        except (RuntimeError, ValueError) as error:
            raise TrackerError(f"The face tracker failed ({error}).", remedy="Start armoon again.") from error
        heads: list[Head] = []
        for face in found:
            # The mesh's coordinates start at the picture's edge, ours at the centre of the first pixel.
            points = [(p.x * width - 0.5, p.y * height - 0.5, p.z * width) for p in face.landmark]
            head = measure_head(points, (width, height))
            heads += [] if head is None else [head]
        heads.sort(key=lambda head: -head.width)
        return Heads(time_s, frame_index, tuple(heads))

    def close(self) -> None:
        self._make_mesh.close()


def _make_mesh() -> Any:
    mediapipe = load_mediapipe("face")
    try:
        return mediapipe.solutions.face_mesh.FaceMesh(
            max_num_faces=MAX_FACES, min_detection_confidence=CONFIDENCE, min_tracking_confidence=CONFIDENCE
        )
    except (RuntimeError, ValueError) as error:
        raise TrackerError(f"The face tracker did not start ({error}).", remedy=REMEDY) from error
