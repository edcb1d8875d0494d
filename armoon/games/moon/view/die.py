"""The rolling die: which of the recorded rolls is seen, and how the die was held for its face to come up."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from armoon.games.moon.rules.editions import DieSource
from armoon.games.moon.rules.state import State
from armoon.games.moon.rules.values import Die
from armoon.geometry import mat_from_quat, pose_between, quat_from_matrix
from armoon.values.poses import Pose, Vec2
from armoon.values.scene import DieFace, SceneDie

#: Beside this module: the paths (n, ticks, 7) and their blows (n, m, 2: seconds, strength), from where they end.
SHIPPED = Path(__file__).with_name("rolls.npz")
#: Edge of the drawn die, metres: larger than a wooden one, so that it can be read from two metres.
EDGE_M = 0.040
#: Where the die comes to rest: beside the base, opposite the lid (mirrored with it); nearer in a team's game.
LANDS: dict[bool, Vec2] = {False: (-0.156, 0.028), True: (-0.134, -0.072)}
#: Ticks in which it comes to rest, at least and at most.
SHORTEST, LONGEST = 62, 88
#: What is painted on it.
FACES = {Die.ONE: DieFace.LADDER, Die.TWO: DieFace.TWO_LADDERS, Die.MOON: DieFace.CRESCENT}
#: By axis of the die.
_PAINTED = tuple(FACES.values())

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class DieRoll:
    """One roll of the die in a game."""

    die: Die
    number: int
    """Number of the recorded roll."""
    side: float = 1.0
    """-1 where the lid is at the base's left."""
    team: bool = False

    @classmethod
    def of(cls, state: State, lid_x_m: float) -> DieRoll | None:
        """Return the roll that is seen in this turn, always the same; None where no drawn die lies."""
        if state.die is None or state.final or state.options.die is DieSource.REAL:
            return None
        number = int(random.Random(f"{state.seed}:roll:{state.turn}").random() * len(_recorded()[0]))
        return cls(state.die, number, math.copysign(1.0, lid_x_m), state.cooperative)

    def at(self, ticks: float) -> SceneDie:
        path = _path(self)
        most = len(path) - 1
        tick = min(max(ticks, 0.0), float(most))
        k = min(int(tick), most - 1)
        lies = path[k] == path[most] or tick == most
        pose = path[most] if lies else pose_between(path[k], path[k + 1], tick - k)
        return SceneDie(pose, path[most], EDGE_M)

    @property
    def blows(self) -> tuple[tuple[float, float], ...]:
        return tuple(
            (float(when), float(force)) for when, force in _recorded()[1][self.number] if force > 0.0
        )


@lru_cache(maxsize=1)
def _recorded() -> tuple[Array, Array]:
    with np.load(SHIPPED) as kept:
        return kept["paths"].astype(np.float64), kept["blows"].astype(np.float64)


@lru_cache(maxsize=4)
def _path(roll: DieRoll) -> tuple[Pose, ...]:
    kept = _recorded()[0][roll.number].copy()
    kept[:, :2] += LANDS[roll.team]
    if roll.side < 0.0:
        kept[:, [0, 4, 5]] *= -1.0
    end = mat_from_quat(kept[-1, 3:])
    held = _held(end, _PAINTED.index(FACES[roll.die]))
    poses = []
    for x, y, z, *rotation in kept.tolist():
        poses.append(Pose((x, y, z), quat_from_matrix(mat_from_quat(tuple(rotation)) @ held)))
    return tuple(poses)


def _held(end: Array, axis: int) -> Array:
    """Return the turn of the cube (3, 3) before a throw that ends by ``end``: this axis comes up, upright as seen."""
    up, away = (_nearest(end.T @ np.array(way)) for way in ((0.0, 0.0, 1.0), (0.0, 1.0, 0.0)))
    own = np.eye(3)[:, [axis, (axis + 1) % 3, (axis + 2) % 3]]
    return np.asarray(np.column_stack([up, away, np.cross(up, away)]) @ own.T)


def _nearest(way: Array) -> Array:
    largest = int(np.argmax(np.abs(way)))
    return np.asarray(np.eye(3)[largest] * np.sign(way[largest]))
