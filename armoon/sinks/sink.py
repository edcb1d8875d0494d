"""The interface of sinks, the rules for slow sinks, and the base class of sinks' options."""

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


class OutputChannel(enum.Enum):
    """A way in which pictures leave the program; its text has the message key ``leaves.VALUE``."""

    FILM = "film"
    STREAM = "stream"


class LazyValue(Generic[Value]):
    """A cached value, computed at its first use in the loop's thread."""

    def __init__(self, make: Callable[[], Value]) -> None:
        self._make = make
        self._values: list[Value] = []
        self._thread = threading.get_ident()

    def __call__(self) -> Value:
        if not self._values:
            if threading.get_ident() != self._thread:
                raise RuntimeError("use it in the sink's select(), which the loop calls, not in process()")
            self._values.append(self._make())
        return self._values[0]


@dataclass(frozen=True)
class Moment:
    """The result of a frame of the loop; sinks must not change it."""

    now_s: float
    """Time of the loop: wall time or, in lock step, the frame's time."""
    output: Output | None = None
    """The game's output; None without a game."""
    sentences: tuple[str, ...] = ()
    cues: LazyValue[tuple[SoundCue, ...]] = field(default_factory=lambda: LazyValue(tuple))
    scene: LazyValue[Scene] | None = None
    """The scene to draw; None without one."""
    feed_events: LazyValue[tuple[Happening, ...]] | None = None
    """Events for onlookers; None without a game."""
    standing: LazyValue[Standing] | None = None
    """The table's state for onlookers; None without a game."""
    image: Picture | None = None
    """The camera picture (h, w, 3), BGR, in which the hands were tracked; the array changes only with a new picture."""
    page: Page | None = None
    """The page that fills the window, if any."""
    shown: bool = False
    """Whether to draw a picture, because the camera sent one or the window is ready for the next."""
    ended: bool = False
    channels: tuple[OutputChannel, ...] = ()
    """Channels by which pictures leave the program at this moment."""

    @property
    def happenings(self) -> tuple[Happening, ...]:
        return () if self.feed_events is None else self.feed_events()


class Rule(enum.Enum):
    """How a slow sink is handled. All rules except ``IN_LOOP`` use their own threads. Lock step drops nothing."""

    IN_LOOP = "in loop"
    """The sink runs in the loop, because it is fast or its library needs the main thread."""
    AWAITED = "awaited"
    """Nothing is lost; the loop waits up to ``wait_s`` (``Sinks``) for the sink before it shows anything."""
    KEEPS = "keeps"
    """Nothing is lost; data wait in a long queue."""
    QUEUES = "queues"
    """Data wait in a queue of ``capacity``; a full queue drops the oldest."""


class Sink(ABC):
    """An observer of every moment, which returns nothing to the game.

    By default, it runs in the loop and has nothing to close. An exception disables only this sink and prints one
    sentence; an ArmoonError prints its own text. After an ArmoonError, ``AWAITED`` and ``KEEPS`` sinks continue,
    because the disk might have room for the next line.
    """

    word: ClassVar[str]
    """Message key of the sink's name, below ``sink.name``."""
    rule: Rule = Rule.IN_LOOP
    capacity: int = 1
    """Maximum length of the queue, for sinks in threads."""

    @property
    def name(self) -> str:
        """The sink's name in the players' language, as the start of a sentence."""
        return text(f"sink.name.{self.word}")

    @property
    def output_channel(self) -> OutputChannel | None:
        """How the sink records or publishes pictures, if it does; a red dot in the window shows it."""
        return None

    @abstractmethod
    def select(self, moment: Moment) -> Any:
        """Return the data that the sink needs from the moment, as an immutable value, or None.

        The loop calls this, so it should be fast: it should only select data, such as ``moment.scene()``.
        """

    @abstractmethod
    def process(self, data: Any) -> None:
        """Process the data, in the thread defined by the rule."""

    def close(self) -> None:  # noqa: B027 - most have nothing to close
        """Release all resources; called once, after the last data or a fault, in the thread of ``process``."""


class WindowLostError(DisplayError):
    """The window is permanently lost; no other fault of a sink ends the loop."""


class DrawnPictures(Protocol):
    """The pictures that the program draws."""

    should_read_back: bool

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""

    def picture(self) -> Picture | None:
        """Return the picture (h, w, 3), BGR, of this moment, if one was drawn."""


class SinkPart(OptionPart, ABC):
    """A sink's options; creates the sink that they configure."""

    @property
    def needs_pictures(self) -> bool:
        return False

    @abstractmethod
    def create_sink(
        self, rate_hz: float, notify: Callable[[str], None], pictures: DrawnPictures | None
    ) -> Sink | None:
        """Create the sink, or return None if it isn't configured. Raises ArmoonError.

        ``rate_hz`` is the source's picture rate; ``notify`` prints a sentence from any thread; ``pictures`` is None
        without a window, unless a part ``needs_pictures``.
        """
