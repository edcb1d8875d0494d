"""The form of any game's trials: tasks for one player, and results."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Trial:
    """One task, in the players' language."""

    name: str
    """Name as typed and kept."""
    group: str
    """Heading of its kind."""
    about: str
    """What its kind asks, in a sentence or two."""
    title: str
    asked: tuple[str, str, str]
    """What bronze, silver and gold ask."""


@dataclass(frozen=True)
class Trials:
    """All that a game has."""

    trials: tuple[Trial, ...] = ()
    """Those of a group together."""
    troubles: tuple[str, ...] = ()
    """A sentence for each that can't be used."""


@dataclass(frozen=True)
class Best:
    """The best that a player has done in a trial."""

    player: str
    score: str
    """In the players' language."""
    medal: str = ""
    """``"bronze"``, ``"silver"`` or ``"gold"``; empty: none."""
    date: str = ""
    """ISO 8601."""
    game: str = ""
    """The saved game."""
