"""An evening in a window: the screens in front, one game after the other behind them."""

from __future__ import annotations

import datetime
import time
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from rich.console import Console

from armoon.app.book import book_scene, book_table, page_of
from armoon.app.feed import LOOP_S, Fed
from armoon.app.front import Front
from armoon.app.host import Drawing, Host
from armoon.app.laid import DEMO
from armoon.app.laying import start_camera
from armoon.app.pictures import Pictures, make_renderer, open_window
from armoon.app.players import keep_player, known_players
from armoon.app.replaying import NIGHT_BGR
from armoon.app.session import sentences_console
from armoon.app.title import title_scene, title_table
from armoon.app.webcam import open_eyes
from armoon.camera.seat import Seat
from armoon.clock import WallClock
from armoon.errors import ArmoonError
from armoon.games.kind import Viewed
from armoon.games.moon.kind import rising_moon
from armoon.games.moon.options import MoonOptions
from armoon.games.shared.seating import FirstBy
from armoon.geometry import CameraModel
from armoon.hands.grips.pointing import DwellPointer
from armoon.messages import set_language, text
from armoon.party.recorder import Recorder
from armoon.saves.profiles import Profiles, load_profiles
from armoon.screens.actions import Action, ChangeSetting, KeepPlayer, Quit
from armoon.screens.events import CameraPaused
from armoon.screens.machine import first_screens
from armoon.screens.preferences import LOUDEST, Preferences
from armoon.screens.state import PageName
from armoon.settings.options import PlayOptions, games_folder
from armoon.settings.preferences_file import load_preferences, save_preferences
from armoon.sound.cues import page_sounds
from armoon.sound.player import open_player
from armoon.values.choices import Slots
from armoon.values.pieces import Base, LadderSet
from armoon.values.poses import Pose
from armoon.values.scene import Scene

if TYPE_CHECKING:
    from armoon.view.scene.renderer import Renderer
    from armoon.view.window import Pointer

#: Changes between camera before the player and camera before the table.
SEAT_KEY = "f3"
#: A hand that wasn't seen for longer has not rested on anything meanwhile.
LONGEST_REST_S = 0.2


def run_evening(options: PlayOptions) -> int:
    """Show the title, and play what the players choose until they leave."""
    with ExitStack() as stack:
        evening = Evening(options, sentences_console(), stack)
        evening.run()
    return 0


class Evening:
    """Window, screens, sounds, camera and tracker, and the loop that turns them."""

    def __init__(self, options: PlayOptions, console: Console, stack: ExitStack) -> None:
        """Open everything; what was opened is closed by the stack."""
        self._options = options
        self._console = console
        self._clock = WallClock()
        eyes = None if options.camera == DEMO else open_eyes(options)
        opened = stack.enter_context(ExitStack())
        size = (options.width_px, options.height_px)
        if eyes is not None:
            opened.callback(eyes.source.close)
            size = (eyes.source.width, eyes.source.height)
        profiles = load_profiles(games_folder())
        if profiles.trouble:
            console.print(profiles.trouble)
        self._front = _front(options, profiles)
        self._window = open_window(*size, "armoon", self._key, self._pointer, self._front.letter)
        stack.callback(self._window.close)
        drawing = Drawing(
            self._show_game, self._show_title, self._show_base, self._see_table, self._say_preparing
        )
        self._host = Host(options, console, self._front, eyes, size, self._clock, drawing)
        self._pictures = self._open_pictures()
        stack.callback(self._pictures.close)
        stack.callback(self._host.clear_table)
        self._sounds = open_player()
        stack.callback(self._sounds.close)
        self._heed_sound()
        if eyes is not None:
            for sentence in (eyes.source.description, *eyes.warnings):
                console.print(sentence)
            opened.pop_all()
            self._host.feed = start_camera(options, eyes.source, stack, self._clock)
        self._finger = DwellPointer(mirrored=options.seat == "mirror")
        self._pointed_s: float | None = None
        self._clicked = False
        self._leaf: int | None = None
        """The page of the book of figures that the renderer was made for."""
        self._quit = False
        self._night = np.full((size[1], size[0], 3), NIGHT_BGR, np.uint8)

    def run(self) -> None:
        """Turn the loop until the players quit."""
        while not self._quit:
            self._window.pump()
            if self._window.closed:
                return
            self._front.resized(*self._window.size)
            fed = self._take()
            if fed.ended:
                return
            page = self._front.page
            for action in self._front.take_actions():
                self._do(action)
            self._point(fed)
            self._host.find(fed)
            self._play(fed)
            self._draw()
            self._sounds.play(page_sounds(page, self._front.page))

    # Input --------------------------------------------------------------------------------------------------

    def _key(self, name: str, pressed: bool) -> None:
        if name == SEAT_KEY and pressed and self._front.at_table:
            self._host.change_seat()
        elif not self._front.key(name, pressed) and self._host.table is not None:
            self._host.table.controls.key(name, pressed)

    def _pointer(self, pointer: Pointer) -> None:
        mine = self._front.pointer(pointer)
        if pointer.pressed and not self._clicked and not self._front.over_button:
            self._host.click(pointer.place)
        self._clicked = pointer.pressed
        if not mine and self._host.table is not None:
            self._host.table.controls.pointer(pointer)

    def _take(self) -> Fed:
        table = self._host.table
        feed = self._host.feed if table is None or table.feed is None else table.feed
        if feed is not None:
            return feed.take()
        time.sleep(LOOP_S)
        return Fed(None, None, False)

    def _point(self, fed: Fed) -> None:
        """A finger that points at the screen rests on its buttons."""
        if fed.result is None:
            return
        hands = fed.result.hands
        busy = self._host.table is not None and self._host.table.holding
        pointer = self._finger.see(hands, {}, busy=busy)
        passed_s = 0.0 if self._pointed_s is None else hands.time_s - self._pointed_s
        self._pointed_s = hands.time_s
        place = None if pointer is None else self._pictures.window_place(pointer.place)
        self._front.hand(place, max(0.0, min(passed_s, LONGEST_REST_S)))

    # The game -----------------------------------------------------------------------------------------------

    def _play(self, fed: Fed) -> None:
        table, watch = self._host.table, self._host.watch
        if table is None:
            return
        pause_key, moved = fed.pause_key, None
        if watch is not None:
            pause_key = pause_key or watch.pause_key
            moved = watch.take_change()
            if moved is not None:
                self._see_table(moved, watch.state.camera)
        if pause_key is not None and self._front.running:
            self._front.tell(CameraPaused(text(pause_key)))
        self._sounds.play(table.turn(fed, self._clock.now_s(), self._front.running, moved))
        for event in table.take_news():
            self._front.tell(event)

    def _do(self, action: Action) -> None:
        match action:
            case ChangeSetting(name, value):
                if name == "language" and isinstance(value, str):
                    set_language(value)
                save_preferences(self._front.screens.preferences)
                self._heed_sound()
                if name == "tier" or name.startswith("show_"):
                    self._heed_picture()
            case KeepPlayer(player):
                try:
                    keep_player(games_folder(), player)
                except ArmoonError as error:
                    self._console.print(str(error))
            case Quit():
                self._quit = True
            case _:
                self._host.do(action)

    def _heed_picture(self) -> None:
        """Tier and depth helps, as the settings page has them."""
        from armoon.view.marks.helps import Helps

        preferences = self._front.screens.preferences
        self._pictures.choose_tier(self._options.tier or preferences.tier)
        self._pictures.renderer.helps = Helps(
            drop_line=preferences.show_drop_line,
            halo=preferences.show_halo,
            inset=preferences.show_inset,
            uncertainty=preferences.show_uncertainty,
        )

    def _heed_sound(self) -> None:
        preferences = self._front.screens.preferences
        self._sounds.set_volume(preferences.volume / LOUDEST, preferences.muted)
        self._sounds.set_ambience(preferences.ambience and not preferences.muted)

    # Pictures -----------------------------------------------------------------------------------------------

    def _draw(self) -> None:
        now_s = self._clock.now_s()
        page, table = self._front.page, self._host.table
        if self._front.screens.page is PageName.BOOK:
            self._pictures.draw(self._book_scene(now_s), self._night, now_s, page)
            return
        if self._leaf is not None:
            self._leaf = None
            self._show_title(self._options, self._host.seat(self._options.seat))
        if table is None:
            feed = self._host.feed
            self._pictures.draw(title_scene(now_s), self._night if feed is None else feed.image, now_s, page)
            return
        scene, image = table.picture(self._night)
        if not self._front.shows_glass:
            scene = replace(scene, hud=title_scene(now_s).hud)
        self._pictures.draw(scene, image, now_s, page)

    def _book_scene(self, now_s: float) -> Scene:
        """The open page of the book of figures, whose ladders are drawn from now on."""
        leaf = self._front.screens.leaf
        page = page_of(leaf)
        if leaf != self._leaf:
            self._leaf = leaf
            _, _, width, height = self._window.begin()
            viewed = _viewed(self._host.seat("table"), *book_table(page))
            self._pictures.renderer = make_renderer(viewed, width, height)
        return book_scene(page, now_s)

    def _open_pictures(self) -> Pictures:
        from armoon.view.pages.pages import PageView

        recorder = None
        if self._options.record is not None:
            _, _, width, height = self._window.begin()
            recorder = Recorder(self._options.record, width, height, self._options.rate_hz)
        renderer = self._title_renderer(self._host.seat(self._options.seat))
        return Pictures(renderer, self._window, None, recorder, PageView(*self._window.size))

    def _title_renderer(self, seat: Seat) -> Renderer:
        _, _, width, height = self._window.begin()
        return make_renderer(_viewed(seat), width, height)

    def _show_title(self, options: PlayOptions, seat: Seat) -> None:
        self._pictures.renderer = self._title_renderer(seat)

    def _show_base(self, options: PlayOptions, seat: Seat) -> None:
        _, _, width, height = self._window.begin()
        own = options.game_options
        slots = own.slots if isinstance(own, MoonOptions) else Slots.FACING
        viewed = _viewed(seat, *title_table(slots))
        self._pictures.renderer = make_renderer(viewed, width, height)

    def _show_game(self, viewed: Viewed) -> None:
        _, _, width, height = self._window.begin()
        self._pictures.renderer = make_renderer(viewed, width, height)
        self._heed_picture()
        self._finger = DwellPointer(mirrored=viewed.mirrored)

    def _see_table(self, pose: Pose, camera: CameraModel) -> None:
        self._pictures.renderer.see_table(pose, camera)

    def _say_preparing(self) -> None:
        """A window that answers nobody for seconds looks dead."""
        self._window.pump()
        now_s = self._clock.now_s()
        self._pictures.draw(title_scene(now_s, text("start.preparing")), self._night, now_s)


def _viewed(seat: Seat, ladders: LadderSet | None = None, base: Base | None = None) -> Viewed:
    backdrop = None if base is None else rising_moon
    return Viewed(seat.camera, seat.table_from_camera, seat.mirrored, ladders, base, backdrop=backdrop)


def _front(options: PlayOptions, profiles: Profiles) -> Front:
    """The title, with what was typed on the command line and what is known of the players filled in."""
    usual = Preferences(grip=options.grip, depth_help=options.depth_help)
    preferences = load_preferences(options.language, usual=usual)
    known, today = known_players(profiles), datetime.date.today()
    screens = first_screens(options, preferences, known=known, today=today)
    form = screens.form.with_options(options.game_options, options.game)
    if isinstance(options.first, FirstBy):
        form = replace(form, way=options.first)
    elif options.first is not None:
        form = replace(form, way=FirstBy.CHOSEN, chosen=options.first.seat)
    return Front(replace(screens, form=form.tidy()))
