"""Finds the areas of a scene's objects in the window, and positions for the numbers of offered places."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, pairwise

import numpy as np

from armoon.games.contract import RenderSetup
from armoon.geometry import Array, pose_apply, project_table_points
from armoon.messages import text
from armoon.screen_reader.tree import TableObject
from armoon.screens.pages.table import overlap_area
from armoon.screens.state import Screens
from armoon.values.page import Rect, reserve_areas
from armoon.values.poses import Vec2, Vec3
from armoon.values.scene import Ghost, Scene, ScenePiece
from armoon.world.base import LID_HALF_WIDTH_M, LID_X_M, LID_Y_M

#: Margin around an area, as a fraction of the window.
MARGIN = 0.01
#: Areas of the score and the die in the display.
SCORE_AREA, DIE_AREA = Rect(0.0, 0.0, 0.17, 0.24), Rect(0.65, 0.0, 0.35, 0.13)
#: Area of the hint and the key names at the lower edge.
FOOTER_AREA = Rect(0.0, 0.86, 1.0, 0.14)
#: Side of the square with a number, as a fraction of the window's height.
NUMBER_SIZE = 0.042
#: Height of the lid without and with a ladder in it, in metres.
_LID_RIM_M, _LID_TOP_M = 0.024, 0.15
_IN_LID_LOOKS = ("offered", "hover")
#: Message keys of ladders, for screen readers, by look.
_LADDER_KEYS = {"held": "held", "offered": "offered", "hover": "offered"}


class ScenePlaces:
    """Finds the areas of a scene's objects in the window, as fractions of it."""

    def __init__(self, view: RenderSetup, scene: Scene, to_window: Callable[[Vec2], Vec2]) -> None:
        """``to_window`` maps a point of the camera's picture to the window (both as fractions)."""
        self.view, self.scene, self.to_window = view, scene, to_window

    def find_busy_areas(self, *, left_handed: bool = False) -> tuple[Rect, ...]:
        """Return the areas of ladders, lid, base, score and dice; with ``left_handed``, the display is mirrored."""
        areas = [area.mirrored if left_handed else area for area in (SCORE_AREA, DIE_AREA)]
        return (*areas, *self._find_die_area(), *self._find_body_areas().values())

    def describe_objects(self) -> tuple[TableObject, ...]:
        """Return names, descriptions and areas of the lid, the base, the ladders and the bodies of a board."""
        words = {"lid": text("reader.lid"), "base": text("reader.base")}
        for piece in self.scene.pieces:
            key = _LADDER_KEYS.get(piece.look, "ladder")
            words[piece.piece] = text(f"reader.{key}", number=int(piece.piece[1:]))
        bodies = () if self.scene.board is None else self.scene.board.list_bodies()
        return (
            *((name, words[name], area) for name, area in self._find_body_areas().items()),
            *((body.name, body.words, self._find_bounds(body.corners)) for body in bodies),
        )

    def place_numbers(
        self, screens: Screens, text_areas: Sequence[Rect] = ()
    ) -> tuple[tuple[str, Rect], ...]:
        """Return each offered place's name and the area of its number.

        Each number is inside the window, near an end of its ladder, and clear of panels, lid, ladders and
        ``text_areas``; if possible it is nearer to its own ladder than to any other offered one.
        """
        prefs, aspect = screens.preferences, screens.aspect
        reserved = reserve_areas(tall=screens.is_tall, text_scale=prefs.text_scale, chooses=True)
        busy = [SCORE_AREA, DIE_AREA, FOOTER_AREA, *reserved]
        busy = [rect.mirrored for rect in busy] if prefs.left_handed else busy
        busy += [*text_areas, self._find_bounds(self._make_lid_box()), *self._find_die_area()]
        ghosts = sorted(
            (ghost for ghost in self.scene.ghosts if ghost.number), key=lambda ghost: ghost.number
        )
        bodies: list[ScenePiece | Ghost] = [*ghosts, *self.scene.pieces]
        rails_by_body = [[list(self.project(rail)) for rail in self._place_rails(body)] for body in bodies]
        lines = [[pair for rail in rails for pair in pairwise(rail)] for rails in rails_by_body]
        segments = np.concatenate(lines) * (aspect, 1.0)
        firsts = list(accumulate(map(len, lines[:-1]), initial=0))
        size = NUMBER_SIZE * min(2.0, prefs.text_scale)
        places: list[Rect] = []
        for index, rails in enumerate(rails_by_body[: len(ghosts)]):
            positions = _list_positions(rails, aspect)
            distances = _measure_distances(segments, firsts, np.array(positions) * (aspect, 1.0))
            overlap = np.maximum(0.0, 1.0 - distances.min(axis=1) / (0.72 * size))
            # A number that covers a ladder costs up to 1, one that is nearer to another offered ladder 0.3.
            costs = overlap + 0.3 * (distances[:, : len(ghosts)].min(axis=1) < distances[:, index])
            rects = [Rect(x - 0.5 * size / aspect, y - 0.5 * size, size / aspect, size) for x, y in positions]
            other_costs = [_rate_overlap(rect, (*busy, *places)) for rect in rects]
            places.append(rects[int(np.argmin(costs + other_costs))])
        # Mirrored back here, because the page is mirrored later.
        shown = (rect.mirrored if prefs.left_handed else rect for rect in places)
        return tuple((f"place {ghost.number}", rect) for ghost, rect in zip(ghosts, shown, strict=True))

    def project(self, points: Sequence[Vec3]) -> Iterator[Vec2]:
        """Project points of the table frame, in metres, to the window."""
        camera = self.view.camera
        for x, y in project_table_points(camera, self.view.table_from_camera, points):
            across = (float(x) + 0.5) / camera.width
            shown = 1.0 - across if self.view.mirrored else across
            yield self.to_window((shown, (float(y) + 0.5) / camera.height))

    def _find_body_areas(self) -> dict[str, Rect]:
        view, pieces = self.view, self.scene.pieces
        bodies: dict[str, Sequence[Vec3]] = {}
        if view.ladders is not None and view.lid:
            is_filled = any(piece.look in _IN_LID_LOOKS for piece in pieces)
            bodies["lid"] = self._make_lid_box(_LID_TOP_M if is_filled else _LID_RIM_M)
        if view.base is not None:
            reach = max(abs(v) + max(box.half_extents) for box in view.base.boxes for v in box.centre[:2])
            bodies["base"] = _make_box(0.0, 0.0, reach, view.base.height_m)
        for piece in pieces if view.ladders is not None else ():
            bodies[piece.piece] = [point for rail in self._place_rails(piece) for point in rail]
        return {name: self._find_bounds(points) for name, points in bodies.items()}

    def _find_die_area(self) -> tuple[Rect, ...]:
        die = self.scene.die
        if die is None:
            return ()
        x, y, _ = die.rest.position
        return (self._find_bounds(_make_box(x, y, die.edge_m / 2.0, die.edge_m)),)

    def _find_bounds(self, points: Sequence[Vec3]) -> Rect:
        xs, ys = zip(*self.project(points), strict=True)
        left, top = min(xs) - MARGIN, min(ys) - MARGIN
        return Rect(left, top, max(xs) + MARGIN - left, max(ys) + MARGIN - top)

    def _make_lid_box(self, top_m: float = _LID_TOP_M) -> list[Vec3]:
        lid_x_m = LID_X_M if self.view.base is None else self.view.base.lid_x_m
        return _make_box(lid_x_m, LID_Y_M, LID_HALF_WIDTH_M, top_m)

    def _place_rails(self, piece: ScenePiece | Ghost) -> list[list[Vec3]]:
        assert self.view.ladders is not None
        rails = self.view.ladders[piece.piece].rails
        return [[pose_apply(piece.pose, point) for point in rail] for rail in rails]


def _list_positions(rails: Sequence[Sequence[Vec2]], aspect: float) -> list[Vec2]:
    return [
        (x + distance * math.cos(angle_rad) / aspect, y + distance * math.sin(angle_rad))
        for distance in (0.04, 0.06, 0.09, 0.13, 0.18)
        for rail in rails
        for x, y in (rail[0], rail[-1])
        for angle_rad in (k * math.tau / 8 for k in range(8))
    ]


def _rate_overlap(rect: Rect, busy: Iterable[Rect]) -> float:
    """Return 0 for a number in the window and clear of panels, else a cost above those of all other faults."""
    if min(rect.x, rect.y, 1.0 - rect.x - rect.width, 1.0 - rect.y - rect.height) < 0.0:
        return 4.0
    return 2.0 if any(overlap_area(rect, other) > 0.0 for other in busy) else 0.0


def _measure_distances(segments: Array, firsts: list[int], points: Array) -> Array:
    """Return the distance of each of (m, 2) points to each ladder, (m, ladders).

    ``segments``: the ladders' rails as line segments (n, 2, 2); ``firsts``: index of each ladder's first segment.
    """
    starts, spans = segments[:, 0], segments[:, 1] - segments[:, 0]
    offsets = points[:, None] - starts
    along = (offsets * spans).sum(axis=2) / np.maximum((spans * spans).sum(axis=1), 1e-12)
    distances = np.linalg.norm(offsets - np.clip(along, 0.0, 1.0)[:, :, None] * spans, axis=2)
    return np.asarray(np.minimum.reduceat(distances, firsts, axis=1))


def _make_box(x: float, y: float, half: float, top: float) -> list[Vec3]:
    return [(x + dx * half, y + dy * half, z) for dx in (-1.0, 1.0) for dy in (-1.0, 1.0) for z in (0.0, top)]
