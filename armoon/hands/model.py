"""Builds the hand task's model in memory from the two networks in mediapipe's package; nothing is downloaded."""

from __future__ import annotations

import hashlib
import io
import os
import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from armoon.errors import TrackerError
from armoon.processes.system import stub_modules

REMEDY = f"fault.remedy.{'mediapipe' if sys.version_info < (3, 13) else 'python'}"


@dataclass(frozen=True)
class ModelPart:
    """One network of the bundle."""

    member: str
    """Name in the bundle, by which mediapipe finds the network."""
    path: str
    sha256: str


#: The full networks of mediapipe 0.10.21; with the lite landmark network, errors of the pinch point double.
PARTS = (
    ModelPart(
        "hand_detector.tflite",
        "modules/palm_detection/palm_detection_full.tflite",
        "1b14e9422c6ad006cde6581a46c8b90dd573c07ab7f3934b5589e7cea3f89a54",
    ),
    ModelPart(
        "hand_landmarks_detector.tflite",
        "modules/hand_landmark/hand_landmark_full.tflite",
        "11c272b891e1a99ab034208e23937a8008388cf11ed2a9d776ed3d01d0ba00e3",
    ),
)


def make_model_bundle() -> bytes:
    """Return the hand task's model. Raises TrackerError if a part is missing or has another checksum."""
    folder, buffer = find_package_folder(), io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as bundle:
        for part in PARTS:
            # A fixed date makes the bundle's bytes reproducible.
            bundle.writestr(
                zipfile.ZipInfo(part.member, (1980, 1, 1, 0, 0, 0)), read_checked_part(folder, part)
            )
    return buffer.getvalue()


@contextmanager
def open_bundle(bundle: bytes) -> Iterator[dict[str, str | bytes]]:
    """Yield mediapipe's option for a bundle: on Linux a file in memory, otherwise bytes, which it copies twice."""
    if not hasattr(os, "memfd_create"):
        yield {"model_asset_buffer": bundle}
        return
    with open(os.memfd_create("bundle"), "wb") as file:
        file.write(bundle)
        file.flush()
        yield {"model_asset_path": f"/proc/self/fd/{file.fileno()}"}


def find_package_folder(tracker: str = "hand") -> Path:
    """Return mediapipe's folder. Raises TrackerError if it isn't installed."""
    # Finding the package is fast; importing it is slow and is left to the tracker.
    spec = find_spec("mediapipe")
    if spec is None or not spec.submodule_search_locations:
        raise TrackerError(f"fault.tracker.{tracker}.missing", remedy=REMEDY)
    return Path(next(iter(spec.submodule_search_locations)))


def load_mediapipe(tracker: str = "hand") -> Any:
    """Import mediapipe (0.5 s) without matplotlib, which would add 0.3 s and 28 MB. Raises TrackerError on failure."""
    try:
        with stub_modules({"matplotlib": "pyplot", "matplotlib.pyplot": "figure"}):
            import mediapipe
    except ImportError as error:
        raise TrackerError(f"fault.tracker.{tracker}.unloadable", remedy=REMEDY, why=error) from error
    return mediapipe


def read_checked_part(folder: Path, part: ModelPart, tracker: str = "hand", remedy: str = REMEDY) -> bytes:
    """Return a part of a tracker's model. Raises TrackerError if it is missing or has another checksum."""
    path = folder / part.path
    try:
        data = path.read_bytes()
    except OSError as error:
        raise TrackerError(f"fault.tracker.{tracker}.unreadable", remedy=remedy, path=path) from error
    if hashlib.sha256(data).hexdigest() != part.sha256:
        raise TrackerError(f"fault.tracker.{tracker}.damaged", remedy=remedy, path=path)
    return data
