"""The saved form of a moon match during play, and its ending."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from armoon.engine.events import Output
from armoon.engine.keeper import Noted
from armoon.games.moon.referee.sight import leaning
from armoon.games.moon.rules.moves import MOVE_KINDS, Overrule
from armoon.games.moon.rules.state import State
from armoon.games.moon.table.match import MoonMatch
from armoon.games.moon.table.result import result_of
from armoon.games.moon.table.saving import MoonRecorder
from armoon.saves.results import Result


class MatchRecorder:
    """Writes a match's moves and structures (``engine.keeper.Recorder``)."""

    def __init__(self, match: MoonMatch, recorder: MoonRecorder) -> None:
        self._match = match
        self._recorder = recorder
        self._kept: State | None = None
        """The position that was written down last,"""
        self._hints = tuple(match.hints)
        """and the hints."""

    @property
    def path(self) -> Path:
        """The saved game."""
        return self._recorder.path

    def note(self, output: Output) -> Noted | None:
        """Return the lines to write for a frame, as the match stands now, or None."""
        facts, state = self._match.facts, self._match.state
        hints = tuple(self._match.hints)
        if state is self._kept and hints == self._hints:
            return None  # most frames of the loop end here
        self._kept, self._hints = state, hints
        slots = dict(zip(state.starting, self._match.base.slots, strict=True))
        standing = tuple((piece.piece, piece.pose) for piece in facts.pieces)
        makings = self._match.figures.makings()
        moves = output.of(*MOVE_KINDS)
        note = partial(
            self._recorder.note,
            moves,
            standing,
            at_rest=facts.at_rest,
            leaning=leaning(facts, slots),
            makings=makings,
            hints=hints,
            chosen=tuple(self._match.places_chosen),
        )
        return Noted(note, state.over or any(isinstance(move, Overrule) for move in moves))

    def turned(self, turned_rad: float) -> None:
        """Note that the table is turned this far."""
        self._recorder.turned(turned_rad)

    def result(self, game: str, date: str) -> Result | None:
        """How the game ended; None while it goes on."""
        state = self._match.state
        if not state.over:
            return None
        counts = self._match.figures.tally(len(state.players)).by_name(state.players)
        return result_of(game, state, date, counts)

    def close(self) -> None:
        """Close at the program's end. Raises SaveError."""
        self._recorder.close()
