"""Ghosts of ladders: rails and rungs at their pose, dashed by what becomes of them, dots at their contacts."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from armoon.geometry import Array, mat_from_pose
from armoon.values.poses import Vec2, Vec3
from armoon.values.scene import Fate, Ghost, HeightLine, ScenePiece
from armoon.view.glass import Box
from armoon.view.lettering import Rgba8, TextLine
from armoon.view.mark_shapes import DOT, RING, MarkShapes
from armoon.view.scene.light import FAULT, GOLD, GOOD, MOONLIGHT, Rgba

#: Colours and dash lengths of ghosts by outcome, so that the outcome shows without colours as well.
_COLOURS: dict[Fate | None, Vec3] = {Fate.HOLDS: GOOD, Fate.DOUBTFUL: GOLD, Fate.FAILS: FAULT}
_DASHES_M: dict[Fate | None, float] = {Fate.DOUBTFUL: 0.016, Fate.FAILS: 0.003}
_DASH_M = 0.006
_TOUCH_M = 0.006
#: Opacity of a place that isn't considered.
_FAINT = 0.35
_SHADE: Rgba = (0.10, 0.08, 0.20, 0.45)
#: Distance of the dark line below the bright one: it makes ghosts visible over wood and the white cloud.
_BELOW_M = 0.0008


class Ghosts:
    """Draws the ghosts of one set of ladders."""

    def __init__(self, lines: dict[str, Array]) -> None:
        self._lines = lines

    def draw(self, ghosts: tuple[Ghost, ...], shapes: MarkShapes) -> list[Array]:
        quads: list[Array] = []
        for ghost in ghosts:
            bright = ghost_colour(ghost)
            ends = self.ends(ghost).reshape(-1, 2, 3)
            dash_m = _DASHES_M.get(ghost.fate, _DASH_M)
            dashes = np.maximum(1.0, np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1) / dash_m)
            whole = ghost.landing and ghost.fate is Fate.HOLDS  # like a real ladder
            if not ghost.faint:
                quads.append(shapes.lines(ends - [0.0, 0.0, _BELOW_M], _SHADE))
            quads.append(shapes.lines(ends, bright, None if whole else dashes))
            for point in () if ghost.faint else ghost.points:
                quads.append(shapes.facing(point, _TOUCH_M, (*bright[:3], 0.95), DOT))
                quads.append(shapes.facing(point, 1.4 * _TOUCH_M, (*_SHADE[:3], 0.8), RING, (0.75, 1.0)))
        return quads

    def ends(self, ghost: Ghost) -> Array:
        """Return the ends of its rails' parts and rungs (n, 3), two for each; none for an unknown ladder."""
        lines = self._lines.get(ghost.piece, np.zeros((0, 2, 3)))
        matrix = mat_from_pose(ghost.pose)
        return np.asarray(lines.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3])


def place_line(line: tuple[Vec3, Vec3], shapes: MarkShapes) -> list[Array]:
    """Return a line from the held ladder to a place, with a ring there: quads for the mark shader."""
    ends, colour = np.array([line]), (*MOONLIGHT, 1.0)
    return [
        shapes.lines(ends - [0.0, 0.0, 2.0 * _BELOW_M], _SHADE),
        shapes.lines(ends, colour),
        shapes.facing(line[1], 1.4 * _TOUCH_M, colour, RING, (0.6, 1.0)),
    ]


def ghost_colour(ghost: Ghost) -> Rgba:
    return (*_COLOURS.get(ghost.fate, MOONLIGHT), _FAINT if ghost.faint else 0.9)


#: Number of sample points by which a bar is searched for wood.
_ALONG = 6
#: Distances of words from the ghost's top, in letters' heights; number of directions to try, from straight up.
_AWAY, _WAYS = (1.6, 3.5, 6.0, 9.0, 13.0, 18.0), 16
#: Room between words and wood, and from the picture's edge, in letters' heights.
_ROOM, _EDGE = 0.35, 1.0
_LEADER_OPACITY = 0.7


def wood_px(ghosts: Ghosts, pieces: Sequence[ScenePiece], shapes: MarkShapes) -> Array:
    """Return points along every rail and rung of these ladders (n, 2), drawn pixels."""
    if not pieces:
        return np.zeros((0, 2))
    ends = [ghosts.ends(Ghost(piece.piece, piece.pose)) for piece in pieces]
    lines = np.concatenate(ends).reshape(-1, 2, 3)
    along = np.linspace(0.0, 1.0, _ALONG)[:, None, None]
    points = np.asarray(lines[None, :, 0] * (1.0 - along) + lines[None, :, 1] * along, np.float64)
    return shapes.pixels(points.reshape(-1, 3))


class GhostWords:
    """Finds places for the words of ghosts; each keeps its own while that is free."""

    def __init__(self, ghosts: Ghosts, measure: Callable[[str, float], float]) -> None:
        self._ghosts, self._measure = ghosts, measure
        self._last: dict[int, Vec2] = {}
        self._asked: object = None
        self._shapes: MarkShapes | None = None
        self._lines: dict[str, TextLine] = {}
        self._leaders: list[Array] = []

    def place(
        self,
        scene_ghosts: Sequence[Ghost],
        pieces: Sequence[ScenePiece],
        busy: Sequence[Box],
        shapes: MarkShapes,
        size: float,
        line: tuple[Vec3, Vec3] | None = None,
    ) -> tuple[dict[str, TextLine], list[Array]]:
        """Return the words in letters ``size`` pixels high, and leader lines to ladders farther away.

        They cover neither these ladders nor ``busy`` boxes nor ``line``, and are left out where no place is free.
        """
        labelled = [ghost for ghost in scene_ghosts if ghost.label]
        asked = (labelled, tuple(pieces), tuple(busy), size, line) if labelled else None
        if asked == self._asked and shapes is self._shapes:
            return self._lines, self._leaders
        self._asked, self._shapes = asked, shapes
        self._lines, self._leaders = {}, []
        wood = wood_px(self._ghosts, pieces, shapes) if labelled else np.zeros((0, 2))
        if line is not None and labelled:
            wood = np.concatenate([wood, shapes.pixels(np.linspace(*line, 4 * _ALONG))])
        taken = list(busy)
        last, self._last = self._last, {}
        for number, ghost in enumerate(labelled):
            ends = self._ghosts.ends(ghost)
            if not len(ends):
                continue
            x, y, _ = ends.mean(axis=0)
            top = shapes.pixel((float(x), float(y), float(ends[:, 2].max())))
            half = (0.5 * self._measure(ghost.label, size), 0.5 * size)
            away = _free(top, half, size, last.get(number), wood, taken, shapes)
            if away is None:
                continue
            self._last[number] = away
            at = (top[0] + away[0], top[1] + away[1])
            taken.append((at[0] - half[0], at[1] - half[1], 2.0 * half[0], 2.0 * half[1]))
            colour = ghost_colour(ghost)
            self._lines[f"ghost {number}"] = TextLine(
                ghost.label, *at, size, text_colour(colour), True, "center"
            )
            if math.hypot(away[0], away[1]) > 2.0 * size:
                edge = tuple(
                    at[k] - math.copysign(min(half[k] + 0.3 * size, abs(away[k])), away[k]) for k in (0, 1)
                )
                faint: Rgba = (*colour[:3], _LEADER_OPACITY)
                self._leaders.append(shapes.line_px((edge[0], edge[1]), top, faint))
        return self._lines, self._leaders


def text_colour(colour: Rgba) -> Rgba8:
    red, green, blue, _ = colour
    return (round(255 * red), round(255 * green), round(255 * blue), 255)


def _free(
    top: Vec2,
    half: Vec2,
    size: float,
    last: Vec2 | None,
    wood: Array,
    taken: Sequence[Box],
    shapes: MarkShapes,
) -> Vec2 | None:
    """Return the words' nearest free offset from ``top``, or the ``last`` one if it is still free."""
    turns = [math.tau * k / _WAYS * side for k in range(_WAYS // 2 + 1) for side in (1, -1)]
    tried = [
        (math.sin(turn) * (away * size + half[0]), math.cos(turn) * away * size)
        for away in _AWAY
        for turn in turns
    ]
    for away in tried if last is None else [last, *tried]:
        reach = (half[0] + _ROOM * size, half[1] + _ROOM * size)
        x, y = top[0] + away[0], top[1] + away[1]
        low, high = (x - reach[0], y - reach[1]), (x + reach[0], y + reach[1])
        edge = _EDGE * size
        if min(low) < edge or high[0] > shapes.width - edge or high[1] > shapes.height - edge:
            continue
        if ((wood > low) & (wood < high)).all(axis=1).any():
            continue
        if not any(all(low[k] < box[k] + box[k + 2] and box[k] < high[k] for k in (0, 1)) for box in taken):
            return away
    return None


def clear_of(start: float, room: float, wood: Array) -> float:
    """Return where a text of width ``room`` (negative: to the left) begins, from ``start`` on, beyond ``wood``'s x."""
    side = math.copysign(1.0, room)
    for pixel in sorted(wood * side):
        if start * side - 4.0 < pixel < start * side + abs(room):
            start = side * (pixel + 6.0)
    return start


#: Height lines reach this far to both sides of the point that they go through, metres.
LEVEL_HALF_M = 0.095
#: How wide a letter is about, and how near to another line's words, and to its own line where they stand over it, words
#: may be; letters' heights. Pixels to the picture's edge.
_WIDE, _APART, _OVER, _EDGE_PX = 0.6, 22.0 / 17.0, 0.85, 6.0


def height_texts(
    heights: Sequence[HeightLine], covered: Sequence[bool], wood: Array, shapes: MarkShapes, size: float
) -> dict[str, TextLine]:
    """Return texts at the right end, else the left (crowded, or ``covered`` by a hand) or above, clear of ``wood``."""
    lines: dict[str, TextLine] = {}
    taken: list[float] = []
    for i, height in enumerate(heights):
        (left, right), y = line_ends(height, shapes)
        crowded = any(abs(y - other) < _APART * size for other in taken)
        taken.append(y)
        room = width_of(height, size)
        beside = wood[np.abs(wood[:, 1] - y) < 0.8 * size, 0]
        if crowded or covered[i]:
            x, anchor = clear_of(left - 6.0, -room, beside), "right"
            inside = max(x, room + _EDGE_PX)
        else:
            x, anchor = clear_of(right + 6.0, room, beside), "left"
            inside = min(x, shapes.width - room - _EDGE_PX)
        if inside != x:
            y += _OVER * size
        if height.text:
            colour = text_colour(line_colour(height.good))
            lines[f"height {i}"] = TextLine(height.text, inside, y, size, colour, True, anchor)
    return lines


def width_of(height: HeightLine, size: float) -> float:
    return _WIDE * len(height.text) * size


def line_ends(height: HeightLine, shapes: MarkShapes) -> tuple[Vec2, float]:
    x, y, z = height.through
    ends = sorted(shapes.pixel((x + side * LEVEL_HALF_M, y, z)) for side in (-1.0, 1.0))
    return (ends[0][0], ends[1][0]), (ends[0][1] + ends[1][1]) / 2.0


def line_colour(good: bool | None) -> Rgba:
    return (*(MOONLIGHT if good is None else GOOD if good else FAULT), 0.95)
