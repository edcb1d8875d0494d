"""Heads in camera pictures by the face mesh in mediapipe's package, whose files are checked. Use it in one thread."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from armoon.errors import TrackerError
from armoon.faces.heads import Head, Heads, head_of
from armoon.hands.model import REMEDY, ModelPart, load_mediapipe, package_folder, read_checked_part
from armoon.hands.tracker import silence_native_log

Image = npt.NDArray[np.uint8]

#: The files of mediapipe 0.10.21 that the mesh is made of; the second network, with attention, isn't used.
PARTS = (
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
#: Maximum number of faces to look for: the player and people nearby.
MOST_FACES = 2
#: Minimum confidence for a face to be found and followed: mediapipe's default.
CONFIDENCE = 0.5


class FaceTracker:
    """Finds and follows heads; use it from one thread, and close it."""

    def __init__(self) -> None:
        """Load the networks, which takes about 2 s. TrackerError if mediapipe or its model is unusable."""
        folder = package_folder("face")
        for part in PARTS:
            read_checked_part(folder, part, "face")
        with silence_native_log():
            self._mesh = _mesh()
            # The first run builds the networks, writes to the log and takes longest: not during play.
            self._mesh.process(np.zeros((64, 64, 3), dtype=np.uint8))

    def track(self, image_bgr: Image, time_s: float, frame_index: int) -> Heads:
        """Return the heads in a BGR picture (h, w, 3). Raises TrackerError if mediapipe fails."""
        height, width = image_bgr.shape[:2]
        picture = cv2.cvtColor(image_bgr, cv2.COLOR_BGR2RGB)
        picture.flags.writeable = False  # mediapipe copies what it could change
        try:
            found = self._mesh.process(picture).multi_face_landmarks or ()
        except (RuntimeError, ValueError) as error:
            raise TrackerError(f"The face tracker failed ({error}).", remedy="Start armoon again.") from error
        heads: list[Head] = []
        for face in found:
            # The mesh's pictures run from edge to edge; ours count from the centre of the first pixel.
            points = [(p.x * width - 0.5, p.y * height - 0.5, p.z * width) for p in face.landmark]
            head = head_of(points, (width, height))
            heads += [] if head is None else [head]
        heads.sort(key=lambda head: -head.width)
        return Heads(time_s, frame_index, tuple(heads))

    def close(self) -> None:
        self._mesh.close()


def _mesh() -> Any:
    mediapipe = load_mediapipe("face")
    try:
        return mediapipe.solutions.face_mesh.FaceMesh(
            max_num_faces=MOST_FACES, min_detection_confidence=CONFIDENCE, min_tracking_confidence=CONFIDENCE
        )
    except (RuntimeError, ValueError) as error:
        raise TrackerError(f"The face tracker did not start ({error}).", remedy=REMEDY) from error
