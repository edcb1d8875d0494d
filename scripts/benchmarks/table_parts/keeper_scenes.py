"""Scripted scenes played through the table's keeper: what it says, frame by frame, and how far it is off."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from armoon.camera.calibration.board.board import standard_board
from armoon.camera.calibration.board.finder import BoardFinder
from armoon.camera.calibration.keeper.staying import drawn_shift_px
from armoon.camera.calibration.keeper.table_keeper import Source, TableKeeper, TableState
from armoon.camera.calibration.plane_pose import project_sheet, sheet_places
from armoon.camera.calibration.sheet.four_points import Fault, PointedTable, pointed_table
from armoon.camera.frame import Frame, Image
from armoon.camera.seat import table_seat
from armoon.geometry import pose_inverse
from armoon.values.poses import Pose
from benchmarks.table_parts.rendered_sheet import Conditions, Sheet, SheetStage, blank_sheet, board_sheet
from benchmarks.table_parts.table_scenes import BUMPED, CAMERA, PALM, PALM_PX, SEAT

RATE_HZ = 15.0
#: Time after which the keeper is settled, as at a game's first roll.
SETTLE_S = 1.2
_NOISE = 2.0
_CLEAR = Conditions(noise=0.0)
_UNDER_PALM = Conditions(noise=0.0, covers=(PALM,))
_HALF = Conditions(noise=0.0, covers=((-0.2, -0.2, 0.2, 0.0),))
_DARK = Conditions(gain=0.03, noise=0.0)
_BLACK = Conditions(gain=0.0, noise=0.0)
#: Four marks on the table that a player points at, and their near side.
MARKS_M = (0.30, 0.20)


@dataclass(frozen=True, eq=False)
class Shot:
    """A while in which nothing changes."""

    seconds: float
    sheets: tuple[Sheet, ...] = ()
    light: Conditions = _CLEAR
    camera: Pose = SEAT
    hand: bool = False
    """Whether a hand is seen where the palm covers the board."""


@dataclass(frozen=True)
class Moment:
    """One frame: what the keeper says and how far its drawing would be off."""

    time_s: float
    state: TableState
    off_px: float
    """Pixels at 1280 width, against the true table; NaN without one."""


class KeeperScenes:
    """Renders and plays the scenes; one stage serves all."""

    def __init__(self) -> None:
        board = partial(board_sheet, standard_board())
        self._stage = SheetStage(CAMERA)
        self._finder = BoardFinder(standard_board())
        self._pictures: dict[tuple[object, ...], Image] = {}
        here, paper = (board(),), (blank_sheet(),)
        pushed = (board(centre=(0.03, 0.02), turn=0.1),)
        two = (board(centre=(-0.13, 0.0)), board(centre=(0.13, 0.0)))
        found, paper_found = Shot(SETTLE_S + 0.3, here), Shot(SETTLE_S + 0.3, paper)
        self.scripts: dict[str, tuple[Shot, ...]] = {
            "board": (Shot(3.0, here),),
            "board, half covered": (Shot(2.0, here, _HALF),),
            "board, upside down": (Shot(2.0, (board(turn=math.pi),)),),
            "board, glare on it": (Shot(2.0, here, replace(_CLEAR, glare=(0.04, 0.05, 0.05))),),
            "board, low light": (Shot(2.0, here, replace(_CLEAR, gain=0.25)),),
            "board, second one": (Shot(2.0, two),),
            "board, bent": (Shot(2.0, (board(bow_m=0.03),)),),
            "board, all glare": (Shot(2.0, here, replace(_CLEAR, glare=(0.0, 0.0, 0.4))),),
            "board, dark": (Shot(2.0, here, _DARK),),
            "sheet": (Shot(2.0, paper),),
            "sheet, half covered": (Shot(2.0, paper, _HALF),),
            "sheet, second one": (
                Shot(2.0, (blank_sheet(centre=(-0.12, 0.0)), blank_sheet(centre=(0.12, 0.0)))),
            ),
            "sheet, bent": (Shot(2.0, (blank_sheet(bow_m=0.03),)),),
            "nothing": (Shot(2.0),),
            "searching: sheet, then a board": (Shot(1.5, paper), Shot(2.0, here)),
            "sheet taken away": (paper_found, Shot(1.5)),
            "board in the sheet's place": (paper_found, Shot(1.5, here)),
            "bump": (found, Shot(2.0, here, camera=BUMPED)),
            "bump while covered": (found, Shot(2.0, here, _UNDER_PALM, BUMPED)),
            "bump of the sheet": (paper_found, Shot(2.0, paper, camera=BUMPED)),
            "bump of pointed corners": (Shot(1.5), Shot(2.0, camera=BUMPED)),
            "bump of a bare table": (Shot(1.5), Shot(2.0, camera=BUMPED)),
            "hand over the board": (found, Shot(1.5, here, _UNDER_PALM, hand=True), Shot(1.0, here)),
            "second board later": (found, Shot(1.5, (*here, board(centre=(0.25, 0.05))))),
            "board pushed": (found, Shot(2.0, pushed)),
            "board taken away": (found, Shot(1.5)),
            "light out": (found, Shot(1.5, here, _BLACK), Shot(1.0, here)),
        }

    def play(self, name: str) -> list[Moment]:
        """One scene, frame by frame."""
        seat = table_seat(CAMERA.width, CAMERA.height)
        pointed = _pointed() if "pointed" in name else None
        keeper = TableKeeper(CAMERA, seat.table_from_camera, self._finder, calibrated=True, pointed=pointed)
        settle_s = math.inf if name.startswith("searching") else SETTLE_S
        return self._moments(keeper, self.scripts[name], settle_s)

    def _moments(self, keeper: TableKeeper, script: Sequence[Shot], settle_s: float) -> list[Moment]:
        moments: list[Moment] = []
        random = np.random.default_rng(7)
        for shot in script:
            clean = self._picture(shot).astype(np.float32)
            for _ in range(round(shot.seconds * RATE_HZ)):
                index = len(moments)
                noise = random.standard_normal(clean.shape, dtype=np.float32) * _NOISE
                image = np.asarray(np.clip(np.round(clean + noise), 0, 255), dtype=np.uint8)
                if not keeper.state.settled and index >= settle_s * RATE_HZ:
                    keeper.settle()
                state = keeper.see(Frame(index, index / RATE_HZ, image), [PALM_PX] if shot.hand else [])
                off_px = drawn_shift_px(CAMERA, state.table_from_camera, shot.camera)
                moments.append(Moment(index / RATE_HZ, state, off_px))
        return moments

    def _picture(self, shot: Shot) -> Image:
        key = (shot.sheets, shot.light, shot.camera)
        if key not in self._pictures:
            self._pictures[key] = self._stage.render(shot.camera, shot.sheets, shot.light)
        return self._pictures[key]


def outcome_text(moments: Sequence[Moment]) -> str:
    """Return a scene's course in one line: its hints in their order, and how it ended."""
    hints: list[str] = []
    for moment in moments:
        if not hints or hints[-1] != moment.state.hint_key:
            hints.append(moment.state.hint_key)
    last = moments[-1]
    course = " → ".join(hint.removeprefix("table.") for hint in hints)
    judged = "" if last.state.may_judge else ", judging paused"
    if last.state.source is Source.SEAT:
        return f"{course}; a virtual table at the end{judged}"
    return f"{course}; off by {last.off_px:.1f} px at the end{judged}"


def _pointed() -> PointedTable:
    """Return the marks as a careful player clicks them: a pixel beside."""
    beside = np.array([(0.6, -0.5), (-0.7, 0.4), (0.3, 0.8), (-0.5, -0.4)])
    pixels = project_sheet(CAMERA, pose_inverse(SEAT), sheet_places(*MARKS_M)) + beside
    table = pointed_table(CAMERA, tuple((float(x), float(y)) for x, y in pixels), MARKS_M[0])
    assert not isinstance(table, Fault), table
    return table
