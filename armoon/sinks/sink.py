"""The interface of a sink, the rules for slow ones, and sinks that bring options of their own."""

from __future__ import annotations

import enum
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from armoon.errors import DisplayError
from armoon.messages import text
from armoon.options.parts import Part
from armoon.sinks.moment import Moment

if TYPE_CHECKING:
    from armoon.sinks.moment import Picture


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


class Sink(Protocol):
    """An observer of every moment that never answers.

    An exception costs the game nothing but this sink and one sentence. An ArmoonError is that sentence itself; of
    an ``AWAITED`` or ``KEEPS`` sink it is said and the sink stays, as a full disk may be over with the next line.
    """

    @property
    def name(self) -> str:
        """What players call it, in their language, as the beginning of a sentence."""

    @property
    def rule(self) -> Rule:
        """What happens when it is slow."""

    @property
    def capacity(self) -> int:
        """How many parts may wait for it; only asked of threads' sinks."""

    # A sink that hands pictures on, into a film or a stream, says so by a ``leaving: Leaving`` of its own.
    # As long as it works a red dot in the window says that.

    def part(self, moment: Moment) -> Any:
        """Return the part of the moment that it needs, as a value that nobody changes; None: nothing this time.

        Called by the loop, so it only picks out; this is the place to ask for ``moment.scene()``.
        """

    def take(self, part: Any) -> None:
        """Do what it is there for; by the rule in a thread of its own."""

    def close(self) -> None:
        """Finish; called once, after the last part or its own fault, by the thread that called ``take``."""


class NamedSink:
    """A sink with a name from the catalogues; by default it works in the loop and has nothing to close."""

    word: ClassVar[str]
    """Its name's key is ``sink.name.`` and this."""
    rule = Rule.IN_LOOP
    capacity = 1

    @property
    def name(self) -> str:
        """What players call it."""
        return text(f"sink.name.{self.word}")

    def close(self) -> None:
        """Close nothing."""


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
class SinkPart(Part, ABC):
    """The options of one sink, from which it is made."""

    @property
    def draws(self) -> bool:
        """Whether pictures have to be drawn for it, even without a window."""
        return False

    @abstractmethod
    def sink(self, opened: Opened) -> Sink | None:
        """Make the sink, or None where nobody asked for it. Raises ArmoonError."""
