"""Names the figures that a just placed ladder makes, from where the settled ladders are and what touches what.

Every definition reads the printed sentence as geometry. "The ladder" is the one just placed. A touch *bears* if the
wood below carries it (its normal rises by more than 27 degrees); else it leans. Level and upright are told by the
ladder's long axis.

* **Foot Hook**, "rests on one single rung only". It touches one ladder, and of the least forces that hold it up
  one and the same rung of its own bears at least 0.75 of its weight, and no more than 1.25: above, it is wedged.
  Other parts may lean. A Swing or a Candle is not a Foot Hook.
* **Crazy Diagonal**, "inserted through another's opening on the diagonal between two rungs; stable". Both its rails
  pass through one and the same opening between two neighbouring rungs of a ladder that it touches, at least
  5 mm of it is on either side, and it slants: its length is 5 degrees from level and from upright, or its width
  is 5 degrees from the opening's sides.
* **Swing**, "hooked over the end of another ladder's rail, free to swing". It touches one ladder; one rung of its
  own, and no other, bears, on the free end of a rail, beyond that ladder's outermost rung (3 mm of slack); its
  centre of mass hangs at least 8 mm below. The rail is under the rung (41 degrees from upright); all that bears is
  within 8 mm of the rung's line, what leans within 11; nothing holds it from above; and at least one way it can
  turn about the rung by 8 degrees and meet no wood.
* **Sin of Pride**, "three Crazy Diagonals in a row". It is a Crazy Diagonal, and the two ladders placed before it
  were; or three of them hang together, each through another or through the same ladder. Four are the **fourth
  diagonal**, which has a mention of its own instead.
* **Bolt**, "a third ladder locked into a Swing, which stops its swinging". It touches a ladder that was
  named a Swing and is still hooked to the same ladder, and another ladder too: what is held by the Swing alone
  would swing with it. Where nothing earlier is known, a Swing is what would be one but for the third ladder.
* **Candle**, "upright at the top of the structure". Within 22 degrees of upright, and it rises above all other
  ladders by at least 0.4 of its length.
* **Mischievous Tightrope Walker**, "balanced, to the harm of the next climbers". Within 20 degrees of level; its
  centre of mass is above all that bears (2 mm of slack), and no more than 2.2 mm, half a rail's width and a little,
  inside the edge of the ground that it stands on; where that is wider than 10 mm, so that a sloping ladder slides
  rather than topples, it is within 1 degree of level; nothing holds it from above, and beside no more than one touch;
  and toppled over that edge by 15 degrees it meets nothing that would catch it.
* **Shameful Support**, "lying along another ladder on its whole length". Its axis is within 12 degrees of the
  other's, its plane within 8; it lies on the other, at most 12 mm aside; and from its first touch to its last is
  at least 0.75 of the shorter of the two.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from armoon.facts import Facts, PieceStatus
from armoon.figures.boxes import PlacedBoxes, overlap_m, turned
from armoon.figures.figure import Figure, FigureKind
from armoon.figures.shape import Shape
from armoon.figures.statics import holding_forces
from armoon.figures.touch import Part, Touch, touches_of
from armoon.geometry import Array, unit
from armoon.pieces import BASE, TABLE, LadderSet, PieceId

DIAGONAL_LEAST_SIDE_M = 0.005
DIAGONAL_LEAST_SLANT = math.radians(5.0)
HOOK_SHARE = (0.75, 1.25)
SWING_SLACK_M = 0.003
SWING_AXIS_M = 0.008
SWING_BRUSH_M = 0.011
#: A rail that is under the ladder more than this (37 degrees from upright) takes part in bearing it.
SWING_MOST_RAIL_LIFT = 0.6
SWING_LEAST_LIFT = 0.75
SWING_LEAST_HANG_M = 0.008
SWING_ROOM = tuple(math.radians(angle) for angle in (4.0, 8.0))
PRIDE = 3
CANDLE_MOST_LEAN = math.radians(22.0)
CANDLE_LEAST_RISE = 0.4
WALKER_MOST_SLOPE = math.radians(20.0)
WALKER_MARGIN_M = (-0.0005, 0.0022)
WALKER_SLACK_M = 0.002
WALKER_NARROW_M = 0.01
WALKER_MOST_WIDE_SLOPE = math.radians(1.0)
WALKER_MOST_LEANING = 1
WALKER_ROOM = tuple(math.radians(angle) for angle in (5.0, 10.0, 15.0))
#: What is turned about the line of a touch may cut this deep into the wood it turns on, being square, not round.
ROOM_OVERLAP_M = 0.0015
SUPPORT_MOST_TURN = math.radians(12.0)
SUPPORT_MOST_TILT = math.radians(8.0)
SUPPORT_MOST_ASIDE_M = 0.012
SUPPORT_LEAST_SPAN = 0.75


def recognise(
    ladders: LadderSet, facts: Facts, placed: PieceId, earlier: Sequence[tuple[Figure, ...]] = ()
) -> tuple[Figure, ...]:
    """The figures that ``placed`` makes in the settled structure, in the order of ``FigureKind``.

    ``earlier`` holds what was named for each ladder placed before, oldest first, an empty tuple for a ladder that made
    none: a row of diagonals and a Swing now bolted are known from it. Without it they are read from the
    structure alone. A ladder that touches the base or the table has fallen and makes none. KeyError if it isn't there.
    """
    scene = _Scene(ladders, facts, placed)
    if {BASE, TABLE} & set(facts.touching(placed)) or not scene.touches:
        return ()
    made = [
        *_hung(scene),
        *_diagonals(scene, earlier),
        *_bolt(scene, earlier),
        *_candle(scene),
        *_walker(scene),
        *_support(scene),
    ]
    order = list(FigureKind)
    return tuple(sorted(made, key=lambda figure: order.index(figure.kind)))


class _Scene:
    """The settled structure as shapes, and what the placed ladder touches."""

    def __init__(self, ladders: LadderSet, facts: Facts, placed: PieceId) -> None:
        self.ladders, self.facts, self.placed = ladders, facts, placed
        standing = (PieceStatus.FREE, PieceStatus.FIXED)
        self.shapes = {
            there.piece: Shape(ladders[there.piece], there.pose)
            for there in facts.pieces
            if there.status in standing or there.piece == placed
        }
        self.shape = self.shapes[placed]
        self.touches = tuple(t for t in touches_of(ladders, facts, placed) if t.other in self.shapes)
        self.touched = tuple(sorted({touch.other for touch in self.touches}))

    def figure(self, kind: FigureKind, *others: PieceId) -> Figure:
        return Figure(kind, self.placed, tuple(sorted(others)))

    def free(self) -> list[PieceId]:
        """The ladders that hands have placed."""
        return [p.piece for p in self.facts.pieces if p.status is PieceStatus.FREE and p.piece in self.shapes]


def _hung(scene: _Scene) -> list[Figure]:
    """A Swing, or else a Foot Hook."""
    if len(scene.touched) != 1:
        return []
    if _swings(scene.shape, scene.touches, scene.shapes):
        return [scene.figure(FigureKind.SWING, *scene.touched)]
    if HOOK_SHARE[0] <= _rung_share(scene) <= HOOK_SHARE[1] and not _candle(scene):
        return [scene.figure(FigureKind.FOOT_HOOK, *scene.touched)]
    return []


def _rung_share(scene: _Scene) -> float:
    """The greatest share of the ladder's weight that one of its own rungs must bear."""
    points = np.concatenate([touch.points for touch in scene.touches])
    normals = np.concatenate([touch.normals for touch in scene.touches])
    forces = holding_forces(scene.shape.centre, points, normals)
    if forces is None:
        return 0.0
    shares: dict[Part, float] = {}
    ends = np.cumsum([len(touch.points) for touch in scene.touches])
    for touch, own in zip(scene.touches, np.split(forces[:, 2], ends[:-1]), strict=True):
        shares[touch.own] = shares.get(touch.own, 0.0) + float(own.sum())
    return max((share for part, share in shares.items() if part.role == "rung"), default=0.0)


def _swings(shape: Shape, touches: Sequence[Touch], shapes: dict[PieceId, Shape]) -> bool:
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
    return any(_has_room(shape, others, middle, line * way, SWING_ROOM) for way in (-1.0, 1.0))


def _has_room(
    shape: Shape, others: Sequence[Shape], through: Array, axis: Array, angles: Sequence[float]
) -> bool:
    """Whether a ladder turned by each of these angles about a line through a point stays clear of the others."""
    placed = [PlacedBoxes(other.ladder, other.pose) for other in others]
    return all(
        overlap_m(PlacedBoxes(shape.ladder, turned(shape.pose, through, axis, angle)), placed)
        <= ROOM_OVERLAP_M
        for angle in angles
    )


def _from_line(points: Array, ends: Array) -> Array:
    """The distances (n,) of points from the endless line through two ends."""
    way = (ends[1] - ends[0]) / np.linalg.norm(ends[1] - ends[0])
    off = points - ends[0]
    return np.asarray(np.linalg.norm(off - np.outer(off @ way, way), axis=1))


def _diagonals(scene: _Scene, earlier: Sequence[tuple[Figure, ...]]) -> list[Figure]:
    """A Crazy Diagonal, and what comes of several in a row."""
    through = _through(scene, scene.placed)
    if not through:
        return []
    made = [scene.figure(FigureKind.CRAZY_DIAGONAL, *through)]
    by_turns = 1
    for turn in reversed(earlier):
        if not any(figure.kind is FigureKind.CRAZY_DIAGONAL for figure in turn):
            break
        by_turns += 1
    row = _row(scene)
    count = max(by_turns, len(row))
    if count >= PRIDE:
        kind = FigureKind.SIN_OF_PRIDE if count == PRIDE else FigureKind.FOURTH_DIAGONAL
        made.append(scene.figure(kind, *sorted((row - {scene.placed}) | set(through))))
    return made


def _through(scene: _Scene, piece: PieceId) -> tuple[PieceId, ...]:
    """The ladders that a ladder is a Crazy Diagonal in."""
    shape, touched = scene.shapes[piece], scene.facts.touching(piece)
    rise = math.asin(min(1.0, abs(float(shape.along[2]))))
    slants = DIAGONAL_LEAST_SLANT <= rise <= math.pi / 2.0 - DIAGONAL_LEAST_SLANT
    found = []
    for name, other in sorted(scene.shapes.items()):
        if name == piece or name not in touched:
            continue
        passage = shape.passage_through(other)
        if (
            passage is not None
            and min(passage.before_m, passage.beyond_m) >= DIAGONAL_LEAST_SIDE_M
            and (slants or passage.slant >= DIAGONAL_LEAST_SLANT)
        ):
            found.append(name)
    return tuple(found)


def _row(scene: _Scene) -> set[PieceId]:
    """The Crazy Diagonals that hang together with the placed one: through each other or through the same ladder."""
    through = {piece: set(_through(scene, piece)) for piece in scene.free()}
    diagonals = {piece: {piece} | others for piece, others in through.items() if others}
    row = {scene.placed}
    joined = diagonals.get(scene.placed, set())
    while more := {piece for piece, made_of in diagonals.items() if made_of & joined} - row:
        row |= more
        joined = joined.union(*(diagonals[piece] for piece in more))
    return row


def _bolt(scene: _Scene, earlier: Sequence[tuple[Figure, ...]]) -> list[Figure]:
    """The Swings that the placed ladder stops."""
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


def _candle(scene: _Scene) -> list[Figure]:
    others = [shape for name, shape in scene.shapes.items() if name != scene.placed]
    upright = abs(scene.shape.along[2]) >= math.cos(CANDLE_MOST_LEAN)
    rise = scene.shape.highest_m - max(other.highest_m for other in others)
    if upright and rise >= CANDLE_LEAST_RISE * scene.shape.length_m:
        return [scene.figure(FigureKind.CANDLE, *scene.touched)]
    return []


def _walker(scene: _Scene) -> list[Figure]:
    level = abs(scene.shape.along[2]) <= math.sin(WALKER_MOST_SLOPE)
    bearing = [touch.points for touch in scene.touches if touch.bears]
    leaning = len(scene.touches) - len(bearing)
    held = leaning > WALKER_MOST_LEANING or any(touch.holds_down for touch in scene.touches)
    if not level or not bearing or held:
        return []
    points = np.concatenate(bearing)
    above = scene.shape.centre[2] >= points[:, 2].max() - WALKER_SLACK_M
    margin_m, edge, way = _edge(points, scene.shape.centre)
    narrow = np.ptp(points[:, :2] @ way) <= WALKER_NARROW_M
    if not narrow and abs(scene.shape.along[2]) > math.sin(WALKER_MOST_WIDE_SLOPE):
        return []
    if not above or not WALKER_MARGIN_M[0] <= margin_m <= WALKER_MARGIN_M[1]:
        return []
    others = [shape for name, shape in scene.shapes.items() if name != scene.placed]
    if not _has_room(scene.shape, others, edge, np.array([-way[1], way[0], 0.0]), WALKER_ROOM):
        return []
    return [scene.figure(FigureKind.TIGHTROPE_WALKER, *scene.touched)]


def _edge(points: Array, weight: Array) -> tuple[float, Array, Array]:
    """Where a weight (3,) that rests on points (n, 3) topples first.

    How far it is inside their hull seen from above, negative outside; the point (3,) it topples over; and the unit
    vector (2,) of the way. Over directions 2 degrees apart.
    """
    angles = np.radians(np.arange(0.0, 360.0, 2.0))
    ways = np.array([np.cos(angles), np.sin(angles)])
    reach = (points[:, :2] - weight[:2]) @ ways
    k = int(reach.max(axis=0).argmin())
    last = int(reach[:, k].argmax())
    return float(reach[last, k]), points[last], ways[:, k]


def _support(scene: _Scene) -> list[Figure]:
    shape = scene.shape
    for name in scene.touched:
        other = scene.shapes[name]
        points = np.concatenate([touch.points for touch in scene.touches if touch.other == name])
        along = points @ shape.along
        if (
            abs(shape.along @ other.along) >= math.cos(SUPPORT_MOST_TURN)
            and abs(shape.normal @ other.normal) >= math.cos(SUPPORT_MOST_TILT)
            and abs(float((shape.centre - other.centre) @ other.across)) <= SUPPORT_MOST_ASIDE_M
            and along.max() - along.min() >= SUPPORT_LEAST_SPAN * min(shape.length_m, other.length_m)
        ):
            return [scene.figure(FigureKind.SHAMEFUL_SUPPORT, name)]
    return []
