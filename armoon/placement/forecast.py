"""What would become of a ladder that is let go of: whole drops from where it is, in a process beside the game.

The first drop is from the very pose, the others from poses next to it, as a hand trembles. A newer question, or none,
ends the one before it; each drop is told as soon as it is over.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection

import numpy as np

from armoon.geometry import quat_angle
from armoon.placement.candidates import flats, leans
from armoon.placement.rehearsal import Rehearsal
from armoon.placement.search import Seeker
from armoon.placement.values import Attitudes, Outcome, same_structure, slip
from armoon.processes.child import Worker
from armoon.values.pieces import Base, Ladder, LadderSet, PieceId
from armoon.values.places import Reach, Slip
from armoon.values.poses import Pose
from armoon.world.checks import Standing

#: The least tremble of a hand, which holds still then.
TREMBLE = Slip(0.0003, 0.0035)
#: Drops by which it is known what becomes of it, and by which how safely.
KNOWN_DROPS, MOST_DROPS = 3, 8
#: Drops that come to rest farther from each other rest in two places.
APART_M, APART_RAD = 0.005, math.radians(5.0)
#: The game's own processes go first, the searches last: this is waited for.
NICENESS = 5


@dataclass(frozen=True)
class Release:
    """A ladder that is held over or on a structure."""

    standing: tuple[tuple[PieceId, Pose, bool], ...]
    """As in ``Question``."""
    piece: PieceId
    pose: Pose | None
    """Where it is let go of, table frame; None only prepares the structure, and ends the question before."""
    tremble: Slip = TREMBLE
    """How the hand trembles about that."""


class Dropper:
    """Drops ladders on one structure after another; close it."""

    def __init__(self, ladders: LadderSet, base: Base) -> None:
        self._ladders = {ladder.piece: ladder for ladder in ladders.ladders}
        self._base = base
        self._ready: tuple[Standing, PieceId, Rehearsal] | None = None

    def close(self) -> None:
        if self._ready is not None:
            self._ready[2].close()
            self._ready = None

    def prepare(self, release: Release) -> Rehearsal:
        """Build the structure and take the ladder; nothing is done twice."""
        if self._ready is None or not same_structure(self._ready[0], release.standing):
            self.close()
            rehearsal = Rehearsal(self._ladders, self._base, release.standing, frozen=False, as_played=True)
        else:
            _, piece, rehearsal = self._ready
            if piece == release.piece:
                return rehearsal
        rehearsal.take(release.piece)
        self._ready = (release.standing, release.piece, rehearsal)
        return rehearsal

    def drops(self, release: Release) -> Iterator[Outcome]:
        """Yield what becomes of it, as it is held and then as a hand trembles; the same for the same question."""
        rehearsal, pose = self.prepare(release), release.pose
        if pose is None:
            return
        rng = np.random.default_rng(0)
        for number in range(MOST_DROPS):
            yield rehearsal.drop(slip(pose, release.tremble, rng) if number else pose)


def usual_rest(drops: Sequence[Outcome]) -> Outcome | None:
    """Return the first of these drops that came to rest where most others did; None for none."""
    return max(drops, key=lambda one: sum(_near(one.pose, other.pose) for other in drops), default=None)


def _near(a: Pose, b: Pose) -> bool:
    return math.dist(a.position, b.position) <= APART_M and quat_angle(a.rotation, b.rotation) <= APART_RAD


def serve(pipe: Connection, ladders: LadderSet, base: Base) -> None:
    """Serve questions in this process; one that comes during another ends it."""
    dropper = Dropper(ladders, base)
    while True:
        number, release = pipe.recv()
        while pipe.poll():
            number, release = pipe.recv()
        for outcome in dropper.drops(release):
            pipe.send((number, outcome))
            if pipe.poll():
                break


class Foreteller:
    """Asks the process, which is started with the first question; close it."""

    def __init__(self, ladders: LadderSet, base: Base, niceness: int = NICENESS) -> None:
        """``niceness``: how far all else on the machine goes first."""
        self._of, self._niceness = (ladders, base), niceness
        self._worker: Worker | None = None
        self._number = 0
        self._drops: tuple[Outcome, ...] = ()

    def ask(self, release: Release) -> None:
        """Begin with another question; what still comes of the one before is dropped."""
        self._number += 1
        self._drops = ()
        if self._worker is None:
            self._worker = Worker("rest", serve, *self._of, niceness=self._niceness)
        elif not self._worker.alive:
            self._worker.restart()
        self._worker.send((self._number, release))

    def drops(self) -> tuple[Outcome, ...]:
        if self._worker is not None:
            self._drops += tuple(outcome for number, outcome in self._worker.news() if number == self._number)
        return self._drops

    def wait(self, count: int, seconds: float) -> tuple[Outcome, ...]:
        """Return ``count`` drops, or fewer after a timeout."""
        until = time.monotonic() + seconds
        while self._worker is not None and len(self.drops()) < count and self._worker.alive:
            if time.monotonic() > until:
                break
            self._worker.says(0.05)
        return self._drops

    def close(self) -> None:
        """End the process, in the middle of a drop too; may be called twice, and another question begins it anew."""
        if self._worker is not None:
            self._worker.close(0.0)
            self._worker = None


#: It is let go of this far above its first contact: with more free fall it might wait in the air.
FALL_M = 0.010
#: Candidates drawn at a time; drops of each, with a hand's slips.
DRAWN, DROPS = 4, 2


@dataclass(frozen=True)
class Toppling:
    """A ladder that is let go of there brings others down."""

    release: Pose
    fallen: float
    """How many, in the mean of a few drops."""


def topplings(
    seeker: Seeker, standing: Standing, ladder: Ladder, reach: Reach, by: Slip, seed: int
) -> Iterator[Toppling]:
    """Yield drops on a structure one after another, for as long as they are asked for; none where nothing stands."""
    known, rng, attitudes = seeker.prepare(standing), np.random.default_rng(seed), Attitudes(reach)
    if known is None:
        return
    for rehearsal in (known.free, known.frozen):
        rehearsal.take(ladder.piece)
    while True:
        drawn = leans(known.wood, ladder, attitudes, rng, DRAWN) + flats(
            known.wood, ladder, attitudes, rng, DRAWN
        )
        for candidate in drawn:
            met = known.frozen.lower(candidate.pose, None)
            if met is not None:
                x, y, z = met.position
                release = Pose((x, y, z + FALL_M), met.rotation)
                drops = [known.free.brings_down(slip(release, by, rng)) for _ in range(DROPS)]
                yield Toppling(release, float(np.mean(drops)))
