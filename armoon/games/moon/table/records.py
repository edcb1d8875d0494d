"""A moon game as plain JSON values and back, for files that stay readable for years.

Moves and set-ups, a save's header and snapshots, a log's resumed start.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from armoon.codec import convert, encode
from armoon.codec.variants import Variants, words_of
from armoon.codec.wording import quoted
from armoon.games.moon.figures.figure import Figure, FigureKind, Figures
from armoon.games.moon.options import house_from_plain
from armoon.games.moon.referee.docket import Places
from armoon.games.moon.rules.game import initial
from armoon.games.moon.rules.moves import MOVE_KINDS, Move
from armoon.games.moon.rules.state import State
from armoon.saves.journal import Record
from armoon.values.pieces import PieceId
from armoon.values.poses import Pose, PoseRow

#: Largest distance of a place and limits of its rotation's length: a game never wrote others.
FARTHEST_M, _LEAST = 1000.0, 1e-6
#: In files: by ladder, where it stands.
PlaceRows = dict[PieceId, PoseRow]
#: In files: turn, seat, the placed ladder, and each figure's name with the other ladders.
FiguresRow = tuple[int, int, PieceId, tuple[tuple[str, tuple[PieceId, ...]], ...]]
#: Moves as JSON values: a move's name under ``move``, and its fields; MalformedError, a ValueError, if it is none.
MOVES = Variants[Move]("move", words_of(MOVE_KINDS))


@dataclass(frozen=True)
class Header:
    """Header of a saved game."""

    rules: Record
    """The position before the first move, as ``setup_to_plain`` writes it."""
    setup: Record
    """The match's set-up."""


@dataclass(frozen=True, kw_only=True)
class _Counted:
    """What a snapshot and a start both tell besides places; old programs wrote none of it."""

    figures: tuple[FiguresRow, ...] = ()
    hints: tuple[int, ...] = ()
    """Number of hints that each seat has asked for; empty: none."""
    chosen: tuple[int, ...] = ()
    """How many ladders were carried for each seat to a place that was chosen; empty: none."""
    by_card: tuple[int, ...] = ()
    """How many each seat has let go of with a paper ladder; empty: none."""


@dataclass(frozen=True, kw_only=True)
class Snapshot(_Counted):
    """Where everything stood."""

    turn: int
    at_rest: bool
    places: PlaceRows


@dataclass(frozen=True, kw_only=True)
class StartRecord(_Counted):
    """A log header's record of the saved game that it resumes."""

    rules: Record
    moves: tuple[Record, ...]
    structure: PlaceRows
    at_rest: bool = True
    """Old programs didn't say."""
    places: Mapping[int, PlaceRows]
    """Places of the structure, by turn."""


@dataclass(frozen=True, kw_only=True)
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


def setup_to_plain(state: State) -> dict[str, Any]:
    """Return plain values for ``setup_from_plain``, from a position before the first roll."""
    setup = _Setup(
        edition=state.edition_name,
        players=state.players,
        seed=state.seed,
        options=encode(state.options),
        first_player=state.player,
        starting=state.starting,
        supply=state.supply,
        placed=() if state.options.trial is not None else state.placed,
    )
    plain = dict(encode(setup))
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
        house_from_plain(setup.options),
        first_player=setup.first_player,
        starting=setup.starting,
        supply=setup.supply,
    )
    # The order of the supply is a fact of the game, written down as it was drawn up, not shuffled again.
    if set(setup.placed) & {*setup.starting, *setup.supply} or len(set(setup.placed)) != len(setup.placed):
        raise ValueError("placed: a ladder is named twice")
    return dataclasses.replace(state, supply=setup.supply, placed=state.placed or setup.placed)


def place_rows(places: Places) -> PlaceRows:
    """Places as they are written."""
    return {piece: pose.row for piece, pose in places}


def places_of(rows: PlaceRows) -> Places:
    """Return the places that were written. Raises ValueError for one where nothing can be."""
    places = tuple((piece, Pose.of_row(row)) for piece, row in rows.items())
    for piece, pose in places:
        far_m = max(map(abs, pose.position))
        if far_m > FARTHEST_M or not _LEAST < sum(q * q for q in pose.rotation) < 1.0 / _LEAST:
            raise ValueError(f"the place of {quoted(piece)} is none")
    return places


def standing_at_first(state: State) -> Places:
    """Return the places of a tower that a trial begins with, besides the starting ladders."""
    trial = state.options.trial
    return () if trial is None else tuple((piece, Pose.of_row(row)) for piece, row in trial.standing)


def figures_rows(made: Sequence[Figures]) -> tuple[FiguresRow, ...]:
    """Figures as they are written."""
    return tuple(
        (one.turn, one.player, one.piece, tuple((figure.kind.value, figure.others) for figure in one.figures))
        for one in made
    )


def figures_of(rows: Sequence[FiguresRow], players: Sequence[str]) -> tuple[Figures, ...]:
    """Return the figures that were written. Raises ValueError for unknown ones, and for those of an empty seat."""
    made = []
    for turn, player, piece, figures in rows:
        if not 0 <= player < len(players):
            raise ValueError(f"figures of the player in seat {player}")
        own = tuple(Figure(FigureKind(kind), piece, others) for kind, others in figures)
        made.append(Figures(turn, player, piece, own))
    return tuple(made)


def counts_of(counts: Sequence[int], players: Sequence[str]) -> tuple[int, ...]:
    """Hints, or chosen places, that were written, a number for each player. Raises ValueError where that can't be."""
    if not counts:
        return (0,) * len(players)
    if len(counts) != len(players) or min(counts) < 0:
        raise ValueError(f"{counts!r} hints or chosen places of {len(players)} players")
    return tuple(counts)
