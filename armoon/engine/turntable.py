"""The lazy Susan: base and structure turn about the upright axis, as players walk round a real table.

Nothing physical turns. A turned table is seen, and reached, from another side: hands, devices and picture are
at *home*, in the table's first position; the structure is in the table frame, which turns.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from armoon.clock import TICK_S
from armoon.geometry import pose_apply, pose_compose, pose_inverse, quat_from_axis_angle, quat_rotate
from armoon.values.pieces import GripIntent, GripPhase
from armoon.values.poses import IDENTITY_POSE, Pose, Vec2, Vec3

#: A quarter takes 0.6 s at least.
FASTEST_RAD_S = math.radians(90.0) / 0.6
#: Share of the remaining angle that is turned in a tick.
EASED = 0.16
#: Nearer than this it is there.
THERE_RAD = math.radians(0.02)
#: Angle between two clicks, radians.
CLICK_RAD = math.radians(45.0)
#: Seconds for which a table let go of in motion keeps turning, and the largest such angle.
GOES_ON_S, GOES_ON_RAD = 0.15, math.radians(60.0)
#: Ticks within which two pinches without motion send the table home.
TWICE_TICKS, HARDLY_RAD = 36, math.radians(3.0)
#: A grip whose line of sight passes the rim within this takes it; a finger's breadth.
RIM_REACH_M = 0.015


@dataclass(frozen=True)
class Rim:
    """Where a hand turns the table: an arc of a level circle, on the camera's side."""

    radius_m: float
    height_m: float
    half_rad: float = math.radians(65.0)
    """How far the arc reaches to both sides of its nearest point to the camera."""
    middle: Vec2 = (0.0, 0.0)
    """Where the upright axis is about which the table turns."""


def home_from_table(turned_rad: float, middle: Vec2 = (0.0, 0.0)) -> Pose:
    """Return the pose of a table turned counter-clockwise as seen from above."""
    if turned_rad == 0.0:
        return IDENTITY_POSE
    rotation = quat_from_axis_angle((0.0, 0.0, 1.0), turned_rad)
    x, y, _ = quat_rotate(rotation, (*middle, 0.0))
    return Pose((middle[0] - x, middle[1] - y, 0.0), rotation)


def click_between(before_rad: float, now_rad: float) -> bool:
    if abs(now_rad - before_rad) > math.pi:  # a full turn that is none
        return False
    low, high = sorted((before_rad / CLICK_RAD, now_rad / CLICK_RAD))
    return math.floor(low) != math.floor(high)


class Turntable:
    """How far the table is turned, and where to."""

    def __init__(self, middle: Vec2 = (0.0, 0.0), turned_rad: float = 0.0, *, at_once: bool = False) -> None:
        """``at_once``: it jumps, for players whom motion disturbs."""
        self.middle = middle
        self.turned_rad = self.before_rad = self._goal_rad = turned_rad
        """Now, and a tick ago."""
        self._at_once = at_once

    @property
    def home_from_table(self) -> Pose:
        return home_from_table(self.turned_rad, self.middle)

    @property
    def turning(self) -> bool:
        return self.turned_rad != self._goal_rad

    def turn(self, by_rad: float) -> None:
        self._goal_rad += by_rad

    def turn_to(self, goal_rad: float) -> None:
        self._goal_rad = goal_rad

    def go_home(self) -> None:
        self._goal_rad = 2.0 * math.pi * round(self._goal_rad / (2.0 * math.pi))

    def tick(self) -> bool:
        self.before_rad = self.turned_rad
        left = self._goal_rad - self.turned_rad
        most = FASTEST_RAD_S * TICK_S
        if self._at_once or abs(left) <= THERE_RAD:
            # Full turns are none, so that home is home again to the bit.
            self._goal_rad = math.remainder(self._goal_rad, 2.0 * math.pi)
            self.turned_rad = self._goal_rad
        else:
            self.turned_rad += max(-most, min(most, EASED * left + math.copysign(THERE_RAD / 2.0, left)))
        return self.turned_rad != self.before_rad

    def on_table(self, grip: GripIntent) -> GripIntent:
        if self.turned_rad == 0.0:
            return grip
        table_from_home = pose_inverse(self.home_from_table)
        return replace(
            grip,
            pose=pose_compose(table_from_home, grip.pose),
            view_axis=quat_rotate(table_from_home.rotation, grip.view_axis),
            turned_rad=self.turned_rad,
        )

    def at_home(self, point: Vec3 | None) -> Vec3 | None:
        if point is None or self.turned_rad == 0.0:
            return point
        return pose_apply(self.home_from_table, point)


class RimGrip:
    """A grip that has the table by its rim and turns it."""

    def __init__(self, turntable: Turntable) -> None:
        self._turntable = turntable
        self._source = ""
        self._rim_rad = self._from_rad = self._begun_m = 0.0
        self._radius_m = 1.0
        self._tick = self._let_go_tick = -TWICE_TICKS
        self._speed_rad_s = 0.0
        self._last_rad = 0.0
        self._hardly = False

    @property
    def turning(self) -> bool:
        return bool(self._source)

    def takes(self, grip: GripIntent, rim: Rim, eye: Vec3, tick: int) -> bool:
        """Take the rim if the grip closes at it, and return whether it did. ``eye`` is the camera's place."""
        where = _nearest_on(rim, self._turntable.middle, eye, grip)
        if where is None:
            return False
        if self._hardly and tick - self._let_go_tick <= TWICE_TICKS:
            self._turntable.go_home()
        self._source, self._tick = grip.source, tick
        self._rim_rad, self._radius_m = where, rim.radius_m
        self._from_rad = self._last_rad = self._turntable.turned_rad
        self._begun_m = self._along_m(grip) or 0.0
        self._speed_rad_s = 0.0
        return True

    def follow(self, grip: GripIntent | None, tick: int) -> None:
        if grip is None or grip.source != self._source or grip.phase is not GripPhase.HOLD:
            if not self._hardly_moved() or self._speed_rad_s:
                on = max(-GOES_ON_RAD, min(GOES_ON_RAD, self._speed_rad_s * GOES_ON_S))
                self._turntable.turn(on)
            self._hardly = self._hardly_moved()
            self._source, self._let_go_tick = "", tick
            return
        along_m = self._along_m(grip)
        if along_m is None:
            return
        goal = self._from_rad + (along_m - self._begun_m) / self._radius_m
        if self._hardly_moved(goal) and self._hardly:
            return  # it was pinched twice, and goes home
        self._speed_rad_s += 0.3 * ((goal - self._last_rad) / TICK_S - self._speed_rad_s)
        self._last_rad = goal
        self._turntable.turn_to(goal)

    def _hardly_moved(self, goal_rad: float | None = None) -> bool:
        return abs((self._last_rad if goal_rad is None else goal_rad) - self._from_rad) < HARDLY_RAD

    def _along_m(self, grip: GripIntent) -> float | None:
        """Return how far round the rim the grip is, on the upright plane at the place where it took the rim."""
        out = (math.cos(self._rim_rad), math.sin(self._rim_rad))
        x, y = (p - m for p, m in zip(grip.pose.position[:2], self._turntable.middle, strict=True))
        u, v, _ = grip.view_axis
        towards = u * out[0] + v * out[1]
        if abs(towards) < 0.2:
            return None
        along = (self._radius_m - (x * out[0] + y * out[1])) / towards
        return (y + along * v) * out[0] - (x + along * u) * out[1]


def _nearest_on(rim: Rim, middle: Vec2, eye: Vec3, grip: GripIntent) -> float | None:
    """Return the angle on the arc, from x towards y, that the line of sight passes; None if it doesn't."""
    front = math.atan2(eye[1] - middle[1], eye[0] - middle[0])
    best: tuple[float, float] | None = None
    steps = 48
    for k in range(steps + 1):
        angle = front + rim.half_rad * (2.0 * k / steps - 1.0)
        place = (
            middle[0] + rim.radius_m * math.cos(angle),
            middle[1] + rim.radius_m * math.sin(angle),
            rim.height_m,
        )
        away_m = sight_passes(grip, place)
        if best is None or away_m < best[0]:
            best = (away_m, angle)
    return best[1] if best is not None and best[0] <= RIM_REACH_M else None


def sight_passes(grip: GripIntent, point: Vec3) -> float:
    away = [p - g for p, g in zip(point, grip.pose.position, strict=True)]
    along = sum(a * v for a, v in zip(away, grip.view_axis, strict=True))
    return math.sqrt(max(0.0, sum(a * a for a in away) - along * along))
