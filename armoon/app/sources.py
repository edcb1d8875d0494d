"""Sources of pictures that ``--camera`` selects: a camera, the demo, or none."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from armoon.errors import ArmoonError, CameraError
from armoon.messages import text
from armoon.options.parts import OptionPart
from armoon.values.choices import CameraWay, SeatName
from armoon.values.text import parse_count

if TYPE_CHECKING:
    from armoon.app.camera import OpenedCamera
    from armoon.app.table import Table
    from armoon.camera.sources import FrameSource
    from armoon.players.demo import DemoOptions
    from armoon.settings.preferences import PlayOptions, Settings


class SourcePart(OptionPart):
    """A kind of source with its options. Without pictures, both ``open`` methods return None."""

    word: ClassVar[str] = ""
    """The value of ``--camera`` that selects it; empty: any other value."""
    way: ClassVar[CameraWay] = CameraWay.REAL
    size: ClassVar[tuple[int, int] | None] = None
    """Default width and height of its pictures, in pixels; None: from the settings."""
    has_player: ClassVar[bool] = False
    """Whether it has its own player, who has no profile."""

    def default_seat(self, camera: str) -> SeatName:
        """Return the default seat for this value of ``--camera``."""
        return SeatName.TABLE

    def open_for_program(self, options: PlayOptions) -> OpenedCamera | None:
        """Open a source for the whole program. Raises CameraError if it fails, or nobody could play with it."""
        return None

    def open_for_table(
        self, demo: DemoOptions | None, table: Table, on_wait: Callable[[], None]
    ) -> FrameSource | None:
        """Open a source for this table alone; ``on_wait`` is called while it opens. Raises ArmoonError."""
        return None


def find_source(settings: Settings, camera: str | None = None) -> SourcePart:
    word = settings.camera if camera is None else camera
    sources = {part.word: part for part in settings.parts if isinstance(part, SourcePart)}
    return sources.get(word, sources[""])


class CameraPart(SourcePart):
    """A webcam, a film or a stream."""

    def default_seat(self, camera: str) -> SeatName:
        is_webcam = parse_count(camera) is not None or camera.startswith("/dev/video")
        return SeatName.MIRROR if is_webcam else SeatName.TABLE

    def open_for_program(self, options: PlayOptions) -> OpenedCamera | None:
        from armoon.app.camera import open_camera

        return open_camera(options)


class DemoPart(SourcePart):
    """A rendered camera that films the demo player of one game."""

    word: ClassVar[str] = "demo"
    way: ClassVar[CameraWay] = CameraWay.DEMO
    size: ClassVar[tuple[int, int]] = (640, 360)
    has_player: ClassVar[bool] = True

    def open_for_table(
        self, demo: DemoOptions | None, table: Table, on_wait: Callable[[], None]
    ) -> FrameSource | None:
        from rich.console import Console  # slow import, not needed before the window opens

        from armoon.players.demo import DemoCamera

        if demo is None:
            raise ArmoonError("game.no_demo")
        with Console().status(text("start.preparing")):
            camera = DemoCamera(demo, on_wait)
        table.on_observation = camera.set_observation
        return camera


class NothingPart(SourcePart):
    """A source without pictures."""

    word: ClassVar[str] = "none"
    way: ClassVar[CameraWay] = CameraWay.NONE

    def open_for_program(self, options: PlayOptions) -> OpenedCamera | None:
        bots = options.game_options.bots_by_seat
        if options.headless and not (bots and all(bots)):
            raise CameraError("fault.camera.unattended")
        return None
