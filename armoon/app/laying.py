"""Laying a table of any game, and starting the cameras that look at it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import Progress

from armoon.app.set_table import SetTable, Viewed
from armoon.app.sources import Feed
from armoon.app.webcam import open_upright
from armoon.camera.capture import CameraThread
from armoon.camera.frame import Frame, FrameSource
from armoon.camera.seat import Seat
from armoon.clock import Clock
from armoon.engine.logbook import LogReader
from armoon.engine.replay import logged_match
from armoon.games.kind import Game
from armoon.games.lake.play import LakeGame
from armoon.games.moon.match import Match
from armoon.games.moon.play import MoonGame
from armoon.games.moon.rules.editions import Mode, Options
from armoon.hands.tracking.tracker import HandTracker
from armoon.hands.tracking.worker import TrackerThread
from armoon.messages import text
from armoon.players.demo import DemoOptions
from armoon.settings.options import PlayOptions

if TYPE_CHECKING:
    from armoon.players.demo import DemoCamera

#: Practice has this many tears: nobody takes so many in an evening.
PRACTICE_TEARS = 99
#: How long the tracker may take to start on a slow machine.
TRACKER_PATIENCE_S = 60.0


def lay(
    options: PlayOptions, seat: Seat, folder: Path, console: Console, *, cropped: bool, on_time: bool
) -> SetTable:
    """The game that the options name, ready to be played. Raises ArmoonError for what a user can mend."""
    if options.game == "lake":
        from armoon.app.lay_lake import lay_lake

        return lay_lake(options, seat, folder, console, on_time=on_time)
    from armoon.app.lay_moon import lay_moon

    return lay_moon(options, seat, folder, console, cropped=cropped, on_time=on_time)


def lay_logged(reader: LogReader) -> tuple[Game, Viewed]:
    """The game that a log was written of, before its first tick, and how it was seen. Raises LogError."""
    match = logged_match(reader)
    setup = match.setup
    where = (setup.camera, setup.table_from_camera, setup.mirrored)
    if isinstance(match, Match):
        return MoonGame(match), Viewed(*where, match.ladders, match.base)
    from armoon.app.lay_lake import make_board

    return LakeGame(match), Viewed(*where, board=make_board)


def lay_practice(options: PlayOptions, seat: str) -> PlayOptions:
    """The options of a game in which nothing counts."""
    return replace(
        options,
        game="moon",
        players=(text("practice.player"),),
        edition="kosmos-2022",
        options=Options(mode=Mode.COOPERATIVE, tears=PRACTICE_TEARS),
        seat=seat,
        saved=False,
    )


def start_camera(options: PlayOptions, source: FrameSource, stack: ExitStack, clock: Clock) -> Feed:
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
    camera.start()
    return Feed(camera, worker, clock, lambda region: made[0].look_at(region))


def open_demo(demo: DemoOptions, meanwhile: Callable[[], None]) -> DemoCamera:
    """The rendered camera whose player plays; ``meanwhile`` is called while it gets ready."""
    from armoon.players.demo import DemoCamera

    with Progress(transient=True) as bar:
        task = bar.add_task(text("start.preparing"), total=1.0)

        def show_progress(fraction: float, what: str) -> None:
            bar.update(task, completed=fraction)
            meanwhile()

        return DemoCamera(demo, progress=show_progress)
