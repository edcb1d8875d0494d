"""One ladder in a world, the detection of rest, and how motion is brought to an end."""

from __future__ import annotations

import enum
import math
from collections.abc import Iterable, Mapping

from armoon.clock import TICK_S, TICKS_PER_SECOND
from armoon.geometry import quat_angle
from armoon.values.pieces import Ladder, PieceFacts, PieceId, PieceStatus
from armoon.values.poses import Pose, Vec3
from armoon.world.bullet import ANGULAR_DAMPING, LINEAR_DAMPING, STEPS_TO_SLEEP, Bullet
from armoon.world.contact import Solid

#: Speed |v| + 0.05 m |ω| below which a ladder is quiet. After QUIET_TICKS contacts never changed (docs/physics.md).
QUIET_M_S = 0.004
QUIET_ARM_M = 0.05
QUIET_TICKS = TICKS_PER_SECOND // 2

#: Maximum motion in one second of a ladder that counts as still; rotation is weighted by QUIET_ARM_M.
TREMBLE_M = 2e-4
TREMBLE_TICKS = TICKS_PER_SECOND

#: Overlap that indicates a wedged ladder; above it, contacts are solved carefully before the structure is put to sleep.
MAX_OVERLAP_M = 6e-5
#: Minimum ticks with careful contact solving, which dissolves overlaps and so moves ladders a little.
MIN_SOLVING_TICKS = 6
#: Number of quiet ticks that end the careful solving.
SOLVING_QUIET_TICKS = 3
#: Maximum number of ticks with careful solving. If it isn't quiet by then, a ladder has moved, and the wait restarts.
MAX_SOLVING_TICKS = 20

#: Ticks for free swinging (two ladders that form the figure "swing" need 6 s).
SWING_TICKS = 7 * TICKS_PER_SECOND
#: Damping after SWING_TICKS.
STRONG_LINEAR_DAMPING = 1.0
STRONG_ANGULAR_DAMPING = 5.0
#: Ticks after which everything is stopped in place.
STOP_TICKS = 12 * TICKS_PER_SECOND


def measure_speed_m_s(velocity: tuple[Vec3, Vec3]) -> float:
    """Return |v| + 0.05 m |ω| of a linear and an angular velocity: the measure of rest."""
    linear, angular = velocity
    return math.hypot(*linear) + QUIET_ARM_M * math.hypot(*angular)


class SettlingAction(enum.Enum):
    """Actions on the free ladders that bring motion to an end."""

    NOTHING = "nothing"
    DAMP = "damp"
    """Apply the strong damping."""
    STOP = "stop"
    """Put them to sleep in place."""
    SOLVE = "solve"
    """Solve their contacts carefully."""
    SLEEP = "sleep"
    """Put them to sleep: they are quiet, and their contacts are solved if needed."""


class RestDetector:
    """Detects rest by counting quiet and restless ticks."""

    def __init__(self) -> None:
        self._quiet = QUIET_TICKS
        self._restless = 0
        self._solving = 0
        self._solving_quiet = 0

    def disturb(self) -> None:
        """Restart both counts: a ladder was released, placed or removed."""
        self._quiet = 0
        self._restless = 0
        self._solving = 0

    def observe(
        self,
        fastest_m_s: float,
        deepest_m: float = 0.0,
        *,
        is_hand_at_work: bool,
        is_loose: bool,
        only_trembles: bool = False,
    ) -> SettlingAction:
        """Record the fastest free ladder's speed and the deepest overlap at this tick; return the action to take.

        ``is_loose``: a ladder has moved since it was put to sleep, and none is held nearby; ``only_trembles``: but only
        trembled. While ``is_hand_at_work``, nothing is damped or stopped, because the hand may continue to push.
        """
        self._restless = 0 if is_hand_at_work or self.at_rest else self._restless + 1
        if self._solving and self._restless >= STOP_TICKS:
            self._solving = self._quiet = 0
        quiet = only_trembles or fastest_m_s < QUIET_M_S
        if self._solving and is_loose:
            return self._continue_solving(quiet)
        self._solving = 0
        self._quiet = QUIET_TICKS if only_trembles else min(self._quiet + 1, QUIET_TICKS) if quiet else 0
        if self.at_rest:
            if not is_loose:
                return SettlingAction.NOTHING
            if deepest_m <= MAX_OVERLAP_M:
                return SettlingAction.SLEEP
            self._solving, self._solving_quiet = 1, 0
            return SettlingAction.SOLVE
        if self._restless >= STOP_TICKS:
            return SettlingAction.STOP
        return SettlingAction.DAMP if self._restless >= SWING_TICKS else SettlingAction.NOTHING

    def _continue_solving(self, quiet: bool) -> SettlingAction:
        """Count a tick of careful solving, in which motion is allowed, because dissolving overlaps moves ladders."""
        self._solving += 1
        self._solving_quiet = self._solving_quiet + 1 if quiet else 0
        if self._solving > MIN_SOLVING_TICKS and self._solving_quiet >= SOLVING_QUIET_TICKS:
            self._solving = 0
            return SettlingAction.SLEEP
        if self._solving > MAX_SOLVING_TICKS:
            self._solving = self._quiet = 0
            return SettlingAction.NOTHING
        return SettlingAction.SOLVE

    @property
    def at_rest(self) -> bool:
        """Whether every free ladder has been quiet for half a second, and no contacts are being solved."""
        return self._quiet >= QUIET_TICKS and not self._solving


class Piece:
    def __init__(self, ladder: Ladder, status: PieceStatus, pose: Pose, body: int | None) -> None:
        self.ladder = ladder
        self.status = status
        self.body = body
        bodies = () if body is None else (body,)
        self.solid = Solid(ladder.piece, ladder.boxes, bodies, is_rooted=status is PieceStatus.FIXED)
        self.solid.set_pose(pose)
        self.speed_m_s = 0.0
        self.is_loose = status is PieceStatus.FREE
        """Whether it is free and has moved since it was put to sleep."""
        self._is_sliding = False
        self._facts: PieceFacts | None = None

    def update_friction(self, engine: Bullet) -> None:
        """Let a held ladder slide more easily until it lies still after its release.

        If ladders of the structure did so too once they move, some towers of 24 would fall when they wake.
        """
        is_moving = self._is_sliding and self.speed_m_s >= QUIET_M_S
        is_sliding = is_moving or self.status is PieceStatus.HELD
        if is_sliding is not self._is_sliding and self.body is not None:
            self._is_sliding = is_sliding
            engine.set_sliding(self.body, is_sliding)

    def lean_to(self, pose: Pose) -> None:
        self.speed_m_s = measure_motion_m(self.pose, pose) / TICK_S
        self.solid.set_pose(pose)

    def free_from_slot(self, body: int) -> None:
        pose = self.pose
        self.status, self.body, self.is_loose = PieceStatus.FREE, body, True
        self.solid = Solid(self.ladder.piece, self.ladder.boxes, (body,), is_rooted=False)
        self.solid.set_pose(pose)

    @property
    def pose(self) -> Pose:
        return self.solid.pose

    def make_facts(self) -> PieceFacts:
        """Return this tick's facts; while nothing changes, return the same object."""
        facts = self._facts
        if (
            facts is None
            or self.solid.moved
            or facts.status is not self.status
            or facts.speed_m_s != self.speed_m_s
        ):
            self._facts = facts = PieceFacts(
                self.ladder.piece,
                self.status,
                self.pose,
                self.solid.high[2],
                self.solid.low[2],
                self.speed_m_s,
            )
        return facts


def measure_motion_m(before: Pose, after: Pose) -> float:
    return math.dist(before.position, after.position) + QUIET_ARM_M * quat_angle(
        before.rotation, after.rotation
    )


class StillnessCounter:
    """Counts the ticks in which nothing moves farther than a limit."""

    def __init__(self, limit_m: float, ticks: int) -> None:
        self._limit_m, self._ticks = limit_m, ticks
        self._last_poses: Mapping[PieceId, Pose] = {}
        self._count = 0

    def observe(self, poses: Mapping[PieceId, Pose]) -> bool:
        """Record the poses after a tick; return whether everything has stayed for long enough."""
        last = self._last_poses
        self._count += 1
        is_same_set = poses.keys() == last.keys()
        if not is_same_set or any(measure_motion_m(last[k], poses[k]) > self._limit_m for k in poses):
            self._last_poses, self._count = poses, 0
        return self._count >= self._ticks


def read_motion(engine: Bullet, pieces: Iterable[Piece], *, is_pushed: bool) -> float:
    """Update poses and speeds; return the top speed, m/s, of ladders not held.

    ``is_pushed``: sleeping ladders may have woken.
    """
    fastest = 0.0
    for piece in pieces:
        if piece.body is None:
            piece.solid.moved = False
        if piece.body is None or piece.status is PieceStatus.FIXED:
            piece.speed_m_s = piece.speed_m_s if piece.solid.moved else 0.0
            fastest = max(fastest, piece.speed_m_s)
            continue
        was_still = piece.speed_m_s == 0.0 and not piece.solid.moved
        if was_still and not is_pushed and piece.status is PieceStatus.FREE:
            continue  # asleep, and nothing can have woken it
        piece.speed_m_s = measure_speed_m_s(engine.get_velocity(piece.body))
        piece.update_friction(engine)
        if was_still and piece.speed_m_s == 0.0:
            continue  # asleep: the pose is unchanged
        piece.solid.set_pose(engine.get_pose(piece.body))
        if piece.status is PieceStatus.FREE:
            fastest = max(fastest, piece.speed_m_s)
            if piece.speed_m_s > 0.0 and not piece.is_loose:
                piece.is_loose = True
                engine.let_sleep(piece.body)
    return fastest


def apply_action(engine: Bullet, free: Iterable[Piece], last: SettlingAction, action: SettlingAction) -> None:
    """Damp or undamp the free ladders, wake them for solving contacts, or put them to sleep."""
    damping = (SettlingAction.DAMP, SettlingAction.STOP)
    is_damped = action in damping
    is_changed = is_damped is not (last in damping)
    for piece in free:
        assert piece.body is not None
        if action is SettlingAction.STOP or (action is SettlingAction.SLEEP and piece.is_loose):
            engine.send_to_sleep(piece.body)
            piece.is_loose = False
        elif action is SettlingAction.SOLVE and last is not SettlingAction.SOLVE and piece.is_loose:
            engine.wake(piece.body)
        if is_changed:
            engine.set_damping(
                piece.body,
                STRONG_LINEAR_DAMPING if is_damped else LINEAR_DAMPING,
                STRONG_ANGULAR_DAMPING if is_damped else ANGULAR_DAMPING,
            )


def step_to_sleep(engine: Bullet, free: Iterable[Piece]) -> None:
    """Step until Bullet has actually put the bodies to sleep, and undo their motion meanwhile."""
    for _ in range(STEPS_TO_SLEEP):
        engine.step()
    for piece in free:
        assert piece.body is not None
        engine.set_pose(piece.body, piece.pose)
        engine.send_to_sleep(piece.body)
