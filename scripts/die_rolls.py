"""Throws a die onto a table by physics until enough rolls lie well, and writes them into the package.

A roll is a path that ends at the origin: which face ends up is chosen later, by how the die is held before the throw.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pybullet

from armoon.games.moon.view.die import BASE_REACH_M, EDGE_M, LANDS, LONGEST, SHIPPED, SHORTEST
from armoon.geometry import mat_from_quat, quat_from_matrix, quat_slerp

#: The die's place of rest that is nearest to the structure.
NEAREST = LANDS[True]
#: Number of rolls.
ROLLS = 12
#: Steps of physics for a tick of 1/60 s, so fine that a corner's blow is one.
STEPS = 16
#: Mass of a wooden die: 20 g.
MASS_KG, FRICTION, BOUNCE = 0.02, 0.22, 0.66
#: Maximum angle of a resting die to the table's axes, radians.
SQUARE_RAD = math.radians(20.0)
#: It comes from the left and from the front, below this line, and is in the picture from this tick on.
NEAREST_Y_M, LEFT_M, SEEN_AT = -0.056, -0.30, 36
#: Ticks for which it is shaken out of the picture, on its way to the throw.
SHAKEN = 18
#: Softest blow that is heard, as a part of the hardest, and the maximum number of blows.
SOFTEST, MOST_BLOWS = 0.06, 10

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Throw:
    """What was recorded of one: poses (n, 7) by ticks, and the momentum that the table took in each, N s."""

    poses: Array
    blows: Array


def thrown(world: int, chance: np.random.Generator) -> Throw:
    """Throw the die once, from a hand at the left."""
    die = pybullet.createMultiBody(
        MASS_KG,
        pybullet.createCollisionShape(
            pybullet.GEOM_BOX, halfExtents=[EDGE_M / 2.0] * 3, physicsClientId=world
        ),
        basePosition=[0.0, 0.0, chance.uniform(0.12, 0.26)],
        baseOrientation=list(chance.normal(size=4)),
        physicsClientId=world,
    )
    dynamics = {
        "lateralFriction": FRICTION,
        "restitution": BOUNCE,
        "rollingFriction": 2e-5,
        "spinningFriction": 2e-5,
    }
    pybullet.changeDynamics(die, -1, **dynamics, physicsClientId=world)
    towards, speed = chance.uniform(-0.1, 0.8), chance.uniform(0.6, 1.3)
    spin = chance.normal(size=3) * 12.0 + speed / EDGE_M * np.array(
        [-math.sin(towards), math.cos(towards), 0.0]
    )
    velocity = [speed * math.cos(towards), speed * math.sin(towards), chance.uniform(-0.4, 0.3)]
    pybullet.resetBaseVelocity(die, velocity, list(spin), physicsClientId=world)
    poses, blows = [], []
    for _ in range(LONGEST + 40):
        place, rotation = pybullet.getBasePositionAndOrientation(die, physicsClientId=world)
        poses.append([*place, *rotation])
        took = 0.0
        for _ in range(STEPS):
            pybullet.stepSimulation(physicsClientId=world)
            touches = pybullet.getContactPoints(die, physicsClientId=world)
            took += sum(touch[9] for touch in touches) / (60.0 * STEPS)
        blows.append(took)
    pybullet.removeBody(die, physicsClientId=world)
    way = np.array([*velocity[:2], 0.0]) / 60.0
    before = [[*(poses[0][:3] - way * (SHAKEN - k)), *poses[0][3:]] for k in range(SHAKEN)]
    return Throw(np.array(before + poses), np.array([0.0] * SHAKEN + blows))


def settled(throw: Throw) -> tuple[Array, int] | None:
    """Return the path, moved to where the die lies, and the tick from which it rests; None: it lies badly."""
    poses = throw.poses.copy()
    end = mat_from_quat(poses[-1, 3:])
    flat = np.round(end[2])
    yaw = math.atan2(*_level(end, flat))
    if np.abs(end[2] - flat).max() > 0.01 or abs(yaw) > SQUARE_RAD:
        return None
    poses[:, :2] += np.array(NEAREST) - poses[-1, :2]
    away = np.linalg.norm(poses[:, :3] - poses[-1, :3], axis=1)
    turned = 1.0 - np.abs(poses[:, 3:] @ poses[-1, 3:])
    moving = np.flatnonzero((away > 4e-4) | (turned > 2e-6))
    rests = int(moving[-1]) + 1
    return poses[: LONGEST + 1], rests


def _level(end: Array, flat: Array) -> tuple[float, float]:
    """Return the sine and cosine of the angle by which a die that lies is turned from the table's nearest axis."""
    side = end[:, int(np.argmin(np.abs(flat)))]
    turned = math.atan2(side[1], side[0])
    rest = turned - round(turned / (math.pi / 2.0)) * math.pi / 2.0
    return math.sin(rest), math.cos(rest)


def is_good(poses: Array, rests: int) -> bool:
    """Whether a path has the right length, and never comes near the base, a lid, or what stands there."""
    x, y, z = poses[:, :3].T
    low = z < 2.5 * EDGE_M
    return bool(
        SHORTEST <= rests <= LONGEST
        and (np.hypot(x, y)[low] > BASE_REACH_M).all()
        and y.max() < NEAREST_Y_M
        and x[SEEN_AT] > LEFT_M
        and x.max() < NEAREST[0] + 0.02
    )


def laid_flat(poses: Array, rests: int) -> Array:
    """Return the path, whose last ticks lay the die quite flat and still; places are measured from where it lies."""
    end = mat_from_quat(poses[-1, 3:])
    up = end.T @ (0.0, 0.0, 1.0)
    flat = np.zeros(3)
    flat[np.argmax(np.abs(up))] = np.sign(up[np.argmax(np.abs(up))])
    axis = np.cross(end @ flat, (0.0, 0.0, 1.0))
    turn = np.eye(3) if np.linalg.norm(axis) < 1e-9 else _about(axis)
    still = quat_from_matrix(turn @ end)
    made = poses.copy()
    for tick in range(len(poses)):
        part = min(1.0, max(0.0, (tick - rests + 12) / 12.0))
        q = tuple(poses[tick, 3:])
        made[tick, 3:] = quat_slerp(q, still, part) if part > 0.0 else q
        made[tick, :2] += part * (np.array(NEAREST) - poses[tick, :2]) - np.array(NEAREST)
        made[tick, 2] += part * (EDGE_M / 2.0 - poses[tick, 2])
    return made


def _about(axis: Array) -> Array:
    angle = math.asin(min(1.0, float(np.linalg.norm(axis))))
    x, y, z = axis / np.linalg.norm(axis) * math.sin(angle / 2.0)
    return np.asarray(mat_from_quat((x, y, z, math.cos(angle / 2.0))))


def heard(blows: Array, rests: int) -> Array:
    """Return the hardest blows (n, 2): seconds from the throw, and strength 0 to 1."""
    struck = blows[: rests + 1].copy()
    struck -= MASS_KG * 9.81 / 60.0  # what merely lies
    peaks = [k for k in range(1, rests) if struck[k] >= max(struck[k - 1], struck[k + 1])]
    hardest = sorted(sorted(peaks, key=lambda k: -struck[k])[:MOST_BLOWS])
    most = struck[hardest].max()
    rows = [(k / 60.0, struck[k] / most) for k in hardest if struck[k] > SOFTEST * most]
    return np.array(rows + [(0.0, 0.0)] * (MOST_BLOWS - len(rows)))


def main() -> None:
    """Look for rolls, and write them."""
    world = pybullet.connect(pybullet.DIRECT)
    pybullet.setGravity(0.0, 0.0, -9.81, physicsClientId=world)
    pybullet.setTimeStep(1.0 / (60.0 * STEPS), physicsClientId=world)
    plane = pybullet.createCollisionShape(pybullet.GEOM_PLANE, physicsClientId=world)
    table = pybullet.createMultiBody(0.0, plane, physicsClientId=world)
    pybullet.changeDynamics(table, -1, lateralFriction=1.0, restitution=1.0, physicsClientId=world)
    chance = np.random.default_rng(27)
    paths, sounds, throws = [], [], 0
    while len(paths) < ROLLS:
        throw = thrown(world, chance)
        throws += 1
        lies = settled(throw)
        if lies is not None and is_good(*lies):
            paths.append(laid_flat(*lies))
            sounds.append(heard(throw.blows, lies[1]))
    pybullet.disconnect(world)
    print(f"{len(paths)} rolls of {throws} throws")
    rounded = np.round(np.array(paths), 4).astype(np.float32)
    np.savez_compressed(SHIPPED, paths=rounded, blows=np.round(np.array(sounds), 3).astype(np.float32))


if __name__ == "__main__":
    main()
