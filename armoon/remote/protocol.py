"""Messages between tables that share a game. The limits in their types are checked on receipt."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Annotated, Any, get_args

from msgspec import Meta

from armoon import __version__
from armoon.clock import TICK_S, TICKS_PER_SECOND
from armoon.codec import Variants, name_variants
from armoon.engine import logbook
from armoon.engine.setup import Intake, Record
from armoon.values import acts, choices
from armoon.values.player_settings import NO_HANDICAP, Guidance, VisualAids

#: Version of the packet format; tables with another version are refused.
PACKET_VERSION = 7
#: Maximum number of frames in a message: about a second of play.
MAX_LINES = 64
#: Maximum number of ticks in a frame, so that a malicious frame can't keep other tables computing for minutes.
MAX_TICKS = TICKS_PER_SECOND
#: Maximum number of log lines at a verdict: the verdict and all rest poses.
MAX_VERDICT_LINES = 16
MAX_SEATS, LONGEST_NAME = 6, 40
Name = Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME)]
ShortText = Annotated[str, Meta(max_length=200)]
#: A table's public key in hexadecimal digits.
TableName = Annotated[str, Meta(min_length=64, max_length=64)]
Count = Annotated[int, Meta(ge=0)]
ColourPart = Annotated[float, Meta(ge=0.0, le=1.0)]
#: Decimals of times, in seconds.
SECOND_DECIMALS = 6
#: Decimals of landmarks in pixels and in metres, finer than any tracker's accuracy.
PIXEL_DECIMALS, METRE_DECIMALS = 1, 4


def program_version() -> str:
    return f"{__version__} {logbook.VERSION} {PACKET_VERSION}"


class RefusalReason(choices.Word):
    """Why a table or its message is refused; the texts are below ``remote.refused``."""

    VERSION = "version"
    FULL = "full"
    NAME = "name"
    UNKNOWN = "unknown"
    KEY = "key"
    NONSENSE = "nonsense"
    VERDICT = "verdict"


@dataclass(frozen=True)
class TablePlayer:
    """A player at a table that asks to join."""

    name: Name
    bot: Name | None = None
    colour: tuple[ColourPart, ColourPart, ColourPart] | None = None
    """Display colour, if chosen."""
    helps: VisualAids = NO_HANDICAP.helps
    guidance: Guidance = NO_HANDICAP.guidance


@dataclass(frozen=True)
class Hello:
    """A table's request to join, repeated until the game starts."""

    version: ShortText
    """Versions of the program, its logs and its packets, as returned by ``program_version``."""
    players: Annotated[tuple[TablePlayer, ...], Meta(min_length=1, max_length=MAX_SEATS)]
    build: ShortText = ""
    """The build of the table's physics."""


@dataclass(frozen=True)
class SeatCode:
    """The host's reply to a request to join. A table gets and keeps its seats by sending the code back."""

    table: TableName
    """The table to which the code is sent."""
    code: ShortText


@dataclass(frozen=True)
class Seats:
    """The host's start of the game, with its set-up and the table of each seat."""

    header: Record
    """The first line of the game's log."""
    tables: Annotated[tuple[TableName, ...], Meta(min_length=1, max_length=MAX_SEATS)]
    """Each seat's table."""
    turns: Annotated[int, Meta(ge=1)] | None = None
    """Number of turns after which the game ends; None: the rules decide."""


@dataclass(frozen=True)
class PlayedFrames:
    """Frames played by the current player's table, as the log lines that a replay needs."""

    first: Count
    """Number of the first frame, counted from 0."""
    lines: Annotated[tuple[Record, ...], Meta(min_length=1, max_length=MAX_LINES)]
    """Encoded intake of each frame, with the facts to show."""
    verdict_lines: Annotated[tuple[Record, ...], Meta(max_length=MAX_VERDICT_LINES)] = ()
    """Log lines of a verdict in the last of these frames, with the rest poses."""

    @property
    def intakes(self) -> tuple[Intake, ...]:
        """The intake of each frame. Raises ValueError for an invalid line."""
        intakes = tuple(map(logbook.intake_from_record, self.lines))
        if any(intake.ticks > MAX_TICKS for intake in intakes):
            raise ValueError("lines: a frame of more than a second")
        return intakes


@dataclass(frozen=True)
class TableCommand:
    """A command from another table, for the next frame of the current player's table."""

    act: acts.Act
    value: int = 0


@dataclass(frozen=True)
class KeepAlive:
    """A keep-alive message with the sender's progress."""

    played: Count
    """Number of the first frame that the sender has neither stepped nor received."""
    requests_frames: bool = False
    """Whether the sender requests the frames from ``played`` on."""


@dataclass(frozen=True)
class Refusal:
    """A notice to a table that it or its message is refused."""

    table: TableName
    why: RefusalReason


@dataclass(frozen=True)
class Goodbye:
    """A notice that the sender leaves the game."""


Message = Hello | SeatCode | Seats | PlayedFrames | TableCommand | KeepAlive | Refusal | Goodbye
MESSAGES = Variants[Message]("message", name_variants(get_args(Message)))


# Frames ---------------------------------------------------------------------------------------------------


def shift_time(intake: Intake, by_s: float) -> Intake:
    """Return the frame with times shifted to the game's clock, and rounded values, which keep packets small."""
    hands = intake.hands
    if hands is not None:
        rounded = tuple(
            replace(
                hand,
                points_px=_round_rows(hand.points_px, PIXEL_DECIMALS),
                world_m=_round_rows(hand.world_m, METRE_DECIMALS),
            )
            for hand in hands.hands
        )
        hands = replace(hands, time_s=round(hands.time_s + by_s, SECOND_DECIMALS), hands=rounded)
    grips = tuple(replace(grip, time_s=grip.time_s + by_s) for grip in intake.grips)
    return replace(intake, now_s=round(intake.now_s + by_s, SECOND_DECIMALS), hands=hands, grips=grips)


def _round_rows(rows: Iterable[tuple[float, ...]], decimals: int) -> Any:
    return tuple(tuple(round(value, decimals) for value in row) for row in rows)


def split_ticks(intake: Intake) -> tuple[Intake, ...]:
    """Split a frame into frames of one tick, so that other tables can draw evenly; the first has all the input."""
    if intake.ticks <= 1:
        return (intake,)
    times_s = [
        round(intake.now_s - later * TICK_S, SECOND_DECIMALS) for later in reversed(range(intake.ticks))
    ]
    first = replace(intake, now_s=times_s[0], ticks=1)
    return (first, *(Intake(now_s, 1, None) for now_s in times_s[1:]))
