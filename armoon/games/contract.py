"""The interface of a game: methods to implement or override, and functions that work for any game."""

from __future__ import annotations

import itertools
import math
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar, final

from armoon import broadcast
from armoon.broadcast import NO_WORDS, Happening, Standing
from armoon.camera.profiles import CameraSeat
from armoon.codec import Variants
from armoon.engine.events import MatchBegan, MatchEvent, NoticeShown, Output, TableTurned
from armoon.engine.logbook import SavedGameWriter, WriteJob, records_of
from armoon.engine.match import Match
from armoon.engine.picture import turn_scene
from armoon.engine.setup import Intake, Record, TableSetup
from armoon.engine.turntable import crosses_click
from armoon.errors import ArmoonError
from armoon.games import GAMES, game_names, game_options, title_of
from armoon.games.news import GuideFacts, News, Review, Trials, TurnReview
from armoon.games.options import GameOptions
from armoon.games.shared import Animation, FirstPlayer, RuleBook
from armoon.geometry import CameraModel
from armoon.messages import text
from armoon.players.hand import Observation, PlayerFactory
from armoon.saves.game_file import GameFile, SavedGame
from armoon.saves.profiles import Result
from armoon.settings.preferences import PlayOptions
from armoon.sound.cues import CueKind, SoundCue
from armoon.values.acts import Act, Feature
from armoon.values.choices import Device
from armoon.values.page import Drawing
from armoon.values.pieces import SIMULATED, Base, Command, LadderSet
from armoon.values.places import TableChoice
from armoon.values.poses import Pose, PoseRow, Vec3
from armoon.values.scene import Scene, ScenePiece

if TYPE_CHECKING:
    from armoon.view.scene.board import Backdrop, GameBodies
    from armoon.view.scene.scenery import Scenery


#: Ticks of 1/60 s for which a sentence is shown over the picture.
SENTENCE_TICKS = 150
#: Maps each choice to the act that plays the highlighted move, or highlights the next or previous one.
_MOVE_ACTS = {"play": Act.TAKE, "next": Act.RIGHT, "before": Act.LEFT}
AnyMatch = TypeVar("AnyMatch", bound=Match)


@dataclass(frozen=True)
class RenderSetup:
    """The setup of a renderer before a game's first scene."""

    camera: CameraModel
    table_from_camera: Pose
    mirrored: bool
    ladders: LadderSet | None = None
    base: Base | None = None
    bodies: Callable[[], GameBodies] | None = None
    """Creates the renderer of the game's own bodies in the current GL context; None: only ladders and base."""
    line_m: float = 0.0
    """Height of a team's height line: the upper edge of a lid that stands beside the base, in metres; 0: none."""
    backdrop: Callable[[], Backdrop] | None = None
    """Creates the backdrop behind the table in the current GL context."""
    lid: bool = True
    """Whether a lid lies beside the base."""
    socle: bool = False
    """Whether the base is a wooden socle."""
    scenery: Callable[[], Scenery] | None = None

    @classmethod
    def empty(cls, table: TableSetup | CameraSeat) -> RenderSetup:
        return cls(table.camera, table.table_from_camera, table.mirrored)


@dataclass(frozen=True)
class SaveSummary:
    """One-line summary of a saved game."""

    players: tuple[str, ...]
    turn: int
    """The current turn, or the last one."""
    over: bool
    options: GameOptions
    edition: str = ""
    """The game's edition; empty if it has none."""


@dataclass(frozen=True)
class TerminalTable:
    """A table for the terminal; its column names are message keys below ``games.column``."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ""


@dataclass(frozen=True)
class LogCheck:
    """Result of checking a log line by line, where a replay can't reproduce it bit for bit."""

    counted: int = 0
    """Number of lines of the kind ``GameKind.counted_kind`` that agree with the rules."""
    structures: int = 0
    """Number of structures that stand in this physics build."""
    fault: str = ""
    """The first disagreement; empty if there is none."""


#: Plays a game of two bots, given a seed and the index of the bot that begins. Returns the first bot's points (1 for a
#: win, a fraction for a shared one, else 0), and a sentence for each turn lost because a bot's program failed.
BotDuel = Callable[[int, int], tuple[float, tuple[str, ...]]]
#: Starts a match's saved game; returns None if the match isn't saved.
SaveFactory = Callable[[Match], SavedGameWriter | None]


@dataclass(frozen=True)
class PictureBookPage:
    """The content of a page of the picture book."""

    ladders: LadderSet
    base: Base
    pieces: tuple[ScenePiece, ...]
    contacts: tuple[Vec3, ...] = ()
    """Contact points of the pieces, table frame, metres."""


class Game(ABC, Generic[AnyMatch]):
    """A match with its texts, pictures and sounds; turns intakes into all output."""

    def __init__(self, match: AnyMatch) -> None:
        self.match: AnyMatch = match
        self._sentence = ""
        self._sentence_tick = 0
        self._clicked_rad = match.turned_rad
        self.is_replayed = False
        """Whether the input comes from a log, which contains the bots' moves."""
        self.should_list_choices = False
        """Whether a player uses ``list_choices`` instead of gripping."""

    def advance(self, intake: Intake) -> Output:
        output = self.match.advance(intake)
        for notice in output.events_of(NoticeShown):
            self.show_sentence(text(notice.key))
        return output

    @final
    def finish(self) -> Output:
        return self.match.finish()

    def close(self) -> None:
        self.match.close()

    @final
    def show_sentence(self, sentence: str) -> None:
        self._sentence, self._sentence_tick = sentence, self.match.tick

    @final
    def hide_sentence(self, sentence: str) -> None:
        self._sentence = "" if self._sentence == sentence else self._sentence

    @final
    def resolve_banner(self, banner: str) -> str:
        """Return the line over the picture: the app's banner, a warning about a second hand, or a recent sentence."""
        if not banner and self.match.watch.warns:
            return text("watch.second_hand")
        is_recent = self.match.tick - self._sentence_tick <= SENTENCE_TICKS
        return banner or (self._sentence if is_recent else "")

    @property
    def turns_played(self) -> int:
        turn, _ = self.match.on_turn
        return max(0, turn - 1)

    @property
    def is_awaiting_roll(self) -> bool:
        return False

    def handle_act(self, act: Act) -> tuple[Command, ...]:
        return ()

    def describe_highlighted_move(self) -> str:
        """Describe the highlighted move, which ``Act.TAKE`` would play now; empty if there is none."""
        return ""

    def can_request(self, act: Act) -> bool:
        """Return False if the game would certainly refuse the act now."""
        needed = act.row.needs
        return (needed is None or needed in self.match.has) and (act is not Act.TURN or self.match.can_turn)

    def load_best_runs(self, folder: Path) -> None:
        """Load earlier results from the folder of saved games, if the game uses them."""

    def list_sound_cues(self, output: Output) -> tuple[SoundCue, ...]:
        return ()

    def collect_guide_facts(self) -> GuideFacts:
        return GuideFacts()

    def build_observation(self, time_s: float) -> Observation:
        """Return the visible state of the game for the demo player."""
        return Observation(time_s, self.match.on_turn[0])

    # The feed (docs/feed.md) --------------------------------------------------------------------------------

    def list_feed_events(self, output: Output) -> tuple[Happening, ...]:
        title, seats = broadcast.translate(lambda: title_of(self.match.game)), build_plain_seats(self.match)
        began = broadcast.FeedBegan(self.match.game, title, NO_WORDS, "above", seats, ())
        return (began,) if output.events_of(MatchBegan) else ()

    def build_standing(self) -> Standing:
        match, (turn, seat) = self.match, self.match.on_turn
        seats, on_turn = build_plain_seats(match), None if match.over else seat
        return Standing(seats, turn, on_turn, NO_WORDS, paused=match.paused, over=match.over)

    # Choices, for switches, keys, gamepads, voices and small hand movements ------------------------------------

    def list_choices(self) -> tuple[TableChoice, ...]:
        """Return the choices open now: rolling the die, or stepping through the legal moves."""
        match = self.match
        if match.over or match.ignores_hands:
            return ()
        if self.is_awaiting_roll:
            return (TableChoice("roll", text("choose.roll")),)
        if Feature.CHOOSE in match.has:
            # Without a highlighted move, offer only stepping.
            highlighted = self.describe_highlighted_move()
            names = [name for name, act in _MOVE_ACTS.items() if highlighted or act is not Act.TAKE]
            return tuple(TableChoice(name, text(f"choose.move_{name}")) for name in names)
        return ()

    def confirm_choice(self, name: str) -> tuple[Command, ...]:
        """Return the commands of a confirmed choice; none if it isn't open."""
        if name not in {choice.name for choice in self.list_choices()}:
            return ()
        return (Command(Act.ROLL, "choice"),) if name == "roll" else self.handle_act(_MOVE_ACTS[name])

    def consider_choice(self, name: str | None) -> None:
        """Set the choice that the player is considering, or None."""

    def list_help_choices(self) -> tuple[TableChoice, ...]:
        """Return the kinds of help that a player who grips can choose now."""
        return ()

    def should_list_choices_unasked(self) -> bool:
        """Return whether to offer choices before the player requests them."""
        return False

    def search_status(self) -> str:
        return self.describe_highlighted_move()

    # Output ---------------------------------------------------------------------------------------------------

    @abstractmethod
    def list_sentences(self, output: Output) -> list[str]:
        """Return the sentences about the events of a frame."""

    @abstractmethod
    def list_news(self, output: Output, *, over: bool) -> list[News]:
        """Return a frame's news for the screens; with ``over``, the result."""

    def is_awaiting_face(self) -> bool:
        """Return whether the game waits for the face of a real die to be entered."""
        return False

    def compute_score(self) -> tuple[int | None, int]:
        """Return the score a team would get now (None: it can't score now) and its best score (rulings C2, C3)."""
        return None, 0

    @final
    def build_turned_scene(self, fraction: float, banner: str) -> Scene:
        return turn_scene(self.build_scene(fraction, banner), self.match.home_from_table(fraction))

    @final
    def list_click_cues(self, output: Output) -> tuple[SoundCue, ...]:
        angles = [self._clicked_rad, *(turned.turned_rad for turned in output.events_of(TableTurned))]
        self._clicked_rad = angles[-1]
        has_clicked = any(crosses_click(a, b) for a, b in itertools.pairwise(angles))
        return (SoundCue(CueKind.CLICK, 0.3),) if has_clicked else ()

    @abstractmethod
    def build_scene(self, fraction: float, banner: str) -> Scene:
        """Return the scene, table frame, interpolated by ``fraction`` between the last two ticks."""


def build_plain_seats(match: Match) -> tuple[broadcast.Seat, ...]:
    return tuple(
        broadcast.Seat(name, find_seat_colour(match, number), 0, out=False, note=NO_WORDS)
        for number, name in enumerate(match.players)
    )


def find_seat_colour(match: Match, seat: int) -> str:
    colours = match.table.colours
    return broadcast.to_hex(colours[seat]) if seat < len(colours) else ""


class GameKind(ABC, Generic[AnyMatch]):
    """A game that can be played; creating one doesn't import the modules that only a match needs."""

    # Starting a match -----------------------------------------------------------------------------------------

    @abstractmethod
    def create_match(
        self, table: TableSetup, options: PlayOptions, first: FirstPlayer, *, real_time: bool
    ) -> AnyMatch:
        """Return a new match; with ``real_time``, it doesn't wait for slow computations. Raises ArmoonError."""

    @abstractmethod
    def resume_match(
        self, table: TableSetup, options: PlayOptions, saved: SavedGame, *, real_time: bool
    ) -> AnyMatch:
        """Return a match that continues a saved game. Raises SaveError if this program can't continue it."""

    @abstractmethod
    def create_logged_match(self, header: Record) -> AnyMatch:
        """Return the match that a log's header describes. Raises ArmoonError, KeyError, TypeError or ValueError."""

    @abstractmethod
    def create_game(self, match: AnyMatch, *, real_time: bool = False) -> Game[Any]:
        """Return the match with its presenters; with ``real_time``, it doesn't wait for its bots."""

    @abstractmethod
    def build_rule_book(self, options: GameOptions, players: int | None = None) -> RuleBook:
        """Return the rules with these options, for this number of players or, if None, for any number."""

    # Log and saves ------------------------------------------------------------------------------------------

    moves: Variants[Any]
    """The codec of the game's moves, in logs and saves."""
    counted_kind = "move"
    """The kind of log line whose count is reported as the log's length."""

    def encode_event(self, match_event: MatchEvent[Any]) -> Iterable[Record]:
        """Encode an event as log lines; most events have one line, named after the event."""
        return records_of(match_event, self.moves)

    def check_records(self, match: Any, records: Iterable[Record]) -> LogCheck | None:
        """Check a match's log lines one by one, for another physics build; None if no line depends on physics."""
        return None

    def create_stability_check(self, match: Any) -> Callable[[], str]:
        """Return a function, callable in any thread, that explains why a structure falls; "" if it stands."""
        return lambda: ""

    def create_writer(self, match: Any, path: Path, begun: str, program: str) -> SavedGameWriter:
        """Create a match's saved game; by default it stores only the moves. Raises SaveError."""
        header = self.encode_start(match)
        file = GameFile.create(path, header, game=match.game, begun=begun, program=program)
        return self._write(match, file)

    def resume_writer(self, match: Any, saved: SavedGame) -> SavedGameWriter:
        return self._write(match, GameFile.reopen(saved, keep=len(saved.moves)))

    def _write(self, match: Any, file: GameFile) -> SavedGameWriter:
        def build_job(output: Output) -> WriteJob | None:
            moves = list(map(self.moves.encode, output.events_of(*self.moves.kinds)))
            return partial(file.append, moves, sync=True) if moves else None

        return SavedGameWriter(file, build_job, partial(self.build_result, match))

    def encode_start(self, match: Any) -> Record:
        """Return the header of a saved game as JSON values."""
        return dict(match.setup.to_record())

    def build_result(self, match: Any, game: str, date: str) -> Result | None:
        """Return the result of a match, saved under the name ``game``; None before its end."""
        raise NotImplementedError

    @abstractmethod
    def summarise(self, saved: SavedGame) -> SaveSummary:
        """Summarise a saved game in one line. Raises SaveError."""

    @abstractmethod
    def describe(self, saved: SavedGame) -> tuple[str | TerminalTable, ...]:
        """Describe a saved game for the terminal. Raises SaveError."""

    @abstractmethod
    def list_score_rows(self, saved: SavedGame) -> tuple[tuple[str, ...], list[tuple[object, ...]]]:
        """Return the columns and rows of a saved game's score sheet. Raises SaveError."""

    def draw_saved_game(self, saved: SavedGame) -> Drawing | None:
        """Return a small picture of a saved game's structure; None if the game has none. Raises SaveError."""
        return None

    # Views --------------------------------------------------------------------------------------------------

    def build_render_setup(self, match: Any) -> RenderSetup:
        """Return the renderer's setup for a match; by default the empty table."""
        return RenderSetup.empty(match.table)

    def build_empty_render_setup(self, seat: CameraSeat, options: PlayOptions) -> RenderSetup:
        """Return the renderer's setup while a real table is being located; by default the empty table."""
        return RenderSetup.empty(seat)

    # Players ------------------------------------------------------------------------------------------------

    def create_bot_duel(self, bots: tuple[str, str]) -> BotDuel:
        """Return a function that plays two bots' games without a picture. Raises ValueError for an unsuitable bot."""
        raise NotImplementedError

    def play_headless(
        self,
        options: Any,
        names: Sequence[str] | None,
        seed: int,
        say: Callable[[str], None],
        create_save: SaveFactory,
    ) -> None:
        """Play a whole game without pictures, and ``say`` each event. Raises ValueError for unsuitable options."""
        raise NotImplementedError

    def create_player_factory(self, match: Any, options: PlayOptions) -> PlayerFactory | None:
        """Return a factory for the demo player; None if the game has no demo."""
        return None

    def choose_demo_seed(self) -> int | None:
        return None

    def build_practice_options(self, options: PlayOptions, figure: str = "") -> PlayOptions:
        """Return the options of a practice game; it may start with a ``figure`` of the picture book."""
        raise NotImplementedError

    # Reviews, trials, ranks and editions --------------------------------------------------------------------

    def review_match(
        self, match: Any, intakes: Iterable[Intake], report: Callable[[TurnReview], object], think_s: float
    ) -> Review:
        """Replay a logged match and ``report`` the quality of each turn when it is known. Raises ArmoonError."""
        raise ArmoonError("review.none", game=title_of(match.game))

    def list_trials(self, results: Sequence[Result] = (), folder: Path | None = None) -> Trials:
        """Return the trials with the players' best results that saved games in ``folder`` confirm."""
        return Trials()

    def build_trial_options(self, name: str, options: GameOptions) -> GameOptions:
        """Return ``options`` changed to those of a trial. Raises ValueError for an unknown trial."""
        raise ValueError(name)

    def list_ranks(self) -> tuple[tuple[int, str], ...]:
        """Return the ranks of teams, each with its minimum score and its name in the players' language."""
        return ()

    def describe_rank(self, score: int) -> str:
        """Return the rank of a team's score in the players' language; empty if there is none."""
        return ""

    def describe_edition(self, name: str) -> str:
        return name

    def describe_variant(self, variant: str) -> str:
        """Return a stored result's house rules in the players' language."""
        return variant

    def list_rule_variants(self, options: GameOptions) -> tuple[GameOptions, ...]:
        """Return one set of options for each variant of the rules to be listed separately, such as editions."""
        return (options,)

    # Pictures -----------------------------------------------------------------------------------------------

    def find_step_animation(self, step: str) -> Animation | None:
        return None

    @property
    def figures(self) -> tuple[str, ...]:
        """Text keys below ``figure`` for the pages of the picture book, in order."""
        return ()

    def build_picture_book_page(self, number: int) -> PictureBookPage:
        raise IndexError(number)


def load_kind(name: str) -> GameKind[Any]:
    game_options(name)  # registers the game's own texts
    kind: GameKind[Any] = import_module(GAMES[name]).KIND
    return kind


def find_picture_book_kind() -> GameKind[Any]:
    """Return the first game that has a picture book. Raises StopIteration if none has."""
    return next(kind for kind in map(load_kind, game_names()) if kind.figures)


#: Decimal places of positions in metres (0.1 mm) and of rotations in the feed.
_DIGITS = 4


def draw_circle(radius_m: float, middle: Vec3, corners: int) -> tuple[Vec3, ...]:
    x, y, z = middle
    angles = (2.0 * math.pi * corner / corners for corner in range(corners + 1))
    return tuple((x + radius_m * math.cos(angle), y + radius_m * math.sin(angle), z) for angle in angles)


def round_pose(pose: Pose) -> PoseRow:
    x, y, z, i, j, k, w = (round(part, _DIGITS) for part in pose.row)
    return (x, y, z, i, j, k, w)


def round_length(length_m: float | None) -> float | None:
    return None if length_m is None else round(length_m, _DIGITS)


#: Separator between actions, and the pattern between a key and its action in any language.
_SEPARATOR, _KEY_END = " · ", re.compile(r"\s?: ")


def format_keys(game: Game[Any], device: Device, *, draws_any: bool = False, can_undo: bool = False) -> str:
    """Return a device's keys for the current state with their actions; ``can_undo`` adds the undo key."""
    if game.match.over:
        return ""
    if game.match.ignores_hands:  # it is a bot's turn; a press ends its search
        is_searching = game.is_awaiting_roll and game.match.offered_at_home is not None
        return text(f"strip.{device}.enough") if is_searching and device is not Device.HAND else ""
    key = _find_strip_key(game, device)
    keys = text(f"strip.{device}.{key}")
    if key == "roll" and can_undo and device in (Device.KEYS, Device.MOUSE):
        return f"{keys} · {text('strip.undo')}"
    can_exchange = draws_any and device is Device.KEYS and key == "take"
    return f"{keys} · {text('strip.another')}" if can_exchange else keys


@lru_cache(maxsize=8)
def remove_hinted_keys(hint: str, keys: str) -> str:
    """Return the key strip without the parts that have a key or gesture mentioned in the hint."""

    def is_hinted(part: str) -> bool:
        key = re.escape(_KEY_END.split(part)[0])
        return re.search(rf"(?<!\w){key}(?!\w)", hint, re.IGNORECASE) is not None

    return _SEPARATOR.join(part for part in keys.split(_SEPARATOR) if not is_hinted(part))


def _find_strip_key(game: Game[Any], device: Device) -> str:
    has = game.match.has
    if game.is_awaiting_roll:
        return "roll"
    if Feature.CHOOSE in has and device in (Device.KEYS, Device.PAD):
        return "choose"
    has_attitude = Feature.ATTITUDE in has
    if game.match.grip is not None and game.match.grip.source in SIMULATED:
        return "wait"  # the program is moving the piece
    if game.match.is_parked:
        return "take_plain"
    if game.match.holding:
        return "carry" if has_attitude else "carry_plain"
    if game.match.offered_at_home is None:
        # If the player can choose among pieces, nothing is offered until a grip points at one.
        return "take_plain" if Feature.CHOOSE in has and game.match.at_rest else "wait"
    return "take" if has_attitude else "take_plain"
