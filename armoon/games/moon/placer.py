"""How the demo's player uses the search for places: its question, and when a place is good enough."""

from __future__ import annotations

import enum
import math
from collections.abc import Iterator
from dataclasses import dataclass

from armoon.games.moon.editions import Die
from armoon.games.moon.turn import wanted_by
from armoon.geometry import quat, quat_angle, quat_inverse, quat_multiply, quat_rotate, rise_deg
from armoon.placement.forecast import ToppleDrop, drop_randomly
from armoon.placement.search import FoundPlace, PlaceFinder
from armoon.placement.values import Attitudes, Question, estimate_safety, is_good, is_same_place, score_place
from armoon.players.hand import pose_distance
from armoon.values.pieces import Base, Facts, LadderSet, PieceId
from armoon.values.places import RISING_DEG, SAFEST, Demand, LadderPlace, PlaceWeights, Reach, Slip
from armoon.values.poses import IDENTITY_POSE, IDENTITY_QUAT, Pose, Quat, Vec3
from armoon.values.scene import Fate
from armoon.world.ladders import list_standing

#: How far a hand turns a ladder from the way it was offered, at most: in the picture's plane, the only one in
#: which a single camera's grip turns things reliably.
WIDEST_TWIST_RAD = math.radians(30.0)
#: How the demo's hand misses when it lets go (one standard deviation, measured on it).
MISSES = Slip(0.002, math.radians(2.5))
#: A player first looks for a place that forgives half of its unsteadiness, among those that rise, then among all, then
#: for one that forgives less: the share, and how many steps are spent on it.
STAGES: tuple[tuple[float, int], ...] = ((0.5, 600), (0.5, 400), (0.3, 600))
#: ... and at last for one where the ladder stays, whatever it touches: that is a mistake (F1), as people make it. To
#: let it fall on the table costs as much.
STAYS: tuple[float, int] = (0.5, 600)
#: Wherever it stays: on one ladder, or on as many as there are in the box.
ANYHOW = Demand(1, 30)
#: Places are taken last that lead higher than this, where a hand that carries a ladder leaves the picture; then come
#: those by which a tower shoots up: it may be so high at first, and so much higher with each ladder.
HIGHEST_M, FIRST_M, MORE_M = 0.27, 0.15, 0.009
#: A place that holds at least so probably will do, once enough was thought.
LIKELY = 0.5
#: From no higher a ladder is let fall on the structure on purpose: above, a hand that carries it leaves the picture.
DARED_M = 0.20
#: One that was found last of all may do from here on: the hand heeds the faint ladder.
HOPEFUL = 0.2
#: An attitude that a hand can bring is met within this.
SAME_RAD = math.radians(1.0)


@dataclass(frozen=True)
class PlacementPlan:
    """Where to let go of the ladder, and what is expected to come of it."""

    release: Pose
    touched: tuple[PieceId, ...]
    offered: Quat = IDENTITY_QUAT
    """In which of the lid's attitudes it has to be taken."""


class Placer:
    """Looks for a plan a step at a time, in the player's own process; close it."""

    def __init__(
        self,
        ladders: LadderSet,
        base: Base,
        seed: int,
        view_axis: Vec3 = (0.0, 1.0, 0.0),
        *,
        taste: PlaceWeights = SAFEST,
    ) -> None:
        """``view_axis``: the camera's direction at home; ``taste``: the liking among places that hold."""
        self._taste = taste
        self._seeker, self._ladders = PlaceFinder(ladders, base), ladders
        self._seed = seed
        self._view_axis = self._view = view_axis
        self._asked = self._count = 0
        self.begin_anew()

    def close(self) -> None:
        self._seeker.close()

    @property
    def effort(self) -> int:
        """Its effort on this structure so far: ticks, times the ladders that moved."""
        return self._seeker.effort

    @property
    def drops(self) -> int:
        """Number of simulated drops since the thought began, or since standards were lowered."""
        return self._seeker.drops - self._first_drop

    def begin_anew(self) -> None:
        self.doubted: tuple[Pose, ...] = ()
        self._first_drop = self._seeker.drops
        self.stage, self._steps = 0, 0
        self._search: Iterator[FoundPlace | None] | None = None
        self._found: dict[tuple[int, int], LadderPlace] = {}
        """By search, and by its number there."""
        self._narrowed: Quat | None = None
        """The attitude in which the ladder is taken, once no other is looked for."""
        self._topplings: Iterator[ToppleDrop] | None = None
        self._worst: ToppleDrop | None = None
        """Of the drops that were tried, the one that brings most down."""

    @property
    def knows(self) -> bool:
        return any(is_good(place) for place in self._found.values())

    @property
    def given_up(self) -> bool:
        return self.stage > len(STAGES)

    def prepare(self, facts: Facts) -> None:
        self._seeker.prepare(list_standing(facts))

    def think(
        self,
        facts: Facts,
        piece: PieceId,
        offered: tuple[Quat, ...],
        die: str,
        home_from_table: Pose = IDENTITY_POSE,
        *,
        hurried: bool = False,
    ) -> PlacementPlan | None:
        """Think one step; return a plan once there is one. ``offered`` are the lid's attitudes as seen from home."""
        offered = self._seen_from(home_from_table, offered)
        self._count = len(list_standing(facts))
        if self.given_up:
            return None
        honest = self.stage < len(STAGES)
        share, steps = STAGES[self.stage] if honest else STAYS
        if self._search is None:
            if self.stage == 0 and self._taste != SAFEST:
                # First those that rise: where plates can be laid most that is found are plates.
                rising = tuple(one for one in offered if rise_deg(Pose((0.0, 0.0, 0.0), one)) > RISING_DEG)
                offered = rising or offered
            wanted = wanted_by(Die(die)) if honest else ANYHOW
            self._search_for(facts, piece, wanted, share, offered)
        self._steps += 1
        self._step()
        over = hurried or self._steps >= steps
        best = self._best
        if best is not None and best.height_m > HIGHEST_M and self.stage < len(STAGES) - 1:
            best = None
        if best is None and self.stage >= len(STAGES) - 1:
            hopeful = (place for place in self._found.values() if estimate_safety(place) > HOPEFUL)
            best = max(hopeful, key=estimate_safety, default=None)
        will_do = over and best is not None
        if best is not None and (will_do or (self._taste == SAFEST and is_good(best))):
            return self._plan(best, offered)
        if over:
            self.stage, self._steps, self._search = self.stage + 1, 0, None
            self._first_drop = self._seeker.drops
        return None

    def go_on(self, facts: Facts, piece: PieceId, taken: Quat, die: str) -> None:
        """Think one more step, of places for a ladder that was taken in this attitude on the table."""
        if self._narrowed != taken or self._search is None:
            self._narrowed = taken
            at_hand = Attitudes(Reach((taken,), self._view, WIDEST_TWIST_RAD))
            self._found = {
                key: place
                for key, place in self._found.items()
                if quat_angle(at_hand.find_nearest(place.release.rotation), place.release.rotation) < SAME_RAD
            }
            share = STAGES[min(self.stage, len(STAGES) - 1)][0]
            self._search_for(facts, piece, wanted_by(Die(die)), share, (taken,))
        self._step()

    def best_at_hand(self, taken: Quat) -> PlacementPlan | None:
        best = self._best if self._narrowed == taken else None
        return None if best is None else self._plan(best, (taken,))

    def doubt(self, release: Pose) -> None:
        """Forget places like this one."""
        self.doubted = (*self.doubted, release)
        self._found = {
            key: place for key, place in self._found.items() if not is_same_place(place.release, release)
        }
        self.stage, self._steps, self._search = 0, 0, None
        self._first_drop = self._seeker.drops

    def _search_for(
        self, facts: Facts, piece: PieceId, wanted: Demand, share: float, offered: tuple[Quat, ...]
    ) -> None:
        self._asked += 1
        reach = Reach(offered, self._view, WIDEST_TWIST_RAD)
        slip = Slip(share * MISSES.metres, share * MISSES.radians)
        question = Question(tuple(list_standing(facts)), piece, wanted, slip, reach, self._taste)
        self._search = self._seeker.search(question, self._seed + 1000 * self._asked)

    def _step(self) -> None:
        assert self._search is not None
        finding = next(self._search, None)
        if finding is not None and not any(is_same_place(finding.place.release, one) for one in self.doubted):
            self._found[self._asked, finding.number] = finding.place

    @property
    def _best(self) -> LadderPlace | None:
        likely = (place for place in self._found.values() if estimate_safety(place) > LIKELY)
        return max(likely, key=self._liking, default=None)

    def _plan(self, place: LadderPlace, offered: tuple[Quat, ...]) -> PlacementPlan:
        return PlacementPlan(place.release, place.touched, self._taken_as(offered, place.release.rotation))

    def _liking(self, place: LadderPlace) -> tuple[bool, float]:
        # Not the good ones first: those are plates where there was little time to try others.
        low = place.height_m <= min(HIGHEST_M, FIRST_M + MORE_M * self._count)
        return low, score_place(place, self._taste)

    def dare(
        self,
        facts: Facts,
        piece: PieceId,
        offered: tuple[Quat, ...],
        home_from_table: Pose = IDENTITY_POSE,
        *,
        hurried: bool = False,
    ) -> PlacementPlan | None:
        """Think one step of how to bring the structure down; return a plan once ``hurried``."""
        offered = self._seen_from(home_from_table, offered)
        if self._topplings is None:
            self._asked += 1
            reach, seed = Reach(offered, self._view, WIDEST_TWIST_RAD), self._seed + 1000 * self._asked
            ladder, standing = self._ladders[piece], tuple(list_standing(facts))
            self._topplings = drop_randomly(self._seeker, standing, ladder, reach, MISSES, seed)
        tried = next(self._topplings, None)
        if tried is not None and (self._worst is None or _dared(tried) > _dared(self._worst)):
            self._worst = tried
        if self._worst is None or not hurried:
            return None
        release = self._worst.release
        return PlacementPlan(release, (), self._taken_as(offered, release.rotation))

    def _seen_from(self, home_from_table: Pose, offered: tuple[Quat, ...]) -> tuple[Quat, ...]:
        """Return attitudes and set the view as they are on the table, however it is turned."""
        self._view = self._view_axis
        if home_from_table == IDENTITY_POSE:
            return offered
        back = quat_inverse(home_from_table.rotation)
        self._view = quat_rotate(back, self._view_axis)
        return tuple(quat(quat_multiply(back, one)) for one in offered)

    def _taken_as(self, offered: tuple[Quat, ...], wished: Quat) -> Quat:
        def missing(one: Quat) -> float:
            reached = Attitudes(Reach((one,), self._view, WIDEST_TWIST_RAD)).find_nearest(wished)
            return quat_angle(reached, wished)

        return min(offered, key=missing)


def _dared(tried: ToppleDrop) -> tuple[bool, float]:
    return tried.release.position[2] <= DARED_M, tried.fallen


#: Near enough to let go, or to stay there.
RELEASE_M, RELEASE_RAD = 0.002, math.radians(2.5)
#: So near it is let go of once it is shown to hold, and farther off than that one that has arrived is moved again.
NEAR_M, NEAR_RAD, AWAY_M = 0.005, math.radians(6.0), 0.003
#: ... how far beside its place lowering begins, and by what it is the higher for each metre farther, up to a limit;
BESIDE_M, FUNNEL, FUNNEL_M = 0.0035, 3.0, 0.03
#: ... how far over it a ladder is held to see how it would rest, and by how much one is pressed down that is to fall.
HOVER_M, PRESSED_M = 0.0015, 0.002
#: Maximum speed of a ladder that has come to lie, and seconds for which it keeps below that.
STILL_M_S, STILL_S = 0.008, 0.3
#: Seconds for which it is held still for the faint ladder to tell how it would rest; wherever the hand can't go
#: further, so many, at no more than this distance.
HEEDS_S, CALM_S, CALM_M = 0.7, 0.9, 0.03
#: Time for which a hand is over green before it lets go of a ladder that isn't guided: the colour of a doubtful place
#: flickers.
GREEN_S = 0.6
#: Seconds for which it is at its place before it is let go of unheeded, and after which it is let go of wherever it is.
STEADY_S, PATIENCE_S = 0.32, 5.0
#: Angle by which a ladder that touches something is turned away, and seconds after which it is in the way.
BLOCKED_RAD, BLOCKED_S = math.radians(15.0), 0.6


class Next(enum.Enum):
    """What to do with a ladder that is being laid."""

    GO_ON = enum.auto()
    LET_GO = enum.auto()
    LOOK_ELSEWHERE = enum.auto()
    PUT_ASIDE = enum.auto()


class Laying:
    """One ladder on its way down; call ``see`` and ``decide`` once for every camera frame."""

    def __init__(self, *, heeds: bool, elsewhere: bool) -> None:
        self._heeds, self._elsewhere = heeds, elsewhere
        self._over_m = HOVER_M if heeds else -PRESSED_M
        self._arrived = self._guided = False
        self._seen: Vec3 = (0.0, 0.0, 0.0)
        self._for_s = self._steady_s = self._still_s = self._calm_s = self._blocked_s = self._green_s = 0.0
        self._metres = self._radians = math.inf

    def see(
        self,
        held: Pose,
        release: Pose,
        fate: Fate | None,
        *,
        guided: bool,
        as_planned: bool,
        lies: bool,
        dt_s: float,
    ) -> Pose | None:
        """Return where to bring the ladder from where it is seen; None: hold it still."""
        x, y, z = release.position
        goal = Pose((x, y, z + max(self._over_m, 0.0)), release.rotation)
        self._metres, self._radians = pose_distance(held, goal)
        # What is touched already can't be told apart from what is a hair away: the contacts count as well.
        at_goal = self._metres < RELEASE_M and self._radians < RELEASE_RAD
        there = at_goal or (as_planned and self._metres < 2.5 * RELEASE_M)
        still = math.dist(held.position, self._seen) < STILL_M_S * dt_s
        self._seen = held.position
        self._for_s += dt_s
        self._steady_s = self._steady_s + dt_s if there else 0.0
        self._calm_s = self._calm_s + dt_s if still else 0.0
        blocked = lies and self._radians > BLOCKED_RAD
        self._blocked_s = self._blocked_s + dt_s if blocked else 0.0
        # What lies on something and goes no further is where it can go.
        self._still_s = self._still_s + dt_s if still and lies else 0.0
        self._arrived = at_goal or (self._arrived and self._near and self._metres < AWAY_M)
        self._guided = guided
        self._green_s = self._green_s + dt_s if fate is Fate.HOLDS else 0.0
        # Always after what is seen late, a hand would swing.
        if self._heeds and (self._arrived or self._guided):
            return None
        # Over its place first, then down. Held against wood it would give way and lean: over it, the faint ladder is
        # true.
        beside_m = max(0.0, math.hypot(x - held.position[0], y - held.position[1]) - BESIDE_M)
        return Pose((x, y, z + self._over_m + min(FUNNEL_M, FUNNEL * beside_m)), release.rotation)

    def decide(self, fate: Fate | None) -> Next:
        """Return what to do next; without a forecast it doubts, unless the ladder is near its place."""
        if not self._heeds:
            return Next.LET_GO if self._late or self._rests else Next.GO_ON
        unsaid = fate is None and not self._near
        doubtful = unsaid or fate in (Fate.FAILS, Fate.DOUBTFUL)
        calm = not unsaid and doubtful and self._calm_s > CALM_S and self._metres < CALM_M
        blocked = doubtful and self._blocked_s > BLOCKED_S
        if not (self._late or self.holds or self._rests or blocked or (calm and self._elsewhere)):
            return Next.GO_ON
        if doubtful and self._elsewhere:
            return Next.LOOK_ELSEWHERE
        # One ladder laid aside is better than a tower brought down.
        return Next.PUT_ASIDE if unsaid or fate is Fate.FAILS else Next.LET_GO

    @property
    def holds(self) -> bool:
        sure = self._green_s > GREEN_S and (self._near or self._calm_s > STILL_S)
        return self._heeds and (self._guided or sure) and not self._late

    @property
    def _near(self) -> bool:
        return self._metres < NEAR_M and self._radians < NEAR_RAD

    @property
    def _late(self) -> bool:
        """Too much time has passed; a hand that is still far off has half as much again."""
        far = self._heeds and self._metres > 2.0 * NEAR_M
        return self._for_s > PATIENCE_S * (1.5 if far else 1.0)

    @property
    def _rests(self) -> bool:
        waits_s = HEEDS_S if self._heeds else 0.0
        return self._still_s > STILL_S + waits_s or self._steady_s > STEADY_S + waits_s
