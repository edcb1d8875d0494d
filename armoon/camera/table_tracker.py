"""Keeps the table frame on the table: smooth when all is still, at once after a bump.

Sheet and background move: a bumped camera. The sheet alone: nudged. No sheet, background still: a hand covers it.
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
from armoon.camera.board_finder import as_grey
from armoon.camera.sources import Frame, Image
from armoon.values.poses import Pose

#: Pictures are compared at about this width: a tenth of its pixel is well below what the eye sees drawn.
WORK_WIDTH_PX = 480
_POINTS = 220
#: Minimum number of comparable points.
LEAST_POINTS = 16
#: A camera that stays gives a smaller median (working pixels); following is ten times finer.
STILL_PX = 0.4
#: Points agree with a common motion within this (working pixels).
_AGREE_PX = 1.2
#: Share of the followed points that must agree before the whole picture counts as moved.
_LEAST_AGREEMENT = 0.5
#: There and back again, a followed point must end where it began (working pixels).
_RETURN_PX = 0.5
#: A larger part of the points lost than this, and nothing is said.
_LEAST_FOLLOWED = 0.2
#: Number of points that a glance follows, one way only, and its picture's width in pixels.
_GLANCE_POINTS, _GLANCE_WIDTH_PX = 60, 240
#: A camera that stays gives a smaller median at a glance (its own pixels): 1.9 pixels at 1280 width.
_GLANCE_STILL_PX = 0.35
#: Around landmarks of a hand everything is left out (share of the picture's width).
_HAND_RADIUS = 0.06
_LEAST_MATCHES = 20
#: The follower's window and pyramids: four levels follow 80 pixels, but drag all along where the middle changes.
_WINDOW, _LEVELS = (21, 21), (2, 4)
_GLANCE_WINDOW, _GLANCE_LEVELS = (13, 13), 2


class Motion(enum.Enum):
    """The camera's motion, according to the background."""

    STILL = "still"
    MOVED = "moved"
    UNKNOWN = "unknown"
    """Too little of it is in view to tell."""


@dataclass(frozen=True, eq=False)
class BackgroundMotion:
    """The camera since the reference picture."""

    motion: Motion
    shift_px: float
    """Median shift in pixels of the full picture."""
    before: geometry.Array
    """(n, 2) full pixels of background points in the reference picture that agree with the motion."""
    now: geometry.Array
    """(n, 2) the same points in the present picture."""


class TableBackground:
    """Remembers corners of one reference picture and looks for them in later ones."""

    def __init__(
        self, grey: Image, hands_px: Iterable[geometry.Array] = (), movable_px: geometry.Array | None = None
    ) -> None:
        """Leave out hands' surroundings (landmarks (n, 2) each) and the outline (n, 2) of a movable sheet."""
        self._step = max(1.0, grey.shape[1] / WORK_WIDTH_PX)
        self._reference = self._small(grey)
        self._orb = cv2.ORB_create(500)  # type: ignore[attr-defined]
        mask = self._without_hands(self._reference.shape, hands_px)
        if movable_px is not None:
            cv2.fillConvexPoly(mask, cv2.convexHull(self._small_places(movable_px)), (0,))
        self._keys, self._looks = self._orb.detectAndCompute(self._reference, mask)
        corners = cv2.goodFeaturesToTrack(self._reference, _POINTS, 0.01, 9.0, mask=mask)
        self._points = np.zeros((0, 1, 2), np.float32) if corners is None else np.asarray(corners, np.float32)
        self._tiny_step = max(1.0, grey.shape[1] / _GLANCE_WIDTH_PX)
        self._tiny = _shrunk(grey, self._tiny_step)
        # Good corners come first: at a glance only they count.
        share = self._tiny_step / self._step
        self._tiny_points = ((self._points[:_GLANCE_POINTS] + 0.5) / share - 0.5).astype(np.float32)

    @property
    def has_points(self) -> bool:
        return len(self._points) >= LEAST_POINTS

    def glance(self, grey: Image, hands_px: Iterable[geometry.Array] = ()) -> bool:
        """Whether all seems to stand still; False where it doesn't, or where too little is in view to tell."""
        points = self._tiny_points
        for hand in hands_px:
            x, y = ((np.asarray(hand, dtype=np.float64) + 0.5) / self._tiny_step - 0.5).T
            margin = _HAND_RADIUS * _GLANCE_WIDTH_PX
            column, row = points[:, 0, 0], points[:, 0, 1]
            beside = (column < x.min() - margin) | (column > x.max() + margin)
            points = points[beside | (row < y.min() - margin) | (row > y.max() + margin)]
        if len(points) < LEAST_POINTS:
            return False
        tiny = _shrunk(grey, self._tiny_step)
        there, found, _ = _follow(self._tiny, tiny, points, _GLANCE_WINDOW, _GLANCE_LEVELS)
        shifts = np.linalg.norm((there - points).reshape(-1, 2), axis=1)
        shifts[found.ravel() != 1] = np.inf
        return float(np.median(shifts)) < _GLANCE_STILL_PX

    def compare(self, grey: Image, hands_px: Iterable[geometry.Array] = ()) -> BackgroundMotion:
        """Return the camera's motion between the reference picture and this one."""
        small = self._small(grey)
        usable = self._without_hands(small.shape, hands_px)
        for levels in _LEVELS:
            before, now = self._followed(small, usable, levels)
            answer = self._judge(before, now, len(self._points))
            if answer.motion is not Motion.UNKNOWN:
                break
        else:
            # A jolt can be too wide to follow: then the points are recognised by their looks.
            before, now = self._recognised(small, usable)
            matched = self._judge(before, now, 0)
            if matched.motion is not Motion.UNKNOWN:
                return matched
        return answer

    def _followed(
        self, small: Image, usable: npt.NDArray[np.uint8], levels: int
    ) -> tuple[geometry.Array, geometry.Array]:
        none = np.zeros((0, 2))
        if len(self._points) < LEAST_POINTS:
            return none, none
        there, found, _ = _follow(self._reference, small, self._points, _WINDOW, levels)
        back, returned, _ = _follow(small, self._reference, there, _WINDOW, levels)
        apart = np.linalg.norm((back - self._points).reshape(-1, 2), axis=1)
        good = (found.ravel() == 1) & (returned.ravel() == 1) & (apart < _RETURN_PX)
        ends = there.reshape(-1, 2)
        height, width = small.shape
        column = np.clip(np.nan_to_num(ends[:, 0]), 0, width - 1).astype(int)
        row = np.clip(np.nan_to_num(ends[:, 1]), 0, height - 1).astype(int)
        good &= usable[row, column] > 0
        return self._points.reshape(-1, 2)[good].astype(np.float64), ends[good].astype(np.float64)

    def _recognised(
        self, small: Image, usable: npt.NDArray[np.uint8]
    ) -> tuple[geometry.Array, geometry.Array]:
        none = np.zeros((0, 2))
        keys, looks = self._keys, self._looks
        new_keys, new_looks = self._orb.detectAndCompute(small, usable)
        if looks is None or new_looks is None:
            return none, none
        pairs = cv2.BFMatcher(cv2.NORM_HAMMING, crossCheck=True).match(looks, new_looks)
        if len(pairs) < _LEAST_MATCHES:
            return none, none
        before = np.array([keys[p.queryIdx].pt for p in pairs])
        now = np.array([new_keys[p.trainIdx].pt for p in pairs])
        _, inside = cv2.findHomography(before, now, cv2.RANSAC, 2.0)
        if inside is None or int(inside.sum()) < max(_LEAST_MATCHES, 0.25 * len(pairs)):
            return none, none
        kept = inside.ravel() == 1
        return before[kept], now[kept]

    def _judge(self, before: geometry.Array, now: geometry.Array, asked: int) -> BackgroundMotion:
        unknown = BackgroundMotion(Motion.UNKNOWN, 0.0, np.zeros((0, 2)), np.zeros((0, 2)))
        if len(before) < max(LEAST_POINTS, _LEAST_FOLLOWED * asked):
            return unknown
        shifts = np.linalg.norm(now - before, axis=1)
        still = shifts < _AGREE_PX
        if np.mean(still) >= _LEAST_AGREEMENT and float(np.median(shifts)) < STILL_PX:
            return self._answer(Motion.STILL, before[still], now[still])
        homography, inside = cv2.findHomography(before, now, cv2.RANSAC, _AGREE_PX)
        if homography is None or float(np.mean(inside)) < _LEAST_AGREEMENT:
            return unknown
        kept = inside.ravel() == 1
        return self._answer(Motion.MOVED, before[kept], now[kept])

    def _answer(self, motion: Motion, before: geometry.Array, now: geometry.Array) -> BackgroundMotion:
        shift = float(np.median(np.linalg.norm(now - before, axis=1))) * self._step
        full = [(points + 0.5) * self._step - 0.5 for points in (before, now)]
        return BackgroundMotion(motion, shift, full[0], full[1])

    def _small(self, grey: Image) -> Image:
        return _shrunk(grey, self._step)

    def _small_places(self, pixels: geometry.Array) -> npt.NDArray[np.int32]:
        places = (np.asarray(pixels, dtype=np.float64) + 0.5) / self._step - 0.5
        return np.asarray(np.clip(np.round(places), -10_000, 10_000), dtype=np.int32)

    def _without_hands(
        self, shape: tuple[int, ...], hands_px: Iterable[geometry.Array]
    ) -> npt.NDArray[np.uint8]:
        mask = np.full(shape, 255, np.uint8)
        for hand in hands_px:
            hull = cv2.convexHull(self._small_places(hand))
            radius = round(_HAND_RADIUS * shape[1])
            cv2.fillConvexPoly(mask, hull, (0,))
            cv2.polylines(mask, [hull], True, (0,), 2 * radius)
        return mask


def _shrunk(grey: Image, step: float) -> Image:
    if step == 1.0:
        return np.array(grey)
    size = (round(grey.shape[1] / step), round(grey.shape[0] / step))
    return np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _follow(
    start: Image,
    end: Image,
    points: npt.NDArray[np.float32],
    window: tuple[int, int],
    levels: int,
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.uint8], npt.NDArray[np.float32]]:
    """Where points (n, 1, 2) of one picture are in another, which were found, and how unlike they look."""
    where = cv2.calcOpticalFlowPyrLK(
        start, end, points, np.zeros_like(points), winSize=window, maxLevel=levels
    )
    places, found, unlike = (np.asarray(part) for part in where)
    return places.astype(np.float32), found.astype(np.uint8), unlike.astype(np.float32)


#: Finds the sheet or board in a picture.
FindPlane = Callable[[Image], plane_pose.PlanePose | plane_pose.Unseen]

#: A measured pose shifts drawings by less than this while all is still (pixels at 1280 width).
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
    unseen: plane_pose.Unseen | None
    """Why the sheet isn't seen; None where it is."""
    error_px: float
    """Error of the last pose that was measured."""
    error_mm: float

    @property
    def may_judge(self) -> bool:
        """Whether the referee can trust the picture: not while the camera moves or nothing is in sight."""
        return self.state in (Sighting.SEEN, Sighting.HELD, Sighting.SHEET_MOVED)


class TableTracker:
    """Follows one table through the frames of one camera. A function of its inputs: no clock, no chance."""

    def __init__(
        self,
        camera: geometry.CameraModel,
        find_plane: FindPlane,
        table_from_camera: Pose,
        first: Image,
        sheet_size_m: tuple[float, float] | None = None,
    ) -> None:
        """``table_from_camera`` as in the picture ``first``; the sheet (width, height) doesn't count as background."""
        self._sheet_corners = None if sheet_size_m is None else plane_pose.sheet_places(*sheet_size_m)
        self._camera = camera
        self._find = find_plane
        self._pose = table_from_camera
        self._table_from_sheet: Pose | None = None
        self._at_1280 = camera.width / 1280.0
        self._reference = TableBackground(as_grey(first), (), self._sheet_px(find_plane(first)))
        self._reference_pose = table_from_camera
        self._seen = 0
        self._error = (0.0, 0.0)
        # While the camera is bumped: since when all is still, when the table was last seen, the last picture.
        self._bumped = False
        self._still_since_s = 0.0
        self._told_s = 0.0
        self._last: TableBackground | None = None

    @property
    def table_from_camera(self) -> Pose:
        return self._pose

    @property
    def bumped(self) -> bool:
        """Whether the camera is moving or moved a moment ago: then every frame should be seen."""
        return self._bumped

    def looks_still(self, grey: Image, hands_px: Iterable[geometry.Array] = ()) -> bool:
        """Return quickly (half a millisecond) whether the picture stands still; False means ``see`` it."""
        return not self._bumped and self._reference.glance(grey, hands_px)

    def see(self, frame: Frame, hands_px: Iterable[geometry.Array] = ()) -> TableSight:
        """Take one frame; ``hands_px`` are the landmarks (21, 2) of each hand seen in it."""
        hands = [np.asarray(hand, dtype=np.float64) for hand in hands_px]
        grey = as_grey(frame.image)
        found = self._find(frame.image)
        measured = None if isinstance(found, plane_pose.Unseen) else self._measured(found)
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
        hands: list[geometry.Array],
        found: plane_pose.PlanePose | plane_pose.Unseen,
        measured: Pose | None,
        moved: BackgroundMotion,
    ) -> Sighting:
        """Follow a bumped camera: take every new pose at once, until all has been still for a while."""
        pose = measured if measured is not None else self._from_background(moved)
        if pose is not None:
            self._pose, self._told_s = pose, time_s
        since = self._last.compare(grey, hands) if self._last is not None else None
        self._last = TableBackground(grey, hands)
        if since is None or (
            since.motion is not Motion.STILL and since.shift_px > SETTLED_PX * self._at_1280
        ):
            self._still_since_s = time_s
        if pose is None:
            self._still_since_s = time_s
            return Sighting.LOST if time_s - self._told_s > PATIENCE_S else Sighting.BUMPED
        if time_s - self._still_since_s < SETTLE_S:
            return Sighting.BUMPED
        self._bumped, self._last, self._seen = False, None, 0
        self._reference, self._reference_pose = (
            TableBackground(grey, hands, self._sheet_px(found)),
            self._pose,
        )
        return Sighting.HELD if measured is None else Sighting.SEEN

    def _sheet_px(self, found: plane_pose.PlanePose | plane_pose.Unseen) -> geometry.Array | None:
        """Where the sheet's corners (4, 2) are in the picture."""
        if self._sheet_corners is None or isinstance(found, plane_pose.Unseen):
            return None
        return plane_pose.project_sheet(self._camera, found.camera_from_sheet, self._sheet_corners)

    def _measured(self, found: plane_pose.PlanePose) -> Pose:
        self._error = (found.error_px, found.error_mm)
        sheet_from_camera = min(
            plane_pose.quarter_turns(plane_pose.table_from_sheet(found.camera_from_sheet)),
            key=lambda pose: geometry.quat_angle(self._with_offset(pose).rotation, self._pose.rotation),
        )
        return self._with_offset(sheet_from_camera)

    def _with_offset(self, sheet_from_camera: Pose) -> Pose:
        if self._table_from_sheet is None:
            return sheet_from_camera
        return geometry.pose_compose(self._table_from_sheet, sheet_from_camera)

    def _offset(self, measured: Pose) -> Pose:
        """``table_from_sheet`` that lets the sheet, now measured at ``measured``, tell the present frame."""
        correction = geometry.pose_compose(self._pose, geometry.pose_inverse(measured))
        return (
            correction
            if self._table_from_sheet is None
            else geometry.pose_compose(correction, self._table_from_sheet)
        )

    def _from_background(self, moved: BackgroundMotion) -> Pose | None:
        """Return the table frame from the background's points that lie on the table, or None."""
        if moved.motion is Motion.STILL:
            return self._reference_pose
        if moved.motion is Motion.UNKNOWN:
            return None
        matrix = geometry.mat_from_pose(self._reference_pose)
        flat = plane_pose.normalised(self._camera, moved.before)
        rays = np.column_stack([flat, np.ones(len(flat))]) @ matrix[:3, :3].T
        with np.errstate(divide="ignore", invalid="ignore"):
            places = matrix[:3, 3] - rays * (matrix[2, 3] / rays[:, 2:])
        on_table = (rays[:, 2] < 0.0) & (np.hypot(places[:, 0], places[:, 1]) < _TABLE_REACH_M)
        if np.count_nonzero(on_table) < _LEAST_TABLE_POINTS:
            return None
        return self._pose_of_points(places[on_table], moved.now[on_table])

    def _pose_of_points(self, places: geometry.Array, pixels: geometry.Array) -> Pose | None:
        start = plane_pose.pose_vectors(geometry.pose_inverse(self._pose))
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
        return geometry.pose_inverse(geometry.pose_from_mat(camera_from_table))

    def _shift_px(self, measured: Pose) -> float:
        return drawn_shift_px(self._camera, self._pose, measured)


def drawn_shift_px(camera: geometry.CameraModel, one: Pose, other: Pose) -> float:
    """How far drawings shift between two ``table_from_camera`` (root mean square, pixels at 1280 width)."""
    here = geometry.project_table_points(camera, one, _PROBES)
    there = geometry.project_table_points(camera, other, _PROBES)
    shifts = np.linalg.norm(here - there, axis=1)
    if not np.all(np.isfinite(shifts)):
        return float("inf")
    return float(np.sqrt(np.mean(shifts**2))) * 1280.0 / camera.width


def _stated(
    found: plane_pose.PlanePose | plane_pose.Unseen, moved: BackgroundMotion
) -> plane_pose.Unseen | None:
    if not isinstance(found, plane_pose.Unseen):
        return None
    # With the background in clear view the sheet, which was there, must be under something.
    vague = found.reason in (plane_pose.PlaneFault.ABSENT, plane_pose.PlaneFault.BLURRED)
    return (
        plane_pose.Unseen(plane_pose.PlaneFault.COVERED)
        if vague and moved.motion is not Motion.UNKNOWN
        else found
    )


def _between(one: Pose, other: Pose, share: float) -> Pose:
    """``table_from_camera`` a share of the way, blended as the table before the camera, where it is drawn."""
    a, b = geometry.pose_inverse(one), geometry.pose_inverse(other)
    return geometry.pose_inverse(geometry.pose_between(a, b, share))
