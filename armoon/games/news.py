"""News from games for the screens: verdicts, finals, results, reviews, trials and unfinished games."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from pathlib import Path

from armoon.games.options import GameOptions
from armoon.values.page import Drawing, Rgb


@dataclass(frozen=True)
class ScoreLine:
    """A player's line on the result and verdict pages."""

    name: str
    tears: int
    colours: tuple[Rgb, ...] = ()
    """The colours that the player plays."""
    winner: bool = False
    out: bool = False
    note: str = ""
    """Further information, such as the number of figures made."""
    place: int = 0
    """Rank, 1 for all winners; 0 without ranks."""


@dataclass(frozen=True)
class VerdictNews:
    """A verdict, in the players' language."""

    sentence: str
    evidence: tuple[str, ...] = ()
    figure: str = ""
    good: bool | None = None


@dataclass(frozen=True)
class FinalNews:
    """The players who reach the final (ruling E4)."""

    names: tuple[str, ...]
    optional: bool = False
    """Whether they can share the victory instead."""


@dataclass(frozen=True)
class ResultNews:
    sentence: str
    lines: tuple[ScoreLine, ...]
    why: str = ""
    """Why the game ended, a team's rank, or a trial's medal."""
    more: tuple[str, ...] = ()
    """Further information, such as a tie-break, the highest ladder and figures."""
    score: int | None = None


@dataclass(frozen=True)
class GuideFacts:
    """State of the table that the guide's steps depend on."""

    hand_seen: bool = False
    pinching: bool = False
    offered: bool = False
    held: bool = False
    over_base: bool = False
    touching: int = 0
    settling: bool = False
    judged: bool = False
    """Whether the referee has judged the turn since the ladder was released."""
    stands: bool = False
    """Whether the ladder passed that verdict."""
    hinted: bool = False
    """Whether the picture shows a place where the ladder would stand."""
    good: bool | None = None
    """Whether the held ladder would stand and match the die if released now; None if unknown."""
    waits: bool = False
    turned: bool = False
    """Whether the table is turned away from its initial rotation."""


News = VerdictNews | FinalNews | ResultNews


@dataclass(frozen=True)
class TurnReview:
    """The quality of one turn, in the players' language."""

    number: int
    seat: int
    safety: float
    """Safety of the played move, 0 to 1."""
    best: float
    """Safety of the safest move found."""
    ok: bool
    line: str


@dataclass(frozen=True)
class Review:
    summary: str = ""
    """A sentence about the turning point of the game."""
    turning_turn: int | None = None
    picture: str = ""
    """Curve of the turns' safety as SVG."""


@dataclass(frozen=True)
class BestResult:
    """A player's best result in a trial."""

    player: str
    score: str
    """In the players' language."""
    medal: str = ""
    """``"bronze"``, ``"silver"``, ``"gold"`` or empty."""
    date: str = ""
    """ISO 8601."""
    game: str = ""


@dataclass(frozen=True)
class TrialNews:
    """A trial, in the players' language."""

    game: str
    name: str
    """Name on the command line and in files."""
    group: str
    """Heading of its group."""
    about: str
    """One or two sentences about the group's task."""
    title: str
    goals: tuple[str, str, str]
    """Scores for bronze, silver and gold."""
    bests: tuple[BestResult, ...] = ()
    """Each player's best result that saved games confirm, best first."""


@dataclass(frozen=True)
class Trials:
    """Trials, ordered by group, and a sentence about each trial that can't be used."""

    lines: tuple[TrialNews, ...] = ()
    troubles: tuple[str, ...] = ()


@dataclass(frozen=True)
class UnfinishedGame:
    """A saved game that can be continued."""

    path: Path
    game: str
    players: tuple[str, ...]
    options: GameOptions
    turn: int
    played: datetime.date
    drawing: Drawing | None = None
