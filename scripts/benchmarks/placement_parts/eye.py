"""What the benchmark's player sees of the ladder in its hand: the truth, or what the screen shows of it.

The honest eye is told where drawn things are in the picture, with the error and the delay of a person, and nothing
in three dimensions: the ends of the ladder's rails, the foot of its drop line, the side view. What it makes of them is
what anybody could make at best (a Kalman filter over the ladder's pose); how it has moved its own hand it feels.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from armoon.camera.seat import Seat
from armoon.geometry import (
    Array,
    mat_from_quat,
    pose_apply,
    pose_compose,
    project_table_points,
    quat,
    quat_from_axis_angle,
    quat_inverse,
    quat_multiply,
    quat_rotate,
    rotation_vector,
    vec3,
)
from armoon.values.pieces import Ladder
from armoon.values.poses import Pose, Quat, Vec3
from armoon.view.marks.inset import inset_per_metre

#: The picture is shown so large: a window's first size.
SHOWN_HEIGHT_PX = 720
#: Each drawn point is misread by so much of a pixel: for good as long as it is looked at so, and for about so long.
LASTING_PX, PASSING_PX, PASSING_S = 0.5, 0.87, 0.5
#: Visual latency of the simulated player, in seconds.
LATE_S = 0.25
#: What is known of a ladder that was just taken from the lid: along the view, otherwise, and how it is rotated.
ALONG_M, ASIDE_M, ROTATED_RAD = 0.023, 0.006, math.radians(6.0)
#: The ladder's own way beside what the hand is felt to do, per root second.
DRIFT_M, DRIFT_RAD = 0.005, math.radians(2.0)
#: For differences.
_STEP = 1e-4


@dataclass(frozen=True)
class Seen:
    """A held ladder as it is taken to be, table frame."""

    pose: Pose
    along_sigma_m: float
    """How far it may be from there along the view (one standard deviation)."""
    rotated_sigma_rad: float


class Eye(Protocol):
    """Looks at the held ladder once for every frame."""

    def begin(self, pose: Pose) -> None:
        """Begin with the ladder just taken."""

    def look(self, pose: Pose, home_from_table: Pose, top_m: float) -> Seen:
        """Return the next frame, of the ladder at its true pose in the table frame.

        ``top_m`` is what stands highest.
        """

    def felt(self, moved: Vec3, rotated: Vec3) -> None:
        """Feel the hand's move and turn since, which the ladder should have followed.

        Rotation vector, both table frame.
        """


class ExactEye:
    """Reads the truth: an upper bound beside the honest one."""

    late_s = 0.0

    def begin(self, pose: Pose) -> None:
        """Nothing is to be remembered."""

    def look(self, pose: Pose, home_from_table: Pose, top_m: float) -> Seen:
        """As it is."""
        return Seen(pose, 0.0, 0.0)

    def felt(self, moved: Vec3, rotated: Vec3) -> None:
        """See the result of that."""


class ScreenEye:
    """Reads the picture."""

    late_s = LATE_S

    def __init__(
        self, seat: Seat, ladder: Ladder, goal: Pose, without: str, dt_s: float, rng: np.random.Generator
    ) -> None:
        """``goal``: where it is to go, table frame; ``without``: a help that isn't there."""
        self._seat, self._goal, self._dt_s, self._rng = seat, goal, dt_s, rng
        self._ends = tuple(point for rail in ladder.rails for point in (rail[0], rail[-1]))
        self._inset, self._drop = without != "inset", without != "drop_line"
        self._late = max(1, round(LATE_S / dt_s))
        self._scale = SHOWN_HEIGHT_PX / seat.camera.height
        self._looks: deque[tuple[Array, Pose, float]] = deque()
        self._moves: deque[Array] = deque()
        self._x: Array = np.zeros(6)
        self._p: Array = np.eye(6)
        self._lasting: Array = np.zeros(0)
        self._passing: Array = np.zeros(0)
        self._seen_from: Pose | None = None

    def begin(self, pose: Pose) -> None:
        """Begin with the ladder just taken: near the lid, at an unknown depth."""
        view = view_of(self._seat)
        spread = np.eye(3) * ASIDE_M**2 + np.outer(view, view) * (ALONG_M**2 - ASIDE_M**2)
        self._p = np.zeros((6, 6))
        self._p[:3, :3], self._p[3:, 3:] = spread, np.eye(3) * ROTATED_RAD**2
        self._x = offset(self._goal, pose) + self._rng.multivariate_normal(np.zeros(6), self._p)
        self._looks.clear()
        self._moves.clear()

    def look(self, pose: Pose, home_from_table: Pose, top_m: float) -> Seen:
        """Return what was shown a quarter of a second ago, and the hand's moves since."""
        per_metre = inset_per_metre(SHOWN_HEIGHT_PX, top_m, pose_compose(home_from_table, pose).position[2])
        shown = self._shown(pose, home_from_table, per_metre)
        self._looks.append((shown + self._misread(len(shown), home_from_table), home_from_table, per_metre))
        if len(self._looks) > self._late:
            moved = self._moves.popleft() if len(self._moves) >= self._late else np.zeros(6)
            self._believe(*self._looks.popleft(), moved)
        now = self._x + sum(self._moves, np.zeros(6))
        along = np.array(quat_rotate(quat_inverse(home_from_table.rotation), vec3(view_of(self._seat))))
        sigma_m = math.sqrt(max(0.0, float(along @ self._p[:3, :3] @ along)))
        sigma_rad = math.sqrt(max(0.0, float(np.trace(self._p[3:, 3:])) / 3.0))
        return Seen(shifted(self._goal, now), sigma_m, sigma_rad)

    def felt(self, moved: Vec3, rotated: Vec3) -> None:
        """Feel at once what the hand does."""
        self._moves.append(np.array([*moved, *rotated]))

    def _shown(self, pose: Pose, home_from_table: Pose, per_metre: float) -> Array:
        """Where drawn things are, pixels of the shown picture (n,)."""
        at_home = pose_compose(home_from_table, pose)
        ends = [pose_apply(at_home, end) for end in self._ends]
        foot = (at_home.position[0], at_home.position[1], 0.0)
        points = [*ends, foot] if self._drop else ends
        main = project_table_points(self._seat.camera, self._seat.table_from_camera, points)
        found = [self._scale * np.asarray(main).ravel()]
        if self._inset:
            found.append(per_metre * np.array([value for end in ends for value in (end[1], end[2])]))
        return np.concatenate(found)

    def _misread(self, count: int, home_from_table: Pose) -> Array:
        if self._seen_from != home_from_table or len(self._lasting) != count:
            # Another view is misread anew.
            self._seen_from = home_from_table
            self._lasting = self._rng.normal(0.0, LASTING_PX, count)
            self._passing = self._rng.normal(0.0, PASSING_PX, count)
        keep = math.exp(-self._dt_s / PASSING_S)
        fresh = self._rng.normal(0.0, PASSING_PX, count)
        self._passing = keep * self._passing + math.sqrt(1.0 - keep * keep) * fresh
        return self._lasting + self._passing

    def _believe(self, shown: Array, home_from_table: Pose, per_metre: float, moved: Array) -> None:
        self._x = self._x + moved
        self._p = self._p + np.diag([DRIFT_M**2] * 3 + [DRIFT_RAD**2] * 3) * self._dt_s

        def expected(x: Array) -> Array:
            return self._shown(shifted(self._goal, x), home_from_table, per_metre)

        here = expected(self._x)
        h = np.column_stack([(expected(self._x + step) - here) / _STEP for step in _STEP * np.eye(6)])
        # The error of a frame is much that of the frame before: this many frames count as one.
        r = np.eye(len(here)) * (LASTING_PX**2 + PASSING_PX**2 * max(1.0, 2.0 * PASSING_S / self._dt_s))
        s = h @ self._p @ h.T + r
        k = np.linalg.solve(s, h @ self._p).T
        self._x = self._x + k @ (shown - here)
        self._p = (np.eye(6) - k @ h) @ self._p


def view_of(seat: Seat) -> Array:
    """Return the unit vector (3,) along the camera's axis, at home."""
    return np.asarray(mat_from_quat(seat.table_from_camera.rotation)[:, 2])


def offset(goal: Pose, pose: Pose) -> Array:
    """Return a pose against a goal: shift (3,) and rotation vector (3,), table frame."""
    turn = rotation_vector(quat_multiply(pose.rotation, quat_inverse(goal.rotation)))
    return np.array([*(p - g for p, g in zip(pose.position, goal.position, strict=True)), *turn])


def shifted(goal: Pose, x: Array) -> Pose:
    """Return the goal moved by a state (6,)."""
    return Pose(vec3(np.array(goal.position) + x[:3]), turned(goal.rotation, vec3(x[3:])))


def turned(rotation: Quat, by: Vec3) -> Quat:
    """Return a rotation turned by a rotation vector."""
    angle = math.hypot(*by)
    return quat(quat_multiply(quat_from_axis_angle(by, angle), rotation)) if angle > 1e-9 else rotation
