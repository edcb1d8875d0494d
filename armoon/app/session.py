"""One evening at the table: a game with its log and its sentences, whatever drives the loop."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from rich.console import Console

from armoon.engine.intake import Intake, Output
from armoon.engine.logbook import LogWriter
from armoon.games.kind import Game
from armoon.players.sight import Sight
from armoon.values.scene import Scene

Say = Callable[[str], None]
#: So long the last verdict stays on screen before the program ends; less than it takes to the next roll.
LINGER_TICKS = 75


class Onlooker(Protocol):
    """Somebody who watches the screen: the demo's player, who knows nothing else of the game."""

    def show(self, sight: Sight) -> None:
        """Let it see the table as it stands."""


class Keeper(Protocol):
    """Somebody who writes down what has happened, so that the game can be taken up again."""

    @property
    def path(self) -> Path:
        """The saved game."""

    def keep(self, out: Output) -> None:
        """Write down what one turn of the loop came to; on disk when this returns."""

    def close(self) -> None:
        """Finish writing."""


def sentences_console() -> Console:
    """A terminal that shows sentences as they are: names with brackets stay names, paths stay in one line."""
    return Console(markup=False, emoji=False, highlight=False, soft_wrap=True)


class Session:
    """Puts intakes into the game and hands on what comes out: log lines, saves, sentences, pictures."""

    def __init__(
        self,
        game: Game[Any],
        log: LogWriter | None,
        say: Say,
        *,
        turns: int | None = None,
        keeper: Keeper | None = None,
    ) -> None:
        self.game = game
        self.stopwatch = game.stopwatch
        self._log = log
        self._say = say
        self._turns = turns
        self._keeper = keeper
        self._linger_ticks = 0
        if log is not None:
            log.write(game.header())
        self._hand_on(game.opening)

    @property
    def saved(self) -> Path | None:
        """The saved game that is being written, if any."""
        return None if self._keeper is None else self._keeper.path

    @property
    def over(self) -> bool:
        """The game has ended, or the wanted number of turns, and its verdict has been shown for a moment."""
        return self._linger_ticks > LINGER_TICKS

    @property
    def turns_played(self) -> int:
        """How many turns have had their verdict."""
        return self.game.turns_played

    def turn(self, intake: Intake) -> Output:
        """One turn of the loop's phases 2 to 4."""
        out = self.game.advance(intake)
        self._hand_on(out)
        done = self._turns is not None and self.game.turns_played >= self._turns
        if (done and self.game.at_rest) or self.game.over:
            self._linger_ticks += intake.ticks
        return out

    def scene(self, fraction: float, banner: str = "") -> Scene:
        """Phase 5: the picture as a value."""
        return self.game.scene(fraction, banner)

    def sight(self, time_s: float) -> Sight:
        """What a player who looks at the screen knows."""
        return self.game.sight(time_s)

    def close(self) -> None:
        """Write the last lines and give everything back; safe to call after an error."""
        try:
            self._hand_on(self.game.finish())
        finally:
            if self._log is not None:
                self._log.close()
            if self._keeper is not None:
                self._keeper.close()
            self.game.close()

    def _hand_on(self, out: Output) -> None:
        if self._keeper is not None:
            self._keeper.keep(out)
        if self._log is not None:
            for record in out.records:
                self._log.write(record)
        for sentence in self.game.sentences(out):
            self._say(sentence)
