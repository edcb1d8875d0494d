"""The saved form of a lake match: its moves are all of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from armoon.engine.events import Output
from armoon.engine.intake import Record
from armoon.games.lake.rules.game import outcome
from armoon.games.lake.rules.moves import MOVE_KINDS
from armoon.games.lake.rules.scoring import points
from armoon.games.lake.table.codec import move_to_plain
from armoon.games.lake.table.setup import GAME
from armoon.saves.results import Result

if TYPE_CHECKING:
    from armoon.games.lake.table.match import LakeMatch


def moves(output: Output) -> list[Record]:
    """Return a frame's moves as JSON values."""
    return [move_to_plain(move) for move in output.of(*MOVE_KINDS)]


def result(match: LakeMatch, game: str, date: str) -> Result | None:
    """Return how the game ended; None while it goes on."""
    state = match.state
    end = outcome(state)
    if end is None:
        return None
    return Result(
        game=game,
        date=date,
        edition="",
        variant="",
        players=state.players,
        winners=tuple(state.players[seat] for seat in end.winners),
        score=None,
        kind=GAME,
        points=dict(zip(state.players, points(state), strict=True)),
    )
