"""What a game must fill to be played here, and all that the rest of the house may ask of one."""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar, final

from armoon.broadcast.happenings import Happening, Standing
from armoon.engine.events import Began, Happened, Noticed, Output, TableTurned
from armoon.engine.intake import Intake, Record
from armoon.engine.keeper import Recorder
from armoon.engine.match import Match
from armoon.engine.picture import as_turned, watch_warning
from armoon.engine.records import records_of
from armoon.engine.setup import TableSetup
from armoon.engine.stopwatch import Stopwatch
from armoon.engine.turntable import click_between
from armoon.games import GAMES, game_options
from armoon.games.contract.choosing import Choosable
from armoon.games.contract.on_air import plain_began, plain_standing
from armoon.games.news import GuideFacts, News
from armoon.games.options import GameOptions
from armoon.games.shared.rulebook import RuleBook
from armoon.games.shared.seating import Beginner
from armoon.geometry import CameraModel
from armoon.messages import text
from armoon.players.sight import Sight
from armoon.saves.game_file import SavedGame
from armoon.sound.cues import CueKind, SoundCue
from armoon.values.pieces import Base, LadderSet
from armoon.values.poses import Pose, Vec3
from armoon.values.scene import Scene

if TYPE_CHECKING:
    from armoon.settings.options import PlayOptions
    from armoon.view.scene.board import Backdrop, Board

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


class Game(Choosable, ABC, Generic[AnyMatch]):
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

    @final
    @property
    def stopwatch(self) -> Stopwatch:
        """Where the time of its phases is added up."""
        return self.match.stopwatch

    @final
    @property
    def opening(self) -> Output:
        """What came out before the first frame of the loop."""
        return self.match.opening

    @final
    @property
    def tick(self) -> int:
        """How many ticks have been played."""
        return self.match.tick

    @final
    @property
    def over(self) -> bool:
        """The rules have ended it."""
        return self.match.over

    @final
    @property
    def at_rest(self) -> bool:
        """Nothing on the table moves."""
        return self.match.at_rest

    @final
    @property
    def holding(self) -> bool:
        """A hand carries something, and points at nothing."""
        return self.match.holding

    @final
    @property
    def offered(self) -> Vec3 | None:
        """Where what can be taken is seen: a device's grip begins at its depth."""
        return self.match.offered_at_home

    def advance(self, intake: Intake) -> Output:
        """Phases 2 to 4 of one frame of the loop."""
        output = self.match.advance(intake)
        for noticed in output.of(Noticed):
            self.say(text(noticed.key))
        return output

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
    def on_glass(self, banner: str) -> str:
        """Return the line over the picture: the app's banner, a second hand's warning, or the last sentence."""
        fresh = self.match.tick - self._said_at <= SAID_TICKS
        return banner or watch_warning(self.match) or (self._said if fresh else "")

    @property
    def turns_played(self) -> int:
        """How many turns have been played to their end."""
        turn, _ = self.match.on_turn
        return max(0, turn - 1)

    def judged(self, output: Output) -> bool:
        """Something was judged that players may want to see once more."""
        return False

    @property
    def can_undo(self) -> bool:
        """There is a turn to put back."""
        return True

    def cues(self, output: Output) -> tuple[SoundCue, ...]:
        """Return the sounds since the last call, and of what came out."""
        return ()

    def guide_facts(self) -> GuideFacts:
        """How the table stands, for the guided first game."""
        return GuideFacts()

    def sight(self, time_s: float) -> Sight:
        """Return what a player who looks at the screen knows."""
        turn, _ = self.match.on_turn
        return Sight(time_s, turn)

    def happened(self, output: Output) -> tuple[Happening, ...]:
        """Return a frame's happenings for spectators (docs/feed.md)."""
        return (plain_began(self.match),) if output.of(Began) else ()

    def standing(self) -> Standing:
        """How the table stands, as onlookers are told it."""
        return plain_standing(self.match)

    @abstractmethod
    def sentences(self, output: Output) -> list[str]:
        """Return the sentences about a frame's output."""

    @abstractmethod
    def news(self, output: Output, *, over: bool) -> list[News]:
        """Return the screens' events of a frame's output; with ``over``, the result."""

    def recall(self, folder: Path) -> None:
        """Look up in the folder of saved games what was played before; mostly that is nothing to a game."""
        return

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

    name: str
    """The word on the command line, in logs and saves."""

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

    def viewed(self, match: AnyMatch) -> Viewed:
        """Return what a renderer has to know."""
        table = match.table
        return Viewed(table.camera, table.table_from_camera, table.mirrored)

    @abstractmethod
    def rules(self, options: GameOptions, players: int | None = None) -> RuleBook:
        """Return the rules as these options have them, told to players; for any party, where ``players`` is None."""

    # Log and saves ------------------------------------------------------------------------------------------

    def records(self, happened: Happened[Any]) -> Iterable[Record]:
        """Return the lines of an event in the log; most have one, under the event's name."""
        return records_of(happened)

    @abstractmethod
    def recorder(self, match: AnyMatch, path: Path, begun: str, program: str) -> Recorder:
        """Begin the match's saved game. Raises SaveError."""

    @abstractmethod
    def recorder_again(self, match: AnyMatch, saved: SavedGame) -> Recorder:
        """Go on writing a saved game. Raises SaveError."""

    @abstractmethod
    def summary(self, saved: SavedGame) -> Summary:
        """Return a saved game in a line. Raises SaveError where this program can't read it."""

    @abstractmethod
    def story(self, saved: SavedGame) -> tuple[str | Table, ...]:
        """Return a saved game told in the terminal. Raises SaveError."""

    @abstractmethod
    def score_rows(self, saved: SavedGame) -> tuple[tuple[str, ...], list[tuple[object, ...]]]:
        """Return the score for other programs: columns and rows. Raises SaveError."""


def kind_of(name: str) -> GameKind[Any]:
    """Return the game of that name. Raises KeyError where there is none."""
    game_options(name)  # a game may bring its own texts
    kind: GameKind[Any] = import_module(GAMES[name]).KIND
    return kind
