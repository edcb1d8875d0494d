"""A player's hand moved by sight: it watches the held ladder and nudges it to its target.

People place things this way too: they don't know where the hand is, but see what is still missing. It
makes the player insensitive to the tracker's constant errors, which with one camera are large in depth.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from armoon.geometry import (
    Array,
    quat_angle,
    quat_from_axis_angle,
    quat_inverse,
    quat_multiply,
    quat_slerp,
    vec3,
)
from armoon.values.poses import Pose, Quat, Vec3

#: The hand corrects this share of what it sees missing each second. The way from hand to picture and back
#: takes about a quarter of a second, so much more than 2 would swing.
GAIN_PER_S = 1.8
#: Fastest correction while carrying, and close to the goal.
CARRY_SPEED_M_S = 0.22
NEAR_SPEED_M_S = 0.07
NEAR_M = 0.04
#: Turning is seen later than moving (rotations are filtered harder), so it is done more slowly.
TURN_GAIN_PER_S = 0.9
TURN_SPEED_RAD_S = 0.5
#: The same for a skilled hand, which turns as fast as it can without oscillating.
SKILLED_TURN_GAIN_PER_S, SKILLED_TURN_SPEED_RAD_S = 2.0, 0.9
#: Maximum rotation of the wrist from its easy attitude.
WRIST_RAD = math.radians(38.0)
#: Speed at which an empty hand turns.
REACH_TURN_RAD_S = 1.6
#: Speed across the picture at which half of a hand's way in depth counts.
CROSSING_M_S = 0.03
#: Visual latency of the hand's motion across the picture and in depth, seconds.
SEEN_AFTER_S = (0.08, 0.4)


@dataclass(frozen=True)
class Skill:
    """What a player soon finds out about a hand before a camera."""

    view_axis: Vec3
    """The direction in which the camera looks, a unit vector: a held ladder turns about it alone."""
    along_share: float
    """Share of the hand's way in depth that a ladder follows; less while the hand crosses the picture."""
    eye: Vec3 | None = None
    """Place of the camera, table frame. If it is known, the hand crosses the picture first, then moves in depth, and
    allows for its own motion that isn't seen yet."""


class SteeredHand:
    """The commanded pose of a hand, moved a little each frame."""

    def __init__(self, start: Pose, easy: Quat, skill: Skill | None = None) -> None:
        """Begin at ``start``; ``easy`` is how the wrist likes to be turned.

        With ``skill`` it makes no turns out of the picture, and moves farther in depth.
        """
        self.pose = start
        self._easy = easy
        self._skill = skill
        self._view = np.zeros(3) if skill is None else np.array(skill.view_axis)
        self._unseen = np.zeros((2, 3))
        """The ladder's way that is still to be seen, across the picture and in depth, metres."""

    def move_towards(self, goal: Pose, speed_m_s: float, dt_s: float) -> bool:
        """One frame of an unguided move, slowing down at its end; True once it is there."""
        self._unseen[:] = 0.0
        here = np.array(self.pose.position)
        way = np.array(goal.position) - here
        left = float(np.linalg.norm(way))
        # Braking: never faster than can be stopped in 0.15 s.
        step = min(left, min(speed_m_s, left / 0.15) * dt_s)
        position = here + way * (step / left) if left > 1e-9 else here
        turn = quat_angle(self.pose.rotation, goal.rotation)
        share = min(1.0, REACH_TURN_RAD_S * dt_s / turn) if turn > 1e-6 else 1.0
        self.pose = Pose(vec3(position), quat_slerp(self.pose.rotation, goal.rotation, share))
        return left < 0.004 and turn < math.radians(3.0)

    def nudge(
        self,
        seen: Pose,
        wanted: Pose,
        dt_s: float,
        speed_m_s: float = CARRY_SPEED_M_S,
        gain_per_s: float = GAIN_PER_S,
    ) -> None:
        """Move the hand for one frame by the difference between the seen ladder and the wanted one."""
        missing = np.array(wanted.position) - np.array(seen.position)
        skill = self._skill
        if skill is not None and skill.eye is not None:
            line = np.array(line_of_sight(skill.eye, self.pose.position))
            velocity = self._foreseeing(missing, line, skill.along_share, dt_s, speed_m_s, gain_per_s)
        else:
            if skill is not None:
                missing += (1.0 / skill.along_share - 1.0) * float(missing @ self._view) * self._view
            velocity = _velocity(missing, speed_m_s, gain_per_s)
        moved = np.array(self.pose.position) + velocity * dt_s
        self.pose = Pose(vec3(moved), self._turned(seen.rotation, wanted.rotation, dt_s))

    def _foreseeing(
        self, missing: Array, line: Array, share: float, dt_s: float, speed_m_s: float, gain_per_s: float
    ) -> Array:
        """Return the hand's velocity (3,) for what is missing (3,), m, along a ``line`` of sight by its ``share``."""
        along = float(missing @ line) * line
        across = _velocity(missing - along - self._unseen[0], speed_m_s, gain_per_s)
        deeper = _velocity((along - self._unseen[1]) / share, speed_m_s, gain_per_s)
        deeper /= 1.0 + (float(np.linalg.norm(across)) / CROSSING_M_S) ** 2
        fading = np.exp(-dt_s / np.array(SEEN_AFTER_S))[:, np.newaxis]
        self._unseen = fading * (self._unseen + dt_s * np.array((across, share * deeper)))
        return across + deeper

    def _turned(self, seen: Quat, wanted: Quat, dt_s: float) -> Quat:
        error = quat_multiply(wanted, quat_inverse(seen))
        if self._skill is not None:
            along = float(np.array(error[:3]) @ self._view)
            error = (*vec3(along * self._view), error[3])
        x, y, z, w = error if error[3] >= 0.0 else (-error[0], -error[1], -error[2], -error[3])
        length = math.sqrt(x * x + y * y + z * z)
        if length < 1e-9:
            return self.pose.rotation
        angle = 2.0 * math.atan2(length, w)
        gain_per_s, speed_rad_s = TURN_GAIN_PER_S, TURN_SPEED_RAD_S
        if self._skill is not None and self._skill.eye is not None:
            gain_per_s, speed_rad_s = SKILLED_TURN_GAIN_PER_S, SKILLED_TURN_SPEED_RAD_S
        step = min(angle * gain_per_s, speed_rad_s) * dt_s
        axis: Vec3 = (x / length, y / length, z / length)
        turned = quat_multiply(quat_from_axis_angle(axis, step), self.pose.rotation)
        # A blocked ladder doesn't follow; without a limit the wrist would wind itself up.
        strain = quat_angle(self._easy, turned)
        return turned if strain <= WRIST_RAD else quat_slerp(self._easy, turned, WRIST_RAD / strain)


def line_of_sight(eye: Vec3, point: Vec3) -> Vec3:
    """Return the unit vector from the eye to a point."""
    way = np.subtract(point, eye)
    return vec3(way / np.linalg.norm(way))


def _velocity(missing: Array, speed_m_s: float, gain_per_s: float) -> Array:
    """Return the velocity (3,) that makes up for what is missing, slower close to the goal."""
    distance = float(np.linalg.norm(missing))
    if distance < 1e-9:
        return np.zeros(3)
    limit = NEAR_SPEED_M_S + (speed_m_s - NEAR_SPEED_M_S) * min(1.0, distance / NEAR_M)
    return np.asarray(missing / distance * min(distance * gain_per_s, limit))


def pose_distance(a: Pose, b: Pose) -> tuple[float, float]:
    """Metres and radians between two poses."""
    return math.dist(a.position, b.position), quat_angle(a.rotation, b.rotation)


CLOSING_S = 0.35
#: A pinch that took nothing is opened and tried again after this long.
GRAB_PATIENCE_S = 1.2


@dataclass(frozen=True)
class Habits:
    """How this player holds its hand: poses of the grip frame in the table frame."""

    rest: Pose
    """Where the open hand waits."""
    reach_rotation: Pose
    """Only the rotation counts: how the hand takes a ladder."""
    view_axis: Vec3 = (0.0, 1.0, 0.0)
    """The direction in which the camera looks; turns about it are followed best."""
    eye: Vec3 = (0.0, -0.60, 0.30)
    """Where the camera is."""
    grasp_height: float = 0.62
    """Where the ladder is taken, as a share of its length from its lower end."""
    exact: bool = False
    """What it holds goes as far as the hand in depth as well."""


@dataclass(frozen=True)
class Sight:
    """The picture as a player understands it: everything here is visible on screen. Games add what theirs shows."""

    time_s: float
    turn: int
    """Counts the turns of the game, from 1."""


@dataclass(frozen=True)
class HandAim:
    """Where a player's hand is and how far its thumb and index finger are closed."""

    grip: Pose
    """The hand's grip frame in the table frame: origin where the finger tips meet, rotation of the hand."""
    closing: float
    """0 open to 1 pinched."""


class Playing(Protocol):
    """A mind and a hand, whatever the game."""

    def look(self, sight: Sight) -> HandAim:
        """See the table and move the hand for one frame."""

    def close(self) -> None:
        """Give back what thinking took."""


#: Makes a player with these habits; it is sent to the demo's process, so it can be pickled.
Mind = Callable[[Habits], Playing]
