"""Figures that hang or hook: Swing, Foot Hook, and the Bolt that stops a Swing. Defined in ``recognise``.

A Foot Hook is told by the contact forces that can hold the ladder still. If more than three points touch, many sets of
forces are possible, and the geometry can't tell which one is real. The solution with the least sum of squares is used:
no point presses harder than it must. Compared with a physics engine in 417 random placements on one other ladder: of
262 with less than 0.65 of the weight on any rung there, one was reported here with 0.75 on one; of those with 0.85 to
1.3, five of six.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from armoon.games.moon.figures.figure import Figure, FigureKind
from armoon.games.moon.figures.scene import Part, Scene, Touch, has_room, touches_of
from armoon.games.moon.figures.shape import Shape
from armoon.geometry import Array, unit
from armoon.values.facts import PieceStatus
from armoon.values.pieces import PieceId

#: Wood on wood as in the world: no force leans farther from the normal than this tangent.
FRICTION = 0.4
#: Turning is weighed against lifting as if it acted at this distance, half a ladder's length or so.
ARM_M = 0.05
#: How much a force's own size counts beside what is left unheld: small, so that it only chooses among solutions.
STIFFNESS = 0.02
ITERATIONS = 600
#: Badly held weight: that share of it is left over.
MOST_UNHELD = 0.1


def holding_forces(centre: Array, points: Array, normals: Array) -> Array | None:
    """Return the least forces (n, 3) at points (n, 3) that hold a ladder of weight 1 up; None if none do."""
    forces, unheld = least_forces(centre, points, normals)
    return forces if unheld <= MOST_UNHELD else None


def least_forces(centre: Array, points: Array, normals: Array) -> tuple[Array, float]:
    """Return the forces (n, 3) that come nearest to holding a ladder of weight 1, and the share left over.

    ``centre`` (3,) is its centre of mass; ``normals`` (n, 3) are unit vectors from the other wood to the ladder. Every
    force presses, within the cone of friction. Solved by projected gradients with momentum (Beck and Teboulle, A fast
    iterative shrinkage-thresholding algorithm, 2009).
    """
    count = len(points)
    if count == 0:
        return np.zeros((0, 3)), 1.0
    arms = (points - centre) / ARM_M
    effect = np.zeros((6, count, 3))
    effect[:3] = np.eye(3)[:, None, :]
    for row, i, j in ((3, 1, 2), (4, 2, 0), (5, 0, 1)):  # the cross product of arm and force
        effect[row, :, j], effect[row, :, i] = arms[:, i], -arms[:, j]
    whole = effect.reshape(6, 3 * count)
    weight = np.array([0.0, 0.0, 1.0, 0.0, 0.0, 0.0])
    curve = whole.T @ whole + STIFFNESS**2 * np.eye(3 * count)
    step, pull = 1.0 / float(np.linalg.norm(curve, 2)), whole.T @ weight
    forces = ahead = np.zeros(3 * count)
    momentum = 1.0
    for _ in range(ITERATIONS):
        moved = _within_friction((ahead - step * (curve @ ahead - pull)).reshape(count, 3), normals).ravel()
        faster = (1.0 + np.sqrt(1.0 + 4.0 * momentum**2)) / 2.0
        ahead = moved + (momentum - 1.0) / faster * (moved - forces)
        forces, momentum = moved, faster
    return forces.reshape(count, 3), float(np.linalg.norm(whole @ forces - weight))


def _within_friction(forces: Array, normals: Array) -> Array:
    """Return the forces (n, 3) that are nearest to these and press within the cone of friction."""
    pressing = (forces * normals).sum(axis=1)
    along = forces - pressing[:, None] * normals
    sliding = np.linalg.norm(along, axis=1)
    on_cone = (pressing + FRICTION * sliding) / (1.0 + FRICTION**2)
    way = normals + FRICTION * along / np.maximum(sliding, 1e-12)[:, None]
    inside, away = sliding <= FRICTION * pressing, FRICTION * sliding <= -pressing
    return np.asarray(np.where(inside[:, None], forces, np.where(away, 0.0, on_cone)[:, None] * way))


HOOK_SHARE = (0.75, 1.25)
#: Maximum share of a Foot Hook's weight that its rung alone leaves unsupported, and minimum share that all other wood
#: leaves without the rung.
HOOK_ALONE, HOOK_WITHOUT = 0.35, 0.4
SWING_SLACK_M = 0.003
SWING_AXIS_M = 0.008
SWING_BRUSH_M = 0.011
#: A rail that is under the ladder more than this (37 degrees from upright) takes part in bearing it.
SWING_MOST_RAIL_LIFT = 0.6
SWING_LEAST_LIFT = 0.75
SWING_LEAST_HANG_M = 0.008
SWING_ROOM = tuple(math.radians(angle) for angle in (4.0, 8.0))


def swing(scene: Scene) -> list[Figure]:
    """Whether the placed ladder is a Swing."""
    if len(scene.touched) == 1 and _swings(scene.shape, scene.touches, scene.shapes):
        return [scene.figure(FigureKind.SWING, *scene.touched)]
    return []


def foot_hook(scene: Scene) -> list[Figure]:
    """Whether the placed ladder is a Foot Hook, if it is neither a Swing nor a Candle."""
    if len(scene.touched) == 1 and _hangs_by_a_rung(scene):
        return [scene.figure(FigureKind.FOOT_HOOK, *scene.touched)]
    return []


def bolt(scene: Scene, earlier: Sequence[tuple[Figure, ...]]) -> list[Figure]:
    """Return the Swings that the placed ladder stops."""
    named = {
        (figure.piece, figure.others[0])
        for turn in earlier
        for figure in turn
        if figure.kind is FigureKind.SWING
    }
    made = []
    before = {name: shape for name, shape in scene.shapes.items() if name != scene.placed}
    for hung in scene.touched:
        if len(scene.touched) < 2 or scene.facts[hung].status is not PieceStatus.FREE:
            continue
        touches = [t for t in touches_of(scene.ladders, scene.facts, hung) if t.other != scene.placed]
        touches = [touch for touch in touches if touch.other in scene.shapes]
        known = [touch.other for touch in touches if (hung, touch.other) in named]
        if known or (not earlier and touches and _swings(before[hung], touches, before)):
            made.append(scene.figure(FigureKind.BOLT, hung, known[0] if known else touches[0].other))
    return made[:1]


def _hangs_by_a_rung(scene: Scene) -> bool:
    """Whether the rung that must bear most bears nearly all, would nearly hold alone, and can't be done without."""
    if all(touch.own.role != "rung" for touch in scene.touches):
        return False
    points = np.concatenate([touch.points for touch in scene.touches])
    normals = np.concatenate([touch.normals for touch in scene.touches])
    forces = holding_forces(scene.shape.centre, points, normals)
    if forces is None:
        return False
    parts = [touch.own for touch in scene.touches for _ in touch.points]
    shares: dict[Part, float] = {}
    for part, lifted in zip(parts, forces[:, 2], strict=True):
        if part.role == "rung":
            shares[part] = shares.get(part, 0.0) + float(lifted)
    rung = max(shares, key=lambda part: shares[part], default=None)
    if rung is None or not HOOK_SHARE[0] <= shares[rung] <= HOOK_SHARE[1]:
        return False
    own = np.array([part == rung for part in parts])
    _, alone = least_forces(scene.shape.centre, points[own], normals[own])
    _, without = least_forces(scene.shape.centre, points[~own], normals[~own])
    return alone <= HOOK_ALONE and without >= HOOK_WITHOUT


def _swings(shape: Shape, touches: Sequence[Touch], shapes: Mapping[PieceId, Shape]) -> bool:
    """Whether a ladder with these touches hangs from one rung over the free end of a single ladder's rail."""
    rungs = {touch.own.index for touch in touches if touch.bears and touch.own.role == "rung"}
    if len(rungs) != 1 or len({touch.other for touch in touches}) != 1:
        return False
    if any(touch.holds_down for touch in touches):
        return False
    (rung,) = rungs
    over = shapes[touches[0].other]
    on_rail = [touch for touch in touches if touch.bears and touch.others.role == "rail"]
    out = [over.beyond_last_rung_m(touch.others.index, touch.points) for touch in on_rail]
    if not out or max(out) < -SWING_SLACK_M or max(touch.lift for touch in on_rail) < SWING_LEAST_LIFT:
        return False
    for touch in touches:
        most = SWING_AXIS_M if touch.bears else SWING_BRUSH_M
        if _from_line(touch.points, shape.rungs[rung]).max() > most:
            return False
        if touch.own.role == "rail" and touch.lift > SWING_MOST_RAIL_LIFT:
            return False
    hook = np.concatenate([touch.points for touch in on_rail])
    if hook[:, 2].mean() - shape.centre[2] < SWING_LEAST_HANG_M:
        return False
    foot, head = shape.rungs[rung]
    others = [other for other in shapes.values() if other is not shape]
    middle, line = (foot + head) / 2.0, unit(head - foot)
    return any(has_room(shape, others, middle, line * way, SWING_ROOM) for way in (-1.0, 1.0))


def _from_line(points: Array, ends: Array) -> Array:
    """Return the distances (n,) of points from the endless line through two ends."""
    way = (ends[1] - ends[0]) / np.linalg.norm(ends[1] - ends[0])
    off = points - ends[0]
    return np.asarray(np.linalg.norm(off - np.outer(off @ way, way), axis=1))
