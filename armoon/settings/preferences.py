"""All settings: on pages, in the settings file, and on the command line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, TypeVar

from armoon.games import game_names, game_options
from armoon.games.options import GameOptions
from armoon.games.shared import FirstBy, FirstPlayer
from armoon.messages import text
from armoon.options.kinds import MAX_PLAYERS, EnumValue, File, KeyMaps, Kind, Names, Number, OneOf, Size, Text
from armoon.options.option import (
    ANYWHERE,
    COMMAND,
    FILE,
    SAVE,
    WITH_PAGES,
    WITH_PICTURES,
    WITH_WINDOW,
    PageId,
    choice,
    list_options,
    make_choice,
    make_option,
    option,
    option_field,
)
from armoon.options.parts import OptionPart, PartT, make_default_parts, with_values
from armoon.values import choices, player_settings
from armoon.values.acts import KEPT_BUTTONS, KEPT_KEYS, KEYS, PAD, KeyMap
from armoon.values.look import Look
from armoon.values.poses import Vec3
from armoon.values.text import parse_count

#: Options shared with a table's setup (``engine.setup``).
GRIP = make_choice("grip", choices.GripKind.PINCH, FILE, COMMAND, SAVE, page=PageId.PLAYING)
DEPTH_HELP = make_choice("depth_help", choices.DepthHelp.SHARE, FILE, COMMAND, SAVE, page=PageId.DEPTH)
AIR = make_choice("air", choices.AirRelease.WAITS, FILE, COMMAND, SAVE, page=PageId.DEPTH)
LEFT_HANDED = make_choice("left_handed", False, FILE, COMMAND, SAVE, page=PageId.SEEING)
LANGUAGE = make_choice(
    "language", choices.Language.EN, FILE, COMMAND, page=PageId.SETTINGS, works_in=ANYWHERE
)
#: Scale of each text size.
TEXT_SCALES = {
    choices.TextSize.NORMAL: 1.0,
    choices.TextSize.LARGE: 1.2,
    choices.TextSize.LARGEST: 1.4,
    choices.TextSize.DOUBLE: 2.0,
    choices.TextSize.ENORMOUS: 2.5,
}
MAX_VOLUME = 10
VOLUMES = tuple(range(MAX_VOLUME + 1))
#: Values that arrows on pages offer: scan periods, minimum lengths of a press, speech rates, pauses after a press.
PERIODS_S = (0.5, 0.7, 0.8, 1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 6.0)
HOLDS_S = (0.0, 0.1, 0.2, 0.3, 0.5, 0.8)
SPEECH_RATES_WPM = (80, 100, 125, 150, 175, 200, 225, 250, 300, 350, 400)
PAUSES_S = (0.0, 0.3, 0.5, 0.8, 1.2, 2.0)
#: Values for head tracking: angles within which a head looks straight ahead, angles of full rotation, mouth openings.
DEAD_DEG = (2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)
REACH_DEG = (8.0, 10.0, 12.0, 15.0, 18.0, 22.0, 28.0)
MOUTH_OPENINGS = (0.10, 0.14, 0.18, 0.22, 0.26, 0.30, 0.36, 0.45)
#: Lengths that arrows offer for the kit's 100 mm line, as measured on a print.
KIT_LENGTHS_MM = tuple(k / 2.0 for k in range(180, 211))


@dataclass(frozen=True)
class Preferences:
    """Settings that pages can change; each field is a row of its page, in this order."""

    language: choices.Language = option_field(LANGUAGE)
    text_size: choices.TextSize = choice(choices.TextSize.NORMAL, page=PageId.SETTINGS)
    captions: bool = choice(False, FILE, COMMAND, page=PageId.SETTINGS, works_in=WITH_PICTURES)
    speech: choices.Speech = choice(choices.Speech.OFF, FILE, COMMAND, page=PageId.SETTINGS)
    contrast: bool = choice(False, FILE, COMMAND, page=PageId.SETTINGS, works_in=WITH_PICTURES)
    volume: int = option(Number(0, MAX_VOLUME, whole=True), 7, page=PageId.SETTINGS, steps=VOLUMES)
    """Volume of the game's own sounds, 0 to ``MAX_VOLUME``."""
    muted: bool = choice(False, page=PageId.HEARING)
    ambience: bool = choice(True, page=PageId.HEARING)
    tier: choices.TierName = choice(
        choices.TierName.AUTO, FILE, COMMAND, page=PageId.SEEING, works_in=WITH_PICTURES
    )
    framing: choices.FramingName = choice(
        choices.FramingName.AUTO, FILE, COMMAND, page=PageId.SEEING, works_in=WITH_PICTURES
    )
    grip: choices.GripKind = option_field(GRIP)
    depth_help: choices.DepthHelp = option_field(DEPTH_HELP)
    air: choices.AirRelease = option_field(AIR)
    """Effect of releasing a ladder in the air; a change applies from the next game."""
    way: choices.Way = choice(choices.Way.HAND, FILE, COMMAND, page=PageId.PLAYING)
    button: choices.ButtonKind = choice(
        choices.ButtonKind.CLICK, FILE, COMMAND, page=PageId.PLAYING, works_in=WITH_WINDOW
    )
    choosing: bool = choice(False, FILE, COMMAND, page=PageId.PLAYING, works_in=WITH_PAGES)
    scan: choices.ScanKind = choice(choices.ScanKind.AUTOMATIC, page=PageId.PLAYING)
    scan_s: float = option(
        Number(player_settings.MIN_SCAN_S, player_settings.MAX_SCAN_S, "s"),
        1.0,
        page=PageId.PLAYING,
        steps=PERIODS_S,
    )
    """Time for which each choice is highlighted, in seconds."""
    switch_hold_s: float = option(Number(0.0, 2.0, "s"), 0.0, page=PageId.PLAYING, steps=HOLDS_S)
    """Minimum length of a press, in seconds."""
    switch_pause_s: float = option(Number(0.0, 3.0, "s"), 0.5, page=PageId.PLAYING, steps=PAUSES_S)
    """Time after a press in which further presses are ignored, in seconds."""
    head: choices.HeadKind = choice(choices.HeadKind.STICK, page=PageId.HEAD)
    head_confirm: choices.HeadConfirm = choice(choices.HeadConfirm.MOUTH, page=PageId.HEAD)
    head_dead_deg: float = option(Number(1.0, 20.0, "deg"), 4.0, page=PageId.HEAD, steps=DEAD_DEG)
    head_reach_deg: float = option(Number(4.0, 45.0, "deg"), 15.0, page=PageId.HEAD, steps=REACH_DEG)
    head_mouth: float = option(Number(0.05, 1.0), 0.22, page=PageId.HEAD, steps=MOUTH_OPENINGS)
    """Distance between the lips of an open mouth, relative to the distance between the eyes' outer corners."""
    loud_switch: bool = choice(False, FILE, COMMAND, page=PageId.PLAYING, works_in=WITH_PAGES)
    key_hand: choices.KeyHand = choice(
        choices.KeyHand.BOTH, FILE, COMMAND, page=PageId.KEYS, works_in=WITH_WINDOW
    )
    keys: KeyMap = option(
        KeyMaps(tuple(KEYS), KEPT_KEYS), (), FILE, COMMAND, page=PageId.KEYS, works_in=WITH_WINDOW
    )
    pad: KeyMap = option(
        KeyMaps(tuple(PAD), KEPT_BUTTONS), (), FILE, COMMAND, page=PageId.KEYS, works_in=WITH_WINDOW
    )
    rumble: bool = choice(True, page=PageId.PLAYING)
    """Whether gamepads rumble when ladders touch."""
    one_stick: bool = choice(False, page=PageId.PLAYING)
    show_keys: bool = choice(True, page=PageId.SEEING)
    """Whether the keys of the device in use are shown along the lower edge."""
    show_numbers: bool = choice(False, page=PageId.SEEING)
    """Whether the remaining ladders and the height are always shown."""
    speech_wpm: int = option(Number(80, 400, whole=True), 175, page=PageId.HEARING, steps=SPEECH_RATES_WPM)
    voice_volume: int = option(
        Number(0, MAX_VOLUME, whole=True), MAX_VOLUME, page=PageId.HEARING, steps=VOLUMES
    )
    """Volume of the voice that reads aloud, 0 to ``MAX_VOLUME``."""
    music_volume: int = option(Number(0, MAX_VOLUME, whole=True), 7, page=PageId.HEARING, steps=VOLUMES)
    stops: bool = choice(False, page=PageId.HEARING)
    """Whether tones indicate the side and, by their pitch, the height of held ladders and highlighted places."""
    mono: bool = choice(False, page=PageId.HEARING)
    """Whether both channels play the same sound, for one ear or one loudspeaker."""
    listens: choices.ListenMode = choice(choices.ListenMode.PUSH, page=PageId.HEARING)
    phrases: choices.PhraseSet = choice(choices.PhraseSet.ENGLISH, page=PageId.HEARING)
    calls: choices.CallWord = choice(choices.CallWord.ARMOON, page=PageId.HEARING)
    """Call word to say before a phrase if no key is held."""
    palette: choices.Palette = choice(
        choices.Palette.USUAL, FILE, COMMAND, page=PageId.SEEING, works_in=WITH_PICTURES
    )
    patterns: bool = choice(False, FILE, COMMAND, page=PageId.SEEING, works_in=WITH_PICTURES)
    calm: bool = choice(False, FILE, COMMAND, page=PageId.SEEING, works_in=WITH_PICTURES)
    """Whether motion is reduced: no animations."""
    left_handed: bool = option_field(LEFT_HANDED)
    """A change applies at once to the picture and the pages, and from the next game to the lid."""
    kit_mm: float = option(
        Number(player_settings.MIN_KIT_MM, player_settings.MAX_KIT_MM, "mm"),
        100.0,
        FILE,
        COMMAND,
        page=PageId.KIT,
        steps=KIT_LENGTHS_MM,
    )
    """Measured length of the paper kit's 100 mm line, which scales its tags."""
    show_drop_line: bool = choice(True, page=PageId.DEPTH)
    show_halo: bool = choice(True, page=PageId.DEPTH)
    show_inset: bool = choice(True, page=PageId.DEPTH)
    show_behind_hand: bool = choice(True, page=PageId.DEPTH)
    show_landing: bool = choice(True, page=PageId.DEPTH)
    show_uncertainty: bool = choice(False, page=PageId.DEPTH)

    def for_player(self, habits: player_settings.PlayerSettings) -> Preferences:
        return replace(self, **{name: value for name, value in vars(habits).items() if value is not None})

    @property
    def look(self) -> Look:
        return Look(self.palette, self.contrast, self.patterns, self.left_handed)

    @property
    def uses_switch(self) -> bool:
        return self.way in (choices.Way.SWITCH, choices.Way.SWITCHES)

    @property
    def uses_camera(self) -> bool:
        return self.way in choices.BY_CAMERA

    @property
    def chooses(self) -> bool:
        return self.choosing or self.uses_switch or self.way in (choices.Way.HEAD, choices.Way.VOICE)

    @property
    def speaks(self) -> bool:
        return self.speech is not choices.Speech.OFF

    @property
    def text_scale(self) -> float:
        return TEXT_SCALES[self.text_size]


PREFERENCES = list_options(Preferences)

#: Maximum grace period, in seconds; 0 means no limit.
MAX_GRACE_S = 600.0
#: Limits of a palm's length, from a small child's to the longest adult's.
MIN_PALM_M, MAX_PALM_M = 0.05, 0.15


class FirstKind(Kind):
    """The first player: a method of choosing one, or a number in the list of players."""

    metavar = "moon|age|chance|N"

    def read(self, value: object) -> FirstPlayer | FirstBy:
        seat = parse_count(value) if isinstance(value, str) else None
        if seat is not None and 1 <= seat <= MAX_PLAYERS:
            return FirstPlayer(seat - 1, "chosen")
        method = FirstBy(value)
        if method is FirstBy.CHOSEN:
            raise ValueError(value)
        return method

    def describe_allowed(self) -> str:
        return text("option.allowed.first")


class HeadSource(Text):
    """A camera for head tracking; a video file must exist."""

    def explain_fault(self, value: str) -> str:
        is_no_file = (
            not value or parse_count(value) is not None or "://" in value or value.startswith("/dev/video")
        )
        return "" if is_no_file else File(is_output=False).explain_fault(Path(value).expanduser())


CAMERA = make_option("camera", Text("camera", "N|FILE|URL|demo"), "", FILE, COMMAND)
SEAT = make_option("seat", EnumValue(choices.SeatName), None, FILE, COMMAND, SAVE)
#: Further options shared with a table's setup (``engine.setup``).
PALM_LENGTH = make_option(
    *("palm_length_m", Number(MIN_PALM_M, MAX_PALM_M, "m"), 0.0955, FILE, COMMAND, SAVE),
    flag="--palm-length",
)
GRACE = make_option(
    *("grace_s", Number(0.0, MAX_GRACE_S, "s", zero_is_unlimited=True), 2.0, FILE, COMMAND, SAVE),
    optional=True,
    flag="--grace",
)
FINE_GAIN = make_option("fine_gain", Number(0.2, 1.0), 1.0, FILE, COMMAND, SAVE)

AnySettings = TypeVar("AnySettings", bound="Settings")


@dataclass(frozen=True)
class Settings(Preferences):
    """All keys of the settings file, with their defaults."""

    players: tuple[str, ...] = option(Names(), ("Ann", "Ben", "Cleo"), FILE, COMMAND, works_in=ANYWHERE)
    """Three by default, because a game of two often ends early with three tears of one player (ruling E3)."""
    camera: str = option_field(CAMERA)
    """Empty: webcam 0 if there is one; otherwise no camera with a window, and the demo without a window."""
    size: tuple[int, int] = option(Size(), (1280, 720), FILE, COMMAND)
    """Width and height requested from a webcam, in pixels."""
    rate_hz: float = option(Number(5.0, 240.0, "hz"), 30.0, FILE, COMMAND, flag="--rate")
    seat: choices.SeatName | None = option_field(SEAT)
    """None: ``mirror`` for a webcam, ``table`` for other sources."""
    palm_length_m: float = option_field(PALM_LENGTH)
    """Distance from the wrist to the middle finger's knuckle; the default is the average adult's."""
    grace_s: float | None = option_field(GRACE)
    """Grace period of a held ladder when its hand is out of sight (ruling X2), in seconds; None: no limit."""
    pad_mappings: Path | None = option(
        File("FILE.txt", is_output=False), None, FILE, COMMAND, works_in=WITH_WINDOW
    )
    """File with gamepad mappings in SDL's format; None: only the built-in ones."""
    head_camera: str = option(HeadSource("camera", "N|FILE|URL"), "", FILE, COMMAND, works_in=WITH_PAGES)
    """Camera for head tracking; empty: the table's camera, or the first webcam if the table has none."""
    screen_reader: choices.ReaderUse = choice(choices.ReaderUse.AUTO, FILE, COMMAND, works_in=WITH_PAGES)
    tracker: choices.TrackerName = choice(choices.TrackerName.AUTO, FILE, COMMAND)
    fine_gain: float = option_field(FINE_GAIN)
    """Factor of a slow hand's movement; below 1: fine mode."""
    turned_deg: choices.PictureRotation = choice(choices.PictureRotation.NONE, FILE, COMMAND, flag="--turned")
    """Clockwise rotation of the picture, for a camera mounted sideways or upside down."""
    flipped: bool = choice(False, FILE, COMMAND)
    """Whether the camera sends a mirrored picture, in which text is reversed."""
    games: Mapping[str, GameOptions] = field(default_factory=dict, hash=False)
    parts: tuple[OptionPart, ...] = field(default_factory=make_default_parts)

    def part(self, part_type: type[PartT]) -> PartT:
        return next(part for part in self.parts if isinstance(part, part_type))

    def with_values(self: AnySettings, values: Mapping[str, Any]) -> AnySettings:
        """Return a copy with these values by option name, including options of parts."""
        general = {setting.name: values[setting.name] for setting in fields(self) if setting.name in values}
        parts = with_values(general.get("parts", self.parts), values)
        return replace(self, **general | {"parts": parts})

    def preferences(self) -> Preferences:
        return Preferences(**{option.name: getattr(self, option.name) for option in PREFERENCES})

    def value(self, name: str) -> Any:
        owners = (self, *self.parts)
        return next(getattr(owner, name) for owner in owners if hasattr(owner, name))

    def options_for(self, game: str) -> GameOptions:
        return self.games.get(game) or game_options(game)()


@dataclass(frozen=True)
class PlayOptions(Settings):
    """All settings of a game, merged from settings file and command line, always with a camera and a seat."""

    camera: str = option_field(CAMERA, "demo")
    """A webcam's number, a video file, a stream's URL, or ``"demo"``."""
    seat: choices.SeatName = option_field(SEAT, choices.SeatName.TABLE)
    game: str = option(OneOf(game_names), "", COMMAND, works_in=ANYWHERE)
    """Empty: the first game."""
    headless: bool = choice(False, COMMAND, works_in=ANYWHERE)
    log: Path | None = option(File("FILE.jsonl"), None, COMMAND)
    """File of the game's log; None: a file among the saved games, named by the time."""
    log_replaces: bool = False
    seed: int = option(Number(0, whole=True), 0, COMMAND, works_in=ANYWHERE)
    turns: int | None = option(Number(1, whole=True), None, COMMAND)
    """Number of turns after which the game ends; None: it ends by the rules."""
    first: FirstPlayer | FirstBy | None = option(FirstKind(), None, COMMAND)
    """The first player, or a method of choosing one; None: the game's method."""
    resume: str | None = option(Text("resume", "GAME"), None, COMMAND)
    now: bool = choice(False, COMMAND, works_in=ANYWHERE)
    explicit_names: frozenset[str] = frozenset()
    """Names of the options given on the command line, which take precedence over choices of the last game."""
    notices: tuple[str, ...] = ()
    """Notices about a missing display or webcam, printed after all files and connections have been opened."""
    menu: bool = False
    """Whether the window starts with the title instead of the game."""
    game_options: GameOptions = GameOptions()  # noqa: RUF009 - frozen
    colours: tuple[Vec3, ...] = ()
    """Display colour of each player; empty: those in the profiles."""
    hands: tuple[str, ...] = ()
    """Preferred hand of each player; empty: those in the profiles."""
    saved: bool = True
    """Whether the game is saved; practice isn't."""

    @property
    def width_px(self) -> int:
        return self.size[0]

    @property
    def height_px(self) -> int:
        return self.size[1]


#: Options for all games in the settings file and on the command line, without the parts' options.
GENERAL = list_options(Settings)
#: Options for all games on the command line.
ALL_OPTIONS = list_options(PlayOptions)
