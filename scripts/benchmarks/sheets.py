"""Camera pictures of a table with sheets on it, of exactly known camera and pose.

Rays through a distorting lens meet a table with wood-like texture and sheets that may be bent; then come
light, glare, blur and noise.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import cv2
import numpy as np
import numpy.typing as npt

from armoon.camera.board import Board, board_picture, standard_board
from armoon.camera.board_finder import BoardFinder
from armoon.camera.capture import Orientation
from armoon.camera.four_points import Fault, PointedTable, pointed_table
from armoon.camera.plane_pose import (
    PlanePose,
    Unseen,
    normalised,
    project_sheet,
    sheet_places,
    table_from_sheet,
)
from armoon.camera.profiles import table_seat
from armoon.camera.sheet import sheet_pose
from armoon.camera.sources import Frame, Image
from armoon.camera.table_keeper import Source, TableKeeper, TableState
from armoon.camera.table_tracker import StayingThere, TableSight, drawn_shift_px
from armoon.errors import DisplayError
from armoon.geometry import (
    Array,
    CameraModel,
    mat_from_pose,
    pose_compose,
    pose_inverse,
    pose_looking_at,
    project_table_points,
    quat_angle,
    quat_from_axis_angle,
)
from armoon.printing.page import PAPERS
from armoon.values.pieces import Box, Ladder, LadderSet
from armoon.values.poses import IDENTITY_QUAT, Pose
from armoon.values.scene import Scene, SceneHud

#: Rays per pixel and direction.
FINE = 3
#: The table's texture: pixels per metre and half its side.
_TABLE_PER_M, _TABLE_HALF_M = 900, 1.1
_PAPER_LEVEL, _INK_LEVEL = 225, 30
_SQUARE_PX = 84


@dataclass(frozen=True, eq=False)
class Sheet:
    """Paper on the table: its picture and its place."""

    picture: Image
    """Grey (h, w)."""
    width_m: float
    height_m: float
    centre: tuple[float, float] = (0.0, 0.0)
    turn: float = 0.0
    """Radians about z; at 0 the top of the page points away (y)."""
    bow_m: float = 0.0
    """How high the middle of a bent sheet stands above its two bent edges."""


@dataclass(frozen=True)
class Conditions:
    """What light, lens and sensor do to the picture."""

    gain: float = 1.0
    blur_px: float = 0.5
    noise: float = 2.0
    motion_px: tuple[float, float] = (0.0, 0.0)
    glare: tuple[float, float, float] | None = None
    """Middle (x, y) on the table in metres and radius of a burnt-out spot."""
    covers: tuple[tuple[float, float, float, float], ...] = field(default=())
    """Things on the table: (left, near, right, far) in metres, drawn flat in skin colour."""


def board_sheet(board: Board, margin_m: float = 0.012, **place: object) -> Sheet:
    """Return a board on white paper with a margin."""
    margin = round(margin_m / board.square_m * _SQUARE_PX)
    ink = board_picture(board, _SQUARE_PX)
    paper = cv2.copyMakeBorder(ink, margin, margin, margin, margin, cv2.BORDER_CONSTANT, value=(255,))
    grey = _INK_LEVEL + paper.astype(np.float32) * ((_PAPER_LEVEL - _INK_LEVEL) / 255.0)
    size = 2.0 * margin * board.square_m / _SQUARE_PX
    return Sheet(grey.astype(np.uint8), board.width_m + size, board.height_m + size, **place)  # type: ignore[arg-type]


def blank_sheet(paper: str = "a4", **place: object) -> Sheet:
    """Blank white paper."""
    width, height = PAPERS[paper]
    return Sheet(np.full((64, 64), _PAPER_LEVEL, np.uint8), width, height, **place)  # type: ignore[arg-type]


class SheetStage:
    """Renders pictures of one camera."""

    def __init__(self, camera: CameraModel, seed: int = 1) -> None:
        self.camera = camera
        self._random = np.random.default_rng(seed)
        # Fine ray k of pixel u starts at u - 1/2 + (k + 1/2) / FINE: a pixel's middle is a whole number.
        us = (np.arange(camera.width * FINE) + 0.5) / FINE - 0.5
        vs = (np.arange(camera.height * FINE) + 0.5) / FINE - 0.5
        u, v = np.meshgrid(us, vs)
        flat = normalised(camera, np.column_stack([u.ravel(), v.ravel()]))
        self._rays = np.column_stack([flat, np.ones(len(flat))]).astype(np.float32)
        self._table = _wood(np.random.default_rng(11))

    def render(
        self, table_from_camera: Pose, sheets: Sequence[Sheet], conditions: Conditions | None = None
    ) -> Image:
        """BGR (h, w, 3)."""
        light = conditions or Conditions()
        matrix = mat_from_pose(table_from_camera).astype(np.float32)
        rays = self._rays @ matrix[:3, :3].T
        origin = matrix[:3, 3]
        down = np.where(rays[:, 2] < -1e-4, -origin[2] / np.minimum(rays[:, 2], -1e-4), np.float32(50.0))
        ground = origin[:2] + rays[:, :2] * down[:, np.newaxis]
        shape = (self.camera.height * FINE, self.camera.width * FINE)
        grey = _sample(
            self._table, (ground + _TABLE_HALF_M) * _TABLE_PER_M - 0.5, shape, cv2.BORDER_REFLECT_101
        )
        grey[(rays[:, 2] >= -1e-4).reshape(shape)] = 150.0
        for sheet in sheets:
            _lay(grey, sheet, origin, rays, down, shape)
        for left, near, right, far in light.covers:
            inside = (
                (ground[:, 0] > left) & (ground[:, 0] < right) & (ground[:, 1] > near) & (ground[:, 1] < far)
            )
            grey[inside.reshape(shape)] = 128.0
        if light.glare is not None:
            x, y, radius = light.glare
            away = np.hypot(ground[:, 0] - x, ground[:, 1] - y) / radius
            grey += (400.0 * np.exp(-(away**4))).reshape(shape).astype(np.float32)
        return self._record(np.minimum(grey, 400.0), light)

    def _record(self, fine: npt.NDArray[np.float32], light: Conditions) -> Image:
        size = (self.camera.width, self.camera.height)
        picture = cv2.resize(fine, size, interpolation=cv2.INTER_AREA)
        if light.blur_px > 0.0:
            picture = cv2.GaussianBlur(picture, (0, 0), light.blur_px)
        if any(light.motion_px):
            picture = cv2.filter2D(picture, -1, _streak(*light.motion_px))
        colour = np.stack([picture * tint for tint in (0.92, 0.98, 1.0)], axis=-1) * light.gain
        # Photons: noise grows with the root of the light; the rest is the sensor's own.
        colour += self._random.standard_normal(colour.shape, dtype=np.float32) * light.noise
        return np.asarray(np.clip(np.round(colour), 0, 255), dtype=np.uint8)


def _lay(
    grey: npt.NDArray[np.float32],
    sheet: Sheet,
    origin: npt.NDArray[np.float32],
    rays: npt.NDArray[np.float32],
    down: npt.NDArray[np.float32],
    shape: tuple[int, int],
) -> None:
    cosine, sine = np.cos(sheet.turn), np.sin(sheet.turn)
    reach = down
    for _ in range(8 if sheet.bow_m else 1):
        ground = origin[:2] + rays[:, :2] * reach[:, np.newaxis] - np.asarray(sheet.centre, np.float32)
        across = ground[:, 0] * cosine + ground[:, 1] * sine
        along = -ground[:, 0] * sine + ground[:, 1] * cosine
        if sheet.bow_m:
            height = sheet.bow_m * np.clip(1.0 - (2.0 * along / sheet.height_m) ** 2, 0.0, 1.0)
            reach = down * (1.0 - height / origin[2])
    inside = (np.abs(across) < sheet.width_m / 2.0) & (np.abs(along) < sheet.height_m / 2.0)
    rows, columns = sheet.picture.shape
    places = np.column_stack(
        [(across / sheet.width_m + 0.5) * columns - 0.5, (0.5 - along / sheet.height_m) * rows - 0.5]
    )
    drawn = _sample(sheet.picture, places, shape, cv2.BORDER_REPLICATE)
    mask = inside.reshape(shape)
    grey[mask] = drawn[mask]


def _sample(
    picture: Image, places: Array | npt.NDArray[np.float32], shape: tuple[int, int], border: int
) -> npt.NDArray[np.float32]:
    x, y = places.astype(np.float32).T.reshape(2, *shape)
    return np.asarray(cv2.remap(picture.astype(np.float32), x, y, cv2.INTER_LINEAR, borderMode=border))


def _streak(dx: float, dy: float) -> Array:
    size = 2 * int(np.ceil(max(abs(dx), abs(dy)) / 2.0)) + 3
    kernel = np.zeros((size, size))
    for t in np.linspace(-0.5, 0.5, 4 * size):
        kernel[round(size // 2 + t * dy), round(size // 2 + t * dx)] += 1.0
    return np.asarray(kernel / kernel.sum())


def _wood(random: np.random.Generator) -> Image:
    """Brown-grey with grain along x, and knots for the eye to hold on to."""
    side = round(2 * _TABLE_HALF_M * _TABLE_PER_M)
    grain = cv2.GaussianBlur(random.standard_normal((side, side // 8)).astype(np.float32), (0, 0), 1.5)
    stretched = cv2.resize(grain, (side, side), interpolation=cv2.INTER_LINEAR)
    wood = 105.0 + 60.0 * stretched
    for _ in range(260):
        x, y = (int(v) for v in random.integers(0, side, 2))
        radius = int(random.integers(3, 10))
        cv2.ellipse(wood, (x, y), (2 * radius, radius), 0.0, 0.0, 360.0, (float(random.uniform(50, 90)),), -1)
    return np.clip(cv2.GaussianBlur(wood, (0, 0), 1.0), 0, 255).astype(np.uint8)


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


KEEPER_RATE_HZ = 15.0
#: Time after which the keeper is settled, as at a game's first roll.
SETTLE_S = 1.2
_NOISE = 2.0
_NOISELESS = Conditions(noise=0.0)
_UNDER_NOISELESS_PALM = Conditions(noise=0.0, covers=(PALM,))
_HALF = Conditions(noise=0.0, covers=((-0.2, -0.2, 0.2, 0.0),))
_NOISELESS_DARK = Conditions(gain=0.03, noise=0.0)
_BLACK = Conditions(gain=0.0, noise=0.0)
#: Four marks on the table that a player points at, and their near side.
MARKS_M = (0.30, 0.20)


@dataclass(frozen=True, eq=False)
class Shot:
    """A while in which nothing changes."""

    seconds: float
    sheets: tuple[Sheet, ...] = ()
    light: Conditions = _NOISELESS
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
            "board, glare on it": (Shot(2.0, here, replace(_NOISELESS, glare=(0.04, 0.05, 0.05))),),
            "board, low light": (Shot(2.0, here, replace(_NOISELESS, gain=0.25)),),
            "board, second one": (Shot(2.0, two),),
            "board, bent": (Shot(2.0, (board(bow_m=0.03),)),),
            "board, all glare": (Shot(2.0, here, replace(_NOISELESS, glare=(0.0, 0.0, 0.4))),),
            "board, dark": (Shot(2.0, here, _NOISELESS_DARK),),
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
            "bump while covered": (found, Shot(2.0, here, _UNDER_NOISELESS_PALM, BUMPED)),
            "bump of the sheet": (paper_found, Shot(2.0, paper, camera=BUMPED)),
            "bump of pointed corners": (Shot(1.5), Shot(2.0, camera=BUMPED)),
            "bump of a bare table": (Shot(1.5), Shot(2.0, camera=BUMPED)),
            "hand over the board": (
                found,
                Shot(1.5, here, _UNDER_NOISELESS_PALM, hand=True),
                Shot(1.0, here),
            ),
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
            for _ in range(round(shot.seconds * KEEPER_RATE_HZ)):
                index = len(moments)
                noise = random.standard_normal(clean.shape, dtype=np.float32) * _NOISE
                image = np.asarray(np.clip(np.round(clean + noise), 0, 255), dtype=np.uint8)
                if not keeper.state.settled and index >= settle_s * KEEPER_RATE_HZ:
                    keeper.settle()
                state = keeper.see(
                    Frame(index, index / KEEPER_RATE_HZ, image), [PALM_PX] if shot.hand else []
                )
                off_px = drawn_shift_px(CAMERA, state.table_from_camera, shot.camera)
                moments.append(Moment(index / KEEPER_RATE_HZ, state, off_px))
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


DISTANCE_M = 0.60
UPRIGHT = Orientation()
#: Cameras on their side, on their head, and mirrored ones.
TURNED = (Orientation(1), Orientation(2), Orientation(3), Orientation(0, True), Orientation(1, True))


def seats_before(count: int) -> list[Pose]:
    """Cameras 0.6 m before the sheet, 30 to 65 degrees above the table."""
    random = np.random.default_rng(9)
    seats = []
    for around, above in zip(
        random.uniform(-0.6, 0.6, count), np.radians(np.linspace(30.0, 65.0, count)), strict=True
    ):
        eye = np.array(
            [math.sin(around) * math.cos(above), -math.cos(around) * math.cos(above), math.sin(above)]
        )
        seats.append(pose_looking_at(DISTANCE_M * eye, (0.0, 0.0, 0.0)))
    return seats


def registration_px(
    stage: SheetStage, finder: BoardFinder, found: CameraModel, orientation: Orientation = UPRIGHT
) -> float | None:
    """How far the board's corners in the drawn (undistorted) picture are from where points are drawn.

    The whole way: calibrated camera, picture turned upright, found table, feed undistorted by the renderer; the
    largest root mean square of three seats. ``orientation``: how the stage's camera hangs; ``found`` is its
    model as it sends its pictures, but for mirroring. None without OpenGL.
    """
    # A real camera's picture that a driver mirrors: its model is the mirrored one.
    sent = Orientation(0, orientation.mirrored).upright_camera(found)
    camera = orientation.upright_camera(sent)
    rolled = Pose((0.0, 0.0, 0.0), quat_from_axis_angle((0, 0, 1), orientation.quarter_turns * math.pi / 2.0))
    errors = []
    for seat in seats_before(3):
        image = stage.render(pose_compose(seat, rolled), [board_sheet(finder.board)])
        image = orientation.upright(np.ascontiguousarray(image[:, ::-1]) if orientation.mirrored else image)
        pose = finder.pose(camera, image)
        if isinstance(pose, Unseen):
            return None
        table_from_camera = table_from_sheet(pose.camera_from_sheet)
        drawn = _drawn(camera, table_from_camera, image)
        if drawn is None:
            return None
        sight = finder.find(drawn)
        if isinstance(sight, Unseen):
            return None
        # The stage's board lies with the top of its page away: its places are the table's.
        places = np.column_stack([sight.places, np.zeros(len(sight.places))])
        expected = project_table_points(camera, table_from_camera, places)
        errors.append(float(np.sqrt(np.mean(np.sum((sight.pixels - expected) ** 2, axis=1)))))
    return max(errors)


def registration_px_turned(
    stage: SheetStage, finder: BoardFinder, found: CameraModel, turned: Sequence[Orientation] = TURNED
) -> float | None:
    """Return the same for cameras that hang otherwise: the worst of them."""
    errors = [registration_px(stage, finder, found, orientation) for orientation in turned]
    return max((error for error in errors if error is not None), default=None) if all(errors) else None


def _drawn(camera: CameraModel, table_from_camera: Pose, image: Image) -> Image | None:
    """Return the picture as the game draws it, with nothing but the feed in view."""
    from armoon.gl import HeadlessSurface

    try:
        surface = HeadlessSurface(camera.width, camera.height)
    except DisplayError:
        return None
    from armoon.view.scene.light import LAMP
    from armoon.view.scene.renderer import Renderer

    # The renderer wants a ladder: it stands behind the camera.
    box = Box((0.0, -5.0, 0.01), IDENTITY_QUAT, (0.01, 0.01, 0.01), "base")
    stick = Ladder("L01", True, (box,), 0.003, (1e-6, 1e-6, 1e-6), 0.1, 1.0)
    away = Pose((0.0, -5.0, 0.0))
    try:
        renderer = Renderer(
            LadderSet(0, (stick,)),
            None,
            camera,
            table_from_camera,
            False,
            camera.width,
            camera.height,
            lid=away,
            light=replace(LAMP, evening=0.0),
        )
        hud = SceneHud()
        renderer.draw(Scene(0, (), (), hud), image)
        return surface.read_bgr()
    finally:
        surface.close()
