"""Runs searches for places in child processes, and restarts a killed one once per question."""

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
from armoon.placement.candidates import TrialSampler, draw_flats, draw_hooks, draw_leans, draw_plates
from armoon.placement.structure import SAG, StructureModel, describe_place
from armoon.placement.values import is_same_place
from armoon.processes.child import Worker
from armoon.values.pieces import Base, Ladder, LadderSet
from armoon.values.places import SAFEST, LadderPlace, PlaceKind
from armoon.values.poses import IDENTITY_POSE, Pose
from armoon.world.checks import StructurePoses, check_structure

FAMILIES = ("plate", "hook", "lean", "flat")
#: Number of plates in the first draw, for which a player waits, and in later ones; number kept of each draw.
FIRST_DRAW, NEXT_DRAW, MAX_PLATES = 400, 1200, 24
#: Number of candidates of one family that are checked in a row.
PER_TURN = 4
#: Unbalanced load, in weights of a ladder, beyond which a candidate is rejected.
MAX_UNBALANCED = 0.25
#: Number of slips tried on the frozen structure, and number of them that may fail.
FILTER_SLIPS, FILTER_FAILS = 6, 1
#: Number of free ladders up to which fewer slips are tried, and number of these slips. Without free ladders none is
#: tried, because whole drops are then as cheap.
FEW_FREE, FILTER_SLIPS_FEW = 4, 4
#: Prior numbers of checked and passed candidates; on towers, more plates, because they hold most often.
PRIOR_CANDIDATES, PRIOR_PASSED, PRIOR_ON_TOWERS = 8.0, 1.0, {"plate": 5.0}
#: Cost of a draw that yields no candidate, in checked candidates.
EMPTY_DRAW_COST = 12
#: Number of candidates required in the pool before the best is dropped: for the first drop, and for later drops.
POOL_FIRST, POOL = 2, 5
#: Growth of the required pool after each failed drop, and its maximum. A check costs a tenth of a drop.
POOL_PER_FAILURE, MAX_POOL = 2, 25
#: Number of rounds of checks after which a pool is used even if it isn't full.
MAX_ROUNDS = 15
#: Effort counted for each draw of plates, in simulated ticks of one ladder.
DRAW_EFFORT = 150


@dataclass(frozen=True)
class FilteredCandidate:
    """A candidate that held on the frozen structure."""

    family: str
    release: Pose
    outcome: values.ReleaseOutcome
    share: float
    """Share of slips on the frozen structure that met the requirement."""
    unbalanced: float
    worth: float


class CandidateFilter:
    """Draws candidates for one question and checks them on the frozen structure."""

    def __init__(
        self,
        model: StructureModel,
        ladder: Ladder,
        question: values.Question,
        attitudes: values.Attitudes,
        rng: np.random.Generator,
    ) -> None:
        self._model, self._ladder, self._question = model, ladder, question
        self._attitudes, self._rng = attitudes, rng
        self._plates: list[values.Candidate] | None = None
        free = sum(not fixed for _, _, fixed in question.standing)
        self._filter_slips = FILTER_SLIPS if free > FEW_FREE else FILTER_SLIPS_FEW if free else 0
        self._tried = dict.fromkeys(FAMILIES, PRIOR_CANDIDATES)
        self._passed = dict.fromkeys(FAMILIES, PRIOR_PASSED)
        self._passed |= PRIOR_ON_TOWERS if free > FEW_FREE else {}
        self._yaws = attitudes.find_plate_yaws()
        if self._yaws is not None and not len(self._yaws):
            self._passed["plate"] = 0.0  # this hand can't lay a ladder flat
        self._pool: list[FilteredCandidate] = []
        self.dropped_candidates: list[tuple[FilteredCandidate, bool]] = []
        """Candidates dropped with everything free, and whether each made a good place."""
        self.effort = 0
        """Effort of drawing plates."""

    def fill(self) -> Iterator[None]:
        """Check candidates until the pool is full."""
        for _ in range(MAX_ROUNDS):
            if len(self._pool) >= self._pool_size:
                break
            candidates = self._draw_candidates()
            if not candidates:
                yield None
            for candidate in candidates:
                self._check(candidate)
                yield None

    def pop_best(self) -> FilteredCandidate | None:
        """Remove the most promising candidate from the pool and return it."""
        best = max(self._pool, key=self._rate, default=None)
        if best is not None:
            self._pool.remove(best)
        return best

    @property
    def _pool_size(self) -> int:
        """Required size of the pool: larger after each failed drop in a row."""
        if not self.dropped_candidates:
            return POOL_FIRST
        drops = enumerate(reversed(self.dropped_candidates))
        failures = next((k for k, (_, is_good) in drops if is_good), len(self.dropped_candidates))
        return min(MAX_POOL, POOL + POOL_PER_FAILURE * failures)

    def _draw_candidates(self) -> list[values.Candidate]:
        probabilities = np.array([self._estimate_yield(family) for family in self._tried])
        family = str(self._rng.choice(list(self._tried), p=probabilities / probabilities.sum()))
        wood, rng = self._model.wood, self._rng
        if family == "hook":
            candidates = draw_hooks(wood, self._ladder, self._attitudes, rng, PER_TURN)
        elif family in ("lean", "flat"):
            draw = draw_leans if family == "lean" else draw_flats
            candidates = draw(wood, self._ladder, self._attitudes, rng, PER_TURN)
        else:
            if not self._plates:
                self._plates = self._draw_plates(FIRST_DRAW if self._plates is None else NEXT_DRAW)
            candidates, self._plates = self._plates[:PER_TURN], self._plates[PER_TURN:]
        self._tried[family] += len(candidates) or EMPTY_DRAW_COST
        return candidates

    def _estimate_yield(self, family: str) -> float:
        drops = [good for filtered, good in self.dropped_candidates if filtered.family == family]
        pass_rate = self._passed[family] / self._tried[family]
        return pass_rate * (sum(drops) + 1.0) / (len(drops) + 2.0)

    def _draw_plates(self, count: int) -> list[values.Candidate]:
        self.effort += DRAW_EFFORT
        wood, wanted = self._model.wood, self._question.wanted
        drawn = draw_plates(wood, self._ladder, wanted, self._rng, count, self._yaws)
        distinct: list[values.Candidate] = []
        for candidate in drawn:
            if len(distinct) == 2 * MAX_PLATES:
                break
            if not any(is_same_place(candidate.pose, place.pose) for place in distinct):
                distinct.append(candidate)
        unbalanced = self._model.balance.weigh([candidate.load for candidate in distinct])
        balanced = [
            replace(
                candidate, worth=(candidate.worth + 0.002) / (1.0 + excess / SAG), unbalanced=float(excess)
            )
            for candidate, excess in zip(distinct, unbalanced, strict=True)
            if excess < MAX_UNBALANCED
        ]
        return sorted(balanced, key=lambda candidate: -candidate.worth)[:MAX_PLATES]

    def _check(self, candidate: values.Candidate) -> None:
        frozen, goal = self._model.frozen, candidate.pose
        start = Pose(goal.position, self._attitudes.find_nearest(goal.rotation))
        is_plate = candidate.family == "plate"
        if is_plate and quat_angle(start.rotation, goal.rotation) > values.THROWN_RAD:
            return
        result = self._release_frozen(start, is_plate)
        if result is not None and result[1].turned_rad > values.RETRY_TURN_RAD:
            rest = result[1].pose
            reached = Pose(rest.position, self._attitudes.find_nearest(rest.rotation))
            second = self._release_frozen(reached, is_plate=False)
            result = second if self._attitudes.is_unlimited or second is not None else result
        if result is None:
            return
        release, outcome = result
        if outcome.turned_rad > self._attitudes.max_turn_rad:
            return
        if any(is_same_place(outcome.pose, filtered.outcome.pose) for filtered, _ in self.dropped_candidates):
            return
        if any(is_same_place(outcome.pose, filtered.outcome.pose) for filtered in self._pool):
            return
        fails = 0
        for _ in range(self._filter_slips):
            lowered = frozen.lower(values.add_slip(release, self._question.slip, self._rng))
            fails += lowered is None or not frozen.drop(lowered).meets(self._question.wanted)
            if fails > FILTER_FAILS:
                return
        # Weighing a load takes as long as all these drops, so reuse a plate's result if it touches what was predicted.
        unbalanced = candidate.unbalanced
        if unbalanced is None or {name for name, _, _ in candidate.load} != set(outcome.touched):
            unbalanced = float(self._model.balance.weigh([outcome.load])[0])
        if unbalanced > MAX_UNBALANCED:
            return
        self._passed[candidate.family] += 1.0
        share = 1.0 - fails / max(self._filter_slips, 1)
        self._pool.append(
            FilteredCandidate(candidate.family, release, outcome, share, unbalanced, candidate.worth)
        )

    def _release_frozen(self, start: Pose, is_plate: bool) -> tuple[Pose, values.ReleaseOutcome] | None:
        """Lower and release a ladder on the frozen structure; None unless it meets the requirement."""
        frozen = self._model.frozen
        release = frozen.lower(start) if is_plate else frozen.lower(start, None)
        if release is None:
            return None
        outcome = frozen.drop(release)
        return (release, outcome) if outcome.meets(self._question.wanted) else None

    def _rate(self, filtered: FilteredCandidate) -> float:
        held = failed = 1.0
        for other, good in self.dropped_candidates:
            own, others = set(filtered.outcome.touched), set(other.outcome.touched)
            distance = math.dist(filtered.outcome.pose.position, other.outcome.pose.position) / 0.02
            similarity = len(own & others) / len(own | others) * math.exp(-(distance**2))
            held, failed = held + similarity * good, failed + similarity * (not good)
        firm = 1.0 / (1.0 + filtered.unbalanced / SAG)
        return (
            held / (held + failed) * firm * (0.3 + filtered.share) * (1.0 + 50.0 * min(filtered.worth, 0.012))
        )


#: Number of local drops, in which only the touched ladders move, that cost as much as a whole drop.
LOCAL_PER_DROP = 10
#: Number of additional slips tried at the best place whenever a good place is found, and maximum for one place.
EXTRA_SLIPS, MAX_SLIPS = 3, 24
#: Share of effort for hanging ladders if only safety counts, and if height counts; keys: whether a good plate is known,
#: and whether another good place is.
HANGING_SHARES_SAFEST = {(False, False): 0.3, (True, False): 0.8, (False, True): 0.3, (True, True): 0.5}
HANGING_SHARES_TALL = {(False, False): 0.7, (True, False): 0.9, (False, True): 0.7, (True, True): 0.7}
#: Effort on filtered candidates (about a second) after which, without a good place, hanging ladders get another share.
LATE_EFFORT, HANGING_SHARE_LATE = 12_000, 0.75
#: Number of failed hanging tries that count as one failed attempt, because each is short.
TRIES_PER_ATTEMPT = 4
#: Number of first slips among which a second failure ends the test, because such a place is hardly ever good.
EARLY_SLIPS = 3


@dataclass(frozen=True)
class FoundPlace:
    """A new place, or an update of a known one; ``number`` counts the places of a search."""

    number: int
    place: LadderPlace


class PlaceFinder:
    """Searches one structure after another; must be closed."""

    def __init__(self, ladders: LadderSet, base: Base) -> None:
        self._ladders = {ladder.piece: ladder for ladder in ladders.ladders}
        self._base = base
        self._model: StructureModel | None = None
        self.drops = 0
        """Number of whole drops simulated."""
        self.failed_attempts = 0
        """Number of failed attempts to find a candidate to drop."""
        self.local_drops = 0
        """Number of drops in which only the touched ladders move."""

    def close(self) -> None:
        if self._model is not None:
            self._model.close()
            self._model = None

    @property
    def is_unsteady(self) -> bool:
        return self._model is not None and not self._model.free.stands

    @property
    def work(self) -> int:
        return self.drops + self.failed_attempts + self.local_drops // LOCAL_PER_DROP

    @property
    def effort(self) -> int:
        """Effort on the last structure, as in ``Rehearsal.effort``."""
        model = self._model
        rehearsals = () if model is None else (model.free, model.frozen, model.local, model.in_game)
        return sum(rehearsal.effort for rehearsal in rehearsals)

    def prepare(self, standing: StructurePoses) -> StructureModel | None:
        """Prepare everything that depends only on the structure, once per structure; None if nothing stands."""
        if not standing:
            return None
        if self._model is None or not values.is_same_structure(self._model.asked, standing):
            self.close()
            self._model = StructureModel(self._ladders, self._base, standing)
        return self._model

    def search(self, question: values.Question, seed: int) -> Iterator[FoundPlace | None]:
        """Yield places, and None after each step without one, until the budget is spent."""
        model = self.prepare(question.standing)
        if model is None:
            return
        for rehearsal in (model.free, model.frozen, model.local):
            rehearsal.load_ladder(question.piece)
        yield from _StructureSearch(self, model, self._ladders[question.piece], question, seed).search()


class _StructureSearch:
    def __init__(
        self, finder: PlaceFinder, model: StructureModel, ladder: Ladder, question: values.Question, seed: int
    ) -> None:
        self._finder, self._model, self._ladder, self._question = finder, model, ladder, question
        self._rng = np.random.default_rng(seed)
        self._attitudes = attitudes = values.Attitudes(question.reach)
        self._filter = CandidateFilter(model, ladder, question, attitudes, self._rng)
        self._sampler = TrialSampler(model, ladder, question, attitudes, self._rng)
        self._places: list[LadderPlace] = []
        self._local = set[int]()
        """Places at which a drop ends the same if only the touched ladders move; their slips are tried that way."""
        self._any_free = not all(fixed for _, _, fixed in question.standing)
        # A question that is asked again ends after the same work.
        finder.local_drops -= finder.local_drops % LOCAL_PER_DROP
        self._work_before = finder.work
        self._has_loaded_in_game = False
        self._failed_tries = 0
        """Number of failed hanging tries."""
        self._efforts = {False: 0, True: 0}
        """Effort of filtered candidates (False) and of hanging ones (True)."""

    def search(self) -> Iterator[FoundPlace | None]:
        while not self._is_exhausted():
            is_hanging, effort_before = self._is_hanging_turn, self._effort
            yield from self._try_hanging() if is_hanging else self._try_filtered()
            self._efforts[is_hanging] += self._effort - effort_before

    @property
    def _effort(self) -> int:
        return self._finder.effort + self._filter.effort

    @property
    def _is_hanging_turn(self) -> bool:
        """Whether hanging ladders have had less than their share of the effort."""
        kinds = {place.kind for place in self._places if values.is_good(place)}
        plates, others = PlaceKind.PLATE in kinds, bool(kinds - {PlaceKind.PLATE})
        share = (HANGING_SHARES_SAFEST if self._question.weights == SAFEST else HANGING_SHARES_TALL)[
            plates, others
        ]
        if not kinds and self._efforts[False] > LATE_EFFORT:
            share = HANGING_SHARE_LATE
        return self._efforts[True] < share * (self._efforts[True] + self._efforts[False])

    def _is_exhausted(self) -> bool:
        drops = self._question.drops
        return drops is not None and self._finder.work - self._work_before >= drops

    def _try_filtered(self) -> Iterator[FoundPlace | None]:
        for _ in self._filter.fill():
            yield None
        filtered = self._filter.pop_best()
        if filtered is None:
            self._finder.failed_attempts += 1
            return
        outcome = self._drop(filtered.release)
        good = False
        if outcome.clearly_meets(self._question.wanted):
            yield from self._test_place(filtered.release, outcome)
            good = values.is_good(self._places[-1])
        else:
            yield None
        self._filter.dropped_candidates.append((filtered, good))

    def _try_hanging(self) -> Iterator[FoundPlace | None]:
        result = yield from self._sampler.try_next()
        if result is not None:
            source, release, outcome = result
            is_known = any(is_same_place(outcome.pose, place.rest) for place in self._places)
            if outcome.clearly_meets(self._question.wanted) and not is_known:
                self._finder.drops += 1
                yield from self._test_place(release, outcome)
                self._sampler.record_place(source, self._places[-1])
                return
        self._failed_tries += 1
        self._finder.failed_attempts += self._failed_tries % TRIES_PER_ATTEMPT == 0
        yield None

    def _test_place(self, release: Pose, outcome: values.ReleaseOutcome) -> Iterator[FoundPlace | None]:
        model = self._model
        place = describe_place(model.ladders, model.free.standing, self._ladder.piece, release, outcome)
        self._places.append(place)
        number = len(self._places) - 1
        yield FoundPlace(number, place)
        if self._any_free and self._drop_locally(place, release).ends_like(outcome):
            self._local.add(number)
        while not (values.is_decided(place) or _is_hopeless(place) or self._is_exhausted()):
            finding = self._test_slip(number)
            place = finding.place
            yield finding
        if values.is_good(self._places[number]):
            weights = self._question.weights
            best = max(range(len(self._places)), key=lambda n: values.get_rank(self._places[n], weights))
            for _ in range(min(EXTRA_SLIPS, MAX_SLIPS - self._places[best].slips)):
                if not self._is_exhausted():
                    yield self._test_slip(best)

    def _test_slip(self, number: int) -> FoundPlace:
        place = self._places[number]
        tried, survives = place.slips + 1, self._survives(number)
        tested = replace(place, safety=(place.held + survives) / tried, slips=tried)
        if values.is_good(tested) and not values.is_good(place):
            tested = tested if self._is_confirmed(place) else replace(tested, safety=0.0)
        self._places[number] = tested
        return FoundPlace(number, tested)

    def _is_confirmed(self, place: LadderPlace) -> bool:
        """Return whether the place holds in the game's engine, too, and the structure stands as the drop leaves it.

        True if the structure falls even without the ladder; without the game's engine if it falls only there.
        """
        free, in_game = self._model.free, self._model.in_game
        if not free.stands:
            return True
        engine = in_game if in_game.stands else free
        if engine is in_game and not self._has_loaded_in_game:
            in_game.load_ladder(self._question.piece)
            self._has_loaded_in_game = True
        self._finder.drops += 1
        outcome = engine.drop(place.release)
        holds = (
            outcome.clearly_meets(self._question.wanted)
            and outcome.turned_rad <= self._attitudes.max_turn_rad
        )
        return holds and free.rebuild(engine.rested).stands

    def _survives(self, number: int) -> bool:
        place = self._places[number]
        lowered = self._model.frozen.lower(values.add_slip(place.release, self._question.slip, self._rng))
        if lowered is None:
            return False
        outcome = self._drop_locally(place, lowered) if number in self._local else self._drop(lowered)
        return outcome.meets(self._question.wanted)

    def _drop_locally(self, place: LadderPlace, release: Pose) -> values.ReleaseOutcome:
        self._finder.local_drops += 1
        self._model.local.let_move(frozenset(place.touched))
        return self._model.local.drop(release)

    def _drop(self, release: Pose) -> values.ReleaseOutcome:
        self._finder.drops += 1
        return self._model.free.drop(release)


def _is_hopeless(place: LadderPlace) -> bool:
    return place.slips <= EARLY_SLIPS and (1.0 - place.safety) * place.slips > 1.5


@dataclass(frozen=True)
class SearchRequest:
    """A numbered question; results carry the same number."""

    number: int
    question: values.Question
    seed: int


@dataclass(frozen=True)
class SearchProgress:
    """A place for the question of this number, and the progress of the process."""

    number: int
    finding: FoundPlace | None
    """None: progress without a result."""
    work_s: float
    """Processor time spent on the question so far."""
    work: int
    """Work done so far, in drops."""


@dataclass(frozen=True)
class SearchEnded:
    """The end of the search for the question of this number."""

    number: int
    finished: bool
    """Whether the work was completed before the timeout."""
    is_unsteady: bool
    """Whether the structure falls in a rehearsal."""


class Searcher(Protocol):
    """Interface of ``PlaceFinder``, for alternatives in tests and benchmarks."""

    def prepare(self, standing: StructurePoses) -> object: ...

    @property
    def is_unsteady(self) -> bool:
        """Whether the last structure falls in a rehearsal."""

    @property
    def work(self) -> int:
        """Number of drops simulated so far, plus failed attempts to find a candidate."""

    def search(self, question: values.Question, seed: int) -> Iterator[FoundPlace | None]: ...


SearcherFactory = Callable[[LadderSet, Base], Searcher]


def serve_searches(pipe: Connection, ladders: LadderSet, base: Base, make: SearcherFactory) -> None:
    """Serve searches in this process; a new request ends the search under way.

    The process sends None once it has started. A request is a search, a structure to prepare, or None to cancel.
    """
    finder = make(ladders, base)
    pipe.send(None)
    while True:
        request: SearchRequest | StructurePoses | None = pipe.recv()
        if isinstance(request, SearchRequest):
            _run_search(pipe, finder, request)
        elif request is not None:
            finder.prepare(request)


def _run_search(pipe: Connection, finder: Searcher, request: SearchRequest) -> None:
    question = request.question
    deadline_s, start_s = time.monotonic() + question.seconds, time.process_time()
    work_before, reported, finished = finder.work, 0, True
    for finding in finder.search(question, request.seed):
        work_s, work = time.process_time() - start_s, finder.work - work_before
        if finding is not None or work > reported:
            reported = work
            pipe.send(SearchProgress(request.number, finding, work_s, work))
        if pipe.poll():
            return
        if question.work_s is not None and work_s > question.work_s:
            break
        if time.monotonic() > deadline_s:
            finished = False
            break
    pipe.send(SearchEnded(request.number, finished, finder.is_unsteady))


#: Number of search processes: the cores of a small laptop.
PROCESSES = 2
#: Low process priority, so that the game's own processes run first.
NICENESS = 10
#: Seconds after the timeout for finishing a step, and for a process that has to start first.
GRACE_S, START_GRACE_S = 0.4, 20.0


class PlaceSearch:
    """Finds places for a set of ladders on a base. The first structure starts processes; ``wait``, ``close`` block."""

    def __init__(
        self,
        ladders: LadderSet,
        base: Base,
        processes: int = PROCESSES,
        make: SearcherFactory = PlaceFinder,
        niceness: int = NICENESS,
    ) -> None:
        """``make``: creates the searcher of each process; ``niceness``: priority of the processes."""
        self._known = {ladder.piece for ladder in ladders.ladders}
        self._number = 0
        self._question: values.Question | None = None
        self._places_found: dict[tuple[int, int], LadderPlace] = {}
        self._is_outdated = False
        self._work_s, self._drops = 0.0, 0
        self._since_s = 0.0
        self._start: Callable[[], list[_SearchWorker]] = lambda: [
            _SearchWorker(ladders, base, make, niceness) for _ in range(processes)
        ]
        self._workers: list[_SearchWorker] = []

    @property
    def pids(self) -> tuple[int, ...]:
        return tuple(worker.pid for worker in self._workers)

    def prepare(self, standing: StructurePoses) -> None:
        """Let idle processes prepare a structure between turns, without interrupting a search."""
        check_structure(standing, self._known)
        self._workers = self._workers or self._start()
        if not any(worker.is_busy for worker in self._workers):
            for worker in self._workers:
                worker.send(tuple(standing))

    def ask(self, question: values.Question) -> None:
        """Start a search, which ends the last one. Raises WorldError for an impossible structure."""
        check_structure([*question.standing, (question.piece, IDENTITY_POSE, False)], self._known)
        self._workers = self._workers or self._start()
        self._number += 1
        self._question, self._places_found, self._is_outdated = question, {}, False
        self._work_s, self._drops = 0.0, 0
        self._since_s = time.monotonic()
        for index in range(len(self._workers)):
            self._send_request(index)

    def read_answer(self, standing: StructurePoses | None = None) -> values.Answer:
        """Return the places found so far; none if ``standing``, the current structure, differs from the question's."""
        question = self._question
        if question is None:
            return values.Answer(done=True, is_outdated=self._is_outdated)
        self._read_messages()
        if standing is not None and not values.is_same_structure(question.standing, standing):
            self.cancel()
            self._is_outdated = True
            return values.Answer(done=True, is_outdated=True)
        in_order = [place for _, place in sorted(self._places_found.items())]
        places = sorted(in_order, key=lambda place: values.get_rank(place, question.weights), reverse=True)
        patience_s = GRACE_S if all(worker.is_ready for worker in self._workers) else START_GRACE_S
        if time.monotonic() - self._since_s > question.seconds + patience_s:
            self._stop()
        done = not any(worker.is_busy for worker in self._workers)
        failed = done and not any(worker.has_finished for worker in self._workers)
        mean_work = sum(worker.work for worker in self._workers) / max(1, len(self._workers))
        share = 1.0 if done else min(1.0, mean_work / question.drops) if question.drops else 0.0
        kept = _drop_duplicates(places)
        is_unsteady = any(worker.is_unsteady for worker in self._workers)
        return values.Answer(
            kept, done, share, self._work_s, self._drops, failed=failed, is_unsteady=is_unsteady
        )

    def wait(self, seconds: float = 60.0) -> values.Answer:
        """Return the complete answer, or the partial one after a timeout."""
        deadline_s = time.monotonic() + seconds
        while not (answer := self.read_answer()).done and time.monotonic() < deadline_s:
            time.sleep(0.005)
        return answer

    def cancel(self) -> None:
        self._stop()
        self._question, self._places_found, self._is_outdated = None, {}, False

    def close(self) -> None:
        for worker in self._workers:
            worker.close()
        self._workers, self._question = [], None

    def _stop(self) -> None:
        self._number += 1  # ignore late results
        for worker in self._workers:
            if worker.is_busy:
                worker.send(None)
            worker.is_busy = False

    def _send_request(self, index: int) -> None:
        assert self._question is not None
        worker = self._workers[index]
        seed = self._question.seed * len(self._workers) + index
        worker.is_busy, worker.work = True, 0
        worker.was_restarted = worker.has_finished = worker.is_unsteady = False
        worker.send(SearchRequest(self._number, self._question, seed))

    def _read_messages(self) -> None:
        for index, worker in enumerate(self._workers):
            for message in worker.drain_messages():
                if message is None:
                    worker.is_ready = True
                elif message.number != self._number:
                    continue
                elif isinstance(message, SearchEnded):
                    worker.is_busy, worker.has_finished = False, message.finished
                    worker.is_unsteady = message.is_unsteady
                else:
                    worker.work = message.work
                    if message.finding is not None:
                        self._places_found[index, message.finding.number] = message.finding.place
                        self._work_s, self._drops = message.work_s, message.work
            if worker.is_busy and not worker.is_alive:
                self._revive(index)

    def _revive(self, index: int) -> None:
        """Restart a process that ended in the middle of a search; it gets the remaining time."""
        worker = self._workers[index]
        if worker.was_restarted or self._question is None:
            worker.is_busy = False
            return
        remaining_s = self._question.seconds - (time.monotonic() - self._since_s)
        worker.restart()
        worker.is_ready, worker.was_restarted = False, True
        seed = self._question.seed * len(self._workers) + index
        worker.send(SearchRequest(self._number, replace(self._question, seconds=max(0.0, remaining_s)), seed))


class _SearchWorker(Worker):
    """One search process and its state."""

    def __init__(self, ladders: LadderSet, base: Base, make: SearcherFactory, niceness: int) -> None:
        super().__init__("places", serve_searches, ladders, base, make, niceness=niceness)
        self.is_ready = False
        """Whether it has started and accepts requests."""
        self.is_busy = False
        self.was_restarted = False
        self.has_finished = False
        """Whether it has completed its work for the question."""
        self.is_unsteady = False
        """Whether the structure falls in its rehearsal."""
        self.work = 0
        """Work done for the question, in drops."""


def _drop_duplicates(places: list[LadderPlace]) -> tuple[LadderPlace, ...]:
    distinct: list[LadderPlace] = []
    for place in places:
        if all(place.release != other.release for other in distinct):
            distinct.append(place)
    return tuple(distinct)
