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


class Rule(enum.Enum):
    """What happens when a sink is slow. All but the first work in threads of their own, which no tick waits for.

    In lock step there is no clock: there nothing is dropped, and the loop waits for room instead.
    """

    IN_LOOP = "in loop"
    """It works within the loop, because its library asks for the main thread: it has to be quick by itself."""
    AWAITED = "awaited"
    """Nothing is lost, and the loop waits up to ``Limits.wait_s`` until it is done, before anything is shown."""
    KEEPS = "keeps"
    """Nothing is lost: what it hasn't got to waits in a long queue."""
    DROPS = "drops"
    """The newest wins: what it hasn't got to is replaced."""
    QUEUES = "queues"
    """What it hasn't got to waits in a queue of ``capacity``; when that is full, the oldest gives way."""


class Sink(ABC):
    """An observer of every moment that never answers.

    By default it works in the loop and has nothing to close. An exception disables only this sink and prints one
    sentence. An ArmoonError is that sentence itself; an ``AWAITED`` or ``KEEPS`` sink stays after it, as a full disk
    may be over with the next line.
    """

    word: ClassVar[str]
    """Its name's key is ``sink.name.`` and this."""
    rule: Rule = Rule.IN_LOOP
    """What happens when it is slow."""
    capacity: int = 1
    """How many parts may wait for it; only asked of threads' sinks."""

    @property
    def name(self) -> str:
        """What players call it, in their language, as the beginning of a sentence."""
        return text(f"sink.name.{self.word}")

    @property
    def leaving(self) -> Leaving | None:
        """By which way it hands pictures on; a red dot in the window shows that. None: it keeps them here."""
        return None

    @abstractmethod
    def part(self, moment: Moment) -> Any:
        """Return the part of the moment that it needs, as a value that nobody changes; None: nothing this time.

        Called by the loop, so it only picks out; this is the place to ask for ``moment.scene()``.
        """

    @abstractmethod
    def take(self, part: Any) -> None:
        """Process a part; by the rule in a thread of its own."""

    def close(self) -> None:  # noqa: B027 - most have nothing to close
        """Finish; called once, after the last part or its own fault, by the thread that called ``take``."""


class WindowLostError(DisplayError):
    """The window is gone for good.

    The one fault of a sink that ends the loop, since the game couldn't be played on.
    """


class Drawn(Protocol):
    """Pictures of the game, as a sink sees them."""

    kept: bool
    """Set it, so that pictures are kept for ``picture``."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""

    def picture(self) -> Picture | None:
        """Return the picture (h, w, 3), BGR, that was drawn of this moment; None if none was."""


class SinkPart(OptionPart, ABC):
    """The options of one sink, from which it is made."""

    @property
    def draws(self) -> bool:
        return False

    @abstractmethod
    def sink(self, rate_hz: float, say: Callable[[str], None], pictures: Drawn | None) -> Sink | None:
        """Make the sink, or None where nobody asked for it. Raises ArmoonError.

        ``rate_hz`` is that of the source's pictures. ``say`` prints a sentence, and may be called from other threads.
        ``pictures`` is None where nothing is drawn: then ``draws`` of all parts is false, and there is no window.
        """
