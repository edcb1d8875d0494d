"""The screens' requests to the app, as plain values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from armoon.games.contract.library import Unfinished
from armoon.games.options import GameOptions
from armoon.games.shared.seating import Beginner
from armoon.screens.far import BeginTables, CopyLink, LeaveTables, PasteLink
from armoon.screens.on_air import OnAirAction
from armoon.screens.player import FormPlayer
from armoon.values.acts import Act
from armoon.values.bindings import Moved
from armoon.values.choices import HandPreference, SeatName
from armoon.values.page import Rgb


@dataclass(frozen=True)
class Party:
    """Who plays: a name and a colour (display colours) for each seat."""

    names: tuple[str, ...]
    colours: tuple[Rgb, ...]
    hands: tuple[HandPreference, ...] = ()
    """Each seat's preferred hand."""


class Request(Enum):
    """A request that needs nothing more said."""

    LOOK_AT_BOOK = auto()
    """Look up each player's figures; the app then tells ``BookTold``."""
    KEEP_PICTURE = auto()
    """Save a picture of the structure; the app then sends ``PictureKept``."""
    KEEP_LANDMARKS = auto()
    """The player agrees: write the last trial's landmarks for research; the app then sends ``PictureKept``."""
    LOOK_AT_SCORES = auto()
    """The chart and the high scores are to be shown; the app then tells ``ScoresTold``."""
    LOOK_AT_TRIALS = auto()
    """Show the trials and results; the app then tells ``TrialsTold``."""
    LOOK_AT_REVIEW = auto()
    """The game that is over is to be weighed; the app then tells ``ReviewTold``, again and again."""
    STOP_REVIEW = auto()
    """The review isn't waited for any more."""
    KEEP_REVIEW = auto()
    """Keep a picture of the review's curve; the app then tells ``ReviewTold``."""
    TABLE_ACCEPTED = auto()
    """Play on the table where it stands now."""
    TAKE_CORNER_BACK = auto()
    """The last corner was wrong."""
    LOOK_AGAIN = auto()
    """Look for the table from the start."""
    LOOK_FOR_CAMERAS = auto()
    """See which webcams there are; the app then tells ``CameraTold``."""
    LEAVE_GAME = auto()
    """Clear the table: the players go back to the title."""
    QUIT = auto()
    """End the program."""


@dataclass(frozen=True)
class StartGame:
    """Set the table and begin."""

    game: str
    party: Party
    options: GameOptions
    """What that game is played with."""
    seat: SeatName
    begins: Beginner = Beginner()  # noqa: RUF009 - frozen
    """Who plays first, and why."""


@dataclass(frozen=True)
class ResumeGame:
    """Go on with one of the games that ``UnfinishedTold`` told of."""

    game: Unfinished
    seat: SeatName


@dataclass(frozen=True)
class Ask:
    """Ask the table for this, or look back."""

    act: Act
    value: int = 0
    """What the act carries."""


@dataclass(frozen=True)
class Choose:
    """Take this choice at the table."""

    name: str


@dataclass(frozen=True)
class KeepPlayer:
    """Keep what a player has said of themselves in their profile."""

    player: FormPlayer


@dataclass(frozen=True)
class StartPractice:
    """A table on which nothing costs a tear."""

    seat: SeatName
    guided: bool = False
    """The guided first game runs over it; the app then tells ``GuideTold``."""
    figure: str = ""
    """A figure of the book that is to be tried on it."""


@dataclass(frozen=True)
class StartTrial:
    """Set the table for a trial."""

    game: str
    trial: str
    party: Party
    """One player."""
    seat: SeatName


@dataclass(frozen=True)
class ChangeSetting:
    """A field of ``Preferences`` has a new value."""

    name: str
    value: str | float | bool | Moved


@dataclass(frozen=True)
class WriteKit:
    """Write the paper kit to print; the app then sends ``PictureKept`` with where it lies."""

    paper: str
    """One of ``armoon.printing.page.PAPERS``."""


@dataclass(frozen=True)
class PointAtCorners:
    """The players will point at the table's four corners."""

    near_side_m: float
    """The length of the side towards the camera."""


@dataclass(frozen=True)
class UseCamera:
    """From now on this camera looks at the table, as the command line names it."""

    source: str


@dataclass(frozen=True)
class InviteTables:
    """Let other tables come in; the app then tells ``FarTold``."""

    game: StartGame
    """With the players at this table."""
    broker: bool
    """Over the broker that was pasted; else in the same network."""


@dataclass(frozen=True)
class JoinTable:
    """Ask the host of the invitation that was pasted to let this table's players in."""

    game: StartGame
    """With the players at this table; what is played the host says."""


FarAction = InviteTables | JoinTable | BeginTables | LeaveTables | PasteLink | CopyLink

Action = (
    Request
    | StartGame
    | ResumeGame
    | KeepPlayer
    | Choose
    | Ask
    | StartPractice
    | StartTrial
    | ChangeSetting
    | PointAtCorners
    | WriteKit
    | UseCamera
    | OnAirAction
    | FarAction
)
