"""Playing one game at once: opens what the options ask for, runs the loop that fits, and closes everything."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace

from rich.console import Console

from armoon.app.feed import Feed
from armoon.app.laid import DEMO
from armoon.app.laying import lay, open_demo, start_camera
from armoon.app.live import run_live
from armoon.app.lockstep import run_lockstep
from armoon.app.pictures import open_pictures
from armoon.app.session import Onlooker, Session, sentences_console
from armoon.app.webcam import Eyes, TableWatch, open_eyes
from armoon.camera.calibration.keeper.table_keeper import Source
from armoon.camera.frame import FrameSource
from armoon.camera.seat import SEATS, Seat
from armoon.clock import WallClock
from armoon.engine.logbook import LogWriter
from armoon.hands.tracking.region import play_region
from armoon.hands.tracking.tracker import HandTracker
from armoon.inputs.controls import Controls
from armoon.inputs.mouse import MouseGrip
from armoon.messages import text
from armoon.settings.options import PlayOptions

#: Without a title page the table is looked for this long; then the seat's own guess holds.
SEARCH_S = 3.0


def play_game(options: PlayOptions) -> int:
    """Play until the game, its turns or its source end, or the player leaves."""
    console = sentences_console()
    clock = WallClock()
    with ExitStack() as stack:
        opened = stack.enter_context(ExitStack())
        eyes = None if options.camera == DEMO else open_eyes(options)
        seat = SEATS[options.seat](options.width_px, options.height_px)
        feed: Feed | None = None
        table: TableWatch | None = None
        if eyes is not None:
            opened.callback(eyes.source.close)
            _describe(eyes, console)
            seat = eyes.seat(options.seat)
            if eyes.live:
                opened.pop_all()
                feed = start_camera(options, eyes.source, stack, clock)
            if eyes.live and not seat.mirrored:
                table = TableWatch(eyes, seat)
                stack.callback(table.close)
                seat = _found(table, feed, seat, clock, console)
        if feed is not None:
            feed.look_at(play_region(seat.camera, seat.table_from_camera))
        # In lock step nothing has to be on time: there the game needs no process of its own.
        on_time = feed is not None or not options.headless
        laid = lay(options, seat, options.log.parent, console, cropped=feed is not None, on_time=on_time)
        console.print(text("start.log", path=options.log))
        log = LogWriter(options.log)
        session = Session(laid.game, log, console.print, turns=options.turns, keeper=laid.keeper)
        stack.callback(session.close)
        controls = Controls(MouseGrip(seat.camera, seat.table_from_camera, seat.mirrored))
        # Before the demo: its rendered camera makes pyglet headless where it is imported.
        pictures = open_pictures(
            laid.viewed,
            headless=options.headless,
            record=options.record,
            rate_hz=options.rate_hz if eyes is None else eyes.source.rate_hz,
            title="armoon",
            on_key=controls.key,
            on_pointer=controls.pointer,
        )
        if pictures is not None:
            stack.callback(pictures.close)
        window = None if pictures is None else pictures.window
        if pictures is not None:
            pictures.choose_tier(options.tier or ("lite" if window is None else "auto"))
            for notice in pictures.renderer.notices:
                console.print(notice)
        source: FrameSource
        onlooker: Onlooker | None = None
        if eyes is None:
            # A window that answers nobody for seconds looks dead.
            meanwhile = (lambda: None) if window is None else window.pump
            source = onlooker = open_demo(laid.demo, meanwhile)
            opened.callback(source.close)
            console.print(source.description)
        else:
            source = eyes.source
        if feed is None and options.headless and not source.live:
            with HandTracker() as tracker:
                run_lockstep(session, source, tracker, pictures, onlooker)
        else:
            if feed is None:
                opened.pop_all()
                feed = start_camera(options, source, stack, clock)
            run_live(session, feed, pictures, controls, onlooker, clock, table)
        console.print(text("log.closing", count=session.turns_played))
    return 0


def _describe(eyes: Eyes, console: Console) -> None:
    console.print(eyes.source.description)
    if eyes.live:
        console.print(text(eyes.choice.origin_key, camera=eyes.choice.name))
    for warning in eyes.warnings:
        console.print(warning)


def _found(table: TableWatch, feed: Feed | None, seat: Seat, clock: WallClock, console: Console) -> Seat:
    """The seat with the table where it was found in a few seconds of looking, and how well."""
    assert feed is not None
    end_s = clock.now_s() + SEARCH_S
    while clock.now_s() < end_s and table.state.source is Source.SEAT:
        fed = feed.take()
        if fed.ended:
            break
        table.see(fed)
    state = table.settle()
    console.print(text(state.hint_key))
    if state.error_mm is not None and state.error_px is not None:
        console.print(text("table.error", mm=f"{state.error_mm:.1f}", px=f"{state.error_px:.1f}"))
    return replace(seat, camera=state.camera, table_from_camera=state.table_from_camera)
