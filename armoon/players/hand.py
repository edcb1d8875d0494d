"""Simulated hands: one that corrects visible errors as a person does, and one that carries ladders to given poses."""

from __future__ import annotations

import math
import random
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from armoon import geometry
from armoon.values.pieces import BOT_SOURCE, Facts, GripIntent, GripPhase, Ladder, PieceStatus
from armoon.values.places import BotCharacter
from armoon.values.poses import IDENTITY_QUAT, Pose, Quat, Vec3

#: Fraction of the visible error corrected per second. Pictures lag about 0.25 s behind the hand, so much more than 2
#: would cause oscillation.
GAIN_PER_S = 1.8
#: Maximum speeds of correction while carrying and near the goal, and distance that counts as near.
CARRY_SPEED_M_S = 0.22
NEAR_SPEED_M_S = 0.07
NEAR_M = 0.04
#: Rotation is corrected more slowly than position, because stronger filtering delays it more.
TURN_GAIN_PER_S = 0.9
TURN_SPEED_RAD_S = 0.5
#: The same limits for a player with ``Skill.eye``, as high as possible without oscillation.
SKILLED_TURN_GAIN_PER_S, SKILLED_TURN_SPEED_RAD_S = 2.0, 0.9
#: Maximum rotation of the wrist from its comfortable rotation.
WRIST_RAD = math.radians(38.0)
#: Rotation speed of an empty hand.
REACH_TURN_RAD_S = 1.6
#: Speed across the picture at which a hand's movement in depth is halved.
CROSSING_M_S = 0.03
#: Visual latency of the hand's motion, across the picture and in depth, seconds.
VISUAL_DELAY_S = (0.08, 0.4)


@dataclass(frozen=True)
class Skill:
    """A practised player's knowledge of the camera."""

    view_axis: Vec3
    """The camera's viewing direction, a unit vector; a held ladder is rotated only about it."""
    along_share: float
    """Movement of a ladder in depth relative to that of the hand; it is less while the hand moves sideways."""
    eye: Vec3 | None = None
    """The camera's position, table frame. If given, the hand moves sideways before in depth, and compensates for
    its own motion that isn't visible yet."""


class SteeredHand:
    """Moves a hand's pose by a small step in each frame."""

    def __init__(self, start: Pose, neutral: Quat, skill: Skill | None = None) -> None:
        """``neutral`` is the wrist's comfortable rotation; ``skill`` is None for a beginner."""
        self.pose = start
        self._neutral = neutral
        self._skill = skill
        self._view = np.zeros(3) if skill is None else np.array(skill.view_axis)
        self._unseen = np.zeros((2, 3))
        """The ladder's motion that isn't visible yet, across the picture and in depth, metres."""

    def move_towards(self, goal: Pose, speed_m_s: float, dt_s: float) -> bool:
        self._unseen[:] = 0.0
        start = np.array(self.pose.position)
        offset = np.array(goal.position) - start
        remaining = float(np.linalg.norm(offset))
        # Slow down to stop within 0.15 s.
        step = min(remaining, min(speed_m_s, remaining / 0.15) * dt_s)
        position = start + offset * (step / remaining) if remaining > 1e-9 else start
        remaining_rad = geometry.quat_angle(self.pose.rotation, goal.rotation)
        share = min(1.0, REACH_TURN_RAD_S * dt_s / remaining_rad) if remaining_rad > 1e-6 else 1.0
        self.pose = Pose(
            geometry.vec3(position), geometry.quat_slerp(self.pose.rotation, goal.rotation, share)
        )
        return remaining < 0.004 and remaining_rad < math.radians(3.0)

    def nudge(
        self,
        observed: Pose,
        goal: Pose,
        dt_s: float,
        speed_m_s: float = CARRY_SPEED_M_S,
        gain_per_s: float = GAIN_PER_S,
    ) -> None:
        """Move the hand for one frame by a part of the difference between the observed ladder and the goal."""
        error = np.array(goal.position) - np.array(observed.position)
        skill = self._skill
        if skill is not None and skill.eye is not None:
            line = np.array(geometry.line_of_sight(skill.eye, self.pose.position))
            velocity = self._predict_velocity(error, line, skill.along_share, dt_s, speed_m_s, gain_per_s)
        else:
            if skill is not None:
                error += (1.0 / skill.along_share - 1.0) * float(error @ self._view) * self._view
            velocity = _limit_velocity(error, speed_m_s, gain_per_s)
        moved = np.array(self.pose.position) + velocity * dt_s
        self.pose = Pose(geometry.vec3(moved), self._correct_rotation(observed.rotation, goal.rotation, dt_s))

    def _predict_velocity(
        self,
        error: geometry.Array,
        line: geometry.Array,
        share: float,
        dt_s: float,
        speed_m_s: float,
        gain_per_s: float,
    ) -> geometry.Array:
        """Return the velocity (3,), m/s, for an error (3,), m; the ladder follows a ``share`` of it along ``line``."""
        along = float(error @ line) * line
        across = _limit_velocity(error - along - self._unseen[0], speed_m_s, gain_per_s)
        in_depth = _limit_velocity((along - self._unseen[1]) / share, speed_m_s, gain_per_s)
        in_depth /= 1.0 + (float(np.linalg.norm(across)) / CROSSING_M_S) ** 2
        decay = np.exp(-dt_s / np.array(VISUAL_DELAY_S))[:, np.newaxis]
        self._unseen = decay * (self._unseen + dt_s * np.array((across, share * in_depth)))
        return across + in_depth

    def _correct_rotation(self, observed: Quat, goal: Quat, dt_s: float) -> Quat:
        error = geometry.quat_multiply(goal, geometry.quat_inverse(observed))
        if self._skill is not None:
            component = float(np.array(error[:3]) @ self._view)
            error = (*geometry.vec3(component * self._view), error[3])
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
        turned = geometry.quat_multiply(geometry.quat_from_axis_angle(axis, step), self.pose.rotation)
        # Without this limit, the wrist would continue to rotate while the ladder is blocked.
        strain = geometry.quat_angle(self._neutral, turned)
        return (
            turned if strain <= WRIST_RAD else geometry.quat_slerp(self._neutral, turned, WRIST_RAD / strain)
        )


def _limit_velocity(error: geometry.Array, speed_m_s: float, gain_per_s: float) -> geometry.Array:
    """Return the velocity (3,), m/s, that corrects an error (3,), m; its limit is lower near the goal."""
    distance = float(np.linalg.norm(error))
    if distance < 1e-9:
        return np.zeros(3)
    limit = NEAR_SPEED_M_S + (speed_m_s - NEAR_SPEED_M_S) * min(1.0, distance / NEAR_M)
    return np.asarray(error / distance * min(distance * gain_per_s, limit))


def pose_distance(a: Pose, b: Pose) -> tuple[float, float]:
    return math.dist(a.position, b.position), geometry.quat_angle(a.rotation, b.rotation)


#: Time for a hand to close, and time until an empty pinch opens again, in seconds.
CLOSING_S = 0.35
GRAB_PATIENCE_S = 1.2


@dataclass(frozen=True)
class Habits:
    """A player's usual poses: the grip frame in the table frame."""

    rest: Pose
    reach_rotation: Quat
    """Rotation of a hand that takes a ladder."""
    view_axis: Vec3 = (0.0, 1.0, 0.0)
    """The camera's viewing direction; rotations about it are tracked best."""
    eye: Vec3 = (0.0, -0.60, 0.30)
    """The camera's position."""
    exact: bool = False
    """Whether a held ladder follows the hand's whole movement in depth."""


@dataclass(frozen=True)
class Observation:
    """The state of the game on the screen; each game has a subclass."""

    time_s: float
    turn: int


class SimulatedPlayer(ABC):
    """A simulated player of any game."""

    @abstractmethod
    def aim_hand(self, view: Observation) -> tuple[Pose, float]:
        """Return the hand's pose for the next frame and its closing, from 0 (open) to 1 (pinched).

        The pose is that of the grip frame, with its origin where the finger tips meet, in the table frame.
        """

    def close(self) -> None:
        """Release the resources of a search, if any."""
        return


#: Creates a player with these habits; picklable, because it is sent to the demo's process.
PlayerFactory = Callable[[Habits], SimulatedPlayer]

#: Position of a waiting hand, and speed of an empty hand; people reach at about 0.6 m/s.
REST: Vec3 = (0.18, 0.03, 0.13)
REACH_M_S = 0.45
#: Speeds of carrying, lowering and the final descent, similar to those of people.
CARRY_M_S, LOWER_M_S, DESCENT_M_S = 0.28, 0.12, 0.035
#: Height above the release pose at which the final descent begins.
DESCENT_M = 0.02
TURN_RAD_S = 1.6
#: Height of a carried ladder above the structure.
CLEARANCE_M = 0.03
#: Distance from the lid at which a lifted ladder is rotated as planned without hitting the structure.
ASIDE_M = 0.05
#: Seconds until an empty hand opens again.
GRAB_S = 0.6
#: Gap below the ladder at which a hand releases it; people can hardly see smaller ones.
GAP_M = 0.0012
#: Maximum descent below the planned height in search of a contact, metres.
DEEPER_M = 0.012
#: Amplitude of the tremor relative to ``BotCharacter.slip_m``, and its frequency.
TREMOR = 0.15
TREMOR_HZ = 2.3
#: Seconds until a ladder that can't reach its goal is released.
PATIENCE_S = 12.0
#: Height above the release pose at which the hand waits for the command to release.
AWAIT_M = 0.03

#: A task of a ``Carrier``: maps the facts and the seconds since the last call to phases of its grip.
CarrierTask = Callable[[Facts, float], tuple[GripPhase, ...]]


class Carrier:
    """Carries ladders one by one from the lid to their release poses."""

    def __init__(
        self, eye: Vec3, character: BotCharacter, previous: Carrier | None = None, source: str = BOT_SOURCE
    ) -> None:
        """``eye`` is the camera's position, table frame; the hand starts where the ``previous`` carrier's hand is."""
        self._source = source
        self._awaits_command = False
        self._eye = eye
        self._character = character
        self._point: Vec3 = REST if previous is None else previous._point
        self._rotation: Quat = IDENTITY_QUAT
        self._task: CarrierTask = self._wait
        self._since_s = 0.0
        self._seconds = 0.0
        self.goal: Pose | None = None
        """Release pose of the ladder."""
        self._ladder: Ladder | None = None

    @property
    def is_busy(self) -> bool:
        return self._task not in (self._wait, self._leave)

    @property
    def is_leaving(self) -> bool:
        return self._task == self._leave

    @property
    def is_awaiting_command(self) -> bool:
        return self._task == self._await_command

    def lower_ladder(self) -> None:
        if self.is_awaiting_command:
            self._begin(self._lower)

    def start_carrying(
        self, ladder: Ladder, release: Pose, rng: random.Random, *, awaits_command: bool = False
    ) -> None:
        """Carry the ladder from the lid to ``release``; with ``awaits_command``, wait above it for ``lower_ladder``."""
        character, self._awaits_command = self._character, awaits_command
        self._ladder, self.goal = ladder, release
        x, y, z = (rng.gauss(0.0, character.slip_m) for _ in range(3))
        self._offset: Vec3 = (x, y, z * 0.3)  # contact makes the height more precise
        axis = geometry.vec3(np.array([rng.gauss(0.0, 1.0) for _ in range(3)]))
        self._tilt = geometry.quat_from_axis_angle(axis, rng.gauss(0.0, character.slip_rad))
        self._phase = rng.uniform(0.0, math.tau)
        self._begin(self._reach)

    def cancel(self) -> None:
        if self.is_busy:
            self._begin(self._leave)
        self.goal = None

    def end_leaving(self) -> None:
        if self.is_leaving:
            self._point = REST
            self._begin(self._wait)

    def move_hand(self, facts: Facts, dt_s: float, time_s: float) -> tuple[GripIntent, ...]:
        self._seconds += dt_s
        return tuple(
            self._make_grip(phase, time_s) for phase in self._task(facts, dt_s * self._character.pace)
        )

    # One method for each task ---------------------------------------------------------------------------------

    def _wait(self, facts: Facts, dt_s: float) -> tuple[GripPhase, ...]:
        self._move_point(REST, REACH_M_S * dt_s)
        return (GripPhase.HOVER,)

    def _leave(self, facts: Facts, dt_s: float) -> tuple[GripPhase, ...]:
        if self._move_point(REST, REACH_M_S * dt_s):
            self._begin(self._wait)
        return (GripPhase.HOVER,)

    def _reach(self, facts: Facts, dt_s: float) -> tuple[GripPhase, ...]:
        assert self._ladder is not None
        offered = next((p for p in facts.pieces if p.piece == self._ladder.piece), None)
        if offered is None or offered.status is not PieceStatus.OFFERED:
            return (GripPhase.HOVER,)
        if self._move_point(self._find_grasp_point(offered.pose), REACH_M_S * dt_s):
            self._begin(self._grab)
            self._rotation = IDENTITY_QUAT
            return (GripPhase.GRAB,)
        return (GripPhase.HOVER,)

    def _grab(self, facts: Facts, dt_s: float) -> tuple[GripPhase, ...]:
        if facts.held is not None and self._ladder is not None and facts.held == self._ladder.piece:
            self._grab_point, self._grab_pose = self._point, facts[facts.held].pose
            self._ladder_pose = self._grab_pose
            self._begin(self._lift)
        elif self._task_s > GRAB_S:
            self._begin(self._reach)
            return (GripPhase.RELEASE,)
        return (GripPhase.HOLD,)

    def _lift(self, facts: Facts, dt_s: float) -> tuple[GripPhase, ...]:
        x, y, _ = self._grab_pose.position
        rotation = self._find_goal_with_error().rotation
        if self._carry(Pose((x + ASIDE_M, y, self._find_clear_height(facts)), rotation), CARRY_M_S, dt_s):
            self._begin(self._carry_over)
        return self._hold(facts)

    def _carry_over(self, facts: Facts, dt_s: float) -> tuple[GripPhase, ...]:
        goal = self._find_goal_with_error()
        x, y, _ = goal.position
        if self._carry(Pose((x, y, self._find_clear_height(facts)), goal.rotation), CARRY_M_S, dt_s):
            self._begin(self._await_command if self._awaits_command else self._lower)
        return self._hold(facts)

    def _await_command(self, facts: Facts, dt_s: float) -> tuple[GripPhase, ...]:
        goal = self._find_goal_with_error()
        x, y, z = goal.position
        self._carry(Pose((x, y, z + AWAIT_M), goal.rotation), LOWER_M_S, dt_s)
        return self._hold(facts)

    def _lower(self, facts: Facts, dt_s: float) -> tuple[GripPhase, ...]:
        goal = self._find_goal_with_error()
        x, y, z = goal.position
        is_near = self._ladder_pose.position[2] - z < DESCENT_M
        has_arrived = self._carry(
            Pose((x, y, z - DEEPER_M), goal.rotation), DESCENT_M_S if is_near else LOWER_M_S, dt_s
        )
        is_touching = facts.held is not None and (
            (facts.grip_gap_m is not None and facts.grip_gap_m <= GAP_M) or facts.touching(facts.held) != ()
        )
        if is_touching or has_arrived or self._task_s > PATIENCE_S:
            self._begin(self._steady)
        return self._hold(facts)

    def _steady(self, facts: Facts, dt_s: float) -> tuple[GripPhase, ...]:
        if self._task_s > self._character.patience_s:
            self._begin(self._leave)
            return (GripPhase.RELEASE,)
        return self._hold(facts)

    # Helpers --------------------------------------------------------------------------------------------------

    @property
    def _task_s(self) -> float:
        return self._seconds - self._since_s

    def _begin(self, task: CarrierTask) -> None:
        self._task, self._since_s = task, self._seconds

    def _hold(self, facts: Facts) -> tuple[GripPhase, ...]:
        if facts.held is None:
            self._begin(self._leave)
            return (GripPhase.HOVER,)
        self._point, self._rotation = self._find_grip(self._ladder_pose)
        return (GripPhase.HOLD,)

    def _find_goal_with_error(self) -> Pose:
        assert self.goal is not None
        x, y, z = (p + w for p, w in zip(self.goal.position, self._offset, strict=True))
        tremor = (
            TREMOR * self._character.slip_m * math.sin(math.tau * TREMOR_HZ * self._seconds + self._phase)
        )
        return Pose((x + tremor, y - 0.6 * tremor, z), geometry.quat_multiply(self._tilt, self.goal.rotation))

    def _carry(self, goal: Pose, speed_m_s: float, dt_s: float) -> bool:
        pose = self._ladder_pose
        remaining = math.dist(pose.position, goal.position)
        step = min(remaining, speed_m_s * dt_s)
        share = 1.0 if remaining < 1e-9 else step / remaining
        x, y, z = (a + (b - a) * share for a, b in zip(pose.position, goal.position, strict=True))
        remaining_rad = geometry.quat_angle(pose.rotation, goal.rotation)
        rotation_share = 1.0 if remaining_rad < 1e-6 else min(1.0, TURN_RAD_S * dt_s / remaining_rad)
        self._ladder_pose = Pose((x, y, z), geometry.quat_slerp(pose.rotation, goal.rotation, rotation_share))
        return share == 1.0 and rotation_share == 1.0

    def _find_grip(self, ladder_pose: Pose) -> tuple[Vec3, Quat]:
        grab_pose = self._grab_pose
        rotation = geometry.quat_multiply(ladder_pose.rotation, geometry.quat_inverse(grab_pose.rotation))
        ax, ay, az = self._grab_point
        px, py, pz = grab_pose.position
        rx, ry, rz = geometry.quat_rotate(rotation, (px - ax, py - ay, pz - az))
        wx, wy, wz = ladder_pose.position
        return (wx - rx, wy - ry, wz - rz), rotation

    def _find_grasp_point(self, offered: Pose) -> Vec3:
        """Return the middle of a rail; a hand at the end of an upright ladder would be outside the picture."""
        assert self._ladder is not None
        rails = (box for box in self._ladder.boxes if box.role == "rail")
        rail = min(rails, key=lambda box: abs(box.centre[2]))
        return geometry.pose_apply(offered, rail.centre)

    def _find_clear_height(self, facts: Facts) -> float:
        """Return the height that just clears the structure; a much higher ladder would be outside the picture."""
        assert self._ladder is not None
        rotation = self._find_goal_with_error().rotation
        low = min(geometry.quat_rotate(rotation, point)[2] for rail in self._ladder.rails for point in rail)
        standing = [p.highest_m for p in facts.pieces if p.status in (PieceStatus.FREE, PieceStatus.FIXED)]
        return max(standing, default=0.0) - low + CLEARANCE_M

    def _move_point(self, goal: Vec3, step_m: float) -> bool:
        remaining = math.dist(self._point, goal)
        share = 1.0 if remaining <= step_m else step_m / remaining
        x, y, z = (a + (b - a) * share for a, b in zip(self._point, goal, strict=True))
        self._point = (x, y, z)
        return share == 1.0

    def _make_grip(self, phase: GripPhase, time_s: float) -> GripIntent:
        axis = geometry.line_of_sight(self._eye, self._point)
        closing = 0.0 if phase in (GripPhase.HOVER, GripPhase.RELEASE) else 1.0
        return GripIntent(
            time_s, self._source, phase, Pose(self._point, self._rotation), axis, closing=closing
        )
