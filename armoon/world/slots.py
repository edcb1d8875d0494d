"""Holds starting ladders in their slots: by friction; under a harder push they lean a little, and then come out.

The holding moment of the real slots is unpublished, so it is estimated, about the slot's mouth. Friction that lets a
ladder lift the cloud, some 3.5 N, acts at half the slot's depth of 12 mm: 21 mN m. Beyond that, the foot acts as a
lever until the cloud would tip (0.15 to 0.2 kg on a foot of 45 mm: 70 to 90 mN m). A ladder comes out in between, at
50. Clearances of 0.1 mm let it lean by one degree. Towers of 24 ladders load a slot with 12 mN m, one of 28 with 17.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from armoon import geometry
from armoon.values.pieces import Ladder, PieceId
from armoon.values.poses import Pose, Vec3
from armoon.world.base import SLOT_DEPTH_M
from armoon.world.bullet import STEP_S, Bullet
from armoon.world.contact import Solid, bound_gap_m, find_closest_points
from armoon.world.grip import scale, subtract
from armoon.world.ladders import find_foot

#: Moments about the slot's mouth, mean over 1/240 s: the largest that friction holds, and the smallest that pulls out.
FRICTION_N_M, MAX_HOLD_N_M = 0.021, 0.050
#: Maximum lean of a ladder in its slot.
PLAY_RAD = math.radians(1.0)
#: Time constant of leaning and returning, slow enough to strike nothing.
LEAN_S = 0.06
#: Minimum change of lean.
MIN_LEAN_RAD = math.radians(0.02)
#: Distance from a slot within which a placed ladder counts as leaning in it.
NEAR_SLOT_M = 0.003
#: Factor on the inertia of a ladder that comes out, because other ladders take part of the impact.
IMPACT_MASSES = 3.0
#: Maximum angular speed of a ladder that comes out: that of a toppling ladder.
MAX_LEAVING_RAD_S = 12.0
#: Lean up to which the foot of a ladder that comes out is pinned to the slot's mouth.
UNPIN_RAD = math.radians(35.0)
#: Depth in the solid base beyond which a placed ladder must have been on its way out of a slot.
INSIDE_BASE_M = 0.001


class Slot:
    """A ladder that leans in its slot."""

    def __init__(self, ladder: Ladder, body: int, upright: Pose, pose: Pose) -> None:
        """``upright``: pose without a push; ``pose``: current pose, table frame."""
        self.ladder = ladder
        self.body = body
        self.upright = upright
        x, y, z = find_foot(ladder)
        self.foot: Vec3 = (x, y, z + SLOT_DEPTH_M)
        """Point of the ladder in the slot's mouth, in the ladder's frame."""
        self.mouth = geometry.pose_apply(upright, self.foot)
        self.lean: Vec3 = (0.0, 0.0, 0.0)
        """Rotation vector from ``upright`` to ``pose``, about the mouth."""
        if pose != upright:
            self.lean = geometry.rotation_vector(
                geometry.quat_multiply(pose.rotation, geometry.quat_inverse(upright.rotation))
            )
        self.pose = pose

    def is_holding(self, engine: Bullet) -> bool:
        return math.hypot(*engine.compute_moment_n_m(self.body, self.mouth)) <= MAX_HOLD_N_M

    def apply_moment(self, moment: Vec3) -> bool:
        """Lean under a moment (N m, about the mouth) for one step; return whether the pose changed."""
        size = math.hypot(*moment)
        share = min(1.0, max(0.0, (size - FRICTION_N_M) / (MAX_HOLD_N_M - FRICTION_N_M)))
        goal = scale(moment, PLAY_RAD * share / size) if share > 0.0 else (0.0, 0.0, 0.0)
        change = subtract(goal, self.lean)
        change_rad = math.hypot(*change)
        if change_rad == 0.0 or (change_rad < MIN_LEAN_RAD and share > 0.0):
            return False
        if change_rad > MIN_LEAN_RAD:
            goal = _sum([self.lean, scale(change, STEP_S / LEAN_S)])
        self.lean = goal
        self.pose = self._make_leaning_pose()
        return True

    def _make_leaning_pose(self) -> Pose:
        angle = math.hypot(*self.lean)
        if angle == 0.0:
            return self.upright
        rotation_from_upright = geometry.quat_from_axis_angle(scale(self.lean, 1.0 / angle), angle)
        rotation = geometry.quat_multiply(rotation_from_upright, self.upright.rotation)
        return Pose(subtract(self.mouth, geometry.quat_rotate(rotation, self.foot)), rotation)


@dataclass
class _OutsideLadder:
    """A ladder that has left its slot, but not yet the base."""

    body: int
    pin: int | None
    """The pin of its foot, until it is removed."""
    upright: Pose


class SlotLadders:
    """All starting ladders of one world."""

    def __init__(self, engine: Bullet, base: Sequence[int], slots: Sequence[Pose]) -> None:
        """Create empty slots. ``base``: bodies of the base; ``slots``: poses of upright ladders in it."""
        self._engine, self._base, self._slot_poses = engine, base, slots
        self._slots: dict[PieceId, Slot] = {}
        self._outside: dict[PieceId, _OutsideLadder] = {}
        self._moments: dict[PieceId, list[Vec3]] = {}
        """Moments on each ladder in the parts of the current step."""
        self._leaving: dict[PieceId, Vec3] = {}
        """Ladders that come out at this tick, with their moments."""

    def add_fixed(self, ladder: Ladder, body: int, pose: Pose) -> None:
        slots = (
            slot for slot in self._slot_poses if geometry.are_near(slot, pose, NEAR_SLOT_M, 2.0 * PLAY_RAD)
        )
        self._slots[ladder.piece] = Slot(ladder, body, next(slots, pose), pose)

    def add_free(self, solid: Solid, base: Solid) -> None:
        """Add a placed free ladder. Inside the base, it passes through the base, as if leaving a slot."""
        is_near = bound_gap_m(solid, base) == 0.0
        closest = find_closest_points(self._engine, solid, base, 0.0) if is_near else None
        if closest is not None and closest.distance_m < -INSIDE_BASE_M:
            self._set_base_ignored(solid.bodies[0], True)
            self._outside[solid.name] = _OutsideLadder(solid.bodies[0], None, solid.pose)

    def forget(self, name: PieceId) -> None:
        self._slots.pop(name, None)
        leaving = self._outside.pop(name, None)
        if leaving is not None and leaving.pin is not None:
            self._engine.unpin(leaving.pin)

    def record_moments(self, held: int | None = None, push: Vec3 = (0.0, 0.0, 0.0)) -> None:
        """Record the moments on ladders in slots after a step. ``held``: a body; ``push``: its hand's force (N)."""
        contacts = self._engine.get_contact_forces(held) if held is not None else []
        total_n = math.fsum(contact.force_n for contact in contacts)
        for name, slot in self._slots.items():
            moments = [self._engine.compute_moment_n_m(slot.body, slot.mouth)]
            for contact in contacts:
                if contact.other == slot.body:
                    # Touched ladders share the push in proportion to their contact forces, along the normals.
                    along_n = -sum(a * b for a, b in zip(push, contact.normal, strict=True))
                    size_n = max(0.0, along_n) * contact.force_n / total_n
                    lever = subtract(contact.point, slot.mouth)
                    moments.append(geometry.cross(lever, scale(contact.normal, -size_n)))
            self._moments.setdefault(name, []).append(_sum(moments))

    def apply_moments(self) -> None:
        """Apply the mean moment of a step's parts, so that ladders lean or start to come out."""
        for name, moments in self._moments.items():
            slot, moment = self._slots[name], scale(_sum(moments), 1.0 / len(moments))
            if math.hypot(*moment) > MAX_HOLD_N_M:
                self._leaving.setdefault(name, moment)
            elif name not in self._leaving and slot.apply_moment(moment):
                self._engine.set_pose(slot.body, slot.pose)
        self._moments.clear()

    def get_pose(self, name: PieceId) -> Pose:
        return self._slots[name].pose

    def pop_leaving(self) -> dict[PieceId, Vec3]:
        """Remove and return the ladders that come out at this tick, with their moments (N m), for ``release``."""
        leaving, self._leaving = self._leaving, {}
        return leaving

    def release(self, name: PieceId, moment: Vec3) -> int:
        """Free a ladder pulled out by a moment (N m); return its new body, which at first rotates about the mouth."""
        slot = self._slots.pop(name)
        self._engine.remove(slot.body)
        body = self._engine.add_ladder(slot.ladder, slot.pose, movable=True)
        self._set_base_ignored(body, True)
        pin = self._engine.pin(body, slot.foot, slot.mouth)
        self._outside[name] = _OutsideLadder(body, pin, slot.upright)
        arm = math.dist(slot.pose.position, slot.mouth)
        inertia = max(slot.ladder.inertia_kg_m2) + slot.ladder.mass_kg * arm * arm
        omega = scale(moment, STEP_S / (IMPACT_MASSES * inertia))
        omega = scale(omega, min(1.0, MAX_LEAVING_RAD_S / math.hypot(*omega)))
        lever = subtract(slot.pose.position, slot.mouth)
        self._engine.set_velocity(body, geometry.cross(omega, lever), omega)
        return body

    def unpin_loose(self, solids: Mapping[PieceId, Solid], base: Solid) -> None:
        """Unpin ladders once their foot slips out, and let ladders collide with the base once they are clear of it."""
        for name, leaving in list(self._outside.items()):
            solid = solids[name]
            if leaving.pin is not None:
                if geometry.quat_angle(leaving.upright.rotation, solid.pose.rotation) > UNPIN_RAD:
                    self._engine.unpin(leaving.pin)
                    leaving.pin = None
            elif find_closest_points(self._engine, solid, base, 0.0) is None:
                self._set_base_ignored(leaving.body, False)
                del self._outside[name]

    @property
    def has_outside(self) -> bool:
        return bool(self._outside)

    def _set_base_ignored(self, body: int, ignored: bool) -> None:
        for other in self._base:
            self._engine.set_pair(body, other, not ignored)


def _sum(vectors: Iterable[Vec3]) -> Vec3:
    x = y = z = 0.0
    for a, b, c in vectors:
        x, y, z = x + a, y + b, z + c
    return (x, y, z)
