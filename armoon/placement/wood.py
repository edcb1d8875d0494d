"""The standing wood as straight pieces: where a ladder can be laid, and which rail ends are free."""

from __future__ import annotations

import itertools
from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from armoon.geometry import Array, mat_from_quat
from armoon.placement.values import Load
from armoon.values.pieces import Ladder, PieceId
from armoon.world.checks import Standing
from armoon.world.exact import PlacedBoxes

Ints = npt.NDArray[np.int64]

#: Difference in height that makes the higher of two pieces of wood likelier by e.
HEIGHT_M = 0.016
#: The halves of a piece of wood that bear nothing are still tried now and then.
LEAST_FIRM = 0.03
#: Depth below the top at which wood needn't be asked how firm it is: ladders are hardly ever laid on it.
REACHED_M = 0.09


class Wood:
    """All boxes of all ladders, n of them, as segments in the table frame (m)."""

    def __init__(self, ladders: Mapping[PieceId, Ladder], standing: Standing) -> None:
        placed = [PlacedBoxes(ladders[name].boxes, pose) for name, pose, _ in standing]
        self.names = [name for name, _, _ in standing]
        self.owner: Ints = np.repeat(np.arange(len(placed)), [len(one.centres) for one in placed])
        self.axes: Array = np.concatenate([one.axes for one in placed])
        self.halves: Array = np.concatenate([one.halves for one in placed])
        centres = np.concatenate([one.centres for one in placed])
        self.way: Array = self.axes[:, :, 2]
        """Unit vectors along the wood (n, 3)."""
        self.span: Array = 2.0 * self.way * self.halves[:, 2:]
        self.start: Array = centres - 0.5 * self.span
        self.upper: Array = np.maximum(self.start[:, 2], self.start[:, 2] + self.span[:, 2])
        """The height of the upper end of each axis (n,)."""
        self.top_m = float(max(one.corners()[:, :, 2].max() for one in placed))
        ends, ways, owners = [], [], []
        openings: list[Array] = []
        opens: list[int] = []
        for index, (name, pose, _) in enumerate(standing):
            turn, at = mat_from_quat(pose.rotation), np.asarray(pose.position)
            for rail in ladders[name].rails:
                line = np.asarray(rail) @ turn.T + at
                for end, before in ((line[0], line[1]), (line[-1], line[-2])):
                    ends.append(end)
                    ways.append((end - before) / np.linalg.norm(end - before))
                    owners.append(index)
            rungs = np.asarray(ladders[name].rungs).reshape(-1, 2, 3) @ turn.T + at
            openings += [np.concatenate([low, high[::-1]]) for low, high in itertools.pairwise(rungs)]
            opens += [index] * (len(rungs) - 1)
        self.ends: Array = np.array(ends).reshape(-1, 3)
        """The rails' free ends (e, 3), the directions in which they point, and whose they are."""
        self.end_way: Array = np.array(ways).reshape(-1, 3)
        self.end_owner: Ints = np.array(owners, np.int64)
        self.end_firm: Array = np.ones(len(owners))
        """How firm they are, from 0 to 1 (e,)."""
        self.openings: Array = np.array(openings).reshape(-1, 4, 3)
        """The corners of each opening, in turn: the ends of two rungs that follow each other (o, 4, 3); and whose."""
        self.opening_owner: Ints = np.array(opens, np.int64)
        self._firm = np.ones((len(self.owner), 2))

    def draw(self, rng: np.random.Generator, count: int) -> tuple[Array, Ints]:
        """Random points (count, 3) on the wood and the segments they are on; high and firm ones are likelier."""
        heights = self.start[:, 2] + 0.5 * self.span[:, 2]
        weight = (self.halves[:, 2] * np.exp((heights - heights.max()) / HEIGHT_M))[:, None] * self._firm
        chosen, half = np.divmod(rng.choice(weight.size, count, p=weight.ravel() / weight.sum()), 2)
        along = 0.5 * (half[:, None] + rng.random((count, 1)))
        return self.start[chosen] + along * self.span[chosen], chosen

    def threads(self) -> npt.NDArray[np.bool_]:
        """Whether the axis of each piece of wood goes through each opening (n, o); none through its own ladder's."""
        corners = self.openings
        normal = np.cross(corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1])
        middle = corners.mean(axis=1)
        off = ((self.start[:, None] - middle) * normal).sum(axis=-1)
        rate = self.span @ normal.T
        with np.errstate(divide="ignore", invalid="ignore"):
            part = -off / rate
        through: npt.NDArray[np.bool_] = (part >= 0.0) & (part <= 1.0)
        through &= self.owner[:, None] != self.opening_owner
        i, o = np.nonzero(through)
        point = self.start[i] + part[i, o][:, None] * self.span[i]
        side = np.roll(corners, -1, axis=1)[o] - corners[o]
        turns = np.cross(side, point[:, None] - corners[o])
        within = (turns * normal[o][:, None]).sum(axis=-1) > 0.0
        through[i, o] = within.all(axis=1)
        return through

    def gaps_m(self, points: Array) -> Array:
        """Distances (p, n) of points (p, 3) from the axis of each piece of wood."""
        off = points[:, None] - self.start
        along = np.clip((off * self.span).sum(axis=-1) / (self.span**2).sum(axis=-1), 0.0, 1.0)
        return np.asarray(np.linalg.norm(off - along[..., None] * self.span, axis=-1))

    def spots(self) -> tuple[Ints, list[Load]]:
        """Return the segments worth testing for firmness, and a ladder's weight on each of their halves."""
        high = np.flatnonzero(self.upper > self.top_m - REACHED_M)
        points = [(k, self.start[k] + part * self.span[k]) for k in high for part in (0.25, 0.75)]
        return high, [((self.names[self.owner[k]], point, 1.0),) for k, point in points]

    def end_loads(self) -> list[Load]:
        """Return a ladder's weight on each rail end."""
        return [
            ((self.names[owner], end, 1.0),) for owner, end in zip(self.end_owner, self.ends, strict=True)
        ]

    def weigh(self, segments: Ints, firmness: Array) -> None:
        """Note how firm (m, 2) the halves of these segments are, from 0 to 1."""
        self._firm[segments] = np.maximum(LEAST_FIRM, firmness)
