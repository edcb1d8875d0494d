"""A ladder on rails that pushes or strikes a starting ladder, and a record of the effect in each step."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass

from armoon.geometry import pose_apply, quat_angle, quat_from_axis_angle, quat_multiply, quat_rotate
from armoon.values.pieces import Facts, PieceStatus, Place, Remove
from armoon.values.poses import Pose, Vec3
from armoon.world.base import SLOT_DEPTH_M
from armoon.world.bullet import GRAVITY_M_S2, Bullet
from armoon.world.ladders import THICKNESS_M, find_foot
from armoon.world.local import LocalWorld
from support.world_kit import base, ladders

#: Configuration in which the first slot is upright.
UPRIGHT = "cross"
PUSHED, PUSHER = "L01", "L03"
#: Height above the slot's mouth at which the pusher meets the ladder.
HEIGHT_M = 0.09
#: Increase of the push in each step, so that the measured effect is a push, not an impact.
FORCE_STEP_N = 0.004


class RailEngine(Bullet):
    """An engine in which one weightless body moves along one axis, driven by a force of up to ``force_n``."""

    def __init__(self) -> None:
        super().__init__()
        self.driven: int | None = None
        self.axis: Vec3 = (0.0, 1.0, 0.0)
        self.force_n = self._now_n = 0.0
        self.weight_n = 0.0

    def step(self) -> None:
        if self.driven is not None:
            linear, _ = self.get_velocity(self.driven)
            speed = sum(a * b for a, b in zip(linear, self.axis, strict=True))
            self.set_velocity(self.driven, self._along(speed), (0.0, 0.0, 0.0))
            self._now_n = min(self.force_n, self._now_n + FORCE_STEP_N)
            x, y, z = self._along(self._now_n)
            position = self.get_pose(self.driven).position
            self.push(self.driven, position, (x, y, z + self.weight_n), (0.0, 0.0, 0.0))
        super().step()

    def _along(self, length: float) -> Vec3:
        x, y, z = self.axis
        return (x * length, y * length, z * length)


@dataclass
class SlotPusher:
    world: LocalWorld
    engine: RailEngine
    slot: Pose

    def lean_rad(self, facts: Facts) -> float:
        return quat_angle(self.slot.rotation, facts[PUSHED].pose.rotation)

    def push(self, force_n: float, ticks: int = 60) -> list[Facts]:
        self._place_pusher(gap_m=1e-4)
        self.engine.force_n = force_n
        return self._watch(ticks)

    def strike(self, speed_m_s: float, ticks: int = 20) -> list[Facts]:
        self._place_pusher(gap_m=0.045)
        self.world.tick(None)
        driven = self.engine.driven
        assert driven is not None
        x, y, z = self.engine.axis
        self.engine.set_velocity(driven, (x * speed_m_s, y * speed_m_s, z * speed_m_s), (0.0, 0.0, 0.0))
        return self._watch(ticks)

    def leave(self, ticks: int = 45) -> Facts:
        self.engine.driven = None
        self.world.apply(Remove(PUSHER))
        for _ in range(ticks):
            facts = self.world.tick(None)
        return facts

    def _place_pusher(self, gap_m: float) -> None:
        x, y, z = find_foot(ladders()[PUSHED])
        mouth = (x, y, z + SLOT_DEPTH_M)
        across = quat_multiply(self.slot.rotation, quat_from_axis_angle((0.0, 1.0, 0.0), 1.5707963267948966))
        position = pose_apply(self.slot, (mouth[0], -(THICKNESS_M + gap_m), mouth[2] + HEIGHT_M))
        self.world.apply(Place(PUSHER, Pose(position, across), fixed=False))
        self.engine.axis = quat_rotate(self.slot.rotation, (0.0, 1.0, 0.0))
        self.engine.weight_n = ladders()[PUSHER].mass_kg * GRAVITY_M_S2
        self.engine.driven = self.world._pieces[PUSHER].body

    def _watch(self, ticks: int) -> list[Facts]:
        records: list[Facts] = []
        for _ in range(ticks):
            records.append(self.world.tick(None))
            if records[-1][PUSHED].status is PieceStatus.FREE:
                break
        return records


@contextmanager
def make_pusher() -> Iterator[SlotPusher]:
    engine = RailEngine()
    slot = base(UPRIGHT).slots[0]
    with closing(LocalWorld(ladders(), base(UPRIGHT), engine=engine)) as world:
        world.apply(Place(PUSHED, slot, fixed=True))
        world.tick(None)
        yield SlotPusher(world, engine, slot)
