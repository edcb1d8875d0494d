"""Keeping a game: saved after every event, and its result once it is over."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Protocol

from armoon.engine.intake import Output
from armoon.errors import ArmoonError
from armoon.saves.results import Result, keep_result


class Recorder(Protocol):
    """Writes one game down, in the game's own terms."""

    @property
    def path(self) -> Path:
        """The saved game."""

    def note(self, output: Output) -> bool:
        """Write down what one frame came to; on disk when this returns. Whether the game's end may have changed.

        Raises SaveError, once, when the disk is full or gone.
        """

    def result(self, game: str, date: str) -> Result | None:
        """How the game ended, under this name; None while it goes on."""

    def close(self) -> None:
        """The program ends in peace; the game may not be over."""


class Keeper:
    """Writes what happens into the saved game; a full disk is said once, and the game goes on unsaved."""

    def __init__(self, recorder: Recorder, say: Callable[[str], None]) -> None:
        self._recorder = recorder
        self._say = say

    @property
    def path(self) -> Path:
        """The saved game."""
        return self._recorder.path

    def keep(self, output: Output) -> None:
        """Write down what one frame of the loop came to; on disk when this returns."""
        try:
            if self._recorder.note(output):
                today = datetime.now().isoformat(timespec="seconds")
                name = self.path.stem
                keep_result(self.path.parent, name, self._recorder.result(name, today))
        except ArmoonError as error:
            self._say(str(error))

    def close(self) -> None:
        """Finish writing."""
        try:
            self._recorder.close()
        except ArmoonError as error:
            self._say(str(error))
