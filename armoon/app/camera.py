"""Opens the camera with its lens model and threads, and tracks the table in its pictures."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from armoon.app.frames import FrameInput, LiveSource
from armoon.camera.board import load_board
from armoon.camera.board_finder import BoardFinder
from armoon.camera.capture import CameraThread, Orientation, OrientedSource
from armoon.camera.four_points import CornerPicker, FourPointTable, load_table, save_table
from armoon.camera.profiles import SEATS, CameraChoice, CameraSeat, choose_camera
from armoon.camera.sources import CameraRequest, FocusLock, FrameSource, LiveCapture, open_source
from armoon.camera.table_locator import TableLocator, TableState, TableThread
from armoon.clock import Clock
from armoon.hands.tracker import HandTracker, Region, TrackerThread
from armoon.messages import centimetres, number, text
from armoon.processes.system import release_memory
from armoon.settings.files import camera_profiles_folder
from armoon.settings.preferences import PlayOptions
from armoon.values.poses import Pose

#: Time limit for starting the tracker on a slow machine, in seconds.
TRACKER_PATIENCE_S = 60.0


@dataclass(frozen=True)
class OpenedCamera:
    """A camera or film with upright pictures, and its lens."""

    source: FrameSource
    choice: CameraChoice
    warnings: tuple[str, ...] = ()

    def make_seat(self, name: str) -> CameraSeat:
        return replace(SEATS[name](self.source.width, self.source.height), camera=self.choice.camera)


def open_camera(options: PlayOptions) -> OpenedCamera:
    warnings: list[str] = []
    source = open_upright(options, warnings.append)
    orientation = Orientation.from_degrees(options.turned_deg, options.flipped)
    sideways = orientation.quarter_turns % 2 == 1
    size = (source.height, source.width) if sideways else (source.width, source.height)
    try:
        choice = choose_camera(options.camera, *size, camera_profiles_folder(), orientation)
    except Exception:
        source.close()
        raise
    return OpenedCamera(source, choice, tuple(warnings))


def open_upright(options: PlayOptions, warn: Callable[[str], None] = lambda sentence: None) -> FrameSource:
    """Open the source without lens model and threads; lock its focus if the driver allows it."""
    request = CameraRequest(options.width_px, options.height_px, options.rate_hz)
    source = open_source(options.camera, request)
    if isinstance(source, LiveCapture) and source.lock_focus() is FocusLock.LOOSE:
        warn(text(FocusLock.LOOSE.key))
    orientation = Orientation.from_degrees(options.turned_deg, options.flipped)
    return source if orientation == Orientation() else OrientedSource(source, orientation)


class TableWatch:
    """Searches a live camera's pictures for the real table until it is accepted, then follows it."""

    def __init__(self, opened: OpenedCamera, seat: CameraSeat, folder: Path | None = None) -> None:
        self._folder = folder or camera_profiles_folder()
        self._opened = opened
        points = load_table(self._folder, opened.choice.name, seat.camera)
        locator = TableLocator(
            seat.camera,
            seat.table_from_camera,
            BoardFinder(load_board()),
            calibrated=opened.choice.calibrated,
            points=points,
        )
        self._thread = TableThread(locator)
        self._reported_pose = seat.table_from_camera
        self.corners: CornerPicker | None = None

    @property
    def state(self) -> TableState:
        """The result of the newest searched frame. Raises the search's error."""
        return self._thread.state

    @property
    def pause_key(self) -> str | None:
        state = self.state
        return None if state.can_judge else state.hint_key

    def add_frame(self, frame_input: FrameInput) -> None:
        if frame_input.result is not None:
            hands = [np.array(hand.points_px) for hand in frame_input.result.hands.hands]
            self._thread.submit(frame_input.result.frame, hands)

    def accept_table(self) -> TableState:
        """Accept the table as found; from now on its pose changes without jumps."""
        state = self._thread.run_between_frames(TableLocator.settle)
        self._reported_pose = state.table_from_camera
        return state

    def pop_new_pose(self) -> Pose | None:
        pose = self.state.table_from_camera
        if pose == self._reported_pose:
            return None
        self._reported_pose = pose
        return pose

    def point_at_corners(self, near_side_m: float) -> None:
        self.corners = CornerPicker(self.state.camera, near_side_m)

    def finish_corners(self) -> FourPointTable | None:
        table = None if self.corners is None else self.corners.table
        if table is not None:
            self._thread.run_between_frames(lambda locator: locator.set_points(table))
            save_table(self._folder, self._opened.choice.name, self.state.camera, table)
            self.corners = None
        return table

    def search_again(self) -> None:
        self.corners = None
        self._thread.run_between_frames(TableLocator.restart_search)

    def close(self) -> None:
        self._thread.close()


def describe_table_error(state: TableState) -> str:
    """Describe the error of the table's pose; empty while it is unknown."""
    if state.error_mm is None or state.error_px is None:
        return ""
    length = centimetres(state.error_mm / 1000.0, 2)
    return text("table.error", length=length, px=number(state.error_px, 1))


def start_camera(options: PlayOptions, source: FrameSource, stack: ExitStack, clock: Clock) -> LiveSource:
    """Start camera and tracker in threads that ``stack`` joins.

    The camera's thread also closes ``source``, because OpenCV crashes if another thread does.
    """
    opened, trackers = [source], list[HandTracker]()
    region: Region | None = None

    def make_tracker() -> HandTracker:
        trackers.append(HandTracker(options.tracker, region=region))
        return trackers[-1]

    def set_region(new_region: Region | None) -> None:
        nonlocal region
        region = new_region
        trackers[-1].set_region(new_region)

    camera = CameraThread(lambda: opened.pop() if opened else open_upright(options))
    stack.callback(camera.close)
    worker = TrackerThread(make_tracker)
    stack.callback(worker.close)
    worker.wait_ready(TRACKER_PATIENCE_S)
    release_memory()
    camera.on_frame = worker.submit
    camera.start()
    return LiveSource(camera, worker, clock, set_region)
