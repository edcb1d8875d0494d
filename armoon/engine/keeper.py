"""A saved game during play: written after every event, and its result once it is over."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from armoon.engine.events import Output, TableTurned
from armoon.engine.intake import Record
from armoon.saves.game_file import GameFile, SavedGame
from armoon.saves.results import Result, keep_result

#: Puts something on disk, perhaps in another thread and later. Raises SaveError, once, when the disk is full or gone.
Writing = Callable[[], None]


class Keeper:
    """Writes what happens into the saved game, and its result among the others."""

    def __init__(
        self,
        file: GameFile,
        note: Callable[[Output], Writing | None],
        result: Callable[[str, str], Result | None],
    ) -> None:
        """Write a match into a file.

        ``note`` copies out of the match what is to be written for a frame, or returns None. ``result`` says how the
        game ended, under a name and with a date; None while it goes on.
        """
        self.file = file
        self._note, self._result = note, result
        self._was_over = result("", "") is not None

    @property
    def path(self) -> Path:
        """The saved game."""
        return self.file.path

    def prepare(self, output: Output) -> Writing | None:
        """Return what to write for a frame, as the match stands now, or None.

        It may be called in another thread; it is on disk when it returns. It raises SaveError, once for each file.
        """
        for turned in output.of(TableTurned):
            self.file.turned_rad = turned.turned_rad
        write = self._note(output)
        if write is None:
            return None
        name = self.path.stem
        result = self._result(name, datetime.now().isoformat(timespec="seconds"))
        was_over, self._was_over = self._was_over, result is not None
        if result is None and not was_over:
            return write

        def write_both() -> None:
            try:
                write()
            finally:  # the results are another file
                keep_result(self.path.parent, name, result)

        return write_both

    def keep(self, output: Output) -> None:
        """Write down what a frame came to, at once. Raises SaveError."""
        writing = self.prepare(output)
        if writing is not None:
            writing()

    def close(self) -> None:
        """Close at the program's end; the game may not be over. Raises SaveError."""
        self.file.close()


def written_by_moves(
    game: str,
    header: Callable[[Any], Record],
    moves: Callable[[Output], list[Record]],
    result: Callable[[Any, str, str], Result | None],
) -> tuple[Callable[[Any, Path, str, str], Keeper], Callable[[Any, SavedGame], Keeper]]:
    """Return what begins and what resumes the saved games of a game whose moves are the whole of it.

    ``header`` is a match's, as JSON values, ``moves`` are those of a frame, ``result`` is a match's as it stands.
    """

    def keeper(match: Any, file: GameFile) -> Keeper:
        def note(output: Output) -> Writing | None:
            made = moves(output)
            return partial(file.append, made, sync=True) if made else None

        return Keeper(file, note, partial(result, match))

    def begin(match: Any, path: Path, begun: str, program: str) -> Keeper:
        return keeper(match, GameFile.create(path, header(match), game=game, begun=begun, program=program))

    def resume(match: Any, saved: SavedGame) -> Keeper:
        return keeper(match, GameFile.reopen(saved, keep=len(saved.moves)))

    return begin, resume
