"""What the benchmark's player does with the ladder besides moving its hand: presses that rotate it."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from armoon.games.moon.table.lid import ATTITUDES
from armoon.geometry import Array, quat_angle, quat_inverse, quat_multiply
from armoon.values.acts import Act
from armoon.values.intents import Command
from armoon.values.poses import Pose, Quat

#: The rotation, as seen from home, that a tilt in a direction asks for.
Tilted = Callable[[int, float], Quat]
#: Every way in which a ladder can be tilted.
WAYS = (1, -1, 2, -2, 3, -3)
#: Maximum number of presses at the lid, and the least approach by each.
MOST_PRESSES, WORTH_RAD = 24, math.radians(1.0)


def presses_at_lid(home_from_table: Pose, goal: Quat, tilted: Tilted, step_rad: float) -> tuple[Command, ...]:
    """Return the presses that bring the ladder in the lid nearest to its release pose: next sides, then tilts.

    ``goal`` in the table frame.
    """
    wanted = quat_multiply(home_from_table.rotation, goal)
    found: list[tuple[float, int, tuple[Command, ...]]] = []
    for steps, attitude in enumerate(ATTITUDES):
        sides = (Command(Act.TIP, value=steps),) if steps else ()
        here = attitude
        tilting: list[Command] = []
        while len(tilting) < MOST_PRESSES:
            way = min(WAYS, key=lambda way: quat_angle(quat_multiply(tilted(way, step_rad), here), wanted))
            nearer = quat_multiply(tilted(way, step_rad), here)
            if quat_angle(nearer, wanted) > quat_angle(here, wanted) - WORTH_RAD:
                break
            here = nearer
            tilting.append(Command(Act.TILT, value=way))
        found.append((quat_angle(here, wanted), steps + len(tilting), (*sides, *tilting)))
    best = min(found, key=lambda one: one[0] + math.radians(0.5) * one[1])
    return best[2]


def fine_press(
    home_from_table: Pose, seen: Quat, goal: Quat, view: Array, tilted: Tilted, step_rad: float
) -> int | None:
    """Return the way to tilt the held ladder out of the picture by a step, as the hand can't.

    None where that is no help.
    """
    missing = quat_multiply(goal, quat_inverse(seen))
    at_home = quat_multiply(
        quat_multiply(home_from_table.rotation, missing), quat_inverse(home_from_table.rotation)
    )
    left = _without(at_home, view)

    def remains(way: int) -> float:
        after = quat_multiply(left, quat_inverse(tilted(way, step_rad)))
        return 2.0 * math.acos(min(1.0, abs(after[3])))

    now = 2.0 * math.acos(min(1.0, abs(left[3])))
    way = min(WAYS[2:], key=remains)
    return way if remains(way) < now - 0.3 * step_rad else None


def _without(rotation: Quat, axis: Array) -> Quat:
    """Return a small rotation less its share about a unit axis."""
    x, y, z, w = rotation if rotation[3] >= 0.0 else tuple(-part for part in rotation)
    vector = np.array([x, y, z])
    vector = vector - (vector @ axis) * axis
    length = math.sqrt(float(vector @ vector) + w * w)
    return (float(vector[0]) / length, float(vector[1]) / length, float(vector[2]) / length, w / length)
