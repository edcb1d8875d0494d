"""A party as the screens know it: its facts, and its page's requests."""

from __future__ import annotations

from dataclasses import dataclass


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
