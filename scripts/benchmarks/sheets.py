"""Renders pictures of a table with sheets on it, for an exactly known camera and poses.

Rays through a distorting lens meet a table with wood-like texture and possibly bent sheets; light, glare, blur and
noise are applied afterwards.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import cv2
import numpy as np
import numpy.typing as npt

from armoon.camera.board import Board, draw_board, load_board
from armoon.camera.board_finder import BoardFinder
from armoon.camera.capture import Orientation
from armoon.camera.four_points import CornerFault, FourPointTable, solve_table
from armoon.camera.plane_pose import (
    PlaneFault,
    PlanePose,
    list_sheet_corners,
    normalise_pixels,
    project_sheet,
    table_from_sheet,
)
from armoon.camera.profiles import make_table_seat
from armoon.camera.sheet import locate_sheet
from armoon.camera.sources import Frame, Image
from armoon.camera.table_locator import TableLocator, TableSource, TableState
from armoon.camera.table_tracker import measure_shift_px
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
from armoon.printing import PAPERS
from armoon.values.pieces import Box, Ladder, LadderSet
from armoon.values.poses import IDENTITY_QUAT, Pose
from armoon.values.scene import Scene, SceneHud

#: Rays per pixel in each direction.
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
    """Rotation about z, radians; at 0 the top of the page points away (y)."""
    bow_m: float = 0.0
    """Height of a bent sheet's middle above its edges."""


@dataclass(frozen=True)
class Conditions:
    """Effects of light, lens and sensor."""

    gain: float = 1.0
    blur_px: float = 0.5
    noise: float = 2.0
    motion_px: tuple[float, float] = (0.0, 0.0)
    glare: tuple[float, float, float] | None = None
    """Middle (x, y) on the table in metres and radius of an overexposed spot."""
    covers: tuple[tuple[float, float, float, float], ...] = field(default=())
    """Objects on the table: (left, near, right, far) in metres, drawn flat in skin colour."""


def make_board_sheet(board: Board, margin_m: float = 0.012, **place: object) -> Sheet:
    margin = round(margin_m / board.square_m * _SQUARE_PX)
    ink = draw_board(board, _SQUARE_PX)
    paper = cv2.copyMakeBorder(ink, margin, margin, margin, margin, cv2.BORDER_CONSTANT, value=(255,))
    grey = _INK_LEVEL + paper.astype(np.float32) * ((_PAPER_LEVEL - _INK_LEVEL) / 255.0)
    size = 2.0 * margin * board.square_m / _SQUARE_PX
    return Sheet(grey.astype(np.uint8), board.width_m + size, board.height_m + size, **place)  # type: ignore[arg-type]


def make_blank_sheet(paper: str = "a4", **place: object) -> Sheet:
    width, height = PAPERS[paper]
    return Sheet(np.full((64, 64), _PAPER_LEVEL, np.uint8), width, height, **place)  # type: ignore[arg-type]


class SheetStage:
    """Renders pictures of one camera."""

    def __init__(self, camera: CameraModel, seed: int = 1) -> None:
        self.camera = camera
        self._random = np.random.default_rng(seed)
        # Fine ray k of pixel u is at u - 1/2 + (k + 1/2) / FINE, because pixel centres are whole numbers.
        us = (np.arange(camera.width * FINE) + 0.5) / FINE - 0.5
        vs = (np.arange(camera.height * FINE) + 0.5) / FINE - 0.5
        u, v = np.meshgrid(us, vs)
        flat = normalise_pixels(camera, np.column_stack([u.ravel(), v.ravel()]))
        self._rays = np.column_stack([flat, np.ones(len(flat))]).astype(np.float32)
        self._table = _make_wood(np.random.default_rng(11))

    def render(
        self, table_from_camera: Pose, sheets: Sequence[Sheet], conditions: Conditions | None = None
    ) -> Image:
        """Return the picture, BGR (h, w, 3)."""
        light = conditions or Conditions()
        matrix = mat_from_pose(table_from_camera).astype(np.float32)
        rays = self._rays @ matrix[:3, :3].T
        origin = matrix[:3, 3]
        down = np.where(rays[:, 2] < -1e-4, -origin[2] / np.minimum(rays[:, 2], -1e-4), np.float32(50.0))
        ground = origin[:2] + rays[:, :2] * down[:, np.newaxis]
        shape = (self.camera.height * FINE, self.camera.width * FINE)
        grey = _remap(
            self._table, (ground + _TABLE_HALF_M) * _TABLE_PER_M - 0.5, shape, cv2.BORDER_REFLECT_101
        )
        grey[(rays[:, 2] >= -1e-4).reshape(shape)] = 150.0
        for sheet in sheets:
            _draw_sheet(grey, sheet, origin, rays, down, shape)
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
            picture = cv2.filter2D(picture, -1, _make_streak(*light.motion_px))
        colour = np.stack([picture * tint for tint in (0.92, 0.98, 1.0)], axis=-1) * light.gain
        # The sensor's noise doesn't depend on the brightness.
        colour += self._random.standard_normal(colour.shape, dtype=np.float32) * light.noise
        return np.asarray(np.clip(np.round(colour), 0, 255), dtype=np.uint8)


def _draw_sheet(
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
    drawn = _remap(sheet.picture, places, shape, cv2.BORDER_REPLICATE)
    mask = inside.reshape(shape)
    grey[mask] = drawn[mask]


def _remap(
    picture: Image, places: Array | npt.NDArray[np.float32], shape: tuple[int, int], border: int
) -> npt.NDArray[np.float32]:
    x, y = places.astype(np.float32).T.reshape(2, *shape)
    return np.asarray(cv2.remap(picture.astype(np.float32), x, y, cv2.INTER_LINEAR, borderMode=border))


def _make_streak(dx: float, dy: float) -> Array:
    size = 2 * int(np.ceil(max(abs(dx), abs(dy)) / 2.0)) + 3
    kernel = np.zeros((size, size))
    for t in np.linspace(-0.5, 0.5, 4 * size):
        kernel[round(size // 2 + t * dy), round(size // 2 + t * dx)] += 1.0
    return np.asarray(kernel / kernel.sum())


def _make_wood(random: np.random.Generator) -> Image:
    """Return brown-grey wood with grain along x, and knots as features."""
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
#: Area of the table that a palm covers (left, near, right, far), metres.
PALM = (-0.12, -0.14, 0.14, 0.12)
#: Outline of the palm in the picture, pixels.
PALM_PX = np.array([(150.0, 150.0), (330.0, 150.0), (330.0, 300.0), (150.0, 300.0)])


@dataclass(frozen=True)
class Outcome:
    scene: str
    unseen: PlaneFault | None
    error_mm: float = math.nan
    """Error of the table's origin, seen from the camera; NaN if nothing was found."""
    error_rad: float = math.nan

    def text(self) -> str:
        if self.unseen is not None:
            return str(self.unseen)
        return f"correct within {self.error_mm:.1f} mm, {math.degrees(self.error_rad):.2f} degrees"


def measure_pose_error(measured: Pose, true: Pose) -> tuple[float, float]:
    """Return the difference of two ``table_from_camera``: of the origin in the camera frame, mm, and in radians."""
    apart = np.subtract(pose_inverse(measured).position, pose_inverse(true).position)
    return 1000.0 * float(np.linalg.norm(apart)), quat_angle(measured.rotation, true.rotation)


class Scenes:
    """Single pictures of a board or a sheet, rendered by one stage."""

    def __init__(self) -> None:
        board, paper = partial(make_board_sheet, load_board()), make_blank_sheet
        clear, dark, low = Conditions(), Conditions(gain=0.03, noise=4.0), Conditions(gain=0.25, noise=4.0)
        self._stage = SheetStage(CAMERA)
        self._finder = BoardFinder(load_board())
        self.scenes: dict[str, tuple[tuple[Sheet, ...], Conditions]] = {
            "board: good light": ((board(),), clear),
            "board: half covered": ((board(),), _make_cover(-0.2, 0.2, 0.0)),
            "board: nearly all covered": ((board(),), _make_cover(-0.2, 0.2, 0.085)),
            "board: glare": ((board(),), Conditions(glare=(0.04, 0.05, 0.05))),
            "board: all glare": ((board(),), Conditions(glare=(0.0, 0.0, 0.4))),
            "board: low light": ((board(),), low),
            "board: dark": ((board(),), dark),
            "board: upside down": ((board(turn=math.pi),), clear),
            "board: a second one": ((board(centre=(-0.13, 0.0)), board(centre=(0.13, 0.0))), clear),
            "board: blank paper beside it": ((board(), paper(centre=(0.28, 0.1))), clear),
            "board: bent": ((board(bow_m=0.03),), clear),
            "board: a little bent": ((board(bow_m=0.008),), clear),
            "board: smeared": ((board(),), Conditions(motion_px=(25.0, 10.0))),
            "board: none": ((), clear),
            "sheet: good light": ((paper(),), clear),
            "sheet: turned": ((paper(turn=0.35),), clear),
            "sheet: on its side": ((paper(turn=math.pi / 2),), clear),
            "sheet: a finger on its edge": ((paper(),), Conditions(covers=((0.09, -0.02, 0.15, 0.01),))),
            "sheet: half covered": ((paper(),), _make_cover(-0.2, 0.2, 0.0)),
            "sheet: a third covered": ((paper(),), _make_cover(-0.2, 0.2, -0.05)),
            "sheet: glare": ((paper(),), Conditions(glare=(0.06, 0.06, 0.04))),
            "sheet: all glare": ((paper(),), Conditions(glare=(0.0, 0.0, 0.5))),
            "sheet: low light": ((paper(),), low),
            "sheet: dark": ((paper(),), dark),
            "sheet: a second one": ((paper(centre=(-0.12, 0.0)), paper(centre=(0.12, 0.0))), clear),
            "sheet: bent": ((paper(bow_m=0.03),), clear),
            "sheet: none": ((), clear),
        }

    def play(self, name: str) -> Outcome:
        sheets, light = self.scenes[name]
        image = self._stage.render(SEAT, sheets, light)
        pose: PlanePose | PlaneFault
        if name.startswith("board"):
            pose = self._finder.find_pose(CAMERA, image)
        else:
            sheet = locate_sheet(CAMERA, image, ("a4", "letter"))
            pose = sheet if isinstance(sheet, PlaneFault) else sheet.pose
        if isinstance(pose, PlaneFault):
            return Outcome(name, pose)
        # The table frame follows the nearest of the sheet's four orientations, so a rotated sheet rotates it.
        turn = sheets[0].turn if sheets[0].turn < math.pi / 4.0 else 0.0
        turned = Pose((0.0, 0.0, 0.0), quat_from_axis_angle((0.0, 0.0, 1.0), turn))
        true = pose_compose(pose_inverse(turned), SEAT)
        return Outcome(name, None, *measure_pose_error(table_from_sheet(pose.camera_from_sheet), true))


def _make_cover(left: float, right: float, far: float) -> Conditions:
    return Conditions(covers=((left, -0.2, right, far),))


LOCATOR_RATE_HZ = 15.0
#: Time after which the locator is settled, as at a game's first roll.
SETTLE_S = 1.2
_NOISE = 2.0
_NOISELESS = Conditions(noise=0.0)
_UNDER_NOISELESS_PALM = Conditions(noise=0.0, covers=(PALM,))
_HALF = Conditions(noise=0.0, covers=((-0.2, -0.2, 0.2, 0.0),))
_BLACK = Conditions(gain=0.0, noise=0.0)
#: Width and depth of the rectangle of four marks to which a player points, metres.
MARKS_M = (0.30, 0.20)


@dataclass(frozen=True, eq=False)
class Shot:
    """A period without changes."""

    seconds: float
    sheets: tuple[Sheet, ...] = ()
    light: Conditions = _NOISELESS
    camera: Pose = SEAT
    hand: bool = False
    """Whether a hand is tracked where the palm covers the board."""


@dataclass(frozen=True)
class Moment:
    """One frame: the locator's state, and the offset of drawings on the table."""

    time_s: float
    state: TableState
    off_px: float
    """Offset in pixels at 1280 width from the true table; NaN without one."""


class LocatorScenes:
    """Scenes over time for the table's locator, rendered by one stage."""

    def __init__(self) -> None:
        board = partial(make_board_sheet, load_board())
        self._stage = SheetStage(CAMERA)
        self._finder = BoardFinder(load_board())
        self._pictures: dict[tuple[object, ...], Image] = {}
        card_boards, paper = (board(),), (make_blank_sheet(),)
        pushed = (board(centre=(0.03, 0.02), turn=0.1),)
        two = (board(centre=(-0.13, 0.0)), board(centre=(0.13, 0.0)))
        charuco, paper_found = Shot(SETTLE_S + 0.3, card_boards), Shot(SETTLE_S + 0.3, paper)
        self.scripts: dict[str, tuple[Shot, ...]] = {
            "board": (Shot(3.0, card_boards),),
            "board, second one": (Shot(2.0, two),),
            "board, bent": (Shot(2.0, (board(bow_m=0.03),)),),
            "sheet": (Shot(2.0, paper),),
            "sheet, half covered": (Shot(2.0, paper, _HALF),),
            "searching: sheet, then a board": (Shot(1.5, paper), Shot(2.0, card_boards)),
            "sheet taken away": (paper_found, Shot(1.5)),
            "board in the sheet's place": (paper_found, Shot(1.5, card_boards)),
            "bump": (charuco, Shot(2.0, card_boards, camera=BUMPED)),
            "bump while covered": (charuco, Shot(2.0, card_boards, _UNDER_NOISELESS_PALM, BUMPED)),
            "bump of the sheet": (paper_found, Shot(2.0, paper, camera=BUMPED)),
            "bump of pointed corners": (Shot(1.5), Shot(2.0, camera=BUMPED)),
            "bump of a bare table": (Shot(1.5), Shot(2.0, camera=BUMPED)),
            "hand over the board": (
                charuco,
                Shot(1.5, card_boards, _UNDER_NOISELESS_PALM, hand=True),
                Shot(1.0, card_boards),
            ),
            "second board later": (charuco, Shot(1.5, (*card_boards, board(centre=(0.25, 0.05))))),
            "board pushed": (charuco, Shot(2.0, pushed)),
            "board taken away": (charuco, Shot(1.5)),
            "light out": (charuco, Shot(1.5, card_boards, _BLACK), Shot(1.0, card_boards)),
        }

    def play(self, name: str) -> list[Moment]:
        seat = make_table_seat(CAMERA.width, CAMERA.height)
        marks = _point_at_table() if "pointed" in name else None
        locator = TableLocator(CAMERA, seat.table_from_camera, self._finder, calibrated=True, points=marks)
        settle_s = math.inf if name.startswith("searching") else SETTLE_S
        moments: list[Moment] = []
        random = np.random.default_rng(7)
        for shot in self.scripts[name]:
            clean = self._picture(shot).astype(np.float32)
            for _ in range(round(shot.seconds * LOCATOR_RATE_HZ)):
                index, time_s = len(moments), len(moments) / LOCATOR_RATE_HZ
                noise = random.standard_normal(clean.shape, dtype=np.float32) * _NOISE
                image = np.asarray(np.clip(np.round(clean + noise), 0, 255), dtype=np.uint8)
                if not locator.state.is_settled and time_s >= settle_s:
                    locator.settle()
                state = locator.process_frame(Frame(index, time_s, image), [PALM_PX] if shot.hand else [])
                off_px = measure_shift_px(CAMERA, state.table_from_camera, shot.camera)
                moments.append(Moment(time_s, state, off_px))
        return moments

    def _picture(self, shot: Shot) -> Image:
        key = (shot.sheets, shot.light, shot.camera)
        if key not in self._pictures:
            self._pictures[key] = self._stage.render(shot.camera, shot.sheets, shot.light)
        return self._pictures[key]


def describe_outcome(moments: Sequence[Moment]) -> str:
    """Return one line with a scene's hints in order and its outcome."""
    hints: list[str] = []
    for moment in moments:
        if not hints or hints[-1] != moment.state.hint_key:
            hints.append(moment.state.hint_key)
    last = moments[-1]
    course = " → ".join(hint.removeprefix("table.") for hint in hints)
    judged = "" if last.state.can_judge else ", judging paused"
    if last.state.source is TableSource.SEAT:
        return f"{course}; a virtual table at the end{judged}"
    return f"{course}; off by {last.off_px:.1f} px at the end{judged}"


def _point_at_table() -> FourPointTable:
    beside = np.array([(0.6, -0.5), (-0.7, 0.4), (0.3, 0.8), (-0.5, -0.4)])
    pixels = project_sheet(CAMERA, pose_inverse(SEAT), list_sheet_corners(*MARKS_M)) + beside
    table = solve_table(CAMERA, tuple((float(x), float(y)) for x, y in pixels), MARKS_M[0])
    assert not isinstance(table, CornerFault), table
    return table


DISTANCE_M = 0.60
UPRIGHT = Orientation()
#: Orientations: cameras on their side, upside down, and mirrored.
TURNED = (Orientation(1), Orientation(2), Orientation(3), Orientation(0, True), Orientation(1, True))


def place_seats_before(count: int) -> list[Pose]:
    """Return cameras 0.6 m in front of the sheet, 30 to 65 degrees above the table."""
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


def measure_registration_px(
    stage: SheetStage, finder: BoardFinder, model: CameraModel, orientation: Orientation = UPRIGHT
) -> float | None:
    """Return the distance between the board's corners in the drawn picture and projected ones.

    None without OpenGL or if no board is found; else the largest root mean square of three seats. ``orientation``:
    of the stage's camera.
    """
    # If the driver mirrors the picture, the camera model is mirrored, too.
    orientation_sent = Orientation(0, orientation.mirrored).turn_camera_upright(model)
    camera = orientation.turn_camera_upright(orientation_sent)
    rolled = Pose((0.0, 0.0, 0.0), quat_from_axis_angle((0, 0, 1), orientation.quarter_turns * math.pi / 2.0))
    errors = []
    for seat in place_seats_before(3):
        image = stage.render(pose_compose(seat, rolled), [make_board_sheet(finder.board)])
        sent_image = np.ascontiguousarray(image[:, ::-1]) if orientation.mirrored else image
        image = orientation.turn_upright(sent_image)
        pose = finder.find_pose(camera, image)
        if isinstance(pose, PlaneFault):
            return None
        table_from_camera = table_from_sheet(pose.camera_from_sheet)
        drawn = _draw_game(camera, table_from_camera, image)
        if drawn is None:
            return None
        sight = finder.find_board(drawn)
        if isinstance(sight, PlaneFault):
            return None
        # The top of the stage's board points away, so its coordinates are the table's.
        places = np.column_stack([sight.places, np.zeros(len(sight.places))])
        expected = project_table_points(camera, table_from_camera, places)
        errors.append(float(np.sqrt(np.mean(np.sum((sight.pixels - expected) ** 2, axis=1)))))
    return max(errors)


def measure_turned_px(
    stage: SheetStage, finder: BoardFinder, model: CameraModel, turned: Sequence[Orientation] = TURNED
) -> float | None:
    """Return the largest ``measure_registration_px`` of cameras in other orientations; None if any of them is None."""
    errors = [measure_registration_px(stage, finder, model, orientation) for orientation in turned]
    return max((error for error in errors if error is not None), default=None) if all(errors) else None


def _draw_game(camera: CameraModel, table_from_camera: Pose, image: Image) -> Image | None:
    """Return a picture of the game that shows only the camera's picture; None without OpenGL."""
    from armoon.gl import HeadlessSurface

    try:
        surface = HeadlessSurface(camera.width, camera.height)
    except DisplayError:
        return None
    from armoon.view.scene.light import LAMP
    from armoon.view.scene.renderer import Renderer

    # The renderer needs a ladder; this one is behind the camera.
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
            light=replace(LAMP, grade=0.0),
        )
        hud = SceneHud()
        renderer.draw_scene(Scene(0, (), (), hud), image)
        return surface.read_bgr()
    finally:
        surface.close()
