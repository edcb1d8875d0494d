"""Finds heads in camera pictures with mediapipe's face mesh, and lets players point with their heads.

Turning the head moves a pointer; opening the mouth, smiling or dwelling confirms, and an open mouth stops the pointer.
"Straight ahead" is the pose of a head that is still for a second, or the median pose of a restless head.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

import cv2
import numpy as np

from armoon.camera.sources import Image
from armoon.errors import TrackerError
from armoon.hands.filters import OneEuro, PointFilter
from armoon.hands.model import REMEDY, ModelPart, find_package_folder, load_mediapipe, read_checked_part
from armoon.processes.system import silence_native_log
from armoon.values.choices import HeadConfirm, HeadKind
from armoon.values.poses import Vec2, Vec3

MESH_POINTS = 468
#: Indices of the mesh's points; left and right as in the picture.
_LEFT_TEMPLE, _RIGHT_TEMPLE = 127, 356
#: The outer corners of the eyes.
_LEFT_CORNER, _RIGHT_CORNER = 33, 263
#: Points above the jaw, so that an open mouth doesn't look like a raised or lowered head.
_FOREHEAD, _NOSE_BASE = 10, 2
_UPPER_LIP, _LOWER_LIP = 13, 14
_MOUTH_LEFT, _MOUTH_RIGHT = 61, 291
#: Minimum width of a face that can be tracked, as a fraction of the picture's width.
MIN_WIDTH = 0.03


@dataclass(frozen=True)
class Head:
    place: Vec2
    """Centre between the eyes, in fractions of the picture's width and height from its upper left corner."""
    width: float
    """Distance between the temples, as a fraction of the picture's width."""
    yaw_deg: float
    """Rotation towards the right of the picture."""
    pitch_deg: float
    """Rotation upwards, with an unknown constant offset for each person."""
    mouth: float
    """Gap between the lips, divided by the distance between the outer corners of the eyes: up to 0.06 if closed."""
    smile: float
    """Width of the mouth, divided by the same distance."""


@dataclass(frozen=True)
class Heads:
    time_s: float
    frame_index: int
    heads: tuple[Head, ...] = ()
    """The nearest head first."""


def measure_head(points: Sequence[Vec3], size: tuple[int, int]) -> Head | None:
    """Return the head with these 468 points, in pixels, in a picture of this size; None if they can't be a face."""
    if len(points) < MESH_POINTS or not all(math.isfinite(v) for point in points for v in point):
        return None
    left, right = points[_LEFT_CORNER], points[_RIGHT_CORNER]
    eye_distance = math.dist(left, right)
    width = math.dist(points[_LEFT_TEMPLE], points[_RIGHT_TEMPLE]) / max(1, size[0])
    if eye_distance <= 0.0 or not MIN_WIDTH <= width <= 1.0:
        return None
    roll = math.atan2(right[1] - left[1], right[0] - left[0])
    temples = _undo_roll(points[_LEFT_TEMPLE], points[_RIGHT_TEMPLE], roll)
    corners = _undo_roll(left, right, roll)
    down = _undo_roll(points[_FOREHEAD], points[_NOSE_BASE], roll)
    if corners[0] <= 0.0:
        return None
    yaw = math.atan2(temples[2] + corners[2] * temples[0] / corners[0], 2.0 * temples[0])
    return Head(
        (_find_middle(left[0], right[0], size[0]), _find_middle(left[1], right[1], size[1])),
        width,
        math.degrees(yaw),
        -math.degrees(math.atan2(down[2], down[1])),
        math.dist(points[_UPPER_LIP], points[_LOWER_LIP]) / eye_distance,
        math.dist(points[_MOUTH_LEFT], points[_MOUTH_RIGHT]) / eye_distance,
    )


def _find_middle(start_px: float, end_px: float, size_px: int) -> float:
    return ((start_px + end_px) / 2.0 + 0.5) / max(1, size_px)


def _undo_roll(start: Vec3, end: Vec3, roll: float) -> Vec3:
    across, along, depth = (b - a for a, b in zip(start, end, strict=True))
    cos, sin = math.cos(roll), math.sin(roll)
    return (cos * across + sin * along, cos * along - sin * across, depth)


#: Additional dead zone for pitch, which is noisier than yaw.
PITCH_DEAD_DEG = 1.0
#: Range of pitch relative to that of yaw, because heads turn less far up and down than sideways.
PITCH_REACH = 0.8
#: Pointer speed in stick mode at the dead zone's edge and at full rotation, in fractions of the window per second.
MIN_SPEED: Vec2 = (0.03, 0.05)
MAX_SPEED: Vec2 = (0.55, 0.80)
#: Exponent of the speed in between; it leaves most of the rotation for fine steps.
SPEED_EXPONENT = 1.6
#: Filter of the position in pointer mode, in fractions of the window; a still head varies by 0.3 of 15 degrees.
PLACE_FILTER = OneEuro(min_cutoff_hz=0.8, beta=6.0, speed_cutoff_hz=2.0)
#: Seconds for which a mouth must be open or smile to confirm; 22 s of speech never confirmed.
HOLD_S = {HeadConfirm.MOUTH: 0.3, HeadConfirm.SMILE: 0.5}
#: Period of the median that estimates a mouth's width at rest; duration after which a smile counts as rest.
MOUTH_WINDOW_S, MAX_SMILE_S = 20.0, 4.0
#: Fractions of the threshold below which an open mouth or a smile ends; a smile widens a mouth only a little.
END_RATIO = {HeadConfirm.MOUTH: 0.8, HeadConfirm.SMILE: 0.92}
#: A head that turns by at most ``STILL_DEG`` within ``STILL_S`` looks straight ahead; for restless heads (three of
#: eight people), straight ahead is the median of ``RESTLESS_S``.
STILL_S, STILL_DEG, RESTLESS_S = 1.0, 3.0, 3.0
#: Time constant with which "straight ahead" follows a head within the dead zone, in seconds.
FOLLOW_S = 12.0
#: Seconds without a head until pointing stops, until another head can take over, and until "straight ahead" is reset.
MAX_GAP_S, LOST_S, RECENTRE_S = 0.3, 1.0, 3.0
#: Maximum motion of a head between frames, across and down, in units of its width.
MAX_JUMP: Vec2 = (0.8, 1.6)
#: Maximum time that a frame adds, in seconds.
MAX_STEP_S = 0.2


@dataclass(frozen=True)
class HeadSettings:
    """A player's settings for pointing with the head."""

    kind: HeadKind = HeadKind.STICK
    confirm: HeadConfirm = HeadConfirm.MOUTH
    dead_deg: float = 4.0
    """Maximum rotation of a head that looks straight ahead."""
    reach_deg: float = 15.0
    """Rotation at which the pointer reaches its full speed or the window's edge."""
    mouth: float = 0.22
    """Minimum ``Head.mouth`` of an open mouth."""
    smile: float = 1.19
    """Minimum width of a smiling mouth relative to its width at rest."""
    dwell_s: float = 0.8
    """Dwell time that presses a widget, in seconds."""
    patience: float = 1.0
    """Factor of the times in ``HOLD_S``."""


@dataclass(frozen=True)
class HeadPointing:
    """A head's actions in a frame."""

    place: Vec2
    """Pointer in fractions of the window's width and height from its upper left corner, as seen by the player."""
    dwell_added_s: float = 0.0
    """Seconds that this frame adds to the dwell of ``dwell_s``; an open mouth or a smile adds more."""
    confirmed: bool = False
    """Whether an open mouth or a smile has just lasted long enough."""
    ended: bool = False
    """Whether the confirmation has just ended; another one can follow on the same widget."""


@dataclass
class _Confirmation:
    """The state of a mouth that opens or smiles to confirm."""

    is_armed: bool = False
    """Whether the mouth was at rest before; a mouth that is open from the start doesn't confirm."""
    is_active: bool = False
    held_s: float = 0.0


class HeadPointer:
    """Points with a head; call ``add_heads`` once per frame."""

    def __init__(self, settings: HeadSettings) -> None:
        self.settings = settings
        self._place: Vec2 = (0.5, 0.5)
        self._head: Head | None = None
        self._time_s = self._seen_s = -math.inf
        self._straight_ahead: Vec2 | None = None
        """Yaw and pitch of the head when it looks straight ahead, in degrees."""
        self._recent_heads: list[tuple[float, Head]] = []
        """Times and heads, collected until "straight ahead" is known."""
        self._confirmation = _Confirmation()
        self._mouth_widths: deque[tuple[float, float]] = deque()
        """Times and widths of the mouth."""
        self._place_filter = PointFilter(PLACE_FILTER)

    @property
    def problem_key(self) -> str:
        """Key of the message that explains why pointing doesn't work; empty if it works."""
        if self._time_s - self._seen_s > LOST_S:
            return "head.nobody"
        return "head.straight" if self._straight_ahead is None else ""

    def add_heads(self, heads: Heads) -> HeadPointing | None:
        time_s = heads.time_s
        if not math.isfinite(time_s) or time_s <= self._time_s:
            return None
        step_s = min(time_s - self._time_s, MAX_STEP_S)
        self._time_s = time_s
        head = self._choose_head(heads)
        if head is None:
            if time_s - self._seen_s > MAX_GAP_S:
                self._confirmation = _Confirmation()
                return None
            # Keep the last position for a moment, without adding to the dwell time.
            return None if self._straight_ahead is None else HeadPointing(self._place)
        self._head, self._seen_s = head, time_s
        ratio = self._measure_confirm_ratio(head, time_s)
        self._confirmation.is_armed |= ratio < END_RATIO.get(self.settings.confirm, 0.0)
        if self._straight_ahead is None:
            self._straight_ahead = self._find_straight(head, time_s)
        if self._straight_ahead is None:
            return None
        dwell_added_s, confirmed, ended = self._update_confirmation(ratio, step_s)
        if not self._confirmation.is_active:
            self._move_pointer(self._straight_ahead, head, time_s, step_s)
        return HeadPointing(self._place, dwell_added_s, confirmed, ended)

    def _choose_head(self, heads: Heads) -> Head | None:
        missing_s = self._time_s - self._seen_s
        if self._head is not None and missing_s <= LOST_S:
            known = self._head
            near = (head for head in heads.heads if _is_same_head(known, head))
            return min(near, key=lambda head: math.dist(head.place, known.place), default=None)
        if heads.heads and missing_s > LOST_S:
            last = self._head if missing_s <= RECENTRE_S else None
            is_same = last is not None and _is_same_head(last, heads.heads[0])
            if not is_same:
                self._straight_ahead = None
                self._recent_heads.clear()
                self._mouth_widths.clear()
            self._confirmation = _Confirmation()
            self._place_filter = PointFilter(PLACE_FILTER)
            return heads.heads[0]
        return None

    def _find_straight(self, head: Head, time_s: float) -> Vec2 | None:
        heads = self._recent_heads
        heads.append((time_s, head))
        while len(heads) > 1 and time_s - heads[1][0] >= RESTLESS_S:
            heads.pop(0)
        if time_s - heads[0][0] < STILL_S:
            return None
        recent = [head for at_s, head in heads if time_s - at_s <= STILL_S]
        angles = [(head.yaw_deg, head.pitch_deg) for head in recent]
        if max(max(axis) - min(axis) for axis in zip(*angles, strict=True)) > STILL_DEG:
            if time_s - heads[0][0] < RESTLESS_S:
                return None
            angles = [(head.yaw_deg, head.pitch_deg) for _, head in heads]
        heads.clear()
        yaw_deg, pitch_deg = map(median, zip(*angles, strict=True))
        return yaw_deg, pitch_deg

    def _measure_confirm_ratio(self, head: Head, time_s: float) -> float:
        """Return the opening of the mouth, or the width of the smile, divided by its threshold."""
        if self.settings.confirm is not HeadConfirm.SMILE:
            return head.mouth / self.settings.mouth
        if not self._confirmation.is_active or self._confirmation.held_s > MAX_SMILE_S:
            self._mouth_widths.append((time_s, head.smile))
        while time_s - self._mouth_widths[0][0] > MOUTH_WINDOW_S and len(self._mouth_widths) > 1:
            self._mouth_widths.popleft()
        if head.mouth > self.settings.mouth:
            return 0.0  # turned aside, an open mouth looks as wide as a smile
        return head.smile / (self.settings.smile * median(width for _, width in self._mouth_widths))

    def _update_confirmation(self, ratio: float, step_s: float) -> tuple[float, bool, bool]:
        """Return the seconds to add to the dwell time, whether it is now complete, and whether confirming ended."""
        confirm, state = self.settings.confirm, self._confirmation
        if confirm is HeadConfirm.DWELL:
            return step_s, False, False
        if state.is_active:
            if ratio < END_RATIO[confirm]:
                state.is_active, state.held_s = False, 0.0
                return 0.0, False, True
            before_s, hold_s = state.held_s, HOLD_S[confirm] * self.settings.patience
            state.held_s += step_s
            added_s = max(0.0, min(state.held_s, hold_s) - before_s)
            is_confirmed = before_s < hold_s <= state.held_s
            # Slightly more, because the sum of the rounded parts must reach the full dwell time.
            return added_s / hold_s * self.settings.dwell_s * 1.001, is_confirmed, False
        state.is_active = state.is_armed and ratio >= 1.0
        return 0.0, False, False

    def _move_pointer(self, straight: Vec2, head: Head, time_s: float, step_s: float) -> None:
        dead_deg, reach_deg = self.settings.dead_deg, self.settings.reach_deg
        # The head's rotation towards the player's right and up.
        right, up = straight[0] - head.yaw_deg, head.pitch_deg - straight[1]
        dead = (dead_deg, dead_deg + PITCH_DEAD_DEG)
        reach = (max(reach_deg, dead[0] + 1.0), max(reach_deg * PITCH_REACH, dead[1] + 1.0))
        if abs(right) < dead[0] and abs(up) < dead[1]:
            share = step_s / FOLLOW_S
            self._straight_ahead = (straight[0] - right * share, straight[1] + up * share)
        angles = (right, -up)
        if self.settings.kind is HeadKind.POINTER:
            place = tuple([0.5 + 0.5 * angles[k] / reach[k] for k in range(2)])
            x, y = self._place_filter.add_value(time_s, place)
        else:
            x, y = (
                self._place[k]
                + _compute_speed(angles[k], dead[k], reach[k], MIN_SPEED[k], MAX_SPEED[k]) * step_s
                for k in range(2)
            )
        self._place = (min(1.0, max(0.0, x)), min(1.0, max(0.0, y)))


def _compute_speed(angle_deg: float, dead_deg: float, reach_deg: float, slow: float, fast: float) -> float:
    over_deg = abs(angle_deg) - dead_deg
    if over_deg <= 0.0:
        return 0.0
    speed = min(1.0, over_deg / (reach_deg - dead_deg)) ** SPEED_EXPONENT
    return math.copysign(slow + (fast - slow) * speed, angle_deg)


def _is_same_head(known: Head, head: Head) -> bool:
    return all(
        abs(b - a) < far * known.width for a, b, far in zip(known.place, head.place, MAX_JUMP, strict=True)
    )


#: Files of the face mesh in mediapipe 0.10.21, without its attention network.
MODEL_PARTS = (
    ModelPart(
        "graph",
        "modules/face_landmark/face_landmark_front_cpu.binarypb",
        "fa3c092da27d031d54ddd61a29b0e3dd521d53f55fa8898cb0f2b64d79cd6573",
    ),
    ModelPart(
        "detector",
        "modules/face_detection/face_detection_short_range.tflite",
        "bbff11cebd1eb27a1e004cae0b0e63ec8c551cbf34a4451148b4908b8db3eca8",
    ),
    ModelPart(
        "landmarks",
        "modules/face_landmark/face_landmark.tflite",
        "1055cb9d4a9ca8b8c688902a3a5194311138ba256bcc94e336d8373a5f30c814",
    ),
)
#: Maximum number of faces: the player and people nearby.
MAX_FACES = 2
#: Minimum confidence of detection and tracking: mediapipe's default.
CONFIDENCE = 0.5


class FaceTracker:
    """Detects and tracks heads; to be used from a single thread."""

    def __init__(self) -> None:
        """Load the networks, which takes about 2 s. Raises TrackerError if mediapipe or its model can't be used."""
        folder = find_package_folder("face")
        for part in MODEL_PARTS:
            read_checked_part(folder, part, "face")
        with silence_native_log():
            self._mesh = _create_mesh()
            # The first run builds the networks, writes to the log and is the slowest, so it is done before the game.
            self._mesh.process(np.zeros((64, 64, 3), dtype=np.uint8))

    def track(self, image_bgr: Image, time_s: float, frame_index: int) -> Heads:
        """Return the heads in a BGR picture (h, w, 3). Raises TrackerError if mediapipe fails."""
        height, width = image_bgr.shape[:2]
        picture = cv2.cvtColor(image_bgr, cv2.COLOR_BGR2RGB)
        picture.flags.writeable = False  # otherwise mediapipe copies it
        try:
            faces = self._mesh.process(picture).multi_face_landmarks or ()
        except (RuntimeError, ValueError) as error:
            raise TrackerError(
                "fault.tracker.face.failed", remedy="fault.remedy.restart", why=error
            ) from error
        heads: list[Head] = []
        for face in faces:
            # The mesh's origin is the picture's corner, ours is the centre of the first pixel.
            points = [(p.x * width - 0.5, p.y * height - 0.5, p.z * width) for p in face.landmark]
            head = measure_head(points, (width, height))
            heads += [] if head is None else [head]
        heads.sort(key=lambda head: -head.width)
        return Heads(time_s, frame_index, tuple(heads))

    def close(self) -> None:
        self._mesh.close()


def _create_mesh() -> Any:
    mediapipe = load_mediapipe("face")
    try:
        return mediapipe.solutions.face_mesh.FaceMesh(
            max_num_faces=MAX_FACES, min_detection_confidence=CONFIDENCE, min_tracking_confidence=CONFIDENCE
        )
    except (RuntimeError, ValueError) as error:
        raise TrackerError("fault.tracker.face.start", remedy=REMEDY, why=error) from error
