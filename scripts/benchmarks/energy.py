"""Measures the mechanical energy in a world."""

from __future__ import annotations

import math

from armoon.geometry import quat_inverse, quat_rotate
from armoon.world.bullet import GRAVITY_M_S2
from armoon.world.ladders import STANDING_STATUSES
from armoon.world.local import LocalWorld


def compute_energy_j(world: LocalWorld) -> float:
    """Return the energy of all free and starting ladders: kinetic, and potential above the table."""
    energy_j = 0.0
    for piece in world._pieces.values():
        if piece.status in STANDING_STATUSES and piece.body is not None:
            linear, angular = world._engine.get_velocity(piece.body)
            pose, ladder = world._engine.get_pose(piece.body), piece.ladder
            body_rates = quat_rotate(quat_inverse(pose.rotation), angular)
            rotational = sum(
                i * rate * rate for i, rate in zip(ladder.inertia_kg_m2, body_rates, strict=True)
            )
            energy_j += 0.5 * (ladder.mass_kg * math.hypot(*linear) ** 2 + rotational)
            energy_j += ladder.mass_kg * GRAVITY_M_S2 * pose.position[2]
    return energy_j
