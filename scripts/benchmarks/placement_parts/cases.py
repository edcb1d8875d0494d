"""What the placement benchmark asks: a structure, the ladder in the lid, and where a sensible player would lay it.

What stands is the kept tower of 24 as it was after so many ladders, seen from any of its four sides; ladder and die
differ from case to case. The place comes from the search over the whole structure and any attitude: of the good ones
the best is taken that is what the case is to ask for, three of four cases one that is nearer or farther than the lid,
every other case one flat or edge on. A table without a place is passed over, and counted. Finding takes seconds, so
what was found is kept in the user's cache.
"""

from __future__ import annotations

import contextlib
import math
import os
import time
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

from armoon.clock import TICKS_PER_SECOND
from armoon.codec import MalformedError, convert, encode_json, parse
from armoon.engine.turntable import home_from_table
from armoon.games.moon.player.placer import Plan
from armoon.games.moon.rules import game
from armoon.games.moon.rules.state import State
from armoon.games.moon.rules.turn import wanted_by
from armoon.games.moon.rules.values import face_of_turn
from armoon.geometry import pose_compose, quat_rotate
from armoon.placement.question import Question, is_good
from armoon.placement.search import PlaceSearch
from armoon.values.pieces import PieceId
from armoon.values.places import Place, Slip
from armoon.values.poses import Pose
from armoon.world.landing import Ground
from armoon.world.layout import LID_Y_M
from armoon.world.structures.copying import standing_of
from armoon.world.structures.trial import TrialTable
from benchmarks.kept import cache_folder
from benchmarks.structures.structure import Structure, build_world
from benchmarks.structures.towers import STAGE, load_tower

EDITION = "bombyx-2017"
PLAYERS = ("Ann", "Ben")
#: How many ladders stand.
STANDING = (2, 8, 16, 24)
#: Ticks within which a part of a tower comes to rest.
SETTLE_TICKS = 5 * TICKS_PER_SECOND
#: How the hand misses that the place has to forgive.
MISSES = Slip(0.002, math.radians(2.0))
#: A search ends with the first good place that is all that the case asks for, or after so much processor time; by the
#: clock after so long at most, with a look at what has come so often.
SEARCH_WORK_S, SEARCH_LONGEST_S, LOOK_S = 12.0, 120.0, 0.25
#: A place that held under fewer of its slips isn't aimed at by anybody sensible.
LEAST_SAFETY = 0.6
#: Nearer or farther than the lid means by so much.
DEEP_M = 0.020
#: What is let go of so far above its first touch may be; a hand that lowers it stops so far above.
NEAR_M, GAP_M = 0.002, 0.0008
#: How far the table is turned to begin with: from which side the structure is seen.
SIDES_RAD = (0.0, math.pi / 2.0, math.pi, -math.pi / 2.0)
#: Flat: the ladder's thickness is within so much of the upright; edge on: its rungs are within so much of the view.
FLAT_RAD, EDGE_RAD = math.radians(30.0), math.radians(30.0)


@dataclass(frozen=True)
class Case:
    """One table of the benchmark."""

    seed: int
    standing: int
    placed: tuple[tuple[PieceId, Pose], ...] = ()
    """What stands besides the starting ladders."""
    release: Pose | None = None
    """Where the ladder is to be let go of; None: no place was found."""
    touched: tuple[PieceId, ...] = ()
    safety: float = 0.0
    turned_rad: float = 0.0
    """How far the table is turned before the ladder is taken."""

    @property
    def plan(self) -> Plan | None:
        """What the player means to do; None where the table is passed over."""
        return None if self.release is None else Plan(self.release, self.touched)

    @property
    def deep(self) -> bool:
        """Whether the place is nearer or farther than the lid."""
        return self.release is not None and is_deep(self.release, self.turned_rad)

    @property
    def lies(self) -> bool:
        """Whether the ladder is to lie flat or stand edge on there."""
        return self.release is not None and is_laid(self.release, self.turned_rad)

    def state(self) -> State:
        """Return the position by the rules: between turns, with this ladder drawn next."""
        return state_of(self.seed, tuple(name for name, _ in self.placed))


@dataclass(frozen=True)
class _Kept:
    """The cache's file."""

    cases: tuple[Case, ...] = field(default=())


def is_deep(release: Pose, turned_rad: float) -> bool:
    """Whether a place is nearer or farther than the lid, on a table that is turned so."""
    at_home = pose_compose(home_from_table(turned_rad), release)
    return abs(at_home.position[1] - LID_Y_M) >= DEEP_M


def is_laid(release: Pose, turned_rad: float) -> bool:
    """Whether a ladder is flat, or edge on as its player sees it."""
    at_home = pose_compose(home_from_table(turned_rad), release)
    through = quat_rotate(at_home.rotation, (0.0, 1.0, 0.0))
    across = quat_rotate(at_home.rotation, (1.0, 0.0, 0.0))
    return abs(through[2]) >= math.cos(FLAT_RAD) or abs(across[1]) >= math.cos(EDGE_RAD)


def state_of(seed: int, placed: tuple[PieceId, ...]) -> State:
    """Return a game of this seed with this many ladders placed."""
    state = game.initial(PLAYERS, EDITION, seed)
    left = tuple(piece for piece in state.supply if piece not in placed)
    return replace(
        state, placed=placed, supply=left, turn=1 + len(placed), player=len(placed) % len(state.players)
    )


class Cases:
    """All cases, found when they are asked for; close it."""

    def __init__(self, folder: Path | None = None) -> None:
        """``folder`` keeps them; None: the user's cache."""
        folder = folder or cache_folder()
        self._file = None if folder is None else folder / "placement-cases.json"
        self._known: dict[tuple[int, int], Case] = {}
        self._take_in()
        self._search: PlaceSearch | None = None

    def close(self) -> None:
        """End the search's processes."""
        if self._search is not None:
            self._search.close()
            self._search = None

    def case(self, standing: int, seed: int) -> Case:
        """Return the case of this many ladders and this seed."""
        if (standing, seed) not in self._known:
            self._take_in()  # another run may have found it
        if (standing, seed) not in self._known:
            self._known[standing, seed] = self._asked(standing_tower(standing), seed)
            self._keep()
        return self._known[standing, seed]

    def _asked(self, structure: Structure, seed: int) -> Case:
        placed = tuple((name, pose) for name, pose, fixed in structure.standing if not fixed)
        case = Case(seed, len(structure.standing), placed)
        state = case.state()
        piece, wanted = state.supply[0], wanted_by(face_of_turn(seed, state.turn))
        search = self._searching(structure)
        search.ask(
            Question(
                tuple(structure.standing),
                piece,
                wanted,
                MISSES,
                seed=seed,
                seconds=SEARCH_LONGEST_S,
                work_s=SEARCH_WORK_S,
            )
        )
        lowered: dict[Place, Pose | None] = {}
        while True:
            answer = search.answers()
            for place, turned_rad in ranked(answer.places, seed):
                whole = is_good(place) and not lacks(place, turned_rad, seed)
                if not (whole or answer.done):
                    break
                if place not in lowered:
                    lowered[place] = let_down(structure, piece, place)
                release = lowered[place]
                if release is not None:
                    search.cancel()
                    touched, safety = place.touched, place.safety
                    return replace(
                        case, release=release, touched=touched, safety=safety, turned_rad=turned_rad
                    )
            if answer.done:
                return case
            time.sleep(LOOK_S)

    def _searching(self, structure: Structure) -> PlaceSearch:
        if self._search is None:
            self._search = PlaceSearch(structure.ladders, structure.base, niceness=0)
        return self._search

    def _take_in(self) -> None:
        self._known = {(case.standing, case.seed): case for case in self._kept()} | self._known

    def _kept(self) -> tuple[Case, ...]:
        if self._file is None or not self._file.exists():
            return ()
        try:
            return convert(_Kept, parse(self._file.read_bytes())).cases
        except (OSError, MalformedError):
            return ()

    def _keep(self) -> None:
        if self._file is None:
            return
        self._take_in()
        with contextlib.suppress(OSError):
            beside = self._file.with_name(f"{self._file.name}.{os.getpid()}")
            beside.write_bytes(encode_json(_Kept(tuple(self._known.values()))))
            beside.replace(self._file)


@lru_cache(maxsize=len(STANDING))
def standing_tower(standing: int) -> Structure:
    """Return the kept tower after this many ladders, as it then comes to rest."""
    tower = load_tower(STAGE)
    part = Structure(tower.ladders, tower.base, tower.standing[:standing])
    world = build_world(part)
    try:
        for _ in range(SETTLE_TICKS):
            facts = world.tick(None)
    finally:
        world.close()
    assert facts.at_rest, "a kept tower doesn't stand"
    return Structure(part.ladders, part.base, tuple(standing_of(facts)))


def ranked(places: tuple[Place, ...], seed: int) -> list[tuple[Place, float]]:
    """Of places, the best first, those that forgive a hand's misses, and how far the table is turned for each.

    What the case asks for comes first.
    """
    sensible = [place for place in places if place.slips > 1 and place.safety >= LEAST_SAFETY]

    first = seed % len(SIDES_RAD)
    sides = SIDES_RAD[first:] + SIDES_RAD[:first]
    asked = [(place, turned_rad) for turned_rad in sides for place in sensible]
    return sorted(asked, key=lambda one: lacks(one[0], one[1], seed))


def lacks(place: Place, turned_rad: float, seed: int) -> int:
    """How much of what a seed's case asks for a place isn't."""
    deep, laid = seed % 4 != 3, seed % 2 == 0
    return (deep and not is_deep(place.release, turned_rad)) + (
        laid and not is_laid(place.release, turned_rad)
    )


def let_down(structure: Structure, piece: PieceId, place: Place) -> Pose | None:
    """Return the place, lowered to just above what lies straight below; None where it doesn't hold so.

    The search stops lowering where anything is passed closely; a hand goes on to the first touch.
    """
    ladders = structure.ladders
    ground = Ground([(name, ladders[name].boxes, pose) for name, pose, _ in structure.standing])
    fall_m = ground.under(ladders[piece], place.release).fall_m
    if fall_m <= NEAR_M:
        return place.release
    x, y, z = place.release.position
    lowered = Pose((x, y, z - fall_m + GAP_M), place.release.rotation)
    trials = TrialTable(ladders, structure.base)
    try:
        result = trials.try_drop(structure.standing, piece, lowered)
    finally:
        trials.close()
    return lowered if result.settled and result.contacts == place.touched else None
