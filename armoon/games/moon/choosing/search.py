"""The search for places to choose from: its question, and only answers that a hand reaches from straight above."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from armoon.games.moon.rules.turn import wanted_by
from armoon.placement.search import Finding, Seeker
from armoon.placement.structure import Known
from armoon.placement.values import Question, enough_drops
from armoon.values.places import STEADY, LadderPlace, Slip
from armoon.world.ladders import standing_of

if TYPE_CHECKING:
    from armoon.games.moon.table.match import MoonMatch


#: Maximum distance from a place at which the hand counts as having reached it from above, metres.
REACHED_M = 0.004


class SeekerAbove(Seeker):
    """Passes over what can't be reached without touching something else on the way."""

    def seek(self, question: Question, seed: int) -> Iterator[Finding | None]:
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


def reached(known: Known | None, place: LadderPlace) -> bool:
    """Whether a ladder that comes straight down from over everything gets there before it touches anything else."""
    laid = None if known is None else known.frozen.lower(place.release, None)
    return laid is not None and math.dist(laid.position, place.release.position) < REACHED_M


def question_now(match: MoonMatch, slip: Slip = STEADY, seed: int = 0) -> Question:
    """Return the question for the ladder on turn; its search ends by work, not by the clock."""
    state = match.state
    assert state.die is not None
    assert state.ladder is not None
    standing = tuple(standing_of(match.facts))
    drops = enough_drops(standing)
    return Question(standing, state.ladder, wanted_by(state.die), slip, seed=seed, drops=drops)
