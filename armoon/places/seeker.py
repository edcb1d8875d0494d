"""The search itself, in one process: work in small steps, findings as they come."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from armoon.places.question import Question
from armoon.values.pieces import Base, LadderSet
from armoon.values.places import Place
from armoon.world.checks import Standing
from armoon.world.structures.towers import above_something, lower
from armoon.world.structures.trial import TrialTable


@dataclass(frozen=True)
class Finding:
    """A place, or more that is known of one."""

    number: int
    """Of the place, in this search."""
    place: Place


class Seeker:
    """Searches one structure after another; close it."""

    def __init__(self, ladders: LadderSet, base: Base) -> None:
        self._ladders = ladders
        self._trials = TrialTable(ladders, base)

    def close(self) -> None:
        """Free the engines."""
        self._trials.close()

    def prepare(self, standing: Standing) -> None:
        """Make ready what depends on the structure alone."""

    def seek(self, question: Question, seed: int) -> Iterator[Finding | None]:
        """Findings as they come, and None after each bit of work that came to nothing; ends with its budget."""
        dice = random.Random(seed)
        drops = found = 0
        while question.drops is None or drops < question.drops:
            start = above_something(self._ladders, question.standing, question.piece, dice)
            release = lower(self._trials, self._ladders, question.standing, question.piece, start)
            if release is None:
                yield None
                continue
            drops += 1
            result = self._trials.try_drop(question.standing, question.piece, release)
            highest = result.highest_m > result.others_highest_m
            if not result.settled or not question.wanted.met_by(len(result.contacts), highest):
                yield None
                continue
            found += 1
            height = max(result.highest_m, result.others_highest_m)
            yield Finding(found, Place(release, result.pose, result.contacts, highest, height, 0.0))
