"""The goals of the placement benchmark: a structure, the ladder in the lid, and the place where it is to be laid."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace

from armoon.games.moon.player.placer import Plan
from armoon.games.moon.rules import game
from armoon.games.moon.rules.state import State
from armoon.games.moon.rules.values import face_of_turn
from armoon.synthetic_camera.look import HANDS
from armoon.values.pieces import PieceId
from armoon.values.poses import Pose

EDITION = "bombyx-2017"
PLAYERS = ("Ann", "Ben")
#: How many ladders stand.
STANDING = (2, 8, 16, 24)


@dataclass(frozen=True)
class Case:
    """One table of the benchmark."""

    seed: int
    standing: int
    placed: tuple[tuple[PieceId, Pose], ...] = ()
    """What stands besides the starting ladders."""
    release: Pose | None = None
    """Where the ladder is to be let go of; None where only the tower is wanted."""
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
    def plan(self) -> Plan:
        """The goal; only of cases that have one."""
        assert self.release is not None
        return Plan(self.release, self.touched)

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


def state_of(seed: int, placed: tuple[PieceId, ...]) -> State:
    """Return a game of this seed with this many ladders placed."""
    state = game.initial(PLAYERS, EDITION, seed)
    left = tuple(piece for piece in state.supply if piece not in placed)
    return replace(
        state, placed=placed, supply=left, turn=1 + len(placed), player=len(placed) % len(state.players)
    )
