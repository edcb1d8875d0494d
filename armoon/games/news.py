"""News of games for the screens: verdict, final, result, open choices, the guided first game, and what can go on."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from pathlib import Path

from armoon.games.options import GameOptions
from armoon.values.page import Drawing, Rgb


@dataclass(frozen=True)
class ScoreLine:
    """One player as result and verdict show them."""

    name: str
    tears: int
    colours: tuple[Rgb, ...] = ()
    """Those that were played."""
    winner: bool = False
    out: bool = False
    note: str = ""
    """What else is to be said of them, such as how many figures they have made."""
    place: int = 0
    """1 for the winner, and for players who share the victory; 0 for unplaced ones."""


@dataclass(frozen=True)
class VerdictNews:
    """The referee has judged; texts are in the player's language. ``stop``: show the page at once."""

    sentence: str
    evidence: tuple[str, ...] = ()
    figure: str = ""
    good: bool | None = None
    stop: bool = True


@dataclass(frozen=True)
class FinalNews:
    """These players go into the final (ruling E4)."""

    names: tuple[str, ...]
    optional: bool = False
    """They may share the victory instead."""


@dataclass(frozen=True)
class ResultNews:
    """The game is over."""

    sentence: str
    lines: tuple[ScoreLine, ...]
    why: str = ""
    """Why the game ended; a team's rank, medals."""
    more: tuple[str, ...] = ()
    """What else is worth telling: why a tie was none, the highest ladder, figures."""
    score: int | None = None


@dataclass(frozen=True)
class GuideFacts:
    """The facts about the table that the guide's steps depend on, as the app sees them now."""

    hand_seen: bool = False
    pinching: bool = False
    offered: bool = False
    held: bool = False
    over_base: bool = False
    touching: int = 0
    settling: bool = False
    judged: bool = False
    """A verdict has been spoken since the ladder was let go of."""
    stands: bool = False
    """... and it was not against the ladder."""
    hinted: bool = False
    """A place where the ladder would hold is shown."""
    good: bool | None = None
    """Whether the held ladder would hold and honour the die if it was let go of; None where that isn't known."""
    waits: bool = False
    turned: bool = False
    """The table stands otherwise than when the game began."""


News = VerdictNews | FinalNews | ResultNews


@dataclass(frozen=True)
class ReviewedTurn:
    """One turn, in the players' language."""

    number: int
    seat: int
    done: float
    best: float
    """The same of the safest that was found."""
    ok: bool
    line: str


@dataclass(frozen=True)
class Reviewed:
    """The result of a review."""

    turning: str = ""
    """Where the game turned, as a sentence."""
    turned: int | None = None
    picture: str = ""
    """The curve over the game, as SVG."""


@dataclass(frozen=True)
class TrialNews:
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


#: Those that a game has, those of a group together, and a sentence for each that can't be used.
Trials = tuple[tuple[TrialNews, ...], tuple[str, ...]]


@dataclass(frozen=True)
class BestResult:
    """The best that a player has done in a trial."""

    player: str
    score: str
    """In the players' language."""
    medal: str = ""
    """``"bronze"``, ``"silver"`` or ``"gold"``; empty: none."""
    date: str = ""
    """ISO 8601."""
    game: str = ""


@dataclass(frozen=True)
class Unfinished:
    """A game that can go on."""

    path: Path
    game: str
    players: tuple[str, ...]
    options: GameOptions
    turn: int
    played: datetime.date
    drawing: Drawing | None = None
