"""How a structure grows: its height by the number of ladders, how many rise, and how many hang over the base's edge."""

from __future__ import annotations

import math

import numpy as np

from armoon.games.moon.rules.values import Phase
from armoon.games.moon.table.match import MoonMatch
from armoon.geometry import mat_from_quat, pose_apply, rise_deg
from armoon.values.facts import PieceFacts, PieceStatus
from armoon.values.pieces import Base, Ladder
from armoon.values.places import RISING_DEG

#: Number of ladders at which the height is measured: a dozen placed, and the two in their slots.
LADDERS = 14


class Stature:
    """Sees every frame; takes in those in which all is at rest between two turns."""

    def __init__(self) -> None:
        self.heights_m: dict[int, float] = {}
        """The greatest height by the number of standing ladders."""
        self.rising = self.hanging = 0.0
        """Of the placed ladders, when most stood: the share that rises, and that hangs over the base's edge."""

    @property
    def height_m(self) -> float:
        """The greatest height of no more than ``LADDERS``."""
        return max((high for count, high in self.heights_m.items() if count <= LADDERS), default=0.0)

    def note(self, match: MoonMatch) -> None:
        """Take in one frame."""
        if match.state.phase is not Phase.ROLL or not match.at_rest:
            return
        free = [piece for piece in match.facts.pieces if piece.status is PieceStatus.FREE]
        fixed = [piece for piece in match.facts.pieces if piece.status is PieceStatus.FIXED]
        count, top_m = len(free) + len(fixed), max(piece.highest_m for piece in (*free, *fixed))
        if free and count >= max(self.heights_m, default=0):
            self.rising = float(np.mean([rise_deg(piece.pose) >= RISING_DEG for piece in free]))
            self.hanging = float(np.mean([hangs(match.ladders[one.piece], one, match.base) for one in free]))
        self.heights_m[count] = max(top_m, self.heights_m.get(count, 0.0))


def hangs(ladder: Ladder, seen: PieceFacts, base: Base) -> bool:
    """Return whether an end of a ladder is out over the base's edge, with nothing below it but the table."""
    ends = (pose_apply(seen.pose, rail[k]) for rail in ladder.rails for k in (0, -1))
    return not all(over(base, x, y) for x, y, _ in ends)


def over(base: Base, x_m: float, y_m: float) -> bool:
    """Return whether a point of the table lies under one of the base's boxes, seen from above."""
    for box in base.boxes:
        along = mat_from_quat(box.rotation).T @ np.subtract((x_m, y_m, box.centre[2]), box.centre)
        if math.fabs(along[0]) <= box.half_extents[0] and math.fabs(along[1]) <= box.half_extents[1]:
            return True
    return False
