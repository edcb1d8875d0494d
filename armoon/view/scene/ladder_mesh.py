"""Meshes of ladders: rails and rungs, made from the collision boxes.

The drawn surface is at most 0.45 mm from the boxes (bends take 0.25 mm, bevels 0.18 mm), so ladders that seem to
touch really do. Every ladder of a set has its own painted mark.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from armoon.geometry import Array, mat_from_quat, unit
from armoon.values.pieces import Box, Ladder
from armoon.values.poses import Vec2, Vec3
from armoon.view.scene.light import PAINTS

#: Maximum distance by which a bend cuts a joint's corner, in metres; maximum share of a segment that a bend uses.
BEND_M, _BEND_PART = 0.00025, 0.48
#: Number of outlines along a bend, with sharp and with bevelled edges; angle, in radians, below which one is enough.
_BEND_RINGS, _STRAIGHT_RAD = (3, 5), 0.03
#: Offset of the first wood coordinate on end faces, in metres; there, both coordinates are in the cross section.
END_GRAIN_M = 10.0
#: Offset of wood coordinates from bar to bar, in metres, so that each bar has its own grain and shade.
BAR_STEP_M = 0.137
#: Width of the bevel on each face, in metres; it cuts the box's edge by 0.25 / sqrt(2) = 0.18 mm.
BEVEL_M = 0.00025
#: Lean of flat faces' normals towards bevelled edges, in radians, so that thin bars look round.
LEAN_RAD = 0.5
#: The same lean at sharp edges, where both faces share one normal.
_SHARP_LEAN_RAD = math.pi / 4.0

#: Reduction of a rung's thickness in its middle on each side, in metres; number of outlines between its ends.
WAIST_M, _WAIST_RINGS = 0.00018, 3
#: A rung's peg, in metres: half its height and thickness, depth of its start in the rail, and projection out of it.
_PEG_HALF_M, _PEG_FROM_M, PEG_PROUD_M = (0.0009, 0.0010), 0.0010, 0.0002

#: Length of paint on a dipped end, in metres; place of a band as a fraction of the rail; half its width, in metres.
DIPPED_M, _BAND_PART, _BAND_HALF_M = 0.013, 0.64, 0.0045
#: Paint coordinates of bare wood; paint covers -1 to 1.
BARE: Vec2 = (9.0, 9.0)

#: Number of floats of each vertex attribute: position; normal; wood coordinates (metres along the grain and around the
#: bar); paint colour; marks (paint coordinate, and -1 to 1 from joint to joint of a rung).
MESH_LAYOUT = (3, 3, 2, 3, 2)


@dataclass(frozen=True)
class _Segment:
    """A straight piece of a bar: its axis from ``start`` to ``end`` and its rectangular section."""

    start: Array
    end: Array
    along: Array
    across: Array
    through: Array
    half_across: float
    half_through: float


# Title, games and rule book share the 30 ladders of a set.
@lru_cache(maxsize=128)
def make_ladder_mesh(
    ladder: Ladder, *, bevelled: bool
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.uint32]]:
    """Return cached vertices (n, 13; MESH_LAYOUT) in the piece's frame, and triangles (m, 3)."""
    rails = _make_rail_bars(ladder)
    rungs = [[_make_segment(box)] for box in ladder.boxes if box.role != "rail"]
    bars = rails + rungs + (_make_pegs(ladder, rails) if bevelled else [])
    number = int(ladder.piece[1:]) - 1
    vertices: list[Array] = []
    triangles: list[npt.NDArray[np.uint32]] = []
    count = 0
    for k, bar in enumerate(bars):
        rung = len(rails) <= k < len(rails) + len(rungs)
        bevel = BEVEL_M if bevelled and k < len(rails) + len(rungs) else 0.0
        points, places, faces = _make_bar_mesh(
            bar, bevel, grain=BAR_STEP_M * k, waist=WAIST_M if rung and bevelled else 0.0
        )
        reach = np.interp(places, (0.0, 1.0), _find_paint_reach(number, k, len(rungs), _measure_bar(bar)))
        joint = 2.0 * places - 1.0 if rung else np.zeros_like(places)
        paint = np.tile(PAINTS[number % len(PAINTS)], (len(points), 1))
        vertices.append(np.column_stack([points, paint, reach, joint]))
        triangles.append(faces + np.uint32(count))
        count += len(points)
    return np.concatenate(vertices).astype(np.float32), np.concatenate(triangles)


def _find_paint_reach(number: int, bar: int, rungs: int, length_m: float) -> Vec2:
    """Return the paint coordinates at a bar's foot and head; ``bar``: 0 and 1 for rails, then rungs from the lowest."""
    dipped = length_m / DIPPED_M
    foot, head = (0.0, dipped), (dipped, 0.0)
    band = (-_BAND_PART * length_m / _BAND_HALF_M, (1.0 - _BAND_PART) * length_m / _BAND_HALF_M)
    # With six colours, no two of 30 ladders have the same mark.
    marks = ((foot, foot), (head, head), (band, band), (BARE, BARE), (foot, head))
    mark = (2 * (number // len(PAINTS)) + number + 1) % len(marks)
    if bar < 2:
        return marks[mark][bar]
    return (0.0, 0.0) if marks[mark][0] == BARE and bar in (2, rungs + 1) else BARE


def _measure_bar(bar: list[_Segment]) -> float:
    return sum(float(np.linalg.norm(segment.end - segment.start)) for segment in bar)


def _make_pegs(ladder: Ladder, rails: list[list[_Segment]]) -> list[list[_Segment]]:
    """Return the rungs' pegs, which stick out of the rails' outer faces at right angles."""
    pegs = []
    for rail, other, side in ((0, 1, 0), (1, 0, 1)) if len(rails) == 2 else ():
        for rung in ladder.rungs:
            joint = np.asarray(rung[side])
            distances = [np.linalg.norm(joint - _find_nearest_on_axis(joint, axis)) for axis in rails[rail]]
            near = rails[rail][int(np.argmin(distances))]
            outwards = unit(np.cross(near.along, (0.0, 1.0, 0.0)))
            outwards = outwards if outwards @ (joint - np.asarray(rung[other])) > 0.0 else -outwards
            half = near.half_across if abs(near.across @ outwards) > 0.5 else near.half_through
            start, end = joint + outwards * (half - _PEG_FROM_M), joint + outwards * (half + PEG_PROUD_M)
            axes = outwards, near.along, np.asarray((0.0, 1.0, 0.0))
            pegs.append([_Segment(start, end, *axes, *_PEG_HALF_M)])
    return pegs


def _find_nearest_on_axis(point: Array, segment: _Segment) -> Array:
    """Return the point nearest to ``point`` on a segment's axis, between the segment's ends."""
    axis = segment.end - segment.start
    fraction = np.clip((point - segment.start) @ axis / (axis @ axis), 0.0, 1.0)
    return np.asarray(segment.start + axis * fraction)


def _make_rail_bars(ladder: Ladder) -> list[list[_Segment]]:
    """Return the rails as chains of segments, or each box alone if boxes and rails can't be matched."""
    boxes = [box for box in ladder.boxes if box.role == "rail"]
    chains: list[list[_Segment]] = []
    used: set[int] = set()
    for rail in ladder.rails:
        chain = []
        for a, b in itertools.pairwise(rail):
            middle = (np.asarray(a) + np.asarray(b)) / 2.0
            distances = [float(np.linalg.norm(np.asarray(box.centre) - middle)) for box in boxes]
            nearest = int(np.argmin(distances)) if distances else -1
            if nearest < 0 or nearest in used:
                return [[_make_segment(box)] for box in boxes]
            used.add(nearest)
            chain.append(_make_segment(boxes[nearest], towards=np.asarray(b) - np.asarray(a)))
        chains.append(_mitre(chain, rail))
    if len(used) != len(boxes):
        return [[_make_segment(box)] for box in boxes]
    return [chain for chain in chains if chain]


def _make_segment(box: Box, towards: Array | None = None) -> _Segment:
    """Return a box as a segment along its longest side, or along the side most parallel to ``towards``."""
    axes = mat_from_quat(box.rotation).T
    half = np.asarray(box.half_extents)
    length = int(np.argmax(half if towards is None else np.abs(axes @ towards)))
    across, through = (length + 1) % 3, (length + 2) % 3
    along = axes[length]
    if towards is not None and along @ towards < 0.0:
        along = -along
    centre, reach = np.asarray(box.centre), along * half[length]
    halves = float(half[across]), float(half[through])
    return _Segment(centre - reach, centre + reach, along, axes[across], axes[through], *halves)


def _mitre(chain: list[_Segment], rail: tuple[Vec3, ...]) -> list[_Segment]:
    """Align the segments' sections, and trim the segments to meet at the rail's bends."""
    aligned: list[_Segment] = []
    for segment in chain:
        if aligned:
            before = aligned[-1]
            across, through = segment.across, segment.through
            half_across, half_through = segment.half_across, segment.half_through
            if abs(before.across @ across) < abs(before.across @ through):
                across, through = through, across
                half_across, half_through = half_through, half_across
            across = across if before.across @ across > 0.0 else -across
            through = through if before.through @ through > 0.0 else -through
            joint = np.asarray(rail[len(aligned)])
            aligned[-1] = replace(before, end=_project_on_axis(joint, before))
            segment = replace(
                segment,
                start=_project_on_axis(joint, segment),
                across=across,
                through=through,
                half_across=half_across,
                half_through=half_through,
            )
        aligned.append(segment)
    return aligned


def _project_on_axis(point: Array, segment: _Segment) -> Array:
    return np.asarray(segment.start + segment.along * ((point - segment.start) @ segment.along))


def _make_section(segment: _Segment, bevel: float, inset: float) -> tuple[Array, Array]:
    """Return a section's outline: offsets from the axis and normals, (4, 3) each, or (8, 3) with a bevel."""
    a, t = segment.half_across - inset, segment.half_through - inset
    lean = LEAN_RAD if bevel else _SHARP_LEAN_RAD
    on_across = (a, t - bevel, math.cos(lean), math.sin(lean))
    on_through = (a - bevel, t, math.sin(lean), math.cos(lean))
    offsets, normals = [], []
    for sign_a, sign_t, across_first in ((1, 1, True), (-1, 1, False), (-1, -1, True), (1, -1, False)):
        pair = (on_across, on_through) if across_first else (on_through, on_across)
        for x, y, nx, ny in pair if bevel else pair[:1]:
            offsets.append(segment.across * (sign_a * x) + segment.through * (sign_t * y))
            normals.append(segment.across * (sign_a * nx) + segment.through * (sign_t * ny))
    return np.array(offsets), np.array(normals)


def _make_bar_mesh(
    bar: list[_Segment], bevel: float, grain: float, waist: float
) -> tuple[Array, Array, npt.NDArray[np.uint32]]:
    """Return a bar's vertices (n, 8), their places between its start and end (n,; 0 to 1), and triangles (m, 3)."""
    first, last = bar[0], bar[-1]
    rings = [_make_end_ring(first, bevel, at_start=True)]
    for before, after in itertools.pairwise(bar):
        rings += _make_bend_rings(before, after, bevel)
    if waist:
        rings += _make_waist_rings(first, bevel, waist)
    rings.append(_make_end_ring(last, bevel, at_start=False))
    middles = np.array([points.mean(axis=0) for points, _ in rings])
    steps = np.linalg.norm(np.diff(middles, axis=0), axis=1)
    travelled = np.concatenate([[0.0], np.cumsum(steps)])

    corners = len(rings[0][0])
    around = np.minimum(np.arange(corners), corners - np.arange(corners)) * (0.012 / corners) + grain
    blocks = [
        np.column_stack([points, normals, np.full(corners, grain + along), around])
        for (points, normals), along in zip(rings, travelled, strict=True)
    ]
    for segment, at_start in ((first, True), (last, False)):
        points, normals = _make_end_face(segment, bevel, at_start=at_start)
        off = points - points.mean(axis=0)
        section = np.column_stack([END_GRAIN_M + off @ segment.across, grain + 0.012 + off @ segment.through])
        blocks.append(np.column_stack([points, normals, section]))
    side = float(np.cross(first.across, first.through) @ first.along)
    triangles = _make_bar_triangles(len(rings), corners, joined_ends=bevel > 0.0)
    places = np.repeat([*(travelled / travelled[-1]), 0.0, 1.0], corners)
    return np.concatenate(blocks), places, triangles[:, ::-1].copy() if side < 0.0 else triangles


def _make_waist_rings(rung: _Segment, bevel: float, waist: float) -> list[tuple[Array, Array]]:
    rings = []
    for k in range(1, _WAIST_RINGS + 1):
        fraction = k / (_WAIST_RINGS + 1)
        offsets, normals = _make_section(rung, bevel, inset=waist * 4.0 * fraction * (1.0 - fraction))
        rings.append((rung.start + (rung.end - rung.start) * fraction + offsets, normals))
    return rings


def _make_end_ring(segment: _Segment, bevel: float, *, at_start: bool) -> tuple[Array, Array]:
    place = segment.start + segment.along * bevel if at_start else segment.end - segment.along * bevel
    offsets, normals = _make_section(segment, bevel, inset=0.0)
    return place + offsets, normals


def _make_end_face(segment: _Segment, bevel: float, *, at_start: bool) -> tuple[Array, Array]:
    outwards = -segment.along if at_start else segment.along
    offsets, _ = _make_section(segment, bevel, inset=bevel)
    return (segment.start if at_start else segment.end) + offsets, np.tile(outwards, (len(offsets), 1))


def _make_bend_rings(before: _Segment, after: _Segment, bevel: float) -> list[tuple[Array, Array]]:
    """Return the outlines along the bend from one segment to the next: a parabola that touches both axes."""
    joint = (before.end + after.start) / 2.0
    bend = math.acos(min(1.0, max(-1.0, float(before.along @ after.along))))
    lengths = [float(np.linalg.norm(segment.end - segment.start)) for segment in (before, after)]
    # The curve's middle is half of ``cut`` times sin(bend / 2) away from the joint.
    cut = min(2.0 * BEND_M / max(math.sin(bend / 2.0), 1e-6), _BEND_PART * min(lengths))
    count = 1 if bend < _STRAIGHT_RAD else _BEND_RINGS[bevel > 0.0]
    rings = []
    for k in range(count):
        t = 0.5 if count == 1 else k / (count - 1)
        along = unit((1.0 - t) * before.along + t * after.along)
        offset = cut * (t * t * after.along - (1.0 - t) ** 2 * before.along)
        across = (1.0 - t) * before.across + t * after.across
        through = (1.0 - t) * before.through + t * after.through
        piece = _Segment(
            before.start,
            after.end,
            along,
            unit(across - along * (across @ along)),
            unit(through - along * (through @ along)),
            (1.0 - t) * before.half_across + t * after.half_across,
            (1.0 - t) * before.half_through + t * after.half_through,
        )
        offsets, normals = _make_section(piece, bevel, inset=0.0)
        rings.append((joint + offset + offsets, normals))
    return rings


def _make_bar_triangles(rings: int, corners: int, *, joined_ends: bool) -> npt.NDArray[np.uint32]:
    """Return triangles between ``rings`` outlines and over both ends, which are bevelled if ``joined_ends``."""
    j = np.arange(corners)
    k = (j + 1) % corners

    def band(low: int, high: int) -> list[npt.NDArray[np.intp]]:
        return [np.column_stack([low + j, low + k, high + k]), np.column_stack([low + j, high + k, high + j])]

    first_face, last_face = rings * corners, (rings + 1) * corners
    faces = [t for ring in range(rings - 1) for t in band(ring * corners, (ring + 1) * corners)]
    if joined_ends:
        faces += band(first_face, 0) + band((rings - 1) * corners, last_face)
    fan = np.column_stack([np.zeros(corners - 2, dtype=np.intp), j[1:-1], j[2:]])
    faces += [first_face + fan[:, ::-1], last_face + fan]
    return np.concatenate(faces).astype(np.uint32)
