"""The demo player of the moon game: its style, its activities, and the movements of its hand."""

from __future__ import annotations

import enum
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

from armoon.games.moon.match import ATTITUDES
from armoon.games.moon.plan_search import PATIENCE_S, LadderLowering, NextStep, PlacementPlan, PlanSearch
from armoon.geometry import line_of_sight, pose_apply, pose_compose, quat_angle, quat_rotate
from armoon.players.hand import (
    GRAB_PATIENCE_S,
    Habits,
    Observation,
    SimulatedPlayer,
    Skill,
    SteeredHand,
    pose_distance,
)
from armoon.values.pieces import Base, Facts, LadderSet, PieceFacts, PieceId, PieceStatus
from armoon.values.places import PlaceWeights
from armoon.values.poses import IDENTITY_POSE, Pose, Quat, Vec3
from armoon.values.scene import Fate
from armoon.world.exact import find_lowest_m
from armoon.world.ladders import list_standing, make_ground

#: Clearance of a carried ladder above the structure, metres.
CARRY_CLEARANCE_M = 0.028
#: Share of the hand's movement along the line of sight that the ladder follows: about half, more towards the end.
ALONG_SHARE = 0.55
#: Maximum distance behind its middle at which a ladder is gripped to move it towards the camera, and distance kept
#: from NEAREST_M; metres.
MAX_BEHIND_M, MARGIN_M = 0.10, 0.02
#: x of a ladder carried over the lid, of one put down beside it, and minimum x beside the structure, metres.
OVER_LID_M, ASIDE_M, BESIDE_STRUCTURE_M = 0.17, 0.24, 0.13
#: Maximum distance from ASIDE_M at which the ladder is lowered, and its height above the table before that; metres.
NEAR_ASIDE_M, CLEAR_OF_TABLE_M = 0.02, 0.03
#: Limits within which a table camera sees the hand: maximum height, and y nearest to the camera; metres.
CEILING_M, NEAREST_M = 0.315, -0.11


class Activity(enum.Enum):
    """The hand's current activity."""

    RESTING = "resting"
    TURNING = "turning"
    THINKING = "thinking"
    REACHING = "reaching"
    GRABBING = "grabbing"
    LIFTING = "lifting"
    CARRYING = "carrying"
    RECONSIDERING = "reconsidering"
    LOWERING = "lowering"
    OPENING = "opening"
    LEAVING = "leaving"


#: Activities that move a held ladder.
CARRYING_ACTIVITIES = (Activity.LIFTING, Activity.CARRYING, Activity.RECONSIDERING, Activity.LOWERING)


def find_aside_pose(held: PieceFacts, over_m: float) -> Pose:
    """Return the next pose on the way to the free table to the right of the lid.

    From the structure the ladder first rises to ``over_m``, the height above everything, then moves over the lid.
    """
    x, y, z = held.pose.position
    if x < BESIDE_STRUCTURE_M:
        over = (x, y) if over_m - z > NEAR_ASIDE_M else (OVER_LID_M, 0.0)
        return Pose((*over, over_m), held.pose.rotation)
    up_m = -held.lowest_m + (0.0 if abs(x - ASIDE_M) < NEAR_ASIDE_M else CLEAR_OF_TABLE_M)
    return Pose((ASIDE_M, 0.0, z + up_m), held.pose.rotation)


#: Time for the fingers to close or open, seconds.
PINCH_S = 0.22
#: Radius and height of the rim at which the hand turns the table, metres.
RIM_RADIUS_M, RIM_HEIGHT_M = 0.078, 0.010
#: Numbered steps of turning the table. Moves: the angle on the rim to which the hand goes, radians counter-clockwise
#: from the right as seen from above, and its speed, m/s. Waits: seconds, and 1 while the fingers close, -1 while they
#: open. The hand holds still before it opens, because otherwise it would turn the table further.
RIM_MOVES = {0: (math.radians(-60.0), 0.45), 2: (math.radians(-120.0), 0.13)}
RIM_WAITS = {1: (PINCH_S + 0.25, 1), 3: (0.25, 0), 4: (PINCH_S + 0.1, -1)}
#: ``MoonObservation.phase`` during a bot's turn, in which the player's hand rests.
BOTS_TURN = "BOT"


@dataclass(frozen=True)
class MoonObservation(Observation):
    """The state of the game as shown on screen."""

    phase: str
    """Name of the phase: ``"ROLL"``, ``"DRAW"``, ``"HOLD"``, ``"SETTLE"`` or ``"OVER"``; or ``BOTS_TURN``."""
    die: str | None
    """``"ONE"``, ``"TWO"`` or ``"MOON"``; None before the roll."""
    facts: Facts
    home_from_table: Pose = IDENTITY_POSE
    fate: Fate | None = None
    """The forecast of the held ladder; None if it is unknown."""
    is_guided: bool = False
    """Whether the forecast says that the held ladder would be set down at a known place."""


#: Preferences for a tower that grows high without falling.
CLIMBING = PlaceWeights(safety=5.1, height=0.7, rise=0.3, ahead=0.8)


class Goal(enum.Enum):
    """The player's intention for the ladder."""

    HONOUR = "honour"
    """Place it as the die requires."""
    TABLE = "table"
    """Put it beside the lid, because it was lost too often or no good place was found."""
    TOPPLE = "topple"
    """Drop it where most of the structure would fall."""


@dataclass(frozen=True)
class PlayStyle:
    """Differences between demo players; the defaults are those of the usual demo."""

    think_s: float = 1.2
    """Maximum thinking time once a place is known, seconds."""
    effort: int = 1
    """Search effort per frame, relative to a usual player."""
    rising_first: bool = False
    """Whether rising places are searched first: the tower grows higher, but fewer turns succeed."""
    sides: int = 3
    """Number of the lid's attitudes considered."""
    reach_m_s: float = 0.6
    turns_table_from: int = 0
    """First turn in which the player turns the table by its rim before the roll, once; 0: never."""
    topples_at: int = 0
    """Minimum number of standing ladders for ``Goal.TOPPLE``; 0: never."""
    topples_after_s: float = 0.0
    """Minimum game time for ``Goal.TOPPLE``, seconds; the goal ends once ``COLLAPSE_SIZE`` ladders have fallen."""


#: The style of all demos except the trailer; the trailer's seed and style.
USUAL = PlayStyle()
TRAILER_SEED = 65104
TRAILER = PlayStyle(
    think_s=1.6,
    effort=3,
    rising_first=True,
    turns_table_from=5,
    topples_at=12,
    topples_after_s=168.0,
)
#: Number of fallen ladders that ends ``Goal.TOPPLE``.
COLLAPSE_SIZE = 4
#: Distance kept below the height at which tracking lost the hand, and minimum of the resulting limit, at which any
#: camera sees the hand; metres.
CEILING_STEP_M, LOWEST_CEILING_M = 0.02, 0.20
#: Distance of the lowest grip from a ladder's end, metres.
GRIP_FROM_END_M = 0.015
#: Number of losses in a turn after which the ladder is put beside the lid.
MAX_LOSSES = 4
#: Time limits of the search's stages with and without a known good place, in multiples of the thinking time.
WITH_PLACE, WITHOUT_PLACE = (1.0, 1.0, 1.25, 1.5), (0.9, 1.5, 2.4, 3.0)
#: Search effort per second, while thinking and while carrying (0.07 ms per unit on a laptop), and minimum effort of a
#: step.
EFFORT_PER_S, CARRYING_EFFORT_PER_S, MIN_EFFORT = 12_600, 7_200, 10
#: Number of simulated drops that end a stage (0.1 to 0.2 s of work each).
MAX_STAGE_DROPS = 120
#: Speeds of carrying and lowering, distance from a waypoint at which it counts as reached (metres), and steering gain.
CARRY_M_S, LOWER_M_S, WAYPOINT_M, CARRY_GAIN_PER_S = 0.3, 0.14, 0.03, 6.0
#: Maximum time step of movement between two pictures, seconds: trackers lose a hand that moves by more than 34 mm.
MAX_STEP_S = 0.05
#: Time for which the fingers stay open before the hand moves on, seconds.
OPENED_S = 0.1
#: Maximum free fall at the release, metres: a ladder released higher is parked in the air.
MAX_FALL_M = 0.010
#: Maximum number of searches for another place in a turn, after doubtful forecasts.
MAX_DOUBTED_PLACES = 2
#: Sideways distance between hand and ladder above which the ladder isn't following, metres.
STRAY_M = 0.06
#: For ``Goal.TOPPLE``: search time in multiples of the thinking time, and maximum height of the ladder, metres.
TOPPLE_SEARCH, TOPPLE_HEIGHT_M = 2.2, 0.27
#: Activities during which the search continues.
SEARCHING_ACTIVITIES = {*CARRYING_ACTIVITIES, Activity.REACHING, Activity.GRABBING} - {Activity.RECONSIDERING}
#: Angle from the wanted attitude above which the lid is tapped for another side; maximum number of taps.
SIDE_RAD, MAX_TAPS = math.radians(40.0), 5


class DemoPlayer(SimulatedPlayer):
    """The demo player; call ``aim_hand`` once per camera frame."""

    def __init__(
        self, ladders: LadderSet, base: Base, habits: Habits, seed: int, style: PlayStyle = USUAL
    ) -> None:
        self._ladders, self._base = ladders, base
        self._habits = habits
        self._style = style
        self._search = PlanSearch(
            ladders, base, seed, habits.view_axis, weights=CLIMBING, rising_first=style.rising_first
        )
        self._frame_s = 0.0
        self._effort_left = 0
        """Unspent search effort of this frame."""
        # How far ladders follow the hand in depth, and how they rotate with the wrist.
        skill = Skill(habits.view_axis, 1.0 if habits.exact else ALONG_SHARE, habits.eye)
        self._hand = SteeredHand(habits.rest, habits.reach_rotation, skill)
        self.activity = Activity.RESTING
        self._since_s = 0.0
        self._goal = Goal.HONOUR
        self._descent = LadderLowering(obeys_forecast=False, can_search=False)
        self._closure = 0.0
        self._plan: PlacementPlan | None = None
        self._rim_step, self._rim_waited_s = 0, 0.0
        self._last_rim_turn = 0
        """The last turn in which the player turned the table; 0: none."""
        self._taps = 0
        self._has_retried = False
        """Whether a lost ladder was taken again for the same plan."""
        self._doubted_places = 0
        """Number of searches for another place in this turn, after doubtful forecasts."""
        self._is_tapping = False
        self._home = Pose((0.0, 0.0, 0.0))
        self._last_s: float | None = None
        self._grip_offset: Vec3 = (0.0, 0.0, 0.0)
        self._ceiling_m = CEILING_M
        """Maximum height of a carried ladder's centre; lowered where the hand was lost."""
        self._held_height_m = math.inf
        """Last seen height of the held ladder's centre."""
        self._losses = (0, 0)
        """A turn and the number of times that the hand was lost in it."""
        self._most_standing = 0

    def aim_hand(self, view: Observation) -> tuple[Pose, float]:
        assert isinstance(view, MoonObservation), "this player plays the moon game"
        passed_s = 0.0 if self._last_s is None else min(0.1, max(0.0, view.time_s - self._last_s))
        self._frame_s, dt_s = passed_s, min(MAX_STEP_S, passed_s)
        self._last_s = view.time_s
        self._home = view.home_from_table
        held = view.facts.held
        is_lost = held is None or view.facts.held_is_parked
        if self._closure > 0.0 and is_lost and self.activity in CARRYING_ACTIVITIES:
            # The ladder was lost, by a mistake or by tracking: open the hand, then wait or take it again.
            if self._find_offered(view.facts) is not None:
                self._record_loss(view)
            self._start_activity(Activity.OPENING, view)
        if held is not None:
            self._held_height_m = view.facts[held].pose.position[2]
        getattr(self, f"_continue_{self.activity.value}")(view, dt_s)
        if self.activity in SEARCHING_ACTIVITIES or self._is_tapping:
            self._refine_plan(view)
        return self._hand.pose, self._closure

    def close(self) -> None:
        self._search.close()

    def _record_loss(self, view: MoonObservation) -> None:
        """Count a loss and lower the ceiling, because the camera lost the hand at that height."""
        self._losses = (view.turn, 1 + (self._losses[1] if view.turn == self._losses[0] else 0))
        if not view.facts.held_is_parked:
            self._ceiling_m = max(
                LOWEST_CEILING_M, min(self._ceiling_m, self._held_height_m - CEILING_STEP_M)
            )

    def _choose_goal(self, view: MoonObservation) -> Goal:
        if self._losses[0] == view.turn and self._losses[1] >= MAX_LOSSES:
            return Goal.TABLE
        style, standing = self._style, len(list_standing(view.facts))
        self._most_standing = max(self._most_standing, standing)
        is_whole = self._most_standing - standing < COLLAPSE_SIZE
        may_topple = 0 < style.topples_at <= self._most_standing and view.time_s >= style.topples_after_s
        return Goal.TOPPLE if may_topple and is_whole else Goal.HONOUR

    # One method for each activity --------------------------------------------------------------------------

    def _continue_resting(self, view: MoonObservation, dt_s: float) -> None:
        self._closure = 0.0
        self._hand.move_towards(self._habits.rest, self._style.reach_m_s, dt_s)
        if view.phase == "ROLL" and view.facts.at_rest:
            self._search.prepare(view.facts)
        should_turn = 0 < self._style.turns_table_from <= view.turn and not self._last_rim_turn
        if should_turn and view.phase == "ROLL" and view.facts.at_rest:
            self._start_turning(view)
        elif view.phase in ("DRAW", "HOLD") and self._find_offered(view.facts) and view.die is not None:
            self._plan, self._taps, self._has_retried, self._doubted_places = None, 0, False, 0
            self._goal = self._choose_goal(view)
            self._search.restart()
            self._start_activity(Activity.THINKING, view)

    def _start_turning(self, view: MoonObservation) -> None:
        self._last_rim_turn = view.turn
        self._rim_step = 0
        self._start_activity(Activity.TURNING, view)

    def _continue_turning(self, view: MoonObservation, dt_s: float) -> None:
        if self._rim_step in RIM_MOVES:
            angle_rad, speed_m_s = RIM_MOVES[self._rim_step]
            place = (RIM_RADIUS_M * math.cos(angle_rad), RIM_RADIUS_M * math.sin(angle_rad), RIM_HEIGHT_M)
            goal = Pose(place, self._habits.reach_rotation)
            self._rim_step += self._hand.move_towards(goal, speed_m_s, dt_s)
            return
        wait_s, closes = RIM_WAITS[self._rim_step]
        self._closure = min(1.0, max(0.0, self._closure + closes * dt_s / PINCH_S))
        self._rim_waited_s += dt_s
        if self._rim_waited_s > wait_s:
            self._rim_step, self._rim_waited_s = self._rim_step + 1, 0.0
            if self._rim_step > max(RIM_WAITS):
                self._start_activity(Activity.RESTING, view)

    def _continue_thinking(self, view: MoonObservation, dt_s: float) -> None:
        offered = self._find_offered(view.facts)
        if offered is None or view.die is None:
            self._start_activity(Activity.RESTING, view)
            return
        self._hand.move_towards(self._find_grasp(offered), self._style.reach_m_s, dt_s)
        if self._goal is Goal.TABLE:
            self._start_activity(Activity.REACHING, view)
            return
        # A parked ladder can't show another side.
        is_parked = view.facts.held_is_parked
        sides = (offered.pose.rotation,) if is_parked else ATTITUDES[: self._style.sides]
        if self._goal is Goal.TOPPLE:
            is_late = self._measure_elapsed_s(view) > TOPPLE_SEARCH * self._style.think_s
            self._plan = self._search.search_topple(
                view.facts, offered.piece, sides, self._home, hurried=is_late
            )
            if self._plan is not None:
                self._start_activity(Activity.REACHING, view)
        elif self._search_plan(view, offered.piece, sides):
            self._goal = Goal.TABLE if self._plan is None else self._goal
            self._start_activity(Activity.REACHING, view)
        elif self._search.stage > 1 and self._last_rim_turn != view.turn and not is_parked:
            # The structure may offer more places on another side.
            self._start_turning(view)

    def _search_plan(self, view: MoonObservation, piece: PieceId, sides: tuple[Quat, ...]) -> bool:
        """Search for one frame; return whether the search is over."""
        assert view.die is not None
        search = self._search
        question = (view.facts, piece, sides, view.die, view.home_from_table)
        for _ in self._iterate_steps(EFFORT_PER_S):
            # Every step may begin a stage with another time limit.
            limits = WITH_PLACE if search.has_good_place else WITHOUT_PLACE
            is_late = self._measure_elapsed_s(view) > self._style.think_s * limits[search.stage]
            hurried = is_late or search.drops >= MAX_STAGE_DROPS
            plan = search.search_step(*question, hurried=hurried)
            if plan is not None or search.has_given_up:
                self._plan = plan or self._plan
                return True
        return False

    def _iterate_steps(self, effort_per_s: int) -> Iterator[None]:
        """Yield once for each step of this frame's search."""
        effort = round(effort_per_s * self._style.effort * self._frame_s)
        self._effort_left = min(effort, self._effort_left + effort)
        while self._effort_left > 0:
            before = self._search.effort
            yield
            self._effort_left -= max(MIN_EFFORT, self._search.effort - before)

    def _continue_reconsidering(self, view: MoonObservation, dt_s: float) -> None:
        held = self._get_held(view.facts)
        self._carry_ladder(held.pose, self._find_pose_above(view, held), dt_s)
        if self._use_better_plan():
            self._start_activity(Activity.CARRYING, view)
        elif view.die is None or self._search_plan(view, held.piece, (self._side,)):
            if self._search.has_given_up:
                self._doubted_places = MAX_DOUBTED_PLACES  # there is no other place
            self._start_activity(Activity.CARRYING, view)

    def _continue_reaching(self, view: MoonObservation, dt_s: float) -> None:
        offered = self._find_offered(view.facts)
        if offered is None:
            self._start_activity(Activity.RESTING, view)
            return
        if self._hand.move_towards(self._find_grasp(offered), self._style.reach_m_s, dt_s):
            self._start_activity(Activity.GRABBING, view)

    def _continue_grabbing(self, view: MoonObservation, dt_s: float) -> None:
        self._closure = min(1.0, self._closure + dt_s / PINCH_S)
        if view.facts.held is not None and not view.facts.held_is_parked:
            self._closure = 1.0
            hand, held_at = self._hand.pose.position, self._get_held(view.facts).pose.position
            self._grip_offset = (hand[0] - held_at[0], hand[1] - held_at[1], hand[2] - held_at[2])
            rotation = self._get_held(view.facts).pose.rotation
            is_wrong_side = self._plan is not None and quat_angle(rotation, self._side) > SIDE_RAD
            self._is_tapping = is_wrong_side and self._taps < MAX_TAPS
            self._start_activity(Activity.OPENING if self._is_tapping else Activity.LIFTING, view)
        elif self._measure_elapsed_s(view) > PINCH_S + GRAB_PATIENCE_S:
            self._is_tapping = True  # the grab wasn't recognised: try again
            self._start_activity(Activity.OPENING, view)

    def _continue_lifting(self, view: MoonObservation, dt_s: float) -> None:
        held = self._get_held(view.facts)
        x, y, _ = held.pose.position
        wanted = replace(held.pose, position=(x, y, self._find_travel_height(view, held)))
        if self._plan is None:
            wanted = find_aside_pose(held, self._find_travel_height(view, held))
        else:  # rotate it on the way up
            wanted = replace(wanted, rotation=self._get_release().rotation)
        self._carry_ladder(held.pose, wanted, dt_s)
        is_late = self._measure_elapsed_s(view) > 2.0 * PATIENCE_S
        if is_late or pose_distance(held.pose, wanted)[0] < (0.015 if self._plan is None else WAYPOINT_M):
            self._start_activity(Activity.OPENING if self._plan is None else Activity.CARRYING, view)

    def _continue_carrying(self, view: MoonObservation, dt_s: float) -> None:
        held = self._get_held(view.facts)
        wanted = self._find_pose_above(view, held)
        self._carry_ladder(held.pose, wanted, dt_s)
        if self._use_better_plan():
            return
        if pose_distance(held.pose, wanted)[0] < WAYPOINT_M:
            self._start_activity(Activity.LOWERING, view)
        elif self._measure_elapsed_s(view) > PATIENCE_S * (1.0 if self._can_search else 2.0):
            if self._can_search:  # the hand can't get there
                self._look_elsewhere(view)
            else:
                self._start_activity(Activity.LOWERING, view)

    def _continue_lowering(self, view: MoonObservation, dt_s: float) -> None:
        assert self._plan is not None
        held, lowering = self._get_held(view.facts), self._descent
        touched = view.facts.touching(held.piece)
        as_planned, is_touching = touched == self._plan.touched, bool(touched)
        release, fate = self._get_release(), view.fate
        wanted = lowering.update(
            held.pose,
            release,
            fate,
            guided=view.is_guided,
            as_planned=as_planned,
            is_touching=is_touching,
            dt_s=dt_s,
        )
        if wanted is not None:
            self._carry_ladder(held.pose, wanted, dt_s, LOWER_M_S)
        if lowering.is_sure and not view.is_guided and self._lower_further(view.facts):
            return
        match lowering.decide_next(view.fate):
            case NextStep.LET_GO:
                self._start_activity(Activity.OPENING, view)
            case NextStep.LOOK_ELSEWHERE:
                self._look_elsewhere(view)
            case NextStep.PUT_ASIDE:
                self._plan, self._goal = None, Goal.TABLE
                self._start_activity(Activity.LIFTING, view)

    def _continue_opening(self, view: MoonObservation, dt_s: float) -> None:
        # Open faster after a tap, because a long one would count as lifting the ladder and putting it back.
        self._closure = max(0.0, self._closure - (1 + self._is_tapping) * dt_s / PINCH_S)
        # A tap is over once it has been recognised and the fingers are open; only then can another be recognised.
        is_tap_over = self._is_tapping and view.facts.held is None and self._closure == 0.0
        is_open = self._closure == 0.0 and self._measure_elapsed_s(view) > PINCH_S + OPENED_S
        if is_tap_over or is_open:
            # A ladder with a plan is taken again, once, if it is parked or back in the lid.
            offered = self._find_offered(view.facts) is not None
            is_retry = offered and self._plan is not None and not self._has_retried and not self._is_tapping
            reaches_again = self._is_tapping or is_retry
            self._start_activity(Activity.REACHING if reaches_again else Activity.LEAVING, view)
            self._taps, self._is_tapping = self._taps + self._is_tapping, False
            self._has_retried = self._has_retried or is_retry

    def _continue_leaving(self, view: MoonObservation, dt_s: float) -> None:
        if self._hand.move_towards(self._habits.rest, self._style.reach_m_s * 0.6, dt_s):
            self._start_activity(Activity.RESTING, view)

    def _refine_plan(self, view: MoonObservation) -> None:
        """Continue the search for one frame while the ladder is carried."""
        offered = self._find_offered(view.facts)
        piece = view.facts.held if offered is None else offered.piece
        if self._obeys_forecast and self._plan is not None and view.die is not None and piece is not None:
            for _ in self._iterate_steps(CARRYING_EFFORT_PER_S):
                self._search.refine(view.facts, piece, self._plan.offered, view.die)

    @property
    def _obeys_forecast(self) -> bool:
        return self._goal is Goal.HONOUR

    @property
    def _can_search(self) -> bool:
        return self._obeys_forecast and self._plan is not None and self._doubted_places < MAX_DOUBTED_PLACES

    def _look_elsewhere(self, view: MoonObservation) -> None:
        assert self._plan is not None
        self._doubted_places += 1
        self._search.reject_place(self._plan.release)
        self._start_activity(Activity.RECONSIDERING, view)

    def _use_better_plan(self) -> bool:
        better = None if self._plan is None else self._search.find_best_at_hand(self._plan.offered)
        if better is None or self._plan is None or better.release == self._plan.release:
            return False
        self._plan = better
        return True

    def _lower_further(self, facts: Facts) -> bool:
        """Lower the plan's release if the ladder would be parked in the air here; return whether it would be."""
        assert facts.held is not None
        assert self._plan is not None
        ground, held = make_ground(list_standing(facts), self._ladders, self._base), facts[facts.held]
        fall_m = ground.find_landing(self._ladders[held.piece], held.pose).fall_m
        if fall_m < MAX_FALL_M:
            return False
        (x, y, z), low_m = self._plan.release.position, held.pose.position[2] - fall_m
        release = replace(self._plan.release, position=(x, y, min(z, low_m)))
        self._plan = replace(self._plan, release=release)
        return True

    # Helpers -----------------------------------------------------------------------------------------------

    def _start_activity(self, activity: Activity, view: MoonObservation) -> None:
        self.activity = activity
        self._since_s = view.time_s
        if activity is Activity.LOWERING:
            self._descent = LadderLowering(obeys_forecast=self._obeys_forecast, can_search=self._can_search)

    def _measure_elapsed_s(self, view: MoonObservation) -> float:
        return view.time_s - self._since_s

    def _carry_ladder(self, observed: Pose, wanted: Pose, dt_s: float, speed_m_s: float = CARRY_M_S) -> None:
        if abs(self._hand.pose.position[0] - observed.position[0] - self._grip_offset[0]) > STRAY_M:
            # The ladder doesn't follow: return the hand to it.
            x, y, z = (p + g for p, g in zip(observed.position, self._grip_offset, strict=True))
            self._hand.move_towards(Pose((x, y, z), self._hand.pose.rotation), speed_m_s, dt_s)
        else:
            self._hand.nudge(observed, wanted, dt_s, speed_m_s, CARRY_GAIN_PER_S)
            (x, y, z), rotation = self._hand.pose.position, self._hand.pose.rotation
            self._hand.pose = Pose((x, max(y, NEAREST_M), min(z, CEILING_M)), rotation)

    @property
    def _side(self) -> Quat:
        assert self._plan is not None
        return pose_compose(self._home, Pose((0.0, 0.0, 0.0), self._plan.offered)).rotation

    def _find_pose_above(self, view: MoonObservation, held: PieceFacts) -> Pose:
        (x, y, z), rotation = self._get_release().position, self._get_release().rotation
        return Pose((x, y, max(self._find_travel_height(view, held), z + 0.02)), rotation)

    def _get_release(self) -> Pose:
        assert self._plan is not None
        return pose_compose(self._home, self._plan.release)

    def _find_grasp(self, offered: PieceFacts) -> Pose:
        """Return the hand's pose to grip a ladder at its middle, which is in the same position for all sides.

        If the release is nearer to the camera than the hand can go, the ladder is gripped farther from the camera.
        """
        point = self._find_low_grip(offered) if offered.status is PieceStatus.HELD else offered.pose.position
        if self._plan is not None:
            line = line_of_sight(self._habits.eye, point)
            coordinates = zip(self._get_release().position, point, line, strict=True)
            deep_m = sum((b - a) * c for b, a, c in coordinates)
            nearest_m = point[1] + min(0.0, deep_m / ALONG_SHARE) * line[1]
            room_m = min(MAX_BEHIND_M, max(0.0, NEAREST_M + MARGIN_M - nearest_m))
            x, y, z = (w + room_m * c for w, c in zip(point, line, strict=True))
            point = (x, y, z)
        return Pose(point, self._habits.reach_rotation)

    def _find_low_grip(self, parked: PieceFacts) -> Vec3:
        """Return a point on the long axis, below the middle if that is too high for the camera to see the hand."""
        axis = quat_rotate(parked.pose.rotation, (0.0, 0.0, 1.0))
        below_m = (parked.pose.position[2] - LOWEST_CEILING_M) / max(abs(axis[2]), 0.1)
        below_m = min(max(0.0, below_m), 0.5 * self._ladders[parked.piece].length_m - GRIP_FROM_END_M)
        return pose_apply(parked.pose, (0.0, 0.0, math.copysign(below_m, -axis[2])))

    def _find_travel_height(self, view: MoonObservation, held: PieceFacts) -> float:
        """Return the height of a held ladder's centre, m, at which it clears the structure."""
        below_m = held.pose.position[2] - held.lowest_m
        if self._plan is not None:  # it is rotated on the way
            turned = Pose((0.0, 0.0, 0.0), self._get_release().rotation)
            below_m = max(below_m, -find_lowest_m(self._ladders[held.piece].boxes, turned))
        others = (
            p for p in view.facts.pieces if p.piece != held.piece and p.status is not PieceStatus.OFFERED
        )
        height_m = max((p.highest_m for p in others), default=0.0) + CARRY_CLEARANCE_M + below_m
        # Above a tall structure the hand would leave the picture; a deliberately dropped ladder may strike it instead.
        return min(height_m, TOPPLE_HEIGHT_M if self._goal is Goal.TOPPLE else self._ceiling_m)

    def _find_offered(self, facts: Facts) -> PieceFacts | None:
        if facts.held_is_parked:
            return self._get_held(facts)
        offered = next((p for p in facts.pieces if p.status is PieceStatus.OFFERED), None)
        return None if offered is None else self._move_home(offered)

    def _get_held(self, facts: Facts) -> PieceFacts:
        assert facts.held is not None
        return self._move_home(facts[facts.held])

    def _move_home(self, piece: PieceFacts) -> PieceFacts:
        return replace(piece, pose=pose_compose(self._home, piece.pose))
