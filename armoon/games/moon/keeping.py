"""Keeping a moon game: saved after every event, and its result once it is over."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial
from pathlib import Path

from armoon import __version__
from armoon.engine.intake import Outturn
from armoon.errors import ArmoonError
from armoon.games.moon.match import Match
from armoon.games.moon.rules.moves import Overrule
from armoon.games.moon.rules.state import State
from armoon.games.moon.saving import MoonRecorder, ResumePoint
from armoon.saves.game_file import SavedGame
from armoon.saves.library import new_game_path
from armoon.saves.results import keep_result


class MoonKeeper:
    """Writes what happens into the saved game."""

    def __init__(self, match: Match, recorder: MoonRecorder, folder: Path) -> None:
        self._match = match
        self._recorder = recorder
        self._folder = folder
        self._kept: State | None = None
        """The position that was written down last."""

    @property
    def path(self) -> Path:
        """The saved game."""
        return self._recorder.path

    def prepare(self, out: Outturn) -> Callable[[], None] | None:
        """What has to be written of a frame; None where nothing has happened.

        On disk when the call of it returns; it raises SaveError, once, where that can't be done.
        """
        facts, state = self._match.facts, self._match.state
        if state is self._kept:
            return None  # most frames of the loop end here
        self._kept = state
        standing = tuple((piece.piece, piece.pose) for piece in facts.pieces)
        made = self._match.figures
        note = partial(
            self._recorder.note, out.moves, standing, at_rest=facts.at_rest, makings=made.makings()
        )
        if not state.over and not any(isinstance(move, Overrule) for move in out.moves):
            return note
        counts = made.tally(len(state.players)).by_name(state.players)
        today = datetime.now().isoformat(timespec="seconds")
        keep = partial(keep_result, self._folder, self._recorder.path.stem, state, today, counts)

        def note_and_keep() -> None:
            try:
                note()
            finally:  # the results are another file
                keep()

        return note_and_keep

    def close(self) -> None:
        """The program ends in peace; the game may not be over."""
        self._recorder.close()


def keeper_of(
    match: Match,
    folder: Path,
    say: Callable[[str], None],
    resumed: tuple[SavedGame, ResumePoint] | None = None,
) -> MoonKeeper | None:
    """A keeper in this folder, of a match that has just been set up; None, and said, where nothing can be written."""
    now = datetime.now()
    try:
        if resumed is not None:
            recorder = MoonRecorder.resume(*resumed)
        else:
            recorder = MoonRecorder.begin(
                new_game_path(folder, now),
                match.first_state,
                match.setup.to_record(),
                begun=now.isoformat(timespec="seconds"),
                program=__version__,
            )
    except ArmoonError as error:
        say(str(error))
        return None
    return MoonKeeper(match, recorder, folder)
