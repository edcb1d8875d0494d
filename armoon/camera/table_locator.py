"""Locates and tracks the table by a board, a sheet, four corners or the seat's default, in this order of preference."""

from __future__ import annotations

import enum
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from armoon.camera.board_finder import BoardFinder
from armoon.camera.four_points import FourPointTable
from armoon.camera.plane_pose import PlaneFault, PlanePose
from armoon.camera.sheet import LocatedTable, locate_sheet, solve_pose_and_focal
from armoon.camera.sources import Frame, Image, to_grey
from armoon.camera.table_tracker import TableTracker, TrackingStatus, measure_shift_px
from armoon.errors import ArmoonError, CameraError
from armoon.geometry import Array, CameraModel
from armoon.mailbox import Mailbox
from armoon.printing import PAPERS
from armoon.values.poses import Pose

BOARD = "board"


def locate_table(
    camera: CameraModel,
    image: Image,
    finder: BoardFinder | None,
    papers: Sequence[str] = ("a4", "letter"),
    calibrated: bool = True,
) -> LocatedTable | PlaneFault:
    """Locate the table by a board or else a blank sheet; return the reason if neither is found.

    Unless ``calibrated``, the focal length measured by board or sheet replaces the camera's. If the board is unreliable
    (bent, mirrored, wrong, or one of two), return that reason without trying a sheet.
    """
    board_fault = PlaneFault.ABSENT
    if finder is not None:
        board = _locate_by_board(camera, image, finder, calibrated)
        if isinstance(board, LocatedTable):
            return board
        board_fault = board
        if board in (PlaneFault.TWO, PlaneFault.NOT_FLAT, PlaneFault.MIRRORED, PlaneFault.WRONG_BOARD):
            return board
    sheet = locate_sheet(camera, image, papers, calibrated=calibrated)
    # If some of the board's markers are visible, "the board is covered" helps the player most.
    return board_fault if isinstance(sheet, PlaneFault) and board_fault is PlaneFault.COVERED else sheet


def _locate_by_board(
    camera: CameraModel, image: Image, finder: BoardFinder, calibrated: bool
) -> LocatedTable | PlaneFault:
    view = finder.find_board(image)
    if isinstance(view, PlaneFault):
        return view
    guess = None if calibrated else solve_pose_and_focal(camera, view.places, view.pixels)
    camera = camera if guess is None else guess[1]
    pose = finder.solve_pose(camera, view)
    if isinstance(pose, PlaneFault):
        return pose
    if guess is not None:
        pose = replace(pose, error_mm=max(pose.error_mm, guess[0].error_mm))
    return LocatedTable(pose, camera, BOARD)


#: Interval of full tracking while everything is still, seconds; tracking takes 7 to 11 ms at 640x360.
TRACK_EVERY_S = 0.5
#: Interval of full tracking while something other than the camera moves: a hand, or someone passing by.
MOTION_EVERY_S = 0.1
#: Interval between attempts to find a better source while searching.
SEARCH_EVERY_S = 0.5
#: Maximum difference between two successive results for accepting them (pixels at 1280 width).
AGREE_PX = 8.0
#: Minimum visible shift of drawings, pixels at 1280 width; ignoring smaller ones keeps the log short.
STEADY_PX = 0.3


class TableSource(enum.Enum):
    """Source of the table's pose, from worst to best; the value is part of a message's key."""

    SEAT = "seat"
    """Assumed: a virtual table at arm's length."""
    POINTS = "points"
    """Four corners, clicked or touched."""
    SHEET = "sheet"
    BOARD = "board"

    @property
    def rank(self) -> int:
        return list(TableSource).index(self)


@dataclass(frozen=True)
class TableState:
    """The table's pose and its reliability in one frame."""

    table_from_camera: Pose
    """Changes only when drawings would visibly shift."""
    camera: CameraModel
    """Changes only while searching; without a profile, board and sheet also give the focal length."""
    source: TableSource
    error_mm: float | None
    """Expected error of the table's origin (one sigma); None if the table was never measured."""
    error_px: float | None
    can_judge: bool
    """False while the camera moves, the table is lost or, with a board or sheet, nothing is visible."""
    hint_key: str
    """Key of the message about the table's state (``table.…``)."""
    is_settled: bool


class TableLocator:
    """Finds and tracks one table with one camera; depends only on the given frames and uses no clock or thread."""

    def __init__(
        self,
        camera: CameraModel,
        seat_pose: Pose,
        finder: BoardFinder | None,
        *,
        calibrated: bool = False,
        points: FourPointTable | None = None,
    ) -> None:
        """``seat_pose``: ``table_from_camera`` until the table is found."""
        self._camera, self._calibrated = camera, calibrated
        self._seat_pose = seat_pose
        self._finder = finder
        self._searching = True
        self._source, self._paper = TableSource.SEAT, ""
        self._error: tuple[float, float] | None = None
        self._pose = seat_pose
        self._tracker: TableTracker | None = None
        self._candidate: LocatedTable | None = None
        self._search_fault: PlaneFault | None = None
        self._last_board: PlanePose | PlaneFault | None = None
        self._next_track_s = self._next_check_s = self._next_search_s = float("-inf")
        self._status: TrackingStatus | None = None
        """The tracker's status; None until the tracker has processed a frame."""
        if points is not None:
            self.set_points(points)

    @property
    def state(self) -> TableState:
        error_mm, error_px = self._error or (None, None)
        is_settled, hint_key = not self._searching, self._choose_hint()
        return TableState(
            self._pose, self._camera, self._source, error_mm, error_px, self._can_judge, hint_key, is_settled
        )

    def settle(self) -> None:
        """End the search, because from the first roll on the table must not jump to another place."""
        self._searching = False
        self._candidate = self._search_fault = None

    def restart_search(self) -> None:
        """Restart the search on the player's request; the next result counts even if it is worse."""
        self._searching = True
        self._reset(TableSource.SEAT, self._seat_pose, None)

    def set_points(self, table: FourPointTable) -> None:
        pose = table.pose
        self._reset(TableSource.POINTS, table.table_from_camera, (pose.error_mm, pose.error_px))

    def process_frame(self, frame: Frame, hands_px: Iterable[Array] = ()) -> TableState:
        """Process the newest frame; ``hands_px``: landmarks (21, 2) of each visible hand."""
        hands = list(hands_px)
        grey = to_grey(frame.image)
        if self._tracker is None:
            self._tracker = self._make_tracker(frame.image)
        if not self._tracker.is_bumped:
            self._search_table(frame)
        if self._tracker.is_bumped or frame.time_s >= self._next_track_s:
            self._track_table(self._tracker, frame, hands)
        elif frame.time_s >= self._next_check_s and not self._tracker.looks_still(grey, hands):
            self._track_table(self._tracker, frame, hands)
            if self._tracker is not None and not self._tracker.is_bumped:
                self._next_check_s = frame.time_s + MOTION_EVERY_S
        return self.state

    def _track_table(self, tracker: TableTracker, frame: Frame, hands: list[Array]) -> None:
        self._status = tracker.process_frame(frame, hands)
        self._next_track_s = frame.time_s + TRACK_EVERY_S
        if self._status is TrackingStatus.LOST and self._source is TableSource.SEAT:
            # A table that was never measured moves with the camera, so it can't be lost.
            self._reset(TableSource.SEAT, self._seat_pose, None)
            return
        self._error = tracker.error or self._error
        is_bumped = self._status in (TrackingStatus.BUMPED, TrackingStatus.LOST)
        if is_bumped or measure_shift_px(self._camera, self._pose, tracker.table_from_camera) > STEADY_PX:
            self._pose = tracker.table_from_camera

    def _search_table(self, frame: Frame) -> None:
        if not self._searching or self._source is TableSource.BOARD or frame.time_s < self._next_search_s:
            return
        self._next_search_s = frame.time_s + SEARCH_EVERY_S
        table = locate_table(self._camera, frame.image, self._finder, tuple(PAPERS), self._calibrated)
        self._search_fault = table if isinstance(table, PlaneFault) else None
        if isinstance(table, PlaneFault) or _get_source(table).rank <= self._source.rank:
            self._candidate = None
            return
        previous, self._candidate = self._candidate, table
        if previous is None or previous.method != table.method:
            return
        if measure_shift_px(self._camera, previous.table_from_camera, table.table_from_camera) > AGREE_PX:
            return
        self._camera, self._calibrated = table.camera, True
        self._paper = table.method
        self._reset(_get_source(table), table.table_from_camera, (table.pose.error_mm, table.pose.error_px))
        self._tracker = self._make_tracker(frame.image)

    def _reset(self, source: TableSource, pose: Pose, error: tuple[float, float] | None) -> None:
        self._source, self._pose, self._error = source, pose, error
        self._tracker = self._status = self._candidate = self._search_fault = self._last_board = None
        self._next_track_s = self._next_check_s = float("-inf")

    def _make_tracker(self, first: Image) -> TableTracker:
        size = None
        if self._source is TableSource.BOARD and self._finder is not None:
            size = (self._finder.board.width_m, self._finder.board.height_m)
        elif self._source is TableSource.SHEET:
            size = PAPERS[self._paper]
        return TableTracker(self._camera, self._find_again, self._pose, first, size)

    def _find_again(self, image: Image) -> PlanePose | PlaneFault:
        if self._source is TableSource.BOARD and self._finder is not None:
            if isinstance(self._last_board, PlanePose):
                near = self._last_board.camera_from_sheet
                self._last_board = self._finder.find_pose_near(self._camera, image, near)
            else:
                self._last_board = self._finder.find_pose(self._camera, image)
            return self._last_board
        if self._source is TableSource.SHEET:
            sheet = locate_sheet(self._camera, image, (self._paper,))
            return sheet if isinstance(sheet, PlaneFault) else sheet.pose
        return PlaneFault.ABSENT

    @property
    def _can_judge(self) -> bool:
        # Without a board or sheet, only the background reveals a bump, and a player who leans in hides the background.
        if self._status is TrackingStatus.BLIND:
            return self._source in (TableSource.SEAT, TableSource.POINTS)
        return self._status not in (TrackingStatus.BUMPED, TrackingStatus.LOST)

    def _choose_hint(self) -> str:
        status = self._status or TrackingStatus.SEEN
        if not self._can_judge or status is TrackingStatus.SHEET_MOVED:
            return f"table.{status.value}"
        if self._source in (TableSource.SEAT, TableSource.POINTS):
            if self._search_fault is not None and self._search_fault is not PlaneFault.ABSENT:
                return self._search_fault.key
        elif status is TrackingStatus.HELD:
            unseen = self._tracker.sheet_fault if self._tracker is not None else None
            return "table.held" if unseen is None or not self._searching else unseen.key
        return f"table.by_{self._source.value}"


def _get_source(table: LocatedTable) -> TableSource:
    return TableSource.BOARD if table.method == BOARD else TableSource.SHEET


#: Maximum wait for a frame before the thread checks whether it should end.
WAIT_S = 0.1
#: Maximum wait of ``close`` for the thread: longer than one update.
JOIN_S = 2.0


class TableThread:
    """Runs a locator in a thread until ``close``; drops frames when it is busy."""

    def __init__(self, locator: TableLocator) -> None:
        self._locator = locator
        self._lock = threading.Lock()
        self._state = locator.state
        self._fault: ArmoonError | None = None
        self._frames: Mailbox[tuple[Frame, tuple[Array, ...]]] = Mailbox()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="armoon-table", daemon=True)
        self._thread.start()

    @property
    def state(self) -> TableState:
        """The table after the last processed frame. Raises the error that ended the thread."""
        if self._fault is not None:
            raise self._fault
        return self._state

    def submit(self, frame: Frame, hands_px: Sequence[Array] = ()) -> None:
        """Submit the newest frame with the landmarks (21, 2) of each visible hand."""
        self._frames.put((frame, tuple(hands_px)))

    def run_between_frames(self, change: Callable[[TableLocator], None]) -> TableState:
        """Call a function such as ``TableLocator.settle`` while no frame is being processed."""
        with self._lock:
            change(self._locator)
            self._state = self._locator.state
        return self.state

    def close(self) -> None:
        self._stopping.set()
        self._frames.close()
        self._thread.join(JOIN_S)

    def _run(self) -> None:
        try:
            while not self._stopping.is_set():
                job = self._frames.pop(WAIT_S)
                if job is not None:
                    with self._lock:
                        self._state = self._locator.process_frame(*job)
        except ArmoonError as error:
            self._fault = error
        except Exception as error:  # state must raise every error of this thread
            self._fault = CameraError(
                "fault.camera.table", remedy="fault.remedy.restart", why=f"{type(error).__name__}: {error}"
            )
            self._fault.__cause__ = error
