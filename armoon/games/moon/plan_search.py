"""The demo player's search for a placement plan, and the lowering of a ladder to the planned place."""

from __future__ import annotations

import enum
import math
from collections.abc import Iterator
from dataclasses import dataclass

from armoon.games.moon.editions import Die
from armoon.games.moon.turn import get_requirement
from armoon.geometry import quat, quat_angle, quat_inverse, quat_multiply, quat_rotate, rise_deg
from armoon.placement.forecast import ToppleDrop, drop_randomly
from armoon.placement.search import FoundPlace, PlaceFinder
from armoon.placement.values import Attitudes, Question, estimate_safety, is_good, is_same_place, score_place
from armoon.players.hand import pose_distance
from armoon.values.pieces import Base, Facts, LadderSet, PieceId
from armoon.values.places import RISING_DEG, SAFEST, LadderPlace, PlaceWeights, Reach, Slip
from armoon.values.poses import IDENTITY_POSE, IDENTITY_QUAT, Pose, Quat, Vec3
from armoon.values.scene import Fate
from armoon.world.ladders import list_standing

#: Maximum rotation of a ladder from its offered attitude in the picture's plane, the only one in which a single camera
#: sees a grip's rotation reliably.
WIDEST_TWIST_RAD = math.radians(30.0)
#: Error of the demo's hand at the release (one standard deviation, measured).
MISSES = Slip(0.002, math.radians(2.5))
#: Stages of the search: good rising places that tolerate half of the hand's error, then all such places, then places
#: that tolerate less; those of the last stage are sufficient for a guided hand. Each stage has the share of the error
#: and the number of steps.
STAGES: tuple[tuple[float, int], ...] = ((0.5, 600), (0.5, 1000), (0.3, 600), (0.15, 600))
#: Height limits of preferred places, metres: an absolute one, above which a carrying hand leaves the picture; and one
#: that slows the growth of the tower: its value for an empty structure and its increase per standing ladder.
HIGHEST_M, FIRST_M, MORE_M = 0.27, 0.15, 0.009
#: Minimum probability that a place holds to be accepted when the time is over; in the last stages it is lower, because
#: the hand reacts to the forecast.
LIKELY, POSSIBLE = 0.5, 0.2
#: First stage in which the lower probability is sufficient and a place may be too high.
LATE_STAGE = 2
#: Preferred maximum height of a deliberate drop on the structure; above it a carrying hand leaves the picture.
TOPPLE_MAX_M = 0.20
#: Maximum rotation between a place's attitude and one that the hand can reach.
SAME_RAD = math.radians(1.0)


@dataclass(frozen=True)
class PlacementPlan:
    """A release pose and the expected contacts."""

    release: Pose
    touched: tuple[PieceId, ...]
    offered: Quat = IDENTITY_QUAT
    """The lid's attitude in which to take the ladder."""


class PlanSearch:
    """Searches for a plan step by step, in the player's process; must be closed."""

    def __init__(
        self,
        ladders: LadderSet,
        base: Base,
        seed: int,
        view_axis: Vec3 = (0.0, 1.0, 0.0),
        *,
        weights: PlaceWeights = SAFEST,
        rising_first: bool = False,
    ) -> None:
        """``view_axis``: the camera's direction while the table isn't turned; ``weights``: preferences among places.

        ``rising_first``: begin with the stage for rising places.
        """
        self._weights = weights
        self._first_stage = 0 if rising_first else 1
        self._finder, self._ladders = PlaceFinder(ladders, base), ladders
        self._seed = seed
        self._view_axis = self._view = view_axis
        self._asked = self._count = 0
        self.restart()

    def close(self) -> None:
        self._finder.close()

    @property
    def effort(self) -> int:
        """Effort spent on this structure so far, in the unit of ``Rehearsal.effort``."""
        return self._finder.effort

    @property
    def drops(self) -> int:
        """Number of simulated drops since the search, or its current stage, began."""
        return self._finder.drops - self._first_drop

    def restart(self) -> None:
        self.rejected: tuple[Pose, ...] = ()
        self._start_stage(self._first_stage)
        self._found: dict[tuple[int, int], LadderPlace] = {}
        """Places by the numbers of the search and of the place."""
        self._narrowed: Quat | None = None
        """The only attitude searched once the ladder is being taken; None before."""
        self._topplings: Iterator[ToppleDrop] | None = None
        self._worst: ToppleDrop | None = None
        """The simulated drop that brings down the most ladders."""

    @property
    def has_good_place(self) -> bool:
        return any(is_good(place) for place in self._found.values())

    @property
    def has_given_up(self) -> bool:
        return self.stage >= len(STAGES)

    def prepare(self, facts: Facts) -> None:
        self._finder.prepare(list_standing(facts))

    def search_step(
        self,
        facts: Facts,
        piece: PieceId,
        offered: tuple[Quat, ...],
        die: str,
        home_from_table: Pose = IDENTITY_POSE,
        *,
        hurried: bool = False,
    ) -> PlacementPlan | None:
        """Search one step; return a plan once there is one. ``offered``: the lid's attitudes in the home frame."""
        offered = self._convert_to_table(home_from_table, offered)
        standing = list_standing(facts)
        self._count = len(standing)
        if self.has_given_up:
            return None
        share, steps = STAGES[self.stage]
        if self._search is None:
            if self.stage == 0 and all(facts[name].highest_m < self._growth_limit_m for name, *_ in standing):
                # Rising places first, because most of the places found otherwise are flat.
                rising = tuple(r for r in offered if rise_deg(Pose((0.0, 0.0, 0.0), r)) > RISING_DEG)
                offered = rising or offered
            self._start_search(facts, piece, die, share, offered)
        self._steps += 1
        self._advance()
        is_over = hurried or self._steps >= steps
        best = self._best_place
        is_late = self.stage >= LATE_STAGE
        if best is not None and best.height_m > HIGHEST_M and not is_late:
            best = None
        if best is None and is_late:
            possible = (place for place in self._found.values() if estimate_safety(place) > POSSIBLE)
            best = max(possible, key=estimate_safety, default=None)
        is_accepted = is_over and best is not None and (self.stage > 0 or is_good(best))
        if best is not None and (is_accepted or (self._weights == SAFEST and is_good(best))):
            return self._build_plan(best, offered)
        if is_over:
            self._start_stage(self.stage + 1)
        return None

    def refine(self, facts: Facts, piece: PieceId, attitude: Quat, die: str) -> None:
        """Search one more step for places that are reachable from this attitude (table frame)."""
        if self._narrowed != attitude or self._search is None:
            self._narrowed = attitude
            at_hand = Attitudes(Reach((attitude,), self._view, WIDEST_TWIST_RAD))
            self._found = {
                key: place
                for key, place in self._found.items()
                if quat_angle(at_hand.find_nearest(place.release.rotation), place.release.rotation) < SAME_RAD
            }
            share = STAGES[min(self.stage, len(STAGES) - 1)][0]
            self._start_search(facts, piece, die, share, (attitude,))
        self._advance()

    def find_best_at_hand(self, attitude: Quat) -> PlacementPlan | None:
        best = self._best_place if self._narrowed == attitude else None
        return None if best is None else self._build_plan(best, (attitude,))

    def reject_place(self, release: Pose) -> None:
        """Reject places similar to this one, and restart the search."""
        self.rejected = (*self.rejected, release)
        self._found = {
            key: place for key, place in self._found.items() if not is_same_place(place.release, release)
        }
        self._start_stage(self._first_stage)

    def _start_stage(self, stage: int) -> None:
        self.stage, self._steps, self._first_drop = stage, 0, self._finder.drops
        self._search: Iterator[FoundPlace | None] | None = None

    def _start_search(
        self, facts: Facts, piece: PieceId, die: str, share: float, offered: tuple[Quat, ...]
    ) -> None:
        self._asked += 1
        reach = Reach(offered, self._view, WIDEST_TWIST_RAD)
        slip = Slip(share * MISSES.metres, share * MISSES.radians)
        wanted = get_requirement(Die(die))
        question = Question(tuple(list_standing(facts)), piece, wanted, slip, reach, self._weights)
        self._search = self._finder.search(question, self._seed + 1000 * self._asked)

    def _advance(self) -> None:
        assert self._search is not None
        finding = next(self._search, None)
        if finding is not None and not any(is_same_place(finding.place.release, p) for p in self.rejected):
            self._found[self._asked, finding.number] = finding.place

    @property
    def _best_place(self) -> LadderPlace | None:
        likely = (place for place in self._found.values() if estimate_safety(place) > LIKELY)
        return max(likely, key=self._rate_place, default=None)

    def _build_plan(self, place: LadderPlace, offered: tuple[Quat, ...]) -> PlacementPlan:
        release = place.release
        return PlacementPlan(release, place.touched, self._choose_offered(offered, release.rotation))

    def _rate_place(self, place: LadderPlace) -> tuple[bool, float]:
        # Good places aren't preferred, because most of those found by a short search are flat.
        return place.height_m <= self._growth_limit_m, score_place(place, self._weights)

    @property
    def _growth_limit_m(self) -> float:
        return min(HIGHEST_M, FIRST_M + MORE_M * self._count)

    def search_topple(
        self,
        facts: Facts,
        piece: PieceId,
        offered: tuple[Quat, ...],
        home_from_table: Pose = IDENTITY_POSE,
        *,
        hurried: bool = False,
    ) -> PlacementPlan | None:
        """Search one step for a drop that topples the structure; return the best one when ``hurried``."""
        offered = self._convert_to_table(home_from_table, offered)
        if self._topplings is None:
            self._asked += 1
            reach, seed = Reach(offered, self._view, WIDEST_TWIST_RAD), self._seed + 1000 * self._asked
            ladder, standing = self._ladders[piece], tuple(list_standing(facts))
            self._topplings = drop_randomly(self._finder, standing, ladder, reach, MISSES, seed)
        dropped = next(self._topplings, None)
        if dropped is not None and (self._worst is None or _rate_topple(dropped) > _rate_topple(self._worst)):
            self._worst = dropped
        if self._worst is None or not hurried:
            return None
        release = self._worst.release
        return PlacementPlan(release, (), self._choose_offered(offered, release.rotation))

    def _convert_to_table(self, home_from_table: Pose, offered: tuple[Quat, ...]) -> tuple[Quat, ...]:
        """Convert attitudes and the view axis to the frame of the table, which may be turned."""
        self._view = self._view_axis
        if home_from_table == IDENTITY_POSE:
            return offered
        back = quat_inverse(home_from_table.rotation)
        self._view = quat_rotate(back, self._view_axis)
        return tuple(quat(quat_multiply(back, rotation)) for rotation in offered)

    def _choose_offered(self, offered: tuple[Quat, ...], wanted: Quat) -> Quat:
        def measure_error(rotation: Quat) -> float:
            reached = Attitudes(Reach((rotation,), self._view, WIDEST_TWIST_RAD)).find_nearest(wanted)
            return quat_angle(reached, wanted)

        return min(offered, key=measure_error)


def _rate_topple(dropped: ToppleDrop) -> tuple[bool, float]:
    return dropped.release.position[2] <= TOPPLE_MAX_M, dropped.fallen


#: Maximum distance and rotation from the goal at which the ladder has arrived.
RELEASE_M, RELEASE_RAD = 0.002, math.radians(2.5)
#: Maximum distance and rotation at which it is released once the forecast holds; distance from which an arrived ladder
#: is moved again, metres.
NEAR_M, NEAR_RAD, AWAY_M = 0.005, math.radians(6.0), 0.003
#: Horizontal distance within which a ladder is lowered fully; extra height per metre beyond it, and its maximum.
BESIDE_M, CONE_SLOPE, MAX_CONE_M = 0.0035, 3.0, 0.03
#: Height above its place at which a ladder is held for its forecast; depth to which it is pressed without one.
HOVER_M, PRESSED_M = 0.0015, 0.002
#: Maximum speed of a ladder at rest, and minimum seconds below that speed.
STILL_M_S, STILL_S = 0.008, 0.3
#: Extra seconds for which a ladder is held still for its forecast; seconds of stillness after which a doubtful place is
#: abandoned, and maximum distance from the goal at which it is, metres.
FORECAST_S, CALM_S, CALM_M = 0.7, 0.9, 0.03
#: Seconds with a good forecast before an unguided ladder is released, because a doubtful place's forecast flickers.
GREEN_S = 0.6
#: Seconds at its place after which a ladder is released if the forecast is ignored; time limits of lowering, after
#: which the hand holds still for the forecast, and after which it no longer waits for it.
STEADY_S, PATIENCE_S, LONGEST_S = 0.32, 5.0, 7.5
#: Minimum angle from the goal of a ladder blocked by other ladders, and seconds until it counts as blocked.
BLOCKED_RAD, BLOCKED_S = math.radians(15.0), 0.6


class NextStep(enum.Enum):
    """The next step in lowering a ladder."""

    GO_ON = enum.auto()
    LET_GO = enum.auto()
    LOOK_ELSEWHERE = enum.auto()
    PUT_ASIDE = enum.auto()


class LadderLowering:
    """The lowering of one ladder; call ``update`` and ``decide_next`` once per camera frame."""

    def __init__(self, *, obeys_forecast: bool, can_search: bool) -> None:
        """``obeys_forecast``: wait for the forecast and act on it; ``can_search``: allow a search for another place."""
        self._obeys_forecast, self._can_search = obeys_forecast, can_search
        self._hover_m = HOVER_M if obeys_forecast else -PRESSED_M
        self._has_arrived = self._is_guided = False
        self._last_position: Vec3 = (0.0, 0.0, 0.0)
        self._elapsed_s = self._steady_s = self._still_s = 0.0
        self._calm_s = self._blocked_s = self._green_s = 0.0
        self._distance_m = self._rotation_rad = math.inf

    def update(
        self,
        held: Pose,
        release: Pose,
        fate: Fate | None,
        *,
        guided: bool,
        as_planned: bool,
        is_touching: bool,
        dt_s: float,
    ) -> Pose | None:
        """Return the pose to which the ladder should move; None to hold it still."""
        x, y, z = release.position
        goal = Pose((x, y, z + max(self._hover_m, 0.0)), release.rotation)
        self._distance_m, self._rotation_rad = pose_distance(held, goal)
        # Distance can't distinguish a touch from a tiny gap, so the contacts count as well.
        at_goal = self._distance_m < RELEASE_M and self._rotation_rad < RELEASE_RAD
        has_arrived = at_goal or (as_planned and self._distance_m < 2.5 * RELEASE_M)
        is_still = math.dist(held.position, self._last_position) < STILL_M_S * dt_s
        self._last_position = held.position
        self._elapsed_s += dt_s
        self._steady_s = self._steady_s + dt_s if has_arrived else 0.0
        self._calm_s = self._calm_s + dt_s if is_still else 0.0
        is_blocked = is_touching and self._rotation_rad > BLOCKED_RAD
        self._blocked_s = self._blocked_s + dt_s if is_blocked else 0.0
        # A ladder that lies on something and doesn't move is as low as possible.
        self._still_s = self._still_s + dt_s if is_still and is_touching else 0.0
        self._has_arrived = at_goal or (self._has_arrived and self._is_near and self._distance_m < AWAY_M)
        self._is_guided = guided
        self._green_s = self._green_s + dt_s if fate is Fate.HOLDS else 0.0
        # Steering by the delayed picture would make the hand oscillate. A moving hand gets no forecast.
        if self._obeys_forecast and (self._has_arrived or self._is_guided or self._is_late):
            return None
        # Over its place first, then down: a ladder pressed against others leans, which would spoil the forecast.
        beside_m = max(0.0, math.hypot(x - held.position[0], y - held.position[1]) - BESIDE_M)
        return Pose((x, y, z + self._hover_m + min(MAX_CONE_M, CONE_SLOPE * beside_m)), release.rotation)

    def decide_next(self, fate: Fate | None) -> NextStep:
        """Return the next step; a place without a forecast counts as doubtful unless the ladder is near it."""
        if not self._obeys_forecast:
            return NextStep.LET_GO if self._is_late or self._is_resting else NextStep.GO_ON
        is_unknown = fate is None and not self._is_near
        is_doubtful = is_unknown or fate in (Fate.FAILS, Fate.DOUBTFUL)
        is_calm = not is_unknown and is_doubtful and self._calm_s > CALM_S and self._distance_m < CALM_M
        is_blocked = is_doubtful and self._blocked_s > BLOCKED_S
        # On a high tower the forecast takes seconds, in which players are asked to hold still.
        is_settled = self._is_resting and (fate is not None or not self._is_near)
        should_leave = is_blocked or (is_calm and self._can_search)
        is_waiting = fate is None and self._elapsed_s < LONGEST_S
        if not ((self._is_late and not is_waiting) or self.is_sure or is_settled or should_leave):
            return NextStep.GO_ON
        if is_doubtful and self._can_search:
            return NextStep.LOOK_ELSEWHERE
        # Losing one ladder is better than bringing down the tower.
        return NextStep.PUT_ASIDE if is_unknown or fate is Fate.FAILS else NextStep.LET_GO

    @property
    def is_sure(self) -> bool:
        is_green = self._green_s > GREEN_S and (self._is_near or self._calm_s > STILL_S)
        return self._obeys_forecast and (self._is_guided or is_green) and not self._is_late

    @property
    def _is_near(self) -> bool:
        return self._distance_m < NEAR_M and self._rotation_rad < NEAR_RAD

    @property
    def _is_late(self) -> bool:
        """Whether the time limit has passed; it is 1.5 times as long while the ladder is far from its goal."""
        is_far = self._obeys_forecast and self._distance_m > 2.0 * NEAR_M
        return self._elapsed_s > PATIENCE_S * (1.5 if is_far else 1.0)

    @property
    def _is_resting(self) -> bool:
        waits_s = FORECAST_S if self._obeys_forecast else 0.0
        return self._still_s > STILL_S + waits_s or self._steady_s > STEADY_S + waits_s
