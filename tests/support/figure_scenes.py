"""The canonical scenes, which show each figure with as few ladders as possible.

Tests check that the scenes stay at rest; pictures of the scenes explain the figures. All ladders are straight. Poses
that can't be computed were found by dropping a ladder.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from benchmarks.towers import Structure

from armoon.geometry import Array, quat, quat_from_matrix, quat_rotate, unit, vec3
from armoon.values.pieces import Ladder, LadderSet
from armoon.values.poses import Pose, Quat, Vec3
from armoon.world.base import BASE_HEIGHT_M, SLOT_DEPTH_M, make_base
from armoon.world.ladders import RUNG_WIDTH_M, THICKNESS_M, build_ladder, make_straight_plan

#: Initial gap between two ladders, so that they don't overlap.
GAP_M = 1e-5
#: Height of an upright starting ladder's feet.
FOOT_Z_M = BASE_HEIGHT_M - SLOT_DEPTH_M
#: Slope of the Shameful Support, in radians; from 21.8 degrees on the upper ladder would slide.
SHAMEFUL_SLOPE = math.radians(15.0)
#: Slope, in radians, of the ladder from which the Swing hangs; the slope keeps the Swing from slipping off.
PRONG_SLOPE = math.radians(8.0)

X, Y, Z = (np.array(axis) for axis in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)))
UPRIGHT: Quat = (0.0, 0.0, 0.0, 1.0)


def foot_hook() -> Structure:
    """Croc-en-jambe: threaded over the end of one rail, it rests on a single rung."""
    post, hooked = _straight("L01"), _straight("L02", 0.110)
    return _scene((post, _upright(post), True), (hooked, FOOT_HOOKED, False))


def swing(tilt: float = 0.0) -> Structure:
    """Balancelle: hangs by its top rung from the end of a rail and can swing; it starts tilted by ``tilt`` rad."""
    lying, hung = _straight("L01"), _straight("L02", 0.110, 0.030)
    lying_pose, rung = _prong(lying)
    rotation = _turn(Y, -X * math.cos(tilt) - Z * math.sin(tilt), Z * math.cos(tilt) - X * math.sin(tilt))
    return _scene((lying, lying_pose, True), (hung, _put(hung.rungs[-1], rung, rotation), False))


def bolt() -> Structure:
    """Verrou: a third ladder stuck in a Swing, which can't swing any more."""
    lying, hung, locked = _straight("L01"), _straight("L02", 0.110, 0.030), _straight("L03")
    lying_pose, _ = _prong(lying)
    return _scene((lying, lying_pose, True), (hung, BOLT_HUNG, False), (locked, BOLT_LOCKED, False))


def crazy_diagonal() -> Structure:
    """Diagonale du fou: threaded through another ladder's opening, diagonally between two rungs."""
    post = _straight("L01", 0.130, rungs=6, without=(3,))
    diagonal = _straight("L02", 0.112, 0.027)
    return _scene((post, _upright(post), True), (diagonal, CRAZY_DIAGONAL, False))


def candle() -> Structure:
    """Chandelle: upright at the top, its lowest rung on the ends of another ladder's two rails."""
    post, upright = _straight("L01"), _straight("L02", 0.110, 0.044)
    top = FOOT_Z_M + post.length_m
    pose = _put(upright.rungs[0], (0.0, 0.0, top + RUNG_WIDTH_M / 2.0 + GAP_M), UPRIGHT)
    return _scene((post, _upright(post), True), (upright, pose, False))


def tightrope_walker() -> Structure:
    """Funambule malicieux: balanced flat across the ends of another ladder's two rails."""
    post, walker = _straight("L01"), _straight("L02", 0.110, rungs=4)
    top = FOOT_Z_M + post.length_m
    pose = Pose((0.0, 0.0, top + THICKNESS_M / 2.0 + GAP_M), _turn(X, -Z, Y))
    return _scene((post, _upright(post), True), (walker, pose, False))


def shameful_support() -> Structure:
    """Appui honteux: lies along another ladder over its whole length."""
    below, above = _straight("L01"), _straight("L02", 0.105, 0.030)
    along, normal = _slope(SHAMEFUL_SLOPE)
    rotation = _turn(np.cross(normal, along), normal, along)
    middle = np.array([0.0, 0.0, 0.10])
    pose = Pose(vec3(middle + normal * (THICKNESS_M + GAP_M) + along * 0.007), rotation)
    return _scene((below, Pose(vec3(middle), rotation), True), (above, pose, False))


#: Canonical scenes by name.
SCENES: dict[str, Callable[[], Structure]] = {
    "foot_hook": foot_hook,
    "crazy_diagonal": crazy_diagonal,
    "swing": swing,
    "bolt": bolt,
    "candle": candle,
    "tightrope_walker": tightrope_walker,
    "shameful_support": shameful_support,
}


def _pose(x: float, y: float, z: float, qx: float, qy: float, qz: float, qw: float) -> Pose:
    return Pose((x, y, z), quat((qx, qy, qz, qw)))


#: Poses at rest, found by dropping a ladder; positions in metres.
FOOT_HOOKED = _pose(0.026697, 0.004609, 0.077141, -0.013578, -0.293840, 0.657912, 0.693272)
CRAZY_DIAGONAL = _pose(-0.002654, 0.020020, 0.069938, -0.631237, 0.632117, 0.316894, 0.318662)
BOLT_HUNG = _pose(0.033136, -0.013806, 0.123748, 0.028412, 0.037305, 0.784808, 0.617962)
BOLT_LOCKED = _pose(0.044977, -0.018088, 0.146557, -0.021654, -0.319204, 0.527261, 0.787170)


def _scene(*pieces: tuple[Ladder, Pose, bool]) -> Structure:
    ladders = LadderSet(0, tuple(ladder for ladder, _, _ in pieces))
    standing = tuple((ladder.piece, pose, fixed) for ladder, pose, fixed in pieces)
    return Structure(ladders, make_base(()), standing)


def _straight(
    piece: str, length_m: float = 0.115, width_m: float = 0.032, rungs: int = 5, without: tuple[int, ...] = ()
) -> Ladder:
    plan = make_straight_plan(length_m, width_m, rungs, without)
    # Ladders have different tones of wood, so that pictures are easier to understand.
    return build_ladder(piece, plan, straight=True, tone={"L01": 0.2, "L02": 0.8}.get(piece, 0.5))


def _upright(ladder: Ladder) -> Pose:
    return Pose((0.0, 0.0, FOOT_Z_M - ladder.rails[0][0][2]))


def _prong(lying: Ladder) -> tuple[Pose, Vec3]:
    along, up = _slope(PRONG_SLOPE)
    rotation = _turn(np.cross(up, along), up, along)
    head = np.array([0.045, 0.0, 0.16])
    pose = Pose(vec3(head - along * lying.rails[0][-1][2]), rotation)
    aside = np.array(quat_rotate(rotation, (lying.rails[0][-1][0], 0.0, 0.0)))
    rung = head - along * 0.008 + aside + up * (THICKNESS_M / 2.0 + RUNG_WIDTH_M / 2.0 + 2e-4)
    return pose, vec3(rung)


def _slope(angle: float) -> tuple[Array, Array]:
    return (
        np.array([math.cos(angle), 0.0, math.sin(angle)]),
        np.array([-math.sin(angle), 0.0, math.cos(angle)]),
    )


def _turn(x: Array, y: Array, z: Array) -> Quat:
    return quat_from_matrix(np.column_stack([unit(x), unit(y), unit(z)]))


def _put(rung: tuple[Vec3, Vec3], place: Vec3, rotation: Quat) -> Pose:
    middle = vec3([(a + b) / 2.0 for a, b in zip(*rung, strict=True)])
    return Pose(vec3([p - o for p, o in zip(place, quat_rotate(rotation, middle), strict=True)]), rotation)
