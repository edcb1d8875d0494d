"""The search for places, of those alone that a hand reaches from straight above."""

from __future__ import annotations

from collections.abc import Iterator

from armoon.games.moon.bots.thinking import reached
from armoon.placement.question import Question
from armoon.placement.seeker import Finding, Seeker


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
