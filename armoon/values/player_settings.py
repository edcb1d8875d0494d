"""One player's way of playing, among others at the table: kept in their profile, applied in their turns."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from armoon.values.choices import GripKind, Palette, Steadiness, TextSize, Way, Word
from armoon.values.text import repr_of

#: Limits of a scan period, seconds.
SHORTEST_SCAN_S, LONGEST_SCAN_S = 0.3, 10.0
#: What the paper kit's line of 100 mm can measure: printers shrink a page by a few percent, small screens show less.
SMALLEST_KIT_MM, LARGEST_KIT_MM = 60.0, 110.0


@dataclass(frozen=True)
class PlayerSettings:
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
            raise ValueError(f"{repr_of(self.scan_s)} s is no scan period")
        if self.kit_mm is not None and not SMALLEST_KIT_MM <= self.kit_mm <= LARGEST_KIT_MM:
            raise ValueError(f"{repr_of(self.kit_mm)} mm is no printed line of 100 mm")


#: Everything is as set for everybody.
NO_HABITS = PlayerSettings()


#: Maximum numbers of spared mistakes and of hints, where they are counted.
MOST_SPARED, MOST_HINTS = 9, 99


class Helping(Word):
    """Which helps for the eye a player has while on turn."""

    USUAL = "usual"
    """Those of the settings."""
    ALL = "all"
    NONE = "none"


class Guidance(Word):
    """How much a ladder that is released near a good place is guided there."""

    FULL = "full"
    LIGHT = "light"
    OFF = "off"


@dataclass(frozen=True)
class Handicap:
    """One player's handicap. Raises ValueError for a value out of range."""

    spared: int = 0
    hints: int | None = None
    helps: Helping = Helping.USUAL
    guidance: Guidance = Guidance.FULL

    def __post_init__(self) -> None:
        if not isinstance(self.spared, int) or not 0 <= self.spared <= MOST_SPARED:
            raise ValueError(f"{repr_of(self.spared)} mistakes spared")
        hints = self.hints
        if hints is not None and (not isinstance(hints, int) or not 0 <= hints <= MOST_HINTS):
            raise ValueError(f"{repr_of(hints)} hints")


#: Nothing is made easier or harder.
LEVEL = Handicap()


def of_seat(handicaps: Sequence[Handicap], seat: int) -> Handicap:
    return handicaps[seat] if seat < len(handicaps) else LEVEL


def declared(handicaps: Sequence[Handicap]) -> tuple[Handicap, ...]:
    """Return the handicaps; none where nobody has one."""
    return tuple(handicaps) if any(one != LEVEL for one in handicaps) else ()


#: Limits of a reach's scale (never below one) and of a dwelling hand's rest, seconds.
MOST_REACH = 3.0
SHORTEST_DWELL_S, LONGEST_DWELL_S = 0.3, 5.0


@dataclass(frozen=True)
class Movement:
    """One player's movement. Raises ValueError for a value out of range."""

    steadiness: Steadiness = Steadiness.OFF
    """How much trembling is taken out of what a hand does, at the price of being late."""
    reach: float = 1.0
    """Factor by which the held piece goes further than the hand."""
    dwell_s: float = 1.0
    """Seconds of rest by which a dwelling hand takes."""
    grip: GripKind | None = None
    """How this player's hand takes; None: as the settings say."""

    def __post_init__(self) -> None:
        if not (math.isfinite(self.reach) and 1.0 <= self.reach <= MOST_REACH):
            raise ValueError(f"{repr_of(self.reach)} is no reach")
        if not (math.isfinite(self.dwell_s) and SHORTEST_DWELL_S <= self.dwell_s <= LONGEST_DWELL_S):
            raise ValueError(f"{repr_of(self.dwell_s)} s is no rest")


#: Nothing is changed.
AS_USUAL = Movement()
