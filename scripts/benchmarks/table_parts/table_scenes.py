"""Scripted scenes of a table under bad conditions: each ends with the right pose or a stated reason."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from armoon.camera.calibration.board.board import standard_board
from armoon.camera.calibration.board.finder import BoardFinder
from armoon.camera.calibration.keeper.staying import StayingThere, TableSight
from armoon.camera.calibration.plane_pose import PlanePose, table_from_sheet
from armoon.camera.calibration.sheet.pose import sheet_pose
from armoon.camera.calibration.unseen import Unseen
from armoon.camera.frame import Frame, Image
from armoon.geometry import (
    CameraModel,
    pose_compose,
    pose_inverse,
    pose_looking_at,
    project_table_points,
    quat_angle,
)
from armoon.values.poses import Pose
from benchmarks.table_parts.rendered_sheet import Conditions, Sheet, SheetStage, blank_sheet, board_sheet

CAMERA = CameraModel(480, 360, 390.0, 391.0, 237.0, 184.0, (0.1, -0.25, 0.001, -0.0007, 0.05))
SEAT = pose_looking_at((0.05, -0.45, 0.40), (0.0, 0.0, 0.0))
BUMPED = pose_looking_at((0.09, -0.47, 0.42), (0.02, 0.03, 0.0))
#: A palm's outline and where it lies in the picture, for scenes in which a hand covers the board.
PALM = (-0.12, -0.14, 0.14, 0.12)
PALM_PX = np.array([(150.0, 150.0), (330.0, 150.0), (330.0, 300.0), (150.0, 300.0)])
RATE_HZ = 10.0
_CLEAR = Conditions()
_LOW = Conditions(gain=0.25, noise=4.0)
_DARK = Conditions(gain=0.03, noise=4.0)
_UNDER_PALM = Conditions(covers=(PALM,))


@dataclass(frozen=True)
class Outcome:
    """How a scene ended."""

    scene: str
    unseen: Unseen | None
    error_mm: float
    """Error of the table's origin, seen from the camera; NaN where nothing was found."""
    error_rad: float
    sights: tuple[TableSight, ...] = ()
    shifts_px: tuple[float, ...] = ()
    """Scenes over time: how far the drawing is off in each frame."""

    def text(self) -> str:
        """One line for a table."""
        if self.sights:
            states = " ".join(s.state.value for s in self.sights)
            return f"{states}; off by {self.shifts_px[-1]:.1f} px at the end"
        if self.unseen is not None:
            return str(self.unseen)
        return f"right within {self.error_mm:.1f} mm, {math.degrees(self.error_rad):.2f} degrees"


def pose_error(found: Pose, true: Pose) -> tuple[float, float]:
    """Millimetres of the table's origin before the camera, and radians, between two ``table_from_camera``."""
    apart = np.subtract(pose_inverse(found).position, pose_inverse(true).position)
    return 1000.0 * float(np.linalg.norm(apart)), quat_angle(found.rotation, true.rotation)


#: Runs the scene of this name.
_Play = Callable[[str], Outcome]


class Scenes:
    """Renders and runs the scenes; one stage serves all."""

    def __init__(self) -> None:
        self.board = standard_board()
        self._stage = SheetStage(CAMERA)
        self._finder = BoardFinder(self.board)
        self._scripts = {**self._board_scenes(), **self._sheet_scenes(), **self._staying_scenes()}
        self.names = tuple(self._scripts)

    def run(self) -> Iterator[Outcome]:
        """All scenes, one after another."""
        for name in self.names:
            yield self.play(name)

    def play(self, name: str) -> Outcome:
        """One scene."""
        return self._scripts[name](name)

    def _board_scenes(self) -> dict[str, _Play]:
        board, blank = partial(board_sheet, self.board), blank_sheet

        def on(*sheets: Sheet, light: Conditions = _CLEAR) -> _Play:
            return lambda scene: self._still_board(scene, sheets, light)

        return {
            "board: good light": on(board()),
            "board: half covered": on(board(), light=_covered(-0.2, -0.2, 0.2, 0.0)),
            "board: nearly all covered": on(board(), light=_covered(-0.2, -0.2, 0.2, 0.085)),
            "board: glare": on(board(), light=Conditions(glare=(0.04, 0.05, 0.05))),
            "board: all glare": on(board(), light=Conditions(glare=(0.0, 0.0, 0.4))),
            "board: low light": on(board(), light=_LOW),
            "board: dark": on(board(), light=_DARK),
            "board: upside down": on(board(turn=math.pi)),
            "board: a second one": on(board(centre=(-0.13, 0.0)), board(centre=(0.13, 0.0))),
            "board: blank paper beside it": on(board(), blank(centre=(0.28, 0.1))),
            "board: bent": on(board(bow_m=0.03)),
            "board: a little bent": on(board(bow_m=0.008)),
            "board: smeared": on(board(), light=Conditions(motion_px=(25.0, 10.0))),
            "board: none": on(),
        }

    def _sheet_scenes(self) -> dict[str, _Play]:
        paper = blank_sheet

        def on(*sheets: Sheet, light: Conditions = _CLEAR, turn: float = 0.0) -> _Play:
            return lambda scene: self._still_blank(scene, sheets, light, turn)

        return {
            "sheet: good light": on(paper()),
            "sheet: turned": on(paper(turn=0.35), turn=0.35),
            "sheet: on its side": on(paper(turn=math.pi / 2)),
            "sheet: a finger on its edge": on(paper(), light=_covered(0.09, -0.02, 0.15, 0.01)),
            "sheet: half covered": on(paper(), light=_covered(-0.2, -0.2, 0.2, 0.0)),
            "sheet: a third covered": on(paper(), light=_covered(-0.2, -0.2, 0.2, -0.05)),
            "sheet: glare": on(paper(), light=Conditions(glare=(0.06, 0.06, 0.04))),
            "sheet: all glare": on(paper(), light=Conditions(glare=(0.0, 0.0, 0.5))),
            "sheet: low light": on(paper(), light=_LOW),
            "sheet: dark": on(paper(), light=_DARK),
            "sheet: a second one": on(paper(centre=(-0.12, 0.0)), paper(centre=(0.12, 0.0))),
            "sheet: bent": on(paper(bow_m=0.03)),
            "sheet: none": on(),
        }

    def _staying_scenes(self) -> dict[str, _Play]:
        def over(
            script: Sequence[tuple[Pose, Conditions]],
            hand: range = range(0),
            pushed_at: int | None = None,
        ) -> _Play:
            return lambda scene: self._staying(scene, script, hand, pushed_at)

        calm = [(SEAT, _CLEAR)]
        return {
            "staying: still": over(calm * 6),
            "staying: bump": over(calm * 2 + [(BUMPED, _CLEAR)] * 7),
            "staying: bump while covered": over(calm * 2 + [(BUMPED, _UNDER_PALM)] * 8),
            "staying: hand over the board": over(
                calm * 2 + [(SEAT, _UNDER_PALM)] * 4 + calm, hand=range(2, 6)
            ),
            "staying: board pushed": over(calm * 6, pushed_at=2),
            "staying: board pushed, then a bump": over(calm * 5 + [(BUMPED, _CLEAR)] * 7, pushed_at=2),
            "staying: light out": over(calm * 2 + [(SEAT, _DARK)] * 3 + calm),
        }

    def _still_board(self, scene: str, sheets: Sequence[Sheet], light: Conditions) -> Outcome:
        return self._judged(scene, self._find_board(self._stage.render(SEAT, sheets, light)))

    def _still_blank(
        self, scene: str, sheets: Sequence[Sheet], light: Conditions, turn: float = 0.0
    ) -> Outcome:
        found = sheet_pose(CAMERA, self._stage.render(SEAT, sheets, light), ("a4", "letter"))
        return self._judged(scene, found if isinstance(found, Unseen) else found.pose, turn)

    def _judged(self, scene: str, found: PlanePose | Unseen, turn: float = 0.0) -> Outcome:
        if isinstance(found, Unseen):
            return Outcome(scene, found, math.nan, math.nan)
        # The table frame follows the sheet's edges: a sheet turned by so much turns it likewise.
        half = turn / 2.0
        turned = Pose((0.0, 0.0, 0.0), (0.0, 0.0, math.sin(half), math.cos(half)))
        true = pose_compose(pose_inverse(turned), SEAT)
        return Outcome(scene, None, *pose_error(table_from_sheet(found.camera_from_sheet), true))

    def _find_board(self, image: Image) -> PlanePose | Unseen:
        return self._finder.pose(CAMERA, image)

    def _staying(
        self,
        scene: str,
        script: Sequence[tuple[Pose, Conditions]],
        hand: range,
        pushed_at: int | None,
    ) -> Outcome:
        """One frame for each line of the script: where the camera is, and the conditions."""

        def laid(index: int) -> Sheet:
            if pushed_at is not None and index >= pushed_at:
                return board_sheet(self.board, centre=(0.03, 0.02), turn=0.1)
            return board_sheet(self.board)

        first = self._stage.render(SEAT, [laid(0)])
        start = self._find_board(first)
        assert not isinstance(start, Unseen)
        paper = laid(0)
        watch = StayingThere(
            CAMERA,
            self._find_board,
            table_from_sheet(start.camera_from_sheet),
            first,
            (paper.width_m, paper.height_m),
        )
        sights, shifts = [], []
        for index, (camera, light) in enumerate(script):
            image = self._stage.render(camera, [laid(index)], light)
            sight = watch.see(Frame(index, index / RATE_HZ, image), [PALM_PX] if index in hand else [])
            sights.append(sight)
            shifts.append(_drawn_apart(sight.table_from_camera, camera))
        error = pose_error(sights[-1].table_from_camera, script[-1][0])
        return Outcome(scene, sights[-1].unseen, *error, tuple(sights), tuple(shifts))


def _covered(left: float, near: float, right: float, far: float) -> Conditions:
    return Conditions(covers=((left, near, right, far),))


def _drawn_apart(found: Pose, true: Pose) -> float:
    """How far the drawing is off at the play area's corners (root mean square, pixels)."""
    probes = [(x, y, z) for x in (-0.15, 0.15) for y in (-0.15, 0.15) for z in (0.0, 0.1)]
    apart = project_table_points(CAMERA, found, probes) - project_table_points(CAMERA, true, probes)
    return float(np.sqrt(np.mean(np.sum(apart**2, axis=1))))
