"""One Euro filters (Casiez, Roussel and Vogel, CHI 2012) with bounded prediction; a returning hand needs new ones."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from armoon import geometry
from armoon.values.poses import IDENTITY_QUAT, Pose, Quat, Vec3

Point = tuple[float, ...]

#: Minimum time between two values: with less, a speed would be noise divided by almost nothing.
SHORTEST_STEP_S = 1e-6


@dataclass(frozen=True)
class OneEuro:
    """The three parameters of a One Euro filter."""

    min_cutoff_hz: float
    """Cutoff at rest: lower is steadier."""
    beta: float
    """Increase of the cutoff with speed, in Hz per unit of speed: higher has less lag."""
    speed_cutoff_hz: float
    """Cutoff of the speed estimate itself."""

    def cutoff_hz(self, speed: float) -> float:
        return self.min_cutoff_hz + self.beta * speed


def smoothing(cutoff_hz: float, step_s: float) -> float:
    """Return the weight of the newest value in a first-order low-pass, ``step_s`` after the last one."""
    ratio = 2.0 * math.pi * cutoff_hz * step_s
    return ratio / (1.0 + ratio)


class PointFilter:
    """Filters a point of a few coordinates, which have the same noise and therefore one cutoff."""

    # Plain arithmetic: numpy's call overhead exceeds the work on three numbers.

    def __init__(self, parameters: OneEuro) -> None:
        self.parameters = parameters
        """Can be replaced: the filtered value continues from its current one."""
        self._time_s = 0.0
        self._raw: Point | None = None
        self._value: Point = ()
        self._velocity: Point = ()
        self.speed = 0.0
        """Smoothed speed of the value."""

    def add_value(self, time_s: float, raw: Sequence[float]) -> Point:
        """Add a value and return the filtered one; a time not later than the last changes nothing."""
        raw = tuple(raw)
        if self._raw is None:
            self._velocity = (0.0,) * len(raw)
            self._value = raw
        else:
            step_s = time_s - self._time_s
            if step_s < SHORTEST_STEP_S:
                return self._value
            speed_weight = smoothing(self.parameters.speed_cutoff_hz, step_s)
            self._velocity = tuple(
                [
                    v + speed_weight * ((new - old) / step_s - v)
                    for v, new, old in zip(self._velocity, raw, self._raw, strict=True)
                ]
            )
            self.speed = math.sqrt(sum([v * v for v in self._velocity]))
            weight = smoothing(self.parameters.cutoff_hz(self.speed), step_s)
            self._value = tuple([v + weight * (new - v) for v, new in zip(self._value, raw, strict=True)])
        self._raw = raw
        self._time_s = time_s
        return self._value

    def predict(self, time_s: float, *, horizon_s: float, overshoot: float) -> Point:
        """Return the value predicted up to ``horizon_s`` ahead, at most ``overshoot`` beyond the newest raw value."""
        if self._raw is None:
            raise ValueError("nothing to predict from: the filter has seen no value")
        ahead_s = min(max(time_s - self._time_s, 0.0), horizon_s)
        if self.speed * ahead_s < 1e-9:
            return self._value
        direction = [v / self.speed for v in self._velocity]
        room = (
            sum([(r - v) * d for r, v, d in zip(self._raw, self._value, direction, strict=True)]) + overshoot
        )
        distance = min(self.speed * ahead_s, max(room, 0.0))
        return tuple([v + d * distance for v, d in zip(self._value, direction, strict=True)])


class RotationFilter:
    """Filters a rotation; its speed is in radians per second."""

    def __init__(self, parameters: OneEuro) -> None:
        self._parameters = parameters
        self._time_s = 0.0
        self._raw: Quat | None = None
        self._value: Quat = IDENTITY_QUAT
        self._velocity: Vec3 = (0.0, 0.0, 0.0)
        self._speed = 0.0

    def add_value(self, time_s: float, raw: Quat) -> Quat:
        """Add a rotation and return the filtered one; a time not later than the last changes nothing."""
        if self._raw is None:
            self._value = raw
        else:
            step_s = time_s - self._time_s
            if step_s < SHORTEST_STEP_S:
                return self._value
            (x, y, z), (vx, vy, vz) = (
                geometry.rotation_vector(geometry.quat_multiply(raw, geometry.quat_inverse(self._raw))),
                self._velocity,
            )
            weight_of_speed = smoothing(self._parameters.speed_cutoff_hz, step_s)
            vx, vy, vz = (
                vx + weight_of_speed * (x / step_s - vx),
                vy + weight_of_speed * (y / step_s - vy),
                vz + weight_of_speed * (z / step_s - vz),
            )
            self._velocity, self._speed = (vx, vy, vz), math.sqrt(vx * vx + vy * vy + vz * vz)
            weight = smoothing(self._parameters.cutoff_hz(self._speed), step_s)
            self._value = geometry.quat_slerp(self._value, raw, weight)
        self._raw = raw
        self._time_s = time_s
        return self._value

    def predict(self, time_s: float, *, horizon_s: float, overshoot: float) -> Quat:
        """Return the rotation predicted for a later time, at most ``overshoot`` radians from the filtered one."""
        if self._raw is None:
            raise ValueError("nothing to predict from: the filter has seen no rotation")
        ahead_s = min(max(time_s - self._time_s, 0.0), horizon_s)
        angle = min(self._speed * ahead_s, overshoot)
        if angle < 1e-9:
            return self._value
        return geometry.quat_multiply(geometry.quat_from_axis_angle(self._velocity, angle), self._value)


#: Excess over the limit that may result from rounding and needs no correction.
SLACK = 1e-9


def limit_speed(before: Pose, wanted: Pose, step_s: float, *, most_m_s: float, most_rad_s: float) -> Pose:
    """Return ``wanted``, or the farthest pose on the way to it that is reachable within ``step_s``."""
    step_s = max(step_s, 0.0)
    metres, radians = (
        math.dist(before.position, wanted.position),
        geometry.quat_angle(before.rotation, wanted.rotation),
    )
    is_far, is_rotated = metres > most_m_s * step_s + SLACK, radians > most_rad_s * step_s + SLACK
    if not (is_far or is_rotated):
        return wanted
    position, rotation = wanted.position, wanted.rotation
    if is_far:
        share = most_m_s * step_s / metres
        x, y, z = (a + share * (b - a) for a, b in zip(before.position, position, strict=True))
        position = (x, y, z)
    if is_rotated:
        rotation = geometry.quat_slerp(before.rotation, rotation, most_rad_s * step_s / radians)
    return Pose(position, rotation)
