"""The input to the screens: events of devices (``given``), and news of the table; plain values."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto

from armoon.games.contract.library import Unfinished
from armoon.games.news import BestResult, GuideFacts, News, Reviewed, ReviewedTurn, Trial
from armoon.games.options import GameOptions
from armoon.games.shared.seating import SEAT_COLOURS, Beginner, PlayerDates
from armoon.screens.input import InputEvent
from armoon.screens.measuring import HandSeen, HeadSeen
from armoon.values.acts import Act, Moved
from armoon.values.choices import CameraWay, HandPreference, SeatName
from armoon.values.look import rgb
from armoon.values.page import Rgb
from armoon.values.player_settings import AS_USUAL, LEVEL, NO_HABITS, Habits, Handicap, Movement


@dataclass(frozen=True)
class OnAirTold:
    """How the party stands, in which others look on and vote."""

    on: bool = False
    lan: bool = False
    """Everybody in the same network may watch and vote."""
    join_at: str = ""
    """The address for phones."""
    code: tuple[str, ...] = ()
    """The same as a QR code: its rows, ``1`` where it is dark."""
    guests: int = 0
    best: tuple[tuple[str, int], ...] = ()
    """The best guessers and their points, the best first."""
    film: bool = False
    """The picture with the people before the camera is being recorded."""
    filmed_anyway: bool = False
    """It is recorded because the command line says so."""
    trouble: str = ""
    """Why what was asked for last can't be, with what helps."""
    fingerprint: str = ""
    """The beginning of the one that phones' browsers show; empty: nothing is encrypted."""


@dataclass(frozen=True)
class BeginParty:
    """Let others look on; the app then tells ``OnAirTold``."""

    lan: bool


@dataclass(frozen=True)
class RecordPeople:
    """Record the picture with the people before the camera, or no more."""

    on: bool


@dataclass(frozen=True)
class OpenPage:
    """Open one of the party's pages in this machine's browser."""

    page: str


@dataclass(frozen=True)
class FarTold:
    """How the meeting with other tables stands, before a game and in it."""

    invites: str = ""
    """Where others come in, without the key; empty: nobody is invited."""
    code: tuple[str, ...] = ()
    """The invitation as a QR code: its rows, ``1`` where it is dark."""
    tables: tuple[tuple[str, ...], ...] = ()
    """The players at each table that has come."""
    asks: str = ""
    """The computer whose host was asked to let this table in."""
    pasted: str = ""
    """The computer of a pasted invitation or broker's address; else empty."""
    joins: bool = False
    """It is an invitation."""
    copied: bool = False
    """The invitation can be pasted elsewhere."""
    trouble: str = ""
    """Why what was asked for last can't be, with what helps."""


@dataclass(frozen=True)
class BeginTables:
    """Begin the game with all who have come."""


@dataclass(frozen=True)
class LeaveTables:
    """Nobody is invited or asked any more."""


@dataclass(frozen=True)
class PasteLink:
    """Look at what another program has copied."""


@dataclass(frozen=True)
class CopyLink:
    """Let other programs paste the invitation."""


@dataclass(frozen=True)
class FarBegun:
    """The game of several tables begins here: the app has set the table."""

    game: str
    players: tuple[str, ...]
    options: GameOptions


HANDS = tuple(HandPreference)
#: Names for players who haven't given any.
SPARE_NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eva", "Finn")


COLOURS: tuple[Rgb, ...] = tuple(map(rgb, SEAT_COLOURS))


@dataclass(frozen=True)
class FormPlayer:
    """One player of the form, or one who is known from before."""

    name: str
    colour: int
    """Index into ``COLOURS``."""
    hand: HandPreference = HandPreference.EITHER
    born: datetime.date | None = None
    full_moon: datetime.date | None = None
    """When they last saw a full moon."""
    handicap: Handicap = LEVEL
    movement: Movement = AS_USUAL
    """How the hand is followed."""
    habits: Habits = NO_HABITS
    """What this player plays with."""
    bot: str = ""
    """Which bot plays for itself here; empty: a person."""

    @property
    def seat(self) -> PlayerDates:
        return PlayerDates(self.name, self.full_moon, self.born)


def seated(names: Sequence[str], known: Sequence[FormPlayer] = ()) -> tuple[FormPlayer, ...]:
    """Return the players of these names as they are known, everybody in a colour of their own.

    Of two who like the same colour the first has it; a new player gets one that is free.
    """
    by_name = {player.name: player for player in known}
    wanted = [by_name[name].colour if name in by_name else None for name in names]
    taken: list[int] = []
    for colour in wanted:
        if colour is not None and colour not in taken:
            taken.append(colour)
    kept: set[int] = set()
    players: list[FormPlayer] = []
    for k, (name, colour) in enumerate(zip(names, wanted, strict=True)):
        if colour is None or colour in kept:
            free = (c for c in range(len(COLOURS)) if c not in taken)
            colour = next(free, k % len(COLOURS))
            taken.append(colour)
        kept.add(colour)
        players.append(replace(by_name.get(name, FormPlayer(name, colour)), colour=colour))
    return tuple(players)


@dataclass(frozen=True)
class TurnPassed:
    """This player is on turn now, by name; a bot's turn isn't told."""

    player: str


@dataclass(frozen=True)
class PossibleTold:
    """Whether this can be asked for now: a turn that can be put back, a verdict that can be seen once more."""

    act: Act
    possible: bool


@dataclass(frozen=True)
class HighScore:
    """A line of the table of high scores, in the player's language."""

    names: str
    points: int
    note: str = ""
    """Rank, edition and date."""


@dataclass(frozen=True)
class ScoresTold:
    """A game's chart of ranks, each with its least score, and the best results until now."""

    chart: tuple[tuple[int, str], ...] = ()
    best: tuple[HighScore, ...] = ()


@dataclass(frozen=True)
class TrialLine:
    """A trial, and each player's result in it."""

    game: str
    trial: Trial
    bests: tuple[BestResult, ...] = ()
    """The best first."""


@dataclass(frozen=True)
class TrialsTold:
    """Every trial; and a sentence for each file of one that can't be used."""

    lines: tuple[TrialLine, ...] = ()
    troubles: tuple[str, ...] = ()


@dataclass(frozen=True)
class ReviewTold:
    """How the review stands."""

    turns: tuple[ReviewedTurn, ...] = ()
    """Those that have been weighed."""
    total: int = 0
    """How many there are."""
    done: bool = False
    turning: str = ""
    turned: int | None = None
    """The number of the turn where the game turned."""
    picture: str = ""
    """As SVG, once it is done."""
    trouble: str = ""
    """Why there is none, as a sentence."""
    kept: str = ""
    """What became of the picture that was to be kept."""

    def after(self, news: int | ReviewedTurn | Reviewed | str) -> ReviewTold:
        """Return the same after how many turns there are, a turn, the end, or why it can't be."""
        match news:
            case ReviewedTurn():
                return replace(self, turns=(*self.turns, news))
            case Reviewed():
                return replace(
                    self, done=True, turning=news.turning, turned=news.turned, picture=news.picture
                )
            case str():
                return replace(self, done=True, trouble=news)
        return replace(self, total=news)

    def saying(self, kept: str) -> ReviewTold:
        return replace(self, kept=kept)


@dataclass(frozen=True)
class CameraTold:
    """What looks at the table now, and which webcams there are."""

    way: CameraWay = CameraWay.REAL
    source: str = ""
    """As the command line names it."""
    found: tuple[tuple[str, str], ...] = ()
    """The webcams' numbers and names."""
    trouble: str = ""
    """Why the camera that was wanted doesn't look, with what helps."""
    seat: SeatName | None = None
    """Where such a camera sits as a rule; None: nothing has changed."""
    asks: bool = False
    """The players have to choose."""
    pictures: tuple[tuple[str, bytes], ...] = ()
    """The number of each webcam that shares its name with another, and what it sees, as JPEG."""


@dataclass(frozen=True)
class CameraPaused:
    """The table was paused by something else than a player; the sentence says by what."""

    sentence: str


@dataclass(frozen=True)
class GuideTold:
    """How the table stands, for the guided first game, ``seconds`` after the last time."""

    facts: GuideFacts
    seconds: float


@dataclass(frozen=True)
class TableAsked:
    """A game was asked for on a real table, which has to be found first."""


@dataclass(frozen=True)
class TableTold:
    """How the search for the table stands; texts are in the player's language."""

    hint: str = ""
    error: str = ""
    """How well it is known, in mm and px; empty where it was never measured."""
    pointing: bool = False
    """Corners are being pointed at."""


@dataclass(frozen=True)
class Making:
    """How often a player has made a figure, and on which day last."""

    name: str
    count: int
    last: datetime.date


@dataclass(frozen=True)
class BookTold:
    """By figure the players who have made it, the most frequent first."""

    made: tuple[tuple[str, tuple[Making, ...]], ...] = ()

    def of(self, figure: str) -> tuple[Making, ...]:
        return dict(self.made).get(figure, ())


Event = (
    InputEvent
    | News
    | BookTold
    | PossibleTold
    | TurnPassed
    | ScoresTold
    | TrialsTold
    | ReviewTold
    | CameraTold
    | CameraPaused
    | GuideTold
    | TableAsked
    | TableTold
    | OnAirTold
    | FarTold
    | FarBegun
    | HeadSeen
    | HandSeen
)


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
    """Save a picture of the structure; the app then says where it lies."""
    KEEP_LANDMARKS = auto()
    """The player agrees: write the last trial's landmarks for research."""
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
    END_PARTY = auto()
    LEAVE_GAME = auto()
    """Clear the table: the players go back to the title."""
    QUIT = auto()


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
    """Go on with a saved game."""

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
    """Write the paper kit to print."""

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
    | BeginParty
    | RecordPeople
    | OpenPage
    | FarAction
)
