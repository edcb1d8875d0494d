"""Keeping a game: saved after every event, and its result once it is over."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from armoon.engine.events import Output, TableTurned
from armoon.engine.intake import Record
from armoon.saves.game_file import GameFile, SavedGame
from armoon.saves.results import Result, keep_result

Writing = Callable[[], None]


@dataclass(frozen=True)
class Noted:
    """The data to write for one frame, copied out of the match."""

    write: Writing
    """Puts it on disk, perhaps in another thread and later. Raises SaveError, once, when the disk is full or gone."""
    end: bool = False
    """The game's end may have changed."""


class Recorder(Protocol):
    """Writes one game down, in the game's own terms."""

    @property
    def path(self) -> Path:
        """The saved game."""

    def note(self, output: Output) -> Noted | None:
        """Return the lines to write for a frame, as the match stands now, or None."""

    def turned(self, turned_rad: float) -> None:
        """Note that the table is turned this far."""

    def result(self, game: str, date: str) -> Result | None:
        """How the game ended, under this name; None while it goes on."""

    def close(self) -> None:
        """Close at the program's end; the game may not be over. Raises SaveError."""


class MoveRecorder:
    """Writes a game whose moves are the whole of it, as they are made (``Recorder``)."""

    def __init__(
        self,
        file: GameFile,
        moves: Callable[[Output], list[Record]],
        result: Callable[[str, str], Result | None],
    ) -> None:
        """Write a game's moves: ``moves`` gives those of a frame as JSON values, ``result`` the recorder's result."""
        self._file = file
        self._moves = moves
        self._was_over = False
        self.result = result

    @property
    def path(self) -> Path:
        """The saved game."""
        return self._file.path

    def note(self, output: Output) -> Noted | None:
        """Return the moves of a frame, or None."""
        moves = self._moves(output)
        if not moves:
            return None
        was_over, self._was_over = self._was_over, self.result("", "") is not None
        return Noted(partial(self._file.append, moves, sync=True), was_over or self._was_over)

    def turned(self, turned_rad: float) -> None:
        """Note that the table is turned this far."""
        self._file.turned_rad = turned_rad

    def close(self) -> None:
        """Close at the program's end. Raises SaveError."""
        self._file.close()


def written_by_moves(
    game: str,
    header: Callable[[Any], Record],
    moves: Callable[[Output], list[Record]],
    result: Callable[[Any, str, str], Result | None],
) -> tuple[Callable[[Any, Path, str, str], Recorder], Callable[[Any, SavedGame], Recorder]]:
    """Return what begins and what resumes the saved games of a game whose moves are the whole of it.

    ``header`` is a match's, as JSON values, ``moves`` are those of a frame, ``result`` is a match's as it stands.
    """

    def begin(match: Any, path: Path, begun: str, program: str) -> Recorder:
        file = GameFile.create(path, header(match), game=game, begun=begun, program=program)
        return MoveRecorder(file, moves, partial(result, match))

    def resume(match: Any, saved: SavedGame) -> Recorder:
        return MoveRecorder(GameFile.reopen(saved, keep=len(saved.moves)), moves, partial(result, match))

    return begin, resume


class Keeper:
    """Has what happens written into the saved game, and its result among the others."""

    def __init__(self, recorder: Recorder, turned_rad: float = 0.0) -> None:
        """``turned_rad``: how far the table is turned to begin with."""
        self._recorder = recorder
        recorder.turned(turned_rad)

    @property
    def path(self) -> Path:
        """The saved game."""
        return self._recorder.path

    def prepare(self, output: Output) -> Writing | None:
        """Return what to write for a frame, as the match stands now, or None.

        It may be called in another thread; it is on disk when it returns. It raises SaveError, once for each file.
        """
        for turned in output.of(TableTurned):
            self._recorder.turned(turned.turned_rad)
        noted = self._recorder.note(output)
        if noted is None or not noted.end:
            return None if noted is None else noted.write
        name = self.path.stem
        result = self._recorder.result(name, datetime.now().isoformat(timespec="seconds"))
        write = noted.write

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
        """Finish writing. Raises SaveError."""
        self._recorder.close()
