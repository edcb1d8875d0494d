"""Events and actions of the screens: devices' input and the table's news in, requests to the app out."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto

from armoon.games.contract.library import Unfinished
from armoon.games.news import BestResult, GuideFacts, News, Reviewed, ReviewedTurn, TrialNews
from armoon.games.options import GameOptions
from armoon.games.shared.seating import SEAT_COLOURS, Beginner, PlayerDates
from armoon.screens.input import InputEvent
from armoon.screens.measuring import HandSeen, HeadSeen
from armoon.values.acts import Act, Moved
from armoon.values.choices import CameraWay, HandPreference, SeatName
from armoon.values.look import rgb
from armoon.values.page import Rgb
from armoon.values.player_settings import AS_USUAL, LEVEL, NO_HABITS, Handicap, Movement, PlayerSettings


@dataclass(frozen=True)
class PartyState:
    """State of a party, in which others look on and vote."""

    on: bool = False
    lan: bool = False
    join_at: str = ""
    code: tuple[str, ...] = ()
    guests: int = 0
    best: tuple[tuple[str, int], ...] = ()
    film: bool = False
    """The picture with the people before the camera is being recorded."""
    filmed_anyway: bool = False
    trouble: str = ""
    fingerprint: str = ""


@dataclass(frozen=True)
class BeginParty:
    """Let others look on; ``Screens.on_air`` is its state."""

    lan: bool


@dataclass(frozen=True)
class RecordPeople:
    """Record the picture with the people before the camera, or stop that."""

    on: bool


@dataclass(frozen=True)
class OpenPage:
    """Open one of the party's pages in this machine's browser."""

    page: str


@dataclass(frozen=True)
class FarTold:
    """State of the meeting with other tables, before a game and in it."""

    invites: str = ""
    tables: tuple[tuple[str, ...], ...] = ()
    asks: str = ""
    note: str = ""
    """Why the game hasn't begun."""
    pasted: str = ""
    joins: bool = False
    copied: bool = False
    trouble: str = ""


@dataclass(frozen=True)
class FarBegun:
    """The game of several tables begins here: the app has set the table."""

    game: str
    players: tuple[str, ...]
    options: GameOptions


HANDS = tuple(HandPreference)
#: Names for players without one.
SPARE_NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eva", "Finn")


COLOURS: tuple[Rgb, ...] = tuple(map(rgb, SEAT_COLOURS))


@dataclass(frozen=True)
class FormPlayer:
    """One player of the form, or one who is known from before."""

    name: str
    colour: int
    hand: HandPreference = HandPreference.EITHER
    born: datetime.date | None = None
    full_moon: datetime.date | None = None
    handicap: Handicap = LEVEL
    movement: Movement = AS_USUAL
    habits: PlayerSettings = NO_HABITS
    bot: str = ""

    @property
    def seat(self) -> PlayerDates:
        return PlayerDates(self.name, self.full_moon, self.born)


def seated(names: Sequence[str], known: Sequence[FormPlayer] = ()) -> tuple[FormPlayer, ...]:
    """Return these players with their known settings, each in another colour: the first one's choice counts."""
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
    """This player is on turn now; a bot's turn isn't reported."""

    player: str


@dataclass(frozen=True)
class HighScoreLine:
    """A line of the table of high scores, in the player's language."""

    names: str
    points: int
    note: str = ""


@dataclass(frozen=True)
class HighScores:
    """A game's chart of ranks, each with its least score, and the best results."""

    chart: tuple[tuple[int, str], ...] = ()
    best: tuple[HighScoreLine, ...] = ()


@dataclass(frozen=True)
class TrialLine:
    """A trial, and each player's result in it."""

    game: str
    trial: TrialNews
    bests: tuple[BestResult, ...] = ()


@dataclass(frozen=True)
class TrialList:
    """All trials, and a sentence for each unusable file of one."""

    lines: tuple[TrialLine, ...] = ()
    troubles: tuple[str, ...] = ()


@dataclass(frozen=True)
class ReviewState:
    """State of the review."""

    turns: tuple[ReviewedTurn, ...] = ()
    total: int = 0
    done: bool = False
    turning: str = ""
    turned: int | None = None
    picture: str = ""
    trouble: str = ""
    kept: str = ""

    def after(self, news: int | ReviewedTurn | Reviewed | str) -> ReviewState:
        """Return the review after a number of turns, a turn, the end, or a fault."""
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

    def saying(self, kept: str) -> ReviewState:
        return replace(self, kept=kept)


@dataclass(frozen=True)
class CameraStatus:
    """The table's camera, and the other webcams."""

    way: CameraWay = CameraWay.REAL
    source: str = ""
    found: tuple[tuple[str, str], ...] = ()
    trouble: str = ""
    seat: SeatName | None = None
    """The camera's usual seat; None: nothing has changed."""
    asks: bool = False
    pictures: tuple[tuple[str, bytes], ...] = ()
    """Numbers and pictures (JPEG) of webcams that share their names."""


@dataclass(frozen=True)
class CameraPaused:
    """The table was paused, not by a player, for this reason."""

    sentence: str


@dataclass(frozen=True)
class GuideProgress:
    """State of the table for the guided first game, ``seconds`` after the last one."""

    facts: GuideFacts
    seconds: float


@dataclass(frozen=True)
class TableAsked:
    """A game was asked for on a real table, which has to be found first."""


@dataclass(frozen=True)
class TableSearch:
    """State of the search for the table, in the players' language."""

    hint: str = ""
    error: str = ""
    pointing: bool = False


@dataclass(frozen=True)
class Making:
    """Count and last day of a player's figure."""

    name: str
    count: int
    last: datetime.date


@dataclass(frozen=True)
class FigureBook:
    """Players of each figure, the most frequent first."""

    made: tuple[tuple[str, tuple[Making, ...]], ...] = ()

    def of(self, figure: str) -> tuple[Making, ...]:
        return dict(self.made).get(figure, ())


Event = (
    InputEvent
    | News
    | TurnPassed
    | CameraStatus
    | CameraPaused
    | GuideProgress
    | TableAsked
    | FarTold
    | FarBegun
    | HeadSeen
    | HandSeen
)


@dataclass(frozen=True)
class SeatedPlayers:
    """Who plays: a name and a colour (display colours) for each seat."""

    names: tuple[str, ...]
    colours: tuple[Rgb, ...]
    hands: tuple[HandPreference, ...] = ()


class Request(Enum):
    """A request without parameters."""

    LOOK_AT_BOOK = auto()
    KEEP_PICTURE = auto()
    KEEP_LANDMARKS = auto()
    LOOK_AT_SCORES = auto()
    LOOK_AT_TRIALS = auto()
    LOOK_AT_REVIEW = auto()
    STOP_REVIEW = auto()
    KEEP_REVIEW = auto()
    TABLE_ACCEPTED = auto()
    TAKE_CORNER_BACK = auto()
    LOOK_AGAIN = auto()
    LOOK_FOR_CAMERAS = auto()
    BEGIN_TABLES = auto()
    """Begin the game with all tables that have come."""
    LEAVE_TABLES = auto()
    """Stop inviting tables, or asking one."""
    PASTE_LINK = auto()
    """Read the clipboard."""
    COPY_LINK = auto()
    """Put the invitation into the clipboard."""
    END_PARTY = auto()
    LEAVE_GAME = auto()
    QUIT = auto()


@dataclass(frozen=True)
class StartGame:
    """Set the table and begin."""

    game: str
    party: SeatedPlayers
    options: GameOptions
    seat: SeatName
    begins: Beginner = Beginner()  # noqa: RUF009 - frozen


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


@dataclass(frozen=True)
class TakeChoice:
    """Take this choice at the table."""

    name: str


@dataclass(frozen=True)
class KeepPlayer:
    """Save a player's profile."""

    player: FormPlayer


@dataclass(frozen=True)
class StartPractice:
    """Set a table on which nothing costs a tear."""

    seat: SeatName
    guided: bool = False
    figure: str = ""
    """A figure of the book to try."""


@dataclass(frozen=True)
class StartTrial:
    """Set the table for a trial."""

    game: str
    trial: str
    party: SeatedPlayers
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


@dataclass(frozen=True)
class UseCamera:
    """Use this camera, a value of ``--camera``."""

    source: str


@dataclass(frozen=True)
class InviteTables:
    """Let other tables come in; the app answers with ``FarTold``."""

    game: StartGame
    broker: bool
    """Over the pasted broker; else in the same network."""


@dataclass(frozen=True)
class JoinTable:
    """Ask the host of the pasted invitation to let this table's players in."""

    game: StartGame
    """With the players at this table; the host chooses the game."""


FarAction = InviteTables | JoinTable | Request

Action = (
    Request
    | StartGame
    | ResumeGame
    | KeepPlayer
    | TakeChoice
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
    | InviteTables
    | JoinTable
)
