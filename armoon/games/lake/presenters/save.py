"""A lake match written down: its moves are the whole of it."""

from __future__ import annotations

from functools import partial

from armoon.engine.events import Output
from armoon.engine.intake import Record
from armoon.engine.keeper import MoveRecorder
from armoon.games.lake.rules.game import outcome
from armoon.games.lake.rules.moves import MOVE_KINDS
from armoon.games.lake.rules.scoring import points
from armoon.games.lake.table.codec import move_to_plain
from armoon.games.lake.table.match import LakeMatch
from armoon.games.lake.table.setup import GAME
from armoon.saves.game_file import GameFile
from armoon.saves.results import Result


def recorder(match: LakeMatch, file: GameFile) -> MoveRecorder:
    """Return a recorder that writes the match's moves into the file."""
    return MoveRecorder(file, _moves, partial(_result, match))


def _moves(output: Output) -> list[Record]:
    return [move_to_plain(move) for move in output.of(*MOVE_KINDS)]


def _result(match: LakeMatch, game: str, date: str) -> Result | None:
    """How the game ended; None while it goes on."""
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
