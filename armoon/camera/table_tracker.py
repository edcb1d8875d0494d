"""Keeps the table frame on the table while the game runs: smooth when all is still, at once after a bump.

The sheet says where the table is; the background says whether the camera moved. Together they tell a bumped
camera (both move: follow), a nudged sheet (only it moves: the table stays where it was), and a hand over the
sheet (the background stays: hold).
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import cv2
import numpy as np

from armoon.camera.background import Background, BackgroundMotion, Motion
from armoon.camera.board_finder import as_grey
from armoon.camera.plane_pose import (
    PlanePose,
    Reason,
    Unseen,
    normalised,
    pose_vectors,
    project_sheet,
    quarter_turns,
    sheet_places,
    table_from_sheet,
)
from armoon.camera.sources import Frame, Image
from armoon.geometry import (
    Array,
    CameraModel,
    mat_from_pose,
    pose_between,
    pose_compose,
    pose_from_mat,
    pose_inverse,
    project_table_points,
    quat_angle,
)
from armoon.values.poses import Pose

#: Finds the sheet or board in a picture.
FindPlane = Callable[[Image], PlanePose | Unseen]

#: A measured pose shifts what is drawn by less than this while all is still (pixels at 1280 width).
NOISE_PX = 1.6
#: Beyond this the sheet was pushed, if the camera was not; below, the measure is followed smoothly.
PUSHED_PX = 4.0
#: Maximum number of sights in the smoothed pose: a third of a second at 30 looks a second.
SMOOTH_OVER = 10
#: Seconds of a still picture after a bump before judging goes on.
SETTLE_S = 0.4
#: While settling, the background shifts less than this from look to look (pixels at 1280 width).
SETTLED_PX = 1.5
#: Seconds after which a bumped camera that sees no reference has lost the table.
PATIENCE_S = 1.0
#: Minimum number of background points on the table for a pose, and the share of them that must agree.
_LEAST_TABLE_POINTS, _LEAST_TABLE_SHARE, _MOST_TABLE_ERROR_PX = 16, 0.6, 2.0
#: Points as near to the origin as this are taken to lie on the table (metres): about a desk's depth.
_TABLE_REACH_M = 0.8
#: Where shifts of the drawing are measured: the corners of a play area, on the table and at a tower's top.
_PROBES = np.array([(x, y, z) for x in (-0.15, 0.15) for y in (-0.15, 0.15) for z in (0.0, 0.25)])


class Sighting(enum.Enum):
    """How the table frame stands; the value is the key of a message as well."""

    SEEN = "seen"
    """The sheet is in view and where it was."""
    HELD = "held"
    """The sheet is hidden; the camera has not moved, as far as the background tells."""
    SHEET_MOVED = "sheet_moved"
    """The sheet was pushed; the camera has not moved, so the table frame stays."""
    BLIND = "blind"
    """Neither sheet nor background are to be seen: something is before the lens, or the light is out."""
    BUMPED = "bumped"
    """The camera is moving, or moved a moment ago."""
    LOST = "lost"
    """The camera moved, and nothing tells where the table is now."""


@dataclass(frozen=True)
class TableSight:
    """The table frame for one picture."""

    table_from_camera: Pose
    state: Sighting
    unseen: Unseen | None
    """Why the sheet isn't seen; None where it is."""
    error_px: float
    """Error of the last pose that was measured."""
    error_mm: float

    @property
    def may_judge(self) -> bool:
        """Whether the referee can trust the picture: not while the camera moves or nothing is in sight."""
        return self.state in (Sighting.SEEN, Sighting.HELD, Sighting.SHEET_MOVED)


class StayingThere:
    """Follows one table through the frames of one camera. A function of its inputs: no clock, no chance."""

    def __init__(
        self,
        camera: CameraModel,
        find_plane: FindPlane,
        table_from_camera: Pose,
        first: Image,
        sheet_size_m: tuple[float, float] | None = None,
    ) -> None:
        """``table_from_camera`` as it is in the picture ``first``.

        ``sheet_size_m``: width and height of the paper that ``find_plane`` finds, so that its print doesn't
        count as background; None where the table frame came from elsewhere.
        """
        self._sheet_corners = None if sheet_size_m is None else sheet_places(*sheet_size_m)
        self._camera = camera
        self._find = find_plane
        self._pose = table_from_camera
        self._table_from_sheet: Pose | None = None
        self._at_1280 = camera.width / 1280.0
        self._reference = Background(as_grey(first), (), self._sheet_px(find_plane(first)))
        self._reference_pose = table_from_camera
        self._seen = 0
        self._error = (0.0, 0.0)
        # While the camera is bumped: since when all is still, when the table was last told, the last picture.
        self._bumped = False
        self._still_since_s = 0.0
        self._told_s = 0.0
        self._last: Background | None = None

    @property
    def table_from_camera(self) -> Pose:
        """Where the table is, as far as known."""
        return self._pose

    @property
    def bumped(self) -> bool:
        """Whether the camera is moving or moved a moment ago: then every frame should be seen."""
        return self._bumped

    def looks_still(self, grey: Image, hands_px: Iterable[Array] = ()) -> bool:
        """Return quickly (half a millisecond) whether the picture stands still; False means ``see`` it."""
        return not self._bumped and self._reference.glance(grey, hands_px)

    def see(self, frame: Frame, hands_px: Iterable[Array] = ()) -> TableSight:
        """Take one frame; ``hands_px`` are the landmarks (21, 2) of each hand seen in it."""
        hands = [np.asarray(hand, dtype=np.float64) for hand in hands_px]
        grey = as_grey(frame.image)
        found = self._find(frame.image)
        measured = None if isinstance(found, Unseen) else self._measured(found)
        moved = self._reference.compare(grey, hands)
        if not self._bumped and self._is_bump(moved, measured):
            self._bumped = True
            self._reference_pose = self._pose
            self._still_since_s = self._told_s = frame.time_s
        state = (
            self._follow(frame.time_s, grey, hands, found, measured, moved)
            if self._bumped
            else self._stay(measured, moved)
        )
        return TableSight(self._pose, state, _stated(found, moved), *self._error)

    def _is_bump(self, moved: BackgroundMotion, measured: Pose | None) -> bool:
        if measured is None:
            return moved.motion is Motion.MOVED
        # A sheet that stays where it was in the picture outweighs a background that doesn't: people walk by.
        # Without a background the sheet is all there is.
        return moved.motion is not Motion.STILL and self._shift_px(measured) > NOISE_PX

    def _stay(self, measured: Pose | None, moved: BackgroundMotion) -> Sighting:
        """Handle a frame while the camera stands still."""
        if measured is None:
            self._seen = 0
            blind = moved.motion is Motion.UNKNOWN and self._reference.has_points
            return Sighting.BLIND if blind else Sighting.HELD
        if self._shift_px(measured) > PUSHED_PX:
            # From now on the sheet tells the table's place from where it lies now.
            self._table_from_sheet = self._offset(measured)
            return Sighting.SHEET_MOVED
        self._seen += 1
        self._pose = _between(self._pose, measured, 1.0 / min(self._seen + 1, SMOOTH_OVER))
        return Sighting.SEEN

    def _follow(
        self,
        time_s: float,
        grey: Image,
        hands: list[Array],
        found: PlanePose | Unseen,
        measured: Pose | None,
        moved: BackgroundMotion,
    ) -> Sighting:
        """Follow a bumped camera: take every new pose at once, until all has been still for a while."""
        told = measured if measured is not None else self._from_background(moved)
        if told is not None:
            self._pose, self._told_s = told, time_s
        since = self._last.compare(grey, hands) if self._last is not None else None
        self._last = Background(grey, hands)
        if since is None or (
            since.motion is not Motion.STILL and since.shift_px > SETTLED_PX * self._at_1280
        ):
            self._still_since_s = time_s
        if told is None:
            self._still_since_s = time_s
            return Sighting.LOST if time_s - self._told_s > PATIENCE_S else Sighting.BUMPED
        if time_s - self._still_since_s < SETTLE_S:
            return Sighting.BUMPED
        self._bumped, self._last, self._seen = False, None, 0
        self._reference, self._reference_pose = Background(grey, hands, self._sheet_px(found)), self._pose
        return Sighting.HELD if measured is None else Sighting.SEEN

    def _sheet_px(self, found: PlanePose | Unseen) -> Array | None:
        """Where the sheet's corners (4, 2) are in the picture."""
        if self._sheet_corners is None or isinstance(found, Unseen):
            return None
        return project_sheet(self._camera, found.camera_from_sheet, self._sheet_corners)

    def _measured(self, found: PlanePose) -> Pose:
        """Return the table frame as the sheet tells it: of its four edges the one nearest to the present frame."""
        self._error = (found.error_px, found.error_mm)
        sheet_from_camera = min(
            quarter_turns(table_from_sheet(found.camera_from_sheet)),
            key=lambda pose: quat_angle(self._with_offset(pose).rotation, self._pose.rotation),
        )
        return self._with_offset(sheet_from_camera)

    def _with_offset(self, sheet_from_camera: Pose) -> Pose:
        if self._table_from_sheet is None:
            return sheet_from_camera
        return pose_compose(self._table_from_sheet, sheet_from_camera)

    def _offset(self, measured: Pose) -> Pose:
        """``table_from_sheet`` that lets the sheet, now measured at ``measured``, tell the present frame."""
        correction = pose_compose(self._pose, pose_inverse(measured))
        return (
            correction if self._table_from_sheet is None else pose_compose(correction, self._table_from_sheet)
        )

    def _from_background(self, moved: BackgroundMotion) -> Pose | None:
        """Return the table frame from the background's points that lie on the table, or None."""
        if moved.motion is Motion.STILL:
            return self._reference_pose
        if moved.motion is Motion.UNKNOWN:
            return None
        matrix = mat_from_pose(self._reference_pose)
        flat = normalised(self._camera, moved.before)
        rays = np.column_stack([flat, np.ones(len(flat))]) @ matrix[:3, :3].T
        with np.errstate(divide="ignore", invalid="ignore"):
            places = matrix[:3, 3] - rays * (matrix[2, 3] / rays[:, 2:])
        on_table = (rays[:, 2] < 0.0) & (np.hypot(places[:, 0], places[:, 1]) < _TABLE_REACH_M)
        if np.count_nonzero(on_table) < _LEAST_TABLE_POINTS:
            return None
        return self._pose_of_points(places[on_table], moved.now[on_table])

    def _pose_of_points(self, places: Array, pixels: Array) -> Pose | None:
        start = pose_vectors(pose_inverse(self._pose))
        flat = np.column_stack([places[:, :2], np.zeros(len(places))])
        matrix, lens = self._camera.matrix(), np.array(self._camera.distortion)
        found, turn, shift, inside = cv2.solvePnPRansac(
            flat,
            pixels,
            matrix,
            lens,
            start[0][:, np.newaxis],
            start[1][:, np.newaxis],
            useExtrinsicGuess=True,
            reprojectionError=_MOST_TABLE_ERROR_PX * max(1.0, self._at_1280),
        )
        if not found or inside is None or len(inside) < _LEAST_TABLE_SHARE * len(places):
            return None
        kept = np.ravel(inside).astype(int)
        turn, shift = cv2.solvePnPRefineLM(flat[kept], pixels[kept], matrix, lens, turn, shift)
        camera_from_table = np.eye(4)
        camera_from_table[:3, :3], camera_from_table[:3, 3] = cv2.Rodrigues(turn)[0], np.ravel(shift)
        return pose_inverse(pose_from_mat(camera_from_table))

    def _shift_px(self, measured: Pose) -> float:
        return drawn_shift_px(self._camera, self._pose, measured)


def drawn_shift_px(camera: CameraModel, one: Pose, other: Pose) -> float:
    """How far what is drawn lies apart for two ``table_from_camera`` (root mean square, pixels at 1280 width)."""
    here = project_table_points(camera, one, _PROBES)
    there = project_table_points(camera, other, _PROBES)
    shifts = np.linalg.norm(here - there, axis=1)
    if not np.all(np.isfinite(shifts)):
        return float("inf")
    return float(np.sqrt(np.mean(shifts**2))) * 1280.0 / camera.width


def _stated(found: PlanePose | Unseen, moved: BackgroundMotion) -> Unseen | None:
    if not isinstance(found, Unseen):
        return None
    # With the background in clear view the sheet, which was there, must be under something.
    vague = found.reason in (Reason.ABSENT, Reason.BLURRED)
    return Unseen(Reason.COVERED) if vague and moved.motion is not Motion.UNKNOWN else found


def _between(one: Pose, other: Pose, share: float) -> Pose:
    """``table_from_camera`` a share of the way, blended as the table before the camera, where it is drawn."""
    a, b = pose_inverse(one), pose_inverse(other)
    return pose_inverse(pose_between(a, b, share))
