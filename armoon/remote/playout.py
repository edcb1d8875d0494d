"""When frames that come from elsewhere are stepped: evenly, a little late, whatever the line does to their coming."""

from __future__ import annotations

from armoon.clock import LONGEST_FRAME_S, TICK_S, TICKS_PER_SECOND

#: Ticks that wait at first, so that a late message doesn't hold up the picture: 0.13 s.
USUAL_TICKS = 8.0
#: A poor line is waited for longer, up to this.
MOST_TICKS = 1.5 * TICKS_PER_SECOND
#: After each stop so much more is kept waiting; on a good line it is given back slowly, each second.
GROWS, SHRINKS_TICKS = 1.5, 0.25
#: How much faster or slower than at home the game goes here at most, to keep what waits near what is wanted.
MOST_OFF = 0.1
#: Further behind than this it is caught up with in fast motion.
BEHIND_TICKS = 1.0 * TICKS_PER_SECOND
FAST = 4.0


class Playout:
    """How far the game may go on, by this table's clock and by what has come in."""

    def __init__(self) -> None:
        self.wanted_ticks = USUAL_TICKS
        """How many ticks should be waiting."""
        self.stops = 0
        """How often the picture stood still because nothing had come."""
        self._due = 0.0
        self._last_s: float | None = None
        self._fills = True
        self._filled_s = 0.0
        """How long something has been waiting since then."""

    def advance(self, now_s: float, waiting_ticks: int) -> int:
        """Return how many ticks are due at ``now_s``, seconds, of those that have come in."""
        passed_s = 0.0 if self._last_s is None else min(max(now_s - self._last_s, 0.0), LONGEST_FRAME_S)
        self._last_s = now_s
        ahead = waiting_ticks - self._due
        if self._fills:
            self._filled_s = self._filled_s + passed_s if waiting_ticks else 0.0
            # A turn's last frames come alone.
            if ahead < self.wanted_ticks and self._filled_s < self.wanted_ticks * TICK_S:
                return 0
            self._fills, self._filled_s = False, 0.0
        off = (ahead - self.wanted_ticks) / TICKS_PER_SECOND
        speed = FAST if ahead > self.wanted_ticks + BEHIND_TICKS else 1.0 + max(-MOST_OFF, min(off, MOST_OFF))
        self._due += passed_s * TICKS_PER_SECOND * speed
        self.wanted_ticks = max(USUAL_TICKS, self.wanted_ticks - SHRINKS_TICKS * passed_s)
        if self._due > waiting_ticks:
            self._due = float(waiting_ticks)
            self._fills = True
            self.stops += 1
            self.wanted_ticks = min(self.wanted_ticks * GROWS, MOST_TICKS)
        return int(self._due)

    def stepped(self, ticks: int) -> None:
        """Note that ``ticks`` of those that were due were stepped."""
        self._due -= ticks

    def restart(self) -> None:
        """Begin anew: another table is on turn, or this one was."""
        self._due, self._last_s, self._fills, self._filled_s = 0.0, None, True, 0.0

    @property
    def fraction(self) -> float:
        """How far the present lies between the last tick and the next, 0 to 1, for drawing."""
        return max(0.0, min(1.0, self._due))
