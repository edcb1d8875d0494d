"""Guided placing: near a known place a slow hand's ladder is drawn there, and one that is released is set down.

Everything is a function of orders and grips, never of a clock, so that logs replay bit for bit.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from armoon import geometry
from armoon.clock import TICK_S, TICKS_PER_SECOND
from armoon.values.pieces import Guide
from armoon.values.poses import Pose, Vec3
from armoon.world.piece import way_m

#: Speed at which a released ladder goes to its place, and the ticks after which it is released wherever it is.
SET_DOWN_M_S, SET_DOWN_TICKS = 0.030, round(0.7 * TICKS_PER_SECOND)
#: Distance and rotation from its place within which it has arrived.
ARRIVED_M, ARRIVED_RAD = 0.0003, math.radians(0.5)
#: A ladder that touches something while more than this is missing can't get there, metres.
BLOCKED_M, CONTACT_GAP_M = 0.005, 0.0001
#: On request a ladder goes to a place that is no farther off than this, level, and turned by no more; rotations count
#: as distances at this lever arm.
FARTHEST_M, MOST_TURNED_RAD, ARM_M = 0.10, math.radians(20.0), 0.05
#: It is carried at this speed until it is so far above its place; what is within so much of straight above, and turned
#: by no more, goes straight down.
CARRY_M_S, OVER_PLACE_M = 0.20, 0.012
STRAIGHT_M, STRAIGHT_RAD = 0.005, math.radians(3.0)
#: Ticks after which it can't get to a pose on its way.
LEG_TICKS = 3 * TICKS_PER_SECOND

#: A hand slower than one speed is drawn until faster than the other, over these ticks; a pointer once it rests.
SLOW_M_S, FAST_M_S, SPEED_TICKS, REST_TICKS, REST_M = 0.10, 0.18, 9, 12, 1e-5
#: In reaches: the distance from the place that ends the pull, and the share of it that lets another place take over.
LEAVES, NEARER = 1.25, 0.6
#: The pull is whole this far inside the reach: in depth and in rotations out of the picture, and in all else.
HIDDEN_WHOLE, SEEN_WHOLE = 0.25, 0.40
#: Change of the pull a second: at 20 mm, 30 mm/s towards the place and 100 mm/s back to the hand.
GROWS, SHRINKS = 1.5, 5.0
#: Air below which a ladder isn't drawn from afar; ticks blocked that end the pull until the hand moves on this far.
AIR_M, BLOCKED_TICKS, AGAIN_M = 0.0005, 24, 0.004


def place_within(guide: Guide, pose: Pose) -> Pose | None:
    """Return the nearest place within the guide's reach of a held ladder's pose, or None."""
    distance, nearest = _nearest(guide, pose)
    return nearest if distance < 1.0 else None


def _nearest(guide: Guide, pose: Pose, without: Pose | None = None) -> tuple[float, Pose | None]:
    """Return the nearest place but that one, and its distance in units of the reach."""
    distances = [(_distance(guide, pose, place), place) for place in guide.places if place != without]
    return min(distances, key=lambda one: one[0], default=(math.inf, None))


def _distance(guide: Guide, pose: Pose, place: Pose) -> float:
    """Return the distance to a place in units of the reach; beyond 1 in either way it is out of reach."""
    apart_m = math.dist(pose.position, place.position)
    return max(apart_m / guide.reach_m, geometry.quat_angle(pose.rotation, place.rotation) / guide.reach_rad)


def place_on_request(places: Sequence[Pose], pose: Pose) -> Pose | None:
    """Return the place to which a held ladder is set down on request: the nearest one as seen from above.

    None: all are too far off or turned.
    """
    ranked = list[tuple[float, Pose]]()
    for place in places:
        level_m = math.dist(pose.position[:2], place.position[:2])
        turn_rad = geometry.quat_angle(pose.rotation, place.rotation)
        if level_m <= FARTHEST_M and turn_rad <= MOST_TURNED_RAD:
            ranked.append((level_m + ARM_M * turn_rad, place))
    return min(ranked, key=lambda one: one[0], default=(0.0, None))[1]


def legs_to(place: Pose, guide: Guide, pose: Pose, gap_m: float, clear_m: float) -> list[Pose]:
    """Return the poses through which a held ladder goes to a place: none if that is within reach.

    ``gap_m``: its distance from all else; ``clear_m``: height of its middle from which it is above everything.
    """
    x, y, z = place.position
    free = gap_m > AIR_M or math.dist(pose.position, place.position) <= BLOCKED_M
    if free and _distance(guide, pose, place) < 1.0:
        return []
    over = Pose((x, y, z + OVER_PLACE_M), place.rotation)
    here_x, here_y, here_z = pose.position
    above = Pose((x, y, here_z), place.rotation)
    if free and here_z > over.position[2] and geometry.are_near(pose, above, STRAIGHT_M, STRAIGHT_RAD):
        return [over]
    high = max(here_z, clear_m)
    return [Pose((here_x, here_y, high), pose.rotation), Pose((x, y, high), place.rotation), over]


@dataclass
class Descent:
    """A ladder on its way to its place."""

    place: Pose
    legs: list[Pose] = field(default_factory=list)
    """Poses through which it goes before, the next one first."""
    ticks: int = 0
    """On the way to the next of them, or to its place."""
    is_stuck: bool = False
    """Something keeps it from getting over its place."""

    @property
    def target(self) -> Pose:
        return self.legs[0] if self.legs else self.place

    @property
    def speed_m_s(self) -> float:
        return CARRY_M_S if self.legs else SET_DOWN_M_S

    def is_over(self, pose: Pose, gap_m: float) -> bool:
        """Count a tick; return whether the ladder has arrived, is blocked or has had its time."""
        self.ticks += 1
        if self.legs:
            if geometry.are_near(pose, self.legs[0], ARRIVED_M, ARRIVED_RAD):
                self.legs.pop(0)
                self.ticks = 0
            else:
                lowered = len(self.legs) == 1
                self.is_stuck = self.ticks > LEG_TICKS or (lowered and gap_m < CONTACT_GAP_M)
            return False
        if geometry.are_near(pose, self.place, ARRIVED_M, ARRIVED_RAD):
            return True
        blocked = gap_m < CONTACT_GAP_M and math.dist(pose.position, self.place.position) > BLOCKED_M
        return blocked or self.ticks > SET_DOWN_TICKS


class Pull:
    """Draws one held ladder from where its hand would have it towards a place."""

    def __init__(self) -> None:
        self._place: Pose | None = None
        """The place towards which it is drawn, or was until the pull has faded."""
        self._hidden = self._seen = 0.0
        """Shares of the pull: in depth and in rotations out of the picture, and in all else."""
        self._before: Pose | None = None
        self._speed_m_s = FAST_M_S
        self._rested = 0
        self._blocked = 0
        self._given_up: tuple[Pose, Vec3] | None = None
        """A place that wood keeps it from, and where its hand was then."""

    def target(self, guide: Guide, free: Pose, pose: Pose, view: Vec3, gap_m: float, *, rests: bool) -> Pose:
        """Return where the drive is to bring the ladder at this tick.

        ``free`` is where the hand would have it, ``pose`` where it is, ``view`` the unit vector from the eye, ``gap_m``
        its distance from all else. ``rests``: a hand counts as slow only once it rests.
        """
        self._watch_hand(free, turns=rests)
        given_up = None if self._given_up is None else self._given_up[0]
        distance, nearest = _nearest(guide, free, given_up)
        now = math.inf if self._place not in guide.places else _distance(guide, free, self._place)
        ends = self._speed_m_s > FAST_M_S or self._place == given_up
        if ends or now > LEAVES or (nearest != self._place and distance < min(1.0, NEARER * now)):
            now = math.inf
        if now == math.inf and not self._hidden and not self._seen:
            slow = self._rested >= REST_TICKS if rests else self._speed_m_s < SLOW_M_S
            self._place = nearest if slow and distance < 1.0 and gap_m > AIR_M else None
            now = distance
        if self._place is None:
            return free
        hidden, seen = (_smooth((1.0 - now) / whole) for whole in (HIDDEN_WHOLE, SEEN_WHOLE))
        blocked = gap_m <= AIR_M and math.dist(pose.position, self._place.position) > BLOCKED_M
        if blocked:
            hidden, seen = min(hidden, self._hidden), min(seen, self._seen)
        self._hidden, self._seen = _step(self._hidden, hidden), _step(self._seen, seen)
        self._blocked = self._blocked + 1 if blocked else 0
        if self._blocked > BLOCKED_TICKS:
            self._given_up, self._blocked = (self._place, free.position), 0
        return self._drawn(guide, free, self._place, view)

    def _watch_hand(self, free: Pose, *, turns: bool) -> None:
        """Take in where the hand has its ladder; where ``turns``, a rotation is meant and ends the pull."""
        before, self._before = self._before, free
        if before is not None:
            way = way_m(before, free)
            self._speed_m_s += (way / TICK_S - self._speed_m_s) / SPEED_TICKS
            self._rested = self._rested + 1 if way < REST_M else 0
            if turns and before.rotation != free.rotation and self._place is not None:
                self._given_up = (self._place, free.position)
        if self._given_up is not None and math.dist(self._given_up[1], free.position) > AGAIN_M:
            self._given_up = None

    def _drawn(self, guide: Guide, free: Pose, place: Pose, view: Vec3) -> Pose:
        """Return the pose between the hand's and the place, by the shares of the pull and at most a reach away."""
        most = 1.0 / max(1.0, _distance(guide, free, place))
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
    """Return a share, limited to 0 to 1, without a corner at either end."""
    share = min(1.0, max(0.0, share))
    return share * share * (3.0 - 2.0 * share)


def _step(now: float, wanted: float) -> float:
    return max(now - SHRINKS * TICK_S, min(wanted, now + GROWS * TICK_S))
