"""A device that brings its own options: its possible requests, and the loop's calls to it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from armoon.options.parts import Part

if TYPE_CHECKING:
    from armoon.values.acts import Act


@dataclass(frozen=True)
class Asking:
    """A program's services for its devices."""

    act: Callable[[Act, bool], None]
    """Ask for an act, of the page or the table: True as what asks for it goes down, False as it goes up."""
    say: Callable[[str], None]
    """Print a sentence; may be called from other threads."""


class Device(Protocol):
    """Something that players ask with."""

    def pump(self) -> None:
        """Hand on what came in since the last frame. Called by the loop, so it never waits."""

    def close(self) -> None:
        """Let go of it. Called once, at the program's end."""


@dataclass(frozen=True)
class DevicePart(Part, ABC):
    """The options of one device, from which it is made."""

    @abstractmethod
    def device(self, asking: Asking) -> Device | None:
        """Open the device, or return None where nobody asked for it. Raises ArmoonError."""
