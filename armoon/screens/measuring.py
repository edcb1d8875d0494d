"""How quickly a player presses when a light goes on, and the scan period that fits."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median, quantiles

from armoon.settings.preferences import PERIODS_S

#: Seconds from a press to the next light, ten times; uneven, so that pressing in rhythm fails.
WAITS_S = (1.6, 2.4, 1.2, 2.9, 1.9, 1.4, 2.6, 1.7, 2.2, 1.3)
#: Seconds of waiting for a press: after that a player wants something else, and a switch scans the page as any
#: other.
UNANSWERED_S = 10.0
#: By how many times the reactions' spread a period is longer than their median: some 97 of 100 presses are in time,
#: and a single slip of the finger moves neither. Of a very even player it keeps at least this share (docs/access.md).
SPREADS, LEAST = 2.0, 0.25
#: Distance between a normal distribution's quartiles, in standard deviations.
_QUARTILES = 1.35


@dataclass(frozen=True)
class Measuring:
    """How far it has come."""

    reactions_s: tuple[float, ...] = ()
    passed_s: float = 0.0
    """Time since the last press, or since the highlight, seconds."""
    now: bool = False
    """It is highlighted, and a press counts."""
    changed_s: float | None = None
    """The period that the player would rather have than the proposed one."""

    @property
    def done(self) -> bool:
        """Enough is known."""
        return len(self.reactions_s) == len(WAITS_S)

    @property
    def unanswered(self) -> bool:
        """It has been lit for longer than a reaction takes: such a press doesn't count."""
        return self.now and self.passed_s > UNANSWERED_S

    @property
    def usual_s(self) -> float:
        """The median reaction."""
        return median(self.reactions_s)

    @property
    def proposed_s(self) -> float:
        """The shortest period that the page of settings offers and that leaves time for it, or the one changed to."""
        if self.changed_s is not None:
            return self.changed_s
        low, _, high = quantiles(self.reactions_s, n=4, method="inclusive")
        wanted = self.usual_s + max(SPREADS * (high - low) / _QUARTILES, LEAST * self.usual_s)
        return next((period for period in PERIODS_S if period >= wanted - 0.05), PERIODS_S[-1])
