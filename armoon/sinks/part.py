"""A sink that brings its own options: the sink it opens in a program, and its reports."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from armoon.options.parts import Part

if TYPE_CHECKING:
    from armoon.sinks.moment import Picture
    from armoon.sinks.sink import Sink


class Drawn(Protocol):
    """Pictures of the game, as a sink sees them."""

    kept: bool
    """Set it, so that pictures are kept for ``picture``."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""

    def picture(self) -> Picture | None:
        """Return the picture (h, w, 3), BGR, that was drawn of this moment; None if none was."""


@dataclass(frozen=True)
class Opened:
    """The things a program has opened by the time its sinks are made."""

    rate_hz: float
    """Pictures a second, as the camera or the log gives them."""
    say: Callable[[str], None]
    """Prints a sentence; may be called from other threads."""
    pictures: Drawn | None
    """None where nothing is drawn: then ``SinkPart.draws`` of all parts is false, and there is no window."""


@dataclass(frozen=True)
class SinkPart(Part):
    """The options of one sink, from which it is made."""

    @property
    def draws(self) -> bool:
        """Whether pictures have to be drawn for it, even without a window."""
        return False

    def sink(self, opened: Opened) -> Sink | None:
        """Make the sink, or None where nobody asked for it. Raises ArmoonError."""
        raise NotImplementedError
