"""Playing one game at once: opens what the options ask for, runs the loop that fits, and closes everything."""

from __future__ import annotations

from contextlib import ExitStack

from armoon.access.mouse import MouseGrip
from armoon.app.controls import Controls
from armoon.app.keeping import keeper_of
from armoon.app.laying import (
    DEMO,
    match_setup,
    open_camera,
    open_demo,
    resumed_setup,
    start_camera,
)
from armoon.app.live import run_live
from armoon.app.lockstep import run_lockstep
from armoon.app.moon_game import MoonGame
from armoon.app.pictures import open_pictures
from armoon.app.session import Onlooker, Session, sentences_console
from armoon.camera.frame import FrameSource
from armoon.games_cli import resume_game
from armoon.hands.tracker import HandTracker
from armoon.logbook import LogWriter
from armoon.match.match import Match
from armoon.messages import text
from armoon.settings import PlayOptions, games_folder


def play_game(options: PlayOptions) -> int:
    """Play until the game, its turns or its source end, or the player leaves."""
    console = sentences_console()
    with ExitStack() as stack:
        first = None if options.camera == DEMO else open_camera(options)
        opened = stack.enter_context(ExitStack())
        if first is not None:
            opened.callback(first.close)
        width, height = (
            (options.width_px, options.height_px) if first is None else (first.width, first.height)
        )
        setup = match_setup(options, width, height)
        resumed = None
        if options.resume is not None:
            resumed = resume_game(games_folder(), options.resume, console)
            setup = resumed_setup(resumed[1], setup)
        match = Match(setup)
        log = LogWriter(options.log)
        console.print(text("start.log", path=options.log))
        keeper = keeper_of(match, options.log.parent, console.print, resumed)
        session = Session(MoonGame(match), log, console.print, turns=options.turns, keeper=keeper)
        stack.callback(session.close)
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
        window = None if pictures is None else pictures.window
        source: FrameSource
        onlooker: Onlooker | None = None
        if first is None:
            # A window that answers nobody for seconds looks dead.
            meanwhile = (lambda: None) if window is None else window.pump
            source = onlooker = open_demo(options, match, meanwhile)
            opened.callback(source.close)
        else:
            source = first
        console.print(source.description)
        if options.headless and not source.live:
            with HandTracker() as tracker:
                run_lockstep(session, source, tracker, pictures, onlooker)
        else:
            opened.pop_all()
            camera, tracker_thread = start_camera(options, source, stack)
            run_live(session, camera, tracker_thread, pictures, controls, onlooker)
        console.print(text("log.closing", count=session.turns_played))
    return 0
