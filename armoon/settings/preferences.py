"""The settings that a party can change on the settings pages; the app stores them and applies them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from armoon.options.kinds import KeysOf, Number, Words, YesNo
from armoon.options.option import (
    ANYWHERE,
    COMMAND,
    FILE,
    PAGED,
    PICTURED,
    SAVE,
    SHOWN,
    PageOf,
    describe,
    option,
    options_of,
    shared,
)
from armoon.values.bindings import KEPT_BUTTONS, KEPT_KEYS, KEYS, PAD, Moved
from armoon.values.choices import (
    Air,
    ButtonKind,
    Call,
    DepthHelp,
    FramingName,
    GripKind,
    HeadConfirm,
    HeadKind,
    KeyHand,
    Language,
    Listens,
    Palette,
    Phrases,
    ScanKind,
    Speech,
    TextSize,
    TierName,
    Way,
)
from armoon.values.habits import LARGEST_KIT_MM, LONGEST_SCAN_S, SHORTEST_SCAN_S, SMALLEST_KIT_MM, Habits
from armoon.values.look import Look

#: What a table's set-up keeps as well (``engine.setup``).
GRIP = describe("grip", Words(GripKind), GripKind.PINCH, FILE, COMMAND, SAVE, page=PageOf.SETTINGS)
DEPTH_HELP = describe("depth_help", Words(DepthHelp), DepthHelp.SHARE, FILE, COMMAND, SAVE, page=PageOf.DEPTH)
AIR = describe("air", Words(Air), Air.WAITS, FILE, COMMAND, SAVE, page=PageOf.DEPTH)
LEFT_HANDED = describe("left_handed", YesNo(), False, FILE, COMMAND, SAVE, page=PageOf.SEEING)
LANGUAGE = describe(
    "language", Words(Language), Language.EN, FILE, COMMAND, page=PageOf.SETTINGS, works=ANYWHERE
)
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
VOLUMES = tuple(range(LOUDEST + 1))
#: What the arrows offer for switches: how long something is lit, the shortest press, and the rest after one.
PERIODS_S = (0.5, 0.7, 0.8, 1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 6.0)
HOLDS_S = (0.0, 0.1, 0.2, 0.3, 0.5, 0.8)
PACES_WPM = (80, 100, 125, 150, 175, 200, 225, 250, 300, 350, 400)
PAUSES_S = (0.0, 0.3, 0.5, 0.8, 1.2, 2.0)
#: The same for a head: where it counts as straight, where as turned fully, and how far open a mouth is open.
DEAD_DEG = (2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)
REACH_DEG = (8.0, 10.0, 12.0, 15.0, 18.0, 22.0, 28.0)
MOUTHS = (0.10, 0.14, 0.18, 0.22, 0.26, 0.30, 0.36, 0.45)
#: What a printed line of 100 mm measures, as the arrows offer it.
KITS_MM = tuple(k / 2.0 for k in range(180, 211))


@dataclass(frozen=True)
class Preferences:
    """Every field is a setting that ``ChangeSetting`` names, and a row of its page, in this order."""

    language: Language = shared(LANGUAGE)
    text_size: TextSize = option(Words(TextSize), TextSize.NORMAL, page=PageOf.SETTINGS)
    volume: int = option(Number(0, LOUDEST, whole=True), 7, page=PageOf.SETTINGS, steps=VOLUMES)
    """0 to ``LOUDEST``, of the game's own sounds."""
    muted: bool = option(YesNo(), False, page=PageOf.SETTINGS)
    ambience: bool = option(YesNo(), True, page=PageOf.SETTINGS)
    tier: TierName = option(
        Words(TierName), TierName.AUTO, FILE, COMMAND, page=PageOf.SETTINGS, works=PICTURED
    )
    framing: FramingName = option(
        Words(FramingName), FramingName.AUTO, FILE, COMMAND, page=PageOf.SETTINGS, works=PICTURED
    )
    """How near the picture is to the game."""
    grip: GripKind = shared(GRIP)
    """How a hand takes a ladder, from the next game on."""
    depth_help: DepthHelp = shared(DEPTH_HELP)
    """How the hand's depth moves the ladder, from the next game on."""
    air: Air = shared(AIR)
    """Whether what is let go of in the air hangs there, from the next game on."""
    way: Way = option(Words(Way), Way.HAND, FILE, COMMAND, page=PageOf.PLAYING)
    """The way to play."""
    button: ButtonKind = option(
        Words(ButtonKind), ButtonKind.CLICK, FILE, COMMAND, page=PageOf.PLAYING, works=SHOWN
    )
    """From the next game on."""
    choosing: bool = option(YesNo(), False, FILE, COMMAND, page=PageOf.PLAYING, works=PAGED)
    """Places that hold are offered; with switches they always are."""
    scan: ScanKind = option(Words(ScanKind), ScanKind.AUTOMATIC, page=PageOf.PLAYING)
    scan_s: float = option(
        Number(SHORTEST_SCAN_S, LONGEST_SCAN_S, "s"), 1.0, page=PageOf.PLAYING, steps=PERIODS_S
    )
    """Seconds for which each choice is highlighted."""
    switch_hold_s: float = option(Number(0.0, 2.0, "s"), 0.0, page=PageOf.PLAYING, steps=HOLDS_S)
    """Minimum length of a press, seconds."""
    switch_pause_s: float = option(Number(0.0, 3.0, "s"), 0.5, page=PageOf.PLAYING, steps=PAUSES_S)
    """Dead time after a press, seconds."""
    head: HeadKind = option(Words(HeadKind), HeadKind.STICK, page=PageOf.HEAD)
    """How it moves the pointer."""
    head_confirm: HeadConfirm = option(Words(HeadConfirm), HeadConfirm.MOUTH, page=PageOf.HEAD)
    head_dead_deg: float = option(Number(1.0, 20.0, "deg"), 4.0, page=PageOf.HEAD, steps=DEAD_DEG)
    """Angle below which a head counts as straight ahead."""
    head_reach_deg: float = option(Number(4.0, 45.0, "deg"), 15.0, page=PageOf.HEAD, steps=REACH_DEG)
    """Angle that counts as fully turned."""
    head_mouth: float = option(Number(0.05, 1.0), 0.22, page=PageOf.HEAD, steps=MOUTHS)
    """Distance of the lips that counts as an open mouth, relative to that of the eyes' outer corners."""
    loud_switch: bool = option(YesNo(), False, FILE, COMMAND, page=PageOf.PLAYING, works=PAGED)
    """A loud sound is a switch as well."""
    key_hand: KeyHand = option(Words(KeyHand), KeyHand.BOTH, FILE, COMMAND, page=PageOf.KEYS, works=SHOWN)
    keys: Moved = option(KeysOf(tuple(KEYS), KEPT_KEYS), (), FILE, COMMAND, page=PageOf.KEYS, works=SHOWN)
    """Keys that do something else than usual."""
    pad: Moved = option(KeysOf(tuple(PAD), KEPT_BUTTONS), (), FILE, COMMAND, page=PageOf.KEYS, works=SHOWN)
    rumble: bool = option(YesNo(), True, page=PageOf.PLAYING)
    """Gamepads are felt where ladders touch."""
    one_stick: bool = option(YesNo(), False, page=PageOf.PLAYING)
    """Only one stick of a gamepad is used."""
    show_keys: bool = option(YesNo(), True, page=PageOf.SEEING)
    """Along the lower edge of the table stands what the device in use can do now."""
    show_numbers: bool = option(YesNo(), False, page=PageOf.SEEING)
    """Ladders left and height are always to be seen."""
    captions: bool = option(YesNo(), False, FILE, COMMAND, page=PageOf.HEARING, works=PICTURED)
    """Sounds are captioned on the screen."""
    speech: Speech = option(Words(Speech), Speech.OFF, FILE, COMMAND, page=PageOf.HEARING)
    """The screen is spoken aloud."""
    speech_wpm: int = option(Number(80, 400, whole=True), 175, page=PageOf.HEARING, steps=PACES_WPM)
    voice_volume: int = option(Number(0, LOUDEST, whole=True), LOUDEST, page=PageOf.HEARING, steps=VOLUMES)
    """0 to ``LOUDEST``, of the voice that reads aloud."""
    music_volume: int = option(Number(0, LOUDEST, whole=True), 7, page=PageOf.HEARING, steps=VOLUMES)
    """0 to ``LOUDEST``, of the night and its music."""
    stops: bool = option(YesNo(), False, page=PageOf.HEARING)
    """What is carried, and a place that is considered, are heard: where by the side, how high by the pitch."""
    mono: bool = option(YesNo(), False, page=PageOf.HEARING)
    """Both sides sound alike, for one ear or one loudspeaker."""
    listens: Listens = option(Words(Listens), Listens.PUSH, page=PageOf.HEARING)
    """When phrases are heard, for players by voice."""
    phrases: Phrases = option(Words(Phrases), Phrases.ENGLISH, page=PageOf.HEARING)
    calls: Call = option(Words(Call), Call.ARMOON, page=PageOf.HEARING)
    """What is said before a phrase for which no key is held."""
    palette: Palette = option(
        Words(Palette), Palette.USUAL, FILE, COMMAND, page=PageOf.SEEING, works=PICTURED
    )
    contrast: bool = option(YesNo(), False, FILE, COMMAND, page=PageOf.SEEING, works=PICTURED)
    patterns: bool = option(YesNo(), False, FILE, COMMAND, page=PageOf.SEEING, works=PICTURED)
    calm: bool = option(YesNo(), False, FILE, COMMAND, page=PageOf.SEEING, works=PICTURED)
    """Reduced motion: animations become jumps."""
    left_handed: bool = shared(LEFT_HANDED)
    """Glass and pages at once; the lid from the next game on."""
    kit_mm: float = option(
        Number(SMALLEST_KIT_MM, LARGEST_KIT_MM, "mm"), 100.0, FILE, COMMAND, page=PageOf.KIT, steps=KITS_MM
    )
    """What the line of 100 mm of the paper kit measures: its tags are as much larger or smaller."""
    show_drop_line: bool = option(YesNo(), True, page=PageOf.DEPTH)
    show_halo: bool = option(YesNo(), True, page=PageOf.DEPTH)
    show_inset: bool = option(YesNo(), True, page=PageOf.DEPTH)
    show_glass: bool = option(YesNo(), True, page=PageOf.DEPTH)
    show_landing: bool = option(YesNo(), True, page=PageOf.DEPTH)
    show_uncertainty: bool = option(YesNo(), False, page=PageOf.DEPTH)

    def for_player(self, habits: Habits) -> Preferences:
        """Return these preferences with a player's own over them."""
        return replace(self, **{name: own for name, own in vars(habits).items() if own is not None})

    @property
    def look(self) -> Look:
        """How things that mean something look."""
        return Look(self.palette, self.contrast, self.patterns, self.left_handed)

    @property
    def scans(self) -> bool:
        """What can be done is lit one after the other, for one switch or two."""
        return self.way in (Way.SWITCH, Way.SWITCHES)

    @property
    def seen(self) -> bool:
        """The way to play needs a camera."""
        return self.way in (Way.HAND, Way.CARD, Way.HEAD)

    @property
    def chooses(self) -> bool:
        """Places are offered at the table."""
        return self.choosing or self.scans or self.way in (Way.HEAD, Way.VOICE)

    @property
    def speaks(self) -> bool:
        """The screen is spoken aloud."""
        return self.speech is not Speech.OFF

    @property
    def text_scale(self) -> float:
        """The size of texts relative to normal."""
        return TEXT_SCALES[self.text_size]


#: What the settings pages offer.
PREFERENCES = options_of(Preferences)
