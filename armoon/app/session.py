"""One evening at the table: a match with its log and its sentences, whatever drives the loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from rich.console import Console

from armoon.compose import LastVerdict, compose
from armoon.logbook import LogWriter
from armoon.match.intake import Intake, Outturn
from armoon.match.match import Match
from armoon.messages import text
from armoon.players.sight import Sight
from armoon.referee.events import Rolled
from armoon.referee.sentences import outcome_lines, verdict_line
from armoon.scene import Scene

Say = Callable[[str], None]
#: So long the last verdict stays on screen before the program ends; less than it takes to the next roll.
LINGER_TICKS = 75


class Onlooker(Protocol):
    """Somebody who watches the screen: the demo's player, who knows nothing else of the game."""

    def show(self, sight: Sight) -> None:
        """Let it see the table as it stands."""


def sentences_console() -> Console:
    """A terminal that shows sentences as they are: names with brackets stay names, paths stay in one line."""
    return Console(markup=False, emoji=False, highlight=False, soft_wrap=True)


class Session:
    """Puts intakes into the match and hands on what comes out: log lines, sentences, pictures."""

    def __init__(
        self,
        match: Match,
        log: LogWriter | None,
        say: Say,
        *,
        turns: int | None = None,
    ) -> None:
        self.match = match
        self.stopwatch = match.stopwatch
        self._log = log
        self._say = say
        self._turns = turns
        self._last: LastVerdict | None = None
        self._judged_turns = 0
        self._linger_ticks = 0
        if log is not None:
            log.write(match.setup.to_record())
        self._hand_on(match.opening)

    @property
    def over(self) -> bool:
        """The game has ended, or the wanted number of turns, and its verdict has been shown for a moment."""
        return self._linger_ticks > LINGER_TICKS

    @property
    def turns_played(self) -> int:
        """How many turns have had their verdict."""
        return self._judged_turns

    def turn(self, intake: Intake) -> None:
        """One turn of the loop's phases 2 to 4."""
        self._hand_on(self.match.turn(intake))
        done = self._turns is not None and self._judged_turns >= self._turns
        if (done and self.match.facts.at_rest) or self.match.state.over:
            self._linger_ticks += intake.ticks

    def scene(self, fraction: float, banner: str = "") -> Scene:
        """Phase 5: the picture as a value."""
        return compose(self.match, fraction, self._last, banner)

    def sight(self, time_s: float) -> Sight:
        """What a player who looks at the screen knows."""
        status = self.match.status
        die = None if status.die is None else status.die.value
        return Sight(time_s, status.turn, status.phase.name, die, self.match.facts)

    def close(self) -> None:
        """Write the last lines and give everything back; safe to call after an error."""
        try:
            self._hand_on(self.match.finish())
        finally:
            if self._log is not None:
                self._log.close()
            self.match.close()

    def _hand_on(self, out: Outturn) -> None:
        if self._log is not None:
            for record in out.records:
                self._log.write(record)
        for event in out.events:
            if isinstance(event, Rolled):
                self._say(
                    text(
                        "log.rolled",
                        player=self.match.state.players[event.player],
                        die=text(f"die.{event.die.value.lower()}"),
                    )
                )
        for verdict in out.verdicts:
            self._last = LastVerdict(verdict, self.match.facts.tick)
            self._judged_turns = max(self._judged_turns, verdict.turn)
            line = verdict_line(self.match.state, verdict)
            self._say("  " + text(line.key, **dict(line.fields)))
        outcome = self.match.status.outcome if out.verdicts else None
        if outcome is not None:
            for line in outcome_lines(self.match.state, outcome):
                self._say(text(line.key, **dict(line.fields)))
