"""The interface of a sink, the rules for slow sinks, and sinks with options of their own."""

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

    from armoon.broadcast import Happening, Standing
    from armoon.engine.events import Output
    from armoon.sound.cues import SoundCue
    from armoon.values.page import Page
    from armoon.values.scene import Scene


Picture: TypeAlias = "npt.NDArray[np.uint8]"
Value = TypeVar("Value")


class Leaving(enum.Enum):
    """How pictures leave the program; the texts are below the message key ``leaves``."""

    FILM = "film"
    STREAM = "stream"


class LazyValue(Generic[Value]):
    """A value computed on first use, in the loop's thread only, and cached."""

    def __init__(self, make: Callable[[], Value]) -> None:
        self._make = make
        self._made: list[Value] = []
        self._thread = threading.get_ident()

    def __call__(self) -> Value:
        if not self._made:
            if threading.get_ident() != self._thread:
                raise RuntimeError("use it in the sink's select(), which the loop calls, not in process()")
            self._made.append(self._make())
        return self._made[0]


@dataclass(frozen=True)
class Moment:
    """The result of one frame of the loop; receivers must not change it."""

    now_s: float
    """Time of the loop: wall time, or in lock step the source's frame time."""
    output: Output | None = None
    """The game's output; None if no game is in progress."""
    sentences: tuple[str, ...] = ()
    cues: LazyValue[tuple[SoundCue, ...]] = field(default_factory=lambda: LazyValue(tuple))
    scene: LazyValue[Scene] | None = None
    """The scene to draw; None if nothing is shown."""
    feed_events: LazyValue[tuple[Happening, ...]] | None = None
    """Events for onlookers; None if no game is in progress."""
    standing: LazyValue[Standing] | None = None
    """The table's state for onlookers; None if no game is in progress."""
    image: Picture | None = None
    """The camera picture (h, w, 3), BGR, in which the hands were tracked; the same array until the next one."""
    page: Page | None = None
    """The page over the whole window, if any."""
    shown: bool = False
    """Whether a picture is due: the camera sent one, or a window is ready for the next."""
    ended: bool = False
    leaving: tuple[Leaving, ...] = ()
    """How pictures leave the program now."""

    @property
    def happenings(self) -> tuple[Happening, ...]:
        return () if self.feed_events is None else self.feed_events()


class Rule(enum.Enum):
    """How a slow sink is handled. All sinks but ``IN_LOOP`` have threads of their own. Lock step drops nothing."""

    IN_LOOP = "in loop"
    """The sink runs in the loop: it is fast, or its library needs the main thread."""
    AWAITED = "awaited"
    """Nothing is lost; before showing anything, the loop waits for the sink, up to the ``wait_s`` of ``Sinks``."""
    KEEPS = "keeps"
    """Nothing is lost: parts wait in a long queue."""
    QUEUES = "queues"
    """Parts wait in a queue of ``capacity``; when it is full, the oldest is dropped."""


class Sink(ABC):
    """An observer of every moment; it returns nothing to the game.

    By default it runs in the loop and has nothing to close. An exception disables only this sink and prints one
    sentence, for an ArmoonError its own. After an ArmoonError an ``AWAITED`` or ``KEEPS`` sink continues, because the
    disk may have room again for the next line.
    """

    word: ClassVar[str]
    """Message key of its name, below ``sink.name``."""
    rule: Rule = Rule.IN_LOOP
    capacity: int = 1
    """Maximum number of waiting parts, for sinks in threads."""

    @property
    def name(self) -> str:
        """Its name in the players' language, as the start of a sentence."""
        return text(f"sink.name.{self.word}")

    @property
    def leaving(self) -> Leaving | None:
        """How the sink records or publishes pictures, shown by a red dot in the window; None: it doesn't."""
        return None

    @abstractmethod
    def select(self, moment: Moment) -> Any:
        """Return the data that the sink needs from the moment, as an immutable value, or None.

        It is called in the loop, so it should only select data, such as ``moment.scene()``.
        """

    @abstractmethod
    def process(self, part: Any) -> None:
        """Process the data, in the thread defined by the rule."""

    def close(self) -> None:  # noqa: B027 - most have nothing to close
        """Finish; called once, after the last data or a fault, in the thread that processes the data."""


class WindowLostError(DisplayError):
    """The window is gone for good: the only fault of a sink that ends the loop."""


class DrawnPictures(Protocol):
    """The drawn pictures of the game."""

    kept: bool

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""

    def picture(self) -> Picture | None:
        """Return the picture (h, w, 3), BGR, drawn for this moment, if any."""


class SinkPart(OptionPart, ABC):
    """The options of one sink, which create it."""

    @property
    def draws(self) -> bool:
        return False

    @abstractmethod
    def sink(self, rate_hz: float, say: Callable[[str], None], pictures: DrawnPictures | None) -> Sink | None:
        """Create the sink, or return None if it isn't configured. Raises ArmoonError.

        ``rate_hz``: the source's picture rate. ``say`` prints a sentence, from any thread. ``pictures`` is None if
        nothing is drawn, because no part ``draws`` and there is no window.
        """
