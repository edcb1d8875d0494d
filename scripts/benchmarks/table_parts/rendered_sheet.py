"""Camera pictures of a table with sheets on it, of exactly known camera and pose.

Rays through a distorting lens meet a table with wood-like texture and sheets that may be bent; then come
light, glare, blur and noise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
import numpy.typing as npt

from armoon.camera.calibration.board.board import Board, board_picture
from armoon.camera.calibration.plane_pose import normalised
from armoon.camera.frame import Image
from armoon.geometry import Array, CameraModel, mat_from_pose
from armoon.printing.page import PAPERS
from armoon.values.poses import Pose

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
