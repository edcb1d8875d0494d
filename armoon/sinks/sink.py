"""The interface of a sink, the rules for slow ones, and sinks that bring options of their own."""

from __future__ import annotations

import enum
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeAlias, TypeVar

from armoon.errors import DisplayError
from armoon.messages import text
from armoon.options.parts import OptionPart

if TYPE_CHECKING:
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
    """Ways by which pictures leave the program, with texts below the message key ``leaves``."""

    FILM = "film"
    STREAM = "stream"


class Once(Generic[Value]):
    """A value that is made when the loop's own thread first asks for it, and kept."""

    def __init__(self, make: Callable[[], Value]) -> None:
        self._make = make
        self._made: list[Value] = []
        self._thread = threading.get_ident()

    def __call__(self) -> Value:
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
    """The game's output; None if no game is in progress."""
    sentences: tuple[str, ...] = ()
    cues: Once[tuple[SoundCue, ...]] = field(default_factory=_silence)
    scene: Once[Scene] | None = None
    """The scene to draw; None if nothing is shown."""
    happened: Once[tuple[Happening, ...]] | None = None
    """Events for onlookers; None if no game is in progress."""
    standing: Once[Standing] | None = None
    """The table's state for onlookers; None if no game is in progress."""
    image: Picture | None = None
    """The camera's picture (h, w, 3), BGR, that the hands were read from; the same array until the next one."""
    page: Page | None = None
    """The screen over the whole window, if there is one."""
    shown: bool = False
    """A picture is due: the camera sent one, or a window is ready for the next."""
    ended: bool = False
    leaving: tuple[Leaving, ...] = ()
    """Ways by which pictures leave the program now."""

    @property
    def told(self) -> tuple[Happening, ...]:
        return () if self.happened is None else self.happened()


class Rule(enum.Enum):
    """How a slow sink is handled; all but the first work in threads of their own, and lock step drops nothing."""

    IN_LOOP = "in loop"
    """It works in the loop, since its library needs the main thread, and has to be quick."""
    AWAITED = "awaited"
    """Nothing is lost; the loop waits up to ``Limits.wait_s`` for it before anything is shown."""
    KEEPS = "keeps"
    """Nothing is lost: parts wait in a long queue."""
    DROPS = "drops"
    """A newer part replaces a waiting one."""
    QUEUES = "queues"
    """Parts wait in a queue of ``capacity``; when it is full, the oldest is dropped."""


class Sink(ABC):
    """An observer of every moment that never answers.

    By default it works in the loop and has nothing to close. An exception disables only this sink and prints one
    sentence. An ArmoonError is that sentence itself; an ``AWAITED`` or ``KEEPS`` sink stays after it, as a full disk
    may be over with the next line.
    """

    word: ClassVar[str]
    """Key of its name below ``sink.name``."""
    rule: Rule = Rule.IN_LOOP
    capacity: int = 1
    """Maximum number of waiting parts, for sinks in threads."""

    @property
    def name(self) -> str:
        """Its name in the players' language, as the beginning of a sentence."""
        return text(f"sink.name.{self.word}")

    @property
    def leaving(self) -> Leaving | None:
        """The way by which it passes pictures on, shown by a red dot in the window; None: it keeps them here."""
        return None

    @abstractmethod
    def part(self, moment: Moment) -> Any:
        """Return the part of the moment that it needs, as an immutable value, or None.

        The loop calls it, so it only selects; this is the place to ask for ``moment.scene()``.
        """

    @abstractmethod
    def take(self, part: Any) -> None:
        """Process a part, by the rule in a thread of its own."""

    def close(self) -> None:  # noqa: B027 - most have nothing to close
        """Finish; called once, after the last part or its own fault, by the thread that called ``take``."""


class WindowLostError(DisplayError):
    """The window is gone for good: the one fault of a sink that ends the loop."""


class DrawnPictures(Protocol):
    """Pictures of the game, as a sink sees them."""

    kept: bool

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""

    def picture(self) -> Picture | None:
        """Return the picture (h, w, 3), BGR, that was drawn of this moment, if any."""


class SinkPart(OptionPart, ABC):
    """The options of one sink, from which it is made."""

    @property
    def draws(self) -> bool:
        return False

    @abstractmethod
    def sink(self, rate_hz: float, say: Callable[[str], None], pictures: DrawnPictures | None) -> Sink | None:
        """Make the sink, or None if it isn't configured. Raises ArmoonError.

        ``rate_hz``: of the source's pictures. ``say`` prints a sentence, from any thread. ``pictures`` is None where
        nothing is drawn: then ``draws`` of all parts is false, and there is no window.
        """
