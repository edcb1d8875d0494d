"""What a player can settle once for all games, read from a TOML file, and what one game is played with."""

from __future__ import annotations

import math
import os
import re
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import platformdirs

from armoon.errors import SettingsError
from armoon.games.moon.rules.editions import OneHand, Options
from armoon.games.shared.seating import Beginner, FirstBy
from armoon.values.choices import (
    DepthHelp,
    GripKind,
    HandPreference,
    Language,
    RotatedDeg,
    SeatName,
    Slots,
    TierName,
    Word,
)
from armoon.values.poses import Vec3

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

LANGUAGES = tuple(Language)
SEATS = tuple(SeatName)
EDITIONS = ("bombyx-2017", "kosmos-2022")
TIERS = tuple(TierName)
DEPTH_HELPS = tuple(DepthHelp)
GAMES = ("moon", "lake")
GRIPS = tuple(GripKind)
TURNS_DEG = tuple(RotatedDeg)
ONE_HAND = tuple(one.value for one in OneHand)
#: In which configurations the starting ladders can stand (ruling M2); the world builds them.
SLOTS = tuple(Slots)
#: Nobody waits longer than this for a hand; 0 stands for ever.
LONGEST_GRACE_S = 600.0
#: The rules seat six (ruling M3), and a name has to fit on the score board.
MOST_PLAYERS = 6
LONGEST_NAME = 16
#: The hand tracker needs to see a finger tip; beyond 4K no webcam goes.
SMALLEST_SIDE_PX, LARGEST_SIDE_PX = 120, 4096


@dataclass(frozen=True)
class Settings:
    """The settings file's keys, with the values that hold where it is silent."""

    language: Language = Language.EN
    edition: str = "bombyx-2017"
    players: tuple[str, ...] = ("Ann", "Ben", "Cleo")
    """Three: of two, the one with three tears is out and the game over (ruling E3), often before it got going."""
    camera: str = ""
    """As ``--camera``; empty: webcam 0 if there is one, else the demo."""
    size: tuple[int, int] = (1280, 720)
    """Width and height in pixels that a webcam is asked for; in the file ``"1280x720"``."""
    rate_hz: float = 30.0
    seat: SeatName | None = None
    """As ``--seat``; None: a webcam faces the player as on a laptop, any other camera looks at the table."""
    palm_length_m: float = 0.0955
    """From the wrist to the middle finger's knuckle; the average of adults where nobody has measured."""
    one_hand: str = "warn"
    """What a second hand at the structure costs (ruling F3)."""
    slots: Slots = Slots.FACING
    """How the starting ladders stand."""
    grace_s: float = 2.0
    """A held ladder waits so long for a hand out of sight (ruling X2); 0: for ever."""
    tier: TierName | None = None
    """How rich the picture is; None: by measurement in a window, ``lite`` in a film."""
    grip: GripKind = GripKind.PINCH
    """How a hand takes a ladder: by pinching, by closing the fist, or by resting at it."""
    depth_help: DepthHelp = DepthHelp.SHARE
    """How the hand's depth, which one camera hardly sees, moves the ladder."""
    fine_gain: float = 1.0
    """How much of a slow hand's way counts: less than 1 is a fine mode."""
    turned_deg: RotatedDeg = RotatedDeg.NONE
    """The camera hangs on its side or its head: its picture is turned by so much, clockwise."""
    flipped: bool = False
    """The camera sends a mirrored picture, whose words can't be read."""


@dataclass(frozen=True)
class PlayOptions:
    """Everything that is settled before a game starts: settings and command line, merged."""

    camera: str
    """A webcam's number, a video file, a stream's URL, or ``"demo"``."""
    width_px: int
    height_px: int
    rate_hz: float
    seat: SeatName
    headless: bool
    record: Path | None
    """Where the game's video goes; None: it isn't recorded."""
    log: Path
    seed: int
    players: tuple[str, ...]
    turns: int | None
    """The game ends after so many turns; None: when the rules say so."""
    edition: str
    language: Language
    palm_length_m: float
    options: Options = field(default_factory=Options)
    """The house options of the moon game."""
    slots: Slots = Slots.FACING
    grace_s: float | None = 2.0
    """None: a held ladder waits for ever."""
    tier: TierName | None = None
    """None: by measurement in a window, lite in a film."""
    grip: GripKind = GripKind.PINCH
    depth_help: DepthHelp = DepthHelp.SHARE
    fine_gain: float = 1.0
    turned_deg: RotatedDeg = RotatedDeg.NONE
    """By how much the camera's picture has to be turned clockwise to be upright: 0, 90, 180 or 270."""
    flipped: bool = False
    """The camera sends a mirrored picture."""
    game: str = "moon"
    bots: tuple[str | None, ...] = ()
    """At the lake, by seat: the strength of the bot that plays it; None where a hand does."""
    first: Beginner | FirstBy | None = None
    """Who begins, or how that is found; None: as the edition says."""
    colours: tuple[Vec3, ...] = ()
    """Each player's colour (display colours); none: as the profiles say."""
    hands: tuple[HandPreference, ...] = ()
    """Each player's preferred hand; none: as the profiles say."""
    saved: bool = True
    """The game is saved as it goes; practice isn't."""
    resume: str | None = None
    """The saved game to go on with; None: a new one."""
    menu: bool = False
    """The window begins with the title; else with the game."""


@dataclass(frozen=True)
class ReplayOptions:
    """How a logged game is shown again."""

    log: Path
    headless: bool
    record: Path | None
    """Where the film goes; None: it isn't recorded."""
    language: str


def settings_path() -> Path:
    """Where the settings file is looked for."""
    return Path(platformdirs.user_config_dir("armoon", appauthor=False)) / "settings.toml"


def profiles_folder() -> Path:
    """Where calibrated cameras are kept, whether it exists or not."""
    return settings_path().parent / "cameras"


def games_folder() -> Path:
    """A folder that takes the games' logs: in the user's data folder, else among the temporary files."""
    home = Path(platformdirs.user_data_dir("armoon", appauthor=False)) / "games"
    for folder in (home, Path(tempfile.gettempdir()) / "armoon-games"):
        if can_write(folder):
            return folder
    raise SettingsError(
        f"Neither {home} nor the folder for temporary files can be written.",
        remedy="Name a place for the game's log: --log FILE.jsonl.",
    )


def cache_folder() -> Path | None:
    """A folder for things that can be made again; None where the home can't be written."""
    folder = Path(platformdirs.user_cache_dir("armoon", appauthor=False))
    return folder if can_write(folder) else None


def has_display() -> bool:
    """Whether this session has a screen to open a window on."""
    return sys.platform != "linux" or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def can_write(folder: Path) -> bool:
    """Whether a file can be made in this folder (which is created if need be)."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def load_settings(path: Path | None = None) -> Settings:
    """The settings in ``path`` (default: the user's); the defaults where there is no such file.

    Raises SettingsError naming file, line and remedy. The file is never written.
    """
    path = path or settings_path()
    try:
        text = path.read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return Settings()
    except PermissionError as error:
        raise SettingsError(
            f"The settings file {path} may not be read.", remedy="Give yourself the right to read it."
        ) from error
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(
            f"The settings file {path} can't be read ({error}).", remedy="Save it again as UTF-8 text."
        ) from error
    return _settings_from_text(text, path)


def parse_size(value: object) -> tuple[int, int]:
    """Width and height of a text such as ``"1280x720"``; ValueError if it is none, or not a picture's."""
    match = re.fullmatch(r"\s*(\d{1,5})\s*[xX×]\s*(\d{1,5})\s*", value) if isinstance(value, str) else None
    if match is None:
        raise ValueError(value)
    width, height = int(match[1]), int(match[2])
    if not all(SMALLEST_SIDE_PX <= side <= LARGEST_SIDE_PX for side in (width, height)):
        raise ValueError(value)
    return width, height


def parse_players(value: object) -> tuple[str, ...]:
    """One to six different names; ValueError if they are anything else."""
    if not isinstance(value, (list, tuple)) or not all(isinstance(name, str) for name in value):
        raise ValueError(value)
    names = tuple(name.strip() for name in value)
    if not 1 <= len(names) <= MOST_PLAYERS or len(set(names)) < len(names):
        raise ValueError(value)
    if not all(1 <= len(name) <= LONGEST_NAME and name.isprintable() for name in names):
        raise ValueError(value)
    return names


def _one_of(choices: tuple[str, ...]) -> Callable[[object], str]:
    def read(value: object) -> str:
        if isinstance(value, str) and value in choices:
            return value
        raise ValueError(value)

    return read


def _word(kind: type[Word]) -> Callable[[object], Word]:
    return lambda value: kind(value)


def _number(least: float, most: float) -> Callable[[object], float]:
    def read(value: object) -> float:
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            number = float(value)
            if math.isfinite(number) and least <= number <= most:
                return number
        raise ValueError(value)

    return read


def _text(value: object) -> str:
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return str(value)  # camera = 0 means what camera = "0" means
    if isinstance(value, str):
        return value
    raise ValueError(value)


def _turn(value: object) -> RotatedDeg:
    if isinstance(value, int) and not isinstance(value, bool) and value in TURNS_DEG:
        return RotatedDeg(value)
    raise ValueError(value)


def _yes_or_no(value: object) -> bool:
    if isinstance(value, bool):
        return value
    raise ValueError(value)


#: Of every key: how its value is read, and what a wrong one should have been.
_KEYS: Mapping[str, tuple[Callable[[object], Any], str]] = {
    "language": (_word(Language), f"one of {', '.join(LANGUAGES)}"),
    "edition": (_one_of(EDITIONS), f"one of {', '.join(EDITIONS)}"),
    "players": (parse_players, f'a list of 1 to {MOST_PLAYERS} different short names, as ["Ann", "Ben"]'),
    "camera": (_text, "a webcam's number, a video file, a stream's URL, or demo, in quotes"),
    "size": (parse_size, 'a width and height in pixels, as "1280x720"'),
    "rate_hz": (_number(5.0, 240.0), "a number from 5 to 240"),
    "seat": (_word(SeatName), f"one of {', '.join(SEATS)}"),
    "palm_length_m": (_number(0.05, 0.15), "a number of metres from 0.05 to 0.15"),
    "one_hand": (_one_of(ONE_HAND), f"one of {', '.join(ONE_HAND)}"),
    "tier": (_word(TierName), f"one of {', '.join(TIERS)}"),
    "grip": (_word(GripKind), f"one of {', '.join(GRIPS)}"),
    "depth_help": (_word(DepthHelp), f"one of {', '.join(DEPTH_HELPS)}"),
    "fine_gain": (_number(0.2, 1.0), "a number from 0.2 to 1"),
    "turned_deg": (_turn, "0, 90, 180 or 270"),
    "flipped": (_yes_or_no, "true or false"),
    "slots": (_word(Slots), f"one of {', '.join(SLOTS)}"),
    "grace_s": (
        _number(0.0, LONGEST_GRACE_S),
        f"a number of seconds up to {LONGEST_GRACE_S:.0f}; 0: for ever",
    ),
}


def _settings_from_text(text: str, path: Path) -> Settings:
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        # TOML's own message already ends in "(at line 3, column 5)".
        raise SettingsError(
            f"The settings file {path} is broken: {error}.",
            remedy="Mend that line, or move the file away to play with the usual settings.",
        ) from error
    values: dict[str, Any] = {}
    for key, value in table.items():
        where = f"The settings file {path}, line {_line_of(text, key)}"
        if key not in _KEYS:
            raise SettingsError(
                f"{where}: there is no setting {key!r}.", remedy=f"Settings are: {', '.join(_KEYS)}."
            )
        read, wanted = _KEYS[key]
        try:
            values[key] = read(value)
        except ValueError as error:
            raise SettingsError(f"{where}: {key} can't be {value!r}.", remedy=f"Make it {wanted}.") from error
    return Settings(**values)


def _line_of(text: str, key: str) -> int:
    """The line, from 1, on which a top-level key or table stands in a TOML text; 1 if it hides well."""
    pattern = re.compile(rf"\s*\[*\s*[\"']?{re.escape(key)}\b")
    return next((n for n, line in enumerate(text.splitlines(), start=1) if pattern.match(line)), 1)
