"""Predicts what becomes of a released ladder, by whole drops in a process beside the game.

The first drop is from the pose itself, the others as a hand trembles. If it fails, a good place is searched for around
the hand, mostly in depth, which one camera hardly shows. A newer question ends the last; drops are reported at once.
"""

from __future__ import annotations

import math
import time
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection

import numpy as np

from armoon import geometry
from armoon.placement.candidates import flats, leans
from armoon.placement.rehearsal import ABOVE_M, Rehearsal
from armoon.placement.search import Seeker
from armoon.placement.values import THROWN_RAD, Attitudes, ReleaseOutcome, same_structure, slip
from armoon.processes.child import Worker
from armoon.values.pieces import Base, Ladder, LadderSet, PieceId
from armoon.values.places import Demand, LadderPlace, Reach, Slip
from armoon.values.poses import Pose, Vec3
from armoon.world.checks import Standing
from armoon.world.guide import FARTHEST_M

#: The least tremble of a hand, which holds still then.
TREMBLE = Slip(0.0003, 0.0035)
#: Drops by which it is known what becomes of it, and by which how safely.
KNOWN_DROPS, MOST_DROPS = 3, 8
#: Search round a hand: depth steps each way, turns out of the picture, a step across and its extra weight in reaches.
DEPTH_STEP_M, DEPTH_STEPS = 0.003, 6
TURNS_RAD = (math.radians(3.0), math.radians(6.0))
ACROSS_M, ACROSS_RANK = 0.0025, 0.4
#: Steps of the search farther off, all around.
LEVEL_STEP_M = 0.008
#: Trembling drops that a place must bear; neighbours dropped freely before giving up, and their least distance at rest.
SLIPS, MOST_TRIED = 3, 12
ALIKE_M, ALIKE_RAD = 0.0015, math.radians(2.0)
#: Drops that come to rest farther from each other rest in two places.
APART_M, APART_RAD = 0.005, math.radians(5.0)
#: The game's own processes go first, the searches last: this is waited for.
NICENESS = 5


@dataclass(frozen=True)
class Nearby:
    """A search for a place round a hand."""

    wanted: Demand
    view: Vec3
    """Unit vector from the eye to the hand, table frame: the direction in which its place is least certain."""
    reach_m: float
    reach_rad: float
    """How far from the hand a place may be."""


@dataclass(frozen=True)
class Release:
    """A ladder that is held over or on a structure."""

    standing: tuple[tuple[PieceId, Pose, bool], ...]
    """As in ``Question``."""
    piece: PieceId
    pose: Pose | None
    """Release, table frame; None only prepares the structure, and ends the question before."""
    tremble: Slip = TREMBLE
    """How the hand trembles about that."""
    nearby: Nearby | None = None
    """The search for a place near that pose; None: none is wanted."""


class Dropper:
    """Drops ladders on one structure after another; close it."""

    def __init__(self, ladders: LadderSet, base: Base) -> None:
        self._ladders = {ladder.piece: ladder for ladder in ladders.ladders}
        self._base = base
        self._ready: tuple[Standing, PieceId, Rehearsal] | None = None
        self._frozen: Rehearsal | None = None
        """The same structure, frozen, once a place was searched for."""

    def close(self) -> None:
        if self._ready is not None:
            self._ready[2].close()
        if self._frozen is not None:
            self._frozen.close()
        self._ready = self._frozen = None

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
        if self._frozen is not None:
            self._frozen.take(release.piece)
        self._ready = (release.standing, release.piece, rehearsal)
        return rehearsal

    def drops(self, release: Release) -> Iterator[ReleaseOutcome]:
        """Yield what becomes of it, as it is held and then as a hand trembles; the same for the same question."""
        rehearsal, pose = self.prepare(release), release.pose
        if pose is None:
            return
        rng = np.random.default_rng(0)
        for number in range(MOST_DROPS):
            yield rehearsal.drop(slip(pose, release.tremble, rng) if number else pose)

    def answers(self, release: Release) -> Iterator[ReleaseOutcome | LadderPlace | None]:
        """Yield the drops and, once what becomes of it is known, a place near it; None after each fruitless piece."""
        nearby, held, known = release.nearby, release.pose, list[ReleaseOutcome]()
        found = nearby is None
        for outcome in self.drops(release):
            yield outcome
            known.append(outcome)
            if nearby is None or held is None or len(known) != KNOWN_DROPS:
                continue
            if all(one.meets(nearby.wanted) for one in known) and self._stands(release, known[0].pose):
                yield _place(held, known[0])
                found = True
            else:
                found = yield from self._search(release, neighbours(held, nearby), nearby.reach_m)
        if not found and held is not None:
            yield from self._search(release, farther(held), FARTHEST_M, above_m=None)

    def _stands(self, release: Release, rest: Pose) -> bool:
        """Whether the structure and the ladder, at rest there, stand in a fresh rehearsal as well as it does alone."""
        if not self.prepare(release).stands:
            return True
        standing = (*release.standing, (release.piece, rest, False))
        rehearsal = Rehearsal(self._ladders, self._base, standing, frozen=False, as_played=True)
        rehearsal.close()
        return rehearsal.stands

    def _search(
        self, release: Release, poses: Sequence[Pose], reach_m: float, *, above_m: float | None = ABOVE_M
    ) -> Generator[LadderPlace | None, None, bool]:
        """Try these poses, lowered from so far above them, until one does; return whether one did."""
        held, nearby = release.pose, release.nearby
        assert held is not None
        assert nearby is not None
        free, frozen = self.prepare(release), self._frozen
        if frozen is None:
            frozen = self._frozen = Rehearsal(self._ladders, self._base, free.standing, frozen=True)
            frozen.take(release.piece)
        rng, tried = np.random.default_rng(0), list[Pose]()
        for pose in poses:
            yield None
            met = frozen.lower(pose, above_m)
            if met is None or math.dist(met.position, held.position) > reach_m:
                continue
            outcome = frozen.drop(met)
            if outcome.turned_rad > THROWN_RAD or not outcome.meets(nearby.wanted):
                continue
            if any(geometry.are_near(outcome.pose, other, ALIKE_M, ALIKE_RAD) for other in tried):
                continue
            yield None
            tried.append(outcome.pose)
            outcome = free.drop(met)
            if outcome.meets(nearby.wanted):
                slips = (free.drop(slip(met, TREMBLE, rng)) for _ in range(SLIPS))
                if all(one.meets(nearby.wanted) for one in slips) and self._stands(release, outcome.pose):
                    yield _place(met, outcome)
                    return True
            if len(tried) >= MOST_TRIED:
                break
        return False


def neighbours(held: Pose, nearby: Nearby) -> list[Pose]:
    """Return reachable poses near a held one, nearest first: across, or in depth and turns that cameras hardly see."""
    view = np.array(nearby.view)
    right = np.cross(view, (0.0, 0.0, 1.0))
    right /= max(float(np.linalg.norm(right)), 1e-9)
    up = np.cross(right, view)
    depths = [step * DEPTH_STEP_M for step in range(-DEPTH_STEPS, DEPTH_STEPS + 1)]
    turns = [(right, 0.0)] + [
        (axis, sign * by) for axis in (right, up) for by in TURNS_RAD for sign in (-1, 1)
    ]
    found = [(depth, turn, 0.0 * right) for depth in depths for turn in turns]
    found += [(depth, turns[0], way) for depth in depths for way in (-right, right, -up, up)]
    rated = []
    for depth, (axis, by), across in found:
        far = abs(depth) / nearby.reach_m + abs(by) / nearby.reach_rad + bool(across.any()) * ACROSS_RANK
        if abs(depth) <= nearby.reach_m and abs(by) <= nearby.reach_rad:
            position = np.array(held.position) + depth * view + ACROSS_M * across
            turn = geometry.quat_from_axis_angle(geometry.vec3(axis), by)
            rated.append((far, Pose(geometry.vec3(position), geometry.quat_multiply(turn, held.rotation))))
    return [pose for _, pose in sorted(rated, key=lambda one: one[0])]


def farther(held: Pose) -> list[Pose]:
    """Return level moves of a held pose, the nearest first."""
    steps = range(-round(FARTHEST_M / LEVEL_STEP_M), round(FARTHEST_M / LEVEL_STEP_M) + 1)
    moves = sorted((math.hypot(right, away), right, away) for right in steps for away in steps)
    x, y, z = held.position
    return [
        Pose((x + LEVEL_STEP_M * right, y + LEVEL_STEP_M * away, z), held.rotation)
        for far, right, away in moves
        if far * LEVEL_STEP_M <= FARTHEST_M
    ]


def _place(release: Pose, outcome: ReleaseOutcome) -> LadderPlace:
    """Return the place of a release that was tried as often as a place round a hand is."""
    height_m = max(outcome.height_m, outcome.others_height_m)
    highest = outcome.height_m > outcome.others_height_m
    return LadderPlace(release, outcome.pose, outcome.touched, highest, height_m, 1.0, SLIPS)


def usual_rest(drops: Sequence[ReleaseOutcome]) -> ReleaseOutcome | None:
    """Return the first of these drops that came to rest where most others did; None for none."""
    return max(
        drops,
        key=lambda one: sum(geometry.are_near(one.pose, other.pose, APART_M, APART_RAD) for other in drops),
        default=None,
    )


def serve(pipe: Connection, ladders: LadderSet, base: Base) -> None:
    """Serve questions in this process; one that comes during another ends it."""
    dropper = Dropper(ladders, base)
    while True:
        number, release = pipe.recv()
        while pipe.poll():
            number, release = pipe.recv()
        for found in dropper.answers(release):
            if found is not None:
                pipe.send((number, found))
            if pipe.poll():
                break


class Foreteller:
    """Asks the process, which is started with the first question; close it."""

    def __init__(self, ladders: LadderSet, base: Base, niceness: int = NICENESS) -> None:
        """``niceness``: how far all else on the machine goes first."""
        self._of, self._niceness = (ladders, base), niceness
        self._worker: Worker | None = None
        self._number = 0
        self._drops: tuple[ReleaseOutcome, ...] = ()
        self.place: LadderPlace | None = None
        """The place that was found for the question, as far as ``drops`` has looked."""

    def ask(self, release: Release) -> None:
        """Begin with another question; what still comes of the one before is dropped."""
        self._number += 1
        self._drops, self.place = (), None
        if self._worker is None:
            self._worker = Worker("rest", serve, *self._of, niceness=self._niceness)
        elif not self._worker.is_alive:
            self._worker.restart()
        self._worker.send((self._number, release))

    def drops(self) -> tuple[ReleaseOutcome, ...]:
        if self._worker is not None:
            for number, found in self._worker.drain_messages():
                if number == self._number and isinstance(found, LadderPlace):
                    self.place = found
                elif number == self._number:
                    self._drops += (found,)
        return self._drops

    def wait(self, count: int, seconds: float) -> tuple[ReleaseOutcome, ...]:
        """Return ``count`` drops, or fewer after a timeout."""
        until = time.monotonic() + seconds
        while self._worker is not None and len(self.drops()) < count and self._worker.is_alive:
            if time.monotonic() > until:
                break
            self._worker.wait_for_message(0.05)
        return self._drops

    def close(self) -> None:
        """End the process, in the middle of a drop too; may be called twice, and another question restarts it."""
        if self._worker is not None:
            self._worker.close(0.0)
            self._worker = None


#: It is let go of this far above its first contact: with more free fall it might wait in the air.
FALL_M = 0.010
#: Candidates drawn at a time; drops of each, with a hand's slips.
DRAWN, DROPS = 4, 2


@dataclass(frozen=True)
class Toppling:
    """A ladder that is released there brings others down."""

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
