"""The table in the camera's view is located by a printed board or four clicks; clicks are kept for the next session."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import cv2
import numpy as np
import pytest
from benchmarks.sheets import CAMERA, SEAT, Conditions, SheetStage, make_board_sheet
from rich.console import Console
from support.session_kit import AppSession, start, temporary_session
from support.waiting import PATIENCE_S, until

from armoon.app import camera, session_camera
from armoon.app.camera import OpenedCamera, TableWatch, start_camera
from armoon.app.frames import FrameInput
from armoon.app.session_camera import SessionCamera
from armoon.camera.board import load_board
from armoon.camera.four_points import load_table
from armoon.camera.profiles import CameraChoice, CameraSeat
from armoon.camera.sources import Frame, Image
from armoon.camera.table_locator import TableSource
from armoon.clock import WallClock
from armoon.geometry import project_table_points
from armoon.hands.landmarks import Hands
from armoon.hands.tracker import Region, TrackedFrame
from armoon.screens.events import Request
from armoon.settings.preferences import PlayOptions
from armoon.values.choices import SeatName, TrackerName
from armoon.values.poses import Vec3

session = pytest.fixture(temporary_session)


def open_test_camera() -> OpenedCamera:
    source: Any = SimpleNamespace(width=CAMERA.width, height=CAMERA.height, live=True, close=lambda: None)
    return OpenedCamera(source, CameraChoice("a test camera", CAMERA, True))


@pytest.fixture
def watch(tmp_path: Path) -> Iterator[TableWatch]:
    seat = open_test_camera().make_seat("table")
    watch = TableWatch(open_test_camera(), seat, tmp_path)
    yield watch
    watch.close()


class Feeder:
    def __init__(self, watch: TableWatch, image: Any) -> None:
        self.watch, self.image, self.frames = watch, image, 0

    def until(self, condition: Callable[[], bool]) -> None:
        until(condition, meanwhile=self.show)

    def show(self) -> None:
        frame = Frame(self.frames, self.frames / 15.0, self.image)
        self.frames += 1
        empty = Hands(frame.time_s, frame.index, CAMERA.width, CAMERA.height, ())
        self.watch.add_frame(FrameInput(TrackedFrame(frame, empty), None, False))


def test_the_printed_board_locates_the_table_and_accepting_keeps_its_pose(watch: TableWatch) -> None:
    feeder = Feeder(watch, SheetStage(CAMERA).render(SEAT, (make_board_sheet(load_board()),), Conditions()))
    feeder.until(lambda: watch.state.source is TableSource.BOARD)
    state = watch.accept_table()
    assert math.dist(state.table_from_camera.position, SEAT.position) < 0.002
    assert watch.pop_new_pose() is None
    assert watch.pause_key is None


def test_four_clicks_locate_the_table_and_are_kept_for_the_next_session(
    watch: TableWatch, tmp_path: Path
) -> None:
    seat: CameraSeat = open_test_camera().make_seat("table")
    half_w, half_d = 0.20, 0.15
    far_left, far_right = (-half_w, half_d, 0.0), (half_w, half_d, 0.0)
    near_right, near_left = (half_w, -half_d, 0.0), (-half_w, -half_d, 0.0)
    corners: tuple[Vec3, ...] = (far_left, far_right, near_right, near_left)
    watch.point_at_corners(2.0 * half_w)
    assert watch.finish_corners() is None
    assert watch.corners is not None
    for u, v in project_table_points(seat.camera, seat.table_from_camera, corners):
        watch.corners.add_click((float(u), float(v)))
    assert watch.finish_corners() is not None
    assert watch.corners is None
    assert watch.state.source is TableSource.POINTS
    assert math.dist(watch.state.table_from_camera.position, seat.table_from_camera.position) < 0.005
    assert load_table(tmp_path, "a test camera", CAMERA) is not None


def test_a_game_at_a_found_table_is_shown_as_one_at_a_real_table(session: AppSession) -> None:
    """The table is watched before the game is shown, so that automatic framing shows the whole picture."""
    host = session.host
    host._camera.opened = open_test_camera()
    watches: list[TableWatch | None] = []
    host._drawing = replace(host._drawing, show_game=lambda viewed: watches.append(host.watch))
    host.carry_out(start("moon", SeatName.TABLE))
    found = host.watch
    assert found is not None
    assert not watches
    host.carry_out(Request.TABLE_ACCEPTED)
    assert watches == [found]
    assert host.watch is found
    host.carry_out(start("moon", SeatName.TABLE))
    assert host.watch is not found, "another game looks for its table again"


class StumblingTracker:
    instances: ClassVar[list[StumblingTracker]] = []

    def __init__(self, tracker: TrackerName, *, region: Region | None) -> None:
        self.region, self.first = region, not self.instances
        self.instances.append(self)

    def set_region(self, region: Region | None) -> None:
        self.region = region

    def track(self, image_bgr: Image, time_s: float, frame_index: int) -> Hands:
        if self.first:
            raise RuntimeError("one bad picture")
        return Hands(time_s, frame_index, 4, 4, ())

    def close(self) -> None:
        pass


class DarkCamera:
    description, live, rate_hz, width, height, frames = "dark", True, 30.0, 4, 4, 0

    def read(self) -> Frame:
        self.frames += 1
        return Frame(self.frames, self.frames / 30.0, np.zeros((4, 4, 3), np.uint8))

    def close(self) -> None:
        pass


def test_a_restarted_tracker_searches_the_same_region(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(StumblingTracker, "instances", [])
    monkeypatch.setattr(camera, "HandTracker", StumblingTracker)
    is_searching, left, right = threading.Event(), Region(0, 0, 2, 4), Region(2, 0, 2, 4)
    dark = DarkCamera()
    read = dark.read
    monkeypatch.setattr(dark, "read", lambda: read() if is_searching.wait(PATIENCE_S) else None)
    with ExitStack() as stack:
        feed = start_camera(PlayOptions(), dark, stack, WallClock())
        feed.set_region(left)
        is_searching.set()
        until(lambda: feed.read_input().result is not None)
        assert [tracker.region for tracker in StumblingTracker.instances] == [left, left]
        feed.set_region(right)
        assert StumblingTracker.instances[-1].region == right


class LitCapture:
    """Replaces cv2.VideoCapture: the first frames are dark, the brightness of later ones depends on the number."""

    def __init__(self, number: int, backend: int) -> None:
        self.level, self.reads = 50 * (1 + number), 0

    def set(self, prop: int, value: float) -> bool:
        return True

    def get(self, prop: int) -> float:
        return 0.0

    def isOpened(self) -> bool:  # noqa: N802  OpenCV's name
        return self.level < 200

    def read(self) -> tuple[bool, Image]:
        self.reads += 1
        return True, np.full((480, 640, 3), self.level if self.reads > 3 else 0, np.uint8)

    def release(self) -> None:
        pass


def test_webcams_with_the_same_name_differ_by_their_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    names = {0: "BRIO", 1: "Integrated Camera", 2: "BRIO", 3: "BRIO"}
    monkeypatch.setattr(session_camera, "list_webcams", lambda: tuple(names.items()))
    monkeypatch.setattr(cv2, "VideoCapture", LitCapture)
    with ExitStack() as stack:
        camera = SessionCamera(PlayOptions(camera="none"), Console(), WallClock(), stack)
        assert camera.build_status().pictures == (), "a camera was opened without need"
        status = camera.build_status(with_pictures=True)
    levels = {
        number: cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR).mean()
        for number, jpeg in status.pictures
    }
    assert levels == {"0": pytest.approx(50, abs=2), "2": pytest.approx(150, abs=2)}
