"""A webcam, a film or a stream as the program's source."""

from __future__ import annotations

from typing import TYPE_CHECKING

from armoon.app.sources.part import SourcePart
from armoon.values.choices import SeatName
from armoon.values.text import count_in

if TYPE_CHECKING:
    from armoon.app.camera import OpenedCamera
    from armoon.settings.preferences import PlayOptions


class CameraPart(SourcePart):
    """It looks as long as the program runs."""

    def seat(self, camera: str) -> SeatName:
        faces = count_in(camera) is not None or camera.startswith("/dev/video")
        return SeatName.MIRROR if faces else SeatName.TABLE

    def opened(self, options: PlayOptions) -> OpenedCamera | None:
        from armoon.app.camera import open_camera

        return open_camera(options)


OWN = CameraPart
