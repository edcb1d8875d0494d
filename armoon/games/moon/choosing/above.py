"""The search for places, limited to those that a hand reaches from straight above."""

from __future__ import annotations

import math
from collections.abc import Iterator

from armoon.placement.question import Question
from armoon.placement.seeker import Finding, Seeker
from armoon.placement.structure import Known
from armoon.values.places import Place

#: A place is reached from above if the hand comes so near to it.
REACHED_M = 0.004


class SeekerAbove(Seeker):
    """Passes over what can't be reached without touching something else on the way."""

    def seek(self, question: Question, seed: int) -> Iterator[Finding | None]:
        """As the search does it."""
        known = self.prepare(question.standing)
        open_: dict[int, bool] = {}
        for finding in super().seek(question, seed):
            if finding is not None:
                number = finding.number
                if number not in open_:
                    open_[number] = reached(known, finding.place)
                if not open_[number]:
                    yield None
                    continue
            yield finding


def reached(known: Known | None, place: Place) -> bool:
    """Whether a ladder that comes straight down from over everything gets there before it touches anything else."""
    laid = None if known is None else known.frozen.lower(place.release, None)
    return laid is not None and math.dist(laid.position, place.release.position) < REACHED_M
