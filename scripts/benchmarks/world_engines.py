"""The same structure in three physics engines, for side-by-side figures: armoon's own world, MuJoCo, Rapier.

MuJoCo and Rapier are needed by this benchmark alone. Each runs with the settings under which it drifted least
on stacked ladders (docs/physics.md), and may put bodies to sleep as armoon does.
"""

from __future__ import annotations

import importlib
from typing import Any, Protocol

from armoon.clock import TICK_S
from armoon.values.pieces import Box, GripIntent, PieceId
from armoon.values.poses import Pose, Quat, Vec3
from armoon.world.base import table_boxes
from armoon.world.bullet import FRICTION, GRAVITY_M_S2
from armoon.world.physics import PHYSICS
from armoon.world.rest import QUIET_M_S, QUIET_TICKS
from benchmarks.towers import Structure, build_world

#: Interval at which armoon's world is woken, since it falls asleep after half a quiet second.
WAKE_TICKS = QUIET_TICKS // 2

MUJOCO_STEPS = 8
"""Per tick: 480 Hz."""
MUJOCO_SLEEP_TOLERANCE = QUIET_M_S
"""The same speed below which armoon calls a ladder quiet."""
RAPIER_STEPS = 4
"""Per tick: 240 Hz."""
#: Rapier's tolerances are made for bodies of a metre and a kilogram.
RAPIER_SCALE, RAPIER_MASS_SCALE = 10.0, 1000.0
RAPIER_SOFTNESS = (120.0, 5.0)
"""Natural frequency in Hz and damping ratio of contacts."""


class Engine(Protocol):
    """A structure that is being simulated."""

    def tick(self, grip: GripIntent | None = None) -> None:
        """Advance by 1/60 s; engines but armoon's know no grip."""

    def poses(self) -> dict[PieceId, Pose]:
        """Where every ladder is."""


class ArmoonEngine:
    """The game's own world, with everything that it observes at each tick."""

    def __init__(self, structure: Structure, *, sleeping: bool, physics: int = PHYSICS) -> None:
        self.world = build_world(structure, physics)
        self._sleeping = sleeping
        self._ticks = 0
        there = {name for name, _, _ in structure.standing}
        self.spare = next(one.piece for one in structure.ladders.ladders if one.piece not in there)
        self._names = there

    def tick(self, grip: GripIntent | None = None) -> None:
        """Advance by 1/60 s."""
        if not self._sleeping and self._ticks % WAKE_TICKS == 0:
            self.world.disturb()
        self._ticks += 1
        self.facts = self.world.tick(grip)

    def poses(self) -> dict[PieceId, Pose]:
        """Where every ladder of the structure is."""
        return {name: pose for name, pose in self.world.poses().items() if name in self._names}


class MujocoEngine:
    """MuJoCo: elliptic cones, impratio 100, 480 Hz."""

    def __init__(self, structure: Structure, *, sleeping: bool) -> None:
        """ImportError where MuJoCo isn't installed."""
        self._mujoco = importlib.import_module("mujoco")
        still = [*table_boxes(), *structure.base.boxes]
        bodies = [f"<body>{''.join(map(_geom, still))}</body>"]
        for name, pose, fixed in structure.standing:
            ladder = structure.ladders[name]
            moving = (
                ""
                if fixed
                else f'<freejoint/><inertial pos="0 0 0" mass="{ladder.mass_kg!r}"'
                f' diaginertia="{_words(ladder.inertia_kg_m2)}"/>'
            )
            place = f'pos="{_words(pose.position)}" quat="{_words(_wxyz(pose.rotation))}"'
            geoms = "".join(map(_geom, ladder.boxes))
            bodies.append(f'<body name="{name}" {place}>{moving}{geoms}</body>')
        xml = f"""<mujoco><compiler angle="radian" boundmass="0" balanceinertia="false"/>
        <size memory="256M"/>
        <option timestep="{TICK_S / MUJOCO_STEPS!r}" gravity="0 0 {-GRAVITY_M_S2}" cone="elliptic"
          impratio="100" iterations="100" ls_iterations="50" tolerance="1e-10" integrator="implicitfast"
          sleep_tolerance="{MUJOCO_SLEEP_TOLERANCE}">
          <flag sleep="{"enable" if sleeping else "disable"}"/></option>
        <default><geom friction="{FRICTION} 0 0" condim="3" solref="0.004 1"
          solimp="0.95 0.99 0.0002 0.5 2"/></default>
        <worldbody>{"".join(bodies)}</worldbody></mujoco>"""
        self._model = self._mujoco.MjModel.from_xml_string(xml)
        self._data = self._mujoco.MjData(self._model)
        self._mujoco.mj_forward(self._model, self._data)
        self._names = [name for name, _, _ in structure.standing]

    def tick(self, grip: GripIntent | None = None) -> None:
        """Advance by 1/60 s."""
        for _ in range(MUJOCO_STEPS):
            self._mujoco.mj_step(self._model, self._data)

    def poses(self) -> dict[PieceId, Pose]:
        """Where every ladder is."""
        found = {}
        for name in self._names:
            body = self._data.body(name)
            w, x, y, z = (float(v) for v in body.xquat)
            px, py, pz = (float(v) for v in body.xpos)
            found[name] = Pose((px, py, pz), (x, y, z, w))
        return found


class RapierEngine:
    """Rapier: Coulomb friction, 240 Hz with four solver iterations, stiff contacts, tenfold size."""

    def __init__(self, structure: Structure, *, sleeping: bool) -> None:
        """ImportError where Rapier isn't installed."""
        self._rapier = importlib.import_module("rapier3d")
        rapier, scale = self._rapier, RAPIER_SCALE
        self._world = rapier.PhysicsWorld(gravity=(0.0, 0.0, -GRAVITY_M_S2 * scale))
        settings = self._world.integration_parameters
        settings.dt = TICK_S / RAPIER_STEPS
        settings.num_solver_iterations = 4
        settings.friction_model = rapier.FrictionModel.COULOMB
        settings.length_unit = 0.1 * scale
        settings.contact_clustering = settings.contact_recycling = False
        settings.contact_softness = rapier.SpringCoefficients(*RAPIER_SOFTNESS)
        still = [self._collider(box) for box in (*table_boxes(), *structure.base.boxes)]
        self._world.add_body(rapier.RigidBody.fixed(), still)
        self._handles = {}
        for name, pose, fixed in structure.standing:
            ladder = structure.ladders[name]
            if fixed:
                body = rapier.RigidBody.fixed().position(self._isometry(pose.position, pose.rotation))
            else:
                inertia = [i * RAPIER_MASS_SCALE * scale * scale for i in ladder.inertia_kg_m2]
                mass = rapier.MassProperties(
                    rapier.Point3(0.0, 0.0, 0.0), ladder.mass_kg * RAPIER_MASS_SCALE, rapier.Vec3(*inertia)
                )
                body = rapier.RigidBody.dynamic().position(self._isometry(pose.position, pose.rotation))
                body = body.additional_mass_properties(mass).can_sleep(sleeping)
            colliders = [self._collider(box) for box in ladder.boxes]
            self._handles[name] = self._world.add_body(body, colliders)

    def tick(self, grip: GripIntent | None = None) -> None:
        """Advance by 1/60 s."""
        for _ in range(RAPIER_STEPS):
            self._world.step()

    def poses(self) -> dict[PieceId, Pose]:
        """Where every ladder is."""
        found = {}
        for name, handle in self._handles.items():
            body = self._world.rigid_bodies[handle]
            t, r = body.translation, body.rotation
            place = (t.x / RAPIER_SCALE, t.y / RAPIER_SCALE, t.z / RAPIER_SCALE)
            found[name] = Pose(place, (r.i, r.j, r.k, r.w))
        return found

    def _collider(self, box: Box) -> Any:
        x, y, z = (half * RAPIER_SCALE for half in box.half_extents)
        collider = self._rapier.Collider.cuboid(x, y, z).position(self._isometry(box.centre, box.rotation))
        return collider.density(0.0).friction(FRICTION).restitution(0.0)

    def _isometry(self, place: Vec3, rotation: Quat) -> Any:
        x, y, z = (p * RAPIER_SCALE for p in place)
        turn = self._rapier.Rotation3.from_quaternion(*_wxyz(rotation))
        return self._rapier.Isometry3(self._rapier.Vec3(x, y, z), turn)


ENGINES: dict[str, Any] = {"armoon": ArmoonEngine, "mujoco": MujocoEngine, "rapier": RapierEngine}


def _geom(box: Box) -> str:
    return (
        f'<geom type="box" size="{_words(box.half_extents)}" pos="{_words(box.centre)}"'
        f' quat="{_words(_wxyz(box.rotation))}"/>'
    )


def _words(values: tuple[float, ...]) -> str:
    return " ".join(repr(float(value)) for value in values)


def _wxyz(rotation: Quat) -> Quat:
    x, y, z, w = rotation
    return (w, x, y, z)
