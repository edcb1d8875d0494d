"""Figures that stand, lie, or are put through others; and several diagonals in a row. Defined in ``recognise``."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from armoon.games.moon.figures.figure import Figure, FigureKind
from armoon.games.moon.figures.scene import Scene, has_room
from armoon.geometry import Array
from armoon.values.pieces import PieceId

CANDLE_MOST_LEAN = math.radians(22.0)
CANDLE_LEAST_RISE = 0.4
WALKER_MOST_SLOPE = math.radians(20.0)
WALKER_MARGIN_M = (-0.0005, 0.0022)
WALKER_SLACK_M = 0.002
WALKER_NARROW_M = 0.01
WALKER_MOST_WIDE_SLOPE = math.radians(1.0)
WALKER_MOST_LEANING = 1
WALKER_ROOM = tuple(math.radians(angle) for angle in (5.0, 10.0, 15.0))
SUPPORT_MOST_TURN = math.radians(12.0)
SUPPORT_MOST_TILT = math.radians(8.0)
SUPPORT_MOST_ASIDE_M = 0.012
SUPPORT_LEAST_SPAN = 0.75


def candle(scene: Scene) -> list[Figure]:
    """Whether the placed ladder is a Candle."""
    others = [shape for name, shape in scene.shapes.items() if name != scene.placed]
    upright = abs(scene.shape.along[2]) >= math.cos(CANDLE_MOST_LEAN)
    rise = scene.shape.highest_m - max(other.highest_m for other in others)
    if upright and rise >= CANDLE_LEAST_RISE * scene.shape.ladder.length_m:
        return [scene.figure(FigureKind.CANDLE, *scene.touched)]
    return []


def walker(scene: Scene) -> list[Figure]:
    """Whether the placed ladder is a Mischievous Tightrope Walker."""
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
    if not has_room(scene.shape, others, edge, np.array([-way[1], way[0], 0.0]), WALKER_ROOM):
        return []
    return [scene.figure(FigureKind.TIGHTROPE_WALKER, *scene.touched)]


def support(scene: Scene) -> list[Figure]:
    """Whether the placed ladder is a Shameful Support."""
    shape = scene.shape
    for name in scene.touched:
        other = scene.shapes[name]
        points = np.concatenate([touch.points for touch in scene.touches if touch.other == name])
        along = points @ shape.along
        if (
            abs(shape.along @ other.along) >= math.cos(SUPPORT_MOST_TURN)
            and abs(shape.normal @ other.normal) >= math.cos(SUPPORT_MOST_TILT)
            and abs(float((shape.centre - other.centre) @ other.across)) <= SUPPORT_MOST_ASIDE_M
            and along.max() - along.min()
            >= SUPPORT_LEAST_SPAN * min(shape.ladder.length_m, other.ladder.length_m)
        ):
            return [scene.figure(FigureKind.SHAMEFUL_SUPPORT, name)]
    return []


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


DIAGONAL_LEAST_SIDE_M = 0.005
DIAGONAL_LEAST_SLANT = math.radians(5.0)
PRIDE = 3


def diagonals(scene: Scene, earlier: Sequence[tuple[Figure, ...]]) -> list[Figure]:
    """Return a Crazy Diagonal, and what comes of several in a row."""
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


def _through(scene: Scene, piece: PieceId) -> tuple[PieceId, ...]:
    """Return the ladders that a ladder is a Crazy Diagonal in."""
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


def _row(scene: Scene) -> set[PieceId]:
    """Return the Crazy Diagonals joined to the placed one, through each other or through the same ladder."""
    through = {piece: set(_through(scene, piece)) for piece in scene.free()}
    diagonals = {piece: {piece} | others for piece, others in through.items() if others}
    row = {scene.placed}
    joined = diagonals.get(scene.placed, set())
    while more := {piece for piece, made_of in diagonals.items() if made_of & joined} - row:
        row |= more
        joined = joined.union(*(diagonals[piece] for piece in more))
    return row
