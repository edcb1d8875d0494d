"""Playing one game at once, without title and menus: opens what the options ask for, and closes everything."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from rich.console import Console

from armoon.app.front import preferences_of
from armoon.app.input_modes.hearing import Hearing
from armoon.app.laying import lay, open_demo, start_camera
from armoon.app.loop import Loop
from armoon.app.outputs import Opened, begin_log, game_sinks_of, sinks_of
from armoon.app.party.party import Party, begin_party
from armoon.app.pictures import Pictures, open_gamepads, open_pictures
from armoon.app.set_table import DEMO, NO_CAMERA, seeded
from armoon.app.sources import Fed, Feed, LockStep, NoCamera, Source, Unwatched
from armoon.app.table import Table, mouse_for
from armoon.app.webcam import OpenedCamera, TableWatch, open_camera
from armoon.camera.calibration.keeper.table_keeper import Source as FoundBy
from armoon.camera.frame import FrameSource
from armoon.camera.seat import SEATS, Seat
from armoon.clock import Clock, ManualClock, WallClock
from armoon.errors import CameraError
from armoon.games.contract.kind import Viewed
from armoon.hands.tracking.region import play_region
from armoon.hands.tracking.tracker import HandTracker
from armoon.inputs.steady import SteadyGrip
from armoon.messages import set_keys, text
from armoon.messages.numbers import centimetres, number
from armoon.settings.options import PlayOptions, games_folder
from armoon.sinks.hub import Sinks
from armoon.sinks.moment import Moment
from armoon.sinks.sound import SoundsWarming
from armoon.sinks.terminal import TerminalSink, sentences_console
from armoon.values.bindings import KEYS, PAD, buttons_for, keys_for, meant, words_for

if TYPE_CHECKING:
    from armoon.view.gamepads import Gamepads

#: Without a title page the table is looked for this long; then the seat's own guess holds.
SEARCH_S = 3.0


@dataclass
class OneGame:
    """The loop's director where nothing is to be chosen: one game before one source, until it is over."""

    table: Table
    source: Source
    watch: TableWatch | None = None
    """Follows the real table, if there is one."""
    pictures: Pictures | None = None
    pads: Gamepads | None = None
    replayed: bool = False
    """The source is a log, which says itself when it is over."""
    party: Party | None = None
    """Onlookers, who may ask for something."""
    hearing: Hearing | None = None
    """Captions and tones."""

    @property
    def done(self) -> bool:
        """The player leaves, or the game is over."""
        return self.table.controls.leave or (self.table.over and not self.replayed)

    def play(self, fed: Fed, now_s: float, notice: str) -> Moment:
        """One frame: a pause for any of its reasons, what came in, and what is shown of it."""
        table, watch = self.table, self.watch
        if self.pads is not None:
            self.pads.pump()
        if self.party is not None:
            self.party.ask(table)
        reason, moved = table.reason(fed.pause_key), None
        if watch is not None:
            watch.see(fed)
            reason = reason or watch.pause_key
            moved = watch.take_change()
        out = table.advance(fed, now_s, reason, moved, lead_s=self.source.lead_s)
        if moved is not None and watch is not None and self.pictures is not None:
            self.pictures.renderer.see_table(moved, watch.state.camera)
        banner = notice if reason is None else text(reason)
        moment = table.moment(out, now_s, self.source.image, partial(table.scene, banner))
        return moment if self.hearing is None else self.hearing.add(moment, moment.scene)


def play_game(options: PlayOptions) -> int:
    """Play until the game, its turns or its source end, or the player leaves."""
    if options.headless and options.camera == NO_CAMERA and not _bots_alone(options):
        raise CameraError(
            "Without a camera and without a window nobody can play.",
            remedy="Leave out --headless, or let the demo play: --camera demo.",
        )
    with ExitStack() as stack:
        _DirectStart(seeded(options), stack).run()
    return 0


class _DirectStart:
    """Everything that one game needs, opened in the order in which it has to be."""

    def __init__(self, options: PlayOptions, stack: ExitStack) -> None:
        self._options, self._stack = options, stack
        self._console = sentences_console()
        self._wall = WallClock()
        self._feed: Feed | None = None
        self._watch: TableWatch | None = None
        self._handed_on = stack.enter_context(ExitStack())
        """Holds the pictures until the sinks do."""

    def run(self) -> None:
        """Open, play, and say how much was played."""
        options, stack, console = self._options, self._stack, self._console
        warming = None if options.headless else SoundsWarming()
        unowned = stack.enter_context(ExitStack())
        opened, seat = self._open_camera(unowned)
        # In lock step nothing has to be on time: there the game needs no process of its own.
        on_time = self._feed is not None or not options.headless
        set_table = lay(
            options, seat, games_folder(), console, cropped=self._feed is not None, on_time=on_time
        )
        log = begin_log(options, console.print)
        sinks = Sinks(lock_step=not on_time)
        stack.callback(sinks.close)
        sinks.add(TerminalSink(console))
        party = begin_party(options, console.print, sinks, stack)
        mouse = mouse_for(options, seat)
        steady = SteadyGrip(seat.table_from_camera, seat.mirrored, "keys")
        own = game_sinks_of(log, set_table.keeper)
        table = Table(set_table.game, sinks, own, mouse=mouse, steady=steady, turns=options.turns)
        stack.callback(table.close)
        # Before the demo: a process draws either to a display or without one, and the first to open decides.
        pictures = self._open_pictures(set_table.viewed, table)
        window = None if pictures is None else pictures.window
        hearing: Hearing | None = None
        if pictures is not None:
            rate_hz = options.rate_hz if opened is None else opened.source.rate_hz
            preferences = preferences_of(options)
            player = None if warming is None else warming.open_player()
            hearing = Hearing(lambda: options.game_options.words, player)
            hearing.settle(preferences)
            hearing.mirrored = set_table.viewed.mirrored
            if preferences.captions:
                pictures.open_pages()
            opened_sinks = Opened(pictures, options.record, rate_hz, player, options.stream, console.print)
            sinks.add(*sinks_of(opened_sinks), *(() if window is None else (hearing.voice,)))
            self._handed_on.pop_all()
        camera: FrameSource | None = None
        if opened is not None:
            camera = opened.source
        elif options.camera == DEMO:
            # A window that answers nobody for seconds looks dead.
            meanwhile = (lambda: None) if window is None else window.pump
            camera = table.onlooker = open_demo(set_table.demo, meanwhile)
            unowned.callback(camera.close)
            console.print(camera.description)
        source, clock = self._source(camera, unowned, on_time)
        pads = None
        if window is not None:
            mappings = options.pad_mappings
            buttons = buttons_for(options.pad)
            pads = open_gamepads(
                lambda name, pressed: table.controls.pad(meant(name, PAD, buttons), pressed),
                table.controls.sticks,
                stack,
                mappings,
            )
        game = OneGame(table, source, self._watch, pictures, pads, party=party, hearing=hearing)
        Loop(game, sinks, clock, window).run()
        sinks.take(Moment(0.0, sentences=(text("log.closing", count=table.game.turns_played),)))

    def _open_camera(self, unowned: ExitStack) -> tuple[OpenedCamera | None, Seat]:
        """The camera or film, unless there is none, and the seat; a live camera runs from here on."""
        options, console = self._options, self._console
        if options.camera in (DEMO, NO_CAMERA):
            return None, SEATS[options.seat](options.width_px, options.height_px)
        opened = open_camera(options)
        unowned.callback(opened.source.close)
        _describe(opened, console)
        seat = opened.seat(options.seat)
        if opened.live:
            unowned.pop_all()
            feed = self._feed = start_camera(options, opened.source, self._stack, self._wall)
            if not seat.mirrored:
                watch = self._watch = TableWatch(opened, seat)
                self._stack.callback(watch.close)
                seat = _found(watch, feed, seat, self._wall, console)
            feed.look_at(play_region(seat.camera, seat.table_from_camera))
        return opened, seat

    def _source(self, camera: FrameSource | None, unowned: ExitStack, on_time: bool) -> tuple[Source, Clock]:
        """What the loop plays before, and the clock that goes with it."""
        options, stack = self._options, self._stack
        size = (options.width_px, options.height_px)
        if camera is None and not on_time:
            clock = ManualClock()
            return Unwatched(size, options.rate_hz, clock), clock
        if camera is None:
            return NoCamera(size), self._wall
        if not on_time:
            clock = ManualClock()
            return LockStep(camera, stack.enter_context(HandTracker()), clock), clock
        if self._feed is None:
            unowned.pop_all()
            self._feed = start_camera(options, camera, stack, self._wall)
        return self._feed, self._wall

    def _open_pictures(self, viewed: Viewed, table: Table) -> Pictures | None:
        """Window or offscreen surface, in the tier that was asked for; None where nobody looks."""
        options, controls = self._options, table.controls
        keys = keys_for(options.key_hand, options.keys)
        set_keys(words_for(options.key_hand, options.keys, options.pad))
        if options.headless and options.record is None and options.stream is None:
            return None
        pictures = open_pictures(
            viewed,
            headless=options.headless,
            title="armoon",
            on_key=lambda name, pressed: controls.key(meant(name, KEYS, keys), pressed),
            on_pointer=lambda pointer: controls.pointer(
                replace(pointer, place=pictures.renderer.to_camera(pointer.place))
            ),
        )
        helps = pictures.renderer.helps
        pictures.renderer.helps = replace(helps, look=options.look, calm=options.calm)
        pictures.choose_framing(options.framing, virtual=self._watch is None)
        self._handed_on.callback(pictures.close)
        pictures.choose_tier(options.tier or ("lite" if pictures.window is None else "auto"))
        for notice in pictures.renderer.notices:
            self._console.print(notice)
        return pictures


def _bots_alone(options: PlayOptions) -> bool:
    """Every seat is a bot's: nobody has to see or to be seen."""
    played_by = options.game_options.played_by
    return bool(played_by) and all(played_by)


def _describe(opened: OpenedCamera, console: Console) -> None:
    console.print(opened.source.description)
    if opened.live:
        console.print(text(opened.choice.origin_key, camera=opened.choice.name))
    for warning in opened.warnings:
        console.print(warning)


def _found(watch: TableWatch, feed: Feed, seat: Seat, clock: Clock, console: Console) -> Seat:
    """The seat with the table where it was found in a few seconds of looking, and how well."""
    end_s = clock.now_s() + SEARCH_S
    while clock.now_s() < end_s and watch.state.source is FoundBy.SEAT:
        fed = feed.take()
        if fed.ended:
            break
        watch.see(fed)
    state = watch.settle()
    console.print(text(state.hint_key))
    if state.error_mm is not None and state.error_px is not None:
        console.print(
            text("table.error", length=centimetres(state.error_mm / 1000.0, 2), px=number(state.error_px, 1))
        )
    return replace(seat, camera=state.camera, table_from_camera=state.table_from_camera)
