"""The held ladder's drive: a critically damped spring to the hand's target, soft near the structure.

Of six drives tried with a noisy hand this one pressed least on a tower (docs/physics.md, "The held ladder"):
implicit ("stable") PD after Tan, Liu and Turk 2011, no velocity feed-forward, force and torque capped,
gravity compensated separately.
"""

from __future__ import annotations

import math

from armoon.geometry import quat_inverse, quat_multiply, quat_rotate, rotation_vector
from armoon.values.pieces import Ladder
from armoon.values.poses import Pose, Vec3
from armoon.world.bullet import GRAVITY_M_S2, STEP_S

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
#: A hand that goes down beyond a blocked ladder lets go of its weight from the one distance to the other; it doesn't
#: press.
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
) -> tuple[Vec3, Vec3]:
    """Return the force (N) at the centre of mass and the torque (N m), table frame, for the next step.

    ``view``: of a hand, the unit vector from the eye, where the ladder touches something and gives way to it; it
    ``rests`` there unless that gives way, too.
    """
    openness = min(1.0, max(0.0, (gap_m - NEAR_GAP_M) / (FAR_GAP_M - NEAR_GAP_M)))
    omega = NEAR_RAD_S + (FAR_RAD_S - NEAR_RAD_S) * openness
    speed = NEAR_SPEED_M_S + (FAR_SPEED_M_S - NEAR_SPEED_M_S) * openness
    linear, angular = velocity
    way = _minus(target.position, pose.position)
    turn = rotation_vector(quat_multiply(target.rotation, quat_inverse(pose.rotation)))
    borne = 1.0
    if view is not None:
        beyond = min(1.0, max(0.0, (-way[2] - RESTS_FROM_M) / (RESTS_FULLY_M - RESTS_FROM_M)))
        borne = 1.0 - beyond if rests else 1.0
        way, turn = soft_way(way, view), _soft_turn(turn, view)
    force = _scaled(_spring(way, linear, omega, speed), ladder.mass_kg)
    fx, fy, fz = _capped(force, MOST_FORCE_N)
    spin = _spring(turn, angular, omega, speed / SPEED_ARM_M)
    local = quat_rotate(quat_inverse(pose.rotation), spin)
    ix, iy, iz = ladder.inertia_kg_m2
    torque = quat_rotate(pose.rotation, (ix * local[0], iy * local[1], iz * local[2]))
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
    """Return the rotation vector of which little is left but what turns in the picture."""
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
