"""Bots that play seats of the lake by themselves: their moves go into the game as commands, and so into the log."""

from __future__ import annotations

import multiprocessing
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

from armoon.child import ends_with_parent
from armoon.clock import TICKS_PER_SECOND
from armoon.games.lake.bots.bot import STRONG_NODES, choose
from armoon.games.lake.rules.game import legal
from armoon.games.lake.rules.moves import Move
from armoon.games.lake.rules.state import State
from armoon.games.lake.rules.strength import Strength
from armoon.games.lake.table.match import LakeMatch
from armoon.values.acts import Act
from armoon.values.intents import Command

SOURCE = "bot"
#: A bot's move comes no sooner after the last one: people want to see whose turn it was.
PAUSE_TICKS = TICKS_PER_SECOND


class LakeBots:
    """Thinks for the bots' seats of a match.

    A replay doesn't think again: the log has the commands. In ``background`` a process thinks while the game goes
    on; else the game waits, so that two runs are the same tick by tick.
    """

    def __init__(
        self, *, background: bool = False, nodes: int = STRONG_NODES, pause_ticks: int = PAUSE_TICKS
    ) -> None:
        self._nodes = nodes
        self._pause_ticks = pause_ticks
        self._background = background
        self._pool: ProcessPoolExecutor | None = None
        self._asked: State | None = None
        self._answer: Future[Move] | None = None
        self._rest_since: int | None = None

    def commands(self, match: LakeMatch) -> tuple[Command, ...]:
        """Return the move of the bot on turn once it is due; none while the table moves."""
        if match.bot is None or match.paused or match.waits or not match.at_rest:
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
        """End the process that thinks, if there is one."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None

    def _move(self, state: State, strength: Strength) -> Move | None:
        """Return the bot's move in this position; None while it thinks."""
        if self._asked != state or self._answer is None:
            self._asked = state
            self._answer = self._begin(state, strength)
        if not self._answer.done():
            return None
        if isinstance(self._answer.exception(), BrokenProcessPool):
            self.close()  # it was killed in the middle of a thought: another process thinks it anew
            self._answer = self._begin(state, strength)
            return None
        return self._answer.result()

    def _begin(self, state: State, strength: Strength) -> Future[Move]:
        if self._background:
            if self._pool is None:
                context = multiprocessing.get_context("spawn")
                self._pool = ProcessPoolExecutor(1, mp_context=context, initializer=ends_with_parent)
            return self._pool.submit(choose, state.alone(), strength, self._nodes)
        answer: Future[Move] = Future()
        answer.set_result(choose(state, strength, self._nodes))
        return answer
