"""A game at several tables as the screens know it: how the meeting stands, and its page's requests."""

from __future__ import annotations

from dataclasses import dataclass

from armoon.games.options import GameOptions


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
