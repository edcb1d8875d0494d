"""Moves and set-ups of the moon game as plain JSON values and back, for files that stay readable for years."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, Literal

from armoon.codec import convert, encode
from armoon.codec.variants import Variants, words_of
from armoon.games.moon.options import house_from_plain
from armoon.games.moon.rules.editions import Options
from armoon.games.moon.rules.game import initial
from armoon.games.moon.rules.moves import MOVE_KINDS, Move
from armoon.games.moon.rules.state import State

_MOVES = Variants[Move]("move", words_of(MOVE_KINDS))


@dataclasses.dataclass(frozen=True, kw_only=True)
class _Setup:
    """What ``moon.initial`` and a replay need."""

    game: Literal["moon"] = "moon"
    edition: str
    players: tuple[str, ...]
    seed: int
    options: dict[str, Any]
    first_player: int
    starting: tuple[str, ...]
    supply: tuple[str, ...]
    """In the order in which it was drawn up."""
    placed: tuple[str, ...] = ()
    """Ladders that stand before the first move, where practice begins with a figure."""


def move_to_plain(move: Move) -> dict[str, Any]:
    """Return the move as JSON values: its name under ``move``, and its fields."""
    return _MOVES.encode(move)


def move_from_plain(plain: Mapping[str, Any]) -> Move:
    """Return the move that ``move_to_plain`` wrote. Raises ValueError, which names the field, if it is none."""
    return _MOVES.convert(plain)


def options_to_plain(options: Options) -> dict[str, Any]:
    """Return the house options as JSON values."""
    return dict(encode(options))


def options_from_plain(plain: Mapping[str, Any]) -> Options:
    """Return the options that ``options_to_plain`` wrote.

    Raises ValueError, which names the field, if they are none.
    """
    return house_from_plain(plain)


def setup_to_plain(state: State) -> dict[str, Any]:
    """Return plain values for ``setup_from_plain``, from a position before the first roll."""
    plain = dict(
        encode(
            _Setup(
                edition=state.edition_name,
                players=state.players,
                seed=state.seed,
                options=options_to_plain(state.options),
                first_player=state.player,
                starting=state.starting,
                supply=state.supply,
                placed=() if state.options.trial is not None else state.placed,
            )
        )
    )
    if not plain["placed"]:
        del plain["placed"]  # as all games have it but practice that begins with a figure
    return plain


def setup_from_plain(plain: Mapping[str, Any]) -> State:
    """Return the position that ``setup_to_plain`` wrote. Raises ValueError, which names the field, if it is none."""
    setup = convert(_Setup, plain, exact=True)
    state = initial(
        setup.players,
        setup.edition,
        setup.seed,
        options_from_plain(setup.options),
        first_player=setup.first_player,
        starting=setup.starting,
        supply=setup.supply,
    )
    # The order of the supply is a fact of the game, written down as it was drawn up, not shuffled again.
    if set(setup.placed) & {*setup.starting, *setup.supply} or len(set(setup.placed)) != len(setup.placed):
        raise ValueError("placed: a ladder is named twice")
    return dataclasses.replace(state, supply=setup.supply, placed=state.placed or setup.placed)
