"""The messages between tables that play one game, as values; everything that comes in is bounded by these types."""

from __future__ import annotations

from dataclasses import dataclass

from armoon.clock import TICKS_PER_SECOND
from armoon.codec import Variants, words_of
from armoon.engine.logbook import intake_from_record
from armoon.engine.setup import Intake, Record
from armoon.remote.frames import unpacked
from armoon.values.acts import Act
from armoon.values.choices import Word
from armoon.values.pieces import Command
from armoon.values.poses import Vec3

#: The form of the packets; another one isn't understood.
FORM = 3
#: Frames of the loop in one message: a second's worth, when a stream is caught up with.
MOST_LINES = 64
#: A frame never has more ticks due; a stranger may not let others step for minutes.
MOST_TICKS = TICKS_PER_SECOND
#: Lines that come out at a verdict: it, and where everything stands.
MOST_JUDGED = 16
MOST_TABLES, MOST_SEATS, LONGEST_NAME, LONGEST_VERSION = 6, 6, 40, 200
#: Length of a table's name: its public key in hexadecimal digits.
NAME_DIGITS = 64


class Why(Word):
    """Why a table isn't let in, or its message isn't believed; what it means is the text below ``remote.refused``."""

    VERSION = "version"
    """It runs another version of the program."""
    FULL = "full"
    """All seats are taken."""
    NAME = "name"
    """A player of that name sits elsewhere."""
    UNKNOWN = "unknown"
    """The game goes on, and no player of that name is in it."""
    KEY = "key"
    """Its packets aren't of this game: its invitation is an old one."""
    NONSENSE = "nonsense"
    """What it sent can't be read."""
    VERDICT = "verdict"
    """Its verdict or its rest poses aren't those that its own moves lead to here."""


@dataclass(frozen=True)
class Hello:
    """A table asks to be let in, and says so again until it is answered."""

    version: str
    """Versions of the program, of its logs and of its packets, as one text."""
    players: tuple[tuple[str, str | None], ...]
    """Each name, with the bot that plays it, if one does."""
    colours: tuple[Vec3, ...] = ()
    """Each one's colour (display colours), if it was chosen."""
    build: str = ""
    """The build of the table's physics."""

    def __post_init__(self) -> None:
        if not 1 <= len(self.players) <= MOST_SEATS or (
            max(len(self.version), len(self.build)) > LONGEST_VERSION
        ):
            raise ValueError("players: one to six, and a short version")
        for name, bot in self.players:
            if not 1 <= len(name) <= LONGEST_NAME or len(bot or "") > LONGEST_NAME:
                raise ValueError("players: a short name")
        if len(self.colours) not in (0, len(self.players)):
            raise ValueError("colours: one for each player, or none")
        if not all(0.0 <= part <= 1.0 for colour in self.colours for part in colour):
            raise ValueError("colours: parts of 0 to 1")


@dataclass(frozen=True)
class Seats:
    """The host begins the game: its set-up, and which table plays each seat."""

    header: Record
    """The log's first line."""
    tables: tuple[str, ...]
    """By seat, the table's name."""
    turns: int | None = None
    """Number of turns after which the game ends; None: when the rules say so."""

    def __post_init__(self) -> None:
        if not 1 <= len(self.tables) <= MOST_SEATS or any(len(one) != NAME_DIGITS for one in self.tables):
            raise ValueError("tables: one to six names")
        if self.turns is not None and self.turns < 1:
            raise ValueError("turns: at least one")


@dataclass(frozen=True)
class Played:
    """The table on turn has played these frames of the loop: the lines of its log that a replay needs."""

    first: int
    """The number of the first frame; the game's first has 0."""
    lines: tuple[Record, ...]
    """Each frame's intake, ``packed``, with the facts to be shown."""
    judged: tuple[Record, ...] = ()
    """The lines that came out of the last of these frames, if there was a verdict: it, and the rest poses."""

    def __post_init__(self) -> None:
        if self.first < 0 or not 1 <= len(self.lines) <= MOST_LINES or len(self.judged) > MOST_JUDGED:
            raise ValueError("lines: 1 to 64, from frame 0 on")

    @property
    def intakes(self) -> tuple[Intake, ...]:
        """The frames as they are stepped. Raises ValueError for a line that is none."""
        try:
            found = tuple(intake_from_record(unpacked(line)) for line in self.lines)
        except (ArithmeticError, LookupError, TypeError) as error:
            raise ValueError(f"lines: {error}") from error
        if any(intake.ticks > MOST_TICKS for intake in found):
            raise ValueError("lines: a frame of more than a second")
        return found


@dataclass(frozen=True)
class Asked:
    """A table that isn't on turn asks for something that players may ask for at any time."""

    act: Act
    value: int = 0
    turn: int = 0
    """Only in this turn; 0: in any."""

    def __post_init__(self) -> None:
        if not self.act.row.table:
            raise ValueError("act: nothing that a table is asked for")

    def command(self, source: str) -> Command:
        """Return it as a frame's command."""
        return Command(self.act, source, self.value)


@dataclass(frozen=True)
class Here:
    """A table is there, and says how far it has got."""

    played: int
    """The number of the next frame that it hasn't stepped or received."""
    wants: bool = False
    """It asks for the frames from there on."""

    def __post_init__(self) -> None:
        if self.played < 0:
            raise ValueError("played: from 0 on")


@dataclass(frozen=True)
class Refuse:
    """A table isn't let in, or not believed."""

    table: str
    why: Why

    def __post_init__(self) -> None:
        if len(self.table) != NAME_DIGITS:
            raise ValueError("table: no name of one")


@dataclass(frozen=True)
class Left:
    """A table leaves in order."""

    played: int = 0


Message = Hello | Seats | Played | Asked | Here | Refuse | Left
MESSAGES = Variants[Message]("message", words_of((Hello, Seats, Played, Asked, Here, Refuse, Left)))
