"""The saved form of a moon match during play, and its ending."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from armoon.engine.events import Output
from armoon.engine.keeper import Noted
from armoon.engine.records import records_of
from armoon.games.moon.figures.figure import FigureKind, tally_of
from armoon.games.moon.referee.sight import leaning
from armoon.games.moon.rules.moves import Move, Overrule
from armoon.games.moon.rules.state import State
from armoon.games.moon.table.match import MoonMatch
from armoon.games.moon.table.result import result_of
from armoon.games.moon.table.saving import MoonRecorder, resume_point
from armoon.saves.game_file import SavedGame
from armoon.saves.results import Result


class MatchRecorder(MoonRecorder):
    """Writes a match's moves and structures (``engine.keeper.Recorder``)."""

    _match: MoonMatch
    _kept: State | None = None
    """The position that was written down last,"""
    _asked: tuple[int, ...] = ()
    """and the hints."""

    def of(self, match: MoonMatch) -> MatchRecorder:
        """Return this recorder, for that match."""
        self._match, self._asked = match, tuple(match.hints)
        return self

    def note(self, output: Output) -> Noted | None:
        """Return the lines to write for a frame, as the match stands now, or None."""
        match, facts, state = self._match, self._match.facts, self._match.state
        hints = tuple(match.hints)
        if state is self._kept and hints == self._asked:
            return None  # most frames of the loop end here
        self._kept, self._asked = state, hints
        slots = dict(zip(state.starting, match.base.slots, strict=True))
        moves = output.of(Move)
        write = partial(
            self.write,
            moves,
            tuple((piece.piece, piece.pose) for piece in facts.pieces),
            at_rest=facts.at_rest,
            leaning=leaning(facts, slots),
            figures=match.figures.made,
            hints=hints,
            chosen=tuple(match.places_chosen),
        )
        return Noted(write, state.over or any(isinstance(move, Overrule) for move in moves))

    def result(self, game: str, date: str) -> Result | None:
        """How the game ended; None while it goes on."""
        state = self._match.state
        if not state.over:
            return None
        tally = tally_of(self._match.figures.made, len(state.players))
        counts = {
            name: {kind.value: made[kind] for kind in FigureKind if made[kind]}
            for name, made in zip(state.players, tally, strict=True)
            if made
        }
        return result_of(game, state, date, counts)


def begin(match: MoonMatch, path: Path, begun: str, program: str) -> MatchRecorder:
    """Begin the match's saved game. Raises SaveError."""
    (setup,) = records_of(match.opening.events[0])
    return MatchRecorder.begin(path, match.first_state, setup, begun=begun, program=program).of(match)


def resume(match: MoonMatch, saved: SavedGame) -> MatchRecorder:
    """Go on writing a saved game. Raises SaveError."""
    return MatchRecorder.resume(saved, resume_point(saved)).of(match)
