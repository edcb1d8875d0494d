"""When another table's frames are due: evenly, and slightly later than they usually arrive."""

from __future__ import annotations

from collections import deque

from armoon.clock import MAX_FRAME_S, TICKS_PER_SECOND

#: Delay relative to the fastest arrival before the connection's jitter is known (0.1 s), and margin over the usual
#: arrivals, ticks.
DEFAULT_TICKS, MARGIN_TICKS = 6.0, 2.0
#: Share of arrivals that the delay waits for: it would be up to twice as long for the rest, which come too late.
USUAL = 0.95
#: Time for which an arrival counts, and time until the arrivals of a turn are enough to know the jitter, seconds.
WINDOW_S, MEASURE_S = 8.0, 1.0
#: Usual interval at which the loop checks for arrivals, seconds.
LOOP_S = 2.0 / TICKS_PER_SECOND
#: Relative change of the game's speed per tick of error, and its maximum.
SPEED_GAIN, MAX_SPEED_CHANGE = 0.02, 0.08
#: Lag from which the game is caught up with in fast motion, ticks, and the speed of that.
CATCH_UP_TICKS, CATCH_UP_SPEED = 1.0 * TICKS_PER_SECOND, 4.0


class Playout:
    """A jitter buffer for one table's turns: computes the ticks that are due, from this table's clock and the arrivals.

    The delay covers most arrivals of the last seconds, and is reached by playing a few per cent faster or slower.
    """

    def __init__(self, wanted_ticks: float = DEFAULT_TICKS) -> None:
        self.wanted_ticks = wanted_ticks
        """Intended delay of the picture relative to the fastest arrival."""
        self._last_s: float | None = None
        self._received = self._stepped = 0
        """Ticks received and stepped."""
        self._due = 0.0
        """Number of ticks due."""
        self._late: deque[tuple[float, float]] = deque()
        """Time of each arrival, and its lateness up to a constant, seconds and ticks."""

    def advance(self, now_s: float, waiting_ticks: int) -> int:
        """Return the number of waiting ticks that are due at ``now_s``, seconds."""
        last_s, self._last_s = now_s if self._last_s is None else self._last_s, now_s
        received = self._stepped + waiting_ticks
        if received > self._received:
            # A stall of this table's own loop isn't jitter of the connection.
            received_ticks = min(now_s, last_s + LOOP_S) * TICKS_PER_SECOND
            self._measure_arrival(now_s, received_ticks - self._received)
            self._received = received
        if not self._late:
            return 0
        quickest = min(late for _, late in self._late)
        lag = now_s * TICKS_PER_SECOND - quickest - self.wanted_ticks - self._due
        # Ticks that this table was too slow to step aren't skipped but caught up with.
        self._due = min(self._due, self._stepped + 1.0)
        if self._due or lag >= 0.0:  # else the first ticks still wait
            change = max(-MAX_SPEED_CHANGE, min(SPEED_GAIN * lag, MAX_SPEED_CHANGE))
            speed = CATCH_UP_SPEED if lag > CATCH_UP_TICKS else 1.0 + change
            passed_s = min(max(now_s - last_s, 0.0), MAX_FRAME_S)
            self._due += passed_s * TICKS_PER_SECOND * speed
        self._due = min(self._due, float(received))
        return int(self._due) - self._stepped

    def _measure_arrival(self, now_s: float, late: float) -> None:
        self._late.append((now_s, late))
        while self._late[0][0] < now_s - WINDOW_S:
            self._late.popleft()
        quickest = min(late for _, late in self._late)
        # Later packets were held up by a break in the connection; the game catches up with them.
        usual = sorted(late for _, late in self._late if late <= quickest + CATCH_UP_TICKS)
        # The jitter measured in one turn is kept for the next.
        known = self.wanted_ticks if now_s - self._late[0][0] < MEASURE_S else 0.0
        latest = usual[int(USUAL * (len(usual) - 1))]
        self.wanted_ticks = max(latest - quickest + MARGIN_TICKS, known)

    def count_steps(self, ticks: int) -> None:
        """Count stepped ticks: those that were due or, while catching up, all that had been received."""
        self._stepped += ticks
        self._received = max(self._received, self._stepped)
        self._due = max(self._due, float(self._stepped))

    @property
    def fraction(self) -> float:
        """Return the position between the last tick and the next, 0 to 1, for drawing."""
        return max(0.0, min(1.0, self._due - self._stepped))
