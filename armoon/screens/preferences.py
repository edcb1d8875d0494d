"""What a party can change for itself on the settings pages; the app keeps it and acts on it."""

from __future__ import annotations

from dataclasses import dataclass

TIERS = ("auto", "high", "low", "lite")
GRIPS = ("pinch", "fist", "dwell")
DEPTH_HELPS = ("share", "push", "lock")
TEXT_SIZES = ("normal", "large", "largest")
#: By how much each text size is larger than the first.
TEXT_SCALES = {"normal": 1.0, "large": 1.2, "largest": 1.4}
#: Volume goes in steps of a tenth.
LOUDEST = 10


@dataclass(frozen=True)
class Preferences:
    """Every field is a setting that ``ChangeSetting`` names."""

    language: str = "en"
    volume: int = 7
    """0 to ``LOUDEST``."""
    muted: bool = False
    ambience: bool = True
    tier: str = "auto"
    grip: str = "pinch"
    """How a hand takes a ladder, from the next game on."""
    depth_help: str = "share"
    """How the hand's depth moves the ladder, from the next game on."""
    text_size: str = "normal"
    show_drop_line: bool = True
    show_halo: bool = True
    show_inset: bool = True
    show_uncertainty: bool = False

    @property
    def text_scale(self) -> float:
        """The size of texts relative to normal."""
        return TEXT_SCALES[self.text_size]
