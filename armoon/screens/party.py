"""A party as the screens know it: its facts, and its page's requests."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass, replace

from armoon.games.options import GameOptions
from armoon.games.shared.seating import SEAT_COLOURS, Seat
from armoon.values.choices import HandPreference
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
class EndParty:
    """The server is closed: phones see nothing any more."""


@dataclass(frozen=True)
class RecordPeople:
    """Record the picture with the people before the camera, or no more."""

    on: bool


@dataclass(frozen=True)
class OpenPage:
    """Open one of the party's pages in this machine's browser."""

    page: str


OnAirAction = BeginParty | EndParty | RecordPeople | OpenPage


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
    def seat(self) -> Seat:
        """What the rules have to know to find who begins."""
        return Seat(self.name, self.full_moon, self.born)


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
