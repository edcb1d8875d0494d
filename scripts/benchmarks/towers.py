"""Structures: stored towers, trial drops on them, and structures that are grown by the search."""

from __future__ import annotations

import json
import math
import multiprocessing
import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar, cast

import numpy as np

from armoon.clock import TICKS_PER_SECOND
from armoon.errors import WorldError
from armoon.games.moon.rules.turn import judge_die, wanted_by
from armoon.games.moon.rules.values import Die, Reason
from armoon.geometry import (
    mat_from_quat,
    pose_apply,
    quat,
    quat_from_axis_angle,
    quat_multiply,
    quat_rotate,
    vec3,
)
from armoon.placement.search import PlaceSearch
from armoon.placement.values import Question, is_good, promise, slip
from armoon.values.pieces import BASE, TABLE, Base, Box, Facts, Ladder, LadderSet, PieceId, PieceStatus
from armoon.values.pieces import Place as Put
from armoon.values.places import LadderPlace, PlaceKind, Slip
from armoon.values.poses import Pose, Vec3
from armoon.world.base import make_base
from armoon.world.bullet import STEPS_PER_TICK, Bullet
from armoon.world.checks import Standing, check_base, check_ladder, check_standing
from armoon.world.contact import Solid, nearest_m, touches
from armoon.world.exact import highest_point, lowest_point
from armoon.world.ladders import BOX_SEED, make_ladder_set, standing_of
from armoon.world.local import LocalWorld
from armoon.world.physics import Solving
from armoon.world.piece import QUIET_M_S, QUIET_TICKS, speed_m_s
from armoon.world.seating import build


@dataclass(frozen=True)
class Structure:
    """Enough to build a world anew."""

    ladders: LadderSet
    base: Base
    standing: tuple[tuple[PieceId, Pose, bool], ...]
    """Name, pose, and whether it stands fixed in its slot, in the order in which they are to be placed."""


def build_world(structure: Structure) -> LocalWorld:
    """Return a world in which the structure stands; it still has to come to rest."""
    world = LocalWorld(structure.ladders, structure.base)
    for name, pose, fixed in structure.standing:
        world.apply(Put(name, pose, fixed))
    return world


#: Minimum gap of a clear start pose: a hand couldn't bring the ladder closer without touching.
CLEAR_M = 1e-4
#: Coarse solver settings: a trial finds falls, not tenths of a millimetre.
QUICK = Solving(50)
#: Interval at which a fall is looked for.
FALL_CHECK_TICKS = 3


@dataclass(frozen=True)
class TrialResult:
    """What became of a ladder that was let go of."""

    start_clear: bool
    """Whether the pose it was let go of at overlapped nothing; if not, nothing was simulated."""
    settled: bool
    """Whether everything came to rest in time, and nothing fell."""
    fell: bool
    """Whether it, or a ladder that stood free, came to touch the base or the table; the trial ends there."""
    contacts: tuple[PieceId, ...]
    """The other ladders that it touches, sorted."""
    pose: Pose
    highest_m: float
    others_highest_m: float
    """The highest point of all the other ladders."""
    standing: tuple[tuple[PieceId, Pose, bool], ...]
    """Everything as it stands at the end, the dropped ladder last: ``standing`` for a next trial."""


class TrialTable:
    """Tries placements on copies of one game's structure."""

    def __init__(self, ladders: LadderSet, base: Base) -> None:
        for ladder in ladders.ladders:
            check_ladder(ladder)
        check_base(base)
        self._ladders = {ladder.piece: ladder for ladder in ladders.ladders}
        self._base = base
        self._engine = Bullet()
        self._gauge = _Gauge(base)

    def close(self) -> None:
        """Free both engines."""
        self._engine.close()
        self._gauge.close()

    def clearance_m(self, standing: Standing, piece: PieceId, pose: Pose, within_m: float = 0.03) -> float:
        """Return the distance from a ladder at ``pose`` to anything, negative in overlap; at most ``within_m``."""
        self._check(standing, piece, pose)
        return self._gauge.clearance_m(
            [(self._ladders[name], where) for name, where, _ in standing],
            self._ladders[piece],
            pose,
            within_m,
        )

    def try_drop(
        self, standing: Standing, piece: PieceId, pose: Pose, max_seconds: float = 3.0
    ) -> TrialResult:
        """Let go of ``piece`` at ``pose`` above what stands; wait for rest, a fall, or the end of the time.

        ``standing`` must be at rest. Marking all of it fixed makes a quick first sieve: it costs a fraction.
        """
        start_clear = self.clearance_m(standing, piece, pose, CLEAR_M) >= CLEAR_M
        copy = _Copy(self._engine, self._base, self._ladders, standing, piece, pose)
        settled = fell = False
        ticks = quiet = 0
        while start_clear and ticks < max_seconds * TICKS_PER_SECOND and not settled and not fell:
            ticks += 1
            quiet = quiet + 1 if copy.advance() < QUIET_M_S else 0
            settled = quiet >= QUIET_TICKS
            if settled or ticks % FALL_CHECK_TICKS == 0:
                fell = copy.fell()
        return copy.result(start_clear, settled and not fell, fell)

    def _check(self, standing: Standing, piece: PieceId, pose: Pose) -> None:
        check_standing([*standing, (piece, pose, False)], self._ladders)


class _Copy:
    """The structure and the dropped ladder, built anew in a shared engine."""

    def __init__(
        self,
        engine: Bullet,
        base: Base,
        ladders: dict[PieceId, Ladder],
        standing: Standing,
        piece: PieceId,
        pose: Pose,
    ) -> None:
        *self._ground, solids = build(engine, base.boxes, ladders, [*standing, (piece, pose, False)])
        engine.set_solving(QUICK)
        self._engine = engine
        (self._dropped,) = (solid for solid in solids if solid.name == piece)
        self._others = [solid for solid in solids if solid.name != piece]
        self._free = [solid for solid in (*self._others, self._dropped) if not solid.rooted]
        # Ladders that a house rule lets lie on the base or the table haven't fallen because of this trial.
        self._grounded = {solid.name for solid in self._free if self._on_ground(solid)}

    def advance(self) -> float:
        """One tick; the speed of the fastest ladder then."""
        for _ in range(STEPS_PER_TICK):
            self._engine.step()
        return max(speed_m_s(self._engine.velocity(solid.bodies[0])) for solid in self._free)

    def fell(self) -> bool:
        """Whether a ladder that wasn't on the ground at the start is now."""
        self._read_poses()
        return any(self._on_ground(solid) for solid in self._free if solid.name not in self._grounded)

    def _read_poses(self) -> None:
        for solid in self._free:
            solid.place(self._engine.pose(solid.bodies[0]))

    def _on_ground(self, solid: Solid) -> bool:
        return any(touches(self._engine, solid, ground) for ground in self._ground)

    def result(self, start_clear: bool, settled: bool, fell: bool) -> TrialResult:
        """Return the result as of now."""
        self._read_poses()
        dropped = self._dropped
        touched = (other.name for other in self._others if touches(self._engine, dropped, other))
        return TrialResult(
            start_clear=start_clear,
            settled=settled,
            fell=fell,
            contacts=tuple(sorted(touched)),
            pose=dropped.pose,
            highest_m=dropped.high[2],
            others_highest_m=max((other.high[2] for other in self._others), default=0.0),
            standing=tuple((s.name, s.pose, s.rooted) for s in (*self._others, dropped)),
        )


class _Gauge:
    """An engine that never steps: it only measures distances."""

    def __init__(self, base: Base) -> None:
        self._engine = Bullet()
        *self._ground, _ = build(self._engine, base.boxes, {}, ())
        self._solids: dict[PieceId, Solid] = {}

    def close(self) -> None:
        self._engine.close()

    def clearance_m(
        self, others: Sequence[tuple[Ladder, Pose]], ladder: Ladder, pose: Pose, within_m: float
    ) -> float:
        placed = [self._at(other, where) for other, where in others]
        mine = self._at(ladder, pose)
        return nearest_m(self._engine, mine, [*self._ground, *placed], within_m)

    def _at(self, ladder: Ladder, pose: Pose) -> Solid:
        solid = self._solids.get(ladder.piece)
        if solid is None:
            body = self._engine.add_ladder(ladder, pose, movable=False)
            solid = self._solids[ladder.piece] = Solid(ladder.piece, ladder.boxes, (body,), rooted=False)
        if pose != solid.pose:
            self._engine.set_pose(solid.bodies[0], pose)
            solid.place(pose)
        return solid


#: How many ladders the kept towers have, starting ladders included; some must be left for the hand.
SIZES = (2, 12, 20, 28)
#: Kept too: the tower from which the one of 28 is grown.
STAGE = 24
#: One of twelve whose ladders lean: each was laid by the game, on the highest place found where it honoured its die.
CLIMBING = "climbing"
CONFIGURATION = "parallel"
_DATA = Path(__file__).with_name("towers.json")

#: Most ladders are laid about flat, as most players lay them; the others come at any turn.
FLAT_SHARE = 0.8
FLAT_TILT_RAD = math.radians(5.0)
BALANCE_SHARE = 0.6
#: Lowering stops this far above the first contact, and starts with this much room above the structure.
RELEASE_GAP_M = 0.0004
ROOM_ABOVE_M = 0.005
#: Distances are asked for up to here while lowering.
LOOK_AHEAD_M = 0.05
#: Height at which a lowered ladder has passed beside the structure.
FLOOR_M = 0.026


def starting_structure(starting: int) -> Structure:
    """Return the structure of this many starting ladders in their slots."""
    ladders = make_ladder_set(BOX_SEED)
    first = ladders.ladders[:starting]
    base = make_base(first, CONFIGURATION)
    standing = tuple((ladder.piece, slot, True) for ladder, slot in zip(first, base.slots, strict=True))
    return Structure(ladders, base, standing)


def load_tower(size: int | str) -> Structure:
    """Return the kept tower of this many ladders, or ``CLIMBING``; WorldError if none is kept."""
    kept = json.loads(_DATA.read_text(encoding="utf-8"))["towers"]
    if str(size) not in kept:
        raise WorldError(f"No tower of {size} ladders is kept.", remedy=f"Ask for one of {(*SIZES, STAGE)}.")
    start = starting_structure(_starting(size))
    free = [(row[0], Pose.of_row(row[1:]), False) for row in kept[str(size)]]
    return Structure(start.ladders, start.base, (*start.standing, *free))


def _starting(size: int | str) -> int:
    """Two ladders are one in a slot and one on it; the game starts with two in slots."""
    return 1 if size == 2 else 2


def above_something(
    ladders: LadderSet,
    standing: Standing,
    piece: PieceId,
    dice: random.Random,
    flat_share: float = FLAT_SHARE,
) -> Pose:
    """Return a random turn, with a random part of the ladder straight above a random part of the structure."""
    flat = quat_multiply(
        quat_from_axis_angle((0.0, 0.0, 1.0), dice.uniform(-math.pi, math.pi)),
        quat_from_axis_angle((1.0, 0.0, 0.0), math.pi / 2.0 + dice.gauss(0.0, FLAT_TILT_RAD)),
    )
    rotation = flat if dice.random() < flat_share else quat([dice.gauss(0.0, 1.0) for _ in range(4)])
    # The highest of some: a tower, not a heap.
    chosen = dice.choices(standing, k=dice.choice((1, 3, 6)))
    name, pose, _ = max(chosen, key=lambda row: row[1].position[2])
    target = pose_apply(pose, _balance_or_any(ladders[name], dice))
    boxes = ladders[piece].boxes
    part = quat_rotate(rotation, _balance_or_any(ladders[piece], dice))
    top = max(highest_point(ladders[other].boxes, where) for other, where, _ in standing)
    height = top + ROOM_ABOVE_M - lowest_point(boxes, Pose((0.0, 0.0, 0.0), rotation))
    return Pose((target[0] - part[0], target[1] - part[1], height), rotation)


def lower(
    table: TrialTable, ladders: LadderSet, standing: Standing, piece: PieceId, start: Pose
) -> Pose | None:
    """Straight down to just above the first contact with a ladder; None if there is none to meet.

    No step is longer than the clearance, so nothing is passed through.
    """
    x, y, z = start.position
    least_z = z - (lowest_point(ladders[piece].boxes, start) - FLOOR_M)
    while z > least_z:
        pose = Pose((x, y, z), start.rotation)
        gap = table.clearance_m(standing, piece, pose, LOOK_AHEAD_M)
        if gap < 2.0 * RELEASE_GAP_M:
            return pose if gap >= 0.5 * RELEASE_GAP_M else None
        z -= gap - RELEASE_GAP_M
    return None


def _balance_or_any(ladder: Ladder, dice: random.Random) -> Vec3:
    """Mostly the point where a ladder balances, for borne there it lies well; else any point of its wood."""
    return (0.0, 0.0, 0.0) if dice.random() < BALANCE_SHARE else _point_in(dice.choice(ladder.boxes), dice)


def _point_in(box: Box, dice: random.Random) -> Vec3:
    """Return a random point on the long axis of a box, in the ladder's frame."""
    along = mat_from_quat(box.rotation)[:, 2] * (dice.uniform(-1.0, 1.0) * box.half_extents[2])
    return vec3(np.asarray(box.centre) + along)


#: The world stops what moves after 12 s; nothing takes longer than that, being firmed, and being seated.
MOST_TICKS = 20 * TICKS_PER_SECOND
#: A hand lowers from so far above where it means to let go, and lets go so far above what it meets.
ABOVE_M, GAP_M = 0.012, 0.0008
#: So far below where it meant to let go a hand looks for something to lay the ladder on.
BELOW_M = 0.06
#: A ladder whose middle sinks by more than this while it is seated has fallen.
FALLEN_M = 0.03


@dataclass(frozen=True)
class Drop:
    """The outcome of a release in a game's own world."""

    honoured: bool
    touched: tuple[PieceId, ...]
    """The other ladders that the ladder touches at the end, sorted."""
    seating_ticks: int
    """Ticks that the world took to seat what had come to rest."""
    seating_falls: int
    """Number of ladders that fell meanwhile."""


Result = TypeVar("Result")


def in_copy(work: Callable[[], Result]) -> Result:
    """Return the result of some work on a copy of this process; nothing here changes. Needs a system with fork."""
    processes = multiprocessing.get_context("fork")
    receiver, sender = processes.Pipe(duplex=False)
    child = processes.Process(target=lambda: sender.send(work()))
    child.start()
    sender.close()
    try:
        return cast(Result, receiver.recv())
    finally:
        receiver.close()
        child.join()


class LiveTable:
    """A structure in a game's own world, which is set up once and never rebuilt from outside; close it."""

    def __init__(self, structure: Structure) -> None:
        self._ladders, self._base = structure.ladders, structure.base
        self._world = LocalWorld(structure.ladders, structure.base)
        self._gauge = TrialTable(structure.ladders, structure.base)
        self._world.rebuild(structure.standing, asleep=True)
        self._facts = self._world.tick(None)
        self.drops: list[Drop] = []
        """All drops while it was grown."""

    def close(self) -> None:
        """Free the engines."""
        self._world.close()
        self._gauge.close()

    @property
    def structure(self) -> Structure:
        return Structure(self._ladders, self._base, tuple(standing_of(self._facts)))

    def comes_true(self, piece: PieceId, release: Pose, die: Die, by: Slip, rng: np.random.Generator) -> bool:
        """Whether a ladder that a hand means to let go of at ``release``, and misses by so much, honours the die."""
        met = self._lowered(piece, slip(release, by, rng))
        return met is not None and self.honours(piece, met, die)

    def honours(self, piece: PieceId, release: Pose, die: Die) -> bool:
        """Whether a ladder that is let go of there honours the die, and nothing falls (T4, F2)."""
        return self.try_drop(piece, release, die).honoured

    def try_drop(self, piece: PieceId, release: Pose, die: Die) -> Drop:
        """Let go of a ladder in a copy of the world."""
        return in_copy(lambda: self.drop(piece, release, die))

    def drop(self, piece: PieceId, release: Pose, die: Die) -> Drop:
        """Let go of a ladder; what falls is left where it is."""
        world = self._world
        world.apply(Put(piece, release, fixed=False))
        ticks, before = 0, dict[PieceId, Pose]()
        fell = False
        for _ in range(MOST_TICKS):
            facts = self._facts = world.tick(None)
            fell = fell or _is_any_grounded(facts)
            if world.seating_ticks:
                ticks = world.seating_ticks + 1
                before = before or {one.piece: one.pose for one in facts.pieces}
            if facts.at_rest:
                break
        falls = sum(
            before[one.piece].position[2] - one.pose.position[2] > FALLEN_M
            for one in facts.pieces
            if one.piece in before
        )
        touched = tuple(sorted(name for name in facts.touching(piece) if name not in (BASE, TABLE)))
        rival = max(p.highest_m for p in facts.pieces if p.piece != piece)
        highest = round(facts[piece].highest_m, 4) > round(rival, 4)
        honoured = judge_die(die, len(touched), highest) is Reason.HONOURED
        return Drop(honoured and facts.at_rest and not fell, touched, ticks, falls)

    def _lowered(self, piece: PieceId, pose: Pose) -> Pose | None:
        x, y, z = pose.position
        least, z = z - BELOW_M, z + ABOVE_M
        standing = standing_of(self._facts)
        while z > least:
            gap = self._gauge.clearance_m(standing, piece, Pose((x, y, z), pose.rotation))
            if gap < 2.0 * GAP_M:
                return Pose((x, y, z), pose.rotation) if gap >= 0.5 * GAP_M else None
            z -= gap - GAP_M
        return None


def _is_any_grounded(facts: Facts) -> bool:
    """Whether a ladder that isn't in a slot touches base or table."""
    fixed = {p.piece for p in facts.pieces if p.status is PieceStatus.FIXED}
    ground = {BASE, TABLE}
    return bool({c.a if c.b in ground else c.b for c in facts.contacts if ground & {c.a, c.b}} - fixed)


#: Seconds of search by each processor and by the clock; then the best place found will do.
PATIENCE_S, LONGEST_S = 2.5, 60.0
#: How the hand that builds misses.
UNSTEADY = Slip(0.0015, 0.02)
#: Number of failed turns after which a structure bears nothing more.
MOST_VAIN = 12


def grown(
    start: Structure, sizes: tuple[int, ...], seed: int, search: PlaceSearch, *, climbing: bool = False
) -> Iterator[LiveTable]:
    """Yield the same table with a structure of each of these sizes (ascending), as long as it can be built on.

    ``climbing``: only moons are thrown, and ladders are hung or leant where they can be.
    """
    table, vain = LiveTable(start), 0
    try:
        for size in sizes:
            dice = random.Random(f"grown {seed} to {size}")
            while len(table.structure.standing) < size:
                vain = 0 if _turn(table, dice, search, climbing=climbing) else vain + 1
                if vain > MOST_VAIN:
                    return
            yield table
    finally:
        table.close()


def free_pieces(structure: Structure) -> list[str]:
    """Return the ladders that don't stand yet."""
    there = {name for name, _, _ in structure.standing}
    return [one.piece for one in structure.ladders.ladders if one.piece not in there]


def _turn(table: LiveTable, dice: random.Random, search: PlaceSearch, *, climbing: bool) -> bool:
    """One ladder laid for one throw of the die; whether it came off."""
    structure = table.structure
    die = Die.MOON if climbing else dice.choice(tuple(Die))
    piece = dice.choice(free_pieces(structure))
    question = Question(
        tuple(structure.standing),
        piece,
        wanted_by(die),
        UNSTEADY,
        seed=dice.randrange(9999),
        seconds=LONGEST_S,
        work_s=PATIENCE_S,
    )
    search.ask(question)
    place = _first_good(search, climbing=climbing)
    search.cancel()
    if place is None:
        return False
    table.drops.append(table.try_drop(piece, place.release, die))
    return table.drops[-1].honoured and table.drop(piece, place.release, die).honoured


def _first_good(search: PlaceSearch, *, climbing: bool) -> LadderPlace | None:
    """Return the first good place, or else the best; where it climbs, one that isn't a plate."""

    def fits(place: LadderPlace) -> bool:
        return is_good(place) and not (climbing and place.kind is PlaceKind.PLATE)

    while not (answer := search.answers()).done:
        if any(fits(place) for place in answer.places):
            break
        time.sleep(0.01)
    return max(answer.places, key=lambda place: (fits(place), promise(place)), default=None)
