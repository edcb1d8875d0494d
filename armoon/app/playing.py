"""Plays one game at once, without title and menus, or replays a logged one."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from armoon.app import frames
from armoon.app.camera import TableWatch, describe_table_error, start_camera
from armoon.app.host import load_preferences_for
from armoon.app.party import PartyHost
from armoon.app.pictures import Pictures, open_gamepads, open_pictures
from armoon.app.program import Loop, Program
from armoon.app.setup import prepare_table, with_demo_seed
from armoon.app.sources import find_source
from armoon.app.speech import AudioAids
from armoon.app.switches import show_key_names
from armoon.app.table import Table
from armoon.camera.profiles import SEATS, CameraSeat
from armoon.camera.sources import FrameSource
from armoon.camera.table_locator import TableSource
from armoon.clock import Clock, ManualClock, WallClock
from armoon.engine.logbook import LogReader
from armoon.engine.setup import Intake
from armoon.games.contract import RenderSetup, load_kind
from armoon.games.library import create_logged_match, read_intakes
from armoon.hands.tracker import HandTracker, find_play_region
from armoon.messages import text
from armoon.players.demo import DemoOptions
from armoon.processes.system import collect_garbage
from armoon.remote.part import RemotePart
from armoon.settings.files import games_folder
from armoon.settings.preferences import PlayOptions
from armoon.sinks.feed import create_console
from armoon.sinks.live import LivePart
from armoon.sinks.sink import Moment
from armoon.sinks.sound import start_prerendering
from armoon.sound.player import open_player
from armoon.values.acts import get_buttons, get_keys
from armoon.values.choices import TierName

if TYPE_CHECKING:
    from armoon.view.window import GameWindow

#: Time limit for finding the table without a title page, in seconds; after that the seat's usual table is assumed.
SEARCH_S = 3.0


def play_game(options: PlayOptions) -> int:
    """Play until the game or its source ends, all turns are played, or the player leaves."""
    options = with_demo_seed(options)
    with ExitStack() as stack:
        console = create_console()
        camera = _TableCamera(options, console, stack)
        meeting = None
        if options.part(RemotePart).wanted:
            from armoon.app.remote.meeting import meet  # its imports are slow

            meeting = meet(options, console, stack)
            options = meeting.options
        if meeting is not None and meeting.seats is not None:
            prepared = meeting.set_up_table(console, camera.seat)
        else:
            # Lock step has no deadlines, so the game needs no separate processes.
            prepared = prepare_table(
                options,
                camera.seat,
                games_folder(),
                console,
                cropped=camera.cropped,
                real_time=camera.real_time,
            )
        shared = None if meeting is None else meeting.begin_game(prepared.game.match)
        program = Program(options, console, stack, lock_step=not camera.real_time)
        run_single_game(
            program,
            prepared.view,
            lambda: prepared.open_table(options, camera.seat, program.sinks, console.print, shared=shared),
            partial(camera.open_source, prepared.demo),
            rate_hz=camera.rate_hz,
            watch=camera.watch,
        )
    return 0


class _TableCamera:
    """The camera or film of one game, with its clock."""

    def __init__(self, options: PlayOptions, console: Console, stack: ExitStack) -> None:
        """Open the camera, if any; start it if it is live."""
        self._options, self._console, self._stack = options, console, stack
        self._wall = WallClock()
        self._feed: frames.LiveSource | None = None
        self.watch: TableWatch | None = None
        self._unowned = stack.enter_context(ExitStack())
        """Closes the source until a thread owns it."""
        self._source: FrameSource | None = None
        self.seat = SEATS[options.seat](options.width_px, options.height_px)
        opened = find_source(options).open_for_program(options)
        if opened is not None:
            self._source = opened.source
            self._unowned.callback(opened.source.close)
            console.print(opened.source.description)
            if opened.source.live:
                console.print(text(opened.choice.origin_key, camera=opened.choice.name))
            for warning in opened.warnings:
                console.print(warning)
            self.seat = opened.make_seat(options.seat)
        if opened is not None and opened.source.live:
            self._unowned.pop_all()
            feed = self._feed = start_camera(options, opened.source, stack, self._wall)
            if not self.seat.mirrored:
                watch = self.watch = TableWatch(opened, self.seat)
                stack.callback(watch.close)
                self.seat = _find_table(watch, feed, self.seat, self._wall, console)
            feed.set_region(find_play_region(self.seat.camera, self.seat.table_from_camera))
        self.cropped = self._feed is not None
        self.real_time = self.cropped or not options.headless or options.part(RemotePart).wanted
        self.rate_hz = options.rate_hz if self._source is None else self._source.rate_hz

    def open_source(
        self, demo: DemoOptions | None, table: Table, window: GameWindow | None
    ) -> tuple[frames.Source, Clock]:
        """Return the loop's source and clock; open the demo's camera once the window is open."""
        options, stack = self._options, self._stack
        size = (options.width_px, options.height_px)
        camera = self._source
        if camera is None:
            # Without polling, the window would look frozen for seconds.
            poll = (lambda: None) if window is None else window.poll
            camera = find_source(options).open_for_table(demo, table, poll)
            if camera is not None:
                self._unowned.callback(camera.close)
                self._console.print(camera.description)
        if camera is None and not self.real_time:
            clock = ManualClock()
            return frames.UnwatchedSource(size, options.rate_hz, clock), clock
        if camera is None:
            return frames.NoCameraSource(size), self._wall
        if not self.real_time:
            clock = ManualClock()
            tracker = stack.enter_context(HandTracker(options.tracker))
            return frames.LockStepSource(camera, tracker, clock), clock
        if self._feed is None:
            self._unowned.pop_all()
            self._feed = start_camera(options, camera, stack, self._wall)
        return self._feed, self._wall


def run_single_game(
    program: Program,
    view: RenderSetup,
    open_table: Callable[[], Table],
    open_source: Callable[[Table, GameWindow | None], tuple[frames.Source, Clock]],
    *,
    rate_hz: float,
    watch: TableWatch | None = None,
    title: str = "armoon",
) -> None:
    """Play one game; the window is opened first, because pyglet decides only once whether there is a display."""
    options, stack = program.options, program.stack
    preferences = load_preferences_for(options)
    if not options.headless:
        start_prerendering()
    with ExitStack() as unowned:
        pictures: Pictures | None = None
        if program.needs_pictures:
            keys = get_keys(options.key_hand, options.keys)
            opened = pictures = open_pictures(
                view,
                headless=options.headless,
                title=title,
                on_key=lambda name, pressed: table.controls.handle_key(name, pressed, keys),
                on_pointer=lambda pointer: table.controls.handle_pointer(
                    replace(pointer, place=opened.renderer.to_camera(pointer.place))
                ),
            )
            unowned.callback(pictures.close)
            _apply_options(pictures, options, virtual=watch is None)
            for notice in pictures.renderer.notices:
                program.console.print(notice)
            if preferences.captions:
                pictures.open_pages()
        show_key_names(options)
        player = None if options.headless else open_player()
        audio_aids = AudioAids(lambda: options.game_options.terms, player)
        audio_aids.apply_preferences(preferences)
        audio_aids.mirrored = view.mirrored
        party = program.attach(PartyHost(options, program.console.print, program.sinks))
        program.open_sinks(pictures, player, rate_hz, audio_aids.voice)
        unowned.pop_all()
    table = open_table()
    for notice in options.notices:
        program.console.print(notice)
    table.has_finale, table.has_slow_motion = True, not options.calm
    stack.callback(table.close)
    window = None if pictures is None else pictures.window
    frame_source, clock = open_source(table, window)
    if pictures is not None and isinstance(frame_source, frames.LiveSource):
        pictures.live = frame_source
    if window is not None:
        window.on_focus_lost = table.pause_if_held
        buttons = get_buttons(options.pad)
        pads = open_gamepads(
            lambda name, pressed: table.controls.handle_pad_button(name, pressed, buttons),
            lambda pushed: table.controls.handle_sticks(pushed, buttons),
            options.pad_mappings,
        )
        program.attach(pads)
    program.open_devices(table.controls.handle_act)
    collect_garbage()
    loop = Loop(program.sinks, clock, window, frame_source, table)
    loop.watch, loop.pictures, loop.party, loop.audio_aids = watch, pictures, party, audio_aids
    loop.poll = program.poll
    loop.run()
    program.sinks.distribute(Moment(0.0, sentences=(text("log.closing", count=table.game.turns_played),)))


def _apply_options(pictures: Pictures, options: PlayOptions, *, virtual: bool) -> None:
    aids = pictures.renderer.aids
    pictures.renderer.aids = replace(aids, look=options.look, calm=options.calm)
    pictures.choose_framing(options.framing, virtual=virtual)
    is_unmeasurable = options.tier is TierName.AUTO and pictures.window is None
    pictures.choose_tier(TierName.PLAIN if is_unmeasurable else options.tier)


def _find_table(
    watch: TableWatch, feed: frames.LiveSource, seat: CameraSeat, clock: Clock, console: Console
) -> CameraSeat:
    """Look for the table for a few seconds, print its error, and return the seat with its pose."""
    end_s = clock.now_s() + SEARCH_S
    while clock.now_s() < end_s and watch.state.source is TableSource.SEAT:
        frame_input = feed.read_input()
        if frame_input.ended:
            break
        watch.add_frame(frame_input)
    state = watch.accept_table()
    console.print(text(state.hint_key))
    if error := describe_table_error(state):
        console.print(error)
    return replace(seat, camera=state.camera, table_from_camera=state.table_from_camera)


#: Pictures per second of a logged game, independent of the rate of its loop.
REPLAY_RATE_HZ = 30.0


class LogSource(frames.Source):
    """Reads the intakes of a log, and shows a drawn night sky 30 times per second of game time."""

    is_log = True

    def __init__(
        self, intakes: Iterator[Intake], clock: ManualClock, size: tuple[int, int], *, paced: bool
    ) -> None:
        """``paced``: run no faster than the game did; ``size``: width and height of the pictures, in pixels."""
        super().__init__(*size)
        self._intakes, self._clock, self._paced = intakes, clock, paced
        self._began_s: float | None = None
        self._shown_s = -1.0

    def read_input(self) -> frames.FrameInput:
        """Return the next intake. Raises LogError for an invalid line."""
        intake = next(self._intakes, None)
        if intake is None:
            return frames.FrameInput(ended=True)
        self._clock.set_s(intake.now_s)
        shown = intake.now_s - self._shown_s >= 0.999 / REPLAY_RATE_HZ
        if shown:
            self._shown_s = intake.now_s
            if self._paced:
                self._wait(intake.now_s)
        return frames.FrameInput(intake=intake, shown=shown)

    def _wait(self, now_s: float) -> None:
        if self._began_s is None:
            self._began_s = time.monotonic() - now_s
        time.sleep(max(0.0, self._began_s + now_s - time.monotonic()))


def replay_game(log: Path, options: PlayOptions) -> int:
    """Show a logged game up to its end, or up to the damaged part of the log."""
    reader = LogReader(log)
    match = create_logged_match(reader)
    kind = load_kind(match.game)
    game, view = kind.create_game(match), kind.build_render_setup(match)
    game.is_replayed = True
    # In a window or a live stream, a replay runs at the game's own speed; otherwise it runs as fast as possible.
    paced = not options.headless or options.part(LivePart).needs_pictures

    def open_source(table: Table, window: GameWindow | None) -> tuple[frames.Source, Clock]:
        clock = ManualClock()
        size = (view.camera.width, view.camera.height)
        return LogSource(read_intakes(reader), clock, size, paced=paced), clock

    with ExitStack() as stack:
        program = Program(options, create_console(), stack, lock_step=not paced)
        run_single_game(
            program,
            view,
            lambda: Table(game, program.sinks),
            open_source,
            rate_hz=REPLAY_RATE_HZ,
            title=f"armoon: {log.name}",
        )
    reader.check_complete()
    return 0
