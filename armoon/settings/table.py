"""The general options, one entry each, for any game and every place where they can be set.

A game's own options are in that game's ``options.py`` (``armoon/games/options.py``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, TypeVar

from armoon.games import game_names, game_options
from armoon.games.options import GameOptions
from armoon.games.shared.seating import Beginner, FirstBy
from armoon.messages import text
from armoon.options.kinds import File, Number, OneOf, Size, Text, Words, YesNo
from armoon.options.option import (
    ANYWHERE,
    COMMAND,
    FILE,
    PAGED,
    SAVE,
    SHOWN,
    describe,
    option,
    options_of,
    shared,
)
from armoon.options.parts import Own as OwnPart
from armoon.options.parts import Part, default_parts, with_values
from armoon.options.seat_kinds import MOST_PLAYERS, Names
from armoon.settings.preferences import LANGUAGE as LANGUAGE
from armoon.settings.preferences import PREFERENCES, Preferences
from armoon.values.choices import (
    ReaderUse,
    RotatedDeg,
    SeatName,
    TrackerName,
)
from armoon.values.numbers import count_in
from armoon.values.poses import Vec3

#: Maximum grace period, in seconds; 0 means no limit.
LONGEST_GRACE_S = 600.0
#: From a child's palm to the largest.
SHORTEST_PALM_M, LONGEST_PALM_M = 0.05, 0.15


@dataclass(frozen=True)
class FirstKind:
    """Who begins: a way to find that out, or a player's number in the list."""

    metavar: str = "moon|age|chance|N"

    def read(self, value: object) -> Beginner | FirstBy:
        """Return the way, or the seat."""
        seat = count_in(value) if isinstance(value, str) else None
        if seat is not None and 1 <= seat <= MOST_PLAYERS:
            return Beginner(seat - 1, "chosen")
        way = FirstBy(value)
        if way is FirstBy.CHOSEN:
            raise ValueError(value)
        return way

    def typed(self, words: str) -> object:
        """Return the words as they were typed."""
        return words

    def allowed(self) -> str:
        """Return the ways, or a number."""
        return text("option.allowed.first")


class Head(Text):
    """A camera that looks at a head; where it is a film, that is there."""

    def fault(self, value: str) -> str:
        """Return why there is no such film; a webcam or stream is asked when it is needed."""
        other = not value or count_in(value) is not None or "://" in value or value.startswith("/dev/video")
        return "" if other else File(written=False).fault(Path(value).expanduser())


CAMERA = describe("camera", Text("camera", "N|FILE|URL|demo"), "", FILE, COMMAND)
SEAT = describe("seat", Words(SeatName), None, FILE, COMMAND, SAVE)
#: What a table's set-up keeps as well (``engine.setup``), beside what the preferences say of hands.
PALM_LENGTH = describe(
    *("palm_length_m", Number(SHORTEST_PALM_M, LONGEST_PALM_M, "m"), 0.0955, FILE, COMMAND, SAVE),
    flag="--palm-length",
)
GRACE = describe(
    *("grace_s", Number(0.0, LONGEST_GRACE_S, "s", endless=True), 2.0, FILE, COMMAND, SAVE),
    optional=True,
    flag="--grace",
)
FINE_GAIN = describe("fine_gain", Number(0.2, 1.0), 1.0, FILE, COMMAND, SAVE)


AnySettings = TypeVar("AnySettings", bound="Settings")


@dataclass(frozen=True)
class Settings(Preferences):
    """What holds for all games: the settings file's keys, with the values that hold where it is silent."""

    players: tuple[str, ...] = option(Names(), ("Ann", "Ben", "Cleo"), FILE, COMMAND, works=ANYWHERE)
    """Three: of two, the one with three tears is out and the game over (ruling E3), often before it got going."""
    camera: str = shared(CAMERA)
    """Empty: webcam 0 if there is one, else the demo."""
    size: tuple[int, int] = option(Size(), (1280, 720), FILE, COMMAND)
    """Width and height in pixels that a webcam is asked for."""
    rate_hz: float = option(Number(5.0, 240.0, "hz"), 30.0, FILE, COMMAND, flag="--rate")
    seat: SeatName | None = shared(SEAT)
    """None: a webcam faces the player as on a laptop, any other camera looks at the table."""
    palm_length_m: float = shared(PALM_LENGTH)
    """From the wrist to the middle finger's knuckle; by default the average of adults."""
    grace_s: float | None = shared(GRACE)
    """Seconds for which what is held waits for a hand out of sight (ruling X2); None: no limit."""
    pad_mappings: Path | None = option(File("FILE.txt", written=False), None, FILE, COMMAND, works=SHOWN)
    """Mappings for odd gamepads, as SDL has them; None: those that are known anyway."""
    head_camera: str = option(Head("camera", "N|FILE|URL"), "", FILE, COMMAND, works=PAGED)
    """The camera that sees the head that plays; empty: the table's, or the first webcam where that is none."""
    screen_reader: ReaderUse = option(Words(ReaderUse), ReaderUse.AUTO, FILE, COMMAND, works=PAGED)
    """Whether screen readers get the screen's content."""
    tracker: TrackerName = option(Words(TrackerName), TrackerName.AUTO, FILE, COMMAND)
    """The library that finds the hands."""
    fine_gain: float = shared(FINE_GAIN)
    """How much of a slow hand's way counts: less than 1 is a fine mode."""
    turned_deg: RotatedDeg = option(Words(RotatedDeg), RotatedDeg.NONE, FILE, COMMAND, flag="--turned")
    """The camera hangs on its side or its head: its picture is turned clockwise by this angle."""
    flipped: bool = option(YesNo(), False, FILE, COMMAND)
    """The camera sends a mirrored picture, whose words can't be read."""
    games: Mapping[str, GameOptions] = field(default_factory=dict, hash=False)
    """What the file says of single games."""
    parts: tuple[Part, ...] = field(default_factory=default_parts)
    """The options that sinks and devices bring."""

    def part(self, own: type[OwnPart]) -> OwnPart:
        """Return the options of one sink or device."""
        return next(one for one in self.parts if isinstance(one, own))

    def having(self: AnySettings, values: Mapping[str, Any]) -> AnySettings:
        """Return these settings with other values, by name; a part's option goes to its part."""
        general = {one.name: values[one.name] for one in fields(self) if one.name in values}
        parts = with_values(general.get("parts", self.parts), values)
        return replace(self, **general | {"parts": parts})

    def preferences(self) -> Preferences:
        """Return what the settings pages offer, alone."""
        return Preferences(**{one.name: getattr(self, one.name) for one in PREFERENCES})

    def value(self, name: str) -> Any:
        """Return an option's value, whether it is general or a part's."""
        holders = (self, *self.parts)
        return next(getattr(one, name) for one in holders if hasattr(one, name))

    def options_for(self, game: str) -> GameOptions:
        """Return that game's default options from the settings."""
        return self.games.get(game) or game_options(game)()


@dataclass(frozen=True)
class PlayOptions(Settings):
    """Everything that is settled before a game starts: settings and command line, merged.

    Camera and seat are settled as well: neither is empty.
    """

    camera: str = shared(CAMERA, "demo")
    """A webcam's number, a video file, a stream's URL, or ``"demo"``."""
    seat: SeatName = shared(SEAT, SeatName.TABLE)
    game: str = option(OneOf(game_names), "", COMMAND, works=ANYWHERE)
    """Empty: the first one."""
    headless: bool = option(YesNo(), False, COMMAND, works=ANYWHERE)
    log: Path | None = option(File("FILE.jsonl"), None, COMMAND)
    """Where the game's log goes; None: beside the saved games, under a name that tells when."""
    log_replaces: bool = False
    """What lies there may be overwritten: the user was asked."""
    seed: int = option(Number(0, whole=True), 0, COMMAND, works=ANYWHERE)
    turns: int | None = option(Number(1, whole=True), None, COMMAND)
    """The game ends after this many turns; None: when the rules say so."""
    first: Beginner | FirstBy | None = option(FirstKind(), None, COMMAND)
    """Who begins, or how that is found; None: as the game says."""
    resume: str | None = option(Text("resume", "GAME"), None, COMMAND)
    """The saved game to go on with; None: a new one."""
    now: bool = option(YesNo(), False, COMMAND, works=ANYWHERE)
    """The window begins with the game."""
    asked: frozenset[str] = frozenset()
    """What was typed, by its option's name: it counts more than what was played with last time."""
    no_webcam: str = ""
    """Why there is no camera, though one was asked for; empty: nothing to say."""
    notices: tuple[str, ...] = ()
    """What isn't as usual, without a display or a webcam; said once every file and link has been opened."""
    menu: bool = False
    """The window begins with the title; else with the game."""
    game_options: GameOptions = GameOptions()  # noqa: RUF009 - frozen
    """What this game is played with."""
    colours: tuple[Vec3, ...] = ()
    """Each player's colour (display colours); none: as the profiles say."""
    hands: tuple[str, ...] = ()
    """Each player's preferred hand; none: as the profiles say."""
    saved: bool = True
    """The game is saved as it goes; practice isn't."""

    @property
    def width_px(self) -> int:
        """Width of the picture."""
        return self.size[0]

    @property
    def height_px(self) -> int:
        """Height of the picture."""
        return self.size[1]


#: What the settings file and the command line know of any game, beside the parts' options.
GENERAL = options_of(Settings)
#: What the command line knows of any game, with what holds for one evening only.
EVENING = options_of(PlayOptions)
