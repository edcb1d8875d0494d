"""Statics: the contact forces that can hold a ladder still, from its points of contact.

If more than three points touch, many sets of forces are possible, and the geometry can't tell which one is real. The
solution with the least sum of squares is used: no point presses harder than it must. Compared with a physics engine in
417 random placements on one other ladder: of 262 with less than 0.65 of the weight on any rung there, one was
reported here with 0.75 on one; of those with 0.85 to 1.3, five of six.
"""

from __future__ import annotations

import numpy as np

from armoon.geometry import Array

#: Wood on wood as in the world: no force leans farther from the normal than this tangent.
FRICTION = 0.4
#: Turning is weighed against lifting as if it acted at this distance, half a ladder's length or so.
ARM_M = 0.05
#: How much a force's own size counts beside what is left unheld: small, so that it only chooses among solutions.
STIFFNESS = 0.02
ITERATIONS = 600
#: Badly held weight: that share of it is left over.
MOST_UNHELD = 0.1


def holding_forces(centre: Array, points: Array, normals: Array) -> Array | None:
    """Return the least forces (n, 3) at points (n, 3) that hold a ladder of weight 1 up; None if none do."""
    forces, unheld = least_forces(centre, points, normals)
    return forces if unheld <= MOST_UNHELD else None


def least_forces(centre: Array, points: Array, normals: Array) -> tuple[Array, float]:
    """Return the forces (n, 3) that come nearest to holding a ladder of weight 1, and the share left over.

    ``centre`` (3,) is its centre of mass; ``normals`` (n, 3) are unit vectors from the other wood to the ladder. Every
    force presses, within the cone of friction. Solved by projected gradients with momentum (Beck and Teboulle, A fast
    iterative shrinkage-thresholding algorithm, 2009).
    """
    count = len(points)
    if count == 0:
        return np.zeros((0, 3)), 1.0
    arms = (points - centre) / ARM_M
    effect = np.zeros((6, count, 3))
    effect[:3] = np.eye(3)[:, None, :]
    for row, i, j in ((3, 1, 2), (4, 2, 0), (5, 0, 1)):  # the cross product of arm and force
        effect[row, :, j], effect[row, :, i] = arms[:, i], -arms[:, j]
    whole = effect.reshape(6, 3 * count)
    weight = np.array([0.0, 0.0, 1.0, 0.0, 0.0, 0.0])
    curve = whole.T @ whole + STIFFNESS**2 * np.eye(3 * count)
    step, pull = 1.0 / float(np.linalg.norm(curve, 2)), whole.T @ weight
    forces = ahead = np.zeros(3 * count)
    momentum = 1.0
    for _ in range(ITERATIONS):
        moved = _within_friction((ahead - step * (curve @ ahead - pull)).reshape(count, 3), normals).ravel()
        faster = (1.0 + np.sqrt(1.0 + 4.0 * momentum**2)) / 2.0
        ahead = moved + (momentum - 1.0) / faster * (moved - forces)
        forces, momentum = moved, faster
    return forces.reshape(count, 3), float(np.linalg.norm(whole @ forces - weight))


def _within_friction(forces: Array, normals: Array) -> Array:
    """Return the forces (n, 3) that are nearest to these and press within the cone of friction."""
    pressing = (forces * normals).sum(axis=1)
    along = forces - pressing[:, None] * normals
    sliding = np.linalg.norm(along, axis=1)
    on_cone = (pressing + FRICTION * sliding) / (1.0 + FRICTION**2)
    way = normals + FRICTION * along / np.maximum(sliding, 1e-12)[:, None]
    inside, away = sliding <= FRICTION * pressing, FRICTION * sliding <= -pressing
    return np.asarray(np.where(inside[:, None], forces, np.where(away, 0.0, on_cone)[:, None] * way))
