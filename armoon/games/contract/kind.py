"""What a game must fill to be played here, and all that the rest of the house may ask of one."""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar, final

from armoon.camera.seat import Seat
from armoon.engine.events import Happened, Noticed, Output, TableTurned
from armoon.engine.intake import Intake, Record
from armoon.engine.keeper import Keeper
from armoon.engine.match import Match
from armoon.engine.picture import as_turned, watch_warning
from armoon.engine.records import records_of
from armoon.engine.setup import TableSetup
from armoon.engine.turntable import click_between
from armoon.games import GAMES, game_options
from armoon.games.news import News
from armoon.games.options import GameOptions
from armoon.games.shared.rulebook import RuleBook
from armoon.games.shared.seating import Beginner
from armoon.geometry import CameraModel
from armoon.messages import text
from armoon.saves.game_file import SavedGame
from armoon.sound.cues import CueKind, SoundCue
from armoon.values.acts import Act
from armoon.values.drawing import Drawing
from armoon.values.intents import Command
from armoon.values.pieces import Base, LadderSet
from armoon.values.poses import Pose
from armoon.values.scene import Scene

if TYPE_CHECKING:
    from armoon.settings.options import PlayOptions
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
        """Give everything back."""
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
        """How many turns have been played to their end."""
        turn, _ = self.match.on_turn
        return max(0, turn - 1)

    @property
    def asks_for_roll(self) -> bool:
        """A click anywhere rolls the die."""
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
        """Return the picture as it is seen, however the table is turned."""
        return as_turned(self.scene(fraction, banner), self.match.home_from_table(fraction))

    @final
    def clicks(self, output: Output) -> tuple[SoundCue, ...]:
        """Return the clicks of a table that turns."""
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
