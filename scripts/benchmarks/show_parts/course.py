"""The course of a game as onlookers live through it: verdicts, what fell with each, and how long nothing was done."""

from __future__ import annotations

from armoon.clock import TICKS_PER_SECOND
from armoon.engine.events import Output
from armoon.games.moon.rules.values import Phase, Reason, Verdict
from armoon.games.moon.table.match import MoonMatch

#: Number of falls in one turn that make a collapse, and ticks in which it is seen to its end.
COLLAPSE, SEEN_TICKS = 4, 4 * TICKS_PER_SECOND
#: Reasons of a fall between turns.
AFTER = (Reason.LATE_FALL, Reason.SAME_INCIDENT, Reason.NOBODY)
#: Phases in which nothing is done: a player thinks, or all wait until nothing moves.
_WAITING = (Phase.DRAW, Phase.SETTLE)


class Course:
    """Hears of every frame."""

    def __init__(self) -> None:
        self.verdicts: list[Verdict] = []
        """One verdict of each turn."""
        self.fallen: list[int] = []
        """How many ladders fell in each, or after it."""
        self.longest_ticks = 0
        """The longest time of one thought, or until a ladder that was let go of came to rest."""
        self._phase: tuple[Phase, int] | None = None
        self._since = 0
        self._collapsed: int | None = None

    def note(self, match: MoonMatch, output: Output) -> None:
        """Take in a frame's moment."""
        for verdict in output.of(Verdict):
            if verdict.reason not in AFTER:
                self.verdicts.append(verdict)
                self.fallen.append(0)
            if self.fallen:
                self.fallen[-1] += len(verdict.fallen)
                if self.fallen[-1] >= COLLAPSE:
                    self._collapsed = self._collapsed or match.tick
        phase = (match.state.phase, match.state.turn)
        if phase != self._phase:
            self._phase, self._since = phase, match.tick
        if phase[0] in _WAITING:
            self.longest_ticks = max(self.longest_ticks, match.tick - self._since)

    def over(self, tick: int) -> bool:
        """Return whether a collapse has ended it, and was seen."""
        return self._collapsed is not None and tick >= self._collapsed + SEEN_TICKS
