"""Moves and set-ups of the lake game as plain JSON values and back, for files that stay readable for years."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from armoon.codec import convert, encode
from armoon.codec.variants import Variants
from armoon.games.lake.rules.game import initial
from armoon.games.lake.rules.moves import Carry, Choose, Move, Split, TakeBack
from armoon.games.lake.rules.state import State
from armoon.games.lake.rules.values import Direction, stack_from_text, stack_text


@dataclass(frozen=True)
class _Carry:
    """A Carry whose direction is a word, not a sign."""

    star: int
    floors: int
    direction: Literal["clockwise", "counter_clockwise"]


_MOVES = Variants[Choose | _Carry | Split | TakeBack](
    "move",
    {"choose": Choose, "carry": _Carry, "split": Split, "take_back": TakeBack},
)


@dataclass(frozen=True, kw_only=True)
class _Setup:
    """What ``lake.initial`` and a replay need."""

    game: Literal["lake"] = "lake"
    players: tuple[str, ...]
    seed: int
    first_chooser: int
    stars: tuple[str, ...]
    """The order of the pawns is a fact of the game, written down as it was drawn up."""


def move_to_plain(move: Move) -> dict[str, Any]:
    """Return the move as JSON values: its name under ``move``, and its fields."""
    if isinstance(move, Carry):
        forwards = move.direction is Direction.CLOCKWISE
        word: Literal["clockwise", "counter_clockwise"] = "clockwise" if forwards else "counter_clockwise"
        return _MOVES.encode(_Carry(move.star, move.floors, word))
    return _MOVES.encode(move)


def move_from_plain(plain: Mapping[str, Any]) -> Move:
    """Return the move that ``move_to_plain`` wrote. Raises ValueError, which names the field, if it is none."""
    move = _MOVES.convert(plain)
    if isinstance(move, _Carry):
        return Carry(move.star, move.floors, Direction[move.direction.upper()])
    return move


def setup_to_plain(state: State) -> dict[str, Any]:
    """Return plain values for ``setup_from_plain``, from a position before the first colour is chosen."""
    stars = tuple(stack_text(stack) for stack in state.stars)
    return dict(
        encode(_Setup(players=state.players, seed=state.seed, first_chooser=state.player, stars=stars))
    )


def setup_from_plain(plain: Mapping[str, Any]) -> State:
    """Return the position that ``setup_to_plain`` wrote, other fields aside.

    Raises ValueError, which names the field, if it is none.
    """
    setup = convert(_Setup, plain)
    pawns = [pawn for name in setup.stars for pawn in stack_from_text(name)]
    return initial(setup.players, setup.seed, first_chooser=setup.first_chooser, stars=pawns)
