"""Figures, the pages of the book, and the geometry of ladders at rest: boxes, overlaps, openings, touches.

Distances and normals between boxes are found with separating axes (Gottschalk, Lin, Manocha: OBBTree, 1996).
"""

from __future__ import annotations

import enum
import itertools
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import numpy as np

from armoon.codec import convert
from armoon.geometry import Array, mat_from_quat, pose_apply, quat_from_axis_angle, quat_multiply, vec3
from armoon.values.choices import Slots
from armoon.values.pieces import Facts, Ladder, LadderSet, PieceId
from armoon.values.poses import Pose, Vec3
from armoon.world.exact import BOX_EDGES, PlacedBoxes
from armoon.world.ladders import STANDING_STATUSES


class FigureKind(enum.Enum):
    """The eight printed figures, and the fourth diagonal, which the printed book warns against.

    Message keys: ``figure.<value>.name`` and ``figure.<value>.what``.
    """

    FOOT_HOOK = "foot_hook"
    CRAZY_DIAGONAL = "crazy_diagonal"
    SWING = "swing"
    SIN_OF_PRIDE = "sin_of_pride"
    BOLT = "bolt"
    CANDLE = "candle"
    TIGHTROPE_WALKER = "tightrope_walker"
    SHAMEFUL_SUPPORT = "shameful_support"
    FOURTH_DIAGONAL = "fourth_diagonal"
    """One Crazy Diagonal more than the Sin of Pride."""

    @property
    def name_key(self) -> str:
        return f"figure.{self.value}.name"


@dataclass(frozen=True)
class Figure:
    """A figure formed by a placed ladder."""

    kind: FigureKind
    piece: PieceId
    others: tuple[PieceId, ...]
    """The other ladders involved, sorted."""


@dataclass(frozen=True)
class Figures:
    """The figures formed by one placed ladder; empty if it was examined and forms none."""

    turn: int
    player: int
    piece: PieceId
    figures: tuple[Figure, ...]


def count_figures(history: Iterable[Figures], players: int) -> tuple[Counter[FigureKind], ...]:
    tally = tuple(Counter[FigureKind]() for _ in range(players))
    for record in history:
        tally[record.player].update(figure.kind for figure in record.figures)
    return tally


BOOK = Path(__file__).with_name("book.json")


@dataclass(frozen=True)
class BookPage:
    """The example of one figure in the book."""

    kind: FigureKind
    ladder_seed: int
    slots: Slots
    standing: tuple[tuple[PieceId, Pose, bool], ...]
    """Ladders: name, pose at rest, and whether it is a starting ladder in its slot."""
    makers: tuple[PieceId, ...]
    """The ladders that form the figure, in the order of placement; drawn in colour."""
    placed: tuple[Figures, ...]
    """The ladders placed before the last maker, in that order, with the figures that they form."""
    touches: tuple[tuple[PieceId, PieceId, Vec3], ...]
    """Touches marked in pictures: the two ladders, and the point in the table frame."""

    @property
    def figure(self) -> str:
        return self.kind.value

    @property
    def poses(self) -> dict[PieceId, Pose]:
        return {name: pose for name, pose, _ in self.standing}

    @property
    def fixed(self) -> tuple[PieceId, ...]:
        return tuple(name for name, _, is_fixed in self.standing if is_fixed)


@cache
def load_pages() -> tuple[BookPage, ...]:
    return convert(tuple[BookPage, ...], json.loads(BOOK.read_text(encoding="utf-8"))["pages"], exact=True)


#: Maximum gap between touching parts of ladders in contact. The world reports contacts up to 0.05 mm apart; the tilt of
#: a ladder that rests on two points widens the gap.
SKIN_M = 0.00015
#: Minimum length of the cross product of two unit edges; if it is shorter, they are nearly parallel.
_MIN_CROSS = 1e-6


class LadderBoxes(PlacedBoxes):
    """The boxes of a ladder in the table frame, in the ladder's order."""

    def __init__(self, ladder: Ladder, pose: Pose) -> None:
        super().__init__(ladder.boxes, pose)
        self.radii: Array = np.linalg.norm(self.halves, axis=1)

    def clip_edges(self, i: int, other: LadderBoxes, j: int) -> Array:
        """Return the ends (n, 3) of the parts of box i's edges inside the other's box j, enlarged by SKIN_M."""
        starts, ends = self.corners()[i, BOX_EDGES.T]
        local = (starts - other.centres[j]) @ other.axes[j]
        along = (ends - starts) @ other.axes[j]
        reach = other.halves[j] + SKIN_M
        # An edge parallel to a slab is entirely inside or entirely outside; infinite limits express that.
        with np.errstate(divide="ignore", invalid="ignore"):
            first, second = (-reach - local) / along, (reach - local) / along
        parallel = np.abs(along) < 1e-12
        inside = np.abs(local) <= reach
        low = np.where(parallel, np.where(inside, -np.inf, np.inf), np.minimum(first, second)).max(axis=1)
        high = np.where(parallel, np.where(inside, np.inf, -np.inf), np.maximum(first, second)).min(axis=1)
        low, high = np.maximum(low, 0.0), np.minimum(high, 1.0)
        hit = low <= high
        steps = (ends - starts)[hit]
        ends_inside = [starts[hit] + share[hit, None] * steps for share in (low, high)]
        return np.asarray(np.concatenate(ends_inside))

    def list_near_pairs(self, other: LadderBoxes, slack_m: float) -> list[tuple[int, int]]:
        """Return index pairs of own and other boxes with bounding spheres at most ``slack_m`` apart."""
        between = np.linalg.norm(self.centres[:, None] - other.centres[None], axis=2)
        close = between <= self.radii[:, None] + other.radii[None] + slack_m
        return [(int(i), int(j)) for i, j in np.argwhere(close)]

    def measure_gap(self, i: int, other: LadderBoxes, j: int) -> tuple[float, Array]:
        """Return the distance of box i from the other's box j, negative in overlap, and the unit normal from j to i.

        The distance is a lower bound unless one box is flat on the other; its sign is exact.
        """
        axes_i, axes_j = self.axes[i], other.axes[j]
        products = np.cross(axes_i.T[:, None], axes_j.T[None]).reshape(-1, 3)
        lengths = np.linalg.norm(products, axis=1)
        usable = lengths > _MIN_CROSS
        normals = np.concatenate([axes_i.T, axes_j.T, products[usable] / lengths[usable, None]])
        between = normals @ (self.centres[i] - other.centres[j])
        gaps = (
            np.abs(between)
            - np.abs(normals @ axes_i) @ self.halves[i]
            - np.abs(normals @ axes_j) @ other.halves[j]
        )
        k = int(np.argmax(gaps))
        return float(gaps[k]), np.asarray(normals[k] * np.sign(between[k]))


class LadderShape:
    """The geometry of one ladder at its pose."""

    def __init__(self, ladder: Ladder, pose: Pose) -> None:
        self.ladder, self.pose = ladder, pose
        self.rotation: Array = mat_from_quat(pose.rotation)
        self.centre: Array = np.asarray(pose.position)
        self.across, self.normal, self.along = self.rotation.T
        """Unit vectors (3,): along the rungs from rail 0 to rail 1, through the thickness, from foot to head."""
        self.rails: tuple[Array, Array] = (self._to_table(ladder.rails[0]), self._to_table(ladder.rails[1]))
        """Two polylines (n, 3), foot to head."""

    @cached_property
    def boxes(self) -> LadderBoxes:
        return LadderBoxes(self.ladder, self.pose)

    @cached_property
    def rungs(self) -> Array:
        return np.array([self._to_table(rung) for rung in self.ladder.rungs])

    @cached_property
    def highest_m(self) -> float:
        return float(self.boxes.corners()[:, :, 2].max())

    def to_local(self, points: Array) -> Array:
        """Transform points (n, 3) from the table frame to this ladder's: x across, y through, z along."""
        return np.asarray((points - self.centre) @ self.rotation)

    def list_openings(self) -> list[Array]:
        """Return the outline (n, 2) of each opening between neighbouring rungs: x and z in the ladder's frame."""
        rails = [np.asarray(rail)[:, [0, 2]] for rail in self.ladder.rails]
        outlines = []
        for low, high in zip(self.ladder.rungs, self.ladder.rungs[1:], strict=False):
            sides = []
            for side in (0, 1):
                foot, head = np.asarray(low[side])[[0, 2]], np.asarray(high[side])[[0, 2]]
                bends = [point for point in rails[side] if foot[1] < point[1] < head[1]]
                sides.append([foot, *bends, head])
            outlines.append(np.array([*sides[0], *reversed(sides[1])]))
        return outlines

    def measure_overhang_m(self, rail: int, points: Array) -> float:
        """Return how far beyond the outermost rung the mean of points on a rail is; negative between the rungs."""
        z = float(self.to_local(points)[:, 2].mean())
        lowest, highest = self.ladder.rungs[0][rail][2], self.ladder.rungs[-1][rail][2]
        return max(lowest - z, z - highest)

    def find_passage(self, other: LadderShape) -> tuple[float, float] | None:
        """Measure how both rails of this ladder pass through the same opening of another; None if they don't.

        Returns the minimum length of the rails on either side of the other's plane, metres, and the angle between this
        ladder's width and the nearer of the opening's two directions, radians from 0 to pi/4.
        """
        crossings = [_find_crossing(other.to_local(rail)) for rail in self.rails]
        if crossings[0] is None or crossings[1] is None:
            return None
        (a, *beside_a), (b, *beside_b) = crossings[0], crossings[1]
        for outline in other.list_openings():
            if _is_inside(outline, a) and _is_inside(outline, b):
                width = b - a
                angle = abs(float(np.arctan2(width[1], width[0]))) % (np.pi / 2.0)
                return min(*beside_a, *beside_b), min(angle, np.pi / 2.0 - angle)
        return None

    def _to_table(self, line: tuple[tuple[float, float, float], ...]) -> Array:
        return np.asarray(np.asarray(line) @ self.rotation.T + self.centre)


def _find_crossing(line: Array) -> tuple[Array, float, float] | None:
    """Return where a polyline (n, 3) crosses y = 0, as (x, z), and its lengths before and after; None if nowhere."""
    lengths = np.linalg.norm(np.diff(line, axis=0), axis=1)
    for k, (start, end) in enumerate(itertools.pairwise(line)):
        if (start[1] <= 0.0) != (end[1] <= 0.0):
            share = start[1] / (start[1] - end[1])
            before = float(lengths[:k].sum() + share * lengths[k])
            return (start + share * (end - start))[[0, 2]], before, float(lengths.sum() - before)
    return None


def _is_inside(outline: Array, point: Array) -> bool:
    """Return whether a point lies in a polygon (n, 2), by the number of edges to its right."""
    x, z = point
    inside = False
    for (x0, z0), (x1, z1) in zip(outline, np.roll(outline, -1, axis=0), strict=True):
        if (z0 > z) != (z1 > z) and x < x0 + (x1 - x0) * (z - z0) / (z1 - z0):
            inside = not inside
    return inside


def list_lines(ladder: Ladder) -> tuple[tuple[Vec3, Vec3], ...]:
    """Return the ends of all rail segments and then of all rungs, in the ladder's frame."""
    return tuple(pair for rail in ladder.rails for pair in itertools.pairwise(rail)) + ladder.rungs


def sample_spots(ladder: Ladder, pose: Pose) -> Array:
    """Return points (n, 3) along all rails and rungs, table frame."""
    ends = [np.array([pose_apply(pose, a), pose_apply(pose, b)]) for a, b in list_lines(ladder)]
    along = np.linspace(0.0, 1.0, 24)[:, None]
    return np.concatenate([a + along * (b - a) for a, b in ends])


def find_closest_approach(spots: Array, other_spots: Array) -> tuple[Vec3, float]:
    """Return the midpoint and distance, in metres, of the nearest pair of two ladders' spots (n, 3 each)."""
    distances = np.linalg.norm(spots[:, None, :] - other_spots[None, :, :], axis=2)
    a, b = np.unravel_index(int(distances.argmin()), distances.shape)
    return vec3((spots[a] + other_spots[b]) / 2.0), float(distances[a, b])


#: Minimum z of the normal of a touch that bears weight; with less, the wood only leans. The normal is then 27 degrees
#: above level, which exceeds the angle of friction (21.8 degrees).
MIN_LIFT = 0.45


@dataclass(frozen=True)
class LadderPart:
    """One rail or rung of a ladder."""

    role: str
    """``"rail"`` or ``"rung"``."""
    index: int
    """Rail 0 or 1; rung 0 is the lowest."""


@dataclass(frozen=True)
class Touch:
    """A touch between one part of a ladder and one part of another."""

    other: PieceId
    own_part: LadderPart
    other_part: LadderPart
    points: Array
    """Touching points (n, 3), table frame."""
    normals: Array
    """Unit vectors (n, 3) at the points, from the other ladder to this one."""

    @property
    def lift(self) -> float:
        return float(self.normals[:, 2].max())

    @property
    def bears(self) -> bool:
        return self.lift >= MIN_LIFT

    @property
    def holds_down(self) -> bool:
        return self.lift <= -MIN_LIFT


def list_parts(ladder: Ladder) -> tuple[LadderPart, ...]:
    parts = []
    for box in ladder.boxes:
        centre = np.asarray(box.centre)
        if box.role == "rung":
            middles = [(np.asarray(a) + np.asarray(b)) / 2.0 for a, b in ladder.rungs]
            parts.append(LadderPart("rung", int(np.argmin([np.linalg.norm(centre - m) for m in middles]))))
        else:
            rails = [_measure_distance_to_line(centre, np.asarray(rail)) for rail in ladder.rails]
            parts.append(LadderPart("rail", int(np.argmin(rails))))
    return tuple(parts)


def find_touches(shapes: Mapping[PieceId, LadderShape], facts: Facts, piece: PieceId) -> tuple[Touch, ...]:
    others = (shapes[name] for name in facts.touching(piece) if name in shapes)
    return tuple(touch for other in others for touch in _find_part_touches(shapes[piece], other))


def _find_part_touches(a: LadderShape, b: LadderShape) -> list[Touch]:
    placed_a, placed_b = a.boxes, b.boxes
    parts_a, parts_b = list_parts(a.ladder), list_parts(b.ladder)
    touches: dict[tuple[LadderPart, LadderPart], Touch] = {}
    for i, j in placed_a.list_near_pairs(placed_b, SKIN_M):
        points = np.concatenate([placed_a.clip_edges(i, placed_b, j), placed_b.clip_edges(j, placed_a, i)])
        if len(points) == 0:
            continue
        normals = np.tile(placed_a.measure_gap(i, placed_b, j)[1], (len(points), 1))
        earlier = touches.get((parts_a[i], parts_b[j]))
        if earlier is not None:  # a bent rail is several boxes
            points, normals = (
                np.concatenate(pair) for pair in ((earlier.points, points), (earlier.normals, normals))
            )
        touches[parts_a[i], parts_b[j]] = Touch(b.ladder.piece, parts_a[i], parts_b[j], points, normals)
    return list(touches.values())


def _measure_distance_to_line(point: Array, line: Array) -> float:
    starts, steps = line[:-1], np.diff(line, axis=0)
    shares = np.clip(((point - starts) * steps).sum(1) / (steps * steps).sum(1), 0.0, 1.0)
    return float(np.linalg.norm(point - starts - shares[:, None] * steps, axis=1).min())


#: Permitted overlap of a ladder rotated about a touch, metres: square rails and rungs cut into each other.
ROOM_OVERLAP_M = 0.0015


class SettledShapes:
    """The structure at rest as shapes, and the touches of the placed ladder."""

    def __init__(self, ladders: LadderSet, facts: Facts, placed: PieceId) -> None:
        self.facts, self.placed = facts, placed
        self.shapes = {
            fact.piece: LadderShape(ladders[fact.piece], fact.pose)
            for fact in facts.pieces
            if fact.status in STANDING_STATUSES or fact.piece == placed
        }
        self.shape = self.shapes[placed]
        self.touches = find_touches(self.shapes, facts, placed)
        self.touched = tuple(sorted({touch.other for touch in self.touches}))

    def make_figure(self, kind: FigureKind, *others: PieceId) -> Figure:
        return Figure(kind, self.placed, tuple(sorted(others)))


def has_room(
    shape: LadderShape, others: Sequence[LadderShape], through: Array, axis: Array, angles: Sequence[float]
) -> bool:
    """Return whether a ladder is clear of the others after each rotation about a line.

    ``through``: a point (3,) on the line; ``axis``: its direction, a unit vector (3,); ``angles``: radians.
    """
    for angle in angles:
        rotation = quat_from_axis_angle(vec3(axis), angle)
        centre = mat_from_quat(rotation) @ (shape.centre - through) + through
        boxes = LadderBoxes(shape.ladder, Pose(vec3(centre), quat_multiply(rotation, shape.pose.rotation)))
        near = ((i, other.boxes, j) for other in others for i, j in boxes.list_near_pairs(other.boxes, 0.0))
        if any(boxes.measure_gap(*pair)[0] < -ROOM_OVERLAP_M for pair in near):
            return False
    return True
