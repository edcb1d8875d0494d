"""One Euro filters (Casiez, Roussel and Vogel, CHI 2012) with bounded prediction. Create new filters for each hand."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Generic, TypeVar

from armoon import geometry
from armoon.values.poses import Pose, Quat

Point = tuple[float, ...]
ValueT = TypeVar("ValueT")

#: Minimum time between two values, because a speed over less time would be mostly noise.
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


def smoothing_weight(cutoff_hz: float, step_s: float) -> float:
    """Return the weight of the newest value in a first-order low-pass, ``step_s`` after the last one."""
    ratio = 2.0 * math.pi * cutoff_hz * step_s
    return ratio / (1.0 + ratio)


class _OneEuroFilter(Generic[ValueT]):
    # This is plain arithmetic, because numpy's call overhead exceeds the work on three numbers.

    def __init__(self, parameters: OneEuro) -> None:
        self.parameters = parameters
        """May be replaced; filtering continues from the current value."""
        self._time_s = 0.0
        self._raw: ValueT | None = None
        self._value: ValueT
        self._velocity: Point = ()
        self.speed = 0.0
        """Smoothed speed of the value."""

    def add_value(self, time_s: float, raw: ValueT) -> ValueT:
        """Add a value and return the filtered one; a value that isn't later than the last is ignored."""
        if self._raw is None:
            self._value = raw
        else:
            step_s = time_s - self._time_s
            if step_s < SHORTEST_STEP_S:
                return self._value
            change = self._subtract(raw, self._raw)
            parameters = self.parameters
            speed_weight = smoothing_weight(parameters.speed_cutoff_hz, step_s)
            last_velocity = self._velocity or (0.0,) * len(change)
            self._velocity = tuple(
                [v + speed_weight * (c / step_s - v) for v, c in zip(last_velocity, change, strict=True)]
            )
            self.speed = math.sqrt(sum([v * v for v in self._velocity]))
            weight = smoothing_weight(parameters.min_cutoff_hz + parameters.beta * self.speed, step_s)
            self._value = self._interpolate(raw, weight)
        self._raw, self._time_s = raw, time_s
        return self._value

    def _subtract(self, raw: ValueT, before: ValueT) -> Point:
        raise NotImplementedError

    def _interpolate(self, raw: ValueT, weight: float) -> ValueT:
        raise NotImplementedError

    def _get_lead_s(self, time_s: float, horizon_s: float) -> float:
        if self._raw is None:
            raise ValueError("a filter without values can't predict one")
        return min(max(time_s - self._time_s, 0.0), horizon_s)


class PointFilter(_OneEuroFilter[Point]):
    """Filters a point of a few coordinates, which have the same noise and therefore share a cutoff."""

    def _subtract(self, raw: Point, before: Point) -> Point:
        return tuple([new - old for new, old in zip(raw, before, strict=True)])

    def _interpolate(self, raw: Point, weight: float) -> Point:
        return tuple([v + weight * (new - v) for v, new in zip(self._value, raw, strict=True)])

    def predict(self, time_s: float, *, horizon_s: float, overshoot: float) -> Point:
        """Return the value predicted up to ``horizon_s`` ahead, at most ``overshoot`` beyond the newest raw value."""
        ahead_s = self._get_lead_s(time_s, horizon_s)
        if self._raw is None or self.speed * ahead_s < 1e-9:
            return self._value
        direction = [v / self.speed for v in self._velocity]
        room = (
            sum([(r - v) * d for r, v, d in zip(self._raw, self._value, direction, strict=True)]) + overshoot
        )
        distance = min(self.speed * ahead_s, max(room, 0.0))
        return tuple([v + d * distance for v, d in zip(self._value, direction, strict=True)])


class RotationFilter(_OneEuroFilter[Quat]):
    """Filters a rotation; its speed is in radians per second."""

    def _subtract(self, raw: Quat, before: Quat) -> Point:
        return geometry.rotation_vector(geometry.quat_multiply(raw, geometry.quat_inverse(before)))

    def _interpolate(self, raw: Quat, weight: float) -> Quat:
        return geometry.quat_slerp(self._value, raw, weight)

    def predict(self, time_s: float, *, horizon_s: float, overshoot: float) -> Quat:
        """Return the rotation predicted at most ``horizon_s`` ahead, and at most ``overshoot`` radians away."""
        angle = min(self.speed * self._get_lead_s(time_s, horizon_s), overshoot)
        if angle < 1e-9:
            return self._value
        return geometry.quat_multiply(geometry.quat_from_axis_angle(self._velocity, angle), self._value)


#: Tolerance of speed limits for rounding errors, metres or radians.
ROUNDING = 1e-9


def limit_speed(before: Pose, target: Pose, step_s: float, *, max_m_s: float, max_rad_s: float) -> Pose:
    """Return ``target``, or the farthest pose on the way to it that these speeds reach within ``step_s``."""
    step_s = max(step_s, 0.0)
    metres = math.dist(before.position, target.position)
    radians = geometry.quat_angle(before.rotation, target.rotation)
    is_far, is_rotated = metres > max_m_s * step_s + ROUNDING, radians > max_rad_s * step_s + ROUNDING
    if not (is_far or is_rotated):
        return target
    position, rotation = target.position, target.rotation
    if is_far:
        share = max_m_s * step_s / metres
        x, y, z = (a + share * (b - a) for a, b in zip(before.position, position, strict=True))
        position = (x, y, z)
    if is_rotated:
        rotation = geometry.quat_slerp(before.rotation, rotation, max_rad_s * step_s / radians)
    return Pose(position, rotation)
