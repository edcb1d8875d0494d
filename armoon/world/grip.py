"""A ladder in a hand: how its target follows the hand, and the effect of a lost hand.

At the grab the ladder's point nearest to the line of sight becomes the anchor. The target moves with the hand and turns
about it, so a constant depth error cancels. A paper ladder has none: as it moves, what it holds comes to its end.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from armoon import geometry
from armoon.values import pieces
from armoon.values.pieces import CARD_SOURCE, CARRIED, Box, GripIntent, Ladder, PieceId
from armoon.values.poses import Pose, Vec3
from armoon.world.bullet import GRAVITY_M_S2, STEP_S
from armoon.world.guide import Descent, Pull

#: Between these gaps to the structure the drive softens from its far figures to its near ones.
FAR_GAP_M, NEAR_GAP_M = 0.020, 0.003
#: Natural frequencies.
FAR_RAD_S, NEAR_RAD_S = 50.0, 22.0
#: Speed limits of the ladder's centre; the angular limit is this speed at SPEED_ARM_M.
FAR_SPEED_M_S, NEAR_SPEED_M_S = 0.6, 0.15
SPEED_ARM_M = 0.05
#: Twice a ladder's weight, and what that does at half its width: a tower bears it.
MOST_FORCE_N = 0.06
MOST_TORQUE_N_M = 0.0012
#: In depth, and in turns out of the picture, a ladder that touches something is drawn by no more than this.
SOFT_M, SOFT_RAD = 0.003, math.radians(3.0)
#: Lean from which a held ladder is drawn back, so that it doesn't tumble.
MOST_LEAN_RAD = math.radians(60.0)
#: Distances of a hand below a blocked ladder over which it lets go of its weight; it doesn't press.
RESTS_FROM_M, RESTS_FULLY_M = 0.002, 0.008


def drive(
    ladder: Ladder,
    pose: Pose,
    velocity: tuple[Vec3, Vec3],
    target: Pose,
    gap_m: float,
    view: Vec3 | None = None,
    *,
    rests: bool = True,
    most_m_s: float = FAR_SPEED_M_S,
) -> tuple[Vec3, Vec3]:
    """Return the force (N) at the centre of mass and the torque (N m), table frame, for the next step.

    ``view``: of a hand, the unit vector from the eye, where the ladder touches something and gives way to it; it
    ``rests`` there unless that gives way, too. ``most_m_s``: limit of its speed.
    """
    openness = min(1.0, max(0.0, (gap_m - NEAR_GAP_M) / (FAR_GAP_M - NEAR_GAP_M)))
    omega = NEAR_RAD_S + (FAR_RAD_S - NEAR_RAD_S) * openness
    speed = min(most_m_s, NEAR_SPEED_M_S + (FAR_SPEED_M_S - NEAR_SPEED_M_S) * openness)
    linear, angular = velocity
    way = _minus(target.position, pose.position)
    turn = geometry.rotation_vector(
        geometry.quat_multiply(target.rotation, geometry.quat_inverse(pose.rotation))
    )
    borne = 1.0
    if view is not None:
        beyond = min(1.0, max(0.0, (-way[2] - RESTS_FROM_M) / (RESTS_FULLY_M - RESTS_FROM_M)))
        borne = 1.0 - beyond if rests else 1.0
        way, turn = soft_way(way, view), _soft_turn(turn, view)
    force = _scaled(_spring(way, linear, omega, speed), ladder.mass_kg)
    fx, fy, fz = _capped(force, MOST_FORCE_N)
    spin = _spring(turn, angular, omega, speed / SPEED_ARM_M)
    local = geometry.quat_rotate(geometry.quat_inverse(pose.rotation), spin)
    ix, iy, iz = ladder.inertia_kg_m2
    torque = geometry.quat_rotate(pose.rotation, (ix * local[0], iy * local[1], iz * local[2]))
    weight = ladder.mass_kg * GRAVITY_M_S2
    return (fx, fy, fz + borne * weight), _capped(torque, MOST_TORQUE_N_M)


def soft_way(way: Vec3, view: Vec3) -> Vec3:
    """Return the way of which little is left in depth, which is level away from the eye, and downwards."""
    x, y, z = way
    level = math.hypot(view[0], view[1])
    if level > 1e-6:
        away = (view[0] / level, view[1] / level)
        deep = x * away[0] + y * away[1]
        # Seen from straight above nothing level is depth.
        most = SOFT_M / level
        back = deep - min(most, max(-most, deep))
        x, y = x - back * away[0], y - back * away[1]
    return (x, y, max(z, -RESTS_FROM_M))


def _soft_turn(turn: Vec3, view: Vec3) -> Vec3:
    seen = turn[0] * view[0] + turn[1] * view[1] + turn[2] * view[2]
    hidden = _minus(turn, _scaled(view, seen))
    x, y, z = _capped(hidden, max(SOFT_RAD, math.hypot(*hidden) - MOST_LEAN_RAD))
    return (x + seen * view[0], y + seen * view[1], z + seen * view[2])


def _spring(way: Vec3, velocity: Vec3, omega: float, speed: float) -> Vec3:
    """Return the acceleration of a critically damped, implicit spring whose motion tops out at ``speed``."""
    stiffness, damping = omega * omega, 2.0 * omega
    # In steady motion stiffness · way = damping · velocity: the way at which it runs at its speed limit.
    x, y, z = _capped(way, speed * damping / stiffness)
    share = 1.0 / (1.0 + damping * STEP_S + stiffness * STEP_S * STEP_S)
    vx, vy, vz = velocity
    pull = stiffness * share
    drag = (damping + stiffness * STEP_S) * share
    return (pull * x - drag * vx, pull * y - drag * vy, pull * z - drag * vz)


def _minus(a: Vec3, b: Vec3) -> Vec3:
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def _scaled(v: Vec3, factor: float) -> Vec3:
    return (v[0] * factor, v[1] * factor, v[2] * factor)


def _capped(v: Vec3, most: float) -> Vec3:
    """Return the vector, shortened to ``most`` if it is longer."""
    length = math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
    return v if length <= most else _scaled(v, most / length)


#: A finger's breadth and a half: what a hand on a screen, without touch, aims at reliably.
REACH_ACROSS_M = 0.030
#: One camera is 3 to 6 cm wrong in depth, far more with a strange hand; with one ladder offered, a pinch on its line
#: of sight means it, wherever along that line.
REACH_ALONG_M = 0.30
#: Rounding leaves points on the line this far beside it.
ON_THE_LINE_M = 1e-9


@dataclass(frozen=True)
class Aim:
    """The point of a ladder nearest to a line of sight."""

    point: Vec3
    """Table frame, on or in the ladder."""
    across_m: float
    """Its distance from the line."""
    along_m: float
    """How far from the grip, along the line, the line passes it: positive behind the grip."""


def aim_at(ladder: Ladder, pose: Pose, grip: GripIntent) -> Aim:
    aims = [_aim_at_box(box, pose, grip) for box in ladder.boxes]
    # Of several boxes on the very line, the one nearest to the grip is meant.
    return min(aims, key=lambda aim: (max(aim.across_m, ON_THE_LINE_M), abs(aim.along_m)))


def within_reach(ladder: Ladder, pose: Pose, grip: GripIntent) -> bool:
    return aim_at(ladder, pose, grip).across_m <= REACH_ACROSS_M


def _aim_at_box(box: Box, pose: Pose, grip: GripIntent) -> Aim:
    """Return the nearest point of one box to the stretch of the line of sight within reach."""
    table_from_box = geometry.pose_compose(pose, Pose(box.centre, box.rotation))
    origin = geometry.pose_apply(geometry.pose_inverse(table_from_box), grip.pose.position)
    length = math.sqrt(sum(a * a for a in grip.view_axis))
    axis = (grip.view_axis[0] / length, grip.view_axis[1] / length, grip.view_axis[2] / length)
    direction = geometry.quat_rotate(geometry.quat_inverse(table_from_box.rotation), axis)
    along = _nearest_parameter(origin, direction, box.half_extents)
    on_line = [o + along * d for o, d in zip(origin, direction, strict=True)]
    x, y, z = (max(-h, min(h, c)) for c, h in zip(on_line, box.half_extents, strict=True))
    across = math.sqrt((on_line[0] - x) ** 2 + (on_line[1] - y) ** 2 + (on_line[2] - z) ** 2)
    return Aim(geometry.pose_apply(table_from_box, (x, y, z)), across, along)


def _nearest_parameter(origin: Vec3, direction: Vec3, half: Vec3) -> float:
    """Return the t within reach that brings ``origin + t direction`` nearest to a centred box; the least |t|."""
    # The squared distance is convex: its derivative is monotone, and linear between the planes of the box's faces.

    def slope(t: float) -> float:
        total = 0.0
        for o, d, h in zip(origin, direction, half, strict=True):
            c = o + t * d
            total += d * (c - max(-h, min(h, c)))
        return total

    knots = {-REACH_ALONG_M, REACH_ALONG_M}
    for o, d, h in zip(origin, direction, half, strict=True):
        if abs(d) > 1e-12:
            knots |= {t for t in ((-h - o) / d, (h - o) / d) if abs(t) < REACH_ALONG_M}
    ordered = sorted(knots)
    slopes = [slope(t) for t in ordered]
    if slopes[0] >= 0.0 and slopes[-1] > 0.0 and slopes[0] > 1e-15:
        return ordered[0]
    if slopes[-1] < -1e-15:
        return ordered[-1]
    low, high = _zero_stretch(ordered, slopes)
    return max(low, min(high, 0.0))


def _zero_stretch(knots: list[float], slopes: list[float]) -> tuple[float, float]:
    """Where a monotone piecewise linear function is zero: a point or a stretch."""
    low = high = None
    for (t0, s0), (t1, s1) in zip(
        zip(knots, slopes, strict=True), zip(knots[1:], slopes[1:], strict=True), strict=False
    ):
        if abs(s0) <= 1e-15 and abs(s1) <= 1e-15:
            low, high = t0 if low is None else low, t1
        elif s0 <= 0.0 <= s1:
            zero = t0 + (t1 - t0) * (-s0) / (s1 - s0)
            low, high = zero if low is None else low, zero if high is None else max(high, zero)
    assert low is not None
    assert high is not None
    return low, high


#: A hand farther than this from the table's middle isn't at the table: its pose is ignored.
FARTHEST_HAND_M = 1.5
#: Distances ahead of a blocked ladder, beyond camera errors, at which a hand pushes first and with all (60 ladders).
PUSHES_FROM_M, PUSHES_FULLY_M = 0.035, 0.095
MOST_PUSH_N = 1.5
#: Seconds until a push has its full force: a hand that is misread for a few pictures pushes nothing over.
PUSH_S = 0.8
#: A paper ladder's end and what it holds come together over a way of this length; while it rests, nothing moves.
MEETS_M = 0.05


class Grasp:
    """A ladder in a hand."""

    def __init__(self, ladder: Ladder, pose: Pose, intent: GripIntent) -> None:
        self._ladder = ladder
        self.frozen = False
        """The hand is lost; the ladder waits where it is (ruling X2)."""
        self.descent: Descent | None = None
        """It was released, or is to be set down: it goes to its place."""
        self._pull = Pull()
        self._push_n = 0.0
        self.view = _seen_along(intent)
        """From the eye to the grip; None of a simulated hand, which is sure of all that it does."""
        self._anchor_to(pose, intent)

    @property
    def piece(self) -> PieceId:
        return self._ladder.piece

    def follow(self, pose: Pose, intent: GripIntent) -> None:
        """Follow the hand from the ladder's ``pose``; after a loss or a change of device anchor again: no jump."""
        self._turn_below(intent.turned_rad)
        self.view = _seen_along(intent)
        if self.frozen or intent.source != self.source:
            self._anchor_to(pose, intent)
            self.frozen = False
        else:
            if intent.source == CARD_SOURCE:
                self._meet(intent.pose.position)
            self.target = self._target_for(intent.pose)

    def freeze(self, pose: Pose) -> None:
        """Hold the ladder where it is: the hand is gone."""
        if not self.frozen:
            self.frozen = True
            self.target, self._pull = pose, Pull()

    def draw_to_place(self, guide: pieces.Guide, pose: Pose, gap_m: float) -> None:
        """Draw a hand's or a mouse's ladder from where the hand has just put its target towards a place."""
        if self.view is not None and self.source not in (CARD_SOURCE, *pieces.UNGUIDED):
            rests = self.source == pieces.MOUSE_SOURCE
            self.target = self._pull.target(guide, self.target, pose, self.view, gap_m, rests=rests)

    def set_down(self, place: Pose, legs: list[Pose] | None = None) -> None:
        self.descent, self.view = Descent(place, legs or []), None
        self.target = self.descent.target

    def below_m(self, pose: Pose) -> float:
        return pose.position[2] - self.target.position[2]

    def insist(self, pose: Pose, *, complies: bool) -> Vec3:
        """Return the force (N) with which the hand pushes what blocks the ladder at ``pose``, a step of 1/240 s later.

        The drive's is far less, for careless hands. If the ladder ``complies``, it pushes only where it isn't soft.
        """
        x, y, z = (there - here for there, here in zip(self.target.position, pose.position, strict=True))
        if complies and self.view is not None:
            x, y, z = soft_way((x, y, z), self.view)
        ahead_m = math.sqrt(x * x + y * y + z * z)
        share = (ahead_m - PUSHES_FROM_M) / (PUSHES_FULLY_M - PUSHES_FROM_M)
        wanted_n = MOST_PUSH_N * min(1.0, max(0.0, share))
        self._push_n = min(wanted_n, self._push_n + MOST_PUSH_N * STEP_S / PUSH_S)
        part = self._push_n / max(ahead_m, PUSHES_FROM_M)
        return (x * part, y * part, z * part)

    def _anchor_to(self, pose: Pose, intent: GripIntent) -> None:
        self.source = intent.source
        self.turned_rad = intent.turned_rad
        self._ladder_at_grab = pose
        self._grip_at_grab = intent.pose
        self._anchor: Vec3 = aim_at(self._ladder, pose, intent).point
        self._seen_at, self._met = intent.pose.position, 0.0
        """Where the grip was last; how much of what lay between it and the anchor is made up for."""
        self.target = pose

    def _meet(self, place: Vec3) -> None:
        """Let the held ladder come nearer to its paper ladder, which has moved to ``place``."""
        way_m = math.dist(self._seen_at, place)
        self._seen_at, self._met = place, 1.0 - (1.0 - self._met) * math.exp(-way_m / MEETS_M)

    def _turn_below(self, turned_rad: float) -> None:
        """Turn hand and ladder alike in the table frame, since the table has turned below them."""
        if turned_rad == self.turned_rad:
            return
        back = geometry.quat_from_axis_angle((0.0, 0.0, 1.0), self.turned_rad - turned_rad)
        round_it = Pose((0.0, 0.0, 0.0), back)
        self._ladder_at_grab = geometry.pose_compose(round_it, self._ladder_at_grab)
        self._grip_at_grab = geometry.pose_compose(round_it, self._grip_at_grab)
        self._anchor = geometry.quat_rotate(back, self._anchor)
        self._seen_at = geometry.quat_rotate(back, self._seen_at)
        self.turned_rad = turned_rad

    def _target_for(self, grip: Pose) -> Pose:
        turn = geometry.quat_multiply(grip.rotation, geometry.quat_inverse(self._grip_at_grab.rotation))
        ax, ay, az = self._anchor
        gx, gy, gz = self._grip_at_grab.position
        px, py, pz = self._ladder_at_grab.position
        rx, ry, rz = geometry.quat_rotate(turn, (px - ax, py - ay, pz - az))
        hx, hy, hz = grip.position
        position = (ax + hx - gx + rx, ay + hy - gy + ry, az + hz - gz + rz)
        if self._met:
            x, y, z = position
            met = self._met
            position = (x + met * (gx - ax), y + met * (gy - ay), z + met * (gz - az))
        return Pose(position, geometry.quat(geometry.quat_multiply(turn, self._ladder_at_grab.rotation)))


def _seen_along(intent: GripIntent) -> Vec3 | None:
    if intent.source in CARRIED:
        return None
    x, y, z = intent.view_axis
    length = math.sqrt(x * x + y * y + z * z)
    return (x / length, y / length, z / length)


def is_sensible(intent: GripIntent) -> bool:
    """Whether an intent's pose is a finite place at the table with a proper rotation and a line of sight."""
    (x, y, z), (i, j, k, w), (a, b, c) = intent.pose.position, intent.pose.rotation, intent.view_axis
    most = FARTHEST_HAND_M
    # An infinite number, or none at all, is within no limit.
    return (
        -most <= x <= most
        and -most <= y <= most
        and -most <= z <= most
        and abs(i * i + j * j + k * k + w * w - 1.0) < 1e-3
        and 1e-6 < a * a + b * b + c * c < math.inf
    )
