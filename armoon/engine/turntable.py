"""The turntable turns base and structure about a vertical axis, as if the players walked round the table.

Only the view changes, not the simulation. The structure uses the table frame, which turns; hands, devices and pictures
use the *home* frame, which is the table frame before any turn.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from armoon.clock import TICK_S
from armoon.geometry import pose_apply, pose_compose, pose_inverse, quat_from_axis_angle, quat_rotate
from armoon.values.pieces import GripIntent, GripPhase
from armoon.values.poses import IDENTITY_POSE, Pose, Vec2, Vec3

#: Maximum speed: a quarter turn takes at least 0.6 s.
MAX_SPEED_RAD_S = math.radians(90.0) / 0.6
#: Fraction of the remaining angle turned per tick.
EASING = 0.16
#: Remaining angle at which the table jumps to its goal.
ARRIVED_RAD = math.radians(0.02)
#: Angle between two click sounds, radians.
CLICK_RAD = math.radians(45.0)
#: A table released in motion continues for COAST_S times its speed, at most for MAX_COAST_RAD.
COAST_S, MAX_COAST_RAD = 0.15, math.radians(60.0)
#: Maximum ticks between two pinches that turn the table home, and maximum angle of a motionless pinch.
DOUBLE_PINCH_TICKS, STILL_RAD = 36, math.radians(3.0)
#: Maximum distance between a grip's line of sight and the rim that it grabs: a finger's breadth.
RIM_REACH_M = 0.015


@dataclass(frozen=True)
class Rim:
    """A horizontal arc on the camera's side, where a hand can grab the table to turn it."""

    radius_m: float
    height_m: float
    half_rad: float = math.radians(65.0)
    """Half of the arc's angle; its middle is nearest to the camera."""
    middle: Vec2 = (0.0, 0.0)
    """Position of the vertical axis of rotation, table frame."""


def home_from_table(turned_rad: float, middle: Vec2 = (0.0, 0.0)) -> Pose:
    """Return the pose, in the home frame, of a table turned by this angle, counter-clockwise seen from above."""
    if turned_rad == 0.0:
        return IDENTITY_POSE
    rotation = quat_from_axis_angle((0.0, 0.0, 1.0), turned_rad)
    x, y, _ = quat_rotate(rotation, (*middle, 0.0))
    return Pose((middle[0] - x, middle[1] - y, 0.0), rotation)


def crosses_click(before_rad: float, after_rad: float) -> bool:
    if abs(after_rad - before_rad) > math.pi:  # the angle has wrapped around
        return False
    low, high = sorted((before_rad / CLICK_RAD, after_rad / CLICK_RAD))
    return math.floor(low) != math.floor(high)


class Turntable:
    """The table's rotation: its angle and its goal."""

    def __init__(self, middle: Vec2 = (0.0, 0.0), turned_rad: float = 0.0, *, at_once: bool = False) -> None:
        """``at_once`` skips the animation, for players who are sensitive to motion."""
        self.middle = middle
        self.turned_rad = self._goal_rad = turned_rad
        self.before_rad = turned_rad
        """Angle before the last tick."""
        self._at_once = at_once

    @property
    def home_from_table(self) -> Pose:
        return home_from_table(self.turned_rad, self.middle)

    @property
    def is_turning(self) -> bool:
        return self.turned_rad != self._goal_rad

    def turn_by(self, angle_rad: float) -> None:
        self._goal_rad += angle_rad

    def turn_to(self, goal_rad: float) -> None:
        self._goal_rad = goal_rad

    def go_home(self) -> None:
        self._goal_rad = 2.0 * math.pi * round(self._goal_rad / (2.0 * math.pi))

    def advance(self) -> bool:
        self.before_rad = self.turned_rad
        remaining = self._goal_rad - self.turned_rad
        max_step_rad = MAX_SPEED_RAD_S * TICK_S
        if self._at_once or abs(remaining) <= ARRIVED_RAD:
            # Without full turns, the home angle is exactly 0.
            self._goal_rad = math.remainder(self._goal_rad, 2.0 * math.pi)
            self.turned_rad = self._goal_rad
        else:
            step = EASING * remaining + math.copysign(ARRIVED_RAD / 2.0, remaining)
            self.turned_rad += max(-max_step_rad, min(max_step_rad, step))
        return self.turned_rad != self.before_rad

    def to_table_frame(self, grip: GripIntent) -> GripIntent:
        if self.turned_rad == 0.0:
            return grip
        table_from_home = pose_inverse(self.home_from_table)
        return replace(
            grip,
            pose=pose_compose(table_from_home, grip.pose),
            view_axis=quat_rotate(table_from_home.rotation, grip.view_axis),
            turned_rad=self.turned_rad,
        )

    def to_home_frame(self, point: Vec3 | None) -> Vec3 | None:
        if point is None or self.turned_rad == 0.0:
            return point
        return pose_apply(self.home_from_table, point)


class RimGrip:
    """Turns the table while a grip holds its rim."""

    def __init__(self, turntable: Turntable) -> None:
        self._turntable = turntable
        self._source = ""
        self._rim_rad = self._start_rad = self._start_along_m = 0.0
        self._radius_m = 1.0
        self._tick = self._released_tick = -DOUBLE_PINCH_TICKS
        self._speed_rad_s = 0.0
        self._last_rad = 0.0
        self._was_still = False

    @property
    def is_turning(self) -> bool:
        return bool(self._source)

    def try_grab(self, grip: GripIntent, rim: Rim, eye: Vec3, tick: int) -> bool:
        """Grab the rim if the grip points at it; return whether it does. ``eye`` is the camera's position."""
        angle = _find_rim_angle(rim, self._turntable.middle, eye, grip)
        if angle is None:
            return False
        if self._was_still and tick - self._released_tick <= DOUBLE_PINCH_TICKS:
            self._turntable.go_home()
        self._source, self._tick = grip.source, tick
        self._rim_rad, self._radius_m = angle, rim.radius_m
        self._start_rad = self._last_rad = self._turntable.turned_rad
        self._start_along_m = self._measure_along_m(grip) or 0.0
        self._speed_rad_s = 0.0
        return True

    def follow_grip(self, grip: GripIntent | None, tick: int) -> None:
        if grip is None or grip.source != self._source or grip.phase is not GripPhase.HOLD:
            if not self._has_hardly_moved() or self._speed_rad_s:
                coast = max(-MAX_COAST_RAD, min(MAX_COAST_RAD, self._speed_rad_s * COAST_S))
                self._turntable.turn_by(coast)
            self._was_still = self._has_hardly_moved()
            self._source, self._released_tick = "", tick
            return
        along_m = self._measure_along_m(grip)
        if along_m is None:
            return
        goal = self._start_rad + (along_m - self._start_along_m) / self._radius_m
        if self._has_hardly_moved(goal) and self._was_still:
            return  # the second pinch has turned the table home
        self._speed_rad_s += 0.3 * ((goal - self._last_rad) / TICK_S - self._speed_rad_s)
        self._last_rad = goal
        self._turntable.turn_to(goal)

    def _has_hardly_moved(self, goal_rad: float | None = None) -> bool:
        return abs((self._last_rad if goal_rad is None else goal_rad) - self._start_rad) < STILL_RAD

    def _measure_along_m(self, grip: GripIntent) -> float | None:
        outward = (math.cos(self._rim_rad), math.sin(self._rim_rad))
        x, y = (p - m for p, m in zip(grip.pose.position[:2], self._turntable.middle, strict=True))
        u, v, _ = grip.view_axis
        towards = u * outward[0] + v * outward[1]
        if abs(towards) < 0.2:
            return None
        along = (self._radius_m - (x * outward[0] + y * outward[1])) / towards
        return (y + along * v) * outward[0] - (x + along * u) * outward[1]


def _find_rim_angle(rim: Rim, middle: Vec2, eye: Vec3, grip: GripIntent) -> float | None:
    """Return the angle, from x towards y, of the arc's point nearest to the line of sight; None if too far away."""
    front = math.atan2(eye[1] - middle[1], eye[0] - middle[0])
    best: tuple[float, float] | None = None
    steps = 48
    for k in range(steps + 1):
        angle = front + rim.half_rad * (2.0 * k / steps - 1.0)
        rim_point = (
            middle[0] + rim.radius_m * math.cos(angle),
            middle[1] + rim.radius_m * math.sin(angle),
            rim.height_m,
        )
        distance_m = measure_sight_distance_m(grip, rim_point)
        if best is None or distance_m < best[0]:
            best = (distance_m, angle)
    return best[1] if best is not None and best[0] <= RIM_REACH_M else None


def measure_sight_distance_m(grip: GripIntent, point: Vec3) -> float:
    """Return the distance between a point and the grip's line of sight, metres."""
    offset = [p - g for p, g in zip(point, grip.pose.position, strict=True)]
    along = sum(a * v for a, v in zip(offset, grip.view_axis, strict=True))
    return math.sqrt(max(0.0, sum(a * a for a in offset) - along * along))
