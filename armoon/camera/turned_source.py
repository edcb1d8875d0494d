"""A camera that hangs on its side, stands on its head or sends a mirrored picture, as an upright source."""

from __future__ import annotations

from armoon.camera.calibration.orientation import Orientation
from armoon.camera.frame import Frame, FrameSource


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
