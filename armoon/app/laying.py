"""Setting up the table of any game, and starting the cameras that look at it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console

from armoon import __version__
from armoon.app.players import begins, colours_of, handicapped, hands_of, movements_of, palms_of
from armoon.app.set_table import SetTable
from armoon.app.sources import LiveSource
from armoon.app.webcam import open_upright
from armoon.camera.capture import CameraThread
from armoon.camera.frame import Frame, FrameSource
from armoon.camera.seat import Seat
from armoon.clock import Clock
from armoon.engine.keeper import Keeper
from armoon.engine.match import Match
from armoon.engine.setup import TableSetup, kept_of, table_at
from armoon.errors import ArmoonError
from armoon.games import game_names, game_options
from armoon.games.contract.capabilities import Demo, Practice, viewed_of
from armoon.games.contract.kind import GameKind, kind_of
from armoon.games.contract.presenting import Recalls
from armoon.games.shared.seating import Beginner
from armoon.hands.tracking.tracker import HandTracker
from armoon.hands.tracking.worker import TrackerThread
from armoon.messages import text
from armoon.players.demo import DemoOptions
from armoon.players.sight import Mind
from armoon.saves.game_file import GameFile, SavedGame
from armoon.saves.library import begin_named, find_game
from armoon.saves.profiles import Profile, load_profiles
from armoon.settings.options import PlayOptions, games_folder
from armoon.synthetic_camera.look import StageLook
from armoon.values.choices import OneHand, SeatName
from armoon.values.features import Feature

if TYPE_CHECKING:
    from armoon.players.demo import DemoCamera

#: How long the tracker may take to start on a slow machine.
TRACKER_PATIENCE_S = 60.0


def lay(
    options: PlayOptions, seat: Seat, folder: Path, console: Console, *, cropped: bool, on_time: bool
) -> SetTable:
    """Return the game that the options name, new or saved, ready to be played from this seat.

    ``cropped``: the tracker looks at the part of the picture where the game is played. ``on_time``: the game runs in
    real time, so what takes long works in processes of its own. Raises ArmoonError for what a user can mend.
    """
    kind = kind_of(options.game)
    saved = None
    if options.resume is not None:
        saved = GameFile.open(find_game(games_folder(), options.resume))
        # Who plays is the save's to say; their palms and hands are read from their profiles of today.
        summary = kind.saves.summary(saved)
        options = replace(
            options, players=summary.players, game_options=summary.options, colours=(), hands=()
        )
    options = replace(options, players=options.players[: options.game_options.most])
    profiles = load_profiles(games_folder()).table(options.players)
    if saved is None:
        options = handicapped(options, profiles)
    first = begins(options, profiles)
    one_hand = options.game_options.values().get("one_hand", OneHand.WARN)
    table = table_setup(options, seat, profiles, first, one_hand=one_hand, cropped=cropped)
    if saved is None:
        match = kind.new(table, options, first, on_time=on_time)
    else:
        table = replace(table, turned_rad=saved.turned_rad)
        match = kind.resumed(table, options, saved, on_time=on_time)
        _say_resumed(saved, match, console)
    keeper = keeper_of(kind, match, folder, console.print, saved) if options.saved else None
    demo = demo_options(options, seat, kind.mind(match, options)) if isinstance(kind, Demo) else None
    game = kind.game(match, on_time=on_time)
    if isinstance(game, Recalls):
        game.recall(folder)
    return SetTable(game, keeper, viewed_of(match), demo)


def table_setup(
    options: PlayOptions,
    seat: Seat,
    profiles: tuple[Profile, ...],
    first: Beginner,
    *,
    one_hand: OneHand,
    cropped: bool = False,
) -> TableSetup:
    """Return the table that a match is played on, seen from this seat, by players with these profiles."""
    return table_at(
        seat,
        __version__,
        **kept_of(options),
        cropped=cropped,
        turns_at_once=options.calm,
        palms_m=palms_of(options, profiles),
        movements=movements_of(options, profiles),
        hands=hands_of(options, profiles),
        colours=colours_of(options, profiles),
        first_why=first.why,
        one_hand=one_hand,
    )


def keeper_of(
    kind: GameKind[Any],
    match: Match,
    folder: Path,
    say: Callable[[str], None],
    saved: SavedGame | None = None,
) -> Keeper | None:
    """Return a keeper in this folder, or of a saved game that goes on.

    None, and said, where nothing can be written.
    """
    now = datetime.now()
    try:
        if saved is not None:
            return Keeper(kind.saves.resume(match, saved), match.turned_rad)
        written = now.isoformat(timespec="seconds")
        return Keeper(
            begin_named(
                folder, now, match.game, lambda path: kind.saves.begin(match, path, written, __version__)
            )
        )
    except ArmoonError as error:
        say(str(error))
        return None


def demo_options(options: PlayOptions, seat: Seat, mind: Mind) -> DemoOptions:
    """Return the rendered camera at this seat, and who sits before it."""
    return DemoOptions(
        seat=seat,
        seed=options.seed,
        rate_hz=options.rate_hz,
        look=StageLook(seed=options.seed),
        mind=mind,
    )


def _say_resumed(saved: SavedGame, match: Match, console: Console) -> None:
    if saved.damage:
        console.print(saved.damage)
    turn, seat = match.on_turn
    player = match.players[seat]
    console.print(text("games.resumed", name=saved.path.stem, turn=turn, player=player))


def practice(options: PlayOptions, seat: SeatName, figure: str = "") -> PlayOptions:
    """Return the options of a game in which nothing counts, of the first game that can be practised."""
    for name in game_names():
        kind = kind_of(name)
        if Feature.PRACTICE in game_options(name).has and isinstance(kind, Practice):
            return replace(kind.practice(options, figure), game=name, seat=seat, saved=False)
    raise LookupError("no game can be practised")


def start_camera(options: PlayOptions, source: FrameSource, stack: ExitStack, clock: Clock) -> LiveSource:
    """Camera and tracker in their threads, which the stack will join.

    From here on the thread owns the source: OpenCV crashes when another one closes it.
    """
    waiting = [source]

    def open_again() -> FrameSource:
        return waiting.pop() if waiting else open_upright(options)

    made: list[HandTracker] = []

    def make_tracker() -> HandTracker:
        made.append(HandTracker())
        return made[0]

    camera = CameraThread(open_again)
    stack.callback(camera.close)
    worker: TrackerThread[Frame] = TrackerThread(make_tracker)
    stack.callback(worker.close)
    worker.wait_ready(TRACKER_PATIENCE_S)
    camera.hand_to = worker.submit
    camera.start()
    return LiveSource(camera, worker, clock, lambda region: made[0].look_at(region))


def open_demo(demo: DemoOptions | None, meanwhile: Callable[[], None]) -> DemoCamera:
    """Return the rendered camera whose player plays; ``meanwhile`` is called while it gets ready.

    Raises ArmoonError where the game has no demo player.
    """
    from armoon.players.demo import DemoCamera

    if demo is None:
        raise ArmoonError(text("game.no_demo"), remedy=text("game.no_demo_remedy"))

    with Console().status(text("start.preparing")):
        return DemoCamera(demo, meanwhile)
