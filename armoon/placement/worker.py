"""One process of the search: reads questions from a pipe and sends findings until the pipe is closed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Protocol

from armoon.placement.question import Question
from armoon.placement.seeker import Finding
from armoon.values.pieces import Base, LadderSet
from armoon.world.checks import Standing


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


@dataclass(frozen=True)
class Ready:
    """The process has started and takes wishes."""


class Searching(Protocol):
    """Who searches in a process: ``Seeker``, or what it is compared with."""

    def prepare(self, standing: Standing) -> object:
        """Make ready what depends on the structure alone."""

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
    pipe.send(Done(ask.number, finished))
