"""Guides a player through a calibration: selects good pictures, and asks for missing ones until there are enough."""

from __future__ import annotations

import enum
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import av
import numpy as np
import numpy.typing as npt

from armoon.camera.board_finder import BoardFinder, BoardView
from armoon.camera.plane_pose import PlaneFault, solve_plane
from armoon.camera.profiles import MIN_VIEWS, Calibration, calibrate
from armoon.camera.sources import Frame, FrameSource, Image, to_grey
from armoon.errors import CameraError
from armoon.geometry import CameraModel, mat_from_quat
from armoon.messages import text
from armoon.values.poses import Vec2

MAX_VIEWS = 25
#: Number of views from which the capture ends as soon as coverage and tilts suffice.
ENOUGH_VIEWS = 15
COVERAGE_COLUMNS, COVERAGE_ROWS = 6, 4
#: Sufficient share of covered cells: a whole board hardly reaches the corners, and not all of them are needed.
ENOUGH_COVERAGE = 0.8
#: Maximum speed of corners (pixels per second at 640 width); motion blur makes faster corners inaccurate.
MAX_SPEED_PX_S = 12.0
#: Maximum time between two views from which a speed is computed.
_MAX_INTERVAL_S = 0.5
#: Minimum slope of edges relative to contrast, per pixel at 640 width: 0.35 to 0.7 in focus, 0.25 with motion blur.
MIN_EDGE = 0.28
#: Minimum tilt: flatter views don't determine the focal length.
_MIN_TILT = math.radians(18.0)
#: Minimum differences between kept views (any one suffices): position (fraction of the width), tilt, log of the size.
_NEW_PLACE, _NEW_TILT, _NEW_SIZE = 0.09, math.radians(9.0), 0.25
#: Typical field of view, used only for estimating tilts.
_GUESSED_FIELD = math.radians(65.0)


class Hint(enum.Enum):
    """The player's next step; the value is also the key of a message."""

    SHOW = "show"
    HOLD_STILL = "hold_still"
    TOO_BLURRED = "too_blurred"
    MOVE_ON = "move_on"
    TAKEN = "taken"
    TILT_TOP_AWAY = "tilt_top_away"
    TILT_TOP_NEAR = "tilt_top_near"
    TILT_LEFT_AWAY = "tilt_left_away"
    TILT_RIGHT_AWAY = "tilt_right_away"
    FILL = "fill"
    DONE = "done"


@dataclass(frozen=True)
class Advice:
    """The result of examining a frame, and the player's next step."""

    is_taken: bool
    hint: Hint
    fault: PlaneFault | None = None
    empty_cell: tuple[int, int] | None = None
    """With ``FILL``: column and row of an empty cell of the coverage map."""


#: The board in a view: its centre in fractions of the picture's width, the logarithm of its size, and its tilt in
#: radians, to the right (x) and down (y) in the picture.
_ViewPose = tuple[Vec2, float, Vec2]


class CaptureGuide:
    """Selects the frames that a calibration needs, at most ``MAX_VIEWS``."""

    def __init__(self, finder: BoardFinder, width: int, height: int) -> None:
        self._finder = finder
        self._guess = CameraModel.from_field_of_view(width, height, _GUESSED_FIELD)
        self.views: list[BoardView] = []
        self.coverage: npt.NDArray[np.intp] = np.zeros((COVERAGE_ROWS, COVERAGE_COLUMNS), dtype=np.intp)
        """Number of corners seen in each cell of the picture."""
        self._view_poses: list[_ViewPose] = []
        self._last_view: tuple[float, BoardView] | None = None

    @property
    def is_done(self) -> bool:
        enough = len(self.views) >= ENOUGH_VIEWS and self._find_missing_tilt() is None and self.is_covered
        return enough or len(self.views) >= MAX_VIEWS

    @property
    def is_covered(self) -> bool:
        return float(np.mean(self.coverage > 0)) >= ENOUGH_COVERAGE

    def examine_frame(self, frame: Frame) -> Advice:
        """Examine a frame; keep its view if it is sharp, still and new."""
        if self.is_done:
            return Advice(False, Hint.DONE)
        view = self._finder.find_board(frame.image)
        if isinstance(view, PlaneFault):
            self._last_view = None
            return Advice(False, Hint.SHOW, view)
        speed = self._measure_speed(frame.time_s, view)
        self._last_view = (frame.time_s, view)
        if speed is None or speed > MAX_SPEED_PX_S * self._guess.width / 640.0:
            return Advice(False, Hint.HOLD_STILL)
        if measure_edge_sharpness(to_grey(frame.image), view) * self._guess.width / 640.0 < MIN_EDGE:
            return Advice(False, Hint.TOO_BLURRED)
        view_pose = self._measure_view_pose(view)
        if view_pose is None or not all(_are_different(view_pose, other) for other in self._view_poses):
            return self._choose_hint()
        self.views.append(view)
        self._view_poses.append(view_pose)
        columns = np.clip(view.pixels[:, 0] / self._guess.width * COVERAGE_COLUMNS, 0, COVERAGE_COLUMNS - 1)
        rows = np.clip(view.pixels[:, 1] / self._guess.height * COVERAGE_ROWS, 0, COVERAGE_ROWS - 1)
        np.add.at(self.coverage, (rows.astype(int), columns.astype(int)), 1)
        return Advice(True, Hint.DONE if self.is_done else Hint.TAKEN)

    def _choose_hint(self) -> Advice:
        tilt = self._find_missing_tilt()
        if tilt is not None:
            return Advice(False, tilt)
        if not self.is_covered:
            row, column = (int(v) for v in np.argwhere(self.coverage == 0)[0])
            return Advice(False, Hint.FILL, empty_cell=(column, row))
        return Advice(False, Hint.MOVE_ON)

    def _find_missing_tilt(self) -> Hint | None:
        tilts = [tilt for _, _, tilt in self._view_poses]
        has_tilt = {
            Hint.TILT_TOP_AWAY: any(y < -_MIN_TILT for _, y in tilts),
            Hint.TILT_TOP_NEAR: any(y > _MIN_TILT for _, y in tilts),
            Hint.TILT_LEFT_AWAY: any(x < -_MIN_TILT for x, _ in tilts),
            Hint.TILT_RIGHT_AWAY: any(x > _MIN_TILT for x, _ in tilts),
        }
        return next((hint for hint in has_tilt if not has_tilt[hint]), None)

    def _measure_speed(self, time_s: float, view: BoardView) -> float | None:
        """Return the speed since the last view, in pixels per second; None without one."""
        if self._last_view is None or not 0.0 < time_s - self._last_view[0] <= _MAX_INTERVAL_S:
            return None
        last_s, last = self._last_view
        common, before, after = np.intersect1d(last.ids, view.ids, return_indices=True)
        shifts = np.linalg.norm(view.pixels[after] - last.pixels[before], axis=1)
        return float(np.median(shifts)) / (time_s - last_s) if len(common) else None

    def _measure_view_pose(self, view: BoardView) -> _ViewPose | None:
        pose = solve_plane(self._guess, view.places, view.pixels)
        if pose is None:
            return None
        normal = mat_from_quat(pose.camera_from_sheet.rotation)[:, 2]
        x, y = view.pixels.mean(axis=0) / self._guess.width
        tilt = (math.atan2(normal[0], -normal[2]), math.atan2(normal[1], -normal[2]))
        return (float(x), float(y)), -math.log(pose.camera_from_sheet.position[2]), tilt


def _are_different(one: _ViewPose, other: _ViewPose) -> bool:
    (place, size, tilt), (other_place, other_size, other_tilt) = one, other
    return (
        math.dist(place, other_place) > _NEW_PLACE
        or math.dist(tilt, other_tilt) > _NEW_TILT
        or abs(size - other_size) > _NEW_SIZE
    )


def measure_edge_sharpness(grey: npt.NDArray[np.uint8], view: BoardView) -> float:
    """Return the steepest slope per pixel divided by the contrast (median of all corners): about 0.5 in focus."""
    reach = 7
    sharpness = []
    for x, y in np.round(view.pixels).astype(int):
        patch = grey[max(0, y - reach) : y + reach + 1, max(0, x - reach) : x + reach + 1].astype(np.float64)
        if patch.shape != (2 * reach + 1, 2 * reach + 1):
            continue
        contrast = float(np.percentile(patch, 90) - np.percentile(patch, 10))
        slope = np.hypot(*np.gradient(patch))
        sharpness.append(float(np.percentile(slope, 95)) / max(contrast, 1.0))
    return float(np.median(sharpness)) if sharpness else 0.0


#: Maximum frames of a capture: five minutes at 30 Hz.
MAX_FRAMES = 9000
#: Called when the advice changes.
ReportAdvice = Callable[[CaptureGuide, Advice], None]


def calibrate_from_camera(source: FrameSource, finder: BoardFinder, report: ReportAdvice) -> Calibration:
    """Guide the capture until there are enough views or the source ends. Raises CameraError."""
    guide = CaptureGuide(finder, source.width, source.height)
    last_advice: Advice | None = None
    for _ in range(MAX_FRAMES):
        try:
            frame = source.read()
        except CameraError:
            if len(guide.views) < MIN_VIEWS:
                raise
            break  # the views captured so far are enough
        if frame is None or guide.is_done:
            break
        advice = guide.examine_frame(frame)
        if advice != last_advice:
            report(guide, advice)
            last_advice = advice
    return calibrate(guide.views, source.width, source.height)


def calibrate_from_pictures(
    paths: Sequence[Path], finder: BoardFinder, report: Callable[[Path, PlaneFault | None], None]
) -> Calibration:
    """Calibrate from photographs of the board, all of one size. Raises CameraError."""
    views: list[BoardView] = []
    size: tuple[int, int] | None = None
    for path in paths:
        # Ignore the orientation tag, because the lens doesn't turn with the display.
        image = read_photograph(path)
        if size is not None and size != (image.shape[1], image.shape[0]):
            raise CameraError(
                "fault.photos.sizes",
                path=path,
                size=f"{image.shape[1]}×{image.shape[0]}",
                other=f"{size[0]}×{size[1]}",
            )
        size = (image.shape[1], image.shape[0])
        view = finder.find_board(image)
        report(path, view if isinstance(view, PlaneFault) else None)
        if not isinstance(view, PlaneFault):
            views.append(view)
    if size is None:
        raise CameraError("fault.photos.none")
    # More views would take time without improving the result.
    chosen = np.linspace(0, len(views) - 1, min(len(views), MAX_VIEWS)).round().astype(int)
    return calibrate([views[index] for index in chosen], *size)


def format_coverage(guide: CaptureGuide) -> str:
    return "\n".join("".join("█" if count else "·" for count in row) for row in guide.coverage)


def format_hint(advice: Advice) -> str:
    if advice.fault is not None and advice.hint is Hint.SHOW:
        return str(advice.fault)
    if advice.hint is Hint.FILL and advice.empty_cell is not None:
        column, row = advice.empty_cell
        return text("calibrate.fill_cell", column=column + 1, row=row + 1)
    return text(f"calibrate.{advice.hint.value}")


#: FFmpeg's reader by a file's first bytes; FFmpeg must not guess, because its formats include playlists.
_READERS = {b"\xff\xd8\xff": "jpeg_pipe", b"\x89PNG\r\n\x1a\n": "png_pipe"}


def read_photograph(path: Path) -> Image:
    """Return the picture (height, width, 3), BGR, ignoring its orientation tag. Raises CameraError.

    FFmpeg decodes it, because the JPEG reader of OpenCV 4.11 can write out of bounds (docs/dependencies.md).
    """
    try:
        with path.open("rb") as file:
            start = file.read(8)
            file.seek(0)
            reader = next(name for signature, name in _READERS.items() if start.startswith(signature))
            with av.open(file, format=reader) as container:
                frame: Any = next(container.decode(video=0))
        return np.asarray(frame.to_ndarray(format="bgr24"), dtype=np.uint8)
    except (OSError, StopIteration, ValueError, av.error.FFmpegError) as error:
        raise CameraError("fault.photos.unreadable", path=path) from error
