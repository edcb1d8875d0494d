"""The benchmark's hand: takes the ladder from the lid and sets it down, steered by what the screen shows.

As a player does, it sees where the held ladder is and moves by what is still missing; where the tracker
believes the hand to be it never learns.
"""

from __future__ import annotations

import enum
import math

from armoon.games.moon.player.placer import Plan
from armoon.geometry import pose_apply
from armoon.players.habits import Habits
from armoon.players.hand import SteeredHand, pose_distance
from armoon.values.facts import Facts, PieceStatus
from armoon.values.pieces import LadderSet, PieceId
from armoon.values.poses import Pose

#: The hand waits open and still for so long before it reaches; the second part of it gives the jitter.
STILL_S, STILL_MEASURED_S = 1.6, 1.0
REACH_SPEED_M_S = 0.45
CLOSING_S = 0.35
#: A pinch that took nothing is given up after this long.
GRAB_PATIENCE_S = 1.2
CARRY_PATIENCE_S = 6.0
CARRY_CLEARANCE_M = 0.02
LOWER_SPEED_M_S = 0.10
#: Who isn't there by then lifts the ladder free and tries again, so many times; then lets go anyhow.
LOWER_PATIENCE_S = 4.0
MOST_RETRIES = 2
LINED_UP_M = 0.005
#: Near enough to let go (metres alone, or with a wanted ladder touched already), and for how long.
RELEASE_M, RELEASE_TOUCHING_M = 0.002, 0.003
RELEASE_RAD = math.radians(4.0)
STEADY_S = 0.25
#: The part of the hand's way along the view that a held ladder goes (``hands.settings.GripSettings.depth_gain``,
#: less what is lost while the hand is also moving across the view), as a player learns by trying.
ALONG_SHARE = 0.5
#: After the fingers have opened the hand waits before it leaves.
OPENED_S = 0.3


class Doing(enum.Enum):
    """What the hand is busy with."""

    WAITING = "waiting"
    REACHING = "reaching"
    GRABBING = "grabbing"
    LIFTING = "lifting"
    CARRYING = "carrying"
    LOWERING = "lowering"
    OPENING = "opening"
    LEAVING = "leaving"
    AWAY = "away"


class PlacingHand:
    """One ladder's way from the lid to its place; call ``move`` once for every camera frame."""

    def __init__(
        self, ladders: LadderSet, piece: PieceId, plan: Plan, habits: Habits, time_s: float = 0.0
    ) -> None:
        """It begins to wait at ``time_s``."""
        self.closing = 0.0
        """0 open to 1 pinched, as commanded."""
        self.doing = Doing.WAITING
        self.since_s = time_s
        """When that began."""
        self._ladders, self._piece, self._plan, self._habits = ladders, piece, plan, habits
        self._hand = SteeredHand(habits.rest, habits.reach_rotation.rotation, habits.view_axis, ALONG_SHARE)
        self._steady_s = 0.0
        self._retries = 0

    @property
    def pose(self) -> Pose:
        """The commanded grip frame in the table frame."""
        return self._hand.pose

    @property
    def carries(self) -> bool:
        """Whether it means to hold the ladder and hasn't begun to open."""
        return self.doing in (Doing.LIFTING, Doing.CARRYING, Doing.LOWERING)

    def move(self, facts: Facts, time_s: float, dt_s: float) -> None:
        """One frame: ``facts`` are what the screen shows."""
        if self.carries and facts.held is None:
            self._begin(Doing.OPENING, time_s)
        waited_s = time_s - self.since_s
        getattr(self, f"_{self.doing.value}")(facts, time_s, waited_s, dt_s)

    def _waiting(self, facts: Facts, time_s: float, waited_s: float, dt_s: float) -> None:
        if waited_s > STILL_S:
            self._begin(Doing.REACHING, time_s)

    def _reaching(self, facts: Facts, time_s: float, waited_s: float, dt_s: float) -> None:
        length = self._ladders[self._piece].length_m
        above_middle = (self._habits.grasp_height - 0.5) * length
        point = pose_apply(facts[self._piece].pose, (0.0, 0.0, above_middle))
        goal = Pose(point, self._habits.reach_rotation.rotation)
        if self._hand.move_towards(goal, REACH_SPEED_M_S, dt_s) and waited_s > 0.3:
            self._begin(Doing.GRABBING, time_s)

    def _grabbing(self, facts: Facts, time_s: float, waited_s: float, dt_s: float) -> None:
        self.closing = min(1.0, self.closing + dt_s / CLOSING_S)
        if self.closing == 1.0 and facts.held is not None:
            self._begin(Doing.LIFTING, time_s)
        elif waited_s > CLOSING_S + GRAB_PATIENCE_S:
            self._begin(Doing.OPENING, time_s)

    def _lifting(self, facts: Facts, time_s: float, waited_s: float, dt_s: float) -> None:
        seen = facts[self._piece].pose
        x, y, _ = seen.position
        wanted = Pose((x, y, self._travel_height(facts)), seen.rotation)
        self._hand.nudge(seen, wanted, dt_s)
        if pose_distance(seen, wanted)[0] < 0.015 or waited_s > CARRY_PATIENCE_S:
            self._begin(Doing.CARRYING, time_s)

    def _carrying(self, facts: Facts, time_s: float, waited_s: float, dt_s: float) -> None:
        seen, release = facts[self._piece].pose, self._plan.release
        x, y, z = release.position
        wanted = Pose((x, y, max(self._travel_height(facts), z + CARRY_CLEARANCE_M)), release.rotation)
        self._hand.nudge(seen, wanted, dt_s)
        metres, radians = pose_distance(seen, wanted)
        if (metres < 0.006 and radians < math.radians(5.0)) or waited_s > CARRY_PATIENCE_S:
            self._begin(Doing.LOWERING, time_s)

    def _lowering(self, facts: Facts, time_s: float, waited_s: float, dt_s: float) -> None:
        seen = facts[self._piece].pose
        # Line up first, then lower: who does both at once catches on what stands before it.
        x, y, z = self._plan.release.position
        beside_m = math.hypot(x - seen.position[0], y - seen.position[1])
        height = min(z + CARRY_CLEARANCE_M, seen.position[2]) if beside_m > LINED_UP_M else z
        self._hand.nudge(seen, Pose((x, y, height), self._plan.release.rotation), dt_s, LOWER_SPEED_M_S)
        metres, radians = pose_distance(seen, self._plan.release)
        # The screen names what is touched; the first touch of a wanted ladder is where it was to be let go of.
        touched = facts.touching(self._piece)
        touching = bool(touched) and set(touched) <= set(self._plan.touched)
        there = radians < RELEASE_RAD and metres < (RELEASE_TOUCHING_M if touching else RELEASE_M)
        self._steady_s = self._steady_s + dt_s if there else 0.0
        tired = waited_s > LOWER_PATIENCE_S
        if self._steady_s > STEADY_S or (tired and self._retries == MOST_RETRIES):
            self._begin(Doing.OPENING, time_s)
        elif tired:
            self._retries += 1
            self._begin(Doing.CARRYING, time_s)

    def _opening(self, facts: Facts, time_s: float, waited_s: float, dt_s: float) -> None:
        self.closing = max(0.0, self.closing - dt_s / CLOSING_S)
        if self.closing == 0.0 and waited_s > CLOSING_S + OPENED_S:
            self._begin(Doing.LEAVING, time_s)

    def _leaving(self, facts: Facts, time_s: float, waited_s: float, dt_s: float) -> None:
        if self._hand.move_towards(self._habits.rest, REACH_SPEED_M_S * 0.6, dt_s):
            self._begin(Doing.AWAY, time_s)

    def _away(self, facts: Facts, time_s: float, waited_s: float, dt_s: float) -> None:
        """Nothing is left to do."""

    def _begin(self, doing: Doing, time_s: float) -> None:
        self.doing = doing
        self.since_s = time_s
        self._steady_s = 0.0

    def _travel_height(self, facts: Facts) -> float:
        """Height of the ladder's centre at which it clears everything that stands."""
        others = (p for p in facts.pieces if p.piece != self._piece and p.status is not PieceStatus.OFFERED)
        standing = max((p.highest_m for p in others), default=0.0)
        me = facts[self._piece]
        return standing + CARRY_CLEARANCE_M + me.pose.position[2] - me.lowest_m
