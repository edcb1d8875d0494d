"""What a party can change for itself on the settings pages; the app keeps it and acts on it."""

from __future__ import annotations

from dataclasses import dataclass

from armoon.values.choices import DepthHelp, GripKind, Language, TextSize, TierName

#: By how much each text size is larger than the first.
TEXT_SCALES = {TextSize.NORMAL: 1.0, TextSize.LARGE: 1.2, TextSize.LARGEST: 1.4}
#: Volume goes in steps of a tenth.
LOUDEST = 10


@dataclass(frozen=True)
class Preferences:
    """Every field is a setting that ``ChangeSetting`` names."""

    language: Language = Language.EN
    volume: int = 7
    """0 to ``LOUDEST``."""
    muted: bool = False
    ambience: bool = True
    tier: TierName = TierName.AUTO
    grip: GripKind = GripKind.PINCH
    """How a hand takes a ladder, from the next game on."""
    depth_help: DepthHelp = DepthHelp.SHARE
    """How the hand's depth moves the ladder, from the next game on."""
    text_size: TextSize = TextSize.NORMAL
    show_drop_line: bool = True
    show_halo: bool = True
    show_inset: bool = True
    show_uncertainty: bool = False

    @property
    def text_scale(self) -> float:
        """The size of texts relative to normal."""
        return TEXT_SCALES[self.text_size]
