"""The camera's frame as background; cropped, fitted and graded on the CPU, because software shaders are slower."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from armoon.camera.sources import is_blank
from armoon.geometry import Array, CameraModel, mat_from_pose, pose_inverse, project_table_points
from armoon.gl import Target, copy_colour, make_target, make_texture, write_bgra
from armoon.values.page import Rect
from armoon.values.poses import Pose, Vec2, Vec3
from armoon.values.scene import FramedArea, Scene
from armoon.view.scene.light import SMALL_HEIGHT, SMALL_WIDTH, make_small_copy

#: Margins below the structure, for hints, and above the highest lifted ladder in a wide and a tall window, relative to
#: the shown height.
MARGIN_BELOW, MARGIN_ABOVE, MARGIN_ABOVE_TALL = 0.13, 0.01, 0.15
#: Margin below the structure for hints in very large text.
MARGIN_BELOW_LARGE = 0.24
#: Margin on either side, relative to the shown width.
MARGIN_BESIDE = 0.02
#: Maximum height of an unbounded crop, relative to that of the camera's picture.
_MAX_UNBOUNDED = 1.5
#: Rounding tolerance of a margin, relative to the width.
_TOLERANCE = 1e-6
#: Factor by which each attempt at keeping a margin free reduces the crop's height.
_ZOOM_STEP = 0.97
#: Length of a scene's ticks, in seconds (armoon.clock).
_TICK_S = 1.0 / 60.0
#: Time constant and maximum time step of a crop that follows the game, in seconds.
EASING_S, MAX_CATCH_UP_S = 0.55, 0.1
#: Magnification while something falls.
FALL_ZOOM = 1.3
#: Differences, relative to the shown height, at which a crop starts and stops following the game.
START_FOLLOWING, STOP_FOLLOWING = 0.045, 0.004


@dataclass(frozen=True)
class Crop:
    """A part of the camera's picture, in camera pixels."""

    left: int
    top: int
    width: int
    height: int


@dataclass(frozen=True)
class _Place:
    """An unrounded part of the camera's picture: centre and height, in camera pixels."""

    x: float
    y: float
    height: float

    def move_towards(self, other: _Place, fraction: float) -> _Place:
        """Return the place at this fraction of the way to another; the height changes exponentially, as in a zoom."""
        height = self.height * math.pow(other.height / self.height, fraction)
        return _Place(self.x + fraction * (other.x - self.x), self.y + fraction * (other.y - self.y), height)

    def measure_difference(self, other: _Place) -> float:
        moved = math.hypot(other.x - self.x, other.y - self.y) / other.height
        return max(moved, abs(math.log(other.height / self.height)))


class Framing:
    """Computes crops that follow the game from picture to picture, and depend on the scenes alone."""

    def __init__(self, camera: CameraModel, table_from_camera: Pose) -> None:
        self.max_zoom = 1.0
        """Maximum magnification; with 1, the whole picture is always shown."""
        self.is_eased = True
        self.room_below = MARGIN_BELOW
        self.room_above = MARGIN_ABOVE
        self.is_bounded = True
        self.sides: Vec2 | None = None
        """Left and right end of the game's area, relative to the shown width and before mirroring; None: centred."""
        self.set_camera(camera, table_from_camera)

    def set_camera(self, camera: CameraModel, table_from_camera: Pose) -> None:
        self._camera, self._table_from_camera = camera, table_from_camera
        self._place: _Place | None = None
        self._is_following = False
        self._tick = 0
        self._room: tuple[object, ...] = ()

    def follow(self, scene: Scene, aspect: float) -> Crop:
        """Return a scene's crop for a picture of this aspect. The crop doesn't move while a ladder is held."""
        elapsed_s = min(MAX_CATCH_UP_S, max(0.0, (scene.tick - self._tick) * _TICK_S))
        self._tick = scene.tick
        if scene.framed is not None and scene.room is not None:
            return self._fill_room(scene.framed.points, scene.room, aspect)
        room, self._room = self._room, (self.room_above, self.room_below, self.sides)
        if self._place is None or room != self._room:
            self._place = self._aim(scene.framed, aspect)  # jump, because a card has appeared or disappeared
        elif not scene.held:
            target = self._aim(scene.framed, aspect)
            limit = STOP_FOLLOWING if self._is_following else START_FOLLOWING
            self._is_following = self._place.measure_difference(target) > limit
            if not self.is_eased:
                self._place = target
            elif self._is_following:
                self._place = self._place.move_towards(target, 1.0 - math.exp(-elapsed_s / EASING_S))
        shown, fall = self._place, scene.slow_fall
        if fall is not None and self.is_eased and not scene.held:
            shown = shown.move_towards(self._zoom_on(shown, fall.place, aspect), fall.near)
        return self._to_crop(shown, aspect)

    def _fill_room(self, points: Sequence[Vec3], room: Rect, aspect: float) -> Crop:
        pixels = project_table_points(self._camera, self._table_from_camera, points)
        (left, top), (right, low) = pixels.min(axis=0), pixels.max(axis=0)
        height = max((low - top) / room.height, (right - left) / (room.width * aspect))
        x = (left + right) / 2.0 - room.centre[0] * height * aspect
        y = (top + low) / 2.0 - room.centre[1] * height
        return Crop(round(x), round(y), round(height * aspect), round(height))

    def _zoom_on(self, place: _Place, target: Vec3, aspect: float) -> _Place:
        """Return a magnified part of ``place``, with ``target`` (table frame) as near to its centre as possible."""
        x, y = project_table_points(self._camera, self._table_from_camera, [target])[0]
        height = place.height / FALL_ZOOM
        room = (place.height - height) / 2.0
        return _Place(
            min(max(float(x), place.x - aspect * room), place.x + aspect * room),
            min(max(float(y), place.y - room), place.y + room),
            height,
        )

    def _aim(self, framed: FramedArea | None, aspect: float) -> _Place:
        camera = self._camera
        max_height = min(float(camera.height), camera.width / aspect)
        whole = self._keep_inside((camera.width - 1) / 2.0, (camera.height - 1) / 2.0, max_height, aspect)
        if framed is None or self.max_zoom <= 1.0:
            return whole
        pixels = project_table_points(camera, self._table_from_camera, [framed.middle, *framed.points])
        if not np.isfinite(pixels).all():
            return whole
        middle = float(pixels[0, 0])
        half = float(np.abs(pixels[:, 0] - middle).max())
        top, low = float(pixels[:, 1].min()), float(pixels[:, 1].max())
        left, right = float(pixels[:, 0].min()), float(pixels[:, 0].max())
        width = 2.0 * half / (1.0 - 2.0 * MARGIN_BESIDE)
        if self.sides is not None:
            width = (right - left) / (self.sides[1] - self.sides[0])
        least = max((low - top) / (1.0 - self.room_below - self.room_above), max_height / self.max_zoom)
        max_height *= 1.0 if self.is_bounded else _MAX_UNBOUNDED
        height = min(max_height, max(least, width / aspect))
        # Without room for both margins, keep all points visible.
        side = height * aspect * (0.5 - MARGIN_BESIDE)
        if self.sides is not None:
            return self._fit_sides(self.sides, (left, right), low, (height, min(max_height, least)), aspect)
        middle = min(max(middle, right - side), left + side)
        if right - left > 2.0 * side:
            middle = (left + right) / 2.0
        return self._keep_inside(middle, low + (self.room_below - 0.5) * height, height, aspect)

    def _fit_sides(self, across: Vec2, ends: Vec2, low: float, heights: Vec2, aspect: float) -> _Place:
        """Return the place in which ``ends`` (pixels) are within the fractions ``across`` of its width.

        ``heights``: maximum and minimum. At an edge of the camera's picture, zoom in until the wider margin is free.
        """
        height, least = heights
        wider_right = 1.0 - across[1] > across[0]
        while True:
            width = height * aspect
            middle = sum(ends) / 2.0 + (0.5 - sum(across) / 2.0) * width
            place = self._keep_inside(middle, low + (self.room_below - 0.5) * height, height, aspect)
            first, last = ((end - place.x) / width + 0.5 for end in ends)
            free = last <= across[1] + _TOLERANCE if wider_right else first >= across[0] - _TOLERANCE
            height *= _ZOOM_STEP
            if free or height < least:
                return place

    def _keep_inside(self, x: float, y: float, height: float, aspect: float) -> _Place:
        if not self.is_bounded:
            return _Place(x, y, height)
        half_w, half_h = height * aspect / 2.0, height / 2.0
        x = min(max(x, half_w - 0.5), self._camera.width - 0.5 - half_w)
        y = min(max(y, half_h - 0.5), self._camera.height - 0.5 - half_h)
        return _Place(x, y, height)

    def _to_crop(self, place: _Place, aspect: float) -> Crop:
        camera = self._camera
        if not self.is_bounded:
            width, height = round(place.height * aspect), round(place.height)
            return Crop(
                round(place.x + 0.5 - width / 2.0), round(place.y + 0.5 - height / 2.0), width, height
            )
        width = min(camera.width, max(8, round(place.height * aspect)))
        height = min(camera.height, max(8, round(place.height)))
        left = min(max(0, round(place.x + 0.5 - width / 2.0)), camera.width - width)
        top = min(max(0, round(place.y + 0.5 - height / 2.0)), camera.height - height)
        return Crop(left, top, width, height)


def fill_aspect(crop: Crop, aspect: float, end: float | None = None) -> Crop:
    """Extend a crop to this aspect. The old crop is centred, or ends at ``end``, a fraction of the new height."""
    height = max(crop.width / aspect, 0.0 if end is None else crop.height / end)
    width = height * aspect
    low = 0.5 * (height + crop.height) if end is None else end * height
    left = crop.left - (width - crop.width) / 2.0
    return Crop(round(left), round(crop.top + crop.height - low), round(width), round(height))


def make_whole_crop(camera: CameraModel) -> Crop:
    return Crop(0, 0, camera.width, camera.height)


def crop_camera(camera: CameraModel, crop: Crop) -> CameraModel:
    return replace(
        camera, width=crop.width, height=crop.height, cx=camera.cx - crop.left, cy=camera.cy - crop.top
    )


def crop_scene(scene: Scene, crop: Crop) -> Scene:
    if not scene.hands or (crop.left, crop.top) == (0, 0):
        return scene
    hands = tuple(
        replace(hand, points_px=tuple((x - crop.left, y - crop.top) for x, y in hand.points_px))
        for hand in scene.hands
    )
    return replace(scene, hands=hands)


def crop_frame(frame: npt.NDArray[np.uint8], camera: CameraModel, crop: Crop) -> npt.NDArray[np.uint8]:
    """Return a crop of a frame (h, w, 3), which may be smaller than the camera's picture.

    Beyond the frame, the colours of its edges are repeated.
    """
    if is_blank(frame):
        return np.broadcast_to(frame[0, 0], (crop.height, crop.width, 3))
    across, down = frame.shape[1] / camera.width, frame.shape[0] / camera.height
    left, right = round(crop.left * across), round((crop.left + crop.width) * across)
    top, low = round(crop.top * down), round((crop.top + crop.height) * down)
    height, width = frame.shape[:2]
    above, below = max(0, -top), max(0, low - height)
    before, after = max(0, -left), max(0, right - width)
    inside = frame[max(0, top) : low, max(0, left) : right]
    if not any((above, below, before, after)):
        return inside
    return np.asarray(cv2.copyMakeBorder(inside, above, below, before, after, cv2.BORDER_REPLICATE), np.uint8)


def to_camera(place: Vec2, camera: CameraModel, crop: Crop, *, mirrored: bool) -> Vec2:
    """Convert a place in the shown picture to the camera's whole picture; both in fractions, as players see them."""
    left = camera.width - crop.left - crop.width if mirrored else crop.left
    return (
        (left + place[0] * crop.width) / camera.width,
        (crop.top + place[1] * crop.height) / camera.height,
    )


def from_camera(place: Vec2, camera: CameraModel, crop: Crop, *, mirrored: bool) -> Vec2:
    """Invert ``to_camera``; the result is outside 0 to 1 for places that aren't shown."""
    left = camera.width - crop.left - crop.width if mirrored else crop.left
    return (
        (place[0] * camera.width - left) / crop.width,
        (place[1] * camera.height - crop.top) / crop.height,
    )


#: Distances of the near and far clipping planes from the camera (metres).
NEAR_M, FAR_M = 0.05, 5.0


def get_clip_from_camera(camera: CameraModel, mirrored: bool) -> Array:
    """Return the matrix (4, 4) from OpenCV camera axes to clip space.

    Pixel centres are whole numbers in OpenCV and halves in OpenGL, so half a pixel is added to (cx, cy). Mirroring
    flips x in clip space at the end.
    """
    w, h = camera.width, camera.height
    near, far = NEAR_M, FAR_M
    side = -1.0 if mirrored else 1.0
    return np.array(
        [
            [side * 2.0 * camera.fx / w, 0.0, side * (2.0 * (camera.cx + 0.5) / w - 1.0), 0.0],
            [0.0, -2.0 * camera.fy / h, 1.0 - 2.0 * (camera.cy + 0.5) / h, 0.0],
            [0.0, 0.0, (far + near) / (far - near), -2.0 * far * near / (far - near)],
            [0.0, 0.0, 1.0, 0.0],
        ]
    )


def make_lens_matrix(camera: CameraModel, width: int, height: int) -> Array:
    across, down = width / camera.width, height / camera.height
    x, y = (camera.cx + 0.5) * across - 0.5, (camera.cy + 0.5) * down - 0.5
    return np.array([[camera.fx * across, 0.0, x], [0.0, camera.fy * down, y], [0.0, 0.0, 1.0]])


def get_clip_from_table(camera: CameraModel, table_from_camera: Pose, mirrored: bool) -> Array:
    return get_clip_from_camera(camera, mirrored) @ mat_from_pose(pose_inverse(table_from_camera))


def undistort(camera: CameraModel, pixels: Array) -> Array:
    """Return undistorted pixels (n, 2) of distorted ones (n, 2)."""
    if not any(camera.distortion):
        return pixels
    lens = camera.matrix()
    flat = cv2.undistortPoints(pixels[:, np.newaxis], lens, np.array(camera.distortion), P=lens)
    return np.asarray(flat[:, 0], dtype=np.float64)


#: The evening grade, like the shaders' ``apply_grade`` but in BGR: contrast by grey level, and tints of light and dusky
#: areas.
_GREY = np.arange(256) / 255.0
_CONTRAST = np.round(255.0 * _GREY * (0.82 + 0.36 * _GREY * (1.5 - _GREY))).astype(np.uint8)
_TINT, _DUSK = np.array([1.04, 0.99, 0.97]), np.array([0.84, 0.58, 0.50])

Frame = npt.NDArray[np.uint8]


class CameraPicture:
    """Shows camera frames; grades and uploads a repeated read-only frame only once."""

    def __init__(self, *, mirrored: bool) -> None:
        """Allocate the small texture. Needs a current OpenGL context."""
        self._mirrored = mirrored
        self._frame: Frame = np.zeros((1, 1, 3), np.uint8)
        self._number = 0
        self._shown: object = None
        self._lens: tuple[object, Any] = (None, None)  # key, and two maps from OpenCV
        self._size = (0, 0)
        self.small = np.zeros((SMALL_HEIGHT, SMALL_WIDTH, 3), np.uint8)
        self.small_texture = make_texture(SMALL_WIDTH, SMALL_HEIGHT, 3)

    def set_frame(self, frame_bgr: Frame) -> None:
        before, self._frame = self._frame, frame_bgr
        if self._number and _is_same_picture(before, frame_bgr):
            return
        self._number += 1
        self.small = make_small_copy(frame_bgr)
        self.small_texture.write(self.small)

    def draw_frame(self, into: Target, size: tuple[int, int], camera: CameraModel, grade: float) -> None:
        """Show the frame in the lower left part of a target, ``size`` (width, height) pixels large and graded."""
        if size != self._size:
            self._resize(size)
        picture_key = (self._number, size, camera, grade)
        if picture_key != self._shown:
            self._shown = picture_key
            write_bgra(self._texture, self._grade(self._fit_frame(camera), grade))
        copy_colour(self._target, into, upside_down=True)

    def _resize(self, size: tuple[int, int]) -> None:
        self._size = size
        self._texture = make_texture(*size, 4)
        self._target = make_target(colour=self._texture)
        self._tints = np.empty((size[1], size[0], 3), np.uint8)
        dusk = _make_dusk_map(*size)
        for channel, (light, dusky) in enumerate(zip(_TINT, _DUSK, strict=True)):
            self._tints[..., channel] = np.round((light + dusk * (dusky - light)) * 255.0 / _TINT.max())
        self._toned = np.empty_like(self._tints)

    def _fit_frame(self, camera: CameraModel) -> Frame:
        """Return the frame (h, w, 3) in the picture's size, undistorted and mirrored if necessary."""
        fitted: Any = self._frame
        height, width = fitted.shape[:2]
        if any(camera.distortion):
            key = (camera, width, height, self._size)
            if self._lens[0] != key:
                source, shown = make_lens_matrix(camera, width, height), make_lens_matrix(camera, *self._size)
                lens = np.array(camera.distortion)
                maps = cv2.initUndistortRectifyMap(source, lens, np.eye(3), shown, self._size, cv2.CV_32FC1)
                self._lens = (key, maps)
            across, up = self._lens[1]
            fitted = cv2.remap(fitted, across, up, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        elif (width, height) != self._size:
            fitted = cv2.resize(fitted, self._size, interpolation=cv2.INTER_LINEAR)
        return cv2.flip(fitted, 1) if self._mirrored else fitted  # type: ignore[no-any-return]

    def _grade(self, frame: Frame, grade: float) -> Frame:
        toned = cv2.LUT(frame, _CONTRAST, dst=self._toned)
        cv2.multiply(toned, self._tints, dst=toned, scale=1.0 / 255.0)
        cv2.addWeighted(frame, 1.0 - grade, toned, grade * float(_TINT.max()), 0.0, dst=toned)
        return np.asarray(cv2.cvtColor(toned, cv2.COLOR_BGR2BGRA), np.uint8)


def _make_dusk_map(width: int, height: int) -> npt.NDArray[np.float64]:
    """Return the duskiness of each pixel (height, width), as in the shaders' ``apply_grade``."""
    x = (np.arange(width) + 0.5) / width
    y = 1.0 - (np.arange(height) + 0.5)[:, None] / height
    edge = np.clip(1.15 * ((1.5 * (x - 0.5)) ** 2 + (1.3 * (y - 0.45)) ** 2) - 0.22, 0.0, 1.0)
    top = np.clip(2.2 * y - 1.25, 0.0, 1.0)
    return np.asarray(1.0 - (1.0 - 0.42 * edge) * (1.0 - 0.28 * top), np.float64)


def _is_same_picture(before: Frame, frame: Frame) -> bool:
    """Return whether two frames share the memory of a read-only array."""
    owner = frame if frame.base is None else frame.base
    if not isinstance(owner, np.ndarray) or owner.base is not None or owner.flags.writeable:
        return False
    places = [picture.__array_interface__["data"][0] for picture in (before, frame)]
    return places[0] == places[1] and (before.shape, before.strides) == (frame.shape, frame.strides)
