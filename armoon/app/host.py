"""Carries out the requests of a session's screens: opens and closes games, and finds the real table."""

from __future__ import annotations

import datetime
import secrets
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from armoon.app.camera import TableWatch, describe_table_error, start_camera
from armoon.app.frames import FrameInput
from armoon.app.front import Front
from armoon.app.session_camera import SessionCamera
from armoon.app.setup import list_known_players, make_practice_options, prepare_table
from armoon.app.sources import find_source
from armoon.app.table import Table
from armoon.app.waiting import ReviewJob, run_animated
from armoon.camera.profiles import CameraSeat
from armoon.clock import Clock
from armoon.errors import ArmoonError
from armoon.games import game_options
from armoon.games.contract import RenderSetup, load_kind
from armoon.games.library import list_unfinished
from armoon.games.news import UnfinishedGame
from armoon.games.shared import FirstBy
from armoon.geometry import CameraModel
from armoon.hands.landmarks import INDEX_TIP
from armoon.hands.tracker import find_play_region
from armoon.messages import text
from armoon.party.part import PartyPart
from armoon.processes.system import collect_garbage
from armoon.saves.profiles import Profiles
from armoon.screens import events
from armoon.screens.form import Form
from armoon.screens.machine import first_screens, search_table, start_remote_game
from armoon.screens.state import PageName
from armoon.settings import files
from armoon.settings.files import games_folder
from armoon.settings.preferences import PlayOptions, Preferences
from armoon.sinks.files import save_landmarks
from armoon.sinks.hub import Sinks
from armoon.values.acts import Act
from armoon.values.choices import ButtonKind, SeatName, Way
from armoon.values.pieces import Command
from armoon.values.poses import Pose, Vec2

if TYPE_CHECKING:  # its packages are slow to import
    from armoon.app.remote.meeting import Meeting

#: Number of possible seeds; a short seed is easy to pass on to a friend.
SEEDS = 1_000_000


@dataclass(frozen=True)
class RenderCallbacks:
    """Functions that the host calls to change the picture."""

    show_game: Callable[[RenderSetup], None]
    show_title: Callable[[], None]
    show_base: Callable[[PlayOptions, CameraSeat], None]
    move_table: Callable[[Pose, CameraModel], None]
    show_preparing: Callable[[], None]


class Host:
    """Opens, replaces and closes the table of the current game."""

    def __init__(
        self,
        camera: SessionCamera,
        console: Console,
        front: Front,
        clock: Clock,
        drawing: RenderCallbacks,
        sinks: Sinks,
    ) -> None:
        self._camera, self._console, self._front = camera, console, front
        self._clock, self._drawing, self._sinks = clock, drawing, sinks
        self.table: Table | None = None
        self.watch: TableWatch | None = None
        self._requested_options: PlayOptions | None = None
        """Options of the game that starts once the real table is found."""
        self._seed = camera.options.seed
        self._options: PlayOptions | None = None
        self.saved: Path | None = None
        """File of the current or last saved game."""
        self._log: Path | None = None
        self.review_job = ReviewJob()
        self._table_threads = ExitStack()
        front.change(seed=self._seed)
        self._update_unfinished()

    def carry_out(self, action: events.Action) -> None:
        match action:
            case events.StartGame():
                self._request_game(self.build_game_options(action))
            case events.Ask(events.Request.RESUME_GAME, UnfinishedGame() as game):
                self._request_game(
                    replace(
                        self._current_options(),
                        game=game.game,
                        players=game.players,
                        game_options=game.options,
                        seat=self._front.screens.form.seat,
                        resume=str(game.path),
                    )
                )
            case events.Request.OPEN_REVIEW | events.Request.STOP_REVIEW | events.Request.SAVE_REVIEW:
                self._front.change(review=self.review_job.carry_out(action, self._log, games_folder()))
            case events.Request.SAVE_LANDMARKS:
                self._front.change(picture=save_landmarks(self._log, games_folder()))
            case events.StartTrial(name, trial, party, seat):
                options = load_kind(name).build_trial_options(trial, game_options(name)())
                self._request_game(self.build_game_options(events.StartGame(name, party, options, seat)))
            case events.Ask(events.Request.START_PRACTICE, str(figure)):
                seat = self._front.screens.form.seat
                self.close_table()
                self._begin_game(
                    make_practice_options(self._camera.options, seat, figure), self._camera.make_seat(seat)
                )
            case events.Request.CHANGE_SEAT:
                self.change_seat()
            case events.Request.LEAVE_GAME:
                self.close_table()
                if self._camera.feed is not None:
                    self._camera.feed.set_region(None)
                self._drawing.show_title()
                self._update_unfinished()
            case events.Request.TABLE_ACCEPTED if self.watch is not None:
                self._accept_table(self.watch)
            case events.Ask(events.Request.POINT_AT_CORNERS, float(near_side_m)) if self.watch is not None:
                self.watch.point_at_corners(near_side_m)
            case events.Request.UNDO_CORNER if self.watch is not None and self.watch.corners is not None:
                self.watch.corners.undo_corner()
            case events.Request.SEARCH_AGAIN if self.watch is not None:
                self.watch.search_again()
            case events.Ask(events.Request.TAKE_CHOICE, str(name)) if self.table is not None:
                for command in self.table.game.confirm_choice(name):
                    self.table.controls.add_command(command)
            case events.Ask(Act.LOOK_BACK) if self.table is not None:
                self.table.replay.start(self._clock.now_s())
            case events.Ask(Act() as act, int(value)) if self.table is not None:
                self.table.controls.add_command(Command(act, "screen", value))

    def change_seat(self) -> None:
        if self.table is None or self._options is None or self.table.is_shared:
            return  # a game at several tables can't be restarted
        saved = self.saved
        if saved is None and self._options.saved:
            return  # nothing was saved, so a restart would lose the game
        seat = SeatName.TABLE if self._options.seat == SeatName.MIRROR else SeatName.MIRROR
        self._request_game(replace(self._options, seat=seat, resume=None if saved is None else str(saved)))

    def stop_watching(self) -> None:
        if self.watch is not None:
            self.watch.close()
            self.watch = None

    def use_camera(self) -> None:
        """Use the session's new camera; a saved game resumes at the start of its turn, any other game restarts."""
        options = self._camera.options
        if find_source(options).has_player:
            self._seed = options.seed
            self._front.change(seed=self._seed)
        playing, saved = self._options, self.saved
        if self.table is not None and playing is not None and not self.table.is_shared:
            resume = None if saved is None else str(saved)
            self._request_game(
                replace(playing, camera=options.camera, size=options.size, seat=options.seat, resume=resume)
            )

    def close_table(self) -> None:
        self.review_job.close()
        table, self.table = self.table, None
        watch, self.watch, self._requested_options = self.watch, None, None
        try:
            self._table_threads.close()
        finally:
            if table is not None:
                table.close()
            if watch is not None:
                watch.close()

    # Finding the real table ---------------------------------------------------------------------------------

    def track_table(self, frame_input: FrameInput) -> None:
        """Search for the real table before a game, and track it during the game."""
        watch = self.watch
        if watch is None:
            return
        watch.add_frame(frame_input)
        if self._requested_options is None:
            return
        if watch.corners is not None:
            if frame_input.result is not None:
                hands = frame_input.result.hands
                tip = hands.hands[0].points_px[INDEX_TIP] if hands.hands else None
                watch.corners.add_fingertip(tip, hands.time_s)
            self._front.change(table=events.TableSearch(text(watch.corners.hint_key), is_pointing=True))
            if watch.finish_corners() is None:
                return
        state = watch.state
        search = events.TableSearch(text(state.hint_key), describe_table_error(state))
        self._front.change(table=search)
        self._drawing.move_table(state.table_from_camera, state.camera)

    def handle_click(self, place: Vec2) -> None:
        """Handle a click in the picture (in fractions); while the player marks the table, it sets a corner."""
        corners = None if self.watch is None else self.watch.corners
        if corners is not None:
            corners.add_click((place[0] * self._camera.size[0] - 0.5, place[1] * self._camera.size[1] - 0.5))

    def _request_game(self, options: PlayOptions) -> None:
        self.close_table()
        seat = self._camera.make_seat(options.seat)
        opened = self._camera.opened
        if opened is None or not opened.source.live or seat.mirrored:
            self._begin_game(options, seat)
            return
        self.watch = TableWatch(opened, seat)
        self._requested_options = options
        self._drawing.show_base(options, seat)
        self._front.apply(search_table)

    def _accept_table(self, watch: TableWatch) -> None:
        options, self._requested_options = self._requested_options, None
        if options is None:
            return
        state = watch.accept_table()
        seat = self._camera.make_seat(options.seat)
        self._begin_game(
            options, replace(seat, camera=state.camera, table_from_camera=state.table_from_camera)
        )

    # Opening the game's table -------------------------------------------------------------------------------

    def _current_options(self) -> PlayOptions:
        preferences = self._front.screens.preferences
        options = self._camera.options.with_values(vars(preferences))
        # Players by head take and release with separate clicks: they can't keep their mouths open while carrying.
        ways = (preferences.way, *(player.habits.way for player in self._front.screens.form.players))
        return replace(options, button=ButtonKind.CLICK) if Way.HEAD in ways else options

    def build_game_options(self, action: events.StartGame) -> PlayOptions:
        return replace(
            self._current_options(),
            game=action.game,
            players=action.party.names,
            game_options=action.options,
            seat=action.seat,
            first=action.begins,
            colours=action.party.colours,
            hands=action.party.hands,
        )

    def begin_remote(self, meeting: Meeting) -> None:
        """Open this program's table in a game of several tables, which ``meeting`` connects. Raises ArmoonError."""
        options = meeting.options
        self.close_table()
        self._begin_game(options, self._camera.make_seat(options.seat), meeting)
        match = None if self.table is None else self.table.game.match
        if match is not None:
            rules = options.game_options if match.game == options.game else game_options(match.game)()
            self._front.apply(start_remote_game, match.game, tuple(match.players), rules)

    def _update_unfinished(self) -> None:
        try:
            games, folder = list_unfinished(games_folder()), files.temp_folder()
        except ArmoonError:
            games, folder = (), None  # an unreadable folder is reported when a saved game is requested
        folder_name = "" if folder is None else str(folder)
        self._front.change(unfinished=games, temp_folder=folder_name)

    def _begin_game(self, options: PlayOptions, seat: CameraSeat, meeting: Meeting | None = None) -> None:
        """Open a new game's table, with its own log, save and seed; ``meeting`` connects it to other tables."""
        seed = options.seed
        if options.resume is None:
            seed, self._seed = self._seed, secrets.randbelow(SEEDS)
            self._front.change(seed=self._seed)
        if self._camera.feed is not None:
            self._camera.feed.set_region(find_play_region(seat.camera, seat.table_from_camera))
        options = self._options = replace(options, seed=seed)
        cropped = self._camera.feed is not None
        prepare = partial(
            prepare_table, options, seat, games_folder(), self._console, cropped=cropped, real_time=True
        )
        if meeting is not None and meeting.seats is not None:
            prepare = partial(meeting.set_up_table, self._console, seat)
        prepared = run_animated(prepare, self._drawing.show_preparing)
        shared = None if meeting is None else meeting.begin_game(prepared.game.match)
        table = prepared.open_table(
            options, seat, self._sinks, self._console.print, several=True, shared=shared
        )
        self.table, self._log = table, table.log
        self.saved = None if prepared.writer is None else prepared.writer.path
        self._front.change(is_saved=self.saved is not None)
        self._drawing.show_game(prepared.view)
        frames = find_source(options).open_for_table(prepared.demo, table, self._drawing.show_preparing)
        if frames is not None:
            start = partial(start_camera, options, frames, self._table_threads, self._clock)
            table.source = run_animated(start, self._drawing.show_preparing)
        collect_garbage()


def make_front(options: PlayOptions, profiles: Profiles) -> Front:
    """Return the front at the title page, with values from the command line and the players' profiles."""
    preferences = load_preferences_for(options)
    players, today = list_known_players(profiles), datetime.date.today()
    screens = first_screens(options, preferences, known=players, today=today)
    form = with_last_choices(screens.form, files.load_last_choices(), options)
    if isinstance(options.first, FirstBy):
        form = replace(form, first_rule=options.first)
    elif options.first is not None:
        form = replace(form, first_rule=FirstBy.CHOSEN, chosen_first=options.first.seat)
    screens = replace(screens, form=form.tidy(), party_on_lan=options.part(PartyPart).lan)
    is_way_chosen = "way" in options.explicit_names or files.is_stored("way")
    screens = replace(screens, must_choose_way=not is_way_chosen)
    begins_with_card = preferences.way is Way.CARD and files.load_preferences().way is not Way.CARD
    return Front(screens.go_to(PageName.CARD) if begins_with_card else screens)


def load_preferences_for(options: PlayOptions) -> Preferences:
    from_options = options.preferences()
    overrides = {name: value for name, value in vars(from_options).items() if name in options.explicit_names}
    return replace(files.load_preferences(defaults=from_options), **overrides)


def with_last_choices(form: Form, last: files.LastChoices, options: PlayOptions) -> Form:
    """Return the form with the choices of the last game, except those made on the command line."""
    typed = options.explicit_names
    game_option_names = {option.name for option in options.game_options.options()}
    options_by_game = {**form.options_by_game, **last.games}
    if typed & game_option_names or options.game not in last.games:
        options_by_game[options.game] = options.game_options
    game = last.game if last.game and not typed & ({"game"} | game_option_names) else options.game
    players = form.players
    bots: Sequence[str | None] = options.game_options.bots_by_seat
    if last.players and not typed & {"players", "bots"}:
        players, bots = events.seat_players(last.players, form.known_players), last.bots
    seat = last.seat if last.seat and "seat" not in typed else form.seat
    form = replace(
        form,
        game=game,
        players=players,
        options_by_game=options_by_game,
        seat=seat,
        first_rule=last.way,
        chosen_first=last.chosen,
    )
    return form.with_bots(bots)


def read_last_choices(form: Form) -> files.LastChoices:
    names = tuple(player.name for player in form.players)
    return files.LastChoices(
        form.game,
        names,
        form.seat,
        form.first_rule,
        form.chosen_first,
        dict(form.options_by_game),
        bots=tuple(player.bot or None for player in form.players),
    )
