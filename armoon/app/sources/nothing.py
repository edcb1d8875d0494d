"""No camera as the program's source: mouse, keys, gamepads and bots play at a drawn table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from armoon.app.sources.part import SourcePart
from armoon.errors import CameraError
from armoon.values.choices import CameraWay

if TYPE_CHECKING:
    from armoon.app.camera import OpenedCamera
    from armoon.settings.preferences import PlayOptions


@dataclass(frozen=True)
class NothingPart(SourcePart):
    """A source without pictures."""

    word: ClassVar[str] = "none"
    way: ClassVar[CameraWay] = CameraWay.NONE

    def opened(self, options: PlayOptions) -> OpenedCamera | None:
        bots = options.game_options.bots_by_seat
        if options.headless and not (bots and all(bots)):
            raise CameraError(
                "Without a camera and without a window nobody can play.",
                remedy="Leave out --headless, or let the demo play: --camera demo.",
            )
        return None


OWN = NothingPart
