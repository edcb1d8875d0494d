"""What a party can change for itself on the settings pages; the app keeps it and acts on it."""

from __future__ import annotations

from dataclasses import dataclass

from armoon.settings.kinds import Number, Words, YesNo
from armoon.settings.option import PageOf, option, options_of, shared
from armoon.settings.table import AIR, DEPTH_HELP, FRAMING, GRIP, LANGUAGE, TIER
from armoon.values.choices import Air, DepthHelp, FramingName, GripKind, Language, TextSize, TierName

#: By how much each text size is larger than the first.
TEXT_SCALES = {
    TextSize.NORMAL: 1.0,
    TextSize.LARGE: 1.2,
    TextSize.LARGEST: 1.4,
    TextSize.DOUBLE: 2.0,
    TextSize.ENORMOUS: 2.5,
}
#: Volume goes in steps of a tenth.
LOUDEST = 10


@dataclass(frozen=True)
class Preferences:
    """Every field is a setting that ``ChangeSetting`` names, and a row of its page, in this order."""

    language: Language = shared(LANGUAGE)
    text_size: TextSize = option(Words(TextSize), TextSize.NORMAL, page=PageOf.SETTINGS)
    volume: int = option(
        Number(0, LOUDEST, whole=True), 7, page=PageOf.SETTINGS, steps=tuple(range(LOUDEST + 1))
    )
    """0 to ``LOUDEST``."""
    muted: bool = option(YesNo(), False, page=PageOf.SETTINGS)
    ambience: bool = option(YesNo(), True, page=PageOf.SETTINGS)
    tier: TierName = shared(TIER, TierName.AUTO)
    calm: bool = option(YesNo(), False, page=PageOf.SETTINGS)
    """What would glide changes in steps."""
    show_keys: bool = option(YesNo(), True, page=PageOf.SETTINGS)
    """Along the lower edge of the table stands what the device in use can do now."""
    framing: FramingName = shared(FRAMING)
    """How near the picture is to the game."""
    grip: GripKind = shared(GRIP)
    """How a hand takes a ladder, from the next game on."""
    depth_help: DepthHelp = shared(DEPTH_HELP)
    """How the hand's depth moves the ladder, from the next game on."""
    air: Air = shared(AIR)
    """Whether what is let go of in the air hangs there, from the next game on."""
    show_drop_line: bool = option(YesNo(), True, page=PageOf.DEPTH)
    show_halo: bool = option(YesNo(), True, page=PageOf.DEPTH)
    show_inset: bool = option(YesNo(), True, page=PageOf.DEPTH)
    show_glass: bool = option(YesNo(), True, page=PageOf.DEPTH)
    show_landing: bool = option(YesNo(), True, page=PageOf.DEPTH)
    show_uncertainty: bool = option(YesNo(), False, page=PageOf.DEPTH)

    @property
    def text_scale(self) -> float:
        """The size of texts relative to normal."""
        return TEXT_SCALES[self.text_size]


#: What the settings pages offer.
PREFERENCES = options_of(Preferences)
