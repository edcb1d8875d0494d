"""The player of the built-in demo: looks at the table, makes up its mind by trying, and moves its hand.

It knows only what is on screen (``Sight``) and acts only with its hand (``HandAim``); it plays mostly well
and errs on purpose now and then, so that a demo shows what the referee does about mistakes.
"""

from __future__ import annotations

import enum
import math
from dataclasses import replace

from armoon.games.moon.lid import ATTITUDES
from armoon.games.moon.player.placer import Placer, Plan, Wish
from armoon.games.moon.sight import MoonSight
from armoon.geometry import pose_apply, quat_angle
from armoon.players.habits import CLOSING_S, GRAB_PATIENCE_S, Habits
from armoon.players.hand import SteeredHand, pose_distance
from armoon.players.sight import HandAim, Sight
from armoon.values.facts import Facts, PieceFacts, PieceStatus
from armoon.values.pieces import Base, LadderSet, PieceId
from armoon.values.poses import Pose, Vec3

#: What the demo does in its turns, over and over.
WISHES = (Wish.HONOUR, Wish.HONOUR, Wish.TABLE, Wish.HONOUR, Wish.WRONG_COUNT, Wish.HONOUR)

REACH_SPEED_M_S = 0.45
#: Near enough to let go, and how long it must stay so.
RELEASE_M = 0.002
RELEASE_RAD = math.radians(2.5)
STEADY_S = 0.25
#: A goal that can't be reached exactly is let go of after this long.
PLACE_PATIENCE_S = 3.5
#: How far above the structure a ladder is carried.
CARRY_CLEARANCE_M = 0.02


class Doing(enum.Enum):
    """What the hand is busy with."""

    RESTING = "resting"
    THINKING = "thinking"
    REACHING = "reaching"
    GRABBING = "grabbing"
    LIFTING = "lifting"
    CARRYING = "carrying"
    LOWERING = "lowering"
    OPENING = "opening"
    LEAVING = "leaving"


#: A ladder that is turned by more than this from how it is wanted shows another side; so often it is tapped at most.
SIDE_RAD, MOST_TAPS = math.radians(40.0), 5
#: After a loss the hand stays this much lower than where it was lost.
LOWER_M = 0.02
#: Lost so often in one turn, it puts the ladder down anywhere.
MOST_LOSSES = 4


class DemoPlayer:
    """A mind and a hand; call ``look`` once for every camera frame."""

    def __init__(
        self, ladders: LadderSet, base: Base, habits: Habits, seed: int, steps_per_frame: int = 2
    ) -> None:
        self._ladders = ladders
        self._habits = habits
        self._placer = Placer(ladders, base, seed, habits.view_axis)
        self._steps_per_frame = steps_per_frame
        self._hand = SteeredHand(habits.rest, habits.reach_rotation.rotation)
        self._doing = Doing.RESTING
        self._since_s = 0.0
        self._steady_s = 0.0
        self._closing = 0.0
        self._plan: Plan | None = None
        self._taps = 0
        self._tapping = False
        """The ladder is only tapped, so that the lid shows its next side."""
        self._last_s: float | None = None
        self._held_m = math.inf
        """How high the held ladder's centre was when it was seen in the hand last."""
        self._ceiling_m = math.inf
        """Higher than this the hand leaves the picture: it was lost there."""
        self._losses = (0, 0)
        """A turn, and how often the hand was lost in it."""

    @property
    def doing(self) -> Doing:
        """What the hand is busy with, for tests and captions."""
        return self._doing

    def look(self, sight: Sight) -> HandAim:
        """See the table and move the hand for one frame."""
        assert isinstance(sight, MoonSight), "this player plays the moon game"
        dt_s = 0.0 if self._last_s is None else min(0.1, max(0.0, sight.time_s - self._last_s))
        self._last_s = sight.time_s
        held = sight.facts.held
        if (
            self._closing > 0.0
            and held is None
            and self._doing
            in (
                Doing.LIFTING,
                Doing.CARRYING,
                Doing.LOWERING,
            )
        ):
            # Lost it (a fault, or the tracker): let go and wait for what the referee says.
            if _offered(sight.facts) is not None:
                self._learn_from_loss(sight)
            self._begin(Doing.OPENING, sight)
        if held is not None:
            self._held_m = sight.facts[held].pose.position[2]
        getattr(self, f"_{self._doing.value}")(sight, dt_s)
        return HandAim(self._hand.pose, self._closing)

    def close(self) -> None:
        """Give the copied world back."""
        self._placer.close()

    # One method for each thing the hand can be doing -------------------------------------------------------

    def _resting(self, sight: MoonSight, dt_s: float) -> None:
        self._closing = 0.0
        self._hand.move_towards(self._habits.rest, REACH_SPEED_M_S, dt_s)
        if sight.phase in ("DRAW", "HOLD") and _offered(sight.facts) is not None and sight.die is not None:
            self._plan, self._taps = None, 0
            self._placer.begin_anew()
            self._begin(Doing.THINKING, sight)

    def _thinking(self, sight: MoonSight, dt_s: float) -> None:
        self._hand.move_towards(self._habits.rest, REACH_SPEED_M_S, dt_s)
        offered = _offered(sight.facts)
        if offered is None or sight.die is None:
            self._begin(Doing.RESTING, sight)
            return
        wish = self._wish(sight)
        if wish is Wish.TABLE:
            self._begin(Doing.REACHING, sight)
            return
        for _ in range(self._steps_per_frame):
            self._plan = self._placer.think(sight.facts, offered.piece, ATTITUDES, sight.die, wish)
            if self._plan is not None or self._placer.given_up:
                self._begin(Doing.REACHING, sight)
                return

    def _reaching(self, sight: MoonSight, dt_s: float) -> None:
        offered = _offered(sight.facts)
        if offered is None:
            self._begin(Doing.RESTING, sight)
            return
        goal = self._grasp(offered)
        if self._hand.move_towards(goal, REACH_SPEED_M_S, dt_s) and self._for_s(sight) > 0.3:
            self._begin(Doing.GRABBING, sight)

    def _grabbing(self, sight: MoonSight, dt_s: float) -> None:
        self._closing = min(1.0, self._closing + dt_s / CLOSING_S)
        if sight.facts.held is not None and not sight.facts.held_waits:
            self._closing = 1.0
            self._tapping = self._shows_another_side(_held(sight.facts)) and self._taps < MOST_TAPS
            self._begin(Doing.OPENING if self._tapping else Doing.LIFTING, sight)
        elif self._for_s(sight) > CLOSING_S + GRAB_PATIENCE_S:
            self._begin(Doing.OPENING, sight)

    def _lifting(self, sight: MoonSight, dt_s: float) -> None:
        held = _held(sight.facts)
        above = self._travel_height(sight.facts, held.piece)
        wanted = replace(held.pose, position=(held.pose.position[0], held.pose.position[1], above))
        if self._plan is None:
            wanted = self._drop_pose(held)
        self._hand.nudge(held.pose, wanted, dt_s)
        if pose_distance(held.pose, wanted)[0] < 0.015:
            self._begin(Doing.OPENING if self._plan is None else Doing.CARRYING, sight)

    def _carrying(self, sight: MoonSight, dt_s: float) -> None:
        assert self._plan is not None
        held = _held(sight.facts)
        x, y, z = self._plan.release.position
        above = max(self._travel_height(sight.facts, held.piece), z + 0.02)
        wanted = Pose((x, y, above), self._plan.release.rotation)
        self._hand.nudge(held.pose, wanted, dt_s)
        metres, radians = pose_distance(held.pose, wanted)
        near = metres < 0.006 and radians < math.radians(3.0)
        if near or self._for_s(sight) > 2.0 * PLACE_PATIENCE_S:
            self._begin(Doing.LOWERING, sight)

    def _lowering(self, sight: MoonSight, dt_s: float) -> None:
        assert self._plan is not None
        held = _held(sight.facts)
        self._hand.nudge(held.pose, self._plan.release, dt_s, speed_m_s=0.10)
        metres, radians = pose_distance(held.pose, self._plan.release)
        # What is touched already can't be told apart from what is a hair away: the contacts count as well.
        touching = sight.facts.touching(held.piece) == self._plan.touched
        there = (metres < RELEASE_M and radians < RELEASE_RAD) or (touching and metres < 2.5 * RELEASE_M)
        self._steady_s = self._steady_s + dt_s if there else 0.0
        if self._steady_s > STEADY_S or self._for_s(sight) > PLACE_PATIENCE_S:
            self._begin(Doing.OPENING, sight)

    def _opening(self, sight: MoonSight, dt_s: float) -> None:
        self._closing = max(0.0, self._closing - dt_s / CLOSING_S)
        if self._closing == 0.0 and self._for_s(sight) > CLOSING_S + 0.25:
            self._begin(Doing.REACHING if self._tapping else Doing.LEAVING, sight)
            self._taps, self._tapping = self._taps + self._tapping, False

    def _leaving(self, sight: MoonSight, dt_s: float) -> None:
        if self._hand.move_towards(self._habits.rest, REACH_SPEED_M_S * 0.6, dt_s):
            self._begin(Doing.RESTING, sight)

    # Small thoughts ----------------------------------------------------------------------------------------

    def _begin(self, doing: Doing, sight: MoonSight) -> None:
        self._doing = doing
        self._since_s = sight.time_s
        self._steady_s = 0.0

    def _for_s(self, sight: MoonSight) -> float:
        return sight.time_s - self._since_s

    def _shows_another_side(self, held: PieceFacts) -> bool:
        """Whether the lid has to turn the ladder before it can be laid where it is meant to go."""
        return self._plan is not None and quat_angle(held.pose.rotation, self._plan.offered) > SIDE_RAD

    def _learn_from_loss(self, sight: MoonSight) -> None:
        """The ladder is back in the lid, for the hand went where the camera doesn't see it: stay lower."""
        turn, count = self._losses
        self._losses = (sight.turn, count + 1 if turn == sight.turn else 1)
        self._ceiling_m = min(self._ceiling_m, self._held_m - LOWER_M)

    def _wish(self, sight: MoonSight) -> Wish:
        if self._losses[0] == sight.turn and self._losses[1] >= MOST_LOSSES:
            return Wish.TABLE  # a person would give up as well
        return WISHES[(sight.turn - 1) % len(WISHES)]

    def _grasp(self, offered: PieceFacts) -> Pose:
        """Where to pinch: well above the middle, so that the ladder hangs below the hand."""
        length = self._ladders[offered.piece].length_m
        height = (self._habits.grasp_height - 0.5) * length
        return Pose(pose_apply(offered.pose, (0.0, 0.0, height)), self._habits.reach_rotation.rotation)

    def _travel_height(self, facts: Facts, piece: PieceId) -> float:
        """Height of the ladder's centre at which it clears everything that stands."""
        standing = [
            p.highest_m for p in facts.pieces if p.piece != piece and p.status is not PieceStatus.OFFERED
        ]
        me = facts[piece]
        below = me.pose.position[2] - me.lowest_m
        return min(max(standing, default=0.0) + CARRY_CLEARANCE_M + below, self._ceiling_m)

    @staticmethod
    def _drop_pose(held: PieceFacts) -> Pose:
        """On the bare table, between the lid and the cloud, in front: let go of in the air it may wait there."""
        spot: Vec3 = (0.12, -0.09, held.pose.position[2] - held.lowest_m)
        return Pose(spot, held.pose.rotation)


def _offered(facts: Facts) -> PieceFacts | None:
    """What can be taken: the ladder in the lid, or the one that waits in the air."""
    if facts.held_waits:
        return _held(facts)
    return next((p for p in facts.pieces if p.status is PieceStatus.OFFERED), None)


def _held(facts: Facts) -> PieceFacts:
    assert facts.held is not None
    return facts[facts.held]
