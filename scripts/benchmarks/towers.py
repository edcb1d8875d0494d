"""Stored towers, structures that are grown at places of the search, and trial drops on structures."""

from __future__ import annotations

import json
import multiprocessing
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

import numpy as np

from armoon.clock import TICKS_PER_SECOND
from armoon.errors import WorldError
from armoon.games.moon.editions import Die, Reason
from armoon.games.moon.turn import get_requirement, judge_die
from armoon.placement.rehearsal import Rehearsal
from armoon.placement.search import PlaceSearch
from armoon.placement.values import Question, add_slip, estimate_safety, is_good
from armoon.values.pieces import (
    BASE,
    MOUSE_SOURCE,
    TABLE,
    Base,
    GripIntent,
    GripPhase,
    LadderSet,
    Offer,
    PieceId,
    PieceStatus,
    Place,
)
from armoon.values.places import LadderPlace, PlaceKind, Slip
from armoon.values.poses import Pose
from armoon.world.base import make_base
from armoon.world.ladders import BOX_SEED, list_standing, make_ladder_set
from armoon.world.local import LocalWorld


@dataclass(frozen=True)
class Structure:
    """Everything needed to rebuild a world."""

    ladders: LadderSet
    base: Base
    standing: tuple[tuple[PieceId, Pose, bool], ...]
    """Name, pose, and whether it is fixed in its slot, in the order of placing."""


def build_world(structure: Structure) -> LocalWorld:
    world = LocalWorld(structure.ladders, structure.base)
    for name, pose, fixed in structure.standing:
        world.apply(Place(name, pose, fixed))
    return world


#: Numbers of ladders in the stored towers, including starting ladders; some must remain for the hand.
SIZES = (2, 12, 20, 28)
#: Size of the stored tower from which the tower of 28 was grown.
STAGE = 24
CONFIGURATION = "parallel"
_DATA = Path(__file__).with_name("towers.json")


def make_structure(starting: int) -> Structure:
    ladders = make_ladder_set(BOX_SEED)
    first = ladders.ladders[:starting]
    base = make_base(first, CONFIGURATION)
    standing = tuple((ladder.piece, slot, True) for ladder, slot in zip(first, base.slots, strict=True))
    return Structure(ladders, base, standing)


def load_tower(size: int) -> Structure:
    """Return the stored tower of this many ladders. Raises WorldError if there is none."""
    towers = json.loads(_DATA.read_text(encoding="utf-8"))["towers"]
    if str(size) not in towers:
        raise WorldError(f"No tower of {size} ladders exists.", remedy=f"Ask for one of {(*SIZES, STAGE)}.")
    # The tower of two has one ladder in a slot and another one on it; larger towers start with two in slots.
    start = make_structure(1 if size == 2 else 2)
    free = [(row[0], Pose.from_row(row[1:]), False) for row in towers[str(size)]]
    return Structure(start.ladders, start.base, (*start.standing, *free))


#: Maximum duration of a release: the world stops all motion after 12 s, then settles and seats the structure.
MAX_TICKS = 20 * TICKS_PER_SECOND
#: Depth below the intended release within which a hand feels for support, in metres.
BELOW_M = 0.06
#: Maximum descent of a ladder's middle during seating, in metres; more is a fall.
FALLEN_M = 0.03


@dataclass(frozen=True)
class Drop:
    """The outcome of a release in a game's own world."""

    honoured: bool
    touched: tuple[PieceId, ...]
    """The other ladders that the ladder touches at the end, sorted."""
    seating_ticks: int
    """Number of ticks for seating."""
    seating_falls: int
    """Number of ladders that fell during seating."""


def run_in_copy(work: Callable[[], Drop]) -> Drop:
    """Return the result of ``work`` in a fork of this process, so that this process doesn't change. Needs fork."""
    processes = multiprocessing.get_context("fork")
    receiver, sender = processes.Pipe(duplex=False)
    child = processes.Process(target=lambda: sender.send(work()))
    child.start()
    sender.close()
    try:
        return cast(Drop, receiver.recv())
    finally:
        receiver.close()
        child.join()


class LiveTable:
    """A structure in a game's own world. The world is set up once and then only simulated; must be closed."""

    def __init__(self, structure: Structure) -> None:
        self._ladders, self._base = structure.ladders, structure.base
        self._world = LocalWorld(structure.ladders, structure.base)
        self._world.rebuild(structure.standing, asleep=True)
        self._facts = self._world.tick(None)
        self.drops: list[Drop] = []

    def close(self) -> None:
        self._world.close()

    @property
    def structure(self) -> Structure:
        return Structure(self._ladders, self._base, tuple(list_standing(self._facts)))

    def is_correct(self, piece: PieceId, release: Pose, die: Die, by: Slip, rng: np.random.Generator) -> bool:
        """Return whether a ladder released at ``release`` with a random slip honours the die."""
        lowest = self._lower(piece, add_slip(release, by, rng))
        return lowest is not None and self.honours(piece, lowest, die)

    def honours(self, piece: PieceId, release: Pose, die: Die) -> bool:
        """Return whether a ladder released at ``release`` honours the die and nothing falls (rulings T4 and F2)."""
        return self.try_drop(piece, release, die).honoured

    def try_drop(self, piece: PieceId, release: Pose, die: Die) -> Drop:
        return run_in_copy(lambda: self.drop(piece, release, die))

    def drop(self, piece: PieceId, release: Pose, die: Die) -> Drop:
        world, ticks, before, fell = self._world, 0, dict[PieceId, Pose](), False
        # A ladder let go by a hand slides more easily than one that was put there.
        world.apply(Offer(piece, release))
        grip = GripIntent(0.0, MOUSE_SOURCE, GripPhase.GRAB, release, (0.0, 1.0, 0.0))
        world.tick(grip)
        world.tick(replace(grip, phase=GripPhase.RELEASE))
        for _ in range(MAX_TICKS):
            facts = self._facts = world.tick(None)
            # A ladder has fallen if it touches base or table without being in a slot.
            slotted = {p.piece for p in facts.pieces if p.status is PieceStatus.FIXED}
            fell = fell or any(
                {c.a, c.b} & {BASE, TABLE} and not {c.a, c.b} & slotted for c in facts.contacts
            )
            if world.seating_ticks:
                ticks = world.seating_ticks + 1
                before = before or {fact.piece: fact.pose for fact in facts.pieces}
            if facts.at_rest:
                break
        falls = sum(
            before[fact.piece].position[2] - fact.pose.position[2] > FALLEN_M
            for fact in facts.pieces
            if fact.piece in before
        )
        touched = tuple(sorted(name for name in facts.touching(piece) if name not in (BASE, TABLE)))
        rival = max(p.highest_m for p in facts.pieces if p.piece != piece)
        highest = round(facts[piece].highest_m, 4) > round(rival, 4)
        honoured = judge_die(die, len(touched), highest) is Reason.HONOURED
        return Drop(honoured and facts.at_rest and not fell, touched, ticks, falls)

    def _lower(self, piece: PieceId, pose: Pose) -> Pose | None:
        """Return the pose at which a ladder lowered from ``pose`` meets something within ``BELOW_M``; else None."""
        ladders = {ladder.piece: ladder for ladder in self._ladders.ladders}
        rehearsal = Rehearsal(ladders, self._base, list_standing(self._facts), frozen=True)
        rehearsal.load_ladder(piece)
        lowest = rehearsal.lower(pose)
        rehearsal.close()
        return lowest if lowest is not None and lowest.position[2] > pose.position[2] - BELOW_M else None


#: Processor time and wall time of a search after which the best place is used, seconds.
PATIENCE_S, LONGEST_S = 2.5, 60.0
#: Slip of the building hand.
UNSTEADY = Slip(0.0015, 0.02)
#: Number of failed turns after which a structure is given up.
MAX_FAILED = 12


def grow_tables(
    start: Structure, sizes: tuple[int, ...], seed: int, search: PlaceSearch, *, climbing: bool = False
) -> Iterator[LiveTable]:
    """Yield one table with a structure of each size (ascending); ``climbing``: only moons, ladders hook or lean."""
    table, failed = LiveTable(start), 0
    try:
        for size in sizes:
            dice = random.Random(f"grown {seed} to {size}")
            while len(table.structure.standing) < size:
                failed = 0 if _play_turn(table, dice, search, climbing=climbing) else failed + 1
                if failed > MAX_FAILED:
                    return
            yield table
    finally:
        table.close()


def list_spares(structure: Structure) -> list[str]:
    in_structure = {name for name, _, _ in structure.standing}
    return [ladder.piece for ladder in structure.ladders.ladders if ladder.piece not in in_structure]


def _play_turn(table: LiveTable, dice: random.Random, search: PlaceSearch, *, climbing: bool) -> bool:
    structure = table.structure
    die = Die.MOON if climbing else dice.choice(tuple(Die))
    piece = dice.choice(list_spares(structure))
    question = Question(
        tuple(structure.standing),
        piece,
        get_requirement(die),
        UNSTEADY,
        seed=dice.randrange(9999),
        seconds=LONGEST_S,
        work_s=PATIENCE_S,
    )
    search.ask(question)
    place = _find_good(search, climbing=climbing)
    search.cancel()
    if place is None:
        return False
    table.drops.append(table.try_drop(piece, place.release, die))
    return table.drops[-1].honoured and table.drop(piece, place.release, die).honoured


def _find_good(search: PlaceSearch, *, climbing: bool) -> LadderPlace | None:
    """Return the first good place, or the best; when climbing, one that isn't a plate."""

    def fits(place: LadderPlace) -> bool:
        return is_good(place) and not (climbing and place.kind is PlaceKind.PLATE)

    while not (answer := search.read_answer()).done:
        if any(fits(place) for place in answer.places):
            break
        time.sleep(0.01)
    return max(answer.places, key=lambda place: (fits(place), estimate_safety(place)), default=None)
