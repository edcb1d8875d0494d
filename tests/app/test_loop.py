"""The loop in real time, with a camera, a tracker and a clock controlled by the test."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from support.app_kit import HEIGHT, WIDTH

from armoon.app.frames import LiveSource
from armoon.app.program import Loop
from armoon.app.table import Table as GameTable
from armoon.camera.capture import CameraState
from armoon.camera.sources import BLANK_BGR, Frame
from armoon.clock import MAX_SLOW_TICKS, TICK_S, ManualClock
from armoon.engine.events import Output
from armoon.engine.setup import Intake
from armoon.errors import CameraError, TrackerError
from armoon.games.contract import Game
from armoon.games.news import News
from armoon.hands.landmarks import Hands
from armoon.hands.tracker import TrackedFrame
from armoon.mailbox import Mailbox
from armoon.messages import text
from armoon.sinks.hub import Sinks
from armoon.sinks.sink import Moment, Sink
from armoon.values.acts import Act
from armoon.values.poses import IDENTITY_POSE
from armoon.values.scene import Scene


class FakeGame(Game[Any]):
    is_awaiting_roll = True

    def __init__(self) -> None:
        attributes = {
            "turned_rad": 0.0,
            "on_turn": (1, 0),
            "over": False,
            "at_rest": True,
            "holding": False,
            "offered": None,
            "offered_at_home": None,
            "home_from_table": lambda fraction: IDENTITY_POSE,
            "finish": lambda: Output((), None),
            "is_tick_running": False,
        }
        super().__init__(SimpleNamespace(opening=Output((), None), **attributes))
        self.intakes: list[Intake] = []
        self.banners: list[str] = []

    def advance(self, intake: Intake) -> Output:
        self.intakes.append(intake)
        return Output((), None)

    def list_sentences(self, output: Output) -> list[str]:
        return []

    def list_news(self, output: Output, *, over: bool) -> list[News]:
        return []

    def build_scene(self, fraction: float, banner: str) -> Scene:
        assert 0.0 <= fraction <= 1.0
        self.banners.append(banner)
        return SimpleNamespace(banner=banner, slow_fall=None)  # type: ignore[return-value]

    def close(self) -> None:
        pass

    def commands(self) -> list[tuple[Act, str]]:
        return [(c.kind, c.source) for intake in self.intakes for c in intake.commands]


class FakePictures(Sink):
    name = "The picture"

    def __init__(self) -> None:
        self.drawn: list[Moment] = []

    def select(self, moment: Moment) -> Moment | None:
        return moment if moment.shown else None

    def process(self, part: Moment) -> None:
        assert part.scene is not None
        part.scene()
        self.drawn.append(part)


class FakeTracker:
    def __init__(self) -> None:
        self.waiting: Frame | None = None
        self.seen: list[int] = []
        self.fault: TrackerError | None = None
        self.remaining_s = math.inf

    def submit(self, frame: Frame) -> None:
        self.waiting = frame
        self.fresh = True

    def get_hands(self, timeout_s: float = 0.0) -> TrackedFrame | None:
        if self.fault is not None:
            raise self.fault
        if self.waiting is None:
            return None
        if self.fresh:
            self.fresh = False  # the tracker is still busy
            return None
        frame, self.waiting = self.waiting, None
        self.seen.append(frame.index)
        return TrackedFrame(frame, Hands(frame.time_s, frame.index, WIDTH, HEIGHT, ()))


@dataclass
class Table:
    """The loop with its environment; ``script`` maps a pass of the loop to the action before it."""

    max_passes: int = 60
    script: dict[int, Callable[[], Any]] = field(default_factory=dict)
    pass_s: float = TICK_S

    def __post_init__(self) -> None:
        self.clock = ManualClock(100.0)
        self.game = FakeGame()
        self.camera = SimpleNamespace(
            state=CameraState.RUNNING, fault=None, frames=Mailbox(), width=WIDTH, height=HEIGHT
        )
        self.tracker = FakeTracker()
        self.sinks = Sinks()
        self.table = GameTable(self.game, self.sinks)
        self.controls = self.table.controls
        self.pictures = FakePictures()
        self.sinks.add(self.pictures)
        self.is_sending = True
        self.passes = 0
        self.screen: Any = SimpleNamespace(is_closed=False, poll=self._before_pass)

    def _before_pass(self) -> None:
        self.script.get(self.passes, lambda: None)()
        self.passes += 1
        self.clock.set_s(self.clock.now_s() + self.pass_s)
        if self.is_sending and self.passes % 2:
            image = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
            frame = Frame(self.passes // 2, self.clock.now_s(), image)
            self.tracker.submit(frame)
            self.camera.frames.put(frame)

    def stop_sending(self, state: CameraState) -> None:
        self.is_sending, self.camera.state = False, state

    def send_again(self) -> None:
        self.is_sending, self.camera.state = True, CameraState.RUNNING

    def run(self) -> None:
        feed = LiveSource(self.camera, self.tracker, self.clock)  # type: ignore[arg-type]
        loop = Loop(self.sinks, self.clock, self.screen, feed, self.table)
        while (
            len(self.game.intakes) < self.max_passes and not self.controls.should_leave and loop.run_frame()
        ):
            pass


def test_the_loop_waits_for_hands_at_most_one_pass_and_never_for_frames() -> None:
    table = Table(max_passes=20)
    timeouts_s: list[float] = []
    get_hands = table.tracker.get_hands

    def note_wait(timeout_s: float = 0.0) -> TrackedFrame | None:
        timeouts_s.append(timeout_s)
        return get_hands()

    table.tracker.get_hands = note_wait  # type: ignore[method-assign]
    table.pass_s = TICK_S / 4.0
    table.run()
    assert all(0.0 <= timeout_s <= TICK_S for timeout_s in timeouts_s)
    assert timeouts_s[1:] == pytest.approx([0.75 * TICK_S] * 19)


@pytest.mark.parametrize(("due_in_s", "picture"), [(0.004, 1), (-0.001, 1), (0.012, None), (math.inf, None)])
def test_drawing_waits_for_hands_that_are_due_soon(due_in_s: float, picture: int | None) -> None:
    """The hands arrive 5 ms after the pass is due."""
    table = Table()
    feed = LiveSource(table.camera, table.tracker, table.clock)  # type: ignore[arg-type]
    hands = TrackedFrame(
        Frame(1, 100.0, np.zeros((HEIGHT, WIDTH, 3), np.uint8)), Hands(100.0, 1, WIDTH, HEIGHT, ())
    )
    arrival_s = table.clock.now_s() + TICK_S + 0.005

    def get_hands(timeout_s: float = 0.0) -> TrackedFrame | None:
        arrives = arrival_s <= table.clock.now_s() + timeout_s
        table.clock.set_s(min(table.clock.now_s() + timeout_s, arrival_s))
        return hands if arrives else None

    table.tracker.get_hands = get_hands  # type: ignore[method-assign]
    feed.read_input()
    table.tracker.remaining_s = due_in_s
    result = feed.read_input().result
    assert (None if result is None else result.frame.index) == picture


def test_hands_are_drawn_over_the_frame_they_were_read_from() -> None:
    table = Table(max_passes=20)
    table.run()
    times = [intake.hands.time_s for intake in table.game.intakes if intake.hands is not None]
    assert times == sorted(times)
    assert len(table.pictures.drawn) == 20  # the window is drawn in every pass, even before the first hands
    first, last = table.pictures.drawn[0].image, table.pictures.drawn[-1].image
    assert first is not None
    assert last is not None
    assert (first == BLANK_BGR).all()
    assert not last.any()  # the camera's pictures are black


@pytest.mark.parametrize(
    ("state", "key"), [(CameraState.FROZEN, "pause.camera_frozen"), (CameraState.GONE, "pause.camera_gone")]
)
def test_a_failing_camera_pauses_the_game_until_it_is_back(state: CameraState, key: str) -> None:
    table = Table(max_passes=60)
    table.script = {10: lambda: table.stop_sending(state), 30: table.send_again}
    table.run()
    assert table.game.commands() == [(Act.PAUSE, key), (Act.RESUME, key)]
    assert table.game.banners[15] == text(key)
    assert table.game.banners[25] == text(key)
    assert table.game.banners[5] == table.game.banners[35] == ""
    assert table.tracker.seen[-1] > 15  # later frames are tracked


def test_p_toggles_the_pause_and_a_returning_camera_does_not_end_it() -> None:
    table = Table(max_passes=50)
    table.script = {
        5: lambda: table.controls.handle_key("p", True),
        10: lambda: table.stop_sending(CameraState.GONE),
        20: table.send_again,
        30: lambda: table.controls.handle_key("p", True),
    }
    table.run()
    assert [kind for kind, _ in table.game.commands()] == [Act.PAUSE, Act.RESUME]
    assert table.game.banners[25] == text("pause.asked")
    assert table.game.banners[35] == ""


def test_on_a_fast_screen_every_command_arrives_once() -> None:
    """At 240 Hz three out of every four passes have no tick; the match keeps the command for the next one."""
    table = Table(max_passes=80, pass_s=TICK_S / 4.0)
    table.script = {n: lambda: table.controls.handle_key("space", True) for n in (9, 22, 35, 48)}
    table.script[60] = lambda: table.controls.handle_key("p", True)
    table.run()
    kinds = [kind for kind, _ in table.game.commands()]
    assert kinds == [Act.ROLL] * 4 + [Act.PAUSE]


def test_the_end_of_a_video_is_reported_after_its_frames_were_played() -> None:
    table = Table(max_passes=1000)

    def break_off() -> None:
        table.stop_sending(CameraState.ENDED)
        table.camera.fault = CameraError("The video ends abruptly.", remedy="Copy it again.")

    table.script = {11: break_off}
    with pytest.raises(CameraError, match="ends abruptly"):
        table.run()
    assert table.tracker.seen == [0, 1, 2, 3, 4, 5]


def test_a_failing_tracker_ends_the_game_with_its_message() -> None:
    table = Table(max_passes=1000)
    table.script = {9: lambda: setattr(table.tracker, "fault", TrackerError("It broke.", remedy="Mend it."))}
    with pytest.raises(TrackerError, match="It broke"):
        table.run()


def test_a_hiccup_delays_the_game_but_never_speeds_it_up() -> None:
    table = Table(max_passes=30)
    table.script = {10: lambda: table.clock.set_s(table.clock.now_s() + 5.0)}
    table.run()
    assert max(intake.ticks for intake in table.game.intakes) == 15
    assert table.game.intakes[12].ticks <= 2


def test_a_picture_waits_for_few_ticks_while_ticks_are_slow() -> None:
    table = Table(max_passes=30)

    def slow() -> None:
        table.game.match.is_tick_running = True
        table.clock.set_s(table.clock.now_s() + 0.1)

    table.script = {10: slow}
    table.run()
    assert max(intake.ticks for intake in table.game.intakes) == MAX_SLOW_TICKS
