"""The camera's seat at the table: two seats that need no calibration, and profiles, the intrinsics of one camera.

A profile is a JSON file, usable at every picture size.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from armoon.codec import decode_json
from armoon.errors import CameraError
from armoon.geometry import CameraModel, pose_looking_at
from armoon.resources import resource_text
from armoon.values.choices import SeatName
from armoon.values.poses import Pose, Vec3

#: Focal lengths that webcams have, in picture widths: 136 to 11 degrees from edge to edge.
FOCAL_RANGE = (0.2, 5.0)


def profile_from_text(text: bytes | str, name: str) -> CameraModel:
    """Return the camera of a profile; ``name`` is what an error calls it. Raises CameraError for a broken one."""
    camera = decode_json(
        CameraModel,
        text,
        f"The camera profile {name} is broken",
        "Calibrate the camera again, or play without a profile.",
        error=CameraError,
    )
    check_camera(camera, name)
    return camera


def check_camera(camera: CameraModel, name: str) -> None:
    """Raise CameraError for numbers that no camera can have; ``name`` is what the error calls the camera."""
    low, high = FOCAL_RANGE
    fault = None
    if not (camera.width > 0 and camera.height > 0):
        fault = f"a picture of {camera.width}×{camera.height}"
    elif not all(map(math.isfinite, (camera.fx, camera.fy, camera.cx, camera.cy, *camera.distortion))):
        fault = "a number that is not finite"
    elif not all(low <= focal / camera.width <= high for focal in (camera.fx, camera.fy)):
        fault = f"a focal length of {camera.fx:g} by {camera.fy:g} pixels"
    elif not (0.8 <= camera.fx / camera.fy <= 1.25):
        fault = f"pixels that are not square ({camera.fx:g} by {camera.fy:g})"
    elif not (0.0 < camera.cx < camera.width and 0.0 < camera.cy < camera.height):
        fault = f"a centre outside its picture ({camera.cx:g}, {camera.cy:g})"
    elif not _unfolded(camera):
        fault = "a lens distortion that folds the picture's middle over"
    if fault:
        raise CameraError(
            f"The camera profile {name} has {fault}.",
            remedy="Calibrate the camera again (armoon calibrate), or play without a profile.",
        )


def _unfolded(camera: CameraModel) -> bool:
    """Whether points further from the axis are seen further from it, up to half the picture's height."""
    k1, k2, _, _, k3 = camera.distortion
    radii = [0.02 * step * camera.height / 2.0 / camera.fy for step in range(51)]
    seen = [r * (1.0 + k1 * r**2 + k2 * r**4 + k3 * r**6) for r in radii]
    return all(far > near for near, far in itertools.pairwise(seen))


def resized(camera: CameraModel, width: int, height: int) -> CameraModel:
    """Return the same camera at another picture size.

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


#: The packaged profile that stands for every uncalibrated webcam.
COMMON_WEBCAM = "common-webcam.json"
#: From the camera to the base along the table: an arm's length, with room for a hand in between.
BASE_DISTANCE_M = 0.60
#: A webcam on a low stand on the player's side looks over the near edge at the middle of the structure.
TABLE_SEAT_HEIGHT_M = 0.30
TABLE_SEAT_TARGET: Vec3 = (0.03, 0.0, 0.15)
#: A webcam above a screen looks level at the player; the virtual table lies below its optical axis.
MIRROR_SEAT_HEIGHT_M = 0.13


@dataclass(frozen=True)
class Seat:
    """A camera and its place at the table."""

    name: SeatName
    mirrored: bool
    """Whether the finished picture is flipped left to right for the player (frames never are)."""
    camera: CameraModel
    table_from_camera: Pose


def webcam_model(width: int, height: int) -> CameraModel:
    """Return a common webcam at this picture size: square pixels, no distortion."""
    profile = profile_from_text(resource_text("calibration", COMMON_WEBCAM), COMMON_WEBCAM)
    return resized(profile, width, height)


def table_seat(width: int, height: int) -> Seat:
    """Return the camera beside the player's head, looking at the table as the player does."""
    eye = (0.03, -BASE_DISTANCE_M, TABLE_SEAT_HEIGHT_M)
    return Seat(SeatName.TABLE, False, webcam_model(width, height), pose_looking_at(eye, TABLE_SEAT_TARGET))


def mirror_seat(width: int, height: int) -> Seat:
    """Return the camera on the screen, looking level at a player who sees the picture as a mirror."""
    eye = (0.0, -BASE_DISTANCE_M, MIRROR_SEAT_HEIGHT_M)
    target = (0.0, 0.0, MIRROR_SEAT_HEIGHT_M)
    return Seat(SeatName.MIRROR, True, webcam_model(width, height), pose_looking_at(eye, target))


#: Every seat by its name.
SEATS: Mapping[str, Callable[[int, int], Seat]] = {
    SeatName.TABLE: table_seat,
    SeatName.MIRROR: mirror_seat,
}
