"""What a game must fill and may bring, and what can be done with any game that fills it."""

from __future__ import annotations

import datetime
import itertools
import json
import math
import re
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar, final

from armoon.broadcast import happenings
from armoon.broadcast.happenings import SILENT, Happening, Standing, hexed, words
from armoon.camera.profiles import CameraSeat
from armoon.clock import TICK_S
from armoon.codec.files import is_locked
from armoon.engine import logbook
from armoon.engine.events import MatchBegan, MatchEvent, NoticeShown, Output, TableTurned
from armoon.engine.logbook import SavedGameWriter, records_of
from armoon.engine.match import Match
from armoon.engine.picture import turn_scene, watch_warning
from armoon.engine.setup import Intake, Record, TableSetup
from armoon.engine.turntable import crosses_click
from armoon.errors import ArmoonError, LogError
from armoon.games import GAMES, game_names, game_options, title_of
from armoon.games.news import BestResult, GuideFacts, News, Reviewed, ReviewedTurn, Trials
from armoon.games.options import GameOptions
from armoon.games.shared import Beginner, Moving, RuleBook
from armoon.geometry import CameraModel
from armoon.messages import text
from armoon.players.hand import PlayerFactory, Sight
from armoon.saves.files import SaveError
from armoon.saves.game_file import SHOWN_PREFIX, GameFile, SavedGame, changed_ns, game_paths
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
from armoon.values.text import short_repr
from armoon.world.physics import build

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


#: Number of recent games among which those to continue are looked for: reading hundreds takes seconds.
RECENT = 8
#: Maximum number of unfinished games that one page offers.
MOST_OFFERED = 6


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


@dataclass(frozen=True)
class Entry:
    """One line of the list."""

    number: int
    """1 is the game played last."""
    path: Path
    saved: SavedGame | None
    """None where it can't be read."""
    summary: Summary | None
    """None for a game that this program doesn't know, or can't read."""
    trouble: str
    """What is lost, or why it can't be read; empty if all is well."""


def list_games(folder: Path) -> tuple[Entry, ...]:
    return tuple(_entry(number, path) for number, path in enumerate(game_paths(folder), start=1))


def unfinished(folder: Path) -> tuple[Unfinished, ...]:
    """Return the recent games that can go on, the last played first; shown games can't. Raises SaveError."""
    found: list[Unfinished] = []
    played = [path for path in game_paths(folder) if not path.name.startswith(SHOWN_PREFIX)]
    for path in played[:RECENT]:
        try:
            saved = GameFile.read_saved(path)
            kind = kind_of_saved(saved)
            summary = kind.saves.summary(saved) if saved.moves else None
        except SaveError:
            continue  # `armoon games list` says what is wrong with it
        if summary is not None and not summary.over and not _played_elsewhere(path):
            day = datetime.date.fromtimestamp(changed_ns(path) / 1e9)
            game = (path, saved.game, summary.players, summary.options, summary.turn)
            found.append(Unfinished(*game, day, _drawing(kind, saved)))
            if len(found) == MOST_OFFERED:
                break
    return tuple(found)


def _drawing(kind: GameKind[Any], saved: SavedGame) -> Drawing | None:
    try:
        return kind.drawing(saved)
    except SaveError:
        return None


def _played_elsewhere(path: Path) -> bool:
    """Whether a window or terminal plays this game now; its lock ends with it, however it ends."""
    try:
        return is_locked(path)
    except OSError:
        return False


def kind_of_saved(saved: SavedGame) -> GameKind[Any]:
    """Return the game that a file is of. Raises SaveError where this program has no such game."""
    if saved.game not in GAMES:
        raise SaveError(
            f"The saved game {saved.path} is of the game {short_repr(saved.game)}, which this program doesn't have.",
            remedy="Open it with the program that wrote it.",
        )
    return kind_of(saved.game)


def _entry(number: int, path: Path) -> Entry:
    saved = None
    try:
        saved = GameFile.read_saved(path)
        summary = kind_of(saved.game).saves.summary(saved) if saved.game in GAMES else None
    except SaveError as error:
        return Entry(number, path, saved, None, str(error))
    return Entry(number, path, saved, summary, saved.damage)


LogRecord = dict[str, Any]
REMEDY = "Replay it with the version of armoon that wrote it."


@dataclass(frozen=True)
class Verification:
    """What stepping a log again came to."""

    same: bool
    verdicts: int
    """Number of verdicts; in a game without verdicts, of moves."""
    ticks: int
    difference: str = ""
    damage: str = ""
    """What is wrong with the log's tail; it was compared up to there."""
    build: str = ""
    """The build of the physics that the log was played on, where that is another and gave other bits."""
    checked: Checked | None = None


def logged_match(reader: logbook.LogReader) -> Match:
    """Return the match that a log's header describes, before its first tick. Raises LogError for a wrong header."""
    name = reader.header.get("game")
    try:
        if name not in GAMES:
            raise ValueError(f"the game {short_repr(name)}")
        match: Match = kind_of(name).logged(reader.header)
        return match
    except (ArmoonError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise LogError(
            f"The header of {reader.path} describes no game that can be played ({error}).", remedy=REMEDY
        ) from error


def intakes(reader: logbook.LogReader) -> Iterator[Intake]:
    """Yield the logged match's intakes in order. Raises LogError for a line that is none."""
    intake: Intake | None = None
    for number, record in enumerate(reader.records, start=1):
        try:
            if record["kind"] == logbook.INTAKE:
                if intake is not None:
                    yield intake
                intake = logbook.intake_from_record(record)
            elif record["kind"] == logbook.REPLACED and intake is not None:
                # It came out of the frame whose intake stands before it, but has to be known when that begins.
                intake = replace(intake, replaced=(*intake.replaced, logbook.replaced_from_record(record)))
        except (ArithmeticError, LookupError, TypeError, ValueError) as error:
            raise LogError(
                f"Line {number} of {reader.path} can't be used ({error}).", remedy=REMEDY
            ) from error
    if intake is not None:
        yield intake


def verify(path: Path) -> Verification:
    """Play the log again without its camera; differing physics is checked line by line. Raises LogError."""
    reader = logbook.LogReader(path)
    expected = deque(r for r in reader.records if r["kind"] not in (logbook.HEADER, logbook.INTAKE))
    closed = reader.damage is None
    match = logged_match(reader)
    lines = kind_of(match.game).lines
    comparison = _Comparison(expected, lines)
    shown = False
    try:
        comparison.take(match.opening)
        for intake in intakes(reader):
            shown = shown or intake.shown is not None
            comparison.take(match.advance(intake))
            if comparison.difference:
                break
        if closed:
            comparison.take(match.finish())
    finally:
        match.close()
    if closed and not comparison.difference and expected:
        comparison.difference = f"the log has {len(expected)} more lines than the game gives"
    differs = bool(comparison.difference) and match.table.build != build()
    if shown and lines.check is not None and not comparison.difference:
        comparison.difference = lines.check(match, reader.records).fault
    return Verification(
        same=not comparison.difference,
        verdicts=comparison.verdicts,
        ticks=match.tick,
        difference=comparison.difference,
        damage=reader.damage or "",
        build=match.table.build if differs else "",
        checked=lines.check(match, reader.records) if differs and lines.check is not None else None,
    )


class _Comparison:
    """Compares what comes out with what was logged; a log that was cut may simply end early."""

    def __init__(self, expected: deque[LogRecord], lines: Lines) -> None:
        self._expected = expected
        self._lines = lines
        self.difference = ""
        self.verdicts = 0

    def take(self, output: Output) -> None:
        happened = (one for one in output.events if not isinstance(one.event, MatchBegan | Intake))
        for record in itertools.chain.from_iterable(map(self._lines.of, happened)):
            if self.difference or not self._expected:
                return
            # Through JSON, so that tuples and lists compare alike; floats keep all their bits on the way.
            came_out = json.loads(json.dumps(record))
            logged = self._expected.popleft()
            if came_out != logged:
                self.difference = f"logged {json.dumps(logged)}, now {json.dumps(came_out)}"
            elif record["kind"] == self._lines.counted:
                self.verdicts += 1


#: Ticks of each frame of a game without pictures: as at 30 pictures a second.
FRAME_TICKS = 2
#: A game that doesn't end by then is broken off: an hour of play.
MOST_FRAMES = 30 * 3600


def play_out(
    game: Game[Any],
    say: Callable[[str], object],
    keep: BeginKeeper = lambda match: None,
    each: Callable[[Output], object] = lambda output: None,
) -> None:
    keeper = keep(game.match)
    try:
        for frame in range(MOST_FRAMES):
            now_s = frame * FRAME_TICKS * TICK_S
            output = game.advance(Intake(now_s, FRAME_TICKS, None)) if frame else game.match.opening
            each(output)
            for sentence in game.sentences(output):
                say(sentence)
            try:
                if keeper is not None:
                    keeper.write_now(output)
            except SaveError as error:
                say(str(error))
                keeper = None
            if game.match.over:
                break
    finally:
        if keeper is not None:
            keeper.close()
        game.close()
