"""Searches places in processes of its own; only ``wait`` blocks. A killed one restarts once for each question."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from typing import Protocol

import numpy as np

from armoon.geometry import quat_angle
from armoon.placement import values
from armoon.placement.candidates import Nests, flats, hooks, leans, plates
from armoon.placement.structure import SAG, Known, place_of
from armoon.placement.values import near
from armoon.processes.child import Worker
from armoon.values.pieces import Base, Ladder, LadderSet
from armoon.values.places import SAFEST, LadderPlace, PlaceKind
from armoon.values.poses import IDENTITY_POSE, Pose
from armoon.world.checks import Standing, check_standing

FAMILIES = ("plate", "hook", "lean", "flat")
#: Number of plates drawn at a time, fewer at first, for the first place is waited for; number looked at.
DRAWN_FIRST, DRAWN, LOOKED_AT = 400, 1200, 24
#: Number of candidates of a family that are looked at in turn,
IN_TURN = 4
#: A load that leaves more than this unbalanced isn't borne.
UNBORNE = 0.25
#: Slips that are tried on the frozen structure, and how many may fail;
SIEVE_SLIPS, SIEVE_FAILS = 6, 1
#: fewer where at most this many ladders stand free, and where none does none: there a whole drop costs no more.
FEW_FREE, SIEVE_SLIPS_FEW = 4, 4
#: Prior: of this many candidates this many are taken to have passed. On towers plates hold best.
LOOKED_BEFORE, PASSED_BEFORE, PASSED_ON_TOWERS = 8.0, 1.0, {"plate": 5.0}
#: Looking for plates where there are none takes as long as looking at this many candidates.
IN_VAIN = 12
#: Number of candidates that wait for a real drop before the best is dropped; after the first drop more.
POOL_FIRST, POOL = 2, 5
#: After every failed candidate, add this many cheap checks, up to a maximum: a check costs a tenth of a drop.
POOL_VAIN, MOST_POOL = 2, 25
#: ... or this many times a few were checked without success.
PATIENCE = 15
#: Effort of drawing plates, in ticks of one ladder.
DRAW_EFFORT = 150


@dataclass(frozen=True)
class SievedCandidate:
    """What held on the frozen structure."""

    family: str
    release: Pose
    outcome: values.ReleaseOutcome
    share: float
    """Share of slips on the frozen structure that ended as wanted."""
    unborne: float
    worth: float


class Sieve:
    """One question's candidates."""

    def __init__(
        self,
        known: Known,
        ladder: Ladder,
        question: values.Question,
        attitudes: values.Attitudes,
        rng: np.random.Generator,
    ) -> None:
        self._known, self._ladder, self._question = known, ladder, question
        self._attitudes, self._rng = attitudes, rng
        self._plates: list[values.Candidate] | None = None
        free = sum(not fixed for _, _, fixed in question.standing)
        self._sieve_slips = SIEVE_SLIPS if free > FEW_FREE else SIEVE_SLIPS_FEW if free else 0
        self._tried = dict.fromkeys(FAMILIES, LOOKED_BEFORE)
        self._passed = dict.fromkeys(FAMILIES, PASSED_BEFORE)
        self._passed |= PASSED_ON_TOWERS if free > FEW_FREE else {}
        self._yaws = attitudes.plate_yaws()
        if self._yaws is not None and not len(self._yaws):
            self._passed["plate"] = 0.0  # who can't lay a ladder flat needn't try
        self._pool: list[SievedCandidate] = []
        self.proved: list[tuple[SievedCandidate, bool]] = []
        """What was dropped with everything free, and whether it made a good place."""
        self.effort = 0
        """Effort of drawing plates."""

    def fill(self) -> Iterator[None]:
        """Look at candidates until enough wait."""
        for _ in range(PATIENCE):
            if len(self._pool) >= self._pool_wanted:
                break
            candidates = self._candidates()
            if not candidates:
                yield None
            for candidate in candidates:
                self._look_at(candidate)
                yield None

    def best(self) -> SievedCandidate | None:
        """Return the most promising one that waits; it waits no longer."""
        best = max(self._pool, key=self._hope, default=None)
        if best is not None:
            self._pool.remove(best)
        return best

    @property
    def _pool_wanted(self) -> int:
        """Number that have to wait before the best is dropped: more after each failed drop in a row."""
        if not self.proved:
            return POOL_FIRST
        vain = next((k for k, (_, good) in enumerate(reversed(self.proved)) if good), len(self.proved))
        return min(MOST_POOL, POOL + POOL_VAIN * vain)

    def _candidates(self) -> list[values.Candidate]:
        """Return a few of one family: those that have come to more are asked more often."""
        chances = np.array([self._promise_of(family) for family in self._tried])
        family = str(self._rng.choice(list(self._tried), p=chances / chances.sum()))
        wood, rng = self._known.wood, self._rng
        if family == "hook":
            found = hooks(wood, self._ladder, self._attitudes, rng, IN_TURN)
        elif family in ("lean", "flat"):
            fall = leans if family == "lean" else flats
            found = fall(wood, self._ladder, self._attitudes, rng, IN_TURN)
        else:
            if not self._plates:
                self._plates = self._draw_plates(DRAWN_FIRST if self._plates is None else DRAWN)
            found, self._plates = self._plates[:IN_TURN], self._plates[IN_TURN:]
        self._tried[family] += len(found) or IN_VAIN
        return found

    def _promise_of(self, family: str) -> float:
        drops = [good for hopeful, good in self.proved if hopeful.family == family]
        sieved = self._passed[family] / self._tried[family]
        return sieved * (sum(drops) + 1.0) / (len(drops) + 2.0)

    def _draw_plates(self, count: int) -> list[values.Candidate]:
        self.effort += DRAW_EFFORT
        drawn = plates(self._known.wood, self._ladder, self._question.wanted, self._rng, count, self._yaws)
        apart: list[values.Candidate] = []
        for candidate in drawn:
            if len(apart) < 2 * LOOKED_AT and not any(near(candidate.pose, one.pose) for one in apart):
                apart.append(candidate)
        unborne = self._known.bearing.unborne([candidate.load for candidate in apart])
        weighed = [
            replace(candidate, worth=(candidate.worth + 0.002) / (1.0 + lack / SAG), unborne=float(lack))
            for candidate, lack in zip(apart, unborne, strict=True)
            if lack < UNBORNE
        ]
        return sorted(weighed, key=lambda candidate: -candidate.worth)[:LOOKED_AT]

    def _look_at(self, candidate: values.Candidate) -> None:
        """Through the sieve: as meant, then as the hand slips; what passes waits in the pool."""
        frozen, wished = self._known.frozen, candidate.pose
        start = Pose(wished.position, self._attitudes.nearest(wished.rotation))
        plate = candidate.family == "plate"
        if plate and quat_angle(start.rotation, wished.rotation) > values.THROWN_RAD:
            return
        laid = self._let_down(start, plate)
        if laid is not None and laid[1].turned_rad > values.RELAY_RAD:
            rest = laid[1].pose
            again = self._let_down(Pose(rest.position, self._attitudes.nearest(rest.rotation)), plate=False)
            laid = again if self._attitudes.any or again is not None else laid
        if laid is None:
            return
        release, outcome = laid
        if outcome.turned_rad > self._attitudes.thrown_rad:
            return
        if any(near(outcome.pose, hopeful.outcome.pose) for hopeful, _ in self.proved):
            return
        if any(near(outcome.pose, hopeful.outcome.pose) for hopeful in self._pool):
            return
        fails = 0
        for _ in range(self._sieve_slips):
            slipped = frozen.lower(values.slip(release, self._question.slip, self._rng))
            fails += slipped is None or not frozen.drop(slipped).meets(self._question.wanted)
            if fails > SIEVE_FAILS:
                return
        # Weighing one load takes as long as all these drops; a plate that touches what was foretold is weighed already.
        unborne = candidate.unborne
        if unborne is None or {name for name, _, _ in candidate.load} != set(outcome.touched):
            unborne = float(self._known.bearing.unborne([outcome.load])[0])
        if unborne > UNBORNE:
            return
        self._passed[candidate.family] += 1.0
        share = 1.0 - fails / max(self._sieve_slips, 1)
        self._pool.append(
            SievedCandidate(candidate.family, release, outcome, share, unborne, candidate.worth)
        )

    def _let_down(self, start: Pose, plate: bool) -> tuple[Pose, values.ReleaseOutcome] | None:
        """Lower and release it on the frozen structure; None unless it ends as wanted."""
        frozen = self._known.frozen
        release = frozen.lower(start) if plate else frozen.lower(start, None)
        if release is None:
            return None
        outcome = frozen.drop(release)
        return (release, outcome) if outcome.meets(self._question.wanted) else None

    def _hope(self, hopeful: SievedCandidate) -> float:
        """How promising a place is: by its sieve, by the structure's balance, and by what came of its like."""
        held = failed = 1.0
        for other, good in self.proved:
            mine, theirs = set(hopeful.outcome.touched), set(other.outcome.touched)
            near = math.dist(hopeful.outcome.pose.position, other.outcome.pose.position) / 0.02
            alike = len(mine & theirs) / len(mine | theirs) * math.exp(-(near**2))
            held, failed = held + alike * good, failed + alike * (not good)
        firm = 1.0 / (1.0 + hopeful.unborne / SAG)
        return (
            held / (held + failed) * firm * (0.3 + hopeful.share) * (1.0 + 50.0 * min(hopeful.worth, 0.012))
        )


#: With each good place the best one is tried under this many more slips, up to a maximum.
SLIPS_FIRST, MOST_SLIPS = 3, 24
#: Share of effort for hung ladders without a sieve, by whether good plates, good others are known; if height is liked.
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
    place: LadderPlace


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
        if self._known is not None:
            self._known.close()
            self._known = None

    @property
    def unsteady(self) -> bool:
        """Whether the structure that was looked at last doesn't stand in a rehearsal."""
        return self._known is not None and not self._known.free.stands

    @property
    def work(self) -> int:
        return self.drops + self.looks

    @property
    def effort(self) -> int:
        """Effort on the structure that was looked at last: ticks, times the ladders that moved."""
        return 0 if self._known is None else self._known.free.effort + self._known.frozen.effort

    def prepare(self, standing: Standing) -> Known | None:
        """Make ready what depends on the structure alone; nothing is done twice. None where nothing stands."""
        if not standing:
            return None
        if self._known is None or not values.same_structure(self._known.asked, standing):
            self.close()
            self._known = Known(self._ladders, self._base, standing)
        return self._known

    def seek(self, question: values.Question, seed: int) -> Iterator[Finding | None]:
        """Yield findings, and None after each fruitless piece of work; end with the budget."""
        known = self.prepare(question.standing)
        if known is None:
            return
        known.free.take(question.piece)
        known.frozen.take(question.piece)
        yield from _Search(self, known, self._ladders[question.piece], question, seed).run()


class _Search:
    """One question."""

    def __init__(
        self, seeker: Seeker, known: Known, ladder: Ladder, question: values.Question, seed: int
    ) -> None:
        self._seeker, self._known, self._ladder, self._question = seeker, known, ladder, question
        self._rng = np.random.default_rng(seed)
        attitudes = values.Attitudes(question.reach)
        self._sieve = Sieve(known, ladder, question, attitudes, self._rng)
        self._nests = Nests(known, ladder, question, attitudes, self._rng)
        self._places: list[LadderPlace] = []
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
        kinds = {place.kind for place in self._places if values.is_good(place)}
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
            good = values.is_good(self._places[-1])
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

    def _is_known(self, outcome: values.ReleaseOutcome) -> bool:
        return any(near(outcome.pose, place.rest) for place in self._places)

    def _weigh(self, release: Pose, outcome: values.ReleaseOutcome) -> Iterator[Finding | None]:
        """Note a place where it held, and drop it there again as a hand would."""
        known = self._known
        place = place_of(known.ladders, known.free.standing, self._ladder.piece, release, outcome)
        self._places.append(place)
        number = len(self._places) - 1
        yield Finding(number, place)
        while not (values.decided(place) or _hopeless(place) or self._spent()):
            finding = self._rehearse(number)
            place = finding.place
            yield finding
        if values.is_good(self._places[number]):
            taste = self._question.taste
            best = max(range(len(self._places)), key=lambda n: values.rank(self._places[n], taste))
            for _ in range(min(SLIPS_FIRST, MOST_SLIPS - self._places[best].slips)):
                if not self._spent():
                    yield self._rehearse(best)

    def _rehearse(self, number: int) -> Finding:
        """One slip more of a place."""
        place = self._places[number]
        tried = place.slips + 1
        held = place.held + self._survives(place)
        tested = replace(place, safety=held / tried, slips=tried)
        if values.is_good(tested) and not values.is_good(place) and not self._stands_with(place):
            tested = replace(tested, safety=0.0)
        self._places[number] = tested
        return Finding(number, tested)

    def _stands_with(self, place: LadderPlace) -> bool:
        """Whether the structure stands with the ladder at rest; unknown, and taken for granted, on an unsteady one."""
        self._seeker.drops += 1
        known = self._known
        return not known.free.stands or known.stands_with(self._ladder.piece, place.rest)

    def _survives(self, place: LadderPlace) -> bool:
        slipped = self._known.frozen.lower(values.slip(place.release, self._question.slip, self._rng))
        return slipped is not None and self._drop(slipped).meets(self._question.wanted)

    def _drop(self, release: Pose) -> values.ReleaseOutcome:
        self._seeker.drops += 1
        return self._known.free.drop(release)


def _hopeless(place: LadderPlace) -> bool:
    return place.slips <= EARLY_SLIPS and (1.0 - place.safety) * place.slips > 1.5


@dataclass(frozen=True)
class Prepare:
    """A structure that will be asked about."""

    standing: Standing


@dataclass(frozen=True)
class SearchRequest:
    """A question; its number tells its findings from those of another."""

    number: int
    question: values.Question
    seed: int


@dataclass(frozen=True)
class Cancel:
    """Stop searching."""


@dataclass(frozen=True)
class Found:
    """A finding for the question of this number, and how far the process is with it."""

    number: int
    finding: Finding | None
    """None: work was done without a result."""
    work_s: float
    """How much processor time the process had spent on the question by then,"""
    work: int
    """and how much of its work was done, in drops."""


@dataclass(frozen=True)
class Done:
    """The search for the question of this number is over."""

    number: int
    finished: bool
    """All its work was done; False: its time was over before."""
    unsteady: bool
    """The structure doesn't stand in a rehearsal."""


@dataclass(frozen=True)
class Ready:
    """The process has started and takes wishes."""


class Searching(Protocol):
    """Who searches in a process: ``Seeker``, or what it is compared with."""

    def prepare(self, standing: Standing) -> object:
        """Make ready what depends on the structure alone."""

    @property
    def unsteady(self) -> bool:
        """Whether the structure that was searched last doesn't stand in a rehearsal."""

    @property
    def work(self) -> int:
        """Number of drops simulated since it was made, and of vain looks for something to drop."""

    def seek(self, question: values.Question, seed: int) -> Iterator[Finding | None]:
        """Yield findings, and None after each fruitless piece of work."""


Make = Callable[[LadderSet, Base], Searching]


def serve(pipe: Connection, ladders: LadderSet, base: Base, make: Make) -> None:
    """Serve searches in this process; a request that comes during a search ends it."""
    seeker = make(ladders, base)
    pipe.send(Ready())
    while True:
        wish: Prepare | SearchRequest | Cancel = pipe.recv()
        if isinstance(wish, Prepare):
            seeker.prepare(wish.standing)
        elif isinstance(wish, SearchRequest):
            _search(pipe, seeker, wish)


def _search(pipe: Connection, seeker: Searching, ask: SearchRequest) -> None:
    question = ask.question
    until, began_s = time.monotonic() + question.seconds, time.process_time()
    before, reported, finished = seeker.work, 0, True
    for finding in seeker.seek(question, ask.seed):
        work_s, work = time.process_time() - began_s, seeker.work - before
        if finding is not None or work > reported:
            reported = work
            pipe.send(Found(ask.number, finding, work_s, work))
        if pipe.poll():
            return
        if question.work_s is not None and work_s > question.work_s:
            break
        if time.monotonic() > until:
            finished = False
            break
    pipe.send(Done(ask.number, finished, seeker.unsteady))


#: As many processes as a small laptop has cores.
PROCESSES = 2
#: The game's own processes go first.
NICENESS = 10
#: Beyond the search's own end: for what a process has under way then, and for one that has to start first.
LATE_S, START_PATIENCE_S = 0.4, 20.0


class PlaceSearch:
    """Searches for places with one set of ladders on one base, in processes from the first question on; close it."""

    def __init__(
        self,
        ladders: LadderSet,
        base: Base,
        processes: int = PROCESSES,
        make: Make = Seeker,
        niceness: int = NICENESS,
    ) -> None:
        """``make`` makes who searches in each process; ``niceness``: how far all else on the machine goes first."""
        self._known = {ladder.piece for ladder in ladders.ladders}
        self._number = 0
        self._question: values.Question | None = None
        self._found: dict[tuple[int, int], LadderPlace] = {}
        self._void = False
        self._work_s, self._drops = 0.0, 0
        self._since_s = 0.0
        self._start: Callable[[], list[_Searcher]] = lambda: [
            _Searcher(ladders, base, make, niceness) for _ in range(processes)
        ]
        self._workers: list[_Searcher] = []

    @property
    def pids(self) -> tuple[int, ...]:
        return tuple(worker.pid for worker in self._workers)

    def prepare(self, standing: Standing) -> None:
        """Let the processes get ready for a structure between turns; a search under way goes on instead."""
        check_standing(standing, self._known)
        self._workers = self._workers or self._start()
        if not any(worker.busy for worker in self._workers):
            for worker in self._workers:
                worker.send(Prepare(tuple(standing)))

    def ask(self, question: values.Question) -> None:
        """Begin to search; what was asked before is forgotten. WorldError for a structure that can't be."""
        check_standing([*question.standing, (question.piece, IDENTITY_POSE, False)], self._known)
        self._workers = self._workers or self._start()
        self._number += 1
        self._question, self._found, self._void = question, {}, False
        self._work_s, self._drops = 0.0, 0
        self._since_s = time.monotonic()
        for index in range(len(self._workers)):
            self._begin(index)

    def answers(self, standing: Standing | None = None) -> values.Answer:
        """Return what was found so far; void once ``standing``, the structure of now, is another."""
        question = self._question
        if question is None:
            return values.Answer(done=True, void=self._void)
        self._take_news()
        if standing is not None and not values.same_structure(question.standing, standing):
            self.cancel()
            self._void = True
            return values.Answer(done=True, void=True)
        by_number = [place for _, place in sorted(self._found.items())]
        places = sorted(by_number, key=lambda place: values.rank(place, question.taste), reverse=True)
        patience_s = LATE_S if all(worker.ready for worker in self._workers) else START_PATIENCE_S
        if time.monotonic() - self._since_s > question.seconds + patience_s:
            self._stop()
        done = not any(worker.busy for worker in self._workers)
        failed = done and not any(worker.finished for worker in self._workers)
        works = sum(worker.work for worker in self._workers) / max(1, len(self._workers))
        share = 1.0 if done else min(1.0, works / question.drops) if question.drops else 0.0
        found = _distinct(places)
        unsteady = any(worker.unsteady for worker in self._workers)
        return values.Answer(found, done, share, self._work_s, self._drops, failed=failed, unsteady=unsteady)

    def wait(self, seconds: float = 60.0) -> values.Answer:
        """Return the whole answer, or the partial one after a timeout."""
        until = time.monotonic() + seconds
        while not (answer := self.answers()).done and time.monotonic() < until:
            time.sleep(0.005)
        return answer

    def cancel(self) -> None:
        self._stop()
        self._question, self._found, self._void = None, {}, False

    def close(self) -> None:
        for worker in self._workers:
            worker.close()
        self._workers, self._question = [], None

    def _stop(self) -> None:
        self._number += 1  # what still comes in is of no use
        for worker in self._workers:
            if worker.busy:
                worker.send(Cancel())
            worker.busy = False

    def _begin(self, index: int) -> None:
        assert self._question is not None
        worker = self._workers[index]
        seed = self._question.seed * len(self._workers) + index
        worker.busy, worker.revived, worker.finished, worker.work = True, False, False, 0
        worker.unsteady = False
        worker.send(SearchRequest(self._number, self._question, seed))

    def _take_news(self) -> None:
        for index, worker in enumerate(self._workers):
            for news in worker.drain_messages():
                if isinstance(news, Ready):
                    worker.ready = True
                elif news.number != self._number:
                    continue
                elif isinstance(news, Done):
                    worker.busy, worker.finished, worker.unsteady = False, news.finished, news.unsteady
                else:
                    worker.work = news.work
                    if news.finding is not None:
                        self._found[index, news.finding.number] = news.finding.place
                        self._work_s, self._drops = news.work_s, news.work
            if worker.busy and not worker.is_alive:
                self._revive(index)

    def _revive(self, index: int) -> None:
        """Replace a process that has ended in the middle of a search; the new one gets the rest of the time."""
        worker = self._workers[index]
        if worker.revived or self._question is None:
            worker.busy = False
            return
        left_s = self._question.seconds - (time.monotonic() - self._since_s)
        worker.restart()
        worker.ready, worker.revived = False, True
        seed = self._question.seed * len(self._workers) + index
        worker.send(SearchRequest(self._number, replace(self._question, seconds=max(0.0, left_s)), seed))


class _Searcher(Worker):
    """One process, and how far it is."""

    def __init__(self, ladders: LadderSet, base: Base, make: Make, niceness: int) -> None:
        super().__init__("places", serve, ladders, base, make, niceness=niceness)
        self.ready = False
        """Whether it has started and takes wishes."""
        self.busy = False
        self.revived = False
        """Whether it was restarted for the question under way."""
        self.finished = False
        """Whether it has done all its work for the question,"""
        self.unsteady = False
        """that the structure doesn't stand in its rehearsal,"""
        self.work = 0
        """and how much of it, in drops."""


def _distinct(places: list[LadderPlace]) -> tuple[LadderPlace, ...]:
    kept: list[LadderPlace] = []
    for place in places:
        if all(place.release != other.release for other in kept):
            kept.append(place)
    return tuple(kept)
