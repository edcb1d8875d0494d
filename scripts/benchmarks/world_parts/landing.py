"""What it costs to say where a held ladder would land, in time of one core: asked in every frame while one is held."""

from __future__ import annotations

import math
import time
from statistics import median

from armoon.geometry import quat_from_axis_angle
from armoon.values.pieces import BASE
from armoon.values.poses import IDENTITY_POSE, Pose
from armoon.world.landing import Ground
from benchmarks.structures.towers import load_tower

#: Attitudes and places that are tried over a tower.
TURNS, ASIDE_M, OVER_M = 40, (-0.03, 0.0, 0.03), 0.35


def landing_ms(size: int) -> dict[str, float]:
    """Milliseconds over the kept tower of this many ladders: the median, and nine of ten."""
    tower = load_tower(size)
    standing = [(name, tower.ladders[name].boxes, pose) for name, pose, _ in tower.standing]
    ground = Ground([(BASE, tower.base.boxes, IDENTITY_POSE), *standing])
    used = {name for name, _, _ in tower.standing}
    held = next(ladder for ladder in tower.ladders.ladders if ladder.piece not in used)
    taken_s = []
    for k in range(TURNS):
        level = k / math.sqrt(2.0)
        axis = (math.cos(level), math.sin(level), 0.0)
        rotation = quat_from_axis_angle(axis, math.pi * k / TURNS)
        for x in ASIDE_M:
            begun_s = time.thread_time()
            ground.under(held, Pose((x, 0.0, OVER_M), rotation))
            taken_s.append(time.thread_time() - begun_s)
    taken_s.sort()
    return {"median": 1000.0 * median(taken_s), "nine_of_ten": 1000.0 * taken_s[len(taken_s) * 9 // 10]}
