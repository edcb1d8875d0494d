"""Recognises the figures formed by a newly placed ladder, from the ladders at rest and their contacts.

Every definition interprets the printed sentence as geometry. "It" is the ladder just placed. A touch *bears* if the
wood below carries it (its normal rises by more than 27 degrees); otherwise it leans. Level and upright refer to the
ladder's long axis.

* **Foot Hook**, "rests on one single rung only". It touches one ladder, and in the smallest forces that hold it up,
  one of its own rungs bears at least 0.75 of its weight, and no more than 1.25: above that it is wedged. That rung
  alone would leave at most 0.35 of the weight unsupported; all other wood without it, at least 0.4. Other parts may
  lean. A Swing or a Candle is not a Foot Hook.
* **Crazy Diagonal**, "inserted through another's opening on the diagonal between two rungs; stable". Both its rails
  pass through the same opening between two neighbouring rungs of a ladder that it touches, at least 5 mm of it is on
  each side, and it slants: its long axis is at least 5 degrees from level and from upright, or its cross axis is at
  least 5 degrees from the opening's sides.
* **Swing**, "hooked over the end of another ladder's rail, free to swing". It touches one ladder; exactly one of its
  rungs bears, on the free end of a rail, beyond that ladder's outermost rung (3 mm of slack); its centre of mass
  hangs at least 8 mm below. The rail is under the rung (41 degrees from upright); bearing touches are within 8 mm of
  the rung's line, leaning ones within 11 mm; nothing holds it from above; and in at least one direction it can turn
  about the rung by 8 degrees without meeting wood.
* **Sin of Pride**, "three Crazy Diagonals in a row". It is a Crazy Diagonal, and so were the two ladders placed before
  it; or three of them are connected, each through another or through the same ladder. Four or more are named
  **fourth diagonal** instead.
* **Bolt**, "a third ladder locked into a Swing, which stops its swinging". It touches a ladder that was named a Swing
  and is still hooked to the same ladder. It also touches another ladder; on the Swing alone, it would swing with it. If
  no earlier figures are known, a ladder counts as a Swing if it would be one without the third ladder.
* **Candle**, "upright at the top of the structure". It is within 22 degrees of upright, and rises above all other
  ladders by at least 0.4 of its length.
* **Mischievous Tightrope Walker**, "balanced, to the harm of the next climbers". It is within 20 degrees of level; its
  centre of mass is above all bearing touches (2 mm of slack), and at most 2.2 mm, a little more than half a rail's
  width, inside the edge of their hull; if the hull is wider than 10 mm, so that a sloping ladder slides rather than
  topples, it is within 1 degree of level; nothing holds it from above, and at most one touch leans; and if it toppled
  over that edge by 15 degrees, no other ladder would catch it.
* **Shameful Support**, "lying along another ladder on its whole length". Its axis is within 12 degrees of the other's,
  and its plane within 8; it touches the other and lies at most 12 mm aside; and its touches span at least 0.75 of the
  shorter ladder's length.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from armoon.games.moon.figures import (
    Figure,
    FigureKind,
    LadderPart,
    LadderShape,
    SettledShapes,
    Touch,
    find_touches,
    has_room,
)
from armoon.geometry import Array, unit
from armoon.values.pieces import BASE, TABLE, Facts, LadderSet, PieceId, PieceStatus

#: Friction of sliding wood, as in the world, which leaves still wood a margin: maximum tangent from the normal.
FRICTION = 0.4
#: Lever arm by which torques are divided for comparison with forces, metres: about half a ladder's length.
ARM_M = 0.05
#: Regularisation of the forces relative to the unsupported share, so small that it only selects among solutions.
STIFFNESS = 0.02
ITERATIONS = 600
#: Maximum unsupported share of the weight of a ladder that counts as held.
MAX_UNSUPPORTED = 0.1


def find_least_forces(centre: Array, points: Array, normals: Array) -> tuple[Array, float]:
    """Return the forces (n, 3) at points (n, 3) that best hold up a ladder of weight 1, and the unsupported share.

    ``centre`` (3,) is its centre of mass; ``normals`` (n, 3) are unit vectors from the other wood to the ladder. All
    forces push, within the cone of friction. They are found by projected gradient steps with momentum (Beck and
    Teboulle, A fast iterative shrinkage-thresholding algorithm, 2009).
    """
    count = len(points)
    if count == 0:
        return np.zeros((0, 3)), 1.0
    arms = (points - centre) / ARM_M
    effect = np.zeros((6, count, 3))
    effect[:3] = np.eye(3)[:, None, :]
    for row, i, j in ((3, 1, 2), (4, 2, 0), (5, 0, 1)):  # the cross product of arm and force
        effect[row, :, j], effect[row, :, i] = arms[:, i], -arms[:, j]
    matrix = effect.reshape(6, 3 * count)
    weight = np.array([0.0, 0.0, 1.0, 0.0, 0.0, 0.0])
    curve = matrix.T @ matrix + STIFFNESS**2 * np.eye(3 * count)
    step, pull = 1.0 / float(np.linalg.norm(curve, 2)), matrix.T @ weight
    forces = ahead = np.zeros(3 * count)
    momentum = 1.0
    for _ in range(ITERATIONS):
        moved = _limit_to_friction((ahead - step * (curve @ ahead - pull)).reshape(count, 3), normals).ravel()
        next_momentum = (1.0 + np.sqrt(1.0 + 4.0 * momentum**2)) / 2.0
        ahead = moved + (momentum - 1.0) / next_momentum * (moved - forces)
        forces, momentum = moved, next_momentum
    return forces.reshape(count, 3), float(np.linalg.norm(matrix @ forces - weight))


def _limit_to_friction(forces: Array, normals: Array) -> Array:
    pressing = (forces * normals).sum(axis=1)
    along = forces - pressing[:, None] * normals
    sliding = np.linalg.norm(along, axis=1)
    on_cone = (pressing + FRICTION * sliding) / (1.0 + FRICTION**2)
    rays = normals + FRICTION * along / np.maximum(sliding, 1e-12)[:, None]
    inside, away = sliding <= FRICTION * pressing, FRICTION * sliding <= -pressing
    return np.asarray(np.where(inside[:, None], forces, np.where(away, 0.0, on_cone)[:, None] * rays))


HOOK_SHARE = (0.75, 1.25)
#: Maximum share of a Foot Hook's weight left unsupported by its rung alone, and minimum share left unsupported by all
#: other wood.
HOOK_ALONE, HOOK_WITHOUT = 0.35, 0.4
SWING_SLACK_M = 0.003
SWING_AXIS_M = 0.008
SWING_BRUSH_M = 0.011
#: Maximum lift of a touch by the Swing's own rail (37 degrees from level); with more, the rail helps to bear it.
SWING_MAX_RAIL_LIFT = 0.6
SWING_MIN_LIFT = 0.75
SWING_MIN_HANG_M = 0.008
SWING_ROOM_RAD = tuple(math.radians(angle) for angle in (4.0, 8.0))


def find_bolt(settled: SettledShapes, earlier: Sequence[tuple[Figure, ...]]) -> list[Figure]:
    named_swings = {
        (figure.piece, figure.others[0])
        for turn in earlier
        for figure in turn
        if figure.kind is FigureKind.SWING
    }
    others = {name: shape for name, shape in settled.shapes.items() if name != settled.placed}
    for swing in settled.touched if len(settled.touched) > 1 else ():
        if settled.facts[swing].status is not PieceStatus.FREE:
            continue
        touches = find_touches(others, settled.facts, swing)
        hosts = [touch.other for touch in touches if (swing, touch.other) in named_swings]
        if hosts or (not earlier and touches and is_swing(others[swing], touches, others)):
            return [settled.make_figure(FigureKind.BOLT, swing, hosts[0] if hosts else touches[0].other)]
    return []


def is_foot_hook(settled: SettledShapes) -> bool:
    """Return whether one rung bears nearly all the weight, is nearly sufficient alone, and can't be removed."""
    if len(settled.touched) != 1 or all(touch.own_part.role != "rung" for touch in settled.touches):
        return False
    points = np.concatenate([touch.points for touch in settled.touches])
    normals = np.concatenate([touch.normals for touch in settled.touches])
    forces, unsupported = find_least_forces(settled.shape.centre, points, normals)
    if unsupported > MAX_UNSUPPORTED:
        return False
    parts = [touch.own_part for touch in settled.touches for _ in touch.points]
    shares: dict[LadderPart, float] = {}
    for part, share in zip(parts, forces[:, 2], strict=True):
        if part.role == "rung":
            shares[part] = shares.get(part, 0.0) + float(share)
    rung = max(shares, key=lambda part: shares[part], default=None)
    if rung is None or not HOOK_SHARE[0] <= shares[rung] <= HOOK_SHARE[1]:
        return False
    is_on_rung = np.array([part == rung for part in parts])
    _, alone_unsupported = find_least_forces(settled.shape.centre, points[is_on_rung], normals[is_on_rung])
    _, others_unsupported = find_least_forces(settled.shape.centre, points[~is_on_rung], normals[~is_on_rung])
    return alone_unsupported <= HOOK_ALONE and others_unsupported >= HOOK_WITHOUT


def is_swing(shape: LadderShape, touches: Sequence[Touch], shapes: Mapping[PieceId, LadderShape]) -> bool:
    """Return whether a ladder with these touches hangs by one rung over the free end of a single ladder's rail."""
    rungs = {touch.own_part.index for touch in touches if touch.bears and touch.own_part.role == "rung"}
    if len(rungs) != 1 or len({touch.other for touch in touches}) != 1:
        return False
    if any(touch.holds_down for touch in touches):
        return False
    (rung,) = rungs
    support = shapes[touches[0].other]
    on_rail = [touch for touch in touches if touch.bears and touch.other_part.role == "rail"]
    out_m = [support.measure_overhang_m(touch.other_part.index, touch.points) for touch in on_rail]
    if not out_m or max(out_m) < -SWING_SLACK_M or max(touch.lift for touch in on_rail) < SWING_MIN_LIFT:
        return False
    for touch in touches:
        max_m = SWING_AXIS_M if touch.bears else SWING_BRUSH_M
        if _measure_distances(touch.points, shape.rungs[rung]).max() > max_m:
            return False
        if touch.own_part.role == "rail" and touch.lift > SWING_MAX_RAIL_LIFT:
            return False
    hook = np.concatenate([touch.points for touch in on_rail])
    if hook[:, 2].mean() - shape.centre[2] < SWING_MIN_HANG_M:
        return False
    foot, head = shape.rungs[rung]
    others = [other for other in shapes.values() if other is not shape]
    middle, line = (foot + head) / 2.0, unit(head - foot)
    return any(has_room(shape, others, middle, line * sign, SWING_ROOM_RAD) for sign in (-1.0, 1.0))


def _measure_distances(points: Array, ends: Array) -> Array:
    """Return the distances (n,) of points from the infinite line through two ends."""
    direction = (ends[1] - ends[0]) / np.linalg.norm(ends[1] - ends[0])
    offsets = points - ends[0]
    return np.asarray(np.linalg.norm(offsets - np.outer(offsets @ direction, direction), axis=1))


CANDLE_MAX_LEAN_RAD = math.radians(22.0)
CANDLE_MIN_RISE = 0.4
WALKER_MAX_SLOPE_RAD = math.radians(20.0)
WALKER_MARGIN_M = (-0.0005, 0.0022)
WALKER_SLACK_M = 0.002
WALKER_NARROW_M = 0.01
WALKER_MAX_WIDE_SLOPE_RAD = math.radians(1.0)
WALKER_MAX_LEANING = 1
WALKER_ROOM_RAD = tuple(math.radians(angle) for angle in (5.0, 10.0, 15.0))
SUPPORT_MAX_TURN_RAD = math.radians(12.0)
SUPPORT_MAX_TILT_RAD = math.radians(8.0)
SUPPORT_MAX_ASIDE_M = 0.012
SUPPORT_MIN_SPAN = 0.75


def is_candle(settled: SettledShapes) -> bool:
    others = [shape for name, shape in settled.shapes.items() if name != settled.placed]
    is_upright = abs(settled.shape.along[2]) >= math.cos(CANDLE_MAX_LEAN_RAD)
    rise = settled.shape.highest_m - max(other.highest_m for other in others)
    return bool(is_upright and rise >= CANDLE_MIN_RISE * settled.shape.ladder.length_m)


def is_tightrope_walker(settled: SettledShapes) -> bool:
    is_level = abs(settled.shape.along[2]) <= math.sin(WALKER_MAX_SLOPE_RAD)
    bearing = [touch.points for touch in settled.touches if touch.bears]
    leaning = len(settled.touches) - len(bearing)
    is_held = leaning > WALKER_MAX_LEANING or any(touch.holds_down for touch in settled.touches)
    if not is_level or not bearing or is_held:
        return False
    points = np.concatenate(bearing)
    is_above = settled.shape.centre[2] >= points[:, 2].max() - WALKER_SLACK_M
    margin_m, edge, side = _find_edge(points, settled.shape.centre)
    is_narrow = np.ptp(points[:, :2] @ side) <= WALKER_NARROW_M
    if not is_narrow and abs(settled.shape.along[2]) > math.sin(WALKER_MAX_WIDE_SLOPE_RAD):
        return False
    if not is_above or not WALKER_MARGIN_M[0] <= margin_m <= WALKER_MARGIN_M[1]:
        return False
    others = [shape for name, shape in settled.shapes.items() if name != settled.placed]
    return has_room(settled.shape, others, edge, np.array([-side[1], side[0], 0.0]), WALKER_ROOM_RAD)


def find_shameful_support(settled: SettledShapes) -> list[Figure]:
    shape = settled.shape
    for name in settled.touched:
        other = settled.shapes[name]
        points = np.concatenate([touch.points for touch in settled.touches if touch.other == name])
        along = points @ shape.along
        if (
            abs(shape.along @ other.along) >= math.cos(SUPPORT_MAX_TURN_RAD)
            and abs(shape.normal @ other.normal) >= math.cos(SUPPORT_MAX_TILT_RAD)
            and abs(float((shape.centre - other.centre) @ other.across)) <= SUPPORT_MAX_ASIDE_M
            and along.max() - along.min()
            >= SUPPORT_MIN_SPAN * min(shape.ladder.length_m, other.ladder.length_m)
        ):
            return [settled.make_figure(FigureKind.SHAMEFUL_SUPPORT, name)]
    return []


def _find_edge(points: Array, weight: Array) -> tuple[float, Array, Array]:
    """Find where a weight (3,) on points (n, 3) would topple first.

    Returns its distance inside the points' hull, seen from above, negative outside; the point (3,) over which it would
    topple; and the direction as a unit vector (2,), exact to 2 degrees.
    """
    angles = np.radians(np.arange(0.0, 360.0, 2.0))
    directions = np.array([np.cos(angles), np.sin(angles)])
    reach = (points[:, :2] - weight[:2]) @ directions
    k = int(reach.max(axis=0).argmin())
    last = int(reach[:, k].argmax())
    return float(reach[last, k]), points[last], directions[:, k]


DIAGONAL_MIN_SIDE_M = 0.005
DIAGONAL_MIN_SLANT_RAD = math.radians(5.0)
#: Number of Crazy Diagonals in a Sin of Pride.
PRIDE_DIAGONALS = 3


def find_diagonals(settled: SettledShapes, earlier: Sequence[tuple[Figure, ...]]) -> list[Figure]:
    through = _list_crossed(settled, settled.placed)
    if not through:
        return []
    figures = [settled.make_figure(FigureKind.CRAZY_DIAGONAL, *through)]
    consecutive = 1
    for turn in reversed(earlier):
        if not any(figure.kind is FigureKind.CRAZY_DIAGONAL for figure in turn):
            break
        consecutive += 1
    row = _find_row(settled)
    count = max(consecutive, len(row))
    if count >= PRIDE_DIAGONALS:
        kind = FigureKind.SIN_OF_PRIDE if count == PRIDE_DIAGONALS else FigureKind.FOURTH_DIAGONAL
        figures.append(settled.make_figure(kind, *sorted((row - {settled.placed}) | set(through))))
    return figures


def _list_crossed(settled: SettledShapes, piece: PieceId) -> tuple[PieceId, ...]:
    shape, touched = settled.shapes[piece], settled.facts.touching(piece)
    rise = math.asin(min(1.0, abs(float(shape.along[2]))))
    is_slanted = DIAGONAL_MIN_SLANT_RAD <= rise <= math.pi / 2.0 - DIAGONAL_MIN_SLANT_RAD
    crossed = []
    for name, other in sorted(settled.shapes.items()):
        if name == piece or name not in touched:
            continue
        passage = shape.find_passage(other)
        if (
            passage is not None
            and passage[0] >= DIAGONAL_MIN_SIDE_M
            and (is_slanted or passage[1] >= DIAGONAL_MIN_SLANT_RAD)
        ):
            crossed.append(name)
    return tuple(crossed)


def _find_row(settled: SettledShapes) -> set[PieceId]:
    free = [
        p.piece for p in settled.facts.pieces if p.status is PieceStatus.FREE and p.piece in settled.shapes
    ]
    diagonals = {piece: {piece, *others} for piece in free if (others := _list_crossed(settled, piece))}
    row = {settled.placed}
    joined = diagonals.get(settled.placed, set())
    while more := {piece for piece, made_of in diagonals.items() if made_of & joined} - row:
        row |= more
        joined = joined.union(*(diagonals[piece] for piece in more))
    return row


def recognise_figures(
    ladders: LadderSet, facts: Facts, placed: PieceId, earlier: Sequence[tuple[Figure, ...]] = ()
) -> tuple[Figure, ...]:
    """Return the figures that ``placed`` forms in the structure at rest, in the order of ``FigureKind``.

    ``earlier``: the figures of each ladder placed before, the oldest first, including empty tuples, to recognise rows
    of diagonals and bolts; without it these are recognised from the structure alone. A ladder that touches the base or
    the table has fallen and forms none. Raises KeyError if ``placed`` isn't in the structure.
    """
    settled = SettledShapes(ladders, facts, placed)
    if {BASE, TABLE} & set(facts.touching(placed)) or not settled.touches:
        return ()
    figures = [
        *find_diagonals(settled, earlier),
        *find_bolt(settled, earlier),
        *find_shameful_support(settled),
    ]
    kinds = []
    if is_swing(settled.shape, settled.touches, settled.shapes):
        kinds.append(FigureKind.SWING)
    elif is_candle(settled):
        kinds.append(FigureKind.CANDLE)
    elif is_foot_hook(settled):
        kinds.append(FigureKind.FOOT_HOOK)
    if is_tightrope_walker(settled):
        kinds.append(FigureKind.TIGHTROPE_WALKER)
    figures += [settled.make_figure(kind, *settled.touched) for kind in kinds]
    order = list(FigureKind)
    return tuple(sorted(figures, key=lambda figure: order.index(figure.kind)))
