"""Calibrates cameras, and stores one JSON file per camera and picture size; assumes a typical webcam otherwise."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from armoon.camera.board_finder import BoardView
from armoon.camera.capture import Orientation
from armoon.camera.plane_pose import solve_plane, to_points_3d
from armoon.camera.sources import DEVICES, hide_password, parse_webcam_number, read_line
from armoon.codec import MalformedError, decode_json, encode, encode_json, parse
from armoon.codec.files import read_bytes, write_whole
from armoon.errors import CameraError
from armoon.geometry import Array, CameraModel, pose_looking_at
from armoon.processes.system import replace_file
from armoon.resources import resource_text
from armoon.values.choices import SeatName
from armoon.values.poses import Pose, Vec3
from armoon.values.text import quote_text

#: Accepted focal lengths, in picture widths: 136 to 11 degrees from edge to edge.
FOCAL_RANGE = (0.2, 5.0)


def parse_profile(text: bytes | str, name: str) -> CameraModel:
    """Parse a camera profile; ``name``: for error messages. Raises CameraError if it is broken."""
    camera = decode_json(CameraModel, text, "fault.profile.broken", error=CameraError, path=name)
    check_camera(camera, name)
    return camera


def check_camera(camera: CameraModel, name: str) -> None:
    """Raise CameraError for impossible camera parameters; ``name``: for the error message."""
    low, high = FOCAL_RANGE
    size, fault = f"{camera.width}×{camera.height}", ""
    if not (camera.width > 0 and camera.height > 0):
        fault = "size"
    elif not all(map(math.isfinite, (camera.fx, camera.fy, camera.cx, camera.cy, *camera.distortion))):
        fault = "infinite"
    elif not all(low <= focal / camera.width <= high for focal in (camera.fx, camera.fy)):
        fault = "focal"
    elif not (0.8 <= camera.fx / camera.fy <= 1.25):
        fault = "pixels"
    elif not (0.0 < camera.cx < camera.width and 0.0 < camera.cy < camera.height):
        fault = "centre"
    elif not _is_monotonic(camera):
        fault = "folded"
    if fault:
        numbers = {field: getattr(camera, field) for field in ("fx", "fy", "cx", "cy")}
        remedy = "fault.remedy.calibrate_or_play"
        raise CameraError(f"fault.profile.{fault}", remedy=remedy, path=name, size=size, **numbers)


def _is_monotonic(camera: CameraModel) -> bool:
    k1, k2, _, _, k3 = camera.distortion
    radii = [0.02 * step * camera.height / 2.0 / camera.fy for step in range(51)]
    distorted = [r * (1.0 + k1 * r**2 + k2 * r**4 + k3 * r**6) for r in radii]
    return all(far > near for near, far in itertools.pairwise(distorted))


def resize_camera(camera: CameraModel, width: int, height: int) -> CameraModel:
    """Return the camera at another picture size: the width sets the scale, the height crops or extends."""
    scale = width / camera.width
    cx = (camera.cx + 0.5) * scale - 0.5
    cy = (camera.cy - (camera.height - 1) / 2.0) * scale + (height - 1) / 2.0
    return CameraModel(width, height, camera.fx * scale, camera.fy * scale, cx, cy, camera.distortion)


#: The packaged profile that is used for every uncalibrated webcam.
COMMON_WEBCAM = "common-webcam.json"
#: Distance along the table from the camera to the base: an arm's length, with room for a hand.
BASE_DISTANCE_M = 0.60
#: Height of a webcam on a low stand at the near edge, and the point it looks at: the middle of the structure.
TABLE_SEAT_HEIGHT_M = 0.30
TABLE_SEAT_TARGET: Vec3 = (0.03, 0.0, 0.15)
#: Height of a webcam on a screen, looking horizontally at the player; the virtual table lies below its optical axis.
MIRROR_SEAT_HEIGHT_M = 0.13


@dataclass(frozen=True)
class CameraSeat:
    """A camera and its place at the table."""

    name: SeatName
    mirrored: bool
    """Whether the player sees the picture flipped left to right (frames are never flipped)."""
    camera: CameraModel
    table_from_camera: Pose


def make_webcam_model(width: int, height: int) -> CameraModel:
    """Return a common webcam at this picture size: square pixels, no distortion."""
    profile = parse_profile(resource_text("calibration", COMMON_WEBCAM), COMMON_WEBCAM)
    return resize_camera(profile, width, height)


def make_table_seat(width: int, height: int) -> CameraSeat:
    eye = (0.03, -BASE_DISTANCE_M, TABLE_SEAT_HEIGHT_M)
    return CameraSeat(
        SeatName.TABLE, False, make_webcam_model(width, height), pose_looking_at(eye, TABLE_SEAT_TARGET)
    )


def make_mirror_seat(width: int, height: int) -> CameraSeat:
    eye = (0.0, -BASE_DISTANCE_M, MIRROR_SEAT_HEIGHT_M)
    target = (0.0, 0.0, MIRROR_SEAT_HEIGHT_M)
    return CameraSeat(SeatName.MIRROR, True, make_webcam_model(width, height), pose_looking_at(eye, target))


#: Functions that make a seat for a picture size, by name.
SEATS: Mapping[str, Callable[[int, int], CameraSeat]] = {
    SeatName.TABLE: make_table_seat,
    SeatName.MIRROR: make_mirror_seat,
}


#: Minimum number of views: Zhang's method needs three, and the example in OpenCV's tutorial uses four.
MIN_VIEWS = 4
#: Number of views from which every fifth is held out to measure the error.
HOLD_OUT_FROM, HOLD_OUT_EVERY = 8, 5
#: A view is bad (moved board, rolling shutter) if its error exceeds both this multiple of the median and this minimum.
_OUTLIER_FACTOR, _OUTLIER_MIN_PX = 3.0, 0.5
#: Maximum error of a useful calibration: twice the error with a board on a phone screen held in the hand.
MAX_ERROR_PX = 1.5
_FIT_REMEDY = "fault.remedy.views"


#: A camera, its error in pixels (RMS), one sigma of its focal length, and each view's error (n,).
_CameraSolution = tuple[CameraModel, float, float, Array]


@dataclass(frozen=True)
class Calibration:
    camera: CameraModel
    error_px: float
    """Root mean square over the views used."""
    held_out_px: float | None
    """Root mean square over the held-out views; None if there are too few views."""
    views: int
    focal_sigma: float
    """One sigma as a fraction of the focal length."""


def calibrate(views: Sequence[BoardView], width: int, height: int) -> Calibration:
    """Calibrate the camera that saw one board in ``views``. Raises CameraError if they are insufficient."""
    if len(views) < MIN_VIEWS:
        raise CameraError("fault.profile.few_views", views=len(views), least=MIN_VIEWS)
    used = _drop_outliers(views, width, height)
    camera, error_px, sigma, _ = _solve_camera(used, width, height)
    _check_fit(camera, error_px)
    held_out_px = None
    if len(used) >= HOLD_OUT_FROM:
        held_out = used[HOLD_OUT_EVERY - 1 :: HOLD_OUT_EVERY]
        others = [view for i, view in enumerate(used) if i % HOLD_OUT_EVERY != HOLD_OUT_EVERY - 1]
        held_out_px = measure_view_error(_solve_camera(others, width, height)[0], held_out)
    return Calibration(camera, error_px, held_out_px, len(used), sigma / camera.fx)


def measure_view_error(camera: CameraModel, views: Sequence[BoardView]) -> float:
    """Return the root mean square error, pixels, after fitting only the board's pose to each view."""
    squares: list[float] = []
    for view in views:
        pose = solve_plane(camera, view.places, view.pixels)
        squares += [np.inf if pose is None else pose.error_px**2] * len(view.ids)
    return float(np.sqrt(np.mean(squares)))


def _drop_outliers(views: Sequence[BoardView], width: int, height: int) -> list[BoardView]:
    used = list(views)
    while True:
        view_errors = _solve_camera(used, width, height)[3]
        limit = max(_OUTLIER_FACTOR * float(np.median(view_errors)), _OUTLIER_MIN_PX)
        good = [view for view, error in zip(used, view_errors, strict=True) if error <= limit]
        if len(good) == len(used) or len(good) < MIN_VIEWS:
            return used
        used = good


def _solve_camera(views: Sequence[BoardView], width: int, height: int) -> _CameraSolution:
    places = [to_points_3d(view.places).astype(np.float32) for view in views]
    pixels = [view.pixels.astype(np.float32)[:, np.newaxis] for view in views]
    try:
        error_px, matrix, lens, _, _, sigmas, _, per_view = cv2.calibrateCameraExtended(
            places, pixels, (width, height), np.eye(3), np.zeros(5)
        )
    except cv2.error as error:
        raise CameraError("fault.profile.impossible", remedy=_FIT_REMEDY) from error
    k1, k2, p1, p2, k3 = np.ravel(lens)[:5].tolist()
    (fx, _, cx), (_, fy, cy), _ = matrix.tolist()
    camera = CameraModel(width, height, fx, fy, cx, cy, (k1, k2, p1, p2, k3))
    view_errors: Array = np.asarray(per_view, dtype=np.float64).ravel()
    return camera, float(error_px), float(np.ravel(sigmas)[0]), view_errors


def _check_fit(camera: CameraModel, error_px: float) -> None:
    numbers = [camera.fx, camera.fy, camera.cx, camera.cy, error_px, *camera.distortion]
    if not np.all(np.isfinite(numbers)) or not FOCAL_RANGE[0] < camera.fx / camera.width < FOCAL_RANGE[1]:
        raise CameraError("fault.profile.undetermined", remedy=_FIT_REMEDY)
    if error_px > MAX_ERROR_PX:
        raise CameraError(
            "fault.profile.rough", remedy="fault.remedy.stiff", error=round(error_px, 1), most=MAX_ERROR_PX
        )


_REMEDY = "fault.remedy.calibrate"


def get_camera_name(source: str, devices: Path = DEVICES) -> str:
    """Return a camera's name in profiles: a webcam's product name (Linux) or number, or a source without password."""
    number = parse_webcam_number(source)
    if number is None:
        return hide_password(source)
    return read_line(devices / f"video{number}" / "name") or f"webcam {number}"


def get_profile_path(folder: Path, camera: str, width: int, height: int) -> Path:
    return folder / f"{make_slug(camera)}-{width}x{height}.json"


def save_profile(folder: Path, camera: str, calibration: Calibration) -> Path:
    """Save a calibration, back up the last good one, and return the path. Raises CameraError."""
    model = calibration.camera
    path = get_profile_path(folder, camera, model.width, model.height)
    check_camera(model, path.name)
    data = {
        "name": f"{camera} at {model.width}x{model.height}",
        "camera": camera,
        **encode(model),
        "error_px": calibration.error_px,
        "held_out_px": calibration.held_out_px,
        "views": calibration.views,
    }
    with report_write_errors("fault.profile.unwritable", path):
        folder.mkdir(parents=True, exist_ok=True)
        if path.is_file() and _is_valid_profile(path):
            write_whole(_get_previous_path(path), read_bytes(path))
        write_whole(path, encode_json(data, indent=2) + b"\n")
    return path


def load_profile(folder: Path, camera: str, width: int, height: int) -> CameraModel | None:
    """Return the calibrated camera, or None. Raises CameraError if it is broken or for another camera or size."""
    path = get_profile_path(folder, camera, width, height)
    if not path.is_file():
        others = sorted(folder.glob(f"{make_slug(camera)}-*x*.json")) if folder.is_dir() else []
        sizes = [m[1] for p in others for m in [re.search(r"-(\d+x\d+)\.json$", p.name)] if m]
        if sizes:
            raise CameraError(
                "fault.profile.other_size",
                camera=camera,
                sizes=", ".join(sizes),
                first=sizes[0],
                size=f"{width}x{height}",
            )
        return None
    return _read_profile(path, camera, width, height)


def restore_profile(folder: Path, camera: str, width: int, height: int) -> CameraModel:
    """Restore the last good profile. Raises CameraError if there is none, or if the folder isn't writable."""
    path = get_profile_path(folder, camera, width, height)
    previous = _get_previous_path(path)
    if not previous.is_file():
        raise CameraError("fault.profile.no_earlier", remedy=_REMEDY, camera=camera, size=f"{width}x{height}")
    model = _read_profile(previous, camera, width, height)
    with report_write_errors("fault.profile.unwritable", path):
        replace_file(previous, path)
    return model


@contextmanager
def report_write_errors(key: str, path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise CameraError(key, remedy="fault.remedy.make_room", path=path, why=error) from error


def _read_profile(path: Path, camera: str, width: int, height: int) -> CameraModel:
    try:
        text = read_bytes(path)
    except (OSError, MalformedError) as error:
        raise CameraError("fault.profile.unreadable", remedy=_REMEDY, path=path) from error
    try:
        model = parse_profile(text, str(path))
    except CameraError as error:
        if _get_previous_path(path).is_file():
            raise CameraError(error.what, remedy="fault.remedy.restore") from error
        raise
    if (model.width, model.height) != (width, height):
        raise CameraError(
            "fault.profile.wrong_size",
            path=path,
            size=f"{model.width}x{model.height}",
            given=f"{width}x{height}",
        )
    stored_name = parse(text).get("camera", "")
    if stored_name != camera:
        key = "fault.profile.other_camera" if stored_name else "fault.profile.unnamed"
        raise CameraError(key, remedy=_REMEDY, path=path, stored=quote_text(str(stored_name)), camera=camera)
    return model


def _is_valid_profile(path: Path) -> bool:
    try:
        parse_profile(read_bytes(path), path.name)
    except (OSError, MalformedError, CameraError):
        return False
    return True


def _get_previous_path(path: Path) -> Path:
    return path.with_suffix(".previous")


def make_slug(camera: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", camera.lower()).strip("-")[:60] or "camera"


@dataclass(frozen=True)
class CameraChoice:
    """A camera model and its origin."""

    name: str
    """The camera's name in profiles."""
    camera: CameraModel
    """Camera model of the upright pictures."""
    calibrated: bool
    """Whether the camera was measured; otherwise a board or sheet may correct its focal length."""

    @property
    def origin_key(self) -> str:
        """Key of the message about the model's origin; the message has a field ``camera``."""
        return "camera.profile" if self.calibrated else "camera.common"


def choose_camera(
    source: str,
    width: int,
    height: int,
    profiles: Path,
    orientation: Orientation | None = None,
    devices: Path = DEVICES,
) -> CameraChoice:
    """Return the camera model of a source (see ``open_source``). Raises CameraError if its profile is broken."""
    name = get_camera_name(source, devices)
    measured = load_profile(profiles, name, width, height)
    model = measured or make_webcam_model(width, height)
    upright = (orientation or Orientation()).turn_camera_upright(model)
    return CameraChoice(name, upright, measured is not None)
