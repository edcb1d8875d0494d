"""How quickly a player presses when a light goes on, and the scan period that fits."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean

from armoon.settings.preferences import PERIODS_S

#: Seconds from a press to the next light; uneven, so that pressing in rhythm fails.
WAITS_S = (1.6, 2.4, 1.2, 2.9, 1.9)
#: Seconds of waiting for a press: after that a player wants something else, and a switch scans the page as any
#: other.
UNANSWERED_S = 10.0
#: Of a scan period, the share that the mean reaction may take: the rest is for its spread (docs/access.md).
SHARE = 0.65


@dataclass(frozen=True)
class Measuring:
    """How far it has come."""

    reactions_s: tuple[float, ...] = ()
    passed_s: float = 0.0
    """Since the last press, or since it was lit."""
    now: bool = False
    """It is highlighted, and a press counts."""

    @property
    def done(self) -> bool:
        """Enough is known."""
        return len(self.reactions_s) == len(WAITS_S)

    @property
    def unanswered(self) -> bool:
        """It has been lit for longer than a reaction takes: such a press doesn't count."""
        return self.now and self.passed_s > UNANSWERED_S

    @property
    def mean_s(self) -> float:
        """The mean reaction."""
        return fmean(self.reactions_s)

    @property
    def proposed_s(self) -> float:
        """The shortest period that the page of settings offers and that leaves time for it."""
        wanted = self.mean_s / SHARE
        return next((period for period in PERIODS_S if period >= wanted - 0.05), PERIODS_S[-1])
