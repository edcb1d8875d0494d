"""Finds a place for a ladder by trying: lower it somewhere in a copied world, let go, see what it touches."""

from __future__ import annotations

import enum
import math
from dataclasses import dataclass, replace

import numpy as np

from armoon.geometry import mat_from_pose, mat_from_quat, quat_from_axis_angle, quat_multiply, vec3
from armoon.values.facts import Facts, PieceStatus
from armoon.values.pieces import Base, LadderSet, PieceId
from armoon.values.poses import Pose, Quat, Vec3
from armoon.world.checks import Standing
from armoon.world.exact import lowest_point
from armoon.world.structures.copying import standing_of
from armoon.world.structures.trial import TrialResult, TrialTable

#: How clearly the ladder must be the highest for MOON.
MOON_LEAD_M = 0.003
#: A ladder is let go of this far above its first contact.
RELEASE_GAP_M = 0.0008
#: Lowering starts with the ladder's lowest point this far above everything that stands.
CLEARANCE_M = 0.02
#: Distances are asked for up to here while lowering.
LOOK_AHEAD_M = 0.05
#: A ladder that has come down to here hangs beside the structure: nothing was below it.
FLOOR_M = 0.03
#: How far a hand turns a ladder from the way it was offered, at most: in the picture's plane, the only one in
#: which a single camera's grip turns things reliably.
WIDEST_TWIST_RAD = math.radians(18.0)
#: A place must also work when the hand misses by this much (one standard deviation, measured on the demo's
#: hand at letting go): across the view, along it, and in turning.
SLIP_ACROSS_M = 0.0015
SLIP_ALONG_M = 0.0025
SLIP_RAD = math.radians(2.5)


class Wish(enum.Enum):
    """What the player means to do with the ladder."""

    HONOUR = "honour"
    """Do what the die asks."""
    WRONG_COUNT = "wrong count"
    """Leave it standing, but touching the wrong number of ladders (F1)."""
    TABLE = "table"
    """Let it fall on the table (F2)."""


@dataclass(frozen=True)
class Plan:
    """Where to let go of the ladder, and what is expected to come of it."""

    release: Pose
    touched: tuple[PieceId, ...]


class Placer:
    """Looks for a plan one trial at a time, so that a frame never waits for a long thought."""

    def __init__(self, ladders: LadderSet, base: Base, seed: int, view_axis: Vec3 = (0.0, 1.0, 0.0)) -> None:
        """``view_axis`` is the direction in which the camera looks, table frame."""
        self._ladders = ladders
        self._table = TrialTable(ladders, base)
        self._view_axis = view_axis
        self._rng = np.random.default_rng(seed)

    def try_once(
        self, facts: Facts, piece: PieceId, offered: Quat, die: str, wish: Wish, slips: int = 4
    ) -> Plan | None:
        """One trial somewhere; a plan if the ladder ends as wished, also in ``slips`` missed placements."""
        standing = standing_of(facts)
        start = self._above_something(facts, piece, offered)
        release = self._lower(standing, piece, start)
        if release is None:
            return None
        result = self._table.try_drop(standing, piece, release)
        if not self._as_wished(result, die, wish):
            return None
        for _ in range(slips):
            slipped = self._lower(standing, piece, self._slip(start))
            if slipped is None:
                return None
            if not self._as_wished(self._table.try_drop(standing, piece, slipped), die, wish):
                return None
        return Plan(release, result.contacts)

    def close(self) -> None:
        """Give the copied world back."""
        self._table.close()

    def _above_something(self, facts: Facts, piece: PieceId, offered: Quat) -> Pose:
        """A random comfortable pose with a random part of the ladder above a random part of the structure."""
        rng = self._rng
        twist = quat_from_axis_angle(self._view_axis, rng.uniform(-WIDEST_TWIST_RAD, WIDEST_TWIST_RAD))
        rotation = quat_multiply(twist, offered)
        targets = [p for p in facts.pieces if p.status in (PieceStatus.FREE, PieceStatus.FIXED)]
        target = targets[int(rng.integers(len(targets)))]
        boxes = self._ladders[target.piece].boxes
        box = boxes[int(rng.integers(len(boxes)))]
        along = np.array(box.centre) + mat_from_quat(box.rotation) @ (
            np.array([0.0, 0.0, box.half_extents[2]]) * rng.uniform(-1.0, 1.0)
        )
        below = (mat_from_pose(target.pose) @ np.append(along, 1.0))[:3]
        own_boxes = self._ladders[piece].boxes
        own = own_boxes[int(rng.integers(len(own_boxes)))]
        part = np.array(own.centre) + mat_from_quat(own.rotation) @ (
            np.array([0.0, 0.0, own.half_extents[2]]) * rng.uniform(-1.0, 1.0)
        )
        offset = mat_from_quat(rotation) @ part
        top = max(p.highest_m for p in targets) + CLEARANCE_M
        height = top + self._ladders[piece].length_m
        return Pose(vec3([below[0] - offset[0], below[1] - offset[1], height]), rotation)

    def _lower(self, standing: Standing, piece: PieceId, start: Pose) -> Pose | None:
        """Straight down to just above the first contact; None if that is the base or the table.

        Each step is no longer than the clearance, so nothing is passed through and a hand can follow.
        """
        x, y, z = start.position
        above_floor = lowest_point(self._ladders[piece].boxes, start) - FLOOR_M
        while start.position[2] - z < above_floor:
            gap = self._table.clearance_m(standing, piece, Pose((x, y, z), start.rotation), LOOK_AHEAD_M)
            if gap < 2.0 * RELEASE_GAP_M:
                return Pose((x, y, z), start.rotation) if gap >= 0.5 * RELEASE_GAP_M else None
            z -= gap - RELEASE_GAP_M
        return None

    def _slip(self, pose: Pose) -> Pose:
        rng = self._rng
        missed = rng.normal(size=3) * SLIP_ACROSS_M + np.array(self._view_axis) * rng.normal() * SLIP_ALONG_M
        position = np.array(pose.position) + missed
        turn = quat_from_axis_angle(rng.normal(size=3), rng.normal() * SLIP_RAD)
        return replace(pose, position=vec3(position), rotation=quat_multiply(turn, pose.rotation))

    @staticmethod
    def _as_wished(result: TrialResult, die: str, wish: Wish) -> bool:
        if not (result.start_clear and result.settled) or result.fell or not result.contacts:
            return False
        count = len(result.contacts)
        if die == "MOON":
            honoured = count in (1, 2) and result.highest_m > result.others_highest_m + MOON_LEAD_M
        else:
            honoured = count == {"ONE": 1, "TWO": 2}[die]
        return honoured is (wish is Wish.HONOUR)
