"""Tracks the table frame: smoothly while everything is still, without smoothing after a bump.

If sheet and background move, the camera was bumped; if only the sheet moves, it was pushed. If the sheet disappears
while the background is still, a hand covers the sheet.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from armoon import geometry
from armoon.camera import plane_pose
from armoon.camera.sources import Frame, Image, to_grey
from armoon.geometry import Array
from armoon.values.poses import Pose

#: Approximate width of the compared pictures; shifts of a tenth of such a "working pixel" are invisible.
WORK_WIDTH_PX = 480
_POINTS = 220
#: Minimum number of comparable points.
MIN_POINTS = 16
#: Maximum median shift of points with a still camera (working pixels); tracking is ten times more accurate.
STILL_PX = 0.4
#: Tolerance of points that share a motion (working pixels).
_AGREE_PX = 1.2
#: Minimum share of tracked points that must agree before the whole picture counts as still or as moved.
_MIN_AGREEMENT = 0.5
#: Maximum error of a point tracked forward and back (working pixels).
_RETURN_PX = 0.5
#: Minimum share of points that must be tracked for any result.
_MIN_TRACKED = 0.2
#: Number of points that the quick check tracks (without tracking them back), and its picture width in pixels.
_CHECK_POINTS, _CHECK_WIDTH_PX = 60, 240
#: Maximum median shift in the quick check with a still camera, in its own pixels: 1.9 pixels at 1280 width.
_CHECK_STILL_PX = 0.35
#: Radius around a hand's landmarks that is ignored (fraction of the picture's width).
_HAND_RADIUS = 0.06
_MIN_MATCHES = 20
#: Window of optical flow, pixels, and pyramid levels tried in turn: four levels can follow shifts of 80 pixels, but
#: a change in the middle of the picture then displaces all points.
_WINDOW, _LEVELS = (21, 21), (2, 4)
_CHECK_WINDOW, _CHECK_LEVELS = (13, 13), 2


@dataclass(frozen=True, eq=False)
class BackgroundMotion:
    """The camera's motion since the reference picture, according to the background."""

    is_still: bool
    shift_px: float
    """Median shift in pixels of the full picture."""
    before: Array
    """Background points (n, 2) that agree with the motion, in full pixels of the reference picture."""
    after: Array
    """The same points (n, 2) in the current picture."""


class TableBackground:
    """Tracks the corners of one reference picture in later pictures."""

    def __init__(self, grey: Image, hands_px: Iterable[Array] = (), movable_px: Array | None = None) -> None:
        """Ignore the surroundings of hands (landmarks (n, 2) each) and of a movable sheet with this outline (n, 2)."""
        self._step = max(1.0, grey.shape[1] / WORK_WIDTH_PX)
        self._reference = _shrink_picture(grey, self._step)
        self._orb = cv2.ORB_create(500)  # type: ignore[attr-defined]
        mask = self._mask_hands(self._reference.shape, hands_px)
        if movable_px is not None:
            cv2.fillConvexPoly(mask, cv2.convexHull(self._to_work_pixels(movable_px)), (0,))
        self._keys, self._descriptors = self._orb.detectAndCompute(self._reference, mask)
        corners = cv2.goodFeaturesToTrack(self._reference, _POINTS, 0.01, 9.0, mask=mask)
        self._points = np.zeros((0, 1, 2), np.float32) if corners is None else np.asarray(corners, np.float32)
        self._check_step = max(1.0, grey.shape[1] / _CHECK_WIDTH_PX)
        self._check_picture = _shrink_picture(grey, self._check_step)
        # The best corners come first; the quick check uses only them.
        scale = self._check_step / self._step
        self._check_points = ((self._points[:_CHECK_POINTS] + 0.5) / scale - 0.5).astype(np.float32)

    @property
    def has_points(self) -> bool:
        return len(self._points) >= MIN_POINTS

    def is_still(self, grey: Image, hands_px: Iterable[Array] = ()) -> bool:
        """Return whether everything seems still; False also if too little is visible."""
        points = self._check_points
        for hand in hands_px:
            x, y = ((np.asarray(hand, dtype=np.float64) + 0.5) / self._check_step - 0.5).T
            margin = _HAND_RADIUS * _CHECK_WIDTH_PX
            column, row = points[:, 0, 0], points[:, 0, 1]
            is_outside = (column < x.min() - margin) | (column > x.max() + margin)
            points = points[is_outside | (row < y.min() - margin) | (row > y.max() + margin)]
        if len(points) < MIN_POINTS:
            return False
        small = _shrink_picture(grey, self._check_step)
        positions, valid = _track_points(self._check_picture, small, points, _CHECK_WINDOW, _CHECK_LEVELS)
        shifts = np.linalg.norm((positions - points).reshape(-1, 2), axis=1)
        shifts[~valid] = np.inf
        return float(np.median(shifts)) < _CHECK_STILL_PX

    def compare_picture(self, grey: Image, hands_px: Iterable[Array] = ()) -> BackgroundMotion | None:
        """Return the camera's motion between the reference picture and this one; None if too little is visible."""
        small = _shrink_picture(grey, self._step)
        mask = self._mask_hands(small.shape, hands_px)
        for levels in _LEVELS:
            motion = self._classify_motion(*self._track_corners(small, mask, levels), len(self._points))
            if motion is not None:
                return motion
        # A bump can be too large for tracking: match features instead.
        return self._classify_motion(*self._match_features(small, mask), 0)

    def _track_corners(self, small: Image, mask: npt.NDArray[np.uint8], levels: int) -> tuple[Array, Array]:
        empty = np.zeros((0, 2))
        if len(self._points) < MIN_POINTS:
            return empty, empty
        positions, valid = _track_points(self._reference, small, self._points, _WINDOW, levels)
        returned_points, found_back = _track_points(small, self._reference, positions, _WINDOW, levels)
        errors = np.linalg.norm((returned_points - self._points).reshape(-1, 2), axis=1)
        is_good = valid & found_back & (errors < _RETURN_PX)
        end_points = positions.reshape(-1, 2)
        height, width = small.shape
        column = np.clip(np.nan_to_num(end_points[:, 0]), 0, width - 1).astype(int)
        row = np.clip(np.nan_to_num(end_points[:, 1]), 0, height - 1).astype(int)
        is_good &= mask[row, column] > 0
        return self._points.reshape(-1, 2)[is_good].astype(np.float64), end_points[is_good].astype(np.float64)

    def _match_features(self, small: Image, mask: npt.NDArray[np.uint8]) -> tuple[Array, Array]:
        empty = np.zeros((0, 2))
        keys, descriptors = self._keys, self._descriptors
        new_keys, new_descriptors = self._orb.detectAndCompute(small, mask)
        if descriptors is None or new_descriptors is None:
            return empty, empty
        pairs = cv2.BFMatcher(cv2.NORM_HAMMING, crossCheck=True).match(descriptors, new_descriptors)
        if len(pairs) < _MIN_MATCHES:
            return empty, empty
        before = np.array([keys[p.queryIdx].pt for p in pairs])
        after = np.array([new_keys[p.trainIdx].pt for p in pairs])
        _, inliers = cv2.findHomography(before, after, cv2.RANSAC, 2.0)
        if inliers is None or int(inliers.sum()) < max(_MIN_MATCHES, 0.25 * len(pairs)):
            return empty, empty
        is_inlier = inliers.ravel() == 1
        return before[is_inlier], after[is_inlier]

    def _classify_motion(self, before: Array, after: Array, tracked: int) -> BackgroundMotion | None:
        if len(before) < max(MIN_POINTS, _MIN_TRACKED * tracked):
            return None
        shifts = np.linalg.norm(after - before, axis=1)
        is_inlier = shifts < _AGREE_PX
        is_still = np.mean(is_inlier) >= _MIN_AGREEMENT and float(np.median(shifts)) < STILL_PX
        if not is_still:
            homography, inliers = cv2.findHomography(before, after, cv2.RANSAC, _AGREE_PX)
            if homography is None or float(np.mean(inliers)) < _MIN_AGREEMENT:
                return None
            is_inlier = inliers.ravel() == 1
        shift_px = float(np.median(np.linalg.norm(after[is_inlier] - before[is_inlier], axis=1))) * self._step
        full_before, full_after = ((points[is_inlier] + 0.5) * self._step - 0.5 for points in (before, after))
        return BackgroundMotion(bool(is_still), shift_px, full_before, full_after)

    def _to_work_pixels(self, pixels: Array) -> npt.NDArray[np.int32]:
        places = (np.asarray(pixels, dtype=np.float64) + 0.5) / self._step - 0.5
        return np.asarray(np.clip(np.round(places), -10_000, 10_000), dtype=np.int32)

    def _mask_hands(self, shape: tuple[int, ...], hands_px: Iterable[Array]) -> npt.NDArray[np.uint8]:
        mask = np.full(shape, 255, np.uint8)
        for hand in hands_px:
            hull = cv2.convexHull(self._to_work_pixels(hand))
            radius = round(_HAND_RADIUS * shape[1])
            cv2.fillConvexPoly(mask, hull, (0,))
            cv2.polylines(mask, [hull], True, (0,), 2 * radius)
        return mask


def _shrink_picture(grey: Image, step: float) -> Image:
    if step == 1.0:
        return np.array(grey)
    size = (round(grey.shape[1] / step), round(grey.shape[0] / step))
    return np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _track_points(
    start: Image, end: Image, points: npt.NDArray[np.float32], window: tuple[int, int], levels: int
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.bool_]]:
    """Track points (n, 1, 2) from one picture to another; return positions, and whether they were found (n,)."""
    places, valid, _ = cv2.calcOpticalFlowPyrLK(
        start, end, points, np.zeros_like(points), winSize=window, maxLevel=levels
    )
    return np.asarray(places, dtype=np.float32), valid.ravel() == 1


#: Finds the sheet or board in a picture.
FindPlane = Callable[[Image], plane_pose.PlanePose | plane_pose.PlaneFault]

#: Maximum shift of drawings due to measurement noise while everything is still (pixels at 1280 width).
NOISE_PX = 1.6
#: Shift from which the sheet counts as pushed, unless the camera was bumped; smaller shifts are smoothed.
PUSHED_PX = 4.0
#: Maximum number of poses that are averaged: a third of a second at 30 Hz.
MAX_AVERAGED_POSES = 10
#: Seconds without motion after a bump until the referee may judge again.
SETTLE_S = 0.4
#: Maximum shift of the background between frames while settling (pixels at 1280 width).
SETTLED_PX = 1.5
#: Seconds without a pose after which a bumped camera has lost the table.
LOST_AFTER_S = 1.0
#: Background points on the table that determine a pose: minimum number, minimum share that must agree, maximum error.
_MIN_TABLE_POINTS, _MIN_TABLE_SHARE, _MAX_TABLE_ERROR_PX = 16, 0.6, 2.0
#: Distance from the origin within which points are assumed to lie on the table: about a desk's depth.
_TABLE_REACH_M = 0.8
#: Points at which shifts of drawings are measured: corners of the play area, on the table and at a tower's height.
_PROBES = np.array([(x, y, z) for x in (-0.15, 0.15) for y in (-0.15, 0.15) for z in (0.0, 0.25)])


class TrackingStatus(enum.Enum):
    """The state of tracking; the value is also the key of a message."""

    SEEN = "seen"
    """The sheet is in view and unmoved."""
    HELD = "held"
    """The sheet is hidden; according to the background, if there is any, the camera hasn't moved."""
    SHEET_MOVED = "sheet_moved"
    """The sheet was pushed; the table frame stays, because the camera hasn't moved."""
    BLIND = "blind"
    """Neither sheet nor background is visible: the lens is covered, or the light is off."""
    BUMPED = "bumped"
    """The camera is moving, or has just moved."""
    LOST = "lost"
    """The camera has moved, and the table's pose is unknown."""


class TableTracker:
    """Tracks one table through the frames of one camera; depends only on its inputs."""

    def __init__(
        self,
        camera: geometry.CameraModel,
        find_plane: FindPlane,
        table_from_camera: Pose,
        first: Image,
        sheet_size_m: tuple[float, float] | None = None,
    ) -> None:
        """``first``: a picture with the table at ``table_from_camera``; ``sheet_size_m``: size of a movable sheet."""
        self._sheet_corners = None if sheet_size_m is None else plane_pose.list_sheet_corners(*sheet_size_m)
        self._camera = camera
        self._find = find_plane
        self.table_from_camera = table_from_camera
        self._table_from_sheet: Pose | None = None
        self._at_1280 = camera.width / 1280.0
        self._reference = TableBackground(to_grey(first), (), self._project_sheet(find_plane(first)))
        self._reference_pose = table_from_camera
        self._seen_count = 0
        self.error: tuple[float, float] | None = None
        """Error of the last measured pose, millimetres and pixels; None before the first one."""
        self.sheet_fault: plane_pose.PlaneFault | None = None
        """Why the sheet isn't visible in the last picture; None if it is."""
        self.is_bumped = False
        """Whether the camera is moving or has just moved; then every frame should be processed."""
        # While the camera is bumped: start of the current stillness, time of the last known pose, last picture.
        self._still_since_s = 0.0
        self._known_s = 0.0
        self._last: TableBackground | None = None

    def looks_still(self, grey: Image, hands_px: Iterable[Array] = ()) -> bool:
        """Check quickly (half a millisecond) whether the picture is still; if not, call ``process_frame``."""
        return not self.is_bumped and self._reference.is_still(grey, hands_px)

    def process_frame(self, frame: Frame, hands_px: Iterable[Array] = ()) -> TrackingStatus:
        """Process one frame; ``hands_px``: landmarks (21, 2) of each visible hand."""
        hands = [np.asarray(hand, dtype=np.float64) for hand in hands_px]
        grey = to_grey(frame.image)
        sheet = self._find(frame.image)
        measured = None if isinstance(sheet, plane_pose.PlaneFault) else self._measure_pose(sheet)
        motion = self._reference.compare_picture(grey, hands)
        if not self.is_bumped and self._is_bump(motion, measured):
            self.is_bumped = True
            self._reference_pose = self.table_from_camera
            self._still_since_s = self._known_s = frame.time_s
        self.sheet_fault = _choose_reason(sheet, motion)
        if self.is_bumped:
            return self._follow_bump(frame.time_s, grey, hands, sheet, measured, motion)
        return self._update_still(measured, motion)

    def _is_bump(self, motion: BackgroundMotion | None, measured: Pose | None) -> bool:
        if measured is None:
            return motion is not None and not motion.is_still
        # An unmoved sheet outweighs a moving background, because people walk by. If no background is visible, only the
        # sheet counts.
        is_still = motion is not None and motion.is_still
        return not is_still and self._measure_shift(measured) > NOISE_PX

    def _update_still(self, measured: Pose | None, motion: BackgroundMotion | None) -> TrackingStatus:
        if measured is None:
            self._seen_count = 0
            is_blind = motion is None and self._reference.has_points
            return TrackingStatus.BLIND if is_blind else TrackingStatus.HELD
        if self._measure_shift(measured) > PUSHED_PX:
            # From now on the table's pose is relative to the sheet's new pose.
            self._table_from_sheet = self._compute_offset(measured)
            return TrackingStatus.SHEET_MOVED
        self._seen_count += 1
        share = 1.0 / min(self._seen_count + 1, MAX_AVERAGED_POSES)
        self.table_from_camera = _blend_poses(self.table_from_camera, measured, share)
        return TrackingStatus.SEEN

    def _follow_bump(
        self,
        time_s: float,
        grey: Image,
        hands: list[Array],
        sheet: plane_pose.PlanePose | plane_pose.PlaneFault,
        measured: Pose | None,
        motion: BackgroundMotion | None,
    ) -> TrackingStatus:
        """Follow a bumped camera: use every new pose unsmoothed until the picture is still for ``SETTLE_S``."""
        pose = measured if measured is not None else self._solve_from_background(motion)
        if pose is not None:
            self.table_from_camera, self._known_s = pose, time_s
        step = None if self._last is None else self._last.compare_picture(grey, hands)
        has_moved = step is not None and not step.is_still and step.shift_px > SETTLED_PX * self._at_1280
        if pose is None or self._last is None or has_moved:
            self._still_since_s = time_s
        self._last = TableBackground(grey, hands)
        if pose is None:
            return TrackingStatus.LOST if time_s - self._known_s > LOST_AFTER_S else TrackingStatus.BUMPED
        if time_s - self._still_since_s < SETTLE_S:
            return TrackingStatus.BUMPED
        self.is_bumped, self._last, self._seen_count = False, None, 0
        self._reference = TableBackground(grey, hands, self._project_sheet(sheet))
        self._reference_pose = self.table_from_camera
        return TrackingStatus.HELD if measured is None else TrackingStatus.SEEN

    def _project_sheet(self, sheet: plane_pose.PlanePose | plane_pose.PlaneFault) -> Array | None:
        if self._sheet_corners is None or isinstance(sheet, plane_pose.PlaneFault):
            return None
        return plane_pose.project_sheet(self._camera, sheet.camera_from_sheet, self._sheet_corners)

    def _measure_pose(self, sheet: plane_pose.PlanePose) -> Pose:
        self.error = (sheet.error_mm, sheet.error_px)
        turns = plane_pose.list_quarter_turns(plane_pose.table_from_sheet(sheet.camera_from_sheet))
        poses = [self._apply_offset(sheet_from_camera) for sheet_from_camera in turns]
        current = self.table_from_camera.rotation
        return min(poses, key=lambda pose: geometry.quat_angle(pose.rotation, current))

    def _apply_offset(self, sheet_from_camera: Pose) -> Pose:
        if self._table_from_sheet is None:
            return sheet_from_camera
        return geometry.pose_compose(self._table_from_sheet, sheet_from_camera)

    def _compute_offset(self, measured: Pose) -> Pose:
        """Return ``table_from_sheet`` that maps a sheet now measured at ``measured`` to the current table frame."""
        correction = geometry.pose_compose(self.table_from_camera, geometry.pose_inverse(measured))
        if self._table_from_sheet is None:
            return correction
        return geometry.pose_compose(correction, self._table_from_sheet)

    def _solve_from_background(self, motion: BackgroundMotion | None) -> Pose | None:
        """Return ``table_from_camera`` computed from the background points that lie on the table, or None."""
        if motion is None:
            return None
        if motion.is_still:
            return self._reference_pose
        matrix = geometry.mat_from_pose(self._reference_pose)
        flat = plane_pose.normalise_pixels(self._camera, motion.before)
        rays = np.column_stack([flat, np.ones(len(flat))]) @ matrix[:3, :3].T
        with np.errstate(divide="ignore", invalid="ignore"):
            places = matrix[:3, 3] - rays * (matrix[2, 3] / rays[:, 2:])
        on_table = (rays[:, 2] < 0.0) & (np.hypot(places[:, 0], places[:, 1]) < _TABLE_REACH_M)
        if np.count_nonzero(on_table) < _MIN_TABLE_POINTS:
            return None
        return self._solve_points(places[on_table], motion.after[on_table])

    def _solve_points(self, places: Array, pixels: Array) -> Pose | None:
        rotation, position = plane_pose.split_pose(geometry.pose_inverse(self.table_from_camera))
        flat = np.column_stack([places[:, :2], np.zeros(len(places))])
        matrix, lens = self._camera.matrix(), np.array(self._camera.distortion)
        is_solved, turn, shift, inliers = cv2.solvePnPRansac(
            flat,
            pixels,
            matrix,
            lens,
            rotation[:, np.newaxis],
            position[:, np.newaxis],
            useExtrinsicGuess=True,
            reprojectionError=_MAX_TABLE_ERROR_PX * max(1.0, self._at_1280),
        )
        if not is_solved or inliers is None or len(inliers) < _MIN_TABLE_SHARE * len(places):
            return None
        indices = np.ravel(inliers).astype(int)
        turn, shift = cv2.solvePnPRefineLM(flat[indices], pixels[indices], matrix, lens, turn, shift)
        camera_from_table = np.eye(4)
        camera_from_table[:3, :3], camera_from_table[:3, 3] = cv2.Rodrigues(turn)[0], np.ravel(shift)
        return geometry.pose_inverse(geometry.pose_from_mat(camera_from_table))

    def _measure_shift(self, measured: Pose) -> float:
        return measure_shift_px(self._camera, self.table_from_camera, measured)


def measure_shift_px(camera: geometry.CameraModel, one: Pose, other: Pose) -> float:
    """Return how far drawings shift between two ``table_from_camera`` (root mean square, pixels at 1280 width)."""
    one_px = geometry.project_table_points(camera, one, _PROBES)
    other_px = geometry.project_table_points(camera, other, _PROBES)
    shifts = np.linalg.norm(one_px - other_px, axis=1)
    if not np.all(np.isfinite(shifts)):
        return float("inf")
    return float(np.sqrt(np.mean(shifts**2))) * 1280.0 / camera.width


def _choose_reason(
    sheet: plane_pose.PlanePose | plane_pose.PlaneFault, motion: BackgroundMotion | None
) -> plane_pose.PlaneFault | None:
    if not isinstance(sheet, plane_pose.PlaneFault):
        return None
    # If the background is clearly visible, something must be covering the sheet.
    is_vague = sheet in (plane_pose.PlaneFault.ABSENT, plane_pose.PlaneFault.BLURRED)
    return plane_pose.PlaneFault.COVERED if is_vague and motion is not None else sheet


def _blend_poses(one: Pose, other: Pose, share: float) -> Pose:
    """Interpolate ``table_from_camera`` in the camera frame, because the table is drawn in it."""
    a, b = geometry.pose_inverse(one), geometry.pose_inverse(other)
    return geometry.pose_inverse(geometry.pose_between(a, b, share))
