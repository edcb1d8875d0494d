"""A lake match written down: its moves are the whole of it, so they are written as they are made."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from armoon.engine.intake import Output
from armoon.engine.keeper import Noted
from armoon.games.lake.codec import move_to_plain
from armoon.games.lake.rules.game import outcome
from armoon.games.lake.rules.scoring import points
from armoon.games.lake.table.happenings import LakeOutput
from armoon.games.lake.table.match import LakeMatch
from armoon.games.lake.table.setup import GAME
from armoon.saves.game_file import GameFile
from armoon.saves.results import Result


class MatchRecorder:
    """Writes every move into the saved game (``engine.keeper.Recorder``)."""

    def __init__(self, match: LakeMatch, file: GameFile) -> None:
        self._match = match
        self._file = file
        self._was_over = False

    @property
    def path(self) -> Path:
        """The saved game."""
        return self._file.path

    def note(self, output: Output) -> Noted | None:
        """What has to be written of a frame, as the match stands now; None: nothing has happened."""
        assert isinstance(output, LakeOutput)  # it came from this match
        if not output.played:
            return None
        moves = [move_to_plain(played.move) for played in output.played]
        was_over, self._was_over = self._was_over, self._match.over
        return Noted(partial(self._file.append, moves, sync=True), was_over or self._was_over)

    def result(self, game: str, date: str) -> Result | None:
        """How the game ended; None while it goes on."""
        state = self._match.state
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

    def close(self) -> None:
        """The program ends in peace. Raises SaveError."""
        self._file.close()
