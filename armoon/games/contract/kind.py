"""What a game must fill to be played here, and all that the rest of the house may ask of one."""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar, final, runtime_checkable

from armoon.camera.profiles import Seat
from armoon.engine.events import Happened, Noticed, Output, TableTurned
from armoon.engine.logbook import Keeper, records_of
from armoon.engine.match import Match
from armoon.engine.picture import as_turned, watch_warning
from armoon.engine.setup import Intake, Record, TableSetup
from armoon.engine.turntable import click_between
from armoon.errors import ArmoonError
from armoon.games import GAMES, game_names, game_options, title_of
from armoon.games.news import BestResult, News, Reviewed, ReviewedTurn, Trials
from armoon.games.options import GameOptions
from armoon.games.shared.rulebook import Moving, RuleBook
from armoon.games.shared.seating import Beginner
from armoon.geometry import CameraModel
from armoon.messages import text
from armoon.players.hand import Mind
from armoon.saves.game_file import SavedGame
from armoon.saves.profiles import Result
from armoon.settings.preferences import PlayOptions
from armoon.sound.cues import CueKind, SoundCue
from armoon.values.acts import Act
from armoon.values.page import Drawing
from armoon.values.pieces import Base, Command, LadderSet
from armoon.values.poses import Pose, Vec3
from armoon.values.scene import Scene, ScenePiece

if TYPE_CHECKING:
    from armoon.settings.preferences import PlayOptions
    from armoon.view.scene.board import Backdrop, Board
    from armoon.view.scene.scenery import Scenery


#: How long a sentence stays over the picture, in ticks of 1/60 s.
SAID_TICKS = 150
AnyMatch = TypeVar("AnyMatch", bound=Match)


@dataclass(frozen=True)
class Viewed:
    """What a renderer has to know of a game before the first scene."""

    camera: CameraModel
    table_from_camera: Pose
    mirrored: bool
    ladders: LadderSet | None = None
    base: Base | None = None
    bodies: Callable[[], Board] | None = None
    """Makes what draws the game's own bodies, with a current context; None: ladders and base are all."""
    line_m: float = 0.0
    """A lid stands upright beside the base, and its upper edge is this high: a team's height line; 0: none."""
    backdrop: Callable[[], Backdrop] | None = None
    """A function that makes the backdrop behind the table, with a current context."""
    lid: bool = True
    socle: bool = False
    """Whether a lid lies beside the base, and whether that is of wood."""
    scenery: Callable[[], Scenery] | None = None
    """A function that gives what is around the game where no camera looks."""

    @classmethod
    def of(cls, table: TableSetup | Seat) -> Viewed:
        """Return the view of a match's table, or from a seat, without ladders, bodies and backdrop."""
        return cls(table.camera, table.table_from_camera, table.mirrored)


@dataclass(frozen=True)
class Summary:
    """A saved game in a line."""

    players: tuple[str, ...]
    turn: int
    """The turn under way, or the last one."""
    over: bool
    options: GameOptions
    """What it is played with."""
    edition: str = ""
    """Where the game has editions."""


@dataclass(frozen=True)
class Table:
    """A table for the terminal: rows of words under columns, which are keys below ``games.column``."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ""


@dataclass(frozen=True)
class Checked:
    """What a log's own lines say, checked where its hands can't be stepped to the same bits."""

    counted: int = 0
    """Number of lines of the counted kind that follow from the moves by the rules."""
    structures: int = 0
    """Number of structures whose contacts and rest are as logged."""
    fault: str = ""
    """What doesn't hold; empty: all does."""


@dataclass(frozen=True)
class Lines:
    """What a game's log consists of."""

    of: Callable[[Happened[Any]], Iterable[Record]] = records_of
    """Gives the lines of an event; most have one, under the event's name."""
    counted: str = "event"
    """The kind of line by which a log's length is told."""
    check: Callable[[Any, Iterable[Record]], Checked] | None = None
    """Checks a match's lines one by one, for a log of another build of the physics; None: none depends on it."""


@dataclass(frozen=True)
class Saves:
    """A game's saved games, written and read; each raises SaveError where that can't be."""

    begin: Callable[[Any, Path, str, str], Keeper]
    """Begins a match's saved game, by its path, the time and the program's version."""
    resume: Callable[[Any, SavedGame], Keeper]
    """Goes on writing a match's saved game."""
    summary: Callable[[SavedGame], Summary]
    """Tells one in a line."""
    story: Callable[[SavedGame], tuple[str | Table, ...]]
    """Tells one in the terminal."""
    score_rows: Callable[[SavedGame], tuple[tuple[str, ...], list[tuple[object, ...]]]]
    """Gives the score for other programs: columns and rows."""


class Game(ABC, Generic[AnyMatch]):
    """A game in progress with its words, pictures and sounds: intakes in, everything that is shown out."""

    def __init__(self, match: AnyMatch) -> None:
        self.match: AnyMatch = match
        self._said = ""
        self._said_at = 0
        self._clicked_rad = match.turned_rad
        self.replayed = False
        """The input is a log's: bots don't have to think."""
        self.offers = False
        """A player chooses and confirms: ``choices`` is wanted."""

    def advance(self, intake: Intake) -> Output:
        """Phases 2 to 4 of one frame of the loop."""
        output = self.match.advance(intake)
        for noticed in output.of(Noticed):
            self.say(text(noticed.key))
        return output

    @final
    def finish(self) -> Output:
        """Close the match; the last events come out."""
        return self.match.finish()

    def close(self) -> None:
        self.match.close()

    @final
    def say(self, sentence: str) -> None:
        """Show a sentence over the picture for a while."""
        self._said, self._said_at = sentence, self.match.tick

    @final
    def unsay(self, sentence: str) -> None:
        """Take it off the picture, if it is what is shown: it is so no longer."""
        self._said = "" if self._said == sentence else self._said

    @final
    def on_glass(self, banner: str) -> str:
        """Return the line over the picture: the app's banner, a second hand's warning, or the last sentence."""
        fresh = self.match.tick - self._said_at <= SAID_TICKS
        return banner or watch_warning(self.match) or (self._said if fresh else "")

    @property
    def turns_played(self) -> int:
        turn, _ = self.match.on_turn
        return max(0, turn - 1)

    @property
    def asks_for_roll(self) -> bool:
        return False

    def act(self, act: Act) -> tuple[Command, ...]:
        """Return the game's own commands for an act; usually none."""
        return ()

    def lit_move(self) -> str:
        """Return in words the listed move that taking would play now; empty where none is lit."""
        return ""

    @abstractmethod
    def sentences(self, output: Output) -> list[str]:
        """Return the sentences about a frame's output."""

    @abstractmethod
    def news(self, output: Output, *, over: bool) -> list[News]:
        """Return the screens' events of a frame's output; with ``over``, the result."""

    @final
    def seen(self, fraction: float, banner: str) -> Scene:
        return as_turned(self.scene(fraction, banner), self.match.home_from_table(fraction))

    @final
    def clicks(self, output: Output) -> tuple[SoundCue, ...]:
        ways = [self._clicked_rad, *(turned.turned_rad for turned in output.of(TableTurned))]
        self._clicked_rad = ways[-1]
        passed = any(click_between(a, b) for a, b in itertools.pairwise(ways))
        return (SoundCue(CueKind.CLICK, 0.3),) if passed else ()

    @abstractmethod
    def scene(self, fraction: float, banner: str) -> Scene:
        """Phase 5: the picture as a value, table frame, ``fraction`` of the way from the last tick to the next."""


class GameKind(ABC, Generic[AnyMatch]):
    """One game of the house. Made without importing what only a game in progress needs."""

    # Beginning ----------------------------------------------------------------------------------------------

    @abstractmethod
    def new(self, table: TableSetup, options: PlayOptions, first: Beginner, *, on_time: bool) -> AnyMatch:
        """Return a new match with these players. ``on_time``: in real time. Raises ArmoonError."""

    @abstractmethod
    def resumed(
        self, table: TableSetup, options: PlayOptions, saved: SavedGame, *, on_time: bool
    ) -> AnyMatch:
        """Return a saved match that goes on. Raises SaveError where this program can't."""

    @abstractmethod
    def logged(self, header: Record) -> AnyMatch:
        """Return the match that a log's header describes. Raises an ArmoonError, KeyError, TypeError or ValueError."""

    @abstractmethod
    def game(self, match: AnyMatch, *, on_time: bool = False) -> Game[Any]:
        """Return the match with its words and pictures. ``on_time``: bots think in processes of their own."""

    @abstractmethod
    def rules(self, options: GameOptions, players: int | None = None) -> RuleBook:
        """Return the rules as these options have them, told to players; for any party, where ``players`` is None."""

    # Log and saves ------------------------------------------------------------------------------------------

    lines: Lines = Lines()
    saves: Saves

    def drawing(self, saved: SavedGame) -> Drawing | None:
        """Return a small picture of what stands in a saved game; None: the game has none. Raises SaveError."""
        return None


def kind_of(name: str) -> GameKind[Any]:
    """Return the game of that name. Raises KeyError where there is none."""
    game_options(name)  # a game may bring its own texts
    kind: GameKind[Any] = import_module(GAMES[name]).KIND
    return kind


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

    def bests(self, trial: str, results: Sequence[Result], folder: Path) -> tuple[BestResult, ...]:
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
