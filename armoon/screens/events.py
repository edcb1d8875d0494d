"""States that the app sets for the pages, and requests from the screens to the app."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import TypeVar

from armoon.games.news import Review, TurnReview, UnfinishedGame
from armoon.games.options import GameOptions
from armoon.games.shared import SEAT_COLOURS, FirstPlayer
from armoon.values import player_settings
from armoon.values.acts import Act, KeyMap
from armoon.values.choices import CameraWay, HandPreference, SeatName
from armoon.values.look import rgb
from armoon.values.page import Rgb
from armoon.values.player_settings import NO_HANDICAP, NO_OVERRIDES, Handicap, Movement, PlayerSettings


@dataclass(frozen=True)
class PartyState:
    """State of a party, in which guests watch and vote."""

    is_on: bool = False
    is_on_lan: bool = False
    join_address: str = ""
    qr_code: tuple[str, ...] = ()
    """Rows of the QR code of ``join_address``, with "1" for a dark module."""
    guest_count: int = 0
    best_guessers: tuple[tuple[str, int], ...] = ()
    """Names and points."""
    is_recording_people: bool = False
    """Whether the picture with the people in front of the camera is being recorded."""
    always_records_people: bool = False
    """Whether a command-line option started the recording, so that the page can't stop it."""
    error: str = ""
    fingerprint: str = ""
    tables_qr_code: tuple[str, ...] = ()
    """QR code of the page that explains to onlookers how to join with their own table."""


@dataclass(frozen=True)
class RemoteTablesStatus:
    """State of the connection to other tables before a game."""

    invitation: str = ""
    tables: tuple[tuple[str, ...], ...] = ()
    """The players of each table that has joined."""
    asked_host: str = ""
    note: str = ""
    """A sentence about the connection, such as why the game hasn't begun."""
    pasted: str = ""
    """Host of the pasted invitation or broker."""
    is_invitation_pasted: bool = False
    is_public_broker: bool = False
    """Whether ``pasted`` is one of the offered public brokers."""
    is_searching: bool = False
    found_tables: tuple[str, ...] = ()
    """The players of each table found on the local network."""
    join_request: tuple[str, str] | None = None
    """The players who ask to join, and the digits that both tables compare."""
    is_copied: bool = False
    error: str = ""


#: A player's colour, as an index or as RGB.
Colour = TypeVar("Colour", int, Rgb)
#: Names for players without one.
SPARE_NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eva", "Finn")
COLOURS: tuple[Rgb, ...] = tuple(map(rgb, SEAT_COLOURS))


@dataclass(frozen=True)
class FormPlayer:
    """A player on the form, or one with a saved profile."""

    name: str
    colour: int
    hand: HandPreference = HandPreference.EITHER
    born: datetime.date | None = None
    full_moon: datetime.date | None = None
    handicap: Handicap = NO_HANDICAP
    movement: Movement = player_settings.USUAL_MOVEMENT
    habits: PlayerSettings = NO_OVERRIDES
    bot: str = ""


def seat_players(names: Sequence[str], known: Sequence[FormPlayer] = ()) -> tuple[FormPlayer, ...]:
    """Return players with their known settings; the later of two players with the same colour gets another one."""
    by_name = {player.name: player for player in known}
    wanted = [by_name[name].colour if name in by_name else None for name in names]
    return tuple(
        replace(by_name.get(name, FormPlayer(name, colour)), colour=colour)
        for name, colour in zip(names, choose_distinct(wanted, range(len(COLOURS))), strict=True)
    )


def choose_distinct(wanted: Sequence[Colour | None], offered: Sequence[Colour]) -> Iterator[Colour]:
    """Yield the wanted values, with an unused offered value for each missing or repeated one."""
    chosen = [None if value in wanted[:k] else value for k, value in enumerate(wanted)]
    free = (value for value in offered if value not in chosen)
    for k, value in enumerate(chosen):
        yield next(free, offered[k % len(offered)]) if value is None else value


@dataclass(frozen=True)
class HighScores:
    """A game's ranks and best results."""

    chart: tuple[tuple[int, str], ...] = ()
    """Minimum score and name of each rank."""
    best: tuple[tuple[str, int, str], ...] = ()
    """Names, points and note of each result."""


@dataclass(frozen=True)
class ReviewState:
    """State of the review of a finished game."""

    turns: tuple[TurnReview, ...] = ()
    total: int = 0
    is_done: bool = False
    turning: str = ""
    """A sentence about the turning point of the game."""
    turned: int | None = None
    """Number of the turn at the turning point; None: there was none."""
    picture: str = ""
    error: str = ""
    saved_text: str = ""
    """The sentence about the saved picture, if any."""

    def with_news(self, news: int | TurnReview | Review | str) -> ReviewState:
        """Return the review after a message: the number of turns, one turn, the result, or an error text."""
        match news:
            case TurnReview():
                return replace(self, turns=(*self.turns, news))
            case Review():
                return replace(
                    self, is_done=True, turning=news.summary, turned=news.turning_turn, picture=news.picture
                )
            case str():
                return replace(self, is_done=True, error=news)
        return replace(self, total=news)


@dataclass(frozen=True)
class CameraStatus:
    """State of the table's camera, and the available webcams."""

    way: CameraWay = CameraWay.REAL
    source: str = ""
    webcams: tuple[tuple[str, str], ...] = ()
    """Number and name of each webcam."""
    error: str = ""
    seat: SeatName | None = None
    """The usual seat for a newly chosen camera; None: no camera was chosen."""
    should_ask_player: bool = False
    """Whether to ask the player for another camera."""
    pictures: tuple[tuple[str, bytes], ...] = ()
    """Number and picture (JPEG) of each webcam that shares its name with another."""


@dataclass(frozen=True)
class TableSearch:
    """State of the search for the table."""

    hint: str = ""
    error: str = ""
    """A text about the accuracy of the found table."""
    is_pointing: bool = False
    """Whether a player is pointing at the table's corners."""


@dataclass(frozen=True)
class FigureCount:
    """How often and when last a player has built a figure."""

    name: str
    count: int
    last: datetime.date


@dataclass(frozen=True)
class SeatedPlayers:
    """Name, display colour and hand preference of each seat's player."""

    names: tuple[str, ...]
    colours: tuple[Rgb, ...]
    hands: tuple[HandPreference, ...] = ()


class Request(Enum):
    """A request to the app. Requests with a docstring have a value and are sent in an ``Ask``."""

    OPEN_BOOK = auto()
    SAVE_PICTURE = auto()
    SAVE_LANDMARKS = auto()
    OPEN_SCORES = auto()
    OPEN_TRIALS = auto()
    OPEN_REVIEW = auto()
    STOP_REVIEW = auto()
    SAVE_REVIEW = auto()
    TABLE_ACCEPTED = auto()
    UNDO_CORNER = auto()
    SEARCH_AGAIN = auto()
    FIND_CAMERAS = auto()
    BEGIN_TABLES = auto()
    LEAVE_TABLES = auto()
    PASTE_LINK = auto()
    COPY_LINK = auto()
    FIND_TABLES = auto()
    NEXT_BROKER = auto()
    ADMIT_TABLE = auto()
    DECLINE_TABLE = auto()
    END_PARTY = auto()
    LEAVE_GAME = auto()
    CHANGE_SEAT = auto()
    QUIT = auto()
    BEGIN_PARTY = auto()
    """Start a party, on the local network if the value is true."""
    RECORD_PEOPLE = auto()
    """Start or stop recording the picture with the people in front of the camera."""
    OPEN_PAGE = auto()
    """Open one of the party's pages in this machine's browser."""
    WRITE_KIT = auto()
    """Write the paper kit for printing; the value is one of ``armoon.printing.PAPERS``."""
    POINT_AT_CORNERS = auto()
    """Let the players point at the table's corners; the value is the length of its near side, in metres."""
    USE_CAMERA = auto()
    """Use another camera; the value is one that ``--camera`` accepts."""
    TAKE_CHOICE = auto()
    """Take the choice at the table with this name."""
    RESUME_GAME = auto()
    """Resume a saved game, an ``UnfinishedGame``, at the form's seat."""
    SAVE_PLAYER = auto()
    """Save the profile of a ``FormPlayer``."""
    START_PRACTICE = auto()
    """Start practice, in which nothing costs a tear, at the form's seat; the value is a figure's name or empty."""


@dataclass(frozen=True)
class Ask:
    """A request with a value, or an act at the table."""

    request: Request | Act
    value: str | float | bool | FormPlayer | UnfinishedGame = 0


@dataclass(frozen=True)
class StartGame:
    """Start a game with these players."""

    game: str
    party: SeatedPlayers
    options: GameOptions
    seat: SeatName
    begins: FirstPlayer = FirstPlayer()  # noqa: RUF009 - frozen


@dataclass(frozen=True)
class StartTrial:
    """Start a trial for one player."""

    game: str
    trial: str
    party: SeatedPlayers
    seat: SeatName


@dataclass(frozen=True)
class ChangeSetting:
    """Change the named field of ``Preferences``."""

    name: str
    value: str | float | bool | KeyMap


@dataclass(frozen=True)
class InviteTables:
    """Invite other tables; the app answers with ``RemoteTablesStatus``."""

    game: StartGame
    broker: bool
    """Whether to connect through the pasted broker instead of over the local network."""


@dataclass(frozen=True)
class JoinTable:
    """Ask the host of the pasted invitation, or of a found table, to admit this table's players."""

    game: StartGame
    """This table's players; the host chooses the game."""
    found: int | None = None
    """Number of the found table; None: the pasted invitation."""


RemoteTablesAction = InviteTables | JoinTable | Request

Action = Request | Ask | StartGame | StartTrial | ChangeSetting | InviteTables | JoinTable
