"""The result of one frame of the loop, as every sink sees it."""

from __future__ import annotations

import enum
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, TypeAlias, TypeVar

if TYPE_CHECKING:  # sinks bring options, and the command line doesn't wait for numpy
    import numpy as np
    import numpy.typing as npt

    from armoon.broadcast.happenings import Happening, Standing
    from armoon.engine.events import Output
    from armoon.sound.cues import SoundCue
    from armoon.values.page import Page
    from armoon.values.scene import Scene

Picture: TypeAlias = "npt.NDArray[np.uint8]"
Value = TypeVar("Value")


class Leaving(enum.Enum):
    """By which way pictures leave the program; what a player calls it stands under the message key ``leaves``."""

    FILM = "film"
    STREAM = "stream"


class Once(Generic[Value]):
    """A value that is made when it is first asked for, and kept.

    It is made of the game as it stands, so only the loop's own thread may be the first to ask.
    """

    def __init__(self, make: Callable[[], Value]) -> None:
        self._make = make
        self._made: list[Value] = []
        self._thread = threading.get_ident()

    def __call__(self) -> Value:
        """Return the value."""
        if not self._made:
            if threading.get_ident() != self._thread:
                raise RuntimeError("ask for it in the sink's part(), which the loop calls, not in take()")
            self._made.append(self._make())
        return self._made[0]


def _silence() -> Once[tuple[SoundCue, ...]]:
    return Once(tuple)


@dataclass(frozen=True)
class Moment:
    """One frame of the loop, after its ticks were judged. Receivers may not change anything in it."""

    now_s: float
    """The loop's clock: the wall's, or in lock step the frames'."""
    output: Output | None = None
    """What the game came to; None where no game is under way."""
    sentences: tuple[str, ...] = ()
    """What is to be said, in the players' language."""
    cues: Once[tuple[SoundCue, ...]] = field(default_factory=_silence)
    """The sounds of this moment."""
    scene: Once[Scene] | None = None
    """What is to be drawn, composed once if anybody asks; None where nothing is shown."""
    happened: Once[tuple[Happening, ...]] | None = None
    """Its happenings for onlookers; None if no game is in progress."""
    standing: Once[Standing] | None = None
    """The table's state for onlookers; None if no game is in progress."""
    image: Picture | None = None
    """The camera's picture (h, w, 3), BGR, that the hands were read from; the same array until a newer one is read."""
    page: Page | None = None
    """The screen over the whole window, if there is one."""
    shown: bool = False
    """A picture is due: a new one came in, or a window waits for the next."""
    ended: bool = False
    """The game that was under way ends with this moment."""
    leaving: tuple[Leaving, ...] = ()
    """By which ways pictures leave the program now, as its sinks say."""

    @property
    def told(self) -> tuple[Happening, ...]:
        """Its happenings for onlookers; empty if no game is in progress."""
        return () if self.happened is None else self.happened()
