"""One player's way of playing, among others at the table: kept in their profile, applied in their turns."""

from __future__ import annotations

from dataclasses import dataclass

from armoon.values.choices import Palette, TextSize, Way

#: Limits of a scan period, seconds.
SHORTEST_SCAN_S, LONGEST_SCAN_S = 0.3, 10.0
#: What the paper kit's line of 100 mm can measure: printers shrink a page by a few percent, small screens show less.
SMALLEST_KIT_MM, LARGEST_KIT_MM = 60.0, 110.0


@dataclass(frozen=True)
class Habits:
    """Every field is a preference; None: as set for everybody. Raises ValueError for a value out of range."""

    way: Way | None = None
    scan_s: float | None = None
    """Seconds for which each thing is lit."""
    text_size: TextSize | None = None
    palette: Palette | None = None
    kit_mm: float | None = None
    """What the line of 100 mm of this player's paper kit measures."""

    def __post_init__(self) -> None:
        if self.scan_s is not None and not SHORTEST_SCAN_S <= self.scan_s <= LONGEST_SCAN_S:
            raise ValueError(f"{self.scan_s!r} s is no scan period")
        if self.kit_mm is not None and not SMALLEST_KIT_MM <= self.kit_mm <= LARGEST_KIT_MM:
            raise ValueError(f"{self.kit_mm!r} mm is no printed line of 100 mm")


#: Everything is as set for everybody.
NO_HABITS = Habits()
