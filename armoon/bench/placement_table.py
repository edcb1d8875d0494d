"""The benchmark's tables: a seeded structure, a ladder in the lid, and a place that a player would choose.

Most places that trying finds are so touchy that a slip of 2 mm changes what is touched; nobody aims at those.
Of the first few places found, the benchmark asks for the one that forgives most.
"""

from __future__ import annotations

import math
import random

from armoon.facts import PieceStatus
from armoon.geometry import quat_from_axis_angle, quat_multiply
from armoon.orders import Offer, Place
from armoon.pieces import Base, LadderSet, PieceId
from armoon.players.placer import Plan
from armoon.rules import moon
from armoon.values import Pose, Vec3
from armoon.world.base import make_base
from armoon.world.checks import Standing
from armoon.world.copying import standing_of
from armoon.world.ladders import make_ladder_set
from armoon.world.local import LocalWorld
from armoon.world.trial import TrialTable

EDITION = "bombyx-2017"
#: Two starting ladders that face each other bear a third in many ways.
CONFIGURATION = "facing"
MOST_TRIALS = 250
#: So many places are compared.
PLACES = 4
#: A place forgives a slip of this much in a direction if lowering from there still ends as wanted.
SLIP_M = 0.004
SLIPS = ((SLIP_M, 0.0), (-SLIP_M, 0.0), (0.0, SLIP_M), (0.0, -SLIP_M))
#: Lowering begins this far above the place and ends this far above the first contact.
ABOVE_M, GAP_M = 0.012, 0.0008
#: Below the top of the structure by so much its middle hangs at most: deeper it would stand on the base.
LOWEST_BELOW_M = 0.05
#: How far the place may ask the wrist to turn the ladder.
WIDEST_TURN_RAD = math.radians(15.0)


class PlacementTable:
    """A world with two starting ladders and an offered one; close it."""

    def __init__(self, seed: int, view: Vec3) -> None:
        """``view`` is the camera's direction: about it the ladder is turned in the picture."""
        state = moon.initial(("Ann", "Ben"), EDITION, seed)
        self.ladders: LadderSet = make_ladder_set(seed)
        self.base: Base = make_base(tuple(self.ladders[piece] for piece in state.starting), CONFIGURATION)
        self.world = LocalWorld(self.ladders, self.base)
        for piece, pose in zip(state.starting, self.base.slots, strict=True):
            self.world.apply(Place(piece, pose, fixed=True))
        others = [p.piece for p in self.ladders.ladders if p.piece not in state.starting]
        self.piece: PieceId = others[seed % len(others)]
        self.world.apply(Offer(self.piece))
        self.facts = self.world.tick(None)
        self._dice = random.Random(seed)
        self._view = view

    def close(self) -> None:
        """Give the physics back."""
        self.world.close()

    def find_plan(self) -> Plan | None:
        """The most forgiving of the first places found where the ladder lies on both others; None without."""
        trials = TrialTable(self.ladders, self.base)
        found: list[tuple[int, Plan]] = []
        try:
            for _ in range(MOST_TRIALS):
                plan = self._try_once(trials)
                if plan is None:
                    continue
                forgiven = self._forgiven(trials, plan)
                found.append((forgiven, plan))
                if forgiven == len(SLIPS) or len(found) == PLACES:
                    break
        finally:
            trials.close()
        return max(found, key=lambda pair: pair[0])[1] if found else None

    def _try_once(self, trials: TrialTable) -> Plan | None:
        """Lowered somewhere above the middle, turned a little as a wrist does in the picture."""
        dice = self._dice
        turn = quat_from_axis_angle(self._view, dice.uniform(-WIDEST_TURN_RAD, WIDEST_TURN_RAD))
        rotation = quat_multiply(turn, self.facts[self.piece].pose.rotation)
        standing = standing_of(self.facts)
        highest = max(p.highest_m for p in self.facts.pieces if p.status is PieceStatus.FIXED)
        height = highest + ABOVE_M + self.ladders[self.piece].length_m / 2.0
        start = Pose((dice.uniform(-0.05, 0.05), dice.uniform(-0.03, 0.03), height), rotation)
        release = self._lowered(trials, standing, start, highest - LOWEST_BELOW_M)
        if release is None:
            return None
        result = trials.try_drop(standing, self.piece, release)
        wanted = tuple(sorted(name for name, _, _ in standing))
        return Plan(release, wanted) if result.settled and result.contacts == wanted else None

    def _forgiven(self, trials: TrialTable, plan: Plan) -> int:
        """How many of the slips still end as wanted."""
        standing = standing_of(self.facts)
        x, y, z = plan.release.position
        count = 0
        for dx, dy in SLIPS:
            start = Pose((x + dx, y + dy, z + ABOVE_M), plan.release.rotation)
            released = self._lowered(trials, standing, start, z - ABOVE_M)
            if released is not None:
                result = trials.try_drop(standing, self.piece, released)
                count += result.settled and result.contacts == plan.touched
        return count

    def _lowered(self, trials: TrialTable, standing: Standing, start: Pose, lowest_m: float) -> Pose | None:
        """Straight down to just above the first contact; None if there is none above ``lowest_m``."""
        x, y, z = start.position
        while z > lowest_m:
            gap = trials.clearance_m(standing, self.piece, Pose((x, y, z), start.rotation))
            if gap < 2.0 * GAP_M:
                return Pose((x, y, z), start.rotation) if gap >= 0.5 * GAP_M else None
            z -= gap - GAP_M
        return None
