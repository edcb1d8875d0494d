"""Guided placing: near a known place a slow hand's ladder is pulled there, and a released one is set down.

Everything depends on orders and grips, never on a clock, so that logs replay bit for bit.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from armoon import geometry
from armoon.clock import TICK_S, TICKS_PER_SECOND
from armoon.values.pieces import Guide
from armoon.values.poses import Pose, Vec3
from armoon.world.piece import measure_motion_m

#: Speed of a released ladder towards its place, and the ticks after which it is released wherever it is.
SET_DOWN_M_S, SET_DOWN_TICKS = 0.030, round(0.7 * TICKS_PER_SECOND)
#: Distance and rotation from a pose that count as arrival.
ARRIVED_M, ARRIVED_RAD = 0.0003, math.radians(0.5)
#: A ladder farther from its place than this, with a gap smaller than this, is blocked.
BLOCKED_M, CONTACT_GAP_M = 0.005, 0.0001
#: Maximum horizontal distance and rotation of a place for setting down on request; lever arm that converts rotations
#: into distances.
MAX_REQUEST_M, MAX_REQUEST_RAD, ARM_M = 0.10, math.radians(20.0), 0.05
#: Speed of carrying, up to a pose this far above the place. Distance and rotation from the vertical above the place
#: within which a ladder goes straight down.
CARRY_M_S, OVER_PLACE_M = 0.20, 0.012
STRAIGHT_M, STRAIGHT_RAD = 0.005, math.radians(3.0)
#: Ticks after which a pose on the way counts as unreachable; lift of a blocked ladder above itself and its place.
LEG_TICKS, LIFT_M = 3 * TICKS_PER_SECOND, 0.015

#: Hand speeds that start and end the pull, and their smoothing in ticks; ticks and motion of a pointer at rest.
SLOW_M_S, FAST_M_S, SPEED_TICKS, REST_TICKS, REST_M = 0.10, 0.18, 9, 12, 1e-5
#: Distance, in reaches, that ends the pull; and share of the distance at which another place takes over.
LEAVE, SWITCH = 1.25, 0.6
#: Depth inside the reach, as a share of it, at which the pull is full: in depth and in rotations out of the picture,
#: and in everything else.
HIDDEN_FULL, SEEN_FULL = 0.25, 0.40
#: Change of the pull per second: at 20 mm, 30 mm/s towards the place and 100 mm/s back to the hand.
GROWTH_PER_S, DECAY_PER_S = 1.5, 5.0
#: Gap below which no pull starts; blocked ticks that end a pull, and motion of the hand that allows another.
MIN_AIR_M, BLOCKED_TICKS, RETRY_M = 0.0005, 24, 0.004


def find_place_within(guide: Guide, pose: Pose) -> Pose | None:
    """Return the nearest place within the guide's reach, or None."""
    distance, nearest = _find_nearest(guide, pose)
    return nearest if distance < 1.0 else None


def _find_nearest(guide: Guide, pose: Pose, without: Pose | None = None) -> tuple[float, Pose | None]:
    """Return the distance of the nearest place, in units of the reach, and the place; ignore ``without``."""
    distances = [(_measure_distance(guide, pose, place), place) for place in guide.places if place != without]
    return min(distances, key=lambda one: one[0], default=(math.inf, None))


def _measure_distance(guide: Guide, pose: Pose, place: Pose) -> float:
    """Return the distance to a place in units of the reach: the larger of position and rotation."""
    apart_m = math.dist(pose.position, place.position)
    return max(apart_m / guide.reach_m, geometry.quat_angle(pose.rotation, place.rotation) / guide.reach_rad)


def find_place_on_request(places: Sequence[Pose], pose: Pose) -> Pose | None:
    """Return the place for setting down on request: the nearest in plan, or None if all are too far or turned."""
    ranked = list[tuple[float, Pose]]()
    for place in places:
        level_m = math.dist(pose.position[:2], place.position[:2])
        turn_rad = geometry.quat_angle(pose.rotation, place.rotation)
        if level_m <= MAX_REQUEST_M and turn_rad <= MAX_REQUEST_RAD:
            ranked.append((level_m + ARM_M * turn_rad, place))
    return min(ranked, key=lambda one: one[0], default=(0.0, None))[1]


def plan_legs(place: Pose, guide: Guide, pose: Pose, gap_m: float, clear_m: float) -> list[Pose]:
    """Return the poses on a held ladder's way to a place, without the place; none if it is within reach.

    ``gap_m``: its distance from everything; ``clear_m``: height of its middle at which it is above everything.
    """
    x, y, z = place.position
    free = gap_m > MIN_AIR_M or math.dist(pose.position, place.position) <= BLOCKED_M
    if free and _measure_distance(guide, pose, place) < 1.0:
        return []
    over = Pose((x, y, z + OVER_PLACE_M), place.rotation)
    above = Pose((x, y, here_z := pose.position[2]), place.rotation)
    if free and here_z > over.position[2] and geometry.are_near(pose, above, STRAIGHT_M, STRAIGHT_RAD):
        return [over]
    return _plan_arc(place, pose, max(here_z, clear_m))


def _plan_arc(place: Pose, pose: Pose, high_m: float) -> list[Pose]:
    """Return the poses of a way straight up to a height, above the place, and down to shortly above it."""
    (x, y, z), (here_x, here_y, _) = place.position, pose.position
    return [
        Pose((here_x, here_y, high_m), pose.rotation),
        Pose((x, y, high_m), place.rotation),
        Pose((x, y, z + OVER_PLACE_M), place.rotation),
    ]


@dataclass
class Descent:
    """A ladder on its way down to a place: straight there, and once from above if something blocks that way."""

    place: Pose
    legs: list[Pose] = field(default_factory=list)
    """Remaining poses before the place, in order."""
    is_released: bool = False
    """Whether the hand has let go, so that a ladder that can't get there is free instead of held again."""
    has_lifted: bool = False
    ticks: int = 0
    """Ticks on the way to the next pose, or to the place."""
    is_stuck: bool = False
    """Whether something blocks the way to the pose above the place."""

    @property
    def target(self) -> Pose:
        return self.legs[0] if self.legs else self.place

    @property
    def speed_m_s(self) -> float:
        return CARRY_M_S if self.legs else SET_DOWN_M_S

    def advance(self, pose: Pose, gap_m: float) -> bool:
        """Count a tick; return whether the ladder is to be free: there, or as near as it gets."""
        self.ticks += 1
        if self.legs:
            if geometry.are_near(pose, self.legs[0], ARRIVED_M, ARRIVED_RAD):
                self.legs.pop(0)
                self.ticks = 0
            else:
                lowered = len(self.legs) == 1
                self.is_stuck = self.ticks > LEG_TICKS or (lowered and gap_m < CONTACT_GAP_M)
            return self.is_stuck and self.is_released
        if geometry.are_near(pose, self.place, ARRIVED_M, ARRIVED_RAD):
            return True
        blocked = gap_m < CONTACT_GAP_M and math.dist(pose.position, self.place.position) > BLOCKED_M
        if blocked and not self.has_lifted:
            self.has_lifted, self.ticks = True, 0
            self.legs = _plan_arc(self.place, pose, max(pose.position[2], self.place.position[2]) + LIFT_M)
            return False
        return blocked or self.ticks > SET_DOWN_TICKS


class PlacePull:
    """Pulls one held ladder from its hand's pose towards a place."""

    def __init__(self) -> None:
        self._place: Pose | None = None
        """The place of the pull, until the pull has faded."""
        self._hidden = self._seen = 0.0
        """Shares of the pull: in depth and in rotations out of the picture, and in everything else."""
        self._before: Pose | None = None
        self._speed_m_s = FAST_M_S
        self._rested = 0
        self._blocked = 0
        self._given_up: tuple[Pose, Vec3] | None = None
        """A blocked place, and the hand's position at the time."""

    def guide(self, guide: Guide, free: Pose, pose: Pose, view: Vec3, gap_m: float, *, rests: bool) -> Pose:
        """Return the ladder's target at this tick.

        ``free``: the hand's target; ``pose``: the ladder's pose; ``view``: the unit vector from the eye; ``gap_m``: its
        distance from everything; ``rests``: count a hand as slow only once it rests, as for a mouse.
        """
        self._track_hand(free, turns=rests)
        given_up = None if self._given_up is None else self._given_up[0]
        distance, nearest = _find_nearest(guide, free, given_up)
        now = math.inf if self._place not in guide.places else _measure_distance(guide, free, self._place)
        ends = self._speed_m_s > FAST_M_S or self._place == given_up
        if ends or now > LEAVE or (nearest != self._place and distance < min(1.0, SWITCH * now)):
            now = math.inf
        if now == math.inf and not self._hidden and not self._seen:
            slow = self._rested >= REST_TICKS if rests else self._speed_m_s < SLOW_M_S
            self._place = nearest if slow and distance < 1.0 and gap_m > MIN_AIR_M else None
            now = distance
        if self._place is None:
            return free
        hidden, seen = (_smooth((1.0 - now) / whole) for whole in (HIDDEN_FULL, SEEN_FULL))
        blocked = gap_m <= MIN_AIR_M and math.dist(pose.position, self._place.position) > BLOCKED_M
        if blocked:
            hidden, seen = min(hidden, self._hidden), min(seen, self._seen)
        self._hidden, self._seen = _limit_change(self._hidden, hidden), _limit_change(self._seen, seen)
        self._blocked = self._blocked + 1 if blocked else 0
        if self._blocked > BLOCKED_TICKS:
            self._given_up, self._blocked = (self._place, free.position), 0
        return self._blend(guide, free, self._place, view)

    def _track_hand(self, free: Pose, *, turns: bool) -> None:
        """Track the hand's speed; with ``turns``, a rotation is intended and ends the pull."""
        before, self._before = self._before, free
        if before is not None:
            way = measure_motion_m(before, free)
            self._speed_m_s += (way / TICK_S - self._speed_m_s) / SPEED_TICKS
            self._rested = self._rested + 1 if way < REST_M else 0
            if turns and before.rotation != free.rotation and self._place is not None:
                self._given_up = (self._place, free.position)
        if self._given_up is not None and math.dist(self._given_up[1], free.position) > RETRY_M:
            self._given_up = None

    def _blend(self, guide: Guide, free: Pose, place: Pose, view: Vec3) -> Pose:
        """Return a pose between the hand's and the place, by the shares of the pull and at most a reach away."""
        most = 1.0 / max(1.0, _measure_distance(guide, free, place))
        turn = geometry.rotation_vector(
            geometry.quat_multiply(place.rotation, geometry.quat_inverse(free.rotation))
        )
        turn = (most * turn[0], most * turn[1], most * turn[2])
        way = [most * (there - here) for there, here in zip(place.position, free.position, strict=True)]
        deep, about = (sum(a * b for a, b in zip(vector, view, strict=True)) for vector in (way, turn))
        x, y, z = (
            here + self._seen * part + (self._hidden - self._seen) * deep * axis
            for here, part, axis in zip(free.position, way, view, strict=True)
        )
        rx, ry, rz = (
            self._hidden * part + (self._seen - self._hidden) * about * axis
            for part, axis in zip(turn, view, strict=True)
        )
        angle = math.hypot(rx, ry, rz)
        if angle < 1e-9:
            return Pose((x, y, z), free.rotation)
        rotation = geometry.quat_multiply(geometry.quat_from_axis_angle((rx, ry, rz), angle), free.rotation)
        return Pose((x, y, z), geometry.quat(rotation))


def _smooth(share: float) -> float:
    share = min(1.0, max(0.0, share))
    return share * share * (3.0 - 2.0 * share)


def _limit_change(now: float, wanted: float) -> float:
    return max(now - DECAY_PER_S * TICK_S, min(wanted, now + GROWTH_PER_S * TICK_S))
