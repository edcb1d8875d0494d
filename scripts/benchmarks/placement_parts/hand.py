"""The benchmark's hand: takes the ladder from the lid and sets it down, steered by what its eye makes of the screen.

As a player does, it moves by what is still missing; where the tracker believes the hand to be it never learns. Where
it isn't sure of the depth, it parks the ladder in the air and turns the table. Everything is at home here.
"""

from __future__ import annotations

import enum
import math
import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from armoon.engine.match import FINE_TILT_RAD, TILT_RAD
from armoon.games.moon.player.placer import Plan
from armoon.games.moon.table.match import LID_TILT_RAD
from armoon.geometry import (
    pose_apply,
    pose_compose,
    quat_angle,
    quat_inverse,
    quat_multiply,
    quat_rotate,
    rotation_vector,
    vec3,
)
from armoon.players.hand import CARRY_SPEED_M_S, GAIN_PER_S, Skill, SteeredHand, pose_distance
from armoon.players.sight import CLOSING_S, GRAB_PATIENCE_S, Habits
from armoon.values.acts import Act
from armoon.values.facts import Facts, PieceStatus
from armoon.values.intents import Command
from armoon.values.pieces import BASE, TABLE, LadderSet, PieceId
from armoon.values.poses import Pose
from benchmarks.placement_parts.eye import Eye, Seen, turned
from benchmarks.placement_parts.people import STEADY, Manner
from benchmarks.placement_parts.skill import Tilted, fine_press, presses_at_lid

#: Seconds for which the hand waits open and still before it reaches; the second part of it gives the jitter.
STILL_S, STILL_MEASURED_S = 1.6, 1.0
REACH_SPEED_M_S = 0.45
CARRY_PATIENCE_S = 6.0
CARRY_CLEARANCE_M = 0.02
#: It is lined up so far above its place, then lowered.
HOVER_M = 0.018
LOWER_SPEED_M_S = 0.10
#: Seconds for lowering; then the hand lifts the ladder free and tries again, MOST_RETRIES times; then lets go.
LOWER_PATIENCE_S = 4.0
MOST_RETRIES = 2
#: Lined up: across, and rotated.
LINED_UP_M, LINED_UP_RAD, SETTLED_S, LINE_UP_PATIENCE_S = 0.003, math.radians(4.0), 0.3, 5.0
#: It comes down from the height it was carried at when it is so near to being above its place, and rotated.
ABOVE_M, ABOVE_RAD = 0.010, math.radians(7.0)
#: What meets something up there is lifted free of it by so much.
FREE_M = 0.015
#: Lowered no further while it is farther beside its place, as far as the eye can tell.
OVER_M = 0.002
#: Near enough to let go (metres alone, or across and with wanted ladders touched already), and for how long.
RELEASE_M, RELEASE_TOUCHING_M = 0.002, 0.004
RELEASE_RAD, RELEASE_HEIGHT_M = math.radians(5.0), 0.006
STEADY_S, STEADY_TOUCHING_S = 0.25, 0.15
#: Where not all is touched yet that is to be, it is pressed down by so much.
PRESSED_M = 0.0015
#: Where nothing is met, it is felt for so far below; a touch that wasn't meant is put up with for so long.
FEEL_M, FOLLOW_M, FEEL_AHEAD_M, WRONG_S = 0.012, 0.030, 0.004, 0.4
#: The part of the hand's way along the view that a held ladder goes (``hands.settings.GripSettings.depth_gain``,
#: less what is lost while the hand is also moving across the view), and how late, as a player learns by trying.
ALONG_SHARE, ALONG_LAG_S = 0.5, 0.3
#: After the fingers have opened the hand waits before it leaves.
OPENED_S = 0.3
#: Keys are pressed so far apart; a table that turns by a quarter is waited for.
PRESS_S, TURNS_S, FOLLOWS_S = 0.25, 1.2, 0.6
#: Who knows the depth no better turns the table by so much.
UNSURE_M, TURN_DEG = 0.0022, 90
#: Lower than this, at home, the hand stays in the camera's picture.
CEILING_M = 0.30


class Doing(enum.Enum):
    """What the hand is busy with."""

    WAITING = "waiting"
    REACHING = "reaching"
    TAPPING = "tapping"
    GRABBING = "grabbing"
    LIFTING = "lifting"
    CARRYING = "carrying"
    LINING_UP = "lining_up"
    TURNING = "turning"
    LOWERING = "lowering"
    OPENING = "opening"
    LEAVING = "leaving"
    AWAY = "away"


@dataclass(frozen=True)
class Surroundings:
    """What holds for the whole trial."""

    ladders: LadderSet
    piece: PieceId
    habits: Habits
    tilted: Tilted
    ghost: Callable[[], tuple[PieceId, ...]]
    """Which ladders the faint ladder touches now; none where none is shown."""
    without: str = ""
    """The help that isn't there."""
    manner: Manner = STEADY


class PlacingHand:
    """One ladder's way from the lid to its place; call ``move`` once for every camera frame."""

    def __init__(
        self, around: Surroundings, plan: Plan, eye: Eye, late_s: float, time_s: float = 0.0
    ) -> None:
        """Wait from ``time_s`` on; what is touched is seen ``late_s`` later."""
        self.closing = 0.0
        """0 open to 1 pinched, as commanded."""
        self.doing = Doing.WAITING
        self.since_s = time_s
        """When that began."""
        self.tries = 1
        self._around, self._plan, self._eye, self._late_s = around, plan, eye, late_s
        habits = around.habits
        self._view = np.array(habits.view_axis)
        skill = Skill(habits.view_axis, ALONG_SHARE)
        self._hand = SteeredHand(habits.rest, habits.reach_rotation.rotation, skill)
        self._home = Pose((0.0, 0.0, 0.0))
        self._seen = Seen(Pose((0.0, 0.0, 0.0)), 0.0, 0.0)
        self._shown: deque[tuple[float, tuple[PieceId, ...], tuple[PieceId, ...]]] = deque()
        self._touched: tuple[PieceId, ...] = ()
        self._ghost: tuple[PieceId, ...] = ()
        self._wishes: deque[Command] = deque()
        self._press_again_s = -math.inf
        self._prepared = self.turned = False
        self._owed_m = self._steady_s = self._wrong_s = self._ahead_m = 0.0
        self._above = False
        self._tilt = (0.0, 0.0, 0.0)
        self._dice = random.Random(around.manner.seed)

    @property
    def pose(self) -> Pose:
        """The commanded grip frame, at home."""
        return self._hand.pose

    @property
    def carries(self) -> bool:
        """Whether it means to hold the ladder and hasn't begun to open."""
        return self.doing in (Doing.LIFTING, Doing.CARRYING, Doing.LINING_UP, Doing.TURNING, Doing.LOWERING)

    def move(self, facts: Facts, home_from_table: Pose, time_s: float, dt_s: float) -> tuple[Command, ...]:
        """One frame: ``facts`` are what the eye looks at; what is wished for besides."""
        self._home = home_from_table
        if self.carries and facts.held is None:
            self._begin(Doing.OPENING, time_s)
        if self.carries:
            self._look(facts, time_s)
        before = self.pose
        waited_s = time_s - self.since_s
        getattr(self, f"_{self.doing.value}")(facts, time_s, waited_s, dt_s)
        pressed = self._press(time_s)
        if self.carries:
            self._feel(before, dt_s)
        return pressed

    # What it sees and feels ---------------------------------------------------------------------------------

    def _look(self, facts: Facts, time_s: float) -> None:
        piece = self._around.piece
        self._seen = self._eye.look(facts[piece].pose, self._home, self._standing_m(facts))
        touched = tuple(name for name in facts.touching(piece) if name not in (BASE, TABLE))
        ghost = () if self._around.without == "ghost" else self._around.ghost()
        self._shown.append((time_s, touched, ghost))
        while self._shown and self._shown[0][0] <= time_s - self._late_s:
            _, self._touched, self._ghost = self._shown.popleft()

    def _feel(self, before: Pose, dt_s: float) -> None:
        """Move the felt ladder as the hand's moves carry it.

        Half along the view and late, turns in the picture only.
        """
        if self.doing is Doing.TURNING:
            self._owed_m = 0.0
            self._eye.felt((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
            return
        way = np.array(self.pose.position) - np.array(before.position)
        along = float(way @ self._view)
        self._owed_m += ALONG_SHARE * along
        comes = self._owed_m * min(1.0, dt_s / ALONG_LAG_S)
        self._owed_m -= comes
        way += (comes - along) * self._view
        turn = np.array(rotation_vector(quat_multiply(self.pose.rotation, quat_inverse(before.rotation))))
        about = (turn @ self._view) * self._view + np.array(self._tilt)
        self._tilt = (0.0, 0.0, 0.0)
        back = quat_inverse(self._home.rotation)
        self._eye.felt(quat_rotate(back, vec3(way)), quat_rotate(back, vec3(about)))

    def _press(self, time_s: float) -> tuple[Command, ...]:
        if not self._wishes or time_s < self._press_again_s:
            return ()
        wish, manner = self._wishes.popleft(), self._around.manner
        waits_s = TURNS_S if wish.kind is Act.TURN else manner.key_s or PRESS_S
        if wish.kind is Act.TILT and self._dice.random() < manner.wrong_keys:
            # The key beside it tilts the other way; that is seen, and made good by two presses.
            self._wishes.extendleft((wish, wish))
            wish = replace(wish, value=-wish.value)
            if self.carries:
                self._tilt = vec3(-np.array(self._tilt))
        # What is in the hand follows a press only bit by bit: who presses sooner overshoots.
        self._press_again_s = time_s + (FOLLOWS_S if self.carries and wish.kind is Act.TILT else waits_s)
        return (wish,)

    # One method for each thing the hand can be doing ---------------------------------------------------------

    def _waiting(self, facts: Facts, time_s: float, waited_s: float, dt_s: float) -> None:
        around = self._around
        if not self._prepared:
            self._prepared = True
            judged, tilts = (
                turned(self._plan.release.rotation, around.manner.lid_misread),
                around.without != "tilt",
            )
            self._wishes.extend(presses_at_lid(self._home, judged, around.tilted, LID_TILT_RAD, tilts=tilts))
        if waited_s > STILL_S and not self._wishes:
            self._begin(Doing.REACHING, time_s)

    def _reaching(self, facts: Facts, time_s: float, waited_s: float, dt_s: float) -> None:
        length = self._around.ladders[self._around.piece].length_m
        above_middle = (self._around.habits.grasp_height - 0.5) * length
        pose = pose_compose(self._home, facts[self._around.piece].pose)
        upright = quat_rotate(pose.rotation, (0.0, 0.0, 1.0))[2]
        point = pose_apply(pose, (0.0, 0.0, math.copysign(above_middle, upright)))
        # How far away the camera takes the hand to be doesn't count: it may be nearer, or farther.
        point = vec3(np.array(point) + self._around.manner.free_depth_m * self._view)
        goal = Pose(point, self._around.habits.reach_rotation.rotation)
        if self._hand.move_towards(goal, REACH_SPEED_M_S, dt_s) and waited_s > 0.3:
            self._begin(Doing.GRABBING, time_s)

    def _grabbing(self, facts: Facts, time_s: float, waited_s: float, dt_s: float) -> None:
        self.closing = min(1.0, self.closing + dt_s / CLOSING_S)
        again = self.tries > 1
        if self.closing == 1.0 and facts.held is not None and (not again or waited_s > CLOSING_S + OPENED_S):
            self._eye.begin(facts[self._around.piece].pose)
            self._begin(Doing.LINING_UP if again else Doing.LIFTING, time_s)
        elif waited_s > CLOSING_S + GRAB_PATIENCE_S:
            self._begin(Doing.OPENING, time_s)

    def _lifting(self, facts: Facts, time_s: float, waited_s: float, dt_s: float) -> None:
        seen = self._seen_at_home()
        x, y, _ = seen.position
        wanted = Pose((x, y, self._travel_m(facts)), seen.rotation)
        self._steer(seen, wanted, dt_s)
        if pose_distance(seen, wanted)[0] < 0.015 or waited_s > CARRY_PATIENCE_S:
            self._begin(Doing.CARRYING, time_s)

    def _carrying(self, facts: Facts, time_s: float, waited_s: float, dt_s: float) -> None:
        seen, goal = self._seen_at_home(), self._goal()
        x, y, z = goal.position
        there = np.array((x, y, max(self._travel_m(facts), z + HOVER_M)))
        # While a hand goes across the view its depth hardly counts: that comes afterwards.
        along = float((there - np.array(seen.position)) @ self._view)
        wanted = Pose(vec3(there - along * self._view), goal.rotation)
        self._steer(seen, wanted, dt_s)
        if pose_distance(seen, wanted)[0] < 0.012 or waited_s > CARRY_PATIENCE_S:
            self._begin(Doing.LINING_UP, time_s)

    def _lining_up(self, facts: Facts, time_s: float, waited_s: float, dt_s: float) -> None:
        seen, goal = self._seen_at_home(), self._goal()
        x, y, z = goal.position
        wanted = Pose((x, y, z + HOVER_M), goal.rotation)
        aside_m, twisted = math.dist(seen.position[:2], (x, y)), pose_distance(seen, goal)[1]
        self._above = self._above or (aside_m < ABOVE_M and twisted < ABOVE_RAD)
        if self._touched:
            self._steer(seen, Pose((*seen.position[:2], seen.position[2] + FREE_M), seen.rotation), dt_s)
        elif self._above:
            self._steer(seen, wanted, dt_s)
        else:
            high_m = max(self._travel_m(facts), z + HOVER_M)
            self._steer(seen, Pose((x, y, high_m), goal.rotation), dt_s)
        self._tilt_by_keys(facts, seen)
        metres, radians = pose_distance(seen, wanted)
        there = metres < LINED_UP_M and radians < LINED_UP_RAD and not self._wishes
        self._steady_s = self._steady_s + dt_s if there else 0.0
        if self._steady_s < SETTLED_S and waited_s < LINE_UP_PATIENCE_S:
            return
        unsure = self._seen.along_sigma_m > UNSURE_M and not self.turned
        if unsure and self._around.without not in ("susan", "air"):
            self.turned = True
            park = Command(Act.PARK)
            self._wishes.extend((park, Command(Act.TURN, value=self._way_to_turn()), park))
            self._begin(Doing.TURNING, time_s)
        else:
            self._begin(Doing.LOWERING, time_s)

    def _turning(self, facts: Facts, time_s: float, waited_s: float, dt_s: float) -> None:
        """Parked; the table turns, and once it has come to rest the ladder is taken up again."""
        if not self._wishes and time_s > self._press_again_s:
            self._begin(Doing.LINING_UP, time_s)

    def _lowering(self, facts: Facts, time_s: float, waited_s: float, dt_s: float) -> None:
        seen, goal = self._seen_at_home(), self._goal()
        missing = np.array(goal.position) - np.array(seen.position)
        along = float(missing @ self._view)
        across_m = math.sqrt(max(0.0, float(missing[:2] @ missing[:2]) - along * along))
        metres, radians = pose_distance(seen, goal)
        x, y, z = goal.position
        right = bool(self._touched) and set(self._touched) <= set(self._plan.touched)
        whole = right and set(self._touched) == set(self._plan.touched)
        if self._touched:
            # One of two: a little lower the other may come.
            height = seen.position[2] - (PRESSED_M if right and not whole else 0.0)
        elif math.hypot(missing[0], missing[1]) > max(OVER_M, self._seen.along_sigma_m):
            height = min(z + HOVER_M, seen.position[2])
        elif seen.position[2] - z < RELEASE_M:
            # While the faint ladder lands where it should, it is followed down.
            shown_right = bool(self._ghost) and set(self._ghost) <= set(self._plan.touched)
            deepest_m = FOLLOW_M if shown_right else FEEL_M
            height = max(z - deepest_m, seen.position[2] - FEEL_AHEAD_M)
        else:
            height = z
        self._steer(seen, Pose((x, y, height), goal.rotation), dt_s, LOWER_SPEED_M_S)
        # The screen names what is touched; the first touch of wanted ladders is where it was to be let go of.
        near = (
            right
            and across_m < RELEASE_TOUCHING_M
            and abs(missing[2]) < RELEASE_HEIGHT_M
            and radians < RELEASE_RAD
        )
        sure = self._seen.along_sigma_m < 0.5 * RELEASE_M and metres < RELEASE_M and radians < RELEASE_RAD
        self._steady_s = self._steady_s + dt_s if near or (sure and not self._touched) else 0.0
        shown_wrong = bool(self._ghost) and not set(self._ghost) & set(self._plan.touched)
        wrong = (bool(self._touched) and not right) or (shown_wrong and not self._touched)
        self._wrong_s = self._wrong_s + dt_s if wrong else 0.0
        tired = waited_s > LOWER_PATIENCE_S or self._wrong_s > WRONG_S
        if self._steady_s > (STEADY_TOUCHING_S if near else STEADY_S) or (
            tired and self.tries > MOST_RETRIES
        ):
            self._begin(Doing.OPENING, time_s)
        elif tired:
            self._try_elsewhere()
            self._begin(Doing.LINING_UP, time_s)

    def _opening(self, facts: Facts, time_s: float, waited_s: float, dt_s: float) -> None:
        self.closing = max(0.0, self.closing - dt_s / CLOSING_S)
        if self.closing > 0.0 or waited_s < CLOSING_S + OPENED_S:
            return
        if facts.held is None:
            self._begin(Doing.LEAVING, time_s)
        else:
            # It hangs in the air: it was let go of too early, and is taken up again where it is.
            self.tries += 1
            self._begin(Doing.GRABBING, time_s)

    def _leaving(self, facts: Facts, time_s: float, waited_s: float, dt_s: float) -> None:
        if self._hand.move_towards(self._around.habits.rest, REACH_SPEED_M_S * 0.6, dt_s):
            self._begin(Doing.AWAY, time_s)

    def _away(self, facts: Facts, time_s: float, waited_s: float, dt_s: float) -> None:
        """Nothing is left to do."""

    # Small thoughts ------------------------------------------------------------------------------------------

    def _begin(self, doing: Doing, time_s: float) -> None:
        self.doing, self.since_s = doing, time_s
        self._steady_s = self._wrong_s = 0.0
        self._above = False

    def _seen_at_home(self) -> Pose:
        return pose_compose(self._home, self._seen.pose)

    def _steer(self, seen: Pose, wanted: Pose, dt_s: float, speed_m_s: float = CARRY_SPEED_M_S) -> None:
        """Move by what is seen missing, as fast as this hand corrects."""
        self._hand.nudge(seen, wanted, dt_s, speed_m_s, self._around.manner.gain_per_s or GAIN_PER_S)

    def _goal(self) -> Pose:
        """Where it is to be let go of, at home, or beside that where it was tried in vain."""
        goal = pose_compose(self._home, self._plan.release)
        if self._ahead_m == 0.0:
            return goal
        return Pose(vec3(np.array(goal.position) + self._ahead_m * self._view), goal.rotation)

    def _try_elsewhere(self) -> None:
        """Farther away, then nearer, by what the eye doesn't know."""
        self.tries += 1
        step_m = min(0.02, 1.5 * self._seen.along_sigma_m)
        self._ahead_m = step_m if self.tries == 2 else -step_m

    def _tilt_by_keys(self, facts: Facts, seen: Pose) -> None:
        """Rotate by keys what the hand can't rotate, once the eye is sure enough of it."""
        if self._wishes or self._around.without == "tilt":
            return
        step_rad = FINE_TILT_RAD if facts.grip_gap_m is not None else TILT_RAD
        doubt_rad, wanted = self._seen.rotated_sigma_rad, self._plan.release.rotation
        # A person doesn't become surer by waiting, and presses for what can be told.
        told = (
            self._around.manner.key_s is not None and quat_angle(self._seen.pose.rotation, wanted) > doubt_rad
        )
        if doubt_rad > max(step_rad, math.radians(1.5)) and not told:
            return
        way = fine_press(
            self._home,
            self._seen.pose.rotation,
            self._plan.release.rotation,
            self._view,
            self._around.tilted,
            step_rad,
        )
        if way is not None and step_rad >= FINE_TILT_RAD:
            self._wishes.append(Command(Act.TILT, value=way))
            self._tilt = rotation_vector(self._around.tilted(way, step_rad))

    def _way_to_turn(self) -> int:
        """To the side on which the place then is nearer to the middle of the reach."""
        return TURN_DEG if self._goal().position[0] >= 0.0 else -TURN_DEG

    def _standing_m(self, facts: Facts) -> float:
        others = (p for p in facts.pieces if p.status in (PieceStatus.FREE, PieceStatus.FIXED))
        return max((p.highest_m for p in others), default=0.0)

    def _travel_m(self, facts: Facts) -> float:
        """Height of the ladder's centre at which it clears everything that stands."""
        me = facts[self._around.piece]
        below = me.pose.position[2] - me.lowest_m
        return min(CEILING_M, self._standing_m(facts) + CARRY_CLEARANCE_M + below)
