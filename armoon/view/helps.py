"""Which depth aids are drawn, the look of meaningful things, and the reading of the glass."""

from __future__ import annotations

import itertools
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
class Helps:
    """Display of depth aids and of the glass."""

    drop_line: bool = True
    """The plumb line under the held ladder, with rings where it meets a ladder and the table."""
    halo: bool = True
    """The light around the ladder that a hand would take, and the ring that closes with the fingers."""
    inset: bool = True
    """The small side view while a ladder is held."""
    uncertainty: bool = True
    """The uncertainty of the hand's distance."""
    landing: bool = True
    """The faint ladder where the held one would come down."""
    calm: bool = False
    """Reduced motion."""
    glass: bool = True
    """A carrying hand is transparent over things well behind it."""
    numbers: bool = False
    """Ladders left and height stay, instead of passing after a change."""
    look: Look = USUAL_LOOK
    text_scale: float = 1.0
    chooses: bool = False
    """The player chooses among offers by buttons beside the table."""
    listed: bool = False
    """All offers are listed there: the game makes room for them, as far as the camera's picture goes."""
    room: Rect | None = None
    """The part of the window in which the game stands beside a page's card; None: the usual one."""

    def at(self, helping: VisualAids) -> Helps:
        if helping is VisualAids.USUAL:
            return self
        on = helping is VisualAids.ALL
        return replace(self, drop_line=on, halo=on, inset=on, uncertainty=on, landing=on)


#: A rail this near beside the plumb line is met by the held ladder's own width (metres).
REACH_M = 0.010
#: Looks of ladders outside the structure.
_NOT_BELOW = frozenset({"held", "waiting", "offered", "hover"})


def ladder_lines(ladders: LadderSet | None) -> dict[PieceId, Array]:
    """Return the rails and rungs of every ladder as lines (n, 2, 3) in its own frame."""
    lines = {}
    for ladder in () if ladders is None else ladders.ladders:
        pairs = [pair for rail in ladder.rails for pair in itertools.pairwise(rail)]
        pairs += ladder.rungs
        if pairs:
            lines[ladder.piece] = np.array(pairs)
    return lines


class Below:
    """The rails and rungs of a set of ladders as lines."""

    def __init__(self, ladders: LadderSet | None) -> None:
        self.lines = ladder_lines(ladders)
        self._standing: tuple[ScenePiece, ...] | None = None
        self._ends, self._boxes = np.zeros((0, 2, 3)), np.zeros((0, 2, 3))

    def under(self, point: Vec3, pieces: tuple[ScenePiece, ...]) -> Vec3 | None:
        """Return the highest place of a standing ladder that is under ``point`` (table frame); None if none is."""
        self._stand(pieces)
        if not self._standing:
            return None
        start, along = self._ends[:, 0], self._ends[:, 1] - self._ends[:, 0]
        spot = np.asarray(point[:2])
        flat = np.maximum((along[:, :2] ** 2).sum(axis=1), 1e-12)
        part = np.clip(((spot - start[:, :2]) * along[:, :2]).sum(axis=1) / flat, 0.0, 1.0)
        nearest = start + part[:, None] * along
        aside = np.linalg.norm(nearest[:, :2] - spot, axis=1)
        heights = np.where((aside <= REACH_M) & (nearest[:, 2] < point[2]), nearest[:, 2], -1.0)
        highest = float(heights.max())
        return (point[0], point[1], highest) if highest > 0.0 else None

    def nearest_m(self, carried: ScenePiece, pieces: tuple[ScenePiece, ...]) -> float:
        """Return the distance of a carried ladder to the nearest standing one, by their boxes, metres."""
        self._stand(pieces)
        if carried.piece not in self.lines or not len(self._boxes):
            return float("inf")
        low, high = _box(self._placed((carried,)))
        apart = np.maximum(np.maximum(self._boxes[:, 0] - high, low - self._boxes[:, 1]), 0.0)
        return float(np.linalg.norm(apart, axis=1).min())

    def standing_ends(self, pieces: tuple[ScenePiece, ...]) -> Array:
        """Return the ends of all standing ladders' lines (n, 3), table frame."""
        self._stand(pieces)
        return self._ends.reshape(-1, 3)

    def ends_of(self, piece: ScenePiece) -> Array:
        """Return the ends of one ladder's lines (n, 3), table frame; none of an unknown one."""
        return self._placed((piece,) if piece.piece in self.lines else ()).reshape(-1, 3)

    def _stand(self, pieces: tuple[ScenePiece, ...]) -> None:
        standing = tuple(p for p in pieces if p.piece in self.lines and p.look not in _NOT_BELOW)
        if standing != self._standing:
            self._standing, self._ends = standing, self._placed(standing)
            self._boxes = np.array([_box(self._placed((piece,))) for piece in standing])

    def _placed(self, pieces: tuple[ScenePiece, ...]) -> Array:
        placed = [np.zeros((0, 2, 3))]
        for piece in pieces:
            matrix = mat_from_pose(piece.pose)
            placed.append(self.lines[piece.piece] @ matrix[:3, :3].T + matrix[:3, 3])
        return np.concatenate(placed)


def _box(lines: Array) -> tuple[Array, Array]:
    points = lines.reshape(-1, 3)
    return points.min(axis=0), points.max(axis=0)
