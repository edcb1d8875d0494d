"""Display settings, such as depth aids and text size, and the geometry of standing ladders that the aids need."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, replace

import numpy as np

from armoon.geometry import Array, mat_from_pose
from armoon.values.look import USUAL_LOOK, Look
from armoon.values.page import Rect
from armoon.values.pieces import LadderSet, PieceId
from armoon.values.player_settings import VisualAids
from armoon.values.poses import Vec3
from armoon.values.scene import ScenePiece


@dataclass(frozen=True)
class DisplayAids:
    drop_line: bool = True
    """Show the plumb line below the held ladder, with rings where it meets a ladder and the table."""
    halo: bool = True
    """Show a glow around the ladder that a hand would grab, and a ring that closes with the fingers."""
    inset: bool = True
    """Show the small side view of a held ladder."""
    uncertainty: bool = True
    """Show the uncertainty of the hand's distance."""
    landing: bool = True
    """Show a faint ladder where the held one would land."""
    calm: bool = False
    """Reduce motion."""
    see_through: bool = True
    """Make a carrying hand transparent over objects well behind it."""
    numbers: bool = False
    """Keep the height and the number of ladders left visible instead of fading them after a change."""
    look: Look = USUAL_LOOK
    text_scale: float = 1.0
    has_choice_buttons: bool = False
    """Show offers as buttons beside the table."""
    listed: bool = False
    """List all offers beside the table, in space that the picture leaves free."""
    room: Rect | None = None
    """The part of the window that a page's card leaves to the game; None: the usual part."""

    def with_visual_aids(self, visual_aids: VisualAids) -> DisplayAids:
        if visual_aids is VisualAids.USUAL:
            return self
        is_on = visual_aids is VisualAids.ALL
        return replace(self, drop_line=is_on, halo=is_on, inset=is_on, uncertainty=is_on, landing=is_on)


#: Distance from the plumb line, in metres, within which a rail or rung counts as below the held ladder.
REACH_M = 0.010
#: Looks of ladders outside the structure.
_NOT_STANDING = frozenset({"held", "waiting", "offered", "hover"})


def make_ladder_lines(ladders: LadderSet | None) -> dict[PieceId, Array]:
    """Return each ladder's rails and rungs as lines (n, 2, 3) in its own frame."""
    lines = {}
    for ladder in () if ladders is None else ladders.ladders:
        pairs = [pair for rail in ladder.rails for pair in itertools.pairwise(rail)]
        pairs += ladder.rungs
        if pairs:
            lines[ladder.piece] = np.array(pairs)
    return lines


class StandingLadders:
    """The rails and rungs of standing ladders as lines, in the table frame."""

    def __init__(self, ladders: LadderSet | None) -> None:
        self.lines = make_ladder_lines(ladders)
        self._pieces: tuple[ScenePiece, ...] | None = None
        self._standing: tuple[ScenePiece, ...] | None = None
        self._ends, self._boxes = np.zeros((0, 2, 3)), np.zeros((0, 2, 3))

    def find_highest_below(self, point: Vec3, pieces: tuple[ScenePiece, ...]) -> Vec3 | None:
        """Return the highest point of a standing ladder under ``point`` (table frame); None if there is none."""
        self._update(pieces)
        if not self._standing:
            return None
        start, along = self._ends[:, 0], self._ends[:, 1] - self._ends[:, 0]
        target_xy = np.asarray(point[:2])
        squared = np.maximum((along[:, :2] ** 2).sum(axis=1), 1e-12)
        fractions = np.clip(((target_xy - start[:, :2]) * along[:, :2]).sum(axis=1) / squared, 0.0, 1.0)
        nearest = start + fractions[:, None] * along
        distances_m = np.linalg.norm(nearest[:, :2] - target_xy, axis=1)
        heights = np.where((distances_m <= REACH_M) & (nearest[:, 2] < point[2]), nearest[:, 2], -1.0)
        highest = float(heights.max())
        return (point[0], point[1], highest) if highest > 0.0 else None

    def measure_gap_m(self, carried: ScenePiece, pieces: tuple[ScenePiece, ...]) -> float:
        """Return the distance in metres between the bounding boxes of a carried ladder and the nearest standing one."""
        self._update(pieces)
        if carried.piece not in self.lines or not len(self._boxes):
            return float("inf")
        low, high = _find_bounds(self._transform_lines((carried,)))
        apart = np.maximum(np.maximum(self._boxes[:, 0] - high, low - self._boxes[:, 1]), 0.0)
        return float(np.linalg.norm(apart, axis=1).min())

    def list_standing_ends(self, pieces: tuple[ScenePiece, ...]) -> Array:
        """Return the ends of all lines of standing ladders (n, 3), table frame."""
        self._update(pieces)
        return self._ends.reshape(-1, 3)

    def list_ends(self, piece: ScenePiece) -> Array:
        """Return the ends of a ladder's lines (n, 3), table frame; n is 0 for an unknown ladder."""
        return self._transform_lines((piece,) if piece.piece in self.lines else ()).reshape(-1, 3)

    def _update(self, pieces: tuple[ScenePiece, ...]) -> None:
        if pieces is self._pieces:
            return
        self._pieces = pieces
        standing = tuple(p for p in pieces if p.piece in self.lines and p.look not in _NOT_STANDING)
        if standing != self._standing:
            self._standing, self._ends = standing, self._transform_lines(standing)
            self._boxes = np.array([_find_bounds(self._transform_lines((piece,))) for piece in standing])

    def _transform_lines(self, pieces: tuple[ScenePiece, ...]) -> Array:
        transformed = [np.zeros((0, 2, 3))]
        for piece in pieces:
            matrix = mat_from_pose(piece.pose)
            transformed.append(self.lines[piece.piece] @ matrix[:3, :3].T + matrix[:3, 3])
        return np.concatenate(transformed)


def _find_bounds(lines: Array) -> tuple[Array, Array]:
    points = lines.reshape(-1, 3)
    return points.min(axis=0), points.max(axis=0)


#: Width and height of the side view, relative to the picture's height; its range along the table frame's y, in metres.
INSET_WIDTH, INSET_HEIGHT, NEAR_M, FAR_M = 0.235, 0.27, -0.15, 0.15
#: Margin above the highest object, and step and minimum of the shown height, in metres. Steps keep the scale steady.
_MARGIN_M, _STEP_M, _MIN_HEIGHT_M = 0.03, 0.08, 0.24


def find_inset_px_per_m(shown_height_px: float, structure_top_m: float, held_m: float) -> float:
    height, width = round(INSET_HEIGHT * shown_height_px), round(INSET_WIDTH * shown_height_px)
    top = max(structure_top_m, held_m + 0.06) + _MARGIN_M
    shown_m = max(_MIN_HEIGHT_M, _STEP_M * math.ceil(top / _STEP_M))
    return width / max(FAR_M - NEAR_M, shown_m / 0.90 * width / height)
