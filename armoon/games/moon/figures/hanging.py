"""Figures that hang or hook: Swing, Foot Hook, and the Bolt that stops a Swing. Defined in ``recognise``."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from armoon.games.moon.figures.figure import Figure, FigureKind
from armoon.games.moon.figures.scene import Scene, has_room
from armoon.games.moon.figures.shape import Shape
from armoon.games.moon.figures.statics import holding_forces, least_forces
from armoon.games.moon.figures.touch import Part, Touch, touches_of
from armoon.geometry import Array, unit
from armoon.values.facts import PieceStatus
from armoon.values.pieces import PieceId

HOOK_SHARE = (0.75, 1.25)
#: Of a Foot Hook's weight its rung alone leaves no more than this unheld, and all other wood without it at least that.
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
