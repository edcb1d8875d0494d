"""Moves and set-ups of the lake game as plain JSON values and back, for logs that stay readable for years."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from armoon.games.lake.rules.game import initial
from armoon.games.lake.rules.moves import Carry, Choose, Move, Split, TakeBack
from armoon.games.lake.rules.state import State
from armoon.games.lake.rules.values import Colour, Direction, Half, stack_from_text, stack_text


def move_to_plain(move: Move) -> dict[str, Any]:
    """The move as JSON values: its name under ``move``, and its fields."""
    if isinstance(move, Choose):
        return {"move": "choose", "colour": move.colour.value}
    if isinstance(move, Carry):
        direction = move.direction.name.lower()
        return {"move": "carry", "star": move.star, "floors": move.floors, "direction": direction}
    if isinstance(move, Split):
        return {"move": "split", "keep": move.keep.value, "heir": move.heir}
    return {"move": "take_back", "turns": move.turns}


def move_from_plain(plain: Mapping[str, Any]) -> Move:
    """The move that ``move_to_plain`` wrote. Raises ValueError if it is none."""
    try:
        name = plain["move"]
        if name == "choose":
            return Choose(Colour(plain["colour"]))
        if name == "carry":
            direction = Direction[plain["direction"].upper()]
            return Carry(_whole(plain["star"]), _whole(plain["floors"]), direction)
        if name == "split":
            return Split(Half(plain["keep"]), _whole(plain["heir"]))
        if name == "take_back":
            return TakeBack(_whole(plain["turns"]))
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"not a move: {plain!r}") from error
    raise ValueError(f"not a move: {plain!r}")


def setup_to_plain(state: State) -> dict[str, Any]:
    """What ``lake.initial`` and a replay need, from a position before the first colour is chosen."""
    return {
        "game": "lake",
        "players": list(state.players),
        "seed": state.seed,
        "first_chooser": state.player,
        # The order of the pawns is a fact of the game, written down as it was drawn up.
        "stars": [stack_text(stack) for stack in state.stars],
    }


def setup_from_plain(plain: Mapping[str, Any]) -> State:
    """The position that ``setup_to_plain`` wrote. Raises ValueError if it is none."""
    try:
        pawns = [pawn for name in plain["stars"] for pawn in stack_from_text(name)]
        return initial(
            plain["players"],
            _whole(plain["seed"]),
            first_chooser=_whole(plain["first_chooser"]),
            stars=pawns,
        )
    except (KeyError, TypeError) as error:
        raise ValueError(f"not a set-up: {plain!r}") from error


def _whole(value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    raise ValueError(f"not a whole number: {value!r}")
