"""Finds the table by board, sheet, pointed corners or the seat's guess, in that order, and follows it once settled."""

from __future__ import annotations

import enum
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from armoon.camera.board_finder import BoardFinder, as_grey
from armoon.camera.four_points import PointedTable
from armoon.camera.plane_pose import PlaneFault, PlanePose, Unseen, table_from_sheet
from armoon.camera.sheet import pose_and_focal, sheet_pose, sheet_pose_and_focal
from armoon.camera.sources import Frame, Image
from armoon.camera.table_tracker import Sighting, TableSight, TableTracker, drawn_shift_px
from armoon.errors import ArmoonError, CameraError
from armoon.geometry import Array, CameraModel
from armoon.mailbox import Mailbox
from armoon.printing.page import PAPERS
from armoon.values.poses import Pose

BOARD = "board"


@dataclass(frozen=True)
class Located:
    """Where the table is, by what, and how sure."""

    table_from_camera: Pose
    """The table's origin is the sheet's centre; y points away along the nearest of its edges."""
    camera: CameraModel
    """The given camera; if it was not calibrated, with the focal length that the board or sheet showed."""
    method: str
    """``"board"``, or the paper's name."""
    pose: PlanePose


def locate_table(
    camera: CameraModel,
    image: Image,
    finder: BoardFinder | None,
    papers: Sequence[str] = ("a4", "letter"),
    calibrated: bool = True,
) -> Located | Unseen:
    """Return the table by the board if it is in view, else by a blank sheet, else why not.

    Unless ``calibrated``, the focal length seen there counts more than the camera's. A board in view that can't be
    trusted (two of them, bent, mirrored) is reported, not passed over.
    """
    no_board = Unseen(PlaneFault.ABSENT)
    if finder is not None:
        board = _by_board(camera, image, finder, calibrated)
        if isinstance(board, Located):
            return board
        no_board = board
        if board.reason in (PlaneFault.TWO, PlaneFault.NOT_FLAT, PlaneFault.MIRRORED, PlaneFault.WRONG_BOARD):
            return board
    find = sheet_pose if calibrated else sheet_pose_and_focal
    sheet = find(camera, image, papers)
    if isinstance(sheet, Unseen):
        # With some of a board's markers in view its own reason helps more than a blank sheet's.
        return no_board if no_board.reason is PlaneFault.COVERED else sheet
    return Located(table_from_sheet(sheet.pose.camera_from_sheet), sheet.camera, sheet.paper, sheet.pose)


def _by_board(camera: CameraModel, image: Image, finder: BoardFinder, calibrated: bool) -> Located | Unseen:
    sight = finder.find(image)
    if isinstance(sight, Unseen):
        return sight
    if not calibrated:
        guess = pose_and_focal(camera, sight.places, sight.pixels)
        camera = camera if guess is None else guess[1]
    pose = finder.pose_of(camera, sight)
    if isinstance(pose, Unseen):
        return pose
    if not calibrated and guess is not None:
        pose = replace(pose, error_mm=max(pose.error_mm, guess[0].error_mm))
    return Located(table_from_sheet(pose.camera_from_sheet), camera, BOARD, pose)


#: How often the table is looked at closely while all stands still: 7 to 11 ms each at 640x360.
LOOK_EVERY_S = 0.5
#: The same while a glance finds something moving that is no bump: a hand, or a passer-by.
UNREST_EVERY_S = 0.1
#: How often something better is looked for while searching.
SEARCH_EVERY_S = 0.5
#: Two finds in a row must agree so well before they are taken (pixels at 1280 width).
AGREE_PX = 8.0
#: Least visible shift of drawings, pixels at 1280 width: so a log holds a handful of poses instead of thousands.
STEADY_PX = 0.3


class PlaceSource(enum.Enum):
    """What the table's place is known from; the value is part of a message's key. Later ones are better."""

    SEAT = "seat"
    """Taken for granted: a virtual table at arm's length."""
    POINTS = "points"
    """Four corners, clicked or touched."""
    SHEET = "sheet"
    BOARD = "board"

    @property
    def rank(self) -> int:
        return list(PlaceSource).index(self)


@dataclass(frozen=True)
class TableState:
    """The table for one frame."""

    table_from_camera: Pose
    """Changes only when drawings would visibly shift: compare with the last to see whether it has."""
    camera: CameraModel
    """Changes only while searching: without a profile, board and sheet show the focal length too."""
    source: PlaceSource
    error_mm: float | None
    """Expected error of the table's origin (one sigma); None where the table was never measured."""
    error_px: float | None
    may_judge: bool
    """False while the camera moves, while a measured table is out of sight altogether, and when it is lost."""
    hint_key: str
    """The message that tells how the table stands (``table.…``)."""
    settled: bool


class TableKeeper:
    """One table before one camera. A function of the frames given: no clock, no chance, no thread."""

    def __init__(
        self,
        camera: CameraModel,
        seat_pose: Pose,
        finder: BoardFinder | None,
        *,
        calibrated: bool = False,
        pointed: PointedTable | None = None,
    ) -> None:
        """``seat_pose``: ``table_from_camera`` until one is found; ``calibrated``: the camera was measured."""
        self._camera, self._calibrated = camera, calibrated
        self._seat_pose = seat_pose
        self._finder = finder
        self._searching = True
        self._source, self._paper = PlaceSource.SEAT, ""
        self._error: tuple[float, float] | None = None
        self._pose = seat_pose
        self._watch: TableTracker | None = None
        self._candidate: Located | None = None
        self._unseen: Unseen | None = None
        self._last_board: PlanePose | Unseen | None = None
        self._look_s = self._glance_s = self._search_s = float("-inf")
        self._sight: TableSight | None = None
        if pointed is not None:
            self.take_points(pointed)

    @property
    def state(self) -> TableState:
        error_mm, error_px = self._error or (None, None)
        settled = not self._searching
        return TableState(
            self._pose, self._camera, self._source, error_mm, error_px, self._may_judge, self._hint(), settled
        )

    def settle(self) -> None:
        """Keep what has been found: from the first roll on the table must not jump to another place."""
        self._searching = False
        self._candidate = self._unseen = None

    def look_again(self) -> None:
        """Search from the start, because the player asks: whatever is found now counts, better or not."""
        self._searching = True
        self._begin(PlaceSource.SEAT, self._seat_pose, None)

    def take_points(self, pointed: PointedTable) -> None:
        pose = pointed.pose
        self._begin(PlaceSource.POINTS, pointed.table_from_camera, (pose.error_mm, pose.error_px))

    def see(self, frame: Frame, hands_px: Iterable[Array] = ()) -> TableState:
        """Take the newest frame; ``hands_px`` are the landmarks (21, 2) of each hand seen in it."""
        hands = list(hands_px)
        grey = as_grey(frame.image)
        if self._watch is None:
            self._watch = self._watched(frame.image)
        if not self._watch.bumped:
            self._search(frame)
        if self._watch.bumped or frame.time_s >= self._look_s:
            self._look(self._watch, frame, hands)
        elif frame.time_s >= self._glance_s and not self._watch.looks_still(grey, hands):
            self._look(self._watch, frame, hands)
            if self._watch is not None and not self._watch.bumped:
                self._glance_s = frame.time_s + UNREST_EVERY_S
        return self.state

    def _look(self, watch: TableTracker, frame: Frame, hands: list[Array]) -> None:
        self._sight = sight = watch.see(frame, hands)
        self._look_s = frame.time_s + LOOK_EVERY_S
        if sight.state is Sighting.LOST and self._source is PlaceSource.SEAT:
            # A table that was never measured can't be lost: it moves with the camera.
            self._begin(PlaceSource.SEAT, self._seat_pose, None)
            return
        if sight.error_mm > 0.0:
            self._error = (sight.error_mm, sight.error_px)
        bumped = sight.state in (Sighting.BUMPED, Sighting.LOST)
        if bumped or drawn_shift_px(self._camera, self._pose, sight.table_from_camera) > STEADY_PX:
            self._pose = sight.table_from_camera

    def _search(self, frame: Frame) -> None:
        if not self._searching or self._source is PlaceSource.BOARD or frame.time_s < self._search_s:
            return
        self._search_s = frame.time_s + SEARCH_EVERY_S
        found = locate_table(self._camera, frame.image, self._finder, tuple(PAPERS), self._calibrated)
        self._unseen = found if isinstance(found, Unseen) else None
        if isinstance(found, Unseen) or _source_of(found).rank <= self._source.rank:
            self._candidate = None
            return
        before, self._candidate = self._candidate, found
        if before is None or before.method != found.method:
            return
        if drawn_shift_px(self._camera, before.table_from_camera, found.table_from_camera) > AGREE_PX:
            return
        self._camera, self._calibrated = found.camera, True
        self._paper = found.method
        self._begin(_source_of(found), found.table_from_camera, (found.pose.error_mm, found.pose.error_px))
        self._watch = self._watched(frame.image)

    def _begin(self, source: PlaceSource, pose: Pose, error: tuple[float, float] | None) -> None:
        self._source, self._pose, self._error = source, pose, error
        self._watch = self._sight = self._candidate = self._unseen = self._last_board = None
        self._look_s = self._glance_s = float("-inf")

    def _watched(self, first: Image) -> TableTracker:
        size = None
        if self._source is PlaceSource.BOARD and self._finder is not None:
            size = (self._finder.board.width_m, self._finder.board.height_m)
        elif self._source is PlaceSource.SHEET:
            size = PAPERS[self._paper]
        return TableTracker(self._camera, self._find_again, self._pose, first, size)

    def _find_again(self, image: Image) -> PlanePose | Unseen:
        if self._source is PlaceSource.BOARD and self._finder is not None:
            return self._found_board(self._finder, image)
        if self._source is PlaceSource.SHEET:
            sheet = sheet_pose(self._camera, image, (self._paper,))
            return sheet if isinstance(sheet, Unseen) else sheet.pose
        return Unseen(PlaneFault.ABSENT)

    def _found_board(self, finder: BoardFinder, image: Image) -> PlanePose | Unseen:
        if isinstance(self._last_board, PlanePose):
            self._last_board = finder.pose_near(self._camera, image, self._last_board.camera_from_sheet)
        else:
            self._last_board = finder.pose(self._camera, image)
        return self._last_board

    @property
    def _may_judge(self) -> bool:
        if self._sight is None:
            return True
        if self._source in (PlaceSource.SEAT, PlaceSource.POINTS) and self._sight.state is Sighting.BLIND:
            # Only the background tells here, and a player who leans in hides it: that is no bump.
            return True
        return self._sight.may_judge

    def _hint(self) -> str:
        state = Sighting.SEEN if self._sight is None else self._sight.state
        if not self._may_judge or state is Sighting.SHEET_MOVED:
            return f"table.{state.value}"
        if self._source in (PlaceSource.SEAT, PlaceSource.POINTS):
            vague = self._unseen is None or self._unseen.reason is PlaneFault.ABSENT
            return f"table.by_{self._source.value}" if vague else self._unseen_key(self._unseen)
        if state is Sighting.HELD and self._sight is not None:
            return "table.held" if not self._searching else self._unseen_key(self._sight.unseen)
        return f"table.by_{self._source.value}"

    @staticmethod
    def _unseen_key(unseen: Unseen | None) -> str:
        return "table.held" if unseen is None else unseen.key


def _source_of(found: Located) -> PlaceSource:
    return PlaceSource.BOARD if found.method == BOARD else PlaceSource.SHEET


#: How long the thread sleeps for a frame before it looks whether it should end.
WAIT_S = 0.1
#: How long ``close`` waits for the thread: a close look's work.
JOIN_S = 2.0


class TableThread:
    """Runs a keeper until ``close``; frames that it has no time for are dropped."""

    def __init__(self, keeper: TableKeeper) -> None:
        self._keeper = keeper
        self._lock = threading.Lock()
        self._state = keeper.state
        self._fault: ArmoonError | None = None
        self._frames: Mailbox[tuple[Frame, tuple[Array, ...]]] = Mailbox()
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name="armoon-table", daemon=True)
        self._thread.start()

    @property
    def state(self) -> TableState:
        """The table after the newest frame that was looked at. Raises what has ended the thread."""
        if self._fault is not None:
            raise self._fault
        return self._state

    def submit(self, frame: Frame, hands_px: Sequence[Array] = ()) -> None:
        """Lay down the newest frame with the landmarks (21, 2) of each hand seen in it."""
        self._frames.put((frame, tuple(hands_px)))

    def command(self, order: Callable[[TableKeeper], None]) -> TableState:
        """Do something with the keeper between two frames, such as ``TableKeeper.settle``."""
        with self._lock:
            order(self._keeper)
            self._state = self._keeper.state
        return self.state

    def close(self) -> None:
        self._ending.set()
        self._frames.close()
        self._thread.join(JOIN_S)

    def _run(self) -> None:
        try:
            while not self._ending.is_set():
                order = self._frames.pop(WAIT_S)
                if order is not None:
                    with self._lock:
                        self._state = self._keeper.see(*order)
        except ArmoonError as error:
            self._fault = error
        except Exception as error:  # whatever ends this thread has to reach the reader's
            self._fault = CameraError(
                f"Following the table stopped ({type(error).__name__}: {error}).",
                remedy="Start armoon again.",
            )
            self._fault.__cause__ = error
