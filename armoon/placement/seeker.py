"""The search in one process: contacts first, then gates by cost, then full drops with the hand's slips.

Two sides share the effort. Candidates of all kinds go through the ``sieve`` to whole drops; ladders that hang and lean
are tried without it, next to what held (``nests``), since the sieve knows little of structures that lean. A successful
whole drop makes a place; then it is dropped again and again with a hand's slips, and the share of successful drops is
its safety.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from armoon.placement.attitudes import Attitudes
from armoon.placement.nests import Nests
from armoon.placement.question import Question, decided, is_good, rank, same_structure
from armoon.placement.sieve import Sieve
from armoon.placement.stance import place_of
from armoon.placement.structure import Known
from armoon.placement.values import Outcome, near, slip
from armoon.values.pieces import Base, Ladder, LadderSet
from armoon.values.places import SAFEST, Place, PlaceKind
from armoon.values.poses import Pose
from armoon.world.checks import Standing

#: With each good place the best one is tried under this many more slips, up to a maximum.
SLIPS_FIRST, MOST_SLIPS = 3, 24
#: Share of the effort that goes to hung ladders without a sieve, by whether good plates and good others are known; and
#: where height is liked.
HUNG_SAFE = {(False, False): 0.3, (True, False): 0.8, (False, True): 0.3, (True, True): 0.5}
HUNG_TALL = {(False, False): 0.7, (True, False): 0.9, (False, True): 0.7, (True, True): 0.7}
#: While nothing good is known: from this effort of the sieve on, a second or so, the others get this share.
PATIENT_EFFORT, HUNG_LATE = 12_000, 0.75
#: Failed tries without a sieve that count as one vain look, since they are over soon.
VAIN_TRIES = 4
#: Of so few slips no second may fail: such a place hardly ever turns out good.
EARLY_SLIPS = 3


@dataclass(frozen=True)
class Finding:
    """A place, or more that is known of one."""

    number: int
    """Of the place, in this search."""
    place: Place


class Seeker:
    """Searches one structure after another; close it."""

    def __init__(self, ladders: LadderSet, base: Base) -> None:
        self._ladders = {ladder.piece: ladder for ladder in ladders.ladders}
        self._base = base
        self._known: Known | None = None
        self.drops = 0
        """Number of whole drops that were simulated,"""
        self.looks = 0
        """and of vain looks for something to drop."""

    def close(self) -> None:
        """Free the engines."""
        if self._known is not None:
            self._known.close()
            self._known = None

    @property
    def work(self) -> int:
        """Both together."""
        return self.drops + self.looks

    @property
    def effort(self) -> int:
        """Effort on the structure that was looked at last: ticks, times the ladders that moved."""
        return 0 if self._known is None else self._known.free.effort + self._known.frozen.effort

    def prepare(self, standing: Standing) -> Known | None:
        """Make ready what depends on the structure alone; nothing is done twice. None where nothing stands."""
        if not standing:
            return None
        if self._known is None or not same_structure(self._known.asked, standing):
            self.close()
            self._known = Known(self._ladders, self._base, standing)
        return self._known

    def seek(self, question: Question, seed: int) -> Iterator[Finding | None]:
        """Yield findings, and None after each fruitless piece of work; end with the budget."""
        known = self.prepare(question.standing)
        if known is None:
            return
        known.free.take(question.piece)
        known.frozen.take(question.piece)
        yield from _Search(self, known, self._ladders[question.piece], question, seed).run()


class _Search:
    """One question."""

    def __init__(self, seeker: Seeker, known: Known, ladder: Ladder, question: Question, seed: int) -> None:
        self._seeker, self._known, self._ladder, self._question = seeker, known, ladder, question
        self._rng = np.random.default_rng(seed)
        attitudes = Attitudes(question.reach)
        self._sieve = Sieve(known, ladder, question, attitudes, self._rng)
        self._nests = Nests(known, ladder, question, attitudes, self._rng)
        self._places: list[Place] = []
        self._before = seeker.work
        self._vain = 0
        """Tries without a sieve that came to nothing."""
        self._efforts = {False: 0, True: 0}
        """Effort of candidates that go through the sieve, and of those that don't."""

    def run(self) -> Iterator[Finding | None]:
        while not self._spent():
            freely, before = self._freely, self._effort
            yield from self._try_freely() if freely else self._try_sieved()
            self._efforts[freely] += self._effort - before

    @property
    def _effort(self) -> int:
        return self._seeker.effort + self._sieve.effort

    @property
    def _freely(self) -> bool:
        """Whether it's the turn of hung ladders without a sieve: each side gets its share of the effort."""
        kinds = {place.kind for place in self._places if is_good(place)}
        flat, hung = PlaceKind.PLATE in kinds, bool(kinds - {PlaceKind.PLATE})
        share = (HUNG_SAFE if self._question.taste == SAFEST else HUNG_TALL)[flat, hung]
        if not kinds and self._efforts[False] > PATIENT_EFFORT:
            share = HUNG_LATE
        return self._efforts[True] < share * (self._efforts[True] + self._efforts[False])

    def _spent(self) -> bool:
        drops = self._question.drops
        return drops is not None and self._seeker.work - self._before >= drops

    def _try_sieved(self) -> Iterator[Finding | None]:
        """Drop the most promising candidate with everything free."""
        for _ in self._sieve.fill():
            yield None
        hopeful = self._sieve.best()
        if hopeful is None:
            self._seeker.looks += 1
            return
        outcome = self._drop(hopeful.release)
        good = False
        if outcome.meets(self._question.wanted):
            yield from self._weigh(hopeful.release, outcome)
            good = is_good(self._places[-1])
        else:
            yield None
        self._sieve.proved.append((hopeful, good))

    def _try_freely(self) -> Iterator[Finding | None]:
        """Hang or lean one ladder, or lay it next to what held; what is as wanted makes a place."""
        laid = yield from self._nests.lay()
        if laid is not None:
            nest, release, outcome = laid
            if outcome.meets(self._question.wanted) and not self._is_known(outcome):
                self._seeker.drops += 1
                yield from self._weigh(release, outcome)
                self._nests.judge(nest, self._places[-1])
                return
        self._vain += 1
        self._seeker.looks += self._vain % VAIN_TRIES == 0
        yield None

    def _is_known(self, outcome: Outcome) -> bool:
        return any(near(outcome.pose, place.rest) for place in self._places)

    def _weigh(self, release: Pose, outcome: Outcome) -> Iterator[Finding | None]:
        """Note a place where it held, and drop it there again as a hand would."""
        known = self._known
        place = place_of(known.ladders, known.free.standing, self._ladder.piece, release, outcome)
        self._places.append(place)
        number = len(self._places) - 1
        yield Finding(number, place)
        while not (decided(place) or _hopeless(place) or self._spent()):
            finding = self._rehearse(number)
            place = finding.place
            yield finding
        if is_good(self._places[number]):
            taste = self._question.taste
            best = max(range(len(self._places)), key=lambda n: rank(self._places[n], taste))
            for _ in range(min(SLIPS_FIRST, MOST_SLIPS - self._places[best].slips)):
                if not self._spent():
                    yield self._rehearse(best)

    def _rehearse(self, number: int) -> Finding:
        """One slip more of a place."""
        place = self._places[number]
        tried = place.slips + 1
        held = place.held + self._survives(place)
        place = self._places[number] = replace(place, safety=held / tried, slips=tried)
        return Finding(number, place)

    def _survives(self, place: Place) -> bool:
        slipped = self._known.frozen.lower(slip(place.release, self._question.slip, self._rng))
        return slipped is not None and self._drop(slipped).meets(self._question.wanted)

    def _drop(self, release: Pose) -> Outcome:
        """Drop with everything free, and count it."""
        self._seeker.drops += 1
        return self._known.free.drop(release)


def _hopeless(place: Place) -> bool:
    return place.slips <= EARLY_SLIPS and (1.0 - place.safety) * place.slips > 1.5
