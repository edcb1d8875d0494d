"""Renders a paper ladder in a hand as a webcam records it: textured, motion-blurred, noisy and compressed.

The hand is drawn in the card's plane: fingers around the handle, and a thumb on or beside the thumb's tag.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from armoon.camera.sources import Image
from armoon.geometry import Array, CameraModel, mat_from_quat
from armoon.values.paper import (
    DICTIONARY,
    DIE_TAGS,
    FAR_END_M,
    HANDLE_END_M,
    HANDLE_M,
    HEIGHT_M,
    LID_TAG,
    THUMB_X_M,
    PaperLadder,
    Tag,
)
from armoon.values.poses import Pose

#: The texture's resolution, pixels per metre.
PX_PER_M = 6000.0
#: The texture's left, right and upper edge in the card frame; the lower edge is symmetrical.
_LEFT_M, _RIGHT_M, _HIGH_M = -0.20, 0.07, 0.05
_INK, _PAPER, _SKIN, _NAIL = 38, 205, 128, 150
#: Amount by which the noise tile exceeds the picture, in pixels; each picture uses a random part of the tile.
_GRAIN_SPARE_PX = 97
#: Maximum distance between two positions blended while the shutter is open, pixels.
_STEP_PX = 1.2


@dataclass(frozen=True)
class Conditions:
    """Camera and light, whether a hand holds the card, and the scale of its print."""

    lens_sigma_px: float = 0.7
    noise: float = 3.0
    jpeg: int = 85
    light: float = 1.0
    hand: bool = True
    printed: float = 1.0
    """Scale of the printed page."""


#: The card's plane seen from one side: grey levels, and opacity (0 to 255).
Layer = tuple[Image, Image]
Floats = npt.NDArray[np.float32]


class CardStage:
    """Draws one ladder in front of a cluttered background; frames depend on the seed and the earlier frames."""

    def __init__(
        self, camera: CameraModel, ladder: PaperLadder, conditions: Conditions | None = None, seed: int = 1
    ) -> None:
        self.camera, self.ladder = camera, ladder
        self.conditions = conditions or Conditions()
        self._random = np.random.default_rng(seed)
        self._behind = draw_clutter(camera, self._random)
        grain = (camera.height + _GRAIN_SPARE_PX, camera.width + _GRAIN_SPARE_PX)
        self._grain = self._random.normal(0.0, 1.0, grain).astype(np.float32)

    def frame(
        self, poses: list[Pose] | Pose | None, thumb: float = 1.0, behind: Image | None = None
    ) -> Image:
        """Return a BGR picture (h, w, 3) of a card at ``poses`` (camera_from_card); several poses blur it.

        ``thumb``: 0 (lifted) to 1 (on its tag); ``behind``: background (h, w) instead of the clutter.
        """
        view: Floats = (self._behind if behind is None else behind).astype(np.float32)
        if poses is not None:
            self._draw(view, [poses] if isinstance(poses, Pose) else poses, thumb)
        if self.conditions.lens_sigma_px:
            view = np.asarray(cv2.GaussianBlur(view, (0, 0), self.conditions.lens_sigma_px), dtype=np.float32)
        view = view * self.conditions.light
        y, x = self._random.integers(0, _GRAIN_SPARE_PX, 2)
        view += self.conditions.noise * self._grain[y : y + len(view), x : x + view.shape[1]]
        grey = np.clip(view, 0, 255).astype(np.uint8)
        picture = cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR)
        if self.conditions.jpeg:
            _, packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, self.conditions.jpeg])
            picture = cv2.imdecode(packed, cv2.IMREAD_COLOR)
        return np.asarray(picture, dtype=np.uint8)

    def _draw(self, picture: Floats, poses: list[Pose], thumb: float) -> None:
        """Blend the card over the picture, averaged over the exposure."""
        outline = np.concatenate([_project(self.camera, pose, _CORNERS) for pose in poses])
        low = np.maximum(np.floor(outline.min(axis=0)).astype(int) - 3, 0)
        high = np.minimum(
            np.ceil(outline.max(axis=0)).astype(int) + 4, (self.camera.width, self.camera.height)
        )
        if (high <= low).any():
            return
        samples = 2
        box = (int(low[0]), int(low[1]), int(high[0]), int(high[1]))
        shape = (samples * (box[3] - box[1]), samples * (box[2] - box[0]))
        grey, solid = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
        for pose in poses:
            level, cover = self._card_in(pose, box, samples, thumb)
            cv2.accumulateProduct(level, cover, grey)
            cv2.accumulate(cover, solid)
        width, height = int(high[0] - low[0]), int(high[1] - low[1])
        size = (width, height)
        grey = np.asarray(cv2.resize(grey / (255.0 * len(poses)), size, interpolation=cv2.INTER_AREA))
        solid = np.asarray(cv2.resize(solid / (255.0 * len(poses)), size, interpolation=cv2.INTER_AREA))
        part = picture[low[1] : high[1], low[0] : high[0]]
        part[...] = part * (1.0 - solid) + grey

    def _card_in(self, pose: Pose, box: tuple[int, int, int, int], samples: int, thumb: float) -> Layer:
        turn = mat_from_quat(pose.rotation)
        plane = np.column_stack([turn[:, 0], turn[:, 1], pose.position])
        front = float(turn[:, 2] @ np.array(pose.position)) < 0.0
        distance_m = float(np.linalg.norm(pose.position))
        # Use twice the picture's resolution, because the texture mustn't be finer than its samples.
        step = min(6, max(1, int(PX_PER_M * distance_m / (self.camera.fx * 2.0))))
        grey, solid = draw_layer(self.ladder, front, round(thumb, 2), self.conditions.hand, step)
        per_m = PX_PER_M / step / self.conditions.printed
        texture_from_card = np.array(
            [
                [per_m, 0.0, -_LEFT_M * PX_PER_M / step - 0.5],
                [0.0, -per_m, _HIGH_M * PX_PER_M / step - 0.5],
                [0.0, 0.0, 1.0],
            ]
        )
        texture_from_ray = texture_from_card @ np.linalg.inv(plane)
        if not any(self.camera.distortion) and pose.position[2] > -2.0 * _LEFT_M:
            # The card is entirely in front of a lens without distortion, so the mapping is a homography.
            left, top = (edge - 0.5 + 0.5 / samples for edge in box[:2])
            pixel_from_sample = np.array(
                [[1.0 / samples, 0.0, left], [0.0, 1.0 / samples, top], [0.0, 0.0, 1.0]]
            )
            back = texture_from_ray @ np.linalg.inv(self.camera.matrix()) @ pixel_from_sample
            size = (samples * (box[2] - box[0]), samples * (box[3] - box[1]))
            flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
            level = cv2.warpPerspective(grey, back, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
            opaque = cv2.warpPerspective(solid, back, size, flags=flags, borderMode=cv2.BORDER_CONSTANT)
            return np.asarray(level, dtype=np.uint8), np.asarray(opaque, dtype=np.uint8)
        x, y, scale = np.tensordot(texture_from_ray, _make_rays(self.camera, box, samples), axes=1)
        covered = scale > 0.0
        scale = np.where(covered, scale, 1.0)
        columns, rows = (x / scale).astype(np.float32), (y / scale).astype(np.float32)
        level = cv2.remap(grey, columns, rows, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        opaque = cv2.remap(solid, columns, rows, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
        return np.asarray(level, dtype=np.uint8), np.where(covered, opaque, 0).astype(np.uint8)


_CORNERS = np.array([(x, y, 0.0) for x in (_LEFT_M, _RIGHT_M) for y in (-_HIGH_M, _HIGH_M)], dtype=np.float64)


@lru_cache(maxsize=256)
def draw_layer(ladder: PaperLadder, front: bool, thumb: float, hand: bool, step: int) -> Layer:
    """Return the card's plane from one side, ``step`` times (1 to 6) coarser than ``PX_PER_M``."""
    grey, solid = (np.array(part) for part in _draw_card(ladder, front))
    if hand and front:
        _draw_hand(grey, solid, thumb)
    elif hand:
        for k in range(3):
            left = HANDLE_END_M + 0.004 + 0.019 * k
            _fill(grey, solid, left, left + 0.017, -0.045, 0.012, _SKIN - 6 * k)
        _fill(grey, solid, HANDLE_END_M - 0.06, HANDLE_END_M, -0.045, 0.03, _SKIN)
    if step > 1:
        size = (grey.shape[1] // step, grey.shape[0] // step)
        grey, solid = (
            np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
            for part in (grey, solid)
        )
    return grey, solid


@cache
def _draw_card(ladder: PaperLadder, front: bool) -> Layer:
    shape = (round(2 * _HIGH_M * PX_PER_M), round((_RIGHT_M - _LEFT_M) * PX_PER_M))
    grey, solid = np.full(shape, _PAPER, np.uint8), np.zeros(shape, np.uint8)
    _fill(grey, solid, HANDLE_END_M, FAR_END_M, -HEIGHT_M / 2, HEIGHT_M / 2, _PAPER)
    tags = [tag for tag in (*ladder.tags, ladder.thumb) if tag.front is front]
    for tag in tags:
        _print_tag(grey, tag)
    return grey, solid


def _print_tag(grey: Image, tag: Tag) -> None:
    book = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, DICTIONARY))
    side = round(tag.side_m * PX_PER_M)
    ink = cv2.aruco.generateImageMarker(book, tag.number, 6 * (side // 6 + 1))
    ink = np.asarray(cv2.resize(ink, (side, side), interpolation=cv2.INTER_AREA))
    if not tag.front:
        ink = np.ascontiguousarray(ink[::-1])  # mirrored, because the texture has the axes of the front
    column, row = _to_px(tag.centre[0] - tag.side_m / 2, tag.centre[1] + tag.side_m / 2)
    grey[row : row + side, column : column + side] = _INK + ink.astype(np.float32) / 255.0 * (_PAPER - _INK)


def _draw_hand(grey: Image, solid: Image, thumb: float) -> None:
    """Draw a fist behind the handle, and its thumb over the front."""
    _fill(grey, solid, HANDLE_END_M - 0.06, HANDLE_M - 0.026, -0.045, -HEIGHT_M / 2 + 0.002, _SKIN)
    _fill(grey, solid, HANDLE_END_M - 0.06, HANDLE_END_M + 0.012, -0.045, 0.03, _SKIN)
    away_m = 0.030 * (1.0 - thumb)
    tip = _to_px(THUMB_X_M + 0.004 - 0.3 * away_m, away_m)
    root = _to_px(HANDLE_END_M - 0.01, 0.016 + 0.5 * away_m)
    for part, level in ((grey, _SKIN - 12), (solid, 255)):
        cv2.line(part, root, tip, (level,), round(0.021 * PX_PER_M), cv2.LINE_AA)
    cv2.circle(grey, tip, round(0.006 * PX_PER_M), (_NAIL,), -1, cv2.LINE_AA)


def _fill(grey: Image, solid: Image, left: float, right: float, low: float, high: float, level: int) -> None:
    (x0, y0), (x1, y1) = _to_px(left, high), _to_px(right, low)
    for part, value in ((grey, level), (solid, 255)):
        part[max(0, y0) : y1, max(0, x0) : x1] = value


def _to_px(x_m: float, y_m: float) -> tuple[int, int]:
    return round((x_m - _LEFT_M) * PX_PER_M), round((_HIGH_M - y_m) * PX_PER_M)


def _project(camera: CameraModel, pose: Pose, points: Array) -> Array:
    turn, lens = cv2.Rodrigues(mat_from_quat(pose.rotation))[0], np.array(camera.distortion)
    pixels, _ = cv2.projectPoints(points, turn, np.array(pose.position), camera.matrix(), lens)
    return np.asarray(pixels, dtype=np.float64).reshape(-1, 2)


@lru_cache(maxsize=4)
def _make_rays(camera: CameraModel, box: tuple[int, int, int, int], samples: int) -> Array:
    """Return directions (3, h, w) through ``samples`` by ``samples`` points in each pixel of a box."""
    left, top, right, bottom = box
    step = 1.0 / samples
    columns = np.arange(left - 0.5 + step / 2, right - 0.5, step)
    rows = np.arange(top - 0.5 + step / 2, bottom - 0.5, step)
    u, v = np.meshgrid(columns, rows)
    if any(camera.distortion):
        points = np.stack([u, v], axis=-1).reshape(-1, 1, 2)
        flat = cv2.undistortPoints(points, camera.matrix(), np.array(camera.distortion)).reshape(*u.shape, 2)
        return np.stack([flat[..., 0], flat[..., 1], np.ones_like(u)])
    return np.stack([(u - camera.cx) / camera.fx, (v - camera.cy) / camera.fy, np.ones_like(u)])


def draw_clutter(camera: CameraModel, random: np.random.Generator) -> Image:
    """Return a picture (h, w) of a room: soft shades of grey, and rectangles."""
    width, height = camera.width, camera.height
    small = random.uniform(70, 170, (9, 16)).astype(np.float32)
    room = np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC))
    for _ in range(60):
        corner = random.integers(0, (width, height))
        size = random.integers(width // 80, width // 8, 2)
        (x0, y0), (x1, y1) = corner.tolist(), (corner + size).tolist()
        cv2.rectangle(room, (x0, y0), (x1, y1), (float(random.uniform(30, 220)),), -1)
    return np.asarray(np.clip(cv2.GaussianBlur(room, (0, 0), width / 900), 0, 255), dtype=np.uint8)


def translate_pose(pose: Pose, velocity_m_s: Array, seconds: float) -> Pose:
    """Return the pose after a translation; velocity (3,), camera frame."""
    x, y, z = (float(p + v * seconds) for p, v in zip(pose.position, velocity_m_s, strict=True))
    return Pose((x, y, z), pose.rotation)


def blur_poses(camera: CameraModel, pose: Pose, velocity_m_s: Array, exposure_s: float) -> list[Pose]:
    """Return the card's poses during the exposure, centred on ``pose``."""
    way_px = float(np.linalg.norm(velocity_m_s)) * exposure_s * camera.fx / pose.position[2]
    count = max(1, int(np.ceil(way_px / _STEP_PX)))
    return [translate_pose(pose, velocity_m_s, ((k + 0.5) / count - 0.5) * exposure_s) for k in range(count)]


_WORDS = ("the", "moon", "ladder", "of", "wood", "1984", "ISBN 978-3", "QWERTZ", "No.", "$%", "@#", "&")
Random = np.random.Generator
#: Height and width of an object's picture, pixels.
_HIGH, _WIDE = 420, 600


def _make_sheet(level: int) -> Image:
    return np.full((_HIGH, _WIDE), level, np.uint8)


def _draw_text(random: Random) -> Image:
    page, y = _make_sheet(int(random.integers(190, 250))), 20
    while y < _HIGH:
        size = float(random.uniform(0.4, 1.6))
        line = " ".join(random.choice(_WORDS, 9))
        cv2.putText(page, line, (12, y), int(random.integers(0, 8)), size, (30,), int(random.integers(1, 4)))
        y += int(18 + 26 * size)
    return page


def _draw_shirt(random: Random) -> Image:
    """Return a picture of a creased shirt, checked or tartan."""
    step = int(random.integers(8, 60))
    rows, columns = np.mgrid[:_HIGH, :_WIDE]
    crease = random.uniform(0.0, 6.0) * np.sin(
        rows / random.uniform(20, 60) + columns / random.uniform(30, 90)
    )
    across, down = ((axis + crease) // step % 2 for axis in (columns, rows))
    mixed = (across + down) % 2 if random.random() < 0.5 else (across + down) / 2.0
    dark, bright = random.uniform(20, 90), random.uniform(140, 240)
    return np.asarray(dark + mixed * (bright - dark), dtype=np.uint8)


def _draw_codes(random: Random) -> Image:
    """Return black frames around random cells, similar to codes."""
    page, side = _make_sheet(225), int(random.integers(30, 90))
    for y in range(12, _HIGH - side, side + side // 3):
        for x in range(12, _WIDE - side, side + side // 3):
            count = int(random.choice([3, 4, 5, 6, 7, 21]))
            inside = np.pad(random.integers(0, 2, (count, count)), 1).astype(np.uint8) * 190 + 30
            page[y : y + side, x : x + side] = cv2.resize(
                inside, (side, side), interpolation=cv2.INTER_NEAREST
            )
    return page


def _draw_tags(random: Random) -> Image:
    """Return real tags that no paper ladder has: those of other dictionaries, of the die and of the lid."""
    page, side = _make_sheet(230), int(random.integers(40, 90))
    names = ("DICT_5X5_50", "DICT_6X6_50", "DICT_APRILTAG_36h11", "DICT_ARUCO_ORIGINAL", DICTIONARY)
    for y in range(12, _HIGH - side, side + side // 3):
        for x in range(12, _WIDE - side, side + side // 3):
            name = str(random.choice(names))
            number = int(
                random.choice([*DIE_TAGS, LID_TAG]) if name == DICTIONARY else random.integers(0, 50)
            )
            book = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, name))
            page[y : y + side, x : x + side] = cv2.aruco.generateImageMarker(book, number, side)
    return page


KINDS: dict[str, Callable[[Random], Image]] = {
    "text": _draw_text,
    "checkered shirts": _draw_shirt,
    "random codes": _draw_codes,
    "other tags": _draw_tags,
}


class DecoyStage:
    """Two objects of one kind that drift and rotate in front of a cluttered room."""

    def __init__(self, camera: CameraModel, kind: str, seed: int) -> None:
        self._camera, self._random = camera, np.random.default_rng([seed, 5])
        self._behind = draw_clutter(camera, self._random)
        self._things = [KINDS[kind](self._random) for _ in range(2)]
        self._motions = [self._random.uniform(-1.0, 1.0, 14) for _ in self._things]
        self._blur_px = float(self._random.uniform(0.4, 1.4))
        self._grain = self._random.normal(0.0, 3.0, (camera.height + 31, camera.width + 31)).astype(
            np.float32
        )

    def frame(self, time_s: float) -> Image:
        """Return a grey picture (h, w)."""
        room = self._behind
        for item, motion in zip(self._things, self._motions, strict=True):
            room = self._lay(room, item, motion, time_s)
        y, x = self._random.integers(0, 31, 2)
        soft = cv2.GaussianBlur(room, (0, 0), self._blur_px)
        noisy: npt.NDArray[np.float32] = soft + self._grain[y : y + room.shape[0], x : x + room.shape[1]]
        return np.clip(noisy, 0, 255).astype(np.uint8)

    def _lay(self, room: Image, item: Image, motion: npt.NDArray[np.float64], time_s: float) -> Image:
        width, height = self._camera.width, self._camera.height
        size = width * (0.35 + 0.25 * abs(motion[0])) * (1.0 + 0.2 * motion[1] * math.sin(0.7 * time_s))
        turn = math.pi * motion[2] + 0.5 * motion[3] * time_s
        x = width * (0.5 + 0.25 * motion[4]) + 0.1 * width * motion[5] * math.sin(0.9 * time_s)
        y = height * (0.5 + 0.25 * motion[6]) + 0.1 * height * math.cos(motion[7] + 0.8 * time_s)
        high, wide = item.shape
        corners = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32)
        about = (corners - (wide / 2.0, high / 2.0)) * (size / wide)
        # Make one side larger, as if it were nearer to the camera.
        about *= 1.0 + 0.25 * (about @ motion[8:10] / size)[:, np.newaxis]
        spin = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
        image_corners = (about * (1.0, 0.6 + 0.4 * abs(motion[10])) @ spin.T + (x, y)).astype(np.float32)
        plane = cv2.getPerspectiveTransform(corners, image_corners)
        room = room.copy()
        cv2.warpPerspective(
            item, plane, (width, height), dst=room, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_TRANSPARENT
        )
        return room
