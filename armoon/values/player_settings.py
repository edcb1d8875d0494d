"""Settings stored in a player's profile, which apply during that player's turns."""

from __future__ import annotations

import math
from dataclasses import dataclass

from armoon.values.choices import GripKind, Palette, Steadiness, TextSize, Way, Word
from armoon.values.text import short_repr

#: Limits of a scan period, seconds.
MIN_SCAN_S, MAX_SCAN_S = 0.3, 10.0
#: Plausible lengths of the paper kit's 100 mm line, which printers and small screens shrink.
MIN_KIT_MM, MAX_KIT_MM = 60.0, 110.0


@dataclass(frozen=True)
class PlayerSettings:
    """One player's overrides of preferences; None: no override. Raises ValueError for a value out of range."""

    way: Way | None = None
    scan_s: float | None = None
    """Seconds for which scanning highlights each choice."""
    text_size: TextSize | None = None
    palette: Palette | None = None
    kit_mm: float | None = None
    """Measured length of the 100 mm line on this player's paper kit."""

    def __post_init__(self) -> None:
        if self.scan_s is not None and not MIN_SCAN_S <= self.scan_s <= MAX_SCAN_S:
            raise ValueError(f"a scan period of {short_repr(self.scan_s)} s is out of range")
        if self.kit_mm is not None and not MIN_KIT_MM <= self.kit_mm <= MAX_KIT_MM:
            raise ValueError(f"a printed line of {short_repr(self.kit_mm)} mm is out of range")


NO_OVERRIDES = PlayerSettings()


#: Maximum numbers of spared mistakes and of limited hints.
MAX_SPARED, MAX_HINTS = 9, 99


class VisualAids(Word):
    """The visual aids of the current player."""

    USUAL = "usual"
    """As in the settings."""
    ALL = "all"
    NONE = "none"


class Guidance(Word):
    """How strongly a ladder is guided to a good place near it."""

    FULL = "full"
    LIGHT = "light"
    OFF = "off"


@dataclass(frozen=True)
class Handicap:
    """One player's handicap. Raises ValueError for a value out of range."""

    spared: int = 0
    hints: int | None = None
    helps: VisualAids = VisualAids.USUAL
    guidance: Guidance = Guidance.FULL

    def __post_init__(self) -> None:
        if not isinstance(self.spared, int) or not 0 <= self.spared <= MAX_SPARED:
            raise ValueError(f"{short_repr(self.spared)} spared mistakes are out of range")
        hints = self.hints
        if hints is not None and (not isinstance(hints, int) or not 0 <= hints <= MAX_HINTS):
            raise ValueError(f"{short_repr(hints)} hints are out of range")


NO_HANDICAP = Handicap()


#: Maximum reach (the minimum is 1), and limits of ``Movement.dwell_s``.
MAX_REACH = 3.0
MIN_DWELL_S, MAX_DWELL_S = 0.3, 5.0


@dataclass(frozen=True)
class Movement:
    """How one player's hand movements are interpreted. Raises ValueError for a value out of range."""

    steadiness: Steadiness = Steadiness.OFF
    """Strength of the tremor filter, which adds latency."""
    reach: float = 1.0
    """Ratio of the held piece's movement to the hand's."""
    dwell_s: float = 1.0
    """Seconds for which a hand must rest to grip, for players who grip by dwelling."""
    grip: GripKind | None = None
    """How this player's hand grips; None: as in the settings."""

    def __post_init__(self) -> None:
        if not (math.isfinite(self.reach) and 1.0 <= self.reach <= MAX_REACH):
            raise ValueError(f"a reach of {short_repr(self.reach)} is out of range")
        if not (math.isfinite(self.dwell_s) and MIN_DWELL_S <= self.dwell_s <= MAX_DWELL_S):
            raise ValueError(f"a dwell time of {short_repr(self.dwell_s)} s is out of range")


USUAL_MOVEMENT = Movement()
