"""The benchmark's targets: the place that a sensible player would choose for a ladder, found by trying.

Many places that honour the die are a throw of the dice: the ladder tumbles from its first touch into some
corner and may end otherwise for a slip of 2 mm. Nobody aims at those. The rule here: among the first few
places where the ladder nearly stays as it is let go of, take the one where most slips of 3 mm or 3 degrees
still end the same way; a table without a place that forgives most slips is passed over, and counted.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass

from armoon.games.moon.player.placer import Plan, wanted_for
from armoon.geometry import (
    quat,
    quat_angle,
    quat_from_axis_angle,
    quat_inverse,
    quat_multiply,
)
from armoon.places.seeker import LEAD_M
from armoon.values.facts import Facts, PieceStatus
from armoon.values.pieces import Base, LadderSet, PieceId
from armoon.values.poses import Pose, Quat, Vec3
from armoon.world.checks import Standing
from armoon.world.structures.copying import standing_of
from armoon.world.structures.trial import TrialResult, TrialTable

#: So many tries are made, and so many places compared.
MOST_TRIES = 600
PLACES = 4
#: The ladder's middle starts within these of the base's middle, sideways and away.
ASIDE_M, AWAY_M = 0.06, 0.04
#: Lowering begins this far above the place and ends this far above the first contact.
ABOVE_M, GAP_M = 0.012, 0.0008
#: Below the top of the structure by so much its middle hangs at most: deeper it would stand on the base.
LOWEST_BELOW_M = 0.05
#: How far the place may ask the wrist to turn the ladder in the picture: within ``players.hand.WRIST_RAD``.
WIDEST_TURN_RAD = math.radians(30.0)
#: A ladder that turns further while it comes to rest has tumbled, not been placed.
TUMBLED_RAD = math.radians(45.0)
#: One that turns less needs no better way of being let go of.
STAYS_RAD = math.radians(10.0)
#: The slips that are tried, one at a time and both ways: sideways, along the view, turned in the picture and
#: out of it. Of these eight so many must be forgiven.
SLIP_M = 0.003
SLIP_RAD = math.radians(3.0)
FEWEST_FORGIVEN = 6


@dataclass(frozen=True)
class Target:
    """A place to aim at."""

    plan: Plan
    forgiven: int
    """How many of the eight slips end the same way."""
    turned_rad: float
    """How far the ladder turns from the release to its rest."""


class TargetFinder:
    """Looks for the target of one table; close it."""

    def __init__(self, ladders: LadderSet, base: Base, facts: Facts, piece: PieceId, view: Vec3) -> None:
        """``piece`` is the offered ladder; ``view`` the camera's direction, about which a hand turns it."""
        self._trials = TrialTable(ladders, base)
        self._piece = piece
        self._standing: Standing = standing_of(facts)
        self._offered: Quat = facts[piece].pose.rotation
        self._view = view
        self._top_m = max(p.highest_m for p in facts.pieces if p.status is not PieceStatus.OFFERED)
        self._half_m = ladders[piece].length_m / 2.0

    def close(self) -> None:
        """Give the copied world back."""
        self._trials.close()

    def find(self, die: str, seed: int) -> Target | None:
        """The target for the die's face; None where no place forgives enough."""
        dice = random.Random(seed)
        found: list[Target] = []
        for _ in range(MOST_TRIES):
            target = self._try_once(die, dice)
            if target is None:
                continue
            found.append(target)
            if target.forgiven == 8 or len(found) == PLACES:
                break
        return max(found, key=lambda target: (target.forgiven, -target.turned_rad), default=None)

    def _try_once(self, die: str, dice: random.Random) -> Target | None:
        """One try somewhere; where the ladder turns while it comes to rest, another that is turned so before."""
        turn = dice.uniform(-WIDEST_TURN_RAD, WIDEST_TURN_RAD)
        x, y = dice.uniform(-ASIDE_M, ASIDE_M), dice.uniform(-AWAY_M, AWAY_M)
        target = self._dropped(die, Pose((x, y, self._top_m + ABOVE_M + self._half_m), self._turned(turn)))
        if target is None:
            return None
        plan, result, turned = target
        if turned > STAYS_RAD:
            better = self._dropped(die, self._above_rest(result.pose))
            if better is not None and better[2] < turned:
                plan, result, turned = better
        if turned > TUMBLED_RAD:
            return None
        forgiven = sum(self._ends_as(plan, slipped) for slipped in self._slips(plan.release))
        return Target(plan, forgiven, turned) if forgiven >= FEWEST_FORGIVEN else None

    def _dropped(self, die: str, start: Pose) -> tuple[Plan, TrialResult, float] | None:
        release = self._lowered(start)
        if release is None:
            return None
        result = self._trials.try_drop(self._standing, self._piece, release)
        if not _honours(result, die):
            return None
        return (
            Plan(release, result.contacts, self._offered),
            result,
            quat_angle(result.pose.rotation, release.rotation),
        )

    def _ends_as(self, plan: Plan, start: Pose) -> bool:
        release = self._lowered(start)
        if release is None:
            return False
        result = self._trials.try_drop(self._standing, self._piece, release)
        return result.settled and not result.fell and result.contacts == plan.touched

    def _turned(self, angle_rad: float) -> Quat:
        return quat_multiply(quat_from_axis_angle(self._view, angle_rad), self._offered)

    def _above_rest(self, rest: Pose) -> Pose:
        """Over where it came to rest, turned as it lies there as far as a hand can: about the view."""
        x, y, z, w = quat_multiply(rest.rotation, quat_inverse(self._offered))
        along = sum(a * b for a, b in zip((x, y, z), self._view, strict=True))
        angle = math.remainder(2.0 * math.atan2(along, w), 2.0 * math.pi)
        angle = max(-WIDEST_TURN_RAD, min(WIDEST_TURN_RAD, angle))
        px, py, _ = rest.position
        return Pose((px, py, self._top_m + ABOVE_M + self._half_m), self._turned(angle))

    def _slips(self, release: Pose) -> Iterator[Pose]:
        """Where lowering would begin from, had the hand missed."""
        x, y, z = release.position
        vx, vy, _ = self._view
        flat = math.hypot(vx, vy)
        away, aside = (vx / flat, vy / flat), (vy / flat, -vx / flat)
        for sign in (-1.0, 1.0):
            for dx, dy in (away, aside):
                place = (x + sign * SLIP_M * dx, y + sign * SLIP_M * dy, z + ABOVE_M)
                yield Pose(place, release.rotation)
            for axis in (self._view, (*aside, 0.0)):
                turn = quat_from_axis_angle(axis, sign * SLIP_RAD)
                yield Pose((x, y, z + ABOVE_M), quat(quat_multiply(turn, release.rotation)))

    def _lowered(self, start: Pose) -> Pose | None:
        """Straight down to just above the first contact; None if there is none high enough."""
        x, y, z = start.position
        lowest_m = min(self._top_m, z) - LOWEST_BELOW_M
        while z > lowest_m:
            gap = self._trials.clearance_m(self._standing, self._piece, Pose((x, y, z), start.rotation))
            if gap < 2.0 * GAP_M:
                return Pose((x, y, z), start.rotation) if gap >= 0.5 * GAP_M else None
            z -= gap - GAP_M
        return None


def _honours(result: TrialResult, die: str) -> bool:
    """Whether a drop ends as the die asks (T4)."""
    if not (result.start_clear and result.settled) or result.fell or not result.contacts:
        return False
    lead = result.highest_m > result.others_highest_m + LEAD_M
    return wanted_for(die).met_by(len(result.contacts), lead)
