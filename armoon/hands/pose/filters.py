"""One Euro filters for points and rotations, each with its own speed estimate and a bounded prediction.

Casiez, Roussel and Vogel, "1 € Filter", CHI 2012: a low-pass whose cutoff rises with speed, so that a still
hand is steady and a moving one hardly late. Every value comes with its own time stamp. There is no reset: a
hand that comes back gets new filters, because one that kept its last value would jump.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from armoon.geometry import Array, quat_from_axis_angle, quat_inverse, quat_multiply, quat_slerp
from armoon.values.poses import IDENTITY_QUAT, Quat

#: Two values closer in time than this are one: a speed between them would be noise divided by nothing.
SHORTEST_STEP_S = 1e-6


@dataclass(frozen=True)
class OneEuro:
    """The three knobs of a One Euro filter."""

    min_cutoff_hz: float
    """Cutoff at rest: lower is steadier."""
    beta: float
    """How much the cutoff rises with speed, in Hz per unit of speed: higher is less late."""
    speed_cutoff_hz: float
    """Cutoff of the speed estimate itself."""

    def cutoff_hz(self, speed: float) -> float:
        """The cutoff at a speed."""
        return self.min_cutoff_hz + self.beta * speed


def smoothing(cutoff_hz: float, step_s: float) -> float:
    """The weight of the newest value in a first-order low-pass that is ``step_s`` after the last one."""
    turns = 2.0 * math.pi * cutoff_hz * step_s
    return turns / (1.0 + turns)


class PointFilter:
    """Filters a point (n,) whose axes share one noise and therefore one cutoff."""

    def __init__(self, knobs: OneEuro) -> None:
        self._knobs = knobs
        self._time_s = 0.0
        self._raw: Array | None = None
        self._value: Array = np.zeros(0)
        self._velocity: Array = np.zeros(0)

    def update(self, time_s: float, raw: Array) -> Array:
        """Take in a value and give the filtered one; a stamp not later than the last changes nothing."""
        if self._raw is None:
            self._velocity = np.zeros_like(raw)
            self._value = raw.copy()
        else:
            step_s = time_s - self._time_s
            if step_s < SHORTEST_STEP_S:
                return self._value
            speed_weight = smoothing(self._knobs.speed_cutoff_hz, step_s)
            self._velocity = self._velocity + speed_weight * ((raw - self._raw) / step_s - self._velocity)
            weight = smoothing(self._knobs.cutoff_hz(math.sqrt(self._velocity @ self._velocity)), step_s)
            self._value = self._value + weight * (raw - self._value)
        self._raw = raw.copy()
        self._time_s = time_s
        return self._value

    @property
    def speed(self) -> float:
        """How fast the value moves, smoothed."""
        return math.sqrt(self._velocity @ self._velocity)

    def predict(self, time_s: float, *, horizon_s: float, overshoot: float) -> Array:
        """The value expected at a later time.

        It looks ahead ``horizon_s`` at most, and never goes more than ``overshoot`` beyond the newest raw
        value along the motion: a hand that stops dead can't be overshot by more.
        """
        if self._raw is None:
            raise ValueError("nothing to predict from: the filter has seen no value")
        ahead_s = min(max(time_s - self._time_s, 0.0), horizon_s)
        speed = math.sqrt(self._velocity @ self._velocity)
        if speed * ahead_s < 1e-9:
            return self._value
        direction = self._velocity / speed
        room = float((self._raw - self._value) @ direction) + overshoot
        return np.asarray(self._value + direction * min(speed * ahead_s, max(room, 0.0)), dtype=np.float64)


class RotationFilter:
    """Filters a rotation; its speed is in radians per second."""

    def __init__(self, knobs: OneEuro) -> None:
        self._knobs = knobs
        self._time_s = 0.0
        self._raw: Quat | None = None
        self._value: Quat = IDENTITY_QUAT
        self._velocity: Array = np.zeros(3)

    def update(self, time_s: float, raw: Quat) -> Quat:
        """Take in a rotation and give the filtered one; a stamp not later than the last changes nothing."""
        if self._raw is None:
            self._value = raw
        else:
            step_s = time_s - self._time_s
            if step_s < SHORTEST_STEP_S:
                return self._value
            turned = rotation_vector(quat_multiply(raw, quat_inverse(self._raw)))
            speed_weight = smoothing(self._knobs.speed_cutoff_hz, step_s)
            self._velocity = self._velocity + speed_weight * (turned / step_s - self._velocity)
            weight = smoothing(self._knobs.cutoff_hz(math.sqrt(self._velocity @ self._velocity)), step_s)
            self._value = quat_slerp(self._value, raw, weight)
        self._raw = raw
        self._time_s = time_s
        return self._value

    def predict(self, time_s: float, *, horizon_s: float, overshoot: float) -> Quat:
        """The rotation expected at a later time, at most ``overshoot`` radians from the filtered one."""
        if self._raw is None:
            raise ValueError("nothing to predict from: the filter has seen no rotation")
        ahead_s = min(max(time_s - self._time_s, 0.0), horizon_s)
        speed = math.sqrt(self._velocity @ self._velocity)
        angle = min(speed * ahead_s, overshoot)
        if angle < 1e-9:
            return self._value
        return quat_multiply(quat_from_axis_angle(self._velocity, angle), self._value)


def rotation_vector(rotation: Quat) -> Array:
    """Axis times angle (3,) of a unit quaternion, the angle between 0 and pi."""
    x, y, z, w = rotation if rotation[3] >= 0.0 else tuple(-c for c in rotation)
    sine = math.sqrt(x * x + y * y + z * z)
    if sine < 1e-12:
        return np.zeros(3)
    return np.array([x, y, z]) * (2.0 * math.atan2(sine, w) / sine)
