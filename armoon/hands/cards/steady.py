"""A card's pose from picture to picture, without jumps when tags come and go."""

from __future__ import annotations

import math

from armoon.geometry import quat_angle, quat_inverse, quat_multiply, quat_slerp
from armoon.hands.pose.filters import smoothing
from armoon.values.poses import IDENTITY_QUAT, Pose, Quat, Vec3

#: Cutoffs at rest, and how they rise with speed (Hz per m/s and per rad/s).
_HZ, _HZ_PER_M_S, _HZ_PER_RAD_S = 4.0, 400.0, 40.0
#: A pose that is less certain than this is followed more slowly.
_SURE_M, _SURE_RAD = 0.0015, math.radians(0.8)
#: What a change of tags seems to move is made up for over this time, seconds; more than this was a motion.
_MADE_UP_S, _MOST_M, _MOST_RAD = 0.35, 0.025, math.radians(25.0)
#: ... and so is what goes beyond this number of standard deviations of both poses together.
_MOST_SIGMAS = 1.0
#: Less than this is no step that anybody sees: it is the motion's own.
_LEAST_M, _LEAST_RAD = 0.001, math.radians(0.5)


class Steadied:
    """One card's filter; ``update`` once a picture."""

    def __init__(self) -> None:
        self._time_s: float | None = None
        self._tags: tuple[int, ...] = ()
        self._raw = self._out = Pose((0.0, 0.0, 0.0))
        self._velocity: Vec3 = (0.0, 0.0, 0.0)
        self._turns_rad_s = 0.0
        self._off_m: Vec3 = (0.0, 0.0, 0.0)
        self._off: Quat = IDENTITY_QUAT
        """What still separates the steadied pose from the seen one since tags came or went."""
        self._sigmas = (0.0, 0.0)
        """Errors of the last pose, metres and radians."""

    def update(
        self, time_s: float, raw: Pose, tags: tuple[int, ...], sigma_m: float, sigma_rad: float
    ) -> Pose:
        """Return the steadied pose of a picture in which these tags were seen."""
        before, self._sigmas = self._sigmas, (sigma_m, sigma_rad)
        if self._time_s is None:
            self._time_s, self._raw, self._out, self._tags = time_s, raw, raw, tags
            return raw
        step_s = max(1e-4, time_s - self._time_s)
        kept = math.exp(-step_s / _MADE_UP_S)
        x, y, z = self._off_m
        self._off_m = (x * kept, y * kept, z * kept)
        self._off = quat_slerp(IDENTITY_QUAT, self._off, kept)
        if tags != self._tags:
            self._make_up(raw, step_s, before[0] + sigma_m, before[1] + sigma_rad)
        place: Vec3 = tuple([a + b for a, b in zip(raw.position, self._off_m, strict=True)])  # type: ignore[assignment]
        goal = Pose(place, quat_multiply(self._off, raw.rotation))
        if tags == self._tags:
            part = smoothing(3.0, step_s)
            moved = [(a - b) / step_s for a, b in zip(raw.position, self._raw.position, strict=True)]
            self._velocity = tuple([v + part * (m - v) for v, m in zip(self._velocity, moved, strict=True)])  # type: ignore[assignment]
            turned = quat_angle(self._raw.rotation, raw.rotation) / step_s
            self._turns_rad_s += part * (turned - self._turns_rad_s)
        speed = math.sqrt(sum(v * v for v in self._velocity))
        far = smoothing((_HZ + _HZ_PER_M_S * speed) * min(1.0, _SURE_M / (sigma_m + 1e-9)), step_s)
        round_ = smoothing(
            (_HZ + _HZ_PER_RAD_S * self._turns_rad_s) * min(1.0, _SURE_RAD / (sigma_rad + 1e-9)), step_s
        )
        position: Vec3 = tuple([a + far * (b - a) for a, b in zip(self._out.position, place, strict=True)])  # type: ignore[assignment]
        self._out = Pose(position, quat_slerp(self._out.rotation, goal.rotation, round_))
        self._time_s, self._raw, self._tags = time_s, raw, tags
        return self._out

    def _make_up(self, raw: Pose, step_s: float, sigma_m: float, sigma_rad: float) -> None:
        """Note how far the newly seen pose lies beside where the card goes on to be; more than that was a motion."""
        expected = [
            a + v * step_s + o
            for a, v, o in zip(self._raw.position, self._velocity, self._off_m, strict=True)
        ]
        off = [a - b for a, b in zip(expected, raw.position, strict=True)]
        turned = quat_multiply(quat_multiply(self._off, self._raw.rotation), quat_inverse(raw.rotation))
        far_m, round_rad = math.hypot(*off), quat_angle(turned, IDENTITY_QUAT)
        if far_m < _MOST_M and round_rad < _MOST_RAD:
            part = _made_up(far_m, _LEAST_M, _MOST_SIGMAS * sigma_m)
            self._off_m = (part * off[0], part * off[1], part * off[2])
            part = _made_up(round_rad, _LEAST_RAD, _MOST_SIGMAS * sigma_rad)
            self._off = quat_slerp(IDENTITY_QUAT, turned, part)


def _made_up(step: float, least: float, most: float) -> float:
    """Return the part of a step that is made up for."""
    return 0.0 if step < least else min(1.0, most / step)
