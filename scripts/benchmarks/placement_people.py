"""The people of the placement benchmark, a novice and a practised player, and the exact reference.

People compare the drawn ladder with its place in the picture and in the side view, and see where the plumb line ends.
Each comparison has a lasting error. The depth of places and rungs isn't drawn, so people misjudge it. Most constants
come from published measurements of perception and motion.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass

import numpy as np

from armoon.camera.profiles import CameraSeat
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
from armoon.view.aids import find_inset_px_per_m

#: Height of the picture on the screen: a window's initial height.
SHOWN_HEIGHT_PX = 720
#: Standard deviation of the short-term error of each drawn point, pixels, and its correlation time, seconds.
PASSING_PX, PASSING_S = 0.87, 0.5
#: Uncertainty of the pose of a ladder just taken from the lid: along the view, across it, and in rotation.
ALONG_M, ASIDE_M, ROTATED_RAD = 0.023, 0.006, math.radians(6.0)
#: Drift of the ladder relative to the felt motion of the hand, per square root of a second.
DRIFT_M, DRIFT_RAD = 0.005, math.radians(2.0)


@dataclass(frozen=True)
class PoseEstimate:
    """The estimated pose of a held ladder, table frame."""

    pose: Pose
    along_sigma_m: float
    """Standard deviation of the position along the view."""
    rotated_sigma_rad: float


class ExactEye:
    """Knows the true pose, as an upper bound for people."""

    late_s = 0.0

    def begin(self, pose: Pose) -> None: ...

    def look(self, pose: Pose, home_from_table: Pose, top_m: float) -> PoseEstimate:
        return PoseEstimate(pose, 0.0, 0.0)

    def move_estimate(self, moved: Vec3, rotated: Vec3) -> None: ...


def subtract(goal: Pose, pose: Pose) -> Array:
    """Return a pose relative to a goal: shift (3,) and rotation vector (3,), table frame."""
    turn = rotation_vector(quat_multiply(pose.rotation, quat_inverse(goal.rotation)))
    return np.array([*(p - g for p, g in zip(pose.position, goal.position, strict=True)), *turn])


def shift_goal(goal: Pose, x: Array) -> Pose:
    """Return the goal moved by a state (6,)."""
    return Pose(vec3(np.array(goal.position) + x[:3]), rotate_by(goal.rotation, vec3(x[3:])))


def rotate_by(rotation: Quat, by: Vec3) -> Quat:
    angle = math.hypot(*by)
    return quat(quat_multiply(quat_from_axis_angle(by, angle), rotation)) if angle > 1e-9 else rotation


#: Corrections per second: people who follow a target by hand correct about twice a second (Craik, Theory of the human
#: operator in control systems I, British J. of Psychology 38, 1947).
CORRECTIONS_HZ = 2.0
#: Time to notice and correct a miss: 190 to 260 ms (Keele and Posner, Processing of visual feedback in rapid movements,
#: J. of Experimental Psychology 77, 1968), drawn uniformly; and the latency of the picture.
LATENCY_S = (0.19, 0.26)
PICTURE_S = 0.05
#: Bits per second of a mouse, the best and the worst mean of nine studies (Soukoreff and MacKenzie, Towards a standard
#: for pointing device evaluation, Int. J. of Human-Computer Studies 61, 2004); a free hand takes twice as long as a
#: mouse (Bachmann, Weichert and Rinkenauer, Evaluation of the Leap Motion Controller, Sensors 15, 2015).
MOUSE_BITS_S = (4.9, 3.7)
FREE_HAND = 2.0
#: Seconds per key: for random letters, and for people new to the keyboard (Card, Moran and Newell, The
#: keystroke-level model, Communications of the ACM 23, 1980).
KEY_S, STRANGE_KEY_S = 0.5, 1.2
#: Share of wrong keys of skilled and novice typists (Grudin, Error patterns in novice and skilled transcription typing,
#: in Cognitive Aspects of Skilled Typewriting, 1983).
WRONG_KEYS = (0.01, 0.032)
#: Error in judging the depth of places and rungs, metres; an assumption, because no figure has been published.
MISREAD_M = (0.005, 0.010)
#: Standard deviation of the lasting error of each drawn end, in addition to the common error, pixels.
SHAPE_PX = 1.0
#: Band of the arm's slow drift, Hz.
ARM_DRIFT_HZ = (0.05, 0.3)


@dataclass(frozen=True)
class Person:
    """A person's perception and motion; ranges where these vary between trials."""

    name: str
    lasting_px: float
    """The error common to all comparisons in one view (one standard deviation)."""
    arm_drift_m: float
    """Standard deviation along each axis."""
    free_depth_m: tuple[float, float]
    """Depth error of the closing hand relative to the ladder."""
    slope_s_bit: float
    """Fitts' slope of a correction."""
    key_s: float
    wrong_keys: float
    lid_misread_rad: float
    """Error in judging the wanted attitude of a ladder in the lid (one standard deviation per axis)."""


NOVICE = Person(
    "novice",
    3.0,
    0.003,
    (0.03, 0.10),
    FREE_HAND / MOUSE_BITS_S[1],
    STRANGE_KEY_S,
    WRONG_KEYS[1],
    math.radians(6.0),
)
PRACTISED = Person(
    "practised",
    2.0,
    0.002,
    (0.03, 0.06),
    FREE_HAND / MOUSE_BITS_S[0],
    KEY_S,
    WRONG_KEYS[0],
    math.radians(3.0),
)
PEOPLE = {person.name: person for person in (NOVICE, PRACTISED)}


@dataclass(frozen=True)
class HandStyle:
    """How a hand moves and presses in one trial; the defaults are a steady hand."""

    free_depth_m: float = 0.0
    gain_per_s: float | None = None
    key_s: float | None = None
    wrong_keys: float = 0.0
    lid_misread: Vec3 = (0.0, 0.0, 0.0)
    """Rotation vector, table frame."""
    seed: int = 0
    """Seed of the mistyped keys."""


#: Settings of the exact reference.
STEADY = HandStyle()


def make_style(person: Person, seed: int) -> HandStyle:
    rng = np.random.default_rng([seed, 83])
    depth_m = rng.choice((-1.0, 1.0)) * rng.uniform(*person.free_depth_m)
    # Halving the distance takes ln 2 / gain seconds and is worth one bit.
    return HandStyle(
        float(depth_m),
        math.log(2.0) / person.slope_s_bit,
        person.key_s,
        person.wrong_keys,
        vec3(rng.normal(0.0, person.lid_misread_rad, 3)),
        seed,
    )


@dataclass(frozen=True)
class _Look:
    """Measurements of the drawn objects at one moment."""

    misses: Array
    """(n,) measured pixel errors of the held ladder's drawn parts."""
    means: Array
    """(n, 6) known derivatives of ``misses`` with respect to shift and rotation, per metre and radian (table frame)."""
    spread: Array
    """(n, n) covariance of such measurements."""


class PersonEye:
    """Compares the drawn ladder with its place, twice a second."""

    def __init__(
        self,
        person: Person,
        seat: CameraSeat,
        ladder: Ladder,
        goal: Pose,
        dt_s: float,
        rng: np.random.Generator,
    ) -> None:
        """``goal``: the ladder's wanted pose, table frame."""
        self.late_s = float(rng.uniform(*LATENCY_S)) + PICTURE_S
        """Delay from a picture to the hand's reaction, in seconds."""
        self._person, self._seat, self._goal, self._dt_s, self._rng = person, seat, goal, dt_s, rng
        self._ends = tuple(point for rail in ladder.rails for point in (rail[0], rail[-1]))
        self._misread_m = float(rng.choice((-1.0, 1.0)) * rng.uniform(*MISREAD_M))
        self._scale = SHOWN_HEIGHT_PX / seat.camera.height
        matrix = np.asarray(mat_from_quat(seat.table_from_camera.rotation))
        self._across, self._view = matrix[:, :2].T, matrix[:, 2]
        # The scale above the middle of the table; people soon get used to it.
        middle_m = float(np.linalg.norm(seat.table_from_camera.position))
        self._px_m = self._scale * seat.camera.fx / middle_m
        late = max(1, round(self.late_s / dt_s))
        self._looks: deque[_Look] = deque(maxlen=late + 1)
        self._moves: deque[Array] = deque(maxlen=late)
        self._x: Array = np.zeros(6)
        self._sigma: Array = np.eye(6)
        self._prior: Array = np.zeros(6)
        self._cov: Array = np.eye(6)
        self._lasting: Array = np.zeros(0)
        self._passing: Array = np.zeros(0)
        self._seen_from: Pose | None = None
        self._wait_s = 0.0

    def begin(self, pose: Pose) -> None:
        along = np.outer(self._view, self._view)
        self._cov = np.zeros((6, 6))
        self._cov[:3, :3] = np.eye(3) * ASIDE_M**2 + along * (ALONG_M**2 - ASIDE_M**2)
        self._cov[3:, 3:] = np.eye(3) * ROTATED_RAD**2
        self._prior = subtract(self._goal, pose) + self._rng.multivariate_normal(np.zeros(6), self._cov)
        self._prior[:3] += self._misread_m * self._view
        self._x, self._sigma = self._prior.copy(), self._cov.copy()
        self._looks.clear()
        self._moves.clear()
        self._wait_s = 0.0

    def look(self, pose: Pose, home_from_table: Pose, top_m: float) -> PoseEstimate:
        """Return the last estimate from the picture, updated by the hand's motion since; ``pose``: table frame."""
        if self._seen_from is not None and self._seen_from != home_from_table:
            # From another side the errors are new, so start again from the previous estimate.
            self._prior, self._cov = self._x.copy(), self._sigma.copy()
            self._looks.clear()
            self._lasting = np.zeros(0)
        self._seen_from = home_from_table
        self._cov += np.diag([DRIFT_M**2] * 3 + [DRIFT_RAD**2] * 3) * self._dt_s
        self._looks.append(self._observe(pose, home_from_table, top_m))
        self._wait_s -= self._dt_s
        if len(self._looks) == self._looks.maxlen and self._wait_s <= 0.0:
            self._wait_s = 1.0 / CORRECTIONS_HZ
            self._update_estimate(self._looks[0])
        back = np.asarray(mat_from_quat(home_from_table.rotation)).T
        along = back @ self._view
        sigma_m = math.sqrt(float(along @ self._sigma[:3, :3] @ along))
        sigma_rad = math.sqrt(float(np.trace(self._sigma[3:, 3:])) / 3.0)
        return PoseEstimate(shift_goal(self._goal, self._x), sigma_m, sigma_rad)

    def move_estimate(self, moved: Vec3, rotated: Vec3) -> None:
        """Update the estimate at once by the hand's motion and rotation vector, both table frame."""
        move = np.array([*moved, *rotated])
        self._moves.append(move)
        self._x = self._x + move
        self._prior = self._prior + move

    def _observe(self, pose: Pose, home_from_table: Pose, top_m: float) -> _Look:
        home_pose, home_goal = pose_compose(home_from_table, pose), pose_compose(home_from_table, self._goal)
        ends = [pose_apply(home_pose, end) for end in self._ends]
        goals = [pose_apply(home_goal, end) for end in self._ends]
        arms = np.array([quat_rotate(home_goal.rotation, end) for end in self._ends])
        shifts = np.array([np.hstack([np.eye(3), np.cross(arm, np.eye(3))]) for arm in arms])
        common = self._person.lasting_px
        misses = [self._project(ends) - self._project(goals)]
        means = [(self._px_m * self._across @ shifts).reshape(-1, 6)]
        spreads = [_make_covariance(len(ends), common)]
        # The side view.
        per_metre = find_inset_px_per_m(SHOWN_HEIGHT_PX, top_m, home_pose.position[2])
        misses.append(per_metre * (np.array(ends) - np.array(goals))[:, 1:].ravel())
        means.append((per_metre * shifts[:, 1:]).reshape(-1, 6))
        spreads.append(_make_covariance(len(ends), common))
        # The foot of the plumb line. The foot below the place isn't drawn, so people estimate it from the place.
        level = np.diag([1.0, 1.0, 0.0])
        believed = np.array(home_goal.position) + self._misread_m * self._view
        feet = [vec3(level @ np.array(home_pose.position)), vec3(level @ believed)]
        misses.append(self._project(feet[:1]) - self._project(feet[1:]))
        means.append(self._px_m * self._across @ np.hstack([level, np.zeros((3, 3))]))
        deep = self._px_m * self._across @ level @ self._view * (sum(MISREAD_M) / 2.0)
        spreads.append(_make_covariance(1, common) + np.outer(deep, deep))
        read = np.concatenate(misses)
        turn = np.kron(np.eye(2), np.asarray(mat_from_quat(home_from_table.rotation)))
        spread = _make_diagonal(spreads)
        return _Look(read + self._add_error(spread), np.concatenate(means) @ turn, spread)

    def _project(self, points: list[Vec3]) -> Array:
        pixels = project_table_points(self._seat.camera, self._seat.table_from_camera, points)
        return self._scale * np.asarray(pixels).ravel()

    def _add_error(self, spread: Array) -> Array:
        count = len(spread)
        if len(self._lasting) != count:
            sizes = [(len(self._ends), 2), (len(self._ends), 2), (1, 2)]
            self._lasting = np.concatenate(
                [
                    (
                        self._rng.normal(0.0, self._person.lasting_px, 2)
                        + self._rng.normal(0.0, SHAPE_PX, size)
                    ).ravel()
                    for size in sizes
                ]
            )
            self._passing = self._rng.normal(0.0, PASSING_PX, count)
        keep = math.exp(-self._dt_s / PASSING_S)
        noise = self._rng.normal(0.0, PASSING_PX, count)
        self._passing = keep * self._passing + math.sqrt(1.0 - keep * keep) * noise
        return self._lasting + self._passing

    def _update_estimate(self, look: _Look) -> None:
        since = sum(self._moves, np.zeros(6))
        weight = np.linalg.solve(look.spread, look.means).T
        info = np.linalg.inv(self._cov)
        self._sigma = np.linalg.inv(weight @ look.means + info)
        self._x = self._sigma @ (weight @ look.misses + info @ (self._prior - since)) + since


#: Observes the held ladder once per frame.
Eye = ExactEye | PersonEye


def _make_covariance(points: int, common_px: float) -> Array:
    """Return the covariance (2 points, 2 points), px², of points with a common error and individual errors."""
    own = SHAPE_PX**2 + PASSING_PX**2
    return np.asarray(np.kron(np.full((points, points), common_px**2), np.eye(2)) + own * np.eye(2 * points))


def _make_diagonal(parts: list[Array]) -> Array:
    size = sum(len(part) for part in parts)
    matrix, start = np.zeros((size, size)), 0
    for part in parts:
        matrix[start : start + len(part), start : start + len(part)] = part
        start += len(part)
    return matrix
