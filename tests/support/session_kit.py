"""A session without window and camera: screens, host and table, operated with the usual devices."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from armoon.app import host as hosting
from armoon.app import setup
from armoon.app.frames import FrameInput
from armoon.app.front import Front, build_head_settings
from armoon.app.host import Host, RenderCallbacks
from armoon.app.remote.meeting import Meeting
from armoon.app.session_camera import SessionCamera
from armoon.app.sources import NothingPart
from armoon.camera.profiles import CameraSeat
from armoon.camera.sources import Frame, make_blank
from armoon.clock import TICK_S, ManualClock
from armoon.faces import HeadPointer
from armoon.games import game_options
from armoon.games.contract import Game
from armoon.games.moon.play import MoonGame
from armoon.hands.landmarks import Hand, Hands
from armoon.hands.tracker import TrackedFrame
from armoon.inputs.controls import Controls
from armoon.placement.forecast import MAX_DROPS, DropRequest
from armoon.placement.values import ReleaseOutcome
from armoon.screens import machine
from armoon.screens.events import Action, SeatedPlayers, StartGame
from armoon.screens.layout import Item
from armoon.screens.machine import build_page, first_screens, get_plan
from armoon.screens.state import Key, PageName, Screens, SwitchEvent
from armoon.settings.files import games_folder
from armoon.settings.preferences import PlayOptions, Preferences, Settings
from armoon.sinks import files
from armoon.sinks.hub import Sinks
from armoon.sinks.sink import Moment
from armoon.values.choices import SeatName, Way
from armoon.values.poses import Pose, Vec2
from armoon.world.local import LocalWorld
from support.app_kit import FRAME_S, HEIGHT, WIDTH
from support.face_kit import Sitter
from support.table_kit import USUAL, AnyTable, parse_options

Reply = tuple[Screens, tuple[Action, ...]]
#: Maximum number of steps between two widgets of a page.
MAX_STEPS = 40


def first_page(*names: str, games: tuple[str, ...]) -> Screens:
    settings = Settings(players=names)
    return first_screens(settings, Preferences(), games=games)


def find_item(screens: Screens, name: str) -> Item | None:
    item = get_plan(screens).item(name)
    return item if item is not None and item.is_live else None


# Presses by each device -------------------------------------------------------------------------------------


def by_mouse(screens: Screens, name: str) -> Reply:
    return machine.press_pointer(screens, _place(screens, name))


def by_pointing(screens: Screens, name: str) -> Reply:
    screens, result = machine.rest_hand(screens, (0.0, 0.0), 0.01)
    for _ in range(9):
        screens, actions = machine.rest_hand(screens, _place(screens, name), 0.1)
        result += actions
        if actions or get_plan(screens).item(name) is None:
            break
    return screens, result


class SteeredHead:
    """Points with a simulated head and presses with its mouth; ``on_pointing`` gets the results of ``handle_head``."""

    def __init__(
        self, front: Front, rate_hz: float, on_pointing: Callable[[tuple[Vec2, bool] | None], object]
    ) -> None:
        self._front, self._rate_hz, self._on_pointing = front, rate_hz, on_pointing
        self.sitter, self.pointer = Sitter(rate_hz=rate_hz), HeadPointer(build_head_settings(front.screens))

    def frame(
        self, right_deg: float = 0.0, down_deg: float = 0.0, *, mouth: float = 0.03, seen: bool = True
    ) -> None:
        head = self.sitter.head(right_deg, -down_deg, mouth=mouth)
        heads = self.sitter.next_heads(*([head] if seen else []))
        self._on_pointing(self._front.handle_head(self.pointer.add_heads(heads)))

    def press_widget(self, name: str, patience: Callable[[], bool]) -> None:
        while True:
            assert patience(), f"the head never reached {name}"
            screens = self._front.screens
            widget = next((widget for widget in build_page(screens).widgets if widget.name == name), None)
            if widget is None or self.pointer.problem_key or screens.pointer is None:
                self.frame()
                continue
            offset = [to - now for to, now in zip(widget.rect.centre, screens.pointer, strict=True)]
            if max(map(abs, offset)) < 0.02:
                break
            self.frame(*(_degrees_for(v) for v in offset))
        for mouth in (0.4,) * round(0.5 * self._rate_hz) + (0.03,) * 3:
            self.frame(mouth=mouth)


def _degrees_for(offset: float) -> float:
    return 0.0 if abs(offset) < 0.015 else math.copysign(min(12.0, 5.5 + 30.0 * abs(offset)), offset)


def by_head(screens: Screens, name: str) -> Reply:
    front = Front(replace(screens, preferences=replace(screens.preferences, way=Way.HEAD)))
    actions, frames = list[Action](), iter(range(400))
    head = SteeredHead(front, 10.0, lambda over: actions.extend(front.drain_actions()))
    head.press_widget(name, lambda: next(frames, None) is not None)
    return front.screens, tuple(actions)


def by_keys(screens: Screens, name: str) -> Reply:
    for _ in range(MAX_STEPS):
        screens, _ = machine.press_key(screens, Key.TAB)
        if _focused(screens) == name:
            return machine.press_key(screens, Key.ENTER)
    raise AssertionError(f"the focus never reached {name}")


def by_pad(screens: Screens, name: str) -> Reply:
    seen, waiting = {screens.focus}, [screens]
    while waiting:
        current = waiting.pop(0)
        if _focused(current) == name:
            return machine.press_pad(current, Key.ENTER)
        for key in (Key.DOWN, Key.RIGHT, Key.UP, Key.LEFT):
            following, _ = machine.press_pad(current, key)
            if following.form == current.form and following.focus not in seen:
                seen.add(following.focus)
                waiting.append(following)
    raise AssertionError(f"the D-pad never reached {name}")


def by_switch(screens: Screens, name: str, way: Way = Way.SWITCH) -> Reply:
    """Wait until the widget or its row is highlighted, and press the switch; with two switches, the first advances."""
    usual = replace(screens.preferences, way=way, scan_s=0.5, switch_pause_s=0.0)
    screens = replace(screens, preferences=usual)
    for _ in range(MAX_STEPS * 4):
        screens, _ = machine.pass_time(screens, 1.8)  # longer than any highlight
        names = screens.scan.names
        if name in names:
            pressed, actions = machine.press_switch(screens, SwitchEvent.DOWN)
            pressed, _ = machine.press_switch(pressed, SwitchEvent.UP)
            if names == (name,):
                return pressed, actions
            screens = pressed
        elif way is Way.SWITCHES:
            screens, _ = machine.press_switch(screens, SwitchEvent.STEP)
    raise AssertionError(f"{name} is never highlighted on {screens.page}")


DEVICES: dict[str, Callable[[Screens, str], Reply]] = {
    "keys": by_keys,
    "mouse": by_mouse,
    "pointing": by_pointing,
    "head": by_head,
    "gamepad": by_pad,
    "switch": by_switch,
    "switches": partial(by_switch, way=Way.SWITCHES),
}


def _focused(screens: Screens) -> str | None:
    return next((widget.name for widget in build_page(screens).widgets if widget.focused), None)


def _place(screens: Screens, name: str) -> tuple[float, float]:
    item = find_item(screens, name)
    assert item is not None, f"{name} can't be pressed on {screens.page}"
    return item.widget.rect.centre


# The session ------------------------------------------------------------------------------------------------


#: Distance from the middle of the base beyond which ladders fall, in metres.
SUPPORT_RADIUS_M = 0.1


class FixedForecasts:
    """Replaces the forecast process, which is slow: ladders beside the base fall, ladders over it don't."""

    place = None

    def __init__(self, *_: object) -> None:
        self._pose: Pose | None = None

    def ask(self, release: DropRequest, effort: int | None = None) -> None:
        self._pose = release.pose

    def grant(self, effort: int) -> None:
        pass

    def drops(self) -> tuple[ReleaseOutcome, ...]:
        if self._pose is None:
            return ()
        x, y, z = self._pose.position
        held = math.hypot(x, y) < SUPPORT_RADIUS_M
        return (ReleaseOutcome(held, ("L01",), self._pose, z + 0.1, z, 0.0, ()),) * MAX_DROPS

    def close(self) -> None:
        pass


class LocalHost(Host):
    """Runs the world in this process, with identical results (``tests/world/test_process.py``); forecasts are fixed."""

    collects_garbage = False
    """Whether to collect garbage before a game: slow in a test's process, which has many objects."""

    def _begin_game(self, options: PlayOptions, seat: CameraSeat, meeting: Meeting | None = None) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("armoon.games.moon.kind.ProcessWorld", LocalWorld)
            patch.setattr("armoon.placement.forecast.ForecastProcess", FixedForecasts)
            if not self.collects_garbage:
                patch.setattr("armoon.app.host.collect_garbage", lambda: None)
            super()._begin_game(options, seat, meeting)


class AppSession(AnyTable):
    """Title page, host and table: presses go to the screens, and the host carries out their requests."""

    host_class: type[Host] = LocalHost

    def __init__(
        self,
        game: str = "moon",
        players: str = "Ann,Ben",
        *,
        games: tuple[str, ...] = ("moon", "lake"),
        device: str = "mouse",
        **changes: Any,
    ) -> None:
        options = parse_options("--game", game, "--players", players, *USUAL)
        options = replace(options, **{"headless": False, "log": games_folder() / "evening.jsonl", **changes})
        self.shown: list[Any] = []
        self.front = Front(first_page(*players.split(","), games=games))
        show = self.shown.append
        drawing = RenderCallbacks(
            show, lambda: show("title"), lambda *_: show("base"), lambda *_: None, lambda: None
        )
        self.clock = ManualClock(10.0)
        console = Console(quiet=True)
        self.sinks = Sinks()
        options = replace(options, size=(WIDTH, HEIGHT), camera=NothingPart.word)
        camera = SessionCamera(options, console, self.clock, ExitStack())
        self.host = self.host_class(camera, console, self.front, self.clock, drawing, self.sinks)
        self.device = device
        self.change_moment: Callable[[Moment], Moment] = lambda moment: moment
        """Changes each moment before it is passed to the sinks."""
        self._press = DEVICES[device]
        self.seen: tuple[Hand, ...] | None = None
        """Hands in the camera's view; None: the camera sends no frames."""

    @property
    def screens(self) -> Screens:
        return self.front.screens

    @property
    def controls(self) -> Controls:
        assert self.host.table is not None
        return self.host.table.controls

    @property
    def game(self) -> Game[Any]:
        assert self.host.table is not None
        return self.host.table.game

    @property
    def now_s(self) -> float:
        return self.clock.now_s()

    @property
    def path(self) -> Path:
        assert self.host.saved is not None
        return self.host.saved

    def frame(self) -> None:
        self.clock.set_s(self.clock.now_s() + FRAME_S)
        for action in self.front.drain_actions():
            self.host.carry_out(action)
        table = self.host.table
        if table is not None:
            frame = table.advance(self._make_input(), self.now_s, self.front.find_pause_reason(table))
            self.front.show_table(table, frame)
            self.sinks.distribute(self.change_moment(table.make_moment(frame, self.now_s)))

    def _make_input(self) -> FrameInput:
        if self.seen is None:
            return FrameInput()
        number = round(self.now_s / FRAME_S)
        frame = Frame(number, self.now_s, make_blank(WIDTH, HEIGHT))
        return FrameInput(TrackedFrame(frame, Hands(self.now_s, number, WIDTH, HEIGHT, self.seen)))

    def run_ticks(self, count: int) -> None:
        assert self.host.table is not None
        for _ in range(count):
            self.clock.set_s(self.clock.now_s() + TICK_S)
            frame = self.host.table.advance(FrameInput(), self.clock.now_s())
            self.sinks.distribute(self.host.table.make_moment(frame, self.clock.now_s()))

    def run_frame(self) -> None:
        """Run one pass of the loop as the app does: advance the pages' time, and offer the possible choices."""
        self.front.advance_time(self.now_s)
        if self.host.table is not None:
            chooses, handless = self.screens.preferences.chooses, self.screens.plays_without_hand
            self.host.table.set_choice_listing(chooses, self.front.highlighted_choice, suggested=handless)
        self.frame()

    def choose(self, *names: str) -> None:
        for name in names:
            screens, actions = self._press(self.front.screens, name)
            self.front.screens = screens
            for action in actions:
                self.host.carry_out(action)
            self.frame()

    def pause(self) -> None:
        if self.device == "keys":
            self.front.handle_key("escape", True)
        elif self.device == "gamepad":
            self.front.apply(machine.press_start)
        else:
            self.choose("pause")
        self.frame()

    def return_to_table(self) -> None:
        """Press the buttons that lead from the pages shown back to the table."""
        for _ in range(5):
            if self.screens.page is PageName.TABLE:
                return
            self.choose(next(name for name in ("on", "resume", "back") if find_item(self.screens, name)))
        raise AssertionError(f"{self.screens.page} doesn't lead back to the table")


def session_in(folder: Path, monkeypatch: pytest.MonkeyPatch) -> AppSession:
    """Return a session at the title page, in the mirror seat, that stores everything in this folder."""
    for module in (setup, hosting, files):
        monkeypatch.setattr(module, "games_folder", lambda: folder)
    return AppSession(seat=SeatName.MIRROR, log=folder / "evening.jsonl", seed=5, palm_length_m=0.0955)


def temporary_session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[AppSession]:
    session = session_in(tmp_path, monkeypatch)
    yield session
    session.host.close_table()


def start(game: str, seat: SeatName = SeatName.MIRROR) -> StartGame:
    party = SeatedPlayers(("Ann", "Ben"), ((1.0, 0.0, 0.0), (0.0, 0.0, 1.0)))
    return StartGame(game, party, game_options(game)(), seat)


def moon(session: AppSession) -> MoonGame:
    assert isinstance(session.game, MoonGame)
    return session.game


def way_to(game: str, start: Screens, but: tuple[str, ...] = ()) -> list[str]:
    """Return the fewest widgets to press from a page until a game of this kind starts; never press those in ``but``."""
    waiting: list[tuple[Screens, list[str]]] = [(start, [])]
    seen: set[tuple[object, ...]] = set()
    while waiting:
        screens, way = waiting.pop(0)
        for item in get_plan(screens).items:
            if not item.is_live or item.press is None or item.widget.name.split()[0] in but:
                continue
            following, actions = item.press(screens)
            if any(getattr(action, "game", None) == game for action in actions):
                return [*way, item.widget.name]
            node = (following.page, following.form.game)
            if node not in seen and not following.in_game:
                seen.add(node)
                waiting.append((following, [*way, item.widget.name]))
    raise AssertionError(f"no page leads to {game}")
