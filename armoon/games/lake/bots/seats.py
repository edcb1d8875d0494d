"""Bots that play seats of the lake by themselves: their moves go into the game as commands, and so into the log."""

from __future__ import annotations

from armoon.clock import TICKS_PER_SECOND
from armoon.games.lake.bots.bot import choose, think
from armoon.games.lake.rules.game import legal
from armoon.games.lake.rules.values import LakeState, Move, Strength
from armoon.games.lake.table.match import LakeMatch
from armoon.processes.child import Worker
from armoon.values.acts import Act
from armoon.values.pieces import Command

SOURCE = "bot"
#: A bot's move comes no sooner after the last one: people want to see whose turn it was.
PAUSE_TICKS = TICKS_PER_SECOND


class LakeBots:
    """Thinks for the bots' seats of a match.

    A replay doesn't think again: the log has the commands. In ``background`` a process thinks while the game goes
    on; else the game waits, so that two runs are the same tick by tick.
    """

    def __init__(self, *, background: bool = False, pause_ticks: int = PAUSE_TICKS) -> None:
        self._pause_ticks = pause_ticks
        self._background = background
        self._worker: Worker | None = None
        self._asked: LakeState | None = None
        self._answer: Move | None = None
        self._rest_since: int | None = None

    def commands(self, match: LakeMatch) -> tuple[Command, ...]:
        if match.bot is None or match.paused or match.has_pending_commands or not match.at_rest:
            self._rest_since = None
            return ()
        if self._rest_since is None:
            self._rest_since = match.tick
        move = self._move(match.state, Strength(match.bot))
        if move is None or match.tick - self._rest_since < self._pause_ticks:
            return ()
        self._asked, self._answer, self._rest_since = None, None, None
        return (Command(Act.CHOOSE, SOURCE, legal(match.state).index(move)),)

    def close(self) -> None:
        if self._worker is not None:
            self._worker.close(patience_s=0.0)
            self._worker = None

    def _move(self, state: LakeState, strength: Strength) -> Move | None:
        if self._asked != state:
            self._asked, self._answer = state, None
            self._ask(state, strength)
        if self._worker is not None:
            ended = not self._worker.is_alive
            for asked, move in self._worker.drain_messages():
                self._answer = move if asked == state.alone() else self._answer
            if (
                ended and self._answer is None
            ):  # it was killed in the middle of a thought: another thinks it anew
                self._worker.restart()
                self._ask(state, strength)
        return self._answer

    def _ask(self, state: LakeState, strength: Strength) -> None:
        if not self._background:
            self._answer = choose(state, strength)
            return
        self._worker = self._worker or Worker("lake bot", think)
        self._worker.send((state.alone(), strength))
