"""The camera's frame under everything else, fitted and graded by the processor: a shader without a card is slower."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from armoon.camera.sources import is_blank
from armoon.geometry import Array, CameraModel, mat_from_pose, pose_inverse, project_table_points
from armoon.gl import Target, copy_colour, target, texture, write_bgra
from armoon.values.poses import Pose, Vec2, Vec3
from armoon.values.scene import FramedArea, Scene
from armoon.view.scene.light import SMALL_HEIGHT, SMALL_WIDTH, small_copy

#: Room below what stands, for the hints, and above what a hand lifts; parts of the shown height. A tall window has
#: buttons beside the base.
BELOW, ABOVE, ABOVE_TALL = 0.13, 0.01, 0.15
#: Below, where the hints are in very large letters.
BELOW_LARGE = 0.24
#: Room beside it, parts of the shown width.
BESIDE = 0.02
#: A drawn picture shows at most this multiple of what the camera would see, across and down.
_BEYOND = 1.5
#: Parts of the width that count as none.
_SAME = 1e-6
#: Each try to keep a margin free is this much nearer than the one before.
_NEARER = 0.97
#: Scenes count ticks of this length (armoon.clock).
_TICK_S = 1.0 / 60.0
#: Time constant of the picture's following, and the longest time that it makes up for at once, seconds.
EASE_S, LONGEST_S = 0.55, 0.1
#: How much larger what falls is shown.
PUSH = 1.3
#: Change at which it begins to follow, and the one at which it stops.
BEGIN, END = 0.045, 0.004


@dataclass(frozen=True)
class Crop:
    """A part of the camera's picture, in whole pixels of it."""

    left: int
    top: int
    width: int
    height: int


@dataclass(frozen=True)
class _Place:
    """A part of the camera's picture before it is rounded: its middle and its height, pixels."""

    x: float
    y: float
    height: float

    def towards(self, other: _Place, share: float) -> _Place:
        """Return the crop at this share of the way to another one; sizes change by equal parts, as a lens zooms."""
        height = self.height * math.pow(other.height / self.height, share)
        return _Place(self.x + share * (other.x - self.x), self.y + share * (other.y - self.y), height)

    def unlike(self, other: _Place) -> float:
        moved = math.hypot(other.x - self.x, other.y - self.y) / other.height
        return max(moved, abs(math.log(other.height / self.height)))


class Framing:
    """Follows the game from picture to picture; depends on the scenes only."""

    def __init__(self, camera: CameraModel, table_from_camera: Pose) -> None:
        self.nearest = 1.0
        """Maximum magnification over the whole picture; 1: always the whole."""
        self.eased = True
        self.below = BELOW
        self.above = ABOVE
        self.bounded = True
        self.across: Vec2 | None = None
        """Ends of the game's room, in parts of the shown width, as the camera sees it; None: the middle."""
        self.set_camera(camera, table_from_camera)

    def set_camera(self, camera: CameraModel, table_from_camera: Pose) -> None:
        self._camera, self._table_from_camera = camera, table_from_camera
        self._place: _Place | None = None
        self._following = False
        self._tick = 0
        self._room: tuple[object, ...] = ()

    def follow(self, scene: Scene, aspect: float) -> Crop:
        """Return the crop of this scene for a picture of this width/height; it stays while something is held."""
        passed_s = min(LONGEST_S, max(0.0, (scene.tick - self._tick) * _TICK_S))
        self._tick = scene.tick
        room, self._room = self._room, (self.above, self.below, self.across)
        if self._place is None or room != self._room:
            self._place = self._wanted(scene.framed, aspect)  # a card has come or gone: nothing to follow
        elif not scene.held:
            wanted = self._wanted(scene.framed, aspect)
            self._following = self._place.unlike(wanted) > (END if self._following else BEGIN)
            if not self.eased:
                self._place = wanted
            elif self._following:
                self._place = self._place.towards(wanted, 1.0 - math.exp(-passed_s / EASE_S))
        shown, slip = self._place, scene.slip
        if slip is not None and self.eased and not scene.held:
            shown = shown.towards(self._pushed(shown, slip.place, aspect), slip.near)
        return self._rounded(shown, aspect)

    def _pushed(self, place: _Place, towards: Vec3, aspect: float) -> _Place:
        """Return the part nearer to a place, with that as near to the middle as possible."""
        x, y = project_table_points(self._camera, self._table_from_camera, [towards])[0]
        height = place.height / PUSH
        room = (place.height - height) / 2.0
        return _Place(
            min(max(float(x), place.x - aspect * room), place.x + aspect * room),
            min(max(float(y), place.y - room), place.y + room),
            height,
        )

    def _wanted(self, framed: FramedArea | None, aspect: float) -> _Place:
        camera = self._camera
        most = min(float(camera.height), camera.width / aspect)
        if framed is None or self.nearest <= 1.0:
            return self._inside((camera.width - 1) / 2.0, (camera.height - 1) / 2.0, most, aspect)
        pixels = project_table_points(camera, self._table_from_camera, [framed.middle, *framed.points])
        if not np.isfinite(pixels).all():
            return self._inside((camera.width - 1) / 2.0, (camera.height - 1) / 2.0, most, aspect)
        middle = float(pixels[0, 0])
        half = float(np.abs(pixels[:, 0] - middle).max())
        top, low = float(pixels[:, 1].min()), float(pixels[:, 1].max())
        left, right = float(pixels[:, 0].min()), float(pixels[:, 0].max())
        wide = 2.0 * half / (1.0 - 2.0 * BESIDE)
        if self.across is not None:
            wide = (right - left) / (self.across[1] - self.across[0])
        least = max((low - top) / (1.0 - self.below - self.above), most / self.nearest)
        most *= 1.0 if self.bounded else _BEYOND
        height = min(most, max(least, wide / aspect))
        # Where there is no room for as much on either side, what matters comes first.
        side = height * aspect * (0.5 - BESIDE)
        if self.across is not None:
            return self._aside(self.across, (left, right), low, (height, min(most, least)), aspect)
        middle = min(max(middle, right - side), left + side)
        if right - left > 2.0 * side:
            middle = (left + right) / 2.0
        return self._inside(middle, low + (self.below - 0.5) * height, height, aspect)

    def _aside(self, across: Vec2, ends: Vec2, low: float, heights: Vec2, aspect: float) -> _Place:
        """Return the part with these ends (pixels) between these parts of its width, at most and at least so high.

        Where the camera's picture ends too soon, it is nearer: only the wider margin stays free.
        """
        height, least = heights
        wider_right = 1.0 - across[1] > across[0]
        while True:
            wide = height * aspect
            middle = sum(ends) / 2.0 + (0.5 - sum(across) / 2.0) * wide
            place = self._inside(middle, low + (self.below - 0.5) * height, height, aspect)
            first, last = ((end - place.x) / wide + 0.5 for end in ends)
            free = last <= across[1] + _SAME if wider_right else first >= across[0] - _SAME
            height *= _NEARER
            if free or height < least:
                return place

    def _inside(self, x: float, y: float, height: float, aspect: float) -> _Place:
        if not self.bounded:
            return _Place(x, y, height)
        half_w, half_h = height * aspect / 2.0, height / 2.0
        x = min(max(x, half_w - 0.5), self._camera.width - 0.5 - half_w)
        y = min(max(y, half_h - 0.5), self._camera.height - 0.5 - half_h)
        return _Place(x, y, height)

    def _rounded(self, place: _Place, aspect: float) -> Crop:
        camera = self._camera
        if not self.bounded:
            width, height = round(place.height * aspect), round(place.height)
            return Crop(
                round(place.x + 0.5 - width / 2.0), round(place.y + 0.5 - height / 2.0), width, height
            )
        width = min(camera.width, max(8, round(place.height * aspect)))
        height = min(camera.height, max(8, round(place.height)))
        left = min(max(0, round(place.x + 0.5 - width / 2.0)), camera.width - width)
        top = min(max(0, round(place.y + 0.5 - height / 2.0)), camera.height - height)
        return Crop(left, top, width, height)


def filling(crop: Crop, aspect: float, end: float | None = None) -> Crop:
    """Return the part that a drawn picture of this aspect shows, with ``crop`` above ``end`` (a part) or centred."""
    height = max(crop.width / aspect, 0.0 if end is None else crop.height / end)
    width = height * aspect
    low = 0.5 * (height + crop.height) if end is None else end * height
    left = crop.left - (width - crop.width) / 2.0
    return Crop(round(left), round(crop.top + crop.height - low), round(width), round(height))


def whole(camera: CameraModel) -> Crop:
    return Crop(0, 0, camera.width, camera.height)


def cropped_camera(camera: CameraModel, crop: Crop) -> CameraModel:
    return replace(
        camera, width=crop.width, height=crop.height, cx=camera.cx - crop.left, cy=camera.cy - crop.top
    )


def cropped_scene(scene: Scene, crop: Crop) -> Scene:
    if not scene.hands or (crop.left, crop.top) == (0, 0):
        return scene
    hands = tuple(
        replace(hand, points_px=tuple((x - crop.left, y - crop.top) for x, y in hand.points_px))
        for hand in scene.hands
    )
    return replace(scene, hands=hands)


def cropped_frame(frame: npt.NDArray[np.uint8], camera: CameraModel, crop: Crop) -> npt.NDArray[np.uint8]:
    """Return this part of a frame (h, w, 3) of the camera, which may have come smaller than the camera says.

    Beyond the frame's edges it goes on in their colours.
    """
    if is_blank(frame):
        return np.broadcast_to(frame[0, 0], (crop.height, crop.width, 3))
    across, down = frame.shape[1] / camera.width, frame.shape[0] / camera.height
    left, right = round(crop.left * across), round((crop.left + crop.width) * across)
    top, low = round(crop.top * down), round((crop.top + crop.height) * down)
    high, wide = frame.shape[:2]
    above, below = max(0, -top), max(0, low - high)
    before, after = max(0, -left), max(0, right - wide)
    inside = frame[max(0, top) : low, max(0, left) : right]
    if not any((above, below, before, after)):
        return inside
    return np.asarray(cv2.copyMakeBorder(inside, above, below, before, after, cv2.BORDER_REPLICATE), np.uint8)


def to_camera(place: Vec2, camera: CameraModel, crop: Crop, *, mirrored: bool) -> Vec2:
    """Return a place of the shown picture in the camera's whole one; both in parts, as the player sees them."""
    left = camera.width - crop.left - crop.width if mirrored else crop.left
    return (
        (left + place[0] * crop.width) / camera.width,
        (crop.top + place[1] * crop.height) / camera.height,
    )


def from_camera(place: Vec2, camera: CameraModel, crop: Crop, *, mirrored: bool) -> Vec2:
    """Return the opposite of ``to_camera``; outside 0 to 1 where it isn't shown."""
    left = camera.width - crop.left - crop.width if mirrored else crop.left
    return (
        (place[0] * camera.width - left) / crop.width,
        (place[1] * camera.height - crop.top) / crop.height,
    )


#: Distances of the near and far clipping planes from the camera (metres).
NEAR_M, FAR_M = 0.05, 5.0


def clip_from_camera(camera: CameraModel, mirrored: bool) -> Array:
    """Return the matrix (4, 4) from OpenCV camera axes to clip space.

    OpenCV's pixel centres are whole numbers, OpenGL's are halves: hence the half pixel on (cx, cy). Mirroring
    flips x in clip space, after everything else.
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


def lens_matrix(camera: CameraModel, width: int, height: int) -> Array:
    across, down = width / camera.width, height / camera.height
    x, y = (camera.cx + 0.5) * across - 0.5, (camera.cy + 0.5) * down - 0.5
    return np.array([[camera.fx * across, 0.0, x], [0.0, camera.fy * down, y], [0.0, 0.0, 1.0]])


def clip_from_table(camera: CameraModel, table_from_camera: Pose, mirrored: bool) -> Array:
    return clip_from_camera(camera, mirrored) @ mat_from_pose(pose_inverse(table_from_camera))


def undistort(camera: CameraModel, pixels: Array) -> Array:
    """Return undistorted pixels (n, 2): fixed-point iteration on OpenCV's model, to 0.01 px for webcams."""
    k1, k2, p1, p2, k3 = camera.distortion
    points = np.asarray(pixels, dtype=np.float64).reshape(-1, 2)
    if not any(camera.distortion):
        return points
    focal = np.array([camera.fx, camera.fy])
    centre = np.array([camera.cx, camera.cy])
    seen = (points - centre) / focal
    guess = seen.copy()
    for _ in range(5):
        x, y = guess[:, 0], guess[:, 1]
        r2 = x * x + y * y
        radial = 1.0 + r2 * (k1 + r2 * (k2 + r2 * k3))
        shift = np.column_stack(
            [2.0 * p1 * x * y + p2 * (r2 + 2.0 * x * x), p1 * (r2 + 2.0 * y * y) + 2.0 * p2 * x * y]
        )
        guess = (seen - shift) / radial[:, None]
    return np.asarray(guess * focal + centre, dtype=np.float64)


#: The evening grade, as ``graded`` in the shaders has it (display colours, here BGR): its contrast by grey level, and
#: its tint where the picture is light and where it is dusky.
_GREY = np.arange(256) / 255.0
_CONTRAST = np.round(255.0 * _GREY * (0.82 + 0.36 * _GREY * (1.5 - _GREY))).astype(np.uint8)
_TINT, _DUSK = np.array([1.04, 0.99, 0.97]), np.array([0.84, 0.58, 0.50])

Frame = npt.NDArray[np.uint8]


class Feed:
    """Shows frames; a repeated read-only one is graded and sent only once."""

    def __init__(self, *, mirrored: bool) -> None:
        """Needs a current context."""
        self._mirrored = mirrored
        self._frame: Frame = np.zeros((1, 1, 3), np.uint8)
        self._number = 0
        self._shown: object = None
        self._lens: tuple[object, Any] = (None, None)  # the lens, and its two maps from OpenCV
        self._size = (0, 0)
        self.small = np.zeros((SMALL_HEIGHT, SMALL_WIDTH, 3), np.uint8)
        self.small_texture = texture(SMALL_WIDTH, SMALL_HEIGHT, 3)

    def take(self, frame_bgr: Frame) -> None:
        before, self._frame = self._frame, frame_bgr
        if self._number and _same(before, frame_bgr):
            return
        self._number += 1
        self.small = small_copy(frame_bgr)
        self.small_texture.write(self.small)

    def draw(self, into: Target, size: tuple[int, int], camera: CameraModel, evening: float) -> None:
        """Show the frame in the lower left part (width, height) of a target; ``evening``: strength of the grade."""
        if size != self._size:
            self._resize(size)
        looks = (self._number, size, camera, evening)
        if looks != self._shown:
            self._shown = looks
            write_bgra(self._texture, self._graded(self._fitted(camera), evening))
        copy_colour(self._target, into, upside_down=True)

    def _resize(self, size: tuple[int, int]) -> None:
        self._size = size
        self._texture = texture(*size, 4)
        self._target = target(colour=self._texture)
        self._tints = np.empty((size[1], size[0], 3), np.uint8)
        dusk = _dusk(*size)
        for channel, (light, dusky) in enumerate(zip(_TINT, _DUSK, strict=True)):
            self._tints[..., channel] = np.round((light + dusk * (dusky - light)) * 255.0 / _TINT.max())
        self._toned = np.empty_like(self._tints)

    def _fitted(self, camera: CameraModel) -> Frame:
        """Return the frame as the picture shows it (height, width, 3): of its size and without the lens's bends."""
        fitted: Any = self._frame
        height, width = fitted.shape[:2]
        if any(camera.distortion):
            key = (camera, width, height, self._size)
            if self._lens[0] != key:
                seen, shown = lens_matrix(camera, width, height), lens_matrix(camera, *self._size)
                bends = np.array(camera.distortion)
                maps = cv2.initUndistortRectifyMap(seen, bends, np.eye(3), shown, self._size, cv2.CV_32FC1)
                self._lens = (key, maps)
            across, up = self._lens[1]
            fitted = cv2.remap(fitted, across, up, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        elif (width, height) != self._size:
            fitted = cv2.resize(fitted, self._size, interpolation=cv2.INTER_LINEAR)
        return cv2.flip(fitted, 1) if self._mirrored else fitted  # type: ignore[no-any-return]

    def _graded(self, frame: Frame, evening: float) -> Frame:
        toned = cv2.LUT(frame, _CONTRAST, dst=self._toned)
        cv2.multiply(toned, self._tints, dst=toned, scale=1.0 / 255.0)
        cv2.addWeighted(frame, 1.0 - evening, toned, evening * float(_TINT.max()), 0.0, dst=toned)
        return np.asarray(cv2.cvtColor(toned, cv2.COLOR_BGR2BGRA), np.uint8)


def _dusk(width: int, height: int) -> npt.NDArray[np.float64]:
    """Return how dusky each pixel of a picture is (height, width), as ``graded`` in the shaders has it."""
    x = (np.arange(width) + 0.5) / width
    y = 1.0 - (np.arange(height) + 0.5)[:, None] / height
    edge = np.clip(1.15 * ((1.5 * (x - 0.5)) ** 2 + (1.3 * (y - 0.45)) ** 2) - 0.22, 0.0, 1.0)
    top = np.clip(2.2 * y - 1.25, 0.0, 1.0)
    return np.asarray(1.0 - (1.0 - 0.42 * edge) * (1.0 - 0.28 * top), np.float64)


def _same(before: Frame, frame: Frame) -> bool:
    """Return whether two frames are the same pixels of a read-only picture."""
    owner = frame if frame.base is None else frame.base
    if not isinstance(owner, np.ndarray) or owner.base is not None or owner.flags.writeable:
        return False
    places = [one.__array_interface__["data"][0] for one in (before, frame)]
    return places[0] == places[1] and (before.shape, before.strides) == (frame.shape, frame.strides)
