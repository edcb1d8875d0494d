"""An evening in a window: the screens in front, one game after the other behind them."""

from __future__ import annotations

import secrets
import time
from contextlib import ExitStack
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

import numpy as np
from rich.console import Console

from armoon.app.eyes import TableWatch, open_eyes
from armoon.app.feed import LOOP_S, Fed, Feed
from armoon.app.front import Front
from armoon.app.laying import DEMO, match_setup, open_demo, start_camera
from armoon.app.pictures import Pictures, make_renderer, open_window
from armoon.app.preferences_file import load_preferences, save_preferences
from armoon.app.replaying import NIGHT_BGR
from armoon.app.session import sentences_console
from armoon.app.table import MoonTable
from armoon.app.title import title_scene, title_table
from armoon.camera.seat import SEATS, Seat
from armoon.clock import WallClock
from armoon.hands.landmarks import INDEX_TIP, Hands
from armoon.hands.pointing import DwellPointer
from armoon.hands.region import play_region
from armoon.messages import set_language, text
from armoon.party.recorder import Recorder
from armoon.rules.editions import Mode, Options
from armoon.screens.actions import (
    Action,
    ChangeSetting,
    GiveUpLadder,
    LeaveGame,
    LookAgain,
    OverruleTear,
    PointAtCorners,
    Quit,
    ShowAgain,
    SpendTear,
    StartGame,
    StartPractice,
    TableAccepted,
    TakeCornerBack,
    UndoTurn,
)
from armoon.screens.events import CameraPaused, TableAsked, TableTold
from armoon.screens.machine import first_screens
from armoon.settings import SLOTS, PlayOptions, Settings
from armoon.sound.cues import page_sounds
from armoon.sound.player import open_player
from armoon.values import Vec2

if TYPE_CHECKING:
    from armoon.view.renderer import Renderer
    from armoon.view.window import Pointer

#: Practice has this many tears: nobody takes so many in an evening.
PRACTICE_TEARS = 99
#: Seeds of the evening's games, short enough to be told to a friend.
SEEDS = 1_000_000


def run_evening(options: PlayOptions) -> int:
    """Show the title, and play what the players choose until they leave."""
    with ExitStack() as stack:
        evening = Evening(options, sentences_console(), stack)
        stack.callback(evening.clear_table)
        evening.run()
    return 0


def _fingertip(hands: Hands) -> tuple[Vec2 | None, float]:
    """Where the first hand's index finger ends, in camera pixels, and when."""
    tip = hands.hands[0].points_px[INDEX_TIP] if hands.hands else None
    return tip, hands.time_s


class Evening:
    """Window, screens, camera and tracker, and the table that is being played at, if any."""

    def __init__(self, options: PlayOptions, console: Console, stack: ExitStack) -> None:
        """Open everything; what was opened is closed by the stack."""
        self._options = options
        self._console = console
        self._clock = WallClock()
        self._stack = stack
        self._eyes = None if options.camera == DEMO else open_eyes(options)
        opened = stack.enter_context(ExitStack())
        self._size = (options.width_px, options.height_px)
        if self._eyes is not None:
            opened.callback(self._eyes.source.close)
            self._size = (self._eyes.source.width, self._eyes.source.height)
        preferences = load_preferences(options.language)
        settings = Settings(players=options.players, edition=options.edition, seat=options.seat)
        slots = (options.slots, *(name for name in SLOTS if name != options.slots))
        screens = first_screens(settings, preferences, configurations=slots)
        house = replace(screens.form, options=options.options).tidy()
        self._front = Front(replace(screens, form=house))
        self._table: MoonTable | None = None
        self._window = open_window(*self._size, "armoon", self._key, self._pointer, self._front.letter)
        stack.callback(self._window.close)
        self._pictures = self._open_pictures()
        self._sounds = open_player()
        stack.callback(self._sounds.close)
        self._heed_sound()
        self._feed: Feed | None = None
        if self._eyes is not None:
            for sentence in (self._eyes.source.description, *self._eyes.warnings):
                console.print(sentence)
            opened.pop_all()
            self._feed = start_camera(options, self._eyes.source, stack, self._clock)
        self._watch: TableWatch | None = None
        self._wanted: PlayOptions | None = None
        """The game that begins once the table is found."""
        self._finger = DwellPointer(mirrored=options.seat == "mirror")
        self._pointed_s: float | None = None
        self._played = False
        self._clicked = False
        self._quit = False
        self._night = np.full((self._size[1], self._size[0], 3), NIGHT_BGR, np.uint8)

    def run(self) -> None:
        """Turn the loop until the players quit."""
        window = self._window
        while not self._quit:
            window.pump()
            if window.closed:
                return
            self._front.resized(*window.size)
            fed = self._take()
            if fed.ended:
                return
            page = self._front.page
            for action in self._front.take_actions():
                self._do(action)
            self._point(fed)
            self._find(fed)
            self._play(fed)
            self._draw()
            self._sounds.play(page_sounds(page, self._front.page))

    def clear_table(self) -> None:
        """End the game under way, if there is one, with its log closed in order."""
        table, self._table = self._table, None
        watch, self._watch, self._wanted = self._watch, None, None
        try:
            if table is not None:
                table.close()
        finally:
            if watch is not None:
                watch.close()

    # Turns of the loop --------------------------------------------------------------------------------------

    def _open_pictures(self) -> Pictures:
        from armoon.view.pages import PageView

        pages = PageView(*self._window.size)
        recorder = None
        if self._options.record is not None:
            _, _, width, height = self._window.begin()
            recorder = Recorder(self._options.record, width, height, self._options.rate_hz)
        return Pictures(self._title_renderer(), self._window, None, recorder, pages)

    def _title_renderer(self, options: PlayOptions | None = None) -> Renderer:
        options = options or self._options
        setup = match_setup(options, self._seat(options.seat))
        _, _, width, height = self._window.begin()
        return make_renderer(setup, *title_table(options.slots), width, height, moon=False)

    def _key(self, name: str, pressed: bool) -> None:
        if not self._front.key(name, pressed) and self._table is not None:
            self._table.controls.key(name, pressed)

    def _pointer(self, pointer: Pointer) -> None:
        mine = self._front.pointer(pointer)
        corners = None if self._watch is None else self._watch.corners
        if corners is not None and pointer.pressed and not self._clicked and not self._front.over_button:
            across, down = pointer.place
            corners.click((across * self._size[0] - 0.5, down * self._size[1] - 0.5))
        self._clicked = pointer.pressed
        if not mine and self._table is not None:
            self._table.controls.pointer(pointer)

    def _take(self) -> Fed:
        feed = self._feed if self._table is None or self._table.feed is None else self._table.feed
        if feed is not None:
            return feed.take()
        time.sleep(LOOP_S)
        return Fed(None, None, False)

    def _point(self, fed: Fed) -> None:
        """A finger that points at the screen rests on its buttons."""
        if fed.result is None:
            return
        hands = fed.result.hands
        busy = self._table is not None and self._table.holding
        pointer = self._finger.see(hands, {}, busy=busy)
        passed_s = 0.0 if self._pointed_s is None else hands.time_s - self._pointed_s
        self._pointed_s = hands.time_s
        place = None if pointer is None else self._pictures.window_place(pointer.place)
        self._front.hand(place, max(0.0, min(passed_s, 0.2)))

    def _play(self, fed: Fed) -> None:
        table = self._table
        if table is None:
            return
        pause_key, moved = fed.pause_key, None
        if self._watch is not None:
            pause_key = pause_key or self._watch.pause_key
            moved = self._watch.take_change()
        if moved is not None and self._watch is not None:
            self._pictures.renderer.see_table(moved, self._watch.state.camera)
        if pause_key is not None and self._front.running:
            self._front.tell(CameraPaused(text(pause_key)))
        self._sounds.play(table.turn(fed, self._clock.now_s(), self._front.running, moved))
        for event in table.take_news():
            self._front.tell(event)

    def _find(self, fed: Fed) -> None:
        """The real table is searched, and followed while a game is played on it."""
        watch = self._watch
        if watch is None:
            return
        watch.see(fed)
        if self._wanted is None:
            return
        if watch.corners is not None:
            pointing = watch.corners.pointing
            if fed.result is not None:
                pointing = watch.corners.touch(*_fingertip(fed.result.hands))
            self._front.tell(TableTold(text(pointing.hint_key), pointing=True))
            if watch.take_corners() is None:
                return
        state = watch.state
        error = ""
        if state.error_mm is not None and state.error_px is not None:
            error = text("table.error", mm=f"{state.error_mm:.1f}", px=f"{state.error_px:.1f}")
        self._front.tell(TableTold(text(state.hint_key), error))
        seat = self._seat(self._wanted.seat)
        if (state.table_from_camera, state.camera) != (seat.table_from_camera, seat.camera):
            self._pictures.renderer.see_table(state.table_from_camera, state.camera)

    def _draw(self) -> None:
        now_s = self._clock.now_s()
        page = self._front.page
        if self._table is None:
            image = self._night if self._feed is None else self._feed.image
            self._pictures.draw(title_scene(now_s), image, now_s, page)
        else:
            scene, image = self._table.picture(self._night)
            if not self._front.shows_glass:
                scene = replace(scene, hud=title_scene(now_s).hud)
            self._pictures.draw(scene, image, now_s, page)

    # What the screens ask for -------------------------------------------------------------------------------

    def _do(self, action: Action) -> None:
        match action:
            case StartGame():
                self._want(
                    replace(
                        self._options,
                        players=action.party.names,
                        edition=action.edition,
                        options=action.options,
                        slots=action.slots,
                        seat=action.seat,
                    )
                )
            case StartPractice(seat):
                self._begin(self._practice(seat), self._seat(seat))
            case TableAccepted():
                self._accept_table()
            case PointAtCorners(near_side_m):
                if self._watch is not None:
                    self._watch.point_at_corners(near_side_m)
            case TakeCornerBack():
                if self._watch is not None and self._watch.corners is not None:
                    self._watch.corners.undo()
            case LookAgain():
                if self._watch is not None:
                    self._watch.look_again()
            case UndoTurn():
                self._ask("undo")
            case OverruleTear(player, give_back):
                self._ask("give" if give_back else "add", player)
            case SpendTear():
                self._ask("score")
            case GiveUpLadder():
                self._ask("give_up")
            case ShowAgain():
                if self._table is not None:
                    self._table.show_again()
            case ChangeSetting(name, value):
                self._change(name, value)
            case LeaveGame():
                self.clear_table()
                if self._feed is not None:
                    self._feed.look_at(None)
                self._pictures.renderer = self._title_renderer()
            case Quit():
                self._quit = True
            case _:
                pass  # whether the table's time goes on is read off the page

    def _ask(self, what: str, seat: int = 0) -> None:
        if self._table is not None:
            self._table.ask(what, seat)

    def _practice(self, seat: str) -> PlayOptions:
        return replace(
            self._options,
            players=(text("practice.player"),),
            edition="kosmos-2022",
            options=Options(mode=Mode.COOPERATIVE, tears=PRACTICE_TEARS),
            seat=seat,
        )

    def _seat(self, name: str) -> Seat:
        return SEATS[name](*self._size) if self._eyes is None else self._eyes.seat(name)

    def _want(self, options: PlayOptions) -> None:
        """Begin, after the table was found if the camera looks at a real one."""
        seat = self._seat(options.seat)
        if self._eyes is None or not self._eyes.live or seat.mirrored:
            self._begin(options, seat)
            return
        self.clear_table()
        self._watch = TableWatch(self._eyes, seat)
        self._wanted = options
        self._pictures.renderer = self._title_renderer(options)
        self._front.tell(TableAsked())

    def _accept_table(self) -> None:
        watch, options = self._watch, self._wanted
        if watch is None or options is None:
            return
        self._wanted = None
        state = watch.settle()
        found = replace(
            self._seat(options.seat), camera=state.camera, table_from_camera=state.table_from_camera
        )
        self._begin(options, found, watch)

    def _begin(self, options: PlayOptions, seat: Seat, watch: TableWatch | None = None) -> None:
        """Clear the table and lay it for another game, with a log and a seed of its own."""
        self._watch = None if watch is not None else self._watch
        self.clear_table()
        self._watch = watch
        first = self._options.seed if not self._played else secrets.randbelow(SEEDS)
        self._played = True
        stamp = datetime.now().strftime("%Y%m%d-%H%M%S-%f")
        log = self._options.log.with_name(f"{self._options.log.stem}-{stamp}.jsonl")
        options = replace(options, seed=first, log=log)
        if self._feed is not None:
            self._feed.look_at(play_region(seat.camera, seat.table_from_camera))
        cropped = self._feed is not None
        table = MoonTable(match_setup(options, seat, cropped=cropped), log, self._console)
        self._table = table
        renderer = make_renderer(table.setup, table.match.ladders, table.match.base, *self._size)
        self._pictures.renderer = renderer
        self._finger = DwellPointer(mirrored=options.seat == "mirror")
        if options.camera == DEMO:
            table.watch(open_demo(options, table.match, self._say_preparing), options, self._clock)

    def _say_preparing(self) -> None:
        """A window that answers nobody for seconds looks dead."""
        self._window.pump()
        now_s = self._clock.now_s()
        self._pictures.draw(title_scene(now_s, text("start.preparing")), self._night, now_s)

    def _change(self, name: str, value: str | int | bool) -> None:
        if name == "language" and isinstance(value, str):
            set_language(value)
        save_preferences(self._front.screens.preferences)
        self._heed_sound()

    def _heed_sound(self) -> None:
        preferences = self._front.screens.preferences
        self._sounds.set_volume(preferences.volume / 10.0, preferences.muted)
        self._sounds.set_ambience(preferences.ambience and not preferences.muted)
