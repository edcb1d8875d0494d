"""Heads are tracked only while somebody plays by head, in pictures of the camera that faces that player."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace

import numpy as np
import pytest
from support.face_kit import Image, Sitter, load_astronaut, turn_face
from support.screens_kit import first_start, fresh, in_game
from support.waiting import PATIENCE_S, until

from armoon import faces as tracker_module
from armoon.app import picture_readers
from armoon.app.frames import FrameInput
from armoon.app.front import Front
from armoon.app.picture_readers import NO_PICTURE_S, HeadWatch
from armoon.camera.sources import Frame
from armoon.clock import ManualClock
from armoon.errors import CameraError, TrackerError
from armoon.faces import FaceTracker, Head, HeadPointing, Heads, measure_head
from armoon.hands.landmarks import Hands
from armoon.hands.tracker import TrackedFrame, WatcherThread
from armoon.messages import text
from armoon.screens.state import PageName, Screens
from armoon.settings.preferences import PlayOptions
from armoon.values.choices import Way
from armoon.values.poses import Vec2, Vec3

WEBCAM = PlayOptions(camera="2")
NO_CAMERA = PlayOptions(camera="none")
BLACK: Image = np.zeros((24, 32, 3), np.uint8)


class ScriptedTracker:
    created = closed = 0

    def __init__(self, find_heads: Callable[[], tuple[Head, ...]]) -> None:
        self.find_heads = find_heads
        ScriptedTracker.created += 1

    def track(self, image: Image, time_s: float, frame_index: int) -> Heads:
        return Heads(time_s, frame_index, self.find_heads())

    def close(self) -> None:
        ScriptedTracker.closed += 1


class Webcam:
    description, width, height, rate_hz, live = "a webcam", 32, 24, 30.0, True
    opened = closed = 0

    def __init__(self, options: PlayOptions) -> None:
        self.name = options.camera
        Webcam.opened += 1
        self.frames = 0

    def read(self) -> Frame | None:
        time.sleep(0.005)
        self.frames += 1
        return Frame(self.frames, self.frames / 30.0, np.full((24, 32, 3), self.frames % 200, np.uint8))

    def close(self) -> None:
        Webcam.closed += 1


class BlockingWatcher(WatcherThread[Heads]):
    """Waits until each frame has been analysed, so that the results depend only on the simulated clock."""

    patience_s = PATIENCE_S
    _waits = False

    def submit(self, frame: Frame) -> None:
        super().submit(frame)
        self._waits = True

    def get_result(self, timeout_s: float = 0.0) -> tuple[Frame, Heads] | None:
        waits, self._waits = self._waits, False
        return super().get_result(self.patience_s if waits else timeout_s)


@pytest.fixture(autouse=True)
def wait_for_each_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(picture_readers, "WatcherThread", BlockingWatcher)


class HeadSession:
    def __init__(
        self, screens: Screens, stack: ExitStack, find_heads: Callable[[], tuple[Head, ...]] = tuple
    ) -> None:
        self.front = Front(screens)
        self.clock = ManualClock(10.0)
        self.frames = 0

        self.options = WEBCAM
        self.heads = HeadWatch(
            self.front,
            self.clock,
            lambda: self.options,
            lambda pointer: None,
            make_tracker=lambda: ScriptedTracker(find_heads),
            open_camera=Webcam,
        )
        stack.callback(self.heads.close)
        ScriptedTracker.created = ScriptedTracker.closed = Webcam.opened = Webcam.closed = 0

    def read_input(self, picture: Image = BLACK) -> FrameInput:
        self.frames += 1
        frame = Frame(self.frames, self.clock.now_s(), picture)
        hands = Hands(frame.time_s, frame.index, picture.shape[1], picture.shape[0], ())
        return FrameInput(TrackedFrame(frame, hands))

    def run_for(
        self, seconds: float, options: PlayOptions = WEBCAM, *, is_hand_pointing: bool = False
    ) -> None:
        for _ in range(round(seconds * 30.0)):
            self.clock.set_s(self.clock.now_s() + 1.0 / 30.0)
            self.options, self.front.frame_input = options, self.read_input()
            self.front.is_hand_pointing = is_hand_pointing
            self.heads.poll()

    def until(self, condition: Callable[[], bool], options: PlayOptions = WEBCAM) -> None:
        until(condition, meanwhile=lambda: self.run_for(0.034, options))


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as opened:
        yield opened


def choose_head(screens: Screens | None = None) -> Screens:
    screens = screens or fresh()
    return replace(screens, preferences=replace(screens.preferences, way=Way.HEAD))


def test_no_tracker_runs_while_nobody_plays_with_the_head(stack: ExitStack) -> None:
    session = HeadSession(fresh(), stack)
    session.run_for(1.0)
    assert (ScriptedTracker.created, Webcam.opened) == (0, 0)


def test_a_head_player_is_tracked_by_the_tables_camera(stack: ExitStack) -> None:
    sitter = Sitter()
    session = HeadSession(choose_head(), stack, lambda: (sitter.head(),))
    session.until(lambda: session.front.screens.pointer is not None)
    assert session.heads.trouble == ""
    assert (ScriptedTracker.created, Webcam.opened) == (1, 0)
    session.front.screens = fresh()
    session.run_for(0.1)
    assert ScriptedTracker.closed == 1, "a player who uses another input is tracked"
    assert session.front.screens.pointer is None


@pytest.mark.parametrize(
    ("options", "opened_count"),
    [(NO_CAMERA, 1), (replace(NO_CAMERA, head_camera="7"), 1), (replace(WEBCAM, head_camera="2"), 0)],
)
def test_a_drawn_table_needs_a_separate_camera_for_the_head(
    stack: ExitStack, options: PlayOptions, opened_count: int
) -> None:
    sitter = Sitter()
    session = HeadSession(choose_head(), stack, lambda: (sitter.head(),))
    session.until(lambda: session.front.screens.pointer is not None, options)
    assert Webcam.opened == opened_count
    session.front.screens = fresh()
    session.run_for(0.1, options)
    assert Webcam.closed == opened_count


def test_a_separate_camera_stays_closed_until_somebody_plays_by_head(stack: ExitStack) -> None:
    session = HeadSession(first_start(), stack)
    session.run_for(0.5, NO_CAMERA)
    assert Webcam.opened == 0


def test_a_missing_camera_is_reported_and_the_session_continues(
    stack: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    def raise_missing(self: Webcam, options: PlayOptions) -> None:
        raise CameraError("Webcam 0 gives no picture.", remedy="Plug it in.")

    session = HeadSession(choose_head(), stack)
    monkeypatch.setattr(Webcam, "__init__", raise_missing)
    session.run_for(0.5, NO_CAMERA)
    assert session.heads.trouble.startswith(text("head.no_camera", trouble="Webcam 0 gives no picture"))
    session.front.screens = fresh()
    session.run_for(0.1, NO_CAMERA)
    assert session.heads.trouble == ""


def test_a_failing_tracker_is_reported(stack: ExitStack, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BlockingWatcher, "patience_s", 0.1)  # a failing tracker returns no result

    def fail() -> tuple[Head, ...]:
        raise TrackerError("The face tracker failed.", remedy="Start armoon again.")

    session = HeadSession(choose_head(), stack, fail)
    session.until(lambda: "The face tracker failed" in session.heads.trouble)


def test_a_face_lost_during_a_turn_is_reported_and_can_point_again_later(stack: ExitStack) -> None:
    sitter, shown = Sitter(), [True]
    session = HeadSession(choose_head(in_game(fresh())), stack, lambda: (sitter.head(),) if shown[0] else ())
    session.until(lambda: session.front.screens.pointer is not None)
    shown[0] = False
    session.until(lambda: session.heads.trouble != "")
    assert session.heads.trouble == text("head.nobody")
    assert session.front.screens.pointer is None
    assert session.front.screens.page is PageName.TABLE, "the game is interrupted"
    shown[0] = True
    session.until(lambda: session.front.screens.pointer is not None)
    assert session.heads.trouble == ""


def test_without_pictures_no_head_is_tracked(stack: ExitStack) -> None:
    sitter = Sitter()
    session = HeadSession(choose_head(), stack, lambda: (sitter.head(),))
    session.until(lambda: session.front.screens.pointer is not None)
    for _ in range(5):
        session.clock.set_s(session.clock.now_s() + NO_PICTURE_S / 2.0)
        session.front.frame_input = FrameInput()
        session.heads.poll()
    assert session.heads.trouble == text("head.nobody")
    assert session.front.screens.pointer is None


def test_a_pointing_hand_takes_precedence_over_a_head(stack: ExitStack) -> None:
    sitter = Sitter()
    session = HeadSession(choose_head(), stack, lambda: (sitter.head(right_deg=12.0),))
    session.until(lambda: session.front.screens.pointer is not None)
    session.front.handle_hand((0.1, 0.1), 0.1)
    session.run_for(0.3, is_hand_pointing=True)
    assert session.front.screens.pointer == (0.1, 0.1)


@pytest.mark.tracker
def test_a_photographed_face_steers_the_pointer_and_confirms_with_its_mouth(
    stack: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    picture, mesh = load_astronaut(), list[Vec3]()

    def spy(points: list[Vec3], size: tuple[int, int]) -> Head | None:
        mesh[:] = points
        return measure_head(points, size)

    monkeypatch.setattr(tracker_module, "measure_head", spy)
    front = Front(choose_head(fresh().go_to(PageName.SETTINGS)))
    clock = ManualClock(10.0)
    heads = HeadWatch(front, clock, lambda: WEBCAM, lambda pointer: None, make_tracker=FaceTracker)
    stack.callback(heads.close)
    confirmed: list[bool] = []
    usual = front.handle_head

    def note_pointing(pointing: HeadPointing | None) -> tuple[Vec2, bool] | None:
        confirmed.append(pointing is not None and pointing.confirmed)
        return usual(pointing)

    monkeypatch.setattr(front, "handle_head", note_pointing)

    def show(face: Image, seconds: float) -> None:
        for _ in range(round(seconds * 10.0)):
            clock.set_s(clock.now_s() + 0.1)
            frame = Frame(round(clock.now_s() * 10.0), clock.now_s(), face)
            front.frame_input = FrameInput(
                TrackedFrame(frame, Hands(frame.time_s, frame.index, 640, 480, ()))
            )
            mesh.clear()
            heads.poll()
            assert mesh

    show(picture, 2.0)
    straight = list(mesh)
    faces = {yaw: turn_face(picture, straight, yaw) for yaw in (-14.0, 14.0)}
    show(faces[14.0], 0.6)  # to the picture's right: the sitter's left
    left = front.screens.pointer
    assert left is not None
    assert left[0] < 0.48
    show(faces[-14.0], 1.2)
    right = front.screens.pointer
    assert right is not None
    assert right[0] > left[0] + 0.02
    show(picture, 0.4)
    assert not any(confirmed)
    show(turn_face(picture, straight, 0.0, 0.0, 0.4), 1.0)
    assert sum(confirmed) == 1
