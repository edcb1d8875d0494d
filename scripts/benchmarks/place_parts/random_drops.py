"""What the search is held against: drops anywhere over the structure, as the demo and a benchmark found places before.

A ladder that turned while it came to rest is let go of anew, turned as it came to lie; a place is good if most slips
end as wanted. It answers as the search does, in the same processes and by the same clock.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator

import numpy as np

from armoon.geometry import quat_angle
from armoon.placement.question import GOOD_OF, Question, decided
from armoon.placement.seeker import Finding
from armoon.placement.values import LEAD_M, slip
from armoon.values.pieces import Base, LadderSet
from armoon.values.places import Place
from armoon.values.poses import Pose
from armoon.world.checks import Standing
from benchmarks.structures.towers import above_something, lower
from benchmarks.structures.trial import TrialResult, TrialTable

#: One that turns more than the first is let go of anew, one that turns more than the second has tumbled.
RELAY_RAD, TUMBLED_RAD = math.radians(10.0), math.radians(45.0)
ROOM_M = 0.012


class RandomDrops:
    """Drops ladders at random; close it."""

    def __init__(self, ladders: LadderSet, base: Base) -> None:
        self._ladders = ladders
        self._trials = TrialTable(ladders, base)
        self.work = 0
        """Number of drops."""

    def close(self) -> None:
        """Free the engines."""
        self._trials.close()

    def prepare(self, standing: Standing) -> None:
        """Nothing can be made ready."""

    def seek(self, question: Question, seed: int) -> Iterator[Finding | None]:
        """Yield true places and their share of survived slips, for as long as is asked."""
        dice, rng = random.Random(seed), np.random.default_rng(seed)
        number = 0
        while True:
            yield None
            start = above_something(self._ladders, question.standing, question.piece, dice)
            release = lower(self._trials, self._ladders, question.standing, question.piece, start)
            result = self._dropped(question, release)
            if release is None or result is None:
                continue
            turned = quat_angle(release.rotation, result.pose.rotation)
            if turned > RELAY_RAD:
                again = self._lowered(question, result.pose)
                better = self._dropped(question, again)
                if again is not None and better is not None:
                    release, result = again, better
                    turned = quat_angle(release.rotation, result.pose.rotation)
            if turned > TUMBLED_RAD:
                continue
            number += 1
            yield from self._slips(question, number, release, result, rng)

    def _slips(
        self, question: Question, number: int, release: Pose, result: TrialResult, rng: np.random.Generator
    ) -> Iterator[Finding]:
        height = max(result.highest_m, result.others_highest_m)
        highest = result.highest_m > result.others_highest_m
        yield Finding(number, Place(release, result.pose, result.contacts, highest, height, 0.0))
        held = 0
        for tried in range(1, GOOD_OF + 1):
            slipped = self._lowered(question, slip(release, question.slip, rng))
            held += self._dropped(question, slipped) is not None
            place = Place(release, result.pose, result.contacts, highest, height, held / tried, tried)
            yield Finding(number, place)
            if decided(place):
                return

    def _lowered(self, question: Question, pose: Pose) -> Pose | None:
        x, y, z = pose.position
        start = Pose((x, y, z + ROOM_M), pose.rotation)
        return lower(self._trials, self._ladders, question.standing, question.piece, start)

    def _dropped(self, question: Question, release: Pose | None) -> TrialResult | None:
        """Return a drop's result; None unless it ended as wanted."""
        if release is None:
            return None
        self.work += 1
        result = self._trials.try_drop(question.standing, question.piece, release)
        lead = result.highest_m > result.others_highest_m + LEAD_M
        held = result.start_clear and result.settled and not result.fell
        return result if held and question.wanted.met_by(len(result.contacts), lead) else None
