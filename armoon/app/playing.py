"""Playing a game: opens what the options ask for, runs the loop that fits, and closes everything again."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING

from rich.progress import Progress

from armoon import __version__
from armoon.access.mouse import MouseGrip
from armoon.app.controls import Controls
from armoon.app.live import run_live
from armoon.app.lockstep import run_lockstep
from armoon.app.moon_game import MoonGame
from armoon.app.pictures import Pictures, open_pictures
from armoon.app.session import Onlooker, Session, sentences_console
from armoon.camera.capture import CameraThread
from armoon.camera.frame import CameraRequest, Frame, FrameSource
from armoon.camera.seat import SEATS
from armoon.camera.sources import open_source
from armoon.hands.tracker import HandTracker
from armoon.hands.worker import TrackerThread
from armoon.logbook import LogWriter
from armoon.match.match import Match
from armoon.match.setup import MatchSetup
from armoon.messages import text
from armoon.settings import PlayOptions, cache_folder
from armoon.stage.look import StageLook

if TYPE_CHECKING:
    from armoon.demo import DemoCamera

#: Between the table's coming to rest and the next roll, long enough to read a verdict.
AUTO_ROLL_S = 2.5
#: Nobody has to read in lock step; the film still shows every card.
DEMO_AUTO_ROLL_S = 1.5
#: How long the tracker may take to start on a slow machine.
TRACKER_PATIENCE_S = 60.0


def play_game(options: PlayOptions) -> int:
    """Play until the game, its turns or its source end, or the player leaves."""
    console = sentences_console()
    with ExitStack() as stack:
        demo = options.camera == "demo"
        first = None if demo else open_source(options.camera, _request(options))
        opened = stack.enter_context(ExitStack())
        if first is not None:
            opened.callback(first.close)
        width, height = (
            (options.width_px, options.height_px) if first is None else (first.width, first.height)
        )
        match = Match(_setup(options, width, height, demo))
        log = LogWriter(options.log)
        console.print(text("start.log", path=options.log))
        session = Session(MoonGame(match), log, console.print, turns=options.turns)
        stack.callback(session.close)
        setup = match.setup
        controls = Controls(MouseGrip(setup.camera, setup.table_from_camera, setup.mirrored))
        # Before the demo: its rendered camera makes pyglet headless where it is imported.
        pictures = open_pictures(
            match,
            headless=options.headless,
            record=options.record,
            rate_hz=options.rate_hz if first is None else first.rate_hz,
            title="armoon",
            on_key=controls.key,
            on_pointer=controls.pointer,
        )
        if pictures is not None:
            stack.callback(pictures.close)
        source: FrameSource
        onlooker: Onlooker | None = None
        if first is None:
            source = onlooker = _open_demo(options, match, pictures)
            opened.callback(source.close)
        else:
            source = first
        console.print(source.description)
        if options.headless and not source.live:
            with HandTracker() as tracker:
                run_lockstep(session, source, tracker, pictures, onlooker)
        else:
            camera = CameraThread(_factory(options, source))
            stack.callback(camera.close)
            opened.pop_all()  # the thread closes what it reads: OpenCV crashes when another one does
            worker: TrackerThread[Frame] = TrackerThread(HandTracker)
            stack.callback(worker.close)
            worker.wait_ready(TRACKER_PATIENCE_S)
            camera.start()
            run_live(session, camera, worker, pictures, controls, onlooker)
        console.print(text("log.closing", count=session.turns_played))
    return 0


def _setup(options: PlayOptions, width: int, height: int, demo: bool) -> MatchSetup:
    seat = SEATS[options.seat](width, height)
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
        auto_roll_s=DEMO_AUTO_ROLL_S if demo else AUTO_ROLL_S,
        slots=options.slots,
        options=options.options,
        grace_s=options.grace_s,
    )


def _request(options: PlayOptions) -> CameraRequest:
    return CameraRequest(options.width_px, options.height_px, options.rate_hz)


def _factory(options: PlayOptions, opened: FrameSource) -> Callable[[], FrameSource]:
    """Hands out the source that is open already, and opens it again when it was lost."""
    waiting = [opened]

    def make() -> FrameSource:
        return waiting.pop() if waiting else open_source(options.camera, _request(options))

    return make


def _open_demo(options: PlayOptions, match: Match, pictures: Pictures | None) -> DemoCamera:
    from armoon.demo import DemoCamera, DemoOptions

    seat = SEATS[options.seat](options.width_px, options.height_px)
    with Progress(transient=True) as bar:
        task = bar.add_task(text("start.preparing"), total=1.0)

        def show_progress(fraction: float, what: str) -> None:
            bar.update(task, completed=fraction)
            if pictures is not None and pictures.window is not None:
                pictures.window.pump()  # a window that answers nobody for seconds looks dead

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
