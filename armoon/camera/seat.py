"""The camera's seat at the table: two seats that need no calibration."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from armoon.camera.profile import profile_from_text, resized
from armoon.geometry import CameraModel, pose_looking_at
from armoon.resources import resource_text
from armoon.values.choices import SeatName
from armoon.values.poses import Pose, Vec3

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
