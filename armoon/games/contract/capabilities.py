"""What a kind of game may bring beside the contract; a page or command asks by ``isinstance`` whether it is there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from armoon.camera.seat import Seat
from armoon.engine.intake import Intake
from armoon.engine.match import Match
from armoon.errors import ArmoonError
from armoon.games import game_names, title_of
from armoon.games.contract.kind import Viewed, kind_of
from armoon.games.options import GameOptions
from armoon.games.reviews import Reviewed, ReviewedTurn
from armoon.games.shared.rulebook import Moving
from armoon.games.trials import Best, Trials
from armoon.messages import text
from armoon.players.sight import Mind
from armoon.saves.results import Result
from armoon.settings.options import PlayOptions
from armoon.values.pieces import Base, LadderSet
from armoon.values.poses import Vec3
from armoon.values.scene import ScenePiece


@dataclass(frozen=True)
class BoutResult:
    """How a game of two bots ended."""

    points: float
    """The first one's: 1, 0, or shared."""
    faults: tuple[str, ...] = ()
    """A sentence for each turn that was lost to a fault of a bot's program."""


#: Plays a game of this seed which the first or the second bot begins.
Bout = Callable[[int, int], BoutResult]


@runtime_checkable
class PlaysAlone(Protocol):
    """Its bots play by themselves; its options say so by ``bots`` and ``no_camera``."""

    def bout(self, bots: tuple[str, str]) -> Bout:
        """Return games of these two bots without a picture. Raises ValueError for one that can't play."""

    def play_alone(
        self, own: Any, names: Sequence[str] | None, seed: int, say: Callable[[str], None]
    ) -> None:
        """Play a whole game with its own options, told line by line. ValueError with a sentence where that can't be."""


@runtime_checkable
class Demo(Protocol):
    """It plays its demo."""

    def mind(self, match: Any, options: PlayOptions) -> Mind:
        """Return who plays the demo."""

    def demo_seed(self) -> int | None:
        """Return the seed of the demo that shows most; None: none was looked for."""


@runtime_checkable
class Practice(Protocol):
    """It can be practised, which its options say by ``Feature.PRACTICE``."""

    def practice(self, options: PlayOptions, figure: str = "") -> PlayOptions:
        """Return the options of a game in which nothing counts.

        It begins with a ``figure`` of the game's picture book, where it has one.
        """


@runtime_checkable
class Review(Protocol):
    """It can say how good the turns of a logged match were."""

    def review(
        self,
        match: Any,
        intakes: Iterable[Intake],
        tell: Callable[[ReviewedTurn], object],
        think_s: float,
    ) -> Reviewed:
        """Step a logged match, and tell how good each turn was as soon as that is known. Raises ArmoonError."""


@runtime_checkable
class Tasks(Protocol):
    """It has trials: tasks for one player alone."""

    def trials(self) -> Trials:
        """Return what one can be tried in alone, today."""

    def trial_options(self, name: str, options: GameOptions) -> GameOptions:
        """Return the options of that trial's game, beside what the players chose. ValueError for an unknown one."""

    def bests(self, trial: str, results: Sequence[Result], folder: Path) -> tuple[Best, ...]:
        """Return every player's best in it, the best first, of results borne out by the folder's saved games."""


@runtime_checkable
class Ranks(Protocol):
    """A team's score has a name."""

    def chart(self) -> tuple[tuple[int, str], ...]:
        """Return the ranks, in the players' language, with the least that reaches each."""

    def rank(self, score: int) -> str:
        """Return what a team's score is called, in the players' language."""


@runtime_checkable
class Editions(Protocol):
    """It comes in editions and house variants that have names."""

    def edition(self, name: str) -> str:
        """Return an edition's name as players read it."""

    def variant(self, variant: str) -> str:
        """Return the house options of a kept result, in the players' language."""

    def rule_variants(self, options: GameOptions) -> tuple[GameOptions, ...]:
        """Return options whose rules are worth reading apart, such as editions; all else as in ``options``."""


@runtime_checkable
class GuidePictures(Protocol):
    """The guided first game is played in it, with pictures."""

    def shown(self, step: str) -> Moving | None:
        """Return what is shown with a step; None: nothing."""


@runtime_checkable
class Furnished(Protocol):
    """More of it stands on the table, or behind it, than every picture has."""

    def viewed(self, match: Any) -> Viewed:
        """Return what a renderer has to know."""


@runtime_checkable
class BareTable(Protocol):
    """Something of it stands on the table before the game is set."""

    def bare(self, seat: Seat, options: PlayOptions) -> Viewed:
        """Return what a renderer has to know while a real table is being found."""


def viewed_of(match: Match) -> Viewed:
    """Return what a renderer has to know of a match: what its game brings, or the empty table."""
    kind = kind_of(match.game)
    return kind.viewed(match) if isinstance(kind, Furnished) else Viewed.of(match.table)


def bare_table(kind: object, seat: Seat, options: PlayOptions) -> Viewed:
    """Return what is shown of a game while a real table is being found: what it brings, or the empty table."""
    return kind.bare(seat, options) if isinstance(kind, BareTable) else Viewed.of(seat)


def reviewer(game: str) -> Review:
    """Return the kind of game that can review its logs. Raises ArmoonError where this one can't."""
    kind = kind_of(game)
    if not isinstance(kind, Review):
        raise ArmoonError(text("review.none", game=title_of(game)), remedy=text("review.none_remedy"))
    return kind


def editions_of(game: str, options: GameOptions) -> tuple[GameOptions, ...]:
    """Return the options of each of a game's books of rules; all else is as in ``options``."""
    kind = kind_of(game)
    return kind.rule_variants(options) if isinstance(kind, Editions) else (options,)


@dataclass(frozen=True)
class Leaf:
    """What stands on a page of the book."""

    ladders: LadderSet
    base: Base
    pieces: tuple[ScenePiece, ...]
    contacts: tuple[Vec3, ...] = ()
    """Where the pieces touch, table frame, metres."""


@runtime_checkable
class PictureBook(Protocol):
    """A kind of game that has a picture book."""

    @property
    def figures(self) -> tuple[str, ...]:
        """The pages in their order, by the names of their texts below ``figure``."""

    def leaf(self, number: int) -> Leaf:
        """Return what stands on a page; the first is 0."""


def picture_book() -> PictureBook:
    """Return the book of the first game that has one. Raises StopIteration where none has."""
    kinds = (kind_of(name) for name in game_names())
    return next(kind for kind in kinds if isinstance(kind, PictureBook))
