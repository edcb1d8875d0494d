"""Starting ladders in their slots: friction holds them still; pushed harder they give a little, then come out.

The printed slots' hold is unpublished, so it is estimated, about the slot's mouth. A ladder that carries the cloud,
some 3.5 N, is gripped along 12 mm: friction bears 21 mN m. Beyond, the foot is a lever, until the cloud itself would
tip (0.15 to 0.2 kg on a foot of 45 mm: 70 to 90 mN m). In between, at 50, the ladder comes out. Clearances of 0.1 mm
let it lean by one degree. Towers of 24 load a slot with 12 mN m, one of 28 with 17. While friction holds it, a ladder
is as still as the base.
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
from armoon.world.contact import Solid, box_gap_m, closest_of
from armoon.world.ladders import foot_of

#: Moments about the slot's mouth, mean over 1/240 s: friction holds up to the first, a ladder comes out at the second.
FRICTION_N_M, HOLDS_N_M = 0.021, 0.050
#: Maximum lean of a ladder in its slot.
PLAY_RAD = math.radians(1.0)
#: Time constant with which it follows a push and comes back, so slow that it strikes nothing.
LEAN_S = 0.06
#: Change of lean below which it stays as it is.
LEAST_LEAN_RAD = math.radians(0.02)
#: Distance from a slot within which a placed ladder stands in it, leaning.
NEAR_SLOT_M = 0.003
#: What comes out goes on with the blow, as does what struck it: number of masses that share the blow ...
GOES_ALONG = 3.0
#: ... and no faster than it would topple over.
FASTEST_OUT_RAD_S = 12.0
#: Its foot turns about the slot's mouth until it leans like this; then nothing holds it.
SLIPS_OUT_RAD = math.radians(35.0)
#: A ladder as deep as this in the base's wood came out of a slot, for the base is solid to physics otherwise.
IN_THE_WOOD_M = 0.001


class Slot:
    """One ladder in its slot, and how it leans there."""

    def __init__(self, ladder: Ladder, body: int, upright: Pose, pose: Pose) -> None:
        """``upright``: where it stands when nothing pushes it; ``pose``: where it stands now, metres."""
        self.ladder = ladder
        self.body = body
        self.upright = upright
        x, y, z = foot_of(ladder)
        self.foot: Vec3 = (x, y, z + SLOT_DEPTH_M)
        """What of the ladder is in the slot's mouth, in the ladder's frame."""
        self.mouth = geometry.pose_apply(upright, self.foot)
        self.lean: Vec3 = (0.0, 0.0, 0.0)
        """The rotation vector from upright to now, about the mouth."""
        if pose != upright:
            self.lean = geometry.rotation_vector(
                geometry.quat_multiply(pose.rotation, geometry.quat_inverse(upright.rotation))
            )
        self.pose = pose

    def moment_n_m(self, engine: Bullet) -> Vec3:
        """Return the moment that pushed it in the last step, about the slot's mouth, newton metres."""
        return engine.moment_n_m(self.body, self.mouth)

    def holds(self, engine: Bullet) -> bool:
        return math.hypot(*self.moment_n_m(engine)) <= HOLDS_N_M

    def push(self, moment: Vec3) -> bool:
        """Lean as a moment (N m, about the mouth) makes it within a step; whether it leans otherwise now."""
        size = math.hypot(*moment)
        share = min(1.0, max(0.0, (size - FRICTION_N_M) / (HOLDS_N_M - FRICTION_N_M)))
        wanted = _scaled(moment, PLAY_RAD * share / size) if share > 0.0 else (0.0, 0.0, 0.0)
        way = _minus(wanted, self.lean)
        far = math.hypot(*way)
        if far == 0.0 or (far < LEAST_LEAN_RAD and share > 0.0):
            return False
        if far > LEAST_LEAN_RAD:
            wanted = _sum([self.lean, _scaled(way, STEP_S / LEAN_S)])
        self.lean = wanted
        self.pose = self._leaning()
        return True

    def _leaning(self) -> Pose:
        angle = math.hypot(*self.lean)
        if angle == 0.0:
            return self.upright
        turn = geometry.quat_from_axis_angle(_scaled(self.lean, 1.0 / angle), angle)
        rotation = geometry.quat_multiply(turn, self.upright.rotation)
        return Pose(_minus(self.mouth, geometry.quat_rotate(rotation, self.foot)), rotation)


@dataclass
class _Out:
    """A ladder whose foot is in the base's wood without standing in a slot."""

    body: int
    pin: int | None
    """What its foot turns about, while anything does."""
    upright: Pose


class SlotLadders:
    """All starting ladders of one world."""

    def __init__(self, engine: Bullet, base: Sequence[int], slots: Sequence[Pose]) -> None:
        """Make the slots; ``base`` gives its bodies, ``slots`` where ladders stand upright in it."""
        self._engine, self._base, self._places = engine, base, slots
        self._held: dict[PieceId, Slot] = {}
        self._out: dict[PieceId, _Out] = {}
        self._felt: dict[PieceId, list[Vec3]] = {}
        """What pushed on whom in the parts of the step under way."""
        self._leaving: dict[PieceId, Vec3] = {}
        """By which moment they come out with this tick."""

    def stand(self, ladder: Ladder, body: int, pose: Pose) -> None:
        self._held[ladder.piece] = Slot(ladder, body, self._upright(pose), pose)

    def _upright(self, pose: Pose) -> Pose:
        near = (slot for slot in self._places if geometry.are_near(slot, pose, NEAR_SLOT_M, 2.0 * PLAY_RAD))
        return next(near, pose)

    def come_free(self, solid: Solid, base: Solid) -> None:
        """Free a placed ladder; one in the base's wood passes through it, as on its way out of a slot."""
        closest = closest_of(self._engine, solid, base, 0.0) if box_gap_m(solid, base) == 0.0 else None
        if closest is not None and closest.distance_m < -IN_THE_WOOD_M:
            self._pass_base(solid.bodies[0], True)
            self._out[solid.name] = _Out(solid.bodies[0], None, solid.pose)

    def forget(self, name: PieceId) -> None:
        self._held.pop(name, None)
        out = self._out.pop(name, None)
        if out is not None and out.pin is not None:
            self._engine.unpin(out.pin)

    def feel(self, held: int | None = None, push: Vec3 = (0.0, 0.0, 0.0)) -> None:
        """Note what pushes on slotted ladders after a step. ``held``: a body; ``push``: its hand's force (N)."""
        presses = self._engine.presses(held) if held is not None else []
        pressed_n = math.fsum(press.force_n for press in presses)
        for name, slot in self._held.items():
            moments = [slot.moment_n_m(self._engine)]
            for press in presses:
                if press.other == slot.body:
                    # What it touches bears the push as it bears the rest: in the same parts, along the normal.
                    along_n = -sum(a * b for a, b in zip(push, press.normal, strict=True))
                    size_n = max(0.0, along_n) * press.force_n / pressed_n
                    moments.append(_cross(_minus(press.point, slot.mouth), _scaled(press.normal, -size_n)))
            self._felt.setdefault(name, []).append(_sum(moments))

    def give(self) -> None:
        """After a step, all its parts felt: ladders lean, or are to come out."""
        for name, felt in self._felt.items():
            slot, moment = self._held[name], _scaled(_sum(felt), 1.0 / len(felt))
            if math.hypot(*moment) > HOLDS_N_M:
                self._leaving.setdefault(name, moment)
            elif name not in self._leaving and slot.push(moment):
                self._engine.set_pose(slot.body, slot.pose)
        self._felt.clear()

    def pose(self, name: PieceId) -> Pose:
        return self._held[name].pose

    def take_leaving(self) -> dict[PieceId, Vec3]:
        """Return the ladders that come out in this tick, with their moments (N m), for ``let_out``."""
        leaving, self._leaving = self._leaving, {}
        return leaving

    def let_out(self, name: PieceId, moment: Vec3) -> int:
        """Make a ladder free that a moment has pulled out; its new body. It turns about the slot's mouth at first."""
        slot = self._held.pop(name)
        self._engine.remove(slot.body)
        body = self._engine.add_ladder(slot.ladder, slot.pose, movable=True)
        self._pass_base(body, True)
        pin = self._engine.pin(body, slot.foot, slot.mouth)
        self._out[name] = _Out(body, pin, slot.upright)
        arm = math.dist(slot.pose.position, slot.mouth)
        inertia = max(slot.ladder.inertia_kg_m2) + slot.ladder.mass_kg * arm * arm
        spin = _scaled(moment, STEP_S / (GOES_ALONG * inertia))
        spin = _scaled(spin, min(1.0, FASTEST_OUT_RAD_S / math.hypot(*spin)))
        (x, y, z), (wx, wy, wz) = _minus(slot.pose.position, slot.mouth), spin
        self._engine.set_velocity(body, (wy * z - wz * y, wz * x - wx * z, wx * y - wy * x), spin)
        return body

    def follow(self, solids: Mapping[PieceId, Solid], base: Solid) -> None:
        """Unpin ladders whose foot has slipped out, and make those clear of the base solid to it."""
        for name, out in list(self._out.items()):
            solid = solids[name]
            if out.pin is not None:
                if geometry.quat_angle(out.upright.rotation, solid.pose.rotation) > SLIPS_OUT_RAD:
                    self._engine.unpin(out.pin)
                    out.pin = None
            elif closest_of(self._engine, solid, base, 0.0) is None:
                self._pass_base(out.body, False)
                del self._out[name]

    @property
    def any_out(self) -> bool:
        return bool(self._out)

    def _pass_base(self, body: int, passes: bool) -> None:
        for other in self._base:
            self._engine.set_pair(body, other, not passes)


def _minus(a: Vec3, b: Vec3) -> Vec3:
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def _scaled(v: Vec3, factor: float) -> Vec3:
    return (v[0] * factor, v[1] * factor, v[2] * factor)


def _cross(a: Vec3, b: Vec3) -> Vec3:
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def _sum(vectors: Iterable[Vec3]) -> Vec3:
    x = y = z = 0.0
    for a, b, c in vectors:
        x, y, z = x + a, y + b, z + c
    return (x, y, z)
