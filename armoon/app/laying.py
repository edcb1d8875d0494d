"""Laying a table: what a game starts from, and the cameras that look at it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING

from rich.progress import Progress

from armoon import __version__
from armoon.app.eyes import open_upright
from armoon.app.feed import Feed
from armoon.camera.capture import CameraThread
from armoon.camera.frame import Frame, FrameSource
from armoon.camera.seat import SEATS, Seat
from armoon.clock import Clock
from armoon.hands.tracker import HandTracker
from armoon.hands.worker import TrackerThread
from armoon.match.match import Match
from armoon.match.setup import MatchSetup
from armoon.messages import text
from armoon.saves.moon_game import ResumePoint
from armoon.saves.profiles import load_profiles
from armoon.settings import PlayOptions, cache_folder, games_folder
from armoon.stage.look import StageLook

if TYPE_CHECKING:
    from armoon.demo import DemoCamera

#: The camera without a camera.
DEMO = "demo"
#: Between the table's coming to rest and the next roll, long enough to read a verdict.
AUTO_ROLL_S = 2.5
#: Nobody has to read in lock step; the film still shows every card.
DEMO_AUTO_ROLL_S = 1.5
#: How long the tracker may take to start on a slow machine.
TRACKER_PATIENCE_S = 60.0


def match_setup(options: PlayOptions, seat: Seat, *, cropped: bool = False) -> MatchSetup:
    """What a moon game with these options starts from, seen from this seat.

    ``cropped``: the tracker will look at the part of the picture where the game is played.
    """
    return MatchSetup(
        version=__version__,
        seed=options.seed,
        edition=options.edition,
        players=options.players,
        seat=seat.name,
        mirrored=seat.mirrored,
        camera=seat.camera,
        table_from_camera=seat.table_from_camera,
        palm_length_m=options.palm_length_m,
        auto_roll_s=DEMO_AUTO_ROLL_S if options.camera == DEMO else AUTO_ROLL_S,
        slots=options.slots,
        options=options.options,
        grace_s=options.grace_s,
        grip=options.grip,
        fine_gain=options.fine_gain,
        palms_m=_palms_m(options),
        cropped=cropped,
    )


def _palms_m(options: PlayOptions) -> tuple[float, ...]:
    """Each player's palm, where it was measured; nobody's in the demo, whose hand is known."""
    if options.camera == DEMO:
        return ()
    profiles = load_profiles(games_folder()).table(options.players)
    return tuple(profile.palm_length_m or options.palm_length_m for profile in profiles)


def resumed_setup(point: ResumePoint, now: MatchSetup) -> MatchSetup:
    """A saved game's set-up, played on before the camera and by the program of today."""
    return replace(
        MatchSetup.from_record({**point.setup, "kind": "header"}),
        version=now.version,
        seat=now.seat,
        mirrored=now.mirrored,
        camera=now.camera,
        table_from_camera=now.table_from_camera,
        palm_length_m=now.palm_length_m,
        auto_roll_s=now.auto_roll_s,
        grace_s=now.grace_s,
        start=point,
    )


def start_camera(options: PlayOptions, source: FrameSource, stack: ExitStack, clock: Clock) -> Feed:
    """Camera and tracker in their threads, which the stack will join.

    From here on the thread owns the source: OpenCV crashes when another one closes it.
    """
    waiting = [source]

    def open_again() -> FrameSource:
        return waiting.pop() if waiting else open_upright(options)

    camera = CameraThread(open_again)
    stack.callback(camera.close)
    made: list[HandTracker] = []

    def make_tracker() -> HandTracker:
        made.append(HandTracker())
        return made[0]

    worker: TrackerThread[Frame] = TrackerThread(make_tracker)
    stack.callback(worker.close)
    worker.wait_ready(TRACKER_PATIENCE_S)
    camera.start()
    return Feed(camera, worker, clock, lambda region: made[0].look_at(region))


def open_demo(options: PlayOptions, match: Match, meanwhile: Callable[[], None]) -> DemoCamera:
    """The rendered camera whose player plays this match; ``meanwhile`` is called while it gets ready."""
    from armoon.demo import DemoCamera, DemoOptions

    seat = SEATS[options.seat](options.width_px, options.height_px)
    with Progress(transient=True) as bar:
        task = bar.add_task(text("start.preparing"), total=1.0)

        def show_progress(fraction: float, what: str) -> None:
            bar.update(task, completed=fraction)
            meanwhile()

        return DemoCamera(
            DemoOptions(
                seat=seat,
                ladders=match.ladders,
                base=match.base,
                seed=options.seed,
                rate_hz=options.rate_hz,
                look=StageLook(seed=options.seed),
                cache_dir=cache_folder(),
            ),
            progress=show_progress,
        )
