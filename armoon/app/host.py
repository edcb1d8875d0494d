"""The host of an evening: does what the screens ask for, finds the table, lays it and clears it."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from rich.console import Console

from armoon.app.feed import Fed, Feed
from armoon.app.front import Front
from armoon.app.laid import DEMO
from armoon.app.laying import lay, open_demo
from armoon.app.session import Session
from armoon.app.table import Table
from armoon.app.webcam import Eyes, TableWatch
from armoon.camera.seat import SEATS, Seat
from armoon.clock import Clock
from armoon.engine.logbook import LogWriter
from armoon.errors import ArmoonError
from armoon.games.kind import Viewed
from armoon.games.library import Unfinished, last_unfinished
from armoon.games.moon.options import MoonOptions
from armoon.games.moon.rules.editions import EditionName, Mode, Options
from armoon.geometry import CameraModel
from armoon.hands.tracking.landmarks import INDEX_TIP
from armoon.hands.tracking.region import play_region
from armoon.inputs.mouse import MouseGrip
from armoon.messages import text
from armoon.screens.actions import (
    Action,
    GiveUpLadder,
    LeaveGame,
    LookAgain,
    OverruleTear,
    PointAtCorners,
    ResumeGame,
    ShowAgain,
    SpendTear,
    StartGame,
    StartPractice,
    TableAccepted,
    TakeCornerBack,
    UndoTurn,
)
from armoon.screens.events import LastGameTold, NoGameTold, SeedTold, TableAsked, TableTold
from armoon.settings.options import PlayOptions
from armoon.values.choices import SeatName
from armoon.values.poses import Pose, Vec2

#: Practice has this many tears: nobody takes so many in an evening.
PRACTICE_TEARS = 99
#: Seeds of the evening's games, short enough to be told to a friend.
SEEDS = 1_000_000


@dataclass(frozen=True)
class Drawing:
    """What the host needs of whoever draws."""

    show_game: Callable[[Viewed], None]
    """Draw this game's scenes from now on."""
    show_title: Callable[[PlayOptions, Seat], None]
    """Draw nothing but the camera's picture behind the pages."""
    show_base: Callable[[PlayOptions, Seat], None]
    """Draw the base on the table that is being found."""
    see_table: Callable[[Pose, CameraModel], None]
    """The table is there now."""
    preparing: Callable[[], None]
    """Say that something is being prepared."""


class Host:
    """Knows what is being played, and on which table."""

    def __init__(
        self,
        options: PlayOptions,
        console: Console,
        front: Front,
        eyes: Eyes | None,
        size: tuple[int, int],
        clock: Clock,
        drawing: Drawing,
    ) -> None:
        self._options = options
        self._console = console
        self._front = front
        self._eyes = eyes
        self._size = size
        self._clock = clock
        self._drawing = drawing
        self.feed: Feed | None = None
        """The evening's camera and tracker, once they run."""
        self.table: Table | None = None
        self.watch: TableWatch | None = None
        """Follows the real table that is found or played on."""
        self._wanted: PlayOptions | None = None
        """The game that begins once the table is found."""
        self._seed = options.seed
        """Of the next game."""
        self._last: Unfinished | None = None
        """The game that could go on."""
        self._playing: PlayOptions | None = None
        """What the game under way was laid with."""
        front.tell(SeedTold(self._seed))
        self._look_for_last_game()

    def do(self, action: Action) -> None:
        """Do what the screens ask for; whether the table's time goes on is read off the page."""
        match action:
            case StartGame():
                self._want(self._chosen(action))
            case ResumeGame(seat):
                if self._last is not None:
                    self._want(self._resumed(self._last, seat))
            case StartPractice(seat):
                self._begin(self._practice(seat), self.seat(seat))
            case LeaveGame():
                self.clear_table()
                if self.feed is not None:
                    self.feed.look_at(None)
                self._drawing.show_title(self._options, self.seat(self._options.seat))
                self._look_for_last_game()
            case TableAccepted() | PointAtCorners() | TakeCornerBack() | LookAgain():
                self._search(action)
            case _:
                if self.table is not None:
                    _ask(self.table, action)

    def change_seat(self) -> None:
        """Play on in the other seat, from the beginning of the turn under way."""
        if self.table is None or self._playing is None:
            return
        saved = self.table.session.saved
        if saved is None and self._playing.saved:
            return  # nothing could be written: what was played would be lost
        other = SeatName.TABLE if self._playing.seat == SeatName.MIRROR else SeatName.MIRROR
        self._want(replace(self._playing, seat=other, resume=None if saved is None else str(saved)))

    def seat(self, name: str) -> Seat:
        """A seat as this evening's camera sees from it."""
        return SEATS[name](*self._size) if self._eyes is None else self._eyes.seat(name)

    def clear_table(self) -> None:
        """End the game under way, if there is one, with its log closed in order."""
        table, self.table = self.table, None
        watch, self.watch, self._wanted = self.watch, None, None
        try:
            if table is not None:
                table.close()
        finally:
            if watch is not None:
                watch.close()

    # Finding a real table -----------------------------------------------------------------------------------

    def find(self, fed: Fed) -> None:
        """The real table is searched, and followed while a game is played on it."""
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
            self._front.tell(TableTold(text(pointing.hint_key), pointing=True))
            if watch.take_corners() is None:
                return
        state = watch.state
        error = ""
        if state.error_mm is not None and state.error_px is not None:
            error = text("table.error", mm=f"{state.error_mm:.1f}", px=f"{state.error_px:.1f}")
        self._front.tell(TableTold(text(state.hint_key), error))
        self._drawing.see_table(state.table_from_camera, state.camera)

    def click(self, place: Vec2) -> None:
        """A click on the picture, in parts of it: a corner of the table, where corners are asked for."""
        corners = None if self.watch is None else self.watch.corners
        if corners is not None:
            corners.click((place[0] * self._size[0] - 0.5, place[1] * self._size[1] - 0.5))

    def _search(self, action: Action) -> None:
        watch = self.watch
        if watch is None:
            return
        match action:
            case TableAccepted():
                self._accept(watch)
            case PointAtCorners(near_side_m):
                watch.point_at_corners(near_side_m)
            case TakeCornerBack() if watch.corners is not None:
                watch.corners.undo()
            case LookAgain():
                watch.look_again()

    def _want(self, options: PlayOptions) -> None:
        """Begin, after the table was found if the camera looks at a real one."""
        seat = self.seat(options.seat)
        if self._eyes is None or not self._eyes.live or seat.mirrored:
            self._begin(options, seat)
            return
        self.clear_table()
        self.watch = TableWatch(self._eyes, seat)
        self._wanted = options
        self._drawing.show_base(options, seat)
        self._front.tell(TableAsked())

    def _accept(self, watch: TableWatch) -> None:
        options, self._wanted = self._wanted, None
        if options is None:
            return
        state = watch.settle()
        seat = self.seat(options.seat)
        self.watch = None  # it goes on: clearing the table must not end it
        self._begin(options, replace(seat, camera=state.camera, table_from_camera=state.table_from_camera))
        self.watch = watch

    # Laying the table ---------------------------------------------------------------------------------------

    def _wished(self) -> PlayOptions:
        """The evening's options, with what the settings pages say of the hand."""
        wishes = self._front.screens.preferences
        return replace(self._options, grip=wishes.grip, depth_help=wishes.depth_help)

    def _chosen(self, action: StartGame) -> PlayOptions:
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

    def _resumed(self, last: Unfinished, seat: SeatName) -> PlayOptions:
        return replace(
            self._wished(),
            game=last.game,
            players=last.players,
            game_options=last.options,
            seat=seat,
            resume=str(last.path),
        )

    def _practice(self, seat: SeatName) -> PlayOptions:
        return replace(
            self._options,
            game="moon",
            players=(text("practice.player"),),
            game_options=MoonOptions(
                EditionName.KOSMOS_2022, house=Options(mode=Mode.COOPERATIVE, tears=PRACTICE_TEARS)
            ),
            seat=seat,
            saved=False,
        )

    def _look_for_last_game(self) -> None:
        """Tell the screens of the game that could go on, if there is one."""
        try:
            self._last = last = last_unfinished(self._options.log.parent)
        except ArmoonError:
            self._last = last = None  # nobody asked for it yet: a folder that can't be read is said elsewhere
        if last is None:
            self._front.tell(NoGameTold())
        else:
            self._front.tell(LastGameTold(last.game, last.players, last.options))

    def _begin(self, options: PlayOptions, seat: Seat) -> None:
        """Clear the table and lay it for another game, with a log, a saved game and a seed of its own."""
        self.clear_table()
        stamp = datetime.now().strftime("%Y%m%d-%H%M%S-%f")
        log = options.log.with_name(f"{options.log.stem}-{stamp}.jsonl")
        seed = options.seed
        if options.resume is None:
            seed, self._seed = self._seed, secrets.randbelow(SEEDS)
            self._front.tell(SeedTold(self._seed))
        if self.feed is not None:
            self.feed.look_at(play_region(seat.camera, seat.table_from_camera))
        options = self._playing = replace(options, seed=seed)
        cropped = self.feed is not None
        laid = lay(options, seat, log.parent, self._console, cropped=cropped, on_time=True)
        self._console.print(text("start.log", path=log))
        session = Session(laid.game, LogWriter(log), self._console.print, keeper=laid.keeper)
        self.table = Table(session, MouseGrip(seat.camera, seat.table_from_camera, seat.mirrored))
        self._drawing.show_game(laid.viewed)
        if options.camera == DEMO:
            demo = open_demo(laid.demo, self._drawing.preparing)
            self.table.watch(demo, options, self._clock)


def _ask(table: Table, action: Action) -> None:
    match action:
        case UndoTurn():
            table.ask("undo")
        case OverruleTear(player, give_back):
            table.ask("give" if give_back else "add", player)
        case SpendTear():
            table.ask("score")
        case GiveUpLadder():
            table.ask("give_up")
        case ShowAgain():
            table.show_again()
