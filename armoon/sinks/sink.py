"""The interface of a sink, and the rules for slow ones."""

from __future__ import annotations

import enum
from typing import Any, Protocol

from armoon.errors import DisplayError
from armoon.sinks.moment import Moment


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


class WindowLostError(DisplayError):
    """The window is gone for good.

    The one fault of a sink that ends the loop, since the game couldn't be played on.
    """
