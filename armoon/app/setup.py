"""Sets up the table of any game, new or saved, with its players, files and view."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console

from armoon import __version__
from armoon.app.sources import find_source
from armoon.app.table import Table
from armoon.camera.profiles import CameraSeat
from armoon.engine.logbook import SavedGameWriter
from armoon.engine.match import Match
from armoon.engine.setup import TableSetup, collect_setup_options, make_setup
from armoon.errors import ArmoonError
from armoon.games import game_names, game_options
from armoon.games.contract import Game, GameKind, RenderSetup, load_kind
from armoon.games.news import Trials
from armoon.games.shared import SEAT_COLOURS, FirstBy, FirstPlayer, choose_first_player
from armoon.inputs.card import CardGrip
from armoon.inputs.controls import Controls, DevicePart
from armoon.inputs.grips import KeyGrip, MouseGrip
from armoon.messages import join_names, text
from armoon.players.demo import DemoOptions
from armoon.saves.files import SaveError
from armoon.saves.game_file import DEMONSTRATION_PREFIX, GameFile, SavedGame, create_named, find_game
from armoon.saves.profiles import Profile, Profiles, Result, change_profile, load_profiles, load_results
from armoon.screens import events
from armoon.settings.files import games_folder
from armoon.settings.preferences import PlayOptions
from armoon.sinks.files import begin_log, create_game_sinks
from armoon.sinks.hub import Sinks
from armoon.synthetic_camera.look import StageLook
from armoon.values.acts import Feature
from armoon.values.choices import ButtonKind, CameraWay, GripKind, OneHand, SeatName, Way
from armoon.values.look import rgb
from armoon.values.paper import RIGHT_LADDER
from armoon.values.pieces import KEYS_SOURCE
from armoon.values.player_settings import NO_HANDICAP, USUAL_MOVEMENT, Handicap
from armoon.values.poses import Vec3

if TYPE_CHECKING:
    from armoon.remote.shared import SharedGame


def list_known_players(profiles: Profiles) -> tuple[events.FormPlayer, ...]:
    return tuple(
        events.FormPlayer(p.name, _find_colour(rgb(p.colour)), **_copy_fields(p)) for p in profiles.profiles
    )


#: Common fields of profiles and form players.
_SHARED_FIELDS = ("hand", "born", "full_moon", "handicap", "movement", "habits")


def _copy_fields(player: Profile | events.FormPlayer) -> dict[str, Any]:
    return {name: getattr(player, name) for name in _SHARED_FIELDS}


def save_player(folder: Path, player: events.FormPlayer) -> None:
    """Save a player's choices without changing the measured palm. Raises SaveError."""

    def update_profile(before: Profile) -> Profile:
        # A colour that the screens don't offer was set by hand; it stays until the player chooses another one.
        is_unchanged = _find_colour(rgb(before.colour)) == player.colour
        colour = before.colour if is_unchanged else SEAT_COLOURS[player.colour]
        return replace(before, colour=colour, **_copy_fields(player))

    change_profile(folder, player.name, update_profile)


def find_first_player(options: PlayOptions, profiles: tuple[Profile, ...]) -> FirstPlayer:
    """Return the first player, with the reason: named, or chosen by the requested or the game's usual method."""
    first = options.first
    if isinstance(first, FirstPlayer):
        return first if first.seat < len(profiles) else FirstPlayer()
    if first is None:
        first = options.game_options.default_first_by
        if first is FirstBy.CHOSEN:
            return FirstPlayer()  # nobody was chosen, so the first in the list begins
    return choose_first_player([(p.full_moon, p.born) for p in profiles], first, options.seed)


def assign_colours(options: PlayOptions, profiles: tuple[Profile, ...]) -> tuple[Vec3, ...]:
    """Return the chosen colours, or those in the profiles, with duplicates replaced by free colours."""
    players = list_known_players(Profiles(profiles))
    seats = events.seat_players([profile.name for profile in profiles], players)
    return options.colours or tuple(
        rgb(profile.colour) if player.colour == seat.colour else events.COLOURS[seat.colour]
        for profile, player, seat in zip(profiles, players, seats, strict=True)
    )


def resolve_colours(requested: Sequence[Vec3 | None]) -> tuple[Vec3, ...]:
    """Return the requested colours, with missing and duplicate ones replaced by free ones; () without requests."""
    return tuple(events.choose_distinct(requested, events.COLOURS)) if any(requested) else ()


def with_handicaps(options: PlayOptions, profiles: tuple[Profile, ...]) -> PlayOptions:
    handicaps = list_handicaps(options, profiles)
    return replace(options, game_options=options.game_options.with_handicaps(handicaps))


def list_handicaps(options: PlayOptions, profiles: tuple[Profile, ...]) -> tuple[Handicap, ...]:
    bots = (*options.game_options.bots_by_seat, *(None for _ in profiles))
    return tuple(
        NO_HANDICAP if bot else profile.handicap for profile, bot in zip(profiles, bots, strict=False)
    )


def _find_colour(colour: Vec3) -> int:
    def measure_difference(k: int) -> float:
        return sum((a - b) ** 2 for a, b in zip(events.COLOURS[k], colour, strict=True))

    return min(range(len(events.COLOURS)), key=measure_difference)


@dataclass(frozen=True)
class PreparedTable:
    """A game ready to start, with its save, view and demo player, if any."""

    game: Game[Any]
    writer: SavedGameWriter | None
    view: RenderSetup
    demo: DemoOptions | None

    def open_table(
        self,
        options: PlayOptions,
        seat: CameraSeat,
        sinks: Sinks,
        notify: Callable[[str], None],
        *,
        several: bool = False,
        shared: SharedGame | None = None,
    ) -> Table:
        """Start the game at this seat, with its log and devices; ``several``: each game has its own log."""
        game_sinks = create_game_sinks(begin_log(options, notify, several=several), self.writer)
        clicks = options.button is not ButtonKind.HOLD
        mouse = MouseGrip(seat.camera, seat.table_from_camera, seat.mirrored, clicks=clicks)
        key_grip = KeyGrip(seat.table_from_camera, seat.mirrored, KEYS_SOURCE)
        dwell_s = USUAL_MOVEMENT.dwell_s if options.grip is GripKind.DWELL else None
        # The demo player's kit is printed at the right size.
        print_scale = 1.0 if find_source(options).has_player else options.kit_mm / 100.0
        card = CardGrip(seat.camera, seat.table_from_camera, dwell_s=dwell_s, print_scale=print_scale)
        grips = (part.open_grip(seat) for part in options.parts if isinstance(part, DevicePart))
        controls = Controls(mouse, key_grip, [card, *filter(None, grips)])
        return Table(self.game, sinks, game_sinks, controls, turns=options.turns, shared=shared)


def prepare_table(
    options: PlayOptions, seat: CameraSeat, folder: Path, console: Console, *, cropped: bool, real_time: bool
) -> PreparedTable:
    """Return the requested new or saved game, ready to be played from this seat.

    ``cropped``: the tracker uses only a part of the picture; ``real_time``: slow work is done in separate processes.
    Raises ArmoonError.
    """
    kind = load_kind(options.game)
    saved = None
    if options.resume is not None:
        saved = GameFile.read_saved(find_game(games_folder(), options.resume))
        # The save names the players; their palms and hands come from their current profiles.
        summary = kind.summarise(saved)
        options = replace(
            options, players=summary.players, game_options=summary.options, colours=(), hands=()
        )
    options = replace(options, players=options.players[: options.game_options.max_players])
    stored = load_profiles(games_folder())
    if stored.trouble:
        console.print(stored.trouble)
    profiles = stored.find_profiles(options.players)
    if saved is None and not find_source(options).has_player:
        options = with_handicaps(options, profiles)
    first = find_first_player(options, profiles)
    one_hand = options.game_options.collect_values().get("one_hand", OneHand.WARN)
    table = build_table_setup(options, seat, profiles, first, one_hand=one_hand, cropped=cropped)
    if saved is None:
        match = kind.create_match(table, options, first, real_time=real_time)
    else:
        table = replace(table, turned_rad=saved.turned_rad)
        match = kind.resume_match(table, options, saved, real_time=real_time)
        if saved.damage:
            console.print(saved.damage)
        turn, seat_on_turn = match.on_turn
        player = match.players[seat_on_turn]
        console.print(text("games.resumed", name=saved.path.stem, turn=turn, player=player))
    is_demonstration = options.headless or find_source(options).has_player
    name = f"{DEMONSTRATION_PREFIX}{match.game}" if is_demonstration else match.game
    writer = open_save(kind, match, folder, console.print, saved, name) if options.saved else None
    return assemble_table(kind, match, options, seat, writer, folder, real_time=real_time)


def assemble_table(
    kind: GameKind[Any],
    match: Match,
    options: PlayOptions,
    seat: CameraSeat,
    writer: SavedGameWriter | None,
    folder: Path,
    *,
    real_time: bool,
) -> PreparedTable:
    """Return the game of a match, ready to be played from this seat, with its view and demo player."""
    demo, player_factory = None, kind.create_player_factory(match, options)
    if player_factory is not None:
        look = StageLook(seed=options.seed)
        paper = RIGHT_LADDER if options.way is Way.CARD else None
        demo = DemoOptions(seat, options.seed, options.rate_hz, look, player_factory, paper)
    game = kind.create_game(match, real_time=real_time)
    game.load_best_runs(folder)
    view = kind.build_render_setup(match)
    if find_source(options).way is CameraWay.REAL:
        view = replace(view, scenery=None)  # the camera shows its place
    elif view.scenery is not None and not options.headless:
        view.scenery()  # loaded here, so that it doesn't delay the first picture
    return PreparedTable(game, writer, view, demo)


def read_saved_players(options: PlayOptions) -> tuple[str, ...]:
    """Return the players of the saved game to resume; () for a new game. Raises ArmoonError."""
    if options.resume is None:
        return ()
    saved = GameFile.read_saved(find_game(games_folder(), options.resume))
    return tuple(load_kind(options.game).summarise(saved).players)


def build_table_setup(
    options: PlayOptions,
    seat: CameraSeat,
    profiles: tuple[Profile, ...],
    first: FirstPlayer,
    *,
    one_hand: OneHand,
    cropped: bool = False,
) -> TableSetup:
    """Return a match's table setup at this seat; a source's own players take only their colours from profiles."""
    people = () if find_source(options).has_player else profiles
    movements = tuple(profile.movement for profile in people)
    return make_setup(
        seat,
        __version__,
        **collect_setup_options(options),
        cropped=cropped,
        turns_at_once=options.calm,
        palms_m=tuple(profile.palm_length_m or options.palm_length_m for profile in people),
        movements=movements if any(movement != USUAL_MOVEMENT for movement in movements) else (),
        hands=options.hands[: len(people)] or tuple(profile.hand.value for profile in people),
        colours=assign_colours(options, profiles),
        first_why=first.why,
        one_hand=one_hand,
    )


def open_save(
    kind: GameKind[Any],
    match: Match,
    folder: Path,
    notify: Callable[[str], None],
    saved: SavedGame | None = None,
    name: str = "",
) -> SavedGameWriter | None:
    """Return a writer for ``saved``, or for a new file with this or the game's name; None after a reported error."""
    now = datetime.now()
    try:
        if saved is not None:
            writer = kind.resume_writer(match, saved)
        else:
            written = now.isoformat(timespec="seconds")
            writer = create_named(
                folder,
                now,
                name or match.game,
                lambda path: kind.create_writer(match, path, written, __version__),
            )
        writer.file.turned_rad = match.turned_rad
        return writer
    except ArmoonError as error:
        notify(str(error))
        return None


def make_practice_options(options: PlayOptions, seat: SeatName, figure: str = "") -> PlayOptions:
    name = next(name for name in game_names() if Feature.PRACTICE in game_options(name).has)
    practice = load_kind(name).build_practice_options(options, figure)
    return replace(practice, game=name, seat=seat, saved=False)


def with_demo_seed(options: PlayOptions) -> PlayOptions:
    """Return the options with the seed of the best demo, unless a seed was given or the demo isn't the source."""
    if not find_source(options).has_player or "seed" in options.explicit_names:
        return options
    seed = load_kind(options.game).choose_demo_seed()
    return options if seed is None else replace(options, seed=seed)


def list_high_scores(game: str, folder: Path) -> events.HighScores:
    """Return the ranks of this game, or else of the first game with ranks, and the best results of all teams."""
    kinds = (load_kind(name) for name in (game, *game_names()) if name)
    ranks = next(filter(None, (kind.list_ranks() for kind in kinds)), ())
    results, _ = _load_results(folder)
    best: dict[tuple[str, ...], tuple[str, int, str]] = {}
    for result in sorted(results, key=lambda item: (-(item.score or 0), item.date)):
        if result.score is None:
            continue
        kind = load_kind(result.kind)
        words = (kind.describe_rank(result.score), kind.describe_variant(result.variant), result.date[:10])
        line = (join_names(result.players), result.score, " · ".join(part for part in words if part))
        best.setdefault((*sorted(result.players), result.variant), line)
    return events.HighScores(ranks, tuple(best.values()))


def count_figures(folder: Path) -> dict[str, tuple[events.FigureCount, ...]]:
    """Return how often and when last each player made each figure; an unreadable file counts as empty."""
    results, _ = _load_results(folder)
    counts: dict[str, dict[str, events.FigureCount]] = {}
    for result in results:
        day = datetime.fromisoformat(result.date).date()
        for player, figures in result.figures.items():
            for figure, count in figures.items():
                before = counts.setdefault(figure, {}).get(player, events.FigureCount(player, 0, day))
                counts[figure][player] = events.FigureCount(
                    player, before.count + count, max(before.last, day)
                )
    return {
        figure: tuple(sorted(by_player.values(), key=lambda entry: -entry.count))
        for figure, by_player in counts.items()
    }


def _load_results(folder: Path) -> tuple[tuple[Result, ...], tuple[str, ...]]:
    """Return the results, and a sentence if they can't be read."""
    try:
        return load_results(folder).results, ()
    except SaveError as error:
        return (), (str(error),)


def collect_trials(folder: Path) -> Trials:
    results, troubles = _load_results(folder)
    games = [load_kind(name).list_trials(results, folder) for name in game_names()]
    lines = tuple(line for trials in games for line in trials.lines)
    return Trials(lines, sum((trials.troubles for trials in games), troubles))
