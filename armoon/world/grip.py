"""Moves a held ladder: its target, the force that drives it there, and the effect of a lost hand.

At the grab, the ladder's point nearest to the line of sight becomes the anchor. The target moves with the hand and
rotates about the anchor, so a constant depth error cancels. A ladder held with a prop moves to the prop instead.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from armoon import geometry
from armoon.values import pieces
from armoon.values.pieces import PROP_SOURCES, SIMULATED, Box, GripIntent, Ladder
from armoon.values.poses import Pose, Vec3
from armoon.world.bullet import GRAVITY_M_S2, STEP_S
from armoon.world.guide import Descent, PlacePull

#: Gaps to the structure between which the drive changes from its far parameters to its near ones.
FAR_GAP_M, NEAR_GAP_M = 0.020, 0.003
#: Natural frequencies of the drive.
FAR_RAD_S, NEAR_RAD_S = 50.0, 22.0
#: Speed limits of the ladder's centre; the angular limit is this speed at ``SPEED_ARM_M``.
FAR_SPEED_M_S, NEAR_SPEED_M_S = 0.6, 0.15
SPEED_ARM_M = 0.05
#: Maximum force (twice a ladder's weight) and torque (this force at half a ladder's width), which a tower bears.
MAX_FORCE_N = 0.06
MAX_TORQUE_N_M = 0.0012
#: Maximum offset in depth, and rotation out of the picture, over which a touching ladder is pulled.
SOFT_M, SOFT_RAD = 0.003, math.radians(3.0)
#: Rotation error beyond which a touching ladder is pulled back, so that it doesn't tumble.
MAX_LEAN_RAD = math.radians(60.0)
#: Distances of a hand below a blocked ladder between which it stops carrying the weight; it doesn't press down.
REST_START_M, REST_FULL_M = 0.002, 0.008


def compute_drive(
    ladder: Ladder,
    pose: Pose,
    velocity: tuple[Vec3, Vec3],
    target: Pose,
    gap_m: float,
    view: Vec3 | None = None,
    *,
    can_rest: bool = True,
    max_speed_m_s: float = FAR_SPEED_M_S,
) -> tuple[Vec3, Vec3]:
    """Return the force (N) at the centre of mass and the torque (N m), table frame, for the next step.

    ``view``: unit vector from the eye to the hand, if the ladder touches something and yields; ``can_rest``: whether
    the ladder may rest there, because no other ladder moves.
    """
    openness = min(1.0, max(0.0, (gap_m - NEAR_GAP_M) / (FAR_GAP_M - NEAR_GAP_M)))
    omega = NEAR_RAD_S + (FAR_RAD_S - NEAR_RAD_S) * openness
    speed = min(max_speed_m_s, NEAR_SPEED_M_S + (FAR_SPEED_M_S - NEAR_SPEED_M_S) * openness)
    linear, angular = velocity
    offset = subtract(target.position, pose.position)
    inverse = geometry.quat_inverse(pose.rotation)
    rotation = geometry.rotation_vector(geometry.quat_multiply(target.rotation, inverse))
    carried_share = 1.0
    if view is not None:
        rest_share = min(1.0, max(0.0, (-offset[2] - REST_START_M) / (REST_FULL_M - REST_START_M)))
        carried_share = 1.0 - rest_share if can_rest else 1.0
        offset, rotation = limit_depth(offset, view), _limit_turn(rotation, view)
    force = scale(_compute_spring(offset, linear, omega, speed), ladder.mass_kg)
    fx, fy, fz = _cap(force, MAX_FORCE_N)
    angular_acceleration = _compute_spring(rotation, angular, omega, speed / SPEED_ARM_M)
    local = geometry.quat_rotate(inverse, angular_acceleration)
    ix, iy, iz = ladder.inertia_kg_m2
    torque = geometry.quat_rotate(pose.rotation, (ix * local[0], iy * local[1], iz * local[2]))
    weight = ladder.mass_kg * GRAVITY_M_S2
    return (fx, fy, fz + carried_share * weight), _cap(torque, MAX_TORQUE_N_M)


def limit_depth(offset: Vec3, view: Vec3) -> Vec3:
    """Limit a displacement in depth (horizontally away from the eye) and downwards."""
    x, y, z = offset
    level = math.hypot(view[0], view[1])
    if level > 1e-6:
        away_axis = (view[0] / level, view[1] / level)
        depth = x * away_axis[0] + y * away_axis[1]
        # Seen from straight above, no horizontal direction is depth.
        max_depth = SOFT_M / level
        excess = depth - min(max_depth, max(-max_depth, depth))
        x, y = x - excess * away_axis[0], y - excess * away_axis[1]
    return (x, y, max(z, -REST_START_M))


def _limit_turn(rotation: Vec3, view: Vec3) -> Vec3:
    along_view = rotation[0] * view[0] + rotation[1] * view[1] + rotation[2] * view[2]
    across_view = subtract(rotation, scale(view, along_view))
    x, y, z = _cap(across_view, max(SOFT_RAD, math.hypot(*across_view) - MAX_LEAN_RAD))
    return (x + along_view * view[0], y + along_view * view[1], z + along_view * view[2])


def _compute_spring(offset: Vec3, velocity: Vec3, omega: float, speed: float) -> Vec3:
    stiffness, damping = omega * omega, 2.0 * omega
    # At a constant speed stiffness · offset = damping · velocity, which gives the offset at the speed limit.
    x, y, z = _cap(offset, speed * damping / stiffness)
    share = 1.0 / (1.0 + damping * STEP_S + stiffness * STEP_S * STEP_S)
    vx, vy, vz = velocity
    pull = stiffness * share
    drag = (damping + stiffness * STEP_S) * share
    return (pull * x - drag * vx, pull * y - drag * vy, pull * z - drag * vz)


def subtract(a: Vec3, b: Vec3) -> Vec3:
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def scale(v: Vec3, factor: float) -> Vec3:
    return (v[0] * factor, v[1] * factor, v[2] * factor)


def _cap(v: Vec3, limit: float) -> Vec3:
    length = math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
    return v if length <= limit else scale(v, limit / length)


#: Maximum distance between a ladder and the line of sight to a grip: the accuracy of a hand that feels nothing.
REACH_ACROSS_M = 0.030
#: Maximum distance along the line of sight. One camera errs by 3 to 6 cm in depth, and by much more for unusual hands.
#: Because only one ladder is offered, a pinch anywhere on the line of sight to it is meant for it.
REACH_ALONG_M = 0.30
#: Rounding error of points on the line of sight, metres.
ON_THE_LINE_M = 1e-9


def find_aim(ladder: Ladder, pose: Pose, grip: GripIntent) -> tuple[Vec3, float]:
    """Return the point on or in a ladder nearest to a line of sight, table frame, and its distance from the line."""
    aims = [_find_box_aim(box, pose, grip) for box in ladder.boxes]
    # Of several boxes on the line, prefer the one nearest to the grip.
    point, across_m, _ = min(aims, key=lambda aim: (max(aim[1], ON_THE_LINE_M), abs(aim[2])))
    return point, across_m


def is_within_reach(ladder: Ladder, pose: Pose, grip: GripIntent) -> bool:
    return find_aim(ladder, pose, grip)[1] <= REACH_ACROSS_M


def _find_box_aim(box: Box, pose: Pose, grip: GripIntent) -> tuple[Vec3, float, float]:
    """Return the point of one box nearest to the part of the line of sight within reach, and its distances.

    The distances are from the line, and along the line from the grip, positive behind the grip.
    """
    table_from_box = geometry.pose_compose(pose, Pose(box.centre, box.rotation))
    origin = geometry.pose_apply(geometry.pose_inverse(table_from_box), grip.pose.position)
    length = math.sqrt(sum(a * a for a in grip.view_axis))
    axis = (grip.view_axis[0] / length, grip.view_axis[1] / length, grip.view_axis[2] / length)
    direction = geometry.quat_rotate(geometry.quat_inverse(table_from_box.rotation), axis)
    along = _find_nearest_parameter(origin, direction, box.half_extents)
    on_line = [o + along * d for o, d in zip(origin, direction, strict=True)]
    x, y, z = (max(-h, min(h, c)) for c, h in zip(on_line, box.half_extents, strict=True))
    across = math.sqrt((on_line[0] - x) ** 2 + (on_line[1] - y) ** 2 + (on_line[2] - z) ** 2)
    return geometry.pose_apply(table_from_box, (x, y, z)), across, along


def _find_nearest_parameter(origin: Vec3, direction: Vec3, half: Vec3) -> float:
    """Return the smallest |t| within reach that brings ``origin + t direction`` nearest to a centred box."""
    # The squared distance is convex: its derivative is monotone, and linear between the box's face planes.

    def compute_slope(t: float) -> float:
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
    slopes = [compute_slope(t) for t in ordered]
    if slopes[0] >= 0.0 and slopes[-1] > 0.0 and slopes[0] > 1e-15:
        return ordered[0]
    if slopes[-1] < -1e-15:
        return ordered[-1]
    low, high = _find_zeros(ordered, slopes)
    return max(low, min(high, 0.0))


def _find_zeros(knots: list[float], slopes: list[float]) -> tuple[float, float]:
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


#: Maximum distance of a hand from the table's origin; poses farther away are ignored.
MAX_HAND_M = 1.5
#: Distances of a hand ahead of a blocked ladder, beyond camera errors, at which it starts to push and pushes fully;
#: maximum push, the weight of 55 ladders.
PUSH_START_M, PUSH_FULL_M = 0.035, 0.095
MAX_PUSH_N = 1.5
#: Time until a push has its full force, so that a hand misread in a few pictures doesn't topple anything.
PUSH_S = 0.8
#: Motion of a prop over which the held ladder covers most of its distance to it; the ladder moves only with the prop.
APPROACH_M = 0.05


class Grasp:
    """A ladder in a hand."""

    def __init__(self, ladder: Ladder, pose: Pose, intent: GripIntent) -> None:
        self._ladder, self.piece = ladder, ladder.piece
        self.is_frozen = False
        """Whether the hand is lost and the ladder stays in place (ruling X2)."""
        self.descent: Descent | None = None
        """The ladder's motion down to a place, after a release or a request."""
        self._pull = PlacePull()
        self._push_n = 0.0
        self.view = _get_view(intent)
        """Unit vector from the eye to the grip; None for a simulated hand, which has no depth error."""
        self._anchor_to(pose, intent)

    def follow(self, pose: Pose, intent: GripIntent) -> None:
        """Follow the hand from the ladder's ``pose``; re-anchor after a loss or a change of device."""
        self._rotate_with_table(intent.turned_rad)
        self.view = _get_view(intent)
        if self.is_frozen or intent.source != self.source:
            self._anchor_to(pose, intent)
            self.is_frozen = False
        else:
            if intent.source in PROP_SOURCES:
                self._approach_prop(intent.pose.position)
            self.target = self._compute_target(intent.pose)

    def freeze(self, pose: Pose) -> None:
        """Hold the ladder in place, because the hand is lost."""
        if not self.is_frozen:
            self.is_frozen = True
            self.target, self._pull = pose, PlacePull()

    def draw_to_place(self, guide: pieces.Guide, pose: Pose, gap_m: float) -> None:
        """Pull the target of a hand's or mouse's ladder towards a place."""
        if self.view is not None and self.source not in (*PROP_SOURCES, *pieces.EXACT_SOURCES):
            is_mouse = self.source == pieces.MOUSE_SOURCE
            self.target = self._pull.guide(guide, self.target, pose, self.view, gap_m, is_mouse=is_mouse)

    def set_down(self, place: Pose, waypoints: Sequence[Pose] = (), *, is_released: bool = False) -> None:
        self.descent, self.view = Descent(place, list(waypoints), is_released), None
        self.target = self.descent.target

    def measure_press_m(self, pose: Pose) -> float:
        """Return the height of a blocked ladder at ``pose`` above its target."""
        return pose.position[2] - self.target.position[2]

    def compute_push(self, pose: Pose, *, is_yielding: bool) -> Vec3:
        """Return the hand's push (N) on the obstacle of a ladder blocked at ``pose``, after one more step.

        The drive alone has a much smaller force. With ``is_yielding``, the push in depth and down is small.
        """
        x, y, z = (goal - own for goal, own in zip(self.target.position, pose.position, strict=True))
        if is_yielding and self.view is not None:
            x, y, z = limit_depth((x, y, z), self.view)
        ahead_m = math.sqrt(x * x + y * y + z * z)
        share = (ahead_m - PUSH_START_M) / (PUSH_FULL_M - PUSH_START_M)
        goal_n = MAX_PUSH_N * min(1.0, max(0.0, share))
        self._push_n = min(goal_n, self._push_n + MAX_PUSH_N * STEP_S / PUSH_S)
        factor = self._push_n / max(ahead_m, PUSH_START_M)
        return (x * factor, y * factor, z * factor)

    def _anchor_to(self, pose: Pose, intent: GripIntent) -> None:
        self.source = intent.source
        self.turned_rad = intent.turned_rad
        self._ladder_at_grab = pose
        self._grip_at_grab = intent.pose
        self._anchor: Vec3 = find_aim(self._ladder, pose, intent)[0]
        self._last_position, self._approached = intent.pose.position, 0.0
        """The grip's last position; the share of its offset from the anchor that has been removed."""
        self.target = pose

    def _approach_prop(self, place: Vec3) -> None:
        motion_m = math.dist(self._last_position, place)
        self._last_position, self._approached = (
            place,
            1.0 - (1.0 - self._approached) * math.exp(-motion_m / APPROACH_M),
        )

    def _rotate_with_table(self, turned_rad: float) -> None:
        """Rotate the anchored hand and ladder in the table frame, because the table has been turned."""
        if turned_rad == self.turned_rad:
            return
        rotation = geometry.quat_from_axis_angle((0.0, 0.0, 1.0), self.turned_rad - turned_rad)
        rotation_pose = Pose((0.0, 0.0, 0.0), rotation)
        self._ladder_at_grab = geometry.pose_compose(rotation_pose, self._ladder_at_grab)
        self._grip_at_grab = geometry.pose_compose(rotation_pose, self._grip_at_grab)
        self._anchor = geometry.quat_rotate(rotation, self._anchor)
        self._last_position = geometry.quat_rotate(rotation, self._last_position)
        self.turned_rad = turned_rad

    def _compute_target(self, grip: Pose) -> Pose:
        rotation = geometry.quat_multiply(grip.rotation, geometry.quat_inverse(self._grip_at_grab.rotation))
        ax, ay, az = self._anchor
        gx, gy, gz = self._grip_at_grab.position
        px, py, pz = self._ladder_at_grab.position
        rx, ry, rz = geometry.quat_rotate(rotation, (px - ax, py - ay, pz - az))
        hx, hy, hz = grip.position
        position = (ax + hx - gx + rx, ay + hy - gy + ry, az + hz - gz + rz)
        if self._approached:
            x, y, z = position
            share = self._approached
            position = (x + share * (gx - ax), y + share * (gy - ay), z + share * (gz - az))
        return Pose(position, geometry.quat(geometry.quat_multiply(rotation, self._ladder_at_grab.rotation)))


def _get_view(intent: GripIntent) -> Vec3 | None:
    if intent.source in SIMULATED:
        return None
    x, y, z = intent.view_axis
    length = math.sqrt(x * x + y * y + z * z)
    return (x / length, y / length, z / length)


def is_valid_grip(intent: GripIntent) -> bool:
    """Return whether an intent has a finite pose at the table, a unit rotation and a line of sight."""
    (x, y, z), (i, j, k, w), (a, b, c) = intent.pose.position, intent.pose.rotation, intent.view_axis
    limit = MAX_HAND_M
    # NaN and infinity fail every comparison below.
    return (
        -limit <= x <= limit
        and -limit <= y <= limit
        and -limit <= z <= limit
        and abs(i * i + j * j + k * k + w * w - 1.0) < 1e-3
        and 1e-6 < a * a + b * b + c * c < math.inf
    )
