"""What the placement benchmark asks: a structure, the ladder in the lid, and the place where it is to be laid."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, replace

from armoon.engine.turntable import home_from_table
from armoon.games.moon.player.placer import Plan
from armoon.games.moon.rules import game
from armoon.games.moon.rules.state import State
from armoon.games.moon.rules.values import face_of_turn
from armoon.geometry import pose_compose, quat_rotate
from armoon.synthetic_camera.look import HANDS
from armoon.values.pieces import PieceId
from armoon.values.places import Place, Slip
from armoon.values.poses import Pose
from armoon.world.landing import Ground
from armoon.world.layout import LID_Y_M
from benchmarks.structures.structure import Structure
from benchmarks.structures.trial import TrialTable

EDITION = "bombyx-2017"
PLAYERS = ("Ann", "Ben")
#: How many ladders stand.
STANDING = (2, 8, 16, 24)
#: How the hand misses that the place has to forgive.
MISSES = Slip(0.002, math.radians(2.0))
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
    seat: str = ""
    """In which seat alone it is played,"""
    hand: str = HANDS[0].name
    """and by which hand;"""
    kind: str = ""
    """how the ladder is to stand there,"""
    builder: str = ""
    """and who built the tower,"""
    tower: int = -1
    """which is this one."""
    die: str = ""
    """The face that is thrown."""

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

    @property
    def game_seed(self) -> int:
        """Of a game in whose first turn this die falls: a log that begins on a tower knows of no earlier ones."""
        if not self.placed or not self.die:
            return self.seed
        seeds = itertools.count(self.seed, 1_000_000)
        return next(seed for seed in seeds if face_of_turn(seed, 1).value == self.die)

    def state(self) -> State:
        """Return the position by the rules: between turns, with this ladder drawn next."""
        drawn = state_of(self.seed, tuple(name for name, _ in self.placed))
        state = game.initial(PLAYERS, EDITION, self.game_seed)
        return replace(state, placed=drawn.placed, supply=drawn.supply)


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
