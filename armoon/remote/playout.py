"""Steps frames from elsewhere evenly and a little late, whatever the line does.

The delay is nearly the worst lateness of the last seconds, reached by playing a few per cent faster or slower.
"""

from __future__ import annotations

from collections import deque

from armoon.clock import LONGEST_FRAME_S, TICKS_PER_SECOND

#: Delay over the quickest arrival before the line's jitter is known: ticks, 0.1 s.
USUAL_TICKS = 6.0
#: Margin over the worst arrival that counts, ticks.
MARGIN_TICKS = 2.0
#: Maximum delay on a poor line, ticks.
MOST_TICKS = 1.5 * TICKS_PER_SECOND
#: Seconds for which an arrival counts; the share of late ones that is rare, and the ticks that it may add. The last
#: second's count in full, so that one stall isn't followed by others.
COUNTS_S, RARE, RARE_TICKS, MOMENTS_S = 8.0, 0.01, 5.0, 1.0
#: Interval at which a loop looks for arrivals, seconds, unless something holds it up.
LOOKS_S = 2.0 / TICKS_PER_SECOND
#: Change of the game's speed for each tick that it is too late or too early, and the maximum.
OFF, MOST_OFF = 0.02, 0.08
#: Further behind than this it is caught up with in fast motion.
BEHIND_TICKS = 1.0 * TICKS_PER_SECOND
FAST = 4.0


class Playout:
    """How far the game may go on, by this table's clock and by what has come in."""

    def __init__(self) -> None:
        self.wanted_ticks = USUAL_TICKS
        """How much later than the quickest arrival the picture is to be."""
        self.restart()

    def restart(self) -> None:
        """Start again: another table is on turn, or this one was."""
        self._last_s: float | None = None
        self._came = self._stepped = 0
        """Ticks since then."""
        self._due = 0.0
        """How many of them were due."""
        self._late: deque[tuple[float, float]] = deque()
        """When something came, and how much later than its first tick at home that was, beside the same for all."""

    def advance(self, now_s: float, waiting_ticks: int) -> int:
        """Return how many ticks are due at ``now_s``, seconds, of those that have come in."""
        last_s, self._last_s = self._last_s, now_s
        passed_s = 0.0 if last_s is None else min(max(now_s - last_s, 0.0), LONGEST_FRAME_S)
        now_ticks = now_s * TICKS_PER_SECOND
        came = self._stepped + waiting_ticks
        if came > self._came:
            # Where this table's own loop has stood still, the line isn't to blame.
            came_s = now_s if last_s is None else min(now_s, last_s + LOOKS_S)
            self._arrives(now_s, came_s * TICKS_PER_SECOND - self._came)
            self._came = came
        if not self._late:
            return 0
        quickest = min(late for _, late in self._late)
        behind = now_ticks - quickest - self.wanted_ticks - self._due
        # What this table was too slow to step isn't jumped over, but made up for.
        self._due = min(self._due, self._stepped + 1.0)
        if self._due or behind >= 0.0:  # else the first ticks still wait
            off = max(-MOST_OFF, min(OFF * behind, MOST_OFF))
            speed = FAST if behind > BEHIND_TICKS else 1.0 + off
            self._due += passed_s * TICKS_PER_SECOND * speed
        self._due = min(self._due, float(came))
        return int(self._due) - self._stepped

    def _arrives(self, now_s: float, late: float) -> None:
        self._late.append((now_s, late))
        while self._late[0][0] < now_s - COUNTS_S:
            self._late.popleft()
        lates = sorted(late for _, late in self._late)
        worst = max(late for came_s, late in self._late if came_s >= now_s - MOMENTS_S)
        counted = max(worst, min(lates[-1], lates[-1 - int(RARE * len(lates))] + RARE_TICKS))
        # What one turn has shown of the line the next one begins with.
        known = self.wanted_ticks if now_s - self._late[0][0] < MOMENTS_S else 0.0
        self.wanted_ticks = min(max(counted - lates[0] + MARGIN_TICKS, known), MOST_TICKS)

    def stepped(self, ticks: int) -> None:
        """Note that ``ticks`` were stepped: of those that were due or, to catch up with a game, all that had come."""
        self._stepped += ticks
        self._came = max(self._came, self._stepped)
        self._due = max(self._due, float(self._stepped))

    @property
    def fraction(self) -> float:
        """How far the present lies between the last tick and the next, 0 to 1, for drawing."""
        return max(0.0, min(1.0, self._due - self._stepped))
