"""A session in a window: pages, and one game after another."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import cv2

from armoon.app.frames import FrameInput, LiveSource, Source
from armoon.app.free_places import ScenePlaces
from armoon.app.front import Front
from armoon.app.host import Host, RenderCallbacks, make_front, read_last_choices
from armoon.app.instant_replay import frame_structure
from armoon.app.party import PartyHost
from armoon.app.picture_readers import FingerWatch, HeadWatch, PaperDie, PaperLid, PaperSize
from armoon.app.pictures import Pictures, make_renderer, open_gamepads
from armoon.app.program import Loop, Program
from armoon.app.remote.pages import RemoteTables
from armoon.app.session_camera import SessionCamera
from armoon.app.setup import collect_trials, count_figures, list_high_scores, save_player
from armoon.app.sources import find_source
from armoon.app.speech import AudioAids, LoudSoundSwitch, ScreenReaders, VoiceControl
from armoon.app.switches import get_current_buttons, show_key_names
from armoon.app.table import Table
from armoon.app.waiting import BookStage, make_preparing_page, make_title_scene, warm_meshes
from armoon.camera.profiles import CameraSeat
from armoon.camera.sources import make_blank
from armoon.clock import WallClock
from armoon.errors import ArmoonError
from armoon.games.contract import RenderSetup, load_kind, remove_hinted_keys
from armoon.geometry import CameraModel
from armoon.hands.card_tracker import CardSighting
from armoon.inputs.card import CardGrip
from armoon.messages import set_language, text
from armoon.processes.system import release_memory
from armoon.saves.profiles import load_profiles
from armoon.screen_reader.tree import TableObject
from armoon.screens import events
from armoon.screens.layout import TOWER, set_preference
from armoon.screens.machine import apply_camera, request_widget, show_remote_tables
from armoon.screens.pages.table import close_window, game_area, pause, pause_for
from armoon.screens.state import PageName
from armoon.settings.files import games_folder, load_last_choices, save_last_choices, save_preferences
from armoon.settings.preferences import PlayOptions, Preferences
from armoon.sinks.feed import create_console
from armoon.sinks.files import save_kit, save_picture
from armoon.sinks.sink import LazyValue, Moment, Picture
from armoon.sinks.sound import RumbleSink, start_prerendering
from armoon.sound.cues import find_page_cues
from armoon.sound.player import open_player
from armoon.values.acts import Act
from armoon.values.choices import Speech, Way
from armoon.values.page import Rect
from armoon.values.poses import Pose
from armoon.values.scene import Scene
from armoon.view.window import MousePointer

if TYPE_CHECKING:
    from armoon.engine.events import Output
    from armoon.view.scene.renderer import Renderer
    from armoon.view.window import GameWindow

#: Time of a full circle of the camera around the structure behind the result, in seconds.
ORBIT_S = 40.0


class SessionPictures:
    """Composes the scenes of a session, and replaces the renderer for each table."""

    def __init__(self, window: GameWindow, front: Front, camera: SessionCamera) -> None:
        from armoon.view.pages import make_page_view

        self.window, self._front, self._camera = window, front, camera
        self._title: tuple[CameraSeat, Renderer] | None = None
        self._book = BookStage()
        self.view: RenderSetup | None = None
        self.sink = Pictures(self._make_title_renderer(), window, None, make_page_view(*window.size))

    def compose(
        self, table: Table | None, image: Picture, now_s: float, notice: str
    ) -> tuple[Callable[[], Scene], Picture]:
        """Return a function that composes the scene, and the picture behind it (h, w, 3), BGR."""
        front, screens = self._front, self._front.screens
        if screens.page is PageName.BOOK:
            return self._compose_book(now_s)
        if self._book.is_open:
            self._book.close()
            self.show_title()
        if table is None:
            return partial(make_title_scene, now_s, notice), image
        if screens.page in (PageName.TOWER, PageName.RESULT) and not self.sink.should_keep_still:
            angle_rad = -0.25 * math.tau if screens.preferences.calm else now_s / ORBIT_S * math.tau
            area, hud = front.page[TOWER].rect, make_title_scene(now_s, notice).hud

            def compose_structure() -> Scene:
                return frame_structure(replace(table.compose_scene(""), hud=hud), angle_rad, area)

            return LazyValue(compose_structure), make_blank(*self._camera.size)
        preferences, choices = screens.preferences, screens.choices.choices
        has_buttons = preferences.chooses or table.game.should_list_choices or bool(choices)
        self.sink.set_free_area(has_choice_buttons=has_buttons, area=game_area(screens))
        table.has_slow_motion = not screens.preferences.calm
        replayed = table.replay.compose_scene(now_s)
        if replayed is not None:
            image = make_blank(*self._camera.size)
        banner = text("pause.asked") if table.controls.paused else notice

        def compose_scene() -> Scene:
            composed = table.compose_scene(banner) if replayed is None else replayed
            shows_hud = screens.page in (PageName.TABLE, PageName.GUIDE, PageName.VERDICT)
            if not (shows_hud or self.sink.should_keep_still):
                return replace(composed, hud=make_title_scene(now_s, notice).hud)
            keys = (
                "" if table.is_elsewhere else front.describe_keys(table.game, table.controls.describe_keys())
            )
            shown = (composed.hud.keys, remove_hinted_keys(composed.hud.hint, keys))
            hud = replace(composed.hud, keys=" · ".join(filter(None, shown)))
            # The guide's card contains the hint, and may cover its usual place.
            if screens.page is PageName.GUIDE:
                hud = replace(hud, hint="", keys="", ladders_left_text="", height_text="")
            # A verdict's card replaces the texts at the lower edge.
            return replace(composed, hud=hud.upper if screens.page is PageName.VERDICT else hud)

        return compose_scene, image

    def find_reader_areas(self, scene: Scene) -> tuple[dict[str, Rect], tuple[TableObject, ...]]:
        """Return areas of the display's texts by name, and objects on the table, as fractions of the window."""
        view = self.view
        if view is None or not (scene.pieces or scene.board) or scene.seen_from is not None:
            return self.sink.renderer.hud.text_areas, ()
        places = ScenePlaces(view, scene, self.sink.to_window)
        return self.sink.renderer.hud.text_areas, places.describe_objects()

    def show_title(self) -> None:
        self._set_renderer(self._make_title_renderer())

    def show_base(self, options: PlayOptions, seat: CameraSeat) -> None:
        self.show_view(load_kind(options.game).build_empty_render_setup(seat, options))

    def show_view(self, view: RenderSetup) -> None:
        _, _, width, height = self.window.begin_frame()
        self._set_renderer(make_renderer(view, width, height))

    def show_game(self, view: RenderSetup) -> None:
        self.view = view
        self.show_view(view)
        release_memory()

    def move_table(self, pose: Pose, camera: CameraModel) -> None:
        self.sink.renderer.set_table(pose, camera)

    def set_lid(self, foot: Pose, height_m: float) -> None:
        self.sink.renderer.set_lid(foot, height_m)

    def apply_preferences(self, *, virtual: bool) -> None:
        preferences = self._front.screens.preferences
        self.sink.choose_tier(preferences.tier)
        self.sink.choose_framing(preferences.framing, virtual=virtual)
        self.sink.set_aids(preferences)

    def make_preparing_moment(self, now_s: float, camera: str | None = None) -> Moment:
        self.window.poll()  # otherwise the window would look frozen for seconds
        camera_way = find_source(self._camera.options, camera).way
        page = make_preparing_page(now_s, camera_way, self._front.screens.preferences.way)
        scene = LazyValue(partial(make_title_scene, now_s))
        return Moment(now_s, scene=scene, image=make_blank(*self._camera.size), page=page, shown=True)

    def _set_renderer(self, renderer: Renderer) -> None:
        self.sink.renderer.free_surfaces()
        self.sink.renderer = renderer

    def _make_title_renderer(self) -> Renderer:
        seat = self._camera.make_seat()
        if self._title is None or self._title[0] != seat:
            _, _, width, height = self.window.begin_frame()
            self._title = (seat, make_renderer(RenderSetup.empty(seat), width, height))
        return self._title[1]

    def _compose_book(self, now_s: float) -> tuple[Callable[[], Scene], Picture]:
        screens = self._front.screens
        was_open, seat = self._book.is_open, self._camera.make_seat("table")
        view = self._book.open_page(screens.book_page, seat, tall=screens.is_tall)
        if view is not None and not (was_open and self.sink.renderer.ladders == view.ladders):
            self.show_view(view)
        return partial(self._book.compose_scene, now_s, calm=screens.preferences.calm), self._book.image


class Session(Loop):
    """The loop with pages: title, settings and menus in a window, in front of one game after another."""

    pictures: Pictures
    party: PartyHost
    audio_aids: AudioAids

    def __init__(self, options: PlayOptions, stack: ExitStack, window: GameWindow) -> None:
        """``stack`` closes everything that the session opens."""
        console, clock = create_console(), WallClock()
        self._console = console
        self._camera = SessionCamera(options, console, clock, stack)
        options = self._camera.options
        profiles = load_profiles(games_folder())
        if profiles.trouble:
            console.print(profiles.trouble)
        front = self._front = make_front(options, profiles)
        self._screen_readers = ScreenReaders(
            options.screen_reader,
            console.print,
            lambda widget, action: front.apply(request_widget, widget, action),
        )
        stack.callback(self._screen_readers.close)
        window.fit_picture(*self._camera.size)
        window.set_handlers(
            self._handle_key, self._handle_pointer, self._front.handle_letter, self._screen_readers.listener
        )
        window.on_close = partial(self._front.apply, close_window)
        window.on_focus_lost = self._handle_focus_loss
        program = Program(options, console, stack)
        self._pads = program.attach(
            open_gamepads(self._handle_pad, self._handle_sticks, options.pad_mappings)
        )
        party = program.attach(PartyHost(options, console.print, program.sinks))
        self._composer = composer = SessionPictures(window, front, self._camera)
        drawing = RenderCallbacks(
            self._show_game,
            composer.show_title,
            composer.show_base,
            composer.move_table,
            self._show_preparing,
        )
        self._host = Host(self._camera, console, front, clock, drawing, program.sinks)
        stack.callback(self._host.close_table)
        self._remote = program.attach(
            RemoteTables(
                self._host.build_game_options,
                self._host.begin_remote,
                lambda status: front.apply(show_remote_tables, status),
                window,
            )
        )
        player = open_player()
        turn_on_speech = partial(set_preference, name="speech", value=Speech.BRIEF)
        audio_aids = AudioAids(
            lambda: front.screens.form.options.terms, player, lambda: front.apply(turn_on_speech)
        )
        super().__init__(program.sinks, clock, window)
        self.pictures, self.party, self.audio_aids, self.poll = composer.sink, party, audio_aids, program.poll
        front.is_voice_busy = audio_aids.voice.is_busy
        front.handle_speech_act = audio_aids.handle_act
        program.open_sinks(
            composer.sink,
            player,
            options.rate_hz,
            audio_aids.voice,
            RumbleSink(self._pads.rumble, front.should_rumble),
            *self._screen_readers.make_sinks(audio_aids.words, composer.find_reader_areas),
        )
        program.open_devices(self._handle_act)
        program.attach(self._screen_readers)
        program.attach(LoudSoundSwitch(self._front, console.print))
        audio_aids.voice_control = program.attach(
            VoiceControl(front, self._press_act, audio_aids.voice.repeat_page, console.print)
        )
        mirrored = options.seat == "mirror"
        self._finger_watch = program.attach(
            FingerWatch(front, composer.sink.to_window, self._is_holding, mirrored=mirrored)
        )
        self._watchers = (
            program.attach(HeadWatch(front, clock, lambda: self._camera.options, self._point_at_table)),
            program.attach(PaperDie(front, self._make_current_view, self._handle_act)),
            program.attach(PaperLid(front, self._make_current_view, composer.set_lid)),
            program.attach(PaperSize(front, self._make_current_view, self._find_card_sighting)),
        )
        """Readers of the camera's pictures; the first non-empty ``trouble`` is shown."""
        self._applied_settings: tuple[Preferences, str] | None = None
        self._apply_preferences()
        if front.screens.must_choose_way:
            audio_aids.offer_reading()
        self._camera.start()
        front.apply(apply_camera, self._camera.build_status(should_ask_player=bool(self._camera.trouble)))
        self._was_pressed = False
        self._game_scene = make_title_scene(0.0)
        """The scene of the game's last frame."""
        self._last_page = front.page
        self._has_quit = False
        self._frame_count = 0

    @property
    def source(self) -> Source:
        """The table's own source, else the session's camera, else a source for keys and mouse alone."""
        own = None if self._host.table is None else self._host.table.source
        source = own or self._camera.feed or self._camera.no_camera
        self.pictures.live = source if isinstance(source, LiveSource) else None
        return source

    def read_input(self, source: Source) -> FrameInput:
        return self._camera.read_input(source)

    @property
    def is_done(self) -> bool:
        return self._has_quit

    def begin_frame(self, frame_input: FrameInput, now_s: float, notice: str) -> str:
        self._frame_count += 1
        if self._frame_count == 2:  # don't wait for these threads before showing the title
            warm_meshes(self._camera.make_seat(), self._camera.options)
            start_prerendering()
        self._front.resize_window(*self.pictures.size)
        self._front.advance_time(now_s)
        for pointer in self._front.pop_dwell_clicks(holding=self._is_holding()):
            self._handle_pointer(pointer)
        self._front.frame_input = frame_input
        self.poll()
        for action in self._front.drain_actions():
            self._carry_out(action)
        self._apply_preferences()
        if fault := self._camera.pop_new_fault(should_ask_player=self._host.table is None):
            self._front.apply(apply_camera, fault)
        picture = self.pictures.take_still()
        if picture is not None:
            png = cv2.imencode(".png", picture)[1].tobytes()
            self._front.change(picture=save_picture(games_folder(), ".png", png))
        self._pads.has_one_stick = self._front.screens.preferences.one_stick
        troubles = [watcher.trouble for watcher in self._watchers]
        troubles.append(self._front.describe_pad_loss(is_unplugged=self._pads.is_unplugged))
        self._host.track_table(frame_input)
        self.table, self.watch = self._host.table, self._host.watch
        self._front.change(party_state=self.party.state, review=self._host.review_job.poll_state())
        return next(filter(None, troubles), notice)

    def compose(self, moment: Moment, table: Table | None, notice: str, reason: str | None) -> Moment:
        page, before = self._front.page, self._last_page
        self._last_page = page
        game_cues = moment.cues
        scene, image = self._composer.compose(table, self.source.image, moment.now_s, notice)
        moment = replace(
            moment,
            page=page,
            cues=LazyValue(lambda: (*game_cues(), *find_page_cues(before, page))),
            scene=LazyValue(scene),
            image=image,
        )
        return self.audio_aids.add_aids(moment, None if table is None else lambda: self._game_scene)

    # Input --------------------------------------------------------------------------------------------------

    def _handle_key(self, name: str, pressed: bool) -> None:
        self._send_act(self._front.handle_key(name, pressed), pressed)

    def _press_act(self, act: Act) -> None:
        for pressed in (True, False):
            self._handle_act(act, pressed)

    def _find_card_sighting(self) -> CardSighting | None:
        devices = () if self._host.table is None else self._host.table.controls.devices
        return next((device.sighting for device in devices if isinstance(device, CardGrip)), None)

    def _make_current_view(self) -> RenderSetup | None:
        view, watch = self._composer.view, self._host.watch
        if view is None or watch is None:
            return view
        state = watch.state
        return replace(view, camera=state.camera, table_from_camera=state.table_from_camera)

    def _handle_act(self, act: Act, pressed: bool) -> None:
        if not self._front.handle_act(act, pressed):
            self._send_act(act, pressed)

    def _send_act(self, act: Act | None, pressed: bool) -> None:
        if act is not None and self._host.table is not None:
            self._host.table.controls.handle_act(act, pressed)

    def _handle_pad(self, name: str, pressed: bool) -> None:
        if not self._front.handle_pad(name, pressed) and self._host.table is not None:
            self._host.table.controls.handle_pad_button(
                name, pressed, get_current_buttons(self._front.screens)
            )

    def _handle_sticks(self, pushed: Mapping[str, float]) -> None:
        is_handled = self._front.handle_sticks(pushed)
        if self._host.table is not None:
            at_table = dict.fromkeys(pushed, 0.0) if is_handled else pushed
            self._host.table.controls.handle_sticks(at_table, get_current_buttons(self._front.screens))

    def _handle_pointer(self, pointer: MousePointer) -> None:
        is_handled = self._front.handle_pointer(pointer)
        self._point_at_table(pointer, is_handled=is_handled)

    def _point_at_table(self, pointer: MousePointer, *, is_handled: bool = False) -> None:
        """Pass the pointer of mouse or head to the table; ``is_handled``: the screens have already used it."""
        pointer = replace(pointer, place=self.pictures.renderer.to_camera(pointer.place))
        if pointer.pressed and not self._was_pressed and not self._front.is_over_button:
            self._host.handle_click(pointer.place)
        self._was_pressed = pointer.pressed
        if not is_handled and self._host.table is not None:
            self._host.table.controls.handle_pointer(pointer)

    def _handle_focus_loss(self) -> None:
        """Pause if a device holds a ladder, which it can't move while the window lacks the focus."""
        table = self._host.table
        if table is not None and self._front.is_at_table and table.is_held_by_device:
            self._front.apply(pause)

    def _is_holding(self) -> bool:
        return self._host.table is not None and bool(self._host.table.game.match.holding)

    # The game -----------------------------------------------------------------------------------------------

    def prepare_input(self, table: Table, frame_input: FrameInput) -> tuple[FrameInput, str | None]:
        front, watch, pause_key = self._front, self.watch, frame_input.pause_key
        front.report_camera_loss(pause_key, self._camera.trouble or text(pause_key or "pause.camera_gone"))
        if watch is not None and watch.pause_key is not None and front.is_running:
            front.apply(pause_for, text(watch.pause_key))
        screens, reason = front.screens, front.find_pause_reason(table)
        table.set_choice_listing(
            screens.preferences.chooses, front.highlighted_choice, suggested=screens.plays_without_hand
        )
        uses_hands = front.can_play_with(Way.HAND)
        for device in table.controls.devices:
            if device.way is not None:
                device.is_disabled = not front.can_play_with(device.way)
                uses_hands = uses_hands or not device.is_disabled
        return frame_input if uses_hands else frame_input.without_hands(), reason

    def show_output(self, table: Table, output: Output, now_s: float) -> None:
        scene = self._game_scene = table.game.build_turned_scene(1.0, "")
        table.replay.add_scene(now_s, scene)
        self._front.show_table(table, output)
        if self._composer.view is not None:
            places = ScenePlaces(self._composer.view, scene, self.pictures.to_window)
            self._front.lay_out_overlays(places, self.pictures.find_text_areas)

    def _carry_out(self, action: events.Action) -> None:
        match action:
            case events.Request.SAVE_PICTURE:
                self.pictures.should_keep_still = True
            case events.Ask(events.Request.WRITE_KIT, str(paper)):
                self._front.change(picture=save_kit(games_folder(), paper))
            case events.Request.OPEN_SCORES:
                self._front.change(scores=list_high_scores(self._camera.options.game, games_folder()))
            case events.Request.OPEN_BOOK:
                self._front.change(book=count_figures(games_folder()))
            case events.Request.OPEN_TRIALS:
                self._front.change(trials=collect_trials(games_folder()))
            case events.Request.FIND_CAMERAS:
                self._front.apply(apply_camera, self._camera.build_status(with_pictures=True))
            case events.Ask(events.Request.USE_CAMERA, str(source)):
                self._use_camera(source)
            case events.ChangeSetting(name, value):
                if name == "language" and isinstance(value, str):
                    set_language(value)
                screens = self._front.screens
                saved = screens.common_preferences or screens.preferences
                save_preferences(saved, without=("way",) if screens.must_choose_way else ())
                if name in ("tier", "framing"):
                    self._composer.apply_preferences(virtual=self._host.watch is None)
            case events.Ask(events.Request.SAVE_PLAYER, events.FormPlayer() as player):
                try:
                    save_player(games_folder(), player)
                except ArmoonError as error:
                    self._console.print(str(error))
            case events.Request.QUIT:
                self._has_quit = True
            case events.StartGame():
                action = self.party.with_voted_first_player(action)
                camera = load_last_choices().camera
                save_last_choices(replace(read_last_choices(self._front.screens.form), camera=camera))
                self._host.carry_out(action)
            case events.Request.END_PARTY | events.Ask(
                events.Request.BEGIN_PARTY | events.Request.RECORD_PEOPLE | events.Request.OPEN_PAGE
            ):
                self.party.carry_out(action, self.pictures)
            case (
                events.InviteTables()
                | events.JoinTable()
                | events.Request.BEGIN_TABLES
                | events.Request.LEAVE_TABLES
                | events.Request.PASTE_LINK
                | events.Request.COPY_LINK
                | events.Request.FIND_TABLES
                | events.Request.NEXT_BROKER
                | events.Request.ADMIT_TABLE
                | events.Request.DECLINE_TABLE
            ):
                self._remote.carry_out(action)
            case _:
                self._host.carry_out(action)

    def _use_camera(self, source: str) -> None:
        self._show_preparing(source)
        last = load_last_choices()
        save_last_choices(replace(last, camera=find_source(self._camera.options, source).word))
        self._host.stop_watching()
        self._camera.change_to(source)
        width, height = self._camera.size
        self._composer.window.aspect = width / height
        self._host.use_camera()
        self._front.apply(apply_camera, self._camera.build_status(changed=not self._camera.trouble))
        if self._host.table is None:
            self._composer.show_title()

    def _apply_preferences(self) -> None:
        preferences, switch = current = self._front.screens.preferences, self._front.switches.name
        if current == self._applied_settings:
            return
        self._applied_settings = current
        self.audio_aids.apply_preferences(preferences)
        self.pictures.set_aids(preferences)
        show_key_names(preferences, switch)

    def _show_game(self, view: RenderSetup) -> None:
        self._composer.show_game(view)
        self._composer.apply_preferences(virtual=self._host.watch is None)
        self._finger_watch.restart(mirrored=view.mirrored)
        self.audio_aids.mirrored = view.mirrored

    def _show_preparing(self, camera: str | None = None) -> None:
        self._sinks.distribute(self._composer.make_preparing_moment(self._clock.now_s(), camera))
