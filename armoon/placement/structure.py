"""The search's facts about a structure, for any ladder: computed once, between turns if there is time."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from armoon.placement.bearing import Bearing
from armoon.placement.rehearsal import Rehearsal
from armoon.placement.wood import Wood
from armoon.values.pieces import Base, Ladder, PieceId
from armoon.world.checks import Standing

#: Unbalanced rest of a load, in weights of a ladder, that halves its worth.
SAG = 0.01
#: ... by which a rail end is tried e times less often: a ladder hooked over it mostly bears on other wood too.
END_SAG, LEAST_END = 0.08, 0.05


class Known:
    """One structure: its wood, its balance, and two engines to drop ladders in; close it."""

    def __init__(self, ladders: Mapping[PieceId, Ladder], base: Base, standing: Standing) -> None:
        self.asked, self.ladders = tuple(standing), ladders
        self.free = Rehearsal(ladders, base, standing, frozen=False)
        # As it came to rest in the engine that has the last word.
        settled = self.free.standing
        self.frozen = Rehearsal(ladders, base, settled, frozen=True)
        self.wood = Wood(ladders, settled)
        self.bearing = Bearing(ladders, settled, self.free.meetings())
        segments, spots = self.wood.spots()
        self.wood.weigh(segments, np.exp(-self.bearing.unborne(spots).reshape(-1, 2) / SAG))
        lacks = self.bearing.unborne(self.wood.end_loads())
        self.wood.end_firm = np.maximum(LEAST_END, np.exp(-lacks / END_SAG))

    def close(self) -> None:
        """Free the engines."""
        self.free.close()
        self.frozen.close()
