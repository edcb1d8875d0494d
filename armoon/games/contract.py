"""What a game must fill and may bring, and what can be done with any game that fills it."""

from __future__ import annotations

import itertools
import math
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar, final

from armoon.broadcast import happenings
from armoon.broadcast.happenings import SILENT, Happening, Standing, hexed, words
from armoon.camera.profiles import CameraSeat
from armoon.engine.events import MatchBegan, MatchEvent, NoticeShown, Output, TableTurned
from armoon.engine.logbook import SavedGameWriter, records_of
from armoon.engine.match import Match
from armoon.engine.picture import turn_scene, watch_warning
from armoon.engine.setup import Intake, Record, TableSetup
from armoon.engine.turntable import crosses_click
from armoon.errors import ArmoonError
from armoon.games import GAMES, game_names, game_options, title_of
from armoon.games.news import BestResult, GuideFacts, News, Reviewed, ReviewedTurn, Trials
from armoon.games.options import GameOptions
from armoon.games.shared import Beginner, Moving, RuleBook
from armoon.geometry import CameraModel
from armoon.messages import text
from armoon.players.hand import PlayerFactory, Sight
from armoon.saves.game_file import SavedGame
from armoon.saves.profiles import Result
from armoon.settings.preferences import PlayOptions
from armoon.sound.cues import CueKind, SoundCue
from armoon.values.acts import Act, Feature
from armoon.values.choices import Device
from armoon.values.page import Drawing
from armoon.values.pieces import CARRIED, Base, Command, LadderSet
from armoon.values.places import TableChoice
from armoon.values.poses import Pose, PoseRow, Vec3
from armoon.values.scene import Scene, ScenePiece

if TYPE_CHECKING:
    from armoon.view.scene.board import Backdrop, GameBodies
    from armoon.view.scene.scenery import Scenery


#: How long a sentence stays over the picture, in ticks of 1/60 s.
SAID_TICKS = 150
#: Choices that walk through the listed moves and play the lit one.
_MOVES = {"play": Act.TAKE, "next": Act.RIGHT, "before": Act.LEFT}
AnyMatch = TypeVar("AnyMatch", bound=Match)


@dataclass(frozen=True)
class Viewed:
    """What a renderer has to know of a game before the first scene."""

    camera: CameraModel
    table_from_camera: Pose
    mirrored: bool
    ladders: LadderSet | None = None
    base: Base | None = None
    bodies: Callable[[], GameBodies] | None = None
    """Makes what draws the game's own bodies, with a current context; None: ladders and base are all."""
    line_m: float = 0.0
    """A lid stands upright beside the base, and its upper edge is this high: a team's height line; 0: none."""
    backdrop: Callable[[], Backdrop] | None = None
    """A function that makes the backdrop behind the table, with a current context."""
    lid: bool = True
    socle: bool = False
    """Whether a lid lies beside the base, and whether that is of wood."""
    scenery: Callable[[], Scenery] | None = None

    @classmethod
    def of(cls, table: TableSetup | CameraSeat) -> Viewed:
        return cls(table.camera, table.table_from_camera, table.mirrored)


@dataclass(frozen=True)
class Summary:
    """A saved game in a line."""

    players: tuple[str, ...]
    turn: int
    """The turn under way, or the last one."""
    over: bool
    options: GameOptions
    edition: str = ""
    """Where the game has editions."""


@dataclass(frozen=True)
class TerminalTable:
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
    fault: str = ""


@dataclass(frozen=True)
class Lines:
    """What a game's log consists of."""

    of: Callable[[MatchEvent[Any]], Iterable[Record]] = records_of
    """Gives the lines of an event; most have one, under the event's name."""
    counted: str = "event"
    """The kind of line by which a log's length is told."""
    check: Callable[[Any, Iterable[Record]], Checked] | None = None
    """Checks a match's lines one by one, for a log of another build of the physics; None: none depends on it."""
    rehearsal: Callable[[Any], Callable[[], str]] = lambda match: lambda: ""
    """Returns, for another thread, what returns why a match's structure doesn't stand here; empty: it does."""


@dataclass(frozen=True)
class Saves:
    """A game's saved games, written and read; each raises SaveError where that can't be."""

    begin: Callable[[Any, Path, str, str], SavedGameWriter]
    """Begins a match's saved game, by its path, the time and the program's version."""
    resume: Callable[[Any, SavedGame], SavedGameWriter]
    """Goes on writing a match's saved game."""
    summary: Callable[[SavedGame], Summary]
    """Tells one in a line."""
    story: Callable[[SavedGame], tuple[str | TerminalTable, ...]]
    """Tells one in the terminal."""
    score_rows: Callable[[SavedGame], tuple[tuple[str, ...], list[tuple[object, ...]]]]


#: Plays a game of this seed which the first or the second bot begins: the first one's points (1, 0, or shared), and a
#: sentence for each turn that was lost to a fault of a bot's program.
Bout = Callable[[int, int], tuple[float, tuple[str, ...]]]
#: Begins a match's saved game; None where it isn't kept.
BeginKeeper = Callable[[Match], SavedGameWriter | None]


@dataclass(frozen=True)
class Leaf:
    """What stands on a page of the book."""

    ladders: LadderSet
    base: Base
    pieces: tuple[ScenePiece, ...]
    contacts: tuple[Vec3, ...] = ()
    """Where the pieces touch, table frame, metres."""


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
        output = self.match.advance(intake)
        for noticed in output.events_of(NoticeShown):
            self.say(text(noticed.key))
        return output

    @final
    def finish(self) -> Output:
        return self.match.finish()

    def close(self) -> None:
        self.match.close()

    @final
    def say(self, sentence: str) -> None:
        self._said, self._said_at = sentence, self.match.tick

    @final
    def unsay(self, sentence: str) -> None:
        """Take a sentence off the picture, because it is no longer true."""
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
        return ()

    def lit_move(self) -> str:
        """Return the listed move that taking would play now, in words; empty if none is lit."""
        return ""

    def can_undo(self) -> bool:
        """Return False only if it is known that there is nothing to put back."""
        return True

    def load_best_runs(self, folder: Path) -> None:
        """Look up what was played before in the folder of saved games, if that means something here."""

    def cues(self, output: Output) -> tuple[SoundCue, ...]:
        return ()

    def guide_facts(self) -> GuideFacts:
        return GuideFacts()

    def sight(self, time_s: float) -> Sight:
        """Return what a player who looks at the screen knows, for the demo's player."""
        return Sight(time_s, self.match.on_turn[0])

    # The feed (docs/feed.md) --------------------------------------------------------------------------------

    def happened(self, output: Output) -> tuple[Happening, ...]:
        title, seats = words(lambda: title_of(self.match.game)), plain_seats(self.match)
        began = happenings.FeedBegan(self.match.game, title, SILENT, "above", seats, ())
        return (began,) if output.events_of(MatchBegan) else ()

    def standing(self) -> Standing:
        match, (turn, seat) = self.match, self.match.on_turn
        on_turn = None if match.over else seat
        return Standing(plain_seats(match), turn, on_turn, SILENT, paused=match.paused, over=match.over)

    # Choices, for switches, keys, pads, voices and resting hands --------------------------------------------

    def choices(self) -> tuple[TableChoice, ...]:
        """Return the choices open now, besides those of every table's page: the die, or listed moves."""
        match = self.match
        if match.over or match.ignores_hands:
            return ()
        if self.asks_for_roll:
            return (TableChoice("roll", text("choose.roll")),)
        if Feature.CHOOSE in match.has:
            # What is played has been seen: before the first move is lit there is only to walk through them.
            names = [name for name, act in _MOVES.items() if act is not Act.TAKE or self.lit_move()]
            return tuple(TableChoice(name, text(f"choose.move_{name}")) for name in names)
        return ()

    def choose(self, name: str) -> tuple[Command, ...]:
        """Return the commands of a confirmed choice; none if it is no longer offered."""
        if name not in {one.name for one in self.choices()}:
            return ()
        return (Command(Act.ROLL, "choice"),) if name == "roll" else self.act(_MOVES[name])

    def look_at(self, name: str | None) -> None:
        """Note the offer that is being considered, or None."""

    def helped(self) -> tuple[TableChoice, ...]:
        """Return the help that a gripping player has asked for and can choose now."""
        return ()

    def offers_unasked(self) -> bool:
        """Return whether a player without a hand is offered choices without asking."""
        return False

    def search_status(self) -> str:
        return self.lit_move()

    # What it shows ------------------------------------------------------------------------------------------

    @abstractmethod
    def sentences(self, output: Output) -> list[str]:
        """Return the sentences about a frame's output."""

    @abstractmethod
    def news(self, output: Output, *, over: bool) -> list[News]:
        """Return the screens' events of a frame's output; with ``over``, the result."""

    def asks_face(self) -> bool:
        """Return whether a real die is to be thrown and its face entered."""
        return False

    def score(self) -> tuple[int | None, int]:
        """Return a team's score if it scored now, None while that would be refused, and its best (C2, C3)."""
        return None, 0

    @final
    def seen(self, fraction: float, banner: str) -> Scene:
        return turn_scene(self.scene(fraction, banner), self.match.home_from_table(fraction))

    @final
    def clicks(self, output: Output) -> tuple[SoundCue, ...]:
        ways = [self._clicked_rad, *(turned.turned_rad for turned in output.events_of(TableTurned))]
        self._clicked_rad = ways[-1]
        passed = any(crosses_click(a, b) for a, b in itertools.pairwise(ways))
        return (SoundCue(CueKind.CLICK, 0.3),) if passed else ()

    @abstractmethod
    def scene(self, fraction: float, banner: str) -> Scene:
        """Phase 5: the picture as a value, table frame, ``fraction`` of the way from the last tick to the next."""


def plain_seats(match: Match) -> tuple[happenings.Seat, ...]:
    return tuple(
        happenings.Seat(name, seat_colour(match, number), 0, out=False, note=SILENT)
        for number, name in enumerate(match.players)
    )


def seat_colour(match: Match, seat: int) -> str:
    shades = match.table.colours
    return hexed(shades[seat]) if seat < len(shades) else ""


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

    # Views --------------------------------------------------------------------------------------------------

    def viewed(self, match: Any) -> Viewed:
        """Return what a renderer has to know of a match; by default the empty table."""
        return Viewed.of(match.table)

    def bare(self, seat: CameraSeat, options: PlayOptions) -> Viewed:
        """Return what a renderer has to know while a real table is being found; by default the empty table."""
        return Viewed.of(seat)

    # Players ------------------------------------------------------------------------------------------------

    def bout(self, bots: tuple[str, str]) -> Bout:
        """Return games of these two bots without a picture. Raises ValueError for one that can't play."""
        raise NotImplementedError

    def play_alone(
        self, own: Any, names: Sequence[str] | None, seed: int, say: Callable[[str], None], keep: BeginKeeper
    ) -> None:
        """Play a whole game with its own options, reported line by line. Raises ValueError where that can't be."""
        raise NotImplementedError

    def mind(self, match: Any, options: PlayOptions) -> PlayerFactory | None:
        """Return the demo's player; None: the game has no demo."""
        return None

    def demo_seed(self) -> int | None:
        return None

    def practice(self, options: PlayOptions, figure: str = "") -> PlayOptions:
        """Return the options of a game in which nothing counts, begun with a ``figure`` of the picture book, if any."""
        raise NotImplementedError

    # Reviews, trials, ranks and editions --------------------------------------------------------------------

    def review(
        self, match: Any, intakes: Iterable[Intake], tell: Callable[[ReviewedTurn], object], think_s: float
    ) -> Reviewed:
        """Step a logged match, and report each turn's quality as soon as it is known. Raises ArmoonError."""
        raise ArmoonError(text("review.none", game=title_of(match.game)), remedy=text("review.none_remedy"))

    def trials(self) -> Trials:
        return (), ()

    def trial_options(self, name: str, options: GameOptions) -> GameOptions:
        """Return a trial's options, apart from the players' own choices. Raises ValueError for an unknown trial."""
        raise ValueError(name)

    def bests(self, trial: str, results: Sequence[Result], folder: Path) -> tuple[BestResult, ...]:
        """Return each player's best results in a trial, best first, confirmed by the folder's saved games."""
        return ()

    def chart(self) -> tuple[tuple[int, str], ...]:
        """Return the ranks of a team's score in the players' language, each with its least score."""
        return ()

    def rank(self, score: int) -> str:
        """Return the name of a team's score in the players' language; empty: it has none."""
        return ""

    def edition(self, name: str) -> str:
        return name

    def variant(self, variant: str) -> str:
        """Return the house options of a kept result, in the players' language."""
        return variant

    def rule_variants(self, options: GameOptions) -> tuple[GameOptions, ...]:
        """Return options whose rules are worth reading separately, such as editions."""
        return (options,)

    # Pictures -----------------------------------------------------------------------------------------------

    def shown(self, step: str) -> Moving | None:
        return None

    @property
    def figures(self) -> tuple[str, ...]:
        """The pages of its picture book in order, by the names of their texts below ``figure``."""
        return ()

    def leaf(self, number: int) -> Leaf:
        """Return what stands on a page; the first is 0."""
        raise IndexError(number)


def kind_of(name: str) -> GameKind[Any]:
    game_options(name)  # a game may bring its own texts
    kind: GameKind[Any] = import_module(GAMES[name]).KIND
    return kind


def picture_book() -> GameKind[Any]:
    """Return the first game that has a picture book. Raises StopIteration where none has."""
    return next(kind for kind in map(kind_of, game_names()) if kind.figures)


#: Decimals of positions (0.1 mm) and of rotations in the feed.
_DIGITS = 4


def ring(radius_m: float, middle: Vec3, corners: int) -> tuple[Vec3, ...]:
    x, y, z = middle
    turn = (2.0 * math.pi * corner / corners for corner in range(corners + 1))
    return tuple((x + radius_m * math.cos(a), y + radius_m * math.sin(a), z) for a in turn)


def rounded_pose(pose: Pose) -> PoseRow:
    x, y, z, i, j, k, w = (round(part, _DIGITS) for part in pose.row)
    return (x, y, z, i, j, k, w)


def rounded_length(length_m: float | None) -> float | None:
    return None if length_m is None else round(length_m, _DIGITS)


#: Between what can be done; and between a key and what it does, in both languages.
_AND, _DOES = " · ", re.compile(r"\s?: ")


def keys_now(game: Game[Any], device: Device, *, draws_any: bool = False, undone: bool = False) -> str:
    """Return what the keys of a device do now; ``undone``: there is a turn to take back."""
    if game.match.over:
        return ""
    if game.match.ignores_hands:  # a bot thinks, which a press cuts short, or it plays
        thinks = game.asks_for_roll and game.match.offered_at_home is not None
        return text(f"strip.{device}.enough") if thinks and device is not Device.HAND else ""
    moment = _moment(game, device)
    words = text(f"strip.{device}.{moment}")
    if moment == "roll" and undone and device in (Device.KEYS, Device.MOUSE):
        return f"{words} · {text('strip.undo')}"
    another = (
        draws_any
        and device is Device.KEYS
        and game.match.offered_at_home is not None
        and not game.match.holding
    )
    return f"{words} · {text('strip.another')}" if another else words


@lru_cache(maxsize=8)
def besides(hint: str, keys: str) -> str:
    """Return the parts of a strip of keys whose key or gesture the hint above them doesn't name."""
    said = (re.escape(_DOES.split(part)[0]) for part in keys.split(_AND))
    named = (re.search(rf"(?<!\w){key}(?!\w)", hint, re.IGNORECASE) for key in said)
    return _AND.join(part for part, found in zip(keys.split(_AND), named, strict=True) if not found)


def _moment(game: Game[Any], device: Device) -> str:
    has = game.match.has
    if game.asks_for_roll:
        return "roll"
    if Feature.CHOOSE in has and device in (Device.KEYS, Device.PAD):
        return "choose"
    tips = Feature.ATTITUDE in has
    if game.match.grip is not None and game.match.grip.source in CARRIED:
        return "wait"  # the house's hand carries
    if game.match.is_parked:
        return "take_plain"
    if game.match.holding:
        return "carry" if tips else "carry_plain"
    if game.match.offered_at_home is None:
        # Where all is to be chosen from, nothing is offered until something is pointed at.
        return "take_plain" if Feature.CHOOSE in has and game.match.at_rest else "wait"
    return "take" if tips else "take_plain"
