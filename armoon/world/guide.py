"""Guides ladders to known places near them: pulls a slow hand's ladder there, and sets a released ladder down there.

Everything depends on orders and grips, never on a clock, so that logs replay exactly.
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

#: Speed of a released ladder towards its place, and the ticks after which it becomes free wherever it is.
SET_DOWN_M_S, SET_DOWN_TICKS = 0.030, round(0.9 * TICKS_PER_SECOND)
#: Distance and rotation from a pose on the way that count as arrival. From a place they are smaller, because its drop
#: was tried from exactly there; dropped from 0.3 mm higher, a ladder can topple the structure.
ARRIVED_M, ARRIVED_RAD = 0.0003, math.radians(0.5)
EXACT_M, EXACT_RAD = 0.00005, math.radians(0.1)
#: A ladder is blocked if it is farther than BLOCKED_M from its place and has a gap smaller than CONTACT_GAP_M.
BLOCKED_M, CONTACT_GAP_M = 0.005, 0.0001
#: Maximum horizontal distance and rotation of a place for setting down on request, and the lever arm that converts
#: rotations into distances.
MAX_REQUEST_M, MAX_REQUEST_RAD, ARM_M = 0.10, math.radians(20.0), 0.05
#: Speed of carrying to the pose above the place, and that pose's height above the place. Maximum distance from the
#: vertical above the place, and maximum rotation, for moving straight down.
CARRY_M_S, OVER_PLACE_M = 0.20, 0.012
STRAIGHT_M, STRAIGHT_RAD = 0.005, math.radians(3.0)
#: Ticks after which a pose on the way counts as unreachable; lift of a blocked ladder above itself and its place.
LEG_TICKS, LIFT_M = 3 * TICKS_PER_SECOND, 0.015

#: Hand speeds below which the pull starts and above which it ends, and their smoothing in ticks. A pointer is at rest
#: once it has moved less than REST_M per tick for REST_TICKS.
SLOW_M_S, FAST_M_S, SPEED_TICKS, REST_TICKS, REST_M = 0.10, 0.18, 9, 12, 1e-5
#: Distance, in units of the reach, that ends the pull; share of it below which another place replaces the current one.
LEAVE, SWITCH = 1.25, 0.6
#: Distance inside the edge of the reach, as a share of the reach, at which the pull is full: in depth and in rotations
#: out of the picture, and in all other directions.
HIDDEN_FULL, SEEN_FULL = 0.25, 0.40
#: Change of the pull per second. With 20 mm between hand and place, the ladder moves towards the place at 30 mm/s, and
#: back at 100 mm/s.
GROWTH_PER_S, DECAY_PER_S = 1.5, 5.0
#: Gap below which no pull starts; blocked ticks that end a pull, and motion of the hand that allows another pull.
MIN_AIR_M, BLOCKED_TICKS, RETRY_M = 0.0005, 24, 0.004


def find_place_within(guide: Guide, pose: Pose) -> Pose | None:
    """Return the nearest place within the guide's reach, or None."""
    distance, nearest = _find_nearest(guide, pose)
    return nearest if distance < 1.0 else None


def _find_nearest(guide: Guide, pose: Pose, ignored: Pose | None = None) -> tuple[float, Pose | None]:
    """Return the distance of the nearest place except ``ignored``, in units of the reach, and the place."""
    distances = [(_measure_distance(guide, pose, place), place) for place in guide.places if place != ignored]
    return min(distances, key=lambda item: item[0], default=(math.inf, None))


def _measure_distance(guide: Guide, pose: Pose, place: Pose) -> float:
    """Return the distance to a place in units of the reach: the larger of position and rotation."""
    distance_m = math.dist(pose.position, place.position)
    return max(
        distance_m / guide.reach_m, geometry.quat_angle(pose.rotation, place.rotation) / guide.reach_rad
    )


def find_place_on_request(places: Sequence[Pose], pose: Pose) -> Pose | None:
    """Return the place for setting down on request: the nearest in plan, or None if none is near enough."""
    ranked = list[tuple[float, Pose]]()
    for place in places:
        level_m = math.dist(pose.position[:2], place.position[:2])
        turn_rad = geometry.quat_angle(pose.rotation, place.rotation)
        if level_m <= MAX_REQUEST_M and turn_rad <= MAX_REQUEST_RAD:
            ranked.append((level_m + ARM_M * turn_rad, place))
    return min(ranked, key=lambda ranked_place: ranked_place[0], default=(0.0, None))[1]


def plan_waypoints(place: Pose, guide: Guide, pose: Pose, gap_m: float, clear_m: float) -> list[Pose]:
    """Return the poses that a held ladder passes on its way to a place; none if it is within reach.

    ``gap_m``: its distance from everything; ``clear_m``: height of its middle at which it is above everything.
    """
    x, y, z = place.position
    clear = gap_m > MIN_AIR_M or math.dist(pose.position, place.position) <= BLOCKED_M
    if clear and _measure_distance(guide, pose, place) < 1.0:
        return []
    over = Pose((x, y, z + OVER_PLACE_M), place.rotation)
    above = Pose((x, y, own_z := pose.position[2]), place.rotation)
    if clear and own_z > over.position[2] and geometry.are_near(pose, above, STRAIGHT_M, STRAIGHT_RAD):
        return [over]
    return _plan_arc(place, pose, max(own_z, clear_m))


def _plan_arc(place: Pose, pose: Pose, high_m: float) -> list[Pose]:
    (x, y, z), (own_x, own_y, _) = place.position, pose.position
    return [
        Pose((own_x, own_y, high_m), pose.rotation),
        Pose((x, y, high_m), place.rotation),
        Pose((x, y, z + OVER_PLACE_M), place.rotation),
    ]


@dataclass
class Descent:
    """A ladder moving down to a place: directly, or from above once something has blocked the direct way."""

    place: Pose
    path: list[Pose] = field(default_factory=list)
    """Remaining poses before the place, in order."""
    is_released: bool = False
    """Whether the hand has opened; if so, a ladder that can't reach the place becomes free, otherwise held again."""
    has_lifted: bool = False
    ticks: int = 0
    """Ticks on the way to the next pose, or to the place."""
    is_stuck: bool = False
    """Whether something blocks the way to the pose above the place."""

    @property
    def target(self) -> Pose:
        return self.path[0] if self.path else self.place

    @property
    def speed_m_s(self) -> float:
        return CARRY_M_S if self.path else SET_DOWN_M_S

    def advance(self, pose: Pose, gap_m: float) -> bool:
        """Count a tick; return whether to free the ladder: it has arrived, or can't get any nearer."""
        self.ticks += 1
        if self.path:
            if geometry.are_near(pose, self.path[0], ARRIVED_M, ARRIVED_RAD):
                self.path.pop(0)
                self.ticks = 0
            else:
                is_lowered = len(self.path) == 1
                self.is_stuck = self.ticks > LEG_TICKS or (is_lowered and gap_m < CONTACT_GAP_M)
            return self.is_stuck and self.is_released
        if geometry.are_near(pose, self.place, EXACT_M, EXACT_RAD):
            return True
        is_blocked = gap_m < CONTACT_GAP_M and math.dist(pose.position, self.place.position) > BLOCKED_M
        if is_blocked and not self.has_lifted:
            self.has_lifted, self.ticks = True, 0
            self.path = _plan_arc(self.place, pose, max(pose.position[2], self.place.position[2]) + LIFT_M)
            return False
        return is_blocked or self.ticks > SET_DOWN_TICKS


class PlacePull:
    """Pulls one held ladder from its hand's pose towards a place."""

    def __init__(self) -> None:
        self._place: Pose | None = None
        """The place of the pull, until the pull has faded."""
        self._hidden = self._visible = 0.0
        """Shares of the pull: in depth and in rotations out of the picture, and in everything else."""
        self._last_hand_pose: Pose | None = None
        self._speed_m_s = FAST_M_S
        self._rest_ticks = 0
        self._blocked_ticks = 0
        self._given_up: tuple[Pose, Vec3] | None = None
        """A blocked place, and the hand's position at the time."""

    def guide(
        self, guide: Guide, hand: Pose, pose: Pose, view: Vec3, gap_m: float, *, is_mouse: bool
    ) -> Pose:
        """Return the ladder's target at this tick.

        ``hand``: the hand's target; ``pose``: the ladder's pose; ``gap_m``: its distance from everything;
        ``view``: unit vector from the eye; ``is_mouse``: start only at rest, and end at any rotation.
        """
        self._track_hand(hand, ends_at_rotation=is_mouse)
        given_up = None if self._given_up is None else self._given_up[0]
        distance, nearest = _find_nearest(guide, hand, given_up)
        current = math.inf if self._place not in guide.places else _measure_distance(guide, hand, self._place)
        is_over = self._speed_m_s > FAST_M_S or self._place == given_up
        if is_over or current > LEAVE or (nearest != self._place and distance < min(1.0, SWITCH * current)):
            current = math.inf
        if current == math.inf and not self._hidden and not self._visible:
            is_slow = self._rest_ticks >= REST_TICKS if is_mouse else self._speed_m_s < SLOW_M_S
            self._place = nearest if is_slow and distance < 1.0 and gap_m > MIN_AIR_M else None
            current = distance
        if self._place is None:
            return hand
        hidden, visible = (
            geometry.smooth_step((1.0 - current) / full_depth) for full_depth in (HIDDEN_FULL, SEEN_FULL)
        )
        is_blocked = gap_m <= MIN_AIR_M and math.dist(pose.position, self._place.position) > BLOCKED_M
        if is_blocked:
            hidden, visible = min(hidden, self._hidden), min(visible, self._visible)
        self._hidden, self._visible = (
            _limit_change(self._hidden, hidden),
            _limit_change(self._visible, visible),
        )
        self._blocked_ticks = self._blocked_ticks + 1 if is_blocked else 0
        if self._blocked_ticks > BLOCKED_TICKS:
            self._given_up, self._blocked_ticks = (self._place, hand.position), 0
        return self._blend(guide, hand, self._place, view)

    def _track_hand(self, hand: Pose, *, ends_at_rotation: bool) -> None:
        """Track the hand's speed; with ``ends_at_rotation``, a rotation is intended and ends the pull."""
        last, self._last_hand_pose = self._last_hand_pose, hand
        if last is not None:
            motion_m = measure_motion_m(last, hand)
            self._speed_m_s += (motion_m / TICK_S - self._speed_m_s) / SPEED_TICKS
            self._rest_ticks = self._rest_ticks + 1 if motion_m < REST_M else 0
            if ends_at_rotation and last.rotation != hand.rotation and self._place is not None:
                self._given_up = (self._place, hand.position)
        if self._given_up is not None and math.dist(self._given_up[1], hand.position) > RETRY_M:
            self._given_up = None

    def _blend(self, guide: Guide, hand: Pose, place: Pose, view: Vec3) -> Pose:
        scale = 1.0 / max(1.0, _measure_distance(guide, hand, place))
        turn = geometry.rotation_vector(
            geometry.quat_multiply(place.rotation, geometry.quat_inverse(hand.rotation))
        )
        turn = (scale * turn[0], scale * turn[1], scale * turn[2])
        offset = [scale * (target - own) for target, own in zip(place.position, hand.position, strict=True)]
        depth, twist = (sum(a * b for a, b in zip(vector, view, strict=True)) for vector in (offset, turn))
        x, y, z = (
            own + self._visible * part + (self._hidden - self._visible) * depth * axis
            for own, part, axis in zip(hand.position, offset, view, strict=True)
        )
        rx, ry, rz = (
            self._hidden * part + (self._visible - self._hidden) * twist * axis
            for part, axis in zip(turn, view, strict=True)
        )
        angle = math.hypot(rx, ry, rz)
        if angle < 1e-9:
            return Pose((x, y, z), hand.rotation)
        rotation = geometry.quat_multiply(geometry.quat_from_axis_angle((rx, ry, rz), angle), hand.rotation)
        return Pose((x, y, z), geometry.quat(rotation))


def _limit_change(current: float, goal: float) -> float:
    return max(current - DECAY_PER_S * TICK_S, min(goal, current + GROWTH_PER_S * TICK_S))
