"""The library that finds hands: mediapipe's own hand task where it is installed, otherwise LiteRT."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from armoon.hands.tracking.landmarker import Landmarker
from armoon.hands.tracking.litert_hand import LitertLandmarker, LitertNetworks
from armoon.hands.tracking.mediapipe_hand import MediapipeLandmarker
from armoon.hands.tracking.model import in_memory, model_bundle
from armoon.values.choices import TrackerName


def chosen(by: TrackerName) -> TrackerName:
    """Return the library that ``by`` means: AUTO is mediapipe, or LiteRT where mediapipe has no package."""
    if by is not TrackerName.AUTO:
        return by
    return TrackerName.LITERT if find_spec("mediapipe") is None else TrackerName.MEDIAPIPE


@contextmanager
def landmarkers(by: TrackerName, model: Path | None = None) -> Iterator[Callable[[], Landmarker]]:
    """Yield what makes landmarkers of a library; ``model`` is a .task file for mediapipe.

    Raises TrackerError where the library or its networks are unusable.
    """
    if chosen(by) is TrackerName.LITERT:
        networks = LitertNetworks()
        yield lambda: LitertLandmarker(networks)
    else:
        with in_memory(model_bundle(model)) as asset:
            yield lambda: MediapipeLandmarker(asset)
