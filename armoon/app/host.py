"""The host of an evening: carries out the screens' requests, finds the table, sets it and clears it."""

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

from armoon.app.camera import TableWatch, start_camera
from armoon.app.evening_camera import EveningCamera
from armoon.app.front import Front
from armoon.app.setup import known_players, practice, set_up
from armoon.app.sources.frames import Incoming
from armoon.app.sources.part import source_of
from armoon.app.table import Table
from armoon.app.waiting import Reviewing, worked_out
from armoon.camera.profiles import CameraSeat
from armoon.clock import Clock
from armoon.errors import ArmoonError
from armoon.games import game_options
from armoon.games.contract.kind import Viewed, kind_of
from armoon.games.contract.library import Unfinished, unfinished
from armoon.games.shared.seating import FirstBy
from armoon.geometry import CameraModel
from armoon.hands.landmarks import INDEX_TIP
from armoon.hands.tracker import play_region
from armoon.messages import centimetres, number, text
from armoon.party.part import PartyPart
from armoon.processes.system import collect_garbage
from armoon.saves.profiles import Profiles
from armoon.screens import events
from armoon.screens.form import Form
from armoon.screens.machine import first_screens
from armoon.screens.state import PageName
from armoon.settings.files import (
    LastTime,
    games_folder,
    is_kept,
    load_last_time,
    load_preferences,
    temp_folder,
)
from armoon.settings.preferences import PlayOptions, Preferences
from armoon.sinks.files import keep_landmarks
from armoon.sinks.hub import Sinks
from armoon.values.acts import Act
from armoon.values.choices import ButtonKind, SeatName, Way
from armoon.values.poses import Pose, Vec2

if TYPE_CHECKING:  # its packages take a while to import
    from armoon.app.remote.meeting import Meeting

#: Seeds of the evening's games, short enough to pass on to a friend.
SEEDS = 1_000_000


@dataclass(frozen=True)
class RenderNeeds:
    """The host's requirements for the renderer."""

    show_game: Callable[[Viewed], None]
    show_title: Callable[[], None]
    show_base: Callable[[PlayOptions, CameraSeat], None]
    see_table: Callable[[Pose, CameraModel], None]
    preparing: Callable[[], None]


class Host:
    """The game being played and its table."""

    def __init__(
        self,
        camera: EveningCamera,
        console: Console,
        front: Front,
        clock: Clock,
        drawing: RenderNeeds,
        sinks: Sinks,
    ) -> None:
        self._camera = camera
        self._console = console
        self._front = front
        self._clock = clock
        self._drawing = drawing
        self._sinks = sinks
        self.table: Table | None = None
        self.watch: TableWatch | None = None
        self._wanted: PlayOptions | None = None
        self._seed = camera.options.seed
        self._playing: PlayOptions | None = None
        """What the game under way was set with."""
        self.saved: Path | None = None
        """The saved game that is being written, or was last."""
        self._log: Path | None = None
        self._reviewing = Reviewing()
        self._at_table = ExitStack()
        """What was opened for the game under way alone."""
        front.change(seed=self._seed)
        self._tell_unfinished()

    def do(self, action: events.Action) -> None:
        match action:
            case events.StartGame():
                self._want(self.chosen(action))
            case events.ResumeGame(game, seat):
                self._want(self._resumed(game, seat))
            case events.Request.OPEN_REVIEW | events.Request.STOP_REVIEW | events.Request.SAVE_REVIEW:
                self._front.change(review=self._reviewing.do(action, self._log, games_folder()))
            case events.Request.SAVE_LANDMARKS:
                self._front.change(picture=keep_landmarks(self._log, games_folder()))
            case events.StartTrial():
                self._want(self._tried(action))
            case events.StartPractice(seat, figure=figure):
                self._begin(practice(self._camera.options, seat, figure), self._camera.seat(seat))
            case events.Request.LEAVE_GAME:
                self.clear_table()
                if self._camera.feed is not None:
                    self._camera.feed.look_at(None)
                self._drawing.show_title()
                self._tell_unfinished()
            case (
                events.Request.TABLE_ACCEPTED
                | events.PointAtCorners()
                | events.Request.UNDO_CORNER
                | events.Request.SEARCH_AGAIN
            ):
                self._search(action)
            case _:
                if self.table is not None:
                    _ask(self.table, action)

    def change_seat(self) -> None:
        """Play on in the other seat, from the beginning of the turn under way."""
        if self.table is None or self._playing is None or self.table.shared:
            return  # with other tables there is one game, which isn't begun again
        saved = self.saved
        if saved is None and self._playing.saved:
            return  # nothing could be written: what was played would be lost
        other = SeatName.TABLE if self._playing.seat == SeatName.MIRROR else SeatName.MIRROR
        self._want(replace(self._playing, seat=other, resume=None if saved is None else str(saved)))

    def leave_camera(self) -> None:
        if self.watch is not None:
            self.watch.close()
            self.watch = None

    def use_camera(self) -> None:
        """Another camera looks from now on; a game under way goes on from the beginning of its turn."""
        options = self._camera.options
        if source_of(options).plays:
            self._seed = options.seed
            self._front.change(seed=self._seed)
        playing, saved = self._playing, self.saved
        if self.table is not None and playing is not None and not self.table.shared:
            resume = None if saved is None else str(saved)
            self._want(
                replace(playing, camera=options.camera, size=options.size, seat=options.seat, resume=resume)
            )

    def clear_table(self) -> None:
        """End the game under way, if there is one, with its log closed in order."""
        self._reviewing.close()
        table, self.table = self.table, None
        watch, self.watch, self._wanted = self.watch, None, None
        try:
            self._at_table.close()
        finally:
            if table is not None:
                table.close()
            if watch is not None:
                watch.close()

    # Finding a real table -----------------------------------------------------------------------------------

    def look_at_review(self) -> None:
        review = self._reviewing.look()
        if review is not None:
            self._front.change(review=review)

    def find(self, fed: Incoming) -> None:
        """Search the real table, and follow it while a game is played on it."""
        watch = self.watch
        if watch is None:
            return
        watch.see(fed)
        if self._wanted is None:
            return
        if watch.corners is not None:
            pointing = watch.corners.pointing
            if fed.result is not None:
                hands = fed.result.hands
                tip = hands.hands[0].points_px[INDEX_TIP] if hands.hands else None
                pointing = watch.corners.touch(tip, hands.time_s)
            self._front.change(table=events.TableSearch(text(pointing.hint_key), pointing=True))
            if watch.take_corners() is None:
                return
        state = watch.state
        error = ""
        if state.error_mm is not None and state.error_px is not None:
            error = text(
                "table.error", length=centimetres(state.error_mm / 1000.0, 2), px=number(state.error_px, 1)
            )
        self._front.change(table=events.TableSearch(text(state.hint_key), error))
        self._drawing.see_table(state.table_from_camera, state.camera)

    def click(self, place: Vec2) -> None:
        """Take a click on the picture, in parts of it: a corner of the table, where corners are asked for."""
        corners = None if self.watch is None else self.watch.corners
        if corners is not None:
            corners.click((place[0] * self._camera.size[0] - 0.5, place[1] * self._camera.size[1] - 0.5))

    def _search(self, action: events.Action) -> None:
        watch = self.watch
        if watch is None:
            return
        match action:
            case events.Request.TABLE_ACCEPTED:
                self._accept(watch)
            case events.PointAtCorners(near_side_m):
                watch.point_at_corners(near_side_m)
            case events.Request.UNDO_CORNER if watch.corners is not None:
                watch.corners.undo()
            case events.Request.SEARCH_AGAIN:
                watch.look_again()

    def _want(self, options: PlayOptions) -> None:
        seat = self._camera.seat(options.seat)
        opened = self._camera.opened
        if opened is None or not opened.live or seat.mirrored:
            self._begin(options, seat)
            return
        self.clear_table()
        self.watch = TableWatch(opened, seat)
        self._wanted = options
        self._drawing.show_base(options, seat)
        self._front.tell(events.TableRequested())

    def _accept(self, watch: TableWatch) -> None:
        options, self._wanted = self._wanted, None
        if options is None:
            return
        state = watch.settle()
        seat = self._camera.seat(options.seat)
        self.watch = None  # it goes on: clearing the table must not end it
        self._begin(options, replace(seat, camera=state.camera, table_from_camera=state.table_from_camera))
        self.watch = watch

    # Setting the table --------------------------------------------------------------------------------------

    def _wished(self) -> PlayOptions:
        wishes = self._front.screens.preferences
        options = self._camera.options.with_values(vars(wishes))
        # A mouth isn't held open while something is carried.
        ways = (wishes.way, *(player.habits.way for player in self._front.screens.form.players))
        return replace(options, button=ButtonKind.CLICK) if Way.HEAD in ways else options

    def chosen(self, action: events.StartGame) -> PlayOptions:
        return replace(
            self._wished(),
            game=action.game,
            players=action.party.names,
            game_options=action.options,
            seat=action.seat,
            first=action.begins,
            colours=action.party.colours,
            hands=action.party.hands,
        )

    def begin_far(self, meeting: Meeting) -> None:
        """Set the table for a game with other tables, which have met. Raises ArmoonError where that can't be."""
        options = meeting.options
        self._begin(options, self._camera.seat(options.seat), meeting)
        match = None if self.table is None else self.table.game.match
        if match is not None:
            own = options.game_options if match.game == options.game else game_options(match.game)()
            self._front.tell(events.RemoteGameStarted(match.game, tuple(match.players), own))

    def _tried(self, action: events.StartTrial) -> PlayOptions:
        own = kind_of(action.game).trial_options(action.trial, game_options(action.game)())
        return self.chosen(events.StartGame(action.game, action.party, own, action.seat))

    def _resumed(self, game: Unfinished, seat: SeatName) -> PlayOptions:
        return replace(
            self._wished(),
            game=game.game,
            players=game.players,
            game_options=game.options,
            seat=seat,
            resume=str(game.path),
        )

    def _tell_unfinished(self) -> None:
        try:
            games, folder = unfinished(games_folder()), temp_folder()
        except ArmoonError:
            games, folder = (), None  # nobody asked for one yet: an unreadable folder is said elsewhere
        folder_name = "" if folder is None else str(folder)
        self._front.change(unfinished=games, elsewhere=folder_name)

    def _begin(self, options: PlayOptions, seat: CameraSeat, meeting: Meeting | None = None) -> None:
        """Set the table for another game, with its own log, save and seed; ``meeting``: with other tables."""
        self.clear_table()
        seed = options.seed
        if options.resume is None:
            seed, self._seed = self._seed, secrets.randbelow(SEEDS)
            self._front.change(seed=self._seed)
        if self._camera.feed is not None:
            self._camera.feed.look_at(play_region(seat.camera, seat.table_from_camera))
        options = self._playing = replace(options, seed=seed)
        cropped = self._camera.feed is not None
        laying = partial(set_up, options, seat, games_folder(), self._console, cropped=cropped, on_time=True)
        if meeting is not None and meeting.seats is not None:
            laying = partial(meeting.set_up_table, self._console)
        set_table = worked_out(laying, self._drawing.preparing)
        shared = None if meeting is None else meeting.begun(set_table.game.match)
        table = set_table.table(options, seat, self._sinks, self._console.print, several=True, shared=shared)
        self.table, self._log = table, table.log
        self.saved = None if set_table.keeper is None else set_table.keeper.path
        self._front.change(kept=self.saved is not None)
        self._drawing.show_game(set_table.viewed)
        frames = source_of(options).frames(set_table.demo, table, self._drawing.preparing)
        if frames is not None:
            starting = partial(start_camera, options, frames, self._at_table, self._clock)
            table.source = worked_out(starting, self._drawing.preparing)
        collect_garbage()


def _ask(table: Table, action: events.Action) -> None:
    """Hand a button's wish on to the referee (ruling X4), or look back."""
    match action:
        case events.TakeChoice(name):
            table.choose(name)
        case events.TableAct(Act.LOOK_BACK):
            table.look_back()
        case events.TableAct(act, value):
            table.ask(act, value)


def front_for(options: PlayOptions, profiles: Profiles) -> Front:
    """Return the title, with what was typed on the command line and known facts of the players filled in."""
    preferences = preferences_of(options)
    known, today = known_players(profiles), datetime.date.today()
    screens = first_screens(options, preferences, known=known, today=today)
    form = as_last_time(screens.form, load_last_time(), options)
    if isinstance(options.first, FirstBy):
        form = replace(form, way=options.first)
    elif options.first is not None:
        form = replace(form, way=FirstBy.CHOSEN, chosen=options.first.seat)
    screens = replace(screens, form=form.tidy(), lan=options.part(PartyPart).lan)
    screens = replace(screens, asks_way="way" not in options.asked and not is_kept("way"))
    begins_with_card = preferences.way is Way.CARD and load_preferences().way is not Way.CARD
    return Front(screens.go_to(PageName.CARD) if begins_with_card else screens)


def preferences_of(options: PlayOptions) -> Preferences:
    mine = options.preferences()
    typed = {name: value for name, value in vars(mine).items() if name in options.asked}
    return replace(load_preferences(usual=mine), **typed)


def as_last_time(form: Form, last: LastTime, options: PlayOptions) -> Form:
    """Return the form as it was when the last game began, with the command line's values over it."""
    typed = options.asked
    own = {**form.own, **last.games}
    if typed & _own_names(options) or options.game not in last.games:
        own[options.game] = options.game_options
    game = last.game if last.game and not typed & ({"game"} | _own_names(options)) else options.game
    players = form.players
    bots: Sequence[str | None] = options.game_options.played_by
    if last.players and not typed & {"players", "bots"}:
        players, bots = events.seat_players(last.players, form.known), last.bots
    seat = last.seat if last.seat and "seat" not in typed else form.seat
    form = replace(form, game=game, players=players, own=own, seat=seat, way=last.way, chosen=last.chosen)
    return form.with_bots(bots)


def _own_names(options: PlayOptions) -> set[str]:
    """Return the options of the game that was asked for: who types one means that game."""
    return {one.name for one in options.game_options.options()}


def last_time_of(form: Form) -> LastTime:
    names = tuple(player.name for player in form.players)
    return LastTime(
        form.game,
        names,
        form.seat,
        form.way,
        form.chosen,
        dict(form.own),
        bots=tuple(player.bot or None for player in form.players),
    )
