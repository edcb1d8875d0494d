"""The simulated hand of the placement benchmark: its perception, its key presses, and its motion.

Like a player, the hand moves by the visible distance and doesn't know the tracker's estimate. If the depth is
uncertain, it parks the ladder in the air and turns the table. Poses are in the home frame unless stated otherwise.
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
from armoon.games.moon.match import ATTITUDES, LID_TILT_RAD
from armoon.games.moon.plan_search import PlacementPlan
from armoon.geometry import (
    Array,
    pose_apply,
    pose_compose,
    quat_angle,
    quat_inverse,
    quat_multiply,
    quat_rotate,
    rotation_vector,
    vec3,
)
from armoon.players.hand import (
    CARRY_SPEED_M_S,
    CLOSING_S,
    GAIN_PER_S,
    GRAB_PATIENCE_S,
    Habits,
    Skill,
    SteeredHand,
    pose_distance,
)
from armoon.values.acts import Act
from armoon.values.pieces import BASE, TABLE, Command, Facts, LadderSet, PieceId, PieceStatus
from armoon.values.poses import Pose, Quat, Vec3
from armoon.values.scene import Fate
from benchmarks.placement_people import STEADY, Eye, HandStyle, PoseEstimate, rotate_by

#: Share of the hand's motion along the view that a held ladder follows (``GripSettings.depth_gain``,
#: less the loss while the hand also moves across the view), and its delay, as a player learns by trying.
ALONG_SHARE, ALONG_LAG_S = 0.5, 0.3
#: Distance above the middle of a ladder at which the hand grasps it, as a share of the ladder's length.
GRASPED_ABOVE = 0.12


@dataclass(frozen=True)
class FaintLadder:
    """The drawn faint ladder."""

    touched: tuple[PieceId, ...] = ()
    fate: Fate | None = None
    """The ladder's colour, a prediction of a release's outcome; None if unknown or if the player doesn't look."""
    is_judged: bool = False
    """Whether the game asks the player to hold still for the colour."""


@dataclass(frozen=True)
class TrialSetup:
    """Conditions of the whole trial."""

    ladders: LadderSet
    piece: PieceId
    habits: Habits
    tilted: Tilted
    ghost: Callable[[bool], FaintLadder]
    """Returns the faint ladder; the argument: whether the player looks at the ladder's colour."""
    style: HandStyle = STEADY
    watches: bool = False


class Sight:
    """A player's view of the held ladder: its estimated pose (table frame) and its visible contacts."""

    def __init__(self, setup: TrialSetup, eye: Eye) -> None:
        self.home = Pose((0.0, 0.0, 0.0))
        """home_from_table."""
        self.guess = PoseEstimate(Pose((0.0, 0.0, 0.0)), 0.0, 0.0)
        self.touched: tuple[PieceId, ...] = ()
        """Pieces that the held ladder touches."""
        self.ghost = FaintLadder()
        self.is_parked = False
        """Whether the held ladder is drawn as parked."""
        self._setup, self._eye = setup, eye
        self._view = np.array(setup.habits.view_axis)
        self._shown: deque[tuple[float, tuple[PieceId, ...], FaintLadder, bool]] = deque()
        self._lag_m = 0.0

    def begin(self, pose: Pose) -> None:
        self._eye.begin(pose)
        self.pick_up()

    def pick_up(self) -> None:
        self.is_parked = False
        self._shown = deque((time_s, touched, ghost, False) for time_s, touched, ghost, _ in self._shown)

    def look(self, facts: Facts, time_s: float, *, watches: bool) -> None:
        """Look at the next frame; ``watches``: whether the player also looks at the faint ladder's colour."""
        piece = self._setup.piece
        self.guess = self._eye.look(facts[piece].pose, self.home, find_top_m(facts))
        touched = tuple(name for name in facts.touching(piece) if name not in (BASE, TABLE))
        ghost = self._setup.ghost(watches)
        self._shown.append((time_s, touched, ghost, facts.held_is_parked))
        while self._shown and self._shown[0][0] <= time_s - self._eye.late_s:
            _, self.touched, self.ghost, self.is_parked = self._shown.popleft()

    def follow_hand(self, before: Pose, after: Pose, tilt: Vec3, dt_s: float) -> None:
        """Move the estimate with the hand's motion, delayed and halved along the view, and with a key's tilt."""
        motion = np.array(after.position) - np.array(before.position)
        along = float(motion @ self._view)
        self._lag_m += ALONG_SHARE * along
        followed_m = self._lag_m * min(1.0, dt_s / ALONG_LAG_S)
        self._lag_m -= followed_m
        motion += (followed_m - along) * self._view
        turn = np.array(rotation_vector(quat_multiply(after.rotation, quat_inverse(before.rotation))))
        self.move_estimate(vec3(motion), vec3((turn @ self._view) * self._view + np.array(tilt)))

    def move_estimate(self, motion: Vec3, about: Vec3) -> None:
        back = quat_inverse(self.home.rotation)
        self._eye.move_estimate(quat_rotate(back, motion), quat_rotate(back, about))

    def stop_following(self) -> None:
        self._lag_m = 0.0
        self.move_estimate((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))

    def get_home_pose(self) -> Pose:
        return pose_compose(self.home, self.guess.pose)


def find_top_m(facts: Facts) -> float:
    others = (p for p in facts.pieces if p.status in (PieceStatus.FREE, PieceStatus.FIXED))
    return max((p.highest_m for p in others), default=0.0)


#: Returns the rotation (home frame) of a tilt in this direction by this angle.
Tilted = Callable[[int, float], Quat]
#: Directions in which a ladder can be tilted.
WAYS = (1, -1, 2, -2, 3, -3)
#: Maximum number of tilts at the lid, and the minimum improvement of each tilt.
MAX_PRESSES, WORTH_RAD = 24, math.radians(1.0)


def plan_presses_at_lid(
    home_from_table: Pose, goal: Quat, tilted: Tilted, step_rad: float
) -> tuple[Command, ...]:
    """Return the side changes and tilts that bring the ladder in the lid nearest to its release pose (table frame)."""
    wanted = quat_multiply(home_from_table.rotation, goal)
    candidates: list[tuple[float, int, tuple[Command, ...]]] = []
    for steps, attitude in enumerate(ATTITUDES):
        sides = (Command(Act.TIP, value=steps),) if steps else ()
        here = attitude
        tilting: list[Command] = []
        while len(tilting) < MAX_PRESSES:
            way = min(WAYS, key=lambda way: quat_angle(quat_multiply(tilted(way, step_rad), here), wanted))
            nearer = quat_multiply(tilted(way, step_rad), here)
            if quat_angle(nearer, wanted) > quat_angle(here, wanted) - WORTH_RAD:
                break
            here = nearer
            tilting.append(Command(Act.TILT, value=way))
        candidates.append((quat_angle(here, wanted), steps + len(tilting), (*sides, *tilting)))
    best = min(candidates, key=lambda candidate: candidate[0] + math.radians(0.5) * candidate[1])
    return best[2]


def choose_fine_press(
    home_from_table: Pose, observed: Quat, goal: Quat, view: Array, tilted: Tilted, step_rad: float
) -> int | None:
    """Return the direction of a step that tilts the held ladder out of the picture plane; None if no tilt helps."""
    missing = quat_multiply(goal, quat_inverse(observed))
    at_home = quat_multiply(
        quat_multiply(home_from_table.rotation, missing), quat_inverse(home_from_table.rotation)
    )
    left = _remove_axis(at_home, view)

    def measure_remaining(way: int) -> float:
        after = quat_multiply(left, quat_inverse(tilted(way, step_rad)))
        return 2.0 * math.acos(min(1.0, abs(after[3])))

    now = 2.0 * math.acos(min(1.0, abs(left[3])))
    way = min(WAYS[2:], key=measure_remaining)
    return way if measure_remaining(way) < now - 0.3 * step_rad else None


def _remove_axis(rotation: Quat, axis: Array) -> Quat:
    """Return a small rotation without its component about a unit axis."""
    x, y, z, w = rotation if rotation[3] >= 0.0 else tuple(-part for part in rotation)
    vector = np.array([x, y, z])
    vector = vector - (vector @ axis) * axis
    length = math.sqrt(float(vector @ vector) + w * w)
    return (float(vector[0]) / length, float(vector[1]) / length, float(vector[2]) / length, w / length)


#: Interval between key presses, and times for a quarter turn of the table and a held ladder's tilt, seconds.
PRESS_S, TURNS_S, FOLLOWS_S = 0.25, 1.2, 0.6
#: Uncertainty of attitudes above which a player doesn't tilt.
CERTAIN_RAD = math.radians(1.5)


class Keys:
    """The queue of key presses."""

    def __init__(self, setup: TrialSetup) -> None:
        self._setup = setup
        self._commands: deque[Command] = deque()
        self._next_s = -math.inf
        self._tilt: Vec3 = (0.0, 0.0, 0.0)
        self._dice = random.Random(setup.style.seed)

    def queue(self, *commands: Command) -> None:
        self._commands.extend(commands)

    @property
    def is_busy(self) -> bool:
        return bool(self._commands)

    def is_done(self, time_s: float) -> bool:
        return not self._commands and time_s > self._next_s

    def press(self, time_s: float, carries: bool) -> tuple[Command, ...]:
        """Return the key pressed in this frame, if any; ``carries``: a ladder is in the hand."""
        if not self._commands or time_s < self._next_s:
            return ()
        command, style = self._commands.popleft(), self._setup.style
        waits_s = TURNS_S if command.kind is Act.TURN else style.key_s or PRESS_S
        if command.kind is Act.TILT and self._dice.random() < style.wrong_keys:
            # The adjacent key tilts the ladder the other way; two presses correct that.
            self._commands.extendleft((command, command))
            command = replace(command, value=-command.value)
            if carries:
                self._tilt = vec3(-np.array(self._tilt))
        # A held ladder follows a press gradually, so pressing sooner would overshoot.
        self._next_s = time_s + (FOLLOWS_S if carries and command.kind is Act.TILT else waits_s)
        return (command,)

    def pop_tilt(self) -> Vec3:
        tilt, self._tilt = self._tilt, (0.0, 0.0, 0.0)
        return tilt

    def tilt_held(self, facts: Facts, sight: Sight, wanted: Quat) -> None:
        """Queue a tilt out of the picture once the estimate is certain enough, because the hand can't tilt that way."""
        setup = self._setup
        if self._commands:
            return
        step_rad = FINE_TILT_RAD if facts.grip_gap_m is not None else TILT_RAD
        observed, doubt_rad = sight.guess.pose.rotation, sight.guess.rotated_sigma_rad
        # Correct visible differences at once, because waiting doesn't reduce a person's uncertainty.
        visible = setup.style.key_s is not None and quat_angle(observed, wanted) > doubt_rad
        if doubt_rad > max(step_rad, CERTAIN_RAD) and not visible:
            return
        view = np.array(setup.habits.view_axis)
        way = choose_fine_press(sight.home, observed, wanted, view, setup.tilted, step_rad)
        if way is not None and step_rad >= FINE_TILT_RAD:
            self._commands.append(Command(Act.TILT, value=way))
            self._tilt = rotation_vector(setup.tilted(way, step_rad))


#: Time for which the open hand rests before it reaches for the ladder, seconds.
STILL_S = 1.6
REACH_SPEED_M_S = 0.45
CARRY_PATIENCE_S = 6.0
CARRY_CLEARANCE_M = 0.02
#: Height above its place at which a ladder is lined up before it is lowered.
HOVER_M = 0.018
LOWER_SPEED_M_S = 0.10
#: Time for lowering, seconds; afterwards the hand lifts the ladder and retries, MAX_RETRIES times, then releases.
LOWER_PATIENCE_S = 4.0
MAX_RETRIES = 2
#: Maximum time for attempts while the colour predicts a fall or another place, seconds.
GIVE_UP_S = 45.0
#: Offset of retries to the right and left of the place, alternating with farther and nearer.
ASIDE_M = 0.004
#: Height above the place, as estimated, below which a released ladder isn't parked in the air.
LOW_M = 0.010
#: Maximum time to hold the ladder still for its colour, seconds: usually, and if the game asks the player to wait.
LOOKS_S, JUDGED_S = 1.5, 6.0
#: Tolerances of a lined-up ladder, the time within them, and the maximum time of lining up.
LINED_UP_M, LINED_UP_RAD, SETTLED_S, LINE_UP_PATIENCE_S = 0.003, math.radians(4.0), 0.3, 5.0
#: Horizontal and rotational error from which a carried ladder is brought down to be lined up.
ABOVE_M, ABOVE_RAD = 0.010, math.radians(7.0)
#: Height by which an obstructed ladder is lifted.
FREE_M = 0.015
#: Horizontal offset from the place, as estimated, beyond which a ladder isn't lowered further.
OVER_M = 0.002
#: Tolerances of a release, and the time within them; those with TOUCHING apply once the planned ladders are touched.
RELEASE_M, RELEASE_TOUCHING_M = 0.002, 0.004
RELEASE_RAD, RELEASE_HEIGHT_M = math.radians(5.0), 0.006
STEADY_S, STEADY_TOUCHING_S = 0.25, 0.15
#: Depth by which the ladder is pressed down if a wanted touch is missing, metres.
PRESSED_M = 0.0015
#: Maximum descent in search of a contact, without and with a matching ghost; lead of the hand; limit of a wrong touch.
FEEL_M, FOLLOW_M, FEEL_AHEAD_M, WRONG_S = 0.012, 0.030, 0.004, 0.4
#: Time between opening the fingers and leaving; maximum wait for a ladder that is being set down; seconds.
OPENED_S, GLIDE_PATIENCE_S = 0.3, 5.0
#: Uncertainty of the depth above which the player turns the table, and the turn in degrees.
UNSURE_M, TURN_DEG = 0.0022, 90
RIGHT = np.array((1.0, 0.0, 0.0))
#: Maximum height, home frame, at which the hand stays in the camera's picture.
CEILING_M = 0.30


class Phase(enum.Enum):
    """Current activity of the hand."""

    WAITING = "waiting"
    REACHING = "reaching"
    TAPPING = "tapping"
    GRABBING = "grabbing"
    LIFTING = "lifting"
    CARRYING = "carrying"
    LINING_UP = "lining_up"
    TURNING = "turning"
    LOWERING = "lowering"
    WATCHING = "watching"
    OPENING = "opening"
    LEAVING = "leaving"
    AWAY = "away"


CARRIES = (Phase.LIFTING, Phase.CARRYING, Phase.LINING_UP, Phase.TURNING, Phase.LOWERING, Phase.WATCHING)


class PlacingHand:
    """Carries one ladder from the lid to its place; call ``move`` once for every camera frame."""

    #: Whether the player turns the table while the depth is uncertain.
    turns_table = True

    def __init__(
        self, setup: TrialSetup, plan: PlacementPlan, eye: Eye, time_s: float, skill: Skill | None = None
    ) -> None:
        """Wait from ``time_s`` on. ``skill``: how the ladder follows the hand; by default as with a bare hand."""
        self.closing = 0.0
        """0 open to 1 pinched, as commanded."""
        self.phase = Phase.WAITING
        self.since_s = time_s
        """Start of the current activity."""
        self.tries = 1
        self.plan = plan
        self._setup = setup
        habits = setup.habits
        self._view = np.array(habits.view_axis)
        skill = skill or Skill(habits.view_axis, ALONG_SHARE)
        self._hand = SteeredHand(habits.rest, habits.reach_rotation, skill)
        self._sight, self._keys = Sight(setup, eye), Keys(setup)
        self._watches = setup.watches
        self._prepared = self.turned = self._left_behind = False
        self._steady_s = self._wrong_s = self._looked_s = 0.0
        self._attempt_offset: Array = np.zeros(3)
        """Offset of this attempt from the place, metres, home frame."""
        self._above = False
        self._near_m = RELEASE_TOUCHING_M
        """Maximum distance from the place for a release once the ladder touches the wanted ladders."""
        self._began_s = time_s

    @property
    def pose(self) -> Pose:
        return self._hand.pose

    @property
    def carries(self) -> bool:
        return self.phase in CARRIES

    def move(self, facts: Facts, home_from_table: Pose, time_s: float, dt_s: float) -> tuple[Command, ...]:
        self._sight.home = home_from_table
        if self.carries and facts.held is None:
            self._begin(Phase.OPENING, time_s)
        if self.carries:
            self._sight.look(facts, time_s, watches=self._watches and self.phase is Phase.LOWERING)
            if self._sight.is_parked and self.phase is not Phase.TURNING:
                # The tracker found open fingers, so the ladder is parked, and the hand returns for it.
                self._left_behind = True
                self._begin(Phase.OPENING, time_s)
        before = self.pose
        waited_s = time_s - self.since_s
        getattr(self, f"_{self.phase.value}")(facts, time_s, waited_s, dt_s)
        pressed = self._keys.press(time_s, self.carries)
        if self.phase is Phase.TURNING:
            self._sight.stop_following()
        elif self.carries:
            self._follow_hand(before, dt_s)
        return pressed

    def _follow_hand(self, before: Pose, dt_s: float) -> None:
        self._sight.follow_hand(before, self.pose, self._keys.pop_tilt(), dt_s)

    def _tilt_by_keys(self, facts: Facts) -> None:
        self._keys.tilt_held(facts, self._sight, self.plan.release.rotation)

    # One method for each activity of the hand ------------------------------------------------------------------

    def _waiting(self, facts: Facts, time_s: float, waited_s: float, dt_s: float) -> None:
        setup = self._setup
        if not self._prepared:
            self._prepared = True
            judged = rotate_by(self.plan.release.rotation, setup.style.lid_misread)
            self._keys.queue(*plan_presses_at_lid(self._sight.home, judged, setup.tilted, LID_TILT_RAD))
        if waited_s > STILL_S and not self._keys.is_busy:
            self._begin(Phase.REACHING, time_s)

    def _reaching(self, facts: Facts, time_s: float, waited_s: float, dt_s: float) -> None:
        length = self._setup.ladders[self._setup.piece].length_m
        above_middle = GRASPED_ABOVE * length
        pose = pose_compose(self._sight.home, facts[self._setup.piece].pose)
        upright = quat_rotate(pose.rotation, (0.0, 0.0, 1.0))[2]
        point = pose_apply(pose, (0.0, 0.0, math.copysign(above_middle, upright)))
        # Grabbing tolerates errors in depth, so the hand may be nearer or farther than the ladder.
        point = vec3(np.array(point) + self._setup.style.free_depth_m * self._view)
        goal = Pose(point, self._setup.habits.reach_rotation)
        if self._hand.move_towards(goal, REACH_SPEED_M_S, dt_s) and waited_s > 0.3:
            self._begin(Phase.GRABBING, time_s)

    def _grabbing(self, facts: Facts, time_s: float, waited_s: float, dt_s: float) -> None:
        self.closing = min(1.0, self.closing + dt_s / CLOSING_S)
        retry = self.tries > 1
        if self.closing == 1.0 and facts.held is not None and (not retry or waited_s > CLOSING_S + OPENED_S):
            self._sight.begin(facts[self._setup.piece].pose)
            self._begin(Phase.LINING_UP if retry else Phase.LIFTING, time_s)
        elif waited_s > CLOSING_S + GRAB_PATIENCE_S:
            self._begin(Phase.OPENING, time_s)

    def _lifting(self, facts: Facts, time_s: float, waited_s: float, dt_s: float) -> None:
        observed = self._sight.get_home_pose()
        x, y, _ = observed.position
        wanted = Pose((x, y, self._find_height_m(facts)), observed.rotation)
        self._steer(observed, wanted, dt_s)
        if pose_distance(observed, wanted)[0] < 0.015 or waited_s > CARRY_PATIENCE_S:
            self._begin(Phase.CARRYING, time_s)

    def _carrying(self, facts: Facts, time_s: float, waited_s: float, dt_s: float) -> None:
        observed, goal = self._sight.get_home_pose(), self._goal()
        x, y, z = goal.position
        target = np.array((x, y, max(self._find_height_m(facts), z + HOVER_M)))
        # Depth hardly matters while the hand moves across the view; it is corrected afterwards.
        along = float((target - np.array(observed.position)) @ self._view)
        wanted = Pose(vec3(target - along * self._view), goal.rotation)
        self._steer(observed, wanted, dt_s)
        if pose_distance(observed, wanted)[0] < 0.012 or waited_s > CARRY_PATIENCE_S:
            self._begin(Phase.LINING_UP, time_s)

    def _lining_up(self, facts: Facts, time_s: float, waited_s: float, dt_s: float) -> None:
        pose, goal = self._sight.get_home_pose(), self._goal()
        x, y, z = goal.position
        wanted = Pose((x, y, z + HOVER_M), goal.rotation)
        aside_m, twisted = math.dist(pose.position[:2], (x, y)), pose_distance(pose, goal)[1]
        self._above = self._above or (aside_m < ABOVE_M and twisted < ABOVE_RAD)
        if self._sight.touched:
            self._steer(pose, Pose((*pose.position[:2], pose.position[2] + FREE_M), pose.rotation), dt_s)
        elif self._above:
            self._steer(pose, wanted, dt_s)
        else:
            high_m = max(self._find_height_m(facts), z + HOVER_M)
            self._steer(pose, Pose((x, y, high_m), goal.rotation), dt_s)
        self._tilt_by_keys(facts)
        metres, radians = pose_distance(pose, wanted)
        arrived = metres < LINED_UP_M and radians < LINED_UP_RAD and not self._keys.is_busy
        self._steady_s = self._steady_s + dt_s if arrived else 0.0
        if self._steady_s < SETTLED_S and waited_s < LINE_UP_PATIENCE_S:
            return
        unsure = self._sight.guess.along_sigma_m > UNSURE_M and not self.turned
        if unsure and self.turns_table:
            self.turned = True
            park = Command(Act.PARK)
            self._keys.queue(park, Command(Act.TURN, value=self._choose_turn()), park)
            self._begin(Phase.TURNING, time_s)
        else:
            self._begin(Phase.LOWERING, time_s)

    def _turning(self, facts: Facts, time_s: float, waited_s: float, dt_s: float) -> None:
        """Wait until keys have parked the ladder, turned the table and picked the ladder up again."""
        if self._keys.is_done(time_s):
            self._sight.pick_up()
            self._begin(Phase.LINING_UP, time_s)

    def _lowering(self, facts: Facts, time_s: float, waited_s: float, dt_s: float) -> None:
        observed, goal = self._sight.get_home_pose(), self._goal()
        missing = np.array(goal.position) - np.array(observed.position)
        along = float(missing @ self._view)
        across_m = math.sqrt(max(0.0, float(missing[:2] @ missing[:2]) - along * along))
        metres, radians = pose_distance(observed, goal)
        x, y, z = goal.position
        right = bool(self._sight.touched) and set(self._sight.touched) <= set(self.plan.touched)
        complete = right and set(self._sight.touched) == set(self.plan.touched)
        ghost, fate = set(self._sight.ghost.touched), self._sight.ghost.fate
        good = fate is Fate.HOLDS and ghost == set(self.plan.touched)
        bad = fate is not None and not good
        low = bool(self._sight.touched) or observed.position[2] - z < LOW_M
        # The colour appears once the ladder is held still.
        patience_s = JUDGED_S if self._sight.ghost.is_judged else LOOKS_S
        asks = self._watches and low and fate is None and self._looked_s < patience_s
        self._looked_s = self._looked_s + dt_s if asks else self._looked_s if low else 0.0
        if asks or (good and low):
            (x, y, height), goal = observed.position, observed
        elif self._sight.touched:
            # If a wanted touch is missing, pressing slightly lower may add it.
            height = observed.position[2] - (PRESSED_M if right and not complete else 0.0)
        elif math.hypot(missing[0], missing[1]) > max(OVER_M, self._sight.guess.along_sigma_m):
            height = min(z + HOVER_M, observed.position[2])
        elif observed.position[2] - z < RELEASE_M:
            # Follow the faint ladder down while it lands on the planned ladders.
            shown_right = bool(ghost) and ghost <= set(self.plan.touched)
            deepest_m = FOLLOW_M if shown_right else FEEL_M
            height = max(z - deepest_m, observed.position[2] - FEEL_AHEAD_M)
        else:
            height = z
        self._steer(observed, Pose((x, y, height), goal.rotation), dt_s, LOWER_SPEED_M_S)
        # The screen names the touched ladders; release at the first wanted touch.
        near = (
            (complete if self._watches else right)
            and across_m < self._near_m
            and abs(missing[2]) < RELEASE_HEIGHT_M
            and radians < RELEASE_RAD
        )
        sure = (
            self._sight.guess.along_sigma_m < 0.5 * RELEASE_M and metres < RELEASE_M and radians < RELEASE_RAD
        )
        trusts = near or (sure and not self._sight.touched)
        self._steady_s = self._steady_s + dt_s if (good and low) or (trusts and not bad) else 0.0
        # Without a colour, the faint ladder shows the first contact, where the held ladder may not come to rest.
        shown_wrong = not asks and bool(ghost) and not ghost & set(self.plan.touched)
        wrong = (bool(self._sight.touched) and not right) or (shown_wrong and not self._sight.touched)
        self._wrong_s = self._wrong_s + dt_s if (wrong or bad) and not good else 0.0
        is_tired = (waited_s > LOWER_PATIENCE_S and not asks) or self._wrong_s > WRONG_S
        tried = time_s - self._began_s > GIVE_UP_S if self._watches else self.tries > MAX_RETRIES
        gives_up = is_tired and tried
        if self._steady_s > (STEADY_TOUCHING_S if near or (good and low) else STEADY_S) or gives_up:
            self._begin(Phase.OPENING, time_s)
        elif is_tired:
            self._change_offset()
            self._begin(Phase.LINING_UP if self._sight.touched else Phase.LOWERING, time_s)

    def _opening(self, facts: Facts, time_s: float, waited_s: float, dt_s: float) -> None:
        self.closing = max(0.0, self.closing - dt_s / CLOSING_S)
        if self.closing > 0.0 or waited_s < CLOSING_S + OPENED_S:
            return
        if facts.held is None:
            self._begin(Phase.LEAVING, time_s)
        elif facts.held_is_parked or waited_s > GLIDE_PATIENCE_S:
            # The ladder was released too early and is parked in the air, so grab it again there.
            self.tries += 1
            self._begin(Phase.REACHING if self._left_behind else Phase.GRABBING, time_s)
            self._left_behind = False

    def _leaving(self, facts: Facts, time_s: float, waited_s: float, dt_s: float) -> None:
        if self._hand.move_towards(self._setup.habits.rest, REACH_SPEED_M_S * 0.6, dt_s):
            self._begin(Phase.AWAY, time_s)

    def _away(self, facts: Facts, time_s: float, waited_s: float, dt_s: float) -> None:
        """Do nothing."""

    # Helpers --------------------------------------------------------------------------------------------------

    def _begin(self, phase: Phase, time_s: float) -> None:
        self.phase, self.since_s = phase, time_s
        self._steady_s = self._wrong_s = self._looked_s = 0.0
        self._above = False

    def _steer(self, observed: Pose, wanted: Pose, dt_s: float, speed_m_s: float = CARRY_SPEED_M_S) -> None:
        """Move by the visible difference at this hand's rate of correction."""
        self._hand.nudge(observed, wanted, dt_s, speed_m_s, self._setup.style.gain_per_s or GAIN_PER_S)

    def _goal(self) -> Pose:
        goal = pose_compose(self._sight.home, self.plan.release)
        return Pose(vec3(np.array(goal.position) + self._attempt_offset), goal.rotation)

    def _change_offset(self) -> None:
        """Cycle through farther, nearer (by the depth's uncertainty), right and left."""
        self.tries += 1
        ahead_m = min(0.02, 1.5 * self._sight.guess.along_sigma_m)
        moves = (ahead_m * self._view, -ahead_m * self._view, ASIDE_M * RIGHT, -ASIDE_M * RIGHT, np.zeros(3))
        self._attempt_offset = moves[(self.tries - 2) % len(moves)]

    def _choose_turn(self) -> int:
        """Return the turn of the table, in degrees, that brings the place nearer to the middle of the hand's reach."""
        return TURN_DEG if self._goal().position[0] >= 0.0 else -TURN_DEG

    def _find_height_m(self, facts: Facts) -> float:
        """Return the height of the ladder's centre at which it clears the whole structure."""
        own = facts[self._setup.piece]
        below = own.pose.position[2] - own.lowest_m
        return min(CEILING_M, find_top_m(facts) + CARRY_CLEARANCE_M + below)
