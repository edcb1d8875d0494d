"""The messages between tables that share a game; these types validate everything that is received."""

from __future__ import annotations

from dataclasses import dataclass

from armoon.clock import TICKS_PER_SECOND
from armoon.codec import Variants
from armoon.engine.logbook import intake_from_record
from armoon.engine.setup import Intake, Record
from armoon.remote.frames import unpack_line
from armoon.values.acts import Act
from armoon.values.choices import Word
from armoon.values.pieces import Command
from armoon.values.player_settings import Guidance, VisualAids
from armoon.values.poses import Vec3

#: Version of the packets' format; others are refused.
PACKET_VERSION = 3
#: Maximum frames in one message: a second's worth while catching up.
MAX_LINES = 64
#: Maximum ticks of a frame, so that a stranger's frame can't keep others computing for minutes.
MAX_TICKS = TICKS_PER_SECOND
#: Maximum result lines at a verdict: the verdict and all rest poses.
MAX_JUDGED = 16
MAX_TABLES, MAX_SEATS, LONGEST_NAME, LONGEST_VERSION = 6, 6, 40, 200
#: Length of a table's name: its public key in hexadecimal digits.
NAME_DIGITS = 64


class RefusalReason(Word):
    """Why a table or its message is refused; the texts are below ``remote.refused``."""

    VERSION = "version"
    """It runs another version of the program."""
    FULL = "full"
    """All seats are taken."""
    NAME = "name"
    """Another table has a player of that name."""
    UNKNOWN = "unknown"
    """The game is in progress, and no player of that name is in it."""
    KEY = "key"
    """Its packets belong to another game: the invitation is outdated."""
    NONSENSE = "nonsense"
    """Its message can't be read."""
    VERDICT = "verdict"
    """Its verdict or rest poses differ from those computed here from its moves."""


@dataclass(frozen=True)
class Hello:
    """A table requests to join; repeated until the game starts."""

    version: str
    """Versions of the program, of its logs and of its packets, as one text."""
    players: tuple[tuple[str, str | None], ...]
    """Each player's name and bot, if any."""
    colours: tuple[Vec3, ...] = ()
    """Display colour by player, if chosen."""
    build: str = ""
    """The build of the table's physics."""
    aids: tuple[tuple[VisualAids, Guidance], ...] = ()
    """Each player's visual aids and guidance, or none."""

    def __post_init__(self) -> None:
        if not 1 <= len(self.players) <= MAX_SEATS or (
            max(len(self.version), len(self.build)) > LONGEST_VERSION
        ):
            raise ValueError("players: one to six, and a short version")
        for name, bot in self.players:
            if not 1 <= len(name) <= LONGEST_NAME or len(bot or "") > LONGEST_NAME:
                raise ValueError("players: a short name")
        if {len(self.colours), len(self.aids)} - {0, len(self.players)}:
            raise ValueError("colours, aids: one for each player, or none")
        if not all(0.0 <= part <= 1.0 for colour in self.colours for part in colour):
            raise ValueError("colours: parts of 0 to 1")


@dataclass(frozen=True)
class Seats:
    """The host starts the game: its set-up, and the table of each seat."""

    header: Record
    """The log's first line."""
    tables: tuple[str, ...]
    """Name of the table by seat."""
    turns: int | None = None
    """Number of turns after which the game ends; None: as the rules say."""

    def __post_init__(self) -> None:
        if not 1 <= len(self.tables) <= MAX_SEATS or any(len(table) != NAME_DIGITS for table in self.tables):
            raise ValueError("tables: one to six names")
        if self.turns is not None and self.turns < 1:
            raise ValueError("turns: at least one")


@dataclass(frozen=True)
class PlayedFrames:
    """Frames played by the table on turn: the lines of its log that a replay needs."""

    first: int
    """Number of the first frame, counted from 0."""
    lines: tuple[Record, ...]
    """Each frame's packed intake, with the facts to show."""
    judged: tuple[Record, ...] = ()
    """After a verdict in the last of these frames: its log lines, with the rest poses."""

    def __post_init__(self) -> None:
        if self.first < 0 or not 1 <= len(self.lines) <= MAX_LINES or len(self.judged) > MAX_JUDGED:
            raise ValueError("lines: 1 to 64, from frame 0 on")

    @property
    def intakes(self) -> tuple[Intake, ...]:
        """Return the frames' intakes. Raises ValueError for an invalid line."""
        try:
            intakes = tuple(intake_from_record(unpack_line(line)) for line in self.lines)
        except (ArithmeticError, LookupError, TypeError) as error:
            raise ValueError(f"lines: {error}") from error
        if any(intake.ticks > MAX_TICKS for intake in intakes):
            raise ValueError("lines: a frame of more than a second")
        return intakes


@dataclass(frozen=True)
class TableCommand:
    """A command for the current frames from a table that doesn't play them."""

    act: Act
    value: int = 0
    turn: int = 0
    """The turn in which it is valid; 0: any."""

    def __post_init__(self) -> None:
        if not self.act.row.table:
            raise ValueError("act: not one that other tables can send")

    def command(self, source: str) -> Command:
        return Command(self.act, source, self.value)


@dataclass(frozen=True)
class KeepAlive:
    """A keep-alive message with the sender's progress."""

    played: int
    """Number of the first frame that the sender hasn't stepped or received."""
    wants: bool = False
    """Whether it requests the frames from there on."""

    def __post_init__(self) -> None:
        if self.played < 0:
            raise ValueError("played: from 0 on")


@dataclass(frozen=True)
class Refusal:
    """A table or its message is refused."""

    table: str
    why: RefusalReason

    def __post_init__(self) -> None:
        if len(self.table) != NAME_DIGITS:
            raise ValueError("table: not a table's name")


@dataclass(frozen=True)
class Goodbye:
    """A table leaves the game."""


Message = Hello | Seats | PlayedFrames | TableCommand | KeepAlive | Refusal | Goodbye
_KINDS: dict[str, type[Message]] = {
    "hello": Hello,
    "seats": Seats,
    "played": PlayedFrames,
    "asked": TableCommand,
    "here": KeepAlive,
    "refuse": Refusal,
    "left": Goodbye,
}
MESSAGES = Variants[Message]("message", _KINDS)
