"""What the program can look through: a camera, the demo, nothing; each in one file, and chosen by ``--camera``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from armoon.options.parts import OptionPart
from armoon.values.choices import CameraWay, SeatName
from armoon.values.text import count_in

if TYPE_CHECKING:
    from armoon.app.camera import OpenedCamera
    from armoon.app.table import Table
    from armoon.camera.sources import FrameSource
    from armoon.players.demo import DemoOptions
    from armoon.settings.preferences import PlayOptions, Settings


class SourcePart(OptionPart):
    """One of them, with its own options. A source without pictures answers None to both questions."""

    word: ClassVar[str] = ""
    """The value of ``--camera`` that chooses it; empty: every value that chooses no other."""
    way: ClassVar[CameraWay] = CameraWay.REAL
    """What it is for the pages."""
    size: ClassVar[tuple[int, int] | None] = None
    """The usual width and height of its pictures, in pixels; None: as the settings say."""
    plays: ClassVar[bool] = False
    """A player of its own plays before it, who is in no profile."""

    def seat(self, camera: str) -> SeatName:
        """Return where it sits unless the players say otherwise; ``camera`` is the option's value."""
        return SeatName.TABLE

    def opened(self, options: PlayOptions) -> OpenedCamera | None:
        """Open what looks as long as the program runs. Raises CameraError, also where nothing could be played."""
        return None

    def frames(
        self, demo: DemoOptions | None, table: Table, meanwhile: Callable[[], None]
    ) -> FrameSource | None:
        """Open what looks at this table alone; ``meanwhile`` is called while that takes time. Raises ArmoonError."""
        return None


def source_of(settings: Settings, camera: str | None = None) -> SourcePart:
    """Return the source that is chosen by the options, or by this value of ``--camera``."""
    wanted = settings.camera if camera is None else camera
    sources = {one.word: one for one in settings.parts if isinstance(one, SourcePart)}
    return sources.get(wanted, sources[""])


class CameraPart(SourcePart):
    """A webcam, a film or a stream: it looks as long as the program runs."""

    def seat(self, camera: str) -> SeatName:
        faces = count_in(camera) is not None or camera.startswith("/dev/video")
        return SeatName.MIRROR if faces else SeatName.TABLE

    def opened(self, options: PlayOptions) -> OpenedCamera | None:
        from armoon.app.camera import open_camera

        return open_camera(options)


OWN = CameraPart
