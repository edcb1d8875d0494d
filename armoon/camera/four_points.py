"""Locates a table by four clicked or touched corners and one known length, and saves it for the camera's next game."""

from __future__ import annotations

import enum
import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from armoon.camera.plane_pose import PlaneFault, PlanePose, distort_pixels, table_from_sheet
from armoon.camera.profiles import make_slug, report_write_errors
from armoon.camera.sheet import solve_rectangle
from armoon.codec import MalformedError, decode_json, encode_json
from armoon.codec.files import read_bytes, write_whole
from armoon.errors import CameraError
from armoon.geometry import Array, CameraModel
from armoon.messages import text
from armoon.values.poses import Pose, Vec2
from armoon.values.text import short_repr

#: Plausible sizes of tables, trays and sheets, metres.
SIDE_RANGE_M = (0.10, 3.0)
#: Minimum distance of corners (fraction of the picture's width); closer ones are one corner touched twice.
MIN_APART = 0.04
#: Minimum height of a triangle of corners divided by its longest side; flatter corners are nearly on a line.
MIN_HEIGHT = 0.05
#: Maximum error of the table's pose (one sigma) with which grips still reach their objects.
MAX_ERROR_MM = 40.0
#: Seconds for which a fingertip must rest within ``DWELL_RADIUS`` to set a corner; to set the next one, it must first
#: leave ``LEAVE_RADIUS``. Radii are fractions of the picture's width.
DWELL_S, DWELL_RADIUS, LEAVE_RADIUS = 0.8, 0.012, 0.03
#: Seconds for which the tracker may lose a resting finger.
DWELL_GAP_S = 0.25


class Corner(enum.Enum):
    """The table's corners as seen by the camera, in the order of clicks; the value is part of a message's key."""

    FAR_LEFT = "far_left"
    FAR_RIGHT = "far_right"
    NEAR_RIGHT = "near_right"
    NEAR_LEFT = "near_left"


class CornerFault(enum.Enum):
    """Reason why a corner was refused; the value is part of a message's key."""

    OUTSIDE = "outside"
    """Outside the picture."""
    TOO_NEAR = "too_near"
    """Too close to an earlier corner."""
    ORDER = "order"
    """Not in the requested order."""
    ON_A_LINE = "on_a_line"
    """Three corners are on a line, because the view is too flat."""
    NO_RECTANGLE = "no_rectangle"
    """No rectangle looks like this."""
    UNSURE = "unsure"
    """The table's pose would be too uncertain: too small in the picture, too flat, or of an impossible size."""


@dataclass(frozen=True)
class FourPointTable:
    """A table given by four corners."""

    points_px: tuple[Vec2, ...]
    """Camera pixels, lens distortion included, in the order of ``Corner``."""
    near_side_m: float
    pose: PlanePose

    @property
    def table_from_camera(self) -> Pose:
        return table_from_sheet(self.pose.camera_from_sheet)


class CornerPicker:
    """Collects the four corners of a rectangular table top, or of any rectangle on it."""

    def __init__(self, camera: CameraModel, near_side_m: float) -> None:
        """``near_side_m``: length of the side towards the camera. Raises CameraError if it is impossible."""
        low, high = SIDE_RANGE_M
        if not (math.isfinite(near_side_m) and low <= near_side_m <= high):
            raise CameraError("fault.pointed.side", side=near_side_m, low=low, high=high)
        self._camera = camera
        self._near_side_m = near_side_m
        self.points_px: list[Vec2] = []
        """The corners so far, in camera pixels."""
        self.fault: CornerFault | None = None
        """Why the last corner was refused; None once the next one is accepted."""
        self.table: FourPointTable | None = None
        # The resting fingertip's positions, the start of its rest, its last sighting, and where it set a corner.
        self._rest_px: list[Vec2] = []
        self._since_s = self._seen_s = -math.inf
        self._last_corner_px: Vec2 | None = None

    @property
    def next_corner(self) -> Corner | None:
        """The corner to point at next; None when the table is complete."""
        return None if len(self.points_px) == 4 else list(Corner)[len(self.points_px)]

    @property
    def hint_key(self) -> str:
        if self.fault is not None:
            return f"points.fault.{self.fault.value}"
        return "points.done" if self.next_corner is None else f"points.{self.next_corner.value}"

    def add_click(self, drawn_px: Vec2) -> None:
        """Add a mouse click on the drawn picture (undistorted camera pixels, not mirrored)."""
        x, y = distort_pixels(self._camera, np.array([drawn_px]))[0]
        self._add_corner((float(x), float(y)))

    def add_fingertip(self, tip_px: Vec2 | None, time_s: float) -> None:
        """Track a fingertip (camera pixels; None: not visible); a corner is added where it rests."""
        if tip_px is None or not all(map(math.isfinite, tip_px)):
            if time_s - self._seen_s > DWELL_GAP_S:
                self._rest_px = []
            return
        if self._last_corner_px is not None:
            if math.dist(tip_px, self._last_corner_px) < LEAVE_RADIUS * self._camera.width:
                return
            self._last_corner_px = None
        if (
            not self._rest_px
            or math.dist(tip_px, self._compute_rest_centre()) > DWELL_RADIUS * self._camera.width
        ):
            self._rest_px, self._since_s = [], time_s
        self._rest_px.append(tip_px)
        self._seen_s = time_s
        if time_s - self._since_s >= DWELL_S:
            corner_px, self._rest_px, self._last_corner_px = self._compute_rest_centre(), [], tip_px
            self._add_corner(corner_px)

    def undo_corner(self) -> None:
        """Remove the last corner, if any."""
        self.points_px = self.points_px[:-1]
        self.table = self.fault = None
        self._rest_px = []

    def _compute_rest_centre(self) -> Vec2:
        x, y = np.mean(self._rest_px, axis=0)
        return (float(x), float(y))

    def _add_corner(self, point: Vec2) -> None:
        if len(self.points_px) == 4:
            return
        points = [*self.points_px, point]
        self.fault = self._check_corner(points)
        if self.fault is None and len(points) == 4:
            table = solve_table(self._camera, tuple(points), self._near_side_m)
            self.fault, self.table = (table, None) if isinstance(table, CornerFault) else (None, table)
        if self.fault is None:
            self.points_px = points

    def _check_corner(self, points: list[Vec2]) -> CornerFault | None:
        width, height = self._camera.width, self._camera.height
        (x, y), earlier = points[-1], points[:-1]
        if not (-0.5 <= x <= width - 0.5 and -0.5 <= y <= height - 0.5):
            return CornerFault.OUTSIDE
        if any(math.dist(points[-1], other) < MIN_APART * width for other in earlier):
            return CornerFault.TOO_NEAR
        return _check_order(np.array(points))


def solve_table(
    camera: CameraModel, points_px: tuple[Vec2, ...], near_side_m: float
) -> FourPointTable | CornerFault:
    """Return the table with these four corners (camera pixels), or the reason why there is none."""
    points = np.array(points_px, dtype=np.float64)
    if points.shape != (4, 2) or not np.all(np.isfinite(points)):
        return CornerFault.NO_RECTANGLE
    low, high = SIDE_RANGE_M
    if not low <= near_side_m <= high:
        return CornerFault.UNSURE
    fault = _check_order(points[:3]) or _check_order(points)
    if fault is not None:
        return fault
    solution = solve_rectangle(camera, points, near_side_m)
    if isinstance(solution, PlaneFault):
        return CornerFault.NO_RECTANGLE
    pose, depth_m = solution
    if pose.error_mm > MAX_ERROR_MM or not low <= depth_m <= high:
        return CornerFault.UNSURE
    return FourPointTable(tuple((float(x), float(y)) for x, y in points), near_side_m, pose)


def _check_order(points: Array) -> CornerFault | None:
    if len(points) == 2 and points[1, 0] <= points[0, 0]:
        return CornerFault.ORDER
    if len(points) < 3:
        return None
    corners = [points[k : k + 3] for k in range(len(points) - 2)]
    if len(points) == 4:
        corners += [points[[2, 3, 0]], points[[3, 0, 1]]]
    for a, b, c in corners:
        area = (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])
        longest = max(np.linalg.norm(b - a), np.linalg.norm(c - b), np.linalg.norm(c - a))
        if abs(area) < MIN_HEIGHT * longest**2:
            return CornerFault.ON_A_LINE
        if area < 0.0:
            return CornerFault.ORDER
    return None


_REMEDY = "fault.remedy.point"


@dataclass(frozen=True)
class _StoredTable:
    camera: str
    near_side_m: float
    points_px: tuple[Vec2, ...]


def get_table_path(folder: Path, camera: str, width: int, height: int) -> Path:
    return folder / f"table-{make_slug(camera)}-{width}x{height}.json"


def save_table(folder: Path, camera: str, model: CameraModel, table: FourPointTable) -> Path:
    """Save a table and return its path. Raises CameraError if the file can't be written."""
    path = get_table_path(folder, camera, model.width, model.height)
    stored = _StoredTable(camera, table.near_side_m, table.points_px)
    with report_write_errors("fault.pointed.unwritable", path):
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(path, encode_json(stored, indent=2) + b"\n")
    return path


def load_table(folder: Path, camera: str, model: CameraModel) -> FourPointTable | None:
    """Return the table saved for this camera and picture size, or None. Raises CameraError if the file is broken."""
    path = get_table_path(folder, camera, model.width, model.height)
    if not path.is_file():
        return None
    try:
        content = read_bytes(path)
    except (OSError, MalformedError) as error:
        raise CameraError("fault.pointed.unreadable", remedy=_REMEDY, path=path) from error
    stored = decode_json(
        _StoredTable, content, "fault.pointed.broken", error=CameraError, remedy=_REMEDY, path=path
    )
    if stored.camera != camera:
        raise CameraError(
            "fault.pointed.other_camera", remedy=_REMEDY, path=path, camera=short_repr(stored.camera)
        )
    # Lens distortion can move a corner out of the picture, but by less than the picture's size.
    width, height = model.width, model.height
    if not all(-width <= x <= 2.0 * width and -height <= y <= 2.0 * height for x, y in stored.points_px):
        raise CameraError("fault.pointed.outside", remedy=_REMEDY, path=path)
    table = solve_table(model, stored.points_px, stored.near_side_m)
    if isinstance(table, CornerFault):
        raise CameraError(
            "fault.pointed.unfit", remedy=_REMEDY, path=path, why=text(f"points.fault.{table.value}")
        )
    return table
