"""The search for places in processes of its own: ask, poll, cancel.

Only ``wait`` blocks here; a game's frame picks up the results so far. A killed process is restarted once for
each question, and its findings stay.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from typing import Protocol

from armoon.placement.seeker import Finding, Seeker
from armoon.placement.values import Answer, Question, rank, same_structure
from armoon.processes.worker import Worker
from armoon.values.pieces import Base, LadderSet
from armoon.values.places import Place
from armoon.values.poses import IDENTITY_POSE
from armoon.world.checks import Standing, check_standing


@dataclass(frozen=True)
class Prepare:
    """A structure that will be asked about."""

    standing: Standing


@dataclass(frozen=True)
class Ask:
    """A question; its number tells its findings from those of another."""

    number: int
    question: Question
    seed: int


@dataclass(frozen=True)
class Cancel:
    """Stop searching."""


@dataclass(frozen=True)
class Found:
    """A finding for the question of this number, and how far the process is with it."""

    number: int
    finding: Finding | None
    """None: work was done in vain."""
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

    def seek(self, question: Question, seed: int) -> Iterator[Finding | None]:
        """Yield findings, and None after each fruitless piece of work."""


Make = Callable[[LadderSet, Base], Searching]


def serve(pipe: Connection, ladders: LadderSet, base: Base, make: Make) -> None:
    """Serve searches in this process; a request that comes during a search ends it."""
    seeker = make(ladders, base)
    pipe.send(Ready())
    while True:
        wish: Prepare | Ask | Cancel = pipe.recv()
        if isinstance(wish, Prepare):
            seeker.prepare(wish.standing)
        elif isinstance(wish, Ask):
            _search(pipe, seeker, wish)


def _search(pipe: Connection, seeker: Searching, ask: Ask) -> None:
    question = ask.question
    until, began_s = time.monotonic() + question.seconds, time.process_time()
    before, told, finished = seeker.work, 0, True
    for finding in seeker.seek(question, ask.seed):
        work_s, work = time.process_time() - began_s, seeker.work - before
        if finding is not None or work > told:
            told = work
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
        self._question: Question | None = None
        self._found: dict[tuple[int, int], Place] = {}
        self._void = False
        self._work_s, self._drops = 0.0, 0
        self._since_s = 0.0
        self._start: Callable[[], list[_Searcher]] = lambda: [
            _Searcher(ladders, base, make, niceness) for _ in range(processes)
        ]
        self._workers: list[_Searcher] = []

    @property
    def pids(self) -> tuple[int, ...]:
        """The processes."""
        return tuple(worker.pid for worker in self._workers)

    def prepare(self, standing: Standing) -> None:
        """Let the processes get ready for a structure between turns; a search under way goes on instead."""
        check_standing(standing, self._known)
        self._workers = self._workers or self._start()
        if not any(worker.busy for worker in self._workers):
            for worker in self._workers:
                worker.send(Prepare(tuple(standing)))

    def ask(self, question: Question) -> None:
        """Begin to search; what was asked before is forgotten. WorldError for a structure that can't be."""
        check_standing([*question.standing, (question.piece, IDENTITY_POSE, False)], self._known)
        self._workers = self._workers or self._start()
        self._number += 1
        self._question, self._found, self._void = question, {}, False
        self._work_s, self._drops = 0.0, 0
        self._since_s = time.monotonic()
        for index in range(len(self._workers)):
            self._begin(index)

    def answers(self, standing: Standing | None = None) -> Answer:
        """Return what was found so far; void once ``standing``, the structure of now, is another."""
        question = self._question
        if question is None:
            return Answer(done=True, void=self._void)
        self._take_news()
        if standing is not None and not same_structure(question.standing, standing):
            self.cancel()
            self._void = True
            return Answer(done=True, void=True)
        by_number = [place for _, place in sorted(self._found.items())]
        places = sorted(by_number, key=lambda place: rank(place, question.taste), reverse=True)
        patience_s = LATE_S if all(worker.ready for worker in self._workers) else START_PATIENCE_S
        if time.monotonic() - self._since_s > question.seconds + patience_s:
            self._stop()
        done = not any(worker.busy for worker in self._workers)
        failed = done and not any(worker.finished for worker in self._workers)
        works = sum(worker.work for worker in self._workers) / max(1, len(self._workers))
        share = 1.0 if done else min(1.0, works / question.drops) if question.drops else 0.0
        found = _distinct(places)
        unsteady = any(worker.unsteady for worker in self._workers)
        return Answer(found, done, share, self._work_s, self._drops, failed=failed, unsteady=unsteady)

    def wait(self, seconds: float = 60.0) -> Answer:
        """Return the whole answer, or the partial one after a timeout."""
        until = time.monotonic() + seconds
        while not (answer := self.answers()).done and time.monotonic() < until:
            time.sleep(0.005)
        return answer

    def cancel(self) -> None:
        """Search no further; the processes stay for the next question."""
        self._stop()
        self._question, self._found, self._void = None, {}, False

    def close(self) -> None:
        """End the processes; a second call does nothing."""
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
        worker.send(Ask(self._number, self._question, seed))

    def _take_news(self) -> None:
        for index, worker in enumerate(self._workers):
            for news in worker.news():
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
            if worker.busy and not worker.alive:
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
        worker.send(Ask(self._number, replace(self._question, seconds=max(0.0, left_s)), seed))


class _Searcher(Worker):
    """One process, and how far it is."""

    def __init__(self, ladders: LadderSet, base: Base, make: Make, niceness: int) -> None:
        super().__init__("places", serve, ladders, base, make, niceness=niceness)
        self.ready = False
        """Whether it has started and takes wishes."""
        self.busy = False
        self.revived = False
        """Whether it was started anew for the question under way."""
        self.finished = False
        """Whether it has done all its work for the question,"""
        self.unsteady = False
        """that the structure doesn't stand in its rehearsal,"""
        self.work = 0
        """and how much of it, in drops."""


def _distinct(places: list[Place]) -> tuple[Place, ...]:
    """Without those that another process found as well."""
    kept: list[Place] = []
    for place in places:
        if all(place.release != other.release for other in kept):
            kept.append(place)
    return tuple(kept)
