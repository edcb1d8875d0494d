"""Wraps the physics engine Bullet, tuned for stacked wood (docs/physics.md): metres, kilograms, 240 steps a second.

No other module imports pybullet.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from armoon.clock import TICKS_PER_SECOND
from armoon.processes.system import silence_native_log
from armoon.values.pieces import Box, Ladder
from armoon.values.poses import Pose, Vec3
from armoon.world.checks import MAX_BOXES
from armoon.world.physics import SolverSettings

with silence_native_log():  # pybullet prints its build time
    import pybullet

#: Physics steps per second: with fewer, towers creep; with more, they cost more without standing more steadily.
STEPS_PER_SECOND = 240
STEPS_PER_TICK = STEPS_PER_SECOND // TICKS_PER_SECOND
STEP_S = 1.0 / STEPS_PER_SECOND
GRAVITY_M_S2 = 9.81
ZERO: Vec3 = (0.0, 0.0, 0.0)

#: Maximum residual of the contact solver.
SOLVER_RESIDUAL = 1e-9
#: Friction coefficients of wood on wood (docs/physics.md): of a sliding ladder on a still one, and of two that lie
#: still. Wood that lies still holds better; without this, marginal towers creep until they fall.
FRICTION, STILL_FRICTION = 0.4, 0.6
#: The coefficients of one body: Bullet multiplies those of the two that touch.
BODY_STILL_FRICTION = math.sqrt(STILL_FRICTION)
BODY_FRICTION = FRICTION / BODY_STILL_FRICTION
#: Collision margin: closest points are wrong by at most 0.02 mm, with Bullet's default by up to 1.1 mm.
COLLISION_MARGIN_M = 2e-5
#: Sliding distance at which Bullet drops a contact point. With the default 20 mm (1.4 mm at the ladders' size) towers
#: hung on outdated points 0.5 mm off the wood and fell when rebuilt; below 0.5 mm points flicker and towers creep.
CONTACT_BREAKING_M = 0.001
LINEAR_DAMPING = 0.04
ANGULAR_DAMPING = 0.4
#: Value of v² + ω² below which a body falls asleep after two seconds.
SLEEP_THRESHOLD = 0.01
#: The same threshold for a body that is put to sleep: so high that the body's speed in the next step doesn't wake it.
DEAD_SLEEP_THRESHOLD = 1e6
#: Number of steps until a body that is put to sleep is asleep: one for the body, one for its island.
STEPS_TO_SLEEP = 2


@dataclass(frozen=True)
class ClosestPoints:
    """The closest points of two bodies."""

    distance_m: float
    """Negative if they overlap."""
    on_a: Vec3
    on_b: Vec3
    normal: Vec3
    """Unit vector from b to a."""


@dataclass(frozen=True)
class ContactForce:
    """One point at which another body presses on a body, table frame."""

    other: int
    point: Vec3
    normal: Vec3
    """Unit vector from the other body."""
    force_n: float


class Bullet:
    """A physics engine that takes ladders and boxes, and returns poses, closest points and contact forces."""

    def __init__(self, *, plain: bool = False) -> None:
        """``plain``: rigid bodies without joints, for rehearsals; a step costs a third, and results differ slightly."""
        self.plain = plain
        self._client: int = pybullet.connect(pybullet.DIRECT)
        self._configure()

    def close(self) -> None:
        if self._client >= 0:
            pybullet.disconnect(physicsClientId=self._client)
            self._client = -1

    def reset(self) -> None:
        """Remove everything; results afterwards are exactly those of a new engine."""
        pybullet.resetSimulation(physicsClientId=self._client)
        self._configure()

    def _configure(self) -> None:
        pybullet.setPhysicsEngineParameter(
            numSubSteps=0,
            solverResidualThreshold=SOLVER_RESIDUAL,
            contactBreakingThreshold=CONTACT_BREAKING_M,
            physicsClientId=self._client,
        )
        self._apply_solver(SolverSettings(100))
        pybullet.setGravity(0.0, 0.0, -GRAVITY_M_S2, physicsClientId=self._client)

    def set_solver(self, settings: SolverSettings) -> None:
        if settings is not self.solving and settings != self.solving:
            self._apply_solver(settings)

    def _apply_solver(self, settings: SolverSettings) -> None:
        self.solving = settings
        pybullet.setPhysicsEngineParameter(
            fixedTimeStep=STEP_S / settings.parts,
            numSolverIterations=settings.iterations,
            enableConeFriction=int(settings.cone),
            contactERP=settings.error_reduction,
            frictionERP=settings.error_reduction,
            physicsClientId=self._client,
        )

    def step(self) -> None:
        """Advance by ``STEP_S``, or by the part of it set by ``set_solver``."""
        pybullet.stepSimulation(physicsClientId=self._client)

    def add_static(self, boxes: Sequence[Box]) -> tuple[int, ...]:
        """Add immovable boxes, table frame; return several bodies if one compound can't hold them."""
        groups = [boxes[k : k + MAX_BOXES] for k in range(0, len(boxes), MAX_BOXES)]
        return tuple(self._add(group, Pose((0.0, 0.0, 0.0)), 0.0) for group in groups)

    def add_ladder(self, ladder: Ladder, pose: Pose, *, movable: bool) -> int:
        """Add a ladder and return its body; immovable ones serve as starting ladders in their slots."""
        body = self._add(ladder.boxes, pose, ladder.mass_kg if movable else 0.0)
        if movable:
            self._change(
                body,
                mass=ladder.mass_kg,
                # Bullet's estimate for the compound is up to 45 % off.
                localInertiaDiagonal=ladder.inertia_kg_m2,
                linearDamping=LINEAR_DAMPING,
                angularDamping=ANGULAR_DAMPING,
            )
            self.let_sleep(body)
        return body

    def _add(self, boxes: Sequence[Box], pose: Pose, mass: float) -> int:
        shape = pybullet.createCollisionShapeArray(
            shapeTypes=[pybullet.GEOM_BOX] * len(boxes),
            halfExtents=[box.half_extents for box in boxes],
            collisionFramePositions=[box.centre for box in boxes],
            collisionFrameOrientations=[box.rotation for box in boxes],
            physicsClientId=self._client,
        )
        body = self._make(shape, pose, mass, plain=False)
        if self.plain:
            # Only a body with joints sets the margins of a compound's boxes; its shape keeps them.
            self.remove(body)
            body = self._make(shape, pose, mass, plain=True)
        return body

    def _make(self, shape: int, pose: Pose, mass: float, *, plain: bool) -> int:
        body: int = pybullet.createMultiBody(
            mass,
            shape,
            -1,
            basePosition=pose.position,
            baseOrientation=pose.rotation,
            useMaximalCoordinates=int(plain),
            physicsClientId=self._client,
        )
        self._change(
            body,
            lateralFriction=BODY_STILL_FRICTION,
            spinningFriction=0.0,
            rollingFriction=0.0,
            restitution=0.0,
            frictionAnchor=1,
            collisionMargin=COLLISION_MARGIN_M,
        )
        return body

    def _change(self, body: int, **settings: Any) -> None:
        pybullet.changeDynamics(body, -1, physicsClientId=self._client, **settings)

    def remove(self, body: int) -> None:
        pybullet.removeBody(body, physicsClientId=self._client)

    def get_pose(self, body: int) -> Pose:
        position, rotation = pybullet.getBasePositionAndOrientation(body, physicsClientId=self._client)
        return Pose(position, rotation)

    def set_pose(self, body: int, pose: Pose) -> None:
        pybullet.resetBasePositionAndOrientation(
            body, pose.position, pose.rotation, physicsClientId=self._client
        )

    def get_velocity(self, body: int) -> tuple[Vec3, Vec3]:
        """Return linear and angular velocity, table frame."""
        linear, angular = pybullet.getBaseVelocity(body, physicsClientId=self._client)
        return linear, angular

    def set_velocity(self, body: int, linear: Vec3, angular: Vec3) -> None:
        """Set linear and angular velocity, table frame."""
        pybullet.resetBaseVelocity(body, linear, angular, physicsClientId=self._client)

    def push(self, body: int, at: Vec3, force: Vec3, torque: Vec3) -> None:
        """Apply a force (N) at a point and a torque (N m), table frame, for the next step."""
        pybullet.applyExternalForce(body, -1, force, at, pybullet.WORLD_FRAME, physicsClientId=self._client)
        pybullet.applyExternalTorque(body, -1, torque, pybullet.WORLD_FRAME, physicsClientId=self._client)

    def set_damping(self, body: int, linear: float, angular: float) -> None:
        """Set the damping of a body's velocities, per second."""
        self._change(body, linearDamping=linear, angularDamping=angular)

    def set_sliding(self, body: int, sliding: bool) -> None:
        """Give a body the friction of sliding wood, or of wood that lies still, as at first."""
        self._change(body, lateralFriction=BODY_FRICTION if sliding else BODY_STILL_FRICTION)

    def let_sleep(self, body: int) -> None:
        enabled = pybullet.ACTIVATION_STATE_ENABLE_SLEEPING
        self._change(body, activationState=enabled, sleepThreshold=SLEEP_THRESHOLD)

    def keep_awake(self, body: int) -> None:
        self.wake(body)
        self._change(body, activationState=pybullet.ACTIVATION_STATE_DISABLE_SLEEPING)

    def wake(self, body: int) -> None:
        """Wake a body, which Bullet doesn't do when the body's support is removed."""
        awake = pybullet.ACTIVATION_STATE_WAKE_UP
        self._change(body, activationState=awake, sleepThreshold=SLEEP_THRESHOLD)

    def send_to_sleep(self, body: int) -> None:
        """Stop a body and put it to sleep; call ``let_sleep`` once it moves again."""
        self.set_velocity(body, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
        asleep = pybullet.ACTIVATION_STATE_SLEEP
        self._change(body, activationState=asleep, sleepThreshold=DEAD_SLEEP_THRESHOLD)

    def set_solid(self, body: int, solid: bool) -> None:
        """Let a body collide with everything, or with nothing as a ghost; a ghost wakes no other body."""
        pybullet.setCollisionFilterGroupMask(
            body, -1, 1 if solid else 0, -1 if solid else 0, physicsClientId=self._client
        )

    def find_closest(self, a: int, b: int, within_m: float) -> ClosestPoints | None:
        """Return the closest points of two bodies, or None if they are farther apart than ``within_m``."""
        points = pybullet.getClosestPoints(a, b, within_m, physicsClientId=self._client)
        if not points:
            return None
        best = min(points, key=lambda point: point[8]) if len(points) > 1 else points[0]
        return ClosestPoints(best[8], best[5], best[6], best[7])

    def save_state(self) -> int:
        """Save everything, contacts included, until a body is added or removed; ``reset`` frees it."""
        state: int = pybullet.saveState(physicsClientId=self._client)
        return state

    def restore_state(self, state: int) -> None:
        pybullet.restoreState(state, physicsClientId=self._client)

    def get_contact_forces(self, body: int) -> list[ContactForce]:
        points = pybullet.getContactPoints(bodyA=body, physicsClientId=self._client)
        return [ContactForce(point[2], point[6], point[7], point[9]) for point in points if point[9] > 0.0]

    def compute_moment_n_m(self, body: int, about: Vec3) -> Vec3:
        """Return the moment about a point, table frame, of all contact and friction forces of the last step."""
        x = y = z = 0.0
        about_x, about_y, about_z = about
        parts = self.solving.parts
        for point in pybullet.getContactPoints(bodyA=body, physicsClientId=self._client):
            (px, py, pz), (nx, ny, nz), force = point[5], point[7], point[9]
            friction, (rx, ry, rz), friction_2, (sx, sy, sz) = point[10:14]
            if parts > 1 and self.get_velocity(point[2]) == (ZERO, ZERO):
                # A sleeping body keeps the impulses of a whole step, but Bullet divides them by the part's duration.
                force, friction, friction_2 = force / parts, friction / parts, friction_2 / parts
            fx = force * nx + friction * rx + friction_2 * sx
            fy = force * ny + friction * ry + friction_2 * sy
            fz = force * nz + friction * rz + friction_2 * sz
            ax, ay, az = px - about_x, py - about_y, pz - about_z
            x += ay * fz - az * fy
            y += az * fx - ax * fz
            z += ax * fy - ay * fx
        return (x, y, z)

    def pin(self, body: int, at: Vec3, to: Vec3) -> int:
        """Pin the point ``at`` (body's frame) of a body to ``to`` (table frame), so that the body can only rotate."""
        joint: int = pybullet.createConstraint(
            body,
            -1,
            -1,
            -1,
            pybullet.JOINT_POINT2POINT,
            (0.0, 0.0, 0.0),
            at,
            to,
            physicsClientId=self._client,
        )
        return joint

    def unpin(self, joint: int) -> None:
        """Free a pinned body; required before the body is removed."""
        pybullet.removeConstraint(joint, physicsClientId=self._client)

    def set_pair(self, a: int, b: int, solid: bool) -> None:
        pybullet.setCollisionFilterPair(a, b, -1, -1, int(solid), physicsClientId=self._client)

    def measure_overlap_m(self) -> float:
        points = pybullet.getContactPoints(physicsClientId=self._client)
        return max((-point[8] for point in points), default=0.0)

    def sum_contact_force_n(self, body: int) -> float:
        return math.fsum(
            point[9] for point in pybullet.getContactPoints(bodyA=body, physicsClientId=self._client)
        )
