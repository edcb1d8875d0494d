"""The safety of a placement, and of the safest one available: both by the slips of a steady hand."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from armoon.games.moon.review.turns import Played
from armoon.games.moon.rules.turn import wanted_by
from armoon.placement.question import Question, promise
from armoon.placement.seeker import Seeker, slip
from armoon.values.pieces import Base, LadderSet
from armoon.values.places import STEADY, Place

#: Number of repetitions of a drop, each with another slip.
TRIES = 8
#: One try of them more or less says nothing.
BY_CHANCE = 1.0 / TRIES


@dataclass(frozen=True)
class Weighed:
    """A turn with its safeties, 0 to 1."""

    played: Played
    done: float
    """The share of slips around what was done that would have been honoured; 0 where nothing was let go of."""
    best: Place | None
    """The safest place that was found; None: nothing was."""

    @property
    def best_safety(self) -> float:
        """Never less than what was done: that was possible as well."""
        return max(self.done, 0.0 if self.best is None else self.best.safety)

    @property
    def lost(self) -> float:
        """How much safety was given away."""
        return self.best_safety - self.done


class Scales:
    """Weighs the turns of one game; close it."""

    def __init__(self, ladders: LadderSet, base: Base, think_s: float) -> None:
        self._seeker = Seeker(ladders, base)
        self._think_s = think_s

    def close(self) -> None:
        """Free the engines."""
        self._seeker.close()

    def weigh(self, played: Played) -> Weighed:
        """One turn; it takes as long as thinking may, and a little."""
        return Weighed(played, self._done(played), self._best(played))

    def _done(self, played: Played) -> float:
        known = None if played.release is None else self._seeker.prepare(played.standing)
        if known is None or played.release is None:
            return 0.0
        known.free.take(played.piece)
        known.frozen.take(played.piece)
        wanted, rng = wanted_by(played.die), np.random.default_rng(played.number)
        held = 0
        for _ in range(TRIES):
            laid = known.frozen.lower(slip(played.release, STEADY, rng))
            if laid is not None:
                outcome = known.free.drop(laid)
                highest = outcome.height_m > outcome.others_height_m
                held += outcome.held and wanted.met_by(len(outcome.touched), highest)
        return held / TRIES

    def _best(self, played: Played) -> Place | None:
        question = Question(
            played.standing, played.piece, wanted_by(played.die), STEADY, seconds=self._think_s
        )
        until = time.monotonic() + self._think_s
        found: dict[int, Place] = {}
        for finding in self._seeker.seek(question, played.number):
            if finding is not None:
                found[finding.number] = finding.place
            if time.monotonic() > until:
                break
        return max((place for place in found.values() if place.slips), key=promise, default=None)


def turned(weighed: list[Weighed]) -> Weighed | None:
    """Return the turn where the game turned: of those that cost something the one that gave most away; else of all.

    None where no turn gave away more than chance may.
    """
    gave = [one for one in weighed if one.lost > BY_CHANCE]
    mistakes = [one for one in gave if not one.played.verdict.ok]
    return max(mistakes or gave, key=lambda one: (one.lost, -one.done), default=None)
