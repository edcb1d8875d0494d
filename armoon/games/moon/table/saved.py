"""The contents of a moon game's files, field by field: a save's header and snapshots, a log's resumed start."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from armoon.codec.wording import quoted
from armoon.games.moon.rules.state import State
from armoon.saves.journal import Record
from armoon.values.pieces import PieceId
from armoon.values.poses import Pose, PoseRow

#: Largest distance of a place and limits of its rotation's length: a game never wrote others.
FARTHEST_M, _LEAST = 1000.0, 1e-6

#: Where the ladders of a structure stand; of the starting ladders only those that lean in their slots.
Places = tuple[tuple[PieceId, Pose], ...]
#: In files: by ladder, where it stands.
PlaceRows = dict[PieceId, PoseRow]
#: In files: turn, seat, the placed ladder, and each figure's name with the other ladders.
MakingRow = tuple[int, int, PieceId, tuple[tuple[str, tuple[PieceId, ...]], ...]]


@dataclass(frozen=True)
class Making:
    """The figures that one placed ladder makes; without any it is remembered as looked at."""

    turn: int
    player: int
    """Seat of who placed it."""
    piece: PieceId
    figures: tuple[tuple[str, tuple[PieceId, ...]], ...]
    """Each figure's name, and the other ladders that it is made with."""


@dataclass(frozen=True)
class Header:
    """Of a saved game."""

    rules: Record
    """The position before the first move, as the game's codec writes it."""
    setup: Record
    """The match's set-up."""


@dataclass(frozen=True)
class Snapshot:
    """Where everything stood."""

    turn: int
    at_rest: bool
    places: PlaceRows
    figures: tuple[MakingRow, ...] = ()
    """Old programs wrote none."""
    hints: tuple[int, ...] = ()
    """Number of hints that each seat has asked for; empty: none."""
    chosen: tuple[int, ...] = ()
    """How many ladders were carried for each seat to a place that was chosen; empty: none."""


@dataclass(frozen=True, kw_only=True)
class StartRecord:
    """A log header's record of the saved game that it resumes."""

    rules: Record
    moves: tuple[Record, ...]
    structure: PlaceRows
    at_rest: bool = True
    """Old programs didn't say."""
    places: Mapping[int, PlaceRows]
    """By turn."""
    figures: tuple[MakingRow, ...] = ()
    """Old programs wrote none."""
    hints: tuple[int, ...] = ()
    """Number of hints that each seat has asked for; empty: none."""
    chosen: tuple[int, ...] = ()
    """How many ladders were carried for each seat to a place that was chosen; empty: none."""


def snapshot_record(
    turn: int,
    places: Places,
    makings: Sequence[Making],
    hints: Sequence[int] = (),
    chosen: Sequence[int] = (),
    *,
    at_rest: bool,
) -> Record:
    """Return a ``Snapshot`` as it is written: without figures, hints and chosen places where there are none."""
    record: Record = {"turn": turn, "at_rest": at_rest, "places": place_rows(places)}
    if makings:
        record["figures"] = making_rows(makings)
    if any(hints):
        record["hints"] = list(hints)
    if any(chosen):
        record["chosen"] = list(chosen)
    return record


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
    """Return the places of what stands before the first move besides the starting ladders.

    A trial may begin with a tower.
    """
    trial = state.options.trial
    return () if trial is None else tuple((piece, Pose.of_row(row)) for piece, row in trial.standing)


def making_rows(makings: Sequence[Making]) -> tuple[MakingRow, ...]:
    """Figures as they are written."""
    return tuple((made.turn, made.player, made.piece, made.figures) for made in makings)


def makings_of(rows: Sequence[MakingRow], players: Sequence[str]) -> tuple[Making, ...]:
    """Return the figures that were written. Raises ValueError for one that nobody at the table has made."""
    makings = tuple(Making(*row) for row in rows)
    for made in makings:
        if not 0 <= made.player < len(players):
            raise ValueError(f"figures of the player in seat {made.player}")
    return makings


def counts_of(counts: Sequence[int], players: Sequence[str]) -> tuple[int, ...]:
    """Hints, or chosen places, that were written, a number for each player. Raises ValueError where that can't be."""
    if not counts:
        return (0,) * len(players)
    if len(counts) != len(players) or min(counts) < 0:
        raise ValueError(f"{counts!r} hints or chosen places of {len(players)} players")
    return tuple(counts)
