"""Ghosts of ladders, dashed according to the predicted outcome; their labels; and the texts of height lines."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from armoon.geometry import Array, mat_from_pose
from armoon.values.poses import Vec2, Vec3
from armoon.values.scene import Fate, Ghost, HeightLine, ScenePiece
from armoon.view.lettering import Rgba8, TextLine, measure_text
from armoon.view.mark_shapes import DOT, RING, MarkShapes
from armoon.view.panels import Box
from armoon.view.scene.light import FAULT, GOLD, GOOD, MOONLIGHT, Rgba

#: Colours and dash lengths of ghosts by outcome; the dashes show the outcome without relying on colour.
_COLOURS: dict[Fate | None, Vec3] = {Fate.HOLDS: GOOD, Fate.DOUBTFUL: GOLD, Fate.FAILS: FAULT}
_DASHES_M: dict[Fate | None, float] = {Fate.DOUBTFUL: 0.016, Fate.FAILS: 0.003}
_DASH_M = 0.006
_TOUCH_M = 0.006
#: Opacity of a ghost that the player isn't considering.
_FAINT_OPACITY = 0.35
_SHADE: Rgba = (0.10, 0.08, 0.20, 0.45)
#: Distance, in metres, of a dark line below each bright one, which makes ghosts visible over wood and white cloud.
_BELOW_M = 0.0008


class Ghosts:
    """Draws the ghosts of one set of ladders."""

    def __init__(self, lines: dict[str, Array]) -> None:
        self._lines = lines

    def build_quads(self, ghosts: tuple[Ghost, ...], shapes: MarkShapes) -> list[Array]:
        quads: list[Array] = []
        for ghost in ghosts:
            bright = choose_ghost_colour(ghost)
            ends = self.find_ends(ghost).reshape(-1, 2, 3)
            dash_m = _DASHES_M.get(ghost.fate, _DASH_M)
            dashes = np.maximum(1.0, np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1) / dash_m)
            is_solid = ghost.is_landing and ghost.fate is Fate.HOLDS  # like a real ladder
            if not ghost.is_faint:
                quads.append(shapes.make_lines(ends - [0.0, 0.0, _BELOW_M], _SHADE))
            quads.append(shapes.make_lines(ends, bright, None if is_solid else dashes))
            for point in () if ghost.is_faint else ghost.points:
                quads.append(shapes.make_facing(point, _TOUCH_M, (*bright[:3], 0.95), DOT))
                quads.append(shapes.make_facing(point, 1.4 * _TOUCH_M, (*_SHADE[:3], 0.8), RING, (0.75, 1.0)))
        return quads

    def find_ends(self, ghost: Ghost) -> Array:
        """Return the ends of rail segments and rungs (2 n, 3), table frame; n is 0 for an unknown ladder."""
        lines = self._lines.get(ghost.piece, np.zeros((0, 2, 3)))
        matrix = mat_from_pose(ghost.pose)
        return np.asarray(lines.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3])


def make_place_line(line: tuple[Vec3, Vec3], shapes: MarkShapes) -> list[Array]:
    """Return quads of a line from the held ladder to a place, with a ring there."""
    ends, colour = np.array([line]), (*MOONLIGHT, 1.0)
    return [
        shapes.make_lines(ends - [0.0, 0.0, 2.0 * _BELOW_M], _SHADE),
        shapes.make_lines(ends, colour),
        shapes.make_facing(line[1], 1.4 * _TOUCH_M, colour, RING, (0.6, 1.0)),
    ]


def choose_ghost_colour(ghost: Ghost) -> Rgba:
    return (*_COLOURS.get(ghost.fate, MOONLIGHT), _FAINT_OPACITY if ghost.is_faint else 0.9)


#: Number of sample points along a rail segment or rung.
_BAR_SAMPLES = 6
#: Distances to try from the ghost's top to its label, in text sizes; number of directions to try, starting upwards.
_LABEL_DISTANCES, _DIRECTIONS = (1.6, 3.5, 6.0, 9.0, 13.0, 18.0), 16
#: Minimum distances of a label from ladders and from the picture's edge, in text sizes.
_LABEL_MARGIN, _EDGE_MARGIN = 0.35, 1.0
_LEADER_OPACITY = 0.7


def sample_bars(ghosts: Ghosts, pieces: Sequence[ScenePiece], shapes: MarkShapes) -> Array:
    """Return points along all rails and rungs of these ladders (n, 2), in drawn pixels."""
    if not pieces:
        return np.zeros((0, 2))
    ends = [ghosts.find_ends(Ghost(piece.piece, piece.pose)) for piece in pieces]
    lines = np.concatenate(ends).reshape(-1, 2, 3)
    along = np.linspace(0.0, 1.0, _BAR_SAMPLES)[:, None, None]
    points = np.asarray(lines[None, :, 0] * (1.0 - along) + lines[None, :, 1] * along, np.float64)
    return shapes.to_pixels(points.reshape(-1, 3))


class GhostLabels:
    """Finds free places for ghosts' labels. A label keeps its place as long as that stays free."""

    def __init__(self, ghosts: Ghosts) -> None:
        self._ghosts = ghosts
        self._last_offsets: dict[int, Vec2] = {}
        self._last_request: object = None
        self._shapes: MarkShapes | None = None
        self._lines: dict[str, TextLine] = {}
        self._leaders: list[Array] = []

    def place_labels(
        self,
        scene_ghosts: Sequence[Ghost],
        pieces: Sequence[ScenePiece],
        busy: Sequence[Box],
        shapes: MarkShapes,
        size: float,
        line: tuple[Vec3, Vec3] | None = None,
    ) -> tuple[dict[str, TextLine], list[Array]]:
        """Return the labels, ``size`` pixels high, and quads of leader lines from labels to distant ghosts.

        Labels avoid ladders, ``busy`` boxes and ``line``; a label without a free place is left out.
        """
        labelled = [ghost for ghost in scene_ghosts if ghost.label]
        request = (labelled, tuple(pieces), tuple(busy), size, line) if labelled else None
        if request == self._last_request and shapes is self._shapes:
            return self._lines, self._leaders
        self._last_request, self._shapes = request, shapes
        self._lines, self._leaders = {}, []
        bars = sample_bars(self._ghosts, pieces, shapes) if labelled else np.zeros((0, 2))
        if line is not None and labelled:
            bars = np.concatenate([bars, shapes.to_pixels(np.linspace(*line, 4 * _BAR_SAMPLES))])
        used = list(busy)
        last, self._last_offsets = self._last_offsets, {}
        for number, ghost in enumerate(labelled):
            ends = self._ghosts.find_ends(ghost)
            if not len(ends):
                continue
            x, y, _ = ends.mean(axis=0)
            top = shapes.to_pixel((float(x), float(y), float(ends[:, 2].max())))
            half = (0.5 * measure_text(ghost.label, size, bold=True), 0.5 * size)
            offset = _find_free_offset(top, half, size, last.get(number), bars, used, shapes)
            if offset is None:
                continue
            self._last_offsets[number] = offset
            middle = (top[0] + offset[0], top[1] + offset[1])
            used.append((middle[0] - half[0], middle[1] - half[1], 2.0 * half[0], 2.0 * half[1]))
            colour = choose_ghost_colour(ghost)
            self._lines[f"ghost {number}"] = TextLine(
                ghost.label, *middle, size, to_rgba8(colour), True, "center"
            )
            if math.hypot(*offset) > 2.0 * size:
                edge = tuple(
                    middle[k] - math.copysign(min(half[k] + 0.3 * size, abs(part)), part)
                    for k, part in enumerate(offset)
                )
                faint: Rgba = (*colour[:3], _LEADER_OPACITY)
                self._leaders.append(shapes.make_pixel_line((edge[0], edge[1]), top, faint))
        return self._lines, self._leaders


def to_rgba8(colour: Rgba) -> Rgba8:
    red, green, blue, _ = colour
    return (round(255 * red), round(255 * green), round(255 * blue), 255)


def _find_free_offset(
    top: Vec2,
    half: Vec2,
    size: float,
    last: Vec2 | None,
    bars: Array,
    used: Sequence[Box],
    shapes: MarkShapes,
) -> Vec2 | None:
    """Return the ``last`` offset of a label from ``top`` if it is still free, else the nearest free one, in pixels."""
    angles = [math.tau * k / _DIRECTIONS * side for k in range(_DIRECTIONS // 2 + 1) for side in (1, -1)]
    candidates = [
        (math.sin(angle) * (distance * size + half[0]), math.cos(angle) * distance * size)
        for distance in _LABEL_DISTANCES
        for angle in angles
    ]
    for offset in candidates if last is None else [last, *candidates]:
        reach = (half[0] + _LABEL_MARGIN * size, half[1] + _LABEL_MARGIN * size)
        x, y = top[0] + offset[0], top[1] + offset[1]
        low, high = (x - reach[0], y - reach[1]), (x + reach[0], y + reach[1])
        edge = _EDGE_MARGIN * size
        if min(low) < edge or high[0] > shapes.width - edge or high[1] > shapes.height - edge:
            continue
        if ((bars > low) & (bars < high)).all(axis=1).any():
            continue
        if not any(all(low[k] < box[k] + box[k + 2] and box[k] < high[k] for k in (0, 1)) for box in used):
            return offset
    return None


def find_clear_x(start: float, room: float, bars: Array) -> float:
    """Return the first x from ``start`` at which a text ``room`` pixels wide (negative: leftwards) covers no ladder.

    ``bars``: x of points along rails and rungs.
    """
    side = math.copysign(1.0, room)
    for pixel in sorted(bars * side):
        if start * side - 4.0 < pixel < start * side + abs(room):
            start = side * (pixel + 6.0)
    return start


#: Length of a height line to either side of its point, in metres.
LEVEL_HALF_M = 0.095
#: Approximate width of a letter, minimum distance between two texts, and distance of a text above its line if there is
#: no room beside it, in text sizes. Margin to the picture's edge, in pixels.
_LETTER_WIDTH, _LINE_DISTANCE, _RAISE, _EDGE_PX = 0.6, 22.0 / 17.0, 0.85, 6.0


def lay_out_heights(
    heights: Sequence[HeightLine], covered: Sequence[bool], bars: Array, shapes: MarkShapes, size: float
) -> dict[str, TextLine]:
    """Return the heights' texts, clear of ``bars``: right of their lines, left if crowded or ``covered``, or above."""
    lines: dict[str, TextLine] = {}
    used: list[float] = []
    for i, height in enumerate(heights):
        (left, right), y = find_level_ends(height, shapes)
        is_crowded = any(abs(y - other) < _LINE_DISTANCE * size for other in used)
        used.append(y)
        room = estimate_width(height, size)
        beside_x = bars[np.abs(bars[:, 1] - y) < 0.8 * size, 0]
        if is_crowded or covered[i]:
            x, anchor = find_clear_x(left - 6.0, -room, beside_x), "right"
            text_x = max(x, room + _EDGE_PX)
        else:
            x, anchor = find_clear_x(right + 6.0, room, beside_x), "left"
            text_x = min(x, shapes.width - room - _EDGE_PX)
        if text_x != x:
            y += _RAISE * size
        if height.text:
            colour = to_rgba8(choose_level_colour(height.good))
            lines[f"height {i}"] = TextLine(height.text, text_x, y, size, colour, True, anchor)
    return lines


def estimate_width(height: HeightLine, size: float) -> float:
    return _LETTER_WIDTH * len(height.text) * size


def find_level_ends(height: HeightLine, shapes: MarkShapes) -> tuple[Vec2, float]:
    x, y, z = height.through
    ends = sorted(shapes.to_pixel((x + side * LEVEL_HALF_M, y, z)) for side in (-1.0, 1.0))
    return (ends[0][0], ends[1][0]), (ends[0][1] + ends[1][1]) / 2.0


def choose_level_colour(good: bool | None) -> Rgba:
    return (*(MOONLIGHT if good is None else GOOD if good else FAULT), 0.95)
