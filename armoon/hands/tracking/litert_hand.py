"""One hand by LiteRT: mediapipe's two networks, and around them what its hand task does for one hand in a film.

While no hand is followed, the palm network looks at the whole picture. The landmark network looks into the square of a
palm, or of the landmarks before, and says whether a hand is there at all. Nothing is smoothed, as in the hand task.
"""

from __future__ import annotations

import os
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from armoon.errors import TrackerError
from armoon.hands.tracking.landmarker import DETECTION_CONFIDENCE, Image, Seen
from armoon.hands.tracking.landmarks import LANDMARKS, Side
from armoon.hands.tracking.model import PARTS, checked_part
from armoon.hands.tracking.palms import SIDE, Floats, likeliest_palm
from armoon.hands.tracking.squares import Square, around_landmarks, around_palm, cut_whole

PACKAGE = "ai_edge_litert"
REMEDY = "Leave out --tracker litert."
BROKEN = "Install armoon again; `armoon doctor` checks the result."
#: Our copy of the networks, for where mediapipe itself can't be installed.
NETWORKS = Path(__file__).parent / "networks"
#: The landmark network's input, in pixels.
HAND_SIDE = 224
#: Under this presence there is no hand, as in mediapipe.
PRESENCE = 0.5
#: mediapipe takes half of the cores, and never more than four.
MOST_THREADS = 4


class LitertNetworks:
    """Both networks, which remember nothing: one pair serves all hands of a thread."""

    def __init__(self) -> None:
        """Load them. TrackerError where LiteRT isn't installed, or a network is not the one that was measured."""
        self._palm, self._hand = (_Network(part) for part in own_parts())

    def palm_numbers(self, square: Floats) -> tuple[Floats, Floats]:
        """Return the palm network's output for a square (1, 192, 192, 3): (2016, 18) and (2016,)."""
        boxes, logits = self._palm.run(square)
        return boxes[0], logits[0, :, 0]

    def hand_numbers(self, square: Floats) -> tuple[Floats, float, float, Floats]:
        """Return landmarks (21, 3), presence, how much of a right hand, world landmarks, of (1, 224, 224, 3)."""
        points, presence, right, world = self._hand.run(square)
        return (
            points.reshape(LANDMARKS, 3),
            float(presence[0, 0]),
            float(right[0, 0]),
            world.reshape(LANDMARKS, 3),
        )


def own_parts() -> tuple[bytes, bytes]:
    """Return the networks of palm and hand. TrackerError where one is not the one that was measured."""
    palm, hand = (
        checked_part(NETWORKS, replace(part, path=Path(part.path).name), remedy=BROKEN) for part in PARTS
    )
    return palm, hand


class _Network:
    def __init__(self, network: bytes) -> None:
        try:
            from ai_edge_litert.interpreter import Interpreter
        except ImportError as error:
            missing = find_spec(PACKAGE) is None
            what = "has no package for this system" if missing else f"can't be loaded ({error})"
            raise TrackerError(f"The hand tracker LiteRT {what}.", remedy=REMEDY) from error
        threads = max(1, min(MOST_THREADS, (os.cpu_count() or 1) // 2))
        try:
            self._interpreter: Any = Interpreter(model_content=network, num_threads=threads)
            self._interpreter.allocate_tensors()
        except (RuntimeError, ValueError) as error:
            raise TrackerError(f"The hand tracker did not start ({error}).", remedy=REMEDY) from error
        self._input = self._interpreter.get_input_details()[0]["index"]
        outputs = sorted(self._interpreter.get_output_details(), key=lambda output: str(output["name"]))
        self._outputs = [output["index"] for output in outputs]

    def run(self, square: Floats) -> list[Any]:
        try:
            self._interpreter.set_tensor(self._input, square)
            self._interpreter.invoke()
        except (RuntimeError, ValueError) as error:
            raise TrackerError(f"The hand tracker failed ({error}).", remedy="Start armoon again.") from error
        return [self._interpreter.get_tensor(output) for output in self._outputs]


class LitertLandmarker:
    """Finds one hand and follows it from picture to picture."""

    def __init__(self, networks: LitertNetworks) -> None:
        """Take the networks, which may be shared by landmarkers of one thread."""
        self._networks: LitertNetworks | None = networks
        self._expected: Square | None = None

    def find(self, picture_rgb: Image, stamp_ms: int) -> Seen | None:
        """Return the hand in an RGB picture, if there is one."""
        networks = self._networks
        assert networks is not None, "it is closed"
        square = self._expected or _of_palm(networks, picture_rgb)
        self._expected = None
        if square is None:
            return None
        points, presence, right, world = networks.hand_numbers(square.cut(picture_rgb, HAND_SIDE))
        if not presence > PRESENCE:
            return None
        height, width = picture_rgb.shape[:2]
        placed = square.to_picture(points[:, :2] / np.float32(HAND_SIDE))
        self._expected = around_landmarks(placed, width, height)
        turned = np.column_stack([square.turned(world[:, :2]), world[:, 2]]).astype(np.float64)
        side: Side = "right" if right > 0.5 else "left"
        # Ours count from the centre of the first pixel.
        points_px = placed.astype(np.float64) * [width, height] - 0.5
        return Seen(points_px, turned, side, max(right, 1.0 - right))

    def close(self) -> None:
        """Let go of the networks."""
        self._networks = None


def _of_palm(networks: LitertNetworks, picture_rgb: Image) -> Square | None:
    height, width = picture_rgb.shape[:2]
    palm = likeliest_palm(*networks.palm_numbers(cut_whole(picture_rgb, SIDE)), DETECTION_CONFIDENCE)
    return None if palm is None else around_palm(palm, width, height)
