"""The camera's frame under everything else in the picture: fitted to it, graded, and shown.

The processor does it all, and the result is copied into the window as it is. Without a graphics card a shader took
four times as long.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from armoon.geometry import CameraModel
from armoon.gl.memory import Target, copy_colour, target, texture, write_bgra
from armoon.view.scene.framing import lens_matrix
from armoon.view.scene.light import SMALL_HEIGHT, SMALL_WIDTH, small_copy

#: The evening grade, as ``graded`` in the shaders has it (display colours, here BGR): its contrast by grey level, and
#: its tint where the picture is light and where it is dusky.
_GREY = np.arange(256) / 255.0
_CONTRAST = np.round(255.0 * _GREY * (0.82 + 0.36 * _GREY * (1.5 - _GREY))).astype(np.uint8)
_TINT, _DUSK = np.array([1.04, 0.99, 0.97]), np.array([0.84, 0.58, 0.50])

Frame = npt.NDArray[np.uint8]


class Feed:
    """Shows frames; a read-only one that comes again is neither graded nor sent a second time."""

    def __init__(self, *, mirrored: bool) -> None:
        """Needs a current context."""
        self._mirrored = mirrored
        self._frame: Frame = np.zeros((1, 1, 3), np.uint8)
        self._number = 0
        """Number of different frames."""
        self._shown: object = None
        self._lens: tuple[object, Any] = (None, None)  # the lens, and its two maps from OpenCV
        self._size = (0, 0)
        self.small = np.zeros((SMALL_HEIGHT, SMALL_WIDTH, 3), np.uint8)
        self.small_texture = texture(SMALL_WIDTH, SMALL_HEIGHT, 3)

    def take(self, frame_bgr: Frame) -> None:
        """Show this frame (h, w, 3) from the next ``draw`` on."""
        before, self._frame = self._frame, frame_bgr
        if self._number and _same(before, frame_bgr):
            return
        self._number += 1
        self.small = small_copy(frame_bgr)
        self.small_texture.write(self.small)

    def draw(self, into: Target, size: tuple[int, int], camera: CameraModel, evening: float) -> None:
        """Show the frame in the lower left part (width, height) of a target, which is open then.

        ``camera`` has seen it; ``evening`` is the strength of the grade.
        """
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
        """Return the picture in the evening's light (height, width, 4)."""
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
    """Whether two frames are of the same pixels of a picture that can't change."""
    owner = frame if frame.base is None else frame.base
    if not isinstance(owner, np.ndarray) or owner.base is not None or owner.flags.writeable:
        return False
    places = [one.__array_interface__["data"][0] for one in (before, frame)]
    return places[0] == places[1] and (before.shape, before.strides) == (frame.shape, frame.strides)
