"""The demo as the program's source: a rendered camera with a simulated player."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from armoon.app.sources.part import SourcePart
from armoon.values.choices import CameraWay

if TYPE_CHECKING:
    from armoon.app.table import Table
    from armoon.camera.sources import FrameSource
    from armoon.players.demo import DemoOptions


@dataclass(frozen=True)
class DemoPart(SourcePart):
    """A rendered camera that shows the player of one game."""

    word: ClassVar[str] = "demo"
    way: ClassVar[CameraWay] = CameraWay.DEMO
    size: ClassVar[tuple[int, int]] = (640, 360)
    plays: ClassVar[bool] = True

    def frames(
        self, demo: DemoOptions | None, table: Table, meanwhile: Callable[[], None]
    ) -> FrameSource | None:
        from armoon.app.camera import open_demo

        camera = open_demo(demo, meanwhile)
        table.onlooker = camera.set_sight
        return camera


OWN = DemoPart
