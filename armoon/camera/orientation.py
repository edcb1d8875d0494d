"""Cameras that hang on their side, stand on their head, or send a mirrored picture, put right.

Everything behind the camera works with upright, unmirrored pictures; this turns the picture and the camera
model alike.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from armoon.camera.sources import Frame, FrameSource, Image
from armoon.errors import SettingsError
from armoon.geometry import CameraModel

_TURNS = {1: cv2.ROTATE_90_CLOCKWISE, 2: cv2.ROTATE_180, 3: cv2.ROTATE_90_COUNTERCLOCKWISE}


@dataclass(frozen=True)
class Orientation:
    """The correction of a camera's picture: first unmirror, then turn clockwise."""

    quarter_turns: int = 0
    """Clockwise, 0 to 3."""
    mirrored: bool = False
    """Whether the camera (its driver, a meeting program) sends a mirror image."""

    @staticmethod
    def from_degrees(degrees: int, mirrored: bool = False) -> Orientation:
        """Return the orientation of a picture that has to be turned clockwise by this angle. Raises SettingsError."""
        if degrees % 360 not in (0, 90, 180, 270):
            raise SettingsError(
                f"A camera's picture can't be turned by {degrees} degrees.", remedy="Take 0, 90, 180 or 270."
            )
        return Orientation(degrees % 360 // 90, mirrored)

    def upright(self, image: Image) -> Image:
        """Return the picture as it should be, C-contiguous."""
        picture = image[:, ::-1] if self.mirrored else image
        turned = (
            cv2.rotate(np.ascontiguousarray(picture), _TURNS[self.quarter_turns])
            if self.quarter_turns
            else picture
        )
        return np.ascontiguousarray(turned, dtype=np.uint8)

    def upright_camera(self, camera: CameraModel) -> CameraModel:
        """Return the model of the pictures that ``upright`` makes, for a camera calibrated as it sends them."""
        if self.mirrored:
            camera = _mirrored(camera)
        for _ in range(self.quarter_turns):
            camera = _turned_clockwise(camera)
        return camera

    def sent_camera(self, camera: CameraModel) -> CameraModel:
        """Return the model of the pictures as the camera sends them, for one calibrated with upright pictures."""
        for _ in range((4 - self.quarter_turns) % 4):
            camera = _turned_clockwise(camera)
        return _mirrored(camera) if self.mirrored else camera


def _mirrored(camera: CameraModel) -> CameraModel:
    k1, k2, p1, p2, k3 = camera.distortion
    return replace(camera, cx=camera.width - 1 - camera.cx, distortion=(k1, k2, p1, -p2, k3))


def _turned_clockwise(camera: CameraModel) -> CameraModel:
    # A pixel (u, v) goes to (height - 1 - v, u), a direction (x, y) to (-y, x).
    k1, k2, p1, p2, k3 = camera.distortion
    return CameraModel(
        camera.height,
        camera.width,
        camera.fy,
        camera.fx,
        camera.height - 1 - camera.cy,
        camera.cx,
        (k1, k2, p2, -p1, k3),
    )


class TurnedSource:
    """Another source with every frame put right; behind it nothing knows how the camera hangs."""

    def __init__(self, source: FrameSource, orientation: Orientation) -> None:
        self._source = source
        self._orientation = orientation
        aside = orientation.quarter_turns % 2 == 1
        self.width = source.height if aside else source.width
        self.height = source.width if aside else source.height
        self.rate_hz = source.rate_hz
        self.live = source.live
        self.description = source.description
        if orientation != Orientation():
            mirrored = ", mirrored" if orientation.mirrored else ""
            self.description += f" (turned by {90 * orientation.quarter_turns}°{mirrored})"

    def read(self) -> Frame | None:
        """Return the next frame, upright, or None at the source's end. Raises CameraError."""
        frame = self._source.read()
        if frame is None:
            return None
        return Frame(frame.index, frame.time_s, self._orientation.upright(frame.image))

    def close(self) -> None:
        """Let go of the source."""
        self._source.close()
