"""Reads the paper die and the standing lid in pictures, and measures the size of prints."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from armoon import geometry
from armoon.camera.sources import Image
from armoon.hands.card_finder import TagReader
from armoon.hands.card_tracker import CardSighting
from armoon.values import paper
from armoon.values.poses import Pose, Vec3

#: Seconds for which a die must be still, and its maximum apparent motion across the line of sight meanwhile.
DIE_STILL_S, _STILL_M = 0.25, 0.0025
#: Maximum tilt of the upper face; with an uncalibrated camera, the table seems to tilt by a few degrees.
_UP_RAD = math.radians(20.0)
#: Maximum error of the height of a lying die's centre: constant, and per metre from the camera.
_HEIGHT_M, _HEIGHT_PER_M = 0.012, 0.06
#: A die held out to the camera: maximum angle between its face's normal and the line of sight, and maximum distance.
_SHOWN_RAD, _SHOWN_M = math.radians(30.0), 0.6
#: The same face counts as a new throw after this many readings without the die, or this distance from its last place.
_GONE_READINGS, _MOVED_M = 2, 0.03


@dataclass(frozen=True)
class _DieSighting:
    time_s: float
    value: int | None
    position: Vec3
    """Camera frame, metres."""


class DieReader:
    """Reads one die; call ``read_die`` several times a second, from one thread."""

    def __init__(self, scale: float = 1.0) -> None:
        """``scale``: ratio of the printed kit's size to the intended size."""
        corners = {number: scale * list_face_corners(face) for face, number in enumerate(paper.DIE_TAGS)}
        self._tags = TagReader(corners)
        self._edge_m = scale * paper.DIE_EDGE_M
        self._candidate: _DieSighting | None = None
        self._last_read: _DieSighting | None = None
        self._unseen = 0
        self._has_reading = False

    def read_die(
        self, grey: Image, time_s: float, camera: geometry.CameraModel, table_from_camera: Pose | None
    ) -> int | None:
        """Return a newly thrown die's value once it is at rest, otherwise None.

        The value is 1 or 2 for one or two dots, 3 for the crescent, 0 if players must decide because it isn't level.
        A die that is visible from the start counts once it has been moved. Without a known table, players hold a face
        of the die out to the camera.
        """
        had_reading, self._has_reading = self._has_reading, True
        sighting = self._find_die(grey, time_s, camera, table_from_camera)
        if sighting is None:
            self._candidate = None
            self._unseen += 1
            if self._unseen >= _GONE_READINGS:
                self._last_read = None
            return None
        self._unseen = 0
        if not had_reading:
            self._last_read = sighting
        if _measure_gap_m(self._last_read, sighting) < _MOVED_M:
            return None
        candidate = self._candidate
        if candidate is None or _measure_gap_m(candidate, sighting) > _STILL_M:
            self._candidate = sighting
            return None
        if sighting.time_s - candidate.time_s < DIE_STILL_S:
            return None
        self._candidate, self._last_read = None, sighting
        return sighting.value or 0

    def _find_die(
        self, grey: Image, time_s: float, camera: geometry.CameraModel, table_from_camera: Pose | None
    ) -> _DieSighting | None:
        """Return the die in a picture; None if there is none or its face is ambiguous."""
        sightings = [
            (self._read_value(rotation, position, table_from_camera), position)
            for rotation, position in self._tags.find_poses(grey, camera)
        ]
        values = {value for value, _ in sightings if value is not None}
        if not sightings or len(values) > 1 or (table_from_camera is None and not values):
            return None
        value = min(values, default=None)
        position = next(position for face, position in sightings if face == value)
        return _DieSighting(time_s, value, geometry.vec3(position))

    def _read_value(
        self, rotation: geometry.Array, position: geometry.Array, table_from_camera: Pose | None
    ) -> int | None:
        """Return the value of the upper face; without a known table, the value of the face held out to the camera."""
        distance = float(np.linalg.norm(position))
        if table_from_camera is None:
            towards_camera = np.asarray(-position @ rotation / distance)
            return None if distance > _SHOWN_M else _find_facing_value(towards_camera, _SHOWN_RAD)
        up = geometry.mat_from_quat(table_from_camera.rotation)[2]
        height_m = float(up @ position) + table_from_camera.position[2]
        if abs(height_m - self._edge_m / 2.0) > _HEIGHT_M + _HEIGHT_PER_M * distance:
            return None
        return _find_facing_value(np.asarray(up @ rotation), _UP_RAD)


def list_face_corners(face: int) -> geometry.Array:
    """Return the corners (4, 3) of a face's tag in OpenCV's order, metres from the die's centre."""
    normal, right = (np.array(axis) for axis in paper.DIE_FACES[face])
    up = np.cross(normal, right)
    half, offset = paper.DIE_TAG_M / 2.0, paper.DIE_TAG_MARGIN_M + (paper.DIE_TAG_M - paper.DIE_EDGE_M) / 2.0
    middle = normal * (paper.DIE_EDGE_M / 2.0) + right * offset - up * offset
    corners = ((-half, half), (half, half), (half, -half), (-half, -half))
    return np.array([middle + right * x + up * y for x, y in corners])


def _find_facing_value(direction: geometry.Array, within_rad: float) -> int | None:
    """Return the value of the face with a normal within this angle of ``direction`` (3,), die frame, or None."""
    cosines = [float(np.dot(normal, direction)) for normal, _ in paper.DIE_FACES]
    best = int(np.argmax(cosines))
    return best // 2 + 1 if cosines[best] > math.cos(within_rad) else None


def _measure_gap_m(one: _DieSighting | None, other: _DieSighting) -> float:
    """Return the distance across the line of sight between two sightings, metres; infinite if the faces differ.

    Along the line of sight, errors are too large for a comparison (several millimetres).
    """
    if one is None or one.value != other.value:
        return math.inf
    near, far = np.array(one.position), np.array(other.position)
    distance = float(np.linalg.norm(near))
    return float(np.linalg.norm(near - far * distance / np.linalg.norm(far)))


#: A standing lid: maximum tilt of its label, and limits of the height of the label's centre, metres.
_UPRIGHT_RAD = math.radians(15.0)
_MIN_M, _MAX_M = 0.03, 0.60


@dataclass(frozen=True)
class StandingLid:
    """A lid that stands on its edge."""

    foot: Pose
    """Table frame: origin on the table below the label's centre, x along the label, y into the lid."""
    top_m: float
    """Height of the upper edge above the table, if the label's upper edge is aligned with it."""


class LidReader:
    """Reads the label of the lid; use it from one thread."""

    def __init__(self, scale: float = 1.0) -> None:
        """``scale``: ratio of the printed kit's size to the intended size."""
        half = scale * paper.LID_TAG_M / 2.0
        corners = [(-half, half, 0.0), (half, half, 0.0), (half, -half, 0.0), (-half, -half, 0.0)]
        self._tags = TagReader({paper.LID_TAG: np.array(corners)})
        self._label_m = scale * paper.LID_LABEL_M

    def read_lid(
        self, grey: Image, camera: geometry.CameraModel, table_from_camera: Pose
    ) -> StandingLid | None:
        """Return the lid in a picture; None if there is none or it doesn't stand upright."""
        to_table = geometry.mat_from_quat(table_from_camera.rotation)
        # If both poses are upright, the first one fits better.
        for rotation, position in self._tags.find_poses(grey, camera):
            x, y, middle_m = (to_table @ position + table_from_camera.position).tolist()
            right, up, _ = (to_table @ rotation).T
            if up[2] >= math.cos(_UPRIGHT_RAD) and _MIN_M < middle_m < _MAX_M:
                turn = geometry.quat_from_axis_angle((0.0, 0.0, 1.0), math.atan2(right[1], right[0]))
                return StandingLid(Pose((x, y, 0.0), turn), middle_m + self._label_m / 2.0)
        return None


#: A card on the table: seconds at rest, maximum motion and rotation meanwhile (less than in a hand), maximum tilt, and
#: minimum number of tags.
_STILL_S, _LYING_STILL_M, _STILL_RAD, _LEVEL_RAD, _TAGS = 1.0, 0.0006, math.radians(0.6), math.radians(4.0), 2
#: Maximum relative error of a print's size; if it seems larger, the card lies on something.
_MAX_PRINT_ERROR = 0.08
#: Minimum distance between the two places of measurement, metres, and maximum difference between the two results, mm.
_MIN_MOVE_M, _AGREE_MM = 0.05, 0.8


class PrintMeter:
    """Measures the size of one print; call ``add_sighting`` for every sighting of its card."""

    def __init__(self, assumed_scale: float = 1.0) -> None:
        """``assumed_scale``: scale of the print that the card tracker assumes."""
        self._assumed_scale = assumed_scale
        self._still_since: CardSighting | None = None
        self._previous: tuple[Pose, float] | None = None
        """The card's pose at the previous place, and the result there."""
        self.line_mm: float | None = None
        """Measured length of the kit's 100 mm line; None until the card has lain still in two places."""

    def add_sighting(self, sighting: CardSighting, table_from_camera: Pose) -> None:
        since = self._still_since
        pose = sighting.camera_from_card
        if since is None or not geometry.are_near(since.camera_from_card, pose, _LYING_STILL_M, _STILL_RAD):
            since = None
        if since is None or sighting.tags < _TAGS:
            self._still_since = sighting
            return
        if sighting.time_s - since.time_s < _STILL_S:
            return
        card_pose = geometry.pose_compose(table_from_camera, pose)
        up = geometry.mat_from_quat(table_from_camera.rotation)[2]
        depth_m = -float(up @ pose.position)
        is_level = abs(float(geometry.mat_from_quat(card_pose.rotation)[2, 2])) > math.cos(_LEVEL_RAD)
        relative_size = table_from_camera.position[2] / depth_m if depth_m > 0.0 else 0.0
        if not is_level or abs(relative_size - 1.0) > _MAX_PRINT_ERROR:
            return
        previous, line_mm = self._previous, 100.0 * self._assumed_scale * relative_size
        if previous is None or math.dist(previous[0].position[:2], card_pose.position[:2]) < _MIN_MOVE_M:
            self._previous = previous or (card_pose, line_mm)
            return
        self._previous = card_pose, line_mm
        if abs(previous[1] - line_mm) < _AGREE_MM:
            self.line_mm = (previous[1] + line_mm) / 2.0
