"""One process of the search: it takes wishes from a pipe and sends findings back until the pipe is closed."""

from __future__ import annotations

import contextlib
import os
import time
from dataclasses import dataclass
from multiprocessing.connection import Connection

from armoon.child import ends_with_parent
from armoon.places.question import Question
from armoon.places.seeker import Finding, Seeker
from armoon.values.pieces import Base, LadderSet
from armoon.world.checks import Standing

#: The game's own processes go first.
NICENESS = 10


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
    """A finding for the question of this number."""

    number: int
    finding: Finding


@dataclass(frozen=True)
class Done:
    """The question of this number has been searched to the end."""

    number: int


Wish = Prepare | Ask | Cancel
News = Found | Done


def serve(pipe: Connection, ladders: LadderSet, base: Base) -> None:
    """What a process of the search does; a wish that comes in the middle of a search ends it."""
    ends_with_parent()
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    seeker = Seeker(ladders, base)
    with contextlib.suppress(EOFError, BrokenPipeError, ConnectionResetError):
        while True:
            wish: Wish = pipe.recv()
            if isinstance(wish, Prepare):
                seeker.prepare(wish.standing)
            elif isinstance(wish, Ask):
                _search(pipe, seeker, wish)


def _search(pipe: Connection, seeker: Seeker, ask: Ask) -> None:
    until = time.monotonic() + ask.question.seconds
    for finding in seeker.seek(ask.question, ask.seed):
        if finding is not None:
            pipe.send(Found(ask.number, finding))
        if pipe.poll():
            return
        if time.monotonic() > until:
            break
    pipe.send(Done(ask.number))
