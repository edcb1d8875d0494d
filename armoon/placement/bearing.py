"""Whether a structure still stands with one more load: all contact forces at once, for many loads at once.

The unknowns are the forces at every point where ladders touch, each within its cone of friction; every free ladder
must be in balance. The solution is the set of forces that leaves the least imbalance, found by alternating directions
(Boyd et al., Distributed optimization and statistical learning via the alternating direction method of multipliers,
2011): one matrix is inverted per structure, and then thirty loads cost little more than one. The remaining imbalance,
in weights of a ladder, tells how far a load is from being supported; it says little about a structure that rocks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from armoon.geometry import Array
from armoon.placement.rehearsal import Meeting
from armoon.placement.values import Load
from armoon.values.pieces import Ladder, PieceId
from armoon.world.bullet import FRICTION
from armoon.world.checks import Standing

#: Turning is weighed against lifting as if it acted at this distance, half a ladder's length or so.
ARM_M = 0.05
#: How stiffly the two halves of the problem are held together, and how far each step overshoots.
STIFFNESS, OVERSHOOT = 0.05, 1.6
#: Steps for the structure's own weight, and from there for a load.
OWN_STEPS, LOAD_STEPS = 400, 120


class Bearing:
    """One structure's balance."""

    def __init__(
        self, ladders: Mapping[PieceId, Ladder], standing: Standing, meetings: Sequence[Meeting]
    ) -> None:
        free = [(name, pose) for name, pose, fixed in standing if not fixed]
        self._row = {name: 6 * index for index, (name, _) in enumerate(free)}
        self._centre = {name: np.asarray(pose.position) for name, pose in free}
        mass = float(np.mean([ladders[name].mass_kg for name, _, _ in standing]))
        owners = [(m.a, m.b) for m in meetings for _ in m.points]
        points = np.concatenate([m.points for m in meetings]) if meetings else np.zeros((0, 3))
        self._normals = np.concatenate([m.normals for m in meetings]) if meetings else np.zeros((0, 3))
        self._effect = np.zeros((6 * len(free), 3 * len(points)))
        for column, (pair, point) in enumerate(zip(owners, points, strict=True)):
            for name, sign in zip(pair, (1.0, -1.0), strict=True):
                if name in self._row:
                    rows = slice(self._row[name], self._row[name] + 6)
                    self._effect[rows, 3 * column : 3 * column + 3] = sign * self._wrench(name, point)
        self._own = np.zeros(6 * len(free))
        for name, row in self._row.items():
            self._own[row + 2] = -ladders[name].mass_kg / mass
        small = self._effect @ self._effect.T + STIFFNESS * np.eye(6 * len(free))
        self._inverse = np.linalg.inv(small)
        self._start = np.zeros((self._effect.shape[1], 1))
        self._lack = 0.0
        """What the structure lacks without a load: it stands all the same, so nothing is asked of a load for that."""
        if free:
            self._start = self._solve(self._own[:, None], OWN_STEPS)[1]
            self._lack = float(self._solve(self._own[:, None], LOAD_STEPS)[0][0])

    def unborne(self, loads: Sequence[Load]) -> Array:
        """For each load what it adds to the most that any ladder lacks for balance, in weights of a ladder (n,)."""
        if not self._row or not loads:
            return np.zeros(len(loads))
        table = np.repeat(self._own[:, None], len(loads), axis=1)
        for column, load in enumerate(loads):
            for name, point, share in load:
                if name in self._row:
                    row = self._row[name]
                    table[row : row + 6, column] -= share * self._wrench(name, point)[:, 2]
        return np.maximum(0.0, self._solve(table, LOAD_STEPS)[0] - self._lack)

    def _wrench(self, name: PieceId, point: Array) -> Array:
        """Return the wrench (6, 3) of a unit force at a point (3,) on a ladder."""
        x, y, z = (point - self._centre[name]) / ARM_M
        return np.vstack([np.eye(3), [[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]]])

    def _solve(self, loads: Array, steps: int) -> tuple[Array, Array]:
        """Return the unbalanced rest of loads (6 n, c) at the worst ladder (c,), and the forces (3 p, c)."""
        effect, count = self._effect, loads.shape[1]
        within = np.repeat(self._start, count // self._start.shape[1], axis=1)
        apart = np.zeros_like(within)
        pull = effect.T @ loads
        for _ in range(steps):
            wish = STIFFNESS * (within - apart) - pull
            forces = (wish - effect.T @ (self._inverse @ (effect @ wish))) / STIFFNESS
            forces = OVERSHOOT * forces + (1.0 - OVERSHOOT) * within
            within = self._in_cones(forces + apart)
            apart += forces - within
        left = (effect @ within + loads).reshape(-1, 6, count)
        return np.sqrt((left**2).sum(axis=1)).max(axis=0), within

    def _in_cones(self, forces: Array) -> Array:
        """Return the nearest forces that press, within their cones of friction."""
        v = forces.reshape(-1, 3, forces.shape[1])
        normal = self._normals[:, :, None]
        press = (v * normal).sum(axis=1)
        aside = v - press[:, None] * normal
        slide = np.sqrt((aside**2).sum(axis=1))
        on_cone = (press + FRICTION * slide) / (1.0 + FRICTION**2)
        way = normal + FRICTION * aside / np.maximum(slide, 1e-12)[:, None]
        inside, away = slide <= FRICTION * press, FRICTION * slide <= -press
        nearest = np.where(away[:, None], 0.0, on_cone[:, None] * way)
        return np.asarray(np.where(inside[:, None], v, nearest).reshape(forces.shape))
