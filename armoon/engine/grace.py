"""The grace time of a held object while the hand is out of sight (ruling X2), in ticks."""

from __future__ import annotations

from armoon.clock import TICKS_PER_SECOND


class Grace:
    """Count the ticks for which what is held has been frozen.

    The printed rules know no lost hands. Ours: a lost hand costs nothing, so a ladder that has waited long enough
    isn't dropped from where it hangs; it goes back to where it was taken.
    """

    def __init__(self, limit_s: float | None) -> None:
        self._limit = None if limit_s is None else max(1, round(limit_s * TICKS_PER_SECOND))
        self._ticks = 0

    def runs_out(self, frozen: bool) -> bool:
        """Count one tick; True in the tick in which the grace time is over."""
        self._ticks = self._ticks + 1 if frozen else 0
        return self._ticks == self._limit
