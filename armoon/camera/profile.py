"""Camera profiles: the intrinsics of one camera as a JSON file, usable at every picture size."""

from __future__ import annotations

import json

from armoon.errors import CameraError
from armoon.geometry import CameraModel

#: A profile's keys that hold numbers; ``distortion`` holds five.
NUMBERS = ("fx", "fy", "cx", "cy")


def profile_from_text(text: str, name: str) -> CameraModel:
    """The camera of a profile; ``name`` is what an error calls it. Raises CameraError for a broken one."""
    try:
        data = json.loads(text)
        k1, k2, p1, p2, k3 = (float(value) for value in data["distortion"])
        fx, fy, cx, cy = (float(data[key]) for key in NUMBERS)
        return CameraModel(int(data["width"]), int(data["height"]), fx, fy, cx, cy, (k1, k2, p1, p2, k3))
    except (KeyError, TypeError, ValueError) as error:
        raise CameraError(
            f"The camera profile {name} is broken ({type(error).__name__}: {error}).",
            remedy="Calibrate the camera again, or play without a profile.",
        ) from error


def resized(camera: CameraModel, width: int, height: int) -> CameraModel:
    """The same camera at another picture size.

    The width sets the scale; another shape of picture shows more or less above and below the middle.
    """
    scale = width / camera.width
    return CameraModel(
        width,
        height,
        camera.fx * scale,
        camera.fy * scale,
        (camera.cx + 0.5) * scale - 0.5,
        (camera.cy - (camera.height - 1) / 2.0) * scale + (height - 1) / 2.0,
        camera.distortion,
    )
