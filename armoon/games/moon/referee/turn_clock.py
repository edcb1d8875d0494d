"""The time limit of a turn, counted in ticks from the roll to letting go (ruling X1)."""

from __future__ import annotations

from armoon.clock import TICKS_PER_SECOND
from armoon.games.moon.rules.editions import OnTimeout, Options
from armoon.games.moon.rules.state import State
from armoon.games.moon.rules.values import Phase


class TurnClock:
    """Counts while a ladder waits or is held; not while paused, nor while the hand is lost."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._ticks = 0
        self.paused = False

    def restart(self) -> None:
        """Restart the clock for a new turn."""
        self._ticks = 0

    def tick(self, state: State) -> bool:
        """Count one tick; True in the tick in which the limit, or the grace time after it, runs out."""
        if self.paused or not self._running(state):
            return False
        self._ticks += 1
        limit_s = self._options.turn_limit_s or 0.0
        if not state.time_warned:
            return self._ticks >= round(limit_s * TICKS_PER_SECOND)
        late_s = limit_s + self._options.timeout_grace_s
        mistake = self._options.on_timeout is OnTimeout.MISTAKE
        return mistake and self._ticks >= round(late_s * TICKS_PER_SECOND)

    def seconds_left(self, state: State) -> float | None:
        """Until the warning; None while no time runs."""
        if not self._running(state):
            return None
        return max(0.0, (self._options.turn_limit_s or 0.0) - self._ticks / TICKS_PER_SECOND)

    def _running(self, state: State) -> bool:
        limited = self._options.turn_limit_s is not None and self._options.on_timeout is not OnTimeout.OFF
        return limited and state.phase in (Phase.DRAW, Phase.HOLD)
