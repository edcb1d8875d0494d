"""The simulated hand: grips like a mouse's or a hand's, at human speed and with its own tremor.

It carries a bot's ladders, and those of a player who chooses a place instead of gripping.
"""

from __future__ import annotations

import enum
import math
import random
from typing import Protocol

import numpy as np

from armoon.geometry import (
    pose_apply,
    quat_angle,
    quat_from_axis_angle,
    quat_inverse,
    quat_multiply,
    quat_rotate,
    quat_slerp,
    vec3,
)
from armoon.values.pieces import BOT_SOURCE, Facts, GripIntent, GripPhase, Ladder, PieceStatus
from armoon.values.poses import IDENTITY_QUAT, Pose, Quat, Vec3

#: Where it waits, and how fast it goes there empty; people reach at about 0.6 m/s.
REST: Vec3 = (0.18, 0.03, 0.13)
REACH_M_S = 0.45
#: Carrying, lowering, and the last of the way down, as people do it.
CARRY_M_S, LOWER_M_S, LAST_M_S = 0.28, 0.12, 0.035
#: Height above the release at which the last part of the way begins.
LAST_M = 0.02
TURN_RAD_S = 1.6
#: Clearance of a carried ladder over the structure.
CLEARANCE_M = 0.03
#: Distance beside the lid at which a lifted ladder is rotated as it will lie, clear of everything that stands.
ASIDE_M = 0.05
#: A hand that closed on nothing opens again after this.
GRAB_S = 0.6
#: The gap at which a hand lets go: closer is hardly seen.
GAP_M = 0.0012
#: Where nothing was touched as planned, it goes on down by this much, then lets go.
DEEPER_M = 0.012
#: Share of a hand's slip that is tremor; the rest is a constant error.
TREMOR = 0.15
TREMOR_HZ = 2.3
#: Seconds after which a ladder that can't reach its goal is let go of where it is.
PATIENCE_S = 12.0


#: Height above the place at which it waits for the word to let go.
AWAIT_M = 0.03


class Character(Protocol):
    """How the hand moves and misses."""

    @property
    def slip_m(self) -> float:
        """How far it misses, one standard deviation along each axis."""

    @property
    def slip_rad(self) -> float:
        """The same of how the ladder is rotated."""

    @property
    def patience_s(self) -> float:
        """How long it holds still before it lets go."""

    @property
    def pace(self) -> float:
        """In parts of a person's usual speed."""


class Doing(enum.Enum):
    """The hand's present task."""

    WAITING = "waiting"
    REACHING = "reaching"
    GRABBING = "grabbing"
    LIFTING = "lifting"
    CARRYING = "carrying"
    AWAITING = "awaiting"
    """Over the place, until the player says that it is to let go."""
    LOWERING = "lowering"
    STEADYING = "steadying"
    LEAVING = "leaving"


class Carrier:
    """Brings one ladder after the other from the lid to where it shall be let go of."""

    def __init__(
        self,
        eye: Vec3,
        character: Character,
        before: Carrier | None = None,
        source: str = BOT_SOURCE,
    ) -> None:
        """``eye``: where the camera is, table frame; a grip lies on a line of sight. It begins where another was."""
        self._source = source
        self._asks = False
        self._eye = eye
        self._character = character
        self._point: Vec3 = REST if before is None else before.point
        self._rotation: Quat = IDENTITY_QUAT
        self._doing = Doing.WAITING
        self._since_s = 0.0
        self._seconds = 0.0
        self._goal: Pose | None = None
        self._ladder: Ladder | None = None
        self._taken: Vec3 = (0.0, 0.0, 0.0)
        self._anchor_from: Pose = Pose(REST)
        self._wanted: Pose = Pose(REST)
        self._wrong: Vec3 = (0.0, 0.0, 0.0)
        self._askew: Quat = IDENTITY_QUAT
        self._phase = 0.0

    @property
    def busy(self) -> bool:
        """It has something to bring, and hasn't let go of it yet."""
        return self._doing not in (Doing.WAITING, Doing.LEAVING)

    @property
    def point(self) -> Vec3:
        """Where it is, table frame."""
        return self._point

    @property
    def leaving(self) -> bool:
        """It has let go, and goes back to where it waits."""
        return self._doing is Doing.LEAVING

    @property
    def awaits(self) -> bool:
        """It holds the ladder over its place, and waits for a player's word."""
        return self._doing is Doing.AWAITING

    @property
    def goal(self) -> Pose | None:
        """Where it means to let go."""
        return self._goal

    def aim(self, goal: Pose) -> None:
        """Change the goal to another one near by."""
        self._goal = goal

    def let_go(self) -> None:
        """Down from where it awaits, until something is touched."""
        if self.awaits:
            self._begin(Doing.LOWERING)

    def bring(self, ladder: Ladder, release: Pose, dice: random.Random, *, asks: bool = False) -> None:
        """Take this ladder out of the lid and let go of it at ``release``, as well as this hand can.

        ``asks``: it awaits ``let_go`` over that place.
        """
        c, self._asks = self._character, asks
        self._ladder, self._goal = ladder, release
        x, y, z = (dice.gauss(0.0, c.slip_m) for _ in range(3))
        self._wrong = (x, y, z * 0.3)  # height is seen by what is touched
        axis = vec3(np.array([dice.gauss(0.0, 1.0) for _ in range(3)]))
        self._askew = quat_from_axis_angle(axis, dice.gauss(0.0, c.slip_rad))
        self._phase = dice.uniform(0.0, math.tau)
        self._begin(Doing.REACHING)

    def drop(self) -> None:
        """Nothing is to be brought any more."""
        if self.busy:
            self._begin(Doing.LEAVING)
        self._goal = None

    def be_gone(self) -> None:
        """End leaving at once, as a player's own grip closes."""
        if self.leaving:
            self._point = REST
            self._begin(Doing.WAITING)

    def move(self, facts: Facts, dt_s: float, time_s: float) -> tuple[GripIntent, ...]:
        """Return its grips for a frame of this length."""
        self._seconds += dt_s
        phases: tuple[GripPhase, ...] = getattr(self, f"_{self._doing.value}")(
            facts, dt_s * self._character.pace
        )
        return tuple(self._grip(phase, time_s) for phase in phases)

    # One method for each thing it can be doing ---------------------------------------------------------------

    def _waiting(self, facts: Facts, dt_s: float) -> tuple[GripPhase, ...]:
        self._towards(REST, REACH_M_S * dt_s)
        return (GripPhase.HOVER,)

    def _leaving(self, facts: Facts, dt_s: float) -> tuple[GripPhase, ...]:
        if self._towards(REST, REACH_M_S * dt_s):
            self._begin(Doing.WAITING)
        return (GripPhase.HOVER,)

    def _reaching(self, facts: Facts, dt_s: float) -> tuple[GripPhase, ...]:
        assert self._ladder is not None
        offered = next((p for p in facts.pieces if p.piece == self._ladder.piece), None)
        if offered is None or offered.status is not PieceStatus.OFFERED:
            return (GripPhase.HOVER,)
        if self._towards(self._grasp(offered.pose), REACH_M_S * dt_s):
            self._begin(Doing.GRABBING)
            self._rotation = IDENTITY_QUAT
            return (GripPhase.GRAB,)
        return (GripPhase.HOVER,)

    def _grabbing(self, facts: Facts, dt_s: float) -> tuple[GripPhase, ...]:
        if facts.held is not None and self._ladder is not None and facts.held == self._ladder.piece:
            self._taken, self._anchor_from = self._point, facts[facts.held].pose
            self._wanted = self._anchor_from
            self._begin(Doing.LIFTING)
        elif self._for_s > GRAB_S:
            self._begin(Doing.REACHING)
            return (GripPhase.RELEASE,)
        return (GripPhase.HOLD,)

    def _lifting(self, facts: Facts, dt_s: float) -> tuple[GripPhase, ...]:
        x, y, _ = self._anchor_from.position
        rotation = self._aimed().rotation
        if self._carry(Pose((x + ASIDE_M, y, self._height(facts)), rotation), CARRY_M_S, dt_s):
            self._begin(Doing.CARRYING)
        return self._held(facts)

    def _carrying(self, facts: Facts, dt_s: float) -> tuple[GripPhase, ...]:
        goal = self._aimed()
        x, y, _ = goal.position
        if self._carry(Pose((x, y, self._height(facts)), goal.rotation), CARRY_M_S, dt_s):
            self._begin(Doing.AWAITING if self._asks else Doing.LOWERING)
        return self._held(facts)

    def _awaiting(self, facts: Facts, dt_s: float) -> tuple[GripPhase, ...]:
        goal = self._aimed()
        x, y, z = goal.position
        self._carry(Pose((x, y, z + AWAIT_M), goal.rotation), LOWER_M_S, dt_s)
        return self._held(facts)

    def _lowering(self, facts: Facts, dt_s: float) -> tuple[GripPhase, ...]:
        goal = self._aimed()
        x, y, z = goal.position
        last = self._wanted.position[2] - z < LAST_M
        there = self._carry(Pose((x, y, z - DEEPER_M), goal.rotation), LAST_M_S if last else LOWER_M_S, dt_s)
        touches = facts.held is not None and (
            (facts.grip_gap_m is not None and facts.grip_gap_m <= GAP_M) or facts.touching(facts.held) != ()
        )
        if touches or there or self._for_s > PATIENCE_S:
            self._begin(Doing.STEADYING)
        return self._held(facts)

    def _steadying(self, facts: Facts, dt_s: float) -> tuple[GripPhase, ...]:
        if self._for_s > self._character.patience_s:
            self._begin(Doing.LEAVING)
            return (GripPhase.RELEASE,)
        return self._held(facts)

    # Small thoughts ------------------------------------------------------------------------------------------

    @property
    def _for_s(self) -> float:
        return self._seconds - self._since_s

    def _begin(self, doing: Doing) -> None:
        self._doing, self._since_s = doing, self._seconds

    def _held(self, facts: Facts) -> tuple[GripPhase, ...]:
        """Go on holding; what was taken away is let go of."""
        if facts.held is None:
            self._begin(Doing.LEAVING)
            return (GripPhase.HOVER,)
        self._point, self._rotation = self._grip_for(self._wanted)
        return (GripPhase.HOLD,)

    def _aimed(self) -> Pose:
        """Where it means to let go, as far as this hand hits it."""
        assert self._goal is not None
        x, y, z = (p + w for p, w in zip(self._goal.position, self._wrong, strict=True))
        tremble = (
            TREMOR * self._character.slip_m * math.sin(math.tau * TREMOR_HZ * self._seconds + self._phase)
        )
        return Pose((x + tremble, y - 0.6 * tremble, z), quat_multiply(self._askew, self._goal.rotation))

    def _carry(self, goal: Pose, speed_m_s: float, dt_s: float) -> bool:
        """Move the ladder's wanted pose on; True once it is there."""
        here = self._wanted
        left = math.dist(here.position, goal.position)
        step = min(left, speed_m_s * dt_s)
        share = 1.0 if left < 1e-9 else step / left
        x, y, z = (a + (b - a) * share for a, b in zip(here.position, goal.position, strict=True))
        turn = quat_angle(here.rotation, goal.rotation)
        part = 1.0 if turn < 1e-6 else min(1.0, TURN_RAD_S * dt_s / turn)
        self._wanted = Pose((x, y, z), quat_slerp(here.rotation, goal.rotation, part))
        return share == 1.0 and part == 1.0

    def _grip_for(self, wanted: Pose) -> tuple[Vec3, Quat]:
        """Where the hand has to be so that the ladder it took comes to be there (``world.grip``)."""
        before = self._anchor_from
        rotation = quat_multiply(wanted.rotation, quat_inverse(before.rotation))
        ax, ay, az = self._taken
        px, py, pz = before.position
        rx, ry, rz = quat_rotate(rotation, (px - ax, py - ay, pz - az))
        wx, wy, wz = wanted.position
        return (wx - rx, wy - ry, wz - rz), rotation

    def _grasp(self, offered: Pose) -> Vec3:
        """Return a rail by its middle: an upright ladder held by its end leaves the picture's top with the hand."""
        assert self._ladder is not None
        rails = (box for box in self._ladder.boxes if box.role == "rail")
        rail = min(rails, key=lambda box: abs(box.centre[2]))
        return pose_apply(offered, rail.centre)

    def _height(self, facts: Facts) -> float:
        """Return the height of the ladder's middle at which it clears everything that stands, rotated as it will lie.

        No higher, for there the picture ends.
        """
        assert self._ladder is not None
        rotation = self._aimed().rotation
        low = min(quat_rotate(rotation, point)[2] for rail in self._ladder.rails for point in rail)
        standing = [p.highest_m for p in facts.pieces if p.status in (PieceStatus.FREE, PieceStatus.FIXED)]
        return max(standing, default=0.0) - low + CLEARANCE_M

    def _towards(self, goal: Vec3, step_m: float) -> bool:
        left = math.dist(self._point, goal)
        share = 1.0 if left <= step_m else step_m / left
        x, y, z = (a + (b - a) * share for a, b in zip(self._point, goal, strict=True))
        self._point = (x, y, z)
        return share == 1.0

    def _grip(self, phase: GripPhase, time_s: float) -> GripIntent:
        way = [p - e for p, e in zip(self._point, self._eye, strict=True)]
        length = math.sqrt(sum(w * w for w in way)) or 1.0
        axis: Vec3 = (way[0] / length, way[1] / length, way[2] / length)
        closing = 0.0 if phase in (GripPhase.HOVER, GripPhase.RELEASE) else 1.0
        return GripIntent(
            time_s, self._source, phase, Pose(self._point, self._rotation), axis, closing=closing
        )
