"""A trial's task: the ladders dealt, the start, and the player's progress (ruling P1)."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from armoon.games.moon.rules.values import Die, PieceId
from armoon.values.choices import Word
from armoon.values.poses import PoseRow


class TaskKind(Word):
    """The kinds of trials, in the order in which they are offered."""

    TODAY = "today"
    """As high as possible with what the date deals to everybody."""
    HIGHEST = "highest"
    """As high as possible with ten ladders."""
    DROPS = "drops"
    """Up to a height with as few ladders as possible."""
    PLACE = "place"
    """These ladders, each as its die asks."""
    ASLANT = "aslant"
    """These ladders, of which those count that rise."""
    FINISH = "finish"
    """A tower that was begun before the game."""
    ENDLESS = "endless"
    """As many as possible until too much has gone wrong, or the box is empty."""


class Counts(enum.Enum):
    """The quantity that a trial's score counts."""

    HEIGHT = "height"
    """The most millimetres that the tower stood high when a ladder was judged."""
    PLACED = "placed"
    """Ladders that were judged, or of them those that rise, less the tears."""
    DROPS = "drops"
    """Ladders let go of until the goal was reached; fewer are better."""


#: What is counted in each kind.
COUNTED = {
    TaskKind.TODAY: Counts.HEIGHT,
    TaskKind.HIGHEST: Counts.HEIGHT,
    TaskKind.DROPS: Counts.DROPS,
    TaskKind.PLACE: Counts.PLACED,
    TaskKind.ASLANT: Counts.PLACED,
    TaskKind.FINISH: Counts.PLACED,
    TaskKind.ENDLESS: Counts.PLACED,
}
#: Maximum height of a goal, in millimetres.
HIGHEST_MM = 1000
#: Ladders that stand in the slots whatever the task.
SLOTTED = ("L01", "L02")


class Medal(Word):
    """The medal for a score, the best last."""

    BRONZE = "bronze"
    SILVER = "silver"
    GOLD = "gold"


@dataclass(frozen=True)
class Task:
    """All that the rules know of a trial. Raises ValueError with a sentence where its parts don't go together."""

    name: str
    kind: TaskKind
    deal: tuple[PieceId, ...]
    """The supply, the first ladder first."""
    faces: tuple[Die, ...]
    """The die turn by turn, from the first again when they are used up."""
    tears: int
    medals: tuple[int, int, int]
    """The scores for bronze, silver and gold; the most for each where fewer are better, else the least."""
    goal_m: float | None = None
    """How high the tower has to come, above the table; None: the kind has no such goal."""
    standing: tuple[tuple[PieceId, PoseRow], ...] = ()
    """What stands besides the ladders in the slots when it begins."""
    honoured: bool = False
    """A height counts only by a ladder that stands as its die asks; False in logs and saves from before that."""

    def __post_init__(self) -> None:
        pieces = [*SLOTTED, *(piece for piece, _ in self.standing), *self.deal]
        known = {f"L{n:02d}" for n in range(1, 31)}
        if not self.deal or not self.faces or self.tears < 1:
            raise ValueError("ladders, faces and tears are at least one")
        if not set(pieces) <= known or len(set(pieces)) != len(pieces):
            raise ValueError("a ladder is unknown or named twice")
        if (self.goal_m is not None) is not (self.kind is TaskKind.DROPS):
            raise ValueError("a goal belongs to the fewest drops, and to them alone")
        if list(self.medals) != sorted(self.medals, reverse=self.fewer) or min(self.medals) < 1:
            raise ValueError("bronze, silver and gold don't follow each other")
        if self.counts is Counts.PLACED and self.medals[-1] > len(self.deal):
            raise ValueError("gold asks for more ladders than are dealt")
        if self.goal_m is not None and not 0.05 < self.goal_m < 1.0:
            raise ValueError("a goal is between 0.05 and 1 m")

    @property
    def counts(self) -> Counts:
        """What its score counts."""
        return COUNTED[self.kind]

    @property
    def fewer(self) -> bool:
        """Fewer are better."""
        return self.counts is Counts.DROPS

    def face_of(self, turn: int) -> Die:
        """Return the die of that turn, counted from 1."""
        return self.faces[(turn - 1) % len(self.faces)]

    def better(self, score: int, other: int) -> bool:
        """Whether a score beats another."""
        return score < other if self.fewer else score > other

    def medal_of(self, score: int | None) -> Medal | None:
        """Return the medal of a score, or None."""
        reached = [
            medal
            for medal, asked in zip(Medal, self.medals, strict=True)
            if score is not None and (score == asked or self.better(score, asked))
        ]
        return reached[-1] if reached else None

    def score_of(self, *, turn: int, tears: int, top_m: float, risen: int = 0) -> int | None:
        """Return the score in that turn with this many tears taken; None while the goal isn't reached.

        ``risen``: how many of the ladders rise.
        """
        if self.kind is TaskKind.ASLANT:
            return max(0, risen - tears)
        if self.counts is Counts.HEIGHT:
            return round(top_m * 1000.0)
        if self.counts is Counts.PLACED:
            return max(0, turn - 1 - tears)
        return turn - 1 if self.reached(top_m) else None

    def possible(self, score: int) -> bool:
        """Whether a game of this task can end with that score: a file of results may have been edited."""
        most = HIGHEST_MM if self.counts is Counts.HEIGHT else len(self.deal)
        return 0 < score <= most

    def reached(self, top_m: float) -> bool:
        """Return whether the tower is as high as the goal."""
        return self.goal_m is not None and top_m >= self.goal_m
