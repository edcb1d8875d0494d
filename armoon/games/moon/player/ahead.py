"""One ladder ahead: what could be laid next on the structure that a place would leave.

On some structures nothing can be laid any more, whatever the die says: a steep ladder on two others falls as soon as
another is laid on it. No figure of a place tells that, but a short search on the structure with it does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from armoon.placement.question import Question, promise
from armoon.placement.seeker import Seeker
from armoon.values.pieces import Base, LadderSet, PieceId
from armoon.values.places import SAFEST, Place, Wanted
from armoon.values.poses import Pose
from armoon.world.checks import Standing

#: What the die may ask for next.
ANY_DIE = Wanted(1, 2)
#: Number of looks on each structure, and how many of those that drop nothing are one piece of thought.
LOOKS, AT_ONCE = 96, 6
#: Work on each structure, in ladders that were free to move in drops: on large ones a few drops have to do.
MOST_LADDERS_DROPPED = 120
#: A place that holds at least so probably is likely.
LIKELY = 0.5


class Ahead:
    """Looks for likely places for the next ladder, to touch one and to touch two; close it."""

    def __init__(self, ladders: LadderSet, base: Base) -> None:
        self._seeker, self._ladders = Seeker(ladders, base), ladders
        self._left: dict[Pose, set[int]] = {}
        """By where a ladder is let go of: how many others the next one can touch."""

    def close(self) -> None:
        """Give the copied world back."""
        self._seeker.close()

    @property
    def drops(self) -> int:
        """How often it has ever let a ladder fall in its mind."""
        return self._seeker.drops

    def forget(self) -> None:
        """Begin anew, for another structure or ladder."""
        self._left = {}

    def knows(self, place: Place) -> bool:
        """Return whether it was tried on."""
        return place.release in self._left

    def left(self, place: Place) -> float:
        """Return which part of what the die may ask for is known to be possible after it, 0 to 1."""
        return len(self._left.get(place.release, ())) / ANY_DIE.most

    def look(self, question: Question, places: list[Place], seed: int) -> Iterator[None]:
        """Try places of a question on, until it is known what they leave; yield after each piece of thought."""
        for place in places:
            then = (*question.standing, (question.piece, place.rest, False))
            asked = replace(question, standing=then, piece=self._another(then), wanted=ANY_DIE, taste=SAFEST)
            known: dict[int, Place] = {}
            first = before = self.drops
            for look, finding in zip(range(LOOKS), self._seeker.seek(asked, seed), strict=False):
                if finding is not None:
                    known[finding.number] = finding.place
                self._left[place.release] = {
                    len(one.touched) for one in known.values() if promise(one) > LIKELY
                }
                dropped = (self.drops - first) * len(then)
                if self.left(place) == 1.0 or dropped >= MOST_LADDERS_DROPPED:
                    break
                if look % AT_ONCE == 0 or self.drops > before:
                    before = self.drops
                    yield

    def _another(self, standing: Standing) -> PieceId:
        """Return a crooked ladder that isn't there: nobody knows which one is drawn next."""
        there = {name for name, _, _ in standing}
        return next(one.piece for one in self._ladders.ladders if not one.straight and one.piece not in there)
